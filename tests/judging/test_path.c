/* Penalised predictors that choose their penalty: the choice by brute force, a row of weight 2 is two rows
 * left out together, the equations of the fit, and data at the edge of having no choice. */
#include "methods/predict/affine.h"
#include "support/fitting.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { n = 24, d = 2, steps = 23, wide = 40, most = 2 * n };

typedef struct bench {
    ald_context *context;
    ald_error error;
    ald_run run;
    ald_model *model;
} bench;

static void begin(bench *b)
{
    b->context = support_context(1, NULL);
    support_run(&b->run, b->context, &b->error);
    assert_done(ald_model_new(&b->run, &b->model), b->error);
}

static void end(bench *b)
{
    ald_model_free(b->model);
    ald_run_end(&b->run, ALD_OK);
    ald_context_free(b->context);
}

typedef ald_status (*form)(ald_run *run, const ald_path *path, ald_model *model);

/* Of the rows of the data as they are. */
static ald_status fit_rows(form fit, ald_run *run, const ald_path *path, ald_model *model)
{
    const ald_predictor_data *data = path->data;
    const ald_operator rows = {.x = ald_matrix_row_major(data->z, data->n, data->r, data->r)};
    ald_path whole = *path;
    whole.rows = &rows;
    return fit(run, &whole, model);
}

static double ridge_of(const ald_model *model)
{
    return strtod(ald_model_text(model, "alidade.predictor.ridge"), NULL);
}

/* Columns that go together, a response of one of them with much noise. */
static void make(double *x, double *y)
{
    double *noise = support_normals(5, 3 * n);
    for (int i = 0; i < n; i++) {
        x[i * d] = 100.0 + noise[i];
        x[i * d + 1] = 0.01 * (noise[i] + 0.2 * noise[n + i]);
        y[i] = noise[i] + 1.5 * noise[2 * n + i];
    }
    free(noise);
}

static void standardize(const double *x, double *z)
{
    for (int j = 0; j < d; j++) {
        double mean = 0.0, square = 0.0;
        for (int i = 0; i < n; i++) mean += x[i * d + j] / n;
        for (int i = 0; i < n; i++) square += pow(x[i * d + j] - mean, 2) / n;
        for (int i = 0; i < n; i++) z[i * d + j] = (x[i * d + j] - mean) / sqrt(square);
    }
}

/* Squares missed in group g by the ridge of the others, two columns solved by hand. */
static double miss(const double *z, const double *y, int size, int g, double lambda)
{
    double m[d] = {0}, my = 0.0, a = lambda, c = lambda, b = 0.0, u = 0.0, v = 0.0, sum = 0.0;
    const double kept = n - size;
    for (int i = 0; i < n; i++) {
        if (i / size == g) continue;
        m[0] += z[i * d] / kept;
        m[1] += z[i * d + 1] / kept;
        my += y[i] / kept;
    }
    for (int i = 0; i < n; i++) {
        if (i / size == g) continue;
        const double s = z[i * d] - m[0], t = z[i * d + 1] - m[1];
        a += s * s;
        b += s * t;
        c += t * t;
        u += s * (y[i] - my);
        v += t * (y[i] - my);
    }
    const double first = (c * u - b * v) / (a * c - b * b), second = (a * v - b * u) / (a * c - b * b);
    for (int i = g * size; i < (g + 1) * size; i++)
        sum += pow(y[i] - my - first * (z[i * d] - m[0]) - second * (z[i * d + 1] - m[1]), 2);
    return sum;
}

static double largest_square(const double *z)
{
    double a = 0.0, b = 0.0;
    for (int i = 0; i < n; i++) {
        a += z[i * d] * z[i * d];
        b += z[i * d] * z[i * d + 1];
    }
    return a + fabs(b);
}

/* The rule: the first penalty within a standard error of the least. */
static double choose_by_hand(const double *x, const double *y, int size)
{
    double z[n * d], missed[steps][n], total[steps] = {0};
    const int groups = n / size;
    int best = 0;
    standardize(x, z);
    for (int k = 0; k < steps; k++) {
        for (int g = 0; g < groups; g++)
            total[k] += missed[k][g] = miss(z, y, size, g, largest_square(z) * pow(10.0, 1.0 - 0.5 * k));
        if (total[k] < total[best]) best = k;
    }
    for (int k = 0; k < steps; k++) {
        const double more = total[k] - total[best];
        double square = 0.0;
        for (int g = 0; g < groups; g++) square += pow(missed[k][g] - missed[best][g] - more / groups, 2);
        if (more <= sqrt(square * groups / (groups - 1.0)))
            return largest_square(z) * pow(10.0, 1.0 - 0.5 * k) / n;
    }
    return NAN;
}

