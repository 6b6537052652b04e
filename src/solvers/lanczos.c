/* Block Lanczos with thick restarts and full orthogonalization.
 *
 * The basis V (n x m) holds kept Ritz vectors and Krylov blocks Q of b columns. Expanding by the newest
 * block, W = A Q,  H = V'W (the new columns of T = V'AV),  W - V H = Q' B (QR), keeps A V = V T + Q' B E'
 * with E the rows of the newest block, so that the residual of a Ritz pair (theta, V y) is |B E'y| without
 * another product. When V is full the best Ritz vectors and Q' stay and the rest goes. Orthogonalization is
 * done twice: V stays orthonormal to rounding, and no spurious copies appear. A column that is used up (the
 * Krylov space is exhausted) is filled with a random direction. At the end a fresh random block is expanded
 * beside what was found, so that eigenvalues of a multiplicity above b are found as well.
 *
 * Memory: n (2 m + 2 b) doubles, m = wanted + max(3 b, wanted, room, 24). A step costs one product with b
 * columns and 4 n m b operations. */
#include "solvers/lanczos.h"

#include "linalg/linalg.h"
#include "linalg/shared_rows.h"
#include "numbers/random.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { widest = 8 }; /* columns of a block */

typedef struct basis {
    int64_t n, b, capacity; /* capacity: columns of V */
    int64_t size;           /* columns in V, the newest block last */
    double *v;              /* n x capacity */
    double *t;              /* capacity x capacity */
    double *next;           /* n x b: the block that comes after the newest */
    double *coupling;       /* b x b: B */
    double *theta, *y;      /* Ritz values, and vectors as rows (capacity x capacity) */
    double *work;           /* n x capacity */
    double *h;              /* capacity x b */
} basis;

static ald_status new_basis(ald_run *run, const ald_lanczos *task, basis *s)
{
    s->n = task->n;
    s->b = task->wanted < widest ? task->wanted : widest;
    const int64_t least = task->room > 24 ? task->room : 24,
                  room = task->wanted > least ? task->wanted : least;
    s->capacity = task->wanted + (room > 3 * s->b ? room : 3 * s->b);
    s->capacity -= s->capacity % s->b;
    s->size = 0;
    ALD_TRY(ald_scratch_reals(run, s->n, s->capacity, &s->v));
    ALD_TRY(ald_scratch_zeros(run, s->capacity, s->capacity, &s->t));
    return ALD_SCRATCH(run, {&s->next, s->n, s->b}, {&s->coupling, s->b, s->b}, {&s->theta, s->capacity, 1},
                       {&s->y, s->capacity, s->capacity}, {&s->work, s->n, s->capacity},
                       {&s->h, s->capacity, s->b});
}

/* w (n x b) -= V V'w, twice; the coefficients are added up in h. */
static ald_status orthogonalize(ald_run *run, basis *s, double *w)
{
    const ald_view v = ald_left(ald_of(s->v, s->n, s->capacity), s->size);
    double *more;
    memset(s->h, 0, (size_t)(s->capacity * s->b) * sizeof *s->h);
    ALD_TRY(ald_scratch_reals(run, s->capacity, s->b, &more));
    for (int twice = 0; twice < 2 && s->size > 0; twice++) {
        ALD_TRY(ald_product(run, ald_t(v), ald_of(w, s->n, s->b), ald_at(more, s->size, s->b)));
        ALD_TRY(ald_product_add(run, -1.0, v, ald_of(more, s->size, s->b), 1.0, ald_at(w, s->n, s->b)));
        for (int64_t i = 0; i < s->size * s->b; i++) s->h[i] += more[i];
    }
    return ALD_OK;
}

static void fill_column(ald_random *random, double *w, int64_t n, int64_t b, int64_t column)
{
    for (int64_t i = 0; i < n; i++) w[i * b + column] = ald_random_normal(random);
}

static double column_norm(int64_t n, int64_t b, const double *w, int64_t column)
{
    double square = 0.0;
    for (int64_t i = 0; i < n; i++) square += w[i * b + column] * w[i * b + column];
    return sqrt(square);
}

