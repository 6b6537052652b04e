/* Methods by name with their words, common settings and grids; baselines in front. For tuning all methods
 * together are one candidate. */
#include "judge/choosing/search.h"

#include "base/core/error.h"
#include "base/settings/common_params.h"
#include "base/settings/limits.h"
#include "base/settings/options.h"
#include "fit/prepare/check.h"
#include "methods/engines/problem.h"

#include <alidade/matrix.h>
#include <math.h>
#include <string.h>

typedef struct searching {
    ald_run *run;
    const ald_matrix *x;
    const ald_target *y;
    const ald_search *search;
    ald_candidates *made;
    ald_variants *variants; /* one each of the methods */
    int n_methods;
    int usual;     /* some are of the usual search */
    int64_t *dims; /* for those that have none of their own */
    int n_dims;
} searching;

/* Given ones that the method has and its own words do not set. */
static ald_status given_grids(const searching *s, const ald_variants *v, ald_grid **grids, int *count)
{
    const ald_method *method = ald_settings_method(v->settings[0]);
    char *name, *values;
    int most = 0;
    while (s->search->grids[most]) most++;
    *count = 0;
    ALD_TRY(ald_scratch(s->run, most, 1, sizeof **grids, grids));
    for (int i = 0; i < most; i++) {
        const char *text = s->search->grids[i];
        ALD_TRY(ald_assignment_cut(
            s->run, "`grids`: write the name of a parameter and its values, such as ridge=0,1,10", text,
            strlen(text), &name, &values));
        const ald_param *param = ald_method_parameter(method, name);
        if (!param || ald_variants_fix(v, name)) continue;
        (*grids)[(*count)++] = (ald_grid){.name = name, .values = values, .whole = ald_param_is_whole(param)};
    }
    return ALD_OK;
}

static int has_grid(const ald_grid *grids, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (ald_name_distance(grids[i].name, name) == 0) return 1;
    return 0;
}

/* Whether it is, or is for, one of the two kinds of ridges. */
static int is_ridge(const ald_settings *settings, const char *name)
{
    const ald_param *param = ald_method_parameter(ald_settings_method(settings), name);
    return param && (param->traits & (ALD_PARAM_IS_RIDGE | ALD_PARAM_IS_RIDGE_REL));
}

/* The usual grids of the parameters that have none yet. A ridge that is given stands for its other kind. */
static ald_status add_usual(const searching *s, const ald_settings *settings, ald_grid **grids, int *count)
{
    ald_grid *usual, *all;
    int n, ridges = 0;
    ALD_TRY(ald_usual_grids(s->run, settings, s->x, s->search->random == 0, &usual, &n));
    ALD_TRY(ald_scratch(s->run, *count + n, 1, sizeof *all, &all));
    for (int i = 0; i < *count; i++) {
        all[i] = (*grids)[i];
        ridges |= is_ridge(settings, all[i].name);
    }
    const int given = *count;
    for (int i = 0; i < n; i++)
        if (!has_grid(all, given, usual[i].name) && !(ridges && is_ridge(settings, usual[i].name)))
            all[(*count)++] = usual[i];
    *grids = all;
    return ALD_OK;
}

static ald_status apply_grids(const searching *s, ald_variants *v)
{
    const ald_search *search = s->search;
    ald_grid *grids = NULL;
    int count = 0;
    if (search->grids) ALD_TRY(given_grids(s, v, &grids, &count));
    if (v->entry && search->random == 0)
        return ald_entry_expand(s->run, s->x, search->categories, grids, count, v);
    if (search->tuning && (search->random == 0 || !search->grids))
        ALD_TRY(add_usual(s, v->settings[0], &grids, &count));
    if (search->random > 0 && count == 0)
        return ald_fail(s->run->error, ALD_ERROR_ARGUMENT,
                        "`random` draws from the values of a grid: give `grids` too");
    if (search->random > 0) return ald_variants_draw(s->run, grids, count, search->random, search->seed, v);
    for (int i = 0; i < count; i++) ALD_TRY(ald_variants_expand(s->run, &grids[i], v));
    return ALD_OK;
}

/* A parameter that none of the methods has is a slip. */
static ald_status check_used(const searching *s, const char *where, const char *name)
{
    ald_text others;
    for (int i = 0; i < s->n_methods; i++)
        if (ald_settings_text(s->variants[i].settings[0], name)) return ALD_OK;
    ald_text_init(&others, &s->run->scratch);
    ALD_TRY(ald_methods_with(s->run, name, &others));
    if (others.length == 0)
        return ald_fail(s->run->error, ALD_ERROR_ARGUMENT, "%s: no method has a parameter %s", where, name);
    return ald_fail(s->run->error, ALD_ERROR_ARGUMENT,
                    "%s: none of these methods has the parameter %s; it belongs to %s", where, name,
                    others.data);
}

