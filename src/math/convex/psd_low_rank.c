/* The convex problem by a factor of growing rank (Burer and Monteiro 2003; Journee et al. 2010).
 *
 * At a stationary X of J(X X'), P = X X' is the global minimum when Z >= 0; if not, an eigenvector of a
 * negative eigenvalue of Z is a direction of descent for one more column, and several of them join at once. A
 * column adds about 4 n d flops to a step of the conjugate gradient.
 *
 * Columns that are not needed make the conjugate gradient crawl. So every round ends with the convex problem
 * within the span of X, which has a few unknowns only and takes such columns out exactly:
 *
 *   P = Q S Q',   S >= 0,   Q'Q = I,   (M Q)'(M Q) diagonal
 *
 * In such a Q the pairs keep the scatter that they have in all coordinates.
 *
 * A strong ridge can make 0 the best multiple of a random start, and at 0 the gradient vanishes. The
 * certificate there either names directions of descent, which become the start, or says that P = 0 is the
 * minimum.
 *
 * A certificate with the gap g at the value J says that the optimum is at least J - g, and that stays true
 * whatever the later rounds come to. So the gap reported is that of the lowest value to the largest of these
 * bounds, not the last one.
 *
 * Where there are more unknowns than pairs the value may creep towards its optimum for as long as columns
 * join, and beyond 25 of them a round costs ten times as much: from there on a round that does not lower the
 * gap by a fifth is the last.
 */
#include "base/numbers/random.h"
#include "base/threads/pacing.h"
#include "math/convex/certificate.h"
#include "math/optimize/conjugate_gradient.h"
#include "math/optimize/quadratic.h"

#include "math/linalg/linalg.h"

#include <math.h>
#include <string.h>

enum { steps_a_round = 100, largest_span = 60, many_columns = 25 };

typedef struct factor {
    int64_t p, rank;
    double *x; /* p x rank */
} factor;

static double longest_column(const factor *f)
{
    double longest = 0.0;
    for (int64_t k = 0; k < f->rank; k++) {
        double square = 0.0;
        for (int64_t i = 0; i < f->p; i++) square += f->x[i * f->rank + k] * f->x[i * f->rank + k];
        longest = fmax(longest, square);
    }
    return sqrt(longest);
}

/* x grows by the directions that were found, a part of the size of the longest column; if all are 0, of any
 * size. */
static ald_status join(ald_run *run, factor *f, const ald_certificate *c)
{
    const int64_t rank = f->rank + c->found;
    const double longest = longest_column(f), length = longest > 0.0 ? 0.05 * longest : 1.0;
    double *x;
    ALD_TRY(ald_scratch_reals(run, f->p, rank, &x));
    for (int64_t i = 0; i < f->p; i++) {
        memcpy(x + i * rank, f->x + i * f->rank, (size_t)f->rank * sizeof *x);
        for (int64_t k = 0; k < c->found; k++)
            x[i * rank + f->rank + k] = length * c->escape[i * c->found + k];
    }
    f->x = x;
    f->rank = rank;
    return ALD_OK;
}

/* As long as the wanted distances ask for, `square` being about theirs; from another order of size the first
 * search along x would lose its digits. */
static void random_start(factor *f, double square, uint64_t seed)
{
    const double length = sqrt(square / (double)(f->p * f->rank));
    ald_random random;
    ald_random_seed(&random, seed, 1000);
    for (int64_t i = 0; i < f->p * f->rank; i++) f->x[i] = length * ald_random_normal(&random);
}

static ald_status improve(ald_run *run, ald_stress *stress, factor *f, double size, ald_psd_solution *out)
{
    const ald_objective objective = ald_stress_objective(stress);
    int64_t iterations;
    int converged;
    ald_cg task = {
        .objective = &objective,
        .r = f->rank,
        .groups = 1,
        .tol = 1e-8,
        .size = size,
        .max_iter = steps_a_round,
        .stage = "convex problem",
        .share = 0.5,
        .values = &out->value,
        .iterations = &iterations,
        .converged = &converged,
    };
    ALD_TRY(ald_stress_prepare(run, stress, f->rank, 1));
    ALD_TRY(ald_cg_rescale(run, &objective, f->rank, 1, f->x));
    ALD_TRY(ald_cg_minimise(run, &task, f->x));
    out->iterations += iterations;
    return ALD_OK;
}

