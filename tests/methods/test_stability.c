/* The bootstrap of a subspace: what does not move, what moves everywhere, and what the angles do not depend
 * on. */
#include "support/fitting.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { n = 80, d = 5, most = 4 };
static const double quarter = 1.57079632679489661923; /* a right angle */

typedef struct moved {
    ald_stability_row rows[most];
    ald_stability_summary summary;
} moved;

static ald_status move(int threads, const ald_model *model, const ald_matrix *x, const ald_target *y,
                       ald_stability_options options, moved *m, ald_error *error)
{
    ald_context *context = support_context(threads, NULL);
    memset(m, 0, sizeof *m);
    options.size = sizeof options;
    m->rows[0].size = sizeof m->rows[0];
    m->summary.size = sizeof m->summary;
    const ald_status status = ald_stability(context, model, x, y, &options, m->rows, &m->summary, error);
    ald_context_free(context);
    return status;
}

static moved stability(const ald_model *model, const ald_matrix *x, const ald_target *y,
                       ald_stability_options options)
{
    ald_error error;
    moved m;
    assert_done(move(2, model, x, y, options, &m, &error), error);
    return m;
}

/* y = x1 - x2 without noise: least squares finds it in every resample, to what arc cosines can tell. Noise:
 * angles of random directions; the largest of d = 5 columns is far from 0. */
static void truth_stays_and_noise_moves(void **state)
{
    (void)state;
    double *x = support_normals(3, n * d), *t = support_normals(4, n);
    double exact[n];
    for (int i = 0; i < n; i++) exact[i] = x[i * d] - x[i * d + 1];
    const ald_matrix view = ald_matrix_row_major(x, n, d, d);
    const ald_target sure = ald_target_real(ald_matrix_row_major(exact, n, 1, 1)),
                     noise = ald_target_real(ald_matrix_row_major(t, n, 1, 1));
    ald_model *model = support_fit("cca", "n_components=1", &view, &sure);
    const moved fixed = stability(model, &view, &sure, (ald_stability_options){.resamples = 50});
    assert_int_equal(fixed.summary.resamples, 50);
    assert_int_equal(fixed.summary.failed, 0);
    assert_below(fixed.rows[0].high, 1e-6);
    ald_model_free(model);
    model = support_fit("cca", "n_components=1", &view, &noise);
    const moved loose = stability(model, &view, &noise, (ald_stability_options){.resamples = 50});
    assert_true(loose.rows[0].mean > 0.4 && loose.rows[0].high > loose.rows[0].largest);
    assert_below(loose.rows[0].high, quarter);
    ald_model_free(model);
    free(x);
    free(t);
}

/* d directions in d columns span everything: no angle. And they are all of one size for one direction. */
static void all_directions_do_not_move(void **state)
{
    (void)state;
    support_sample s = support_sample_make(n, 4, 3);
    const ald_target y = support_sample_target(&s, ALD_TARGET_REAL);
    ald_model *model = support_fit("pls", "n_components=4", &s.view, &y);
    const moved m = stability(model, &s.view, &y, (ald_stability_options){.resamples = 20, .seed = 9});
    assert_close(m.rows[0].mean, m.rows[0].largest, 1e-15);
    assert_true(m.rows[1].mean < m.rows[1].largest);
    assert_below(m.rows[3].high, 1e-6);
    ald_model_free(model);
    support_sample_free(&s);
}

/* The same bytes on one thread and on four; the same angles in other units of the features; other seeds
 * differ. */
static void depends_on_the_seed_only(void **state)
{
    (void)state;
    static const char *const methods[] = {"lda", "kspca"};
    support_sample s = support_sample_make(n, d, 5);
    const ald_target y = support_sample_target(&s, ALD_TARGET_CLASSES);
    ald_error error;
    for (int m = 0; m < 2; m++) {
        ald_model *model = support_fit(methods[m], "n_components=2", &s.view, &y);
        moved one, four, other;
        assert_done(move(1, model, &s.view, &y, (ald_stability_options){.resamples = 12}, &one, &error),
                    error);
        assert_done(move(4, model, &s.view, &y, (ald_stability_options){.resamples = 12}, &four, &error),
                    error);
        assert_done(
            move(4, model, &s.view, &y, (ald_stability_options){.resamples = 12, .seed = 1}, &other, &error),
            error);
        assert_memory_equal(&one, &four, sizeof one);
        assert_true(fabs(one.rows[0].mean - other.rows[0].mean) > 1e-6);
        ald_model_free(model);
    }
    double *scaled = malloc(n * d * sizeof *scaled);
    for (int i = 0; i < n * d; i++) scaled[i] = s.x[i] * (1.0 + i % d) + 2.0;
    const ald_matrix view = ald_matrix_row_major(scaled, n, d, d);
    ald_model *a = support_fit("lda", "n_components=2", &s.view, &y),
              *b = support_fit("lda", "n_components=2", &view, &y);
    const moved left = stability(a, &s.view, &y, (ald_stability_options){.resamples = 10}),
                right = stability(b, &view, &y, (ald_stability_options){.resamples = 10});
    for (int k = 0; k < 2; k++) assert_close(left.rows[k].largest, right.rows[k].largest, 1e-7);
    ald_model_free(a);
    ald_model_free(b);
    free(scaled);
    support_sample_free(&s);
}

