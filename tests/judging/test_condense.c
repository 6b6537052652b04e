/* Predictors from few rows that say the same as many: coefficients against normal equations in long double,
 * known answers where columns nearly depend on each other, classes against the rows themselves, and the same
 * bytes with every number of threads. */
#include "methods/predict/predictor.h"
#include "support/fitting.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { n = 6000, r = 4, q = 3, columns = 1 + r };

typedef struct sample {
    double *z, *y;
    double w[n];
    int32_t codes[n];
    uint8_t labelled[n];
} sample;

/* Means far from 0, columns of different size; every seventh row has no target, where nonsense stands. */
static sample *make(void)
{
    sample *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->z = support_normals(11, n * r);
    s->y = support_normals(12, n * q);
    for (int i = 0; i < n; i++) {
        s->codes[i] = (i / 5) % q;
        s->w[i] = i % 11 == 0 ? 0.0 : 0.5 + i % 4;
        s->labelled[i] = i % 7 != 0;
        s->z[i * r + 1] = 1000.0 * s->z[i * r + 1] + 20000.0;
        s->z[i * r + 2] += 0.5 * s->z[i * r] + s->codes[i];
        for (int j = 0; j < q; j++) s->y[i * q + j] += (j + 1) * s->z[i * r] + 30.0;
        for (int j = 0; j < q && !s->labelled[i]; j++) s->y[i * q + j] = NAN;
        if (!s->labelled[i]) s->codes[i] = -5;
    }
    return s;
}

static void discard(sample *s)
{
    free(s->z);
    free(s->y);
    free(s);
}

/* The predictor of that name from condensed rows: coefficients (r x q) and intercepts. */
static void learn(const sample *s, const char *name, const ald_target *y, int weighted, int threads,
                  double *found)
{
    const ald_predictor_options options = {name, 1, 0.0};
    const ald_rows_to_learn rows = {n, r, s->z, y, weighted ? s->w : NULL};
    ald_context *context = support_context(threads, NULL);
    ald_predictor_data data;
    ald_error error;
    ald_model *model;
    ald_run run;
    int done;
    support_run(&run, context, &error);
    assert_done(ald_model_new(&run, &model), error);
    assert_done(ald_condense(&run, ald_predictor_find(name)->moments, &rows, &data, &done), error);
    assert_true(done && data.n <= r + q);
    assert_done(ald_predictor_fit(&run, &options, &data, model), error);
    memcpy(found, support_reals(model, "predictor/coefficients", NULL), r * q * sizeof *found);
    memcpy(found + r * q, support_reals(model, "predictor/intercept", NULL), q * sizeof *found);
    ald_model_free(model);
    assert_done(ald_run_end(&run, ALD_OK), error);
    ald_context_free(context);
}

static int counts(const sample *s, int i)
{
    return s->labelled[i] && s->w[i] > 0.0;
}

static double number_of(const sample *s, const ald_target *y, int i, int j)
{
    return y->kind == ALD_TARGET_CLASSES ? (double)(s->codes[i] == j) : s->y[i * q + j];
}

/* Elimination with the largest pivots on [1 Z]'W[1 Z] b = [1 Z]'W y, columns at unit length. */
static void solve(const sample *s, const ald_target *y, int j, int weighted, long double *b)
{
    long double a[columns][columns + 1] = {{0}}, size[columns];
    for (int i = 0; i < n; i++) {
        if (weighted ? !counts(s, i) : !s->labelled[i]) continue;
        long double row[columns + 1] = {1};
        for (int k = 0; k < r; k++) row[1 + k] = s->z[i * r + k] - (k == 1 ? 20000.0L : 0.0L);
        row[columns] = number_of(s, y, i, j);
        for (int k = 0; k < columns; k++)
            for (int l = 0; l <= columns; l++) a[k][l] += (weighted ? s->w[i] : 1.0L) * row[k] * row[l];
    }
    for (int k = 0; k < columns; k++) size[k] = sqrtl(a[k][k]);
    for (int k = 0; k < columns; k++)
        for (int l = 0; l <= columns; l++) a[k][l] /= size[k] * (l < columns ? size[l] : 1.0L);
    for (int k = 0; k < columns; k++)
        for (int m = 0; m < columns; m++) {
            if (m == k) continue;
            const long double factor = a[m][k] / a[k][k];
            for (int l = k; l <= columns; l++) a[m][l] -= factor * a[k][l];
        }
    for (int k = 0; k < columns; k++) b[k] = a[k][columns] / a[k][k] / size[k];
    b[0] -= 20000.0L * b[2];
}

static ald_target target_of(const sample *s, ald_target_kind kind)
{
    ald_target y = kind == ALD_TARGET_CLASSES ? ald_target_classes(s->codes, n, q)
                                              : ald_target_real(ald_matrix_row_major(s->y, n, q, q));
    y.labelled = s->labelled;
    return y;
}

static void coefficients_solve_the_normal_equations(void **state)
{
    (void)state;
    sample *s = make();
    for (int by_class = 0; by_class < 2; by_class++)
        for (int weighted = 0; weighted < 2; weighted++) {
            const ald_target y = target_of(s, by_class ? ALD_TARGET_CLASSES : ALD_TARGET_REAL);
            double found[(r + 1) * q];
            learn(s, "linear", &y, weighted, 1, found);
            for (int j = 0; j < q; j++) {
                long double b[columns];
                solve(s, &y, j, weighted, b);
                for (int k = 0; k < r; k++)
                    assert_close(found[k * q + j], (double)b[1 + k], 1e-12 * (k == 1 ? 1e-3 : 1.0));
                assert_close(found[r * q + j], (double)b[0], 1e-10);
            }
        }
    discard(s);
}