/* x <- Q, an orthonormal basis of what its columns span, and the squared lengths of the columns of M Q. */
static ald_status make_orthogonal(ald_run *run, const ald_basis *basis, int64_t q, double *x, double *lengths)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *gram, *vectors;
    ALD_TRY(ald_orthonormal(run, ald_at(x, basis->p, q)));
    ALD_TRY(ald_scratch_zeros(run, q, q, &gram));
    ALD_TRY(ald_scratch_reals(run, q, q, &vectors));
    for (int64_t i = 0; i < basis->p; i++)
        for (int64_t a = 0; a < q; a++)
            for (int64_t b = 0; b < q; b++)
                gram[a * q + b] += basis->lengths[i] * x[i * q + a] * x[i * q + b];
    ALD_TRY(ald_eigen(run, ald_at(gram, q, q), lengths, ald_at(vectors, q, q)));
    ALD_TRY(ald_multiply(run, ald_at(x, basis->p, q), ald_t(ald_of(vectors, q, q))));
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

/* x <- Q y without the columns of y that are next to nothing. */
static ald_status replace(ald_run *run, const factor *span, const ald_psd_solution *within, factor *f)
{
    const int64_t q = span->rank;
    int64_t kept = 0;
    double *x;
    while (kept < within->rank) {
        double square = 0.0, first = 0.0;
        for (int64_t i = 0; i < q; i++) {
            square += within->factor[i * within->rank + kept] * within->factor[i * within->rank + kept];
            first += within->factor[i * within->rank] * within->factor[i * within->rank];
        }
        if (!(square > 1e-10 * first)) break;
        kept++;
    }
    if (kept == 0) return ALD_OK;
    ALD_TRY(ald_scratch_reals(run, f->p, kept, &x));
    const ald_view y = ald_left(ald_of(within->factor, q, within->rank), kept);
    ALD_TRY(ald_product(run, ald_of(span->x, f->p, q), y, ald_at(x, f->p, kept)));
    f->x = x;
    f->rank = kept;
    return ALD_OK;
}

/* The stress in the coordinates F Q, as a quadratic function. */
static ald_status quadratic_within(ald_run *run, const ald_stress *stress, const factor *f, ald_basis *span,
                                   ald_stress *small, ald_quadratic *sums, ald_quadratic *quadratic)
{
    const int64_t q = f->rank;
    double *rows;
    *small = *stress;
    small->basis = span;
    if (stress->remote) {
        ALD_TRY(stress->remote->within(run, stress->remote->self, f->x, f->p, q, sums));
        small->remote = NULL;
        small->sums = sums;
        return ald_quadratic_of_sums(run, small, sums, q, 1, quadratic);
    }
    ALD_TRY(ald_scratch_reals(run, span->n, q, &rows));
    ALD_TRY(ald_basis_apply(run, stress->basis, f->x, q, rows));
    span->rows = rows;
    return ald_quadratic_of_stress(run, small, q, 1, quadratic);
}

static ald_status solve_within(ald_run *run, const ald_stress *stress, factor *f, ald_psd_solution *out)
{
    const int64_t q = f->rank;
    const ald_basis *whole = stress->basis;
    ald_basis basis = {.n = whole->n, .d = q, .p = q, .whitened = whole->whitened};
    factor span = *f;
    ald_stress small;
    ald_quadratic sums, quadratic;
    ald_convex convex;
    ald_psd_solution within;
    double *lengths;
    if (q > largest_span || !(longest_column(f) > 0.0)) return ALD_OK;
    ALD_TRY(ALD_SCRATCH(run, {&lengths, q, 1}, {&span.x, f->p, q}));
    memcpy(span.x, f->x, (size_t)(f->p * q) * sizeof *f->x);
    ALD_TRY(make_orthogonal(run, whole, q, span.x, lengths));
    basis.lengths = lengths;
    ALD_TRY(quadratic_within(run, stress, &span, &basis, &small, &sums, &quadratic));
    ALD_TRY(ald_convex_of_quadratic(run, &small, &quadratic, &convex));
    ALD_TRY(ald_psd_first_order(run, &convex, 1e-10, 1000, &within));
    if (!(within.value <= out->value + 1e-12 * convex.at_zero)) return ALD_OK;
    out->value = within.value;
    return replace(run, &span, &within, f);
}

/* The lowest value so far with its factor, and the largest bound that a certificate gave. */
typedef struct record {
    double value, bound, last; /* last: the gap of the round before */
    double before;             /* value less bound after the round before */
    factor factor;
} record;

/* Near the end the gap is rounding of small eigenvalues, and more columns only make it worse. */
static int settled(const record *best, double gap, double tol, double at_zero)
{
    return best->value - best->bound <= tol * at_zero || (gap > best->last && best->last < 1e-5 * at_zero);
}

/* A round that cost much and brought little. */
static int creeps(const record *best, const factor *f)
{
    const double least = 0.8;
    return f->rank > many_columns && best->value - best->bound > least * best->before;
}

