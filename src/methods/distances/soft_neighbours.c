/* Rows predicted by soft neighbours: value and gradient, and the descent (soft_neighbours.h has the
 * formulas).
 *
 * Cost of one value with its gradient, for r components and q columns of y: 2 n k r products with the rows
 * and n^2 (4 r + 4 q + 30) operations; memory for 16 stretches of n (r + 1) numbers and two blocks of
 * rows, about 2 MB each.
 *
 * Distances come from |a|^2 + |b|^2 - 2 a'b of centred scores, less the least of each row, so that the
 * largest weight of a row is 1 however far its neighbours are. */
#include "methods/distances/soft_neighbours.h"

#include "base/threads/threads.h"
#include "math/kernel/kernel.h"
#include "math/linalg/linalg.h"
#include "math/linalg/vector.h"
#include "math/optimize/lbfgs.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const char descending[] = "neighbours";

enum { most_stretches = 16, rows_a_stretch = 64, block_entries = 1 << 17, steps_kept = 10 };

typedef struct stretch {
    double *p, *u;   /* block x n: P, then G; what its derivative is multiplied by */
    double *t;       /* block x q */
    double *a;       /* block x (q + 1): a_i and -a_i't_i */
    double *columns; /* n x (r + 1): G'[Z 1] */
    double loss;
    ald_status status;
} stretch;

typedef struct soft_work {
    ald_run *run;
    const ald_soft *s;
    int64_t block;
    int count;
    double *left, *right; /* n x (r + 2): their products are -|z_i - z_j|^2 */
    double *z1;           /* n x (r + 1): [Z 1] */
    double *y1;           /* n x (q + 1): [Y 1] */
    double *rows;         /* n x (r + 1): G[Z 1] */
    double *z, *dz;       /* n x r */
    stretch *stretches;
} soft_work;

/* A row of -|z_i - z_j|^2 becomes p_ij. */
static void soften_row(int64_t n, int64_t i, double *row)
{
    double nearest = -INFINITY, sum = 0.0;
    for (int64_t j = 0; j < n; j++)
        if (j != i && row[j] > nearest) nearest = row[j];
    row[i] = nearest;
    for (int64_t j = 0; j < n; j++) row[j] -= nearest;
    ald_many_exp(n, row);
    row[i] = 0.0;
    for (int64_t j = 0; j < n; j++) sum += row[j];
    for (int64_t j = 0; j < n; j++) row[j] /= sum;
}

/* The loss of row i, predicted as t, and its a. */
static double loss_of(const ald_soft *s, int64_t i, const double *t, double *a)
{
    const double *y = s->y + i * s->q;
    const double mean = 1.0 / (double)s->n;
    double loss = 0.0, along = 0.0;
    for (int64_t c = 0; c < s->q; c++) {
        const double rest = y[c] - t[c];
        a[c] = s->share ? mean * y[c] : 2.0 * mean * rest;
        loss += s->share ? -y[c] * t[c] : rest * rest;
        along += a[c] * t[c];
    }
    a[s->q] = -along;
    return mean * loss;
}

static ald_status add_block(const soft_work *w, stretch *at, int64_t i0, int64_t count)
{
    const ald_soft *s = w->s;
    const int64_t n = s->n, r = s->r, q = s->q;
    ALD_TRY(ald_product(w->run, ald_of(w->left + i0 * (r + 2), count, r + 2),
                        ald_t(ald_of(w->right, n, r + 2)), ald_at(at->p, count, n)));
    for (int64_t i = 0; i < count; i++) soften_row(n, i0 + i, at->p + i * n);
    ALD_TRY(ald_product(w->run, ald_of(at->p, count, n), ald_of(s->y, n, q), ald_at(at->t, count, q)));
    for (int64_t i = 0; i < count; i++) at->loss += loss_of(s, i0 + i, at->t + i * q, at->a + i * (q + 1));
    ALD_TRY(ald_product(w->run, ald_of(at->a, count, q + 1), ald_t(ald_of(w->y1, n, q + 1)),
                        ald_at(at->u, count, n)));
    for (int64_t e = 0; e < count * n; e++) at->p[e] *= at->u[e];
    ALD_TRY(ald_product(w->run, ald_of(at->p, count, n), ald_of(w->z1, n, r + 1),
                        ald_at(w->rows + i0 * (r + 1), count, r + 1)));
    return ald_product_add(w->run, 1.0, ald_t(ald_of(at->p, count, n)),
                           ald_of(w->z1 + i0 * (r + 1), count, r + 1), 1.0, ald_at(at->columns, n, r + 1));
}

