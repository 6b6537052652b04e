/* min sum_i w_i |y_i - b0 - B't_i|^2 + lambda |B|^2, t the columns at mean 0 and deviation 1.
 *
 * With Z = U diag(s) V' of the rooted rows (affine.h), Y the responses about their means and rooted likewise,
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
 * differences of the groups.
 *
 * U = Z C with C = V diag(1/s) is never stored: a chunk of rows is multiplied by C diag(f) U'Y for all
 * penalties at once, and (U o U) f is the diagonal of U diag(f) U'. Rows that are left out by themselves need
 * no more. Cost: the decomposition, n d k for U, and n (d q + k) per penalty; X is read five times. */
#include "methods/predict/affine.h"

#include "base/threads/threads.h"
#include "math/linalg/linalg.h"

#include <math.h>
#include <string.h>

enum { penalties = 23, chunk_entries = 1 << 20, fewest_rows = 64 };

typedef struct leaving {
    ald_run *run;
    const ald_operator *z;
    int64_t n, d, k, q;
    int64_t responses;             /* that have a penalty each: q, or 1 where all share one */
    const int64_t *order, *starts; /* rows group by group */
    const int64_t *number;         /* n: of the group */
    int64_t groups;
    const double *squares; /* k */
    const double *y;       /* n x q */
    double *c;             /* d x k */
    double *inner;         /* d x (penalties q): C diag(f) U'Y, penalty after penalty */
    double *uy;            /* k x q: U'Y */
    double *root;          /* n: of w/W */
    double *factor;        /* k x penalties: f */
    double *missed;        /* penalties x groups x responses: the squares of what is missed */
    /* A chunk of rows, from row `first` on. */
    int64_t first;
    double *fitted, *hat; /* m x (penalties q), m x penalties */
    /* The largest group: its rows, A, e, and the smaller side of A, squared; (k + 1) x q. */
    double *rows, *block, *e, *gram, *along;
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
    int64_t *order, *starts, *next, *number;
    ALD_TRY(ald_scratch(run, n, 1, sizeof *order, &order));
    ALD_TRY(ald_scratch(run, n + 1, 1, sizeof *starts, &starts));
    ALD_TRY(ald_scratch(run, n, 1, sizeof *number, &number));
    ALD_TRY(ald_scratch_clear(run, n, 1, sizeof *next, &next));
    for (int64_t i = 0; i < n; i++) next[apart ? i : of[i]]++;
    starts[0] = 0;
    for (int64_t i = 0; i < n; i++) {
        const int64_t count = next[i];
        next[i] = starts[l->groups];
        if (count > 0) number[i] = l->groups, starts[++l->groups] = next[i] + count;
    }
    for (int64_t i = 0; i < n; i++) {
        const int64_t head = apart ? i : of[i];
        number[i] = number[head];
        order[next[head]++] = i;
    }
    l->order = order;
    l->starts = starts;
    l->number = number;
    return ALD_OK;
}

static int64_t group_size(const leaving *l, int64_t g)
{
    return l->starts[g + 1] - l->starts[g];
}

/* For the largest group. */
static ald_status make_group_room(ald_run *run, leaving *l)
{
    int64_t m = 1;
    for (int64_t g = 0; g < l->groups; g++)
        if (group_size(l, g) > m) m = group_size(l, g);
    if (m == 1) return ALD_OK;
    const int64_t side = l->k + 1, small = m < side ? m : side;
    return ALD_SCRATCH(run, {&l->rows, m, l->d + l->k + penalties * l->q}, {&l->block, m, side},
                       {&l->e, m, l->q}, {&l->gram, small, small}, {&l->along, side, l->q});
}

static ald_status make_room(ald_run *run, leaving *l)
{
    ALD_TRY(make_group_room(run, l));
    ALD_TRY(ALD_SCRATCH(run, {&l->c, l->d, l->k}, {&l->inner, l->d, penalties * l->q}, {&l->uy, l->k, l->q},
                        {&l->root, l->n, 1}, {&l->factor, l->k, penalties}));
    return ald_scratch_zeros(run, penalties, l->groups * l->responses, &l->missed);
}

