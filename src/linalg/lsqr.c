/* Every column has its own bidiagonalization and its own rotations; all share the pass over the data, which is what
 * costs.
 *
 * Per column, with |u| = |v| = 1 throughout:
 *   beta u' = Z v - alpha u,   alpha' v' = Z'u' - beta v,
 * where Z'(beta u') is what the fused product gives, so v' needs it divided by beta only. A rotation takes out the
 * damping, a second one beta; x and the search direction w follow (section 4 of the paper). Stopped when the residual
 * is small against b
 * (|r| <= tol (|b| + |Z||x|)) or its gradient against both (|Z'r| <= tol |Z||r|), |Z| by the running estimate; no limit
 * on the condition number. Columns that are done leave: the arrays are packed to the rest. Memory (n + 4 d) k; an
 * iteration costs a pass with k columns and about 10 (n + d) k operations. */
#include "linalg/lsqr.h"

#include <math.h>
#include <string.h>

typedef struct column {
    double alpha, beta, rho_bar, phi_bar, z_square, damped, b_norm, x_norm;
    int64_t index; /* among the columns asked for */
    int done;
} column;

typedef struct state {
    int64_t active;
    column *columns;
    double *u;                      /* n x active */
    double *v, *w, *x;              /* d x active */
    double *product;                /* d x active */
    double *alpha, *factor, *extra; /* active */
} state;

static ald_status new_state(ald_run *run, const ald_lsqr *task, state *s)
{
    s->active = task->k;
    ALD_TRY(ald_scratch(run, task->k, 1, sizeof *s->columns, &s->columns));
    memset(s->columns, 0, (size_t)task->k * sizeof *s->columns);
    ALD_TRY(ald_scratch_reals(run, task->n, task->k, &s->u));
    ALD_TRY(ald_scratch_reals(run, task->d, task->k, &s->v));
    ALD_TRY(ald_scratch_reals(run, task->d, task->k, &s->w));
    ALD_TRY(ald_scratch_zeros(run, task->d, task->k, &s->x));
    ALD_TRY(ald_scratch_zeros(run, task->d, task->k, &s->product));
    ALD_TRY(ald_scratch_zeros(run, task->k, 1, &s->alpha));
    ALD_TRY(ald_scratch_reals(run, task->k, 1, &s->factor));
    return ald_scratch_reals(run, task->k, 1, &s->extra);
}

static void column_norms(int64_t rows, int64_t k, const double *a, double *norms)
{
    memset(norms, 0, (size_t)k * sizeof *norms);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t c = 0; c < k; c++) norms[c] += a[i * k + c] * a[i * k + c];
    for (int64_t c = 0; c < k; c++) norms[c] = sqrt(norms[c]);
}

/* a (rows x k) <- a diag(1 / norms), columns of norm 0 left. */
static void divide_columns(int64_t rows, int64_t k, double *a, const double *norms, double *inverse)
{
    for (int64_t c = 0; c < k; c++) inverse[c] = norms[c] > 0.0 ? 1.0 / norms[c] : 1.0;
    for (int64_t i = 0; i < rows; i++)
        for (int64_t c = 0; c < k; c++) a[i * k + c] *= inverse[c];
}

/* v <- product / beta - beta v, normalised; alpha its norm. `product` is Z' of the u that was not yet divided by beta.
 */
static void next_right(const ald_lsqr *task, state *s)
{
    const int64_t k = s->active;
    for (int64_t c = 0; c < k; c++) s->factor[c] = s->columns[c].beta > 0.0 ? 1.0 / s->columns[c].beta : 0.0;
    for (int64_t j = 0; j < task->d; j++)
        for (int64_t c = 0; c < k; c++)
            s->v[j * k + c] = s->factor[c] * s->product[j * k + c] - s->columns[c].beta * s->v[j * k + c];
    column_norms(task->d, k, s->v, s->alpha);
    divide_columns(task->d, k, s->v, s->alpha, s->factor);
    for (int64_t c = 0; c < k; c++) s->columns[c].alpha = s->alpha[c];
}

/* u <- Z v - alpha u, normalised, and v after it. For the first step v and alpha are 0 and u is -b, so u becomes b. */
static ald_status advance(ald_run *run, const ald_lsqr *task, state *s)
{
    ALD_TRY(task->advance(run, task->self, s->v, s->active, s->alpha, s->u, s->product));
    column_norms(task->n, s->active, s->u, s->extra);
    divide_columns(task->n, s->active, s->u, s->extra, s->factor);
    for (int64_t c = 0; c < s->active; c++) s->columns[c].beta = s->extra[c];
    next_right(task, s);
    return ALD_OK;
}