static void add_stretch(void *work, int number)
{
    const soft_work *w = work;
    stretch *at = &w->stretches[number];
    const int64_t end = ald_part_begin(w->s->n, w->count, number + 1);
    memset(at->columns, 0, (size_t)(w->s->n * (w->s->r + 1)) * sizeof *at->columns);
    at->loss = 0.0;
    at->status = ALD_OK;
    for (int64_t i = ald_part_begin(w->s->n, w->count, number); i < end && at->status >= 0; i += w->block)
        at->status = add_block(w, at, i, end - i < w->block ? end - i : w->block);
}

/* Z = F W and what the blocks take of it. */
static ald_status place(ald_run *run, soft_work *w, const double *point)
{
    const int64_t n = w->s->n, r = w->s->r;
    ALD_TRY(ald_product(run, ald_of(w->s->rows, n, w->s->k), ald_of(point, w->s->k, r), ald_at(w->z, n, r)));
    for (int64_t i = 0; i < n; i++) {
        const double *z = w->z + i * r;
        const double square = ald_dot(r, z, z);
        double *left = w->left + i * (r + 2), *right = w->right + i * (r + 2);
        for (int64_t c = 0; c < r; c++) {
            left[c] = 2.0 * z[c];
            right[c] = w->z1[i * (r + 1) + c] = z[c];
        }
        left[r] = -square;
        right[r] = 1.0;
        left[r + 1] = -1.0;
        right[r + 1] = square;
        w->z1[i * (r + 1) + r] = 1.0;
    }
    return ALD_OK;
}

/* gradient (k x r) = 2 F'(diag(s) Z - (G + G')Z), s = (G + G')1. */
static ald_status gather(ald_run *run, soft_work *w, double *gradient)
{
    const int64_t n = w->s->n, r = w->s->r;
    for (int number = 0; number < w->count; number++)
        ald_add_times(n * (r + 1), 1.0, w->stretches[number].columns, w->rows);
    for (int64_t i = 0; i < n; i++) {
        const double *sum = w->rows + i * (r + 1);
        for (int64_t c = 0; c < r; c++) w->dz[i * r + c] = 2.0 * (sum[r] * w->z[i * r + c] - sum[c]);
    }
    return ald_product(run, ald_t(ald_of(w->s->rows, n, w->s->k)), ald_of(w->dz, n, r),
                       ald_at(gradient, w->s->k, r));
}

static ald_status soft_at(ald_run *run, void *self, const double *point, double *value, double *gradient)
{
    soft_work *w = self;
    const int64_t size = w->s->k * w->s->r;
    ALD_TRY(place(run, w, point));
    ald_tasks(ald_parts(run, w->count, 1), w->count, add_stretch, w);
    *value = w->s->ridge * ald_dot(size, point, point);
    for (int number = 0; number < w->count; number++) {
        ALD_TRY(w->stretches[number].status);
        *value += w->stretches[number].loss;
    }
    ALD_TRY(gather(run, w, gradient));
    ald_add_times(size, 2.0 * w->s->ridge, point, gradient);
    return ALD_OK;
}

static ald_status new_work(ald_run *run, const ald_soft *s, soft_work *w)
{
    const int64_t n = s->n, r = s->r, q = s->q, wanted = block_entries / n;
    const int64_t stretches = (n + rows_a_stretch - 1) / rows_a_stretch;
    *w = (soft_work){.run = run, .s = s};
    w->count = (int)(stretches < most_stretches ? stretches : most_stretches);
    w->block = wanted < 8 ? 8 : wanted;
    if (w->block > rows_a_stretch) w->block = rows_a_stretch;
    ALD_TRY(ALD_SCRATCH(run, {&w->left, n, r + 2}, {&w->right, n, r + 2}, {&w->z1, n, r + 1},
                        {&w->y1, n, q + 1}, {&w->rows, n, r + 1}, {&w->z, n, r}, {&w->dz, n, r}));
    ALD_TRY(ald_scratch(run, w->count, 1, sizeof *w->stretches, &w->stretches));
    for (int i = 0; i < w->count; i++) {
        stretch *at = &w->stretches[i];
        ALD_TRY(ALD_SCRATCH(run, {&at->p, w->block, n}, {&at->u, w->block, n}, {&at->t, w->block, q},
                            {&at->a, w->block, q + 1}, {&at->columns, n, r + 1}));
    }
    for (int64_t i = 0; i < n; i++) {
        memcpy(w->y1 + i * (q + 1), s->y + i * q, (size_t)q * sizeof *w->y1);
        w->y1[i * (q + 1) + q] = 1.0;
    }
    return ALD_OK;
}

