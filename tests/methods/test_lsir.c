/* lsir: sir when a neighbourhood is a whole slice, by every solver; the Tai Chi of the paper, supervised and
 * not; rows without a target by the definition. */
#include "support/fitting.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void whole_slices_are_sir(void **state)
{
    (void)state;
    static const char *const solvers[] = {"solver=direct", "solver=dual", "solver=two-stage tol=1e-14"};
    support_sample s = support_sample_make(150, 8, 5), wide = support_sample_make(40, 70, 6);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            const support_sample *sample = k == 2 ? &wide : &s;
            ald_target y = support_sample_target(sample, k == 1 ? ALD_TARGET_REAL : ALD_TARGET_CLASSES);
            if (k == 1) y.values.cols = 1;
            char ours[120], theirs[120];
            snprintf(ours, sizeof ours, "n_components=2 n_neighbors=150 ridge=0.1 ridge_rel=0.01 %s",
                     solvers[i]);
            snprintf(theirs, sizeof theirs, "n_components=2 ridge=0.1 ridge_rel=0.01 %s", solvers[i]);
            ald_model *local = support_fit("lsir", ours, &sample->view, &y),
                      *plain = support_fit("sir", theirs, &sample->view, &y);
            support_assert_same_model(local, plain, 1e-6);
            ald_model_free(local);
            ald_model_free(plain);
        }
    support_sample_free(&s);
    support_sample_free(&wide);
}

/* Mean squared cosine between the span of the rows of a (2 x d) and the first two coordinates. */
static double trace_correlation(int64_t d, const double *a)
{
    double first[64], second[64], along = 0.0, sum = 0.0;
    const double length = support_norm(d, a);
    for (int64_t j = 0; j < d; j++) first[j] = a[j] / length;
    for (int64_t j = 0; j < d; j++) along += first[j] * a[d + j];
    for (int64_t j = 0; j < d; j++) second[j] = a[d + j] - along * first[j];
    const double rest = support_norm(d, second);
    for (int j = 0; j < 2; j++) sum += first[j] * first[j] + second[j] * second[j] / rest / rest;
    return sum / 2.0;
}

/* n rows of the disc of radius 2 with eyes of 1/3 and four noise columns, the first `labelled` with their
 * class. */
static double taichi(uint64_t seed, int64_t n, int64_t labelled, const char *set)
{
    ald_context *context = support_context(1, NULL);
    const ald_generate_options options = {
        .size = sizeof options,
        .n = n,
        .d = 6,
        .seed = seed,
        .radius = 2.0,
    };
    ald_dataset *data;
    ald_error error;
    assert_done(ald_generate_dataset(context, "taichi", &options, &data, &error), error);
    ald_target y = *ald_dataset_target(data);
    unsigned char *mask = malloc((size_t)n);
    for (int64_t i = 0; i < n; i++) mask[i] = i < labelled;
    y.labelled = mask;
    ald_model *model = support_fit("lsir", set, ald_dataset_x(data), &y);
    const double found = trace_correlation(6, support_reals(model, "components", NULL));
    ald_model_free(model);
    free(mask);
    ald_dataset_free(data);
    ald_context_free(context);
    return found;
}

static void tai_chi_as_in_the_paper(void **state)
{
    (void)state;
    const char *const set = "n_components=2 n_neighbors=10 ridge_rel=0";
    double supervised = 0.0, few = 0.0, semi = 0.0;
    for (uint64_t seed = 1; seed <= 40; seed++) supervised += taichi(seed, 250, 250, set) / 40.0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        few += taichi(seed, 50, 50, set) / 20.0;
        semi += taichi(seed, 1000, 50, set) / 20.0;
    }
    print_message("lsir on Tai Chi, squared trace correlation: %.3f of 250 rows, %.3f of 50, %.3f with 950 "
                  "unlabelled\n",
                  supervised, few, semi);
    assert_true(supervised >= 0.83);
    assert_true(semi >= 0.93);
    assert_true(semi > few);
}

/* Rows without a target by the definition, in plain loops: the residual of Gamma_loc b = lambda Sigma b. */
static void rows_without_a_target_are_candidates(void **state)
{
    (void)state;
    enum { n = 80, d = 5, k = 6 };
    support_sample s = support_sample_make(n, d, 8);
    ald_target y = support_sample_target(&s, ALD_TARGET_CLASSES);
    unsigned char labelled[n];
    double mean[d] = {0}, sigma[d * d] = {0}, gamma[d * d] = {0};
    for (int i = 0; i < n; i++) labelled[i] = i % 4 == 0 || i % 7 == 0;
    y.labelled = labelled;
    for (int i = 0; i < n; i++)
        for (int c = 0; c < d; c++) mean[c] += s.x[i * d + c] / n;
    for (int i = 0; i < n; i++) {
        unsigned char taken[n] = {0};
        double local[d] = {0};
        for (int a = 0; a < k; a++) { /* the row itself is at distance 0 */
            int best = -1;
            double least = INFINITY;
            for (int j = 0; j < n; j++) {
                double square = 0.0;
                if (taken[j] || (labelled[i] && labelled[j] && s.classes[i] != s.classes[j])) continue;
                for (int c = 0; c < d; c++) square += pow(s.x[i * d + c] - s.x[j * d + c], 2.0);
                if (square < least) {
                    least = square;
                    best = j;
                }
            }
            taken[best] = 1;
            for (int c = 0; c < d; c++) local[c] += (s.x[best * d + c] - mean[c]) / k;
        }
        for (int a = 0; a < d; a++)
            for (int b = 0; b < d; b++) {
                gamma[a * d + b] += local[a] * local[b] / n;
                sigma[a * d + b] += (s.x[i * d + a] - mean[a]) * (s.x[i * d + b] - mean[b]) / n;
            }
    }
    ald_model *model = support_fit("lsir", "n_components=2 n_neighbors=6 ridge_rel=0", &s.view, &y);
    const double *w = support_reals(model, "components", NULL),
                 *values = support_reals(model, "eigenvalues", NULL);
    for (int a = 0; a < 2; a++) {
        double gw[d], sw[d], unit = 0.0;
        support_multiply(0, 0, d, 1, d, gamma, w + a * d, gw);
        support_multiply(0, 0, d, 1, d, sigma, w + a * d, sw);
        for (int c = 0; c < d; c++) {
            assert_close(gw[c], values[a] * sw[c], 1e-10 * support_norm(d, sw));
            unit += w[a * d + c] * sw[c];
        }
        assert_close(unit, 1.0, 1e-10);
    }
    assert_string_equal(ald_model_text(model, "alidade.resolved.unlabelled_rows"), "51");
    ald_model_free(model);
    support_sample_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_slices_are_sir),
        cmocka_unit_test(tai_chi_as_in_the_paper),
        cmocka_unit_test(rows_without_a_target_are_candidates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
