/* Fits to resamples of the rows, and the angles between their projections and that of a fit to all rows. */
#include "judge/dimension/dimension.h"

#include "base/core/error.h"
#include "base/core/tryout.h"
#include "base/numbers/random.h"
#include "base/settings/common_params.h"
#include "base/settings/settings.h"
#include "base/threads/jobs.h"
#include "fit/fitting/fit.h"
#include "fit/fitting/map_rows.h"
#include "fit/prepare/prepare_x.h"
#include "judge/evaluate/explained.h"
#include "judge/measuring/measure_explained.h"
#include "judge/splitting/subset.h"
#include "math/linalg/linalg.h"
#include "math/operator/entry.h"
#include "math/operator/operator.h"
#include "methods/predict/predictor.h"

#include <alidade/importance.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Settings for fitting again what was fitted: with another number of directions, and nothing but directions.
 */

/* What only costs time in a fit that is compared and thrown away. */
static ald_status leave_out(ald_settings *settings, int64_t n_components, ald_error *error)
{
    ALD_TRY(ald_unset_predictor(settings, error));
    ALD_TRY(ald_set_keep_statistics(settings, 0, error));
    return ald_set_n_components(settings, n_components, error);
}

/* Values at their default are not set, as some methods choose by the data where nothing was given. */
static ald_status copy_values(const ald_model *model, ald_settings *to, ald_error *error)
{
    const ald_param *param;
    char key[128];
    for (int i = 0; (param = ald_method_param(ald_settings_method(to), i)) != NULL; i++) {
        snprintf(key, sizeof key, "alidade.param.%s", param->name);
        const char *value = ald_model_text(model, key);
        if (!value || strcmp(value, ald_settings_text(to, param->name)) == 0) continue;
        ALD_TRY(ald_settings_set_text(to, param->name, value, error));
    }
    return ALD_OK;
}

static ald_status finish(ald_status status, ald_settings **settings)
{
    if (status >= 0) return status;
    ald_settings_free(*settings);
    *settings = NULL;
    return status;
}

ald_status ald_refit_settings(ald_run *run, const ald_settings *from, int64_t n_components, ald_settings **to)
{
    ALD_TRY(ald_settings_clone(run, from, to, run->error));
    return finish(leave_out(*to, n_components, run->error), to);
}

ald_status ald_settings_of_model(ald_context *context, const ald_model *model, ald_settings **to,
                                 ald_error *error)
{
    ALD_TRY(ald_settings_new(context, ald_model_method(model), to, error));
    return finish(copy_values(model, *to, error), to);
}

ald_status ald_refit_model(ald_context *context, const ald_model *model, ald_settings **to, ald_error *error)
{
    const char *start = ald_model_text(model, "alidade.resolved.start");
    if (start && strstr(start, "given"))
        return ald_fail(error, ALD_ERROR_UNSUPPORTED,
                        "the model began from a start that was given, which it does not keep: it cannot be "
                        "fitted again to other rows");
    ALD_TRY(ald_settings_of_model(context, model, to, error));
    return finish(leave_out(*to, ald_model_component_count(model), error), to);
}

ald_status ald_write_scaled_rows(ald_run *run, const ald_dimension_task *task, double **rows)
{
    ald_operator prepared = {.x = *task->x};
    ALD_TRY(ald_prepare_rows_alone(run, task->settings, &prepared));
    ALD_TRY(ald_scratch_reals(run, task->x->rows, task->x->cols, rows));
    if (task->x->storage == ALD_DENSE)
        return ald_operator_rows(run, &prepared, 0, ald_at(*rows, task->x->rows, task->x->cols));
    for (int64_t i = 0, at = 0; i < task->x->rows; i++)
        for (int64_t j = 0; j < task->x->cols; j++, at++)
            (*rows)[at] =
                (ald_matrix_at(task->x, i, j) - (prepared.row_shift ? prepared.row_shift[i] : 0.0)) *
                (prepared.row_factor ? prepared.row_factor[i] : 1.0);
    return ALD_OK;
}

int ald_ends_all(ald_status status)
{
    return status == ALD_ERROR_MEMORY || status == ALD_ERROR_CANCELLED;
}