/* w_j -= q (q'w_j) for a column q; gives q'w_j. */
static double subtract_along(int64_t n, const double *q, int64_t step, double *w, int64_t b, int64_t j)
{
    double along = 0.0;
    for (int64_t i = 0; i < n; i++) along += q[i * step] * w[i * b + j];
    for (int64_t i = 0; i < n; i++) w[i * b + j] -= along * q[i * step];
    return along;
}

/* Column j of `next`, divided by its norm, orthogonalized against V and the columns before it and divided
 * again. */
static void clean_column(basis *s, int64_t j)
{
    for (int twice = 0; twice < 2; twice++) {
        const double norm = column_norm(s->n, s->b, s->next, j);
        for (int64_t i = 0; i < s->n && norm > 0.0; i++) s->next[i * s->b + j] /= norm;
        for (int64_t c = 0; c < s->size; c++) subtract_along(s->n, s->v + c, s->capacity, s->next, s->b, j);
        for (int64_t c = 0; c < j; c++) subtract_along(s->n, s->next + c, s->b, s->next, s->b, j);
    }
    const double norm = column_norm(s->n, s->b, s->next, j);
    for (int64_t i = 0; i < s->n && norm > 0.0; i++) s->next[i * s->b + j] /= norm;
}

/* next <- orthonormal block, coupling <- B, a column after the other, since each must be taken off the later
 * ones as it really became. `sizes` are the norms of A Q: a column that has lost most of its size to V is
 * cleaned once more, and one that has lost all of it becomes a random direction that nothing couples to. */
static void normalize_next(basis *s, ald_random *random, const double *sizes)
{
    const int64_t b = s->b;
    double largest = 0.0;
    memset(s->coupling, 0, (size_t)(b * b) * sizeof *s->coupling);
    for (int64_t j = 0; j < b; j++) largest = fmax(largest, sizes[j]);
    for (int64_t j = 0; j < b; j++) {
        for (int twice = 0; twice < 2; twice++)
            for (int64_t c = 0; c < j; c++)
                s->coupling[c * b + j] += subtract_along(s->n, s->next + c, b, s->next, b, j);
        const double norm = column_norm(s->n, b, s->next, j);
        const int noise = !(norm > 1e-14 * largest);
        if (noise) fill_column(random, s->next, s->n, b, j);
        s->coupling[j * b + j] = noise ? 0.0 : norm;
        if (noise || norm < 1e-2 * sizes[j])
            clean_column(s, j);
        else
            for (int64_t i = 0; i < s->n; i++) s->next[i * b + j] /= norm;
    }
}

/* Moves `next` into V, applies A to it, and leaves the block after it in `next`. */
static ald_status expand(ald_run *run, ald_lanczos *task, basis *s, ald_random *random)
{
    const int64_t begin = s->size, m = s->capacity, b = s->b;
    double *w;
    double sizes[widest];
    ALD_TRY(ald_scratch_reals(run, s->n, b, &w));
    for (int64_t i = 0; i < s->n; i++)
        memcpy(s->v + i * m + begin, s->next + i * b, (size_t)b * sizeof *s->v);
    s->size += b;
    ALD_TRY(task->apply(run, task->self, s->next, b, w));
    task->products += b;
    for (int64_t j = 0; j < b; j++) sizes[j] = column_norm(s->n, b, w, j);
    ALD_TRY(orthogonalize(run, s, w));
    for (int64_t i = 0; i < s->size; i++)
        for (int64_t j = 0; j < b; j++) s->t[i * m + begin + j] = s->t[(begin + j) * m + i] = s->h[i * b + j];
    for (int64_t i = 0; i < b; i++)
        for (int64_t j = 0; j < i; j++) {
            const double mean = 0.5 * (s->h[(begin + i) * b + j] + s->h[(begin + j) * b + i]);
            s->t[(begin + i) * m + begin + j] = s->t[(begin + j) * m + begin + i] = mean;
        }
    memcpy(s->next, w, (size_t)(s->n * b) * sizeof *w);
    normalize_next(s, random, sizes);
    return ALD_OK;
}

