/* Methods by name with their words, common settings and grids; baselines in front. For tuning all methods
 * together are one candidate. */
#include "judge/choosing/search.h"

#include "base/core/error.h"
#include "base/numbers/number.h"
#include "base/settings/common_params.h"
#include "base/settings/limits.h"
#include "base/settings/options.h"
#include "fit/prepare/check.h"
#include "fit/prepare/prepare_x.h"
#include "math/kernel/width.h"
#include "methods/engines/problem.h"

#include <alidade/matrix.h>
#include <math.h>
#include <string.h>

/* The values of a parameter that are tried where none are given: the grids of the parameter tables
 * (ald_param.grid), for parameters that are not set. Those in units of the median distance are multiplied by
 * that of the rows as the settings prepare them. */

/* "kernel=rbf": that setting has that value. */
static int holds(const ald_settings *settings, const char *condition)
{
    char name[64];
    const size_t length = condition ? strcspn(condition, "=") : 0;
    if (!condition) return 1;
    if (length >= sizeof name) return 0;
    memcpy(name, condition, length);
    name[length] = '\0';
    const char *value = ald_settings_text(settings, name);
    return value && strcmp(value, condition + length + 1) == 0;
}

static int is_wanted(const ald_settings *settings, const ald_param *param, int relative)
{
    const int in_distances = (param->traits & ALD_PARAM_GRID_IS_RELATIVE) != 0;
    return param->grid && in_distances == relative && !ald_settings_given(settings, param->name) &&
           holds(settings, param->grid_when);
}

/* The median distance of the rows as a kernel would see them. */
static ald_status find_distance(ald_run *run, const ald_matrix *x, double *distance)
{
    const ald_kernel kernel = {.kind = ALD_KERNEL_RBF};
    ald_problem problem;
    ald_row_plan plan;
    ALD_TRY(ald_check_matrix(run, x, "X"));
    ALD_TRY(ald_check_finite(run, x, "X"));
    ALD_TRY(ald_prepare_fit(run, x, NULL, &plan, &problem));
    ald_operator rows = problem.x;
    ALD_TRY(ald_kernel_rows(run, &kernel, problem.shift, &rows));
    return ald_kernel_median(run, &kernel, &rows, ald_seed(run), distance);
}

/* 0 where there is none: the fit reports what is wrong with the rows. */
static double distance_of(ald_run *run, const ald_settings *settings, const ald_matrix *x)
{
    ald_run inner;
    ald_error error;
    double distance = 0.0;
    if (x->rows > ALD_WIDTH_GRID_ROWS || x->rows < 2) return 0.0;
    ald_run_inside(&inner, run, &error);
    inner.settings = settings;
    const ald_status status = ald_run_end(&inner, find_distance(&inner, x, &distance));
    return status >= 0 && isfinite(distance) ? distance : 0.0;
}

/* Every value of the grid times the distance, with four digits. */
static ald_status multiply(ald_run *run, const ald_grid *grid, double distance, const char **values)
{
    ald_text list, product;
    ald_text_init(&list, &run->scratch);
    ald_text_init(&product, &run->scratch);
    ALD_TRY(ald_grid_write(run, grid, &list));
    for (const char *at = list.data; *at;) {
        const size_t length = strcspn(at, ",");
        double value = 0.0;
        ald_parse_real(at, length, &value);
        ALD_TRY(ald_text_print(run, &product, "%s%.4g", product.length ? "," : "", value * distance));
        at += length;
        at += *at == ',';
    }
    *values = product.data;
    return ALD_OK;
}

static ald_grid grid_of(const ald_param *param)
{
    return (ald_grid){.name = param->name, .values = param->grid, .whole = param->type == ALD_PARAM_INT};
}

/* Parameters that are what a trait says, or, trait 0, nothing of that kind. */
static void add_plain(const ald_settings *settings, unsigned trait, ald_grid *grids, int *count)
{
    const unsigned ordered = ALD_PARAM_IS_RIDGE_REL;
    const ald_param *param;
    for (int i = 0; (param = ald_method_param(ald_settings_method(settings), i)) != NULL; i++)
        if (is_wanted(settings, param, 0) && (param->traits & ordered) == trait)
            grids[(*count)++] = grid_of(param);
}

static ald_status add_relative(ald_run *run, const ald_settings *settings, const ald_matrix *x,
                               ald_grid *grids, int *count)
{
    const ald_param *param;
    double distance = -1.0; /* found when it is first wanted */
    for (int i = 0; (param = ald_method_param(ald_settings_method(settings), i)) != NULL; i++) {
        if (!is_wanted(settings, param, 1)) continue;
        if (distance < 0.0) distance = distance_of(run, settings, x);
        if (!(distance > 0.0)) return ALD_OK;
        grids[*count] = grid_of(param);
        ALD_TRY(multiply(run, &grids[*count], distance, &grids[*count].values));
        ++*count;
    }
    return ALD_OK;
}

