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
 * columns and 4 n m b operations. Where products are kept in a logbook, the state is, after a step: V, T, the
 * next block, and where the search is. */
#include "math/solvers/lanczos.h"

#include "math/linalg/linalg.h"
#include "math/operator/all_rows.h"
#include "math/operator/logbook.h"
#include "math/solvers/block_basis.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

/* Where the search is. */
typedef struct search {
    ald_random random;
    int64_t size, products, converged; /* of V, of the task */
    int64_t confirming;                /* the pairs are set aside, and one that was missed is looked for by
                                          so many steps; 0: not yet */
    int64_t step, begun;               /* since the last beginning; products before it */
    int64_t over;                      /* nothing more is expanded */
    int64_t looked, look;              /* the step of the last look at the residuals, and of the next */
    double best, first;                /* residuals since then: the smallest, and the first */
    double last;                       /* the one of the last look */
    double left;                       /* steps at the pace since then; not above 0 where it has none */
    double found;                      /* confirming: the sum of the eigenvalues */
} search;

enum { n_arrays = 6 };

static void list_arrays(const ald_block_basis *s, ald_piece *arrays)
{
    const int64_t real = (int64_t)sizeof(double), n = s->n, m = s->capacity, b = s->b;
    const ald_piece all[n_arrays] = {
        {s->v, n * m * real, ALD_ALIKE},    {s->t, m * m * real, ALD_ALIKE},
        {s->next, n * b * real, ALD_ALIKE}, {s->coupling, b * b * real, ALD_ALIKE},
        {s->theta, m * real, ALD_ALIKE},    {s->y, m * m * real, ALD_ALIKE},
    };
    memcpy(arrays, all, sizeof all);
}

/* What is asked for, as far as it is not a matter of the rows. */
static uint64_t sum_of_task(const ald_lanczos *task)
{
    const double numbers[] = {
        (double)task->n,     (double)task->wanted,      task->tol,           (double)task->max_products,
        (double)task->room,  (double)task->trial,       (double)task->seed,  (double)task->randomized,
        (double)task->power, (double)task->oversamples, (double)task->block, (double)task->looks,
    };
    return ald_hash_reals(1, numbers, sizeof numbers / sizeof *numbers);
}

static ald_step step_of(const ald_lanczos *task, const ald_piece *arrays, search *p)
{
    return (ald_step){
        .name = "Lanczos",
        .input = sum_of_task(task),
        .under_way = 1,
        .head = p,
        .head_size = sizeof *p,
        .pieces = arrays,
        .n_pieces = n_arrays,
    };
}

static ald_status save_state(ald_run *run, const ald_lanczos *task, const ald_block_basis *s, search *p)
{
    ald_piece arrays[n_arrays];
    p->size = s->size;
    p->products = task->products;
    p->converged = task->converged;
    list_arrays(s, arrays);
    const ald_step step = step_of(task, arrays, p);
    return ald_log_step(run, ald_logbook_of(task->z), &step);
}

/* The state that an earlier run has left. */
static ald_status restore(ald_run *run, ald_lanczos *task, ald_block_basis *s, search *p, int *found)
{
    ald_piece arrays[n_arrays];
    list_arrays(s, arrays);
    const ald_step step = step_of(task, arrays, p);
    ALD_TRY(ald_recall(run, ald_logbook_of(task->z), &step, found));
    if (!*found) return ALD_OK;
    if (p->size < s->b || p->size > s->capacity || p->begun < 0 || p->begun > p->products ||
        p->products > task->max_products + s->b || p->step < 0 || p->step > p->products - p->begun ||
        p->looked < 0 || p->looked > p->step)
        return ald_step_damaged(run);
    s->size = s->coupled = p->size;
    task->products = p->products;
    task->converged = p->converged != 0;
    return ALD_OK;
}

/* What the residual of a Ritz pair must come down to: tol times its value, but no less than rounding leaves.
 */
static double residual_bound(const ald_lanczos *task, double value, double largest)
{
    return fmax(task->tol * value, 8.0 * DBL_EPSILON * sqrt((double)task->n) * largest);
}

/* Largest residual |B E'y| of the wanted pairs, as a part of its bound. */
static double worst_residual(const ald_lanczos *task, const ald_block_basis *s)
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

/* How much of the way from the first residual to the bound is done, on the scale of logarithms. */
static double part_done(double first, double best)
{
    return best < first && first > 1.0 ? log(first / best) / log(first) : 0.0;
}

/* Whether the last wanted pair is far above what the others are on average, as those of factors are: their
 * Ritz values are near them after few more columns than there are. The largest of equal columns are 4 times
 * the average where there are as many rows, and more where there are fewer. */
static int stand_apart(const ald_lanczos *task, const ald_block_basis *s)
{
    const double far = 16.0;
    double others = task->total;
    for (int64_t k = 0; k < task->wanted; k++) others -= s->theta[k];
    return s->theta[task->wanted - 1] * (double)(task->n - task->wanted) > far * others;
}

