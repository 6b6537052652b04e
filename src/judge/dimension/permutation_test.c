/* A sequential permutation test of the number of directions, for every method.
 *
 * T_k measures direction k (core/method.h, ald_relation): its eigenvalue, or -J(k) / J(k-1), what direction k
 * leaves of an objective J that k - 1 components reach; J is the method's own, or the part of the target that
 * components do not explain. T_1 is -J(1), the explained part. Larger where there is more to see. k = 0, 1,
 * ... is rejected, and the next one tried, while
 *
 *   p = (1 + number of permuted T*_{k+1} >= T_{k+1}) / (1 + permutations)   is at most the level.
 *
 * Linear maps, after Cook and Yin (2001): with z the k scores of the fit with k directions, x = x(z) + e by
 * least squares (weights enter). If k directions are enough and e does not depend on (y, z), as for normal x,
 * the rows x(z)_i + e_{pi(i)} beside y_i have the distribution of the data, pi any order; the method is
 * fitted to them with k + 1 directions. What the first k explain of y stays as it is. For k = 0 it is the
 * target (with its weights) that is permuted, which is exact for any x.
 *
 * The first k are estimated: they miss a part of what they should explain, which direction k + 1 finds in the
 * data, and which the permuted rows lack. An objective sees that most: J(k + 1) of the data profits from
 * mending the first k, so it would be below the permuted ones too often (17 of 60 draws instead of 3). The
 * ratio compares it with J(k), which has missed the same part; J*(k) is from a fit of the permuted rows with
 * k directions, which has an error of its own. What is left of this error is measured: the permuted rows are
 * data whose first k directions are known, so they are treated as the data were, with directions z* estimated
 * from them and rests that are permuted once more, which gives T**. On average T* is to T** what T is to T*.
 * So where k > 0 would be rejected, all T* are corrected, if that raises them: a ratio of objectives by
 * mean(T*) - mean(T**), an eigenvalue by the factor mean(T*) / mean(T**).
 *
 * Why a factor: let A = Z'F / n be the covariance of x with features of the target (F F' the kernel, the
 * slices, the responses), whose squared singular values the eigenvalues are. Rests that explain nothing add
 * noise G to A, and T is the largest squared singular value of G V, V the complement of the k right singular
 * vectors. These are estimated, too: they turn towards the noise, so V turns away from where the noise is
 * large, once in the data, twice in the permuted rows (whose first k have the error of the data already),
 * three times in T**. The rests have also lost k of n - 1 degrees of freedom each time. Both shrink G V as a
 * whole, its large values as much as its mean.
 *
 * Other maps (kernels, embeddings) and sparse X too large to be held dense: T_{k+1} is compared with T*_1 of
 * permuted targets for every k, the eigenvalue or the gain in the explained part of the target. What is left
 * after k directions has no more room for chance than there was at the start, so this errs on the side of
 * fewer directions.
 *
 * Permuted rows with fewer directions (a penalty leaves no coefficient) have the eigenvalue 0. T* within
 * 1e-10 of T reaches it, as does what cannot be fitted. Each permutation has its own stream. */
#include "base/core/model.h"
#include "base/numbers/number.h"
#include "base/numbers/random.h"
#include "base/settings/common_params.h"
#include "base/settings/limits.h"
#include "base/threads/jobs.h"
#include "fit/fitting/fit.h"
#include "fit/fitting/map_rows.h"
#include "judge/dimension/dimension.h"
#include "judge/evaluate/explained.h"
#include "judge/measuring/measure_explained.h"
#include "math/operator/entry.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct permuting {
    const ald_dimension_task *task;
    const ald_settings *settings; /* at most k + 1 directions; rows are scaled already where k > 0 */
    const ald_settings *fewer;    /* k directions */
    ald_relation relation;
    int compares; /* J(k + 1) with J(k) */
    int64_t n, d, k;
    const double *explained, *residual; /* n x d; NULL: the target is permuted */
    double *values;                     /* a permutation each; INFINITY: not fitted */
    double *twice;                      /* T** of the same; NULL: not asked for */
    ald_steps_ahead *steps;
} permuting;

/* Streams of random numbers: of step k, and of the rests that are permuted once more. */
enum { stream_of_step = 32, stream_of_second = 63 };