/* Groups of 1, of fewer rows than columns and one, and of more. */
static void the_penalty_is_that_of_leaving_out(void **state)
{
    (void)state;
    static const int sizes[] = {1, 2, 8};
    double x[n * d], y[n];
    int64_t groups[n];
    make(x, y);
    for (int k = 0; k < 3; k++) {
        bench b;
        begin(&b);
        for (int i = 0; i < n; i++) groups[i] = i / sizes[k] * sizes[k];
        const ald_predictor_data data = {.n = n, .r = d, .q = 1, .z = x, .y = y, .kind = ALD_TARGET_REAL};
        const ald_path path = {.data = &data, .groups = groups};
        assert_done(fit_rows(ald_ridge_path, &b.run, &path, b.model), b.error);
        const double want = choose_by_hand(x, y, sizes[k]);
        assert_close(ridge_of(b.model), want, 1e-9 * want);
        end(&b);
    }
}

static void coefficients(form fit, const ald_path *path, double *b, double *ridge)
{
    bench t;
    begin(&t);
    assert_done(fit_rows(fit, &t.run, path, t.model), t.error);
    memcpy(b, support_reals(t.model, "predictor/coefficients", NULL),
           (size_t)(path->data->r * path->data->q) * sizeof *b);
    *ridge = ridge_of(t.model);
    end(&t);
}

/* Rows of weight 2 and the same rows twice; a row of weight 0 and none. */
static void check_weights(form fit, ald_target_kind kind, double tolerance)
{
    double x[most * d], y[most * 2], weights[n], b[2 * d], twice[2 * d], ridge, ridge_twice, response[n];
    int64_t groups[most], rows = n;
    make(x, response);
    for (int i = 0; i < n; i++) {
        weights[i] = i == 3 ? 0.0 : 1.0 + (i % 3 == 0);
        y[2 * i] = kind == ALD_TARGET_REAL ? response[i] : response[i] > 0.0;
        y[2 * i + 1] = kind == ALD_TARGET_REAL ? -response[i] : response[i] <= 0.0;
    }
    const ald_predictor_data data = {
        .n = n,
        .r = d,
        .q = 2,
        .z = x,
        .y = y,
        .weights = weights,
        .kind = kind,
    };
    coefficients(fit, &(ald_path){.data = &data}, b, &ridge);
    for (int i = 0; i < n; i++) groups[i] = i;
    for (int i = 0; i < n; i++) {
        if (i == 3 || i % 3 != 0) continue;
        memcpy(x + rows * d, x + i * d, d * sizeof *x);
        memcpy(y + rows * 2, y + i * 2, 2 * sizeof *y);
        groups[rows++] = i;
    }
    double ones[most];
    for (int i = 0; i < most; i++) ones[i] = i == 3 ? 0.0 : 1.0;
    const ald_predictor_data more = {
        .n = rows,
        .r = d,
        .q = 2,
        .z = x,
        .y = y,
        .weights = ones,
        .kind = kind,
    };
    coefficients(fit, &(ald_path){.data = &more, .groups = groups}, twice, &ridge_twice);
    assert_close(ridge, ridge_twice, 1e-9 * ridge);
    for (int i = 0; i < 2 * d; i++) assert_close(b[i], twice[i], tolerance * fabs(b[i]));
}

static void a_weight_of_two_is_two_rows_together(void **state)
{
    (void)state;
    check_weights(ald_ridge_path, ALD_TARGET_REAL, 1e-9);
    check_weights(ald_ridge_path, ALD_TARGET_CLASSES, 1e-9);
    check_weights(ald_logistic_path, ALD_TARGET_CLASSES, 1e-4); /* each stops at 1e-6 of the gradient */
    check_weights(ald_logistic_path, ALD_TARGET_LABELS, 1e-4);
}

/* The gradient is 0: Z'W(y - p) = n ridge C of the columns at deviation 1, with more columns than rows too.
 */
