#include "io/reading/kept.h"

#include "base/numbers/number.h"
#include "io/table/columns.h"

#include <string.h>

/* The columns of a list in its order, behind those that are there. */
static ald_status keep_list(ald_run *run, ald_table *table, const char *list, const char *option, int is_id)
{
    int64_t *rank;
    int64_t count;
    if (!list) return ALD_OK;
    ALD_TRY(ald_scratch(run, table->cols, 1, sizeof *rank, &rank));
    ALD_TRY(ald_columns_choose(run, table, list, option, rank, &count));
    for (int64_t j = 0; j < table->cols; j++)
        if (rank[j])
            table->kept[table->n_kept + rank[j] - 1] = (ald_kept_column){.column = j, .is_id = is_id};
    table->n_kept += count;
    ald_arena_drop(&run->scratch, rank);
    return ALD_OK;
}

/* By name; by position where nothing has a name and the file has the layout of the model's. */
static int64_t find_known(const ald_table *table, const ald_known_id *id)
{
    int named = 0;
    for (int64_t j = 0; table->columns && j < table->cols; j++) {
        const char *name = table->columns[j].name;
        if (name && id->name && strcmp(name, id->name) == 0) return j;
        named |= name != NULL;
    }
    return !named && table->cols == table->known_columns && id->position >= 1 && id->position <= table->cols
               ? id->position - 1
               : -1;
}

/* A column that is listed twice is kept once. */
static void drop_repeated(ald_table *table)
{
    int64_t kept = 0;
    for (int64_t k = 0; k < table->n_kept; k++) {
        int64_t earlier = 0;
        while (earlier < kept && table->kept[earlier].column != table->kept[k].column) earlier++;
        if (earlier == kept) table->kept[kept++] = table->kept[k];
    }
    table->n_kept = kept;
}

ald_status ald_kept_choose(ald_run *run, const ald_load_options *options, ald_table *table)
{
    if (!options->id && !options->keep && table->n_known_ids == 0 && !table->id_column) return ALD_OK;
    if (table->cols > INT64_MAX / 4) return ald_out_of_memory(run, table->cols, 2, sizeof *table->kept);
    const int64_t room = 2 * table->cols + table->n_known_ids + 1;
    table->kept = ald_arena_get(table->arena, room, 1, sizeof *table->kept);
    if (!table->kept) return ald_out_of_memory(run, room, 1, sizeof *table->kept);
    if (table->id_column)
        table->kept[table->n_kept++] = (ald_kept_column){.column = table->id_column - 1, .is_id = 1};
    for (int64_t k = 0; k < table->n_known_ids; k++) {
        const int64_t column = find_known(table, &table->known_ids[k]);
        if (column >= 0) table->kept[table->n_kept++] = (ald_kept_column){.column = column, .is_id = 1};
    }
    ALD_TRY(keep_list(run, table, options->id, "`id`", 1));
    ALD_TRY(keep_list(run, table, options->keep, "`keep`", 0));
    drop_repeated(table);
    return ALD_OK;
}

static ald_status cell_as_text(ald_run *run, const ald_table *table, int64_t row, int64_t column, char **text)
{
    const double cell = table->cells[row * table->cols + column];
    char number[ALD_REAL_TEXT_SIZE] = "";
    const char *shown = number;
    int64_t level;
    if (ald_cell_is_text(cell, &level) && table->columns && level < table->columns[column].n_levels)
        shown = table->columns[column].levels[level];
    else if (!ald_cell_is_missing(cell))
        ald_format_real(cell, number);
    *text = ald_arena_text(table->arena, shown, strlen(shown));
    return *text ? ALD_OK : ald_out_of_memory(run, (int64_t)strlen(shown), 1, 1);
}

ald_status ald_kept_fill(ald_run *run, ald_table *table)
{
    if (table->n_kept > 0 && table->sparse)
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "%s is sparse: its columns are numbers and name no rows: leave out `id` and `keep`",
                        table->source);
    for (int64_t k = 0; k < table->n_kept; k++) {
        ald_kept_column *kept = &table->kept[k];
        if (kept->texts) continue;
        kept->texts = ald_arena_get(table->arena, table->rows, 1, sizeof *kept->texts);
        if (!kept->texts) return ald_out_of_memory(run, table->rows, 1, sizeof *kept->texts);
        for (int64_t i = 0; i < table->rows; i++)
            ALD_TRY(cell_as_text(run, table, i, kept->column, &kept->texts[i]));
    }
    return ALD_OK;
}
