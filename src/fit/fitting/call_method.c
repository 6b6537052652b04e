/* Calling the method. One that has fewer components than were asked for reports how many there are
 * (ald_too_many_components); with components_rule=at-most it is called again for that many. Each round asks
 * for fewer, so it ends; a method may find only late that there are not as many as it expected. */
#include "base/numbers/ordering.h"
#include "base/settings/common_params.h"
#include "base/settings/settings.h"
#include "fit/fitting/fit.h"
#include "math/device/held.h"
#include "methods/engines/problem.h"

#include <stdio.h>

/* What a fit that failed has left is taken away again: arrays, texts, scratch, what stands on a card, message
 * and warning. */
typedef struct checkpoint {
    int n_arrays, n_texts;
    uint64_t scratch;
    const struct ald_held *held;
    ald_status warning;
    ald_error error;
} checkpoint;

static checkpoint take_checkpoint(const ald_run *run, const ald_model *model)
{
    return (checkpoint){
        .n_arrays = model->n_arrays,
        .n_texts = model->n_texts,
        .scratch = ald_arena_mark(&run->scratch),
        .held = run->call.held,
        .warning = run->warning,
        .error = *run->error,
    };
}

static void go_back(const checkpoint *to, ald_run *run, ald_model *model)
{
    model->n_arrays = to->n_arrays;
    model->n_texts = to->n_texts;
    ald_card_release(run, to->held);
    ald_arena_release(&run->scratch, to->scratch);
    run->warning = to->warning;
    *run->error = to->error;
}

ald_status ald_note_at_most(ald_run *run, ald_model *model)
{
    const char *name, *rule = ald_at_most_rule(&name);
    char key[64];
    snprintf(key, sizeof key, "alidade.param.%s", name);
    return ald_model_set_text(run, model, key, rule);
}

static ald_status note_fewer(ald_run *run, int64_t asked, int64_t available, ald_model *model)
{
    const char *name;
    ald_at_most_rule(&name);
    ald_log(run, ALD_LOG_INFO, "%s has %lld component%s here: %lld, or as many as there are, %s",
            ald_settings_method(run->settings)->name, (long long)available, available == 1 ? "" : "s",
            (long long)asked, ald_settings_given(run->settings, name) ? "were asked for" : "are the default");
    ALD_TRY(ald_note_at_most(run, model));
    return ald_model_set_printed(run, model, "alidade.resolved.n_components", "%lld", (long long)available);
}

ald_status ald_call_method(ald_run *run, const ald_problem *problem, ald_model *model)
{
    const ald_method *method = ald_settings_method(run->settings);
    const checkpoint before = take_checkpoint(run, model);
    const int at_most = ald_common_settings_of(run->settings).at_most;
    ald_problem fewer = *problem;
    if (at_most)
        fewer.r = ald_least(fewer.r, ald_most_components(run->settings, (int64_t)problem->samples, problem->d,
                                                         problem->target));
    for (;;) {
        run->available = 0;
        const ald_status status = method->fit(run, &fewer, model);
        const int too_many = status < 0 && run->available > 0 && run->available < fewer.r;
        if (!too_many || !at_most) {
            if (status >= 0 && fewer.r < problem->r) return note_fewer(run, problem->r, fewer.r, model);
            return status;
        }
        fewer.r = run->available;
        go_back(&before, run, model);
    }
}
