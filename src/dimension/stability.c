/* ald_stability: the bootstrap of a subspace (Ye and Weiss 2003 measure directions so).
 *
 * For each resample b of the rows the model is fitted again, and both project all rows: Z and Z_b, n x r.
 * With Q and Q_b their centred columns made orthonormal in turn (evaluate/explained.h), the principal angles
 * between the spans of the first k scores are the arc cosines of the singular values of the leading k x k
 * block of Q'W Q_b. They depend on the spans alone: neither on the scaling of features and directions, nor on
 * rotations within the subspace, and they are the same for linear and kernel maps. For a linear map they are
 * the angles of the subspaces in the metric of the covariance of X. Angles below 1e-8 are rounding.
 *
 * A resample has n rows drawn with replacement, or half of them without; within each class where the target
 * is classes. Methods that compare neighbours see rows drawn twice as neighbours at distance 0: halves suit
 * them better. Cost: a fit and a projection a resample, on one thread each and several at once. */
#include "api/check.h"
#include "api/map_rows.h"
#include "core/given.h"
#include "core/options.h"
#include "dimension/refit.h"
#include "evaluate/explained.h"
#include "linalg/linalg.h"
#include "measuring/measure_explained.h"
#include "numbers/ordering.h"
#include "numbers/random.h"
#include "splitting/subset.h"
#include "threads/jobs.h"
#include "threads/threads.h"

#include <alidade/dimension.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct resampling {
    ald_run *wide; /* of the caller's context, for jobs; all else is on a run of one thread */
    const ald_settings *settings;
    const ald_matrix *x;
    const ald_target *y; /* NULL: none */
    const ald_stability_options *options;
    int64_t n, r, resamples;
    const double *weights; /* scaled, or NULL */
    const double *q;       /* n x r, of the model */
    int64_t *by_class;     /* rows in order of their class */
    int64_t *begin;        /* strata + 1: begin[s] .. begin[s + 1] is stratum s */
    int64_t strata;
    double *mean, *largest; /* resamples x r */
    ald_status *status;
    char (*notes)[256];
} resampling;

static int64_t stratum_of(const ald_target *y, int64_t i)
{
    if (!y || y->kind != ALD_TARGET_CLASSES) return 0;
    return y->labelled && !y->labelled[i] ? y->n_classes : y->classes[i];
}

/* Rows in order of their class; one stratum where there are no classes. Rows without a target are one too. */
static ald_status find_strata(ald_run *run, resampling *s)
{
    const ald_target *y = s->y;
    int64_t *next;
    s->strata = y && y->kind == ALD_TARGET_CLASSES ? y->n_classes + 1 : 1;
    ALD_TRY(ald_scratch(run, s->n, 1, sizeof *s->by_class, &s->by_class));
    ALD_TRY(ald_scratch(run, s->strata + 1, 1, sizeof *s->begin, &s->begin));
    ALD_TRY(ald_scratch(run, s->strata + 1, 1, sizeof *next, &next));
    memset(s->begin, 0, (size_t)(s->strata + 1) * sizeof *s->begin);
    for (int64_t i = 0; i < s->n; i++) s->begin[stratum_of(y, i) + 1]++;
    for (int64_t h = 0; h < s->strata; h++) s->begin[h + 1] += s->begin[h];
    memcpy(next, s->begin, (size_t)(s->strata + 1) * sizeof *next);
    for (int64_t i = 0; i < s->n; i++) s->by_class[next[stratum_of(y, i)]++] = i;
    return ALD_OK;
}

/* rows[0 .. count): a resample, in the order of the strata. Half of a stratum is rounded up. */
static ald_status draw_rows(ald_run *run, const resampling *s, int64_t at, int64_t *rows, int64_t *count)
{
    ald_random random;
    int64_t *order;
    ALD_TRY(ald_scratch(run, s->n, 1, sizeof *order, &order));
    ald_random_seed(&random, s->options->seed, (uint64_t)at + 1);
    *count = 0;
    for (int64_t h = 0; h < s->strata; h++) {
        const int64_t size = s->begin[h + 1] - s->begin[h], wanted = s->options->half ? (size + 1) / 2 : size;
        if (s->options->half) ald_random_permutation(&random, size, order);
        for (int64_t i = 0; i < wanted; i++)
            rows[(*count)++] =
                s->by_class[s->begin[h] + (s->options->half ? order[i] : ald_random_below(&random, size))];
    }
    return ALD_OK;
}

