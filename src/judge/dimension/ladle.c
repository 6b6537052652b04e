/* The ladle: eigenvalues are small behind the last direction that matters, and directions up to it are found
 * again when the rows are drawn again, while among equal eigenvalues they turn at will. For k = 0, ... K,
 *
 *   K      = min(d - 1, directions there are - 1, and for d > 10 floor(d / ln d))
 *   phi(k) = l_{k+1} / (1 + sum_{i=0}^K l_{i+1})
 *   f0(k)  = mean over bootstraps of 1 - |det(B_k'B*_k)|,    f0(0) = 0
 *   f(k)   = f0(k) / (1 + sum_{i=0}^K f0(i))
 *
 * and the k of the least f + phi is taken. B_k is an orthonormal basis of the first k directions: in the
 * coordinates of X where W'W = I, else of Sigma^(1/2) W, which is a basis of the centred scores of all rows;
 * |det| is the product of the cosines of their angles (resampling.c). Eigenvalues by modulus; where W'W = I
 * they have units and are divided by their sum, of the K + 1 that are looked at. Bootstraps are drawn as for
 * stability, within classes.
 *
 * Cost: one fit and one for each bootstrap, with K + 1 directions.
 *
 * Reference: Luo and Li (2016). */
#include "base/core/model.h"
#include "base/numbers/ordering.h"
#include "base/settings/common_params.h"
#include "base/settings/settings.h"
#include "fit/fitting/fit.h"
#include "fit/fitting/map_rows.h"
#include "judge/dimension/dimension.h"
#include "judge/measuring/measure_explained.h"
#include "math/linalg/linalg.h"
#include "math/linalg/vector.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct ladle {
    const ald_dimension_task *task;
    int64_t most;         /* K */
    const double *values; /* K + 1 eigenvalues, and more */
    ald_stability_options draws;
    ald_resampling common;
    double *f, *phi; /* K + 1 */
} ladle;

/* K as far as the columns decide it, and what was asked for. */
static int64_t most_by_columns(const ald_dimension_task *task)
{
    const int64_t d = task->x->cols;
    int64_t most = d - 1;
    if (d > 10) most = ald_least(most, (int64_t)floor((double)d / log((double)d)));
    return task->most ? ald_least(most, task->most) : most;
}

/* Whether the directions are orthonormal in the coordinates of X. */
static int is_plain(const ald_model *model)
{
    const int64_t r = ald_model_component_count(model), d = ald_model_feature_count(model);
    const char *map = ald_model_text(model, "alidade.map");
    const double *w = ald_model_reals(model, "components", r, d);
    if (!w || !map || strcmp(map, "linear") != 0) return 0;
    for (int64_t a = 0; a < r; a++)
        for (int64_t b = a; b < r; b++)
            if (!(fabs(ald_dot(d, w + a * d, w + b * d) - (double)(a == b)) < 1e-8)) return 0;
    return 1;
}

/* f0 of each k, from the bootstraps that were fitted. */
static ald_status draw(ald_run *run, ladle *l, const ald_model *model)
{
    const int64_t r = l->most + 1;
    ald_resampled_target own;
    ald_resamples set = {.s = &l->common, .targets = &own, .n_targets = 1, .count = l->task->resamples};
    double *z = NULL, *basis = NULL;
    int64_t done = 0;
    ALD_TRY(ald_scaled_weights(run, l->task->y, &l->common.weights));
    if (l->common.plain) {
        ALD_TRY(ald_plain_basis(run, model, r, &basis));
    } else {
        ALD_TRY(ald_scratch_reals(run, l->common.n, r, &z));
        ALD_TRY(ald_map_rows(run, model, l->common.x, z));
    }
    ALD_TRY(ald_resampling_target(run, &l->common, l->task->y, z, &own));
    if (basis) own.q = basis;
    ALD_TRY(ald_resamples_fit(run, &set, "drawing the rows again"));
    for (int64_t b = 0; b < set.count; b++) done += set.status[b] >= 0;
    if (done == 0)
        return ald_fail(run->error, set.status[0], "none of %lld bootstraps of the ladle could be fitted: %s",
                        (long long)set.count, set.notes[0]);
    for (int64_t b = 0; b < set.count; b++)
        for (int64_t k = 1; k <= l->most && set.status[b] >= 0; k++)
            l->f[k] += (1.0 - set.likeness[b * r + k - 1]) / (double)done;
    return ALD_OK;
}

