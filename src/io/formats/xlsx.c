/* Workbooks of Excel, LibreOffice and others (xlsx): the cells of one sheet become text with tabs between
 * them, a line for each row of the sheet, which the reader of delimited text then reads. So names of
 * columns, missing cells, units, dates, categories and every message mean the same in both, and the line of a
 * message is the row of the sheet.
 *
 *   number    its digits as the file has them, which are those of the double
 *   date      a number whose style shows days or years:  2026-01-31  or  2026-01-31 12:30:00
 *   truth     TRUE, FALSE
 *   text      as it is, line ends and tabs as blanks
 *   error     nothing (#N/A, #DIV/0!): the cell is missing
 *
 * A sheet is read twice, first to find the rectangle that has cells. Cells that are merged inside it are
 * refused, as nobody can say to which column their value belongs. Cost: the bytes of the unpacked sheet,
 * twice, and the text in memory. */
#include "base/numbers/number.h"
#include "base/settings/limits.h"
#include "io/formats/workbook.h"
#include "io/reading/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    most_rows = 1048576,
    most_columns = 16384,
    read_step = ALD_BUFFER(1 << 20),
    day_seconds = 86400,
    last_date = 2958465, /* 9999-12-31 */
};

/* Where a cell is, both from 1. */
typedef struct place {
    int64_t row, column;
} place;

typedef struct sheet {
    ald_run *run;
    const ald_workbook *book;
    ald_xml xml;
    place at; /* of the last cell */
    char type[12];
    int64_t style;
    ald_bytes value;
    int inside, phonetic; /* a text that belongs to the value; one that does not */
    place first, last;    /* the rectangle of cells with a value; first.row 0: there is none yet */
    int64_t skip;         /* rows before the table */
} sheet;

static ald_status fail_cell(const sheet *s, const char *why)
{
    char letters[8] = "";
    int64_t rest = s->at.column;
    for (size_t k = sizeof letters - 2; rest > 0 && k > 0; k--, rest = (rest - 1) / 26)
        memmove(letters + 1, letters, k), letters[0] = (char)('A' + (rest - 1) % 26);
    return ald_fail_at(s->run->error, ALD_ERROR_FORMAT, s->at.row, s->at.column,
                       "cell %s%lld of sheet '%.60s' %s", letters, (long long)s->at.row, s->book->sheet_name,
                       why);
}

/* "AB12" at the start of a text: returns what follows, NULL if there is no such place. */
static const char *parse_place(const char *text, place *found)
{
    *found = (place){0};
    for (; *text >= 'A' && *text <= 'Z' && found->column <= most_columns; text++)
        found->column = 26 * found->column + (*text - 'A' + 1);
    for (; *text >= '0' && *text <= '9' && found->row <= most_rows; text++)
        found->row = 10 * found->row + (*text - '0');
    const int valid =
        found->column >= 1 && found->column <= most_columns && found->row >= 1 && found->row <= most_rows;
    return valid ? text : NULL;
}

static ald_status open_row(sheet *s)
{
    const char *given = ald_xml_attribute(&s->xml, "r");
    int64_t row = s->at.row + 1;
    const int readable = !given || ald_parse_int(given, strlen(given), &row);
    if (readable && row > most_rows)
        return ald_fail(s->run->error, ALD_ERROR_FORMAT, "sheet '%.60s' has more than %d rows: no sheet can",
                        s->book->sheet_name, most_rows);
    if (!readable || row <= s->at.row)
        return ald_fail(s->run->error, ALD_ERROR_FORMAT,
                        "row '%.20s' of sheet '%.60s' stands behind row %lld", given, s->book->sheet_name,
                        (long long)s->at.row);
    s->at = (place){.row = row};
    return ALD_OK;
}

static ald_status open_cell(sheet *s)
{
    const char *given = ald_xml_attribute(&s->xml, "r"), *type = ald_xml_attribute(&s->xml, "t");
    const char *style = ald_xml_attribute(&s->xml, "s");
    place found = {.row = s->at.row, .column = s->at.column + 1};
    const int wrong = given && (!parse_place(given, &found) || found.row != s->at.row);
    if (wrong || found.row == 0 || found.column <= s->at.column || found.column > most_columns)
        return fail_cell(s, "is followed by one that does not stand behind it");
    s->at = found;
    s->value.count = 0;
    s->style = 0;
    if (style && !ald_parse_int(style, strlen(style), &s->style)) s->style = 0;
    snprintf(s->type, sizeof s->type, "%s", type ? type : "n");
    return ald_bytes_add(s->run, &s->value, "", 0);
}

