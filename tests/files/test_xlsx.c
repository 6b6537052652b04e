/* The xlsx reader on workbooks made here, part by part: kinds of cells, dates of both origins, gaps, sheets,
 * merged cells, damage. Workbooks of other programs are in tests/reference/check_formats.py. */
#include "support/reading.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include <cmocka.h>

/* A zip archive that grows, its parts stored as they are, or deflated. */
typedef struct archive {
    unsigned char bytes[20000], directory[2000];
    size_t size, directory_size;
    int parts, deflates;
} archive;

static void put(unsigned char *to, size_t *size, unsigned long value, int bytes)
{
    for (int k = 0; k < bytes; k++) to[(*size)++] = (unsigned char)(value >> (8 * k));
}

static size_t pack(const archive *a, const char *text, unsigned char *to, size_t room)
{
    const size_t length = strlen(text);
    if (!a->deflates) return memcpy(to, text, length), length;
    z_stream stream = {.next_in = (z_const Bytef *)text, .avail_in = (uInt)length};
    stream.next_out = to;
    stream.avail_out = (uInt)room;
    assert_int_equal(deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    assert_int_equal(deflateEnd(&stream), Z_OK);
    return stream.total_out;
}

/* What the local header and the entry of the directory share. */
static void put_sizes(unsigned char *to, size_t *size, const archive *a, const char *text, size_t packed)
{
    put(to, size, 20, 2);
    put(to, size, 0, 2);
    put(to, size, a->deflates ? 8 : 0, 2);
    put(to, size, 0, 4);
    put(to, size, crc32(0, (const Bytef *)text, (uInt)strlen(text)), 4);
    put(to, size, packed, 4);
    put(to, size, strlen(text), 4);
}

static void add_part(archive *a, const char *name, const char *text)
{
    static unsigned char packed[8000];
    const size_t place = a->size, length = strlen(name), count = pack(a, text, packed, sizeof packed);
    assert_true(a->size + count + length + 30 < sizeof a->bytes);
    put(a->bytes, &a->size, 0x04034b50, 4);
    put_sizes(a->bytes, &a->size, a, text, count);
    put(a->bytes, &a->size, length, 4);
    memcpy(a->bytes + a->size, name, length);
    memcpy(a->bytes + a->size + length, packed, count);
    a->size += length + count;
    put(a->directory, &a->directory_size, 0x02014b50, 4);
    put(a->directory, &a->directory_size, 20, 2);
    put_sizes(a->directory, &a->directory_size, a, text, count);
    put(a->directory, &a->directory_size, length, 6);
    put(a->directory, &a->directory_size, 0, 8);
    put(a->directory, &a->directory_size, place, 4);
    memcpy(a->directory + a->directory_size, name, length);
    a->directory_size += length;
    a->parts++;
}

static void finish(archive *a)
{
    const size_t place = a->size;
    memcpy(a->bytes + a->size, a->directory, a->directory_size);
    a->size += a->directory_size;
    put(a->bytes, &a->size, 0x06054b50, 4);
    put(a->bytes, &a->size, 0, 4);
    put(a->bytes, &a->size, (unsigned long)a->parts, 2);
    put(a->bytes, &a->size, (unsigned long)a->parts, 2);
    put(a->bytes, &a->size, a->directory_size, 4);
    put(a->bytes, &a->size, place, 4);
    put(a->bytes, &a->size, 0, 2);
}

#define RELATION(id, type, target) "<Relationship Id='" id "' Type='http://x/" type "' Target='" target "'/>"

/* A workbook of the sheets `cells` (what is inside <worksheet>) and "other"; `properties` stands inside
 * <workbookPr>. */
static const archive *workbook(const char *cells, const char *properties, int deflates)
{
    static archive a;
    char text[4000];
    a = (archive){.deflates = deflates};
    add_part(&a, "_rels/.rels",
             "<Relationships>" RELATION("r", "officeDocument", "/xl/w.xml") "</Relationships>");
    snprintf(text, sizeof text,
             "<?xml version=\"1.0\"?><x:workbook><x:workbookPr %s/><!-- - -- --><sheets><sheet name='hidden' "
             "state='hidden' r:id='h'/><sheet name='Chart' r:id='c'/><sheet name='A &amp; B' "
             "r:id='a'/><sheet name='other' r:id='o'/></sheets>"
             "</x:workbook>",
             properties);
    add_part(&a, "xl/w.xml", text);
    add_part(&a, "xl/_rels/w.xml.rels",
             "<Relationships>" RELATION("c", "chartsheet", "c.xml") RELATION("a", "worksheet", "s/a.xml")
                 RELATION("o", "worksheet", "s/o.xml") RELATION("t", "sharedStrings", "t.xml")
                     RELATION("y", "styles", "y.xml") "</Relationships>");
    add_part(
        &a, "xl/t.xml",
        "<sst><si><t>x</t></si><si><t>y</t></si><si><r><t>two </t></r><r><t xml:space='preserve'>runs</t>"
        "</r><rPh><t>no</t></rPh></si><si><t>say &quot;&#x41;&#233;&quot;&#10;</t></si><si/></sst>");
    add_part(
        &a, "xl/y.xml",
        "<styleSheet><numFmts><numFmt numFmtId='170' formatCode='dd\\.mm\\.yy;@'/><numFmt numFmtId='171' "
        "formatCode='[Red]0.0\"days\"'/></numFmts><cellStyleXfs><xf numFmtId='14'/></cellStyleXfs><cellXfs>"
        "<xf numFmtId='0'/><xf numFmtId='14'/><xf numFmtId='170'/><xf numFmtId='171'/><xf numFmtId='21'/>"
        "</cellXfs></styleSheet>");
    snprintf(text, sizeof text, "<worksheet>%s</worksheet>", cells);
    add_part(&a, "xl/s/a.xml", text);
    add_part(&a, "xl/s/o.xml",
             "<worksheet><sheetData><row><c><v>1</v></c><c><v>2</v></c></row></sheetData></worksheet>");
    finish(&a);
    return &a;
}

static const char head[] = "<sheetData><row r='3'><c r='B3' t='s'><v>0</v></c><c r='C3' t='s'><v>1</v></c>"
                           "<c r='D3' t='inlineStr'><is><t>z</t></is></c></row>";

static void begin(reading *r, const archive *a, const ald_load_options *options)
{
    reading_begin(r);
    if (reading_bytes(r, &ald_xlsx_reader, a->bytes, a->size, options) < 0) fail_msg("%s", r->error.message);
}

static const char *level_of(const ald_table *table, int64_t row, int64_t column)
{
    int64_t level = -1;
    assert_true(ald_cell_is_text(table->cells[row * table->cols + column], &level));
    return table->columns[column].levels[level];
}

static void reads_every_kind_of_cell(void **state)
{
    (void)state;
    char cells[3000];
    for (int deflates = 0; deflates < 2; deflates++) {
        reading r;
        snprintf(cells, sizeof cells,
                 "%s<row r='4'><c r='B4'><v>1.5</v></c><c r='D4' t='s'><v>2</v></c></row>"
                 "<row r='6'><c r='B6' s='3'><f>A1+1</f><v>-2E-3</v></c><c r='C6' t='b'><v>1</v></c>"
                 "<c r='D6' t='s'><v>3</v></c></row>"
                 "<row r='7'><c r='B7' t='e'><v>#N/A</v></c><c r='C7' t='b'><v>0</v></c><c r='D7' t='str'><v>"
                 "<![CDATA[<&>]]></v></c></row><row r='9'><c r='F9' s='1'/></row></sheetData>",
                 head);
        begin(&r, workbook(cells, "", deflates), NULL);
        const ald_table *t = &r.table;
        assert_int_equal(t->rows, 3);
        assert_int_equal(t->cols, 3);
        assert_string_equal(t->columns[0].name, "x");
        assert_string_equal(t->columns[2].name, "z");
        assert_true(t->cells[0] == 1.5 && t->cells[3] == -2e-3);
        assert_true(ald_cell_is_missing(t->cells[1]) && ald_cell_is_missing(t->cells[6]));
        assert_string_equal(level_of(t, 0, 2), "two runs");
        assert_string_equal(level_of(t, 1, 2), "say \"A\xc3\xa9\" ");
        assert_string_equal(level_of(t, 2, 2), "<&>");
        assert_int_equal(ald_table_line(t, 1), 6);
        assert_non_null(strstr(r.log, "sheet 'A & B' is read"));
        reading_end(&r);
    }
}

/* 61 is 1900-03-01 as Excel counts, 59 the 28th of February; 46023.75 is 2026-01-01 18:00. */
static void dates_have_their_origin(void **state)
{
    (void)state;
    char cells[2000];
    snprintf(cells, sizeof cells,
             "%s<row><c t='n' s='0'/><c s='1'><v>61</v></c><c s='1'><v>46023.75</v></c><c "
             "s='2'><v>59</v></c></row>"
             "<row r='5'><c r='B5' s='4'><v>0.5</v></c><c r='C5' s='1'><v>46023.999999</v></c>"
             "<c r='D5' s='1'><v>1e9</v></c></row></sheetData>",
             head);
    const char *const expected[2][3] = {
        {"1900-03-01", "2026-01-01 18:00:00", "1900-02-28"},
        {"1904-03-02", "2030-01-02 18:00:00", "1904-02-29"},
    };
    for (int late = 0; late < 2; late++) {
        reading r;
        begin(&r, workbook(cells, late ? "date1904='1'" : "", 0), NULL);
        const ald_table *t = &r.table;
        for (int64_t j = 0; j < 3; j++) assert_string_equal(level_of(t, 0, j), expected[late][j]);
        assert_true(t->cells[3] == 0.5 && t->cells[5] == 1e9);
        assert_string_equal(level_of(t, 1, 1), late ? "2030-01-03" : "2026-01-02");
        reading_end(&r);
    }
}

static void sheets_are_chosen(void **state)
{
    (void)state;
    const char *const names[] = {"other", "4"};
    const archive *a = workbook(head, "", 0);
    for (int k = 0; k < 2; k++) {
        reading r;
        begin(&r, a, &(ald_load_options){.sheet = names[k]});
        assert_cells(&r.table, 1, 2, (const double[]){1, 2});
        reading_end(&r);
    }
}

static void refuse(const archive *a, const ald_load_options *options, int64_t line, const char *part)
{
    reading r;
    reading_begin(&r);
    assert_true(reading_bytes(&r, &ald_xlsx_reader, a->bytes, a->size, options) < 0);
    if (r.error.line != line || !strstr(r.error.message, part))
        fail_msg("line %lld: %s; expected %lld: %s", (long long)r.error.line, r.error.message,
                 (long long)line, part);
    reading_end(&r);
}

static void says_what_is_wrong(void **state)
{
    (void)state;
    static const struct {
        const char *cells, *part;
        int64_t line;
    } cases[] = {
        {"</sheetData><mergeCells><mergeCell ref='B2:C3'/></mergeCells>",
         "cells B2:C3 of sheet 'A & B' are merged", 2},
        {"<row r='4'><c r='B4' t='s'><v>5</v></c></row>", "cell B4 of sheet 'A & B' names a text", 4},
        {"<row r='3'/>", "row '3' of sheet 'A & B' stands behind row 3", 0},
        {"<row r='1048576'/><row/>", "sheet 'A & B' has more than 1048576 rows", 0},
        {"<row r='4'><c r='AB4'><v>1</v></c><c r='B4'/></row>", "cell AB4 of sheet 'A & B' is followed by",
         4},
        {"<row r='4'><c r='XFE4'><v>1</v></c></row>", "does not stand behind it", 4},
        {"<!DOCTYPE a [<!ENTITY b 'c'>]>", "document type", 0},
        {"<row r='4'><c r='B4' t='str'><v>&b;</v></c></row>", "unknown entity", 0},
        {"<row r='4'><c r='B4' t='str'><v>&#xd83d;</v></c></row>", "a character that does not exist", 0},
        {"<row r='4'", "", 0},
        {"<row r=4>", "without quotes", 0},
    };
    char cells[1000];
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        snprintf(cells, sizeof cells, "%s%s", head, cases[k].cells);
        refuse(workbook(cells, "", 0), NULL, cases[k].line, cases[k].part);
    }
    refuse(workbook("<sheetData/>", "", 0), NULL, 0, "has no cells");
    refuse(workbook(head, "", 0), &(ald_load_options){.sheet = "5"}, 0, "4: hidden, Chart, A & B, other");
    refuse(workbook(head, "", 0), &(ald_load_options){.sheet = "hidden"}, 0, "does not say where");
    assert_refused(&ald_xlsx_reader, "a,b\n1,2\n", 0, 0, "no xlsx file");
    assert_refused(&ald_xlsx_reader, "\xd0\xcf\x11\xe0....", 0, 0, "old .xls");
    assert_refused(&ald_xlsx_reader, "PK\3\4", 0, 0, "its end is missing");
}

