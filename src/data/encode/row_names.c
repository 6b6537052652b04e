#include "data/encode/row_names.h"

#include "base/core/text.h"

#include <string.h>

/* The name is put together in scratch and kept in the dataset's memory. */
static ald_status name_row(ald_run *run, const ald_preparation *p, int64_t row, ald_text *name, char **kept)
{
    name->length = 0;
    int first = 1;
    for (int64_t k = 0; k < p->table->n_kept; k++) {
        const ald_kept_column *column = &p->table->kept[k];
        if (!column->is_id) continue;
        if (!first) ALD_TRY(ald_text_add(run, name, "/", 1));
        ALD_TRY(ald_text_add(run, name, column->texts[row], strlen(column->texts[row])));
        first = 0;
    }
    *kept = ald_arena_text(&p->dataset->memory, name->data ? name->data : "", name->length);
    return *kept ? ALD_OK : ald_out_of_memory(run, (int64_t)name->length, 1, 1);
}

/* Where rows were left out: the row of the file that each of X comes from. */
static ald_status note_places(ald_run *run, ald_preparation *p)
{
    int64_t kept = 0;
    p->dataset->file_rows = p->table->rows;
    if (!p->dropped) return ALD_OK;
    int64_t *places = ald_arena_get(&p->dataset->memory, p->rows, 1, sizeof *places);
    if (!places) return ald_out_of_memory(run, p->rows, 1, sizeof *places);
    for (int64_t i = 0; i < p->table->rows; i++)
        if (!p->dropped[i]) places[kept++] = i;
    p->dataset->places = places;
    return ALD_OK;
}

ald_status ald_prepare_row_names(ald_run *run, ald_preparation *p)
{
    ald_text name;
    int64_t kept = 0;
    ALD_TRY(note_places(run, p));
    p->dataset->kept = p->table->kept;
    p->dataset->n_kept = p->table->n_kept;
    p->dataset->columns = p->table->columns;
    if (p->table->n_kept == 0 || !p->table->kept[0].is_id) return ALD_OK;
    char **names = ald_arena_get(&p->dataset->memory, p->rows, 1, sizeof *names);
    if (!names) return ald_out_of_memory(run, p->rows, 1, sizeof *names);
    ald_text_init(&name, &run->scratch);
    for (int64_t i = 0; i < p->table->rows; i++)
        if (!p->dropped || !p->dropped[i]) ALD_TRY(name_row(run, p, i, &name, &names[kept++]));
    p->dataset->row_names = names;
    return ALD_OK;
}
