#include "verify/shared/whitened_check.h"

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

const verifier verifier_dr = {.verify = verify_dr, .variants = {"n_slices=10 ridge=0", NULL}};
