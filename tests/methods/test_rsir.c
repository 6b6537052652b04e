/* rsir: its gradient, sir at eta = 0, one minimum from many starts, steps against steepest descent, rows
 * without a target, memory, and bad input. */
#include "support/fitting.h"

#include "fit/prepare/prepare_x.h"
#include "methods/rsir/rsir_matrices.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A symmetric q x q matrix B B' / q of a random B. */
static double *random_square(uint64_t seed, int64_t q)
{
    double *b = support_normals(seed, q * q), *s = malloc((size_t)(q * q) * sizeof *s);
    support_multiply(0, 1, q, q, q, b, b, s);
    for (int64_t i = 0; i < q * q; i++) s[i] /= (double)q;
    free(b);
    return s;
}

static void orthonormalise(int64_t q, int64_t k, double *a)
{
    for (int64_t j = 0; j < k; j++) {
        for (int64_t l = 0; l < j; l++) {
            double along = 0.0;
            for (int64_t i = 0; i < q; i++) along += a[i * k + l] * a[i * k + j];
            for (int64_t i = 0; i < q; i++) a[i * k + j] -= along * a[i * k + l];
        }
        double norm = 0.0;
        for (int64_t i = 0; i < q; i++) norm += a[i * k + j] * a[i * k + j];
        for (int64_t i = 0; i < q; i++) a[i * k + j] /= sqrt(norm);
    }
}

/* Central differences along random directions, of F and along geodesics. */
static void the_gradient_is_right(void **state)
{
    (void)state;
    enum { q = 15, k = 3 };
    ald_context *context = support_context(1, NULL);
    ald_run run;
    ald_error error;
    double *gamma = random_square(1, q), *quad = random_square(2, q);
    double lt[q], g[q * k], near[q * k], unused[q * k], size, low, high, value, small[k * k];
    for (int i = 0; i < q; i++) lt[i] = exp(0.2 * i);
    ald_trace_ratios f = {
        .q = q,
        .k = k,
        .factors = {-1.0, 2.5},
        .squares = {{gamma, NULL}, {NULL, NULL}, {quad, NULL}, {NULL, lt}},
    };
    support_run(&run, context, &error);
    assert_done(ald_trace_ratios_prepare(&run, &f), error);
    const ald_grassmann_objective objective = ald_trace_ratios_objective(&f);
    for (uint64_t trial = 0; trial < 10; trial++) {
        double *a = support_normals(10 + trial, q * k), *v = support_normals(30 + trial, q * k);
        double slope = 0.0;
        const double step = 1e-5;
        orthonormalise(q, k, a);
        assert_done(objective.gradient(&run, &f, a, &value, g, &size), error);
        for (int i = 0; i < q * k; i++) slope += g[i] * v[i];
        for (int i = 0; i < q * k; i++) near[i] = a[i] + step * v[i];
        assert_done(objective.gradient(&run, &f, near, &high, unused, &size), error);
        for (int i = 0; i < q * k; i++) near[i] = a[i] - step * v[i];
        assert_done(objective.gradient(&run, &f, near, &low, unused, &size), error);
        assert_close((high - low) / (2.0 * step), slope,
                     1e-6 * support_norm(q * k, g) * support_norm(q * k, v));
        ald_geodesic line;
        double at[3], slopes[3];
        assert_done(ald_project_tangent(&run, q, k, a, small, v), error);
        assert_done(ald_geodesic_new(&run, q, k, &line), error);
        assert_done(ald_geodesic_set(&run, a, v, &line), error);
        assert_done(objective.line(&run, &f, &line), error);
        for (int i = 0; i < 3; i++) {
            ald_geodesic_go(&line, 0.05 + (i - 1) * step);
            assert_done(objective.along(&run, &f, &line, &at[i], &slopes[i]), error);
        }
        assert_close((at[2] - at[0]) / (2.0 * step), slopes[1], 1e-6 * (1.0 + fabs(slopes[1])));
        ald_geodesic_go(&line, 0.05);
        assert_done(ald_geodesic_point(&run, &line, near), error);
        assert_done(objective.gradient(&run, &f, near, &value, unused, &size), error);
        assert_close(value, at[1], 1e-11 * fabs(value));
        free(a);
        free(v);
    }
    assert_done(ald_run_end(&run, ALD_OK), error);
    ald_context_free(context);
    free(gamma);
    free(quad);
}