static ald_status explained_part(ald_run *run, const ald_model *model, const ald_matrix *x,
                                 const ald_target *y, double *part)
{
    const int64_t r = ald_model_component_count(model);
    double *z, *share;
    ALD_TRY(ALD_SCRATCH(run, {&z, x->rows, r}, {&share, r, 1}));
    ALD_TRY(ald_map_rows(run, model, x, z));
    ALD_TRY(ald_explained_target(run, r, z, y, share));
    *part = share[r - 1];
    return ALD_OK;
}

/* T of the last direction of the model, or -J of all of them, J what is left of 1 where it is a share. */
static ald_status permutation_test_measure(ald_run *run, ald_relation relation, const ald_model *model,
                                           const ald_matrix *x, const ald_target *y, double *t)
{
    const int64_t r = ald_model_component_count(model);
    const double *values = ald_model_reals(model, "eigenvalues", r, -1);
    const char *objective = ald_model_text(model, "alidade.resolved.objective");
    if (relation == ALD_BY_OBJECTIVE && objective && ald_parse_real(objective, strlen(objective), t)) {
        const ald_sense sense = ald_method_find(ald_model_method(model))->sense;
        if (sense == ALD_IS_SHARE) *t -= 1.0;
        if (sense == ALD_IS_MINIMISED) *t = -*t;
        return ALD_OK;
    }
    if (relation == ALD_BY_RESPONSE || relation == ALD_BY_OBJECTIVE || !values) {
        ALD_TRY(explained_part(run, model, x, y, t));
        *t -= 1.0;
        return ALD_OK;
    }
    *t = relation == ALD_BY_SMALLNESS ? -fabs(values[r - 1]) : fabs(values[r - 1]);
    return ALD_OK;
}

/* What direction k + 1 leaves of the objective, from -J(k + 1) and -J(k); some objectives are negative. Where
 * k directions explain all of the target there is nothing to find. */
static double part_left(ald_relation relation, double more, double fewer)
{
    static const double rounding = 1e-12;
    if (relation == ALD_BY_RESPONSE && fewer > -rounding) return -1.0;
    return fewer < 0.0 ? -more / fewer : more - fewer;
}

static ald_status fit_once(ald_run *run, const permuting *p, const ald_settings *settings,
                           const ald_matrix *x, const ald_target *y, double *t)
{
    ald_model *model = NULL;
    ald_status status = ald_fit_inside(run, settings, x, y, &model, run->error);
    if (status >= 0) status = permutation_test_measure(run, p->relation, model, x, y, t);
    if (status >= 0 && !p->compares && ald_model_component_count(model) <= p->k)
        *t = p->relation == ALD_BY_SMALLNESS ? INFINITY : 0.0;
    ald_model_free(model);
    return status;
}

/* T of a fit to these rows. */
static ald_status fit_and_measure(ald_run *run, const permuting *p, const ald_matrix *x, const ald_target *y,
                                  double *t)
{
    double fewer;
    ALD_TRY(fit_once(run, p, p->settings, x, y, t));
    if (!p->compares) return ALD_OK;
    ALD_TRY(fit_once(run, p, p->fewer, x, y, &fewer));
    *t = part_left(p->relation, *t, fewer);
    return ALD_OK;
}

/* x = x(z) + e with z (n x k, destroyed) scores of the rows: explained gets x(z), residual e, both n x d. */
static ald_status divide_rows(ald_run *run, const permuting *p, const double *rows, double *z,
                              double *explained, double *residual)
{
    const int64_t n = p->n, d = p->d, k = p->k;
    const double *w;
    double *mean, *along;
    ALD_TRY(ald_scratch_reals(run, d, 1, &mean));
    ALD_TRY(ald_scratch_zeros(run, k, d, &along));
    ALD_TRY(ald_scaled_weights(run, p->task->y, &w));
    ald_weighted_basis(n, k, z, w, z);
    ald_weighted_means(n, d, rows, w, mean);
    for (int64_t i = 0; i < n; i++)
        for (int64_t a = 0; a < k; a++) {
            const double weighted = z[i * k + a] * (w ? w[i] : 1.0);
            for (int64_t j = 0; j < d; j++) along[a * d + j] += weighted * (rows[i * d + j] - mean[j]);
        }
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < d; j++) {
            double sum = mean[j];
            for (int64_t a = 0; a < k; a++) sum += z[i * k + a] * along[a * d + j];
            explained[i * d + j] = sum;
            residual[i * d + j] = rows[i * d + j] - sum;
        }
    return ALD_OK;
}

