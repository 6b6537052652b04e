#include "verify/shared/sdpp_check.h"

#include <math.h>
#include <stdlib.h>

enum { k = sdpp_neighbours };

void sdpp_nearest(const prepared *p, const double *x, int i, int *out)
{
    double square[n];
    for (int j = 0; j < n; j++) {
        square[j] = 0.0;
        for (int c = 0; c < d; c++) square[j] += pow(x[i * d + c] - x[j * d + c], 2.0);
    }
    for (int j = 0; j < n; j++)
        if (j == i || !(p->weights[j] > 0.0)) square[j] = INFINITY;
    for (int a = 0; a < k; a++) {
        out[a] = 0;
        for (int j = 1; j < n; j++)
            if (square[j] < square[out[a]]) out[a] = j;
        square[out[a]] = INFINITY;
    }
}

double sdpp_wanted_square(const prepared *p, int i, int j)
{
    double sum = 0.0;
    if (p->kind == ALD_TARGET_CLASSES) return p->classes[i] != p->classes[j];
    for (int64_t c = 0; c < p->m; c++) sum += pow(p->raw[i * p->m + c] - p->raw[j * p->m + c], 2.0);
    return sum;
}

/* J and its gradient (r x d) at W by the definition, every directed edge on its own. */
static double criterion(const prepared *p, const double *w, double *gradient, double *size)
{
    static double x[n * d];
    double value = 0.0;
    for (int i = 0; i < n; i++)
        for (int c = 0; c < d; c++) x[i * d + c] = p->z[i * d + c] / (p->root[i] > 0.0 ? p->root[i] : 1.0);
    for (int c = 0; c < r * d; c++) gradient[c] = 0.0;
    *size = 0.0;
    for (int i = 0; i < n; i++) {
        int neighbours[k];
        sdpp_nearest(p, x, i, neighbours);
        for (int a = 0; a < k; a++) {
            double tau[d], t[r] = {0}, length = 0.0, square = 0.0;
            for (int c = 0; c < d; c++) tau[c] = x[i * d + c] - x[neighbours[a] * d + c];
            for (int b = 0; b < r; b++)
                for (int c = 0; c < d; c++) t[b] += w[b * d + c] * tau[c];
            for (int b = 0; b < r; b++) square += t[b] * t[b];
            for (int c = 0; c < d; c++) length += tau[c] * tau[c];
            const double wanted = sdpp_wanted_square(p, i, neighbours[a]), off = square - wanted;
            value += p->weights[i] * off * off / p->total;
            *size += p->weights[i] * 4.0 * wanted * length / p->total;
            for (int b = 0; b < r; b++)
                for (int c = 0; c < d; c++)
                    gradient[b * d + c] += p->weights[i] * 4.0 * off * t[b] * tau[c] / p->total;
        }
    }
    return value;
}

/* Stationary, of the stated value, and turned so that the directions are orthogonal, longest first. */
static void verify_sdpp(const ald_model *model, const prepared *p)
{
    const double *w = array_of(model, "components", r, d), *lengths = array_of(model, "eigenvalues", r, 0);
    double gradient[r * d], size;
    const double value = criterion(p, w, gradient, &size);
    assert_below(support_norm(r * d, gradient), 1e-7 * size * support_norm(r * d, w));
    assert_close(strtod(ald_model_text(model, "alidade.resolved.objective"), NULL), value, 1e-9 * value);
    for (int a = 0; a < r; a++)
        for (int b = 0; b < r; b++) {
            double inner = 0.0;
            for (int c = 0; c < d; c++) inner += w[a * d + c] * w[b * d + c];
            assert_close(inner, a == b ? lengths[a] : 0.0, 1e-10 * lengths[0]);
        }
    assert_true(lengths[0] >= lengths[1]);
}

const verifier verifier_sdpp = {
    .verify = verify_sdpp,
    .variants = {"solver=cg n_starts=24", NULL},
    .always = "tol=1e-14 n_starts=16 max_iter=10000",
    .brief = "n_starts=2",
    .unlabelled = "manifold=0.1 n_starts=2",
    .is_slow = 1,
};
