/* Supervised PCA and its neighbours: the identities between them, answers worked by hand, what they refuse,
 * and no memory. */
#include "support/fitting.h"
#include "support/storages.h"

#include <stdio.h>
#include <stdlib.h>

static const ald_target_kind kinds[] = {ALD_TARGET_CLASSES, ALD_TARGET_REAL, ALD_TARGET_LABELS};

static void identity_is_pca(void **state)
{
    (void)state;
    static const char *const solvers[] = {"auto", "direct", "dual", "lanczos"};
    for (int wide = 0; wide < 2; wide++) {
        support_sample s = support_sample_make(wide ? 30 : 90, 40, 11);
        for (int i = 0; i < 4; i++) {
            char set[128];
            snprintf(set, sizeof set, "n_components=3 scale=standard solver=%s", solvers[i]);
            const ald_target y = support_sample_target(&s, kinds[i % 3]);
            ald_model *pca = support_fit("pca", set, &s.view, &y);
            snprintf(set, sizeof set, "n_components=3 scale=standard solver=%s response_kernel=identity",
                     solvers[i]);
            ald_model *spca = support_fit("spca", set, &s.view, &y);
            support_assert_same_model(pca, spca, 0.0);
            ald_model_free(pca);
            ald_model_free(spca);
        }
        support_sample_free(&s);
    }
}

static void linear_is_plssb(void **state)
{
    (void)state;
    support_sample s = support_sample_make(50, 70, 12);
    for (int k = 0; k < 3; k++) {
        const ald_target y = support_sample_target(&s, kinds[k]);
        ald_model *plssb = support_fit("plssb", "n_components=2", &s.view, &y);
        ald_model *spca = support_fit("spca", "n_components=2 response_kernel=linear", &s.view, &y);
        support_assert_same_model(plssb, spca, 1e-12);
        ald_model_free(plssb);
        ald_model_free(spca);
    }
    support_sample_free(&s);
}

/* A wide rbf is linear to first order: exp(-|a - b|^2 / 2 s^2) = const + a'b / s^2 + ... after centring. */
static void wide_rbf_is_linear(void **state)
{
    (void)state;
    support_sample s = support_sample_make(60, 20, 13);
    const ald_target y = support_sample_target(&s, ALD_TARGET_REAL);
    ald_model *linear = support_fit("spca", "n_components=2 response_kernel=linear", &s.view, &y);
    ald_model *rbf =
        support_fit("spca", "n_components=2 response_kernel=rbf response_width=3000", &s.view, &y);
    const double *a = support_reals(linear, "eigenvalues", NULL),
                 *b = support_reals(rbf, "eigenvalues", NULL);
    assert_below(support_sine(2, 20, support_reals(linear, "components", NULL),
                              support_reals(rbf, "components", NULL)),
                 1e-4);
    assert_close(b[0] * 3000.0 * 3000.0, a[0], 1e-4 * a[0]);
    ald_model_free(linear);
    ald_model_free(rbf);
    support_sample_free(&s);
}

static void all_solvers_agree(void **state)
{
    (void)state;
    static const char *const kernels[] = {"delta+identity", "rbf", "linear"};
    for (int wide = 0; wide < 2; wide++) {
        support_sample s = support_sample_make(wide ? 60 : 300, wide ? 500 : 80, 14);
        for (int k = 0; k < 3; k++) {
            const ald_target y = support_sample_target(&s, kinds[k]);
            char set[160];
            snprintf(set, sizeof set, "n_components=3 solver=direct response_kernel=%s", kernels[k]);
            ald_model *direct = support_fit("spca", set, &s.view, &y);
            assert_string_equal(ald_model_text(direct, "alidade.resolved.response_kernel"), kernels[k]);
            for (int which = 0; which < support_storage_count; which++) {
                support_matrix m = support_storage(which, s.x, s.n, s.d);
                snprintf(set, sizeof set, "n_components=3 tol=1e-12 response_kernel=auto solver=%s",
                         which % 2 ? "dual" : "lanczos");
                ald_model *other = support_fit("spca", set, &m.view, &y);
                support_assert_same_model(direct, other, 1e-7);
                ald_model_free(other);
                support_storage_free(&m);
            }
            ald_model_free(direct);
        }
        support_sample_free(&s);
    }
}

