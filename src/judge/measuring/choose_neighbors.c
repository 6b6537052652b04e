/* ald_choose_neighbors: a fit for every number of neighbours, each on one thread so that its result does not
 * depend on how many there are, and the largest mean continuity on the rows fitted on wins.
 *
 * The measure is flat over a wide range of k. A trial is as good as the best when what it lacks, averaged
 * over rows, is within two standard errors of the row by row differences; the model says which were. */
#include "base/core/error.h"
#include "base/core/model.h"
#include "base/core/text.h"
#include "base/numbers/number.h"
#include "base/settings/options.h"
#include "base/settings/settings.h"
#include "base/threads/jobs.h"
#include "data/encode/dataset.h"
#include "fit/fitting/fit.h"
#include "fit/fitting/map_rows.h"
#include "judge/measuring/continuity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char stage[] = "choosing n_neighbors";

/* The parameter that is chosen, NULL if the method has none. */
static const ald_param *neighbors_of(const ald_settings *settings)
{
    return ald_settings_param_with(settings, ALD_PARAM_IS_NEIGHBORS);
}

typedef struct attempt {
    ald_model *model;
    ald_error error;
    ald_run run;  /* of judging it; lasts until all are compared */
    double *rows; /* the continuity of each row, in the scratch of this run */
    int64_t n_rows;
} attempt;

typedef struct choosing {
    const ald_settings *settings;
    const ald_dataset *dataset;
    const ald_choice_options *options;
    ald_trial *trials; /* in scratch */
    ald_trial *given;  /* the caller's */
    attempt *attempts;
} choosing;

static ald_status fit_one(const ald_run *outer, const choosing *c, int64_t n_neighbors, attempt *a)
{
    ald_settings *settings = NULL;
    ald_status status = ald_settings_clone(outer, c->settings, &settings, &a->error);
    if (status >= 0)
        status = ald_settings_set_int(settings, neighbors_of(settings)->name, n_neighbors, &a->error);
    if (status >= 0) status = ald_fit_dataset_inside(outer, settings, c->dataset, &a->model, &a->error);
    ald_settings_free(settings);
    return status;
}

static ald_status judge(const choosing *c, attempt *a)
{
    const int64_t r = ald_model_component_count(a->model);
    ald_continuity_curve curve;
    double *z;
    ALD_TRY(ald_scratch_reals(&a->run, c->dataset->x.rows, r, &z));
    ALD_TRY(ald_transform_inside(&a->run, a->model, &c->dataset->x, z, a->run.error));
    ALD_TRY(ald_continuity_run(&a->run, z, r, &c->dataset->target, c->options->continuity, 1, &curve));
    a->rows = curve.values.rows;
    a->n_rows = curve.sampled;
    return ALD_OK;
}

static double objective_of(const ald_model *model)
{
    const char *text = ald_model_text(model, "alidade.resolved.objective");
    double value;
    return text && ald_parse_real(text, strlen(text), &value) ? value : NAN;
}

static void choose_neighbors_describe(const attempt *a, ald_trial *t)
{
    if (t->status != ALD_OK) snprintf(t->note, sizeof t->note, "%.127s", a->error.message);
    if (t->status < 0) return;
    ald_mean_error(a->n_rows, a->rows, &t->continuity, &t->error);
    t->objective = objective_of(a->model);
}

static int is_fatal(ald_status status)
{
    return status == ALD_ERROR_MEMORY || status == ALD_ERROR_CANCELLED;
}

static ald_status attempt_one(void *work, const ald_run *outer, int lane, int64_t number, ald_error *error)
{
    const choosing *c = work;
    attempt *a = &c->attempts[number];
    ald_trial *t = &c->trials[number];
    double (*const clock)(void) = c->options->clock;
    const double began = clock ? clock() : 0.0;
    (void)lane;
    t->status = fit_one(outer, c, t->n_neighbors, a);
    if (clock) t->seconds = clock() - began;
    if (t->status >= 0) {
        const ald_error fitted = a->error;
        ald_run_inside(&a->run, outer, &a->error);
        const ald_status judged = judge(c, a);
        if (judged < 0)
            t->status = judged;
        else
            a->error = fitted;
    }
    choose_neighbors_describe(a, t);
    return is_fatal(t->status) ? ald_fail(error, t->status, "%s", a->error.message) : ALD_OK;
}

static ald_status choose_neighbors_check(ald_run *run, const choosing *c)
{
    const char *name = ald_method_name(ald_settings_method(c->settings));
    if (c->options->count < 1)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT, "there are no numbers of neighbours to choose from");
    if (!neighbors_of(c->settings))
        return ald_fail(run->error, ALD_ERROR_ARGUMENT, "%s has no parameter `n_neighbors` to choose", name);
    if (c->dataset->target.kind == ALD_TARGET_NONE)
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "choosing `n_neighbors` needs a target: name its column (`target`)");
    for (int i = 0; i < c->options->count; i++)
        if (c->options->n_neighbors[i] < 1)
            return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                            "a number of neighbours to try is %lld; it must be 1 or more",
                            (long long)c->options->n_neighbors[i]);
    return ALD_OK;
}

/* An error when nothing was fitted. */
static ald_status check_trials(ald_run *run, const choosing *c)
{
    for (int i = 0; i < c->options->count; i++)
        if (c->trials[i].status >= 0) return ALD_OK;
    return ald_fail(run->error, c->trials[0].status, "%s", c->attempts[0].error.message);
}

static int better(const ald_trial *a, const ald_trial *b)
{
    if (a->continuity > b->continuity || a->continuity < b->continuity) return a->continuity > b->continuity;
    return a->n_neighbors < b->n_neighbors;
}

