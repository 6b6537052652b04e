/* The descent of kdr: several starts, each one step per stage while the kernels become narrower. Stage
 * h = 1 .. T has the widths of z and of the target, and a step is
 *
 *   s_h^2 = s^2 (1 + 3 (T - h) / T)
 *   D     = G - B sym(B'G)                 the gradient along B'B = I
 *   B    <- qr(B - t D)
 *
 * with t halved until f falls by 1e-4 t |D|^2 (Armijo), at most 1 / |D| to begin with; the next stage
 * begins with the same t, or with twice that if it was accepted at once. As B'D + D'B = 0,
 *
 *   (B - t D)'(B - t D) = I + t^2 D'D:
 *
 * its Cholesky triangle is the R of the QR decomposition and well conditioned, so B'B = I to rounding at
 * every step.
 *
 * All starts pass a stage together: the target is factored once for all of them, and the threads share
 * them, each with its own work space and one BLAS thread, so that their number does not change a result. */
#include "methods/kdr/kdr_objective.h"

#include "base/numbers/random.h"
#include "base/threads/threads.h"
#include "math/linalg/linalg.h"
#include "math/linalg/vector.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

/* What the target's factor may leave of its trace when everything is exact; see `tolerance` for low rank. */
static const double exact_tol = 1e-12, armijo = 1e-4, shortest = 1e-10, rounding = 1e-14;

typedef struct start {
    double *b, *trial, *gradient; /* r x p */
    double *small;                /* r x r */
    double step, value, slope;
    int taken_at_once;
    int64_t *pivots;
    int64_t l;
    double left;
    int whole; /* its kernel is not of low rank */
    int64_t evaluations;
    ald_run run; /* of the thread that moves it, for one stage */
    ald_status status;
} start;

/* One stage, as the threads see it. */
typedef struct stage {
    const ald_kdr_search *search;
    const ald_kdr_form *form;
    ald_run *run;
    start *starts;
    ald_kdr_work *works; /* one per part */
    void **cards;        /* one per part (ald_kdr_cards_open) */
    ald_kdr_factor target;
    double stretch;
    int parts, moving; /* moving 0: f and |D| only */
    int64_t number;
    atomic_int stop;
} stage;

static const char descending[] = "reducing the dependence";

/* Part 0 is the calling thread: only it may ask whether to continue, and the others check `stop`. */
static ald_status look_up(stage *s, int part, int64_t k)
{
    if (part == 0 && !atomic_load(&s->stop)) {
        const double done = (double)(s->number - 1) + (double)k / (double)s->search->n_starts;
        const ald_status status = ald_progress(s->run, descending, done / (double)s->search->n_stages);
        if (status < 0) atomic_store(&s->stop, 1);
    }
    return atomic_load(&s->stop) ? ALD_ERROR_CANCELLED : ALD_OK;
}

static ald_kdr_criterion criterion_of(const stage *s, start *t)
{
    const ald_kdr_search *k = s->search;
    return (ald_kdr_criterion){
        .rows = k->rows,
        .r = k->r,
        .penalty = (double)k->rows->n * k->eps,
        .width = s->stretch * k->width,
        .target = &s->target,
        .pivots = t->pivots,
        .l = t->l,
        .whole = &t->whole,
    };
}

/* G' -> D' = G' - sym(G'B) B'. */
static ald_status along(ald_run *run, int64_t r, int64_t p, start *t)
{
    ALD_TRY(ald_product(run, ald_of(t->gradient, r, p), ald_t(ald_of(t->b, r, p)), ald_at(t->small, r, r)));
    ald_symmetrise(ald_at(t->small, r, r));
    ALD_TRY(ald_product_add(run, -1.0, ald_of(t->small, r, r), ald_of(t->b, r, p), 1.0,
                            ald_at(t->gradient, r, p)));
    t->slope = ald_norm(r * p, t->gradient);
    return ALD_OK;
}

/* The rows of x (r x p) made orthonormal: x <- R'^-1 x with R'R = x x'. */
static ald_status orthonormalize(ald_run *run, int64_t r, int64_t p, double *small, double *x)
{
    ALD_TRY(ald_product(run, ald_of(x, r, p), ald_t(ald_of(x, r, p)), ald_at(small, r, r)));
    ALD_TRY(ald_cholesky(run, ald_at(small, r, r)));
    return ald_solve_triangular(run, ald_t(ald_of(small, r, r)), ald_at(x, r, p));
}

/* Halves the step until Armijo's rule holds; no move if it never does. */
static ald_status search_line(ald_run *run, stage *s, int part, int64_t k, const ald_kdr_criterion *c)
{
    start *t = s->starts + k;
    const int64_t r = c->r, p = c->rows->p;
    const double longest = 1.0 / t->slope, before = t->step * (t->taken_at_once ? 2.0 : 1.0);
    double f;
    t->step = before > 0.0 && before < longest ? before : longest;
    for (t->taken_at_once = 1;; t->taken_at_once = 0, t->step *= 0.5) {
        const double fall = armijo * t->step * t->slope * t->slope;
        if (t->step * t->slope < shortest || fall < rounding * t->value) return ALD_OK;
        ALD_TRY(look_up(s, part, k));
        for (int64_t i = 0; i < r * p; i++) t->trial[i] = t->b[i] - t->step * t->gradient[i];
        ALD_TRY(orthonormalize(run, r, p, t->small, t->trial));
        ALD_TRY(s->form->value(run, c, t->trial, s->works + part, &f));
        t->evaluations++;
        if (f <= t->value - fall) break;
    }
    double *taken = t->trial;
    t->trial = t->b;
    t->b = taken;
    t->value = f;
    return ALD_OK;
}

