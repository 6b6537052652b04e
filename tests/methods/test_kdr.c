/* kdr and gkdr beyond the grid: the gradients of both forms of the criterion against differences, low rank
 * with all pivots against the exact form, recovery of known subspaces, threads, cancelling, wide X, and what
 * is refused. */
#include "methods/kdr/kdr_objective.h"
#include "support/fitting.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A criterion on random data: n = 40, p = 6, r = 2, a target with one column and widths of 1. */
typedef struct fixture {
    ald_context *context;
    ald_error error;
    ald_run run;
    ald_kdr_rows rows;
    ald_kdr_factor target;
    int64_t pivots[40];
    double b[12];
    ald_kdr_criterion criterion;
} fixture;

enum { n = 40, p = 6, r = 2 };

static void begin(fixture *f, int64_t l)
{
    double *y = support_normals(2, n), *b = support_normals(3, r * p);
    const ald_kdr_target target = {.n = n, .q = 1, .y = y, .width = 1.0};
    memset(f, 0, sizeof *f);
    f->context = support_context(1, NULL);
    support_run(&f->run, f->context, &f->error);
    f->rows = (ald_kdr_rows){.n = n, .d = p, .p = p, .rows = support_normals(1, n * p)};
    assert_done(ald_kdr_target_factor(&f->run, &target, 1.0, 1e-13, n, 1, &f->target), f->error);
    for (int i = 0; i < n; i++) f->pivots[i] = (7 * i) % n;
    memcpy(f->b, b, sizeof f->b);
    f->criterion = (ald_kdr_criterion){
        .rows = &f->rows,
        .r = r,
        .penalty = n * 1e-2,
        .width = 1.0,
        .target = &f->target,
        .pivots = f->pivots,
        .l = l,
    };
    free(y);
    free(b);
}

static void end(fixture *f)
{
    free(f->rows.rows);
    ald_run_end(&f->run, ALD_OK);
    ald_context_free(f->context);
}

static double value_at(fixture *f, const ald_kdr_form *form, ald_kdr_work *work)
{
    double value;
    assert_done(form->value(&f->run, &f->criterion, f->b, work, &value), f->error);
    return value;
}

/* Central differences with h = 1e-4 are good to about h^2. */
static void check_gradient(const ald_kdr_form *form, int64_t l)
{
    fixture f;
    ald_kdr_work work;
    double gradient[r * p], h = 1e-4;
    begin(&f, l);
    assert_done(form->prepare(&f.run, &f.criterion, &work), f.error);
    value_at(&f, form, &work);
    assert_done(form->gradient(&f.run, &f.criterion, &work, gradient), f.error);
    for (int k = 0; k < r * p; k++) {
        const double at = f.b[k];
        f.b[k] = at + h;
        const double above = value_at(&f, form, &work);
        f.b[k] = at - h;
        const double below = value_at(&f, form, &work);
        f.b[k] = at;
        assert_close(gradient[k], (above - below) / (2.0 * h), 1e-6 * support_norm(r * p, gradient));
    }
    end(&f);
}

static void gradients_agree_with_differences(void **state)
{
    (void)state;
    check_gradient(&ald_kdr_exact, 0);
    check_gradient(&ald_kdr_low_rank, 7);
    check_gradient(&ald_kdr_low_rank, 25);
}

/* With every row a pivot nothing is left out: the low-rank form is the exact one. Its delta of 1e-10 is felt
 * as delta / lambda_min(K) in K, some 1e-6 of f here. */
static void all_pivots_are_exact(void **state)
{
    (void)state;
    fixture f;
    ald_kdr_work one, two;
    double g1[r * p], g2[r * p];
    begin(&f, n);
    assert_done(ald_kdr_exact.prepare(&f.run, &f.criterion, &one), f.error);
    assert_done(ald_kdr_low_rank.prepare(&f.run, &f.criterion, &two), f.error);
    const double exact = value_at(&f, &ald_kdr_exact, &one), low = value_at(&f, &ald_kdr_low_rank, &two);
    assert_close(low, exact, 1e-7 * exact);
    assert_done(ald_kdr_exact.gradient(&f.run, &f.criterion, &one, g1), f.error);
    assert_done(ald_kdr_low_rank.gradient(&f.run, &f.criterion, &two, g2), f.error);
    assert_below(support_largest_difference(r * p, g1, g2), 1e-6 * support_norm(r * p, g1));
    end(&f);
}

