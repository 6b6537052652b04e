/* The penalised logistic loss and its minimum. With scores s_i = c0 + C't_i and weights w_i,
 *
 *   F(c0, C) = sum_i w_i l(y_i, s_i) + penalty/2 |C|^2
 *
 *   classes   l = log sum_c exp(s_ic) - s_iy                  p = softmax(s)
 *   labels    l = sum_j log(1 + exp(s_ij)) - y_ij s_ij        p_ij = 1 / (1 + exp(-s_ij))
 *
 * With T1 = [1 T],
 *
 *   gradient    = T1'diag(w)(P - Y) + penalty [0; C]
 *   Hessian V   = T1'diag(w) D(T1 V) + penalty [0; V]
 *   D(E)_ij     = p_ij (e_ij - sum_c p_ic e_ic)               classes
 *               = p_ij (1 - p_ij) e_ij                        labels
 *
 * F is convex. Newton's method, each step solved by conjugate gradient from these products and halved until
 * F falls enough. For labels the Hessian has a block per label, for classes nearly so: the conjugate
 * gradient is preconditioned by the blocks T1'diag(w p_c (1 - p_c)) T1 + penalty I, q of them of the order
 * p (left out where they would take more than 400 MB); or, where the columns of T are orthogonal, by a
 * diagonal.
 *
 * Cost of a product n p q, of the blocks n p^2 q.
 *
 * Edge cases: a warning is made after 200 steps. c0 is only fixed up to a constant for classes: it stays
 * where it starts, at the log of the shares. A class without rows, or a label that all rows have or none
 * has, gets its probability 0 or 1 at once. */
#include "methods/predict/logistic_solve.h"

#include "math/kernel/kernel.h"
#include "math/linalg/linalg.h"
#include "math/linalg/vector.h"
#include "methods/predict/predictor.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    most_steps = 200,
    most_products = 500,
    most_halvings = 40,
    most_block_entries = 50000000,
    vectors = 7,
};

static double softplus(double s)
{
    return fmax(s, 0.0) + log1p(exp(-fabs(s)));
}

/* The losses of labels, and the probabilities in place of the scores. */
static double label_losses(const ald_logistic *k, double *s)
{
    double sum = 0.0;
    for (int64_t i = 0; i < k->n * k->q; i++) {
        sum += k->w[i / k->q] * softplus(k->y[i] > 0.5 ? -s[i] : s[i]);
        s[i] = s[i] >= 0.0 ? 1.0 / (1.0 + exp(-s[i])) : exp(s[i]) / (1.0 + exp(s[i]));
    }
    return sum;
}

/* The same of classes; all exponentials are taken at once. */
static double class_losses(const ald_logistic *k, double *s)
{
    const int64_t n = k->n, q = k->q;
    double loss = 0.0;
    for (int64_t i = 0; i < n; i++) {
        double *row = s + i * q;
        double largest = row[0];
        for (int64_t c = 1; c < q; c++) largest = fmax(largest, row[c]);
        for (int64_t c = 0; c < q; c++) {
            row[c] -= largest;
            if (k->y[i * q + c] > 0.5) loss -= k->w[i] * row[c];
        }
    }
    ald_many_exp(n * q, s);
    for (int64_t i = 0; i < n; i++) {
        double sum = 0.0;
        for (int64_t c = 0; c < q; c++) sum += s[i * q + c];
        for (int64_t c = 0; c < q; c++) s[i * q + c] /= sum;
        loss += k->w[i] * log(sum);
    }
    return loss;
}

/* F at c (p x q); the probabilities go to `prob`. */
static ald_status objective(ald_logistic *k, const double *c, double *prob, double *value)
{
    ALD_TRY(ald_product(k->run, ald_of(k->t1, k->n, k->p), ald_of(c, k->p, k->q), ald_at(prob, k->n, k->q)));
    *value = 0.5 * k->penalty * ald_dot((k->p - 1) * k->q, c + k->q, c + k->q);
    *value += k->labels ? label_losses(k, prob) : class_losses(k, prob);
    k->value = *value;
    return ALD_OK;
}

