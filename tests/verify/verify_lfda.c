#include "verify/shared/manifold_check.h"
#include "verify/shared/spectral_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { neighbours = 7 };

/* The distance to the 7th nearest of the class, of rows with positive weight. */
static double scale_of(const prepared *p, const double *x, int i)
{
    unsigned char same[n];
    int nearest[neighbours];
    for (int j = 0; j < n; j++) same[j] = p->classes[j] == p->classes[i] && p->weights[j] > 0.0;
    const int count = nearest_allowed(x, i, neighbours, same, nearest);
    return sqrt(square_between(x + i * d, x + nearest[count - 1] * d));
}

/* S_b and S_b + S_w + ridge I pair by pair, as the paper has them. The ridge makes the latter definite where
 * rows are scaled to mean 0. */
static void verify_lfda(const ald_model *model, const prepared *p)
{
    static double x[n * d];
    double between[d * d] = {0}, both[d * d] = {0}, sizes[3] = {0}, scale[n] = {0};
    plain_rows(p, x);
    for (int i = 0; i < n; i++) {
        sizes[p->classes[i]] += p->weights[i];
        if (p->weights[i] > 0.0) scale[i] = scale_of(p, x, i);
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const int same = p->classes[i] == p->classes[j];
            const double pair = 0.5 * p->weights[i] * p->weights[j];
            if (i == j || !(pair > 0.0)) continue;
            const double near =
                same ? exp(-square_between(x + i * d, x + j * d) / (scale[i] * scale[j])) : 1.0;
            const double apart = near * (1.0 / p->total - (same ? 1.0 / sizes[p->classes[i]] : 0.0));
            for (int a = 0; a < d; a++)
                for (int b = 0; b < d; b++) {
                    const double square =
                        pair * (x[i * d + a] - x[j * d + a]) * (x[i * d + b] - x[j * d + b]);
                    between[a * d + b] += apart * square;
                    both[a * d + b] += near / p->total * square;
                }
        }
    for (int j = 0; j < d; j++) both[j * d + j] += 0.01;
    check_top_eigenvectors(model, between, both);
}

const verifier verifier_lfda = {.verify = verify_lfda, .always = "ridge=0.01"};