/* A wide kernel is of low rank to rounding, and f and its gradient by the factor are those of the whole; a
 * narrow one is found not to be. */
static void factor_of_a_wide_kernel_is_exact(void **state)
{
    (void)state;
    fixture f;
    ald_kdr_work work;
    double whole_gradient[p], gradient[p];
    int whole = 0;
    begin(&f, 0);
    f.criterion.r = 1;
    f.criterion.width = 15.0;
    assert_done(ald_kdr_exact.prepare(&f.run, &f.criterion, &work), f.error);
    const double wanted = value_at(&f, &ald_kdr_exact, &work);
    assert_done(ald_kdr_exact.gradient(&f.run, &f.criterion, &work, whole_gradient), f.error);
    f.criterion.whole = &whole;
    assert_close(value_at(&f, &ald_kdr_exact, &work), wanted, 1e-11 * wanted);
    assert_true(work.l > 0 && work.l <= n / 3 && !whole);
    assert_done(ald_kdr_exact.gradient(&f.run, &f.criterion, &work, gradient), f.error);
    assert_below(support_largest_difference(p, gradient, whole_gradient),
                 1e-8 * support_norm(p, whole_gradient));
    f.criterion.width = 1.0;
    value_at(&f, &ald_kdr_exact, &work);
    assert_true(work.l == 0 && whole);
    end(&f);
}

/* A constant z knows nothing of the target: Kz^c = 0 and f = Tr[Ky^c] / (n eps), which any other z is below.
 */
static void constant_projection_is_the_worst(void **state)
{
    (void)state;
    fixture f;
    ald_kdr_work work;
    double trace = 0.0;
    begin(&f, 0);
    for (int64_t i = 0; i < n * f.target.m; i++) trace += f.target.f[i] * f.target.f[i];
    assert_done(ald_kdr_exact.prepare(&f.run, &f.criterion, &work), f.error);
    const double some = value_at(&f, &ald_kdr_exact, &work);
    memset(f.b, 0, sizeof f.b);
    const double worst = value_at(&f, &ald_kdr_exact, &work);
    assert_close(worst, trace / f.criterion.penalty, 1e-12 * worst);
    assert_true(some < worst);
    end(&f);
}

/* Largest angle in degrees between the rows of the model's components and the truth (dims x d), raw
 * coordinates. */
static double degrees(const ald_model *model, int dims, const double *truth)
{
    const double sine =
        support_sine(dims, ald_model_feature_count(model), support_reals(model, "components", NULL), truth);
    return asin(fmin(sine, 1.0)) * 180.0 / acos(-1.0);
}

static void fill_truth(const char *set, int64_t d, double *truth)
{
    memset(truth, 0, (size_t)(2 * d) * sizeof *truth);
    if (strcmp(set, "plane") == 0) truth[0] = 2.0, truth[1] = 3.0;
    if (strcmp(set, "curve") == 0) truth[2] = 1.0;
    if (strcmp(set, "parity") == 0 || strcmp(set, "taichi") == 0) truth[0] = truth[d + 1] = 1.0;
}

typedef struct recovery {
    const char *set, *method, *more;
    int rows, dims, draws;
    double mean, each; /* degrees at the most */
} recovery;

static void check_recovery(ald_context *context, const recovery *c)
{
    double sum = 0.0, largest = 0.0, truth[40];
    char text[128];
    ald_error error;
    snprintf(text, sizeof text, "n_components=%d %s", c->dims, c->more);
    ald_settings *settings = support_settings(context, c->method, text);
    for (int draw = 0; draw < c->draws; draw++) {
        const ald_generate_options options = {
            .size = sizeof options,
            .n = c->rows,
            .seed = (uint64_t)draw + 1,
        };
        ald_dataset *data;
        ald_model *model;
        assert_done(ald_generate_dataset(context, c->set, &options, &data, &error), error);
        assert_done(ald_fit(context, settings, ald_dataset_x(data), ald_dataset_target(data), &model, &error),
                    error);
        fill_truth(c->set, ald_model_feature_count(model), truth);
        const double angle = degrees(model, c->dims, truth);
        sum += angle / c->draws;
        largest = fmax(largest, angle);
        ald_model_free(model);
        ald_dataset_free(data);
    }
    print_message("%s %s, %s, %d rows: %.2f degrees, at most %.2f\n", c->method, c->more, c->set, c->rows,
                  sum, largest);
    assert_below(sum, c->mean);
    assert_below(largest, c->each);
    ald_settings_free(settings);
}

