/* Predictions of rows by fits that did not have them. Every cell writes its own test rows, so that several
 * can at once; the means are taken afterwards, in the order of the splits, so that they do not depend on who
 * was first. */
#include "judge/compare/comparison.h"

#include "base/settings/options.h"

#include <math.h>
#include <string.h>

static ald_status count_tests(ald_run *run, ald_comparison *c)
{
    const int64_t splits = ald_splits_count(c->splits);
    ald_kept_predictions *k = &c->kept;
    k->starts = ald_arena_get(&c->memory, splits + 1, 1, sizeof *k->starts);
    if (!k->starts) return ald_out_of_memory(run, splits + 1, 1, sizeof *k->starts);
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
    *reals = ald_arena_get(&c->memory, a, b, sizeof **reals);
    if (!*reals) return ald_out_of_memory(run, a, b, sizeof **reals);
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
    k->tested = ald_arena_get(&c->memory, c->n_rows, n, sizeof *k->tested);
    if (!k->tested) return ald_out_of_memory(run, c->n_rows, n, sizeof *k->tested);
    memset(k->tested, 0, (size_t)(c->n_rows * n) * sizeof *k->tested);
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
