#include "preparing/unseen.h"

#include "core/text.h"
#include "levels/categories.h"
#include "table/place.h"

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

ald_status ald_tell_unseen(ald_run *run, const ald_preparation *p)
{
    int64_t cells = 0;
    ald_text list;
    ald_text_init(&list, &run->scratch);
    for (int64_t k = 0; k < p->n_features; k++) {
        const ald_feature *feature = &p->features[k];
        char buffer[40];
        if (feature->n_unseen == 0) continue;
        ALD_TRY(ald_text_print(
            run, &list, "%s%s holds '%.60s'%s in %lld row%s", cells ? ", " : "",
            ald_column_label(p->table, feature->column).text,
            ald_cell_shown(&p->table->columns[feature->column], feature->unseen, buffer, sizeof buffer),
            feature->several_unseen ? " and others" : "", (long long)feature->n_unseen,
            feature->n_unseen == 1 ? "" : "s"));
        cells += feature->n_unseen;
    }
    if (cells > 0)
        ald_log(run->context, ALD_LOG_WARNING,
                "%s: categories that the rows of the model did not have: %s; there the variable is taken at "
                "its mean (`unseen=error` refuses such rows)",
                p->table->source, list.data);
    return ALD_OK;
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