/* More rows, less movement: four times as many about half the angle. Halves move as much as the bootstrap,
 * roughly. */
static void angles_shrink_with_the_rows(void **state)
{
    (void)state;
    double angle[3];
    for (int size = 0; size < 3; size++) {
        const int64_t rows = size == 0 ? 100 : 1600;
        double *x = support_normals(13, rows * d), *t = support_normals(14, rows);
        for (int64_t i = 0; i < rows; i++) t[i] += x[i * d];
        const ald_matrix view = ald_matrix_row_major(x, rows, d, d);
        const ald_target y = ald_target_real(ald_matrix_row_major(t, rows, 1, 1));
        ald_model *model = support_fit("cca", "n_components=1", &view, &y);
        angle[size] = stability(model, &view, &y, (ald_stability_options){.resamples = 60, .half = size == 2})
                          .rows[0]
                          .mean;
        ald_model_free(model);
        free(x);
        free(t);
    }
    /* 1/sqrt(16), known to about a quarter from 60 resamples of one sample each */
    assert_true(angle[0] / angle[1] > 2.5 && angle[0] / angle[1] < 6.5);
    assert_true(angle[2] / angle[1] > 0.6 && angle[2] / angle[1] < 1.6);
}

/* Weights go with their rows: rows of weight 0 change nothing. */
static void weights_stay_with_their_rows(void **state)
{
    (void)state;
    support_sample s = support_sample_make(n, d, 6);
    ald_target y = support_sample_target(&s, ALD_TARGET_REAL);
    double weights[n];
    for (int i = 0; i < n; i++) weights[i] = i % 2 ? 1.0 : 0.0;
    y.weights = weights;
    ald_model *before = support_fit("pls", "n_components=1", &s.view, &y);
    const moved a = stability(before, &s.view, &y, (ald_stability_options){.resamples = 10});
    for (int i = 0; i < n; i += 2)
        for (int k = 0; k < 3; k++) s.responses[i * 3 + k] = 1000.0 * i;
    ald_model *after = support_fit("pls", "n_components=1", &s.view, &y);
    const moved b = stability(after, &s.view, &y, (ald_stability_options){.resamples = 10});
    assert_close(a.rows[0].mean, b.rows[0].mean, 1e-7);
    ald_model_free(before);
    ald_model_free(after);
    support_sample_free(&s);
}

/* A class of one row is in every resample; one whose two rows may be drawn as the same row twice does no
 * harm. What no resample can do is told, and so is what only some cannot. */
static void small_classes_and_failures(void **state)
{
    (void)state;
    support_sample s = support_sample_make(n, d, 7);
    int32_t classes[n];
    ald_error error;
    moved m;
    for (int i = 0; i < n; i++) classes[i] = i < 3 ? 3 : i % 2;
    classes[0] = 2;
    ald_target y = ald_target_classes(classes, n, 4);
    ald_model *model = support_fit("lda", "n_components=2", &s.view, &y);
    m = stability(model, &s.view, &y, (ald_stability_options){.resamples = 30});
    assert_int_equal(m.summary.failed, 0);
    ald_model_free(model);
    /* Column 4 is set in one row only: without that row four directions of pca are too many. */
    for (int i = 0; i < n; i++) {
        s.x[i * d + 3] = i == 5;
        s.x[i * d + 4] = 0.0;
    }
    model = support_fit("pca", "n_components=4", &s.view, NULL);
    m = stability(model, &s.view, NULL, (ald_stability_options){.resamples = 60});
    assert_true(m.summary.failed > 5 && m.summary.resamples > 5 &&
                m.summary.failed + m.summary.resamples == 60);
    assert_non_null(strstr(m.summary.note, "lower `n_components`"));
    ald_model_free(model);
    y = support_sample_target(&s, ALD_TARGET_CLASSES);
    model = support_fit("kspca", "n_components=1 kernel=isomap n_neighbors=10", &s.view, &y);
    assert_int_equal(move(1, model, &s.view, &y, (ald_stability_options){0}, &m, &error),
                     ALD_ERROR_UNSUPPORTED);
    ald_model_free(model);
    model = support_fit("lda", "n_components=1 ridge=1", &s.view, &y);
    assert_int_equal(move(1, model, &s.view, &y, (ald_stability_options){.resamples = -1}, &m, &error),
                     ALD_ERROR_ARGUMENT);
    const ald_matrix narrow = ald_matrix_row_major(s.x, n, d - 1, d);
    assert_int_equal(move(1, model, &narrow, &y, (ald_stability_options){0}, &m, &error), ALD_ERROR_DATA);
    ald_model_free(model);
    support_sample_free(&s);
}

