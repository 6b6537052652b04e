/* The table of predictors, their settings and checks, and what several of them share. */
#include "methods/predict/predictor.h"

#include "base/core/error.h"
#include "base/settings/common_params.h"
#include "base/settings/method.h"
#include "base/settings/settings.h"
#include "math/kernel/kernel.h"

#include <math.h>
#include <string.h>

static const ald_predictor *const predictors[] = {
    &ald_predictor_linear,   &ald_predictor_ridge,    &ald_predictor_one_vs_rest, &ald_predictor_centroid,
    &ald_predictor_gaussian, &ald_predictor_logistic, &ald_predictor_knn,         &ald_predictor_cox,
};

const ald_predictor *ald_predictor_find(const char *name)
{
    for (size_t i = 0; i < sizeof predictors / sizeof *predictors; i++)
        if (strcmp(predictors[i]->name, name) == 0) return predictors[i];
    return NULL;
}

const ald_predictor *ald_predictor_of(const ald_model *model)
{
    const char *kind = ald_model_text(model, "alidade.predictor.kind");
    return kind ? ald_predictor_find(kind) : NULL;
}

static const char *const choices[] = {
    "none", "linear", "ridge", "one-vs-rest", "centroid", "gaussian", "logistic", "knn", "cox", NULL,
};
static const ald_param predictor_param =
    ALD_CHOICE_PARAM("predictor", "none", choices,
                     "also fit a predictor on the projection: of numbers linear, ridge, knn; of times with "
                     "events cox; of classes "
                     "gaussian, logistic, knn, centroid; of labels one-vs-rest, logistic, knn",
                     .traits = ALD_PARAM_IS_PREDICTOR);
static const ald_param neighbors_param =
    ALD_INT_PARAM("predictor_neighbors", "1", 0, 1e9,
                  "knn: how many of the nearest rows it looks at; 0: one more than the number of classes",
                  .simpler = ALD_SIMPLER_LARGER, .traits = ALD_PARAM_ZERO_IS_AUTO);
static const ald_param ridge_param = ALD_REAL_PARAM(
    "predictor_ridge", "0", 0, ALD_NO_LIMIT,
    "ridge, one-vs-rest and logistic: the penalty, in units of the number of rows; 0: the predictor's own",
    .simpler = ALD_SIMPLER_LARGER, .traits = ALD_PARAM_IS_PREDICTOR_RIDGE | ALD_PARAM_ZERO_IS_AUTO);

const ald_param *const ald_predictor_params[] = {&predictor_param, &neighbors_param, &ridge_param, NULL};

ald_predictor_options ald_predictor_options_of(const ald_run *run)
{
    return (ald_predictor_options){
        .name = ald_setting_text(run, &predictor_param),
        .neighbors = ald_setting_int(run, &neighbors_param),
        .ridge = ald_setting_real(run, &ridge_param),
    };
}

const ald_predictor *ald_predictor_asked(const ald_settings *settings)
{
    return ald_predictor_find(ald_settings_text_of(settings, &predictor_param));
}

const char *ald_predictor_usual(ald_target_kind kind)
{
    static const char *const usual[] = {
        [ALD_TARGET_NONE] = "none",
        [ALD_TARGET_CLASSES] = "gaussian",
        [ALD_TARGET_REAL] = "linear",
        [ALD_TARGET_LABELS] = "one-vs-rest",
    };
    return (size_t)kind < sizeof usual / sizeof *usual ? usual[kind] : usual[ALD_TARGET_NONE];
}

ald_predictor_output ald_predictor_gives(const char *name, ald_target_kind kind)
{
    const ald_predictor *predictor = ald_predictor_find(name ? name : ald_predictor_usual(kind));
    if (!predictor || kind < ALD_TARGET_NONE || kind > ALD_TARGET_LABELS || !(predictor->kinds & 1U << kind))
        return ALD_GIVES_NOTHING;
    if (kind == ALD_TARGET_REAL) return ALD_GIVES_RESPONSES;
    return predictor->probabilities & 1U << kind ? ALD_GIVES_PROBABILITIES : ALD_GIVES_SCORES;
}

/* Whether nothing but the slices of the response will be known, from which no predictor can learn numbers. */
static int keeps_slices_only(const ald_settings *settings, ald_target_kind kind, int stream)
{
    return kind == ALD_TARGET_REAL && (stream || ald_common_settings_of(settings).keep_statistics) &&
           ald_method_param_with(ald_settings_method(settings), ALD_PARAM_IS_SLICES);
}

