/* MatrixMarket: "%%MatrixMarket matrix FORMAT FIELD SYMMETRY", comments with %, a line of sizes, then one
 * number (array, by columns) or one "row column value" (coordinate) a line. Coordinate files become CSR,
 * arrays dense cells. What the sizes claim is believed only as it is read: arrays grow with the entries. */
#include "base/numbers/number.h"
#include "io/reading/reader.h"
#include "io/table/csr.h"
#include "io/table/table.h"

#include <math.h>
#include <string.h>
#include <strings.h>

typedef enum field { field_real, field_integer, field_pattern } field;
typedef enum symmetry { symmetry_general, symmetry_symmetric, symmetry_skew } symmetry;
enum { most_words = 6 };

typedef struct word {
    const char *text;
    size_t length;
} word;

typedef struct parser {
    ald_run *run;
    ald_input *input;
    ald_table *table;
    int coordinate;
    field field;
    symmetry symmetry;
    int64_t line_number, claimed; /* entries or values that must follow */
    const char *line;
    word words[most_words];
    int n_words; /* words of the line, at most most_words are kept */
} parser;

static ald_status fail_here(const parser *p, const char *at, const char *what)
{
    return ald_fail_at(p->run->error, ALD_ERROR_FORMAT, p->line_number, at ? (int64_t)(at - p->line) + 1 : 0,
                       "%s", what);
}

static void split_words(parser *p, const char *line)
{
    static const char blanks[] = " \t\r\v\f";
    p->line = line;
    p->n_words = 0;
    for (const char *at = line + strspn(line, blanks); *at; at += strspn(at, blanks)) {
        const size_t length = strcspn(at, blanks);
        if (p->n_words < most_words) p->words[p->n_words++] = (word){at, length};
        at += length;
    }
}

/* The next line that is neither empty nor a comment, in words; *more is 0 at the end. */
static ald_status next_line(parser *p, int *more)
{
    for (;;) {
        char *line;
        size_t length;
        ALD_TRY(ald_input_line(p->run, p->input, &line, &length));
        p->line_number = ald_input_line_number(p->input);
        *more = line != NULL;
        if (!line) return ALD_OK;
        if (*line == '%') continue;
        split_words(p, line);
        if (p->n_words > 0) return ALD_OK;
    }
}

typedef struct keyword {
    const char *name;
    int value;
} keyword;

static ald_status find_keyword(const parser *p, int at, const keyword *table, size_t n, const char *expected,
                               int *value)
{
    const word *w = &p->words[at];
    for (size_t k = 0; k < n; k++) {
        if (strlen(table[k].name) != w->length || strncasecmp(table[k].name, w->text, w->length) != 0)
            continue;
        *value = table[k].value;
        return ALD_OK;
    }
    return ald_fail_at(p->run->error, ALD_ERROR_UNSUPPORTED, p->line_number, (int64_t)(w->text - p->line) + 1,
                       "MatrixMarket '%.*s' cannot be read; expected %s",
                       (int)(w->length < 40 ? w->length : 40), w->text, expected);
}

static ald_status parse_banner(parser *p)
{
    static const keyword banners[] = {{"%%MatrixMarket", 1}}, objects[] = {{"matrix", 1}};
    static const keyword formats[] = {{"coordinate", 1}, {"array", 0}};
    static const keyword fields[] = {
        {"real", field_real},
        {"double", field_real},
        {"integer", field_integer},
        {"pattern", field_pattern},
    };
    static const keyword symmetries[] = {
        {"general", symmetry_general},
        {"symmetric", symmetry_symmetric},
        {"skew-symmetric", symmetry_skew},
    };
    char *line;
    size_t length;
    ALD_TRY(ald_input_line(p->run, p->input, &line, &length));
    p->line_number = 1;
    if (line) split_words(p, line);
    int ignored, value_field = 0, value_symmetry = 0;
    if (!line || p->n_words != 5 || find_keyword(p, 0, banners, 1, "", &ignored) < 0)
        return ald_fail_at(
            p->run->error, ALD_ERROR_FORMAT, 1, 0,
            "not a MatrixMarket file: line 1 must read like '%%%%MatrixMarket matrix coordinate real "
            "general'");
    ALD_TRY(find_keyword(p, 1, objects, 1, "matrix", &ignored));
    ALD_TRY(find_keyword(p, 2, formats, 2, "coordinate or array", &p->coordinate));
    ALD_TRY(find_keyword(p, 3, fields, 4, "real, integer or pattern", &value_field));
    ALD_TRY(find_keyword(p, 4, symmetries, 3, "general, symmetric or skew-symmetric", &value_symmetry));
    p->field = (field)value_field;
    p->symmetry = (symmetry)value_symmetry;
    if (!p->coordinate && p->field == field_pattern)
        return fail_here(p, p->words[3].text,
                         "an array cannot be a pattern: it has a value in every position");
    return ALD_OK;
}

