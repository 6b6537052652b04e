/* The largest eigenpairs of a positive semidefinite A (n x n) from a random sample of its range: Halko,
 * Martinsson and Tropp, Finding structure with randomness, SIAM Review 53 (2011), algorithms 4.4 and 5.3.
 *
 *   Y = A Omega,                     Omega n x l standard normal, l = wanted + oversamples
 *   Q R = Y,  Y = A Q                `power` times: Q spans that of A^(power + 1) Omega in the end
 *   Q'A Q = S diag(theta) S',        V = Q S
 *
 * The error is estimated from what is known. In the basis of the r wanted Ritz vectors, the other l - r, and
 * the rest of the space, A is
 *
 *   Theta     0       R1'            R = A V - V Theta = (I - Q Q') A V: the residuals,
 *   0         Theta2  R2'            C = (I - Q Q') A (I - Q Q'): what the sample has not seen.
 *   R1        R2      C
 *
 * With t(a, b, c) the larger eigenvalue of the 2 x 2 matrix with a and c on its diagonal and b beside it,
 * the part beside Theta is at most g = t(theta_{r+1}, |R2|, |C|), and, by the theorem of Courant and Fischer
 * on the space without the first k - 1 Ritz vectors,
 *
 *   theta_k  <=  lambda_k  <=  t(theta_k, |R1|, g):
 *
 * the error is |R1|^2 / (theta_k - g) where there is a gap, and no more than the gap that is missing else.
 * |C| is measured by p = 10 standard normal probes G that Q knows nothing of (their lemma 4.1 on C^m, m = 3):
 * with probability 1 - 10^-6
 *
 *   |C|^m  <=  10^(6/p) sqrt(2/pi) max_j |C^m G_j| .
 *
 * power + 2 products with l columns, the last one with p more, and m - 1 with p columns; 4 n l^2 operations
 * for each QR; memory n (2 l + 2 p) doubles. There is nothing to converge to: the error is what it is, and
 * more powers lower it. With l = n it is a decomposition of A. */
#include "base/numbers/random.h"
#include "math/linalg/linalg.h"
#include "math/solvers/lanczos.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { probes = 10, probe_powers = 3 };
static const double sure = 6.0; /* the estimate fails with probability 10 to the minus this */

typedef struct sample {
    int64_t n, l;
    double *q, *w; /* n x l: the basis and A times it */
    double *e;     /* n x probes: C^i G */
    double *theta; /* l */
} sample;

static void fill_normal(ald_random *random, int64_t count, double *out)
{
    for (int64_t i = 0; i < count; i++) out[i] = ald_random_normal(random);
}

static ald_status sample_range(ald_run *run, ald_lanczos *task, const sample *s)
{
    ald_random random;
    double *triangle;
    ALD_TRY(ald_scratch_reals(run, s->l, s->l, &triangle));
    ald_random_seed(&random, task->seed, 0);
    fill_normal(&random, s->n * s->l, s->q);
    for (int64_t i = 0; i <= task->power; i++) {
        ALD_TRY(task->apply(run, task->self, s->q, s->l, s->w));
        task->products += s->l;
        memcpy(s->q, s->w, (size_t)(s->n * s->l) * sizeof *s->q);
        ALD_TRY(ald_qr(run, ald_at(s->q, s->n, s->l), ald_at(triangle, s->l, s->l)));
        ALD_TRY(ald_progress(run, task->stage, (double)(i + 1) / (double)(task->power + 1 + probe_powers)));
    }
    return ALD_OK;
}

/* e <- (I - Q Q') e. */
static ald_status remove_seen(ald_run *run, const sample *s)
{
    const ald_view q = ald_of(s->q, s->n, s->l);
    double *along;
    ALD_TRY(ald_scratch_reals(run, s->l, probes, &along));
    ALD_TRY(ald_product(run, ald_t(q), ald_of(s->e, s->n, probes), ald_at(along, s->l, probes)));
    return ald_product_add(run, -1.0, q, ald_of(along, s->l, probes), 1.0, ald_at(s->e, s->n, probes));
}

/* w = A q and e = A e by one product. */
static ald_status multiply_with_probes(ald_run *run, ald_lanczos *task, const sample *s)
{
    const int64_t l = s->l, both = l + probes;
    double *in, *out;
    ALD_TRY(ALD_SCRATCH(run, {&in, s->n, both}, {&out, s->n, both}));
    for (int64_t i = 0; i < s->n; i++) {
        memcpy(in + i * both, s->q + i * l, (size_t)l * sizeof *in);
        memcpy(in + i * both + l, s->e + i * probes, probes * sizeof *in);
    }
    ALD_TRY(task->apply(run, task->self, in, both, out));
    task->products += both;
    for (int64_t i = 0; i < s->n; i++) {
        memcpy(s->w + i * l, out + i * both, (size_t)l * sizeof *s->w);
        memcpy(s->e + i * probes, out + i * both + l, probes * sizeof *s->e);
    }
    return ALD_OK;
}

static double longest_column(int64_t n, int64_t k, const double *a)
{
    double largest = 0.0;
    for (int64_t j = 0; j < k; j++) {
        double square = 0.0;
        for (int64_t i = 0; i < n; i++) square += a[i * k + j] * a[i * k + j];
        largest = fmax(largest, square);
    }
    return sqrt(largest);
}

