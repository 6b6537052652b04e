/* An xlsx file is a zip archive of XML parts that name each other by relations:
 *
 *   _rels/.rels                  where the workbook is
 *   xl/workbook.xml              its sheets, in order, each with the id of a relation; the origin of dates
 *   xl/_rels/workbook.xml.rels   relation -> part of a sheet, of the shared texts, of the styles
 *   xl/sharedStrings.xml         texts that cells name by number
 *   xl/styles.xml                styles that cells name by number, with formats that show dates or not */
#include "io/formats/workbook.h"

#include "base/numbers/number.h"
#include "base/settings/limits.h"
#include "io/table/table.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum {
    text_cost = 64,     /* bytes of memory beside the text itself */
    most_listed = 8192, /* sheets and relations: each of one is looked for among all of the other */
};

typedef struct relation {
    char *id, *type, *target;
} relation;

typedef struct relations {
    relation *list;
    int64_t count, capacity;
} relations;

/* A sheet as the workbook lists it. */
typedef struct listed {
    char *name, *id; /* of its relation */
    int hidden;      /* or a chart */
} listed;

static ald_status keep(ald_run *run, const char *text, char **copy)
{
    return ald_keep_text(run, &run->scratch, text ? text : "", text ? strlen(text) : 0, copy);
}

static ald_status fail_many(ald_run *run)
{
    return ald_fail(run->error, ALD_ERROR_FORMAT, "the workbook has more than %d sheets or other parts",
                    most_listed);
}

/* The relations of the part `folder``name`, with targets as names of parts. */
static ald_status read_relations(ald_run *run, const ald_zip *zip, const char *folder, const char *name,
                                 relations *found)
{
    char part[300], target[300];
    ald_xml xml;
    ald_xml_kind kind;
    *found = (relations){0};
    snprintf(part, sizeof part, "%.100s_rels/%.100s.rels", folder, name);
    ALD_TRY(ald_xml_begin(run, zip, part, &xml));
    for (;;) {
        ALD_TRY(ald_xml_next(&xml, &kind));
        if (kind == ALD_XML_END) return ALD_OK;
        if (kind != ALD_XML_OPEN || !ald_xml_is(&xml, "Relationship")) continue;
        if (found->count >= most_listed) return fail_many(run);
        ALD_TRY(ald_grow(run, &run->scratch, &found->list, &found->capacity, found->count + 1,
                         sizeof *found->list));
        relation *next = &found->list[found->count++];
        const char *given = ald_xml_attribute(&xml, "Target");
        const int absolute = given && *given == '/';
        snprintf(target, sizeof target, "%.100s%.150s", absolute ? "" : folder,
                 given ? given + absolute : "");
        ALD_TRY(keep(run, ald_xml_attribute(&xml, "Id"), &next->id));
        ALD_TRY(keep(run, ald_xml_attribute(&xml, "Type"), &next->type));
        ALD_TRY(keep(run, target, &next->target));
    }
}

static int ends_with(const char *text, const char *ending)
{
    const size_t length = strlen(text), size = strlen(ending);
    return length >= size && strcmp(text + length - size, ending) == 0;
}

/* By its id; NULL: there is none. */
static const relation *find_relation(const relations *all, const char *id)
{
    for (int64_t k = 0; k < all->count; k++)
        if (strcmp(all->list[k].id, id) == 0) return &all->list[k];
    return NULL;
}

/* The first part of a type, by how that ends; NULL: there is none. */
static const char *find_part(const relations *all, const char *ending)
{
    for (int64_t k = 0; k < all->count; k++)
        if (ends_with(all->list[k].type, ending)) return all->list[k].target;
    return NULL;
}

static ald_status choose_sheet(ald_run *run, const listed *sheets, int64_t count, const char *wanted,
                               const listed **chosen)
{
    int64_t number = 0;
    *chosen = NULL;
    if (wanted && !ald_parse_int(wanted, strlen(wanted), &number)) number = 0;
    for (int64_t k = 0; k < count && !*chosen; k++)
        if (wanted ? strcmp(sheets[k].name, wanted) == 0 : !sheets[k].hidden) *chosen = &sheets[k];
    if (!*chosen && number >= 1 && number <= count) *chosen = &sheets[number - 1];
    if (!*chosen && !wanted && count > 0) *chosen = &sheets[0];
    if (*chosen) return ALD_OK;
    if (!wanted) return ald_fail(run->error, ALD_ERROR_FORMAT, "the workbook has no sheet");
    ald_bytes names = {0};
    for (int64_t k = 0; k < count && names.count < 300; k++) {
        ALD_TRY(ald_bytes_add(run, &names, ", ", k ? 2 : 0));
        ALD_TRY(ald_bytes_add(run, &names, sheets[k].name, strlen(sheets[k].name)));
    }
    return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                    "there is no sheet '%.100s'; the workbook has %lld: %.320s", wanted, (long long)count,
                    names.data ? names.data : "");
}

