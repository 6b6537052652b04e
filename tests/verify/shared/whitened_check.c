#include "verify/shared/whitened_check.h"
#include "support/eigen.h"

#include <math.h>
#include <string.h>

void whiten_by_loops(const prepared *p, whitened *w)
{
    double copy[d * d], values[d], vectors[d * d];
    support_multiply(1, 0, d, d, n, p->z, p->z, w->sigma);
    for (int k = 0; k < d * d; k++) w->sigma[k] /= p->total;
    memcpy(copy, w->sigma, sizeof copy);
    support_eigen(d, copy, values, vectors);
    w->rank = 0;
    while (w->rank < d && values[w->rank] > 1e-10 * values[0]) w->rank++;
    for (int j = 0; j < d; j++)
        for (int a = 0; a < w->rank; a++)
            w->transform[j * w->rank + a] = vectors[a * d + j] / sqrt(values[a]);
    support_multiply(0, 0, n, w->rank, d, p->z, w->transform, w->rows);
}

int slicings_of(const prepared *p)
{
    return p->kind == ALD_TARGET_REAL ? (int)p->m : 1;
}

int slice_by_loops(const prepared *p, int i, int k)
{
    double below = 0.0;
    if (p->kind == ALD_TARGET_CLASSES) return p->classes[i];
    for (int j = 0; j < n; j++)
        if (p->raw[j * p->m + k] < p->raw[i * p->m + k]) below += p->weights[j];
    const int slice = (int)floor(10.0 * below / p->total);
    return slice < 10 ? slice : 9; /* above all rows that weigh: it weighs nothing itself */
}

double slice_moments_by_loops(const prepared *p, const whitened *w, int h, int k, double *mean,
                              double *square)
{
    const int order = w->rank;
    double weight = 0.0;
    memset(mean, 0, (size_t)order * sizeof *mean);
    memset(square, 0, (size_t)(order * order) * sizeof *square);
    for (int i = 0; i < n; i++) {
        const double *u = w->rows + i * order; /* times the root of the weight */
        if (!(p->weights[i] > 0.0) || slice_by_loops(p, i, k) != h) continue;
        weight += p->weights[i];
        for (int a = 0; a < order; a++) mean[a] += p->root[i] * u[a];
        add_product(order, 1.0, u, u, square);
    }
    for (int a = 0; weight > 0.0 && a < order; a++) mean[a] /= weight;
    for (int a = 0; weight > 0.0 && a < order * order; a++) square[a] /= weight;
    return weight;
}

void add_product(int order, double factor, const double *x, const double *y, double *m)
{
    for (int a = 0; a < order; a++)
        for (int b = 0; b < order; b++) m[a * order + b] += factor * x[a] * y[b];
}

/* The eigenvalues of M by falling key. */
static void sort_values(int order, const double *m, double (*key)(double lambda), double *values)
{
    double copy[d * d], vectors[d * d];
    memcpy(copy, m, (size_t)(order * order) * sizeof *copy);
    support_eigen(order, copy, values, vectors);
    for (int i = 0; i < order; i++)
        for (int j = i + 1; j < order; j++)
            if (key(values[j]) > key(values[i])) {
                const double kept = values[i];
                values[i] = values[j];
                values[j] = kept;
            }
}

void verify_whitened(const ald_model *model, const whitened *w, const double *m, double (*key)(double lambda))
{
    const double *b = array_of(model, "components", r, d), *values = array_of(model, "eigenvalues", r, 0);
    double sb[d * r], gram[r * r], eta[d * r], back[d * r], product[d * r], expected[d];
    sort_values(w->rank, m, key, expected);
    const double size = fmax(fabs(expected[0]), fabs(expected[w->rank - 1]));
    support_multiply(0, 1, d, r, d, w->sigma, b, sb);
    support_multiply(0, 0, r, r, d, b, sb, gram);
    support_multiply(1, 0, w->rank, r, d, w->transform, sb, eta); /* T'Sigma T = I */
    support_multiply(0, 0, d, r, w->rank, w->transform, eta, back);
    support_multiply(0, 0, w->rank, r, w->rank, m, eta, product);
    for (int k = 0; k < r; k++) {
        const double length = support_norm(d, b + k * d);
        assert_close(values[k], expected[k], 1e-9 * size);
        for (int l = 0; l < r; l++) assert_close(gram[k * r + l], k == l, 1e-9);
        for (int j = 0; j < d; j++) assert_close(back[j * r + k], b[k * d + j], 1e-9 * length);
        for (int a = 0; a < w->rank; a++)
            assert_close(product[a * r + k], values[k] * eta[a * r + k], 1e-8 * size);
    }
}
