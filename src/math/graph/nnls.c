/* Non-negative least squares by the active-set method of Lawson and Hanson (1974):
 *
 *   min |A w - b|  over w >= 0,    A m x n, few rows, any number of columns.
 *
 * The column of steepest descent enters the passive set, and columns leave it when their weight would
 * turn negative; the least squares over the passive set, at most m columns, are solved by reflections. A
 * column that depends on those in the set, or that rounding alone made look like a descent, is blocked
 * until the next step that succeeds. Cost: m n a step for the descents and m p^2 for p passive columns;
 * at most 30 (m + 1) steps. */
#include "math/graph/nnls.h"

#include "math/linalg/vector.h"

#include <math.h>
#include <string.h>

static void find_residual(ald_nnls *t)
{
    memcpy(t->residual, t->b, (size_t)t->m * sizeof *t->residual);
    for (int64_t s = 0; s < t->passive; s++) {
        const double *column = t->columns + t->support[s] * t->m;
        const double w = t->w[t->support[s]];
        ald_add_times(t->m, -w, column, t->residual);
    }
}

/* The column of steepest descent among those outside; -1: none descends. */
static int64_t steepest(const ald_nnls *t)
{
    const double least = t->tol * ald_norm(t->m, t->residual);
    double best = 0.0;
    int64_t found = -1;
    for (int64_t j = 0; j < t->n; j++) {
        const double *column = t->columns + j * t->m;
        const double along = ald_dot(t->m, column, t->residual);
        if (along <= 0.0 || t->w[j] > 0.0 || t->blocked[j]) continue;
        const double slope = along / ald_norm(t->m, column);
        if (slope > least && slope > best) {
            best = slope;
            found = j;
        }
    }
    return found;
}

/* Reflects columns s .. p (the last is b) so that column s is zero below place s; what stands there then. */
static double reflect(int64_t m, int64_t p, int64_t s, double *columns)
{
    double *v = columns + s * m;
    const double length = ald_norm(m - s, v + s);
    if (length == 0.0) return 0.0;
    const double diagonal = v[s] > 0.0 ? -length : length;
    v[s] -= diagonal;
    const double half = 0.5 * ald_dot(m - s, v + s, v + s);
    for (int64_t c = s + 1; c <= p; c++) {
        double *other = columns + c * m;
        const double along = ald_dot(m - s, v + s, other + s) / half;
        for (int64_t i = s; i < m; i++) other[i] -= along * v[i];
    }
    return diagonal;
}

/* z (passive): the unrestricted least squares over the support. 0 when its last column depends on the others.
 */
static int least_squares(const ald_nnls *t, double *z)
{
    const int64_t m = t->m, p = t->passive;
    double *columns = t->work, *diagonal = t->work + (p + 1) * m;
    for (int64_t s = 0; s < p; s++)
        memcpy(columns + s * m, t->columns + t->support[s] * m, (size_t)m * sizeof *columns);
    memcpy(columns + p * m, t->b, (size_t)m * sizeof *columns);
    for (int64_t s = 0; s < p; s++) {
        diagonal[s] = reflect(m, p, s, columns);
        const double *column = t->columns + t->support[s] * m;
        if (!(fabs(diagonal[s]) > 1e-13 * ald_norm(m, column))) return 0;
    }
    for (int64_t s = p - 1; s >= 0; s--) {
        double sum = columns[p * m + s];
        for (int64_t c = s + 1; c < p; c++) sum -= columns[c * m + s] * z[c];
        z[s] = sum / diagonal[s];
    }
    return 1;
}

/* How far from w towards z the first weight gets to 0; 1: none does. */
static double step_length(const ald_nnls *t, const double *z)
{
    double step = 1.0;
    for (int64_t s = 0; s < t->passive; s++) {
        const double w = t->w[t->support[s]];
        if (z[s] <= 0.0 && w / (w - z[s]) < step) step = w / (w - z[s]);
    }
    return step;
}

/* Goes that far; columns whose weight is gone leave the support. */
static void nnls_advance(ald_nnls *t, const double *z, double step)
{
    int64_t kept = 0;
    for (int64_t s = 0; s < t->passive; s++) {
        const int64_t j = t->support[s];
        double *w = &t->w[j];
        const int gone = z[s] <= 0.0 && *w / (*w - z[s]) <= step;
        *w = gone ? 0.0 : *w + step * (z[s] - *w);
        if (*w > 0.0)
            t->support[kept++] = j;
        else
            *w = 0.0;
    }
    t->passive = kept;
}

/* Takes column j in; 0 when rounding alone made it look like a descent. */
static int enter(ald_nnls *t, int64_t j, double *z)
{
    t->support[t->passive++] = j;
    if (!least_squares(t, z) || z[t->passive - 1] <= 0.0) {
        t->passive--;
        return 0;
    }
    double step;
    while ((step = step_length(t, z)) < 1.0) {
        nnls_advance(t, z, step);
        if (!least_squares(t, z)) break;
    }
    nnls_advance(t, z, 1.0);
    return 1;
}

int ald_nnls_solve(ald_nnls *t)
{
    double *z = t->work + (t->m + 2) * (t->m + 2);
    memset(t->w, 0, (size_t)t->n * sizeof *t->w);
    memset(t->blocked, 0, (size_t)t->n);
    t->passive = 0;
    find_residual(t);
    for (int64_t steps = 0; steps < 30 * (t->m + 1); steps++) {
        const int64_t j = t->passive < t->m ? steepest(t) : -1;
        if (j < 0) return 1;
        if (!enter(t, j, z)) {
            t->blocked[j] = 1;
            continue;
        }
        memset(t->blocked, 0, (size_t)t->n);
        find_residual(t);
    }
    return 0;
}
