/* The property grid: every registered method on every kind of target it takes x storage x scaling x threads x
 * weights. The prepared matrix is recomputed here from the raw numbers by plain loops, and each method's own
 * equations are checked on it. Each method has a file verify_NAME.c; one without does not link. */
#include "support/loops_card.h"
#include "support/storages.h"
#include "verify/shared/kernel_check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct sample {
    double x[n * d];
    int32_t classes[n];
    double responses[n * q], labels[n * q], weights[n];
} sample;

/* Floats with some zeros, columns of different size and mean. */
static void make_sample(sample *s)
{
    ald_random random;
    ald_random_seed(&random, 77, 0);
    for (int i = 0; i < n; i++) {
        s->classes[i] = i % 3;
        s->weights[i] = 0.25 * (double)ald_random_below(&random, 8); /* some are 0 */
        for (int j = 0; j < d; j++) {
            const double value = (1.0 + j) * ald_random_normal(&random) + (j % 3) + (j == i % 3 ? 4.0 : 0.0);
            s->x[i * d + j] = ald_random_below(&random, 5) ? (double)(float)value : 0.0;
        }
        for (int k = 0; k < q; k++) {
            s->responses[i * q + k] =
                s->x[i * d + k] - 0.5 * s->x[i * d + k + 4] + 0.3 * ald_random_normal(&random) + 10.0;
            s->labels[i * q + k] = s->responses[i * q + k] > 10.5;
        }
    }
}

static ald_target make_target(const sample *s, const setting *o)
{
    ald_target y = {.kind = o->kind, .rows = n};
    if (o->kind == ALD_TARGET_CLASSES) y = ald_target_classes(s->classes, n, 3);
    if (o->kind == ALD_TARGET_REAL)
        y = ald_target_real(ald_matrix_row_major(s->responses, n, o->responses, q));
    if (o->kind == ALD_TARGET_LABELS) y = ald_target_labels(ald_matrix_row_major(s->labels, n, q, q));
    if (o->weighted) y.weights = s->weights;
    return y;
}

static void prepare_row(const double *x, const char *kind, double *out)
{
    double sum = 0.0, square = 0.0, length = 0.0;
    for (int j = 0; j < d; j++) sum += x[j] / d;
    for (int j = 0; j < d; j++) {
        square += (x[j] - sum) * (x[j] - sum) / d;
        length += x[j] * x[j];
    }
    const int standard = strcmp(kind, "standard") == 0, unit = strcmp(kind, "unit") == 0;
    double by = standard ? sqrt(square) : 1.0;
    if (unit) by = sqrt(length);
    for (int j = 0; j < d; j++) out[j] = (x[j] - (standard ? sum : 0.0)) / (by > 0.0 ? by : 1.0);
}

static void prepare(const sample *s, const setting *o, prepared *p)
{
    double w[n];
    p->total = 0.0;
    for (int i = 0; i < n; i++) {
        w[i] = o->weighted ? s->weights[i] : 1.0;
        p->total += w[i];
        p->root[i] = sqrt(w[i]);
        prepare_row(s->x + i * d, o->row_scale, p->rows + i * d);
    }
    for (int j = 0; j < d; j++) {
        double mean = 0.0, square = 0.0, low = INFINITY, high = -INFINITY;
        for (int i = 0; i < n; i++) mean += w[i] * p->rows[i * d + j] / p->total;
        for (int i = 0; i < n; i++) {
            square += w[i] * (p->rows[i * d + j] - mean) * (p->rows[i * d + j] - mean) / p->total;
            if (!(w[i] > 0.0)) continue;
            low = fmin(low, p->rows[i * d + j]);
            high = fmax(high, p->rows[i * d + j]);
        }
        p->mean[j] = mean;
        p->shift[j] = strcmp(o->scale, "minmax") == 0 ? low : 0.0;
        p->scale[j] = strcmp(o->scale, "standard") == 0 ? sqrt(square) : 1.0;
        if (strcmp(o->scale, "minmax") == 0) p->scale[j] = high - low;
        for (int i = 0; i < n; i++) p->z[i * d + j] = p->root[i] * (p->rows[i * d + j] - mean) / p->scale[j];
    }
    p->kind = o->kind;
    p->classes = s->classes;
    memcpy(p->weights, w, sizeof w);
    const int64_t columns[] = {
        [ALD_TARGET_NONE] = 0,
        [ALD_TARGET_CLASSES] = 3,
        [ALD_TARGET_REAL] = o->responses,
        [ALD_TARGET_LABELS] = q,
    };
    p->m = columns[o->kind];
    for (int64_t k = 0; k < p->m; k++) {
        double mean = 0.0, value[n];
        for (int i = 0; i < n; i++) {
            value[i] = o->kind == ALD_TARGET_REAL ? s->responses[i * q + k] : s->labels[i * q + k];
            if (o->kind == ALD_TARGET_CLASSES) value[i] = s->classes[i] == k;
            mean += w[i] * value[i] / p->total;
        }
        for (int i = 0; i < n; i++) {
            p->raw[i * p->m + k] = value[i];
            p->y[i * p->m + k] = p->root[i] * (value[i] - mean);
        }
    }
}