static ald_status read_sheets(ald_run *run, ald_workbook *book, const char *part, const relations *all,
                              const char *wanted, const listed **chosen)
{
    ald_xml xml;
    ald_xml_kind kind;
    listed *sheets = NULL;
    int64_t capacity = 0;
    ALD_TRY(ald_xml_begin(run, &book->zip, part, &xml));
    for (;;) {
        ALD_TRY(ald_xml_next(&xml, &kind));
        if (kind == ALD_XML_END) break;
        if (kind != ALD_XML_OPEN) continue;
        if (ald_xml_is(&xml, "workbookPr")) {
            const char *value = ald_xml_attribute(&xml, "date1904");
            book->since_1904 = value && (strcmp(value, "1") == 0 || strcmp(value, "true") == 0);
        } else if (ald_xml_is(&xml, "sheet")) {
            if (book->n_sheets >= most_listed) return fail_many(run);
            ALD_TRY(ald_grow(run, &run->scratch, &sheets, &capacity, book->n_sheets + 1, sizeof *sheets));
            listed *next = &sheets[book->n_sheets++];
            const char *state = ald_xml_attribute(&xml, "state");
            next->hidden = state && strcmp(state, "visible") != 0;
            ALD_TRY(keep(run, ald_xml_attribute(&xml, "name"), &next->name));
            ALD_TRY(keep(run, ald_xml_attribute(&xml, "id"), &next->id));
            const relation *of = find_relation(all, next->id);
            next->hidden |= of && !ends_with(of->type, "/worksheet");
        }
    }
    return choose_sheet(run, sheets, book->n_sheets, wanted, chosen);
}

/* The character at "_xHHHH_", as many bytes as it has in UTF-8; 0: there is none. */
static int escaped_character(const char *text, char to[4])
{
    unsigned long code = 0;
    if (text[0] != '_' || text[1] != 'x') return 0;
    for (int k = 2; k < 6; k++) {
        if (!isxdigit((unsigned char)text[k])) return 0;
        const char digit = (char)tolower(text[k]);
        code = code << 4 | (unsigned long)(digit <= '9' ? digit - '0' : digit - 'a' + 10);
    }
    return text[6] == '_' ? ald_put_character(code, to) : 0;
}

void ald_workbook_unescape(char *text)
{
    char bytes[4];
    char *to = text;
    if (!strstr(text, "_x")) return;
    while (*text) {
        const int count = escaped_character(text, bytes);
        memmove(to, count ? bytes : text, (size_t)(count ? count : 1));
        to += count ? count : 1;
        text += count ? 7 : 1;
    }
    *to = '\0';
}

/* A text is the sum of its runs <t>; how it is pronounced, <rPh>, is not part of it. */
static ald_status read_texts(ald_run *run, ald_workbook *book, const char *part)
{
    ald_xml xml;
    ald_xml_kind kind;
    ald_bytes text = {0};
    int inside = 0, phonetic = 0;
    int64_t bytes = 0;
    ALD_TRY(ald_xml_begin(run, &book->zip, part, &xml));
    for (;;) {
        ALD_TRY(ald_xml_next(&xml, &kind));
        if (kind == ALD_XML_END) return ALD_OK;
        if (kind == ALD_XML_TEXT) {
            if (inside && !phonetic)
                ALD_TRY(ald_bytes_add(run, &text, xml.text.data, (size_t)xml.text.count));
            continue;
        }
        if (ald_xml_is(&xml, "t")) inside = kind == ALD_XML_OPEN;
        if (ald_xml_is(&xml, "rPh")) phonetic = kind == ALD_XML_OPEN;
        if (!ald_xml_is(&xml, "si")) continue;
        if (kind == ALD_XML_CLOSE) {
            bytes += text.count + text_cost;
            if (bytes > ALD_SHEET_TEXT)
                return ald_fail(run->error, ALD_ERROR_FORMAT, "the workbook has more than 1 GB of texts");
            ALD_TRY(ald_grow(run, &run->scratch, &book->texts, &book->text_capacity, book->n_texts + 1,
                             sizeof *book->texts));
            if (text.data) ald_workbook_unescape(text.data);
            ALD_TRY(keep(run, text.data, &book->texts[book->n_texts++]));
        }
        text.count = 0;
        ALD_TRY(ald_bytes_add(run, &text, "", 0));
    }
}

/* Whether a format shows days or years: texts in quotes, colours in brackets and characters behind a
 * backslash are not part of it. Formats of times alone stay numbers, parts of a day. */
static int shows_date(const char *code)
{
    char quote = '\0';
    for (; *code; code++) {
        if (quote)
            quote = *code == quote ? '\0' : quote;
        else if (*code == '"')
            quote = '"';
        else if (*code == '[')
            quote = ']';
        else if ((*code == '\\' || *code == '_' || *code == '*') && code[1])
            code++;
        else if (strchr("dDyY", *code))
            return 1;
        else if (*code == ';') /* what follows is for negative numbers */
            return 0;
    }
    return 0;
}

