#include "io/table/partition.h"

#include "io/table/csr.h"
#include "io/table/order.h"

typedef struct key {
    const ald_table *table;
    const int64_t *columns;
    int64_t n_columns;
} key;

/* 0 a number, 1 a text, 2 missing. */
static int kind_of_cell(double cell, int64_t *level)
{
    if (ald_cell_is_text(cell, level)) return 1;
    return ald_cell_is_missing(cell) ? 2 : 0;
}

/* Numbers by size, then texts by number, then missing cells, which are all alike. */
static int compare_cells(double a, double b)
{
    int64_t a_level = 0, b_level = 0;
    const int a_kind = kind_of_cell(a, &a_level), b_kind = kind_of_cell(b, &b_level);
    if (a_kind != b_kind) return a_kind - b_kind;
    if (a_kind == 2) return 0;
    return a_kind == 1 ? (a_level > b_level) - (a_level < b_level) : (a > b) - (a < b);
}

static double cell_at(const ald_table *table, int64_t row, int64_t column)
{
    return table->sparse ? ald_csr_value(table, row, column) : table->cells[row * table->cols + column];
}

static int compare_columns(const void *context, int64_t a, int64_t b)
{
    const key *k = context;
    int order = 0;
    for (int64_t c = 0; c < k->n_columns && order == 0; c++)
        order = compare_cells(cell_at(k->table, a, k->columns[c]), cell_at(k->table, b, k->columns[c]));
    return order;
}

/* By the lists of labels; "?" differs from an empty list. */
static int compare_labels(const void *context, int64_t a, int64_t b)
{
    const ald_table *table = ((const key *)context)->table;
    int order = (int)table->labelled[b] - (int)table->labelled[a];
    const int64_t *p = table->label_pointers;
    const int64_t a_count = p[a + 1] - p[a], b_count = p[b + 1] - p[b];
    for (int64_t k = 0; order == 0 && k < a_count && k < b_count; k++)
        order = compare_cells(table->label_values[p[a] + k], table->label_values[p[b] + k]);
    return order ? order : (a_count > b_count) - (a_count < b_count);
}

ald_status ald_partition_rows(ald_run *run, const ald_table *table, const int64_t *columns, int64_t n_columns,
                              ald_partition *partition)
{
    const key k = {table, columns, n_columns};
    const ald_order_compare compare = n_columns ? compare_columns : compare_labels;
    int64_t *order;
    ALD_TRY(ald_scratch(run, table->rows, 1, sizeof *order, &order));
    ALD_TRY(ald_scratch(run, table->rows, 1, sizeof *partition->sizes, &partition->sizes));
    ALD_TRY(ald_scratch(run, table->rows, 1, sizeof *partition->part_of, &partition->part_of));
    for (int64_t i = 0; i < table->rows; i++) order[i] = i;
    ALD_TRY(ald_order_sort(run, table->rows, order, compare, &k));
    partition->n_parts = 0;
    for (int64_t i = 0; i < table->rows; i++) {
        if (i == 0 || compare(&k, order[i - 1], order[i]) != 0) partition->sizes[partition->n_parts++] = 0;
        partition->part_of[order[i]] = partition->n_parts - 1;
        partition->sizes[partition->n_parts - 1]++;
    }
    ald_arena_drop(&run->scratch, order);
    return ALD_OK;
}