/* auto: the smaller square, and neither where few directions of a large square matrix are wanted. */
static void auto_takes_the_cheapest(void **state)
{
    (void)state;
    static const struct {
        int64_t n, d;
        const char *method, *solver;
    } cases[] = {
        {300, 10, "spca", "direct"}, {30, 200, "spca", "dual"},      {1500, 1500, "spca", "lanczos"},
        {300, 10, "pca", "direct"},  {1500, 1500, "pca", "lanczos"}, {600, 600, "plssb", "dual"},
        {30, 200, "plssb", "dual"},  {30, 200, "pca", "dual"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        support_sample s = support_sample_make(cases[i].n, cases[i].d, 26);
        const ald_target y = support_sample_target(&s, ALD_TARGET_CLASSES);
        ald_model *model = support_fit(cases[i].method, "n_components=1", &s.view, &y);
        assert_string_equal(ald_model_text(model, "alidade.resolved.solver"), cases[i].solver);
        assert_non_null(ald_model_text(model, "alidade.resolved.solver_reason"));
        ald_model_free(model);
        support_sample_free(&s);
    }
}

/* Class means at (1, 0) and (-1, 0), rows at height 1 and -1: Z'delta Z = diag(8, 0), Z'Z = diag(4, 4). */
static void delta_by_hand(void **state)
{
    (void)state;
    const double x[] = {11, 6, 11, 4, 9, 6, 9, 4};
    const int32_t classes[] = {0, 0, 1, 1};
    const ald_matrix view = ald_matrix_row_major(x, 4, 2, 2);
    const ald_target y = ald_target_classes(classes, 4, 2);
    ald_model *delta = support_fit("spca", "n_components=1 response_kernel=delta", &view, &y);
    ald_model *both = support_fit("spca", "n_components=2", &view, &y);
    assert_close(support_reals(delta, "eigenvalues", NULL)[0], 8.0, 1e-12);
    assert_close(support_reals(delta, "components", NULL)[0], 1.0, 1e-12);
    assert_close(support_reals(both, "eigenvalues", NULL)[0], 12.0, 1e-12);
    assert_close(support_reals(both, "eigenvalues", NULL)[1], 4.0, 1e-12);
    assert_close(support_reals(both, "components", NULL)[0], 1.0, 1e-12);
    assert_close(support_reals(both, "components", NULL)[3], 1.0, 1e-12);
    assert_string_equal(ald_model_text(both, "alidade.resolved.response_kernel"), "delta+identity");
    support_refused("spca", "n_components=2 response_kernel=delta", &view, &y, "spca has 1 component here");
    support_refused("plssb", "n_components=2", &view, &y, "plssb has 1 component here");
    ald_model_free(delta);
    ald_model_free(both);
    const int32_t crossed[] = {0, 1, 1, 0};
    const ald_target xor = ald_target_classes(crossed, 4, 2);
    support_refused("plssb", "n_components=1", &view, &xor, "no column of X varies together with the target");
    support_refused("spca", "n_components=1 response_kernel=delta", &view, &xor,
                    "no column of X varies together");
}

static void plssb_knows_its_rank(void **state)
{
    (void)state;
    support_sample s = support_sample_make(40, 9, 15);
    int64_t r;
    for (int i = 0; i < 40; i++)
        s.responses[i * 3 + 2] = 7.0 - s.responses[i * 3] + 2.0 * s.responses[i * 3 + 1];
    const ald_target y = support_sample_target(&s, ALD_TARGET_REAL),
                     classes = support_sample_target(&s, ALD_TARGET_CLASSES);
    ald_model *all = support_fit("plssb", "n_components=0", &s.view, &y);
    support_reals(all, "components", &r);
    assert_int_equal(r, 2);
    ald_model_free(all);
    support_refused("plssb", "n_components=3", &s.view, &y, "plssb has 2 components here");
    support_refused("plssb", "n_components=9", &s.view, &classes, "plssb has 2 components here");
    support_refused("spca", "n_components=0", &s.view, &y, "no rule for the number");
    support_sample_free(&s);
}

static void senseless_kernels_are_refused(void **state)
{
    (void)state;
    support_sample s = support_sample_make(30, 6, 16);
    const ald_target classes = support_sample_target(&s, ALD_TARGET_CLASSES),
                     real = support_sample_target(&s, ALD_TARGET_REAL),
                     labels = support_sample_target(&s, ALD_TARGET_LABELS);
    support_refused("spca", "response_kernel=delta", &s.view, &real, "`response_kernel=delta` needs classes");
    support_refused("spca", "response_kernel=delta+identity", &s.view, &labels,
                    "but the target is several labels");
    support_refused("spca", "response_kernel=rbf", &s.view, &classes, "`response_kernel=rbf` needs numbers");
    support_sample_free(&s);
}

/* Constant columns, and many equal responses. */
static void dull_data_is_told(void **state)
{
    (void)state;
    support_sample s = support_sample_make(24, 5, 23);
    const ald_target real = support_sample_target(&s, ALD_TARGET_REAL),
                     classes = support_sample_target(&s, ALD_TARGET_CLASSES);
    for (int i = 0; i < 24 * 5; i++) s.x[i] = 0.1;
    support_refused("spca", "n_components=1", &s.view, &classes, "all columns are constant");
    support_refused("spca", "n_components=1", &s.view, &real, "no column of X varies together");
    support_refused("plssb", "n_components=1", &s.view, &real, "no column of X varies together");
    support_refused("bair", "n_components=1", &s.view, &real, "all columns are constant");
    support_refused("cfml", "n_components=1", &s.view, &classes, "all columns are constant");
    support_sample_free(&s);
    s = support_sample_make(24, 5, 24);
    for (int i = 0; i < 24; i++) s.responses[i] = i < 20 ? 1.0 : 4.0;
    const ald_target tied = ald_target_real(ald_matrix_row_major(s.responses, 24, 1, 1));
    ald_model *model = support_fit("spca", "n_components=1", &s.view, &tied);
    assert_string_equal(ald_model_text(model, "alidade.resolved.response_width"), "3");
    assert_string_equal(ald_model_text(model, "alidade.resolved.response_rank"), "2");
    ald_model_free(model);
    support_sample_free(&s);
}

/* Every allocation of a fit is made to fail once. */
typedef struct ledger {
    long countdown, live;
    int failed;
} ledger;

static void *counted_resize(void *user, void *block, size_t size)
{
    ledger *book = user;
    if (size == 0) {
        if (block) book->live--;
        free(block);
        return NULL;
    }
    if (book->countdown-- == 0) {
        book->failed = 1;
        return NULL;
    }
    void *made = realloc(block, size);
    if (made && !block) book->live++;
    return made;
}

/* Gives whether an allocation was made to fail. */
static int fails_at(long k, const char *method, const char *set, const support_sample *s, const ald_target *y)
{
    ledger book = {.countdown = -1};
    const ald_options options = {.size = sizeof options, .threads = 1, .allocator = {counted_resize, &book}};
    ald_context *context;
    ald_model *model;
    ald_error error;
    assert_done(ald_context_new(&options, &context, &error), error);
    ald_settings *settings = support_settings(context, method, set);
    const long before = book.live;
    book.countdown = k;
    const ald_status status = ald_fit(context, settings, &s->view, y, &model, &error);
    book.countdown = -1;
    assert_int_equal(status, book.failed ? ALD_ERROR_MEMORY : ALD_OK);
    assert_int_equal(model == NULL, book.failed);
    ald_model_free(model);
    assert_int_equal(book.live, before);
    ald_settings_free(settings);
    ald_context_free(context);
    return book.failed;
}

static void allocations_may_fail(void **state)
{
    (void)state;
    static const struct {
        const char *method, *set;
        ald_target_kind kind;
    } plans[] = {
        {"spca", "solver=direct", ALD_TARGET_CLASSES},  {"spca", "solver=dual", ALD_TARGET_CLASSES},
        {"spca", "solver=lanczos", ALD_TARGET_CLASSES}, {"spca", "solver=dual", ALD_TARGET_REAL},
        {"plssb", "n_components=0", ALD_TARGET_LABELS}, {"bair", "scale=minmax", ALD_TARGET_REAL},
        {"cfml", "solver=direct", ALD_TARGET_CLASSES},  {"cfml", "solver=dual", ALD_TARGET_CLASSES},
    };
    support_sample s = support_sample_make(25, 6, 25);
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
        const ald_target y = support_sample_target(&s, plans[i].kind);
        long k = 0;
        while (fails_at(k, plans[i].method, plans[i].set, &s, &y)) k += support_stride();
        assert_true(k > 20);
    }
    support_sample_free(&s);
}

