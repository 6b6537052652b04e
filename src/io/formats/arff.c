/* ARFF, the format of Weka: a head with typed attributes (arff/arff_header.c), then a line per row, either
 * all values with commas or, in braces, "index value" pairs from 0 for what is not the default (0, or the
 * first level of a nominal attribute).
 *
 * A file whose rows are all sparse and whose attributes are mostly numeric becomes CSR, with missing cells
 * among its values where the file says "?", and with a cell in every row for each attribute that is not
 * numeric, as no level is a zero. Any other one becomes dense. Columns in messages about values are
 * attributes, counted from 1. */
#include "base/numbers/number.h"
#include "io/formats/arff_header.h"
#include "io/reading/reader.h"
#include "io/table/csr.h"
#include "io/table/table.h"

#include <math.h>
#include <string.h>

typedef struct parser {
    ald_run *run;
    ald_table *table;
    ald_arff_header header;
    ald_csr_builder sparse_rows; /* in use while table->sparse */
    int64_t cell_capacity;
    int64_t *others; /* attributes that are no numbers, rising */
    int64_t n_others;
} parser;

static ald_status fail_value(const parser *p, const ald_arff_scanner *s, int64_t column,
                             const ald_arff_word *word, const char *why)
{
    return ald_fail_at(p->run->error, ALD_ERROR_DATA, s->line_number, column + 1,
                       "attribute '%.100s': '%.*s' %s", p->header.attributes[column].name,
                       (int)(word->length < 60 ? word->length : 60), word->text, why);
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
    if (!ald_text_is_numeric(word->text, word->length))
        return fail_value(p, s, column, word, "is not a number");
    if (!ald_parse_real(word->text, word->length, cell)) *cell = *word->text == '-' ? -INFINITY : INFINITY;
    ald_column *of = &p->table->columns[column];
    if (isinf(*cell) && !of->n_infinite++) of->first_infinite_line = s->line_number;
    return ALD_OK;
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
static ald_status make_dense(parser *p, int64_t line_number)
{
    ald_table *table = p->table;
    if (table->rows > 0)
        ald_log(p->run, ALD_LOG_WARNING,
                "%s: line %lld is not a sparse row like those before it: all rows are converted to dense",
                table->source, (long long)line_number);
    ALD_TRY(ald_table_make_dense(p->run, table));
    p->cell_capacity = table->rows * table->cols;
    return ALD_OK;
}

static ald_status parse_dense_row(parser *p, ald_arff_scanner *s)
{
    if (p->table->sparse) ALD_TRY(make_dense(p, s->line_number));
    double *row = NULL;
    ALD_TRY(ald_table_note_line(p->run, p->table, p->table->rows, s->line_number));
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
                               : "the row continues after %lld values; there are %lld attributes, and values "
                                 "are separated by commas",
                           (long long)j + 1, (long long)cols);
    }
    return ALD_OK;
}

/* What a sparse line means by leaving an attribute out. A text that is left out is missing. */
static ald_status take_default(parser *p, int64_t line_number, int64_t column, double *cell)
{
    const ald_arff_kind kind = p->header.attributes[column].kind;
    if (kind == ALD_ARFF_TEXT) return take_missing(p, line_number, column, cell);
    *cell = kind == ALD_ARFF_NOMINAL ? ald_cell_text(0) : 0.0;
    return ALD_OK;
}

/* Where the cells of a sparse line go: to a dense row, or (`cells` NULL) to the CSR arrays. */
typedef struct sparse_row {
    int64_t line_number;
    double *cells;
    int64_t next;  /* the attribute from which on nothing is set */
    int64_t other; /* the first of p->others that is not set */
} sparse_row;

static ald_status put_cell(parser *p, sparse_row *row, int64_t column, double cell)
{
    row->next = column + 1;
    while (row->other < p->n_others && p->others[row->other] <= column) row->other++;
    if (!row->cells) return ald_csr_add(p->run, &p->sparse_rows, column, cell);
    row->cells[column] = cell;
    return ALD_OK;
}

/* The defaults of all attributes before `to`; in CSR only those that are not zero. */
static ald_status fill_defaults(parser *p, sparse_row *row, int64_t to)
{
    while (row->next < to) {
        int64_t column = row->next;
        if (!row->cells) column = row->other < p->n_others ? p->others[row->other] : to;
        if (column >= to) break;
        double cell = 0.0;
        ALD_TRY(take_default(p, row->line_number, column, &cell));
        ALD_TRY(put_cell(p, row, column, cell));
    }
    return ALD_OK;
}