/* out (p x q) = T1'work + penalty [0; v]. */
static ald_status gather(ald_logistic *k, const double *v, double *out)
{
    ALD_TRY(ald_product(k->run, ald_t(ald_of(k->t1, k->n, k->p)), ald_of(k->work, k->n, k->q),
                        ald_at(out, k->p, k->q)));
    for (int64_t i = k->q; i < k->p * k->q; i++) out[i] += k->penalty * v[i];
    return ALD_OK;
}

static ald_status gradient(ald_logistic *k, const double *c, double *out)
{
    for (int64_t i = 0; i < k->n * k->q; i++) k->work[i] = k->w[i / k->q] * (k->prob[i] - k->y[i]);
    return gather(k, c, out);
}

static ald_status hessian(ald_logistic *k, const double *v, double *out)
{
    ALD_TRY(
        ald_product(k->run, ald_of(k->t1, k->n, k->p), ald_of(v, k->p, k->q), ald_at(k->work, k->n, k->q)));
    for (int64_t i = 0; i < k->n; i++) {
        const double *prob = k->prob + i * k->q;
        double *e = k->work + i * k->q;
        const double mean = k->labels ? 0.0 : ald_dot(k->q, prob, e);
        for (int64_t j = 0; j < k->q; j++)
            e[j] = k->w[i] * prob[j] * (k->labels ? (1.0 - prob[j]) * e[j] : e[j] - mean);
    }
    return gather(k, v, out);
}

/* The factors at the present probabilities; a little on the diagonal keeps those of settled classes regular.
 */
static ald_status factor_blocks(ald_logistic *k)
{
    const double floor = 1e-12 * (double)k->n;
    for (int64_t c = 0; k->blocks && c < k->q; c++) {
        double *block = k->blocks + c * k->p * k->p;
        for (int64_t i = 0; i < k->n; i++) {
            const double prob = k->prob[i * k->q + c], root = sqrt(k->w[i] * prob * (1.0 - prob));
            for (int64_t j = 0; j < k->p; j++) k->rows[i * k->p + j] = root * k->t1[i * k->p + j];
        }
        ALD_TRY(ald_gram(k->run, ald_of(k->rows, k->n, k->p), ald_at(block, k->p, k->p)));
        for (int64_t j = 0; j < k->p; j++) block[j * k->p + j] += floor + (j ? k->penalty : 0.0);
        ALD_TRY(ald_cholesky(k->run, ald_at(block, k->p, k->p)));
    }
    return ALD_OK;
}

/* out (p x q) = v divided by the blocks or by the diagonal. */
static ald_status precondition(ald_logistic *k, const double *v, double *out)
{
    for (int64_t i = 0; !k->blocks && i < k->p * k->q; i++)
        out[i] = k->diagonal ? v[i] / k->diagonal[i] : v[i];
    for (int64_t c = 0; k->blocks && c < k->q; c++) {
        const double *block = k->blocks + c * k->p * k->p;
        for (int64_t j = 0; j < k->p; j++) k->column[j] = v[j * k->q + c];
        ALD_TRY(ald_solve_cholesky(k->run, ald_of(block, k->p, k->p), ald_at(k->column, k->p, 1)));
        for (int64_t j = 0; j < k->p; j++) out[j * k->q + c] = k->column[j];
    }
    return ALD_OK;
}

/* step = -H^-1 g to |H step + g| <= tol |g|, from 0. */
static ald_status newton_step(ald_logistic *k, const double *g, double tol, double *step)
{
    const int64_t size = k->p * k->q;
    const double enough = tol * tol * ald_dot(size, g, g);
    double *residual = k->steps + 3 * size, *direction = residual + size, *product = direction + size,
           *near = product + size;
    memset(step, 0, (size_t)size * sizeof *step);
    for (int64_t i = 0; i < size; i++) residual[i] = -g[i];
    ALD_TRY(precondition(k, residual, near));
    memcpy(direction, near, (size_t)size * sizeof *direction);
    double inner = ald_dot(size, residual, near);
    for (int m = 0; m < most_products && ald_dot(size, residual, residual) > enough; m++) {
        ALD_TRY(hessian(k, direction, product));
        const double curvature = ald_dot(size, direction, product);
        if (!(curvature > 0.0)) break;
        const double alpha = inner / curvature, before = inner;
        ald_add_times(size, alpha, direction, step);
        ald_add_times(size, -alpha, product, residual);
        ALD_TRY(precondition(k, residual, near));
        inner = ald_dot(size, residual, near);
        for (int64_t i = 0; i < size; i++) direction[i] = near[i] + inner / before * direction[i];
    }
    return ALD_OK;
}