/* Five responses have no short factor: products with the whole kernel (direct) and its factor (dual) agree,
 * and whole weights are repeated rows. */
static void whole_kernel_is_its_factor(void **state)
{
    (void)state;
    enum { n = 400, d = 6, q = 5 };
    double *x = support_normals(31, 2 * n * d), *y = support_normals(32, 2 * n * q);
    double weights[n];
    for (int i = 0; i < n * q; i++) y[i] = 0.3 * y[i] + x[i / q * d + i % q];
    const ald_matrix view = ald_matrix_row_major(x, n, d, d);
    ald_target target = {.kind = ALD_TARGET_REAL, .rows = n, .values = ald_matrix_row_major(y, n, q, q)};
    const char *const set = "n_components=3 response_width=2";
    ald_model *whole = support_fit("spca", set, &view, &target);
    ald_model *factor = support_fit("spca", "n_components=3 response_width=2 solver=dual", &view, &target);
    assert_string_equal(ald_model_text(whole, "alidade.resolved.response_rank"), "400");
    assert_string_equal(ald_model_text(whole, "alidade.resolved.solver"), "direct");
    support_assert_same_model(whole, factor, 1e-9 * support_reals(whole, "eigenvalues", NULL)[0]);
    ald_model_free(whole);
    ald_model_free(factor);
    for (int i = 0; i < n; i++) weights[i] = 1.0 + (i < n / 2);
    int64_t rows = n;
    for (int64_t i = 0; i < n / 2; i++, rows++) {
        for (int j = 0; j < d; j++) x[rows * d + j] = x[i * d + j];
        for (int j = 0; j < q; j++) y[rows * q + j] = y[i * q + j];
    }
    const ald_matrix longer = ald_matrix_row_major(x, rows, d, d);
    const ald_target repeated = {
        .kind = ALD_TARGET_REAL,
        .rows = rows,
        .values = ald_matrix_row_major(y, rows, q, q),
    };
    target.weights = weights;
    ald_model *weighted = support_fit("spca", set, &view, &target);
    ald_model *by_rows = support_fit("spca", set, &longer, &repeated);
    assert_below(support_sine(3, d, support_reals(weighted, "components", NULL),
                              support_reals(by_rows, "components", NULL)),
                 1e-12);
    ald_model_free(weighted);
    ald_model_free(by_rows);
    free(x);
    free(y);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(identity_is_pca),
        cmocka_unit_test(linear_is_plssb),
        cmocka_unit_test(wide_rbf_is_linear),
        cmocka_unit_test(whole_kernel_is_its_factor),
        cmocka_unit_test(all_solvers_agree),
        cmocka_unit_test(auto_takes_the_cheapest),
        cmocka_unit_test(delta_by_hand),
        cmocka_unit_test(plssb_knows_its_rank),
        cmocka_unit_test(senseless_kernels_are_refused),
        cmocka_unit_test(dull_data_is_told),
        cmocka_unit_test(allocations_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