/* Columns after which the pace is judged: it grows within a basis. */
static int64_t patience(const ald_lanczos *task, const ald_block_basis *s)
{
    if (task->total > 0.0) return 48;
    return task->block > 0 ? 96 + 2 * task->wanted : 12 * s->b;
}

/* A trial that would take far more products than it has, by what it did with those since the beginning, and
 * by what it did with the last, which bring down the residual of many pairs much faster. */
static int is_hopeless(const ald_lanczos *task, const ald_block_basis *s, const search *p, double done)
{
    const double spent = (double)(task->products - p->begun),
                 far = 1.5 * (double)(task->max_products - p->begun);
    if (!task->trial) return 0;
    if (task->total > 0.0 && !stand_apart(task, s)) return 1;
    if (p->left > 0.0 && spent + p->left * (double)s->b < far) return 0;
    return spent >= (double)patience(task, s) && spent > done * far;
}

/* A new count of steps and residuals. */
static void begin_search(const ald_lanczos *task, search *p)
{
    p->step = p->over = p->looked = p->look = 0;
    p->last = INFINITY;
    p->begun = task->products;
    p->best = INFINITY;
    p->first = 0.0;
}

/* One expansion, before which V is restarted where it is full. */
static ald_status expand(ald_run *run, ald_lanczos *task, ald_block_basis *s, search *p)
{
    const int64_t keep =
        s->capacity - 2 * s->b > task->wanted + s->b ? task->wanted + s->b : s->capacity - 2 * s->b;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    if (s->size + s->b > s->capacity) ALD_TRY(ald_block_basis_restart(run, s, keep));
    ALD_TRY(ald_block_basis_expand(run, task, s, &p->random));
    ald_arena_release(&run->scratch, mark);
    p->step++;
    return ALD_OK;
}

/* The decomposition of T costs as much as many products where A is a small matrix: it is made when a look is
 * due, when V is full or when there are no products left. */
static int is_due(const ald_lanczos *task, const ald_block_basis *s, const search *p)
{
    return (task->z && !(task->total > 0.0)) || p->step >= p->look || s->size + s->b > s->capacity ||
           task->products >= task->max_products;
}

/* Small blocks of a matrix in memory make many cheap steps, and none converges before some two dozen. */
static int64_t first_look(const ald_lanczos *task, const ald_block_basis *s)
{
    if (task->total > 0.0) return (task->wanted + 8) / s->b + 1;
    return task->block > 0 ? (task->wanted + 24) / s->b : 1;
}

/* When to look again: after half of the steps that are left at the pace since the last look, but soon enough
 * to see it grow. */
static void plan_look(search *p, double worst)
{
    const double pace = log(p->last / worst) / (double)(p->step - p->looked);
    p->left = log(worst) / pace;
    const double half = fmin(0.5 * p->left, (double)p->step / 4.0);
    p->look = p->step + (half > 1.0 ? (int64_t)half : 1);
    p->looked = p->step;
    p->last = worst;
}

/* The Ritz pairs and their worst residual. */
static ald_status look(ald_run *run, ald_lanczos *task, ald_block_basis *s, search *p)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double worst;
    const int is_full = s->size + s->b > s->capacity; /* a restart keeps some more */
    ALD_TRY(ald_block_basis_ritz(run, task->wanted + (is_full ? s->b : 0), s));
    ald_arena_release(&run->scratch, mark);
    worst = s->size >= task->wanted ? worst_residual(task, s) : INFINITY;
    ALD_TRY(ald_rows_settle(run, task->z, &worst, (int64_t)sizeof worst));
    task->converged = worst <= 1.0;
    if (isfinite(worst) && p->first == 0.0) p->first = worst;
    p->best = fmin(p->best, worst);
    plan_look(p, worst);
    return ALD_OK;
}

/* Expands until the wanted pairs are converged (but some times at least where they are confirmed) or the
 * products are used up. */
static ald_status converge(ald_run *run, ald_lanczos *task, ald_block_basis *s, search *p)
{
    const int64_t least = p->confirming ? p->confirming : 1;
    p->look = p->confirming ? least : first_look(task, s);
    while (!p->over) {
        ALD_TRY(expand(run, task, s, p));
        if (!is_due(task, s, p)) continue;
        ALD_TRY(look(run, task, s, p));
        const double done = part_done(p->first, p->best);
        p->over = (task->converged && p->step >= least) || task->products >= task->max_products ||
                  (!task->converged && is_hopeless(task, s, p, done));
        ALD_TRY(save_state(run, task, s, p));
        if (!p->over) ALD_TRY(ald_progress(run, task->stage, done));
    }
    return ALD_OK;
}

static double sum_of_wanted(const ald_lanczos *task, const ald_block_basis *s)
{
    double sum = 0.0;
    for (int64_t k = 0; k < task->wanted; k++) sum += s->theta[k];
    return sum;
}

/* How many of the pairs found have this value, nearly. */
static int64_t copies_of(const ald_lanczos *task, const ald_block_basis *s, double value)
{
    const double near = 1e-6;
    int64_t count = 0;
    for (int64_t k = 0; k < task->wanted; k++) count += fabs(s->theta[k] - value) <= near * value;
    return count;
}

