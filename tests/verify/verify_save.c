#include "verify/shared/whitened_check.h"

#include <math.h>

static double itself(double lambda)
{
    return lambda;
}

/* The mean over responses of sum f_h (I - V_h)^2. */
static void verify_save(const ald_model *model, const prepared *p)
{
    whitened w;
    double m[d * d] = {0}, mean[d], v[d * d], square[d * d];
    whiten_by_loops(p, &w);
    const int order = w.rank, slicings = slicings_of(p);
    for (int k = 0; k < slicings; k++)
        for (int h = 0; h < 10; h++) {
            const double weight = slice_moments_by_loops(p, &w, h, k, mean, v);
            if (!(weight > 0.0)) continue;
            add_product(order, -1.0, mean, mean, v);
            for (int a = 0; a < order; a++) v[a * order + a] -= 1.0;
            support_multiply(0, 0, order, order, order, v, v, square);
            for (int a = 0; a < order * order; a++) m[a] += weight / p->total / slicings * square[a];
        }
    verify_whitened(model, &w, m, itself);
}

const verifier verifier_save = {.verify = verify_save, .variants = {"n_slices=10 ridge=0", NULL}};

/* By its other form, the mean over responses of sum f_h f_k (2 I - E (u - v)(u - v)')^2, u of slice h and v
 * of slice k:
 *
 *   E (u - v)(u - v)' = S_h + S_k - m_h m_k' - m_k m_h'. */
static void verify_dr(const ald_model *model, const prepared *p)
{
    whitened w;
    double m[d * d] = {0}, mean[10][d], second[10][d * d], weight[10], part[d * d], square[d * d];
    whiten_by_loops(p, &w);
    const int order = w.rank, slicings = slicings_of(p);
    for (int response = 0; response < slicings; response++) {
        for (int h = 0; h < 10; h++)
            weight[h] = slice_moments_by_loops(p, &w, h, response, mean[h], second[h]);
        for (int h = 0; h < 10; h++)
            for (int k = 0; k < 10; k++) {
                if (!(weight[h] > 0.0 && weight[k] > 0.0)) continue;
                for (int a = 0; a < order * order; a++)
                    part[a] = (a % (order + 1) ? 0.0 : 2.0) - second[h][a] - second[k][a];
                add_product(order, 1.0, mean[h], mean[k], part);
                add_product(order, 1.0, mean[k], mean[h], part);
                support_multiply(0, 0, order, order, order, part, part, square);
                for (int a = 0; a < order * order; a++)
                    m[a] += weight[h] * weight[k] / (p->total * p->total * slicings) * square[a];
            }
    }
    verify_whitened(model, &w, m, itself);
}

/* U'P_F U / n, P_F of the powers of the standardised response by Gram-Schmidt, or of the classes. */
static void verify_pfc(const ald_model *model, const prepared *p)
{
    whitened w;
    double m[d * d] = {0}, f[3][n], square = 0.0;
    whiten_by_loops(p, &w);
    for (int i = 0; i < n; i++) square += p->y[i * p->m] * p->y[i * p->m] / p->total;
    for (int k = 0; k < 3; k++) {
        double mean = 0.0, cross[d] = {0};
        for (int i = 0; i < n; i++) {
            const double y = p->root[i] > 0.0 ? p->y[i * p->m] / p->root[i] / sqrt(square) : 0.0;
            f[k][i] = p->kind == ALD_TARGET_CLASSES ? p->classes[i] == k : pow(y, k + 1.0);
            mean += p->weights[i] * f[k][i] / p->total;
        }
        for (int i = 0; i < n; i++) f[k][i] = p->root[i] * (f[k][i] - mean);
        const double before = support_norm(n, f[k]);
        for (int l = 0; l < 2 * k; l++) {
            double along = 0.0;
            for (int i = 0; i < n; i++) along += f[l % k][i] * f[k][i];
            for (int i = 0; i < n; i++) f[k][i] -= along * f[l % k][i];
        }
        const double length = support_norm(n, f[k]);
        for (int i = 0; i < n; i++) f[k][i] = length > 1e-9 * before ? f[k][i] / length : 0.0;
        for (int i = 0; i < n; i++)
            for (int a = 0; a < w.rank; a++) cross[a] += f[k][i] * w.rows[i * w.rank + a] / sqrt(p->total);
        add_product(w.rank, 1.0, cross, cross, m);
    }
    verify_whitened(model, &w, m, itself);
}

const verifier verifier_pfc = {.verify = verify_pfc, .variants = {"degree=3", NULL}};
const verifier verifier_dr = {.verify = verify_dr, .variants = {"n_slices=10 ridge=0", NULL}};