/* rows: x(z) + e, the latter in this order. */
static void put_together(const permuting *p, const double *explained, const double *residual,
                         const int64_t *order, double *rows)
{
    for (int64_t i = 0; i < p->n; i++)
        for (int64_t j = 0; j < p->d; j++)
            rows[i * p->d + j] = explained[i * p->d + j] + residual[order[i] * p->d + j];
}

/* Divides permuted rows by directions estimated from them, and permutes the rests once more, in place. */
static ald_status permute_twice(ald_run *run, const permuting *p, int64_t at, int64_t *order, double *rows)
{
    const ald_matrix x = ald_matrix_row_major(rows, p->n, p->d, p->d);
    ald_random random;
    ald_model *model = NULL;
    double *z, *explained, *residual;
    ALD_TRY(ALD_SCRATCH(run, {&z, p->n, p->k}, {&explained, p->n, p->d}, {&residual, p->n, p->d}));
    ald_status status = ald_fit_inside(run, p->fewer, &x, p->task->y, &model, run->error);
    if (status >= 0) status = ald_map_rows(run, model, &x, z);
    ald_model_free(model);
    ALD_TRY(status);
    ALD_TRY(divide_rows(run, p, rows, z, explained, residual));
    ald_random_seed(&random, p->task->seed,
                    (uint64_t)1 << stream_of_second | (uint64_t)p->k << stream_of_step | (uint64_t)at);
    ald_random_permutation(&random, p->n, order);
    put_together(p, explained, residual, order, rows);
    return ALD_OK;
}

/* T* of permutation `at`, or T** where that is asked for. */
static ald_status permute(ald_run *run, const permuting *p, int64_t at, double *t)
{
    ald_matrix x = *p->task->x;
    ald_target y = *p->task->y;
    ald_random random;
    int64_t *order;
    double *rows;
    ALD_TRY(ald_scratch(run, p->n, 1, sizeof *order, &order));
    ald_random_seed(&random, p->task->seed, (uint64_t)p->k << stream_of_step | (uint64_t)at);
    ald_random_permutation(&random, p->n, order);
    if (p->residual) {
        ALD_TRY(ald_scratch_reals(run, p->n, p->d, &rows));
        put_together(p, p->explained, p->residual, order, rows);
        if (p->twice) ALD_TRY(permute_twice(run, p, at, order, rows));
        x = ald_matrix_row_major(rows, p->n, p->d, p->d);
    } else {
        ALD_TRY(ald_target_take(run, p->task->y, order, p->n, &y));
    }
    return fit_and_measure(run, p, &x, &y, t);
}

static ald_status one_permutation(void *work, const ald_run *outer, int lane, int64_t at, ald_error *error)
{
    permuting *p = work;
    double *value = &(p->twice ? p->twice : p->values)[at];
    ald_run run;
    (void)lane;
    ald_run_inside(&run, outer, error);
    const ald_status status = permute(&run, p, at, value);
    if (status < 0 || isnan(*value)) *value = INFINITY;
    ald_run_end(&run, ALD_OK);
    return ald_ends_all(status) ? status : ALD_OK;
}

/* All permutations of one step. */
static ald_status permute_all(ald_run *run, permuting *p)
{
    const ald_dimension_task *task = p->task;
    ald_settings *settings = NULL, *fewer = NULL;
    char stage[64];
    snprintf(stage, sizeof stage, "testing component %lld", (long long)p->k + 1);
    ALD_TRY(ald_refit_settings(run, task->settings, p->k + 1, &settings));
    ald_status status = ald_set_at_most(settings, run->error);
    if (status >= 0 && p->residual) {
        status = ald_set_plain_rows(settings, run->error);
        if (status >= 0) status = ald_refit_settings(run, task->settings, p->k, &fewer);
        if (status >= 0) status = ald_set_plain_rows(fewer, run->error);
    }
    p->settings = settings;
    p->fewer = fewer;
    ald_steps_ahead_enter(p->steps, p->k, p->twice != NULL);
    if (status >= 0) status = ald_jobs_run(task->wide, task->permutations, stage, one_permutation, p);
    ald_steps_ahead_leave(p->steps);
    ald_settings_free(settings);
    ald_settings_free(fewer);
    return status;
}

/* How T* are corrected: by a factor, then a sum. */
typedef struct correction {
    double factor, raised;
} correction;
static const correction unchanged = {1.0, 0.0};