static int find_best(const choosing *c)
{
    int best = -1;
    for (int i = 0; i < c->options->count; i++)
        if (c->trials[i].status >= 0 && (best < 0 || better(&c->trials[i], &c->trials[best]))) best = i;
    return best;
}

/* All were judged by the same rows. */
static ald_status compare_all(ald_run *run, choosing *c, int best)
{
    const attempt *b = &c->attempts[best];
    double *differences;
    ALD_TRY(ald_scratch_reals(run, b->n_rows, 1, &differences));
    for (int i = 0; i < c->options->count; i++) {
        ald_trial *t = &c->trials[i];
        if (t->status < 0) continue;
        for (int64_t at = 0; at < b->n_rows; at++) differences[at] = b->rows[at] - c->attempts[i].rows[at];
        ald_mean_error(b->n_rows, differences, &t->behind, &t->behind_error);
        t->as_good = i == best || t->behind <= 2.0 * t->behind_error;
    }
    c->trials[best].chosen = 1;
    return ALD_OK;
}

static ald_status list_trials(ald_run *run, const choosing *c, int as_good, ald_text *text)
{
    for (int i = 0; i < c->options->count; i++) {
        const ald_trial *t = &c->trials[i];
        if (t->status < 0 || (as_good && (!t->as_good || t->chosen))) continue;
        ALD_TRY(ald_text_print(run, text, "%s%lld", text->length ? ", " : "", (long long)t->n_neighbors));
    }
    return ALD_OK;
}

static ald_status describe_choice(ald_run *run, const choosing *c, int best, ald_model *model)
{
    const int64_t count = c->options->count;
    ald_text tried, equal;
    int64_t *sizes;
    double *values;
    ald_text_init(&tried, &run->scratch);
    ald_text_init(&equal, &run->scratch);
    ALD_TRY(list_trials(run, c, 0, &tried));
    ALD_TRY(list_trials(run, c, 1, &equal));
    ALD_TRY(ald_model_set_printed(
        run, model, "alidade.resolved.n_neighbors_choice",
        "%lld has the largest mean continuity, %.4f, of %s%s%s", (long long)c->trials[best].n_neighbors,
        c->trials[best].continuity, tried.data,
        equal.length ? "; as good within two standard errors: " : "; no other is as good",
        equal.length ? equal.data : ""));
    ALD_TRY(ald_model_add(run, model, "choice/n_neighbors", ALD_ARRAY_I64, 1, &count, &sizes));
    ALD_TRY(ald_model_add(run, model, "choice/continuity", ALD_ARRAY_F64, 1, &count, &values));
    for (int64_t i = 0; i < count; i++) {
        sizes[i] = c->trials[i].n_neighbors;
        values[i] = c->trials[i].continuity;
    }
    return ALD_OK;
}

static ald_status choose(ald_run *run, choosing *c, ald_model **model)
{
    ALD_TRY(ald_jobs_run(run, c->options->count, stage, attempt_one, c));
    ALD_TRY(check_trials(run, c));
    const int best = find_best(c);
    ALD_TRY(compare_all(run, c, best));
    ALD_TRY(describe_choice(run, c, best, c->attempts[best].model));
    if (c->trials[best].status > 0)
        ald_warn(run, c->trials[best].status, "%s", c->attempts[best].error.message);
    *model = c->attempts[best].model;
    c->attempts[best].model = NULL;
    return ALD_OK;
}

static ald_status begin_and_choose(ald_run *run, choosing *c, ald_model **model)
{
    const int count = c->options->count;
    ALD_TRY(choose_neighbors_check(run, c));
    ALD_TRY(ald_scratch(run, count, 1, sizeof *c->trials, &c->trials));
    ALD_TRY(ald_scratch_clear(run, count, 1, sizeof *c->attempts, &c->attempts));
    for (int i = 0; i < count; i++) {
        c->trials[i] = (ald_trial){
            .n_neighbors = c->options->n_neighbors[i],
            .status = ALD_ERROR_CANCELLED,
            .continuity = NAN,
            .error = NAN,
            .behind = NAN,
            .behind_error = NAN,
            .objective = NAN,
            .seconds = NAN,
        };
    }
    const ald_status status = choose(run, c, model);
    for (int i = 0; i < count; i++) {
        ald_model_free(c->attempts[i].model);
        if (c->attempts[i].run.context) ald_run_end(&c->attempts[i].run, ALD_OK);
    }
    for (int i = 0; i < count; i++) ALD_OPTIONS_WRITE_AT(ald_trial, &c->trials[i], c->given, i);
    return status;
}

/* `whole` with a whole `continuity` in it. */
static ald_status read_choice_options(ald_error *error, const ald_choice_options *options,
                                      ald_choice_options *whole, ald_continuity_options *continuity)
{
    ALD_TRY(ALD_OPTIONS_READ(error, ald_choice_options, options, whole));
    ALD_TRY(ALD_OPTIONS_READ(error, ald_continuity_options, whole->continuity, continuity));
    whole->continuity = continuity;
    return ALD_OK;
}

ald_status ald_choose_neighbors(ald_context *context, const ald_settings *settings,
                                const ald_dataset *dataset, const ald_choice_options *options,
                                ald_trial *trials, ald_model **model, ald_error *error)
{
    ald_choice_options whole;
    ald_continuity_options continuity;
    ald_run run;
    if (model) *model = NULL;
    ALD_GIVEN(error, context, settings, dataset, options, trials, model);
    ALD_TRY(ALD_OPTIONS_CHECK(error, ald_trial, trials));
    ALD_TRY(read_choice_options(error, options, &whole, &continuity));
    choosing c = {
        .settings = settings,
        .dataset = dataset,
        .options = &whole,
        .given = trials,
    };
    ald_run_begin(&run, context, error);
    return ald_run_end(&run, begin_and_choose(&run, &c, model));
}
