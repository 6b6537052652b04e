/* ald_tune: a comparison of all pairs on all rows, the rule, the same choosing judged on splits of its own, and a fit
 * of what was chosen. */
#include "api/fit.h"
#include "core/random.h"
#include "core/text.h"
#include "judge/compare_inside.h"
#include "judge/rule.h"
#include "preparing/dataset.h"
#include "threads/threads.h"

#include <alidade/tune.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct tuning {
    const ald_dataset *dataset;
    const ald_tune_options *options;
    ald_subset data;
    ald_candidate all; /* every pair a row */
    ald_choice choice;
    ald_journal *journal;
    ald_tuning *result;
} tuning;

static ald_status tune_check(ald_run *run, const tuning *t)
{
    const ald_candidate *c = t->options->candidate;
    if (c->kind != ALD_CANDIDATE_METHOD || c->n_settings < 1 || c->n_dims < 1)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT, "tuning wants a method with settings and dims to choose from");
    if (t->data.y.kind == ALD_TARGET_NONE)
        return ald_fail(run->error, ALD_ERROR_DATA, "there is no target to tune by: name its columns (`target`)");
    if (t->dataset->graph.values || t->dataset->distances.values)
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "a graph or distances of all rows cannot be split into training and test rows: leave it out");
    return ALD_OK;
}

/* Curve and choosing share a journal, bound to everything that the figures of both depend on. */
static ald_status open_journal(ald_run *run, tuning *t)
{
    const ald_tune_options *o = t->options;
    const ald_compare_plan plan = {.candidates = &t->all, .count = 1, .fill_missing = o->fill_missing};
    ald_key key = {0};
    if (!o->resume) return ALD_OK;
    ALD_TRY(ald_compare_check(run, &t->data, &plan));
    ald_splits_options inner = t->all.inner, outer = o->outer;
    inner.groups = outer.groups = o->groups;
    ald_key_text(&key, "tune");
    ald_key_data(&key, &t->data);
    ald_key_text(&key, o->metric ? o->metric : "");
    ald_key_int(&key, o->fill_missing);
    ald_key_int(&key, o->nested);
    ald_key_int(&key, t->all.rule);
    ald_key_splits(&key, &inner, t->data.x.rows);
    if (o->nested) ald_key_splits(&key, &outer, t->data.x.rows);
    ald_key_candidate(&key, &t->all, -1);
    return ald_journal_open(run, o->resume, key, &t->journal);
}

static ald_status draw_curve(ald_run *run, tuning *t)
{
    const ald_tune_options *o = t->options;
    ald_compare_plan plan = {.candidates = &t->all,
                             .count = 1,
                             .splits = o->candidate->inner,
                             .metric = o->metric,
                             .fill_missing = o->fill_missing,
                             .journal = t->journal};
    plan.splits.groups = o->groups;
    return ald_compare_inside(run, &t->data, &plan, &t->result->curve);
}

static ald_status judge_choosing(ald_run *run, tuning *t)
{
    const ald_tune_options *o = t->options;
    ald_candidate rows[] = {*o->candidate, *o->candidate};
    ald_compare_plan plan = {.candidates = rows,
                             .count = 2,
                             .splits = o->outer,
                             .metric = o->metric,
                             .fill_missing = o->fill_missing,
                             .journal = t->journal};
    if (!o->nested) return ALD_OK;
    rows[0].choose = 1;
    rows[0].label = "tuned";
    rows[1].kind = ALD_CANDIDATE_CONSTANT;
    rows[1].label = t->data.y.kind == ALD_TARGET_CLASSES ? "majority"
                    : t->data.y.kind == ALD_TARGET_REAL  ? "mean"
                                                         : "label shares";
    rows[1].n_settings = 1;
    rows[1].choose = 0;
    plan.splits.groups = o->groups;
    ALD_TRY(ald_compare_inside(run, &t->data, &plan, &t->result->nested));
    return ald_comparison_check_memory(run, t->result->nested);
}

