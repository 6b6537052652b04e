/* Calibrated models: errors recomputed by hand from fits of the same parts, every kind of target and storage;
 * what keeps, renews and drops the errors; what is refused. */
#include "support/fitting.h"
#include "support/storages.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { n = 120, d = 5, folds = 4 };

static ald_model *calibrate(const ald_model *model, const ald_matrix *x, const ald_target *y, int64_t parts,
                            int threads)
{
    ald_context *context = support_context(threads, NULL);
    ald_calibration_options options = ALD_CALIBRATION_OPTIONS_INIT;
    ald_model *calibrated;
    ald_error error;
    options.folds = parts;
    options.seed = 3;
    assert_done(ald_calibrate(context, model, x, y, &options, &calibrated, &error), error);
    ald_context_free(context);
    return calibrated;
}

/* Scores of the rows of each part by a fit without it, through the public interface alone. */
static void out_of_fold(const char *method, const char *set, const ald_matrix *x, const ald_target *y,
                        double *scores, int64_t q)
{
    ald_context *context = support_context(1, NULL);
    ald_splits_options options = ALD_SPLITS_OPTIONS_INIT;
    ald_splits *splits;
    ald_error error;
    int64_t train[n], test[n], n_train, n_test;
    options.folds = folds;
    options.seed = 3;
    assert_done(ald_splits_new(context, x, y, &options, &splits, &error), error);
    for (int64_t k = 0; k < folds; k++) {
        double part[n * d], one[n * d], out[n * 3];
        double weights[n];
        ald_splits_rows(splits, k, train, &n_train, test, &n_test);
        /* the rows of the part have no weight: a fit without them */
        for (int64_t i = 0; i < n; i++) weights[i] = 0.0;
        for (int64_t i = 0; i < n_train; i++) weights[train[i]] = 1.0;
        ald_target without = *y;
        without.weights = weights;
        memcpy(part, x->values, sizeof part);
        const ald_matrix all = ald_matrix_row_major(part, n, d, d);
        ald_model *model = support_fit(method, set, &all, &without);
        for (int64_t i = 0; i < n_test; i++)
            memcpy(one + i * d, (const double *)x->values + test[i] * d, d * sizeof *one);
        const ald_matrix rows = ald_matrix_row_major(one, n_test, d, d);
        assert_done(ald_predict_scores(context, model, &rows, out, &error), error);
        for (int64_t i = 0; i < n_test; i++)
            memcpy(scores + test[i] * q, out + i * q, (size_t)q * sizeof *out);
        ald_model_free(model);
    }
    ald_splits_free(splits);
    ald_context_free(context);
}

static int rising(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Column j of the errors by their definition. */
static void errors_by_hand(const support_sample *s, ald_target_kind kind, int64_t j, const double *scores,
                           double *errors)
{
    for (int64_t i = 0; i < n; i++) {
        const double *values = kind == ALD_TARGET_LABELS ? s->labels : s->responses;
        errors[i] = kind == ALD_TARGET_CLASSES ? -scores[i * 3 + s->classes[i]]
                                               : fabs(values[i * 3 + j] - scores[i * 3 + j]);
    }
    qsort(errors, n, sizeof *errors, rising);
}

static void errors_are_those_of_fits_without_the_rows(void **state)
{
    static const struct {
        ald_target_kind kind;
        const char *method, *set;
    } cases[] = {
        {ALD_TARGET_REAL, "pls", "n_components=2 predictor=linear"},
        {ALD_TARGET_CLASSES, "lda", "n_components=2 predictor=gaussian"},
        {ALD_TARGET_LABELS, "cca", "n_components=2 predictor=one-vs-rest"},
    };
    (void)state;
    support_sample s = support_sample_make(n, d, 5);
    const ald_matrix x = ald_matrix_row_major(s.x, n, d, d);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const ald_target y = support_sample_target(&s, cases[c].kind);
        double scores[n * 3], errors[n];
        int64_t rows;
        ald_model *model = support_fit(cases[c].method, cases[c].set, &x, &y);
        ald_model *calibrated = calibrate(model, &x, &y, folds, 1),
                  *again = calibrate(model, &x, &y, folds, 2);
        const double *kept = support_reals(calibrated, "calibration/errors", &rows),
                     *same = support_reals(again, "calibration/errors", NULL);
        const int64_t columns = cases[c].kind == ALD_TARGET_CLASSES ? 1 : 3;
        assert_int_equal(rows, n);
        assert_int_equal(ald_model_calibration_count(calibrated), n);
        assert_int_equal(ald_model_calibration_count(model), 0);
        assert_memory_equal(kept, same, (size_t)(n * columns) * sizeof *kept);
        assert_memory_equal(support_reals(calibrated, "components", NULL),
                            support_reals(model, "components", NULL), 2 * d * sizeof *kept);
        out_of_fold(cases[c].method, cases[c].set, &x, &y, scores, 3);
        for (int64_t j = 0; j < columns; j++) {
            errors_by_hand(&s, cases[c].kind, j, scores, errors);
            for (int64_t i = 0; i < n; i++)
                assert_close(kept[i * columns + j], errors[i], 1e-9 * (1 + errors[i]));
        }
        ald_model_free(again);
        ald_model_free(calibrated);
        ald_model_free(model);
    }
    support_sample_free(&s);
}

