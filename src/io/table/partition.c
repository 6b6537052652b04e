/* A stable sort, rows with equal cells, and draws of rows for training or for folds. */
#include "io/table/partition.h"

#include "io/table/csr.h"

#include <stdlib.h>
#include <string.h>

/* Merges the sorted runs from[low .. middle) and from[middle .. high) into to[low .. high). */
static void merge(const int64_t *from, int64_t *to, int64_t low, int64_t middle, int64_t high,
                  ald_order_compare compare, const void *context)
{
    int64_t a = low, b = middle;
    for (int64_t k = low; k < high; k++) {
        const int take_a = b >= high || (a < middle && compare(context, from[a], from[b]) <= 0);
        to[k] = take_a ? from[a++] : from[b++];
    }
}

ald_status ald_order_sort(ald_run *run, int64_t n, int64_t *order, ald_order_compare compare,
                          const void *context)
{
    int64_t *other;
    ALD_TRY(ald_scratch(run, n, 1, sizeof *other, &other));
    int64_t *from = order, *to = other;
    for (int64_t width = 1; width < n; width *= 2) {
        for (int64_t low = 0; low < n; low += 2 * width) {
            const int64_t middle = low + width < n ? low + width : n;
            const int64_t high = low + 2 * width < n ? low + 2 * width : n;
            merge(from, to, low, middle, high, compare, context);
        }
        int64_t *const swap = from;
        from = to;
        to = swap;
    }
    if (from != order) memcpy(order, from, (size_t)n * sizeof *order);
    ald_arena_drop(&run->scratch, other);
    return ALD_OK;
}

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

static ald_status random_order(ald_run *run, ald_random *random, int64_t n, int64_t **order)
{
    ALD_TRY(ald_scratch(run, n, 1, sizeof **order, order));
    ald_random_permutation(random, n, *order);
    return ALD_OK;
}

static int compare_remainders(const void *context, int64_t a, int64_t b)
{
    const double *remainder = context;
    return (remainder[a] < remainder[b]) - (remainder[a] > remainder[b]);
}

/* quota[c] rows of class c, `left` in all: each share rounded down, and one more where most was lost. The
 * order is random before the (stable) sort, so that classes of one size are treated alike. */
static ald_status share_out(ald_run *run, ald_random *random, const ald_partition *classes, double train,
                            int64_t left, int64_t *quota)
{
    double *remainder;
    int64_t *order;
    ALD_TRY(ald_scratch_reals(run, classes->n_parts, 1, &remainder));
    for (int64_t c = 0; c < classes->n_parts; c++) {
        const double share = train * (double)classes->sizes[c];
        quota[c] = (int64_t)share;
        remainder[c] = share - (double)quota[c];
        left -= quota[c];
    }
    ALD_TRY(random_order(run, random, classes->n_parts, &order));
    ALD_TRY(ald_order_sort(run, classes->n_parts, order, compare_remainders, remainder));
    for (int64_t k = 0; k < classes->n_parts && left > 0; k++) {
        if (quota[order[k]] == classes->sizes[order[k]]) continue;
        quota[order[k]]++;
        left--;
    }
    return ALD_OK;
}

ald_status ald_draw_rows(ald_run *run, ald_random *random, int64_t n, const ald_partition *classes,
                         double train, int64_t wanted, unsigned char *in_train)
{
    int64_t *quota = NULL, *order;
    memset(in_train, 0, (size_t)n);
    if (classes) {
        ALD_TRY(ald_scratch(run, classes->n_parts, 1, sizeof *quota, &quota));
        ALD_TRY(share_out(run, random, classes, train, wanted, quota));
    }
    ALD_TRY(random_order(run, random, n, &order));
    for (int64_t k = 0; k < n; k++)
        in_train[order[k]] = classes ? quota[classes->part_of[order[k]]]-- > 0 : k < wanted;
    return ALD_OK;
}

ald_status ald_draw_groups(ald_run *run, ald_random *random, int64_t n, const ald_partition *groups,
                           int64_t wanted, unsigned char *in_train)
{
    int64_t *order;
    int64_t taken = 0;
    unsigned char *chosen;
    ALD_TRY(ald_scratch(run, groups->n_parts, 1, 1, &chosen));
    ALD_TRY(random_order(run, random, groups->n_parts, &order));
    memset(chosen, 0, (size_t)groups->n_parts);
    for (int64_t k = 0; k + 1 < groups->n_parts; k++) {
        const int64_t size = groups->sizes[order[k]], lacking = wanted - taken;
        if (k > 0 && llabs(lacking - size) >= llabs(lacking)) break;
        chosen[order[k]] = 1;
        taken += size;
    }
    for (int64_t i = 0; i < n; i++) in_train[i] = chosen[groups->part_of[i]];
    return ALD_OK;
}

static int compare_parts(const void *context, int64_t a, int64_t b)
{
    const ald_partition *classes = context;
    return (classes->part_of[a] > classes->part_of[b]) - (classes->part_of[a] < classes->part_of[b]);
}

static int compare_sizes(const void *context, int64_t a, int64_t b)
{
    const ald_partition *groups = context;
    return (groups->sizes[a] < groups->sizes[b]) - (groups->sizes[a] > groups->sizes[b]);
}

/* Like cards, class by class, without beginning again at the first fold. */
ald_status ald_draw_folds(ald_run *run, ald_random *random, int64_t n, const ald_partition *classes,
                          int64_t k, int32_t *fold_of)
{
    int64_t *order;
    ALD_TRY(random_order(run, random, n, &order));
    if (classes) ALD_TRY(ald_order_sort(run, n, order, compare_parts, classes));
    for (int64_t i = 0; i < n; i++) fold_of[order[i]] = (int32_t)(i % k);
    return ALD_OK;
}

ald_status ald_draw_group_folds(ald_run *run, ald_random *random, int64_t n, const ald_partition *groups,
                                int64_t k, int32_t *fold_of)
{
    int64_t *order, *folds, *rows;
    ALD_TRY(random_order(run, random, groups->n_parts, &order));
    ALD_TRY(ald_order_sort(run, groups->n_parts, order, compare_sizes, groups));
    ALD_TRY(ald_scratch(run, groups->n_parts, 1, sizeof *folds, &folds));
    ALD_TRY(ald_scratch_clear(run, k, 1, sizeof *rows, &rows));
    for (int64_t g = 0; g < groups->n_parts; g++) {
        int64_t least = 0;
        for (int64_t f = 1; f < k; f++)
            if (rows[f] < rows[least]) least = f;
        folds[order[g]] = least;
        rows[least] += groups->sizes[order[g]];
    }
    for (int64_t i = 0; i < n; i++) fold_of[i] = (int32_t)folds[groups->part_of[i]];
    return ALD_OK;
}
