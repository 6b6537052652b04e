/* Words of an ARFF file, and its head: names, types and nominal levels of the columns. */
#include "io/formats/arff_header.h"

#include "base/core/text.h"
#include "io/table/columns.h"
#include "io/table/table.h"

#include <string.h>
#include <strings.h>

static int is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

ald_status ald_arff_fail(const ald_arff_scanner *scanner, const char *message)
{
    return ald_fail_at(scanner->run->error, ALD_ERROR_FORMAT, scanner->line_number,
                       (int64_t)(scanner->at - scanner->line) + 1, "%s", message);
}

int ald_arff_at_end(ald_arff_scanner *scanner)
{
    while (is_blank(*scanner->at)) scanner->at++;
    return *scanner->at == '\0' || *scanner->at == '%';
}

int ald_arff_accept(ald_arff_scanner *scanner, char character)
{
    if (ald_arff_at_end(scanner) || *scanner->at != character) return 0;
    scanner->at++;
    return 1;
}

static char unescaped(char c)
{
    static const char *const pairs = "n\nt\tr\r";
    for (const char *pair = pairs; *pair; pair += 2)
        if (*pair == c) return pair[1];
    return c;
}

/* The scanner stands on the opening quote. */
static ald_status scan_quoted(ald_arff_scanner *scanner, ald_arff_word *word)
{
    const char quote = *scanner->at;
    char *to = scanner->at + 1, *from = to;
    word->text = to;
    word->quoted = 1;
    for (; *from != quote; from++) {
        if (*from == '\\' && from[1] != '\0') {
            *to++ = unescaped(*++from);
            continue;
        }
        if (*from == '\0') return ald_arff_fail(scanner, "a quoted text that does not end on its line");
        *to++ = *from;
    }
    word->length = (size_t)(to - word->text);
    scanner->at = from + 1;
    return ALD_OK;
}

ald_status ald_arff_scan(ald_arff_scanner *scanner, const char *stops, ald_arff_word *word)
{
    const int nothing = ald_arff_at_end(scanner);
    if (!nothing && (*scanner->at == '\'' || *scanner->at == '"')) return scan_quoted(scanner, word);
    word->text = scanner->at;
    word->quoted = 0;
    while (*scanner->at != '\0' && *scanner->at != '%' && !strchr(stops, *scanner->at)) scanner->at++;
    word->length = (size_t)(scanner->at - word->text);
    while (word->length > 0 && is_blank(word->text[word->length - 1])) word->length--;
    return ALD_OK;
}

int ald_arff_word_is(const ald_arff_word *word, const char *name)
{
    return !word->quoted && strlen(name) == word->length && strncasecmp(name, word->text, word->length) == 0;
}

typedef struct head {
    ald_run *run;
    ald_arff_attribute *attributes;
    int64_t count, capacity;
} head;

static ald_status copy_word(head *h, const char *text, size_t length, char **copy)
{
    *copy = ald_utf8_copy(&h->run->scratch, text, length);
    return *copy ? ALD_OK : ald_out_of_memory(h->run, (int64_t)length + 1, 1, 1);
}

/* What may stand after the name. */
static ald_status parse_type(ald_arff_scanner *s, ald_arff_kind *kind)
{
    static const struct {
        const char *name;
        ald_arff_kind kind;
    } types[] = {
        {"numeric", ALD_ARFF_NUMBER},
        {"real", ALD_ARFF_NUMBER},
        {"integer", ALD_ARFF_NUMBER},
        {"string", ALD_ARFF_TEXT},
    };
    char *const before = s->at;
    ald_arff_word word;
    ALD_TRY(ald_arff_scan(s, " \t", &word));
    for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
        if (!ald_arff_word_is(&word, types[k].name)) continue;
        *kind = types[k].kind;
        return ald_arff_at_end(s) ? ALD_OK : ald_arff_fail(s, "nothing may follow the type of an attribute");
    }
    s->at = before;
    if (ald_arff_word_is(&word, "date") || ald_arff_word_is(&word, "relational"))
        return ald_fail_at(s->run->error, ALD_ERROR_UNSUPPORTED, s->line_number,
                           (int64_t)(before - s->line) + 1,
                           "attributes of type %.*s cannot be read; convert them to numbers, or remove them",
                           (int)word.length, word.text);
    return ald_arff_fail(s,
                         "the type of an attribute is numeric, real, integer, string or {level, level, ...}");
}

