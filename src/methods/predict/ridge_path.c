/* min sum_i w_i |y_i - b0 - B't_i|^2 + lambda |B|^2, t the columns at mean 0 and deviation 1.
 *
 * With Z = U diag(s) V' of the rooted rows (path.h), Y the responses about their means and rooted likewise,
 * f = s^2 / (s^2 + lambda), and r the roots of the weights, W their sum of squares:
 *
 *   fitted    U diag(f) U'Y,        hat matrix  H = U diag(f) U' + r r'/W  (the intercept)
 *   left out  e_g = (I - H_gg)^-1 (Y - H Y)_g   for the rows g
 *
 * e_g is exactly what a fit without the rows g misses them by, the scaling of the columns aside. For one row
 * that is a division. For a larger group the smaller side is solved: with A = [U_g diag(f)^1/2,
 * r_g/W^1/2], H_gg = A A' and (I - A A')^-1 = I + A (I - A'A)^-1 A'.
 *
 * Why leaving out one by one and not a few folds: one decomposition serves all penalties and all that is left
 * out, where K folds need K, and nothing has to be drawn. Equal rows are to be left out together, else they
 * vouch for each other; hence the groups. Penalties lambda are 10 to 1e-10 of the largest s^2, two per
 * decade. The largest wins whose sum of squares of e is within a standard error of the least, by the paired
 * differences of the groups. Cost: the decomposition, n k^2, and n k (q + 1) per penalty. */
#include "methods/predict/affine.h"

#include "math/linalg/linalg.h"

#include <math.h>
#include <string.h>

enum { penalties = 23 };

typedef struct leaving {
    ald_run *run;
    int64_t n, k, q;
    const int64_t *order, *starts; /* rows group by group */
    int64_t groups;
    const double *squares; /* k */
    double *u;             /* n x k */
    const double *y;       /* n x q */
    double *uy;            /* k x q: U'Y */
    double *root;          /* n: of w/W */
    double *left;          /* n x q: what is missed, by a fit without the row */
    double *factor;        /* k: f */
    double *inner;         /* k x q */
    double *block, *e;     /* of the largest group: m x (k + 1), m x q */
    double *gram, *along;  /* the smaller side of it, squared; (k + 1) x q */
} leaving;

static double penalty_at(const leaving *l, int number)
{
    return l->k > 0 ? l->squares[0] * pow(10.0, 1.0 - 0.5 * number) : 1.0;
}

/* Rows of group 0, 1, ... one after the other, groups in the order of their first rows. */
static ald_status list_groups(ald_run *run, const ald_path *path, leaving *l)
{
    const int64_t n = l->n;
    const int64_t *of = path->groups;
    const int apart = !of || ald_path_groups(path) < 3; /* too few to leave one out */
    int64_t *order, *starts, *next;
    ALD_TRY(ald_scratch(run, n, 1, sizeof *order, &order));
    ALD_TRY(ald_scratch(run, n + 1, 1, sizeof *starts, &starts));
    ALD_TRY(ald_scratch_clear(run, n, 1, sizeof *next, &next));
    for (int64_t i = 0; i < n; i++) next[apart ? i : of[i]]++;
    starts[0] = 0;
    for (int64_t i = 0; i < n; i++) {
        const int64_t count = next[i];
        next[i] = starts[l->groups];
        if (count > 0) starts[++l->groups] = next[i] + count;
    }
    for (int64_t i = 0; i < n; i++) order[next[apart ? i : of[i]]++] = i;
    l->order = order;
    l->starts = starts;
    return ALD_OK;
}

/* For the largest group. */
static ald_status make_room(ald_run *run, leaving *l)
{
    int64_t m = 1;
    for (int64_t g = 0; g < l->groups; g++)
        if (l->starts[g + 1] - l->starts[g] > m) m = l->starts[g + 1] - l->starts[g];
    const int64_t side = l->k + 1, small = m < side ? m : side;
    return ALD_SCRATCH(run, {&l->block, m, side}, {&l->e, m, l->q}, {&l->gram, small, small},
                       {&l->along, side, l->q});
}

