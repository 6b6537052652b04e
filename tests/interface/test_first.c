/* ald_model_first: the first components of a nested model are the model of a fit with as many. */
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

enum { n = 40, d = 6 };

typedef struct fixture {
    ald_context *context;
    ald_matrix x;
    ald_target y;
    double *values, *response;
    ald_error error;
} fixture;

static void begin(fixture *f)
{
    f->context = support_context(1, NULL);
    f->values = support_normals(1, n * d);
    f->response = support_normals(2, n);
    for (int i = 0; i < n; i++) f->response[i] += f->values[i * d] - 0.5 * f->values[i * d + 2];
    f->x = ald_matrix_row_major(f->values, n, d, d);
    f->y = ald_target_real(ald_matrix_row_major(f->response, n, 1, 1));
}

static void end(fixture *f)
{
    free(f->values);
    free(f->response);
    ald_context_free(f->context);
}

static ald_model *fit(fixture *f, const char *method, const char *set)
{
    ald_settings *settings = support_settings(f->context, method, set);
    ald_model *model;
    assert_done(ald_fit(f->context, settings, &f->x, &f->y, &model, &f->error), f->error);
    ald_settings_free(settings);
    return model;
}

static void expect_same(fixture *f, const ald_model *a, const ald_model *b)
{
    double one[n * d], two[n * d];
    const int64_t r = ald_model_component_count(b);
    assert_int_equal(ald_model_component_count(a), r);
    assert_done(ald_transform(f->context, a, &f->x, one, &f->error), f->error);
    assert_done(ald_transform(f->context, b, &f->x, two, &f->error), f->error);
    for (int64_t i = 0; i < n * r; i++) assert_close(one[i], two[i], 1e-10);
    assert_done(ald_predict(f->context, a, &f->x, one, &f->error), f->error);
    assert_done(ald_predict(f->context, b, &f->x, two, &f->error), f->error);
    for (int64_t i = 0; i < n; i++) assert_close(one[i], two[i], 1e-10);
}

static void test_first_is_a_smaller_fit(void **state)
{
    static const struct {
        const char *method, *of_four, *of_two;
    } cases[] = {
        {"pls", "n_components=4 predictor=linear", "n_components=2 predictor=linear"},
        {"pca", "n_components=4 predictor=ridge scale=standard",
         "n_components=2 predictor=ridge scale=standard"},
        {"kpls", "n_components=4 predictor=linear", "n_components=2 predictor=linear"},
        {"pls", "n_components=4 predictor=knn predictor_neighbors=3",
         "n_components=2 predictor=knn predictor_neighbors=3"},
    };
    fixture f;
    (void)state;
    begin(&f);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ald_model *all = fit(&f, cases[i].method, cases[i].of_four),
                  *few = fit(&f, cases[i].method, cases[i].of_two);
        ald_model *first, *same;
        assert_done(ald_model_first(f.context, all, 2, &first, &f.error), f.error);
        expect_same(&f, first, few);
        assert_done(ald_model_first(f.context, all, 4, &same, &f.error), f.error);
        expect_same(&f, same, all);
        ald_model_free(same);
        ald_model_free(first);
        ald_model_free(few);
        ald_model_free(all);
    }
    end(&f);
}

static void refused(fixture *f, const ald_model *model, int64_t components, const char *part)
{
    ald_model *first = (ald_model *)f;
    assert_true(ald_model_first(f->context, model, components, &first, &f->error) < 0);
    assert_null(first);
    assert_non_null(strstr(f->error.message, part));
}

static void test_what_cannot_be_had(void **state)
{
    fixture f;
    (void)state;
    begin(&f);
    ald_model *pls = fit(&f, "pls", "n_components=3"), *sdpp = fit(&f, "sdpp", "n_components=2 max_iter=5");
    refused(&f, pls, 0, "choose 1 to 3");
    refused(&f, pls, 4, "choose 1 to 3");
    refused(&f, sdpp, 1, "the components of sdpp are found together");
    ald_model_free(sdpp);
    ald_model_free(pls);
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_is_a_smaller_fit),
        cmocka_unit_test(test_what_cannot_be_had),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