const double *array_of(const ald_model *model, const char *name, int64_t rows, int64_t cols)
{
    ald_array array;
    if (!ald_model_array(model, name, &array)) fail_msg("the model has no array %s", name);
    assert_int_equal(array.shape[0], rows);
    if (cols) assert_int_equal(array.shape[1], cols);
    return array.data;
}

#define ALD_METHOD(name) extern const verifier verifier_##name;
#include "methods.def"
#undef ALD_METHOD

/* In the order of the registry. */
static const verifier *const verifiers[] = {
#define ALD_METHOD(name) &verifier_##name,
#include "methods.def"
#undef ALD_METHOD
};

/* How many real responses to give it. */
static int64_t responses_of(const ald_method *method)
{
    return ald_method_capabilities(method) & ALD_CAN_RESPONSES ? q : 1;
}

static const verifier *verifier_of(const char *method)
{
    int m = 0;
    while (strcmp(ald_method_name(ald_method_at(m)), method) != 0) m++;
    return verifiers[m];
}

/* "card": on a card of plain loops, or a real one. */
static ald_model *fit_with(const char *method, const setting *o, const ald_matrix *x, const ald_target *y,
                           int threads, const char *backend)
{
    const int on_card = backend && strcmp(backend, "card") == 0;
    ald_context *context = support_context(threads, on_card ? NULL : backend);
    loops_card card = {0};
    ald_device *device = on_card ? real_device() : NULL;
    const int loops = on_card && !device;
    if (loops) device = loops_device(&card, 1);
    ald_model *model;
    ald_error error;
    ald_context_set_device(context, device, NULL);
    char text[256];
    const char *always = verifier_of(method)->always;
    snprintf(text, sizeof text, "n_components=%d scale=%s row_scale=%s %s %s", r, o->scale, o->row_scale,
             always ? always : "", o->more);
    ald_settings *settings = support_settings(context, method, text);
    const ald_status status =
        ald_fit(context, settings, x, y->kind == ALD_TARGET_NONE && !y->weights ? NULL : y, &model, &error);
    if (status < 0) print_error("%s %s %s\n", method, text, error.message);
    assert_done(status, error);
    /* Rows scaled to mean 0 make X'X singular, which some methods say. */
    if (status != ALD_OK && strcmp(o->row_scale, "standard") != 0)
        print_error("%s %s %s\n", method, text, error.message);
    assert_true(status == ALD_OK || (status == ALD_RANK_REDUCED && strcmp(o->row_scale, "standard") == 0));
    ald_settings_free(settings);
    ald_context_free(context);
    if (loops) assert_true(card.held > 0);
    if (loops) ald_device_close(device);
    return model;
}

/* The directions of a model: components (r x d) of a linear one, coefficients (n x r) of a kernel, places of
 * the rows (n x r) where there is no map. */
typedef struct directions {
    const double *values;
    int size, step; /* of one direction: entries, and how far they are apart */
} directions;

static directions directions_of(const ald_model *model)
{
    if (strcmp(ald_model_text(model, "alidade.map"), "linear") == 0)
        return (directions){array_of(model, "components", r, d), d, 1};
    const int places = strcmp(ald_model_text(model, "alidade.map"), "none") == 0;
    return (directions){array_of(model, places ? "embedding" : "coefficients", n, r), n, r};
}

