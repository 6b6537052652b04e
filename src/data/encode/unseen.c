#include "data/encode/unseen.h"

#include "data/levels/categories.h"
#include "io/table/place.h"

#include <stdio.h>
#include <string.h>

static ald_status fail_unknown_level(ald_run *run, const ald_preparation *p, const ald_feature *feature,
                                     int64_t row, double cell)
{
    const ald_table *table = p->table;
    const ald_column *column = &table->columns[feature->column];
    const int fitted = p->options->with_weights || p->options->new_classes;
    char buffer[40];
    const char *known;
    ALD_TRY(ald_names_listed(run, feature->categories->levels, feature->categories->count, &known));
    const int64_t line =
        row == 0 && column->first_text_line ? column->first_text_line : ald_table_line(table, row);
    return ald_fail_at(
        run->error, ALD_ERROR_DATA, line, column->position,
        "%s: %s holds '%.80s', which the rows the model was fitted on did not have: known are %s%s",
        table->source, ald_cell_place(table, row, feature->column, line).text,
        ald_cell_shown(column, cell, buffer, sizeof buffer), known,
        feature->means && !fitted ? "; `unseen=mean` takes the variable at its mean there" : "");
}

ald_status ald_take_unseen(ald_run *run, const ald_preparation *p, ald_feature *feature, int64_t row,
                           double cell, double *out)
{
    const int64_t width = p->ordinal ? 1 : feature->categories->count;
    if (p->unseen_is_error || !feature->means) return fail_unknown_level(run, p, feature, row, cell);
    if (feature->n_unseen++ == 0) feature->unseen = cell;
    feature->several_unseen |= memcmp(&feature->unseen, &cell, sizeof cell) != 0;
    memcpy(out, feature->means, (size_t)width * sizeof *out);
    return ALD_OK;
}

static int64_t count_unseen(const ald_preparation *p)
{
    int64_t count = 0;
    for (int64_t k = 0; k < p->n_features; k++) count += p->features[k].n_unseen > 0;
    return count;
}

static ald_unseen_note note_of(const ald_preparation *p, int64_t k)
{
    const ald_feature *feature = &p->features[k];
    ald_unseen_note note = {.feature = k, .rows = feature->n_unseen, .several = feature->several_unseen};
    char buffer[40];
    snprintf(note.column, sizeof note.column, "%s", ald_column_label(p->table, feature->column).text);
    snprintf(note.shown, sizeof note.shown, "%.60s",
             ald_cell_shown(&p->table->columns[feature->column], feature->unseen, buffer, sizeof buffer));
    return note;
}

ald_status ald_note_unseen(ald_run *run, const ald_preparation *p)
{
    ald_reading_notes *notes = &p->dataset->notes;
    const int64_t count = count_unseen(p);
    notes->unseen = ald_arena_get(&p->dataset->memory, count, 1, sizeof *notes->unseen);
    if (!notes->unseen) return ald_out_of_memory(run, count, 1, sizeof *notes->unseen);
    notes->n_unseen = 0;
    for (int64_t k = 0; k < p->n_features; k++)
        if (p->features[k].n_unseen > 0) notes->unseen[notes->n_unseen++] = note_of(p, k);
    return p->dataset->divided ? ALD_OK : ald_tell_unseen(run, p->table->source, notes);
}

ald_status ald_level_means(ald_run *run, const double *counts, int64_t n_levels, int ordinal,
                           const double **means)
{
    double total = 0.0;
    double *made;
    *means = NULL;
    for (int64_t k = 0; k < n_levels; k++) total += counts[k];
    if (!(total > 0.0)) return ALD_OK;
    ALD_TRY(ald_scratch_zeros(run, n_levels, 1, &made));
    for (int64_t k = 0; k < n_levels; k++)
        made[ordinal ? 0 : k] += counts[k] * (ordinal ? (double)k : 1.0) / total;
    *means = made;
    return ALD_OK;
}