/* Both become parts of 1 and all of them. */
static void weigh(ladle *l)
{
    double turns = 1.0, values = 0.0;
    for (int64_t k = 0; k <= l->most; k++) {
        l->phi[k] = fabs(l->values[k]);
        turns += l->f[k];
        values += l->phi[k];
    }
    const double unit = l->common.plain && values > 0.0 ? values : 1.0;
    for (int64_t k = 0; k <= l->most; k++) {
        l->f[k] /= turns;
        l->phi[k] = l->phi[k] / unit / (1.0 + values / unit);
    }
}

static void choose(const ladle *l, ald_dimension_row *rows, ald_dimension_choice *choice)
{
    choice->by_ladle = 0;
    choice->none_ladle = l->phi[0];
    for (int64_t k = 1; k <= l->most; k++) {
        if (l->f[k] + l->phi[k] < l->f[choice->by_ladle] + l->phi[choice->by_ladle]) choice->by_ladle = k;
        if (k > l->task->count) continue;
        rows[k - 1].ladle_turn = l->f[k];
        rows[k - 1].ladle_value = l->phi[k];
    }
}

/* Why there is no ladle; NULL: there is one. */
static const char *why_none(const ladle *l, const ald_model *model)
{
    const char *map = ald_model_text(model, "alidade.map");
    if (map && strcmp(map, "none") == 0) return "the method places its own rows only";
    if (!l->values) return "the method has no eigenvalues";
    if (l->task->method->relation == ALD_BY_SMALLNESS) return "small eigenvalues come first in this method";
    return l->most < 1 ? "there is one component at most, with nothing to compare it with" : NULL;
}

static ald_status measure(ald_run *run, ladle *l, const ald_model *model, ald_dimension_row *rows,
                          ald_dimension_choice *choice)
{
    const char *why;
    l->common.r = ald_model_component_count(model);
    l->most = l->common.r - 1;
    l->values = ald_model_reals(model, "eigenvalues", l->common.r, -1);
    why = why_none(l, model);
    snprintf(choice->ladle, sizeof choice->ladle, "%s", why ? why : "");
    if (why) return ALD_OK;
    l->common.plain = is_plain(model);
    ALD_TRY(ald_scratch_zeros(run, l->most + 1, 1, &l->f));
    ALD_TRY(ald_scratch_reals(run, l->most + 1, 1, &l->phi));
    ALD_TRY(draw(run, l, model));
    weigh(l);
    choose(l, rows, choice);
    return ALD_OK;
}

/* Fits with at most K + 1 directions, and bootstraps with as many as these are. */
static ald_status fit_and_measure(ald_run *run, ladle *l, ald_settings *settings, ald_model **model,
                                  ald_dimension_row *rows, ald_dimension_choice *choice)
{
    const char *name, *rule = ald_at_most_rule(&name);
    ALD_TRY(ald_settings_set_text(settings, name, rule, run->error));
    ALD_TRY(ald_fit_inside(run, settings, l->task->x, l->task->y, model, run->error));
    ALD_TRY(ald_set_n_components(settings, ald_model_component_count(*model), run->error));
    ALD_TRY(ald_settings_set_text(settings, name, "exactly", run->error));
    l->common.settings = settings;
    return measure(run, l, *model, rows, choice);
}

ald_status ald_find_ladle(ald_run *run, const ald_dimension_task *task, ald_dimension_row *rows,
                          ald_dimension_choice *choice)
{
    ladle l = {
        .task = task,
        .most = most_by_columns(task),
        .draws = {.size = sizeof l.draws, .seed = task->seed},
        .common = {.wide = task->wide, .x = task->x, .n = task->x->rows},
    };
    const double from = ald_dimension_done(task, 0), to = ald_dimension_done(task, 1);
    ald_settings *settings = NULL;
    ald_model *model = NULL;
    l.common.options = &l.draws;
    ALD_TRY(ald_refit_settings(run, task->settings, l.most + 1, &settings));
    const ald_span before = ald_span_enter(task->wide, from, to - from);
    const ald_status status = fit_and_measure(run, &l, settings, &model, rows, choice);
    ald_span_leave(task->wide, before);
    ald_model_free(model);
    ald_settings_free(settings);
    return status;
}