static void known_subspaces_are_found(void **state)
{
    if (support_stride() > 1) skip(); /* much computing, which the plain build has done */
    (void)state;
    const recovery cases[] = {
        {"plane", "kdr", "", 200, 1, 3, 4, 6},
        {"curve", "kdr", "", 200, 1, 3, 1, 2},
        {"parity", "kdr", "", 200, 2, 4, 5, 10},
        {"plane", "kdr", "rank=100", 200, 1, 5, 4, 6},
        {"curve", "kdr", "rank=100", 200, 1, 5, 1, 2},
        {"parity", "kdr", "rank=100", 200, 2, 5, 5, 10},
        {"taichi", "kdr", "rank=80", 1000, 2, 2, 4, 6},
        {"plane", "gkdr", "", 400, 1, 10, 4, 6},
        {"curve", "gkdr", "", 400, 1, 10, 1, 2},
        {"parity", "gkdr", "", 400, 2, 10, 8, 15},
        {"parity", "gkdr", "rank=80", 1000, 2, 5, 6, 12},
        {"taichi", "gkdr", "", 1000, 2, 3, 8, 12},
    };
    ald_context *context = support_context(2, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check_recovery(context, cases + i);
    ald_context_free(context);
}

/* With the same starts, a factor that leaves 0.001 eps of the traces out leads to the same directions. */
static void low_rank_leads_to_the_same_place(void **state)
{
    (void)state;
    const ald_generate_options options = {.size = sizeof options, .n = 200, .seed = 6};
    ald_context *context = support_context(1, NULL);
    ald_dataset *data;
    ald_error error;
    assert_done(ald_generate_dataset(context, "parity", &options, &data, &error), error);
    ald_model *exact = support_fit("kdr", "", ald_dataset_x(data), ald_dataset_target(data)),
              *low = support_fit("kdr", "rank=100", ald_dataset_x(data), ald_dataset_target(data));
    assert_below(degrees(exact, 2, support_reals(low, "components", NULL)), 0.5);
    assert_string_equal(ald_model_text(low, "alidade.resolved.solver"), "low-rank");
    ald_model_free(exact);
    ald_model_free(low);
    ald_dataset_free(data);
    ald_context_free(context);
}

/* Starts are shared out among threads; what each does is the same, so the bytes are. */
static void threads_do_not_matter(void **state)
{
    (void)state;
    support_sample s = support_sample_make(90, 7, 5);
    const ald_target y = support_sample_target(&s, ALD_TARGET_REAL);
    static const char *const sets[] = {"n_starts=5 n_stages=8", "n_starts=5 n_stages=8 rank=30"};
    for (int k = 0; k < 2; k++) {
        ald_model *models[3];
        for (int threads = 1; threads <= 3; threads++) {
            ald_context *context = support_context(threads, NULL);
            ald_settings *settings = support_settings(context, "kdr", sets[k]);
            ald_error error;
            assert_done(ald_fit(context, settings, &s.view, &y, models + threads - 1, &error), error);
            ald_settings_free(settings);
            ald_context_free(context);
        }
        for (int other = 1; other < 3; other++) support_assert_same_model(models[0], models[other], 0.0);
        for (int i = 0; i < 3; i++) ald_model_free(models[i]);
    }
    support_sample_free(&s);
}

/* The best of the starts is the one with the lowest criterion, and more starts never do worse. */
static void lowest_start_wins(void **state)
{
    (void)state;
    support_sample s = support_sample_make(60, 6, 8);
    const ald_target y = support_sample_target(&s, ALD_TARGET_CLASSES);
    ald_model *few = support_fit("kdr", "n_starts=2", &s.view, &y),
              *many = support_fit("kdr", "n_starts=7", &s.view, &y);
    const double *a = support_reals(few, "objectives", NULL), *b = support_reals(many, "objectives", NULL);
    double lowest = b[0];
    for (int k = 0; k < 2; k++) assert_true(a[k] == b[k]);
    for (int k = 0; k < 7; k++) lowest = fmin(lowest, b[k]);
    assert_close(strtod(ald_model_text(many, "alidade.resolved.objective"), NULL), lowest, 1e-12 * lowest);
    ald_model_free(few);
    ald_model_free(many);
    support_sample_free(&s);
}

typedef struct patience {
    int calls, most;
    double last;
} patience;

static int count_calls(void *user, const char *stage, double done)
{
    patience *left = user;
    if (strcmp(stage, "reducing the dependence") != 0) return 0;
    assert_true(done >= left->last && done <= 1.0);
    left->last = done;
    return ++left->calls > left->most;
}

static void work_can_be_cancelled(void **state)
{
    (void)state;
    support_sample s = support_sample_make(60, 6, 8);
    const ald_target y = support_sample_target(&s, ALD_TARGET_REAL);
    for (int threads = 1; threads <= 2; threads++) {
        patience left = {.most = 100};
        const ald_options options = {
            .size = sizeof options,
            .threads = threads,
            .progress = count_calls,
            .progress_user = &left,
        };
        ald_context *context;
        ald_model *model;
        ald_error error;
        assert_done(ald_context_new(&options, &context, &error), error);
        ald_settings *settings = support_settings(context, "kdr", "");
        assert_int_equal(ald_fit(context, settings, &s.view, &y, &model, &error), ALD_ERROR_CANCELLED);
        assert_null(model);
        assert_string_equal(error.message, "cancelled while reducing the dependence");
        assert_int_equal(left.calls, 101);
        ald_settings_free(settings);
        ald_context_free(context);
    }
    support_sample_free(&s);
}

/* More columns than rows: directions lie in the span of the rows, B'B = I, and columns that do not vary have
 * no part in them. */
static void wide_x_has_directions_in_its_span(void **state)
{
    (void)state;
    enum { rows = 30, d = 70, dims = 3 };
    static const char *const methods[] = {"kdr", "gkdr"};
    support_sample s = support_sample_make(rows, d, 11);
    const ald_target y = support_sample_target(&s, ALD_TARGET_REAL);
    for (int i = 0; i < rows; i++) s.x[i * d + 9] = 0.1;
    for (int k = 0; k < 2; k++) {
        ald_model *model = support_fit(methods[k], "n_components=3", &s.view, &y);
        const double *w = support_reals(model, "components", NULL),
                     *scale = support_reals(model, "column_scale", NULL);
        double b[dims * d], gram[dims * dims];
        for (int i = 0; i < dims * d; i++) b[i] = w[i] * scale[i % d];
        support_multiply(0, 1, dims, dims, d, b, b, gram);
        for (int i = 0; i < dims * dims; i++) assert_close(gram[i], i / dims == i % dims, 1e-12);
        for (int i = 0; i < dims; i++) assert_close(w[i * d + 9], 0.0, 1e-12);
        assert_string_equal(ald_model_text(model, "alidade.resolved.data_rank"), "29");
        ald_model_free(model);
        support_refused(methods[k], "n_components=30", &s.view, &y,
                        "has 29 components here (the rank of the data)");
    }
    support_sample_free(&s);
}

/* Standardised or not: the same as with scale=standard, whose model carries the scale itself; and units of a
 * column make no difference. */
static void units_of_columns_do_not_matter(void **state)
{
    (void)state;
    enum { d = 6 };
    static const char *const methods[] = {"kdr", "gkdr"};
    support_sample s = support_sample_make(50, d, 12);
    const ald_target y = support_sample_target(&s, ALD_TARGET_REAL);
    for (int k = 0; k < 2; k++) {
        ald_model *plain = support_fit(methods[k], "", &s.view, &y),
                  *scaled = support_fit(methods[k], "scale=standard", &s.view, &y);
        const double *a = support_reals(plain, "components", NULL),
                     *b = support_reals(scaled, "components", NULL),
                     *by = support_reals(scaled, "scale", NULL);
        ald_context *context = support_context(1, NULL);
        double z[2][100];
        ald_error error;
        assert_done(ald_transform(context, plain, &s.view, z[0], &error), error);
        assert_done(ald_transform(context, scaled, &s.view, z[1], &error), error);
        ald_context_free(context);
        /* Signs are fixed in the units of the model: compare up to them. */
        for (int c = 0; c < 2; c++) {
            const double sign = z[0][c] * z[1][c] > 0.0 ? 1.0 : -1.0;
            for (int i = 0; i < 50; i++) assert_close(z[0][2 * i + c], sign * z[1][2 * i + c], 1e-9);
            for (int j = 0; j < d; j++) assert_close(a[c * d + j] * by[j], sign * b[c * d + j], 1e-9);
        }
        ald_model_free(plain);
        ald_model_free(scaled);
    }
    support_sample_free(&s);
}

static void bad_input_is_refused(void **state)
{
    (void)state;
    enum { rows = 5001 };
    double *x = support_normals(20, rows * 2);
    const ald_matrix many = ald_matrix_row_major(x, rows, 2, 2), few = ald_matrix_row_major(x, 30, 2, 2);
    const ald_target y = ald_target_real(ald_matrix_row_major(x, rows, 1, 2)),
                     some = ald_target_real(ald_matrix_row_major(x, 30, 1, 2));
    support_refused("kdr", "n_components=1 rank=0", &many, &y, "Set `rank=100`");
    support_refused("kdr", "n_components=0", &few, &some, "no rule for the number");
    support_refused("gkdr", "n_components=3", &few, &some, "has 2 components");
    free(x);
}

/* A rank that leaves much out is said. */
static void short_ranks_are_told(void **state)
{
    (void)state;
    static const char *const cases[][2] = {{"kdr", "rank=3 n_starts=1 n_stages=2"}, {"gkdr", "rank=3"}};
    support_sample s = support_sample_make(80, 10, 13);
    const ald_target y = support_sample_target(&s, ALD_TARGET_REAL);
    ald_context *context = support_context(1, NULL);
    for (int k = 0; k < 2; k++) {
        ald_settings *settings = support_settings(context, cases[k][0], cases[k][1]);
        ald_model *model;
        ald_error error;
        assert_int_equal(ald_fit(context, settings, &s.view, &y, &model, &error), ALD_RANK_REDUCED);
        assert_non_null(strstr(error.message, "raise `rank`"));
        ald_model_free(model);
        ald_settings_free(settings);
    }
    ald_context_free(context);
    support_sample_free(&s);
}

/* Above 1000 rows, unless `rank` says otherwise; few stages and starts, as only the form is looked at. */
static void many_rows_take_the_low_rank_form(void **state)
{
    if (support_stride() > 1) skip(); /* much computing, which the plain build has done */
    (void)state;
    static const struct {
        int64_t n;
        const char *set, *solver;
    } cases[] = {
        {1000, "n_starts=1 n_stages=1", "exact"},
        {1001, "n_starts=1 n_stages=1", "low-rank"},
        {1001, "n_starts=1 n_stages=1 rank=0", "exact"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        support_sample s = support_sample_make(cases[k].n, 4, 8);
        const ald_target y = support_sample_target(&s, ALD_TARGET_CLASSES);
        ald_model *model = support_fit("kdr", cases[k].set, &s.view, &y);
        assert_string_equal(ald_model_text(model, "alidade.resolved.solver"), cases[k].solver);
        ald_model_free(model);
        support_sample_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradients_agree_with_differences),
        cmocka_unit_test(all_pivots_are_exact),
        cmocka_unit_test(factor_of_a_wide_kernel_is_exact),
        cmocka_unit_test(constant_projection_is_the_worst),
        cmocka_unit_test(known_subspaces_are_found),
        cmocka_unit_test(low_rank_leads_to_the_same_place),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(lowest_start_wins),
        cmocka_unit_test(work_can_be_cancelled),
        cmocka_unit_test(wide_x_has_directions_in_its_span),
        cmocka_unit_test(units_of_columns_do_not_matter),
        cmocka_unit_test(bad_input_is_refused),
        cmocka_unit_test(short_ranks_are_told),
        cmocka_unit_test(many_rows_take_the_low_rank_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