/* The last product with Q, and the bound of |C|. e is divided by its size after each product. */
static ald_status measure_unseen(ald_run *run, ald_lanczos *task, const sample *s, double *unseen)
{
    const double pi = 3.14159265358979323846, factor = pow(10.0, sure / probes) * sqrt(2.0 / pi);
    double logarithm = log(factor);
    ald_random random;
    double *next;
    ALD_TRY(ald_scratch_reals(run, s->n, probes, &next));
    ald_random_seed(&random, task->seed, 1);
    fill_normal(&random, s->n * probes, s->e);
    for (int i = 0; i < probe_powers; i++) {
        ALD_TRY(remove_seen(run, s));
        if (i == 0) {
            ALD_TRY(multiply_with_probes(run, task, s));
        } else {
            ALD_TRY(task->apply(run, task->self, s->e, probes, next));
            task->products += probes;
            memcpy(s->e, next, (size_t)(s->n * probes) * sizeof *next);
        }
        ALD_TRY(remove_seen(run, s));
        const double size = longest_column(s->n, probes, s->e);
        for (int64_t j = 0; j < s->n * probes && size > 0.0; j++) s->e[j] /= size;
        logarithm += log(size);
    }
    *unseen = exp(logarithm / probe_powers);
    return ALD_OK;
}

/* Ritz vectors (all of them) in q, their products in w. */
static ald_status ritz_pairs(ald_run *run, sample *s)
{
    const int64_t n = s->n, l = s->l;
    double *t, *turn, *turned;
    ALD_TRY(ALD_SCRATCH(run, {&t, l, l}, {&turn, l, l}, {&turned, n, l}));
    ALD_TRY(ald_product(run, ald_t(ald_of(s->q, n, l)), ald_of(s->w, n, l), ald_at(t, l, l)));
    ald_symmetrise(ald_at(t, l, l));
    ALD_TRY(ald_eigen(run, ald_at(t, l, l), s->theta, ald_at(turn, l, l)));
    for (int i = 0; i < 2; i++) {
        double *a = i == 0 ? s->q : s->w;
        ALD_TRY(ald_product(run, ald_of(a, n, l), ald_t(ald_of(turn, l, l)), ald_at(turned, n, l)));
        memcpy(a, turned, (size_t)(n * l) * sizeof *a);
    }
    return ALD_OK;
}

/* |columns from..to of a|, spectral. */
static ald_status norm_of_columns(ald_run *run, const sample *s, double *a, int64_t from, int64_t to,
                                  double *norm)
{
    const int64_t k = to - from;
    const ald_view part = ald_read(ald_area_block(ald_at(a, s->n, s->l), 0, from, s->n, k));
    double square;
    double *gram;
    *norm = 0.0;
    if (k == 0) return ALD_OK;
    ALD_TRY(ald_scratch_reals(run, k, k, &gram));
    ALD_TRY(ald_gram(run, part, ald_at(gram, k, k)));
    ALD_TRY(ald_eigenvalues(run, ald_at(gram, k, k), 1, &square));
    *norm = sqrt(fmax(square, 0.0));
    return ALD_OK;
}

/* t(a, b, c) - a. */
static double rise(double a, double b, double c)
{
    const double gap = a - c, root = sqrt(gap * gap + 4.0 * b * b);
    if (b == 0.0) return fmax(-gap, 0.0);
    return gap > 0.0 ? 2.0 * b * b / (gap + root) : (root - gap) / 2.0;
}

static ald_status estimate_error(ald_run *run, ald_lanczos *task, const sample *s, double unseen)
{
    const int64_t n = s->n, l = s->l, r = task->wanted;
    const double largest = s->theta[0], next = r < l ? s->theta[r] : 0.0;
    double of_wanted, of_others;
    double *rest = s->w;
    task->residual = task->error = 0.0;
    if (!(largest > 0.0)) return ALD_OK;
    for (int64_t i = 0; i < n * l; i++) rest[i] -= s->theta[i % l] * s->q[i];
    ALD_TRY(norm_of_columns(run, s, rest, 0, r, &of_wanted));
    ALD_TRY(norm_of_columns(run, s, rest, r, l, &of_others));
    const double beside = next + rise(next, of_others, unseen);
    task->error = fmax(rise(s->theta[r - 1], of_wanted, beside) / largest, DBL_EPSILON);
    task->residual = of_wanted / largest;
    return ALD_OK;
}

ald_status ald_randomized_run(ald_run *run, ald_lanczos *task)
{
    const int64_t n = task->n, r = task->wanted, most = r + task->oversamples, l = most < n ? most : n;
    sample s = {.n = n, .l = l};
    double unseen;
    task->products = 0;
    task->converged = 1;
    ALD_TRY(ALD_SCRATCH(run, {&s.q, n, l}, {&s.w, n, l}, {&s.e, n, probes}, {&s.theta, l, 1}));
    ALD_TRY(sample_range(run, task, &s));
    ALD_TRY(measure_unseen(run, task, &s, &unseen));
    ALD_TRY(ritz_pairs(run, &s));
    memcpy(task->values, s.theta, (size_t)r * sizeof *s.theta);
    for (int64_t i = 0; i < n; i++) memcpy(task->vectors + i * r, s.q + i * l, (size_t)r * sizeof *s.q);
    return estimate_error(run, task, &s, unseen);
}