static ald_status parse_attribute(head *h, ald_arff_scanner *s)
{
    ald_arff_word name;
    ALD_TRY(ald_arff_scan(s, " \t{", &name));
    if (name.length == 0) return ald_arff_fail(s, "an attribute without a name");
    ALD_TRY(ald_grow(h->run, &h->run->scratch, &h->attributes, &h->capacity, h->count + 1,
                     sizeof *h->attributes));
    ald_arff_attribute *attribute = &h->attributes[h->count];
    memset(attribute, 0, sizeof *attribute);
    attribute->line_number = s->line_number;
    ALD_TRY(copy_word(h, name.text, name.length, &attribute->name));
    h->count++;
    if (ald_arff_at_end(s) || *s->at != '{') return parse_type(s, &attribute->kind);
    attribute->kind = ALD_ARFF_NOMINAL;
    return copy_word(h, s->at, strlen(s->at), &attribute->levels);
}

/* One line of the head; *data is set at @data. */
static ald_status parse_line(head *h, ald_arff_scanner *s, int *data)
{
    if (ald_arff_at_end(s)) return ALD_OK;
    ald_arff_word word;
    char *const before = s->at;
    ALD_TRY(ald_arff_scan(s, " \t", &word));
    if (ald_arff_word_is(&word, "@attribute")) return parse_attribute(h, s);
    if (ald_arff_word_is(&word, "@relation")) return ald_arff_scan(s, "", &word);
    *data = ald_arff_word_is(&word, "@data");
    if (*data) return ald_arff_at_end(s) ? ALD_OK : ald_arff_fail(s, "nothing may follow @data on its line");
    s->at = before;
    return ald_arff_fail(s, "expected @relation, @attribute or @data before the rows of an ARFF file");
}

static ald_status parse_head(head *h, ald_input *input)
{
    for (int data = 0; !data;) {
        char *line;
        size_t length;
        ALD_TRY(ald_input_line(h->run, input, &line, &length));
        if (!line)
            return ald_fail_at(
                h->run->error, ALD_ERROR_FORMAT, ald_input_line_number(input), 0,
                "the file ends without an @data line: it is not an ARFF file, or is truncated");
        ald_arff_scanner s = {
            .run = h->run,
            .line_number = ald_input_line_number(input),
            .line = line,
            .at = line,
        };
        ALD_TRY(parse_line(h, &s, &data));
    }
    if (h->count > 0) return ALD_OK;
    return ald_fail_at(h->run->error, ALD_ERROR_FORMAT, ald_input_line_number(input), 0,
                       "there is no @attribute line before @data");
}

/* "{a, 'b c', d}" to levels 0, 1, 2 of the column. */
static ald_status declare_levels(head *h, ald_levels *levels, int64_t column)
{
    ald_arff_attribute *attribute = &h->attributes[column];
    ald_arff_scanner s = {
        .run = h->run,
        .line_number = attribute->line_number,
        .line = attribute->levels,
        .at = attribute->levels + 1,
    };
    do {
        ald_arff_word word;
        ALD_TRY(ald_arff_scan(&s, ",}", &word));
        int64_t level;
        if (word.length == 0 && !word.quoted)
            return ald_fail_at(h->run->error, ALD_ERROR_FORMAT, s.line_number, 0,
                               "an empty level in the list of '%.100s'", attribute->name);
        ALD_TRY(ald_levels_find(h->run, levels, column, word.text, word.length, &level));
        if (level != attribute->n_levels++)
            return ald_fail_at(h->run->error, ALD_ERROR_FORMAT, s.line_number, 0,
                               "level '%.*s' occurs twice in the list of '%.100s'",
                               (int)(word.length < 60 ? word.length : 60), word.text, attribute->name);
    } while (ald_arff_accept(&s, ','));
    if (ald_arff_accept(&s, '}') && ald_arff_at_end(&s)) return ALD_OK;
    return ald_fail_at(
        h->run->error, ALD_ERROR_FORMAT, s.line_number, 0,
        "the levels of '%.100s' must read {level, level, ...}; quote levels that contain blanks or commas",
        attribute->name);
}

ald_status ald_arff_header_read(ald_run *run, ald_input *input, ald_table *table, ald_arff_header *header)
{
    head h = {.run = run};
    ALD_TRY(parse_head(&h, input));
    table->cols = h.count;
    table->has_lines = 1;
    ALD_TRY(ald_table_make_columns(run, table));
    ALD_TRY(ald_levels_new(run, table, &header->levels));
    for (int64_t j = 0; j < table->cols; j++) {
        ALD_TRY(ald_name_column(run, table, j, h.attributes[j].name, strlen(h.attributes[j].name)));
        table->columns[j].nominal = h.attributes[j].kind == ALD_ARFF_NOMINAL;
        if (table->columns[j].nominal) ALD_TRY(declare_levels(&h, header->levels, j));
    }
    header->attributes = h.attributes;
    return ALD_OK;
}