static void eta_of_0_is_sir(void **state)
{
    (void)state;
    support_sample s = support_sample_make(200, 8, 5);
    const ald_target_kind kinds[] = {ALD_TARGET_CLASSES, ALD_TARGET_REAL};
    for (int i = 0; i < 2; i++) {
        ald_target y = support_sample_target(&s, kinds[i]);
        if (kinds[i] == ALD_TARGET_REAL) y.values.cols = 1;
        const char *const ridges[] = {
            "n_components=2",
            "n_components=2 ridge=0.3",
            "n_components=2 ridge_rel=0.01",
        };
        for (int k = 0; k < 3; k++) {
            char set[100];
            snprintf(set, sizeof set, "%s eta=0", ridges[k]);
            ald_model *ours = support_fit("rsir", set, &s.view, &y),
                      *sir = support_fit("sir", ridges[k], &s.view, &y);
            support_assert_same_model(ours, sir, 1e-6);
            /* Rows without a target are not looked at. */
            unsigned char *labelled = malloc((size_t)s.n);
            for (int64_t row = 0; row < s.n; row++) labelled[row] = row < 120;
            ald_target some = y;
            some.labelled = labelled;
            ald_matrix first = s.view;
            first.rows = 120;
            ald_target y_first = y;
            y_first.rows = 120;
            y_first.values.rows = 120;
            ald_model *semi = support_fit("rsir", set, &s.view, &some),
                      *alone = support_fit("sir", ridges[k], &first, &y_first);
            support_assert_same_model(semi, alone, 1e-6);
            ald_model_free(semi);
            ald_model_free(alone);
            ald_model_free(ours);
            ald_model_free(sir);
            free(labelled);
        }
    }
    support_sample_free(&s);
}

/* The matrices of a fit, and conjugate gradient and steepest descent on them from random starts. */
typedef struct trial {
    double least, most;      /* of F over the starts */
    int64_t steps, steepest; /* of the first start */
    double skew;             /* largest |A'A - I| */
} trial;

static void note_start(const ald_grassmann *task, int start, trial *out)
{
    assert_true(task->converged);
    out->least = fmin(out->least, task->value);
    out->most = fmax(out->most, task->value);
    if (start == 0) out->steps = task->iterations;
}

/* The objective of rsir on the rows of x, in scratch, made of the parts that the method makes it of. */
static void make_objective(ald_run *run, const ald_matrix *x, const ald_target *y, ald_trace_ratios *f)
{
    ald_model *model;
    ald_problem problem;
    ald_row_plan plan;
    ald_labelled labelled;
    ald_slices slices;
    ald_rsir_matrices m;
    ald_graph graph;
    ald_laplacian laplacian;
    assert_done(ald_model_new(run, &model), *run->error);
    assert_done(ald_prepare_fit(run, x, NULL, &plan, &problem), *run->error);
    problem.target = y;
    assert_done(ald_labelled_find(run, &problem, model, &labelled), *run->error);
    const ald_problem rows = {
        .n = labelled.count,
        .total = (double)labelled.count,
        .target = &labelled.target,
    };
    assert_done(ald_problem_slices(run, &rows, 10, model, &slices), *run->error);
    const ald_rsir_settings asked = ald_rsir_settings_of(run);
    assert_done(ald_rsir_whiten(run, &problem, &asked, &labelled, &slices, model, &m), *run->error);
    const ald_graph_options options = {.kind = ALD_GRAPH_KNN, .n_neighbors = 10};
    assert_done(ald_graph_build(run, &problem.x, &options, &graph), *run->error);
    assert_done(ald_laplacian_of_graph(run, &graph, ALD_WEIGHTS_HEAT, 0.0, &laplacian), *run->error);
    assert_done(ald_rsir_penalise(run, &laplacian, laplacian.degree, &m), *run->error);
    const ald_square squares[] = {{m.gamma, NULL}, {NULL, NULL}, {m.quad, NULL}, {NULL, m.lt}};
    memcpy(f->squares, squares, sizeof f->squares);
    f->q = m.q;
    assert_done(ald_trace_ratios_prepare(run, f), *run->error);
    ald_model_free(model);
}

