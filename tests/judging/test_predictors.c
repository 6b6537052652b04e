/* Predictors on a projection: what each promises, recomputed from the rows by plain loops; answers worked by
 * hand; and what they refuse. */
#include "predictors_fixture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Residuals sum to 0, and their products with the standardised z are n ridge C. */
static void check_normal_equations(fixture *f, ald_predictor_options options, double ridge,
                                   ald_target_kind kind, int weighted)
{
    const ald_predictor_data data = data_of(f, kind, weighted);
    static double scores[n * c];
    double total = 0.0, mean[r] = {0}, deviation[r] = {0};
    fit_and_apply(f, options, &data, n, f->z, scores);
    const double *b = support_reals(f->model, "predictor/coefficients", NULL);
    for (int i = 0; i < n; i++) total += weight(&data, i);
    for (int i = 0; i < n * r; i++) mean[i % r] += weight(&data, i / r) * f->z[i] / total;
    for (int i = 0; i < n * r; i++)
        deviation[i % r] += weight(&data, i / r) * pow(f->z[i] - mean[i % r], 2) / total;
    for (int j = 0; j < c; j++) {
        double sum = 0.0, products[r] = {0};
        for (int i = 0; i < n; i++) {
            const double residual = weight(&data, i) * (data.y[i * c + j] - scores[i * c + j]);
            sum += residual;
            for (int k = 0; k < r; k++)
                products[k] += residual * (f->z[i * r + k] - mean[k]) / sqrt(deviation[k]);
        }
        assert_close(sum, 0.0, 1e-9 * total);
        for (int k = 0; k < r; k++)
            assert_close(products[k], total * ridge * b[k * c + j] * sqrt(deviation[k]), 1e-9 * total);
    }
}

static void least_squares_solve_their_equations(void **state)
{
    (void)state;
    fixture f;
    begin(&f);
    for (int weighted = 0; weighted < 2; weighted++) {
        check_normal_equations(&f, (ald_predictor_options){"linear", 1, 0.0}, 0.0, ALD_TARGET_REAL, weighted);
        check_normal_equations(&f, (ald_predictor_options){"linear", 1, 0.0}, 0.0, ALD_TARGET_CLASSES,
                               weighted);
        check_normal_equations(&f, (ald_predictor_options){"ridge", 1, 0.0}, 0.01, ALD_TARGET_REAL, weighted);
        check_normal_equations(&f, (ald_predictor_options){"ridge", 1, 3.5}, 3.5, ALD_TARGET_LABELS,
                               weighted);
        check_normal_equations(&f, (ald_predictor_options){"one-vs-rest", 1, 0.0}, 1e-6, ALD_TARGET_LABELS,
                               weighted);
        check_normal_equations(&f, (ald_predictor_options){"one-vs-rest", 1, 0.5}, 0.5, ALD_TARGET_CLASSES,
                               weighted);
    }
    end(&f);
}

/* The gradient of the penalised likelihood at the fit is 0, recomputed from the stored coefficients. */
static void check_stationary(fixture *f, ald_target_kind kind, int weighted, double ridge)
{
    const ald_predictor_data data = data_of(f, kind, weighted);
    static double p[n * c];
    double total = 0.0, mean[r] = {0}, deviation[r] = {0};
    fit_and_apply(f, (ald_predictor_options){"logistic", 1, ridge}, &data, n, f->z, p);
    const double *b = support_reals(f->model, "predictor/coefficients", NULL);
    for (int i = 0; i < n; i++) total += weight(&data, i);
    for (int i = 0; i < n * r; i++) mean[i % r] += weight(&data, i / r) * f->z[i] / total;
    for (int i = 0; i < n * r; i++)
        deviation[i % r] += weight(&data, i / r) * pow(f->z[i] - mean[i % r], 2) / total;
    for (int j = 0; j < c; j++) {
        double sum = 0.0, gradient[r] = {0};
        for (int k = 0; k < r; k++) gradient[k] = total * ridge * b[k * c + j] * sqrt(deviation[k]);
        for (int i = 0; i < n; i++) {
            const double error = weight(&data, i) * (p[i * c + j] - data.y[i * c + j]);
            sum += error;
            for (int k = 0; k < r; k++)
                gradient[k] += error * (f->z[i * r + k] - mean[k]) / sqrt(deviation[k]);
        }
        assert_close(sum, 0.0, 1e-7 * total);
        for (int k = 0; k < r; k++) assert_close(gradient[k], 0.0, 1e-7 * total);
    }
    for (int i = 0; kind == ALD_TARGET_CLASSES && i < n; i++)
        assert_close(p[i * c] + p[i * c + 1] + p[i * c + 2], 1.0, 1e-14);
}

