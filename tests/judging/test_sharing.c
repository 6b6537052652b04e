/* What the fits of a comparison share changes no figure: each candidate has, alone, those that it has among
 * others. */
#include "support/comparing.h"
#include "support/fitting.h"

#include <string.h>

enum { rows = 60, folds = 3 };

static const int64_t dims[] = {1, 2, 4};

static ald_comparison *compare(ald_context *context, const support_sample *s, ald_target_kind kind,
                               const char *const (*list)[2], int count)
{
    const ald_target y = support_sample_target(s, kind);
    ald_splits_options splits = ALD_SPLITS_OPTIONS_INIT;
    support_candidates c;
    splits.folds = folds;
    support_candidates_begin(&c, context);
    for (int i = 0; i < count; i++)
        support_candidates_add(&c, ALD_CANDIDATE_METHOD, list[i][0], list[i][1], dims, 3);
    ald_comparison *made = support_compare(&c, &s->view, &y, &splits, NULL);
    support_candidates_end(&c);
    return made;
}

/* Values and reasons of the rows of one candidate, alone and as number `which` of all. */
static void assert_rows(const ald_comparison *all, const ald_comparison *alone, int which)
{
    for (int row = 0; row < 3; row++) {
        const ald_comparison_row *one = ald_comparison_at(alone, row),
                                 *two = ald_comparison_at(all, 3 * which + row);
        assert_string_equal(one->reason ? one->reason : "", two->reason ? two->reason : "");
        assert_int_equal(one->status, two->status);
        for (int k = 0; ald_comparison_metric_at(all, k); k++)
            assert_memory_equal(ald_comparison_values(alone, row, k),
                                ald_comparison_values(all, 3 * which + row, k), folds * sizeof(double));
    }
}

static void check(ald_target_kind kind, int64_t cols, const char *const (*list)[2], int count)
{
    support_sample s = support_sample_make(rows, cols, 9);
    for (int threads = 1; threads <= 3; threads += 2) {
        ald_context *context = support_context(threads, NULL);
        ald_comparison *all = compare(context, &s, kind, list, count);
        for (int i = 0; i < count; i++) {
            ald_comparison *alone = compare(context, &s, kind, list + i, 1);
            assert_rows(all, alone, i);
            ald_comparison_free(alone);
        }
        ald_comparison_free(all);
        ald_context_free(context);
    }
    support_sample_free(&s);
}

static void predictors_share_maps(void **state)
{
    (void)state;
    static const char *const list[][2] = {
        {"kfda", "predictor=gaussian"},
        {"kfda", "predictor=logistic"},
        {"kfda", "predictor=knn predictor_neighbors=3"},
        {"kfda", "predictor=logistic ridge_rel=0.1"},
        {"kfda", "predictor=gaussian scale=standard"},
        {"rsir", "predictor=gaussian"},
        {"rsir", "predictor=linear"},
        {"save", "predictor=linear"},
        {"save", "predictor=centroid"},
    };
    check(ALD_TARGET_CLASSES, 6, list, sizeof list / sizeof *list);
}

/* Kernels of the same rows, exact and by landmarks, and what decomposes or overwrites them. */
static void methods_share_kernels(void **state)
{
    (void)state;
    static const char *const list[][2] = {
        {"kfda", "ridge_rel=0.01"},
        {"kfda", "ridge_rel=0.1"},
        {"kfda", "ridge_rel=0.1 kernel_width=3"},
        {"kfda", "ridge_rel=0.1 landmarks=20"},
        {"kfda", "ridge_rel=0.2 landmarks=20"},
        {"ksdpp", "max_iter=20"},
        {"kpls", ""},
        {"kpls", "landmarks=20"},
        {"kcca", "ridge=0.1"},
        {"kcca", "ridge=0.2 landmarks=20"},
        {"kplssb", "landmarks=20"},
        {"kspca", ""},
        {"kspca", "landmarks=20"},
        {"kpca", "landmarks=20"},
        {"kpca", "scale=standard"},
        {"kplssb", ""},
        {"kpls", "features=30"},
        {"kpls", "features=30 random_state=3"},
        {"kpls", "kernel=polynomial"},
        {"kcca", "kernel=polynomial ridge=1"},
    };
    check(ALD_TARGET_CLASSES, 6, list, sizeof list / sizeof *list);
    check(ALD_TARGET_REAL, 6, list + 6, sizeof list / sizeof *list - 6);
}

/* From 64 columns on also the products of rows. These kernels are not turned where rows are wide, so that
 * they see all columns, alone and together. */
static void products_are_shared(void **state)
{
    (void)state;
    static const char *const tried[][2] = {
        {"kpls", "kernel=polynomial degree=2"},
        {"kpls", "kernel=polynomial degree=3"},
        {"kpls", "kernel=cosine"},
        {"kspca", "kernel=cosine"},
        {"kpca", "kernel=polynomial"},
        {"kcca", "kernel=polynomial landmarks=9 ridge=1"},
        {"kcca", "kernel=cosine landmarks=9"},
        {"kpls", "kernel=laplacian"},
    };
    check(ALD_TARGET_CLASSES, 70, tried, sizeof tried / sizeof *tried);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(predictors_share_maps),
        cmocka_unit_test(methods_share_kernels),
        cmocka_unit_test(products_are_shared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
