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
 * them better. Cost: a fit and a projection a resample, on one thread each and several at once.
 *
 * Angles alone do not say what is small: directions in few columns are never far from each other. So the same
 * is done with targets that were permuted, of which a fit to all rows and fits to resamples find nothing but
 * what the method makes of chance. Ten permutations take turns.
 *
 * How often a feature is among the leading ones (by vip, importance.h) over the resamples is its selection
 * frequency. leading / d would be that of features drawn at random, but resamples share most of their rows,
 * so a feature that fits the sample by accident leads in most of them. The yardstick is again that of
 * permuted targets: the shares of each permutation over its own resamples, in falling order, mean over the
 * permutations. Of few resamples the largest share is too large rather than too small. */
#include "base/core/error.h"
#include "base/numbers/ordering.h"
#include "base/settings/options.h"
#include "base/threads/threads.h"
#include "fit/fitting/map_rows.h"
#include "judge/dimension/dimension.h"
#include "judge/measuring/measure_explained.h"
#include "judge/splitting/subset.h"

#include <math.h>
#include <string.h>

enum { permutations = 10, usual_resamples = 100, usual_leading = 10 };

typedef struct stability {
    ald_resampling common;
    const ald_target *y; /* NULL: none */
    ald_resampled_target own, permuted[permutations];
    ald_resamples of_own, of_permuted; /* count 0: not wanted */
} stability;

typedef struct angle_summary {
    double mean, largest, high;
} angle_summary;

static int64_t count_done(const ald_resamples *set)
{
    int64_t done = 0;
    for (int64_t b = 0; b < set->count; b++) done += set->status[b] >= 0;
    return done;
}

/* The angles of the first k + 1 directions, over the resamples that were fitted; NaN without any. */
static ald_status summarise_angles(ald_run *run, const ald_resamples *set, int64_t k, angle_summary *a)
{
    const int64_t r = set->s->r, done = count_done(set);
    double *largest;
    int64_t count = 0;
    *a = (angle_summary){NAN, NAN, NAN};
    if (done == 0) return ALD_OK;
    *a = (angle_summary){0};
    ALD_TRY(ald_scratch_reals(run, done, 1, &largest));
    for (int64_t b = 0; b < set->count; b++) {
        if (set->status[b] < 0) continue;
        a->mean += set->mean[b * r + k] / (double)done;
        a->largest += set->largest[b * r + k] / (double)done;
        largest[count++] = set->largest[b * r + k];
    }
    ald_sort_reals(count, largest);
    a->high = largest[(int64_t)ceil(0.95 * (double)count) - 1];
    return ALD_OK;
}

/* Shares of the resamples of target t in which each feature was among the leading ones; 0: none was fitted.
 */
static int64_t count_features(const ald_resamples *set, int64_t t, int64_t d, double *frequency)
{
    const int64_t leading = set->s->leading;
    int64_t done = 0;
    memset(frequency, 0, (size_t)d * sizeof *frequency);
    for (int64_t b = t; b < set->count; b += set->n_targets) {
        if (set->status[b] < 0) continue;
        for (int64_t i = 0; i < leading; i++) frequency[set->chosen[b * leading + i]] += 1.0;
        done++;
    }
    for (int64_t j = 0; done && j < d; j++) frequency[j] /= (double)done;
    return done;
}

/* The shares of permuted targets, each in falling order, mean over the targets. */
static ald_status count_permuted(ald_run *run, const ald_resamples *set, int64_t d, double *frequency)
{
    double *one;
    int64_t targets = 0;
    ALD_TRY(ald_scratch_reals(run, d, 1, &one));
    memset(frequency, 0, (size_t)d * sizeof *frequency);
    for (int64_t t = 0; t < set->n_targets; t++) {
        if (count_features(set, t, d, one) == 0) continue;
        ald_sort_reals(d, one);
        for (int64_t j = 0; j < d; j++) frequency[j] += one[d - 1 - j];
        targets++;
    }
    for (int64_t j = 0; j < d; j++) frequency[j] = targets ? frequency[j] / (double)targets : NAN;
    return ALD_OK;
}

static ald_status summarise(ald_run *run, const stability *s, ald_stability_row *rows,
                            ald_stability_summary *summary)
{
    const ald_resamples *set = &s->of_own;
    angle_summary own, permuted;
    summary->resamples = count_done(set);
    summary->failed = set->count - summary->resamples;
    summary->permuted = count_done(&s->of_permuted);
    summary->leading = s->common.leading;
    for (int64_t b = set->count - 1; b >= 0; b--)
        if (set->status[b] < 0) memcpy(summary->note, set->notes[b], sizeof summary->note);
    if (summary->resamples == 0)
        return ald_fail(run->error, set->status[0], "none of %lld resamples could be fitted: %s",
                        (long long)set->count, set->notes[0]);
    for (int64_t k = 0; k < s->common.r; k++) {
        ALD_TRY(summarise_angles(run, set, k, &own));
        ALD_TRY(summarise_angles(run, &s->of_permuted, k, &permuted));
        const ald_stability_row row = {
            .k = k + 1,
            .mean = own.mean,
            .largest = own.largest,
            .high = own.high,
            .permuted_mean = permuted.mean,
            .permuted_largest = permuted.largest,
            .permuted_high = permuted.high,
        };
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
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED, "this version has no method '%.40s' to refit",
                        ald_model_method(model));
    if ((map && strcmp(map, "none") == 0) || (kernel && strcmp(kernel, "precomputed") == 0))
        return ald_fail(
            run->error, ALD_ERROR_UNSUPPORTED,
            "a model of %s that embeds only its own rows cannot be compared with one of other rows",
            ald_model_method(model));
    if (options->resamples < 0 || options->resamples > 1000000)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT, "resamples must be from 1 to 1000000, not %lld",
                        (long long)options->resamples);
    if (options->permuted < 0 || options->permuted > 1000000)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "`permuted` must be a number of resamples from 0 to 1000000, not %lld",
                        (long long)options->permuted);
    if (options->leading < 0 || options->leading > ald_model_feature_count(model))
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "`leading` must be a number of features from 1 to %lld, not %lld",
                        (long long)ald_model_feature_count(model), (long long)options->leading);
    if (options->frequency && (!map || strcmp(map, "linear") != 0))
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "%s has no direction in feature space, so no feature is leading",
                        ald_model_method(model));
    if (options->permuted_frequency && !options->frequency)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "`permuted_frequency` is the reference for `frequency`; give room for that too");
    return ald_check_rows_and_target(run, model, x, y);
}