static int is_components(const char *name)
{
    const ald_param *param = ald_method_parameter(ald_method_at(0), name);
    return param && (param->traits & ALD_PARAM_IS_COMPONENTS);
}

/* Messages name grids by that word, settings by their names. */
static ald_status check_list(const searching *s, int are_grids, const char *const *list)
{
    static const char *const shapes[] = {
        "`settings` are written name=value",
        "`grids`: write the name of a parameter and its values, such as ridge=0,1,10",
    };
    char *name, *value;
    for (; list && *list; list++) {
        ald_text where;
        ALD_TRY(ald_assignment_cut(s->run, shapes[are_grids], *list, strlen(*list), &name, &value));
        ald_text_init(&where, &s->run->scratch);
        ALD_TRY(ald_text_print(s->run, &where, "`%s`", are_grids ? "grids" : name));
        if (is_components(name))
            return ald_fail(
                s->run->error, ALD_ERROR_ARGUMENT,
                "%s: numbers of components are set with `components`, or with components= after a method",
                where.data);
        ALD_TRY(check_used(s, where.data, name));
    }
    return ALD_OK;
}

/* In a comparison the methods of the usual search choose, each from all that is usual for it: their first
 * settings alone would say little. */
static int chooses(const searching *s)
{
    return s->search->choose || (s->usual && !s->search->tuning);
}

/* In the usual search: all numbers of components that some method may have. */
static ald_status read_dims(searching *s)
{
    const char *usual = s->search->tuning ? "1:10" : "1:4";
    const int64_t q = s->y->kind == ALD_TARGET_CLASSES ? s->y->n_classes - 1 : s->y->values.cols;
    if (!s->search->components && s->usual)
        return ald_portfolio_dims(s->run, &s->made->memory, s->x->rows, q, &s->dims, &s->n_dims);
    return ald_dims_read(s->run, &s->made->memory, s->search->components ? s->search->components : usual,
                         &s->dims, &s->n_dims);
}

/* "cca stands for opls and rrr, which find the same here", and what is left out. */
static ald_status note_entry(const searching *s, const ald_variants *v, int left_out)
{
    ald_text *notes = &s->made->notes;
    const char *method = v->entry->method;
    if (v->entry->same && v->count > 0)
        ALD_TRY(ald_text_print(s->run, notes, "%s%s stands for %s, which find the same for such a target",
                               notes->length ? "\n" : "", method, v->entry->same));
    if (left_out > 0)
        ALD_TRY(ald_text_print(
            s->run, notes,
            "%snot tried, for want of time: %d of %d settings of %s; name the method to try it",
            notes->length ? "\n" : "", left_out, left_out + v->count, method));
    return ALD_OK;
}

/* What is worth its time. */
static ald_status bound_entries(searching *s)
{
    const ald_portfolio_data data = {s->x, s->y, s->dims, s->n_dims};
    ald_text *notes = &s->made->notes;
    int *left_out;
    int kept = 0;
    ALD_TRY(ald_scratch(s->run, s->n_methods, 1, sizeof *left_out, &left_out));
    ald_entries_bound(&data, s->variants, s->n_methods, left_out);
    for (int i = 0; i < s->n_methods; i++) {
        if (s->variants[i].entry) ALD_TRY(note_entry(s, &s->variants[i], left_out[i]));
        if (s->variants[i].count > 0) s->variants[kept++] = s->variants[i];
    }
    s->n_methods = kept;
    if (s->search->tuning || s->search->choose) return ALD_OK;
    return ald_text_print(s->run, notes,
                          "%severy method chooses components and settings inside each training part; name "
                          "methods to compare settings of yours",
                          notes->length ? "\n" : "");
}

/* A method of the usual search; for many rows with some that stand for all. */
static ald_status prepare_entry(searching *s, const ald_named_method *named, ald_variants *v)
{
    const char *const common[] = {named->entry->many_rows, NULL};
    v->entry = named->entry;
    s->usual |= s->search->random == 0;
    if (!ald_portfolio_is_large(s->x)) return ALD_OK;
    return ald_settings_set_common(s->run, common, v->settings[0]);
}

