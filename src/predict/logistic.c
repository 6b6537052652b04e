/* logistic: probabilities of classes (multinomial) or of each label by itself.
 *
 * With t = z of mean 0 and deviation 1, scores s_i = c0 + C't_i and weights w_i, n their sum,
 *
 *   F(c0, C) = sum_i w_i l(y_i, s_i) + n ridge/2 |C|^2,
 *   classes  l = log sum_c exp(s_ic) - s_iy,                p = softmax(s)
 *   labels   l = sum_j log(1 + exp(s_ij)) - y_ij s_ij,      p_ij = 1/(1 + exp(-s_ij)).
 *
 * With T1 = [1 T]: gradient T1'diag(w)(P - Y) + n ridge [0; C], and the Hessian times V is T1'diag(w) D(T1 V)
 * + n ridge [0; V] with D(E)_ij = p_ij (e_ij - sum_c p_ic e_ic) for classes, p_ij (1 - p_ij) e_ij for labels.
 * F is convex. Newton's method, each step solved by conjugate gradient from these products and halved until F
 * falls enough. For labels the Hessian is a block a label, for classes nearly so: the conjugate gradient is
 * preconditioned by the blocks T1'diag(w p_c (1 - p_c)) T1 + n ridge I, q of them of the order r + 1 (left
 * out where they would take more than 400 MB). Cost of a product n r q, of the blocks n r^2 q. Stops at
 * |gradient|_F <= 1e-9 of that at C = 0 (or n); a warning is made after 200 steps. c0 is only fixed up to a
 * constant for classes: it stays where it starts, at the log of the shares. A class without rows, or a label
 * that all rows have or none has, gets its probability 0 or 1 at once. */
#include "linalg/linalg.h"
#include "linalg/vector.h"
#include "predict/affine.h"

#include <math.h>
#include <string.h>

enum { most_steps = 200, most_products = 500, most_halvings = 40, most_block_entries = 50000000 };

typedef struct task {
    ald_run *run;
    int64_t n, p, q; /* p = r + 1 */
    int labels;
    double penalty;   /* n ridge */
    const double *t1; /* n x p, first column 1 */
    const double *y;  /* n x q */
    const double *w;  /* n */
    double *prob;     /* n x q */
    double *work;     /* n x q */
    double *rows;     /* n x p */
    double *blocks;   /* q x p x p: upper factors R'R of the blocks; NULL: none */
    double *column;   /* p */
} task;

static double softplus(double s)
{
    return fmax(s, 0.0) + log1p(exp(-fabs(s)));
}

/* Of one row: l, and the probabilities in place of the scores. */
static double row_loss(const task *k, const double *y, double *s)
{
    double loss = 0.0, largest = s[0], sum = 0.0;
    if (k->labels) {
        for (int64_t j = 0; j < k->q; j++) {
            loss += softplus(y[j] > 0.5 ? -s[j] : s[j]);
            s[j] = s[j] >= 0.0 ? 1.0 / (1.0 + exp(-s[j])) : exp(s[j]) / (1.0 + exp(s[j]));
        }
        return loss;
    }
    for (int64_t c = 1; c < k->q; c++) largest = fmax(largest, s[c]);
    for (int64_t c = 0; c < k->q; c++) {
        if (y[c] > 0.5) loss -= s[c] - largest;
        sum += s[c] = exp(s[c] - largest);
    }
    for (int64_t c = 0; c < k->q; c++) s[c] /= sum;
    return loss + log(sum);
}

/* F at c (p x q); the probabilities go to `prob`. */
static ald_status objective(task *k, const double *c, double *prob, double *value)
{
    ALD_TRY(ald_product(k->run, ald_of(k->t1, k->n, k->p), ald_of(c, k->p, k->q), ald_at(prob, k->n, k->q)));
    *value = 0.5 * k->penalty * ald_dot((k->p - 1) * k->q, c + k->q, c + k->q);
    for (int64_t i = 0; i < k->n; i++) *value += k->w[i] * row_loss(k, k->y + i * k->q, prob + i * k->q);
    return ALD_OK;
}