static ald_status rayleigh_ritz(ald_run *run, basis *s)
{
    double *copy;
    ALD_TRY(ald_scratch_reals(run, s->size, s->size, &copy));
    for (int64_t i = 0; i < s->size; i++)
        memcpy(copy + i * s->size, s->t + i * s->capacity, (size_t)s->size * sizeof *copy);
    return ald_eigen(run, ald_at(copy, s->size, s->size), s->theta, ald_at(s->y, s->size, s->size));
}

/* What the residual of a Ritz pair must come down to: tol times its value, but no less than rounding leaves.
 */
static double residual_bound(const ald_lanczos *task, double value, double largest)
{
    return fmax(task->tol * value, 8.0 * DBL_EPSILON * sqrt((double)task->n) * largest);
}

/* Largest residual |B E'y| of the wanted pairs, as a part of its bound. */
static double worst_residual(const ald_lanczos *task, const basis *s)
{
    double worst = 0.0;
    for (int64_t k = 0; k < task->wanted; k++) {
        const double *newest = s->y + k * s->size + s->size - s->b;
        double square = 0.0;
        for (int64_t i = 0; i < s->b; i++) {
            double sum = 0.0;
            for (int64_t j = 0; j < s->b; j++) sum += s->coupling[i * s->b + j] * newest[j];
            square += sum * sum;
        }
        worst = fmax(worst, sqrt(square) / residual_bound(task, s->theta[k], s->theta[0]));
    }
    return s->theta[0] > 0.0 ? worst : 0.0;
}

/* out (n x count) = V times the first `count` Ritz vectors. */
static ald_status ritz_vectors(ald_run *run, const basis *s, ald_area out)
{
    const ald_view v = ald_left(ald_of(s->v, s->n, s->capacity), s->size),
                   y = ald_of(s->y, out.cols, s->size);
    return ald_product(run, v, ald_t(y), out);
}

static ald_status restart(ald_run *run, basis *s, int64_t keep)
{
    ALD_TRY(ritz_vectors(run, s, ald_area_block(ald_at(s->work, s->n, s->capacity), 0, 0, s->n, keep)));
    for (int64_t i = 0; i < s->n; i++)
        memcpy(s->v + i * s->capacity, s->work + i * s->capacity, (size_t)keep * sizeof *s->v);
    memset(s->t, 0, (size_t)(s->capacity * s->capacity) * sizeof *s->t);
    for (int64_t k = 0; k < keep; k++) s->t[k * s->capacity + k] = s->theta[k];
    s->size = keep;
    return ALD_OK;
}

/* How much of the way from the first residual to the bound is done, on the scale of logarithms. */
static double part_done(double first, double best)
{
    return best < first && first > 1.0 ? log(first / best) / log(first) : 0.0;
}

/* A trial that would take far more products than it has, by what it did with those since `begun`. The pace
 * grows within a basis, hence the patience. */
static int is_hopeless(const ald_lanczos *task, const basis *s, int64_t begun, double done)
{
    const int64_t spent = task->products - begun;
    if (!task->trial || spent < 12 * s->b) return 0;
    return (double)spent > 1.5 * done * (double)(task->max_products - begun);
}

/* Expands, and restarts where V is full, until the wanted pairs are converged (but no fewer than `least`
 * times) or the products are used up. */
static ald_status converge(ald_run *run, ald_lanczos *task, basis *s, ald_random *random, int least)
{
    const int64_t keep =
        s->capacity - 2 * s->b > task->wanted + s->b ? task->wanted + s->b : s->capacity - 2 * s->b;
    double best = INFINITY, first = 0.0;
    const int64_t begun = task->products;
    for (int step = 1;; step++) {
        const uint64_t mark = ald_arena_mark(&run->scratch);
        if (s->size + s->b > s->capacity) ALD_TRY(restart(run, s, keep));
        ALD_TRY(expand(run, task, s, random));
        ALD_TRY(rayleigh_ritz(run, s));
        ald_arena_release(&run->scratch, mark);
        double worst = s->size >= task->wanted ? worst_residual(task, s) : INFINITY;
        ALD_TRY(ald_shared_hear(run, task->z, &worst, (int64_t)sizeof worst));
        task->converged = worst <= 1.0;
        if ((task->converged && step >= least) || task->products >= task->max_products) return ALD_OK;
        if (isfinite(worst) && first == 0.0) first = worst;
        best = fmin(best, worst);
        const double done = part_done(first, best);
        if (!task->converged && is_hopeless(task, s, begun, done)) return ALD_OK;
        ALD_TRY(ald_progress(run, task->stage, done));
    }
}