/* Columns 0 and 3 differ by `gap` of their size: Z'Z at a unit diagonal has a pivot of about gap^2. y is a
 * known function of z, which the coefficients are to the condition number, 1 / gap, and not its square. The
 * first rows lie far from the others, so that the guess of the means is a bad one. */
static double error_of_known(double gap, double far)
{
    static const double known[r] = {2.0, -1.0, 0.5, 3.0};
    sample *s = make();
    ald_target y = target_of(s, ALD_TARGET_REAL);
    double found[(r + 1) * q], largest = 0.0;
    for (int i = 0; i < n; i++) {
        double *z = s->z + i * r;
        if (i < 300)
            for (int k = 0; k < r; k++) z[k] += far;
        z[1] = (z[1] - 20000.0) / 1000.0;
        z[3] = z[0] + gap * z[3];
        for (int j = 0; j < q && s->labelled[i]; j++) {
            s->y[i * q + j] = 5.0;
            for (int k = 0; k < r; k++) s->y[i * q + j] += (j + 1) * known[k] * z[k];
        }
    }
    learn(s, "linear", &y, 1, 1, found);
    for (int k = 0; k < r; k++)
        for (int j = 0; j < q; j++) largest = fmax(largest, fabs(found[k * q + j] - (j + 1) * known[k]));
    discard(s);
    return largest;
}

static void digits_are_lost_to_the_condition_number_only(void **state)
{
    (void)state;
    assert_true(error_of_known(1.0, 0.0) < 1e-12);
    assert_true(error_of_known(0.05, 0.0) < 1e-11); /* above the bound of pivots, 1e-3 */
    assert_true(error_of_known(0.02, 0.0) < 1e-11); /* below it */
    assert_true(error_of_known(1e-6, 0.0) < 1e-8);
    assert_true(error_of_known(1e-6, 1e4) < 1e-4); /* the values themselves have lost four digits */
    assert_true(error_of_known(1.0, 1e7) < 1e-7);
}

/* Classes that are points in one direction and overlap in others. */
static void groups_are_the_rows(void **state)
{
    (void)state;
    sample *s = make();
    const ald_predictor_options options = {"gaussian", 1, 0.0};
    for (int weighted = 0; weighted < 2; weighted++) {
        const ald_target y = target_of(s, ALD_TARGET_CLASSES);
        double found[(r + 1) * q];
        double *z = calloc(n * r, sizeof *z), *dummies = calloc(n * q, sizeof *dummies),
               *w = calloc(n, sizeof *w);
        ald_context *context = support_context(1, NULL);
        ald_error error;
        ald_model *model;
        ald_run run;
        assert_true(z && dummies && w);
        int64_t kept = 0;
        for (int i = 0; i < n; i++) {
            if (!s->labelled[i]) continue;
            memcpy(z + kept * r, s->z + i * r, r * sizeof *z);
            dummies[kept * q + s->codes[i]] = 1.0;
            w[kept++] = weighted ? s->w[i] : 1.0;
        }
        const ald_predictor_data data = {kept, r, q, z, dummies, w, .kind = ALD_TARGET_CLASSES};
        learn(s, "gaussian", &y, weighted, 1, found);
        support_run(&run, context, &error);
        assert_done(ald_model_new(&run, &model), error);
        assert_done(ald_predictor_fit(&run, &options, &data, model), error);
        const double *b = support_reals(model, "predictor/coefficients", NULL),
                     *b0 = support_reals(model, "predictor/intercept", NULL);
        for (int i = 0; i < r * q; i++) assert_close(found[i], b[i], 1e-11 * (1.0 + fabs(b[i])));
        for (int j = 0; j < q; j++) assert_close(found[r * q + j], b0[j], 1e-11 * (1.0 + fabs(b0[j])));
        ald_model_free(model);
        assert_done(ald_run_end(&run, ALD_OK), error);
        ald_context_free(context);
        free(z);
        free(dummies);
        free(w);
    }
    discard(s);
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    static const char *const names[] = {"linear", "one-vs-rest", "gaussian"};
    sample *s = make();
    const ald_target y = target_of(s, ALD_TARGET_CLASSES);
    for (int k = 0; k < 3; k++) {
        double one[(r + 1) * q], many[(r + 1) * q];
        learn(s, names[k], &y, 1, 1, one);
        for (int threads = 2; threads < 9; threads += 3) {
            learn(s, names[k], &y, 1, threads, many);
            assert_memory_equal(one, many, sizeof one);
        }
    }
    discard(s);
}

/* A few rows are taken as they are, and so are rows none of which has a target. */
static void few_rows_stay(void **state)
{
    (void)state;
    sample *s = make();
    ald_context *context = support_context(1, NULL);
    ald_target y = target_of(s, ALD_TARGET_REAL);
    ald_predictor_data data;
    ald_error error;
    ald_run run;
    int done = 1;
    support_run(&run, context, &error);
    ald_rows_to_learn rows = {2 * (r + q), r, s->z, &y, NULL};
    y.rows = rows.n;
    y.values.rows = rows.n;
    assert_done(ald_condense(&run, ALD_MOMENTS_CENTRED, &rows, &data, &done), error);
    assert_false(done);
    y = target_of(s, ALD_TARGET_REAL);
    memset(s->labelled, 0, sizeof s->labelled);
    rows.n = n;
    assert_done(ald_condense(&run, ALD_MOMENTS_CENTRED, &rows, &data, &done), error);
    assert_false(done);
    assert_done(ald_run_end(&run, ALD_OK), error);
    ald_context_free(context);
    discard(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coefficients_solve_the_normal_equations),
        cmocka_unit_test(digits_are_lost_to_the_condition_number_only),
        cmocka_unit_test(groups_are_the_rows),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(few_rows_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
