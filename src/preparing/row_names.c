#include "preparing/row_names.h"

#include "core/text.h"
#include "preparing/categories.h"

#include <string.h>

static ald_status add_cell(ald_run *run, const ald_table *table, int64_t row, int64_t column, ald_text *name)
{
    const ald_column unnamed = {0};
    const ald_column *about = table->columns ? &table->columns[column] : &unnamed;
    const double cell = table->cells[row * table->cols + column];
    char number[40];
    if (ald_cell_is_missing(cell)) return ALD_OK;
    const char *shown = ald_cell_shown(about, cell, number, sizeof number);
    return ald_text_add(run, name, shown, strlen(shown));
}

/* The name is put together in scratch and kept in the dataset's memory. */
static ald_status name_row(ald_run *run, const ald_preparation *p, int64_t row, ald_text *name, char **kept)
{
    name->length = 0;
    for (int64_t k = 0; k < p->n_ids; k++) {
        if (k) ALD_TRY(ald_text_add(run, name, "/", 1));
        ALD_TRY(add_cell(run, p->table, row, p->ids[k], name));
    }
    *kept = ald_arena_text(&p->dataset->memory, name->data ? name->data : "", name->length);
    return *kept ? ALD_OK : ald_out_of_memory(run, (int64_t)name->length, 1, 1);
}

ald_status ald_prepare_row_names(ald_run *run, ald_preparation *p)
{
    ald_text name;
    int64_t kept = 0;
    if (p->n_ids == 0) return ALD_OK;
    if (p->table->sparse)
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "%s is sparse: its columns are numbers and name no rows: leave out `id`",
                        p->table->source);
    char **names = ald_arena_get(&p->dataset->memory, p->rows, 1, sizeof *names);
    if (!names) return ald_out_of_memory(run, p->rows, 1, sizeof *names);
    ald_text_init(&name, &run->scratch);
    for (int64_t i = 0; i < p->table->rows; i++)
        if (!p->dropped || !p->dropped[i]) ALD_TRY(name_row(run, p, i, &name, &names[kept++]));
    p->dataset->row_names = names;
    return ALD_OK;
}