static void assert_same_model(const ald_model *one, const ald_model *two)
{
    const directions a = directions_of(one), b = directions_of(two);
    const double tolerance = verifier_of(ald_model_method(one))->tolerance;
    assert_below(support_largest_difference(r * a.size, a.values, b.values),
                 (tolerance > 0.0 ? tolerance : 1e-8) * support_norm(r * a.size, a.values));
}

static void verify_signs(const ald_model *model)
{
    const directions w = directions_of(model);
    for (int k = 0; k < r; k++) {
        const double *first = w.values + (w.step == 1 ? k * w.size : k);
        int lead = 0;
        double largest = 0.0;
        for (int j = 0; j < w.size; j++) largest = fmax(largest, fabs(first[j * w.step]));
        while (fabs(first[lead * w.step]) < largest * (1.0 - 1e-8)) lead++;
        assert_true(first[lead * w.step] > 0.0);
    }
}

/* What the training rows are mapped to: rows of Z without the weights, times components'; the centred kernel
 * times the coefficients; or their places. */
static void expected_scores(const ald_model *model, const prepared *p, double *want)
{
    static kernel_view v;
    double rows[n * d];
    if (strcmp(ald_model_text(model, "alidade.map"), "none") == 0) {
        memcpy(want, array_of(model, "embedding", n, r), n * r * sizeof *want);
        return;
    }
    if (strcmp(ald_model_text(model, "alidade.map"), "linear") != 0) {
        kernel_view_make(model, p, &v);
        memcpy(want, v.z, sizeof v.z);
        return;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < d; j++) rows[i * d + j] = (p->rows[i * d + j] - p->mean[j]) / p->scale[j];
    support_multiply(0, 1, n, r, d, rows, array_of(model, "components", r, d), want);
    assert_below(support_largest_difference(d, array_of(model, "mean", d, 0), p->mean), 1e-12);
}

/* transform(train) are the scores. Sign rule. Mean and scale as defined. */
static void verify_common(const ald_model *model, const prepared *p, const setting *o, const ald_matrix *x)
{
    ald_context *context = support_context(2, NULL);
    ald_error error;
    double z[n * r], want[n * r];
    expected_scores(model, p, want);
    assert_done(ald_transform(context, model, x, z, &error), error);
    assert_below(support_largest_difference(n * r, z, want), 1e-10 * support_norm(n * r, want));
    if (strcmp(o->scale, "none") != 0)
        assert_below(support_largest_difference(d, array_of(model, "scale", d, 0), p->scale), 1e-12);
    verify_signs(model);
    assert_int_equal(ald_model_feature_count(model), d);
    assert_int_equal(ald_model_component_count(model), r);
    ald_context_free(context);
}

/* A case takes every third storage, of iterated methods every sixth, in turn: so over the scalings of a
 * target each storage has its part. All of them with ALD_LONG; of iterated ones under the sanitizers one. */
static int storage_step(const verifier *v)
{
    if (getenv("ALD_LONG")) return 1;
    if (!v->is_slow) return 3;
    return support_stride() > 1 ? support_storage_count : 6;
}

/* `turn` counts the cases. */
static void check_case(const char *method, const verifier *v, const sample *s, setting o, int turn)
{
    prepared p;
    const ald_target y = make_target(s, &o);
    prepare(s, &o, &p);
    const ald_matrix plain = ald_matrix_row_major(s->x, n, d, d);
    ald_model *first = fit_with(method, &o, &plain, &y, 1, NULL);
    v->verify(first, &p);
    verify_common(first, &p, &o, &plain);
    const int step = storage_step(v);
    for (int which = turn % step; which < support_storage_count; which += step) {
        support_matrix m = support_storage(which, s->x, n, d);
        if (m.view.storage != ALD_DENSE &&
            !(ald_method_capabilities(ald_method_find(method)) & ALD_CAN_SPARSE)) {
            support_storage_free(&m);
            continue;
        }
        for (int threads = m.view.storage == ALD_DENSE; threads <= 2; threads++) { /* 0: on a card */
            ald_model *other = fit_with(method, &o, &m.view, &y, threads, threads > 0 ? NULL : "card");
            assert_same_model(first, other);
            verify_common(other, &p, &o, &m.view);
            ald_model_free(other);
        }
        support_storage_free(&m);
    }
    ald_model *plain_loops = fit_with(method, &o, &plain, &y, 1, "plain");
    assert_same_model(first, plain_loops);
    ald_model_free(plain_loops);
    ald_model *on_card = fit_with(method, &o, &plain, &y, 2, "card");
    assert_same_model(first, on_card);
    ald_model_free(on_card);
    for (int k = 0; v->variants[k]; k++) {
        setting variant = o;
        variant.more = v->variants[k];
        ald_model *other = fit_with(method, &variant, &plain, &y, 2, NULL);
        v->verify(other, &p);
        if (estimate_of(other).residual < 1e-12) assert_same_model(first, other);
        ald_model_free(other);
    }
    ald_model_free(first);
}