/* Seconds of the stages, which bench/costs.py holds to the clock. */
static void plan(const ald_run *run, const ald_soft *s, int64_t turns)
{
    const ald_target *y = s->problem->target;
    const double n = (double)s->problem->n, d = (double)s->problem->d, k = fmin(n, d),
                 q = (double)(y->kind == ALD_TARGET_CLASSES ? y->n_classes : y->values.cols),
                 pair = 8e-9 + 1e-10 * ((double)s->problem->r + q),
                 steps = (double)turns * fmin((double)s->max_iter, 60.0) + (double)turns;
    const ald_stage_cost stages[] = {
        {"forming the scatter matrix", 1.4e-8 * n * d + 1e-10 * n * d * k + 2e-9 * k * k * k},
        {descending, steps * n * (n * pair + 1e-9 * k)},
    };
    ald_plan_seconds(run, stages, sizeof stages / sizeof *stages);
}

ald_status ald_soft_begin(ald_run *run, int64_t turns, ald_soft *s)
{
    const ald_problem *problem = s->problem;
    if (problem->r == 0) return ald_no_own_rule(run);
    plan(run, s, turns);
    ALD_TRY(ald_check_class_columns(run, problem));
    ALD_TRY(ald_row_space_find(run, problem, &problem->x, problem->d > problem->n, NULL, &s->space));
    s->n = problem->n;
    s->k = s->space.k;
    s->r = problem->r;
    s->value = INFINITY;
    ALD_TRY(ALD_SCRATCH(run, {&s->rows, s->n, s->k}, {&s->best, s->k, s->r}));
    ALD_TRY(ald_row_space_rows(run, &s->space, s->rows));
    return ald_target_numbers(run, problem->target, &s->y, &s->q);
}

void ald_soft_pca(const ald_soft *s, double *w)
{
    memset(w, 0, (size_t)(s->k * s->r) * sizeof *w);
    for (int64_t c = 0; c < s->r; c++) w[c * s->r + c] = sqrt((double)s->n / s->space.values[0]);
}

/* Where scores of the start depend on each other, those of a descent do too: the derivative by Z is made of
 * these. They are F w, and F'F = diag(lambda), so that diag(lambda)^(1/2) w has their triangle. `most` (r):
 * how long each could be. */
static ald_status check_start(ald_run *run, const ald_soft *s, const double *w, const double *most)
{
    const int64_t k = s->k, r = s->r;
    double *scores, *triangle;
    ALD_TRY(ALD_SCRATCH(run, {&scores, k, r}, {&triangle, r, r}));
    for (int64_t i = 0; i < k * r; i++) scores[i] = w[i] * sqrt(s->space.values[i / r]);
    ALD_TRY(ald_triangle(run, ald_at(scores, k, r), ald_at(triangle, r, r)));
    for (int64_t c = 0; c < r; c++) {
        if (!isfinite(most[c]))
            return ald_fail(run->error, ALD_ERROR_DATA,
                            "row %lld of the start has numbers that are too large", (long long)c + 1);
        if (!(triangle[c * r + c] > 1e-10 * most[c]))
            return ald_fail(run->error, ALD_ERROR_DATA,
                            "row %lld of the start is %s on the rows of X: its component would stay 0",
                            (long long)c + 1, c > 0 ? "a combination of those before it" : "0");
    }
    return ALD_OK;
}