/* y goes by columns 0 and 1 of five: what is found does not move, permuted targets do; the two columns lead
 * in every resample. */
static void the_yardstick_and_the_leading_features(void **state)
{
    (void)state;
    double *x = support_normals(31, n * d), *t = support_normals(32, n);
    double frequency[d], permuted[d], sum = 0.0, permuted_sum = 0.0;
    for (int i = 0; i < n; i++) t[i] = x[i * d] - x[i * d + 1] + 0.1 * t[i];
    const ald_matrix view = ald_matrix_row_major(x, n, d, d);
    const ald_target y = ald_target_real(ald_matrix_row_major(t, n, 1, 1));
    ald_model *model = support_fit("cca", "n_components=1", &view, &y);
    const ald_stability_options options = {
        .resamples = 40,
        .permuted = 40,
        .leading = 2,
        .frequency = frequency,
        .permuted_frequency = permuted,
    };
    const moved m = stability(model, &view, &y, options);
    assert_int_equal(m.summary.permuted, 40);
    assert_int_equal(m.summary.leading, 2);
    assert_true(m.rows[0].high < 0.1 && m.rows[0].permuted_mean > 0.4);
    assert_true(m.rows[0].permuted_high >= m.rows[0].permuted_largest);
    assert_close(frequency[0], 1.0, 0.0);
    assert_close(frequency[1], 1.0, 0.0);
    for (int j = 0; j < d; j++) sum += frequency[j];
    assert_close(sum, 2.0, 1e-12);
    /* Of the yardstick the sum is the same and the order falls; a feature leads more often than 2 of 5 by
     * accident. */
    for (int j = 0; j < d; j++) permuted_sum += permuted[j];
    assert_close(permuted_sum, 2.0, 1e-12);
    for (int j = 1; j < d; j++) assert_true(permuted[j - 1] >= permuted[j]);
    assert_true(permuted[0] > 0.4 && permuted[0] <= 1.0 && permuted[4] < 0.4);
    /* Without being asked for there is none, and the angles are the same. */
    const moved bare = stability(model, &view, &y, (ald_stability_options){.resamples = 40});
    assert_true(isnan(bare.rows[0].permuted_mean) && bare.summary.permuted == 0);
    assert_close(bare.rows[0].mean, m.rows[0].mean, 0.0);
    ald_model_free(model);
    free(x);
    free(t);
}

/* The same for any number of threads; without a target nothing can be permuted; kernels have no features. */
static void the_yardstick_at_its_edges(void **state)
{
    (void)state;
    support_sample s = support_sample_make(n, d, 8);
    const ald_target y = support_sample_target(&s, ALD_TARGET_CLASSES);
    double one[d], four[d];
    ald_error error;
    moved a, b;
    ald_model *model = support_fit("lda", "n_components=2", &s.view, &y);
    ald_stability_options options = {.resamples = 12, .permuted = 12, .frequency = one};
    assert_done(move(1, model, &s.view, &y, options, &a, &error), error);
    options.frequency = four;
    assert_done(move(4, model, &s.view, &y, options, &b, &error), error);
    assert_memory_equal(&a, &b, sizeof a);
    assert_memory_equal(one, four, sizeof one);
    assert_int_equal(a.summary.leading, 2); /* a quarter of five, rounded up */
    options.leading = d + 1;
    assert_int_equal(move(1, model, &s.view, &y, options, &a, &error), ALD_ERROR_ARGUMENT);
    options.leading = 0;
    options.frequency = NULL;
    options.permuted_frequency = one;
    assert_int_equal(move(1, model, &s.view, &y, options, &a, &error), ALD_ERROR_ARGUMENT);
    options.frequency = four;
    options.permuted = 0; /* nothing permuted: no yardstick */
    assert_done(move(1, model, &s.view, &y, options, &a, &error), error);
    assert_true(isnan(one[0]) && isnan(one[d - 1]));
    options.permuted_frequency = NULL;
    options.permuted = -1;
    assert_int_equal(move(1, model, &s.view, &y, options, &a, &error), ALD_ERROR_ARGUMENT);
    options.permuted = 5;
    ald_model_free(model);
    model = support_fit("pca", "n_components=2", &s.view, NULL);
    assert_done(move(1, model, &s.view, NULL, options, &a, &error), error);
    assert_int_equal(a.summary.permuted, 0);
    ald_model_free(model);
    model = support_fit("kspca", "n_components=1", &s.view, &y);
    assert_int_equal(move(1, model, &s.view, &y, options, &a, &error), ALD_ERROR_UNSUPPORTED);
    ald_model_free(model);
    support_sample_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_yardstick_and_the_leading_features),
        cmocka_unit_test(the_yardstick_at_its_edges),
        cmocka_unit_test(truth_stays_and_noise_moves),
        cmocka_unit_test(all_directions_do_not_move),
        cmocka_unit_test(depends_on_the_seed_only),
        cmocka_unit_test(angles_shrink_with_the_rows),
        cmocka_unit_test(weights_stay_with_their_rows),
        cmocka_unit_test(small_classes_and_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