ald_status ald_predictor_auto_for(ald_settings *settings, const ald_target *y, int stream,
                                  const char **chosen, ald_error *error)
{
    const char *set = NULL;
    ALD_GIVEN(error, settings, y);
    ALD_TRY(ald_predictor_auto(settings, y->kind, stream, &set, error));
    if (y->events && set) set = ald_predictor_cox.name;
    if (chosen) *chosen = set;
    return set ? ald_settings_set_text(settings, predictor_param.name, set, error) : ALD_OK;
}

static ald_status set_usual(ald_settings *settings, ald_target_kind kind, ald_error *error)
{
    return ald_settings_set_text(settings, predictor_param.name, ald_predictor_usual(kind), error);
}

ald_status ald_predictor_auto(ald_settings *settings, ald_target_kind kind, int stream, const char **chosen,
                              ald_error *error)
{
    if (chosen) *chosen = NULL;
    ALD_GIVEN(error, settings);
    const int maps = (ald_settings_method(settings)->capabilities & ALD_CAN_MAP_NEW_ROWS) != 0;
    if (!maps || kind == ALD_TARGET_NONE || ald_settings_given(settings, predictor_param.name) ||
        keeps_slices_only(settings, kind, stream))
        return ALD_OK;
    if (chosen) *chosen = ald_predictor_usual(kind);
    return set_usual(settings, kind, error);
}

ald_status ald_need_predictor(ald_settings *settings, const ald_target *y, ald_error *error)
{
    if (ald_predictor_asked(settings)) return ALD_OK;
    if (y->events)
        return ald_settings_set_text(settings, predictor_param.name, ald_predictor_cox.name, error);
    return set_usual(settings, y->kind, error);
}

ald_status ald_unset_predictor(ald_settings *settings, ald_error *error)
{
    for (ald_param_table entry = ald_predictor_params; *entry; entry++)
        ALD_TRY(ald_settings_set_text(settings, (*entry)->name, (*entry)->initial, error));
    return ALD_OK;
}

ald_status ald_set_predictor_neighbors(ald_settings *settings, int64_t neighbors, ald_error *error)
{
    const ald_predictor *predictor = ald_predictor_asked(settings);
    if (!predictor || !predictor->takes_neighbors || ald_settings_given(settings, neighbors_param.name))
        return ALD_OK;
    return ald_settings_set_int(settings, neighbors_param.name, neighbors, error);
}

int ald_predictor_place(const ald_settings *settings)
{
    return (int)ald_settings_int_of(settings, &predictor_param);
}

static int is_of_predictor(const ald_param *param)
{
    for (int i = 0; ald_predictor_params[i]; i++)
        if (ald_predictor_params[i] == param) return 1;
    return 0;
}

int ald_same_map(const ald_settings *a, const ald_settings *b)
{
    const ald_param *param;
    if (ald_settings_method(a) != ald_settings_method(b)) return 0;
    for (int i = 0; (param = ald_settings_param_at(a, i)) != NULL; i++)
        if (!is_of_predictor(param) && (ald_settings_given_at(a, i) != ald_settings_given_at(b, i) ||
                                        strcmp(ald_settings_text_at(a, i), ald_settings_text_at(b, i)) != 0))
            return 0;
    return 1;
}

static const char *kind_name(ald_target_kind kind)
{
    static const char *const names[] = {
        [ALD_TARGET_NONE] = "without a target",
        [ALD_TARGET_CLASSES] = "classes",
        [ALD_TARGET_REAL] = "real responses",
        [ALD_TARGET_LABELS] = "several labels",
    };
    return names[kind];
}

/* "linear, ridge, knn": the predictors that take such a target (with moments: that can be made from them). */
static void list_fitting(ald_target_kind kind, int moments, char *list, size_t size)
{
    list[0] = '\0';
    for (size_t i = 0; i < sizeof predictors / sizeof *predictors; i++) {
        const ald_predictor *p = predictors[i];
        if (!(p->kinds & 1U << kind) || p->needs_events || (moments && p->moments == ALD_MOMENTS_NOT))
            continue;
        const size_t used = strlen(list);
        if (used + strlen(p->name) + 3 > size) return;
        strcat(list, used ? ", " : "");
        strcat(list, p->name);
    }
}

static ald_status check_options(ald_run *run, const ald_predictor *predictor,
                                const ald_predictor_options *options)
{
    const char *name = predictor ? predictor->name : "none";
    if (options->neighbors != 1 && !(predictor && predictor->takes_neighbors))
        return ald_fail(
            run->error, ALD_ERROR_ARGUMENT,
            "`predictor_neighbors` is given, but `predictor=%s` does not use neighbours: use `predictor=knn`",
            name);
    if (options->ridge > 0.0 && !(predictor && predictor->own_ridge > 0.0))
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "`predictor_ridge` is given, but `predictor=%s` has no ridge: use `predictor=ridge`, "
                        "one-vs-rest or logistic",
                        name);
    return ALD_OK;
}

