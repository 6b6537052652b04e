/* The routes of spectral.h to the leading eigenvectors of Z'L Z, and the choice between them. */
#include "methods/engines/spectral.h"

#include "base/settings/limits.h"
#include "base/settings/settings.h"
#include "math/linalg/linalg.h"
#include "math/operator/all_rows.h"
#include "methods/engines/engine_params.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const solvers[] = {"auto", "direct", "dual", "lanczos", "randomized", NULL};
enum { solver_auto, by_direct, by_dual, by_lanczos, by_randomized };

static const ald_param solver_param = ALD_SOLVER_PARAM(
    solvers, "how: the d x d scatter, the n x n one, or products with X only, which randomized "
             "ends after a fixed number, with an estimate of its error");

const ald_param *const ald_spectral_params[] = {
    &solver_param,
    &ald_lanczos_tol_param,
    &ald_lanczos_max_iter_param,
    &ald_iterated_power_param,
    &ald_oversamples_param,
    NULL,
};

/* The task with what its solvers share. */
typedef struct spectral {
    ald_spectral *s;
    int64_t n, d, m;
    int64_t rows;  /* all of them; Z may have a part, n */
    int64_t order; /* of Psi'Psi */
    double *b;     /* d x m: Z'F; NULL where the route does not need it */
    int64_t trial; /* columns that Lanczos may multiply before the solver is used that was chosen; 0: none */
    int apart;     /* it is given up where the components do not stand apart */
    int level;     /* which is known */
} spectral;

static ald_status form_b(ald_run *run, spectral *p)
{
    if (p->m == 0) return ALD_OK;
    ALD_TRY(ald_scratch_reals(run, p->d, p->m, &p->b));
    return ald_operator_apply_transposed(run, p->s->z, ald_of(p->s->f, p->n, p->m), ald_at(p->b, p->d, p->m));
}

/* v (d x k) = Psi u, u order x k. */
static ald_status map_left(ald_run *run, const spectral *p, const double *u, int64_t k, double *v)
{
    const double *second = u + p->n * k;
    double *sum;
    if (!p->s->identity)
        return ald_product(run, ald_of(p->b, p->d, p->m), ald_of(u, p->m, k), ald_at(v, p->d, k));
    if (p->m == 0) return ald_operator_apply_transposed(run, p->s->z, ald_of(u, p->n, k), ald_at(v, p->d, k));
    ALD_TRY(ald_scratch_reals(run, p->n, k, &sum));
    memcpy(sum, u, (size_t)(p->n * k) * sizeof *sum);
    ALD_TRY(ald_product_add(run, 1.0, ald_of(p->s->f, p->n, p->m), ald_of(second, p->m, k), 1.0,
                            ald_at(sum, p->n, k)));
    return ald_operator_apply_transposed(run, p->s->z, ald_of(sum, p->n, k), ald_at(v, p->d, k));
}

/* u (order x k) = Psi'v. */
static ald_status map_right(ald_run *run, const spectral *p, const double *v, int64_t k, double *u)
{
    if (!p->s->identity)
        return ald_product(run, ald_t(ald_of(p->b, p->d, p->m)), ald_of(v, p->d, k), ald_at(u, p->m, k));
    ALD_TRY(ald_operator_apply(run, p->s->z, ald_of(v, p->d, k), ald_at(u, p->n, k)));
    if (p->m == 0) return ALD_OK;
    return ald_product(run, ald_t(ald_of(p->s->f, p->n, p->m)), ald_of(u, p->n, k),
                       ald_at(u + p->n * k, p->m, k));
}