static ald_status begin(ald_run *run, const ald_path *path, const ald_path_span *span, const ald_centred *y,
                        leaving *l)
{
    const ald_predictor_data *data = path->data;
    const double total = ald_predictor_total(data);
    *l = (leaving){
        .run = run,
        .n = data->n,
        .k = span->k,
        .q = data->q,
        .squares = span->squares,
        .y = y->values,
    };
    ALD_TRY(list_groups(run, path, l));
    ALD_TRY(make_room(run, l));
    ALD_TRY(ALD_SCRATCH(run, {&l->u, l->n, l->k}, {&l->uy, l->k, l->q}, {&l->root, l->n, 1},
                        {&l->left, l->n, l->q}, {&l->factor, l->k, 1}, {&l->inner, l->k, l->q}));
    ALD_TRY(ald_product(run, ald_of(span->z.values, l->n, data->r), ald_t(ald_of(span->vt, l->k, data->r)),
                        ald_at(l->u, l->n, l->k)));
    for (int64_t i = 0; i < l->n * l->k; i++) l->u[i] /= sqrt(l->squares[i % l->k]);
    for (int64_t i = 0; i < l->n; i++) l->root[i] = sqrt(ald_predictor_weight(data, i) / total);
    return ald_product(run, ald_t(ald_of(l->u, l->n, l->k)), ald_of(l->y, l->n, l->q),
                       ald_at(l->uy, l->k, l->q));
}

/* left = Y - U diag(f) U'Y. */
static ald_status fit_all(leaving *l, double lambda)
{
    for (int64_t j = 0; j < l->k; j++) l->factor[j] = l->squares[j] / (l->squares[j] + lambda);
    for (int64_t i = 0; i < l->k * l->q; i++) l->inner[i] = l->factor[i / l->q] * l->uy[i];
    memcpy(l->left, l->y, (size_t)(l->n * l->q) * sizeof *l->left);
    return ald_product_add(l->run, -1.0, ald_of(l->u, l->n, l->k), ald_of(l->inner, l->k, l->q), 1.0,
                           ald_at(l->left, l->n, l->q));
}

static void leave_one(leaving *l, int64_t i)
{
    const double *u = l->u + i * l->k;
    double kept = 1.0 - l->root[i] * l->root[i];
    for (int64_t j = 0; j < l->k; j++) kept -= l->factor[j] * u[j] * u[j];
    for (int64_t j = 0; j < l->q; j++) l->left[i * l->q + j] /= kept > 1e-12 ? kept : 1e-12;
}

/* A (m x (k + 1)) of a group. */
static void take_block(leaving *l, const int64_t *rows, int64_t m)
{
    const int64_t k = l->k, side = k + 1;
    for (int64_t i = 0; i < m; i++) {
        double *a = l->block + i * side;
        for (int64_t j = 0; j < k; j++) a[j] = sqrt(l->factor[j]) * l->u[rows[i] * k + j];
        a[k] = l->root[rows[i]];
        memcpy(l->e + i * l->q, l->left + rows[i] * l->q, (size_t)l->q * sizeof *l->e);
    }
}

/* gram <- the Cholesky factor of I - gram; a little on the diagonal where the rest says nothing of the group.
 */
static ald_status factor_rest(leaving *l, int64_t side, double *gram)
{
    for (int64_t i = 0; i < side * side; i++) gram[i] = (i / side == i % side ? 1.0 + 1e-12 : 0.0) - gram[i];
    return ald_cholesky(l->run, ald_at(gram, side, side));
}

/* e <- (I - A A')^-1 e, e m x q. */
static ald_status solve_block(leaving *l, int64_t m)
{
    const int64_t side = l->k + 1, q = l->q, small = m < side ? m : side;
    const ald_view a = ald_of(l->block, m, side);
    double *gram = l->gram, *along = l->along, *e = l->e;
    ALD_TRY(ald_gram(l->run, m < side ? ald_t(a) : a, ald_at(gram, small, small)));
    ALD_TRY(factor_rest(l, small, gram));
    if (m < side) return ald_solve_cholesky(l->run, ald_of(gram, m, m), ald_at(e, m, q));
    ALD_TRY(ald_product(l->run, ald_t(a), ald_of(e, m, q), ald_at(along, side, q)));
    ALD_TRY(ald_solve_cholesky(l->run, ald_of(gram, side, side), ald_at(along, side, q)));
    return ald_product_add(l->run, 1.0, a, ald_of(along, side, q), 1.0, ald_at(e, m, q));
}