ald_status ald_predictor_check(ald_run *run, const ald_predictor_options *options, ald_target_kind kind,
                               int moments)
{
    const ald_predictor *predictor = ald_predictor_find(options->name);
    char list[128];
    ALD_TRY(check_options(run, predictor, options));
    if (!predictor) return ALD_OK;
    list_fitting(kind, moments, list, sizeof list);
    if (kind == ALD_TARGET_NONE)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "the %s predictor cannot predict without a target: name the "
                        "target columns, or use `predictor=none`",
                        predictor->name);
    if (!(predictor->kinds & 1U << kind))
        return ald_fail(run->error, ALD_ERROR_ARGUMENT, "the %s predictor cannot predict %s: use one of %s",
                        predictor->name, kind_name(kind), list);
    if (moments && predictor->moments == ALD_MOMENTS_NOT)
        return ald_fail(
            run->error, ALD_ERROR_UNSUPPORTED,
            "the %s predictor needs all rows at once, so it can be neither streamed nor updated: use one "
            "of %s",
            predictor->name, list);
    if (predictor->takes_neighbors && options->neighbors == 0 && kind != ALD_TARGET_CLASSES)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "`predictor_neighbors=0` stands for the number of classes plus one, but the target "
                        "is not classes: give a number from 1");
    return ALD_OK;
}

ald_status ald_predictor_fit(ald_run *run, const ald_predictor_options *options,
                             const ald_predictor_data *data, ald_model *model)
{
    const ald_predictor *predictor = ald_predictor_find(options->name);
    ald_predictor_options resolved = *options;
    ALD_TRY(ald_predictor_check(run, options, data->kind, data->y_mean || data->spread || data->within));
    if (!predictor) return ALD_OK;
    if (!(ald_predictor_total(data) > 0.0))
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "the %s predictor has no rows with a target to learn from", predictor->name);
    if (!(options->ridge > 0.0)) resolved.ridge = predictor->own_ridge;
    ALD_TRY(predictor->fit(run, &resolved, data, model));
    if (predictor->own_ridge > 0.0)
        ALD_TRY(ald_model_set_real(run, model, "alidade.predictor.ridge", resolved.ridge));
    return ald_model_set_text(run, model, "alidade.predictor.kind", predictor->name);
}

static double index_of_largest(int64_t q, const double *scores)
{
    int64_t best = 0;
    for (int64_t j = 1; j < q; j++)
        if (scores[j] > scores[best]) best = j;
    return (double)best;
}

void ald_decide(ald_target_kind kind, int64_t rows, int64_t columns, const double *scores, double *decided)
{
    if (!scores || !decided) return;
    for (int64_t i = 0; i < rows && kind == ALD_TARGET_CLASSES; i++)
        decided[i] = index_of_largest(columns, scores + i * columns);
    for (int64_t k = 0; k < rows * columns && kind == ALD_TARGET_LABELS; k++)
        decided[k] = ald_decide_label(scores[k]);
    for (int64_t k = 0; k < rows * columns && kind == ALD_TARGET_REAL; k++) decided[k] = scores[k];
}

double ald_predictor_weight(const ald_predictor_data *data, int64_t i)
{
    return data->weights ? data->weights[i] : 1.0;
}

double ald_predictor_total(const ald_predictor_data *data)
{
    double total = data->total;
    if (total > 0.0) return total;
    for (int64_t i = 0; i < data->n; i++) total += ald_predictor_weight(data, i);
    return total;
}

void ald_softmax(int64_t n, int64_t q, double *scores)
{
    for (int64_t i = 0; i < n; i++) {
        double *s = scores + i * q;
        double largest = s[0];
        for (int64_t c = 1; c < q; c++) largest = fmax(largest, s[c]);
        for (int64_t c = 0; c < q; c++) s[c] -= largest;
    }
    ald_many_exp(n * q, scores);
    for (int64_t i = 0; i < n; i++) {
        double *s = scores + i * q;
        double sum = 0.0;
        for (int64_t c = 0; c < q; c++) sum += s[c];
        for (int64_t c = 0; c < q; c++) s[c] /= sum;
    }
}

ald_status ald_class_means(ald_run *run, const ald_predictor_data *data, double **means, double **counts)
{
    const int64_t r = data->r, q = data->q;
    ALD_TRY(ald_scratch_zeros(run, q, r, means));
    ALD_TRY(ald_scratch_zeros(run, q, 1, counts));
    for (int64_t i = 0; i < data->n; i++) {
        ALD_TRY(ald_ask_after(run, ALD_VALUE_WORK * (double)q));
        for (int64_t c = 0; c < q; c++) {
            const double share = ald_predictor_weight(data, i) * data->y[i * q + c];
            (*counts)[c] += share;
            for (int64_t k = 0; share != 0.0 && k < r; k++) (*means)[c * r + k] += share * data->z[i * r + k];
        }
    }
    for (int64_t c = 0; c < q; c++)
        for (int64_t k = 0; (*counts)[c] > 0.0 && k < r; k++) (*means)[c * r + k] /= (*counts)[c];
    return ALD_OK;
}

