/* Every column has its own bidiagonalization and its own rotations; all share the pass over the data, which
 * is what costs.
 *
 * Per column, with |u| = |v| = 1 throughout:
 *   beta u' = Z v - alpha u,   alpha' v' = Z'u' - beta v,
 * where Z'(beta u') is what the fused product gives, so v' needs it divided by beta only. A rotation takes
 * out the damping, a second one beta; x and the search direction w follow (section 4 of the paper). Stopped
 * when the residual is small against b
 * (|r| <= tol (|b| + |Z||x|)) or its gradient against both (|Z'r| <= tol |Z||r|), |Z| by the running
 * estimate; no limit on the condition number.
 *
 * What that leaves out of Z x is estimated in two ways, the larger counts. e = x - solution has |Z e| <=
 * |Z'r| / sigma, sigma the smallest (damped) singular value on the space so far, by Paige and Saunders' |D|_F
 * >= 1 / sigma. And the column of largest residual takes five steps more, which shows directions that the
 * space had not met: phi^2 of each is what it gains. Directions below 1e-12 of |Z| are taken for rounding.
 *
 * Columns that are done leave: the arrays are packed to the rest. Memory (n + 4 d) k; an
 * iteration costs a pass with k columns and about 10 (n + d) k operations. Where passes are kept in a
 * logbook, the state is, after an iteration: what is above and the solution so far. Where Z stands on a card
 * the vectors stay there too (operator/vector_panels.h). */
#include "math/solvers/lsqr.h"

#include "math/operator/all_rows.h"
#include "math/operator/logbook.h"
#include "math/operator/vector_panels.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static const double smallest_seen = 1e-12; /* of |Z| */

typedef struct column {
    double alpha, beta, rho_bar, phi_bar, z_square, damped, b_norm, x_norm;
    double inverse_square; /* |D|_F^2, D = [w_i / rho_i]: that of the inverse of the damped Z on the space so
                              far */
    double r_norm, gain_square; /* of r; of what x gained in Z x and damp x */
    double error;               /* estimate of |Z (x - solution)| / |b| */
    int64_t index;              /* among the columns asked for */
    int done;
} column;

typedef struct state {
    int64_t active;
    column *columns;
    ald_panel u;                    /* n x active */
    ald_panel v, w, x;              /* d x active */
    ald_panel product;              /* d x active */
    double *alpha, *factor, *extra; /* active */
    double *w_norm;                 /* active */
} state;

/* The state of k columns, which have nothing yet but u (NULL: 0). */
static ald_status lsqr_new_state(ald_run *run, const ald_lsqr *task, ald_panel_home *home, int64_t k,
                                 const double *u, state *s)
{
    s->active = k;
    ALD_TRY(ald_scratch_clear(run, k, 1, sizeof *s->columns, &s->columns));
    ALD_TRY(ald_panel_new(run, home, task->n, k, u, &s->u));
    ALD_TRY(ald_panel_new(run, home, task->d, k, NULL, &s->v));
    ALD_TRY(ald_panel_new(run, home, task->d, k, NULL, &s->w));
    ALD_TRY(ald_panel_new(run, home, task->d, k, NULL, &s->x));
    ALD_TRY(ald_panel_new(run, home, task->d, k, NULL, &s->product));
    ALD_TRY(ald_scratch_zeros(run, k, 1, &s->alpha));
    return ALD_SCRATCH(run, {&s->factor, k, 1}, {&s->w_norm, k, 1}, {&s->extra, k, 1});
}

static ald_status column_norms(ald_run *run, const ald_panel *a, double *norms)
{
    ALD_TRY(ald_panel_squares(run, a, norms));
    for (int64_t c = 0; c < a->k; c++) norms[c] = sqrt(norms[c]);
    return ALD_OK;
}

/* The norms of u over all rows. */
static ald_status left_norms(ald_run *run, const ald_lsqr *task, const ald_panel *u, double *norms)
{
    ALD_TRY(ald_panel_squares(run, u, norms));
    ALD_TRY(ald_rows_sum(run, task->z, norms, u->k));
    for (int64_t c = 0; c < u->k; c++) norms[c] = sqrt(norms[c]);
    return ALD_OK;
}

