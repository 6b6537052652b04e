/* How the cells of a delimited text are written: the delimiter and the decimal mark found out, cells as
 * numbers, codes with leading zeros. Numbers with a comma are read as those with a point, in a copy. */
#include "io/csv/csv_manner.h"

#include "base/core/text.h"
#include "base/numbers/number.h"
#include "io/csv/csv_scan.h"
#include "io/table/table.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Semicolon before comma: where both are regular, the commas are decimal ones. Blanks last: texts have them
 * too. */
static const char candidates[] = {'\t', ';', ',', '|', ALD_CSV_BLANKS};
enum { n_candidates = sizeof candidates, blanks = n_candidates - 1, most_lines = 100 };

typedef struct {
    int64_t counts[n_candidates]; /* of delimiters; between tokens for blanks */
    int64_t tokens, numbers;      /* between blanks */
} profile;

typedef struct {
    profile lines[most_lines];
    int n;
} sample_profile;

static int is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static int is_line_end(char c)
{
    return c == '\n' || c == '\r';
}

static int count_delimiter(profile *line, char c)
{
    for (int k = 0; k < blanks; k++) {
        if (c != candidates[k]) continue;
        line->counts[k]++;
        return 1;
    }
    return 0;
}

/* A quote opens only where a cell can begin. Gives the end of the line, or NULL when a quote stays open. */
static const char *count_delimiters(const char *at, const char *end, profile *line)
{
    int cell_begins = 1;
    for (; at < end && !is_line_end(*at); at++) {
        if (*at == '"' && cell_begins) {
            do at++;
            while (at < end && *at != '"');
            if (at == end) return NULL;
        } else if (!count_delimiter(line, *at) && *at != ' ') {
            cell_begins = 0;
            continue;
        }
        cell_begins = 1;
    }
    return at;
}

static void count_tokens(const char *at, const char *end, profile *line)
{
    while (at < end) {
        while (at < end && is_blank(*at)) at++;
        const char *start = at;
        if (at < end && *at == '"') do
                at++;
            while (at < end && *at != '"');
        while (at < end && !is_blank(*at)) at++;
        if (at == start) break;
        line->tokens++;
        line->numbers += ald_text_is_numeric(start, (size_t)(at - start));
    }
    line->counts[blanks] = line->tokens ? line->tokens - 1 : 0;
}

/* A last line that the sample cuts off counts only when there is no other. */
static void profile_sample(const char *at, const char *end, int whole, char comment, sample_profile *sample)
{
    sample->n = 0;
    while (at < end && sample->n < most_lines) {
        profile *line = &sample->lines[sample->n];
        memset(line, 0, sizeof *line);
        const char *start = at;
        at = count_delimiters(at, end, line);
        const int cut = !at || (at == end && !whole);
        if (!at) at = end;
        count_tokens(start, at, line);
        if (line->tokens && !(comment && *start == comment) && !(cut && sample->n)) sample->n++;
        while (at < end && is_line_end(*at)) at++;
    }
}

static int is_regular(const sample_profile *sample, int candidate)
{
    const int64_t first = sample->lines[0].counts[candidate];
    int64_t numbers = 0;
    for (int i = 0; i < sample->n; i++) {
        if (sample->lines[i].counts[candidate] != first) return 0;
        numbers += sample->lines[i].numbers;
    }
    return first > 0 && (candidate != blanks || numbers > 0);
}

/* Blanks only where most of the words are numbers: texts of several words are no table. */
static int64_t lines_with(const sample_profile *sample, int candidate)
{
    int64_t lines = 0, tokens = 0, numbers = 0;
    for (int i = 0; i < sample->n; i++) {
        lines += sample->lines[i].counts[candidate] > 0;
        tokens += sample->lines[i].tokens;
        numbers += sample->lines[i].numbers;
    }
    return candidate != blanks || numbers * 2 > tokens ? lines : 0;
}

char ald_csv_detect_delimiter(const char *sample, size_t size, int whole, char comment)
{
    sample_profile found;
    profile_sample(sample, sample + size, whole, comment, &found);
    if (found.n == 0) return ',';
    for (int k = 0; k < n_candidates; k++)
        if (is_regular(&found, k)) return candidates[k];
    int64_t most = 0;
    char best = ',';
    for (int k = 0; k < n_candidates; k++) {
        const int64_t lines = lines_with(&found, k);
        if (lines <= most) continue;
        most = lines;
        best = candidates[k];
    }
    return best;
}