/* F w = Z W' has w = diag(1 / lambda) F'Z W'. */
ald_status ald_soft_given(ald_run *run, const ald_soft *s, double *w)
{
    const int64_t n = s->n, d = s->problem->d, k = s->k, r = s->r;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    const ald_matrix *start = s->problem->start;
    double *columns, *scores, *most;
    if (start->rows != r)
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "the start has %lld direction%s, but %lld component%s: it must have one for "
                        "each",
                        (long long)start->rows, start->rows == 1 ? "" : "s", (long long)r,
                        r == 1 ? " is wanted" : "s are wanted");
    ALD_TRY(ALD_SCRATCH(run, {&columns, d, r}, {&scores, n, r}));
    ALD_TRY(ald_scratch_zeros(run, r, 1, &most));
    for (int64_t e = 0; e < d * r; e++) {
        columns[e] = ald_matrix_at(start, e % r, e / r);
        most[e % r] = hypot(most[e % r], columns[e] * sqrt(s->space.values[0]));
    }
    ALD_TRY(ald_operator_apply(run, &s->problem->x, ald_of(columns, d, r), ald_at(scores, n, r)));
    ALD_TRY(ald_product(run, ald_t(ald_of(s->rows, n, k)), ald_of(scores, n, r), ald_at(w, k, r)));
    for (int64_t i = 0; i < k * r; i++) w[i] /= s->space.values[i / r];
    ALD_TRY(check_start(run, s, w, most));
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

/* At a start that is not perfect and yet shows no way down. */
static int is_stuck(const ald_soft *s, const ald_lbfgs *task)
{
    const double perfect = s->share ? -1.0 : 0.0;
    return task->slope == 0.0 && task->iterations < 2 && task->value > perfect + 1e-9;
}

ald_status ald_soft_descend(ald_run *run, ald_soft *s, double *w, int64_t turn, int64_t turns,
                            const char *name)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    soft_work work;
    ald_lbfgs task = {
        .size = s->k * s->r,
        .self = &work,
        .at = soft_at,
        .memory = steps_kept,
        .max_iter = s->max_iter,
        .tol = s->tol,
        .stage = descending,
        .begun = (double)turn / (double)turns,
        .share = 1.0 / (double)turns,
    };
    ALD_TRY(new_work(run, s, &work));
    ALD_TRY(ald_lbfgs_minimise(run, &task, w));
    ald_arena_release(&run->scratch, mark);
    if (!isfinite(task.value)) return ald_too_large(run);
    if (turn > 0 && !(task.value < s->value - 1e-9 * fabs(s->value))) return ALD_OK;
    s->stuck = turn == 0 && s->problem->start && is_stuck(s, &task);
    s->value = task.value;
    s->slope = task.slope;
    s->iterations = task.iterations;
    s->start = name;
    memcpy(s->best, w, (size_t)task.size * sizeof *w);
    return ALD_OK;
}

/* Squared distances below a rounding: every row is as near as any other. */
static ald_status fail_all_alike(ald_run *run)
{
    return ald_fail(
        run->error, ALD_ERROR_DATA,
        "%s ends at W = 0, where all rows are equally near: near rows do not have the same target "
        "in the directions it tried; scale the columns (`scale=standard`) if they differ much",
        ald_settings_method(run->settings)->name);
}

ald_status ald_soft_add(ald_run *run, const ald_soft *s, ald_model *model)
{
    double *components, *values;
    ALD_TRY(ALD_SCRATCH(run, {&components, s->r, s->problem->d}, {&values, s->r, 1}));
    ALD_TRY(ald_row_space_turn(run, &s->space, (double)s->n, s->r, s->best, values));
    if (!(values[0] > DBL_EPSILON)) return fail_all_alike(run);
    if (s->stuck)
        ald_warn(
            run, ALD_NOT_CONVERGED,
            "%s stays at the start that is given: there rows are so far apart that each looks at its nearest "
            "one alone; give shorter directions",
            ald_settings_method(run->settings)->name);
    ALD_TRY(ald_row_space_back(run, &s->space, s->r, s->best, components));
    ALD_TRY(ald_model_set_real(run, model, "alidade.resolved.objective", s->share ? -s->value : s->value));
    ALD_TRY(ald_model_set_text(run, model, "alidade.resolved.start", s->start));
    ALD_TRY(
        ald_model_set_printed(run, model, "alidade.resolved.iterations", "%lld", (long long)s->iterations));
    ALD_TRY(ald_model_set_real(run, model, "alidade.resolved.gradient", s->slope));
    ALD_TRY(ald_model_add_vector(run, model, "eigenvalues", s->r, values));
    return ald_add_components(run, s->problem, s->r, components, NULL, model);
}