static void logistic_is_stationary(void **state)
{
    (void)state;
    fixture f;
    begin(&f);
    for (int weighted = 0; weighted < 2; weighted++)
        for (int kind = 0; kind < 2; kind++) {
            check_stationary(&f, kind ? ALD_TARGET_CLASSES : ALD_TARGET_LABELS, weighted, 1e-3);
            check_stationary(&f, kind ? ALD_TARGET_CLASSES : ALD_TARGET_LABELS, weighted, 10.0);
            check_stationary(&f, kind ? ALD_TARGET_CLASSES : ALD_TARGET_LABELS, weighted, 1e-9);
        }
    end(&f);
}

/* Classes that a line separates, a class without rows, a label that all have and one that nobody has. */
static void logistic_has_edges(void **state)
{
    (void)state;
    fixture f;
    begin(&f);
    static double p[n * c];
    ald_predictor_data data = data_of(&f, ALD_TARGET_CLASSES, 0);
    for (int i = 0; i < n; i++) f.z[i * r] += 50.0 * f.codes[i];
    fit_and_apply(&f, (ald_predictor_options){"logistic", 1, 1e-8}, &data, n, f.z, p);
    for (int i = 0; i < n; i++) assert_true(p[i * c + f.codes[i]] > 0.99);
    for (int i = 0; i < n; i++) {
        f.y[i * c] += f.y[i * c + 2];
        f.y[i * c + 2] = 0.0;
        f.labels[i * c] = 1.0;
        f.labels[i * c + 2] = 0.0;
    }
    static const char *const both[] = {"logistic", "gaussian", "centroid"};
    for (int k = 0; k < 3; k++) {
        fit_and_apply(&f, (ald_predictor_options){both[k], 1, 0.0}, &data, n, f.z, p);
        for (int i = 0; i < n; i++) assert_true(p[i * c + 2] < p[i * c] && p[i * c + 2] < p[i * c + 1]);
        for (int i = 0; k < 2 && i < n; i++) assert_close(p[i * c] + p[i * c + 1], 1.0, 1e-14);
    }
    data = data_of(&f, ALD_TARGET_LABELS, 0);
    fit_and_apply(&f, (ald_predictor_options){"logistic", 1, 0.0}, &data, n, f.z, p);
    for (int i = 0; i < n; i++) {
        assert_close(p[i * c], 1.0, 0.0);
        assert_close(p[i * c + 2], 0.0, 0.0);
    }
    end(&f);
}

