/* Numbers with a comma are read as those with a point, in a copy. */
#include "io/csv/csv_manner.h"

#include "base/numbers/number.h"
#include "io/csv/csv_detect.h"
#include "io/csv/csv_scan.h"
#include "io/table/table.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

enum { longest_number = 60 };

static ald_status parse_delimiter(ald_run *run, const char *text, char *delimiter)
{
    if (strcmp(text, "tab") == 0 || strcmp(text, "\\t") == 0) text = "\t";
    if (strcmp(text, "blank") == 0 || strcmp(text, "space") == 0) text = " ";
    const char c = *text;
    if (c == '\0' || text[1] != '\0' || isalnum((unsigned char)c) || strchr("\"+-.\r\n", c))
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "the delimiter '%.40s' is not possible; give one character that is no part of "
                        "numbers, 'tab' or 'blank'",
                        text);
    *delimiter = c;
    return ALD_OK;
}

/* -1 find out, 0 no, 1 yes. */
static ald_status parse_header(ald_run *run, const char *text, int *header)
{
    *header = -1;
    if (!text) return ALD_OK;
    *header = strcmp(text, "yes") == 0;
    if (!*header && strcmp(text, "no") != 0)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT, "header is '%s'; expected yes or no", text);
    return ALD_OK;
}

/* Rows that begin with the mark are skipped, so nothing that a row of data can begin with will do. */
static ald_status parse_comment(ald_run *run, const char *text, char *comment)
{
    *comment = text ? *text : '\0';
    if (text && (*text == '\0' || text[1] != '\0' || strchr("0123456789+-.\"\r\n\t ", *text)))
        return ald_fail(
            run->error, ALD_ERROR_ARGUMENT,
            "the comment mark '%.40s' is not possible; give one character that no row begins with, such as #",
            text);
    return ALD_OK;
}

static ald_status parse_decimal(ald_run *run, const char *text, int *comma)
{
    *comma = -1;
    if (!text) return ALD_OK;
    *comma = strcmp(text, "comma") == 0;
    if (!*comma && strcmp(text, "point") != 0)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT, "`decimal` is '%.40s'; expected point or comma",
                        text);
    return ALD_OK;
}

/* The mark itself, or its name, as `decimal` has it; 0: neither. */
static char thousands_mark(const char *text)
{
    static const struct {
        const char *name;
        char mark;
    } names[] = {
        {"comma", ','}, {"point", '.'}, {"apostrophe", '\''}, {"blank", ' '}, {"space", ' '},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(text, names[i].name) == 0) return names[i].mark;
        if (text[0] == names[i].mark && !text[1]) return names[i].mark;
    }
    return '\0';
}

static ald_status parse_thousands(ald_run *run, const char *text, ald_csv_manner *manner)
{
    if (!text) return ALD_OK;
    manner->thousands = thousands_mark(text);
    if (!manner->thousands)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "`thousands` is '%.40s'; expected comma, point, apostrophe or blank, or the mark "
                        "itself",
                        text);
    if (manner->comma < 0 && manner->thousands == '.') manner->comma = 1;
    if (manner->thousands == (manner->comma > 0 ? ',' : '.'))
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "`thousands` and `decimal` are the same mark; give two that differ");
    return ALD_OK;
}

/* The next text of a list with commas between; 0 at the end. */
static int next_text(const char **at, const char **text, size_t *length)
{
    if (!**at) return 0;
    *text = *at;
    *length = strcspn(*at, ",");
    *at += *length;
    *at += **at == ',';
    ald_csv_trim(text, length);
    return 1;
}

static ald_status parse_na(ald_run *run, const char *list, ald_csv_manner *manner)
{
    const char *text;
    size_t length;
    double value;
    if (!list) return ALD_OK;
    ALD_TRY(ald_scratch(run, (int64_t)strlen(list) + 1, 1, sizeof *manner->na, &manner->na));
    while (next_text(&list, &text, &length)) {
        char *copy = ald_arena_text(&run->scratch, text, length);
        if (!copy) return ald_out_of_memory(run, (int64_t)length, 1, 1);
        manner->na[manner->n_na++] = copy;
        manner->na_is_number |= ald_csv_cell_number(manner, copy, length, &value);
    }
    return ALD_OK;
}

