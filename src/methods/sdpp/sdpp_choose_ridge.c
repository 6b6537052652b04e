/* With about as many columns as rows W can bring J to 0 on the rows of the fit, whatever the target, and
 * knows nothing of others. There the ridge is chosen by rows that are kept out:
 *
 *   the rows are divided into four folds (300 rows or more: one quarter is kept out, once). For each of a few
 *   values of ridge_rel W is fitted to the pairs without a row of the fold, and J is taken of the others.
 *
 * The largest value is taken whose J, added up over the folds, is within a fifth of the lowest: the
 * curve is flat about its minimum, and of two that do as well the smoother W errs less on new rows.
 *
 * Cost: up to 24 runs of the conjugate gradient, short ones, from one start each. */
#include "methods/sdpp/sdpp_starts.h"

#include "base/numbers/random.h"
#include "base/threads/pacing.h"

#include <math.h>

static const double candidates[] = {0.3, 0.1, 0.03, 0.01, 0.003, 0.001};
enum { n_candidates = sizeof candidates / sizeof *candidates };
enum { n_folds = 4, many_rows = 300, fewest_rows = 12, most_steps = 200, usual_r = 2 };
static const double columns_per_row = 0.8, slack = 1.2, rough_tol = 1e-4;

static int folds_of(int64_t n)
{
    return n < many_rows ? n_folds : 1;
}

/* J of the pairs kept out, after a fit of the others with this ridge. */
static ald_status try_ridge(ald_run *run, const ald_sdpp_solving *s, const ald_sdpp_watch *fold, double ridge,
                            double *value)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ald_sdpp_solving t = *s;
    ald_sdpp_watch watch = *fold;
    double *w;
    t.stress.ridge = ridge;
    t.stress.pairs = &watch.fitted;
    t.starts = 1;
    t.max_iter = t.max_iter < most_steps ? t.max_iter : most_steps;
    t.settings.tol = fmax(t.settings.tol, rough_tol);
    watch.stress = &t.stress;
    ALD_TRY(ald_sdpp_find_scale(run, &t));
    ALD_TRY(ald_scratch_reals(run, t.basis.p, t.r, &w));
    ALD_TRY(ald_stress_prepare(run, &t.stress, t.r, 1));
    ALD_TRY(ald_sdpp_run_starts(run, &t, NULL, w));
    const ald_objective objective = ald_stress_objective(&t.stress);
    ALD_TRY(objective.place(run, objective.self, w, t.r, 1));
    *value += ald_sdpp_watch_value(&watch);
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

/* Adds the values of all candidates with the rows of one fold kept out. */
static ald_status try_fold(ald_run *run, ald_sdpp_solving *s, const int64_t *order, int fold, double unit,
                           ald_within_stage *stage, double *values)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    const int64_t n = s->pairs->pairs.n;
    ald_sdpp_watch watch;
    unsigned char *out;
    int usable;
    ALD_TRY(ald_scratch(run, n, 1, 1, &out));
    for (int64_t i = 0; i < n; i++) out[order[i]] = i % n_folds == fold;
    ALD_TRY(ald_sdpp_watch_rows(run, &s->stress, out, s->r, &watch, &usable));
    for (int c = 0; usable && c < n_candidates; c++) {
        const double part = 1.0 / (n_candidates * folds_of(n));
        ald_within_next(stage, part * (fold * n_candidates + c), part);
        ALD_TRY(try_ridge(run, s, &watch, candidates[c] * unit, &values[c]));
    }
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

/* The values go from the largest ridge to the smallest. */
static double choose(const double *values)
{
    double lowest = INFINITY;
    int c = 0;
    for (int k = 0; k < n_candidates; k++) lowest = fmin(lowest, values[k]);
    while (c < n_candidates - 1 && !(values[c] <= slack * lowest)) c++;
    return candidates[c];
}

static ald_status tell(ald_run *run, const ald_sdpp_solving *s, double relative)
{
    ald_log(run, ALD_LOG_INFO,
            "with about as many columns (%lld) as rows (%.0f), or more, sdpp would fit noise: `ridge_rel=%g` "
            "was chosen on held-out rows; set `ridge_rel` (0 for none) to decide yourself",
            (long long)s->problem->d, s->pairs->rows, relative);
    ALD_TRY(ald_model_set_real(run, s->model, "alidade.resolved.ridge_rel", relative));
    return ald_model_set_real(run, s->model, "alidade.resolved.ridge", s->stress.ridge);
}

/* The sums of all folds. */
static ald_status try_all(ald_run *run, ald_sdpp_solving *s, double unit, double *values)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    const int64_t n = s->pairs->pairs.n;
    ald_random random;
    int64_t *order;
    ald_within_stage stage;
    ald_status status = ALD_OK;
    ALD_TRY(ald_scratch(run, n, 1, sizeof *order, &order));
    ald_random_seed(&random, s->seed, 3000);
    ald_random_permutation(&random, n, order);
    ald_within_enter(run, "choosing the ridge", &stage);
    for (int fold = 0; status >= 0 && fold < folds_of(n); fold++)
        status = try_fold(run, s, order, fold, unit, &stage, values);
    ald_within_leave(&stage);
    ald_arena_release(&run->scratch, mark);
    return status;
}

static int chooses(const ald_sdpp_settings *settings, int64_t d, double rows)
{
    return settings->chooses_ridge && (double)d >= columns_per_row * rows;
}

double ald_sdpp_ridge_runs(const ald_sdpp_settings *settings, int64_t n, int64_t d)
{
    return chooses(settings, d, (double)n) ? (double)(n_candidates * folds_of(n)) : 0.0;
}

ald_status ald_sdpp_choose_ridge(ald_run *run, const ald_operator *z, ald_sdpp_solving *s)
{
    double values[n_candidates] = {0.0}, unit;
    ald_sdpp_solving t = *s;
    if (!chooses(&s->settings, s->problem->d, s->pairs->rows)) return ALD_OK;
    if (s->problem->remote)
        return ald_fail(
            run->error, ALD_ERROR_UNSUPPORTED,
            "with about as many columns (%lld) as rows (%.0f) sdpp chooses a ridge on held-out rows, which "
            "is not available for rows divided among processes: set `ridge_rel` (0 for none), or fit it in "
            "one process",
            (long long)s->problem->d, s->pairs->rows);
    if (s->pairs->pairs.n < fewest_rows) return ALD_OK;
    if (t.r == 0) t.r = t.basis.p < usual_r ? t.basis.p : usual_r;
    ALD_TRY(ald_sdpp_ridge_unit(run, z, s->seed, &s->stress, &unit));
    ALD_TRY(try_all(run, &t, unit, values));
    const double relative = choose(values);
    s->stress.ridge = relative * unit;
    return tell(run, s, relative);
}
