#include "io/table/csr.h"

#include "io/table/grow.h"
#include "io/table/order.h"

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
    table->pointers = ald_arena_get(table->arena, rows + 1, 1, sizeof *table->pointers);
    if (!table->pointers) return ald_out_of_memory(run, rows + 1, 1, sizeof *table->pointers);
    table->indices = ald_arena_get(table->arena, entries, 1, sizeof *table->indices);
    if (!table->indices) return ald_out_of_memory(run, entries, 1, sizeof *table->indices);
    table->values = ald_arena_get(table->arena, entries, 1, sizeof *table->values);
    return table->values ? ALD_OK : ald_out_of_memory(run, entries, 1, sizeof *table->values);
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