/* w (order x k) = Psi'Psi u. */
static ald_status apply_left(ald_run *run, void *self, const double *u, int64_t k, double *w)
{
    const spectral *p = self;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *between;
    ALD_TRY(ald_scratch_reals(run, p->d, k, &between));
    ALD_TRY(map_left(run, p, u, k, between));
    ALD_TRY(map_right(run, p, between, k, w));
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

/* w (d x k) = c Z'Z v + B (B'v). */
static ald_status apply_right(ald_run *run, void *self, const double *v, int64_t k, double *w)
{
    const spectral *p = self;
    const int identity = p->s->identity;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *between;
    if (identity) ALD_TRY(ald_operator_normal(run, p->s->z, ald_of(v, p->d, k), ald_at(w, p->d, k)));
    if (p->m == 0) return ALD_OK;
    ALD_TRY(ald_scratch_reals(run, p->m, k, &between));
    ALD_TRY(ald_product(run, ald_t(ald_of(p->b, p->d, p->m)), ald_of(v, p->d, k), ald_at(between, p->m, k)));
    ALD_TRY(ald_product_add(run, 1.0, ald_of(p->b, p->d, p->m), ald_of(between, p->m, k),
                            identity ? 1.0 : 0.0, ald_at(w, p->d, k)));
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

/* The same from products with L: c = Z'(L Z), symmetrised. */
static ald_status solve_products(ald_run *run, const spectral *p)
{
    ald_spectral *s = p->s;
    const int64_t n = p->n, d = p->d;
    double *z, *product, *c;
    ALD_TRY(ALD_SCRATCH(run, {&z, n, d}, {&product, n, d}));
    ALD_TRY(ald_scratch_zeros(run, d, d, &c));
    for (int64_t j = 0; j < d; j++) c[j * d + j] = 1.0;
    ALD_TRY(ald_operator_apply(run, s->z, ald_of(c, d, d), ald_at(z, n, d)));
    ALD_TRY(s->multiply(run, s->self, z, d, product));
    ALD_TRY(ald_operator_apply_transposed(run, s->z, ald_of(product, n, d), ald_at(c, d, d)));
    ald_symmetrise(ald_at(c, d, d));
    s->total = ald_trace(d, c);
    return ald_eigen(run, ald_at(c, d, d), s->values, ald_at(s->components, s->r, d));
}

static ald_status solve_direct(ald_run *run, spectral *p)
{
    ald_spectral *s = p->s;
    const int64_t d = p->d;
    double *c;
    ALD_TRY(form_b(run, p));
    ALD_TRY(ald_scratch_reals(run, d, d, &c));
    if (s->identity) ALD_TRY(ald_operator_scatter_upper(run, s->z, ald_at(c, d, d)));
    if (p->m > 0)
        ALD_TRY(
            ald_gram_add(run, 1.0, ald_t(ald_of(p->b, d, p->m)), s->identity ? 1.0 : 0.0, ald_at(c, d, d)));
    s->total = ald_trace(d, c);
    return ald_square_top(run, d, c, s->r, p->level, s->values, s->components);
}

/* components (r x d) from eigenvectors u (order x r) of Psi'Psi. Psi u is orthogonal only as far as u was
 * accurate, which for small values is not far: with Psi u = Q R and R = U S V' the components are the columns
 * of Q U, and S^2 their values. */
static ald_status from_left_vectors(ald_run *run, const spectral *p, const double *u)
{
    const ald_spectral *s = p->s;
    const int64_t d = p->d, r = s->r;
    double *v, *triangle, *left, *roots, *right;
    ALD_TRY(ALD_SCRATCH(run, {&v, d, r}, {&triangle, r, r}, {&left, r, r}, {&roots, r, 1}, {&right, r, r}));
    ALD_TRY(map_left(run, p, u, r, v));
    ALD_TRY(ald_qr(run, ald_at(v, d, r), ald_at(triangle, r, r)));
    ALD_TRY(ald_svd(run, ald_at(triangle, r, r), ald_at(left, r, r), roots, ald_at(right, r, r)));
    ALD_TRY(ald_product(run, ald_t(ald_of(left, r, r)), ald_t(ald_of(v, d, r)), ald_at(s->components, r, d)));
    for (int64_t k = 0; k < r; k++) s->values[k] = roots[k] * roots[k];
    return ALD_OK;
}

/* Upper triangle of [I F]'G[I F] (order n + m) from G = Z Z'; G itself when there is no F. */
static ald_status border_gram(ald_run *run, const spectral *p, double *g, double **bordered)
{
    const int64_t n = p->n, m = p->m, order = p->order;
    const double *f = p->s->f;
    double *a;
    *bordered = g;
    if (m == 0) return ALD_OK;
    ALD_TRY(ald_scratch_reals(run, order, order, &a));
    for (int64_t i = 0; i < n; i++) memcpy(a + i * order, g + i * n, (size_t)n * sizeof *a);
    const ald_area whole = ald_at(a, order, order), gf = ald_area_block(whole, 0, n, n, m);
    ALD_TRY(ald_product(run, ald_of(g, n, n), ald_of(f, n, m), gf));
    ALD_TRY(ald_product(run, ald_t(ald_of(f, n, m)), ald_read(gf), ald_area_block(whole, n, n, m, m)));
    *bordered = a;
    return ALD_OK;
}

/* Upper triangle of Psi'Psi. */
static ald_status form_dual(ald_run *run, spectral *p, double **a)
{
    double *g;
    if (p->s->identity) {
        ALD_TRY(ald_scratch_reals(run, p->n, p->n, &g));
        ALD_TRY(ald_operator_gram(run, p->s->z, ald_at(g, p->n, p->n)));
        return border_gram(run, p, g, a);
    }
    ALD_TRY(form_b(run, p));
    ALD_TRY(ald_scratch_reals(run, p->m, p->m, a));
    return ald_gram(run, ald_of(p->b, p->d, p->m), ald_at(*a, p->m, p->m));
}

static ald_status solve_dual(ald_run *run, spectral *p)
{
    ald_spectral *s = p->s;
    double *a, *rows, *u;
    ALD_TRY(form_dual(run, p, &a));
    ALD_TRY(ALD_SCRATCH(run, {&rows, s->r, p->order}, {&u, p->order, s->r}));
    s->total = ald_trace(p->order, a);
    ALD_TRY(ald_square_top(run, p->order, a, s->r, p->level, s->values, rows));
    ald_transpose(s->r, p->order, rows, u);
    return from_left_vectors(run, p, u);
}

static ald_status total_of_operator(ald_run *run, const spectral *p)
{
    ald_spectral *s = p->s;
    s->total = 0.0;
    if (s->identity) ALD_TRY(ald_operator_square_norm(run, s->z, &s->total));
    for (int64_t i = 0; i < p->d * p->m; i++) s->total += p->b[i] * p->b[i];
    return ALD_OK;
}

static ald_status report_lanczos(ald_run *run, const ald_lanczos *task, ald_model *model)
{
    const long long blocks = (long long)(task->products / (task->wanted < 8 ? task->wanted : 8)),
                    steps = task->randomized ? task->power + 2 : blocks;
    if (model) ALD_TRY(ald_model_set_printed(run, model, "alidade.resolved.iterations", "%lld", steps));
    return ald_lanczos_report(run, task, model);
}

/* Columns that Lanczos usually takes: ten a wanted direction. */
static double usual_products(const spectral *p)
{
    return 10.0 * ((double)p->s->r + 4.0);
}

/* Of components that stand apart, small blocks need the fewest columns. */
static ald_status set_trial(ald_run *run, spectral *p, ald_lanczos *task)
{
    task->trial = 1;
    task->tol = fmin(task->tol, ALD_SPECTRAL_TRIAL_TOL);
    task->max_products = p->trial;
    if (!p->apart) return ALD_OK;
    task->block = 2;
    task->room = 96;
    ALD_TRY(total_of_operator(run, p));
    task->total = p->s->total;
    return ALD_OK;
}

static ald_status solve_lanczos(ald_run *run, spectral *p, ald_model *model, int *converged)
{
    ald_spectral *s = p->s;
    /* Where rows are divided, so are vectors as long as they are. A pass over dense X is enough for Z'Z v,
     * and Z Z'u takes two; but a basis must not come near the rank of Z, which is no more than the order. */
    const int randomized = s->solver == solvers[by_randomized],
              few = ald_operator_advances_at_once(run, s->z) && 40 * s->r < p->order,
              right = p->d <= p->order || s->z->all || (s->identity && (randomized || few));
    const int64_t r = s->r, width = r < 8 ? r : 8; /* columns that Lanczos takes at a time */
    ald_lanczos task = {
        .apply = right ? apply_right : apply_left,
        .self = p,
        .z = s->z,
        .n = right ? p->d : p->order,
        .wanted = r,
        .randomized = randomized,
        .stage = "finding principal components",
        .values = s->values,
    };
    ALD_TRY(form_b(run, p));
    ALD_TRY(ald_scratch_reals(run, task.n, r, &task.vectors));
    ald_lanczos_set(run, width, &task);
    if (p->trial > 0) ALD_TRY(set_trial(run, p, &task));
    ALD_TRY(ald_lanczos_solve(run, &task));
    *converged = task.converged != 0;
    p->level |= p->trial > 0 && task.total > 0.0 && !task.converged;
    if (p->trial > 0 && !task.converged) return ALD_OK;
    if (!(task.total > 0.0)) ALD_TRY(total_of_operator(run, p));
    ALD_TRY(report_lanczos(run, &task, model));
    if (!right) return from_left_vectors(run, p, task.vectors);
    ald_transpose(p->d, r, task.vectors, s->components);
    return ALD_OK;
}

/* The cost of one column multiplied by Lanczos, which runs at a third of the speed of products of large
 * matrices. */
static double product_operations(const spectral *p)
{
    const double entries = ald_operator_entries(p->s->z);
    return 3.0 * ((p->s->identity ? 4.0 * entries : 0.0) + 4.0 * (double)p->d * (double)p->m);
}

/* Floating-point operations of each exact solver, in the order of `solvers` after auto. A flat spectrum takes
 * Lanczos many times as many, so where a square can be formed from dense X it must promise to be five times
 * cheaper. */
static void count_operations(const spectral *p, double cost[3])
{
    const double n = (double)p->rows, d = (double)p->d, m = (double)p->m, order = (double)p->order;
    const double entries = ald_operator_entries(p->s->z);
    const int sparse = p->s->z->x.storage != ALD_DENSE, c = p->s->identity;
    const double to_form_b = 4.0 * entries * m;
    double scatter = 0.0, gram = to_form_b + d * m * m;
    if (c) {
        scatter = sparse ? 4.0 * entries * d : n * d * d;
        gram = (sparse ? 4.0 * entries * n : d * n * n) + 2.0 * n * m * order;
    }
    cost[0] =
        d > ALD_SQUARE_ORDER ? INFINITY : scatter + to_form_b + m * d * d + ald_square_operations(d, p->s->r);
    cost[1] = order > ALD_SQUARE_ORDER ? INFINITY : gram + ald_square_operations(order, p->s->r);
    const double promise = sparse || (d > ALD_SQUARE_ORDER && order > ALD_SQUARE_ORDER) ? 1.0 : 5.0;
    if (p->s->z->source) cost[0] = cost[1] = INFINITY; /* no rows in memory to form a square from */
    cost[2] = to_form_b + promise * product_operations(p) * usual_products(p);
}

/* How many columns Lanczos may multiply before the square that costs so much: none where it would hardly be
 * enough, or the square is soon done. Components that stand apart need few. */
static ald_status plan_trial(ald_run *run, spectral *p, double square)
{
    const ald_operator *z = p->s->z;
    const double soon = 5e7, dear = 2e9, products = square / product_operations(p);
    const int rows = z->x.storage == ALD_DENSE && !z->source && !z->all && !z->remote && !z->row_shift &&
                     !z->row_factor && !z->row_weight && p->m == 0;
    const int whole = square > dear && products > 1.5 * usual_products(p);
    p->apart = rows && !whole;
    if (p->apart && square > soon && products > 1.5 * (double)(p->s->r + 8))
        ALD_TRY(ald_rows_are_level(run, z, p->s->r, &p->level));
    else if (!whole)
        return ALD_OK;
    if (!p->level) p->trial = (int64_t)fmin(products, 1e9);
    return ALD_OK;
}

/* A square that would be too large is no way at all. */
static ald_status tell_costs(ald_run *run, const spectral *p, ald_model *model, const double cost[3])
{
    char texts[3][32];
    for (int i = 0; i < 3; i++)
        if (isfinite(cost[i]))
            snprintf(texts[i], sizeof texts[i], "%.1e", cost[i]);
        else
            snprintf(texts[i], sizeof texts[i], "(too large a square)");
    return ald_model_set_printed(run, model, "alidade.resolved.solver_reason",
                                 "fewest operations of direct %s, dual %s, lanczos %s%s", texts[0], texts[1],
                                 texts[2],
                                 p->trial > 0 ? "; lanczos was tried first, as long as it is cheaper" : "");
}

/* The solver asked for, or the cheapest; the model keeps which and why. */
static ald_status choose_solver(ald_run *run, spectral *p, ald_model *model)
{
    const int asked = ald_setting_choice(run, &solver_param);
    double cost[3];
    int best = 0;
    count_operations(p, cost);
    for (int i = 1; i < 3; i++)
        if (cost[i] < cost[best]) best = i;
    if (asked != solver_auto) best = asked - 1;
    if (p->s->multiply) best = 0;
    if (asked == solver_auto && !p->s->multiply && best < 2) ALD_TRY(plan_trial(run, p, cost[best]));
    p->s->solver = solvers[best + 1];
    if (!model) return ALD_OK;
    ALD_TRY(ald_model_set_text(run, model, "alidade.resolved.solver", p->s->solver));
    if (asked != solver_auto) return ALD_OK;
    if (p->s->multiply)
        return ald_model_set_text(run, model, "alidade.resolved.solver_reason",
                                  "the response kernel has no short factor: products with all of it");
    return tell_costs(run, p, model, cost);
}

static ald_status solve_as_chosen(ald_run *run, spectral *p, ald_model *model)
{
    int converged;
    if (p->s->multiply) return solve_products(run, p);
    if (p->s->solver == solvers[by_direct]) return solve_direct(run, p);
    if (p->s->solver == solvers[by_dual]) return solve_dual(run, p);
    return solve_lanczos(run, p, model, &converged);
}

/* By Lanczos in place of a square where that comes to an end. */
static ald_status try_lanczos(ald_run *run, spectral *p, ald_model *model, int *converged)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ALD_TRY(solve_lanczos(run, p, model, converged));
    if (*converged) p->s->solver = solvers[by_lanczos];
    ald_arena_release(&run->scratch, mark);
    p->b = NULL;
    return ALD_OK;
}

/* The model keeps where it was another solver than the chosen one. */
static ald_status spectral_solve(ald_run *run, spectral *p, ald_model *model)
{
    int solved = 0;
    if (p->trial > 0) ALD_TRY(try_lanczos(run, p, model, &solved));
    if (!solved) return solve_as_chosen(run, p, model);
    return model ? ald_model_set_text(run, model, "alidade.resolved.solver", p->s->solver) : ALD_OK;
}

/* A kernel known by its products has a unit diagonal, and rows that weigh n together: tr L = n.
 *
 * Z is known to the rounding of its means, and B = Z'F to eps |Z| |F| as well; the square of that is what B
 * B' cannot tell from 0. */
static ald_status measure_noise(ald_run *run, const spectral *p)
{
    ald_spectral *s = p->s;
    const double of_means = ald_rounding_of_means(s->z);
    double of_z, of_f = 0.0;
    s->noise = of_means;
    if (s->identity) return ALD_OK;
    ALD_TRY(ald_operator_square_norm(run, s->z, &of_z));
    for (int64_t i = 0; i < p->n * p->m; i++) of_f += s->f[i] * s->f[i];
    ALD_TRY(ald_rows_sum(run, s->z, &of_f, 1));
    if (s->multiply) of_f = (double)p->rows;
    s->noise = (16.0 * DBL_EPSILON * DBL_EPSILON * of_z + of_means) * of_f;
    return ALD_OK;
}

ald_status ald_spectral_solve(ald_run *run, ald_spectral *s, ald_model *model)
{
    spectral p = {.s = s, .n = s->z->x.rows, .d = s->z->x.cols, .m = s->m, .rows = ald_rows_total(s->z)};
    p.order = (s->identity ? p.rows : 0) + p.m;
    ALD_TRY(ALD_SCRATCH(run, {&s->values, s->r, 1}, {&s->components, s->r, p.d}));
    ALD_TRY(choose_solver(run, &p, model));
    ALD_TRY(measure_noise(run, &p));
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ald_status status = spectral_solve(run, &p, model);
    ald_arena_release(&run->scratch, mark);
    if (status >= 0) status = ald_rows_settle(run, s->z, s->values, s->r * (int64_t)sizeof *s->values);
    return status >= 0 && !isfinite(s->values[0]) ? ald_too_large(run) : status;
}

double ald_spectral_rounding(const ald_spectral *s)
{
    const int64_t n = ald_rows_total(s->z), d = s->z->x.cols;
    return fmax((double)(n > d ? n : d) * DBL_EPSILON * s->values[0], s->noise);
}

int64_t ald_spectral_rank(const ald_spectral *s)
{
    const double floor = ald_spectral_rounding(s);
    int64_t rank = 0;
    while (rank < s->r && s->values[rank] > floor) rank++;
    return rank;
}

ald_status ald_spectral_constant(ald_run *run)
{
    return ald_fail(run->error, ALD_ERROR_DATA, "all columns are constant: there is no direction to find");
}

ald_status ald_spectral_add(ald_run *run, const ald_problem *problem, const ald_spectral *s,
                            const char *limit, ald_model *model)
{
    const int64_t rank = ald_spectral_rank(s), r = problem->r == 0 ? rank : problem->r;
    if (rank == 0) return s->identity ? ald_spectral_constant(run) : ald_no_direction(run, problem);
    if (r > rank) return ald_too_many_components(run, problem, rank, limit);
    ALD_TRY(ald_add_components(run, problem, r, s->components, NULL, model));
    return ald_model_add_vector(run, model, "eigenvalues", r, s->values);
}
