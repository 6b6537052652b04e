#include "verify/shared/kernel_check.h"
#include "support/eigen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double square_distance(const double *a, const double *b)
{
    double sum = 0.0;
    for (int j = 0; j < d; j++) sum += (a[j] - b[j]) * (a[j] - b[j]);
    return sum;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median_distance(const double *x)
{
    static double all[n * (n - 1) / 2];
    int count = 0;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) all[count++] = sqrt(square_distance(x + i * d, x + j * d));
    qsort(all, (size_t)count, sizeof *all, ascending);
    return 0.5 * (all[count / 2 - 1] + all[count / 2]);
}

static void fill_kernel(kernel_view *v, double width)
{
    double whole = 0.0;
    memset(v->mean, 0, sizeof v->mean);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            v->k[i * n + j] = exp(-square_distance(v->x + i * d, v->x + j * d) / (2.0 * width * width));
            v->mean[j] += v->k[i * n + j] / n;
            whole += v->k[i * n + j] / n / n;
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) v->kc[i * n + j] = v->k[i * n + j] - v->mean[i] - v->mean[j] + whole;
}

/* Dense landmarks are the rows as prepared. The shift of minmax is left out, there and in the model, where
 * rows are sparse and the kernel does not see it. */
static void check_landmarks(const ald_model *model, const prepared *p, const kernel_view *v)
{
    ald_array landmarks, shift;
    double want[n * d];
    if (!ald_model_array(model, "landmarks", &landmarks)) return;
    const int shifted = ald_model_array(model, "shift", &shift);
    for (int i = 0; i < n * d; i++) want[i] = shifted ? v->x[i] : p->rows[i] / p->scale[i % d];
    assert_below(support_largest_difference(n * d, landmarks.data, want), 1e-12 * support_norm(n * d, want));
}

void kernel_view_make(const ald_model *model, const prepared *p, kernel_view *v)
{
    const double width = strtod(ald_model_text(model, "alidade.resolved.kernel_width"), NULL);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < d; j++) v->x[i * d + j] = (p->rows[i * d + j] - p->shift[j]) / p->scale[j];
    const double part = strcmp(ald_model_method(model), "ksdpp") == 0 ? 0.5 : 1.0;
    assert_close(width, part * median_distance(v->x), 1e-11 * width);
    fill_kernel(v, width);
    assert_below(support_largest_difference(n, array_of(model, "kernel_column_mean", n, 0), v->mean), 1e-12);
    check_landmarks(model, p, v);
    v->a = array_of(model, "coefficients", n, r);
    double less[n * n];
    for (int i = 0; i < n * n; i++) less[i] = v->k[i] - v->mean[i % n];
    support_multiply(0, 0, n, r, n, less, v->a, v->z);
}

void apply_to_spectrum(const double *m, double (*f)(double e, double by), double by, double *out)
{
    static double copy[n * n], values[n], rows[n * n], scaled[n * n];
    memcpy(copy, m, sizeof copy);
    support_eigen(n, copy, values, rows);
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++) scaled[k * n + i] = f(values[k], by) * rows[k * n + i];
    support_multiply(1, 0, n, n, n, rows, scaled, out);
}

static double root(double e, double by)
{
    (void)by;
    return e > 0.0 ? sqrt(e) : 0.0;
}

void check_largest_of_product(const double *a, const double *b, const double *values)
{
    static double half[n * n], left[n * n], whole[n * n], all[n], rows[n * n];
    apply_to_spectrum(a, root, 0.0, half);
    support_multiply(0, 0, n, n, n, half, b, left);
    support_multiply(0, 0, n, n, n, left, half, whole);
    support_eigen(n, whole, all, rows);
    for (int k = 0; k < r; k++) assert_close(values[k], all[k], 1e-8 * all[0]);
}