static void find_p_value(const permuting *p, correction c, ald_dimension_row *row)
{
    int64_t reached = 0;
    row->failed = 0;
    for (int64_t b = 0; b < p->task->permutations; b++) {
        reached += c.factor * p->values[b] + c.raised >= row->statistic - 1e-10 * fabs(row->statistic);
        row->failed += isinf(p->values[b]) != 0;
    }
    row->permutation_p = (double)(1 + reached) / (double)(1 + p->task->permutations);
}

/* By how much T* is above T** on average, of the permutations that have both: the factor of an eigenvalue,
 * the difference of what may be negative. */
static ald_status find_correction(ald_run *run, permuting *p, correction *c)
{
    double once = 0.0, twice = 0.0;
    int64_t count = 0;
    ALD_TRY(ald_scratch_reals(run, p->task->permutations, 1, &p->twice));
    ALD_TRY(permute_all(run, p));
    for (int64_t b = 0; b < p->task->permutations; b++) {
        if (isinf(p->values[b]) || isinf(p->twice[b])) continue;
        if (p->values[b] == 0.0 || p->twice[b] == 0.0) continue; /* it has no such component */
        once += p->values[b];
        twice += p->twice[b];
        count++;
    }
    p->twice = NULL;
    *c = unchanged;
    if (once <= twice) return ALD_OK;
    if (twice > 0.0)
        c->factor = once / twice;
    else
        c->raised = (once - twice) / (double)count;
    return ALD_OK;
}

/* The first k that is not rejected; the whole table where all are. */
static int settled(const ald_dimension_task *task, int64_t k, const ald_dimension_row *row,
                   ald_dimension_choice *choice)
{
    if (choice->by_permutation < 0 && row->permutation_p > task->level) choice->by_permutation = k;
    return choice->by_permutation >= 0 && !task->every;
}

/* T of the data for direction k + 1. */
static ald_status measure_step(ald_run *run, const permuting *p, double *t)
{
    const ald_dimension_task *task = p->task;
    double fewer;
    ALD_TRY(permutation_test_measure(run, p->relation, task->models[p->k], task->x, task->y, t));
    if (!p->compares) return ALD_OK;
    ALD_TRY(permutation_test_measure(run, p->relation, task->models[p->k - 1], task->x, task->y, &fewer));
    *t = part_left(p->relation, *t, fewer);
    return ALD_OK;
}

static ald_status test_step(ald_run *run, permuting *p, ald_dimension_row *row)
{
    correction c;
    ALD_TRY(measure_step(run, p, &row->statistic));
    ALD_TRY(permute_all(run, p));
    find_p_value(p, unchanged, row);
    if (p->k == 0 || row->permutation_p > p->task->level) return ALD_OK;
    ALD_TRY(find_correction(run, p, &c));
    find_p_value(p, c, row);
    return ALD_OK;
}

/* The rows by the scores of the fit with k directions. */
static ald_status divide_data(ald_run *run, permuting *p, const double *rows, double *explained,
                              double *residual)
{
    double *z;
    ALD_TRY(ald_scratch_reals(run, p->n, p->k, &z));
    ALD_TRY(ald_map_rows(run, p->task->models[p->k - 1], p->task->x, z));
    p->explained = explained;
    p->residual = residual;
    return divide_rows(run, p, rows, z, explained, residual);
}

/* Whether there is no test of direction k + 1, which is reported; the number of directions is then
 * unknown. */
static int ends_untested(const permuting *p, ald_dimension_choice *choice)
{
    if (p->k < p->steps->tested) return 0;
    snprintf(choice->note, sizeof choice->note, "there is a first component; further ones are not tested: %s",
             p->task->method->untested_classes);
    return 1;
}

/* T of all components beside the last T*; ratios of objectives are not like those of the first. */
static ald_status look_ahead(ald_run *run, const permuting *p, const ald_dimension_row *rows, int by_share)
{
    const ald_dimension_task *task = p->task;
    double *t;
    if (p->relation == ALD_BY_OBJECTIVE || (by_share && p->k > 0)) return ALD_OK;
    ALD_TRY(ald_scratch_reals(run, task->count, 1, &t));
    for (int64_t k = 0; k < task->count; k++) {
        t[k] = rows[k].y_share - (k > 0 ? rows[k - 1].y_share : 0.0) - 1.0;
        if (by_share) continue;
        ALD_TRY(permutation_test_measure(run, p->relation, task->models[k], task->x, task->y, &t[k]));
    }
    ald_steps_ahead_learn(p->steps, t, p->values);
    return ALD_OK;
}

