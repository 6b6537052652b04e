/* Rows far off all others that are added by mistake, and taken away: they leave no trace, or it is told. */
#include "support/support.h"
#include "support/updating.h"

#include "base/core/model.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *method;
    ald_target_kind kind;
    const char *set;
} far_cases[] = {
    {"lda", ALD_TARGET_CLASSES, "n_components=2 keep_statistics=1 predictor=centroid"},
    {"cfml", ALD_TARGET_CLASSES, "n_components=1 keep_statistics=1"},
    {"cca", ALD_TARGET_REAL, "n_components=2 keep_statistics=1 predictor=linear"},
    {"pls", ALD_TARGET_REAL, "n_components=2 keep_statistics=1 scale=standard"},
    {"opls", ALD_TARGET_LABELS, "n_components=2 keep_statistics=1"},
    {"pca", ALD_TARGET_NONE, "n_components=1 keep_statistics=1"},
};

/* A row with a cell of up to 10^15, added by mistake and taken away again: nothing of it stays. */
static void a_row_far_off_leaves_no_trace(void **state)
{
    (void)state;
    static const double sizes[] = {9999999999.0, -1e12, 1e15};
    sample *s = malloc(sizeof *s);
    for (size_t c = 0; c < sizeof far_cases / sizeof *far_cases; c++)
        for (int weighted = 0; weighted < 2; weighted++)
            for (int size = 0; size < 3; size++) {
                if (weighted && far_cases[c].kind != ALD_TARGET_NONE) continue;
                updating_sample(s);
                s->weighted = weighted;
                s->x[first * d + 1] = sizes[size];
                const ald_matrix some = ald_matrix_row_major(s->x, first, d, d),
                                 row = ald_matrix_row_major(s->x + first * d, 1, d, d);
                const ald_target y = updating_target(s, far_cases[c].kind, 0, first),
                                 y_row = updating_target(s, far_cases[c].kind, first, 1);
                ald_model *part = updating_fit(far_cases[c].method, far_cases[c].set, &some, &y), *added,
                          *back;
                ald_error error;
                assert_done(updating_update(part, &row, &y_row, 0, &added, &error), error);
                assert_int_equal(updating_update(added, &row, &y_row, 1, &back, &error), ALD_OK);
                updating_assert_same(part, back, 1e-9);
                ald_model_free(part);
                ald_model_free(added);
                ald_model_free(back);
            }
    free(s);
}

/* The same where the row was among those that the model was fitted on, more than are summed one by one. */
static void a_row_far_off_can_be_taken_out(void **state)
{
    (void)state;
    sample *s = malloc(sizeof *s);
    for (size_t c = 0; c < sizeof far_cases / sizeof *far_cases; c++) {
        if (strcmp(far_cases[c].method, "cfml") == 0)
            continue; /* its scatters of classes are the backend's */
        updating_sample(s);
        /* labels are numbered as they come: there the row is the last */
        const int64_t at = far_cases[c].kind == ALD_TARGET_LABELS ? n - 1 : 0, from = at == 0 ? 1 : 0;
        s->x[at * d + 1] = 1e15;
        const ald_matrix all = ald_matrix_row_major(s->x, n, d, d),
                         rest = ald_matrix_row_major(s->x + from * d, n - 1, d, d),
                         row = ald_matrix_row_major(s->x + at * d, 1, d, d);
        const ald_target y_all = updating_target(s, far_cases[c].kind, 0, n),
                         y = updating_target(s, far_cases[c].kind, from, n - 1),
                         y_row = updating_target(s, far_cases[c].kind, at, 1);
        ald_context *context = support_context(1, NULL);
        ald_settings *settings = support_settings(context, far_cases[c].method, far_cases[c].set);
        ald_model *whole, *back, *right = updating_fit(far_cases[c].method, far_cases[c].set, &rest, &y);
        ald_error error;
        assert_true(ald_fit(context, settings, &all, y_all.kind ? &y_all : NULL, &whole, &error) >= 0);
        assert_int_equal(updating_update(whole, &row, &y_row, 1, &back, &error), ALD_OK);
        updating_assert_same(right, back, 1e-9);
        ald_model_free(whole);
        ald_model_free(right);
        ald_model_free(back);
        ald_settings_free(settings);
        ald_context_free(context);
    }
    free(s);
}

/* Statistics without exact sums, as in models of before, can be updated; what that costs is told. */
static void lost_digits_are_told(void **state)
{
    (void)state;
    sample *s = malloc(sizeof *s);
    updating_sample(s);
    s->x[first * d + 1] = 1e8;
    const ald_matrix some = ald_matrix_row_major(s->x, first + 1, d, d),
                     row = ald_matrix_row_major(s->x + first * d, 1, d, d);
    const ald_target y = updating_target(s, ALD_TARGET_CLASSES, 0, first + 1),
                     y_row = updating_target(s, ALD_TARGET_CLASSES, first, 1);
    ald_model *model = updating_fit("lda", "n_components=2 keep_statistics=1", &some, &y), *back;
    ald_error error;
    assert_int_equal(updating_update(model, &row, &y_row, 1, &back, &error), ALD_OK);
    ald_model_free(back);
    for (int i = 0; i < model->n_arrays; i++)
        if (strstr(model->arrays[i].name, "_sums") || strstr(model->arrays[i].name, "/lost"))
            model->arrays[i].name = "old";
    assert_int_equal(updating_update(model, &row, &y_row, 1, &back, &error), ALD_DIGITS_LOST);
    assert_non_null(strstr(error.message, "column 2 keeps only about"));
    ald_model_free(back);
    ald_model_free(model);
    free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_far_off_leaves_no_trace),
        cmocka_unit_test(a_row_far_off_can_be_taken_out),
        cmocka_unit_test(lost_digits_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
