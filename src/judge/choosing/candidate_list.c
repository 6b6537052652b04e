/* The candidates of a comparison, however they were given: whole structs, with everything they point to. */
#include "base/settings/options.h"
#include "fit/fitting/method_settings.h"
#include "judge/choosing/search.h"

#include <string.h>

/* What methods are measured against, as candidates: no method, and settings that all methods have. */

/* No parameters but those that every method has. */
static const ald_method baseline = {.name = "baseline", .tables = (const ald_param_table[]){NULL}};

ald_status ald_baseline_settings(ald_run *run, ald_settings **settings)
{
    return ald_settings_of_method(run->context, &baseline, settings, run->error);
}

const char *ald_baseline_label(ald_candidate_kind kind, ald_target_kind target)
{
    static const char *const constants[] = {
        [ALD_TARGET_NONE] = "constant",
        [ALD_TARGET_CLASSES] = "majority",
        [ALD_TARGET_REAL] = "mean",
        [ALD_TARGET_LABELS] = "label shares",
    };
    return kind == ALD_CANDIDATE_CONSTANT ? constants[target] : "all features";
}

ald_status ald_candidates_make(ald_run *run, ald_candidates **candidates)
{
    const ald_allocator *allocator = run->call.allocator;
    ald_candidates *made = allocator->resize(allocator->user, NULL, sizeof *made);
    *candidates = made;
    if (!made) return ald_out_of_memory(run, 1, 1, sizeof *made);
    *made = (ald_candidates){.allocator = *allocator};
    ald_arena_init(&made->memory, &made->allocator);
    made->settings.memory = &made->memory;
    ald_text_init(&made->notes, &made->memory);
    return ALD_OK;
}

void ald_candidates_free(ald_candidates *candidates)
{
    if (!candidates) return;
    const ald_allocator allocator = candidates->allocator;
    ald_settings_list_free(&candidates->settings);
    ald_arena_free(&candidates->memory);
    allocator.resize(allocator.user, candidates, 0);
}

const char *ald_candidates_notes(const ald_candidates *candidates)
{
    return candidates && candidates->notes.length ? candidates->notes.data : "";
}

int ald_candidates_count(const ald_candidates *candidates)
{
    return candidates ? candidates->count : 0;
}

const ald_candidate *ald_candidates_list(const ald_candidates *candidates)
{
    return candidates ? candidates->list : NULL;
}

ald_status ald_candidates_room(ald_run *run, int count, ald_candidates *c)
{
    ALD_TRY(ald_get(run, &c->memory, count, 1, sizeof *c->list, &c->list));
    for (int i = 0; i < count; i++) c->list[i] = (ald_candidate){.size = sizeof *c->list};
    return ALD_OK;
}

ald_status ald_candidates_inner(ald_run *run, const ald_splits_options *given, ald_candidates *c,
                                const ald_splits_options **inner)
{
    enum { usual_folds = 10 };
    ald_splits_options *whole = ald_arena_get(&c->memory, 1, 1, sizeof *whole);
    if (!whole) return ald_out_of_memory(run, 1, 1, sizeof *whole);
    ALD_TRY(ALD_OPTIONS_READ(run->error, ald_splits_options, given, whole));
    if (whole->splits == 0 && whole->folds == 0 && whole->train == 0.0) whole->folds = usual_folds;
    whole->groups = whole->parts = NULL; /* they are those of the training part */
    *inner = whole;
    return ALD_OK;
}

ald_status ald_settings_words(ald_run *run, const ald_settings *settings, const ald_settings *less,
                              ald_text *text)
{
    const ald_method *method = ald_settings_method(settings);
    const ald_param *param;
    const size_t before = text->length;
    ALD_TRY(ald_text_print(run, text, "%s", ""));
    for (int i = 0; (param = ald_method_param(method, i)) != NULL; i++)
        if (ald_settings_given(settings, param->name) && !(param->traits & ALD_PARAM_IS_COMPONENTS) &&
            !(less && ald_settings_given(less, param->name)))
            ALD_TRY(ald_text_print(run, text, "%s%s=%s", text->length > before ? " " : "", param->name,
                                   ald_settings_text(settings, param->name)));
    return ALD_OK;
}

