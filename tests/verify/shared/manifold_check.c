#include "verify/shared/manifold_check.h"

#include <math.h>

void plain_rows(const prepared *p, double *x)
{
    for (int i = 0; i < n; i++)
        for (int c = 0; c < d; c++) x[i * d + c] = p->z[i * d + c] / p->root[i];
}

double square_between(const double *a, const double *b)
{
    double sum = 0.0;
    for (int c = 0; c < d; c++) sum += (a[c] - b[c]) * (a[c] - b[c]);
    return sum;
}

int slice_of_row(const prepared *p, int i)
{
    int below = 0;
    if (p->kind == ALD_TARGET_CLASSES) return p->classes[i];
    for (int j = 0; j < n; j++) below += p->raw[j * p->m] < p->raw[i * p->m];
    return 10 * below / n;
}

int nearest_allowed(const double *x, int i, int k, const unsigned char *allowed, int *out)
{
    unsigned char taken[n] = {0};
    int count = 0;
    taken[i] = 1;
    for (; count < k; count++) {
        int best = -1;
        for (int j = 0; j < n; j++)
            if (allowed[j] && !taken[j] &&
                (best < 0 || square_between(x + i * d, x + j * d) < square_between(x + i * d, x + best * d)))
                best = j;
        if (best < 0) return count;
        taken[best] = 1;
        out[count] = best;
    }
    return count;
}
