/* The checks of all methods of src/methods/engines/pencil.h: each writes out its H and shares the rest. */
#include "verify/shared/pencil_check.h"
#include "verify/shared/whitened_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double form(const double *m, const double *u, const double *v)
{
    double sum = 0.0;
    for (int i = 0; i < d; i++)
        for (int j = 0; j < d; j++) sum += u[i] * m[i * d + j] * v[j];
    return sum;
}

void check_pencil(const ald_model *model, const prepared *p, int64_t k, const double *h, double unit)
{
    const double *w = array_of(model, "components", r, d), *values = array_of(model, "eigenvalues", r, 0);
    double s[d * d], a[d * d];
    double *b = malloc((size_t)(d * k) * sizeof *b);
    double aw[d], sw[d];
    support_multiply(1, 0, d, d, n, p->z, p->z, s);
    support_multiply(1, 0, d, k, n, p->z, h, b);
    support_multiply(0, 1, d, d, k, b, b, a);
    for (int i = 0; i < r; i++) {
        support_multiply(0, 0, d, 1, d, a, w + i * d, aw);
        support_multiply(0, 0, d, 1, d, s, w + i * d, sw);
        for (int j = 0; j < d; j++) assert_close(aw[j], values[i] * sw[j], 1e-7 * support_norm(d, sw));
        for (int l = 0; l < r; l++) assert_close(form(s, w + i * d, w + l * d) / unit / unit, i == l, 1e-8);
        if (i) assert_true(values[i] <= values[i - 1]);
    }
    /* No direction orthogonal to these in the metric S does better. */
    for (uint64_t trial = 0; trial < 50; trial++) {
        double *u = support_normals(100 + trial, d);
        for (int l = 0; l < r; l++) {
            const double along = form(s, u, w + l * d) / unit / unit;
            for (int j = 0; j < d; j++) u[j] -= along * w[l * d + j];
        }
        assert_below(form(a, u, u), (values[r - 1] * (1.0 + 1e-8)) * form(s, u, u) + 1e-12);
        free(u);
    }
    free(b);
}

static void verify_lda(const ald_model *model, const prepared *p)
{
    double h[n * 3] = {0}, size[3] = {0};
    for (int i = 0; i < n; i++) size[p->classes[i]] += p->weights[i];
    for (int i = 0; i < n; i++) h[i * 3 + p->classes[i]] = sqrt(p->weights[i] / size[p->classes[i]]);
    check_pencil(model, p, 3, h, 1.0);
}

static void verify_opls(const ald_model *model, const prepared *p)
{
    check_pencil(model, p, p->m, p->y, 1.0);
}

/* An orthonormal basis of the span of Y is an H with the same H H'. */
static void verify_cca(const ald_model *model, const prepared *p)
{
    const int64_t m = p->m;
    double h[n * q];
    int64_t rank = 0;
    for (int64_t j = 0; j < m; j++) { /* Gram-Schmidt, twice */
        double column[n], before = 0.0;
        for (int i = 0; i < n; i++) column[i] = p->y[i * m + j];
        before = support_norm(n, column);
        for (int twice = 0; twice < 2; twice++)
            for (int64_t l = 0; l < rank; l++) {
                double along = 0.0;
                for (int i = 0; i < n; i++) along += h[i * q + l] * column[i];
                for (int i = 0; i < n; i++) column[i] -= along * h[i * q + l];
            }
        const double norm = support_norm(n, column);
        if (norm < 1e-9 * before) continue;
        for (int i = 0; i < n; i++) h[i * q + rank] = column[i] / norm;
        rank++;
    }
    double packed[n * q];
    for (int i = 0; i < n; i++)
        for (int64_t l = 0; l < rank; l++) packed[i * rank + l] = h[i * q + l];
    check_pencil(model, p, rank, packed, 1.0);
    const double *values = array_of(model, "eigenvalues", r, 0);
    for (int i = 0; i < r; i++) assert_below(values[i], 1.0 + 1e-10); /* a squared correlation */
}

static void verify_hsl(const ald_model *model, const prepared *p)
{
    const char *expansion = ald_model_text(model, "alidade.param.expansion");
    const int star = strcmp(expansion, "star") == 0, zhou = strcmp(expansion, "zhou") == 0;
    double h[n * q], size[q] = {0}, shares[q], columns[q];
    for (int i = 0; i < n; i++)
        for (int e = 0; e < q; e++) size[e] += p->weights[i] * p->raw[i * q + e];
    for (int e = 0; e < q; e++) {
        shares[e] = zhou ? 1.0 : fmax(size[e] - 1.0, 0.0);
        columns[e] = zhou ? 1.0 / sqrt(size[e]) : 1.0;
        if (star) shares[e] = columns[e] = 1.0 / size[e];
    }
    for (int i = 0; i < n; i++) {
        double degree = 0.0;
        for (int e = 0; e < q; e++) degree += p->raw[i * q + e] * shares[e];
        for (int e = 0; e < q; e++)
            h[i * q + e] = degree > 0.0 ? p->root[i] * p->raw[i * q + e] * columns[e] / sqrt(degree) : 0.0;
    }
    check_pencil(model, p, q, h, 1.0);
}

/* Slices by ranks, weights counted, as slices.h says; each response has a part of the columns of H. */
static void verify_sir(const ald_model *model, const prepared *p)
{
    enum { slices = 10 };
    const int slicings = slicings_of(p), columns = slices * slicings;
    double h[n * slices * q] = {0};
    for (int k = 0; k < slicings; k++) {
        double size[slices] = {0};
        int of[n];
        for (int i = 0; i < n; i++) {
            of[i] = slice_by_loops(p, i, k);
            size[of[i]] += p->weights[i];
        }
        for (int i = 0; i < n; i++)
            if (p->weights[i] > 0.0)
                h[i * columns + k * slices + of[i]] = sqrt(p->weights[i] / size[of[i]] / slicings);
    }
    check_pencil(model, p, columns, h, sqrt(p->total));
}

#define PENCIL_VARIANTS "solver=direct", "solver=dual", "solver=two-stage tol=1e-15"
const verifier verifier_lda = {.verify = verify_lda, .variants = {PENCIL_VARIANTS, NULL}};
const verifier verifier_opls = {.verify = verify_opls, .variants = {PENCIL_VARIANTS, NULL}};
const verifier verifier_cca = {.verify = verify_cca, .variants = {PENCIL_VARIANTS, NULL}};
const verifier verifier_hsl = {.verify = verify_hsl, .variants = {PENCIL_VARIANTS, NULL}};
const verifier verifier_sir = {.verify = verify_sir, .variants = {PENCIL_VARIANTS, NULL}};