static ald_status start(ald_run *run, const ald_lsqr *task, state *s)
{
    ALD_TRY(new_state(run, task, s));
    memcpy(s->u, task->b, (size_t)(task->n * task->k) * sizeof *s->u);
    memset(s->v, 0, (size_t)(task->d * task->k) * sizeof *s->v);
    for (int64_t c = 0; c < task->k; c++) s->alpha[c] = -1.0;
    ALD_TRY(advance(run, task, s));
    memcpy(s->w, s->v, (size_t)(task->d * task->k) * sizeof *s->w);
    for (int64_t c = 0; c < task->k; c++) {
        column *q = &s->columns[c];
        q->index = c;
        q->b_norm = q->phi_bar = q->beta;
        q->rho_bar = q->alpha;
        q->done = q->alpha == 0.0 || q->beta == 0.0;
    }
    return ALD_OK;
}

/* The rotations of one column: x += `step` w, w <- v - `turn` w. Decides whether the column is done. */
static void rotate(const ald_lsqr *task, column *q, double alpha_before, double *step, double *turn)
{
    const double rho_damped = hypot(q->rho_bar, task->damp), lost = task->damp / rho_damped * q->phi_bar;
    const double phi_kept = q->rho_bar / rho_damped * q->phi_bar, rho = hypot(rho_damped, q->beta);
    const double c = rho_damped / rho, s = q->beta / rho, phi = c * phi_kept;
    q->z_square += alpha_before * alpha_before + q->beta * q->beta + task->damp * task->damp;
    q->damped += lost * lost;
    q->rho_bar = -c * q->alpha;
    q->phi_bar = s * phi_kept;
    *step = phi / rho;
    *turn = s * q->alpha / rho;
    const double z_norm = sqrt(q->z_square), r_norm = sqrt(q->phi_bar * q->phi_bar + q->damped);
    const double gradient = q->alpha * fabs(s * phi);
    q->done = gradient <= task->tol * z_norm * r_norm || r_norm <= task->tol * (q->b_norm + z_norm * q->x_norm) ||
              q->alpha == 0.0 || q->beta == 0.0;
}

static ald_status iterate(ald_run *run, const ald_lsqr *task, state *s)
{
    const int64_t k = s->active;
    double *before;
    ALD_TRY(ald_scratch_reals(run, k, 1, &before));
    for (int64_t c = 0; c < k; c++) before[c] = s->columns[c].alpha;
    ALD_TRY(advance(run, task, s));
    for (int64_t c = 0; c < k; c++) rotate(task, &s->columns[c], before[c], &s->factor[c], &s->extra[c]);
    for (int64_t j = 0; j < task->d; j++)
        for (int64_t c = 0; c < k; c++) {
            const int64_t at = j * k + c;
            s->x[at] += s->factor[c] * s->w[at];
            s->w[at] = s->v[at] - s->extra[c] * s->w[at];
        }
    column_norms(task->d, k, s->x, s->factor);
    for (int64_t c = 0; c < k; c++) s->columns[c].x_norm = s->factor[c];
    return ALD_OK;
}

static void pack(int64_t rows, int64_t k, const column *columns, double *a)
{
    int64_t to = 0;
    for (int64_t i = 0; i < rows; i++)
        for (int64_t c = 0; c < k; c++)
            if (!columns[c].done) a[to++] = a[i * k + c];
}

/* Writes the finished columns out and packs the rest. `all`: the iteration is over, every column is written. */
static void retire(ald_lsqr *task, state *s, int64_t iteration, int all)
{
    const int64_t k = s->active;
    int64_t left = 0;
    for (int64_t c = 0; c < k; c++) {
        const column *q = &s->columns[c];
        left += !q->done;
        if (!q->done && !all) continue;
        task->unfinished += !q->done;
        if (task->iterations) task->iterations[q->index] = iteration;
        if (iteration > task->most_iterations) task->most_iterations = iteration;
        for (int64_t j = 0; j < task->d; j++) task->x[j * task->k + q->index] = s->x[j * k + c];
    }
    if (left == k || all) return;
    pack(task->n, k, s->columns, s->u);
    pack(task->d, k, s->columns, s->v);
    pack(task->d, k, s->columns, s->w);
    pack(task->d, k, s->columns, s->x);
    for (int64_t c = 0, to = 0; c < k; c++) {
        if (s->columns[c].done) continue;
        s->alpha[to] = s->alpha[c];
        s->columns[to++] = s->columns[c];
    }
    s->active = left;
}

ald_status ald_lsqr_solve(ald_run *run, ald_lsqr *task)
{
    state s;
    int64_t iteration = 0;
    task->unfinished = task->most_iterations = 0;
    ALD_TRY(start(run, task, &s));
    for (retire(task, &s, 0, 0); s.active > 0 && iteration < task->max_iter; iteration++) {
        const uint64_t mark = ald_arena_mark(&run->scratch);
        ALD_TRY(iterate(run, task, &s));
        ald_arena_release(&run->scratch, mark);
        retire(task, &s, iteration + 1, 0);
        ALD_TRY(ald_progress(run, task->stage, 1.0 - (double)s.active / (double)task->k));
    }
    retire(task, &s, iteration, 1);
    return ALD_OK;
}