/* The affine predictors of the first k components, for every k, in one array of the model. */

/* Operations of all fits, and numbers that are kept. */
static const double most_work = 1e9;
static const int64_t most_numbers = 200000;

/* Numbers before those of k components: the sum of (j + 1) q over j < k. */
static int64_t numbers_before(int64_t k, int64_t q)
{
    return q * (k - 1) * (k + 2) / 2;
}

static int is_cheap(const ald_predictor_data *data)
{
    const double r = (double)data->r, rows = (double)(data->n + data->spread_rows);
    return rows * r * r * r <= most_work && numbers_before(data->r, data->q) <= most_numbers;
}

/* The first k of r columns. */
static ald_status cut_columns(ald_run *run, const double *from, int64_t rows, int64_t r, int64_t k,
                              const double **cut)
{
    double *made;
    *cut = NULL;
    if (!from) return ALD_OK;
    ALD_TRY(ald_scratch_reals(run, rows, k, &made));
    for (int64_t i = 0; i < rows; i++) memcpy(made + i * k, from + i * r, (size_t)k * sizeof *made);
    *cut = made;
    return ALD_OK;
}

ald_status ald_predictor_cut(ald_run *run, const ald_predictor_data *all, int64_t k, ald_predictor_data *data)
{
    *data = *all;
    data->r = k;
    ALD_TRY(cut_columns(run, all->z, all->n, all->r, k, &data->z));
    ALD_TRY(cut_columns(run, all->spread, all->spread_rows, all->r, k, &data->spread));
    return cut_columns(run, all->within, k, all->r, k, &data->within);
}

/* Into `numbers`, of which there is room for (k + 1) q. */
static ald_status take_first(ald_run *run, const ald_predictor_options *options,
                             const ald_predictor_data *all, int64_t k, ald_model *room, double *numbers)
{
    ald_predictor_data data;
    ALD_TRY(ald_predictor_cut(run, all, k, &data));
    ALD_TRY(ald_predictor_fit(run, options, &data, room));
    const double *b = ald_model_reals(room, "predictor/coefficients", k, data.q),
                 *intercept = ald_model_reals(room, "predictor/intercept", data.q, -1);
    if (!b || !intercept) return ald_fail(run->error, ALD_ERROR_NUMERICAL, "the predictor has other arrays");
    memcpy(numbers, b, (size_t)(k * data.q) * sizeof *numbers);
    memcpy(numbers + k * data.q, intercept, (size_t)data.q * sizeof *numbers);
    return ALD_OK;
}

ald_status ald_predictor_fit_nested(ald_run *run, const ald_predictor_options *options,
                                    const ald_predictor_data *data, ald_model *model)
{
    const ald_predictor *predictor = ald_predictor_find(options->name);
    const int64_t r = data->r, q = data->q;
    double *numbers;
    if (!predictor || !predictor->is_affine || r < 2 || !is_cheap(data)) return ALD_OK;
    ALD_TRY(ald_scratch_reals(run, numbers_before(r, q), 1, &numbers));
    for (int64_t k = 1; k < r; k++) {
        const uint64_t mark = ald_arena_mark(&run->scratch);
        ald_model *room;
        ALD_TRY(ald_model_new(run, &room));
        const ald_status status = take_first(run, options, data, k, room, numbers + numbers_before(k, q));
        ald_model_free(room);
        ald_arena_release(&run->scratch, mark);
        ALD_TRY(status);
    }
    return ald_model_add_vector(run, model, "predictor/nested", numbers_before(r, q), numbers);
}

int ald_predictor_nested(const ald_model *model, int64_t k, int64_t *q, const double **coefficients,
                         const double **intercept)
{
    const int64_t r = ald_model_component_count(model);
    ald_array b;
    if (k < 1 || k >= r || !ald_model_array(model, "predictor/coefficients", &b) || b.dims != 2) return 0;
    *q = b.shape[1];
    if (*q < 1 || *q > most_numbers || r > most_numbers) return 0;
    const double *numbers = ald_model_reals(model, "predictor/nested", numbers_before(r, *q), -1);
    if (!numbers) return 0;
    *coefficients = numbers + numbers_before(k, *q);
    *intercept = *coefficients + k * *q;
    return 1;
}