/* Posterior of normal classes with the pooled covariance, by Gaussian elimination. */
static void posterior(const ald_predictor_data *data, const double *z, double *p)
{
    double mean[c * r] = {0}, count[c] = {0}, w[r * r] = {0}, total = 0.0, sum = 0.0, largest = -INFINITY;
    for (int i = 0; i < n; i++)
        for (int g = 0; g < c; g++) {
            count[g] += weight(data, i) * data->y[i * c + g];
            total += weight(data, i) * data->y[i * c + g];
            for (int k = 0; k < r; k++)
                mean[g * r + k] += weight(data, i) * data->y[i * c + g] * data->z[i * r + k];
        }
    for (int g = 0; g < c * r; g++) mean[g] /= count[g / r];
    for (int i = 0; i < n; i++)
        for (int g = 0; g < c; g++)
            for (int k = 0; k < r * r; k++)
                w[k] += weight(data, i) * data->y[i * c + g] / total *
                        (data->z[i * r + k / r] - mean[g * r + k / r]) *
                        (data->z[i * r + k % r] - mean[g * r + k % r]);
    for (int g = 0; g < c; g++) {
        double a[r][r + 1], square = 0.0;
        for (int k = 0; k < r; k++) {
            for (int l = 0; l < r; l++) a[k][l] = w[k * r + l];
            a[k][r] = z[k] - mean[g * r + k];
        }
        for (int k = 0; k < r; k++)
            for (int l = k + 1; l < r; l++) {
                const double factor = a[l][k] / a[k][k];
                for (int m = k; m <= r; m++) a[l][m] -= factor * a[k][m];
            }
        for (int k = 0; k < r; k++) square += a[k][r] * a[k][r] / a[k][k]; /* L D L' */
        p[g] = log(count[g] / total) - 0.5 * square;
        largest = fmax(largest, p[g]);
    }
    for (int g = 0; g < c; g++) sum += p[g] = exp(p[g] - largest);
    for (int g = 0; g < c; g++) p[g] /= sum;
}

/* And a linear transformation of z changes nothing. */
static void gaussian_is_the_classical_rule(void **state)
{
    (void)state;
    fixture f;
    begin(&f);
    static double p[n * c], again[n * c], turned[n * r];
    double want[c];
    for (int weighted = 0; weighted < 2; weighted++) {
        ald_predictor_data data = data_of(&f, ALD_TARGET_CLASSES, weighted);
        fit_and_apply(&f, (ald_predictor_options){"gaussian", 1, 0.0}, &data, n, f.z, p);
        for (int i = 0; i < n; i++) {
            posterior(&data, f.z + i * r, want);
            for (int g = 0; g < c; g++) assert_close(p[i * c + g], want[g], 1e-9);
        }
        for (int i = 0; i < n; i++)
            for (int k = 0; k < r; k++) turned[i * r + k] = 3.0 * f.z[i * r + k] + f.z[i * r] - 7.0;
        data.z = turned;
        fit_and_apply(&f, (ald_predictor_options){"gaussian", 1, 0.0}, &data, n, turned, again);
        assert_below(support_largest_difference(n * c, p, again), 1e-9);
    }
    end(&f);
}

/* Classes that have collapsed to points, and a column that does not vary at all. */
static void gaussian_survives_no_spread(void **state)
{
    (void)state;
    fixture f;
    begin(&f);
    static double p[n * c];
    const ald_predictor_data data = data_of(&f, ALD_TARGET_CLASSES, 0);
    for (int i = 0; i < n; i++) {
        f.z[i * r] = 2.0 * (f.codes[i] == 1);
        f.z[i * r + 1] = 5.0;
        f.z[i * r + 2] = 3.0 * (f.codes[i] == 2);
    }
    fit_and_apply(&f, (ald_predictor_options){"gaussian", 1, 0.0}, &data, n, f.z, p);
    for (int i = 0; i < n; i++) assert_close(p[i * c + f.codes[i]], 1.0, 1e-12);
    end(&f);
}