static ald_status parse_count(const parser *p, int at, int64_t *count)
{
    const word *w = &p->words[at];
    if (ald_parse_int(w->text, w->length, count) && *count >= 0) return ALD_OK;
    return ald_fail_at(p->run->error, ALD_ERROR_FORMAT, p->line_number, (int64_t)(w->text - p->line) + 1,
                       "'%.*s' is not a number of rows, columns or entries",
                       (int)(w->length < 40 ? w->length : 40), w->text);
}

/* Values an array file holds: all, or what the symmetry leaves of each column. */
static int count_array_values(const parser *p, int64_t *count)
{
    const int64_t n = p->table->rows;
    if (p->symmetry == symmetry_general) return !__builtin_mul_overflow(n, p->table->cols, count);
    int64_t square;
    if (__builtin_mul_overflow(n, n, &square)) return 0;
    *count = p->symmetry == symmetry_skew ? (square - n) / 2 : square / 2 + n / 2 + (n & 1);
    return 1;
}

static ald_status parse_sizes(parser *p)
{
    int more;
    ALD_TRY(next_line(p, &more));
    if (!more || p->n_words != (p->coordinate ? 3 : 2))
        return fail_here(p, NULL,
                         p->coordinate ? "expected the line of sizes: rows, columns and number of entries"
                                       : "expected the line of sizes: rows and columns");
    ald_table *table = p->table;
    ALD_TRY(parse_count(p, 0, &table->rows));
    ALD_TRY(parse_count(p, 1, &table->cols));
    if (p->coordinate) ALD_TRY(parse_count(p, 2, &p->claimed));
    ALD_TRY(ald_table_check_size(p->run, table));
    if (p->symmetry != symmetry_general && table->rows != table->cols)
        return fail_here(p, NULL, "a symmetric matrix must have the same number of rows and columns");
    int64_t cells;
    if (!p->coordinate &&
        (__builtin_mul_overflow(table->rows, table->cols, &cells) || !count_array_values(p, &p->claimed)))
        return fail_here(p, NULL, "the sizes are more than memory can address");
    return ALD_OK;
}

static ald_status parse_value(const parser *p, int at, double *value)
{
    const word *w = &p->words[at];
    int64_t whole;
    if (p->field == field_integer && ald_parse_int(w->text, w->length, &whole)) {
        *value = (double)whole;
        return ALD_OK;
    }
    if (p->field == field_real && ald_parse_real(w->text, w->length, value) && isfinite(*value))
        return ALD_OK;
    return ald_fail_at(p->run->error, ALD_ERROR_FORMAT, p->line_number, (int64_t)(w->text - p->line) + 1,
                       "'%.*s' is not %s", (int)(w->length < 40 ? w->length : 40), w->text,
                       p->field == field_integer ? "a whole number" : "a finite number");
}

static ald_status parse_place(const parser *p, int at, int64_t most, const char *what, int64_t *place)
{
    const word *w = &p->words[at];
    if (ald_parse_int(w->text, w->length, place) && *place >= 1 && *place <= most) {
        --*place;
        return ALD_OK;
    }
    return ald_fail_at(p->run->error, ALD_ERROR_FORMAT, p->line_number, (int64_t)(w->text - p->line) + 1,
                       "'%.*s' is not a %s from 1 to %lld", (int)(w->length < 40 ? w->length : 40), w->text,
                       what, (long long)most);
}

static ald_status add_entry(parser *p, ald_triplets *entries)
{
    int64_t row = 0, col = 0;
    double value = 1.0;
    if (p->n_words != (p->field == field_pattern ? 2 : 3))
        return fail_here(p, NULL,
                         p->field == field_pattern ? "expected an entry: row and column"
                                                   : "expected an entry: row, column and value");
    ALD_TRY(parse_place(p, 0, p->table->rows, "row", &row));
    ALD_TRY(parse_place(p, 1, p->table->cols, "column", &col));
    if (p->field != field_pattern) ALD_TRY(parse_value(p, 2, &value));
    if (p->symmetry != symmetry_general && (row < col || (row == col && p->symmetry == symmetry_skew)))
        return fail_here(p, p->words[0].text,
                         p->symmetry == symmetry_skew
                             ? "a skew-symmetric file holds only entries below the diagonal (row > column)"
                             : "a symmetric file holds only the lower triangle (row >= column)");
    ALD_TRY(ald_triplets_add(p->run, entries, row, col, value));
    if (p->symmetry == symmetry_general || row == col) return ALD_OK;
    return ald_triplets_add(p->run, entries, col, row, p->symmetry == symmetry_skew ? -value : value);
}

