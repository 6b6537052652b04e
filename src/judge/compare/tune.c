/* ald_tune: a comparison of all pairs on all rows, the rule, the same choosing judged on splits of its own,
 * and a fit of what was chosen. */
#include "base/core/error.h"
#include "base/settings/common_params.h"
#include "base/settings/limits.h"
#include "base/settings/options.h"
#include "base/settings/settings.h"
#include "base/threads/threads.h"
#include "data/encode/dataset.h"
#include "fit/fitting/fit.h"
#include "fit/prepare/check.h"
#include "judge/cells/calibrate.h"
#include "judge/cells/journal.h"
#include "judge/choosing/search.h"
#include "judge/compare/comparing.h"
#include "judge/compare/comparison.h"
#include "math/operator/entry.h"
#include "methods/predict/predictor.h"

#include <alidade/tune.h>
#include <math.h>
#include <string.h>

struct ald_tuning {
    ald_allocator allocator;
    ald_comparison *curve, *nested;
    int chosen, best; /* rows of the curve */
    double within;
};

typedef struct tuner {
    const ald_dataset *dataset;
    ald_tune_options options; /* whole */
    ald_subset data;
    ald_candidates *candidates;
    ald_candidate all; /* every pair a row */
    ald_splits_options inner, outer;
    ald_choice choice;
    ald_journal *journal;
    ald_tuning *result;
} tuner;

static ald_status check_data(ald_run *run, const tuner *t)
{
    const ald_tune_options *o = &t->options;
    if (t->data.y.kind == ALD_TARGET_NONE)
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "there is no target to tune by: name its columns (`target`)");
    if (ald_dataset_beside(t->dataset))
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "%s for a fit of all rows cannot be split into training and test rows: leave it out",
                        ald_dataset_beside(t->dataset));
    if (o->resume && o->keep_predictions)
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "predictions are not part of the finished work in a file: use either `resume` or "
                        "`keep_predictions`");
    if ((o->candidate != NULL) + (o->search != NULL) + (o->methods != NULL) > 1)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT, "give one of `candidate`, `search` and `methods`");
    ALD_TRY(ald_compare_check_data(run, &t->data));
    /* where equal rows stay together, there would be nothing to divide either */
    if (ald_matrix_is_constant(&t->data.x))
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "all columns are constant: there is no direction to find");
    return ALD_OK;
}

static int is_open(const ald_splits_options *splits)
{
    return splits->splits == 0 && splits->folds == 0 && splits->train == 0.0;
}

/* An outer fold learns from n (1 - 1/K) rows. Where the error falls as a + b/n, the honest figure is too bad
 * by b / (n (K - 1)): K in proportion to 1/n makes that the same for all small data, at the same work. Only
 * the accuracy is a mean over rows, whatever the folds; a root mean square of few rows is too small, so that
 * folds of numbers stay large. Few groups cannot be dealt into many folds. */
static int64_t folds_outside(const tuner *t, int small, const int64_t *groups)
{
    enum { usual = 5, more = 10, most = 20, rows_in_all = 4000 };
    const int64_t n = t->data.x.rows;
    const char *metric = t->options.metric;
    if (!small) return usual;
    if (t->data.y.kind != ALD_TARGET_CLASSES || (metric && strcmp(metric, "accuracy") != 0)) return more;
    if (groups || t->outer.keep_duplicates || t->data.y.labelled || n < most || n * more > rows_in_all)
        return more;
    return n * most > rows_in_all ? rows_in_all / n : most;
}

static ald_status read_splits(ald_run *run, tuner *t)
{
    enum { inner_folds = 10 };
    const ald_tune_options *o = &t->options;
    const int64_t *groups = o->groups ? o->groups : t->dataset->groups;
    const ald_splits_options *own = t->candidates->list[0].inner;
    ALD_TRY(ALD_OPTIONS_READ(run->error, ald_splits_options, o->inner, &t->inner));
    ALD_TRY(ALD_OPTIONS_READ(run->error, ald_splits_options, o->outer, &t->outer));
    const int small = is_open(&t->inner) && own && own->repeats > 1; /* as the usual search finds */
    if (is_open(&t->inner)) t->inner.folds = own && own->folds > 1 ? own->folds : inner_folds;
    if (small && t->inner.repeats == 0) t->inner.repeats = own->repeats;
    if (!o->outer) {
        t->outer = t->inner;
        t->outer.folds = t->outer.splits = t->outer.repeats = 0;
        t->outer.train = 0.0;
    }
    if (is_open(&t->outer)) t->outer.folds = folds_outside(t, small, groups);
    t->inner.groups = t->outer.groups = groups;
    t->inner.parts = t->outer.parts = NULL;
    return ALD_OK;
}