static ald_status read_methods(searching *s)
{
    ald_named_method *methods;
    ALD_TRY(ald_methods_read(s->run, s->search->methods, s->x, s->y, &methods, &s->n_methods));
    ALD_TRY(ald_scratch(s->run, s->n_methods, 1, sizeof *s->variants, &s->variants));
    for (int i = 0; i < s->n_methods; i++) {
        ALD_TRY(ald_variants_begin(s->run, &s->made->settings, &methods[i], s->search->settings,
                                   &s->variants[i]));
        if (methods[i].entry) ALD_TRY(prepare_entry(s, &methods[i], &s->variants[i]));
        if (s->variants[i].dims && s->search->tuning)
            return ald_fail(s->run->error, ALD_ERROR_ARGUMENT,
                            "all methods are tuned over the same numbers of components: give `components`");
    }
    ALD_TRY(check_list(s, 0, s->search->settings));
    ALD_TRY(check_list(s, 1, s->search->grids));
    for (int i = 0; i < s->n_methods; i++) ALD_TRY(apply_grids(s, &s->variants[i]));
    ALD_TRY(read_dims(s));
    return s->usual ? bound_entries(s) : ALD_OK;
}

static ald_candidate *next_candidate(const searching *s, ald_candidate_kind kind)
{
    ald_candidate *candidate = &s->made->list[s->made->count++];
    candidate->kind = kind;
    return candidate;
}

/* NULL: the method was named. */
static const ald_portfolio_entry *entry_of(const searching *s, const ald_settings *settings)
{
    for (int i = 0; i < s->n_methods; i++)
        if (s->variants[i].entry &&
            ald_settings_method(s->variants[i].settings[0]) == ald_settings_method(settings))
            return s->variants[i].entry;
    return NULL;
}

/* How many of the numbers of components each setting is tried with: as many as it can have; of those that
 * were asked for all. And of the whole list, as many as some setting needs. */
static ald_status count_dims(const searching *s, const ald_variants *v, ald_candidate *candidate)
{
    const ald_portfolio_data data = {s->x, s->y, candidate->dims, candidate->n_dims};
    int *tried;
    int most = 1;
    if (s->search->components || v->dims) return ALD_OK;
    tried = ald_arena_get(&s->made->memory, v->count, 1, sizeof *tried);
    if (!tried) return ald_out_of_memory(s->run, v->count, 1, sizeof *tried);
    for (int k = 0; k < v->count; k++) {
        tried[k] = ald_entry_dims(&data, entry_of(s, v->settings[k]), v->settings[k]);
        if (tried[k] > most) most = tried[k];
    }
    candidate->n_dims = most;
    candidate->tried = tried;
    return ALD_OK;
}

/* In the usual search: ten folds, of few rows three times, of many rows five. */
static ald_status add_inner(const searching *s, const ald_splits_options **inner)
{
    enum { many_rows = 1000 };
    ald_splits_options whole;
    ALD_TRY(ALD_OPTIONS_READ(s->run->error, ald_splits_options, s->search->inner, &whole));
    const int open = whole.splits == 0 && whole.folds == 0 && whole.train == 0.0 && whole.repeats == 0;
    if (s->usual && open && ald_portfolio_is_small(s->x)) whole.repeats = 3;
    if (s->usual && open && s->x->rows > many_rows) whole.folds = 5;
    return ald_candidates_inner(s->run, &whole, s->made, inner);
}

static ald_status add_method(const searching *s, const ald_variants *v)
{
    enum { usual_fits = 12, more_fits = 40 };
    ald_candidate *candidate = next_candidate(s, ALD_CANDIDATE_METHOD);
    candidate->label = ald_method_label(v->settings[0], s->y);
    candidate->settings = (const ald_settings *const *)v->settings;
    candidate->words = v->words;
    candidate->n_settings = v->count;
    candidate->dims = v->dims ? v->dims : s->dims;
    candidate->n_dims = v->dims ? v->n_dims : s->n_dims;
    candidate->choose = chooses(s);
    candidate->rule = s->search->rule;
    if (s->usual) candidate->stay = ald_portfolio_is_small(s->x) ? more_fits : usual_fits;
    ALD_TRY(count_dims(s, v, candidate));
    return add_inner(s, &candidate->inner);
}

static ald_status add_baseline(const searching *s, ald_candidate_kind kind)
{
    static const char *const no_words[] = {""};
    ald_settings_list *owned = &s->made->settings;
    ald_candidate *candidate = next_candidate(s, kind);
    const ald_settings **one = ald_arena_get(&s->made->memory, 1, 1, sizeof *one);
    if (!one) return ald_out_of_memory(s->run, 1, 1, sizeof *one);
    ALD_TRY(ald_settings_list_grow(s->run, owned));
    ALD_TRY(ald_baseline_settings(s->run, &owned->items[owned->count]));
    owned->count++;
    ALD_TRY(ald_settings_set_common(s->run, s->search->settings, owned->items[owned->count - 1]));
    *one = owned->items[owned->count - 1];
    candidate->label = ald_baseline_label(kind, s->y->kind);
    candidate->settings = one;
    candidate->words = no_words;
    candidate->n_settings = 1;
    return ald_candidates_inner(s->run, NULL, s->made, &candidate->inner);
}

