/* CSR arrays row by row or from triplets, and tables turned round. */
#include "io/table/csr.h"

#include "base/numbers/number.h"
#include "base/numbers/ordering.h"
#include "base/settings/limits.h"
#include "io/table/columns.h"
#include "io/table/partition.h"
#include "io/table/table.h"

#include <math.h>
#include <string.h>

ald_status ald_csr_begin(ald_run *run, ald_csr_builder *builder, ald_table *table)
{
    memset(builder, 0, sizeof *builder);
    builder->table = table;
    table->sparse = 1;
    table->rows = 0;
    ALD_TRY(ald_grow(run, table->arena, &table->pointers, &builder->pointer_capacity, 1,
                     sizeof *table->pointers));
    table->pointers[0] = 0;
    return ALD_OK;
}

ald_status ald_csr_add(ald_run *run, ald_csr_builder *builder, int64_t column, double value)
{
    if (value == 0.0) return ALD_OK;
    ald_table *table = builder->table;
    const int64_t at = builder->entries;
    ALD_TRY(ald_grow(run, table->arena, &table->indices, &builder->index_capacity, at + 1,
                     sizeof *table->indices));
    ALD_TRY(
        ald_grow(run, table->arena, &table->values, &builder->value_capacity, at + 1, sizeof *table->values));
    table->indices[at] = column;
    table->values[at] = value;
    builder->entries++;
    return ALD_OK;
}

ald_status ald_csr_end_row(ald_run *run, ald_csr_builder *builder)
{
    ald_table *table = builder->table;
    ALD_TRY(ald_grow(run, table->arena, &table->pointers, &builder->pointer_capacity, table->rows + 2,
                     sizeof *table->pointers));
    table->pointers[++table->rows] = builder->entries;
    return ALD_OK;
}

ald_status ald_csr_finish(ald_run *run, ald_csr_builder *builder)
{
    ald_table *table = builder->table;
    ALD_TRY(ald_grow_trim(run, table->arena, &table->pointers, &builder->pointer_capacity, table->rows + 1,
                          sizeof *table->pointers));
    ALD_TRY(ald_grow_trim(run, table->arena, &table->indices, &builder->index_capacity, builder->entries,
                          sizeof *table->indices));
    return ald_grow_trim(run, table->arena, &table->values, &builder->value_capacity, builder->entries,
                         sizeof *table->values);
}

ald_status ald_triplets_add(ald_run *run, ald_triplets *triplets, int64_t row, int64_t col, double value)
{
    const int64_t at = triplets->count;
    ald_arena *arena = &run->scratch;
    ALD_TRY(ald_grow(run, arena, &triplets->rows, &triplets->row_capacity, at + 1, sizeof *triplets->rows));
    ALD_TRY(ald_grow(run, arena, &triplets->cols, &triplets->col_capacity, at + 1, sizeof *triplets->cols));
    ALD_TRY(
        ald_grow(run, arena, &triplets->values, &triplets->value_capacity, at + 1, sizeof *triplets->values));
    triplets->rows[at] = row;
    triplets->cols[at] = col;
    triplets->values[at] = value;
    triplets->count++;
    return ALD_OK;
}

static ald_status get_arrays(ald_run *run, ald_table *table, int64_t entries)
{
    const int64_t rows = table->rows;
    table->sparse = 1;
    ALD_TRY(ald_get(run, table->arena, rows + 1, 1, sizeof *table->pointers, &table->pointers));
    ALD_TRY(ald_get(run, table->arena, entries, 1, sizeof *table->indices, &table->indices));
    return ald_get(run, table->arena, entries, 1, sizeof *table->values, &table->values);
}

/* A counting sort by row of the triplets taken in `order` (NULL: as they are); stable. While it runs
 * pointers[i + 1] is where the next entry of row i goes; after it, where row i ends. */
static void scatter_by_row(const ald_triplets *triplets, const int64_t *order, ald_table *table)
{
    int64_t *pointers = table->pointers;
    memset(pointers, 0, (size_t)(table->rows + 1) * sizeof *pointers);
    for (int64_t k = 0; k < triplets->count; k++)
        if (triplets->rows[k] + 2 <= table->rows) pointers[triplets->rows[k] + 2]++;
    for (int64_t i = 2; i <= table->rows; i++) pointers[i] += pointers[i - 1];
    for (int64_t k = 0; k < triplets->count; k++) {
        const int64_t from = order ? order[k] : k, to = pointers[triplets->rows[from] + 1]++;
        table->indices[to] = triplets->cols[from];
        table->values[to] = triplets->values[from];
    }
}