static ald_status refuse_merged(const sheet *s)
{
    const char *range = ald_xml_attribute(&s->xml, "ref");
    place from, to;
    const char *colon = range ? parse_place(range, &from) : NULL;
    if (!colon || *colon != ':' || !parse_place(colon + 1, &to)) return ALD_OK;
    const int outside = to.row <= s->skip || to.row < s->first.row || from.row > s->last.row ||
                        to.column < s->first.column || from.column > s->last.column;
    if (outside) return ALD_OK;
    return ald_fail_at(
        s->run->error, ALD_ERROR_FORMAT, from.row, from.column,
        "cells %.30s of sheet '%.60s' are merged, so it is not clear to which column their value "
        "belongs: take them apart, or pass over the rows of a title (`skip=%lld`)",
        range, s->book->sheet_name, (long long)to.row);
}

/* The next cell with a value; *got is 0 behind the last. */
static ald_status next_cell(sheet *s, int *got)
{
    ald_xml_kind kind;
    for (*got = 0; !*got;) {
        ALD_TRY(ald_xml_next(&s->xml, &kind));
        if (kind == ALD_XML_END) return ALD_OK;
        if (kind == ALD_XML_TEXT) {
            if (s->value.count > ALD_LONGEST_LINE) return fail_cell(s, "has more than 64 MB of text");
            if (s->inside && !s->phonetic)
                ALD_TRY(ald_bytes_add(s->run, &s->value, s->xml.text.data, (size_t)s->xml.text.count));
            continue;
        }
        const int opens = kind == ALD_XML_OPEN;
        if (ald_xml_is(&s->xml, "v") || ald_xml_is(&s->xml, "t")) s->inside = opens;
        if (ald_xml_is(&s->xml, "rPh")) s->phonetic = opens;
        if (opens && ald_xml_is(&s->xml, "row")) ALD_TRY(open_row(s));
        if (opens && ald_xml_is(&s->xml, "c")) ALD_TRY(open_cell(s));
        if (opens && ald_xml_is(&s->xml, "mergeCell")) ALD_TRY(refuse_merged(s));
        *got = !opens && ald_xml_is(&s->xml, "c") && s->value.count > 0 && strcmp(s->type, "e") != 0;
    }
    return ALD_OK;
}

static ald_status begin_sheet(sheet *s)
{
    s->at = (place){0};
    s->inside = s->phonetic = 0;
    return ald_xml_begin(s->run, &s->book->zip, s->book->sheet_part, &s->xml);
}

static ald_status find_rectangle(sheet *s)
{
    int got;
    ALD_TRY(begin_sheet(s));
    for (;;) {
        ALD_TRY(next_cell(s, &got));
        if (!got) return ALD_OK;
        if (s->first.row == 0) s->first = s->last = s->at;
        if (s->at.column < s->first.column) s->first.column = s->at.column;
        if (s->at.column > s->last.column) s->last.column = s->at.column;
        s->last.row = s->at.row;
    }
}

/* Days since 1970-01-01 to year, month, day, by the era of 400 years that begins in March. */
static void civil_date(int64_t days, int date[3])
{
    const int64_t shifted = days + 719468, era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
    const int64_t of_era = shifted - 146097 * era;
    const int64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    const int64_t of_year = of_era - (365 * year + year / 4 - year / 100), month = (5 * of_year + 2) / 153;
    date[2] = (int)(of_year - (153 * month + 2) / 5 + 1);
    date[1] = (int)(month < 10 ? month + 3 : month - 9);
    date[0] = (int)(year + 400 * era + (date[1] <= 2));
}

/* The number of a day as text; 0 if it is none. Excel believes that 1900 had a 29th of February. */
static int format_date(double number, int since_1904, char text[40])
{
    if (!(number >= 0 && number <= last_date)) return 0;
    int64_t day = (int64_t)floor(number), seconds = llround((number - floor(number)) * day_seconds);
    day += seconds / day_seconds;
    seconds %= day_seconds;
    int date[3];
    civil_date(since_1904 ? day - 24107 : day - 25568 - (day >= 60), date);
    const int used = snprintf(text, 40, "%04d-%02d-%02d", date[0], date[1], date[2]);
    if (seconds > 0)
        snprintf(text + used, 40 - (size_t)used, " %02d:%02d:%02d", (int)(seconds / 3600),
                 (int)(seconds / 60 % 60), (int)(seconds % 60));
    return 1;
}

/* What a cell shows, as text that lives as long as the next cell is not read. */
static ald_status show_value(sheet *s, char buffer[40], const char **shown)
{
    const ald_workbook *book = s->book;
    char *value = s->value.data;
    int64_t index;
    double number;
    *shown = value;
    if (strcmp(s->type, "s") == 0) {
        if (!ald_parse_int(value, strlen(value), &index) || index < 0 || index >= book->n_texts)
            return fail_cell(s, "names a text that the workbook does not have");
        *shown = book->texts[index];
    } else if (strcmp(s->type, "b") == 0) {
        *shown = strcmp(value, "1") == 0 ? "TRUE" : "FALSE";
    } else if (strcmp(s->type, "n") == 0 && s->style >= 0 && s->style < book->n_styles &&
               book->is_date[s->style] && ald_parse_real(value, strlen(value), &number) &&
               format_date(number, book->since_1904, buffer)) {
        *shown = buffer;
    } else {
        ald_workbook_unescape(value);
    }
    return ALD_OK;
}

