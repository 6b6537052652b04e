/* The settings of the entries of the portfolio: all combinations of their values, and those of them that are
 * worth their time. */
#include "judge/choosing/search.h"

#include "base/settings/limits.h"
#include "base/settings/method.h"
#include "base/settings/settings.h"
#include "methods/engines/problem.h"
#include "methods/predict/predictor.h"

#include <string.h>

enum { usual_neighbors = 5 };

typedef struct expanding {
    ald_run *run;
    const ald_matrix *x;
    const ald_grid *given;
    int n_given, categories;
    const ald_settings *base; /* of the entry, before anything varies */
    int keep_idle;
} expanding;

/* Whether nobody has said what the values of a parameter are. */
static int is_open(const expanding *e, const char *name)
{
    for (int i = 0; i < e->n_given; i++)
        if (ald_name_distance(e->given[i].name, name) == 0) return 0;
    return !ald_settings_given(e->base, name);
}

static int count_values(const char *list)
{
    int count = 1;
    for (; *list; list++) count += *list == ',';
    return count;
}

/* Every variant with every value of the parameter that has the trait; how many values there are. */
static ald_status vary(const expanding *e, unsigned trait, const char *values, ald_variants *v, int *count)
{
    const ald_param *param = values ? ald_method_param_with(ald_settings_method(e->base), trait) : NULL;
    *count = 1;
    if (!param || !is_open(e, param->name)) return ALD_OK;
    const ald_grid grid = {.name = param->name, .values = values};
    *count = count_values(values);
    return ald_variants_expand(e->run, &grid, v);
}

/* The predictor varies fastest, so that what shares a map stays together. A ridge of either kind that was
 * given stands for both. */
static ald_status vary_all(const expanding *e, const ald_portfolio_entry *p, ald_variants *v, int counts[3])
{
    const unsigned ridges = ALD_PARAM_IS_RIDGE | ALD_PARAM_IS_RIDGE_REL;
    const char *widths = NULL;
    const ald_param *param;
    int open = 1;
    for (int i = 0; (param = ald_method_param(ald_settings_method(e->base), i)) != NULL; i++)
        if ((param->traits & ridges) && !is_open(e, param->name)) open = 0;
    ALD_TRY(vary(e, ALD_PARAM_IS_PREDICTOR, p->predictors, v, &counts[0]));
    for (int i = 0; i < v->count; i++)
        ALD_TRY(ald_set_predictor_neighbors(v->settings[i], usual_neighbors, e->run->error));
    if (p->relative)
        ALD_TRY(vary(e, ALD_PARAM_IS_RIDGE_REL, open ? p->relative : NULL, v, &counts[1]));
    else
        ALD_TRY(vary(e, ALD_PARAM_IS_RIDGE, open ? p->ridges : NULL, v, &counts[1]));
    if (p->widths) ALD_TRY(ald_grid_of_widths(e->run, v->settings[0], e->x, p->widths, &widths));
    return vary(e, ALD_PARAM_IS_KERNEL_WIDTH, widths, v, &counts[2]);
}

static int largest(int a, int b, int c)
{
    const int ab = a > b ? a : b;
    return ab > c ? ab : c;
}

static double ridge_of(const ald_settings *settings)
{
    return ald_settings_real_with(settings, ALD_PARAM_IS_RIDGE, 0.0) +
           ald_settings_real_with(settings, ALD_PARAM_IS_RIDGE_REL, 0.0);
}

/* Without a ridge what does not depend on the units of the columns is tried with one scaling, and what
 * inverts their scatter not at all where that is singular, or nearly so in a fold. */
static int is_idle(const expanding *e, const ald_settings *settings, int scale)
{
    const ald_method *method = ald_settings_method(settings);
    if (e->keep_idle || method->inverse != ALD_INVERTS_SCATTER || ridge_of(settings) > 0.0) return 0;
    return (method->scale_free && scale > 0) || 5 * e->x->cols > 3 * e->x->rows;
}

/* The combinations of scalings, row steps and kernels: how many there are of each, the first varies fastest.
 * Row steps are tried with the first scaling and kernel only. */
typedef struct form_counts {
    int scales, rows, kernels;
} form_counts;

static int scale_of(const form_counts *f, int form)
{
    return form % f->scales;
}

static int rows_of(const form_counts *f, int form)
{
    return form / f->scales % f->rows;
}

static int kernel_of(const form_counts *f, int form)
{
    return form / f->scales / f->rows;
}

static int is_left_out(const form_counts *f, int form)
{
    return rows_of(f, form) > 0 && (scale_of(f, form) > 0 || kernel_of(f, form) > 0);
}

static ald_status make_forms(const expanding *e, const ald_portfolio_entry *entry, ald_variants *forms,
                             form_counts *f)
{
    ald_portfolio_forms look;
    ALD_TRY(ald_portfolio_look(e->run, e->x, e->categories, &look));
    const int is_table = e->x->storage == ALD_DENSE && e->x->cols <= e->x->rows && !look.rows;
    if (is_open(e, look.scale))
        ALD_TRY(ald_variants_expand(e->run, &(ald_grid){look.scale, look.scales, 0}, forms));
    f->scales = forms->count;
    if (look.rows && is_open(e, "rows"))
        ALD_TRY(ald_variants_expand(e->run, &(ald_grid){"rows", look.rows, 0}, forms));
    f->rows = forms->count / f->scales;
    return vary(e, ALD_PARAM_IS_KERNEL, is_table ? entry->kernels : NULL, forms, &f->kernels);
}

/* Adds those of `from`, made from a form, to `to`, which has room. Of scalings, kernels, ridges and widths
 * not all are taken from far down their lists: the places in them may add up to three, in small data to five.
 */
