/* What a tuning leaves in its model: the curve, the settings that were tried, and how one was chosen. */
#include "base/core/error.h"
#include "base/core/text.h"
#include "base/numbers/number.h"
#include "fit/fitting/fit.h"
#include "judge/choosing/search.h"
#include "judge/compare/comparing.h"
#include "judge/compare/comparison.h"

#include <math.h>

typedef struct chosen {
    const ald_comparison *curve, *nested; /* nested may be NULL */
    const ald_candidate *all;
    const ald_choice *choice;
} chosen;

/* "lda ridge=1 scale=standard". */
static ald_status print_settings(ald_run *run, const ald_settings *settings, ald_text *text)
{
    ald_text words;
    ald_text_init(&words, &run->scratch);
    ALD_TRY(ald_settings_words(run, settings, NULL, &words));
    return ald_text_print(run, text, "%s%s%s", ald_method_name(ald_settings_method(settings)),
                          words.length ? " " : "", words.data);
}

static ald_status keep_settings(ald_run *run, const chosen *c, ald_model *model)
{
    const char **names;
    ALD_TRY(ald_scratch(run, c->all->n_settings, 1, sizeof *names, &names));
    for (int s = 0; s < c->all->n_settings; s++) {
        ald_text text;
        ald_text_init(&text, &run->scratch);
        ALD_TRY(print_settings(run, c->all->settings[s], &text));
        names[s] = text.data;
    }
    return ald_model_set_names(run, model, "alidade.tuning.settings", names, c->all->n_settings);
}

static ald_status keep_within(ald_run *run, double within, ald_model *model)
{
    char number[ALD_REAL_TEXT_SIZE];
    if (!isfinite(within)) return ALD_OK;
    ald_format_real(within, number);
    return ald_model_set_text(run, model, "alidade.tuning.within", number);
}

static ald_status keep_curve(ald_run *run, const chosen *c, ald_model *model)
{
    const ald_comparison *curve = c->curve;
    const int64_t rows = curve->n_rows;
    int64_t *dims, *setting, *count;
    double *mean, *std;
    ALD_TRY(ald_model_add(run, model, "tuning/dims", ALD_ARRAY_I64, 1, &rows, &dims));
    ALD_TRY(ald_model_add(run, model, "tuning/setting", ALD_ARRAY_I64, 1, &rows, &setting));
    ALD_TRY(ald_model_add(run, model, "tuning/count", ALD_ARRAY_I64, 1, &rows, &count));
    ALD_TRY(ald_model_add(run, model, "tuning/mean", ALD_ARRAY_F64, 1, &rows, &mean));
    ALD_TRY(ald_model_add(run, model, "tuning/std", ALD_ARRAY_F64, 1, &rows, &std));
    for (int64_t i = 0; i < rows; i++) {
        dims[i] = curve->rows[i].dims;
        setting[i] = curve->rows[i].setting;
        count[i] = curve->rows[i].count;
        mean[i] = curve->rows[i].mean;
        std[i] = curve->rows[i].std;
    }
    ALD_TRY(ald_model_set_printed(run, model, "alidade.tuning.chosen", "%d", c->choice->row));
    ALD_TRY(keep_within(run, c->choice->within, model));
    ALD_TRY(ald_model_set_text(run, model, "alidade.tuning.better",
                               curve->metric->larger_is_better ? "larger" : "smaller"));
    ALD_TRY(ald_model_set_text(run, model, "alidade.tuning.metric", curve->metric->name));
    ALD_TRY(ald_model_set_text(run, model, "alidade.tuning.splits", ald_splits_note(curve->splits)));
    ALD_TRY(ald_model_set_text(run, model, "alidade.tuning.rule",
                               c->all->rule == ALD_RULE_BEST ? "best" : "one-se"));
    return keep_settings(run, c, model);
}

/* How the model was chosen, in a sentence that `inspect` prints. */
static ald_status describe_choice(ald_run *run, const chosen *c, ald_model *model)
{
    const ald_comparison *curve = c->curve, *nested = c->nested;
    const ald_comparison_row *row = &curve->rows[c->choice->row];
    ald_text text;
    ald_text_init(&text, &run->scratch);
    ALD_TRY(
        ald_text_print(run, &text, "%lld component%s and ", (long long)row->dims, row->dims == 1 ? "" : "s"));
    ALD_TRY(print_settings(run, c->all->settings[row->setting], &text));
    ALD_TRY(ald_text_print(
        run, &text, ", %s of %d pairs, by %s (%s): %s %.6g, an optimistic figure",
        c->all->rule == ALD_RULE_BEST ? "the best" : "the simplest within a standard error of the best",
        curve->n_rows, ald_splits_note(curve->splits), curve->metric->name, curve->metric->name, row->mean));
    if (nested && nested->rows[0].count > 0)
        ALD_TRY(ald_text_print(run, &text,
                               "; the choice itself, judged on rows that played no part in it: %.6g, "
                               "standard deviation %.2g (%s)",
                               nested->rows[0].mean, nested->rows[0].std, ald_splits_note(nested->splits)));
    return ald_model_set_text(run, model, "alidade.resolved.tuning", text.data);
}

ald_status ald_keep_choice(ald_run *run, const ald_comparison *curve, const ald_comparison *nested,
                           const ald_candidate *all, const ald_choice *choice, ald_model *model)
{
    const chosen c = {curve, nested, all, choice};
    ALD_TRY(keep_curve(run, &c, model));
    return describe_choice(run, &c, model);
}
