/* ARFF, the format of Weka: a head with typed attributes (data/arff_header.c), then a line a row, either all values
 * with commas or, in braces, "index value" pairs from 0 for what is not the default (0, or the first level of a nominal
 * attribute).
 *
 * A file whose attributes are all numeric and whose rows are all sparse becomes CSR (with missing cells among its
 * values where the file says
 * "?"); any other one dense. Columns in messages about values are attributes, counted from 1. */
#include "core/number.h"
#include "data/arff_header.h"
#include "data/cells.h"
#include "data/csr.h"
#include "data/grow.h"
#include "data/reader.h"

#include <math.h>
#include <string.h>

typedef struct parser {
    ald_run *run;
    ald_table *table;
    ald_arff_header header;
    ald_csr_builder sparse_rows; /* in use while table->sparse */
    int64_t cell_capacity;
} parser;

static ald_status fail_value(const parser *p, const ald_arff_scanner *s, int64_t column, const ald_arff_word *word,
                             const char *why)
{
    return ald_fail_at(p->run->error, ALD_ERROR_DATA, s->line_number, column + 1, "attribute '%.100s': '%.*s' %s",
                       p->header.attributes[column].name, (int)(word->length < 60 ? word->length : 60), word->text,
                       why);
}

static ald_status take_missing(parser *p, int64_t line_number, int64_t column, double *cell)
{
    ald_column *of = &p->table->columns[column];
    if (!of->n_missing++) of->first_missing_line = line_number;
    *cell = ald_cell_missing();
    return ALD_OK;
}

static ald_status take_level(parser *p, const ald_arff_scanner *s, int64_t column, const ald_arff_word *word,
                             double *cell)
{
    const ald_arff_attribute *attribute = &p->header.attributes[column];
    int64_t level;
    ALD_TRY(ald_levels_find(p->run, p->header.levels, column, word->text, word->length, &level));
    if (attribute->kind == ALD_ARFF_NOMINAL && level >= attribute->n_levels)
        return fail_value(p, s, column, word, "is not one of the levels its @attribute line lists");
    *cell = ald_cell_text(level);
    return ALD_OK;
}

static ald_status take_value(parser *p, const ald_arff_scanner *s, int64_t column, const ald_arff_word *word,
                             double *cell)
{
    if (ald_arff_word_is(word, "?")) return take_missing(p, s->line_number, column, cell);
    if (word->length == 0 && !word->quoted)
        return fail_value(p, s, column, word, "is empty; write ? where a value is missing");
    if (p->header.attributes[column].kind != ALD_ARFF_NUMBER) return take_level(p, s, column, word, cell);
    if (ald_parse_real(word->text, word->length, cell) && isfinite(*cell)) return ALD_OK;
    return fail_value(p, s, column, word, "is not a finite number");
}

/* A new row of cells, not filled. */
static ald_status add_dense_row(parser *p, double **row)
{
    ald_table *table = p->table;
    int64_t needed;
    if (__builtin_mul_overflow(table->rows + 1, table->cols, &needed))
        return ald_out_of_memory(p->run, table->rows + 1, table->cols, sizeof *table->cells);
    ALD_TRY(ald_grow(p->run, table->arena, &table->cells, &p->cell_capacity, needed, sizeof *table->cells));
    *row = table->cells + table->rows * table->cols;
    table->rows++;
    return ALD_OK;
}

/* The first row that is not sparse makes the whole table dense. */
static ald_status make_dense(parser *p)
{
    ald_table *table = p->table;
    const int64_t rows = table->rows;
    table->rows = 0;
    for (int64_t i = 0; i < rows; i++) {
        double *row = NULL;
        ALD_TRY(add_dense_row(p, &row));
        memset(row, 0, (size_t)table->cols * sizeof *row);
        for (int64_t k = table->pointers[i]; k < table->pointers[i + 1]; k++) row[table->indices[k]] = table->values[k];
    }
    ald_arena_drop(table->arena, table->pointers);
    ald_arena_drop(table->arena, table->indices);
    ald_arena_drop(table->arena, table->values);
    table->pointers = table->indices = NULL;
    table->values = NULL;
    table->sparse = 0;
    return ALD_OK;
}

static ald_status parse_dense_row(parser *p, ald_arff_scanner *s)
{
    if (p->table->sparse) ALD_TRY(make_dense(p));
    double *row = NULL;
    ALD_TRY(add_dense_row(p, &row));
    const int64_t cols = p->table->cols;
    for (int64_t j = 0; j < cols; j++) {
        ald_arff_word word;
        ALD_TRY(ald_arff_scan(s, ",", &word));
        ALD_TRY(take_value(p, s, j, &word, &row[j]));
        const int comma = ald_arff_accept(s, ',');
        if (comma == (j + 1 < cols) && (comma || ald_arff_at_end(s))) continue;
        return ald_fail_at(p->run->error, ALD_ERROR_FORMAT, s->line_number, 0,
                           ald_arff_at_end(s) && !comma
                               ? "the row ends after %lld values; there are %lld attributes"
                               : "the row goes on after %lld values; there are %lld attributes, "
                                 "and commas stand between values",
                           (long long)j + 1, (long long)cols);
    }
    return ALD_OK;
}