static void titles_can_be_skipped(void **state)
{
    (void)state;
    reading r;
    begin(
        &r,
        workbook(
            "<sheetData><row r='1'><c r='A1' t='str'><v>title</v></c></row><row r='2'><c r='A2'><v>1</v></c>"
            "<c r='B2'><v>2</v></c></row></sheetData><mergeCells><mergeCell ref='A1:B1'/></mergeCells>",
            "", 0),
        &(ald_load_options){.skip = 1});
    assert_cells(&r.table, 1, 2, (const double[]){1, 2});
    reading_end(&r);
}

/* Numbers of a workbook have no marks: a point is never one of thousands, as in the csv file of a model. */
static void numbers_keep_their_points(void **state)
{
    (void)state;
    reading r;
    begin(&r,
          workbook("<sheetData><row><c><v>1.234</v></c><c t='str'><v>0,5</v></c></row></sheetData>", "", 0),
          &(ald_load_options){.decimal = "comma", .thousands = "."});
    assert_true(r.table.cells[0] == 1.234);
    assert_string_equal(level_of(&r.table, 0, 1), "0,5");
    reading_end(&r);
}

/* As Excel writes what XML cannot have; _x005F_ is the line itself, and a half of a pair stays. */
static void escaped_characters_are_read(void **state)
{
    (void)state;
    reading r;
    begin(&r,
          workbook("<sheetData><row><c t='str'><v>a_x000d_b_x005F_x0041_c_x00e9_</v></c><c "
                   "t='inlineStr'><is><t>_xD83D_ _x12_x0042</t></is></c></row></sheetData>",
                   "", 0),
          &(ald_load_options){.header = "no"});
    assert_string_equal(level_of(&r.table, 0, 0), "a b_x0041_c\xc3\xa9");
    assert_string_equal(level_of(&r.table, 0, 1), "_xD83D_ _x12_x0042");
    reading_end(&r);
}