static void refused(fixture *f, ald_predictor_options options, const ald_predictor_data *data,
                    const char *part)
{
    const ald_status status = ald_predictor_fit(&f->run, &options, data, f->model);
    assert_true(status < 0);
    if (!strstr(f->error.message, part)) fail_msg("'%s' lacks '%s'", f->error.message, part);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    fixture f;
    begin(&f);
    ald_predictor_data data = data_of(&f, ALD_TARGET_REAL, 0);
    refused(&f, (ald_predictor_options){"gaussian", 1, 0.0}, &data, "use one of linear, ridge, knn");
    refused(&f, (ald_predictor_options){"knn", 0, 0.0}, &data, "give a number from 1");
    refused(&f, (ald_predictor_options){"knn", n + 1, 0.0}, &data, "there are only 60 rows");
    refused(&f, (ald_predictor_options){"linear", 5, 0.0}, &data, "use `predictor=knn`");
    refused(&f, (ald_predictor_options){"linear", 1, 0.5}, &data, "has no ridge");
    refused(&f, (ald_predictor_options){"none", 2, 0.0}, &data, "use `predictor=knn`");
    data = data_of(&f, ALD_TARGET_LABELS, 0);
    refused(&f, (ald_predictor_options){"centroid", 1, 0.0}, &data, "several labels");
    data.kind = ALD_TARGET_NONE;
    refused(&f, (ald_predictor_options){"linear", 1, 0.0}, &data, "without a target");
    data = data_of(&f, ALD_TARGET_CLASSES, 0);
    data.y_mean = f.w;
    refused(&f, (ald_predictor_options){"logistic", 1, 0.0}, &data, "neither streamed nor updated");
    data.y_mean = NULL;
    data.n = 0;
    refused(&f, (ald_predictor_options){"gaussian", 1, 0.0}, &data, "no rows");
    memset(f.w, 0, sizeof f.w);
    data = data_of(&f, ALD_TARGET_CLASSES, 1);
    refused(&f, (ald_predictor_options){"knn", 1, 0.0}, &data, "no rows");
    end(&f);
}

static const char *const names[] = {
    "linear", "ridge", "one-vs-rest", "centroid", "gaussian", "logistic", "knn",
};

static ald_model *fit_sample(ald_context *context, const support_sample *s, const char *predictor)
{
    const ald_target y = support_sample_target(s, ALD_TARGET_CLASSES);
    ald_settings *settings = support_settings(context, "pls", "n_components=2 scale=standard");
    ald_model *model;
    ald_error error;
    assert_done(ald_settings_set_text(settings, "predictor", predictor, &error), error);
    assert_done(ald_fit(context, settings, &s->view, &y, &model, &error), error);
    ald_settings_free(settings);
    return model;
}

/* Through the public interface: shapes, predictions from scores, the same after saving and for any number of
 * threads.
 */
static void models_predict(void **state)
{
    (void)state;
    support_sample s = support_sample_make(90, 6, 11);
    static double scores[90 * 3], again[90 * 3], classes[90];
    ald_error error;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const int probable = strcmp(names[i], "gaussian") == 0 || strcmp(names[i], "logistic") == 0 ||
                             strcmp(names[i], "knn") == 0;
        ald_context *one = support_context(1, NULL), *two = support_context(2, NULL);
        ald_model *model = fit_sample(one, &s, names[i]), *other = fit_sample(two, &s, names[i]), *loaded;
        const ald_prediction_shape shape = support_prediction_shape(model);
        assert_int_equal(shape.kind, ALD_TARGET_CLASSES);
        assert_int_equal(shape.columns, 1);
        assert_int_equal(shape.scores, 3);
        assert_int_equal(shape.probabilities, probable);
        assert_done(ald_predict(one, model, &s.view, classes, &error), error);
        assert_done(ald_predict_scores(one, model, &s.view, scores, &error), error);
        for (int k = 0; k < 90; k++) {
            const double *row = scores + 3 * k;
            for (int g = 0; g < 3; g++) assert_true(row[g] <= row[(int)classes[k]]);
            if (probable) assert_close(row[0] + row[1] + row[2], 1.0, 1e-14);
        }
        assert_done(ald_predict_scores(two, other, &s.view, again, &error), error);
        assert_below(support_largest_difference(90 * 3, scores, again), 1e-8);
        assert_done(ald_model_save(one, model, "predictor.ald", &error), error);
        assert_done(ald_model_load(one, "predictor.ald", &loaded, &error), error);
        assert_done(ald_predict_scores(one, loaded, &s.view, again, &error), error);
        assert_memory_equal(scores, again, sizeof scores);
        ald_model_free(loaded);
        ald_model_free(other);
        ald_model_free(model);
        ald_context_free(two);
        ald_context_free(one);
    }
    remove("predictor.ald");
    support_sample_free(&s);
}