/* In the run's scratch: first the others by the order of their traits (ridges before neighbours), then, if
 * `relative`, those in units of the median distance: not for more rows than 5000, nor where there is no such
 * distance. */
static ald_status usual_grids(ald_run *run, const ald_settings *settings, const ald_matrix *x, int relative,
                              ald_grid **grids, int *count)
{
    int params = 0;
    while (ald_method_param(ald_settings_method(settings), params)) params++;
    *count = 0;
    ALD_TRY(ald_scratch(run, params, 1, sizeof **grids, grids));
    add_plain(settings, ALD_PARAM_IS_RIDGE_REL, *grids, count);
    add_plain(settings, 0, *grids, count);
    return relative ? add_relative(run, settings, x, *grids, count) : ALD_OK;
}

typedef struct searching {
    ald_run *run;
    const ald_matrix *x;
    const ald_target *y;
    const ald_search *search;
    ald_candidates *made;
    ald_variants *variants; /* one each of the methods */
    int n_methods;
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
        (*grids)[(*count)++] =
            (ald_grid){.name = name, .values = values, .whole = param->type == ALD_PARAM_INT};
    }
    return ALD_OK;
}

static ald_status apply_grids(const searching *s, ald_variants *v)
{
    const ald_search *search = s->search;
    ald_grid *grids = NULL;
    int count = 0;
    if (search->grids)
        ALD_TRY(given_grids(s, v, &grids, &count));
    else if (search->tuning)
        ALD_TRY(usual_grids(s->run, v->settings[0], s->x, search->random == 0, &grids, &count));
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

static ald_status read_dims(searching *s)
{
    const char *usual = s->search->tuning ? "1:10" : "1:4";
    return ald_dims_read(s->run, &s->made->memory, s->search->components ? s->search->components : usual,
                         &s->dims, &s->n_dims);
}

static ald_status read_methods(searching *s)
{
    ald_named_method *methods;
    ALD_TRY(ald_methods_read(s->run, s->search->methods, s->x, s->y, &methods, &s->n_methods));
    ALD_TRY(ald_scratch(s->run, s->n_methods, 1, sizeof *s->variants, &s->variants));
    for (int i = 0; i < s->n_methods; i++) {
        ALD_TRY(ald_variants_begin(s->run, &s->made->settings, &methods[i], s->search->settings,
                                   &s->variants[i]));
        if (s->variants[i].dims && s->search->tuning)
            return ald_fail(s->run->error, ALD_ERROR_ARGUMENT,
                            "all methods are tuned over the same numbers of components: give `components`");
    }
    ALD_TRY(check_list(s, 0, s->search->settings));
    ALD_TRY(check_list(s, 1, s->search->grids));
    for (int i = 0; i < s->n_methods; i++) ALD_TRY(apply_grids(s, &s->variants[i]));
    return ALD_OK;
}

static ald_candidate *next_candidate(const searching *s, ald_candidate_kind kind)
{
    ald_candidate *candidate = &s->made->list[s->made->count++];
    candidate->kind = kind;
    return candidate;
}

/* How many of the usual numbers of components some of the settings can have; of those that were asked for all
 * are tried. */
static int count_dims(const searching *s, const ald_variants *v)
{
    int64_t most = 1;
    int count = s->n_dims;
    for (int k = 0; k < v->count; k++) {
        const int64_t one = ald_most_components(v->settings[k], s->x->rows, s->x->cols, s->y);
        if (one > most) most = one;
    }
    while (!s->search->components && count > 1 && s->dims[count - 1] > most) count--;
    return count;
}

static ald_status add_method(const searching *s, const ald_variants *v)
{
    ald_candidate *candidate = next_candidate(s, ALD_CANDIDATE_METHOD);
    candidate->label = ald_method_label(v->settings[0], s->y->kind);
    candidate->settings = (const ald_settings *const *)v->settings;
    candidate->words = v->words;
    candidate->n_settings = v->count;
    candidate->dims = v->dims ? v->dims : s->dims;
    candidate->n_dims = v->dims ? v->n_dims : count_dims(s, v);
    candidate->choose = s->search->choose;
    candidate->rule = s->search->rule;
    return ald_candidates_inner(s->run, s->search->inner, s->made, &candidate->inner);
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
    const char *name = s->n_methods > 1 ? ald_method_label(v->settings[0], s->y->kind) : "";
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
    ALD_TRY(read_dims(&s));
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