static const struct {
    ald_target_kind kind;
    unsigned capability;
} kinds[] = {
    {ALD_TARGET_NONE, ALD_CAN_NO_TARGET},
    {ALD_TARGET_CLASSES, ALD_CAN_CLASSES},
    {ALD_TARGET_REAL, ALD_CAN_REAL},
    {ALD_TARGET_LABELS, ALD_CAN_LABELS},
};

static void every_method_on_everything(void **state)
{
    (void)state;
    static const char *const scales[] = {"none", "standard", "minmax"};
    static const char *const row_scales[] = {"none", "standard", "unit"};
    sample *s = malloc(sizeof *s);
    const char *const only = getenv("ALD_METHOD"); /* a method by itself, while it is written */
    const int every = support_stride();
    int count = 0;
    make_sample(s);
    for (int m = 0; m < ald_method_count(); m++) {
        const ald_method *method = ald_method_at(m);
        const verifier *v = verifiers[m];
        if (only && strcmp(only, ald_method_name(method)) != 0) continue;
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            if (!(ald_method_capabilities(method) & kinds[k].capability)) continue;
            for (int a = 0; a < 3; a++)
                for (int b = 0; b < 3; b++)
                    for (int weighted = 0; weighted < 2; weighted++) {
                        if (weighted && !(ald_method_capabilities(method) & ALD_CAN_WEIGHTS)) continue;
                        if (count++ % every != 0) continue;
                        check_case(ald_method_name(method), v, s,
                                   (setting){
                                       kinds[k].kind,
                                       weighted,
                                       responses_of(method),
                                       scales[a],
                                       row_scales[b],
                                       "",
                                   },
                                   count / every);
                    }
        }
    }
    free(s);
}

/* Two directions, by settings of the method's own with which a fit ends soon where there are such. */
static ald_settings *brief_settings(ald_context *context, int m)
{
    char text[256];
    const char *const brief = verifiers[m]->brief ? verifiers[m]->brief : verifiers[m]->always;
    snprintf(text, sizeof text, "n_components=2 %s", brief ? brief : "");
    return support_settings(context, ald_method_name(ald_method_at(m)), text);
}

/* What a method cannot take it refuses, whatever it is. */
static void capabilities_are_honoured(void **state)
{
    (void)state;
    sample *s = malloc(sizeof *s);
    make_sample(s);
    ald_context *context = support_context(1, NULL);
    const ald_matrix x = ald_matrix_row_major(s->x, n, d, d);
    unsigned char labelled[n];
    memset(labelled, 1, sizeof labelled);
    labelled[5] = 0;
    for (int m = 0; m < ald_method_count(); m++) {
        const ald_method *method = ald_method_at(m);
        ald_settings *settings = brief_settings(context, m);
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            const setting o = {kinds[k].kind, 0, responses_of(ald_method_at(m)), "none", "none", ""};
            ald_target y = make_target(s, &o);
            ald_model *model;
            ald_error error;
            const int can = (ald_method_capabilities(method) & kinds[k].capability) != 0;
            ald_status status = ald_fit(context, settings, &x, &y, &model, &error);
            assert_int_equal(status >= 0, can);
            assert_int_equal(model != NULL, can);
            ald_model_free(model);
            if (kinds[k].kind == ALD_TARGET_NONE) continue;
            y.labelled = labelled;
            const char *needed = verifiers[m]->unlabelled;
            ald_settings *with = support_settings(context, ald_method_name(method), needed ? needed : "");
            status = ald_fit(context, with, &x, &y, &model, &error);
            assert_int_equal(status >= 0, can && (ald_method_capabilities(method) & ALD_CAN_UNLABELLED));
            ald_model_free(model);
            ald_settings_free(with);
        }
        ald_settings_free(settings);
    }
    ald_context_free(context);
    free(s);
}