enum { longest_number = 60 };

static ald_status parse_delimiter(ald_run *run, const char *text, char *delimiter)
{
    if (strcmp(text, "tab") == 0 || strcmp(text, "\\t") == 0) text = "\t";
    if (strcmp(text, "blank") == 0 || strcmp(text, "space") == 0) text = " ";
    const char c = *text;
    if (c == '\0' || text[1] != '\0' || isalnum((unsigned char)c) || strchr("\"+-.\r\n", c))
        return ald_fail(
            run->error, ALD_ERROR_ARGUMENT,
            "invalid delimiter '%.40s'; give one character that is not part of numbers, 'tab' or 'blank'",
            text);
    *delimiter = c;
    return ALD_OK;
}

/* Rows that begin with the mark are skipped, so nothing that a row of data can begin with will do. */
static ald_status parse_comment(ald_run *run, const char *text, char *comment)
{
    *comment = text ? *text : '\0';
    if (text && (*text == '\0' || text[1] != '\0' || strchr("0123456789+-.\"\r\n\t ", *text)))
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "invalid comment mark '%.40s'; give one character that no row begins with, such as #",
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
                        "`thousands` and `decimal` are the same mark; use two different ones");
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
    static const char *const headers[] = {"no", "yes", NULL}, *const decimals[] = {"point", "comma", NULL};
    *manner = (ald_csv_manner){.delimiter = delimiter, .codes = !options->transpose};
    ALD_TRY(ald_choose_word(run, "header", headers, options->header, &manner->header));
    ALD_TRY(ald_choose_word(run, "decimal", decimals, options->decimal, &manner->comma));
    if (!options->header) manner->header = -1;
    if (!options->decimal) manner->comma = -1;
    ALD_TRY(parse_comment(run, options->comment, &manner->comment));
    manner->skip = options->skip;
    manner->longest = options->max_line;
    if (manner->skip < 0)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT, "`skip` is a number of lines, 0 or more, not %lld",
                        (long long)manner->skip);
    if (options->delimiter) ALD_TRY(parse_delimiter(run, options->delimiter, &manner->delimiter));
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

static double *cell_at(const ald_table *table, int64_t row, int64_t column)
{
    return &table->cells[row * table->cols + column];
}

/* Beyond this a double does not hold every whole number. */
static int is_count(double value)
{
    return value >= 0.0 && value < 9007199254740992.0 && floor(value) >= value;
}

static int all_counts(const ald_table *table, int64_t column)
{
    for (int64_t i = 0; i < table->rows; i++) {
        const double cell = *cell_at(table, i, column);
        if (!isnan(cell) && !is_count(cell)) return 0;
    }
    return 1;
}

static ald_status to_texts(ald_run *run, ald_table *table, ald_levels *levels, int64_t column)
{
    for (int64_t i = 0; i < table->rows; i++) {
        double *cell = cell_at(table, i, column);
        char text[32];
        int64_t level;
        if (isnan(*cell)) continue;
        const int length = snprintf(text, sizeof text, "%.0f", *cell);
        ALD_TRY(ald_levels_find(run, levels, column, text, (size_t)length, &level));
        *cell = ald_cell_text(level);
        table->columns[column].n_texts++;
    }
    return ALD_OK;
}

static void to_numbers(ald_table *table, int64_t column)
{
    ald_column *of = &table->columns[column];
    for (int64_t i = 0; i < table->rows; i++) {
        double *cell = cell_at(table, i, column);
        int64_t level;
        if (!ald_cell_is_text(*cell, &level)) continue;
        const size_t length = strlen(of->levels[level]);
        if (!ald_csv_cell_is_code(of->levels[level], length)) continue;
        ald_parse_real(of->levels[level], length, cell);
        of->n_texts--;
    }
}

ald_status ald_csv_settle_codes(ald_run *run, ald_table *table, ald_levels *levels, int64_t column)
{
    if (all_counts(table, column)) return to_texts(run, table, levels, column);
    to_numbers(table, column);
    return ALD_OK;
}