static int64_t stratum_of(const ald_target *y, int64_t i)
{
    if (!y || y->kind != ALD_TARGET_CLASSES) return 0;
    return y->labelled && !y->labelled[i] ? y->n_classes : y->classes[i];
}

/* Rows in order of their class; one stratum where there are no classes. Rows without a target are one too. */
static ald_status find_strata(ald_run *run, int64_t n, ald_resampled_target *s)
{
    const ald_target *y = s->y;
    int64_t *next;
    s->strata = y && y->kind == ALD_TARGET_CLASSES ? y->n_classes + 1 : 1;
    ALD_TRY(ald_scratch(run, n, 1, sizeof *s->by_class, &s->by_class));
    ALD_TRY(ald_scratch(run, s->strata + 1, 1, sizeof *s->begin, &s->begin));
    ALD_TRY(ald_scratch(run, s->strata + 1, 1, sizeof *next, &next));
    memset(s->begin, 0, (size_t)(s->strata + 1) * sizeof *s->begin);
    for (int64_t i = 0; i < n; i++) s->begin[stratum_of(y, i) + 1]++;
    for (int64_t h = 0; h < s->strata; h++) s->begin[h + 1] += s->begin[h];
    memcpy(next, s->begin, (size_t)(s->strata + 1) * sizeof *next);
    for (int64_t i = 0; i < n; i++) s->by_class[next[stratum_of(y, i)]++] = i;
    return ALD_OK;
}

/* rows[0 .. count): a resample, in the order of the strata. Half of a stratum is rounded up. */
static ald_status draw_rows(ald_run *run, const ald_resampling *s, const ald_resampled_target *t,
                            uint64_t stream, int64_t *rows, int64_t *count)
{
    ald_random random;
    int64_t *order;
    ALD_TRY(ald_scratch(run, s->n, 1, sizeof *order, &order));
    ald_random_seed(&random, s->options->seed, stream);
    *count = 0;
    for (int64_t h = 0; h < t->strata; h++) {
        const int64_t size = t->begin[h + 1] - t->begin[h], wanted = s->options->half ? (size + 1) / 2 : size;
        if (s->options->half) ald_random_permutation(&random, size, order);
        for (int64_t i = 0; i < wanted; i++)
            rows[(*count)++] =
                t->by_class[t->begin[h] + (s->options->half ? order[i] : ald_random_below(&random, size))];
    }
    return ALD_OK;
}

/* inner (r x r) = Q'W Q_b of the scores of all rows. */
static ald_status compare_scores(ald_run *run, const ald_resampling *s, const double *own, const double *z,
                                 double *inner)
{
    const int64_t r = s->r;
    double *q;
    ALD_TRY(ald_scratch_reals(run, s->n, r, &q));
    ald_weighted_basis(s->n, r, z, s->weights, q);
    memset(inner, 0, (size_t)(r * r) * sizeof *inner);
    for (int64_t i = 0; i < s->n; i++)
        for (int64_t a = 0; a < r; a++)
            for (int64_t b = 0; b < r; b++)
                inner[a * r + b] += own[i * r + a] * q[i * r + b] * (s->weights ? s->weights[i] : 1.0);
    return ALD_OK;
}

ald_status ald_plain_basis(ald_run *run, const ald_model *model, int64_t r, double **basis)
{
    const int64_t d = ald_model_feature_count(model);
    const double *components = ald_model_reals(model, "components", r, d);
    if (!components) return ald_fail(run->error, ALD_ERROR_DATA, "the model has no components");
    ALD_TRY(ald_scratch_reals(run, d, r, basis));
    ald_transpose(r, d, components, *basis);
    return ald_orthonormal(run, ald_at(*basis, d, r));
}

/* The same of the directions. */
static ald_status compare_directions(ald_run *run, const ald_resampling *s, const double *own,
                                     const ald_model *model, double *inner)
{
    const int64_t r = s->r, d = ald_model_feature_count(model);
    double *basis;
    ALD_TRY(ald_plain_basis(run, model, r, &basis));
    return ald_product(run, ald_t(ald_of(own, d, r)), ald_of(basis, d, r), ald_at(inner, r, r));
}

