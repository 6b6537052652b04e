#include "verify/shared/kdr_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void kdr_rows(const ald_model *model, const prepared *p, double *u, double *b)
{
    const double *w = array_of(model, "components", r, d);
    ald_array scaled;
    const int given = ald_model_array(model, "scale", &scaled) != 0;
    for (int j = 0; j < d; j++) {
        double square = 0.0;
        for (int i = 0; i < n; i++) square += pow(p->rows[i * d + j] - p->mean[j], 2.0) / n;
        const double by = given ? p->scale[j] : sqrt(square);
        if (!given) assert_close(array_of(model, "column_scale", d, 0)[j], by, 1e-12 * by);
        for (int i = 0; i < n; i++) u[i * d + j] = (p->rows[i * d + j] - p->mean[j]) / by;
        for (int k = 0; k < r; k++) b[k * d + j] = w[k * d + j] * (given ? 1.0 : by);
    }
}

static double distance(int64_t columns, const double *points, int i, int j)
{
    double sum = 0.0;
    for (int64_t k = 0; k < columns; k++) sum += pow(points[i * columns + k] - points[j * columns + k], 2.0);
    return sqrt(sum);
}

void kdr_rbf(int64_t columns, const double *points, double width, double *k)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            k[i * n + j] = exp(-0.5 * pow(distance(columns, points, i, j) / width, 2.0));
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(int64_t columns, const double *points)
{
    static double all[n * (n - 1) / 2];
    int count = 0;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) all[count++] = distance(columns, points, i, j);
    qsort(all, (size_t)count, sizeof *all, ascending);
    return count % 2 ? all[count / 2] : 0.5 * (all[count / 2 - 1] + all[count / 2]);
}

static double resolved(const ald_model *model, const char *key)
{
    const char *text = ald_model_text(model, key);
    assert_non_null(text);
    return strtod(text, NULL);
}

double kdr_width(const ald_model *model, int64_t columns, const double *points, double factor)
{
    const double width = resolved(model, "alidade.resolved.kernel_width");
    assert_close(width, factor * median(columns, points), 1e-10 * width);
    return width;
}

void kdr_target(const ald_model *model, const prepared *p, double factor, double *k)
{
    if (p->kind == ALD_TARGET_CLASSES) {
        for (int i = 0; i < n * n; i++) k[i] = p->classes[i / n] == p->classes[i % n];
        return;
    }
    const double width = resolved(model, "alidade.resolved.response_width");
    assert_close(width, factor * median(p->m, p->raw), 1e-12 * width);
    kdr_rbf(p->m, p->raw, width, k);
}

void kdr_invert(double *a, double *inverse)
{
    for (int i = 0; i < n * n; i++) inverse[i] = i / n == i % n;
    for (int k = 0; k < n; k++) {
        const double pivot = a[k * n + k];
        for (int j = 0; j < n; j++) a[k * n + j] /= pivot, inverse[k * n + j] /= pivot;
        for (int i = 0; i < n; i++) {
            const double by = a[i * n + k];
            if (i == k) continue;
            for (int j = 0; j < n; j++) {
                a[i * n + j] -= by * a[k * n + j];
                inverse[i * n + j] -= by * inverse[k * n + j];
            }
        }
    }
}

/* H K H. */
static void centre(double *k)
{
    double row[n] = {0}, all = 0.0;
    for (int i = 0; i < n * n; i++) row[i / n] += k[i] / n, all += k[i] / n / n;
    for (int i = 0; i < n * n; i++) k[i] += all - row[i / n] - row[i % n];
}

/* f and its gradient (r x d) by the formula of the definition, S = G o Kz, G = -H A Ky^c A H. */
static double criterion(const double *u, const double *b, double width, const double *target,
                        double *gradient)
{
    static double z[n * r], k[n * n], a[n * n], inverse[n * n], half[n * n], g[n * n];
    double f = 0.0;
    support_multiply(0, 1, n, r, d, u, b, z);
    kdr_rbf(r, z, width, k);
    memcpy(a, k, sizeof a);
    centre(a);
    for (int i = 0; i < n; i++) a[i * n + i] += n * 1e-3;
    kdr_invert(a, inverse);
    for (int i = 0; i < n * n; i++) f += target[i] * inverse[i];
    if (!gradient) return f;
    support_multiply(0, 0, n, n, n, inverse, target, half);
    support_multiply(0, 0, n, n, n, half, inverse, g);
    centre(g);
    memset(gradient, 0, r * d * sizeof *gradient);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int c = 0; c < r; c++)
                for (int l = 0; l < d; l++)
                    gradient[c * d + l] += g[i * n + j] * k[i * n + j] * (z[i * r + c] - z[j * r + c]) *
                                           (u[i * d + l] - u[j * d + l]) / (width * width);
    return f;
}