/* What u is multiplied with next, and which columns are done. */
static ald_status settle_columns(ald_run *run, const ald_lsqr *task, state *s)
{
    ALD_TRY(ald_rows_settle(run, task->z, s->columns, s->active * (int64_t)sizeof *s->columns));
    for (int64_t c = 0; c < s->active; c++) s->alpha[c] = s->columns[c].alpha;
    return ALD_OK;
}

/* a <- a diag(1 / norms), columns of norm 0 left. */
static ald_status divide_columns(ald_run *run, ald_panel *a, const double *norms, double *inverse)
{
    for (int64_t c = 0; c < a->k; c++) inverse[c] = norms[c] > 0.0 ? 1.0 / norms[c] : 1.0;
    return ald_panel_combine(run, a, inverse, NULL, NULL);
}

/* v <- product / beta - beta v, normalised; alpha its norm. `product` is Z' of the u that was not yet divided
 * by beta.
 */
static ald_status next_right(ald_run *run, state *s)
{
    const int64_t k = s->active;
    for (int64_t c = 0; c < k; c++) {
        s->factor[c] = s->columns[c].beta > 0.0 ? 1.0 / s->columns[c].beta : 0.0;
        s->extra[c] = -s->columns[c].beta;
    }
    ALD_TRY(ald_panel_combine(run, &s->v, s->extra, &s->product, s->factor));
    ALD_TRY(column_norms(run, &s->v, s->alpha));
    ALD_TRY(divide_columns(run, &s->v, s->alpha, s->factor));
    for (int64_t c = 0; c < k; c++) s->columns[c].alpha = s->alpha[c];
    return ALD_OK;
}

/* u <- Z v - alpha u, normalised, and v after it. For the first step v and alpha are 0 and u is -b, so u
 * becomes b. */
static ald_status lsqr_advance(ald_run *run, const ald_lsqr *task, state *s)
{
    if (s->u.on_card)
        ALD_TRY(ald_panel_advance(run, &s->v, s->alpha, &s->u, &s->product));
    else
        ALD_TRY(
            task->advance(run, task->self, s->v.values, s->active, s->alpha, s->u.values, s->product.values));
    ALD_TRY(left_norms(run, task, &s->u, s->extra));
    ALD_TRY(divide_columns(run, &s->u, s->extra, s->factor));
    for (int64_t c = 0; c < s->active; c++) s->columns[c].beta = s->extra[c];
    return next_right(run, s);
}

static ald_status lsqr_start(ald_run *run, const ald_lsqr *task, state *s)
{
    for (int64_t c = 0; c < task->k; c++) s->alpha[c] = -1.0;
    ALD_TRY(lsqr_advance(run, task, s));
    for (int64_t c = 0; c < task->k; c++) s->factor[c] = 1.0;
    ALD_TRY(ald_panel_combine(run, &s->w, s->factor, &s->v, s->factor));
    for (int64_t c = 0; c < task->k; c++) {
        column *q = &s->columns[c];
        q->index = c;
        q->b_norm = q->phi_bar = q->beta;
        q->rho_bar = q->alpha;
        q->done = q->alpha == 0.0 || q->beta == 0.0;
    }
    return settle_columns(run, task, s);
}

/* The rotations of one column: x += `step` w, w <- v - `turn` w. Decides whether the column is done. */
static void rotate(const ald_lsqr *task, column *q, double alpha_before, double w_norm, double *step,
                   double *turn)
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
    q->inverse_square += w_norm * w_norm / (rho * rho);
    q->r_norm = r_norm;
    q->gain_square += phi * phi;
    q->error = fmin(gradient * sqrt(q->inverse_square), r_norm) / q->b_norm;
    q->done = gradient <= task->tol * z_norm * r_norm ||
              r_norm <= task->tol * (q->b_norm + z_norm * q->x_norm) || q->alpha == 0.0 || q->beta == 0.0;
}