/* Cells from .. to of a row that a sparse line leaves out. A text that is left out is missing. */
static ald_status fill_defaults(parser *p, int64_t line_number, double *row, int64_t from, int64_t to)
{
    for (int64_t j = from; j < to; j++) {
        const ald_arff_kind kind = p->header.attributes[j].kind;
        if (kind == ALD_ARFF_TEXT)
            ALD_TRY(take_missing(p, line_number, j, &row[j]));
        else
            row[j] = kind == ALD_ARFF_NOMINAL ? ald_cell_text(0) : 0.0;
    }
    return ALD_OK;
}

/* "index" of a pair: rising, from 0. */
static ald_status parse_index(const parser *p, ald_arff_scanner *s, int64_t previous, int64_t *index)
{
    ald_arff_word word;
    char *const before = s->at;
    ALD_TRY(ald_arff_scan(s, " \t,}", &word));
    if (ald_parse_int(word.text, word.length, index) && *index > previous && *index < p->table->cols) return ALD_OK;
    return ald_fail_at(p->run->error, ALD_ERROR_FORMAT, s->line_number, (int64_t)(before - s->line) + 1,
                       "'%.*s' is not the index of an attribute: indices go from 0 to %lld and rise within a row",
                       (int)(word.length < 60 ? word.length : 60), word.text, (long long)p->table->cols - 1);
}

/* The scanner stands behind the opening brace. `row` NULL: into the CSR arrays. */
static ald_status parse_pairs(parser *p, ald_arff_scanner *s, double *row)
{
    int64_t previous = -1;
    if (!ald_arff_accept(s, '}')) {
        do {
            ald_arff_word word;
            int64_t index = 0;
            double cell = 0.0;
            ALD_TRY(parse_index(p, s, previous, &index));
            ALD_TRY(ald_arff_scan(s, ",}", &word));
            ALD_TRY(take_value(p, s, index, &word, &cell));
            if (row) {
                ALD_TRY(fill_defaults(p, s->line_number, row, previous + 1, index));
                row[index] = cell;
            } else {
                ALD_TRY(ald_csr_add(p->run, &p->sparse_rows, index, cell));
            }
            previous = index;
        } while (ald_arff_accept(s, ','));
        if (!ald_arff_accept(s, '}')) return ald_arff_fail(s, "a sparse row must read {index value, index value, ...}");
    }
    if (!ald_arff_at_end(s))
        return ald_arff_fail(s, "nothing may follow the } of a sparse row (weights cannot be read)");
    return row ? fill_defaults(p, s->line_number, row, previous + 1, p->table->cols) : ALD_OK;
}

static ald_status parse_sparse_row(parser *p, ald_arff_scanner *s)
{
    double *row = NULL;
    if (!p->table->sparse) ALD_TRY(add_dense_row(p, &row));
    ALD_TRY(parse_pairs(p, s, row));
    return row ? ALD_OK : ald_csr_end_row(p->run, &p->sparse_rows);
}

static ald_status parse_rows(parser *p, ald_input *input)
{
    for (;;) {
        char *line;
        size_t length;
        ALD_TRY(ald_input_line(p->run, input, &line, &length));
        if (!line) return ALD_OK;
        ald_arff_scanner s = {.run = p->run, .line_number = ald_input_line_number(input), .line = line, .at = line};
        if (ald_arff_at_end(&s)) continue;
        if (ald_arff_accept(&s, '{'))
            ALD_TRY(parse_sparse_row(p, &s));
        else
            ALD_TRY(parse_dense_row(p, &s));
    }
}

static void count_cells(parser *p)
{
    for (int64_t j = 0; j < p->table->cols; j++) {
        ald_column *column = &p->table->columns[j];
        if (p->header.attributes[j].kind != ALD_ARFF_NUMBER) column->n_texts = p->table->rows - column->n_missing;
    }
    ald_table_count_numbers(p->table);
}

static ald_status read_arff(ald_run *run, ald_input *input, const ald_load_options *options, ald_table *table)
{
    (void)options;
    parser p = {.run = run, .table = table};
    ALD_TRY(ald_arff_header_read(run, input, table, &p.header));
    if (p.header.all_numbers) ALD_TRY(ald_csr_begin(run, &p.sparse_rows, table));
    ALD_TRY(parse_rows(&p, input));
    ALD_TRY(ald_table_check_size(run, table));
    count_cells(&p);
    if (table->sparse) return ald_csr_finish(run, &p.sparse_rows);
    return ald_grow_trim(run, table->arena, &table->cells, &p.cell_capacity, table->rows * table->cols,
                         sizeof *table->cells);
}

static const char *const endings[] = {".arff", NULL};
const ald_reader ald_arff_reader = {
    .name = "arff", .endings = endings, .title = "Weka ARFF, dense or sparse rows", .read = read_arff};
