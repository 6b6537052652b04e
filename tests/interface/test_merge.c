/* Models of parts of the rows, merged, are the model of all rows: for every method that can be fitted from
 * statistics, every kind of target, scaling and predictor, dense and sparse, and in any order. */
#include "support/fitting.h"
#include "support/storages.h"
#include "support/support.h"
#include "support/updating.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { parts = 3 };

static ald_status merge(ald_model *const *models, const int *order, ald_model **merged, ald_error *error)
{
    ald_context *context = support_context(2, NULL);
    ald_merging *sum;
    *merged = NULL;
    ald_status status = ald_merging_new(context, models[order[0]], &sum, error);
    for (int i = 1; i < parts && status >= 0; i++) status = ald_merging_add(sum, models[order[i]], error);
    if (status >= 0) status = ald_merging_fit(sum, merged, error);
    ald_merging_free(sum);
    ald_context_free(context);
    return status;
}

static void fit_parts(const char *method, const sample *s, ald_target_kind kind, const char *set, int storage,
                      ald_model **models)
{
    for (int i = 0; i < parts; i++) {
        const int64_t from = i * n / parts, rows = n / parts;
        const ald_target y = updating_target(s, kind, from, rows);
        support_matrix x = support_storage(storage, s->x + from * d, rows, d);
        models[i] = updating_fit(method, set, &x.view, &y);
        support_storage_free(&x);
    }
}

static void free_models(ald_model **models)
{
    for (int i = 0; i < parts; i++) ald_model_free(models[i]);
}

static void same_components(const ald_model *a, const ald_model *b)
{
    int64_t r;
    const double *one = support_reals(a, "components", &r), *two = support_reals(b, "components", NULL);
    assert_below(support_largest_difference(r * d, one, two), 1e-9 * support_norm(r * d, one));
}

static void check_case(const char *method, const sample *s, ald_target_kind kind, const char *set,
                       int storage)
{
    static const int orders[][parts] = {{0, 1, 2}, {2, 0, 1}};
    support_matrix all = support_storage(storage, s->x, n, d);
    const ald_target y = updating_target(s, kind, 0, n);
    ald_model *whole = updating_fit(method, set, &all.view, &y), *models[parts], *merged;
    ald_error error;
    fit_parts(method, s, kind, set, storage, models);
    for (int i = 0; i < 2; i++) {
        assert_done(merge(models, orders[i], &merged, &error), error);
        if (i == 0 || kind != ALD_TARGET_LABELS)
            updating_assert_same(whole, merged, 1e-9);
        else /* patterns of labels are numbered by their first appearance */
            same_components(whole, merged);
        ald_model_free(merged);
    }
    free_models(models);
    ald_model_free(whole);
    support_storage_free(&all);
}

static const struct {
    ald_target_kind kind;
    unsigned capability;
    const char *predictor;
} kinds[] = {
    {ALD_TARGET_NONE, ALD_CAN_NO_TARGET, "none"},
    {ALD_TARGET_CLASSES, ALD_CAN_CLASSES, "gaussian"},
    {ALD_TARGET_REAL, ALD_CAN_RESPONSES, "linear"},
    {ALD_TARGET_LABELS, ALD_CAN_LABELS, "linear"},
};

/* Whether all kinds of weights, for which a method may lack the capability, are to be had. Classes of these
 * parts have too few rows for the likelihood of lad. */
static int can_do(int m, int kind, int weighted)
{
    if (strcmp(ald_method_name(ald_method_at(m)), "lad") == 0) return 0;
    const unsigned can = support_streamed_capabilities(ald_method_at(m));
    if (!(can & ALD_CAN_STREAM) || !(can & kinds[kind].capability)) return 0;
    return !weighted || (can & ALD_CAN_WEIGHTS);
}