/* Angles for every leading k from inner (r x r). */
static ald_status find_angles(ald_run *run, const ald_resamples *set, const double *inner, int64_t at)
{
    const int64_t r = set->s->r;
    double *block, *u, *cosines, *vt;
    ALD_TRY(ALD_SCRATCH(run, {&block, r, r}, {&u, r, r}, {&vt, r, r}, {&cosines, r, 1}));
    for (int64_t k = 1; k <= r; k++) {
        for (int64_t a = 0; a < k; a++)
            for (int64_t b = 0; b < k; b++) block[a * k + b] = inner[a * r + b];
        ALD_TRY(ald_svd(run, ald_at(block, k, k), ald_at(u, k, k), cosines, ald_at(vt, k, k)));
        double sum = 0.0, product = 1.0;
        for (int64_t a = 0; a < k; a++) {
            sum += acos(fmin(cosines[a], 1.0));
            product *= fmin(cosines[a], 1.0);
        }
        set->mean[at * r + k - 1] = sum / (double)k;
        set->largest[at * r + k - 1] = acos(fmin(cosines[k - 1], 1.0));
        set->likeness[at * r + k - 1] = product;
    }
    return ALD_OK;
}

/* The features of the largest importance, of equals the first. */
static ald_status find_leading(ald_run *run, const ald_resamples *set, const ald_model *model,
                               const ald_subset *drawn, int64_t *chosen)
{
    const int64_t d = drawn->x.cols, wanted = set->s->leading;
    double *vip;
    int64_t count = 0;
    ALD_TRY(ald_scratch_reals(run, d, 1, &vip));
    const int none = drawn->y.kind == ALD_TARGET_NONE && !drawn->y.weights;
    ALD_TRY(ald_vip_inside(run, model, &drawn->x, none ? NULL : &drawn->y, vip));
    for (int64_t j = 0; j < d; j++) {
        int64_t at = count < wanted ? count++ : wanted;
        for (; at > 0 && vip[chosen[at - 1]] < vip[j]; at--)
            if (at < wanted) chosen[at] = chosen[at - 1];
        if (at < wanted) chosen[at] = j;
    }
    return ALD_OK;
}

static ald_status resample(ald_run *run, const ald_resamples *set, int64_t at, ald_model **model)
{
    const ald_resampling *s = set->s;
    const ald_resampled_target *t = &set->targets[at % set->n_targets];
    const ald_subset all = {.x = *s->x, .y = t->y ? *t->y : (ald_target){.rows = s->n}};
    int64_t *rows;
    int64_t count;
    ald_subset drawn;
    double *z, *inner;
    if (!t->q) return ald_fail(run->error, ALD_ERROR_DATA, "the permuted rows could not be fitted");
    ALD_TRY(ald_scratch(run, s->n, 1, sizeof *rows, &rows));
    ALD_TRY(draw_rows(run, s, t, set->stream + (uint64_t)at, rows, &count));
    ALD_TRY(ald_subset_take(run, &all, rows, count, &drawn));
    ALD_TRY(ald_fit_inside(run, s->settings, &drawn.x, t->y ? &drawn.y : NULL, model, run->error));
    ALD_TRY(ald_scratch_reals(run, s->r, s->r, &inner));
    if (s->plain) {
        ALD_TRY(compare_directions(run, s, t->q, *model, inner));
    } else {
        ALD_TRY(ald_scratch_reals(run, s->n, s->r, &z));
        ALD_TRY(ald_transform_inside(run, *model, s->x, z, run->error));
        ALD_TRY(compare_scores(run, s, t->q, z, inner));
    }
    ALD_TRY(find_angles(run, set, inner, at));
    if (!set->chosen) return ALD_OK;
    return find_leading(run, set, *model, &drawn, set->chosen + at * s->leading);
}

/* A run whose fits are tried, not kept: angles need neither last digits nor certificates. */
static void try_inside(ald_run *run, const ald_run *outer, ald_error *error, ald_tryout *tryout)
{
    ald_run_inside(run, outer, error);
    ald_tryout_begin(tryout, outer->call.allocator);
    tryout->alone = tryout->sparing = 1;
    run->call.tryout = tryout;
}