/* Rows of weight 0 are not drawn. */
static ald_status keep_rows_that_count(ald_run *run, stability *s, ald_subset *kept)
{
    const int64_t *which;
    int64_t count;
    if (!s->y) return ALD_OK;
    const ald_subset all = {*s->common.x, *s->y};
    ALD_TRY(ald_rows_that_count(run, s->common.n, s->y->weights, &which, &count));
    if (!which) return ALD_OK;
    if (count < 2)
        return ald_fail(run->error, ALD_ERROR_DATA, "weights: fewer than two rows have a weight above 0");
    ALD_TRY(ald_subset_take(run, &all, which, count, kept));
    s->common.x = &kept->x;
    s->y = &kept->y;
    s->common.n = count;
    return ALD_OK;
}

/* Room for the leading features of each resample, where they are wanted. */
static ald_status room_for_leading(ald_run *run, int wanted, ald_resamples *set)
{
    if (!wanted) return ALD_OK;
    return ald_scratch(run, set->count, set->s->leading, sizeof *set->chosen, &set->chosen);
}

/* The yardstick: only where there is a target to permute. */
static ald_status measure_permuted(ald_run *run, stability *s)
{
    const int64_t wanted = s->common.options->permuted, count = ald_least(wanted, permutations);
    s->of_permuted = (ald_resamples){.s = &s->common};
    if (count == 0 || !s->y || s->y->kind == ALD_TARGET_NONE) return ALD_OK;
    ALD_TRY(ald_resampling_permute(run, &s->common, s->y, count, s->permuted));
    s->of_permuted.targets = s->permuted;
    s->of_permuted.n_targets = count;
    s->of_permuted.count = wanted;
    s->of_permuted.stream = (uint64_t)1 << 32;
    ALD_TRY(room_for_leading(run, s->common.options->permuted_frequency != NULL, &s->of_permuted));
    return ald_resamples_fit(run, &s->of_permuted, "drawing permuted rows again");
}

static ald_status measure_own(ald_run *run, const ald_model *model, stability *s)
{
    const int64_t asked = s->common.options->resamples, count = asked ? asked : usual_resamples;
    double *z;
    ALD_TRY(ald_scaled_weights(run, s->y, &s->common.weights));
    ALD_TRY(ald_scratch_reals(run, s->common.n, s->common.r, &z));
    ALD_TRY(ald_map_rows(run, model, s->common.x, z));
    ALD_TRY(ald_resampling_target(run, &s->common, s->y, z, &s->own));
    s->of_own =
        (ald_resamples){.s = &s->common, .targets = &s->own, .n_targets = 1, .count = count, .stream = 1};
    ALD_TRY(room_for_leading(run, s->common.leading > 0, &s->of_own));
    return ald_resamples_fit(run, &s->of_own, "drawing the rows again");
}

static ald_status stability_measure(ald_run *run, const ald_model *model, stability *s,
                                    ald_stability_row *rows, ald_stability_summary *summary)
{
    const ald_stability_options *o = s->common.options;
    const int64_t d = ald_model_feature_count(model);
    ald_subset kept;
    ALD_TRY(stability_check(run, model, s->common.x, s->y, o));
    ALD_TRY(keep_rows_that_count(run, s, &kept));
    if (o->frequency) s->common.leading = o->leading ? o->leading : ald_least((d + 3) / 4, usual_leading);
    ALD_TRY(measure_own(run, model, s));
    ALD_TRY(measure_permuted(run, s));
    ALD_TRY(summarise(run, s, rows, summary));
    if (o->frequency) count_features(&s->of_own, 0, d, o->frequency);
    return o->permuted_frequency ? count_permuted(run, &s->of_permuted, d, o->permuted_frequency) : ALD_OK;
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
    ald_run_begin(&run, context, error);
    ald_run_inside(&wide, &run, run.error);
    run.call.threads = 1;
    ald_threads_begin(1);
    ald_status status = ald_refit_model(context, model, &settings, run.error);
    stability s = {
        .common = {.wide = &wide,
                   .settings = settings,
                   .x = x,
                   .options = &whole,
                   .n = x->rows,
                   .r = ald_model_component_count(model)},
        .y = y && (y->kind != ALD_TARGET_NONE || y->weights) ? y : NULL,
    };
    if (status >= 0) status = stability_measure(&run, model, &s, rows, &found);
    ALD_OPTIONS_WRITE(ald_stability_summary, &found, summary);
    ald_settings_free(settings);
    ald_threads_end();
    ald_run_end(&wide, ALD_OK);
    return ald_run_end(&run, status);
}