static void keep_best(record *best, const factor *f, double value, double gap)
{
    best->before = best->value - best->bound;
    best->bound = fmax(best->bound, value - gap);
    if (value > best->value) return;
    best->value = value;
    best->factor = *f; /* joining and replacing columns makes new ones: these stay as they are */
}

static ald_status certify_round(ald_run *run, ald_stress *stress, const factor *f, double value,
                                uint64_t seed, ald_certificate *c)
{
    const int64_t left = f->p - f->rank;
    *c = (ald_certificate){.room = f->rank > 3 ? (f->rank + 1) / 2 : 2};
    if (c->room > left) c->room = left > 0 ? left : 1;
    ALD_TRY(ald_scratch_reals(run, f->p, c->room, &c->escape));
    return ald_certify(run, stress, f->x, f->rank, value, seed, c);
}

typedef struct limits {
    double tol;
    int64_t max_iter;
    uint64_t seed;
} limits;

/* How many rounds there will be is not known; each takes about 1.3 times as long as the one before. The gap g
 * falls to a tenth from round to round, more or less, and next to 1e-6 of the value at 0 rounding ends it:
 * after k rounds k + log10(g / 1e-6) are expected, g as a part of the value at 0, and some seven before
 * anything is known. One low gap does not say much: the number falls by half a round at most. */
typedef struct expectation {
    double rounds; /* of all */
    double done;   /* the fraction that was reported */
} expectation;

static void expect_rounds(expectation *e, int rounds, double gap, double at_zero)
{
    const double last = 1e-6, least = 1.5, fall = 0.5;
    const double more = fmax(log10(fmax(gap, 0.0) / at_zero / last), least);
    e->rounds = fmax((double)rounds + more, e->rounds - fall);
}

/* The part of the whole that a number of rounds is. */
static double part_after(const expectation *e, int rounds)
{
    const double growth = 1.3;
    return fmin((pow(growth, (double)rounds) - 1.0) / (pow(growth, e->rounds) - 1.0), 1.0);
}

/* What follows is the next round; progress already reported stays. */
static void tell_round(expectation *e, int round, ald_within_stage *told)
{
    const double from = fmax(part_after(e, round), e->done);
    e->done = fmax(part_after(e, round + 1), from);
    ald_within_next(told, from, e->done - from);
}

static ald_status run_rounds(ald_run *run, ald_stress *stress, const limits *task, ald_within_stage *told,
                             factor *f, record *best, ald_psd_solution *out)
{
    const double at_zero = ald_stress_at_zero(stress);
    expectation expected = {.rounds = 7.0};
    double size;
    ALD_TRY(ald_stress_size(run, stress, task->seed, &size));
    for (int round = 0;; round++) {
        ald_certificate c;
        tell_round(&expected, round, told);
        ALD_TRY(improve(run, stress, f, size, out));
        ALD_TRY(solve_within(run, stress, f, out));
        ALD_TRY(certify_round(run, stress, f, out->value, task->seed, &c));
        keep_best(best, f, out->value, c.gap);
        if (settled(best, c.gap, task->tol, at_zero) || creeps(best, f)) return ALD_OK;
        if (f->rank >= f->p || c.found == 0 || out->iterations >= 10 * task->max_iter) return ALD_OK;
        best->last = fmin(best->last, c.gap);
        expect_rounds(&expected, round + 1, c.gap, at_zero);
        ALD_TRY(join(run, f, &c));
    }
}

ald_status ald_psd_low_rank(ald_run *run, ald_stress *stress, int64_t rank, double tol, int64_t max_iter,
                            uint64_t seed, ald_psd_solution *out)
{
    const int64_t p = stress->basis->p;
    const limits task = {tol, max_iter, seed};
    factor f = {.p = p, .rank = rank < p ? rank : p};
    record best = {.value = INFINITY, .bound = -INFINITY, .last = INFINITY};
    ald_within_stage told;
    *out = (ald_psd_solution){.solver = "low-rank"};
    ALD_TRY(ald_scratch_reals(run, p, f.rank, &f.x));
    random_start(&f, sqrt(ald_stress_at_zero(stress) / (stress->scale * stress->pairs->total)), seed);
    ald_within_enter(run, "convex problem", &told);
    const ald_status status = run_rounds(run, stress, &task, &told, &f, &best, out);
    ald_within_leave(&told);
    ALD_TRY(status);
    out->value = best.value;
    out->gap = fmax(best.value - best.bound, 0.0);
    out->factor = best.factor.x;
    out->rank = best.factor.rank;
    return ALD_OK;
}