static ald_status leave_group(leaving *l, const int64_t *rows, int64_t m)
{
    take_block(l, rows, m);
    ALD_TRY(solve_block(l, m));
    for (int64_t i = 0; i < m; i++)
        memcpy(l->left + rows[i] * l->q, l->e + i * l->q, (size_t)l->q * sizeof *l->e);
    return ALD_OK;
}

/* missed (groups x q, or groups x 1 where they are one): the squares of what is missed. */
static ald_status leave_each(leaving *l, double lambda, int together, double *missed)
{
    const int64_t q = together ? 1 : l->q;
    ALD_TRY(fit_all(l, lambda));
    memset(missed, 0, (size_t)(l->groups * q) * sizeof *missed);
    for (int64_t g = 0; g < l->groups; g++) {
        const int64_t *rows = l->order + l->starts[g];
        const int64_t m = l->starts[g + 1] - l->starts[g];
        if (m == 1)
            leave_one(l, rows[0]);
        else
            ALD_TRY(leave_group(l, rows, m));
        for (int64_t i = 0; i < m * l->q; i++) {
            const double left = l->left[rows[i / l->q] * l->q + i % l->q];
            missed[g * q + i % q] += left * left;
        }
    }
    return ALD_OK;
}

/* What penalty a misses more than penalty b in all, and the standard error of that over the groups. */
static double excess(int64_t groups, int64_t q, const double *a, const double *b, double *error)
{
    const double count = (double)groups;
    double sum = 0.0, square = 0.0;
    for (int64_t g = 0; g < groups; g++) sum += a[g * q] - b[g * q];
    for (int64_t g = 0; g < groups; g++) square += pow(a[g * q] - b[g * q] - sum / count, 2);
    *error = sqrt(count / fmax(count - 1.0, 1.0) * square);
    return sum;
}

/* The largest penalty that misses no more than a standard error more than the best. `missed`: of one
 * response, from penalty to penalty `stride` apart. */
static int choose_one(const leaving *l, int64_t q, int64_t stride, const double *missed)
{
    int best = 0, chosen = 0;
    double error;
    for (int number = 1; number < penalties; number++)
        if (excess(l->groups, q, missed + number * stride, missed + best * stride, &error) < 0.0)
            best = number;
    while (chosen < best &&
           !(excess(l->groups, q, missed + chosen * stride, missed + best * stride, &error) <= error))
        chosen++;
    return chosen;
}

/* best (q): the penalty of each response. */
static ald_status choose(leaving *l, int together, double *best)
{
    const int64_t q = together ? 1 : l->q, stride = l->groups * q;
    double *missed;
    ALD_TRY(ald_scratch_reals(l->run, penalties, stride, &missed));
    for (int number = 0; number < penalties; number++) {
        ALD_TRY(ald_progress(l->run, "penalty", (double)number / penalties));
        ALD_TRY(leave_each(l, penalty_at(l, number), together, missed + number * stride));
    }
    for (int64_t j = 0; j < l->q; j++)
        best[j] = penalty_at(l, choose_one(l, q, stride, missed + (together ? 0 : j)));
    return ALD_OK;
}

ald_status ald_ridge_path(ald_run *run, const ald_path *path, ald_model *model)
{
    const ald_predictor_data *data = path->data;
    ald_path_span span;
    ald_centred y;
    leaving l;
    double *best;
    ALD_TRY(ald_path_decompose(run, path, &span));
    ALD_TRY(ald_ask_again(run));
    ALD_TRY(ald_centre_y(run, data, &y));
    ALD_TRY(begin(run, path, &span, &y, &l));
    ALD_TRY(ald_scratch_reals(run, l.q, 1, &best));
    ALD_TRY(choose(&l, data->kind != ALD_TARGET_REAL, best));
    for (int64_t i = 0; i < l.k * l.q; i++) {
        const double square = l.squares[i / l.q];
        l.inner[i] = sqrt(square) / (square + best[i % l.q]) * l.uy[i];
    }
    ALD_TRY(ald_path_store(run, path, &span, l.inner, y.mean, model));
    ALD_TRY(ald_model_set_real(run, model, "alidade.predictor.ridge", best[0] / ald_predictor_total(data)));
    return ald_model_set_text(run, model, "alidade.predictor.kind", ald_predictor_ridge.name);
}
