#include "methods/kernel_check.h"
#include "methods/sdpp_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* J of the projection z by the definition, every directed edge on its own; its gradient with respect to the directions
 * is Phi'g (g n x r); `size` is what gradients are measured by. */
static double criterion(const prepared *p, const kernel_view *v, double *g, double *size)
{
    double value = 0.0;
    memset(g, 0, n * r * sizeof *g);
    *size = 0.0;
    for (int i = 0; i < n; i++) {
        int neighbours[sdpp_neighbours];
        sdpp_nearest(v->x, i, neighbours);
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

/* Stationary, of the stated value, and turned so that the directions are orthogonal, longest first. */
static void verify_ksdpp(const ald_model *model, const prepared *p)
{
    static kernel_view v;
    const double *lengths = array_of(model, "eigenvalues", r, 0);
    double g[n * r], gram[r * r], slope[r * r], size;
    kernel_view_make(model, p, &v);
    const double value = criterion(p, &v, g, &size);
    inner(&v, v.a, v.a, gram);
    inner(&v, g, g, slope);
    for (int a = 0; a < r; a++)
        for (int b = 0; b < r; b++) assert_close(gram[a * r + b], a == b ? lengths[a] : 0.0, 1e-10 * lengths[0]);
    assert_true(lengths[0] >= lengths[1]);
    for (int a = 0; a < r; a++) assert_below(sqrt(fmax(slope[a * r + a], 0.0)), 1e-7 * size * sqrt(lengths[0]));
    assert_close(strtod(ald_model_text(model, "alidade.resolved.objective"), NULL), value, 1e-9 * value);
}

const verifier verifier_ksdpp = {.verify = verify_ksdpp,
                                 .variants = {"solver=cg n_starts=12", NULL},
                                 .always = "tol=1e-14",
                                 .unlabelled = "manifold=0.1",
                                 .rows_are_points = 1};