/* x += w diag(factor), w <- v - w diag(extra). */
static ald_status turn(ald_run *run, state *s, double *ones)
{
    for (int64_t c = 0; c < s->active; c++) {
        ones[c] = 1.0;
        s->extra[c] = -s->extra[c];
    }
    ALD_TRY(ald_panel_combine(run, &s->x, ones, &s->w, s->factor));
    return ald_panel_combine(run, &s->w, s->extra, &s->v, ones);
}

static ald_status lsqr_iterate(ald_run *run, const ald_lsqr *task, state *s)
{
    const int64_t k = s->active;
    double *before;
    ALD_TRY(ald_scratch_reals(run, k, 1, &before));
    for (int64_t c = 0; c < k; c++) before[c] = s->columns[c].alpha;
    ALD_TRY(lsqr_advance(run, task, s));
    ALD_TRY(column_norms(run, &s->w, s->w_norm));
    for (int64_t c = 0; c < k; c++)
        rotate(task, &s->columns[c], before[c], s->w_norm[c], &s->factor[c], &s->extra[c]);
    ALD_TRY(turn(run, s, before));
    ALD_TRY(column_norms(run, &s->x, s->factor));
    for (int64_t c = 0; c < k; c++) s->columns[c].x_norm = s->factor[c];
    return settle_columns(run, task, s);
}

/* Keeps the state of the finished column of largest residual. */
static ald_status keep(ald_run *run, const state *s, int64_t c, state *kept)
{
    const column *q = &s->columns[c], *best = kept->columns;
    if (!(q->b_norm > 0.0) || (best->b_norm > 0.0 && q->r_norm * best->b_norm <= best->r_norm * q->b_norm))
        return ALD_OK;
    *kept->columns = *q;
    *kept->alpha = q->alpha;
    ALD_TRY(ald_panel_take(run, &s->u, 1, &c, &kept->u));
    ALD_TRY(ald_panel_take(run, &s->v, 1, &c, &kept->v));
    return ald_panel_take(run, &s->w, 1, &c, &kept->w);
}

/* The columns that go on, packed. */
static ald_status pack(ald_run *run, state *s, int64_t left)
{
    ald_panel *const panels[] = {&s->u, &s->v, &s->w, &s->x};
    int64_t *which;
    int64_t to = 0;
    ALD_TRY(ald_scratch(run, left + 1, 1, sizeof *which, &which));
    for (int64_t c = 0; c < s->active; c++) {
        if (s->columns[c].done) continue;
        s->alpha[to] = s->alpha[c];
        s->columns[to] = s->columns[c];
        which[to++] = c;
    }
    for (size_t p = 0; p < sizeof panels / sizeof *panels; p++)
        ALD_TRY(ald_panel_take(run, panels[p], left, which, panels[p]));
    s->active = s->product.k = left;
    return ALD_OK;
}

/* Writes the finished columns out and packs the rest. `all`: the iteration is over, every column is written.
 */
static ald_status retire(ald_run *run, ald_lsqr *task, state *s, int64_t iteration, int all, state *kept)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    const int64_t k = s->active;
    const double *x;
    int64_t left = 0;
    for (int64_t c = 0; c < k; c++) left += !s->columns[c].done;
    if (k == 0 || (left == k && !all)) return ALD_OK;
    ALD_TRY(ald_panel_read(run, &s->x, &x));
    for (int64_t c = 0; c < k; c++) {
        const column *q = &s->columns[c];
        if (!q->done && !all) continue;
        task->unfinished += !q->done;
        if (task->iterations) task->iterations[q->index] = iteration;
        if (iteration > task->most_iterations) task->most_iterations = iteration;
        task->error = fmax(task->error, q->error);
        ALD_TRY(keep(run, s, c, kept));
        for (int64_t j = 0; j < task->d; j++) task->x[j * task->k + q->index] = x[j * k + c];
    }
    if (!all) ALD_TRY(pack(run, s, left));
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