/* A Krylov space holds at most b copies of an eigenvalue. So the pairs found are set aside and a fresh random
 * block is expanded beside them: if an eigenvalue above the last of them is still missing, it shows, and the
 * search goes on. */
static ald_status lanczos_iterate(ald_run *run, ald_lanczos *task, basis *s)
{
    enum { confirmation_steps = 3 };
    ald_random random;
    ald_random_seed(&random, task->seed, 0);
    for (int64_t c = 0; c < s->b; c++) fill_column(&random, s->next, s->n, s->b, c);
    ALD_TRY(ald_qr(run, ald_at(s->next, s->n, s->b), ald_at(s->coupling, s->b, s->b)));
    ALD_TRY(converge(run, task, s, &random, 1));
    while (task->converged && task->products < task->max_products) {
        double found = 0.0, now = 0.0;
        for (int64_t k = 0; k < task->wanted; k++) found += s->theta[k];
        ALD_TRY(restart(run, s, task->wanted));
        for (int64_t c = 0; c < s->b; c++) {
            fill_column(&random, s->next, s->n, s->b, c);
            clean_column(s, c);
        }
        ALD_TRY(converge(run, task, s, &random, confirmation_steps));
        for (int64_t k = 0; k < task->wanted; k++) now += s->theta[k];
        int none = now <= found * (1.0 + 1e-8);
        ALD_TRY(ald_shared_decide(run, task->z, &none));
        if (none) break;
    }
    return ALD_OK;
}

static ald_status measure_residual(ald_run *run, ald_lanczos *task)
{
    double *w;
    double largest = task->values[0];
    ALD_TRY(ald_scratch_reals(run, task->n, task->wanted, &w));
    ALD_TRY(task->apply(run, task->self, task->vectors, task->wanted, w));
    task->products += task->wanted;
    task->residual = 0.0;
    for (int64_t k = 0; k < task->wanted && largest > 0.0; k++) {
        double square = 0.0;
        for (int64_t i = 0; i < task->n; i++) {
            const double r = w[i * task->wanted + k] - task->values[k] * task->vectors[i * task->wanted + k];
            square += r * r;
        }
        task->residual = fmax(task->residual, sqrt(square) / largest);
        task->converged =
            task->converged && sqrt(square) <= 10.0 * residual_bound(task, task->values[k], largest);
    }
    return ALD_OK;
}

/* A small operator is formed by its products with the identity and solved whole. */
static ald_status solve_small(ald_run *run, ald_lanczos *task)
{
    const int64_t n = task->n;
    double *unit, *a, *rows;
    ALD_TRY(ald_scratch_zeros(run, n, n, &unit));
    ALD_TRY(ALD_SCRATCH(run, {&a, n, n}, {&rows, task->wanted, n}));
    for (int64_t i = 0; i < n; i++) unit[i * n + i] = 1.0;
    ALD_TRY(task->apply(run, task->self, unit, n, a));
    task->products = n;
    ald_symmetrise(ald_at(a, n, n));
    ALD_TRY(ald_eigen(run, ald_at(a, n, n), task->values, ald_at(rows, task->wanted, n)));
    ald_transpose(task->wanted, n, rows, task->vectors);
    task->converged = 1;
    return measure_residual(run, task);
}

ald_status ald_lanczos_solve(ald_run *run, ald_lanczos *task)
{
    basis s;
    task->products = 0;
    ALD_TRY(new_basis(run, task, &s));
    if (s.capacity + s.b > task->n) return solve_small(run, task);
    ALD_TRY(lanczos_iterate(run, task, &s));
    if (task->trial && !task->converged) return ALD_OK;
    memcpy(task->values, s.theta, (size_t)task->wanted * sizeof *task->values);
    ALD_TRY(ritz_vectors(run, &s, ald_at(task->vectors, task->n, task->wanted)));
    return measure_residual(run, task);
}