/* Level 0.5 of n errors: k = ceil((n + 1) / 2). */
static void sets_and_intervals_follow(void **state)
{
    (void)state;
    support_sample s = support_sample_make(n, d, 6);
    const ald_matrix x = ald_matrix_row_major(s.x, n, d, d);
    ald_context *context = support_context(1, NULL);
    ald_error error;
    double scores[n * 3], low[n * 3], high[n * 3];
    unsigned char sets[n * 3];
    const int64_t k = (n + 1 + 1) / 2 - 1;
    for (ald_target_kind kind = ALD_TARGET_CLASSES; kind <= ALD_TARGET_LABELS; kind++) {
        const ald_target y = support_sample_target(&s, kind);
        const char *set =
            kind == ALD_TARGET_REAL ? "n_components=2 predictor=linear" : "n_components=2 predictor=logistic";
        ald_model *model = support_fit("pls", set, &x, &y);
        ald_model *calibrated = calibrate(model, &x, &y, 0, 1);
        const double *errors = support_reals(calibrated, "calibration/errors", NULL);
        assert_done(ald_predict_scores(context, calibrated, &x, scores, &error), error);
        if (kind == ALD_TARGET_REAL) {
            assert_done(ald_predict_intervals(context, calibrated, &x, 0.5, low, high, &error), error);
            assert_int_equal(ald_predict_sets(context, calibrated, &x, 0.5, sets, &error),
                             ALD_ERROR_UNSUPPORTED);
        } else {
            assert_done(ald_predict_sets(context, calibrated, &x, 0.5, sets, &error), error);
            assert_int_equal(ald_predict_intervals(context, calibrated, &x, 0.5, low, high, &error),
                             ALD_ERROR_UNSUPPORTED);
        }
        for (int64_t e = 0; e < n * 3; e++) {
            if (kind == ALD_TARGET_CLASSES) assert_int_equal(sets[e], scores[e] >= -errors[k]);
            if (kind == ALD_TARGET_REAL) {
                assert_close(high[e] - scores[e], errors[k * 3 + e % 3], 1e-12);
                assert_close(scores[e] - low[e], errors[k * 3 + e % 3], 1e-12);
            }
            if (kind == ALD_TARGET_LABELS)
                assert_int_equal(sets[e], (fabs(scores[e]) <= errors[k * 3 + e % 3]) +
                                              2 * (fabs(1.0 - scores[e]) <= errors[k * 3 + e % 3]));
        }
        ald_model_free(calibrated);
        ald_model_free(model);
    }
    ald_context_free(context);
    support_sample_free(&s);
}

static void first_components_have_no_errors(void **state)
{
    (void)state;
    support_sample s = support_sample_make(n, d, 7);
    const ald_matrix x = ald_matrix_row_major(s.x, n, d, d);
    const ald_target y = support_sample_target(&s, ALD_TARGET_REAL);
    ald_context *context = support_context(1, NULL);
    ald_error error;
    ald_model *model = support_fit("pls", "n_components=3 predictor=linear", &x, &y), *first;
    ald_model *calibrated = calibrate(model, &x, &y, folds, 1), *twice = calibrate(calibrated, &x, &y, 0, 1);
    double low[n * 3], high[n * 3];
    assert_int_equal(ald_model_calibration_count(twice), n);
    assert_done(ald_model_first(context, calibrated, 2, &first, &error), error);
    assert_int_equal(ald_model_calibration_count(first), 0);
    assert_int_equal(ald_predict_intervals(context, first, &x, 0.9, low, high, &error),
                     ALD_ERROR_UNSUPPORTED);
    ald_model_free(first);
    ald_model_free(twice);
    ald_model_free(calibrated);
    ald_model_free(model);
    ald_context_free(context);
    support_sample_free(&s);
}

/* Errors of an updated model: those of before, and those of the old model on the new rows, among which are
 * some of a class that it does not know. */