static ald_status read_candidate(ald_run *run, tuner *t)
{
    const ald_tune_options *o = &t->options;
    ald_search search;
    if (o->candidate) return ald_candidates_take(run, o->candidate, 1, t->data.y.kind, &t->candidates);
    ALD_TRY(ALD_OPTIONS_READ(run->error, ald_search, o->search, &search));
    if (o->methods) search.methods = o->methods;
    search.tuning = 1;
    search.categories = t->dataset->categorical != NULL;
    return ald_search_candidates(run, &t->data.x, &t->data.y, &search, &t->candidates);
}

static ald_status read_options(ald_run *run, tuner *t)
{
    ALD_TRY(check_data(run, t));
    ALD_TRY(read_candidate(run, t));
    ALD_TRY(read_splits(run, t));
    t->all = t->candidates->list[0];
    t->all.choose = 0;
    t->all.rule = t->options.rule == ALD_RULE_USUAL && t->options.search ? t->all.rule : t->options.rule;
    t->all.inner = &t->inner;
    if (t->all.kind != ALD_CANDIDATE_METHOD || t->all.n_settings < 1 || t->all.n_dims < 1)
        return ald_fail(
            run->error, ALD_ERROR_ARGUMENT,
            "tuning needs a method with settings and numbers of components (`dims`) to choose from");
    if (t->all.rule < ALD_RULE_USUAL || t->all.rule > ALD_RULE_BEST)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT, "there is no `rule` %d", (int)t->all.rule);
    if (t->options.race < ALD_RACE_USUAL || t->options.race > ALD_RACE_OFF)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT, "there is no `race` %d", (int)t->options.race);
    return ALD_OK;
}

/* Curve and choosing share a journal, bound to everything that the figures of both depend on. */
static ald_status open_journal(ald_run *run, tuner *t)
{
    const ald_tune_options *o = &t->options;
    const ald_compare_plan plan = {.candidates = &t->all, .count = 1, .fill_missing = o->fill_missing};
    ald_key key = {0};
    if (!o->resume) return ALD_OK;
    ALD_TRY(ald_compare_check(run, &t->data, &plan));
    ald_key_text(&key, "tune");
    ald_key_data(&key, &t->data);
    ald_key_text(&key, o->metric ? o->metric : "");
    ald_key_int(&key, o->fill_missing);
    ald_key_int(&key, o->no_nested);
    ald_key_int(&key, o->race == ALD_RACE_OFF);
    ald_key_int(&key, t->all.rule == ALD_RULE_BEST);
    ald_key_splits(&key, &t->inner, t->data.x.rows);
    if (!o->no_nested) ald_key_splits(&key, &t->outer, t->data.x.rows);
    ald_key_candidate(&key, &t->all, -1);
    return ald_journal_open(run, o->resume, key, &t->journal);
}

static ald_compare_plan plan_of(const tuner *t, const ald_candidate *candidates, int count,
                                const ald_splits_options *splits)
{
    return (ald_compare_plan){
        .candidates = candidates,
        .count = count,
        .splits = *splits,
        .metric = t->options.metric,
        .fill_missing = t->options.fill_missing,
        .keep_predictions = t->options.keep_predictions,
        .journal = t->journal,
        .race_inside = t->options.race != ALD_RACE_OFF,
        .trial_inside = 1,
        .partial = 1,
    };
}

static ald_status draw_curve(ald_run *run, tuner *t)
{
    ald_compare_plan plan = plan_of(t, &t->all, 1, &t->inner);
    plan.race = t->options.race != ALD_RACE_OFF;
    plan.trial = 1;
    ALD_TRY(ald_compare_inside(run, &t->data, &plan, &t->result->curve));
    return ald_comparison_check_begun(run, t->result->curve);
}

/* Whether a penalised fit of all columns beside it takes little time. */
static int shows_features(const tuner *t)
{
    const double n = (double)t->data.x.rows, d = (double)t->data.x.cols,
                 q = t->data.y.kind == ALD_TARGET_REAL ? 0.0 : (double)ald_target_outputs(&t->data.y);
    return t->data.x.storage == ALD_DENSE && n * fmin(n, d) * (4.0 * d + 500.0 * q) < ALD_FEATURES_WORK;
}

/* Beside the choice the constant and all features, whose settings have no predictor but the penalised one. */
static ald_status compare_choosing(ald_run *run, const tuner *t, const ald_settings *plain)
{
    ald_candidate rows[] = {t->all, t->all, t->all};
    ald_compare_plan plan = plan_of(t, rows, 2 + shows_features(t), &t->outer);
    plan.again = 1;
    rows[0].choose = 1;
    rows[0].label = "tuned";
    rows[1].kind = ALD_CANDIDATE_CONSTANT;
    rows[1].label = ald_baseline_label(ALD_CANDIDATE_CONSTANT, t->data.y.kind);
    rows[2].kind = ALD_CANDIDATE_FEATURES;
    rows[2].label = "all features, penalised";
    rows[2].settings = &plain;
    rows[1].n_settings = rows[2].n_settings = 1;
    return ald_compare_inside(run, &t->data, &plan, &t->result->nested);
}