/* Where the iteration is, beside the arrays. */
typedef struct place {
    int64_t active, iteration, unfinished, most_iterations;
    int64_t looked; /* steps of the look ahead */
    double error;
    column kept;
} place;

typedef struct solving {
    ald_lsqr *task;
    state s, kept;
    place at;
    ald_panel_home home;
} solving;

enum { n_arrays = 10 };

static ald_piece iterations_of(const ald_lsqr *task)
{
    const int64_t size = task->k * (int64_t)sizeof *task->iterations;
    return (ald_piece){task->iterations, task->iterations ? size : 0, ALD_ALIKE};
}

/* What a state consists of; sizes follow from the number of columns that are not done. */
static void list_arrays(const solving *g, ald_piece *arrays)
{
    const ald_lsqr *task = g->task;
    const int64_t real = (int64_t)sizeof(double), d = task->d * real, k = g->s.active;
    const ald_piece all[n_arrays] = {
        {g->s.columns, k * (int64_t)sizeof(column), ALD_ALIKE},
        {g->s.u.values, task->n * k * real, ALD_OWN},
        {g->s.v.values, d * k, ALD_ALIKE},
        {g->s.w.values, d * k, ALD_ALIKE},
        {g->s.x.values, d * k, ALD_ALIKE},
        {task->x, d * task->k, ALD_ALIKE},
        {g->kept.u.values, task->n * real, ALD_OWN},
        {g->kept.v.values, d, ALD_ALIKE},
        {g->kept.w.values, d, ALD_ALIKE},
        iterations_of(task),
    };
    memcpy(arrays, all, sizeof all);
}

/* What is solved, as far as it is not a matter of the rows. */
static uint64_t sum_of_task(const ald_lsqr *task)
{
    const double numbers[] = {
        task->damp, task->tol, (double)task->max_iter, (double)task->d, (double)task->k,
    };
    return ald_hash_reals(1, numbers, sizeof numbers / sizeof *numbers);
}

static ald_step step_of(solving *g, const ald_piece *arrays)
{
    return (ald_step){
        .name = "LSQR",
        .input = sum_of_task(g->task),
        .under_way = 1,
        .head = &g->at,
        .head_size = sizeof g->at,
        .pieces = arrays,
        .n_pieces = n_arrays,
    };
}

static ald_status save_state(ald_run *run, solving *g)
{
    ald_lsqr *task = g->task;
    ald_piece arrays[n_arrays];
    list_arrays(g, arrays);
    g->at.active = g->s.active;
    g->at.unfinished = task->unfinished;
    g->at.most_iterations = task->most_iterations;
    g->at.error = task->error;
    g->at.kept = *g->kept.columns;
    const ald_step step = step_of(g, arrays);
    return ald_log_step(run, ald_logbook_of(task->z), &step);
}

/* Steps of the look ahead. */
enum { most_looks = 5 };

static int is_sound(const solving *g)
{
    const ald_lsqr *task = g->task;
    int sound = 1;
    for (int64_t c = 0; c < g->s.active; c++) {
        const int64_t index = g->s.columns[c].index;
        sound = sound && index >= 0 && index < task->k;
    }
    return sound && g->at.iteration >= 0 && g->at.iteration <= task->max_iter && g->at.looked >= 0 &&
           g->at.looked <= most_looks;
}

/* The state that an earlier run has left. */
static ald_status restore(ald_run *run, solving *g, int *found)
{
    ald_lsqr *task = g->task;
    ald_logbook *book = ald_logbook_of(task->z);
    ald_piece arrays[n_arrays];
    ald_step step = step_of(g, arrays);
    ALD_TRY(ald_recall_head(run, book, &step, found));
    if (!*found) return ALD_OK;
    if (g->at.active < 0 || g->at.active > task->k) return ald_step_damaged(run);
    g->s.active = g->at.active;
    g->s.u.k = g->s.v.k = g->s.w.k = g->s.x.k = g->s.product.k = g->at.active;
    task->unfinished = g->at.unfinished;
    task->most_iterations = g->at.most_iterations;
    task->error = g->at.error;
    *g->kept.columns = g->at.kept;
    *g->kept.alpha = g->at.kept.alpha;
    list_arrays(g, arrays);
    ALD_TRY(ald_recall_pieces(run, book, &step));
    for (int64_t c = 0; c < g->s.active; c++) g->s.alpha[c] = g->s.columns[c].alpha;
    return is_sound(g) ? ALD_OK : ald_step_damaged(run);
}