/* "index" of a pair: rising, from 0. */
static ald_status parse_index(const parser *p, ald_arff_scanner *s, int64_t previous, int64_t *index)
{
    ald_arff_word word;
    char *const before = s->at;
    ALD_TRY(ald_arff_scan(s, " \t,}", &word));
    if (ald_parse_int(word.text, word.length, index) && *index > previous && *index < p->table->cols)
        return ALD_OK;
    return ald_fail_at(
        p->run->error, ALD_ERROR_FORMAT, s->line_number, (int64_t)(before - s->line) + 1,
        "'%.*s' is not the index of an attribute: indices go from 0 to %lld and increase within a row",
        (int)(word.length < 60 ? word.length : 60), word.text, (long long)p->table->cols - 1);
}

/* The scanner stands behind the opening brace. */
static ald_status parse_pairs(parser *p, ald_arff_scanner *s, sparse_row *row)
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
            ALD_TRY(fill_defaults(p, row, index));
            ALD_TRY(put_cell(p, row, index, cell));
            previous = index;
        } while (ald_arff_accept(s, ','));
        if (!ald_arff_accept(s, '}'))
            return ald_arff_fail(s, "a sparse row must read {index value, index value, ...}");
    }
    if (!ald_arff_at_end(s))
        return ald_arff_fail(s, "nothing may follow the } of a sparse row (weights cannot be read)");
    return fill_defaults(p, row, p->table->cols);
}

static ald_status parse_sparse_row(parser *p, ald_arff_scanner *s)
{
    sparse_row row = {.line_number = s->line_number};
    ALD_TRY(ald_table_note_line(p->run, p->table, p->table->rows, s->line_number));
    if (!p->table->sparse && p->table->rows == 0)
        ald_log(p->run, ALD_LOG_WARNING,
                "%s: sparse rows are converted to dense, because %lld of %lld attributes are not numeric",
                p->table->source, (long long)p->n_others, (long long)p->table->cols);
    if (!p->table->sparse) ALD_TRY(add_dense_row(p, &row.cells));
    ALD_TRY(parse_pairs(p, s, &row));
    return row.cells ? ALD_OK : ald_csr_end_row(p->run, &p->sparse_rows);
}

static ald_status parse_rows(parser *p, ald_input *input)
{
    for (;;) {
        char *line;
        size_t length;
        ALD_TRY(ald_input_line(p->run, input, &line, &length));
        if (!line) return ALD_OK;
        ald_arff_scanner s = {
            .run = p->run,
            .line_number = ald_input_line_number(input),
            .line = line,
            .at = line,
        };
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
        if (p->header.attributes[j].kind != ALD_ARFF_NUMBER)
            column->n_texts = p->table->rows - column->n_missing;
    }
    ald_table_count_numbers(p->table);
}

static ald_status list_others(parser *p)
{
    ALD_TRY(ald_scratch(p->run, p->table->cols, 1, sizeof *p->others, &p->others));
    for (int64_t j = 0; j < p->table->cols; j++)
        if (p->header.attributes[j].kind != ALD_ARFF_NUMBER) p->others[p->n_others++] = j;
    return ALD_OK;
}

static ald_status read_arff(ald_run *run, ald_input *input, const ald_load_options *options, ald_table *table)
{
    (void)options;
    parser p = {.run = run, .table = table};
    ALD_TRY(ald_arff_header_read(run, input, table, &p.header));
    ALD_TRY(list_others(&p));
    /* An entry takes twice the room of a cell. */
    if (2 * p.n_others <= table->cols) ALD_TRY(ald_csr_begin(run, &p.sparse_rows, table));
    ALD_TRY(parse_rows(&p, input));
    ALD_TRY(ald_table_check_size(run, table));
    count_cells(&p);
    if (table->sparse) return ald_csr_finish(run, &p.sparse_rows);
    return ald_grow_trim(run, table->arena, &table->cells, &p.cell_capacity, table->rows * table->cols,
                         sizeof *table->cells);
}

static const char *const endings[] = {".arff", NULL};
const ald_reader ald_arff_reader = {
    .name = "arff",
    .endings = endings,
    .title = "Weka ARFF, dense or sparse rows",
    .read = read_arff,
};