/* The order of rows does not matter; moving X does not turn the directions. */
static void invariances_hold(void **state)
{
    (void)state;
    sample *s = malloc(sizeof *s);
    make_sample(s);
    double turned[n * d], y_turned[n * q], moved[n * d];
    for (int i = 0; i < n; i++) {
        memcpy(turned + (n - 1 - i) * d, s->x + i * d, d * sizeof *turned);
        memcpy(y_turned + (n - 1 - i) * q, s->responses + i * q, q * sizeof *y_turned);
        for (int j = 0; j < d; j++) moved[i * d + j] = s->x[i * d + j] + 100.0 * j;
    }
    for (int m = 0; m < ald_method_count(); m++) {
        const int64_t responses = responses_of(ald_method_at(m));
        const setting o = {
            ALD_TARGET_REAL, 0, responses, "none", "none", verifiers[m]->fixed ? verifiers[m]->fixed : "",
        };
        const unsigned can = ald_method_capabilities(ald_method_at(m));
        const char *method = ald_method_name(ald_method_at(m));
        if (!(can & ALD_CAN_REAL) || !(can & ALD_IS_LINEAR)) continue;
        ald_matrix x = ald_matrix_row_major(s->x, n, d, d);
        ald_target y = ald_target_real(ald_matrix_row_major(s->responses, n, responses, q));
        ald_model *plain = fit_with(method, &o, &x, &y, 1, NULL);
        const double *w = array_of(plain, "components", r, d);
        const double size = support_norm(r * d, w);
        x.values = moved;
        ald_model *other = fit_with(method, &o, &x, &y, 1, NULL);
        assert_below(support_largest_difference(r * d, w, array_of(other, "components", r, d)), 1e-9 * size);
        ald_model_free(other);
        x.values = turned;
        y.values.values = y_turned;
        other = fit_with(method, &o, &x, &y, 1, NULL);
        assert_below(support_largest_difference(r * d, w, array_of(other, "components", r, d)), 1e-9 * size);
        ald_model_free(other);
        ald_model_free(plain);
    }
    free(s);
}

/* The same input, seed and threads: the same bytes. */
static void fits_repeat_exactly(void **state)
{
    (void)state;
    double *x = support_normals(4, 400 * 80), *y = support_normals(5, 400 * 3);
    ald_context *context = support_context(2, NULL);
    const ald_matrix view = ald_matrix_row_major(x, 400, 80, 80);
    for (int m = 0; m < ald_method_count(); m++) {
        if (!(ald_method_capabilities(ald_method_at(m)) & ALD_CAN_REAL)) continue;
        const ald_target target =
            ald_target_real(ald_matrix_row_major(y, 400, responses_of(ald_method_at(m)) < 3 ? 1 : 3, 3));
        ald_settings *settings = brief_settings(context, m);
        ald_model *a, *b;
        ald_error error;
        assert_done(ald_fit(context, settings, &view, &target, &a, &error), error);
        assert_done(ald_fit(context, settings, &view, &target, &b, &error), error);
        ald_array one, two;
        for (int i = 0; ald_model_array_at(a, i, &one); i++) {
            assert_true(ald_model_array_at(b, i, &two));
            int64_t size = 8;
            for (int k = 0; k < one.dims; k++) size *= one.shape[k];
            assert_memory_equal(one.data, two.data, (size_t)size);
        }
        ald_model_free(a);
        ald_model_free(b);
        ald_settings_free(settings);
    }
    ald_context_free(context);
    free(x);
    free(y);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_on_everything),
        cmocka_unit_test(capabilities_are_honoured),
        cmocka_unit_test(invariances_hold),
        cmocka_unit_test(fits_repeat_exactly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
