#include "verify/shared/kernel_check.h"

#include <string.h>

/* M and N of Mika's kernel Fisher, from class means of the columns of K. */
static void scatters(const kernel_view *v, const prepared *p, double *m, double *within)
{
    static double mean[3 * n];
    double size[3] = {0};
    memset(mean, 0, sizeof mean);
    memset(m, 0, n * n * sizeof *m);
    memset(within, 0, n * n * sizeof *within);
    for (int i = 0; i < n; i++) size[p->classes[i]] += 1.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) mean[p->classes[i] * n + j] += v->k[i * n + j] / size[p->classes[i]];
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++) {
            for (int c = 0; c < 3; c++)
                m[a * n + b] += size[c] * (mean[c * n + a] - v->mean[a]) * (mean[c * n + b] - v->mean[b]);
            for (int i = 0; i < n; i++) {
                const double *centre = mean + p->classes[i] * n;
                within[a * n + b] += (v->k[i * n + a] - centre[a]) * (v->k[i * n + b] - centre[b]);
            }
        }
}

/* M a = lambda (N + e I) a, a'(N + e I)a = I, e = 1e-3 tr(N) / n. Three classes have two directions, so they
 * are the largest. */
static void verify_kfda(const ald_model *model, const prepared *p)
{
    static kernel_view v;
    static double m[n * n], within[n * n];
    const double *values = array_of(model, "eigenvalues", r, 0);
    double ma[n * r], na[n * r], gram[r * r], trace = 0.0;
    kernel_view_make(model, p, &v);
    scatters(&v, p, m, within);
    for (int i = 0; i < n; i++) trace += within[i * n + i];
    for (int i = 0; i < n; i++) within[i * n + i] += 1e-3 * trace / n;
    support_multiply(0, 0, n, r, n, m, v.a, ma);
    support_multiply(0, 0, n, r, n, within, v.a, na);
    support_multiply(1, 0, r, r, n, v.a, na, gram);
    for (int i = 0; i < n * r; i++)
        assert_close(ma[i], values[i % r] * na[i], 1e-8 * support_norm(n * r, ma));
    for (int i = 0; i < r * r; i++) assert_close(gram[i], i % (r + 1) == 0, 1e-8);
    assert_true(values[0] >= values[1] && values[1] > 0.0);
}

const verifier verifier_kfda = {.verify = verify_kfda};