/* Minimises from a start of its own; the one after the last start is the first again, by steepest descent. */
static void try_start(ald_run *run, ald_trace_ratios *f, int start, int steepest, trial *out)
{
    const ald_grassmann_objective objective = ald_trace_ratios_objective(f);
    const int64_t k = f->k;
    ald_grassmann task = {
        .objective = &objective,
        .tol = 1e-6,
        .max_iter = steepest ? 3 * out->steps : 20000,
        .steepest = steepest,
        .stage = "test",
    };
    double *a = support_normals(100 + (uint64_t)(steepest ? 0 : start), f->q * k),
           *product = malloc((size_t)(k * k) * sizeof *product);
    assert_done(ald_grassmann_minimise(run, &task, a), *run->error);
    support_multiply(1, 0, k, k, f->q, a, a, product);
    for (int64_t i = 0; i < k; i++) product[i * k + i] -= 1.0;
    for (int64_t i = 0; i < k * k; i++) out->skew = fmax(out->skew, fabs(product[i]));
    if (steepest)
        out->steepest = task.converged ? task.iterations : INT64_MAX;
    else
        note_start(&task, start, out);
    free(a);
    free(product);
}

static void try_starts(const char *set, double eta, int64_t k, const ald_matrix *x, const ald_target *y,
                       int starts, int compare, trial *out)
{
    ald_context *context = support_context(2, NULL);
    ald_settings *settings = support_settings(context, "rsir", set);
    ald_run run;
    ald_error error;
    ald_trace_ratios f = {.k = k, .factors = {-1.0, eta}};
    support_run(&run, context, &error);
    run.settings = settings;
    make_objective(&run, x, y, &f);
    *out = (trial){INFINITY, -INFINITY, 0, 0, 0.0};
    for (int start = 0; start < starts + compare; start++) try_start(&run, &f, start, start == starts, out);
    assert_done(ald_run_end(&run, ALD_OK), error);
    ald_settings_free(settings);
    ald_context_free(context);
}

static void check_trial(const char *name, const trial *t, int compared)
{
    print_message("%s: F from %.9f to %.9f, %lld steps, |A'A - I| %.1e\n", name, t->least, t->most,
                  (long long)t->steps, t->skew);
    if (compared)
        print_message("    steepest descent: %s%lld steps\n", t->steepest == INT64_MAX ? "more than " : "",
                      (long long)(t->steepest == INT64_MAX ? 3 * t->steps : t->steepest));
    assert_below(t->most - t->least, 1e-6);
    assert_true(!compared || t->steepest >= 3 * t->steps);
    assert_below(t->skew, 1e-12);
}

/* Random starts reach the same F; conjugate gradient takes a third of the steps of steepest descent at the
 * most. */
static void starts_agree_on_synthetic_data(void **state)
{
    (void)state;
    support_sample s = support_sample_make(400, 30, 9);
    unsigned char labelled[400];
    for (int i = 0; i < 400; i++) labelled[i] = i % 3 != 0;
    ald_target y = support_sample_target(&s, ALD_TARGET_CLASSES);
    trial t;
    y.labelled = labelled;
    try_starts("", 10.0, 2, &s.view, &y, 6, 1, &t);
    check_trial("synthetic, eta 10", &t, 1);
    support_sample_free(&s);
}