static ald_status put(const sheet *s, ald_bytes *text, const char *bytes, size_t count)
{
    if (text->count > ALD_SHEET_TEXT - (int64_t)count)
        return ald_fail(s->run->error, ALD_ERROR_FORMAT,
                        "sheet '%.60s' has more than 1 GB of cells: save it as a csv file",
                        s->book->sheet_name);
    return ald_bytes_add(s->run, text, bytes, count);
}

static ald_status put_quoted(const sheet *s, ald_bytes *text, const char *shown)
{
    const int quoted = strchr(shown, '"') != NULL;
    if (quoted) ALD_TRY(put(s, text, "\"", 1));
    for (const char *at = shown; *at; at++) {
        const char byte = (unsigned char)*at < ' ' ? ' ' : *at;
        ALD_TRY(put(s, text, &byte, 1));
        if (byte == '"') ALD_TRY(put(s, text, "\"", 1));
    }
    return quoted ? put(s, text, "\"", 1) : ALD_OK;
}

static ald_status put_repeated(const sheet *s, ald_bytes *text, const char *byte, int64_t count)
{
    for (int64_t k = 0; k < count; k++) ALD_TRY(put(s, text, byte, 1));
    return ALD_OK;
}

/* All rows up to the last one with a value; those without any are empty lines, which keeps the count. */
static ald_status write_text(sheet *s, ald_bytes *text)
{
    place written = {.row = 1, .column = s->first.column};
    int got, open = 0;
    ALD_TRY(begin_sheet(s));
    for (;;) {
        char buffer[40];
        const char *shown;
        ALD_TRY(next_cell(s, &got));
        if (open && (!got || s->at.row > written.row))
            ALD_TRY(put_repeated(s, text, "\t", s->last.column - written.column));
        if (!got) return put(s, text, "\n", 1);
        ALD_TRY(put_repeated(s, text, "\n", s->at.row - written.row));
        if (s->at.row > written.row) written = (place){.row = s->at.row, .column = s->first.column};
        ALD_TRY(put_repeated(s, text, "\t", s->at.column - written.column));
        written.column = s->at.column;
        ALD_TRY(show_value(s, buffer, &shown));
        ALD_TRY(put_quoted(s, text, shown));
        open = 1;
    }
}

static ald_status read_whole(ald_run *run, ald_input *input, ald_bytes *file)
{
    for (size_t got = 1; got > 0; file->count += (int64_t)got) {
        ALD_TRY(ald_grow(run, &run->scratch, &file->data, &file->capacity, file->count + read_step, 1));
        ALD_TRY(ald_input_read(run, input, file->data + file->count, read_step, &got));
    }
    return ALD_OK;
}

static ald_status read_text(ald_run *run, const ald_bytes *text, const ald_load_options *options,
                            ald_table *table)
{
    ald_input *input;
    ald_load_options plain = *options;
    plain.decimal = "point"; /* numbers have been written by us */
    plain.thousands = NULL;
    ALD_TRY(ald_input_memory(run, text->data, (size_t)text->count, &input));
    ald_input_set_longest(input, options->max_line);
    const ald_status status = ald_tsv_reader.read(run, input, &plain, table);
    ald_input_close(input);
    return status;
}

static ald_status read_xlsx(ald_run *run, ald_input *input, const ald_load_options *options, ald_table *table)
{
    ald_bytes file = {0}, text = {0};
    ald_workbook book;
    ALD_TRY(read_whole(run, input, &file));
    ALD_TRY(ald_workbook_read(run, file.data, (size_t)file.count, options->sheet, &book));
    sheet s = {.run = run, .book = &book, .skip = options->skip};
    ALD_TRY(find_rectangle(&s));
    if (s.first.row == 0)
        return ald_fail(run->error, ALD_ERROR_DATA, "sheet '%.100s' has no cells", book.sheet_name);
    if (book.n_sheets > 1 && !options->sheet)
        ald_log(run, ALD_LOG_INFO, "%s: sheet '%.100s' is read, the first of %lld; `sheet` names another",
                table->source, book.sheet_name, (long long)book.n_sheets);
    ALD_TRY(write_text(&s, &text));
    ald_arena_drop(&run->scratch, file.data);
    return read_text(run, &text, options, table);
}

static const char *const endings[] = {".xlsx", ".xlsm", NULL};
const ald_reader ald_xlsx_reader = {
    .name = "xlsx",
    .endings = endings,
    .title = "workbooks of Excel and LibreOffice, one sheet",
    .read = read_xlsx,
    .is_sheet = 1,
};