static int rows_are_sorted(const ald_table *table)
{
    for (int64_t i = 0; i < table->rows; i++)
        for (int64_t k = table->pointers[i] + 1; k < table->pointers[i + 1]; k++)
            if (table->indices[k - 1] > table->indices[k]) return 0;
    return 1;
}

static int compare_columns(const void *context, int64_t a, int64_t b)
{
    const ald_triplets *triplets = context;
    return (triplets->cols[a] > triplets->cols[b]) - (triplets->cols[a] < triplets->cols[b]);
}

/* Sums the entries of one place, which stand side by side, and leaves zeros out, moving the rest to the
 * front. */
static int64_t compact(ald_table *table)
{
    int64_t kept = 0, begin = 0;
    for (int64_t i = 0; i < table->rows; i++) {
        const int64_t end = table->pointers[i + 1];
        for (int64_t k = begin; k < end;) {
            const int64_t column = table->indices[k];
            double sum = table->values[k++];
            for (; k < end && table->indices[k] == column; k++) sum += table->values[k];
            if (sum == 0.0 && !table->keep_zeros) continue;
            table->indices[kept] = column;
            table->values[kept++] = sum;
        }
        begin = end;
        table->pointers[i + 1] = kept;
    }
    return kept;
}

ald_status ald_csr_from_triplets(ald_run *run, const ald_triplets *triplets, ald_table *table)
{
    ALD_TRY(get_arrays(run, table, triplets->count));
    scatter_by_row(triplets, NULL, table);
    if (!rows_are_sorted(table)) {
        int64_t *order;
        ALD_TRY(ald_scratch(run, triplets->count, 1, sizeof *order, &order));
        for (int64_t k = 0; k < triplets->count; k++) order[k] = k;
        ALD_TRY(ald_order_sort(run, triplets->count, order, compare_columns, triplets));
        scatter_by_row(triplets, order, table);
        ald_arena_drop(&run->scratch, order);
    }
    const int64_t kept = compact(table);
    int64_t index_capacity = triplets->count, value_capacity = triplets->count;
    ALD_TRY(ald_grow_trim(run, table->arena, &table->indices, &index_capacity, kept, sizeof *table->indices));
    return ald_grow_trim(run, table->arena, &table->values, &value_capacity, kept, sizeof *table->values);
}

ald_status ald_csr_check_width(ald_run *run, const ald_load_options *options, const ald_table *table,
                               int64_t entries, int64_t line)
{
    const int64_t known = ald_least(entries, INT64_MAX / ALD_COLUMNS_AN_ENTRY) * ALD_COLUMNS_AN_ENTRY;
    int64_t most = ald_most(known, table->partial ? ALD_BLOCK_COLUMNS : ALD_FREE_COLUMNS);
    if (options->max_columns > 0) most = options->max_columns;
    if (options->like || table->cols <= most) return ALD_OK;
    return ald_fail_at(run->error, ALD_ERROR_DATA, line, 0,
                       "there are %lld columns, but only %lld entries, and at most %lld columns are taken: "
                       "correct the file, or give `max_columns=%lld` if it is meant",
                       (long long)table->cols, (long long)entries, (long long)most, (long long)table->cols);
}

double ald_csr_value(const ald_table *table, int64_t row, int64_t column)
{
    int64_t low = table->pointers[row], high = table->pointers[row + 1];
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (table->indices[middle] < column)
            low = middle + 1;
        else
            high = middle;
    }
    return low < table->pointers[row + 1] && table->indices[low] == column ? table->values[low] : 0.0;
}

ald_status ald_table_make_dense(ald_run *run, ald_table *table)
{
    ALD_TRY(ald_get_clear(run, table->arena, table->rows, table->cols, sizeof *table->cells, &table->cells));
    for (int64_t i = 0; i < table->rows; i++)
        for (int64_t e = table->pointers[i]; e < table->pointers[i + 1]; e++)
            table->cells[i * table->cols + table->indices[e]] = table->values[e];
    ald_arena_drop(table->arena, table->pointers);
    ald_arena_drop(table->arena, table->indices);
    ald_arena_drop(table->arena, table->values);
    table->pointers = table->indices = NULL;
    table->values = NULL;
    table->sparse = 0;
    return ALD_OK;
}

