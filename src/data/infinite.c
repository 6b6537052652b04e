/* Infinite cells: only those of columns that are in use are a fault. */
#include "data/prepare.h"

static ald_status check_column(ald_run *run, const ald_table *table, int64_t column)
{
    if (!table->columns || column < 0 || table->columns[column].n_infinite == 0) return ALD_OK;
    const ald_column *of = &table->columns[column];
    const int64_t line = table->has_lines ? of->first_infinite_line : 0;
    return ald_fail_at(run->error, ALD_ERROR_DATA, line, of->position,
                       "%s: %s is infinite, or too large for a number: take the row out, leave the cell empty "
                       "(missing), or leave the column out with --ignore",
                       table->source, ald_cell_place(table, of->first_infinite_line - 1, column, line).text);
}

ald_status ald_refuse_infinite(ald_run *run, const ald_preparation *p)
{
    for (int64_t k = 0; k < p->n_features; k++) ALD_TRY(check_column(run, p->table, p->features[k].column));
    for (int64_t k = 0; p->target_table && k < p->n_targets; k++)
        ALD_TRY(check_column(run, p->target_table, p->targets[k]));
    return check_column(run, p->table, p->weights);
}