/* Angles for every leading k from Q'W Q_b. */
static ald_status find_angles(ald_run *run, const resampling *s, const double *z, int64_t at)
{
    const int64_t r = s->r;
    double *q, *inner, *block, *u, *cosines, *vt;
    ALD_TRY(ald_scratch_reals(run, s->n, r, &q));
    ALD_TRY(ald_scratch_zeros(run, r, r, &inner));
    ALD_TRY(ALD_SCRATCH(run, {&block, r, r}, {&u, r, r}, {&vt, r, r}, {&cosines, r, 1}));
    ald_weighted_basis(s->n, r, z, s->weights, q);
    for (int64_t i = 0; i < s->n; i++)
        for (int64_t a = 0; a < r; a++)
            for (int64_t b = 0; b < r; b++)
                inner[a * r + b] += s->q[i * r + a] * q[i * r + b] * (s->weights ? s->weights[i] : 1.0);
    for (int64_t k = 1; k <= r; k++) {
        for (int64_t a = 0; a < k; a++)
            for (int64_t b = 0; b < k; b++) block[a * k + b] = inner[a * r + b];
        ALD_TRY(ald_svd(run, ald_at(block, k, k), ald_at(u, k, k), cosines, ald_at(vt, k, k)));
        double sum = 0.0;
        for (int64_t a = 0; a < k; a++) sum += acos(fmin(cosines[a], 1.0));
        s->mean[at * r + k - 1] = sum / (double)k;
        s->largest[at * r + k - 1] = acos(fmin(cosines[k - 1], 1.0));
    }
    return ALD_OK;
}

static ald_status resample(ald_run *run, ald_context *context, const resampling *s, int64_t at,
                           ald_model **model)
{
    int64_t *rows, count;
    const ald_subset all = {.x = *s->x, .y = s->y ? *s->y : (ald_target){.rows = s->n}};
    ald_subset drawn;
    double *z;
    ALD_TRY(ald_scratch(run, s->n, 1, sizeof *rows, &rows));
    ALD_TRY(draw_rows(run, s, at, rows, &count));
    ALD_TRY(ald_subset_take(run, &all, rows, count, &drawn));
    ALD_TRY(ald_fit(context, s->settings, &drawn.x, s->y ? &drawn.y : NULL, model, run->error));
    ALD_TRY(ald_scratch_reals(run, s->n, s->r, &z));
    ALD_TRY(ald_transform(context, *model, s->x, z, run->error));
    return find_angles(run, s, z, at);
}

static ald_status one_resample(void *work, ald_context *context, int lane, int64_t at, ald_error *error)
{
    resampling *s = work;
    ald_model *model = NULL;
    ald_run run;
    (void)lane;
    ald_run_begin(&run, context, error);
    const ald_status status = resample(&run, context, s, at, &model);
    s->status[at] = status;
    snprintf(s->notes[at], sizeof s->notes[at], "%.255s", status < 0 ? run.error->message : "");
    ald_model_free(model);
    ald_run_end(&run, ALD_OK);
    return ald_ends_all(status) ? status : ALD_OK;
}

/* Over the resamples that were fitted. */
static ald_status summarise(ald_run *run, const resampling *s, ald_stability_row *rows,
                            ald_stability_summary *summary)
{
    double *largest;
    ALD_TRY(ald_scratch_reals(run, s->resamples, 1, &largest));
    for (int64_t b = s->resamples - 1; b >= 0; b--) {
        summary->resamples += s->status[b] >= 0;
        summary->failed += s->status[b] < 0;
        if (s->status[b] < 0) memcpy(summary->note, s->notes[b], sizeof summary->note);
    }
    if (summary->resamples == 0)
        return ald_fail(run->error, s->status[0], "none of %lld resamples could be fitted: %s",
                        (long long)s->resamples, s->notes[0]);
    for (int64_t k = 0; k < s->r; k++) {
        int64_t count = 0;
        ald_stability_row row = {.k = k + 1};
        for (int64_t b = 0; b < s->resamples; b++) {
            if (s->status[b] < 0) continue;
            row.mean += s->mean[b * s->r + k] / (double)summary->resamples;
            row.largest += s->largest[b * s->r + k] / (double)summary->resamples;
            largest[count++] = s->largest[b * s->r + k];
        }
        ald_sort_reals(count, largest);
        row.high = largest[(int64_t)ceil(0.95 * (double)count) - 1];
        ALD_OPTIONS_WRITE_AT(ald_stability_row, &row, rows, k);
    }
    return ALD_OK;
}

