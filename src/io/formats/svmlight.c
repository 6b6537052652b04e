/* svmlight / LIBSVM: a line per row, "label index:value index:value ... # comment".
 *
 * The label is a number, a list "a,b,c" of them (multi-label), "?" (unlabelled) or, in multi-label files,
 * nothing before the first blank: a row that has none of the labels. Indices count from 1 and rise; "qid:n"
 * is skipped. Columns in messages are characters of the line. */
#include "base/numbers/number.h"
#include "io/reading/reader.h"
#include "io/table/csr.h"
#include "io/table/table.h"

#include <math.h>
#include <string.h>

typedef struct parser {
    ald_run *run;
    ald_table *table;
    ald_csr_builder rows;
    int64_t line_number, widest; /* the line that has the last column */
    const char *line;            /* ends with '\0' */
    int64_t n_labels, label_capacity, pointer_capacity, labelled_capacity;
} parser;

static int is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

static int ends_token(char c)
{
    return c == '\0' || c == '#' || is_blank(c);
}

static const char *skip_blanks(const char *at)
{
    while (is_blank(*at)) at++;
    return at;
}

static const char *token_end(const char *at)
{
    while (!ends_token(*at)) at++;
    return at;
}

/* Shows the token that begins at `at`, not more than a line of a terminal of it. */
static ald_status fail_token(const parser *p, const char *at, const char *expected)
{
    const size_t length = (size_t)(token_end(at) - at);
    return ald_fail_at(p->run->error, ALD_ERROR_FORMAT, p->line_number, (int64_t)(at - p->line) + 1,
                       "'%.*s' is not %s", (int)(length < 60 ? length : 60), at, expected);
}

static ald_status parse_finite(const parser *p, const char *at, size_t length, const char *expected,
                               double *value)
{
    if (!ald_parse_real(at, length, value) || !isfinite(*value)) return fail_token(p, at, expected);
    return ALD_OK;
}

static ald_status add_label(parser *p, double label)
{
    ald_table *table = p->table;
    ALD_TRY(ald_grow(p->run, table->arena, &table->label_values, &p->label_capacity, p->n_labels + 1,
                     sizeof *table->label_values));
    table->label_values[p->n_labels++] = label;
    return ALD_OK;
}

static ald_status parse_label_list(parser *p, const char *at, const char *end)
{
    static const char expected[] = "a label: a number, a list of numbers with commas, or ? for an unlabelled "
                                   "row (a line without a label begins with a blank)";
    for (;;) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        const char *stop = comma ? comma : end;
        double label;
        ALD_TRY(parse_finite(p, at, (size_t)(stop - at), expected, &label));
        ALD_TRY(add_label(p, label));
        if (!comma) return ALD_OK;
        p->table->many_labels = 1;
        at = comma + 1;
    }
}

/* Moves *at behind the label. */
static ald_status parse_label(parser *p, const char **at)
{
    ald_table *table = p->table;
    const int64_t row = table->rows;
    const char *end = token_end(*at);
    const int unlabelled = end - *at == 1 && **at == '?';
    ALD_TRY(ald_grow(p->run, table->arena, &table->labelled, &p->labelled_capacity, row + 1,
                     sizeof *table->labelled));
    ALD_TRY(ald_grow(p->run, table->arena, &table->label_pointers, &p->pointer_capacity, row + 2,
                     sizeof *table->label_pointers));
    if (row == 0) table->label_pointers[0] = 0;
    if (end == *at)
        table->many_labels = 1;
    else if (!unlabelled)
        ALD_TRY(parse_label_list(p, *at, end));
    table->labelled[row] = (unsigned char)!unlabelled;
    table->label_pointers[row + 1] = p->n_labels;
    *at = end;
    return ALD_OK;
}