static ald_status kdr_search_move(stage *s, int part, int64_t k)
{
    start *t = s->starts + k;
    ald_run *run = &t->run;
    const ald_kdr_criterion c = criterion_of(s, t);
    ALD_TRY(look_up(s, part, k));
    ALD_TRY(s->form->value(run, &c, t->b, s->works + part, &t->value));
    t->evaluations++;
    ALD_TRY(look_up(s, part, k));
    ALD_TRY(s->form->gradient(run, &c, s->works + part, t->gradient));
    ALD_TRY(along(run, c.r, c.rows->p, t));
    if (!s->moving || !(t->slope > 0.0)) return ALD_OK;
    return search_line(run, s, part, k, &c);
}

static void move_part(void *work, int part)
{
    stage *s = work;
    for (int64_t k = part; k < s->search->n_starts; k += s->parts) {
        s->starts[k].status = kdr_search_move(s, part, k);
        if (s->starts[k].status == ALD_ERROR_CANCELLED) atomic_store(&s->stop, 1);
    }
}

/* Those that the calling thread moves may ask in the middle of a product. */
static void fork_starts(ald_run *run, stage *s)
{
    for (int64_t k = 0; k < s->search->n_starts; k++) {
        if (k % s->parts == 0)
            ald_run_fork_here(run, &s->starts[k].run);
        else
            ald_run_fork(run, &s->starts[k].run);
    }
}

/* What the factors may leave of their traces: little against eps, which is what f can tell. */
static double tolerance(const ald_kdr_search *search)
{
    return search->rank > 0 ? fmin(1e-3 * search->eps, 1e-4) : exact_tol;
}

static ald_status choose_pivots(ald_run *run, const stage *s, start *t, double *z)
{
    const ald_kdr_search *k = s->search;
    const int64_t n = k->rows->n, p = k->rows->p;
    ald_incomplete_cholesky task = {
        .rows = {.n = n, .q = k->r, .points = z, .width = s->stretch * k->width},
        .tol = tolerance(k),
        .most = k->rank < n ? k->rank : n,
        .pivots = t->pivots,
    };
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ALD_TRY(ald_product(run, ald_of(k->rows->rows, n, p), ald_t(ald_of(t->b, k->r, p)), ald_at(z, n, k->r)));
    ALD_TRY(ald_incomplete_cholesky_run(run, &task));
    ald_arena_release(&run->scratch, mark);
    t->l = task.rank;
    t->left = task.left;
    return ALD_OK;
}

/* The factors of this stage, and room to work in. */
static ald_status ready_stage(ald_run *run, stage *s)
{
    enum { grain = 1 << 16 };
    const ald_kdr_search *k = s->search;
    const int64_t n = k->rows->n, most = k->rank > 0 && k->rank < n ? k->rank : n;
    int64_t l = 0;
    double *z;
    ALD_TRY(ald_kdr_target_factor(run, k->target, s->stretch, tolerance(k), most, 1, &s->target));
    ALD_TRY(ald_scratch_reals(run, n, k->r, &z));
    for (int64_t i = 0; k->rank > 0 && i < k->n_starts; i++) {
        ALD_TRY(choose_pivots(run, s, s->starts + i, z));
        if (s->starts[i].l > l) l = s->starts[i].l;
    }
    ald_kdr_criterion size = criterion_of(s, s->starts);
    size.l = l;
    for (int part = 0; part < s->parts; part++) {
        ALD_TRY(s->form->prepare(run, &size, s->works + part));
        ALD_TRY(ald_kdr_card_target(run, &s->target, s->cards[part], s->works + part));
    }
    if (s->parts == 1) s->works->threads = ald_parts(run, n * n, grain);
    return ALD_OK;
}

static ald_status run_stage(ald_run *run, stage *s)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ALD_TRY(ready_stage(run, s));
    fork_starts(run, s);
    ald_parallel(s->parts, move_part, s);
    ald_status status = ALD_OK;
    for (int64_t k = 0; k < s->search->n_starts; k++) {
        const ald_status joined = ald_run_join(run, &s->starts[k].run, s->starts[k].status);
        if (status >= 0) status = joined;
    }
    ald_arena_release(&run->scratch, mark);
    return status;
}