/* C, U'Y = C'Z'Y, and C diag(f) U'Y. */
static ald_status multiply(ald_run *run, const ald_path_span *span, leaving *l)
{
    const int64_t d = l->d, k = l->k, q = l->q, all = penalties * q;
    double *zy, *by_penalty;
    ALD_TRY(ALD_SCRATCH(run, {&zy, d, q}, {&by_penalty, k, all}));
    for (int64_t i = 0; i < d * k; i++) l->c[i] = span->v[i] / sqrt(l->squares[i % k]);
    ALD_TRY(ald_operator_apply_transposed(run, l->z, ald_of(l->y, l->n, q), ald_at(zy, d, q)));
    ALD_TRY(ald_product(run, ald_t(ald_of(l->c, d, k)), ald_of(zy, d, q), ald_at(l->uy, k, q)));
    for (int64_t i = 0; i < k * penalties; i++) {
        const double square = l->squares[i / penalties], lambda = penalty_at(l, (int)(i % penalties));
        l->factor[i] = square / (square + lambda);
        for (int64_t j = 0; j < q; j++) by_penalty[i * q + j] = l->factor[i] * l->uy[i / penalties * q + j];
    }
    return ald_product(run, ald_of(l->c, d, k), ald_of(by_penalty, k, all), ald_at(l->inner, d, all));
}

static ald_status begin(ald_run *run, const ald_path *path, const ald_path_span *span, const ald_centred *y,
                        leaving *l)
{
    const ald_predictor_data *data = path->data;
    const double total = ald_predictor_total(data);
    *l = (leaving){
        .run = run,
        .z = &span->z,
        .n = data->n,
        .d = data->r,
        .k = span->k,
        .q = data->q,
        .responses = data->kind == ALD_TARGET_REAL ? data->q : 1,
        .squares = span->squares,
        .y = y->values,
    };
    ALD_TRY(list_groups(run, path, l));
    ALD_TRY(make_room(run, l));
    for (int64_t i = 0; i < l->n; i++) l->root[i] = sqrt(ald_predictor_weight(data, i) / total);
    return multiply(run, span, l);
}

/* The squares of e (m x q), of a group, at a penalty. */
static void add_missed(leaving *l, int64_t g, int penalty, int64_t m, const double *e)
{
    double *missed = l->missed + (penalty * l->groups + g) * l->responses;
    for (int64_t i = 0; i < m * l->q; i++) missed[i % l->responses] += e[i] * e[i];
}

/* Row i by itself, from what is fitted to it and its place on the diagonal of the hat matrix. */
static void leave_one(leaving *l, int64_t i, const double *fitted, const double *hat)
{
    const int64_t q = l->q, step = l->responses > 1; /* all in one, or each by itself */
    const double *y = l->y + i * q;
    for (int p = 0; p < penalties; p++) {
        const double rest = 1.0 - l->root[i] * l->root[i] - hat[p], kept = rest > 1e-12 ? rest : 1e-12;
        double *missed = l->missed + (p * l->groups + l->number[i]) * l->responses;
        for (int64_t j = 0; j < q; j++) {
            const double e = (y[j] - fitted[p * q + j]) / kept;
            missed[j * step] += e * e;
        }
    }
}

typedef struct chunk_work {
    leaving *l;
    int64_t rows;
    int parts;
} chunk_work;

static void leave_part(void *work, int part)
{
    const chunk_work *w = work;
    leaving *l = w->l;
    const int64_t end = ald_part_begin(w->rows, w->parts, part + 1);
    for (int64_t i = ald_part_begin(w->rows, w->parts, part); i < end; i++)
        if (group_size(l, l->number[l->first + i]) == 1)
            leave_one(l, l->first + i, l->fitted + i * penalties * l->q, l->hat + i * penalties);
}