static ald_status stability_check(ald_run *run, const ald_model *model, const ald_matrix *x,
                                  const ald_target *y, const ald_stability_options *options)
{
    const char *map = ald_model_text(model, "alidade.map"),
               *kernel = ald_model_text(model, "alidade.param.kernel");
    if (!ald_method_find(ald_model_method(model)))
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED, "this version has no method '%.40s' to fit again",
                        ald_model_method(model));
    if ((map && strcmp(map, "none") == 0) || (kernel && strcmp(kernel, "precomputed") == 0))
        return ald_fail(
            run->error, ALD_ERROR_UNSUPPORTED,
            "a model of %s for the rows it was fitted on alone cannot be compared with that of other rows",
            ald_model_method(model));
    if (options->resamples < 0 || options->resamples > 1000000)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT, "resamples are 1 to 1000000, not %lld",
                        (long long)options->resamples);
    return ald_check_rows_and_target(run, model, x, y);
}

/* Rows of weight 0 are not drawn. */
static ald_status keep_rows_that_count(ald_run *run, resampling *s, ald_subset *kept)
{
    const int64_t *which;
    int64_t count;
    if (!s->y) return ALD_OK;
    const ald_subset all = {*s->x, *s->y};
    ALD_TRY(ald_rows_that_count(run, s->n, s->y->weights, &which, &count));
    if (!which) return ALD_OK;
    if (count < 2)
        return ald_fail(run->error, ALD_ERROR_DATA, "weights: fewer than two rows have a weight above 0");
    ALD_TRY(ald_subset_take(run, &all, which, count, kept));
    s->x = &kept->x;
    s->y = &kept->y;
    s->n = count;
    return ALD_OK;
}

static ald_status stability_prepare(ald_run *run, const ald_model *model, resampling *s)
{
    double *z;
    ALD_TRY(ald_scaled_weights(run, s->y, &s->weights));
    ALD_TRY(ald_scratch_reals(run, s->n, s->r, &z));
    ALD_TRY(ald_map_rows(run, model, s->x, z));
    ald_weighted_basis(s->n, s->r, z, s->weights, z);
    s->q = z;
    ALD_TRY(find_strata(run, s));
    ALD_TRY(ALD_SCRATCH(run, {&s->mean, s->resamples, s->r}, {&s->largest, s->resamples, s->r}));
    ALD_TRY(ald_scratch(run, s->resamples, 1, sizeof *s->status, &s->status));
    return ald_scratch(run, s->resamples, 1, sizeof *s->notes, &s->notes);
}

static ald_status stability_measure(ald_run *run, const ald_model *model, resampling *s,
                                    ald_stability_row *rows, ald_stability_summary *summary)
{
    ald_subset kept;
    ALD_TRY(stability_check(run, model, s->x, s->y, s->options));
    ALD_TRY(keep_rows_that_count(run, s, &kept));
    ALD_TRY(stability_prepare(run, model, s));
    ALD_TRY(ald_jobs_run(s->wide, s->resamples, "drawing the rows again", one_resample, s));
    return summarise(run, s, rows, summary);
}

ald_status ald_stability(ald_context *context, const ald_model *model, const ald_matrix *x,
                         const ald_target *y, const ald_stability_options *options, ald_stability_row *rows,
                         ald_stability_summary *summary, ald_error *error)
{
    ald_stability_options whole;
    ald_run run, wide;
    ald_settings *settings = NULL;
    ald_stability_summary found = {0};
    ALD_GIVEN(error, context, model, x, rows, summary);
    ALD_TRY(ALD_OPTIONS_CHECK(error, ald_stability_row, rows));
    ALD_TRY(ALD_OPTIONS_CHECK(error, ald_stability_summary, summary));
    ALD_TRY(ALD_OPTIONS_READ(error, ald_stability_options, options, &whole));
    ald_context single = *context;
    single.threads = 1;
    ald_run_begin(&run, &single, error);
    ald_run_begin(&wide, context, run.error);
    ald_threads_begin(1);
    ald_status status = ald_refit_model(context, model, &settings, run.error);
    resampling s = {.wide = &wide,
                    .settings = settings,
                    .x = x,
                    .y = y && (y->kind != ALD_TARGET_NONE || y->weights) ? y : NULL,
                    .options = &whole,
                    .n = x->rows,
                    .r = ald_model_component_count(model),
                    .resamples = whole.resamples ? whole.resamples : 100};
    if (status >= 0) status = stability_measure(&run, model, &s, rows, &found);
    ALD_OPTIONS_WRITE(ald_stability_summary, &found, summary);
    ald_settings_free(settings);
    ald_threads_end();
    ald_run_end(&wide, ALD_OK);
    return ald_run_end(&run, status);
}
