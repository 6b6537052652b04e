#include "verify/shared/whitened_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { most_slices = 10 };

/* n_slices=2: the slice of row i by halves of the ten, or its class. */
static int half_of(const prepared *p, int i)
{
    const int slice = slice_by_loops(p, i, 0);
    return p->kind == ALD_TARGET_CLASSES ? slice : slice / 5;
}

/* Share, mean and covariance of the whitened rows of slice h. */
static double inside_by_loops(const prepared *p, const whitened *w, int h, double *mean, double *v)
{
    const int order = w->rank;
    double weight = 0.0;
    memset(mean, 0, (size_t)order * sizeof *mean);
    memset(v, 0, (size_t)(order * order) * sizeof *v);
    for (int i = 0; i < n; i++) {
        if (!(p->weights[i] > 0.0) || half_of(p, i) != h) continue;
        weight += p->weights[i];
        for (int a = 0; a < order; a++) mean[a] += p->root[i] * w->rows[i * order + a];
        add_product(order, 1.0, w->rows + i * order, w->rows + i * order, v);
    }
    if (!(weight > 0.0)) return 0.0;
    for (int a = 0; a < order; a++) mean[a] /= weight;
    for (int a = 0; a < order * order; a++) v[a] /= weight;
    add_product(order, -1.0, mean, mean, v);
    return weight / p->total;
}

/* f of eta (order x r, row major), r = 2: -1/2 sum f_h ln|eta'Delta_h eta| + 1/2 ln|eta'eta|. */
static double log_of_form(int order, const double *eta, const double *v)
{
    double product[d * r], form[r * r];
    support_multiply(0, 0, order, r, order, v, eta, product);
    support_multiply(1, 0, r, r, order, eta, product, form);
    return log(form[0] * form[3] - form[1] * form[2]);
}

typedef struct slice {
    double share, mean[d], inside[d * d];
} slice;

static double objective(int order, const double *eta, const slice *slices)
{
    double identity[d * d] = {0};
    for (int a = 0; a < order; a++) identity[a * order + a] = 1.0;
    double value = 0.5 * log_of_form(order, eta, identity);
    for (int h = 0; h < most_slices; h++)
        if (slices[h].share > 0.0) value -= 0.5 * slices[h].share * log_of_form(order, eta, slices[h].inside);
    return value;
}

/* The stated value, B'Sigma B = I, the between-slice covariance diagonal, and by differences no step in any
 * single entry leads up: the error of a central difference with step s is s^2 of the third derivative and
 * eps / s of rounding, so 1e-5 leaves 1e-9. */
static void verify_lad(const ald_model *model, const prepared *p)
{
    static slice slices[most_slices];
    static whitened w;
    const double *b = array_of(model, "components", r, d), *values = array_of(model, "eigenvalues", r, 0);
    double sb[d * r], gram[r * r], eta[d * r], between[r * r] = {0};
    const double step = 1e-5;
    whiten_by_loops(p, &w);
    const int order = w.rank;
    for (int h = 0; h < most_slices; h++)
        slices[h].share = inside_by_loops(p, &w, h, slices[h].mean, slices[h].inside);
    support_multiply(0, 1, d, r, d, w.sigma, b, sb);
    support_multiply(0, 0, r, r, d, b, sb, gram);
    support_multiply(1, 0, order, r, d, w.transform, sb, eta);
    for (int k = 0; k < r * r; k++) assert_close(gram[k], k % (r + 1) == 0, 1e-9);
    const double value = objective(order, eta, slices);
    assert_close(strtod(ald_model_text(model, "alidade.resolved.objective"), NULL), value, 1e-9);
    for (int a = 0; a < order * r; a++) {
        const double kept = eta[a];
        eta[a] = kept + step;
        const double up = objective(order, eta, slices);
        eta[a] = kept - step;
        const double down = objective(order, eta, slices);
        eta[a] = kept;
        assert_close((up - down) / (2.0 * step), 0.0, 1e-6);
    }
    for (int h = 0; h < most_slices; h++)
        for (int k = 0; k < r && slices[h].share > 0.0; k++)
            for (int l = 0; l < r; l++) {
                double x = 0.0, y = 0.0;
                for (int a = 0; a < order; a++) {
                    x += slices[h].mean[a] * eta[a * r + k];
                    y += slices[h].mean[a] * eta[a * r + l];
                }
                between[k * r + l] += slices[h].share * x * y;
            }
    for (int k = 0; k < r * r; k++) assert_close(between[k], k % (r + 1) == 0 ? values[k / r] : 0.0, 1e-9);
    assert_true(values[0] >= values[1]);
}

const verifier verifier_lad = {
    .verify = verify_lad,
    .variants = {"max_iter=5000", NULL},
    .always = "n_slices=2 tol=1e-12",
    .tolerance = 1e-6,
};