/* Halves the step until F falls by a part of what it promises, to rounding; 0 in `moved` where no step does.
 */
static ald_status line_search(ald_logistic *k, const double *g, const double *step, double *c, double *trial,
                              double *value, int *moved)
{
    const int64_t size = k->p * k->q;
    const double slope = ald_dot(size, g, step), noise = 4.0 * DBL_EPSILON * fabs(*value);
    double length = 1.0, now;
    for (int h = 0; h < most_halvings; h++, length *= 0.5) {
        for (int64_t i = 0; i < size; i++) trial[i] = c[i] + length * step[i];
        ALD_TRY(objective(k, trial, k->prob, &now));
        if (!(now <= *value + 1e-4 * length * slope + noise)) continue;
        memcpy(c, trial, (size_t)size * sizeof *c);
        *moved = 1;
        *value = now;
        return ALD_OK;
    }
    *moved = 0;
    return objective(k, c, k->prob, value);
}

ald_status ald_logistic_minimize(ald_logistic *k, double scale, double *c)
{
    const int64_t size = k->p * k->q;
    double *g = k->steps, *step = g + size, *trial = step + size;
    double value, first = scale;
    ALD_TRY(objective(k, c, k->prob, &value));
    for (int s = 0; s < most_steps; s++) {
        int moved;
        if (k->inner)
            ALD_TRY(ald_ask_after(k->run, 20.0 * (double)k->n * (double)(k->p * k->q)));
        else
            ALD_TRY(ald_progress(k->run, "predictor", (double)s / most_steps));
        ALD_TRY(gradient(k, c, g));
        const double norm = ald_norm(size, g);
        if (!(first > 0.0)) first = norm;
        if (norm <= k->tol * first || !(norm > 0.0)) return ALD_OK;
        ALD_TRY(factor_blocks(k));
        ALD_TRY(newton_step(k, g, fmax(fmin(0.1, norm / first), k->forcing), step));
        ALD_TRY(line_search(k, g, step, c, trial, &value, &moved));
        if (!moved) return ALD_OK;
    }
    if (k->inner) return ALD_OK;
    ald_warn(k->run, ALD_NOT_CONVERGED,
             "the logistic predictor has not converged in %d steps: raise `predictor_ridge`", most_steps);
    return ALD_OK;
}

void ald_logistic_start(const ald_logistic *k, double *c)
{
    double total = 0.0;
    memset(c, 0, (size_t)(k->p * k->q) * sizeof *c);
    for (int64_t i = 0; i < k->n; i++) {
        total += k->w[i];
        for (int64_t j = 0; j < k->q; j++) c[j] += k->w[i] * k->y[i * k->q + j];
    }
    for (int64_t j = 0; j < k->q; j++) {
        const double share = c[j] / total;
        if (!(share > 0.0))
            c[j] = ALD_NO_SCORE;
        else if (k->labels)
            c[j] = share < 1.0 ? log(share / (1.0 - share)) : -ALD_NO_SCORE;
        else
            c[j] = log(share);
    }
}

ald_status ald_logistic_slope(ald_logistic *k, const double *c, double *norm)
{
    double value;
    ALD_TRY(objective(k, c, k->prob, &value));
    ALD_TRY(gradient(k, c, k->steps));
    *norm = ald_norm(k->p * k->q, k->steps);
    return ALD_OK;
}

ald_status ald_logistic_room(ald_logistic *k, int blocks)
{
    ALD_TRY(ALD_SCRATCH(k->run, {&k->prob, k->n, k->q}, {&k->rows, k->n, k->p}, {&k->column, k->p, 1},
                        {&k->steps, vectors * k->p, k->q}));
    if (blocks && (double)k->q * (double)k->p * (double)k->p <= (double)most_block_entries)
        ALD_TRY(ald_scratch_reals(k->run, k->q, k->p * k->p, &k->blocks));
    return ald_scratch_reals(k->run, k->n, k->q, &k->work);
}