static void an_update_may_bring_a_class(void **state)
{
    (void)state;
    support_sample s = support_sample_make(n, d, 9);
    const ald_matrix x = ald_matrix_row_major(s.x, n, d, d);
    ald_target y = support_sample_target(&s, ALD_TARGET_CLASSES);
    double weights[n], scores[n * 2], errors[2 * n];
    ald_context *context = support_context(1, NULL);
    ald_error error;
    ald_model *updated;
    ald_dataset *data;
    ald_array kept;
    int64_t count = 0;
    for (int64_t i = 0; i < n; i++) weights[i] = s.classes[i] < 2;
    y.n_classes = 2;
    y.weights = weights;
    int32_t two[n];
    for (int64_t i = 0; i < n; i++) two[i] = s.classes[i] < 2 ? s.classes[i] : 0;
    y.classes = two;
    ald_model *model = support_fit("lda", "n_components=1 keep_statistics=1 predictor=gaussian", &x, &y);
    ald_model *calibrated = calibrate(model, &x, &y, 0, 1);
    assert_done(ald_predict_scores(context, model, &x, scores, &error), error);
    for (int64_t i = 0; i < n; i++) {
        const double error = s.classes[i] < 2 ? -scores[i * 2 + s.classes[i]] : DBL_MAX;
        errors[count++] = error;
        if (s.classes[i] < 2) errors[count++] = error;
    }
    qsort(errors, (size_t)count, sizeof *errors, rising);
    for (int64_t i = 0; i < n; i++) weights[i] = 1.0;
    y = support_sample_target(&s, ALD_TARGET_CLASSES);
    y.weights = weights;
    const ald_inputs inputs = {.size = sizeof inputs, .x = &x, .y = &y};
    assert_done(ald_dataset_from_arrays(context, &inputs, 0, &data, &error), error);
    assert_done(ald_update(context, calibrated, data, 0, &updated, &error), error);
    assert_true(ald_model_array(updated, "calibration/errors", &kept));
    assert_int_equal(kept.shape[0], count);
    for (int64_t i = 0; i < count; i++) assert_close(((const double *)kept.data)[i], errors[i], 1e-12);
    ald_dataset_free(data);
    ald_model_free(updated);
    ald_model_free(calibrated);
    ald_model_free(model);
    ald_context_free(context);
    support_sample_free(&s);
}

static void refuse(const ald_model *model, const ald_matrix *x, const ald_target *y, int64_t parts,
                   const char *part)
{
    ald_context *context = support_context(1, NULL);
    ald_calibration_options options = ALD_CALIBRATION_OPTIONS_INIT;
    ald_model *calibrated;
    ald_error error;
    options.folds = parts;
    assert_true(ald_calibrate(context, model, x, y, &options, &calibrated, &error) < 0);
    assert_null(calibrated);
    if (!strstr(error.message, part)) fail_msg("'%s' does not hold '%s'", error.message, part);
    ald_context_free(context);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    support_sample s = support_sample_make(n, d, 8);
    const ald_matrix x = ald_matrix_row_major(s.x, n, d, d), one = ald_matrix_row_major(s.x, 1, d, d);
    const ald_target y = support_sample_target(&s, ALD_TARGET_REAL),
                     c = support_sample_target(&s, ALD_TARGET_CLASSES);
    ald_target nobody = y;
    unsigned char none[n] = {0};
    ald_context *context = support_context(1, NULL);
    ald_error error;
    double low[3], high[3];
    ald_model *plain = support_fit("pls", "n_components=2", &x, &y),
              *model = support_fit("pls", "n_components=2 predictor=linear", &x, &y);
    ald_model *calibrated = calibrate(model, &x, &y, 0, 1);
    nobody.labelled = none;
    refuse(plain, &x, &y, 0, "no predictor");
    refuse(model, &x, &y, 1, "`folds` is 1");
    refuse(model, &x, &c, 0, "not of the kind");
    refuse(model, &x, &nobody, 0, "no row has a target");
    for (int i = 0; i < 3; i++) {
        const double level = (const double[]){0.0, 1.0, NAN}[i];
        assert_int_equal(ald_predict_intervals(context, calibrated, &one, level, low, high, &error),
                         ALD_ERROR_ARGUMENT);
    }
    assert_int_equal(ald_predict_intervals(context, calibrated, &one, 0.995, low, high, &error),
                     ALD_ERROR_DATA);
    assert_non_null(strstr(error.message, "199 rows"));
    ald_model_free(calibrated);
    ald_model_free(model);
    ald_model_free(plain);
    ald_context_free(context);
    support_sample_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_are_those_of_fits_without_the_rows),
        cmocka_unit_test(sets_and_intervals_follow),
        cmocka_unit_test(first_components_have_no_errors),
        cmocka_unit_test(an_update_may_bring_a_class),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