static void merged_parts_equal_a_fit_of_all(void **state)
{
    (void)state;
    static const char *const sets[] = {
        "n_components=2 keep_statistics=1 scale=standard",
        "n_components=1 keep_statistics=1 row_scale=unit",
    };
    sample *s = malloc(sizeof *s);
    int cases = 0;
    updating_sample(s);
    for (int m = 0; m < ald_method_count(); m++)
        for (int k = 0; k < 4; k++)
            for (int i = 0; i < 4; i++) {
                char text[200];
                s->weighted = i >= 2;
                if (!can_do(m, k, s->weighted)) continue;
                const ald_method *method = ald_method_at(m);
                const int sparse = i % 2 && ald_method_capabilities(method) & ALD_CAN_SPARSE;
                snprintf(text, sizeof text, "%s predictor=%s%s", sets[i % 2], kinds[k].predictor,
                         updating_needs(ald_method_name(method), kinds[k].kind));
                check_case(ald_method_name(method), s, kinds[k].kind, text, sparse ? 5 : 0);
                cases++;
            }
    assert_true(cases > 50);
    s->weighted = 0;
    s->single = 1;
    check_case("phd", s, ALD_TARGET_REAL, "n_components=2 keep_statistics=1 variant=response scale=standard",
               0);
    free(s);
}

static void refused(const ald_model *first_part, const ald_model *other, const char *message)
{
    ald_context *context = support_context(1, NULL);
    ald_merging *sum = NULL;
    ald_error error;
    ald_status status = ald_merging_new(context, first_part, &sum, &error);
    if (status >= 0) status = ald_merging_add(sum, other, &error);
    assert_true(status < 0);
    if (!strstr(error.message, message)) fail_msg("'%s' is not in: %s", message, error.message);
    ald_merging_free(sum);
    ald_context_free(context);
}

static void parts_that_are_not_alike_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *method, *set, *message;
        ald_target_kind kind;
    } others[] = {
        {"opls", "keep_statistics=1 n_components=1", "fitted by opls", ALD_TARGET_REAL},
        {"pls", "keep_statistics=1 n_components=2", "`n_components=2`", ALD_TARGET_REAL},
        {"pls", "keep_statistics=1 n_components=1 scale=standard", "`scale=standard`", ALD_TARGET_REAL},
        {"pls", "keep_statistics=1 n_components=1", "of a different kind", ALD_TARGET_CLASSES},
        {"pls", "n_components=1", "keeps no statistics", ALD_TARGET_REAL},
    };
    sample *s = malloc(sizeof *s);
    updating_sample(s);
    const ald_matrix x = ald_matrix_row_major(s->x, n, d, d),
                     narrow = ald_matrix_row_major(s->x, n, d - 1, d);
    const ald_target y = updating_target(s, ALD_TARGET_REAL, 0, n);
    ald_model *part = updating_fit("pls", "keep_statistics=1 n_components=1", &x, &y);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const ald_target target = updating_target(s, others[i].kind, 0, n);
        ald_model *other = updating_fit(others[i].method, others[i].set, &x, &target);
        refused(part, other, others[i].message);
        ald_model_free(other);
    }
    ald_model *fewer = updating_fit("pls", "keep_statistics=1 n_components=1", &narrow, &y);
    refused(part, fewer, "columns");
    ald_model_free(fewer);
    ald_model_free(part);
    free(s);
}

/* Slices and the mean row of msc are learned from the rows of a part. */
static void what_parts_have_learned_must_agree(void **state)
{
    (void)state;
    static const char *const sets[] = {
        "n_components=2 n_slices=4 keep_statistics=1",
        "n_components=2 rows=msc keep_statistics=1",
    };
    static const char *const methods[] = {"sir", "pls"}, *const messages[] = {"slices", "msc"};
    sample *s = malloc(sizeof *s);
    updating_sample(s);
    for (int i = 0; i < 2; i++) {
        ald_model *models[2];
        for (int k = 0; k < 2; k++) {
            const ald_matrix x = ald_matrix_row_major(s->x + k * first * d, n - first, d, d);
            const ald_target y =
                ald_target_real(ald_matrix_row_major(s->responses + k * first * q, n - first, 1, q));
            models[k] = updating_fit(methods[i], sets[i], &x, &y);
        }
        refused(models[0], models[1], messages[i]);
        ald_model_free(models[0]);
        ald_model_free(models[1]);
    }
    free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(merged_parts_equal_a_fit_of_all),
        cmocka_unit_test(parts_that_are_not_alike_are_refused),
        cmocka_unit_test(what_parts_have_learned_must_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