static ald_status judge_choosing(ald_run *run, tuner *t)
{
    ald_settings *plain = NULL;
    if (t->options.no_nested || ald_deadline_passes(run)) return ALD_OK;
    ald_status status = ald_settings_clone(run, t->all.settings[0], &plain, run->error);
    if (status >= 0) status = ald_unset_predictor(plain, run->error);
    if (status >= 0) status = compare_choosing(run, t, plain);
    ald_settings_free(plain);
    ALD_TRY(status);
    if (t->result->nested->judged == 0) { /* the time was up */
        ald_comparison_free(t->result->nested);
        t->result->nested = NULL;
        return ALD_OK;
    }
    return ald_comparison_check_memory(run, t->result->nested);
}

/* What was chosen, with the predictor that it was judged with. */
static ald_status chosen_settings(ald_run *run, const tuner *t, ald_settings **settings)
{
    const ald_settings *from = t->all.settings[t->choice.setting];
    ALD_TRY(ald_settings_clone(run, from, settings, run->error));
    ALD_TRY(ald_set_n_components(*settings, t->choice.dims, run->error));
    return ald_need_predictor(*settings, &t->data.y, run->error);
}

/* All rows, cells without a value filled; methods that cannot use rows without a target do not get them. */
static ald_status final_rows(ald_run *run, const tuner *t, ald_dataset *rows)
{
    const ald_settings *settings = t->all.settings[t->choice.setting];
    const unsigned char *labelled = t->data.y.labelled;
    const int all =
        !labelled || (ald_method_capabilities(ald_settings_method(settings)) & ALD_CAN_UNLABELLED);
    int64_t *list;
    int64_t count = 0;
    ald_subset taken;
    *rows = *t->dataset;
    if (all && !t->options.fill_missing) return ALD_OK;
    ALD_TRY(ald_scratch(run, t->data.x.rows, 1, sizeof *list, &list));
    for (int64_t i = 0; i < t->data.x.rows; i++)
        if (all || labelled[i]) list[count++] = i;
    ALD_TRY(ald_subset_take(run, &t->data, list, count, &taken));
    if (!all) taken.y.labelled = NULL;
    ald_subset none = taken;
    none.x.rows = 0;
    if (t->options.fill_missing && !ald_gaps_in(settings)) ALD_TRY(ald_subset_fill(run, &taken, &none));
    rows->x = taken.x;
    rows->target = taken.y;
    return ALD_OK;
}

static int keeps_errors(const tuner *t)
{
    /* times with events have no intervals, and a limit leaves no time for them */
    return !t->options.no_errors && !t->data.y.events && !(t->options.time_limit > 0.0);
}

/* The fit, and behind it those without a part of the rows. */
static ald_status fit_rows(ald_run *run, const tuner *t, const ald_settings *settings,
                           const ald_dataset *rows, ald_model **model, ald_error *error)
{
    const double share = keeps_errors(t) ? 1.0 / (1.0 + ALD_ERROR_FOLDS) : 1.0;
    const int64_t *groups = rows->x.rows == t->data.x.rows ? t->inner.groups : NULL;
    ald_span before = ald_span_enter(run, 0.0, share);
    const ald_status status = ald_fit_dataset_inside(run, settings, rows, model, error);
    ald_span_leave(run, before);
    if (status < 0 || !keeps_errors(t)) return status;
    before = ald_span_enter(run, share, 1.0 - share);
    run->call.log = NULL; /* what there is to say was said of the fit */
    const ald_status kept = ald_calibrate_fitted(run, &rows->x, &rows->target, groups, model);
    ald_span_leave(run, before);
    if (kept < 0) *error = *run->error;
    return kept < 0 ? kept : status;
}

static ald_status fit_chosen(ald_run *run, const tuner *t, ald_model **model)
{
    ald_settings *settings = NULL;
    ald_dataset rows;
    ald_run single;
    ALD_TRY(final_rows(run, t, &rows));
    ald_status status = chosen_settings(run, t, &settings);
    ald_error error;
    if (status >= 0) {
        ald_run_inside(&single, run, NULL);
        single.call.threads = 1; /* the same bytes for any number */
        single.call.deadline = NULL;
        status = fit_rows(&single, t, settings, &rows, model, &error);
        ald_run_end(&single, ALD_OK);
        if (status < 0) ald_fail(run->error, status, "%s", error.message);
    }
    ald_settings_free(settings);
    if (status <= 0) return status;
    ald_warn(run, status, "%s", error.message);
    return ALD_OK;
}

