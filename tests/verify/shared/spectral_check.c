#include "verify/shared/spectral_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double entry(const double *b, int i, int j)
{
    return b ? b[i * d + j] : i == j;
}

/* Eigenvalues of (A, B) above t: positive pivots of A - t B (Sylvester's law). */
static int count_above(const double *a, const double *b, double t)
{
    double m[d * d];
    int positive = 0;
    for (int i = 0; i < d; i++)
        for (int j = 0; j < d; j++) m[i * d + j] = a[i * d + j] - t * entry(b, i, j);
    for (int k = 0; k < d; k++) {
        positive += m[k * d + k] > 0.0;
        for (int i = k + 1; i < d; i++)
            for (int j = k + 1; j < d; j++) m[i * d + j] -= m[i * d + k] * m[k * d + j] / m[k * d + k];
    }
    return positive;
}

estimate estimate_of(const ald_model *model)
{
    const char *error = ald_model_text(model, "alidade.resolved.error_estimate"),
               *residual = ald_model_text(model, "alidade.resolved.residual");
    return error ? (estimate){strtod(error, NULL), strtod(residual, NULL)} : (estimate){0};
}

void check_top_eigenvectors(const ald_model *model, const double *a, const double *b)
{
    const double *w = array_of(model, "components", r, d), *values = array_of(model, "eigenvalues", r, 0);
    const estimate told = estimate_of(model);
    const double error = told.error * values[0], above = values[r - 1] * (1.0 + 1e-7);
    double identity[d * d], aw[d * r], bw[d * r], gram[r * r];
    for (int i = 0; i < d * d; i++) identity[i] = entry(b, i / d, i % d);
    support_multiply(0, 1, d, r, d, a, w, aw);
    support_multiply(0, 1, d, r, d, identity, w, bw);
    support_multiply(0, 0, r, r, d, w, bw, gram);
    for (int k = 0; k < r; k++) {
        const double size = values[0] * support_norm(d * r, bw),
                     slack = 1e-8 * size + told.residual * values[0] * sqrt(values[0] / values[k]);
        for (int j = 0; j < d; j++) assert_close(aw[j * r + k], values[k] * bw[j * r + k], slack);
        for (int l = 0; l < r; l++) assert_close(gram[k * r + l], k == l, 1e-8);
        if (k) assert_true(values[k] <= values[k - 1]);
    }
    assert_in_range(count_above(a, b, above + error), 0, r - 1);
    assert_true(count_above(a, b, values[r - 1] * (1.0 - 1e-7)) >= r);
    if (told.residual > 1e-12) return;
    assert_int_equal(count_above(a, b, above), r - 1);
    assert_int_equal(count_above(a, b, values[r - 1] * (1.0 - 1e-7)), r);
}