/* Formats with numbers below 164 are built in. */
static int is_date_number(int64_t format)
{
    return (format >= 14 && format <= 17) || format == 22 || (format >= 27 && format <= 31) || format == 36 ||
           (format >= 50 && format <= 54) || format == 57 || format == 58;
}

typedef struct date_formats {
    int64_t *list;
    int64_t count, capacity;
} date_formats;

static int64_t number_of(const ald_xml *xml, const char *attribute)
{
    const char *text = ald_xml_attribute(xml, attribute);
    int64_t number = 0;
    return text && ald_parse_int(text, strlen(text), &number) ? number : 0;
}

/* More than any program writes, and a list of formats is looked through for each style. */
enum { most_formats = 4096, most_styles = 65536 };

static ald_status note_format(ald_run *run, const ald_xml *xml, date_formats *dates)
{
    const char *code = ald_xml_attribute(xml, "formatCode");
    if (!code || !shows_date(code)) return ALD_OK;
    if (dates->count >= most_formats)
        return ald_fail(run->error, ALD_ERROR_FORMAT, "the workbook has more than %d formats of dates",
                        most_formats);
    ALD_TRY(
        ald_grow(run, &run->scratch, &dates->list, &dates->capacity, dates->count + 1, sizeof *dates->list));
    dates->list[dates->count++] = number_of(xml, "numFmtId");
    return ALD_OK;
}

static ald_status note_style(ald_run *run, const ald_xml *xml, const date_formats *dates, ald_workbook *book)
{
    const int64_t format = number_of(xml, "numFmtId");
    int is_date = is_date_number(format);
    if (book->n_styles >= most_styles)
        return ald_fail(run->error, ALD_ERROR_FORMAT, "the workbook has more than %d styles", most_styles);
    for (int64_t k = 0; k < dates->count && !is_date; k++) is_date = dates->list[k] == format;
    ALD_TRY(ald_grow(run, &run->scratch, &book->is_date, &book->style_capacity, book->n_styles + 1, 1));
    book->is_date[book->n_styles++] = (unsigned char)is_date;
    return ALD_OK;
}

static ald_status read_styles(ald_run *run, ald_workbook *book, const char *part)
{
    ald_xml xml;
    ald_xml_kind kind;
    date_formats dates = {0};
    int of_cells = 0;
    ALD_TRY(ald_xml_begin(run, &book->zip, part, &xml));
    for (;;) {
        ALD_TRY(ald_xml_next(&xml, &kind));
        if (kind == ALD_XML_END) return ALD_OK;
        if (kind == ALD_XML_TEXT) continue;
        if (ald_xml_is(&xml, "cellXfs")) of_cells = kind == ALD_XML_OPEN;
        if (kind != ALD_XML_OPEN) continue;
        if (ald_xml_is(&xml, "numFmt")) ALD_TRY(note_format(run, &xml, &dates));
        if (of_cells && ald_xml_is(&xml, "xf")) ALD_TRY(note_style(run, &xml, &dates, book));
    }
}

/* "xl/workbook.xml" -> "xl/" and "workbook.xml". */
static ald_status split_name(ald_run *run, const char *part, char **folder, const char **name)
{
    const char *slash = strrchr(part, '/');
    *name = slash ? slash + 1 : part;
    return ald_keep_text(run, &run->scratch, part, (size_t)(*name - part), folder);
}

ald_status ald_workbook_read(ald_run *run, const void *bytes, size_t size, const char *sheet,
                             ald_workbook *book)
{
    relations all;
    const listed *chosen;
    const char *name;
    char *folder;
    *book = (ald_workbook){0};
    if (size >= 4 && memcmp(bytes, "\xd0\xcf\x11\xe0", 4) == 0)
        return ald_fail(run->error, ALD_ERROR_FORMAT,
                        "this is an old .xls workbook, or one with a password: save it as .xlsx without one");
    if (size < 4 || memcmp(bytes, "PK", 2) != 0)
        return ald_fail(run->error, ALD_ERROR_FORMAT, "this is no xlsx file: a workbook is a zip archive");
    ALD_TRY(ald_zip_open(run, bytes, size, &book->zip));
    ALD_TRY(read_relations(run, &book->zip, "", "", &all));
    const char *workbook = find_part(&all, "/officeDocument");
    if (!workbook) workbook = "xl/workbook.xml";
    ALD_TRY(split_name(run, workbook, &folder, &name));
    ALD_TRY(read_relations(run, &book->zip, folder, name, &all));
    ALD_TRY(read_sheets(run, book, workbook, &all, sheet, &chosen));
    book->sheet_name = chosen->name;
    const relation *of = find_relation(&all, chosen->id);
    if (!of)
        return ald_fail(run->error, ALD_ERROR_FORMAT, "the workbook does not say where its sheet '%.100s' is",
                        chosen->name);
    book->sheet_part = of->target;
    const char *texts = find_part(&all, "/sharedStrings"), *styles = find_part(&all, "/styles");
    if (texts) ALD_TRY(read_texts(run, book, texts));
    return styles ? read_styles(run, book, styles) : ALD_OK;
}