static double count_splits(const ald_splits_options *splits)
{
    return (double)(splits->folds > 1 ? splits->folds : 10) *
           (double)(splits->repeats > 1 ? splits->repeats : 1);
}

/* The shares of the whole time that the last fits and the curve take. The choosing is done again in every
 * outer split, with fewer rows. The last fits are of one thread, and rarely of the quickest setting. */
static double last_share(const ald_run *run, const tuner *t)
{
    const double choosings = t->options.no_nested ? 1.0 : 1.0 + 0.8 * count_splits(&t->outer);
    const double tried = choosings * count_splits(&t->inner) * (double)t->all.n_settings;
    const double last = 2.0 * (keeps_errors(t) ? 1.0 + ALD_ERROR_FOLDS : 1.0) * (double)run->call.threads;
    return last / (last + tried);
}

static double curve_share(const tuner *t, double last)
{
    return (1.0 - last) / (t->options.no_nested ? 1.0 : count_splits(&t->outer));
}

static ald_status tune(ald_run *run, tuner *t, ald_model **model)
{
    ALD_TRY(read_options(run, t));
    ALD_TRY(ald_candidates_check_rows(run, &t->all, 1, t->dataset->categorical));
    ALD_TRY(open_journal(run, t));
    const double last = last_share(run, t), curve = curve_share(t, last), nested = 1.0 - last - curve;
    ald_span before = ald_span_enter(run, 0.0, curve);
    ALD_TRY(draw_curve(run, t));
    ald_span_leave(run, before);
    ALD_TRY(ald_rule_apply(run, t->result->curve, &t->all, &t->choice));
    t->result->chosen = t->choice.row;
    t->result->best = t->choice.best;
    t->result->within = t->choice.within;
    before = ald_span_enter(run, curve, nested);
    ALD_TRY(judge_choosing(run, t));
    ald_span_leave(run, before);
    before = ald_span_enter(run, 1.0 - last, last);
    ALD_TRY(fit_chosen(run, t, model));
    ald_span_leave(run, before);
    return ald_keep_choice(run, t->result->curve, t->result->nested, &t->all, &t->choice, *model);
}

static ald_status new_tuning(ald_run *run, ald_tuning **made)
{
    const ald_allocator *allocator = run->call.allocator;
    *made = allocator->resize(allocator->user, NULL, sizeof **made);
    if (!*made) return ald_out_of_memory(run, 1, 1, sizeof **made);
    **made = (ald_tuning){.allocator = *allocator};
    return ALD_OK;
}

static ald_status tune_dataset(ald_run *run, const ald_dataset *dataset, const ald_tune_options *options,
                               ald_tuning **result, ald_model **model)
{
    tuner t = {.dataset = dataset};
    ald_deadline deadline;
    ALD_TRY(ALD_OPTIONS_READ(run->error, ald_tune_options, options, &t.options));
    ALD_TRY(ald_time_limit_begin(run, t.options.time_limit, t.options.timer, &deadline));
    ALD_TRY(new_tuning(run, result));
    t.result = *result;
    t.data = (ald_subset){.x = dataset->x, .y = dataset->target};
    const ald_status status = tune(run, &t, model);
    ald_journal_close(t.journal);
    ald_candidates_free(t.candidates);
    return status;
}

ald_status ald_tune(ald_context *context, const ald_dataset *dataset, const ald_tune_options *options,
                    ald_tuning **tuning, ald_model **model, ald_error *error)
{
    ald_run run;
    if (tuning) *tuning = NULL;
    if (model) *model = NULL;
    ALD_GIVEN(error, context, dataset, tuning, model);
    ald_run_begin(&run, context, error);
    ald_threads_begin(1);
    const ald_status status = tune_dataset(&run, dataset, options, tuning, model);
    ald_threads_end();
    if (status < 0) {
        ald_model_free(*model);
        ald_tuning_free(*tuning);
        *model = NULL;
        *tuning = NULL;
    }
    return ald_run_end(&run, status);
}

void ald_tuning_free(ald_tuning *result)
{
    if (!result) return;
    const ald_allocator allocator = result->allocator;
    ald_comparison_free(result->curve);
    ald_comparison_free(result->nested);
    allocator.resize(allocator.user, result, 0);
}

const ald_comparison *ald_tuning_curve(const ald_tuning *result)
{
    return result ? result->curve : NULL;
}

const ald_comparison *ald_tuning_nested(const ald_tuning *result)
{
    return result ? result->nested : NULL;
}

int ald_tuning_chosen(const ald_tuning *result)
{
    return result ? result->chosen : -1;
}

int ald_tuning_best(const ald_tuning *result)
{
    return result ? result->best : -1;
}

double ald_tuning_within(const ald_tuning *result)
{
    return result ? result->within : (double)NAN;
}