static ald_status add_made(const expanding *e, const ald_variants *from, const int counts[3],
                           const form_counts *f, int form, ald_variants *to)
{
    const int farthest = ald_portfolio_is_small(e->x) ? 5 : 3;
    const int scale = scale_of(f, form), kernel = kernel_of(f, form);
    for (int i = 0; i < from->count; i++) {
        const int ridge = i / counts[0] % counts[1], width = i / counts[0] / counts[1] % counts[2];
        ald_text words;
        if (is_idle(e, from->settings[i], scale)) continue;
        if (counts[2] > 1 && scale + kernel + ridge + width > farthest) continue;
        ald_text_init(&words, to->owner->memory);
        ALD_TRY(ald_settings_words(e->run, from->settings[i], e->base, &words));
        to->settings[to->count] = from->settings[i];
        to->words[to->count] = words.data;
        to->levels[to->count++] = largest(largest(scale, kernel, rows_of(f, form)), ridge, width);
    }
    return ALD_OK;
}

static ald_status get_room(ald_run *run, int count, ald_variants *v)
{
    ald_arena *memory = v->owner->memory;
    v->count = 0;
    v->settings = ald_arena_get(memory, count, 1, sizeof *v->settings);
    v->words = ald_arena_get(memory, count, 1, sizeof *v->words);
    v->levels = ald_arena_get(memory, count, 1, sizeof *v->levels);
    return v->settings && v->words && v->levels ? ALD_OK : ald_out_of_memory(run, count, 3, sizeof *v->words);
}

/* One form after the other, as the median distance is that of prepared rows. */
ald_status ald_entry_expand(ald_run *run, const ald_matrix *x, int categories, const ald_grid *given,
                            int count, ald_variants *v)
{
    expanding e = {run, x, given, count, categories, v->settings[0], 0};
    ald_variants forms = *v;
    ald_variants *parts;
    int(*counts)[3];
    form_counts f;
    int all = 0;
    ALD_TRY(make_forms(&e, v->entry, &forms, &f));
    ALD_TRY(ald_scratch(run, forms.count, 1, sizeof *parts, &parts));
    ALD_TRY(ald_scratch(run, forms.count, 1, sizeof *counts, &counts));
    for (int n = 0; n < forms.count; n++) {
        parts[n] = forms;
        parts[n].settings = forms.settings + n;
        parts[n].words = forms.words + n;
        parts[n].count = is_left_out(&f, n) ? 0 : 1;
        if (parts[n].count == 0) continue;
        ALD_TRY(vary_all(&e, v->entry, &parts[n], counts[n]));
        for (int i = 0; i < count; i++) ALD_TRY(ald_variants_expand(run, &given[i], &parts[n]));
        all += parts[n].count;
    }
    ALD_TRY(get_room(run, all, v));
    for (int i = 0; i < forms.count; i++) ALD_TRY(add_made(&e, &parts[i], counts[i], &f, i, v));
    e.keep_idle = 1; /* where all are, as was asked for */
    return v->count > 0 ? ALD_OK : add_made(&e, &parts[0], counts[0], &f, 0, v);
}

int ald_entry_dims(const ald_portfolio_data *data, const ald_portfolio_entry *entry,
                   const ald_settings *settings)
{
    const double folds = entry ? 0.6 : 1.0; /* of the rows, inside a fold of a fold */
    int64_t most =
        ald_most_components(settings, (int64_t)(folds * (double)data->x->rows), data->x->cols, data->y);
    int count = data->n_dims;
    if (entry && entry->most_dims > 0 && entry->most_dims < most) most = entry->most_dims;
    while (count > 1 && data->dims[count - 1] > most) count--;
    return count;
}

static int highest_level(const ald_variants *variants, int n)
{
    int highest = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; variants[i].entry && k < variants[i].count; k++)
            if (variants[i].levels[k] > highest) highest = variants[i].levels[k];
    return highest;
}

/* Marks what is kept of one entry and level with a level of its own; returns the operations that are left.
 * None takes more than a quarter of all. Predictors of one map stand together, and only the first that is
 * kept pays for it. */
static double take_level(const ald_portfolio_data *data, int level, double left, ald_variants *v)
{
    const double most = ALD_PORTFOLIO_WORK / 4.0;
    for (int k = 0; k < v->count; k++) {
        if (v->levels[k] != level) continue;
        const int mapped = k > 0 && v->levels[k - 1] < 0 && ald_same_map(v->settings[k - 1], v->settings[k]);
        const int n_dims = ald_entry_dims(data, v->entry, v->settings[k]);
        const double work = ald_portfolio_work(v->settings[k], data->x, data->y, data->dims, n_dims, mapped);
        if (work > left || work > most) continue;
        left -= work;
        v->levels[k] = -1;
    }
    return left;
}

static int keep_taken(ald_variants *v)
{
    const int before = v->count;
    v->count = 0;
    for (int k = 0; k < before; k++) {
        if (v->levels[k] >= 0) continue;
        v->settings[v->count] = v->settings[k];
        v->words[v->count++] = v->words[k];
    }
    return before - v->count;
}

void ald_entries_bound(const ald_portfolio_data *data, ald_variants *variants, int n, int *left_out)
{
    const int highest = highest_level(variants, n);
    double left = ALD_PORTFOLIO_WORK;
    int any = 0;
    for (int level = 0; level <= highest; level++)
        for (int i = 0; i < n; i++)
            if (variants[i].entry) left = take_level(data, level, left, &variants[i]);
    for (int i = 0; i < n; i++) {
        left_out[i] = 0;
        if (!variants[i].entry) continue;
        if (!any && !(left < ALD_PORTFOLIO_WORK)) { /* nothing is cheap enough: the first of all */
            variants[i].levels[0] = -1;
            any = 1;
        }
        left_out[i] = keep_taken(&variants[i]);
    }
}
