#include "support/eigen.h"
#include "verify/shared/kernel_check.h"
#include "verify/shared/sdpp_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* With as many kernel PCA coordinates as rows any projection can be had, and J has many minima. */
enum { dims = 5 };

/* J of the projection z by the definition, every directed edge on its own; its gradient with respect to the
 * directions is Phi'g (g n x r); `size` is what gradients are measured by. */
static double criterion(const prepared *p, const kernel_view *v, double *g, double *size)
{
    double value = 0.0;
    memset(g, 0, n * r * sizeof *g);
    *size = 0.0;
    for (int i = 0; i < n; i++) {
        int neighbours[sdpp_neighbours];
        sdpp_nearest(p, v->x, i, neighbours);
        for (int a = 0; a < sdpp_neighbours; a++) {
            const int j = neighbours[a];
            double t[r], square = 0.0;
            for (int b = 0; b < r; b++) {
                t[b] = v->z[i * r + b] - v->z[j * r + b];
                square += t[b] * t[b];
            }
            const double wanted = sdpp_wanted_square(p, i, j), off = square - wanted;
            value += off * off / n;
            *size += 4.0 * wanted * (v->kc[i * n + i] + v->kc[j * n + j] - 2.0 * v->kc[i * n + j]) / n;
            for (int b = 0; b < r; b++) {
                g[i * r + b] += 4.0 * off * t[b] / n;
                g[j * r + b] -= 4.0 * off * t[b] / n;
            }
        }
    }
    return value;
}

/* a'Kc b of two directions, each n x r. */
static void inner(const kernel_view *v, const double *a, const double *b, double *out)
{
    double kb[n * r];
    support_multiply(0, 0, n, r, n, v->kc, b, kb);
    support_multiply(1, 0, r, r, n, a, kb, out);
}

/* The part of Phi'g in the leading `dims` kernel PCA directions: E^(1/2) U'g. */
static double slope_of(const kernel_view *v, const double *g)
{
    static double copy[n * n], values[n], rows[n * n];
    double slope[dims * r];
    memcpy(copy, v->kc, sizeof copy);
    support_eigen(n, copy, values, rows);
    support_multiply(0, 0, dims, r, n, rows, g, slope);
    for (int k = 0; k < dims * r; k++) slope[k] *= sqrt(values[k / r]);
    return support_norm(dims * r, slope);
}

/* Stationary, of the stated value, and turned so that the directions are orthogonal, longest first. */
static void verify_ksdpp(const ald_model *model, const prepared *p)
{
    static kernel_view v;
    const double *lengths = array_of(model, "eigenvalues", r, 0);
    double g[n * r], gram[r * r], size;
    kernel_view_make(model, p, &v);
    const double value = criterion(p, &v, g, &size);
    inner(&v, v.a, v.a, gram);
    for (int a = 0; a < r; a++)
        for (int b = 0; b < r; b++)
            assert_close(gram[a * r + b], a == b ? lengths[a] : 0.0, 1e-10 * lengths[0]);
    assert_true(lengths[0] >= lengths[1]);
    assert_below(slope_of(&v, g), 1e-7 * size * sqrt(lengths[0] + lengths[1]));
    assert_close(strtod(ald_model_text(model, "alidade.resolved.objective"), NULL), value, 1e-9 * value);
}

const verifier verifier_ksdpp = {
    .verify = verify_ksdpp,
    .variants = {"solver=cg n_starts=24", "landmarks=60", NULL},
    .always = "tol=1e-14 pca_dims=5 n_starts=16",
    .brief = "pca_dims=5",
    .unlabelled = "manifold=0.1 pca_dims=5",
    .is_slow = 1,
};
