#include "verify/shared/whitened_check.h"

#include <math.h>
#include <string.h>

static double itself(double lambda)
{
    return lambda;
}

/* The slice by the definition: floor(10 #{y_j < y_i} / n), or the class. */
static int slice_of(const prepared *p, int i)
{
    int below = 0;
    if (p->kind == ALD_TARGET_CLASSES) return p->classes[i];
    for (int j = 0; j < n; j++) below += p->raw[j] < p->raw[i];
    return 10 * below / n;
}

/* sum f_h (I - V_h)^2 */
static void verify_save(const ald_model *model, const prepared *p)
{
    whitened w;
    double m[d * d] = {0};
    whiten_by_loops(p, &w);
    const int order = w.rank;
    for (int h = 0; h < 10; h++) {
        double mean[d] = {0}, v[d * d] = {0}, row[d], square[d * d];
        int count = 0;
        for (int i = 0; i < n; i++) {
            if (slice_of(p, i) != h) continue;
            count++;
            for (int a = 0; a < order; a++) mean[a] += w.rows[i * order + a];
        }
        if (count == 0) continue;
        for (int i = 0; i < n; i++) {
            if (slice_of(p, i) != h) continue;
            for (int a = 0; a < order; a++) row[a] = w.rows[i * order + a] - mean[a] / count;
            add_product(order, -1.0 / count, row, row, v);
        }
        for (int a = 0; a < order; a++) v[a * order + a] += 1.0;
        support_multiply(0, 0, order, order, order, v, v, square);
        for (int k = 0; k < order * order; k++) m[k] += (double)count / n * square[k];
    }
    verify_whitened(model, &w, m, itself);
}

const verifier verifier_save = {.verify = verify_save, .variants = {"n_slices=10 ridge=0", NULL}};
