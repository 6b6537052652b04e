#include "support/eigen.h"
#include "verify/shared/whitened_check.h"

#include <math.h>
#include <string.h>

/* Standardised columns (rows times the roots of the weights), Z'Z/n, and the means of slices. */
typedef struct standard {
    double z[n * d], deviation[d], gram[d * d], mean[10 * d], weight[10];
} standard;

static void standardise(const prepared *p, standard *s)
{
    memset(s, 0, sizeof *s);
    for (int j = 0; j < d; j++) {
        for (int i = 0; i < n; i++) s->deviation[j] += p->z[i * d + j] * p->z[i * d + j] / p->total;
        s->deviation[j] = sqrt(s->deviation[j]);
        for (int i = 0; i < n; i++) s->z[i * d + j] = p->z[i * d + j] / s->deviation[j];
    }
    support_multiply(1, 0, d, d, n, s->z, s->z, s->gram);
    for (int k = 0; k < d * d; k++) s->gram[k] /= p->total;
    for (int i = 0; i < n; i++) {
        if (!(p->weights[i] > 0.0)) continue;
        const int h = slice_by_loops(p, i, 0);
        s->weight[h] += p->weights[i];
        for (int j = 0; j < d; j++) s->mean[h * d + j] += p->root[i] * s->z[i * d + j];
    }
    for (int k = 0; k < 10 * d; k++) s->mean[k] /= s->weight[k / d] > 0.0 ? s->weight[k / d] : 1.0;
}

/* c = Z't/n of the response t_i = m_h'e / l. */
static void cross_of(const prepared *p, const standard *s, const double *e, double l, double *c)
{
    memset(c, 0, d * sizeof *c);
    for (int h = 0; h < 10; h++) {
        double t = 0.0;
        for (int j = 0; j < d; j++) t += s->mean[h * d + j] * e[j] / l;
        for (int j = 0; j < d; j++) c[j] += s->weight[h] / p->total * s->mean[h * d + j] * t;
    }
}

/* The conditions of a minimum: the slope of the fit is mu against the sign of every coefficient, and at most
 * mu where it is 0. The length, which is that of scores of variance 1, follows from the first. */
static void verify_lasso_sir(const ald_model *model, const prepared *p)
{
    static standard s;
    const double *w = array_of(model, "components", r, d);
    double gamma[d * d] = {0}, values[d], vectors[d * d], b[d], gb[d], c[d];
    standardise(p, &s);
    for (int h = 0; h < 10; h++)
        add_product(d, s.weight[h] / p->total, s.mean + h * d, s.mean + h * d, gamma);
    support_eigen(d, gamma, values, vectors);
    for (int k = 0; k < r; k++) {
        double mu = 0.0, along = 0.0, square = 0.0, size = 0.0;
        assert_close(array_of(model, "eigenvalues", r, 0)[k], values[k], 1e-9 * values[0]);
        cross_of(p, &s, vectors + k * d, values[k], c);
        for (int j = 0; j < d; j++) b[j] = w[k * d + j] * s.deviation[j];
        support_multiply(0, 0, d, 1, d, s.gram, b, gb);
        for (int j = 0; j < d; j++) {
            mu = fmax(mu, 0.2 * fabs(c[j]));
            along += b[j] * c[j];
            square += b[j] * gb[j];
            size += fabs(b[j]);
        }
        assert_close(square, 1.0, 1e-10);
        const double sign = along < 0.0 ? -1.0 : 1.0, length = fabs(along) - mu * size;
        assert_true(length > 0.0);
        for (int j = 0; j < d; j++) {
            const double slope = sign * c[j] - length * gb[j];
            if (b[j] != 0.0)
                assert_close(slope, b[j] > 0.0 ? mu : -mu, 1e-8 * mu);
            else
                assert_below(fabs(slope), mu * (1.0 + 1e-8));
        }
    }
}

const verifier verifier_lasso_sir = {
    .verify = verify_lasso_sir,
    .variants = {"n_screen=12", NULL},
    .always = "penalty=0.2 n_slices=10",
    .fixed = "penalty=0.2",
};