/* Calls for each line that holds data and compares their number with what the sizes say. */
static ald_status for_each_line(parser *p, ald_status (*take)(parser *p, void *into), void *into)
{
    for (int64_t count = 0;; count++) {
        int more;
        ALD_TRY(next_line(p, &more));
        if (more && count < p->claimed) {
            ALD_TRY(take(p, into));
            continue;
        }
        if (!more && count == p->claimed) return ALD_OK;
        return ald_fail_at(
            p->run->error, ALD_ERROR_FORMAT, p->line_number, 0,
            more ? "more lines of data than the %lld the sizes claim"
                 : "the file ends early: the sizes claim %lld lines of data, but there are only %lld",
            (long long)p->claimed, (long long)count);
    }
}

static ald_status take_entry(parser *p, void *into)
{
    return add_entry(p, into);
}

static ald_status read_coordinate(parser *p, const ald_load_options *options)
{
    ald_triplets entries;
    memset(&entries, 0, sizeof entries);
    ALD_TRY(for_each_line(p, take_entry, &entries));
    /* Row pointers cost memory without an entry; so many empty rows are no data but a damaged line of sizes.
     */
    const int64_t always_fine = ALD_BUFFER(1 << 24), rows_per_entry = 64;
    if (p->table->rows > always_fine && p->table->rows / rows_per_entry > entries.count)
        return ald_fail(p->run->error, ALD_ERROR_FORMAT, "the sizes claim %lld rows for only %lld entries",
                        (long long)p->table->rows, (long long)entries.count);
    ALD_TRY(ald_csr_check_width(p->run, options, p->table, entries.count, 0));
    return ald_csr_from_triplets(p->run, &entries, p->table);
}

typedef struct values {
    double *data; /* by columns, in the scratch of the run */
    int64_t count, capacity;
} values;

static ald_status take_value(parser *p, void *into)
{
    values *v = into;
    double value = 0.0;
    if (p->n_words != 1) return fail_here(p, NULL, "expected one value per line");
    ALD_TRY(parse_value(p, 0, &value));
    ALD_TRY(ald_grow(p->run, &p->run->scratch, &v->data, &v->capacity, v->count + 1, sizeof *v->data));
    v->data[v->count++] = value;
    return ALD_OK;
}

/* Column j of the file begins at its row 0, j or j + 1. */
static void place_values(const parser *p, const double *value)
{
    const int64_t rows = p->table->rows, cols = p->table->cols;
    double *cells = p->table->cells;
    for (int64_t j = 0; j < cols; j++) {
        int64_t first = p->symmetry == symmetry_symmetric ? j : j + 1;
        if (p->symmetry == symmetry_general) first = 0;
        if (p->symmetry == symmetry_skew) cells[j * cols + j] = 0.0;
        for (int64_t i = first; i < rows; i++, value++) {
            cells[i * cols + j] = *value;
            if (p->symmetry != symmetry_general)
                cells[j * cols + i] = p->symmetry == symmetry_skew && i != j ? 0.0 - *value : *value;
        }
    }
}

static ald_status read_array(parser *p)
{
    values v = {NULL, 0, 0};
    ald_table *table = p->table;
    ALD_TRY(for_each_line(p, take_value, &v));
    ALD_TRY(ald_get(p->run, table->arena, table->rows, table->cols, sizeof *table->cells, &table->cells));
    place_values(p, v.data);
    ald_arena_drop(&p->run->scratch, v.data);
    return ALD_OK;
}

static ald_status read_matrixmarket(ald_run *run, ald_input *input, const ald_load_options *options,
                                    ald_table *table)
{
    parser p = {.run = run, .input = input, .table = table};
    ALD_TRY(parse_banner(&p));
    ALD_TRY(parse_sizes(&p));
    return p.coordinate ? read_coordinate(&p, options) : read_array(&p);
}

static const char *const endings[] = {".mtx", ".mm", NULL};
const ald_reader ald_matrixmarket_reader = {
    .name = "mtx",
    .endings = endings,
    .title = "MatrixMarket, coordinate or array",
    .read = read_matrixmarket,
};