/* out (p x q) = T1'work + penalty [0; v]. */
static ald_status gather(task *k, const double *v, double *out)
{
    ALD_TRY(ald_product(k->run, ald_t(ald_of(k->t1, k->n, k->p)), ald_of(k->work, k->n, k->q),
                        ald_at(out, k->p, k->q)));
    for (int64_t i = k->q; i < k->p * k->q; i++) out[i] += k->penalty * v[i];
    return ALD_OK;
}

static ald_status gradient(task *k, const double *c, double *out)
{
    for (int64_t i = 0; i < k->n * k->q; i++) k->work[i] = k->w[i / k->q] * (k->prob[i] - k->y[i]);
    return gather(k, c, out);
}

static ald_status hessian(task *k, const double *v, double *out)
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
static ald_status factor_blocks(task *k)
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

/* out (p x q) = the blocks' inverses times v. */
static ald_status precondition(task *k, const double *v, double *out)
{
    if (!k->blocks) memcpy(out, v, (size_t)(k->p * k->q) * sizeof *out);
    for (int64_t c = 0; k->blocks && c < k->q; c++) {
        const double *block = k->blocks + c * k->p * k->p;
        for (int64_t j = 0; j < k->p; j++) k->column[j] = v[j * k->q + c];
        ALD_TRY(ald_solve_cholesky(k->run, ald_of(block, k->p, k->p), ald_at(k->column, k->p, 1)));
        for (int64_t j = 0; j < k->p; j++) out[j * k->q + c] = k->column[j];
    }
    return ALD_OK;
}