static ald_status test_linear(ald_run *run, permuting *p, ald_dimension_row *rows,
                              ald_dimension_choice *choice)
{
    const ald_dimension_task *task = p->task;
    const int has_objective = p->relation == ALD_BY_OBJECTIVE || p->relation == ALD_BY_RESPONSE ||
                              !ald_model_reals(task->models[0], "eigenvalues", 1, -1);
    double *plain = NULL, *explained = NULL, *residual = NULL;
    for (p->k = 0; p->k < task->count; p->k++) {
        const uint64_t mark = ald_arena_mark(&run->scratch);
        if (ends_untested(p, choice)) return ALD_OK;
        p->compares = has_objective && p->k > 0;
        if (p->k > 0) ALD_TRY(divide_data(run, p, plain, explained, residual));
        ALD_TRY(test_step(run, p, &rows[p->k]));
        ALD_TRY(look_ahead(run, p, rows, has_objective));
        if (settled(task, p->k, &rows[p->k], choice)) break;
        ald_arena_release(&run->scratch, mark);
        if (p->k > 0 || task->count == 1) continue;
        ALD_TRY(ald_write_scaled_rows(run, task, &plain));
        ALD_TRY(ALD_SCRATCH(run, {&explained, p->n, p->d}, {&residual, p->n, p->d}));
    }
    return ALD_OK;
}

static ald_status test_others(ald_run *run, permuting *p, ald_dimension_row *rows,
                              ald_dimension_choice *choice)
{
    const ald_dimension_task *task = p->task;
    double before = -1.0; /* nothing is explained */
    if (p->relation == ALD_BY_OBJECTIVE) p->relation = ALD_BY_RESPONSE;
    const int gains =
        p->relation == ALD_BY_RESPONSE || !ald_model_reals(task->models[0], "eigenvalues", 1, -1);
    ALD_TRY(permute_all(run, p));
    for (int64_t k = 0; k < task->count; k++) {
        double t;
        ALD_TRY(permutation_test_measure(run, p->relation, task->models[k], task->x, task->y, &t));
        rows[k].statistic = gains ? t - before : t;
        before = t;
        find_p_value(p, (correction){1.0, gains ? 1.0 : 0.0}, &rows[k]); /* T* over -1 too */
        if (settled(task, k, &rows[k], choice)) break;
    }
    snprintf(choice->note, sizeof choice->note,
             "every component is compared with the first one of permuted targets, which errs towards fewer "
             "components");
    return ALD_OK;
}

static const char *name_of(ald_relation relation, int linear)
{
    if (relation == ALD_BY_EIGENVALUE) return "the eigenvalue of component k";
    if (relation == ALD_BY_SMALLNESS) return "the eigenvalue of component k, small ones first";
    if (!linear) return "what component k adds to the explained part";
    return relation == ALD_BY_OBJECTIVE ? "the objective that remains after component k"
                                        : "what component k leaves unexplained of the target";
}

ald_status ald_test_permutations(ald_run *run, const ald_dimension_task *task, ald_dimension_row *rows,
                                 ald_dimension_choice *choice)
{
    const char *map = ald_model_text(task->models[0], "alidade.map");
    const double entries = (double)task->x->rows * (double)task->x->cols;
    const int fits = task->x->storage == ALD_DENSE || entries <= ALD_PERMUTED_ENTRIES;
    const int linear = fits && strcmp(map, "linear") == 0;
    ald_steps_ahead steps;
    permuting p = {.task = task, .relation = task->method->relation, .n = task->x->rows, .d = task->x->cols};
    p.steps = &steps;
    ALD_TRY(ald_steps_ahead_begin(run, task, rows, linear, &steps));
    ALD_TRY(ald_scratch_reals(run, task->permutations, 1, &p.values));
    snprintf(choice->statistic, sizeof choice->statistic, "%s", name_of(p.relation, linear));
    ALD_TRY(linear ? test_linear(run, &p, rows, choice) : test_others(run, &p, rows, choice));
    ald_steps_ahead_end(&steps);
    if (choice->by_permutation < 0 && isfinite(rows[task->count - 1].permutation_p))
        choice->by_permutation = task->count;
    return ALD_OK;
}