static void starts_agree_on_digits(void **state)
{
    (void)state;
    if (support_stride() > 1) skip(); /* much computing, which the plain build has done */
    char path[600];
    ald_context *context = support_context(2, NULL);
    const ald_load_options options = {.size = sizeof options, .target = "y"};
    ald_dataset *data;
    ald_error error;
    trial t;
    if (!support_shared_data()) {
        print_message("skipped: there is no folder of further data sets (ALD_SHARED_DATA)\n");
        ald_context_free(context);
        return;
    }
    snprintf(path, sizeof path, "%s/usps-train.csv.gz", support_shared_data());
    assert_done(ald_dataset_load(context, path, &options, &data, &error), error);
    const ald_matrix *x = ald_dataset_x(data);
    ald_target y = *ald_dataset_target(data);
    unsigned char *labelled = malloc((size_t)x->rows);
    for (int64_t i = 0; i < x->rows; i++) labelled[i] = i % 3 == 0;
    y.labelled = labelled;
    try_starts("", 1.0, 9, x, &y, 3, 0, &t);
    check_trial("usps, 9 dimensions, eta 1", &t, 0);
    try_starts("", 10.0, 9, x, &y, 3, 1, &t);
    check_trial("usps, 9 dimensions, eta 10", &t, 1);
    free(labelled);
    ald_dataset_free(data);
    ald_context_free(context);
}

/* Remembers the largest block. */
static void *resize(void *user, void *block, size_t size)
{
    size_t *largest = user;
    if (size > *largest) *largest = size;
    if (size == 0) {
        free(block);
        return NULL;
    }
    return realloc(block, size);
}

static void nothing_is_n_by_n(void **state)
{
    (void)state;
    enum { n = 4000, d = 6 };
    size_t largest = 0;
    support_sample s = support_sample_make(n, d, 3);
    const ald_options options = {.size = sizeof options, .threads = 1, .allocator = {resize, &largest}};
    ald_context *context;
    ald_error error;
    ald_model *model;
    assert_done(ald_context_new(&options, &context, &error), error);
    const ald_target y = support_sample_target(&s, ALD_TARGET_CLASSES);
    const char *const methods[] = {"rsir", "lsir"};
    for (int i = 0; i < 2; i++) {
        ald_settings *settings = support_settings(context, methods[i], "n_components=2");
        assert_done(ald_fit(context, settings, &s.view, &y, &model, &error), error);
        ald_model_free(model);
        ald_settings_free(settings);
    }
    assert_true(largest < (size_t)n * n * sizeof(double) / 8);
    ald_context_free(context);
    support_sample_free(&s);
}

static ald_status status_of(const char *set, const ald_matrix *x, const ald_target *y, char *message,
                            size_t size)
{
    ald_context *context = support_context(1, NULL);
    ald_settings *settings = support_settings(context, "rsir", set);
    ald_model *model;
    ald_error error;
    const ald_status status = ald_fit(context, settings, x, y, &model, &error);
    snprintf(message, size, "%s", error.message);
    ald_model_free(model);
    ald_settings_free(settings);
    ald_context_free(context);
    return status;
}

static void bad_input_is_told(void **state)
{
    (void)state;
    support_sample s = support_sample_make(60, 5, 2);
    ald_target y = support_sample_target(&s, ALD_TARGET_CLASSES);
    unsigned char labelled[60] = {0};
    char message[ALD_MESSAGE_SIZE];
    ald_context *context = support_context(1, NULL);
    ald_settings *settings = support_settings(context, "rsir", "");
    ald_error error;
    assert_int_equal(ald_settings_set_text(settings, "eta", "-1", &error), ALD_ERROR_ARGUMENT);
    ald_settings_free(settings);
    ald_context_free(context);
    support_refused("rsir", "n_components=3 eta=0", &s.view, &y,
                    "2 components here (with eta=0 the number of slices");
    support_refused("rsir", "n_components=6", &s.view, &y, "5 components here (the rank of the data");
    support_refused("rsir", "n_components=0", &s.view, &y, "no rule for the number");
    support_refused("lsir", "n_components=0", &s.view, &y, "no rule for the number");
    support_refused("rsir", "n_neighbors=60", &s.view, &y, "60");
    y.labelled = labelled;
    const char *const methods[] = {"rsir", "lsir"};
    for (int i = 0; i < 2; i++) {
        labelled[0] = 0;
        support_refused(methods[i], "n_components=1", &s.view, &y, "none of the 60 rows has a target");
        labelled[0] = 1;
        support_refused(methods[i], "n_components=1", &s.view, &y, "all rows are of one class");
    }
    /* A class without a labelled row: said, and the fit goes on. */
    for (int i = 0; i < 60; i++) labelled[i] = s.classes[i] != 2;
    assert_int_equal(status_of("n_components=1", &s.view, &y, message, sizeof message), ALD_RANK_REDUCED);
    assert_non_null(strstr(message, "class code 2 has no labelled row"));
    support_sample_free(&s);
}