/* What was chosen, with the predictor that it was judged with. */
static ald_status chosen_settings(ald_run *run, const tuning *t, ald_context *context, ald_settings **settings)
{
    const ald_settings *from = t->all.settings[t->choice.setting];
    ALD_TRY(ald_settings_copy(context, from, settings, run->error));
    ALD_TRY(ald_settings_set_int(*settings, "n_components", t->choice.dims, run->error));
    if (strcmp(ald_settings_text(from, "predictor"), "none") != 0) return ALD_OK;
    return ald_settings_set_text(*settings, "predictor", ald_usual_predictor(t->data.y.kind), run->error);
}

/* All rows, cells without a value filled; methods that cannot use rows without a target do not get them. */
static ald_status final_rows(ald_run *run, const tuning *t, ald_dataset *rows)
{
    const ald_settings *settings = t->all.settings[t->choice.setting];
    const unsigned char *labelled = t->data.y.labelled;
    const int all = !labelled || (ald_method_capabilities(ald_settings_method(settings)) & ALD_CAN_UNLABELLED);
    int64_t *list, count = 0;
    ald_subset taken;
    *rows = *t->dataset;
    if (all && !t->options->fill_missing) return ALD_OK;
    ALD_TRY(ald_scratch(run, t->data.x.rows, 1, sizeof *list, &list));
    for (int64_t i = 0; i < t->data.x.rows; i++)
        if (all || labelled[i]) list[count++] = i;
    ALD_TRY(ald_subset_take(run, &t->data, list, count, &taken));
    if (!all) taken.y.labelled = NULL;
    ald_subset none = taken;
    none.x.rows = 0;
    if (t->options->fill_missing) ALD_TRY(ald_subset_fill(run, &taken, &none));
    rows->x = taken.x;
    rows->target = taken.y;
    return ALD_OK;
}

static ald_status fit_chosen(ald_run *run, const tuning *t, ald_model **model)
{
    ald_context context = *run->context;
    ald_settings *settings = NULL;
    ald_dataset rows;
    context.threads = 1; /* the same bytes for any number */
    ALD_TRY(final_rows(run, t, &rows));
    ald_status status = chosen_settings(run, t, &context, &settings);
    ald_error error;
    if (status >= 0) {
        status = ald_fit_dataset(&context, settings, &rows, model, &error);
        if (status < 0) ald_fail(run->error, status, "%s", error.message);
    }
    ald_settings_free(settings);
    if (status <= 0) return status;
    ald_warn(run, status, "%s", error.message);
    return ALD_OK;
}

/* The values of parameters that were set: "ridge=1 scale=standard". */
static ald_status print_settings(ald_run *run, const ald_settings *settings, ald_text *text)
{
    const ald_method *method = ald_settings_method(settings);
    const ald_param *param;
    ALD_TRY(ald_text_print(run, text, "%s", ald_method_name(method)));
    for (int i = 0; (param = ald_method_param(method, i)) != NULL; i++)
        if (ald_settings_given(settings, param->name) && strcmp(param->name, "n_components") != 0)
            ALD_TRY(ald_text_print(run, text, " %s=%s", param->name, ald_settings_text(settings, param->name)));
    return ALD_OK;
}

static ald_status keep_settings(ald_run *run, const tuning *t, ald_model *model)
{
    const char **names;
    ALD_TRY(ald_scratch(run, t->all.n_settings, 1, sizeof *names, &names));
    for (int s = 0; s < t->all.n_settings; s++) {
        ald_text text;
        ald_text_init(&text, &run->scratch);
        ALD_TRY(print_settings(run, t->all.settings[s], &text));
        names[s] = text.data;
    }
    return ald_model_set_names(run, model, "alidade.tuning.settings", names, t->all.n_settings);
}

