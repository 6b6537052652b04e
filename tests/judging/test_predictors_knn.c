/* Nearest neighbours on a projection against all distances sorted, and models of them that are damaged. */
#include "predictors_fixture.h"

#include <math.h>
#include <string.h>

/* Plain: all distances sorted by (distance, row). */
static void nearest(const ald_predictor_data *data, const double *z, int64_t k, double *score)
{
    double total = 0.0;
    int taken[n] = {0};
    memset(score, 0, c * sizeof *score);
    for (int64_t m = 0; m < k; m++) {
        int best = -1;
        double least = INFINITY;
        for (int i = 0; i < n; i++) {
            double square = 0.0;
            for (int l = 0; l < r; l++) square += pow(data->z[i * r + l] - z[l], 2);
            if (taken[i] || !(weight(data, i) > 0.0) || !(square < least)) continue;
            least = square;
            best = i;
        }
        taken[best] = 1;
        total += weight(data, best);
        for (int g = 0; g < c; g++) score[g] += weight(data, best) * data->y[best * c + g];
    }
    for (int g = 0; g < c; g++) score[g] /= total;
}

/* On a grid of whole numbers, so that there are ties. */
static void knn_takes_the_nearest(void **state)
{
    (void)state;
    fixture f;
    begin(&f);
    static double scores[n * c], asked[n * r];
    static const ald_target_kind kinds[] = {ALD_TARGET_CLASSES, ALD_TARGET_REAL, ALD_TARGET_LABELS};
    double want[c];
    for (int i = 0; i < n * r; i++) {
        f.z[i] = i * 5 % 7 % 3;
        asked[i] = i * 11 % 13 % 4;
    }
    for (int weighted = 0; weighted < 2; weighted++)
        for (int kind = 0; kind < 3; kind++)
            for (int64_t k = kinds[kind] == ALD_TARGET_CLASSES ? 0 : 1; k < 8; k += 2) {
                const ald_predictor_data data = data_of(&f, kinds[kind], weighted);
                fit_and_apply(&f, (ald_predictor_options){"knn", k, 0.0}, &data, n, asked, scores);
                for (int i = 0; i < n; i++) {
                    nearest(&data, asked + i * r, k ? k : c + 1, want);
                    for (int g = 0; g < c; g++) assert_close(scores[i * c + g], want[g], 1e-14);
                }
            }
    assert_string_equal(ald_model_text(f.model, "alidade.predictor.neighbors"), "7");
    end(&f);
}

/* A model of nearest neighbours as a file might hold it: two rows, of which something does not fit. */
static int64_t outputs_of(fixture *f, const char *k, const char *classes, const double *y,
                          const double *weights)
{
    static const double z[2 * r] = {0};
    ald_model_free(f->model);
    assert_done(ald_model_new(&f->run, &f->model), f->error);
    assert_done(ald_model_add_matrix(&f->run, f->model, "predictor/z", 2, r, z), f->error);
    assert_done(ald_model_add_vector(&f->run, f->model, "predictor/y", 2, y), f->error);
    if (weights)
        assert_done(ald_model_add_vector(&f->run, f->model, "predictor/weights", 2, weights), f->error);
    assert_done(ald_model_set_text(&f->run, f->model, "alidade.predictor.neighbors", k), f->error);
    assert_done(ald_model_set_text(&f->run, f->model, "alidade.predictor.n_classes", classes), f->error);
    return ald_predictor_knn.outputs(f->model, r);
}

static void damaged_neighbours_are_seen(void **state)
{
    (void)state;
    static const double good[] = {0, 2}, high[] = {0, 3}, half[] = {0.5, 0}, low[] = {-1, 0};
    static const double positive[] = {1, 2}, zero[] = {1, 0};
    fixture f;
    begin(&f);
    assert_int_equal(outputs_of(&f, "1", "3", good, NULL), 3);
    assert_int_equal(outputs_of(&f, "2", "3", good, positive), 3);
    assert_int_equal(outputs_of(&f, "3", "3", good, NULL), 0);
    assert_int_equal(outputs_of(&f, "0", "3", good, NULL), 0);
    assert_int_equal(outputs_of(&f, "many", "3", good, NULL), 0);
    assert_int_equal(outputs_of(&f, "1", "-3", good, NULL), 0);
    assert_int_equal(outputs_of(&f, "1", "3", high, NULL), 0);
    assert_int_equal(outputs_of(&f, "1", "3", half, NULL), 0);
    assert_int_equal(outputs_of(&f, "1", "3", low, NULL), 0);
    assert_int_equal(outputs_of(&f, "1", "3", good, zero), 0);
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knn_takes_the_nearest),
        cmocka_unit_test(damaged_neighbours_are_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