/* The digits before the colon, from 1; moves *at behind it. */
static ald_status parse_index(const parser *p, const char **at, int64_t *index)
{
    static const char expected[] = "index:value with an index of 1 or more (the first feature is number 1)";
    int64_t value = 0;
    const char *c = *at;
    for (; *c >= '0' && *c <= '9'; c++)
        if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, *c - '0', &value))
            return fail_token(p, *at, expected);
    if (*c != ':' || value < 1 || value == INT64_MAX) return fail_token(p, *at, expected);
    *index = value;
    *at = c + 1;
    return ALD_OK;
}

static ald_status parse_query(const parser *p, const char *at, const char *end)
{
    int64_t query;
    if (!ald_parse_int(at + 4, (size_t)(end - at - 4), &query))
        return fail_token(p, at, "qid: with a whole number");
    return ALD_OK;
}

static ald_status parse_feature(parser *p, const char *token, const char *end, int64_t *last)
{
    const char *at = token;
    int64_t index = 0;
    double value;
    ALD_TRY(parse_index(p, &at, &index));
    if (index <= *last)
        return ald_fail_at(p->run->error, ALD_ERROR_FORMAT, p->line_number, (int64_t)(token - p->line) + 1,
                           "index %lld comes after index %lld; indices must increase within a line",
                           (long long)index, (long long)*last);
    ALD_TRY(parse_finite(p, at, (size_t)(end - at), "a finite number, the value of a feature", &value));
    *last = index;
    if (index > p->table->cols) {
        p->table->cols = index;
        p->widest = p->line_number;
    }
    return ald_csr_add(p->run, &p->rows, index - 1, value);
}

static ald_status parse_line(parser *p, const char *line)
{
    p->line = line;
    const char *at = skip_blanks(line);
    if (*at == '\0' || *at == '#') return ALD_OK;
    at = line;
    ALD_TRY(ald_table_note_line(p->run, p->table, p->table->rows, p->line_number));
    ALD_TRY(parse_label(p, &at));
    int64_t last = 0;
    for (at = skip_blanks(at); *at != '\0' && *at != '#'; at = skip_blanks(at)) {
        const char *end = token_end(at);
        if (strncmp(at, "qid:", 4) == 0)
            ALD_TRY(parse_query(p, at, end));
        else
            ALD_TRY(parse_feature(p, at, end, &last));
        at = end;
    }
    return ald_csr_end_row(p->run, &p->rows);
}

static ald_status trim_labels(parser *p)
{
    ald_table *table = p->table;
    ALD_TRY(ald_grow_trim(p->run, table->arena, &table->label_values, &p->label_capacity, p->n_labels,
                          sizeof *table->label_values));
    ALD_TRY(ald_grow_trim(p->run, table->arena, &table->label_pointers, &p->pointer_capacity, table->rows + 1,
                          sizeof *table->label_pointers));
    return ald_grow_trim(p->run, table->arena, &table->labelled, &p->labelled_capacity, table->rows,
                         sizeof *table->labelled);
}

static ald_status read_svmlight(ald_run *run, ald_input *input, const ald_load_options *options,
                                ald_table *table)
{
    parser p = {.run = run, .table = table};
    table->cols = 0;
    ALD_TRY(ald_csr_begin(run, &p.rows, table));
    for (;;) {
        char *line;
        size_t length;
        ALD_TRY(ald_input_line(run, input, &line, &length));
        if (!line) break;
        p.line_number = ald_input_line_number(input);
        ALD_TRY(parse_line(&p, line));
    }
    /* New rows for a model may well be all zero: the model says how many columns there are. */
    if (table->rows < 1 || !options->like) ALD_TRY(ald_table_check_size(run, table));
    ALD_TRY(ald_csr_check_width(run, options, table, p.rows.entries, p.widest));
    ALD_TRY(trim_labels(&p));
    return ald_csr_finish(run, &p.rows);
}

static const char *const endings[] = {".svm", ".svmlight", ".libsvm", NULL};
const ald_reader ald_svmlight_reader = {
    .name = "svmlight",
    .endings = endings,
    .title = "svmlight or LIBSVM, sparse, with labels",
    .read = read_svmlight,
};