static ald_status one_resample(void *work, const ald_run *outer, int lane, int64_t at, ald_error *error)
{
    ald_resamples *set = work;
    ald_model *model = NULL;
    ald_tryout tryout;
    ald_run run;
    (void)lane;
    try_inside(&run, outer, error, &tryout);
    const ald_status status = resample(&run, set, at, &model);
    set->status[at] = status;
    snprintf(set->notes[at], sizeof set->notes[at], "%.255s", status < 0 ? run.error->message : "");
    ald_model_free(model);
    ald_run_end(&run, ALD_OK);
    ald_tryout_clear(&tryout);
    return ald_ends_all(status) ? status : ALD_OK;
}

ald_status ald_resamples_fit(ald_run *run, ald_resamples *set, const char *stage)
{
    const int64_t r = set->s->r;
    ALD_TRY(ALD_SCRATCH(run, {&set->mean, set->count, r}, {&set->largest, set->count, r},
                        {&set->likeness, set->count, r}));
    ALD_TRY(ald_scratch(run, set->count, 1, sizeof *set->status, &set->status));
    ALD_TRY(ald_scratch(run, set->count, 1, sizeof *set->notes, &set->notes));
    return ald_jobs_run(set->s->wide, set->count, stage, one_resample, set);
}

ald_status ald_resampling_target(ald_run *run, const ald_resampling *s, const ald_target *y, double *z,
                                 ald_resampled_target *target)
{
    *target = (ald_resampled_target){.y = y, .q = z};
    if (z) ald_weighted_basis(s->n, s->r, z, s->weights, z);
    return find_strata(run, s->n, target);
}

typedef struct permuting {
    const ald_resampling *s;
    const ald_resampled_target *targets;
    double **z;
} permuting;

static ald_status fit_whole(void *work, const ald_run *outer, int lane, int64_t at, ald_error *error)
{
    const permuting *p = work;
    ald_model *model = NULL;
    ald_tryout tryout;
    ald_run run;
    (void)lane;
    try_inside(&run, outer, error, &tryout);
    ald_status status = ald_fit_inside(&run, p->s->settings, p->s->x, p->targets[at].y, &model, run.error);
    if (status >= 0) status = ald_transform_inside(&run, model, p->s->x, p->z[at], run.error);
    ald_model_free(model);
    if (status < 0) p->z[at] = NULL;
    ald_run_end(&run, ALD_OK);
    ald_tryout_clear(&tryout);
    return ald_ends_all(status) ? status : ALD_OK;
}

/* The target in another order, with the weights where they were. */
static ald_status permute_one(ald_run *run, const ald_resampling *s, const ald_target *y, uint64_t stream,
                              ald_resampled_target *target)
{
    ald_random random;
    ald_target *moved;
    int64_t *order;
    ALD_TRY(ald_scratch(run, s->n, 1, sizeof *order, &order));
    ALD_TRY(ald_scratch(run, 1, 1, sizeof *moved, &moved));
    ald_random_seed(&random, s->options->seed, stream);
    ald_random_permutation(&random, s->n, order);
    ALD_TRY(ald_target_take(run, y, order, s->n, moved));
    moved->weights = y->weights;
    target->y = moved;
    return ALD_OK;
}

ald_status ald_resampling_permute(ald_run *run, const ald_resampling *s, const ald_target *y, int64_t count,
                                  ald_resampled_target *targets)
{
    static const uint64_t permutations = (uint64_t)1 << 40; /* streams that no resample has */
    permuting p = {.s = s, .targets = targets};
    ALD_TRY(ald_scratch(run, count, 1, sizeof *p.z, &p.z));
    for (int64_t k = 0; k < count; k++) {
        ALD_TRY(permute_one(run, s, y, permutations + (uint64_t)k, &targets[k]));
        ALD_TRY(ald_scratch_reals(run, s->n, s->r, &p.z[k]));
    }
    ALD_TRY(ald_jobs_run(s->wide, count, "fitting permuted targets", fit_whole, &p));
    for (int64_t k = 0; k < count; k++)
        ALD_TRY(ald_resampling_target(run, s, targets[k].y, p.z[k], &targets[k]));
    return ALD_OK;
}