/* The predictor that is set for settings in words ("" where nothing is). */
static void assert_auto(const char *words, ald_target_kind kind, int stream, const char *expected)
{
    ald_context *context = support_context(1, NULL);
    ald_settings *settings = NULL;
    const char *chosen = "";
    ald_error error;
    assert_int_equal(ald_settings_from_words(context, words, &settings, &error), ALD_OK);
    assert_int_equal(ald_predictor_auto(settings, kind, stream, &chosen, &error), ALD_OK);
    assert_string_equal(chosen ? chosen : "", expected);
    if (chosen) assert_string_equal(ald_settings_text(settings, "predictor"), expected);
    ald_settings_free(settings);
    ald_context_free(context);
}

static void a_predictor_is_chosen_where_none_is_named(void **state)
{
    (void)state;
    assert_auto("lda", ALD_TARGET_CLASSES, 0, "gaussian");
    assert_auto("pls", ALD_TARGET_REAL, 1, "linear");
    assert_auto("hsl", ALD_TARGET_LABELS, 0, "one-vs-rest");
    assert_auto("pca", ALD_TARGET_NONE, 0, "");
    assert_auto("pls predictor=none", ALD_TARGET_REAL, 0, "");
    assert_auto("pls predictor=knn", ALD_TARGET_REAL, 0, "");
    assert_auto("cmvu", ALD_TARGET_REAL, 0, ""); /* no map */
    assert_auto("sir", ALD_TARGET_REAL, 0, "linear");
    assert_auto("sir", ALD_TARGET_REAL, 1, ""); /* slices only */
    assert_auto("sir keep_statistics=1", ALD_TARGET_REAL, 0, "");
    assert_auto("sir keep_statistics=1", ALD_TARGET_CLASSES, 1, "gaussian");
}

static void predictors_give_what_is_said(void **state)
{
    (void)state;
    assert_int_equal(ald_predictor_gives(NULL, ALD_TARGET_CLASSES), ALD_GIVES_PROBABILITIES);
    assert_int_equal(ald_predictor_gives("centroid", ALD_TARGET_CLASSES), ALD_GIVES_SCORES);
    assert_int_equal(ald_predictor_gives("centroid", ALD_TARGET_REAL), ALD_GIVES_NOTHING);
    assert_int_equal(ald_predictor_gives("knn", ALD_TARGET_REAL), ALD_GIVES_RESPONSES);
    assert_int_equal(ald_predictor_gives("knn", ALD_TARGET_LABELS), ALD_GIVES_PROBABILITIES);
    assert_int_equal(ald_predictor_gives(NULL, ALD_TARGET_LABELS), ALD_GIVES_SCORES);
    assert_int_equal(ald_predictor_gives("nonsense", ALD_TARGET_REAL), ALD_GIVES_NOTHING);
    assert_int_equal(ald_predictor_gives(NULL, ALD_TARGET_NONE), ALD_GIVES_NOTHING);
}

static void scores_decide(void **state)
{
    (void)state;
    const double scores[] = {0.2, 0.7, 0.7, 0.5, 0.1, 0.5000001};
    double decided[6] = {9, 9, 9, 9, 9, 9};
    ald_decide(ALD_TARGET_CLASSES, 2, 3, scores, decided);
    assert_memory_equal(decided, ((double[]){1, 2, 9}), 3 * sizeof *decided); /* of equal ones the first */
    ald_decide(ALD_TARGET_LABELS, 2, 3, scores, decided);
    assert_memory_equal(decided, ((double[]){0, 1, 1, 0, 0, 1}), sizeof decided);
    ald_decide(ALD_TARGET_REAL, 2, 3, scores, decided);
    assert_memory_equal(decided, scores, sizeof decided);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(least_squares_solve_their_equations),
        cmocka_unit_test(logistic_is_stationary),
        cmocka_unit_test(logistic_has_edges),
        cmocka_unit_test(gaussian_is_the_classical_rule),
        cmocka_unit_test(gaussian_survives_no_spread),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(models_predict),
        cmocka_unit_test(a_predictor_is_chosen_where_none_is_named),
        cmocka_unit_test(predictors_give_what_is_said),
        cmocka_unit_test(scores_decide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