ald_status ald_csv_manner_read(ald_run *run, const ald_load_options *options, char delimiter,
                               ald_csv_manner *manner)
{
    *manner = (ald_csv_manner){.delimiter = delimiter, .codes = !options->transpose};
    ALD_TRY(parse_header(run, options->header, &manner->header));
    ALD_TRY(parse_comment(run, options->comment, &manner->comment));
    manner->skip = options->skip;
    if (manner->skip < 0)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT, "`skip` is a number of lines, 0 or more, not %lld",
                        (long long)manner->skip);
    if (options->delimiter) ALD_TRY(parse_delimiter(run, options->delimiter, &manner->delimiter));
    ALD_TRY(parse_decimal(run, options->decimal, &manner->comma));
    ALD_TRY(parse_thousands(run, options->thousands, manner));
    return parse_na(run, options->na, manner);
}

int ald_csv_cell_is_missing(const ald_csv_manner *manner, const char *text, size_t length)
{
    if (!manner->na) return ald_text_is_missing(text, length);
    for (int64_t k = 0; k < manner->n_na; k++)
        if (strlen(manner->na[k]) == length && memcmp(manner->na[k], text, length) == 0) return 1;
    return length == 0;
}

/* 1 for a number with a comma where others have a point. */
static int comma_number(const char *text, size_t length, double *value)
{
    char copy[longest_number];
    if (length >= sizeof copy || memchr(text, '.', length)) return 0;
    char *const comma = memchr(memcpy(copy, text, length), ',', length);
    if (comma) *comma = '.';
    return ald_parse_real(copy, length, value);
}

/* The text without its marks, where they stand behind one to three digits and before groups of three: its
 * length, 0 where it is not so written. */
static size_t without_marks(char mark, const char *text, size_t length, char copy[longest_number])
{
    size_t made = 0, digits = 0, groups = 0;
    if (length >= longest_number || !memchr(text, mark, length)) return 0;
    for (size_t i = 0; i < length; i++) {
        const int digit = isdigit((unsigned char)text[i]) != 0;
        if (text[i] == mark) {
            if (digits == 0 || digits > 3 || (groups > 0 && digits != 3)) return 0;
            groups++;
            digits = 0;
            continue;
        }
        if (!digit && groups > 0 && digits != 3) return 0;
        if (!digit && i > 0) return memcpy(copy + made, text + i, length - i), made + length - i;
        digits += (size_t)digit;
        copy[made++] = text[i];
    }
    return digits == 3 ? made : 0;
}

int ald_csv_cell_number(const ald_csv_manner *manner, const char *text, size_t length, double *value)
{
    char copy[longest_number];
    const size_t bare = manner->thousands ? without_marks(manner->thousands, text, length, copy) : 0;
    if (bare > 0)
        return manner->comma > 0 ? comma_number(copy, bare, value) : ald_parse_real(copy, bare, value);
    if (ald_text_is_infinity(text, length)) {
        *value = *text == '-' ? -INFINITY : INFINITY;
        return 1;
    }
    return manner->comma > 0 ? comma_number(text, length, value) : ald_parse_real(text, length, value);
}

int ald_csv_cell_is_code(const char *text, size_t length)
{
    if (length < 2 || *text != '0') return 0;
    for (size_t i = 1; i < length; i++)
        if (!isdigit((unsigned char)text[i])) return 0;
    return 1;
}

int ald_csv_detect_comma(const ald_csv_manner *manner, const char *sample, size_t size)
{
    const char *const end = sample + size;
    int commas = 0;
    if (manner->delimiter == ',') return 0;
    for (const char *at = sample; at < end; at++) {
        const char *start = at;
        double value;
        while (at < end && *at != manner->delimiter && *at != '\n' && *at != '\r') at++;
        size_t length = (size_t)(at - start);
        ald_csv_trim(&start, &length);
        if (memchr(start, '.', length) && ald_parse_real(start, length, &value)) return 0;
        commas += memchr(start, ',', length) && comma_number(start, length, &value);
    }
    return commas > 0;
}