static ald_status make_words(ald_run *run, ald_candidates *c, ald_candidate *candidate)
{
    const char **words = ald_arena_get(&c->memory, candidate->n_settings, 1, sizeof *words);
    if (!words) return ald_out_of_memory(run, candidate->n_settings, 1, sizeof *words);
    for (int i = 0; i < candidate->n_settings; i++) {
        ald_text text;
        ald_text_init(&text, &c->memory);
        ALD_TRY(ald_settings_words(run, candidate->settings[i], NULL, &text));
        words[i] = text.data;
    }
    candidate->words = words;
    return ALD_OK;
}

/* Baselines need none. */
static ald_status add_settings(ald_run *run, ald_candidates *c, ald_candidate *candidate)
{
    if (candidate->kind == ALD_CANDIDATE_METHOD || candidate->n_settings > 0) return ALD_OK;
    const ald_settings **one = ald_arena_get(&c->memory, 1, 1, sizeof *one);
    if (!one) return ald_out_of_memory(run, 1, 1, sizeof *one);
    ALD_TRY(ald_settings_list_grow(run, &c->settings));
    ALD_TRY(ald_baseline_settings(run, &c->settings.items[c->settings.count]));
    *one = c->settings.items[c->settings.count++];
    candidate->settings = one;
    candidate->n_settings = 1;
    return ALD_OK;
}

static ald_status check_given(ald_run *run, const ald_candidate *candidate)
{
    if (candidate->kind < ALD_CANDIDATE_METHOD || candidate->kind > ALD_CANDIDATE_FEATURES)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT, "a candidate has the unknown `kind` %d",
                        (int)candidate->kind);
    if (candidate->rule < ALD_RULE_USUAL || candidate->rule > ALD_RULE_BEST)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT, "a candidate has the unknown `rule` %d",
                        (int)candidate->rule);
    if (candidate->n_settings < 0 || (candidate->n_settings > 0 && !candidate->settings) ||
        candidate->n_dims < 0 || (candidate->n_dims > 0 && !candidate->dims))
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "a candidate gives a number of settings or of `dims` but not the list");
    for (int i = 0; i < candidate->n_settings; i++)
        if (!candidate->settings[i])
            return ald_fail(run->error, ALD_ERROR_ARGUMENT, "settings %d of a candidate are NULL", i + 1);
    if (candidate->kind == ALD_CANDIDATE_METHOD && candidate->n_settings < 1)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "a candidate has no settings to fit: give one or more");
    return ALD_OK;
}

static const char *label_of(const ald_candidate *candidate, ald_target_kind kind)
{
    if (candidate->label) return candidate->label;
    if (candidate->kind != ALD_CANDIDATE_METHOD) return ald_baseline_label(candidate->kind, kind);
    return ald_method_name(ald_settings_method(candidate->settings[0]));
}

static ald_status take_one(ald_run *run, const void *given, ald_target_kind kind, ald_candidates *c)
{
    ald_candidate *candidate = &c->list[c->count];
    ALD_TRY(ALD_OPTIONS_READ(run->error, ald_candidate, given, candidate));
    ALD_TRY(check_given(run, candidate));
    ALD_TRY(add_settings(run, c, candidate));
    ALD_TRY(ald_candidates_inner(run, candidate->inner, c, &candidate->inner));
    if (candidate->kind != ALD_CANDIDATE_METHOD) candidate->choose = 0;
    candidate->label = label_of(candidate, kind);
    c->count++;
    return candidate->words ? ALD_OK : make_words(run, c, candidate);
}

/* The size of the first is the distance from one to the next in the caller's list. */
ald_status ald_candidates_take(ald_run *run, const ald_candidate *given, int count, ald_target_kind kind,
                               ald_candidates **candidates)
{
    ALD_TRY(ald_candidates_make(run, candidates));
    ALD_TRY(ald_candidates_room(run, count, *candidates));
    for (int i = 0; i < count; i++) {
        const char *at = (const char *)given + (size_t)i * given->size;
        size_t size;
        memcpy(&size, at, sizeof size);
        ALD_TRY(ald_options_check(run->error, "ald_candidate", at));
        if (size != given->size)
            return ald_fail(
                run->error, ALD_ERROR_ARGUMENT,
                "candidate %d was not initialised like the first: use ALD_CANDIDATE_INIT for each", i + 1);
        ALD_TRY(take_one(run, at, kind, *candidates));
    }
    return ALD_OK;
}
