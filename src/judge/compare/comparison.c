/* What can be asked of a finished comparison, and how it is freed. */
#include "judge/compare/comparison.h"

#include "base/core/error.h"
#include "base/core/text.h"
#include "base/settings/options.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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

/* Number `at` of those that such splits have. */
static const ald_metric *metric_at(const ald_comparison *comparison, int at)
{
    int count = 0;
    const ald_metric *list = comparison ? ald_metric_list(comparison->metrics, &count) : NULL;
    for (int k = 0; k < count; k++)
        if (!(comparison->random && list[k].pool == ALD_POOL_ROOT) && at-- == 0) return &list[k];
    return NULL;
}

const char *ald_comparison_metric_at(const ald_comparison *comparison, int metric)
{
    const ald_metric *found = metric_at(comparison, metric);
    return found ? found->name : NULL;
}

const double *ald_comparison_values(const ald_comparison *comparison, int row, int metric)
{
    const ald_metric *found = metric_at(comparison, metric);
    if (!has_row(comparison, row) || !found) return NULL;
    const int64_t splits = ald_splits_count(comparison->splits);
    return comparison->values + ((int64_t)found->number * comparison->n_rows + row) * splits;
}

double ald_comparison_pooled(const ald_comparison *comparison, int row, int metric)
{
    const ald_metric *found = metric_at(comparison, metric);
    int64_t splits;
    if (!has_row(comparison, row) || !found) return (double)NAN;
    return ald_pooled_figure(comparison, found, row, &splits);
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

/* A comparison as a table to be read. */

enum { longest_name = 200 };

/* "pls scale=standard". */
static int name_of(const ald_comparison_row *row, char name[longest_name])
{
    snprintf(name, longest_name, "%s%s%s", row->label, *row->words ? " " : "", row->words);
    return (int)strlen(name);
}

static const char *components_of(const ald_comparison_row *row, char text[24])
{
    if (row->dims < 0) return "chosen";
    snprintf(text, 24, "%lld", (long long)row->dims);
    return row->dims == 0 ? "-" : text;
}

/* With four decimals where that suits all means, else with four digits. */
typedef struct layout {
    int width; /* of the names */
    int fixed;
} layout;

static const char *number_of(const layout *l, double number, char text[24])
{
    snprintf(text, 24, l->fixed ? "%.4f" : "%.3e", number);
    return isnan(number) ? "-" : text;
}

static layout layout_of(const ald_comparison *c)
{
    layout l = {.width = (int)strlen("method"), .fixed = 1};
    char name[longest_name];
    for (int i = 0; i < c->n_rows; i++) {
        const double size = fabs(c->rows[i].mean);
        const int length = name_of(&c->rows[i], name);
        if (length > l.width) l.width = length;
        if (size >= 1e5 || (size > 0.0 && size < 0.01)) l.fixed = 0;
    }
    return l;
}

static ald_status write_row(ald_run *run, const layout *l, const ald_comparison_row *row, ald_text *text)
{
    const char *mark = ald_mark_name(row->mark);
    char name[longest_name], components[24], mean[24], deviation[24];
    name_of(row, name);
    return ald_text_print(run, text, "%-*s  %10s  %10s  %10s%s%s\n", l->width, name,
                          components_of(row, components), number_of(l, row->mean, mean),
                          number_of(l, row->std, deviation), *mark ? "  " : "", mark);
}

static ald_status write_table(ald_run *run, const ald_comparison *c, ald_text *text)
{
    const layout l = layout_of(c);
    ALD_TRY(ald_text_print(run, text, "%-*s  %10s  %10s  %10s\n", l.width, "method", "components",
                           c->metric->name, "std"));
    for (int i = 0; i < c->n_rows; i++) ALD_TRY(write_row(run, &l, &c->rows[i], text));
    return ALD_OK;
}

ald_status ald_comparison_text(ald_context *context, const ald_comparison *comparison, char **text,
                               ald_error *error)
{
    ald_run run;
    ald_text table;
    if (text) *text = NULL;
    ALD_GIVEN(error, context, comparison, text);
    ald_run_begin(&run, context, error);
    ald_text_init(&table, &run.scratch);
    ald_status status = write_table(&run, comparison, &table);
    if (status >= 0) status = ald_text_hand_out(&run, &table, text);
    return ald_run_end(&run, status);
}

/* Predictions of rows by fits that did not have them. Every cell writes its own test rows, so that several
 * can at once; the means are taken afterwards, in the order of the splits, so that they do not depend on who
 * was first. */

static ald_status count_tests(ald_run *run, ald_comparison *c)
{
    const int64_t splits = ald_splits_count(c->splits);
    ald_kept_predictions *k = &c->kept;
    ALD_TRY(ald_get(run, &c->memory, splits + 1, 1, sizeof *k->starts, &k->starts));
    k->starts[0] = 0;
    for (int64_t s = 0; s < splits; s++) {
        int64_t n_train, n_test;
        ald_splits_rows(c->splits, s, NULL, &n_train, NULL, &n_test);
        k->starts[s + 1] = k->starts[s] + n_test;
    }
    k->tests = k->starts[splits];
    return ALD_OK;
}

static ald_status get_reals(ald_run *run, ald_comparison *c, int64_t a, int64_t b, double **reals)
{
    ALD_TRY(ald_get(run, &c->memory, a, b, sizeof **reals, reals));
    for (int64_t i = 0; i < a * b; i++) (*reals)[i] = NAN;
    return ALD_OK;
}

ald_status ald_out_of_fold_begin(ald_run *run, const ald_subset *data, ald_comparison *c)
{
    ald_kept_predictions *k = &c->kept;
    const int64_t n = data->x.rows, outputs = ald_target_outputs(&data->y);
    *k = (ald_kept_predictions){.rows = n, .outputs = outputs};
    ALD_TRY(count_tests(run, c));
    ALD_TRY(get_reals(run, c, c->n_rows * n, outputs, &k->mean));
    if (c->kind == ALD_TARGET_CLASSES) ALD_TRY(get_reals(run, c, c->n_rows, n, &k->classes));
    ALD_TRY(ald_get_clear(run, &c->memory, c->n_rows, n, sizeof *k->tested, &k->tested));
    return get_reals(run, c, c->n_rows * k->tests, outputs, &k->cells);
}

ald_status ald_out_of_fold_places(ald_run *run, const ald_comparison *c, int row, int count, int64_t split,
                                  double ***places)
{
    const ald_kept_predictions *k = &c->kept;
    *places = NULL;
    if (!k->cells) return ALD_OK;
    ALD_TRY(ald_scratch(run, count, 1, sizeof **places, places));
    for (int i = 0; i < count; i++)
        (*places)[i] = k->cells + ((row + i) * k->tests + k->starts[split]) * k->outputs;
    return ALD_OK;
}

/* Adds the scores of one test row to its sums. */
static void add_scores(const ald_kept_predictions *k, const double *scores, double *sums, int64_t *tested)
{
    for (int64_t j = 0; j < k->outputs; j++)
        if (isnan(scores[j])) return;
    for (int64_t j = 0; j < k->outputs; j++) sums[j] = (*tested ? sums[j] : 0.0) + scores[j];
    ++*tested;
}

static double largest(int64_t q, const double *scores)
{
    int64_t best = 0;
    for (int64_t j = 1; j < q; j++)
        if (scores[j] > scores[best]) best = j;
    return (double)best;
}

static void average(const ald_kept_predictions *k, int row)
{
    const int64_t n = k->rows, q = k->outputs;
    for (int64_t i = row * n; i < (row + 1) * n; i++) {
        for (int64_t j = 0; k->tested[i] && j < q; j++) k->mean[i * q + j] /= (double)k->tested[i];
        if (k->classes && k->tested[i]) k->classes[i] = largest(q, k->mean + i * q);
    }
}

ald_status ald_out_of_fold_finish(ald_run *run, ald_comparison *c)
{
    ald_kept_predictions *k = &c->kept;
    const int64_t n = k->rows, q = k->outputs;
    for (int64_t s = 0; s < ald_splits_count(c->splits); s++) {
        const uint64_t mark = ald_arena_mark(&run->scratch);
        ald_split_parts p;
        ALD_TRY(ald_splits_list(run, c->splits, s, &p));
        for (int row = 0; row < c->n_rows; row++)
            for (int64_t i = 0; i < p.n_test; i++)
                add_scores(k, k->cells + (row * k->tests + k->starts[s] + i) * q,
                           k->mean + (row * n + p.test[i]) * q, k->tested + row * n + p.test[i]);
        ald_arena_release(&run->scratch, mark);
    }
    for (int row = 0; row < c->n_rows; row++) average(k, row);
    ald_arena_drop(&c->memory, k->cells);
    k->cells = NULL;
    return ALD_OK;
}

ald_status ald_comparison_predictions(const ald_comparison *comparison, int row, ald_out_of_fold *predictions,
                                      ald_error *error)
{
    ald_clear_error(error);
    ALD_TRY(ALD_OPTIONS_CHECK(error, ald_out_of_fold, predictions));
    if (!comparison || row < 0 || row >= comparison->n_rows)
        return ald_fail(error, ALD_ERROR_ARGUMENT, "there is no row %d in this comparison", row);
    const ald_kept_predictions *k = &comparison->kept;
    if (!k->mean)
        return ald_fail(error, ALD_ERROR_ARGUMENT, "predictions were not kept: set `keep_predictions`");
    const ald_out_of_fold whole = {
        .size = sizeof whole,
        .rows = k->rows,
        .outputs = k->outputs,
        .mean = k->mean + row * k->rows * k->outputs,
        .classes = k->classes ? k->classes + row * k->rows : NULL,
        .tested = k->tested + row * k->rows,
    };
    ALD_OPTIONS_WRITE(ald_out_of_fold, &whole, predictions);
    return ALD_OK;
}