/* Random directions, drawn for the d columns so that they do not depend on the basis of their span. */
static ald_status place_start(ald_run *run, const ald_kdr_search *search, int64_t k, start *t)
{
    const int64_t r = search->r, d = search->rows->d, p = search->rows->p;
    double *normals;
    ald_random random;
    memset(t, 0, sizeof *t);
    ALD_TRY(ALD_SCRATCH(run, {&t->b, r, p}, {&t->trial, r, p}, {&t->gradient, r, p}, {&t->small, r, r}));
    ALD_TRY(ald_scratch(run, search->rank < search->rows->n ? search->rank : search->rows->n, 1,
                        sizeof *t->pivots, &t->pivots));
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ALD_TRY(ald_scratch_reals(run, r, d, &normals));
    ald_random_seed(&random, search->seed, (uint64_t)k);
    for (int64_t i = 0; i < r * d; i++) normals[i] = ald_random_normal(&random);
    if (search->rows->basis)
        ALD_TRY(ald_product(run, ald_of(normals, r, d), ald_t(ald_of(search->rows->basis, p, d)),
                            ald_at(t->b, r, p)));
    else
        memcpy(t->b, normals, (size_t)(r * d) * sizeof *t->b);
    ald_arena_release(&run->scratch, mark);
    ALD_TRY(orthonormalize(run, r, p, t->small, t->b)); /* twice: r = p may be badly conditioned */
    return orthonormalize(run, r, p, t->small, t->b);
}

static ald_status take_best(ald_run *run, const stage *s, ald_kdr_search *search)
{
    search->best = 0;
    search->evaluations = 0;
    ALD_TRY(ald_scratch_reals(run, search->n_starts, 1, &search->values));
    for (int64_t k = 0; k < search->n_starts; k++) {
        search->values[k] = s->starts[k].value;
        search->evaluations += s->starts[k].evaluations;
        if (search->values[k] < search->values[search->best]) search->best = k;
    }
    const start *t = s->starts + search->best;
    search->b = t->b;
    search->value = t->value;
    search->slope = t->slope;
    search->kernel_rank = search->rank > 0 ? t->l : search->rows->n;
    search->kernel_left = search->rank > 0 ? t->left : 0.0;
    search->response_rank = s->target.m;
    search->response_left = s->target.left;
    return ALD_OK;
}

/* Seconds of a move of one start, with the two or three values that it takes. Whole kernels of three
 * directions or more are decomposed; in fewer their factors are short, as they are with `rank`. */
static double move_seconds(const ald_kdr_search *search, double n, double d)
{
    if (search->r == 1) return n * (1.2e-6 + 1e-7 * d + 3.5e-9 * fmin(n, 1000.0));
    if (search->rank > 0) return 9e-6 * n;
    return 5e-5 + n * n * (2.2e-8 + (search->r > 2 ? 3.5e-11 * n : 0.0));
}

void ald_kdr_search_announce(const ald_run *run, const ald_kdr_search *search, int64_t n, int64_t d)
{
    const double moves = (double)search->n_starts * (double)(search->n_stages + 1);
    const ald_stage_cost stage = {descending, moves * move_seconds(search, (double)n, (double)d)};
    ald_plan_seconds(run, &stage, 1);
}

static ald_status run_stages(ald_run *run, const ald_kdr_search *search, stage *s)
{
    for (s->number = 1; s->number <= search->n_stages; s->number++) {
        s->stretch = sqrt(1.0 + 3.0 * (double)(search->n_stages - s->number) / (double)search->n_stages);
        ALD_TRY(run_stage(run, s));
    }
    s->number = search->n_stages;
    s->moving = 0; /* the stretch is 1 since the last stage */
    return run_stage(run, s);
}

/* One start of few rows leaves BLAS on one thread: handing pieces of such a decomposition around takes longer
 * than they do. */
static ald_status run_alone(ald_run *run, const ald_kdr_search *search, stage *s)
{
    ald_threads_pause();
    const ald_status status = run_stages(run, search, s);
    ald_threads_resume();
    return status;
}

ald_status ald_kdr_search_run(ald_run *run, ald_kdr_search *search)
{
    enum { few_rows = 600 };
    const int parts = ald_parts(run, search->n_starts, 1);
    stage s = {
        .search = search,
        .form = search->rank > 0 ? &ald_kdr_low_rank : &ald_kdr_on_card,
        .run = run,
        .parts = parts,
        .moving = 1,
    };
    atomic_init(&s.stop, 0);
    ALD_TRY(ald_scratch(run, search->n_starts, 1, sizeof *s.starts, &s.starts));
    ALD_TRY(ald_scratch(run, parts, 1, sizeof *s.works, &s.works));
    for (int64_t k = 0; k < search->n_starts; k++) ALD_TRY(place_start(run, search, k, s.starts + k));
    const int alone = parts == 1 && search->rank == 0 && search->rows->n <= few_rows;
    ALD_TRY(ald_scratch(run, parts, 1, sizeof *s.cards, &s.cards));
    ald_status status = ald_kdr_cards_open(run, search, parts, s.cards);
    if (status >= 0) status = (alone ? run_alone : run_stages)(run, search, &s);
    ald_kdr_cards_close(run, parts, s.cards);
    return status < 0 ? status : take_best(run, &s, search);
}