/* step = -H^-1 g to |H step + g| <= tol |g|, from 0. */
static ald_status newton_step(task *k, const double *g, double tol, double *step)
{
    const int64_t size = k->p * k->q;
    const double enough = tol * tol * ald_dot(size, g, g);
    double *residual, *direction, *product, *near;
    ALD_TRY(ALD_SCRATCH(k->run, {&residual, size, 1}, {&direction, size, 1}, {&product, size, 1},
                        {&near, size, 1}));
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

/* Halves the step until F falls by a part of what it promises; 0 in `moved` where rounding leaves nothing to
 * gain. */
static ald_status line_search(task *k, const double *g, const double *step, double *c, double *trial,
                              double *value, int *moved)
{
    const int64_t size = k->p * k->q;
    const double slope = ald_dot(size, g, step);
    double length = 1.0, now;
    for (int h = 0; h < most_halvings; h++, length *= 0.5) {
        for (int64_t i = 0; i < size; i++) trial[i] = c[i] + length * step[i];
        ALD_TRY(objective(k, trial, k->prob, &now));
        if (!(now <= *value + 1e-4 * length * slope)) continue;
        memcpy(c, trial, (size_t)size * sizeof *c);
        *moved = 1;
        *value = now;
        return ALD_OK;
    }
    *moved = 0;
    return objective(k, c, k->prob, value);
}

static ald_status minimize(task *k, double *c)
{
    const int64_t size = k->p * k->q;
    double *g, *step, *trial, value, first = 0.0;
    ALD_TRY(ALD_SCRATCH(k->run, {&g, size, 1}, {&step, size, 1}, {&trial, size, 1}));
    ALD_TRY(objective(k, c, k->prob, &value));
    for (int s = 0; s < most_steps; s++) {
        const uint64_t mark = ald_arena_mark(&k->run->scratch);
        int moved;
        ALD_TRY(ald_progress(k->run, "predictor", (double)s / most_steps));
        ALD_TRY(gradient(k, c, g));
        const double norm = ald_norm(size, g);
        if (s == 0) first = norm;
        if (norm <= 1e-9 * first || !(norm > 0.0)) return ALD_OK;
        ALD_TRY(factor_blocks(k));
        ALD_TRY(newton_step(k, g, fmin(0.1, norm / first), step));
        ALD_TRY(line_search(k, g, step, c, trial, &value, &moved));
        ald_arena_release(&k->run->scratch, mark);
        if (!moved) return ALD_OK;
    }
    ald_warn(k->run, ALD_NOT_CONVERGED,
             "the logistic predictor has not converged in %d steps: a larger `predictor_ridge` helps",
             most_steps);
    return ALD_OK;
}

/* Intercepts at the shares of classes and labels. */
static void logistic_start(const task *k, double *c)
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

/* T1 and the weights. */
static ald_status make_task(ald_run *run, const ald_predictor_options *options,
                            const ald_predictor_data *data, const ald_centred *z, task *k)
{
    double *t1, *w;
    *k = (task){
        .run = run, .n = data->n, .p = data->r + 1, .q = data->q, .labels = data->kind == ALD_TARGET_LABELS};
    ALD_TRY(ALD_SCRATCH(run, {&t1, k->n, k->p}, {&w, k->n, 1}));
    for (int64_t i = 0; i < k->n; i++) {
        w[i] = ald_predictor_weight(data, i);
        t1[i * k->p] = 1.0;
        for (int64_t j = 0; j < data->r; j++)
            t1[i * k->p + 1 + j] = (data->z[i * data->r + j] - z->mean[j]) / z->deviation[j];
    }
    k->penalty = ald_predictor_total(data) * options->ridge;
    k->t1 = t1;
    k->w = w;
    k->y = data->y;
    ALD_TRY(ALD_SCRATCH(run, {&k->prob, k->n, k->q}, {&k->rows, k->n, k->p}, {&k->column, k->p, 1}));
    if ((double)k->q * (double)k->p * (double)k->p <= (double)most_block_entries)
        ALD_TRY(ald_scratch_reals(run, k->q, k->p * k->p, &k->blocks));
    return ald_scratch_reals(run, k->n, k->q, &k->work);
}

static ald_status logistic_fit(ald_run *run, const ald_predictor_options *options,
                               const ald_predictor_data *data, ald_model *model)
{
    ald_centred z;
    task k;
    double *c;
    ALD_TRY(ald_centre_z(run, data, &z));
    ALD_TRY(make_task(run, options, data, &z, &k));
    ALD_TRY(ald_scratch_reals(run, k.p, k.q, &c));
    logistic_start(&k, c);
    ALD_TRY(minimize(&k, c));
    for (int64_t i = 0; i < data->r * data->q; i++) c[k.q + i] /= z.deviation[i / data->q];
    ALD_TRY(ald_model_set_text(run, model, "alidade.predictor.link", k.labels ? "logit" : "softmax"));
    return ald_affine_store(run, data, z.mean, c + k.q, c, model);
}

static ald_status logistic_apply(ald_run *run, const ald_model *model, int64_t n, int64_t r, int64_t q,
                                 const double *z, double *scores)
{
    const char *link = ald_model_text(model, "alidade.predictor.link");
    ALD_TRY(ald_affine_apply(run, model, n, r, q, z, scores));
    if (!link || strcmp(link, "logit") != 0) {
        ald_softmax(n, q, scores);
        return ALD_OK;
    }
    for (int64_t i = 0; i < n * q; i++) scores[i] = 1.0 / (1.0 + exp(-scores[i]));
    return ALD_OK;
}

const ald_predictor ald_predictor_logistic = {.name = "logistic",
                                              .kinds = 1 << ALD_TARGET_CLASSES | 1 << ALD_TARGET_LABELS,
                                              .probabilities =
                                                  1 << ALD_TARGET_CLASSES | 1 << ALD_TARGET_LABELS,
                                              .own_ridge = 1e-3,
                                              .fit = logistic_fit,
                                              .apply = logistic_apply,
                                              .outputs = ald_affine_outputs};