/* No X, all of X, the directions of X alone. */
static ald_status add_baselines(const searching *s)
{
    const ald_named_method alone = {.method = ald_unsupervised_method(), .words = ""};
    ald_variants v;
    ALD_TRY(add_baseline(s, ALD_CANDIDATE_CONSTANT));
    ALD_TRY(add_baseline(s, ALD_CANDIDATE_FEATURES));
    for (int i = 0; i < s->n_methods; i++)
        if (ald_settings_method(s->variants[i].settings[0]) == alone.method) return ALD_OK;
    ALD_TRY(ald_variants_begin(s->run, &s->made->settings, &alone, s->search->settings, &v));
    return add_method(s, &v);
}

static ald_status add_all(const searching *s)
{
    ALD_TRY(ald_candidates_room(s->run, s->n_methods + 3, s->made));
    if (!s->search->no_baselines) ALD_TRY(add_baselines(s));
    for (int i = 0; i < s->n_methods; i++) ALD_TRY(add_method(s, &s->variants[i]));
    return ALD_OK;
}

/* Words of variant k, with the method in front where there are several. */
static ald_status words_of(const searching *s, const ald_variants *v, int k, const char **words)
{
    const char *name = s->n_methods > 1 ? ald_method_label(v->settings[0], s->y) : "";
    ald_text text;
    ald_text_init(&text, &s->made->memory);
    ALD_TRY(ald_text_print(s->run, &text, "%s%s%s", name, *name && *v->words[k] ? " " : "", v->words[k]));
    *words = text.data;
    return ALD_OK;
}

static ald_status put_together(const searching *s)
{
    ald_variants all = {.settings = NULL};
    int64_t count = 0;
    for (int i = 0; i < s->n_methods; i++) count += s->variants[i].count;
    all.settings = ald_arena_get(&s->made->memory, count, 1, sizeof *all.settings);
    all.words = ald_arena_get(&s->made->memory, count, 1, sizeof *all.words);
    if (!all.settings || !all.words) return ald_out_of_memory(s->run, count, 2, sizeof *all.words);
    for (int i = 0; i < s->n_methods; i++)
        for (int k = 0; k < s->variants[i].count; k++) {
            all.settings[all.count] = s->variants[i].settings[k];
            ALD_TRY(words_of(s, &s->variants[i], k, &all.words[all.count++]));
        }
    ALD_TRY(ald_candidates_room(s->run, 1, s->made));
    return add_method(s, &all);
}

static ald_status check_search(ald_run *run, const ald_search *search)
{
    if (search->random < 0)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "`random` is the number of settings to draw, not %lld", (long long)search->random);
    if (search->rule < ALD_RULE_USUAL || search->rule > ALD_RULE_BEST)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT, "there is no `rule` %d", (int)search->rule);
    return ALD_OK;
}

ald_status ald_search_candidates(ald_run *run, const ald_matrix *x, const ald_target *y,
                                 const ald_search *search, ald_candidates **candidates)
{
    searching s = {.run = run, .x = x, .y = y, .search = search};
    ALD_TRY(ald_candidates_make(run, candidates));
    s.made = *candidates;
    ALD_TRY(check_search(run, search));
    ALD_TRY(read_methods(&s));
    return search->tuning ? put_together(&s) : add_all(&s);
}

static ald_status make(ald_run *run, const ald_matrix *x, const ald_target *y, const ald_search *search,
                       ald_candidates **candidates)
{
    ald_search whole;
    ALD_TRY(ALD_OPTIONS_READ(run->error, ald_search, search, &whole));
    ALD_TRY(ald_check_matrix(run, x, "X"));
    ALD_TRY(ald_check_truth(run, y, x->rows));
    return ald_search_candidates(run, x, y, &whole, candidates);
}

ald_status ald_candidates_new(ald_context *context, const ald_matrix *x, const ald_target *y,
                              const ald_search *search, ald_candidates **candidates, ald_error *error)
{
    ald_run run;
    if (candidates) *candidates = NULL;
    ALD_GIVEN(error, context, x, y, candidates);
    ald_run_begin(&run, context, error);
    const ald_status status = make(&run, x, y, search, candidates);
    if (status < 0) {
        ald_candidates_free(*candidates);
        *candidates = NULL;
    }
    return ald_run_end(&run, status);
}