/* Goes on with the column that was kept, to see what it would still gain. */
static ald_status look_ahead(ald_run *run, solving *g)
{
    ald_lsqr *task = g->task;
    column *q = g->kept.columns;
    if (g->at.looked == 0) q->gain_square = 0.0;
    while (g->at.looked < most_looks && q->alpha > smallest_seen * sqrt(q->z_square)) {
        const uint64_t mark = ald_arena_mark(&run->scratch);
        ALD_TRY(lsqr_iterate(run, task, &g->kept));
        ald_arena_release(&run->scratch, mark);
        task->error = fmax(task->error, sqrt(q->gain_square) / q->b_norm);
        g->at.looked++;
        ALD_TRY(save_state(run, g));
    }
    return ALD_OK;
}

static ald_status lsqr_run(ald_run *run, solving *g)
{
    ald_lsqr *task = g->task;
    state *s = &g->s;
    int found;
    ALD_TRY(ald_rows_agree(run, task->z, lsqr_new_state(run, task, &g->home, task->k, task->b, s)));
    ALD_TRY(ald_rows_agree(run, task->z, lsqr_new_state(run, task, &g->home, 1, NULL, &g->kept)));
    ALD_TRY(restore(run, g, &found));
    if (!found) {
        memset(task->x, 0, (size_t)(task->d * task->k) * sizeof *task->x);
        ALD_TRY(lsqr_start(run, task, s));
        ALD_TRY(retire(run, task, s, 0, 0, &g->kept));
        ALD_TRY(save_state(run, g));
    }
    while (g->at.looked == 0 && s->active > 0 && g->at.iteration < task->max_iter) {
        const uint64_t mark = ald_arena_mark(&run->scratch);
        ALD_TRY(lsqr_iterate(run, task, s));
        ald_arena_release(&run->scratch, mark);
        ALD_TRY(retire(run, task, s, ++g->at.iteration, 0, &g->kept));
        ALD_TRY(save_state(run, g));
        ALD_TRY(ald_progress(run, task->stage, 1.0 - (double)s->active / (double)task->k));
    }
    if (g->at.looked == 0) ALD_TRY(retire(run, task, s, g->at.iteration, 1, &g->kept));
    s->active = 0;
    return look_ahead(run, g);
}

/* Where Z is; once more in the memory of the host if the card fails and the processor may compute. */
static ald_status find_solution(ald_run *run, void *work)
{
    ald_lsqr *task = work;
    ald_panel_home home = ald_panels_with(run, task->z);
    for (;;) {
        solving g = {.task = task, .home = home};
        task->unfinished = task->most_iterations = 0;
        task->error = 0.0;
        const ald_status status = lsqr_run(run, &g);
        ald_panels_give_up(run, &home);
        if (!g.home.lost) return status;
        home.z = NULL;
    }
}

ald_status ald_lsqr_solve(ald_run *run, ald_lsqr *task)
{
    const size_t results = offsetof(ald_lsqr, most_iterations);
    const ald_piece pieces[] = {
        {task->x, task->d * task->k * (int64_t)sizeof *task->x, ALD_ALIKE},
        iterations_of(task),
    };
    const ald_step step = {
        .name = "least squares",
        .input = sum_of_task(task),
        .head = (char *)task + results,
        .head_size = (int64_t)(sizeof *task - results),
        .pieces = pieces,
        .n_pieces = 2,
    };
    return ald_take_step(run, ald_logbook_of(task->z), &step, find_solution, task);
}