typedef struct {
    const ald_table *from;
    ald_table *to;
    ald_levels *levels; /* of `to` */
    int64_t first;      /* column of `from` that is the first row: 1 behind a column of names */
    int64_t lead;       /* columns of `to` before those of the rows: 1 with names of rows */
} turn;

/* The first column names the features where a line names the samples, or where it has texts alone. */
static int has_row_names(ald_run *run, const ald_table *table)
{
    if (!table->columns || table->cols < 2) return 0;
    const ald_column *column = &table->columns[0];
    if (column->n_texts > 0 && column->n_numbers == 0) return 1;
    if (!ald_table_is_named(table)) return 0;
    if (column->name && column->n_texts == 0)
        ald_log(run, ALD_LOG_INFO, "%s: the numbers of the first column, '%.100s', name the features",
                table->source, column->name);
    return 1;
}

static const char *text_of(const ald_table *table, int64_t row, int64_t column,
                           char number[ALD_REAL_TEXT_SIZE])
{
    const double cell = table->cells[row * table->cols + column];
    int64_t level;
    number[0] = '\0';
    if (ald_cell_is_text(cell, &level)) return table->columns[column].levels[level];
    if (!isnan(cell)) ald_format_real(cell, number);
    return number;
}

/* Names of the new columns. */
static ald_status name_columns(ald_run *run, turn *t)
{
    for (int64_t i = 0; t->first && i < t->from->rows; i++) {
        char number[ALD_REAL_TEXT_SIZE];
        const char *name = text_of(t->from, i, 0, number);
        ALD_TRY(ald_name_column(run, t->to, t->lead + i, name, strlen(name)));
    }
    return ALD_OK;
}

static ald_status put_text(ald_run *run, turn *t, int64_t row, int64_t column, const char *text)
{
    int64_t level;
    ALD_TRY(ald_levels_find(run, t->levels, column, text, strlen(text), &level));
    t->to->cells[row * t->to->cols + column] = ald_cell_text(level);
    t->to->columns[column].n_texts++;
    return ALD_OK;
}

static ald_status put_cell(ald_run *run, turn *t, int64_t row, int64_t column, double cell, int64_t from)
{
    ald_column *of = &t->to->columns[column];
    int64_t level;
    if (ald_cell_is_text(cell, &level))
        return put_text(run, t, row, column, t->from->columns[from].levels[level]);
    t->to->cells[row * t->to->cols + column] = cell;
    of->n_missing += isnan(cell);
    of->n_numbers += !isnan(cell);
    of->n_infinite += isinf(cell);
    if (isinf(cell) && !of->first_infinite_line) of->first_infinite_line = row + 1;
    return ALD_OK;
}

static ald_status put_cells(ald_run *run, turn *t)
{
    for (int64_t j = t->first; j < t->from->cols; j++) {
        const int64_t row = j - t->first;
        const char *name = t->lead ? t->from->columns[j].name : NULL;
        if (t->lead) ALD_TRY(put_text(run, t, row, 0, name ? name : ""));
        for (int64_t i = 0; i < t->from->rows; i++)
            ALD_TRY(put_cell(run, t, row, t->lead + i, t->from->cells[i * t->from->cols + j], j));
    }
    return ALD_OK;
}

static ald_status make_room(ald_run *run, turn *t)
{
    ald_table *to = t->to;
    ALD_TRY(ald_get(run, to->arena, to->rows, to->cols, sizeof *to->cells, &to->cells));
    to->columns = NULL;
    ALD_TRY(ald_table_make_columns(run, to));
    if (!t->lead) return ALD_OK;
    const char *corner = t->first && t->from->columns[0].name ? t->from->columns[0].name : "sample";
    to->id_column = 1;
    return ald_keep_text(run, to->arena, corner, strlen(corner), &to->columns[0].name);
}

ald_status ald_table_transpose(ald_run *run, ald_table *table)
{
    const ald_table from = *table;
    if (table->sparse || table->label_pointers)
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "a sparse file cannot be transposed: leave out `transpose`");
    const int first = has_row_names(run, table);
    turn t = {.from = &from, .to = table, .first = first, .lead = ald_table_is_named(table)};
    table->rows = from.cols - t.first;
    table->cols = from.rows + t.lead;
    table->has_lines = 0;
    table->lines = NULL;
    table->first_line = 0;
    ALD_TRY(make_room(run, &t));
    ALD_TRY(ald_levels_new(run, table, &t.levels));
    ALD_TRY(name_columns(run, &t));
    ALD_TRY(put_cells(run, &t));
    ald_arena_drop(table->arena, from.cells);
    return ALD_OK;
}
