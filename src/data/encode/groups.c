/* Groups of rows and given parts: columns that are no features but say which rows belong together. */
#include "data/encode/preparation.h"
#include "data/levels/categories.h"
#include "io/table/partition.h"
#include "io/table/table.h"

#include <strings.h>

/* part_of of the rows that stay, in the dataset's memory. */
static ald_status keep_numbers(ald_run *run, const ald_preparation *p, const ald_partition *partition,
                               int64_t **numbers)
{
    int64_t kept = 0;
    ALD_TRY(ald_get(run, &p->dataset->memory, p->rows, 1, sizeof **numbers, numbers));
    for (int64_t i = 0; i < p->table->rows; i++)
        if (!p->dropped || !p->dropped[i]) (*numbers)[kept++] = partition->part_of[i];
    return ALD_OK;
}

static double cell_of(const ald_table *table, int64_t row, int64_t column)
{
    return table->cells[row * table->cols + column];
}

/* What the cells of part `part` say. */
static const char *name_of(const ald_preparation *p, const ald_partition *parts, int64_t part, char *text,
                           size_t size)
{
    const ald_table *table = p->split_table;
    const ald_column unnamed = {0};
    const ald_column *column = table->columns ? &table->columns[p->split] : &unnamed;
    int64_t row = 0;
    while (parts->part_of[row] != part) row++;
    return ald_cell_shown(column, cell_of(table, row, p->split), text, size);
}

/* train and test, or 0 and 1: there is one split only, and which part it tests on. */
static int64_t find_test(const ald_preparation *p, const ald_partition *parts)
{
    static const char *const pairs[][2] = {{"train", "test"}, {"training", "test"}, {"0", "1"}};
    char room[2][40];
    if (parts->n_parts != 2) return 0;
    const char *const names[2] = {
        name_of(p, parts, 0, room[0], sizeof room[0]),
        name_of(p, parts, 1, room[1], sizeof room[1]),
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        for (int first = 0; first < 2; first++)
            if (strcasecmp(names[first], pairs[i][0]) == 0 && strcasecmp(names[1 - first], pairs[i][1]) == 0)
                return 2 - first;
    return 0;
}

static ald_status check_split(ald_run *run, const ald_preparation *p)
{
    const ald_table *table = p->split_table;
    if (table->sparse)
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "%s is sparse: assign its rows to parts in a file (`split_file`)", table->source);
    for (int64_t i = 0; i < table->rows; i++) {
        if (p->dropped && p->dropped[i]) continue;
        if (ald_cell_is_missing(cell_of(table, i, p->split)))
            return ald_fail_at(run->error, ALD_ERROR_DATA, ald_table_line(table, i), p->split + 1,
                               "%s: %s has no value, so the row is in no part of the split", table->source,
                               ald_cell_place(table, i, p->split, 0).text);
    }
    return ALD_OK;
}

ald_status ald_prepare_groups(ald_run *run, ald_preparation *p)
{
    ald_partition partition;
    if (p->n_groups > 0) {
        ALD_TRY(ald_partition_rows(run, p->table, p->groups, p->n_groups, &partition));
        ALD_TRY(keep_numbers(run, p, &partition, &p->dataset->groups));
    }
    if (!p->split_table) return ALD_OK;
    ALD_TRY(check_split(run, p));
    ALD_TRY(ald_partition_rows(run, p->split_table, &p->split, 1, &partition));
    p->dataset->n_parts = partition.n_parts;
    p->dataset->test_part = find_test(p, &partition);
    return keep_numbers(run, p, &partition, &p->dataset->parts);
}
