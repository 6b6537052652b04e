/* What can be asked of a finished comparison, and how it is freed. */
#include "judge/compare/comparison.h"

#include <math.h>

void ald_comparison_free(ald_comparison *comparison)
{
    if (!comparison) return;
    const ald_allocator allocator = comparison->allocator;
    ald_splits_free(comparison->splits);
    ald_arena_free(&comparison->memory);
    allocator.resize(allocator.user, comparison, 0);
}

const ald_splits *ald_comparison_splits(const ald_comparison *comparison)
{
    return comparison ? comparison->splits : NULL;
}

int ald_comparison_count(const ald_comparison *comparison)
{
    return comparison ? comparison->n_rows : 0;
}

static int has_row(const ald_comparison *comparison, int row)
{
    return comparison && row >= 0 && row < comparison->n_rows;
}

const char *ald_mark_name(ald_mark mark)
{
    static const char *const names[] = {
        [ALD_MARK_NONE] = "",
        [ALD_MARK_BEST] = "best",
        [ALD_MARK_EQUAL] = "not shown to be worse",
    };
    return mark > 0 && (size_t)mark < sizeof names / sizeof *names ? names[mark] : "";
}

const ald_comparison_row *ald_comparison_at(const ald_comparison *comparison, int row)
{
    return has_row(comparison, row) ? &comparison->rows[row] : NULL;
}

const char *ald_comparison_metric(const ald_comparison *comparison, int *larger_is_better)
{
    if (larger_is_better) *larger_is_better = comparison ? comparison->metric->larger_is_better : 0;
    return comparison ? comparison->metric->name : NULL;
}

const char *ald_comparison_cut(const ald_comparison *comparison)
{
    return comparison ? comparison->cut : NULL;
}

const char *ald_comparison_unmarked(const ald_comparison *comparison)
{
    return comparison ? comparison->unmarked : NULL;
}

const char *ald_comparison_metric_at(const ald_comparison *comparison, int metric)
{
    int count;
    if (!comparison) return NULL;
    const ald_metric *list = ald_metric_list(comparison->kind, &count);
    return metric >= 0 && metric < count ? list[metric].name : NULL;
}

const double *ald_comparison_values(const ald_comparison *comparison, int row, int metric)
{
    if (!has_row(comparison, row) || !ald_comparison_metric_at(comparison, metric)) return NULL;
    const int64_t splits = ald_splits_count(comparison->splits);
    return comparison->values + ((int64_t)metric * comparison->n_rows + row) * splits;
}

double ald_comparison_pooled(const ald_comparison *comparison, int row, int metric)
{
    int count;
    int64_t splits;
    if (!has_row(comparison, row) || !ald_comparison_metric_at(comparison, metric)) return (double)NAN;
    return ald_pooled_figure(comparison, &ald_metric_list(comparison->kind, &count)[metric], row, &splits);
}

const char *ald_comparison_words(const ald_comparison *comparison, int candidate, int setting)
{
    if (!comparison || candidate < 0 || candidate >= comparison->n_candidates) return NULL;
    const ald_kept_words *kept = &comparison->words[candidate];
    return setting >= 0 && setting < kept->count ? kept->words[setting] : NULL;
}

void ald_comparison_choice(const ald_comparison *comparison, int row, int64_t split, int *setting,
                           int64_t *dims)
{
    const int64_t splits = has_row(comparison, row) ? ald_splits_count(comparison->splits) : 0;
    const int exists = split >= 0 && split < splits;
    if (setting) *setting = exists ? comparison->cells[row * splits + split].setting : -1;
    if (dims) *dims = exists ? comparison->cells[row * splits + split].dims : 0;
}