/* What is fitted to the rows of a chunk, and their hat diagonal, by all penalties. */
static ald_status leave_chunk(leaving *l, int64_t rows)
{
    const int64_t all = penalties * l->q;
    const ald_operator z = ald_operator_slice(l->z, l->first, rows);
    chunk_work work = {l, rows, ald_parts(l->run, rows, 1 + (1 << 14) / all)};
    ALD_TRY(ald_operator_apply(l->run, &z, ald_of(l->inner, l->d, all), ald_at(l->fitted, rows, all)));
    ALD_TRY(ald_operator_apply_squared(l->run, &z, ald_of(l->c, l->d, l->k),
                                       ald_of(l->factor, l->k, penalties), ald_at(l->hat, rows, penalties)));
    ald_parallel(work.parts, leave_part, &work);
    return ALD_OK;
}

static ald_status leave_rows(leaving *l)
{
    const int64_t all = penalties * l->q;
    int64_t most = fewest_rows + chunk_entries / all;
    if (most > l->n) most = l->n;
    ALD_TRY(ALD_SCRATCH(l->run, {&l->fitted, most, all}, {&l->hat, most, penalties}));
    for (l->first = 0; l->first < l->n; l->first += most) {
        ALD_TRY(ald_progress(l->run, "penalty", (double)l->first / (double)l->n));
        ALD_TRY(leave_chunk(l, l->n - l->first < most ? l->n - l->first : most));
    }
    return ALD_OK;
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

/* U (m x k) and what is fitted (m x (penalties q)) of a group's rows. */
static ald_status take_group(leaving *l, const int64_t *rows, int64_t m, double *u, double *fitted)
{
    const ald_view z = ald_of(l->rows, m, l->d);
    const int64_t all = penalties * l->q;
    for (int64_t i = 0; i < m; i++)
        ALD_TRY(ald_operator_rows(l->run, l->z, rows[i], ald_at(l->rows + i * l->d, 1, l->d)));
    ALD_TRY(ald_product(l->run, z, ald_of(l->c, l->d, l->k), ald_at(u, m, l->k)));
    return ald_product(l->run, z, ald_of(l->inner, l->d, all), ald_at(fitted, m, all));
}

static ald_status leave_group(leaving *l, int64_t g)
{
    const int64_t k = l->k, q = l->q, m = group_size(l, g);
    const int64_t *rows = l->order + l->starts[g];
    double *u = l->rows + m * l->d, *fitted = u + m * k;
    ALD_TRY(take_group(l, rows, m, u, fitted));
    for (int p = 0; p < penalties; p++) {
        for (int64_t i = 0; i < m; i++) {
            const double *y = l->y + rows[i] * q, *by = fitted + (i * penalties + p) * q;
            double *a = l->block + i * (k + 1);
            for (int64_t j = 0; j < k; j++) a[j] = sqrt(l->factor[j * penalties + p]) * u[i * k + j];
            a[k] = l->root[rows[i]];
            for (int64_t j = 0; j < q; j++) l->e[i * q + j] = y[j] - by[j];
        }
        ALD_TRY(solve_block(l, m));
        add_missed(l, g, p, m, l->e);
    }
    return ALD_OK;
}

static ald_status leave_groups(leaving *l)
{
    for (int64_t g = 0; g < l->groups; g++) {
        if (group_size(l, g) == 1) continue;
        ALD_TRY(ald_progress(l->run, "penalty", (double)g / (double)l->groups));
        ALD_TRY(leave_group(l, g));
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

/* The largest penalty that misses no more of a response than a standard error more than the best. */
static int choose_one(const leaving *l, int64_t response)
{
    const int64_t q = l->responses, stride = l->groups * q;
    const double *missed = l->missed + response;
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
    ALD_TRY(leave_rows(&l));
    ALD_TRY(leave_groups(&l));
    ALD_TRY(ald_scratch_reals(run, l.responses, 1, &best));
    for (int64_t c = 0; c < l.responses; c++) best[c] = penalty_at(&l, choose_one(&l, c));
    for (int64_t i = 0; i < l.k * l.q; i++) {
        const double square = l.squares[i / l.q];
        l.uy[i] *= sqrt(square) / (square + best[i % l.responses]);
    }
    ALD_TRY(ald_path_store(run, path, &span, l.uy, y.mean, model));
    ALD_TRY(ald_model_set_real(run, model, "alidade.predictor.ridge", best[0] / ald_predictor_total(data)));
    return ald_model_set_text(run, model, "alidade.predictor.kind", ald_predictor_ridge.name);
}