static ald_status keep_curve(ald_run *run, const tuning *t, ald_model *model)
{
    const ald_comparison *curve = t->result->curve;
    const int64_t rows = curve->n_rows;
    int64_t *dims, *setting;
    double *mean, *std;
    ALD_TRY(ald_model_add(run, model, "tuning/dims", ALD_ARRAY_I64, 1, &rows, &dims));
    ALD_TRY(ald_model_add(run, model, "tuning/setting", ALD_ARRAY_I64, 1, &rows, &setting));
    ALD_TRY(ald_model_add(run, model, "tuning/mean", ALD_ARRAY_F64, 1, &rows, &mean));
    ALD_TRY(ald_model_add(run, model, "tuning/std", ALD_ARRAY_F64, 1, &rows, &std));
    for (int64_t i = 0; i < rows; i++) {
        dims[i] = curve->rows[i].dims;
        setting[i] = curve->rows[i].setting;
        mean[i] = curve->rows[i].mean;
        std[i] = curve->rows[i].std;
    }
    ALD_TRY(ald_model_set_text(run, model, "alidade.tuning.metric", curve->metric->name));
    ALD_TRY(ald_model_set_text(run, model, "alidade.tuning.splits", ald_splits_note(curve->splits)));
    ALD_TRY(ald_model_set_text(run, model, "alidade.tuning.rule", t->all.rule == ALD_RULE_ONE_SE ? "one-se" : "best"));
    return keep_settings(run, t, model);
}

/* For those who look at the model: how it came to be, in a sentence. */
static ald_status tell(ald_run *run, const tuning *t, ald_model *model)
{
    const ald_comparison *curve = t->result->curve, *nested = t->result->nested;
    const ald_comparison_row *row = &curve->rows[t->choice.row];
    ald_text text;
    ald_text_init(&text, &run->scratch);
    ALD_TRY(ald_text_print(run, &text, "%lld component%s and ", (long long)row->dims, row->dims == 1 ? "" : "s"));
    ALD_TRY(print_settings(run, t->all.settings[row->setting], &text));
    ALD_TRY(ald_text_print(
        run, &text, ", %s of %d pairs, by %s (%s): %s %.6g, too good a figure",
        t->all.rule == ALD_RULE_ONE_SE ? "the simplest within a standard error of the best" : "the best", curve->n_rows,
        ald_splits_note(curve->splits), curve->metric->name, curve->metric->name, row->mean));
    if (nested && nested->rows[0].count > 0)
        ALD_TRY(ald_text_print(run, &text,
                               "; the choosing itself, on rows that did not choose: %.6g, standard deviation %.2g (%s)",
                               nested->rows[0].mean, nested->rows[0].std, ald_splits_note(nested->splits)));
    return ald_model_set_text(run, model, "alidade.resolved.tuning", text.data);
}

static ald_status tune(ald_run *run, tuning *t, ald_model **model)
{
    ALD_TRY(tune_check(run, t));
    ALD_TRY(open_journal(run, t));
    ALD_TRY(draw_curve(run, t));
    ALD_TRY(ald_rule_apply(run, t->result->curve, &t->all, &t->choice));
    t->result->chosen = t->choice.row;
    t->result->best = t->choice.best;
    t->result->within = t->choice.within;
    ALD_TRY(judge_choosing(run, t));
    ALD_TRY(fit_chosen(run, t, model));
    ALD_TRY(keep_curve(run, t, *model));
    return tell(run, t, *model);
}

ald_status ald_tune(ald_context *context, const ald_dataset *dataset, const ald_tune_options *options,
                    ald_tuning *result, ald_model **model, ald_error *error)
{
    ald_run run;
    tuning t = {.dataset = dataset, .options = options, .result = result, .all = *options->candidate};
    t.data = (ald_subset){.x = dataset->x, .y = dataset->target};
    t.all.choose = 0;
    *model = NULL;
    ald_run_begin(&run, context, error);
    ald_threads_begin(1);
    const ald_status status = tune(&run, &t, model);
    ald_journal_close(t.journal);
    ald_threads_end();
    if (status < 0) {
        ald_model_free(*model);
        *model = NULL;
    }
    return ald_run_end(&run, status);
}

void ald_tuning_free(ald_tuning *result)
{
    ald_comparison_free(result->curve);
    ald_comparison_free(result->nested);
    *result = (ald_tuning){0};
}

double ald_uniform(uint64_t seed, uint64_t index)
{
    ald_random random;
    ald_random_seed(&random, seed, index);
    return ald_random_uniform(&random);
}