/* Fewer labelled rows than columns: a ridge and an eta of its own, both told. */
static void few_labelled_rows_choose_for_themselves(void **state)
{
    (void)state;
    for (int64_t d = 30; d <= 90; d += 60) { /* fewer and more columns than rows */
        support_sample s = support_sample_make(60, d, 2);
        ald_target y = support_sample_target(&s, ALD_TARGET_CLASSES);
        unsigned char labelled[60];
        for (int i = 0; i < 60; i++) labelled[i] = i % 3 == 0;
        y.labelled = labelled;
        ald_model *own = support_fit("rsir", "n_components=2", &s.view, &y),
                  *told = support_fit("rsir", "n_components=2 ridge_rel=1e-4 eta=10", &s.view, &y),
                  *set = support_fit("rsir", "n_components=2 eta=1", &s.view, &y);
        support_assert_same_model(own, told, 0.0);
        assert_string_equal(ald_model_text(own, "alidade.resolved.eta"), "10");
        assert_string_equal(ald_model_text(set, "alidade.resolved.eta"), "1");
        assert_non_null(ald_model_text(own, "alidade.resolved.ridge_reason"));
        assert_null(ald_model_text(told, "alidade.resolved.ridge_reason"));
        ald_model_free(own);
        ald_model_free(told);
        ald_model_free(set);
        support_sample_free(&s);
    }
}

/* Codes and numbers of rows without a target may be anything, and the predictor does not learn from them. */
static void rows_without_a_target_hold_anything(void **state)
{
    (void)state;
    enum { n = 60, d = 4 };
    support_sample s = support_sample_make(n, d, 2);
    unsigned char labelled[n];
    int32_t spoilt[n];
    double numbers[n];
    ald_target y = support_sample_target(&s, ALD_TARGET_CLASSES), real;
    for (int i = 0; i < n; i++) {
        labelled[i] = i % 3 != 0;
        spoilt[i] = labelled[i] ? s.classes[i] : -1000000;
        numbers[i] = labelled[i] ? s.responses[3 * i] : NAN;
    }
    y.labelled = labelled;
    real = ald_target_real(ald_matrix_row_major(numbers, n, 1, 1));
    real.labelled = labelled;
    const char *const methods[] = {"rsir", "lsir", "mkdr", "cmvu"};
    for (int i = 0; i < 4; i++) {
        ald_model *clean = support_fit(methods[i], "n_components=2 predictor=centroid", &s.view, &y);
        ald_target other = y;
        other.classes = spoilt;
        ald_model *model = support_fit(methods[i], "n_components=2 predictor=centroid", &s.view, &other);
        ald_array a, b;
        assert_true(ald_model_array(clean, "predictor/z", &a));
        assert_true(ald_model_array(model, "predictor/z", &b));
        assert_memory_equal(a.data, b.data, (size_t)(a.shape[0] * a.shape[1]) * sizeof(double));
        ald_model_free(model);
        ald_model_free(clean);
        model = support_fit(methods[i], "n_components=2 predictor=linear", &s.view, &real);
        assert_true(ald_model_array(model, "predictor/coefficients", &a));
        for (int64_t k = 0; k < a.shape[0] * a.shape[1]; k++)
            assert_true(isfinite(((const double *)a.data)[k]));
        ald_model_free(model);
    }
    support_sample_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_without_a_target_hold_anything),
        cmocka_unit_test(the_gradient_is_right),
        cmocka_unit_test(eta_of_0_is_sir),
        cmocka_unit_test(starts_agree_on_synthetic_data),
        cmocka_unit_test(starts_agree_on_digits),
        cmocka_unit_test(nothing_is_n_by_n),
        cmocka_unit_test(bad_input_is_told),
        cmocka_unit_test(few_labelled_rows_choose_for_themselves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
