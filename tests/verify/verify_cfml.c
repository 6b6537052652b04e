#include "verify/shared/spectral_check.h"

#include <math.h>
#include <string.h>

/* Mean of (z_i - z_j)(z_i - z_j)' over the pairs i != j of equal (different) class: pair by pair. */
static void pair_mean(const prepared *p, int equal, double *mean)
{
    int64_t count = 0;
    memset(mean, 0, d * d * sizeof *mean);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            if (i == j || (p->classes[i] == p->classes[j]) != equal) continue;
            count++;
            for (int a = 0; a < d; a++)
                for (int b = 0; b < d; b++)
                    mean[a * d + b] +=
                        (p->z[i * d + a] - p->z[j * d + a]) * (p->z[i * d + b] - p->z[j * d + b]);
        }
    for (int i = 0; i < d * d; i++) mean[i] /= (double)count;
}

static double largest_eigenvalue(const double *c)
{
    double v[d], next[d], norm = 0.0;
    for (int j = 0; j < d; j++) v[j] = 1.0 + j;
    for (int step = 0; step < 3000; step++) {
        support_multiply(0, 0, d, 1, d, c, v, next);
        norm = support_norm(d, next);
        for (int j = 0; j < d; j++) v[j] = next[j] / norm;
    }
    return norm;
}

/* (M_D - M_S) w = lambda (M_S + rho) w, W'(M_S + rho)W = I, the largest ones. */
static void verify_cfml(const ald_model *model, const prepared *p)
{
    double similar[d * d], differ[d * d];
    pair_mean(p, 1, similar);
    pair_mean(p, 0, differ);
    const double ridge = 1e-8 * largest_eigenvalue(similar);
    for (int i = 0; i < d * d; i++) differ[i] -= similar[i];
    for (int j = 0; j < d; j++) similar[j * d + j] += ridge;
    check_top_eigenvectors(model, differ, similar);
}

const verifier verifier_cfml = {.verify = verify_cfml, .variants = {"solver=direct", "solver=dual", NULL}};