/* |G - B sym(B'G)|. */
static double slope(const double *b, const double *gradient)
{
    double inner[r * r], along[r * d];
    support_multiply(0, 1, r, r, d, gradient, b, inner);
    for (int i = 0; i < r; i++)
        for (int l = 0; l < d; l++) {
            along[i * d + l] = gradient[i * d + l];
            for (int j = 0; j < r; j++)
                along[i * d + l] -= 0.5 * (inner[i * r + j] + inner[j * r + i]) * b[j * d + l];
        }
    return support_norm(r * d, along);
}

/* B'B = I, and cov(z) is diagonal and descending. */
static void check_orthonormal(const ald_model *model, const double *u, const double *b)
{
    double gram[r * r], z[n * r], covariance[r * r];
    const double *values = array_of(model, "eigenvalues", r, 0);
    support_multiply(0, 1, r, r, d, b, b, gram);
    support_multiply(0, 1, n, r, d, u, b, z);
    support_multiply(1, 0, r, r, n, z, z, covariance);
    for (int i = 0; i < r * r; i++) {
        assert_close(gram[i], i / r == i % r, 1e-12);
        assert_close(covariance[i] / n, i / r == i % r ? values[i / r] : 0.0, 1e-12 * values[0]);
    }
    assert_true(values[0] >= values[1]);
}

/* B'B = I, cov(z) diagonal and descending, the stated value and slope, and f below that of random directions.
 */
static void verify_kdr(const ald_model *model, const prepared *p)
{
    static double u[n * d], target[n * n];
    double b[r * d], gradient[r * d];
    kdr_rows(model, p, u, b);
    kdr_target(model, p, 0.5, target);
    centre(target);
    const double rank = resolved(model, "alidade.resolved.data_rank"),
                 width = kdr_width(model, d, u, 0.5 * sqrt(r / rank)),
                 f = criterion(u, b, width, target, gradient);
    check_orthonormal(model, u, b);
    assert_close(resolved(model, "alidade.resolved.objective"), f, 1e-9 * f);
    assert_close(resolved(model, "alidade.resolved.gradient"), slope(b, gradient),
                 1e-8 * support_norm(r * d, gradient));
    ald_random random;
    ald_random_seed(&random, 5, 0);
    for (int trial = 0; trial < 5; trial++) {
        double other[2][d], inner = 0.0;
        for (int l = 0; l < r * d; l++) other[l / d][l % d] = ald_random_normal(&random);
        for (int l = 0; l < d; l++) inner += other[0][l] * other[1][l] / pow(support_norm(d, other[0]), 2.0);
        for (int l = 0; l < d; l++) other[1][l] -= inner * other[0][l];
        for (int k = 0; k < r; k++) {
            const double length = support_norm(d, other[k]);
            for (int l = 0; l < d; l++) other[k][l] /= length;
        }
        assert_true(f < criterion(u, other[0], width, target, NULL));
    }
}

/* One thread takes the starts in turn, two share them out: the grid compares both. */
const verifier verifier_kdr = {
    .verify = verify_kdr,
    .always = "n_starts=2 n_stages=12",
    .brief = "n_starts=1 n_stages=4",
};

/* W'W = I, cov(z) diagonal and descending, the stated value of HSIC, and it is above that of random
 * directions. */
static void verify_ism(const ald_model *model, const prepared *p)
{
    static double u[n * d], target[n * n], k[n * n];
    double b[2][r * d], z[n * r], f[2] = {0.0, 0.0};
    const double rank = resolved(model, "alidade.resolved.data_rank");
    kdr_rows(model, p, u, b[0]);
    kdr_target(model, p, 1.0, target);
    centre(target);
    check_orthonormal(model, u, b[0]);
    const double width = kdr_width(model, d, u, sqrt(r / rank));
    memset(b[1], 0, sizeof b[1]);
    b[1][d - 1] = b[1][d + d - 2] = 1.0;
    for (int which = 0; which < 2; which++) {
        support_multiply(0, 1, n, r, d, u, b[which], z);
        kdr_rbf(r, z, width, k);
        for (int i = 0; i < n * n; i++) f[which] += target[i] * k[i] / ((n - 1.0) * (n - 1.0));
    }
    assert_close(resolved(model, "alidade.resolved.objective"), f[0], 1e-9 * fabs(f[0]));
    assert_true(f[0] > f[1]);
}

const verifier verifier_ism = {
    .verify = verify_ism,
    .always = "tol=1e-9 max_iter=300",
    .brief = "max_iter=3",
    .tolerance = 1e-5,
};