/* A Krylov space contains at most b copies of an eigenvalue. So the pairs found are set aside and a fresh
 * random block is expanded beside them: if an eigenvalue above the last of them is still missing, it shows,
 * and the search continues.
 *
 * What is missing is a copy of a level l that was found above the last value t (a further copy of t itself
 * changes nothing), and b of its copies have been found: otherwise the block has seen them all. Beside l the
 * rest of the spectrum of a positive semidefinite A is within 0 .. t, so the Ritz value of k steps from a
 * random vector, at an angle phi from the copy, is below l by at most
 *
 *   l (tan phi / T_(k-1)(1 + 2 g))^2,   g = (l - t) / l,
 *
 * and passes t where T > tan phi / sqrt(g). tan phi is about sqrt(n) for a random vector; a thousand times
 * that is taken, as the vector may be nearly orthogonal to the copy. */
static int64_t steps_to_confirm(const ald_lanczos *task, const ald_block_basis *s)
{
    enum { least = 3 };
    const double last = s->theta[task->wanted - 1], apart = 1e-9, oblique = 1000.0;
    const int64_t enough = task->looks ? 1 : s->b;
    int64_t k = task->wanted - 1;
    while (k >= 0 && (s->theta[k] <= last * (1.0 + apart) || copies_of(task, s, s->theta[k]) < enough)) k--;
    if (k < 0 || !(s->theta[k] > 0.0)) return least;
    const double g = (s->theta[k] - last) / s->theta[k];
    return least + (int64_t)(acosh(oblique * sqrt((double)task->n / g)) / acosh(1.0 + 2.0 * g));
}

static ald_status begin_confirming(ald_run *run, const ald_lanczos *task, ald_block_basis *s, search *p)
{
    p->found = sum_of_wanted(task, s);
    p->confirming = steps_to_confirm(task, s);
    ALD_TRY(ald_block_basis_restart(run, s, task->wanted));
    ald_block_basis_fill(s, &p->random);
    begin_search(task, p);
    return ALD_OK;
}

static ald_status start(ald_run *run, const ald_lanczos *task, ald_block_basis *s, search *p)
{
    memset(p, 0, sizeof *p);
    ald_random_seed(&p->random, task->seed, 0);
    begin_search(task, p);
    return ald_block_basis_begin(run, s, &p->random);
}

static ald_status lanczos_iterate(ald_run *run, ald_lanczos *task, ald_block_basis *s)
{
    search p = {0};
    int found, none = 0;
    ALD_TRY(restore(run, task, s, &p, &found));
    if (!found) ALD_TRY(start(run, task, s, &p));
    for (;;) {
        ALD_TRY(converge(run, task, s, &p));
        if (p.confirming) {
            none = p.step >= p.confirming && sum_of_wanted(task, s) <= p.found * (1.0 + 1e-8);
            ALD_TRY(ald_rows_settle(run, task->z, &none, (int64_t)sizeof none));
        }
        if (none || !task->converged) return ALD_OK;
        if (task->products >= task->max_products) {
            task->converged = !task->trial; /* another solver is sure */
            return ALD_OK;
        }
        task->unsure = task->looks && steps_to_confirm(task, s) > task->looks;
        if (task->unsure) return ALD_OK;
        ALD_TRY(begin_confirming(run, task, s, &p));
    }
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

static ald_status lanczos_run(ald_run *run, ald_lanczos *task)
{
    ald_block_basis s;
    task->products = 0;
    task->converged = task->unsure = 0;
    ALD_TRY(ald_rows_agree(run, task->z, ald_block_basis_new(run, task, &s)));
    if (s.capacity + s.b > task->n) return solve_small(run, task);
    ALD_TRY(lanczos_iterate(run, task, &s));
    if (task->trial && !task->converged) return ALD_OK;
    memcpy(task->values, s.theta, (size_t)task->wanted * sizeof *task->values);
    ALD_TRY(ald_block_basis_vectors(run, &s, ald_at(task->vectors, task->n, task->wanted)));
    return measure_residual(run, task);
}

static ald_status find_pairs(ald_run *run, void *work)
{
    ald_lanczos *task = work;
    return task->randomized ? ald_randomized_run(run, task) : lanczos_run(run, task);
}

ald_status ald_lanczos_solve(ald_run *run, ald_lanczos *task)
{
    const int64_t size = task->wanted * (int64_t)sizeof(double);
    const size_t results = offsetof(ald_lanczos, products);
    if (!task->values) ALD_TRY(ald_scratch_reals(run, task->wanted, 1, &task->values));
    if (!task->vectors) ALD_TRY(ald_scratch_reals(run, task->n, task->wanted, &task->vectors));
    const ald_piece pieces[] = {
        {task->values, size, ALD_ALIKE},
        {task->vectors, task->n * size, ALD_ALIKE},
    };
    const ald_step step = {
        .name = "eigenpairs",
        .input = sum_of_task(task),
        .head = (char *)task + results,
        .head_size = (int64_t)(sizeof *task - results),
        .pieces = pieces,
        .n_pieces = 2,
    };
    return ald_take_step(run, ald_logbook_of(task->z), &step, find_pairs, task);
}