static void check_stationary(form fit, ald_target_kind kind, int columns, double tolerance)
{
    double *x = support_normals(9, (int64_t)n * columns);
    double y[2 * n], ridge;
    double *b = malloc((size_t)(2 * columns) * sizeof *b);
    double scores[2 * n];
    bench t;
    for (int i = 0; i < n; i++) {
        y[2 * i] = kind == ALD_TARGET_REAL ? x[i * columns] : x[i * columns] > 0.3 * x[i * columns + 1];
        y[2 * i + 1] = 1.0 - y[2 * i];
    }
    const ald_predictor_data data = {.n = n, .r = columns, .q = 2, .z = x, .y = y, .kind = kind};
    begin(&t);
    assert_done(fit_rows(fit, &t.run, &(ald_path){.data = &data}, t.model), t.error);
    assert_done(ald_predictor_of(t.model)->apply(&t.run, t.model, n, columns, 2, x, scores), t.error);
    memcpy(b, support_reals(t.model, "predictor/coefficients", NULL), (size_t)(2 * columns) * sizeof *b);
    ridge = ridge_of(t.model);
    for (int j = 0; j < columns; j++) {
        double mean = 0.0, square = 0.0, product = 0.0;
        for (int i = 0; i < n; i++) mean += x[i * columns + j] / n;
        for (int i = 0; i < n; i++) square += pow(x[i * columns + j] - mean, 2) / n;
        for (int i = 0; i < n; i++) product += (x[i * columns + j] - mean) * (y[2 * i] - scores[2 * i]);
        assert_close(product / sqrt(square), n * ridge * b[2 * j] * sqrt(square), tolerance * n);
    }
    end(&t);
    free(x);
    free(b);
}

static void fits_solve_their_equations(void **state)
{
    (void)state;
    static const int columns[] = {3, wide};
    for (int k = 0; k < 2; k++) {
        check_stationary(ald_ridge_path, ALD_TARGET_REAL, columns[k], 1e-9);
        check_stationary(ald_logistic_path, ALD_TARGET_CLASSES, columns[k], 1e-5);
        check_stationary(ald_logistic_path, ALD_TARGET_LABELS, columns[k], 1e-5);
    }
}

static void sums_that_are_there_are_used(void **state)
{
    (void)state;
    double x[n * d], y[n], scatter[d * d] = {0}, mean[d] = {0}, b[d], summed[d], ridge, ridge_summed;
    make(x, y);
    for (int i = 0; i < n * d; i++) mean[i % d] += x[i] / n;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < d * d; k++)
            scatter[k] += (x[i * d + k / d] - mean[k / d]) * (x[i * d + k % d] - mean[k % d]);
    const ald_predictor_data data = {.n = n, .r = d, .q = 1, .z = x, .y = y, .kind = ALD_TARGET_REAL};
    coefficients(ald_ridge_path, &(ald_path){.data = &data}, b, &ridge);
    coefficients(ald_ridge_path, &(ald_path){.data = &data, .scatter = scatter}, summed, &ridge_summed);
    assert_close(ridge, ridge_summed, 1e-11 * ridge);
    for (int j = 0; j < d; j++) assert_close(b[j], summed[j], 1e-11 * fabs(b[j]));
    for (int k = 0; k < d * d; k++) scatter[k] *= k % 3 ? 0.0 : 1.0; /* columns that do not go together */
    coefficients(ald_ridge_path, &(ald_path){.data = &data, .scatter = scatter}, summed, &ridge_summed);
    assert_true(fabs(summed[0] - b[0]) > 0.01 * fabs(b[0]));
}

/* One row, two equal rows, one group, constant columns, a constant response, one class: finite answers. */
static void edges_have_an_answer(void **state)
{
    (void)state;
    static const form forms[] = {ald_ridge_path, ald_logistic_path};
    static const int64_t together[] = {0, 0, 0, 0};
    static const double x[][8] = {{1, 2, 1, 2, 1, 2, 1, 2}, {1, 5, 2, 5, 3, 5, 4, 5}},
                        y[][8] = {{1, 0, 1, 0, 1, 0, 1, 0}, {1, 0, 0, 1, 1, 0, 0, 1}};
    for (int k = 0; k < 2 * 2 * 2 * 4 * 2; k++) {
        const ald_predictor_data data = {
            .n = 1 + k / 8 % 4,
            .r = 2,
            .q = 2,
            .z = x[k / 2 % 2],
            .y = y[k / 4 % 2],
            .kind = k % 2 ? ALD_TARGET_LABELS : ALD_TARGET_REAL,
        };
        double b[4], ridge;
        coefficients(forms[k % 2], &(ald_path){.data = &data, .groups = k / 32 ? together : NULL}, b, &ridge);
        for (int i = 0; i < 4; i++) assert_true(isfinite(b[i]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_penalty_is_that_of_leaving_out),
        cmocka_unit_test(a_weight_of_two_is_two_rows_together),
        cmocka_unit_test(fits_solve_their_equations),
        cmocka_unit_test(sums_that_are_there_are_used),
        cmocka_unit_test(edges_have_an_answer),
    };
    return cmocka_run_group_tests_name("path", tests, NULL, NULL);
}