/* 8193 sheets in a few bytes: who looks for each among as many relations takes minutes with some more. */
static void too_many_sheets_are_refused(void **state)
{
    (void)state;
    static archive a;
    static char sheets[8193 * 8 + 1];
    a = (archive){.deflates = 1};
    for (size_t k = 0; k < 8193; k++) memcpy(sheets + 8 * k, "<sheet/>", 8);
    add_part(&a, "_rels/.rels", "<Relationships/>");
    add_part(&a, "xl/_rels/workbook.xml.rels", "<Relationships/>");
    add_part(&a, "xl/workbook.xml", sheets);
    finish(&a);
    refuse(&a, NULL, 0, "more than 8192 sheets");
}

/* All ones in the end record (the place of the directory), and as the length of the first part. */
static void zip64_is_named(void **state)
{
    (void)state;
    archive a = *workbook(head, "", 0);
    const size_t directory = a.size - 22 - a.directory_size;
    memset(a.bytes + directory + 20, 0xff, 4);
    refuse(&a, NULL, 0, "zip64");
    a = *workbook(head, "", 0);
    memset(a.bytes + a.size - 6, 0xff, 4);
    refuse(&a, NULL, 0, "zip64");
}

/* A row far away costs empty lines. */
static void far_rows_are_read(void **state)
{
    (void)state;
    char cells[1000];
    reading r;
    snprintf(cells, sizeof cells, "%s<row r='1048576'><c r='B1048576'><v>7</v></c></row></sheetData>", head);
    begin(&r, workbook(cells, "", 0), NULL);
    assert_int_equal(r.table.rows, 1);
    assert_int_equal(ald_table_line(&r.table, 0), 1048576);
    reading_end(&r);
}

static void survives_damage_and_no_memory(void **state)
{
    (void)state;
    char cells[1000];
    snprintf(cells, sizeof cells,
             "%s<row r='4'><c r='B4' s='1'><v>1.5</v></c><c r='D4' t='s'><v>2</v></c></row></sheetData>",
             head);
    for (int deflates = 0; deflates < 2; deflates++) {
        const archive *a = workbook(cells, "", deflates);
        assert_survives_no_memory(&ald_xlsx_reader, a->bytes, a->size);
        assert_survives_damage(&ald_xlsx_reader, a->bytes, a->size);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_every_kind_of_cell),
        cmocka_unit_test(dates_have_their_origin),
        cmocka_unit_test(sheets_are_chosen),
        cmocka_unit_test(says_what_is_wrong),
        cmocka_unit_test(titles_can_be_skipped),
        cmocka_unit_test(numbers_keep_their_points),
        cmocka_unit_test(escaped_characters_are_read),
        cmocka_unit_test(too_many_sheets_are_refused),
        cmocka_unit_test(zip64_is_named),
        cmocka_unit_test(far_rows_are_read),
        cmocka_unit_test(survives_damage_and_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
