/* Principal component analysis.
 *
 * The rows w_k of `components` are the unit eigenvectors of the largest eigenvalues of Z'Z, Z the prepared X (centred;
 * `center=0` leaves the mean in, which is latent semantic indexing). They maximise |Z W|_F^2 over W'W = I;
 * `eigenvalues` are those of Z'Z and `explained_variance_ratio` is their share of |Z|_F^2. With weights, Z'Z = sum_i
 * w_i z_i z_i'.
 *
 * direct   Z'Z (n d^2) and its top eigenvectors (4/3 d^3); memory d^2.
 * dual     for d > n: Z Z' = U L U' (d n^2 + 4/3 n^3), w = Z'u / sqrt(l); memory n^2.
 * lanczos  block Lanczos on the smaller of the two as an operator: one or two passes over X a step, memory O(min(n, d)
 * r). auto     the cheapest by these counts; the squares only up to an order of 5000.
 *
 * Edge cases: at most min(n - 1, d) directions (n when not centred), and no more than the numerical rank: eigenvalues
 * up to max(n, d) eps times the first are noise, and asking for them is refused. A constant X has no direction at all.
 */
#include "linalg/lanczos.h"
#include "linalg/linalg.h"
#include "methods/problem.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const char *const solvers[] = {"auto", "direct", "dual", "lanczos", NULL};

static const ald_param params[] = {
    {"solver", ALD_PARAM_CHOICE, "auto", 0, 0, solvers,
     "how: the d x d scatter, the n x n one, or products with X only"},
    {"center", ALD_PARAM_BOOL, "1", 0, 1, NULL, "subtract the column means; 0 is latent semantic indexing"},
    {"tol", ALD_PARAM_REAL, "1e-09", 1e-15, 1, NULL, "lanczos: residual, as a part of the largest eigenvalue"},
    {"max_iter", ALD_PARAM_INT, "1000", 1, 1e9, NULL, "lanczos: block steps at the most"},
    {NULL, ALD_PARAM_INT, NULL, 0, 0, NULL, NULL}};

typedef struct solution {
    const char *solver;
    double *values;     /* r */
    double *components; /* r x d */
    double total;       /* |Z|_F^2 */
} solution;

static double trace(int64_t n, const double *c)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++) sum += c[i * n + i];
    return sum;
}

static ald_status solve_direct(ald_run *run, const ald_problem *problem, const ald_operator *z, solution *s)
{
    double *c;
    ALD_TRY(ald_scratch_reals(run, problem->d, problem->d, &c));
    ALD_TRY(ald_operator_scatter(run, z, c));
    s->total = trace(problem->d, c);
    return ald_eigen(run, problem->d, c, problem->r, s->values, s->components);
}

/* components (r x d) from the left vectors u (n x r): w = Z'u / sqrt(l). Directions of no variance are left 0. */
static ald_status from_left_vectors(ald_run *run, const ald_problem *problem, const ald_operator *z, const double *u,
                                    solution *s)
{
    const int64_t r = problem->r, d = problem->d;
    double *v;
    ALD_TRY(ald_scratch_reals(run, d, r, &v));
    ALD_TRY(ald_operator_apply_transposed(run, z, u, r, v));
    for (int64_t k = 0; k < r; k++) {
        const double root = s->values[k] > 0.0 ? sqrt(s->values[k]) : INFINITY;
        for (int64_t j = 0; j < d; j++) s->components[k * d + j] = v[j * r + k] / root;
    }
    return ALD_OK;
}

static ald_status solve_dual(ald_run *run, const ald_problem *problem, const ald_operator *z, solution *s)
{
    const int64_t n = problem->n, r = problem->r;
    double *g, *rows, *u;
    ALD_TRY(ald_scratch_reals(run, n, n, &g));
    ALD_TRY(ald_scratch_reals(run, r, n, &rows));
    ALD_TRY(ald_scratch_reals(run, n, r, &u));
    ALD_TRY(ald_operator_gram(run, z, g));
    s->total = trace(n, g);
    ALD_TRY(ald_eigen(run, n, g, r, s->values, rows));
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = 0; k < r; k++) u[i * r + k] = rows[k * n + i];
    return from_left_vectors(run, problem, z, u, s);
}

static ald_status apply_right(ald_run *run, void *self, const double *v, int64_t k, double *w)
{
    return ald_operator_normal(run, self, v, k, w);
}

static ald_status apply_left(ald_run *run, void *self, const double *v, int64_t k, double *w)
{
    const ald_operator *z = self;
    ald_block *mark = ald_arena_mark(&run->scratch);
    double *between;
    ALD_TRY(ald_scratch_reals(run, z->x.cols, k, &between));
    ALD_TRY(ald_operator_apply_transposed(run, z, v, k, between));
    ALD_TRY(ald_operator_apply(run, z, between, k, w));
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

static ald_status solve_lanczos(ald_run *run, const ald_problem *problem, const ald_operator *z, solution *s,
                                ald_model *model)
{
    const int64_t r = problem->r, d = problem->d;
    const int right = d <= problem->n;
    ald_operator operator= * z;
    ald_lanczos task = {.apply = right ? apply_right : apply_left,
                        .self = &operator,
                        .n = right ? d : problem->n,
                        .wanted = r,
                        .tol = ald_setting_real(run, "tol"),
                        .max_products = ald_setting_int(run, "max_iter") * (r < 8 ? r : 8),
                        .seed = (uint64_t)ald_setting_int(run, "random_state"),
                        .stage = "finding principal components",
                        .values = s->values};
    ALD_TRY(ald_scratch_reals(run, task.n, r, &task.vectors));
    ALD_TRY(ald_lanczos_solve(run, &task));
    ALD_TRY(ald_operator_square_norm(run, z, &s->total));
    ALD_TRY(ald_model_set_printed(run, model, "alidade.resolved.products", "%lld", (long long)task.products));
    ALD_TRY(ald_model_set_real(run, model, "alidade.resolved.residual", task.residual));
    if (!task.converged)
        ald_reserve(run, ALD_NOT_CONVERGED,
                    "lanczos stopped after %lld products with a residual of %.1e of the largest eigenvalue (tol %.1e): "
                    "raise max_iter",
                    (long long)task.products, task.residual, task.tol);
    if (!right) return from_left_vectors(run, problem, z, task.vectors, s);
    for (int64_t k = 0; k < r; k++)
        for (int64_t j = 0; j < d; j++) s->components[k * d + j] = task.vectors[j * r + k];
    return ALD_OK;
}

/* Floating-point operations of each solver; Lanczos at a third of the speed of the products of large matrices, with
 * some ten passes a wanted direction. */
static const char *cheapest(const ald_problem *problem)
{
    const double n = (double)problem->n, d = (double)problem->d, r = (double)problem->r;
    const double entries = (double)ald_matrix_entries(&problem->x.x), largest_square = 5000.0;
    const int sparse = problem->x.x.storage != ALD_DENSE;
    const double direct = d > largest_square ? INFINITY : (sparse ? 4.0 * entries * d : n * d * d) + 4.0 * d * d * d;
    const double dual = n > largest_square ? INFINITY : (sparse ? 4.0 * entries * n : d * n * n) + 4.0 * n * n * n;
    const double lanczos = 3.0 * 4.0 * entries * 10.0 * (r + 4.0);
    if (direct <= dual && direct <= lanczos) return "direct";
    return dual <= lanczos ? "dual" : "lanczos";
}

static ald_status solve(ald_run *run, const ald_problem *problem, const ald_operator *z, solution *s, ald_model *model)
{
    s->solver = "lanczos";
    for (int i = 1; solvers[i]; i++)
        if (ald_setting_is(run, "solver", solvers[i])) s->solver = solvers[i];
    if (ald_setting_is(run, "solver", "auto")) s->solver = cheapest(problem);
    if (strcmp(s->solver, "direct") == 0) return solve_direct(run, problem, z, s);
    if (strcmp(s->solver, "dual") == 0) return solve_dual(run, problem, z, s);
    return solve_lanczos(run, problem, z, s, model);
}

static ald_status check_rank(ald_run *run, const ald_problem *problem, const double *values)
{
    const double largest = (double)(problem->n > problem->d ? problem->n : problem->d);
    int64_t rank = 0;
    while (rank < problem->r && values[rank] > largest * DBL_EPSILON * values[0]) rank++;
    if (rank == problem->r) return ALD_OK;
    if (!(values[0] > 0.0))
        return ald_fail(run->error, ALD_ERROR_DATA, "all columns are constant: there is no direction to find");
    return ald_too_many_components(run, problem, rank, "the rank of the data");
}

/* Without centring the model's mean is what scaling alone subtracts. */
static ald_status add_shift(ald_run *run, const ald_problem *problem, ald_model *model)
{
    double *zeros;
    ALD_TRY(ald_scratch_zeros(run, problem->d, 1, &zeros));
    return ald_model_add_vector(run, model, "mean", problem->d, problem->shift ? problem->shift : zeros);
}

static ald_status fit(ald_run *run, const ald_problem *problem, ald_model *model)
{
    const int centred = ald_setting_int(run, "center") != 0;
    const int64_t n = problem->n - centred, most = n < problem->d ? n : problem->d, r = problem->r;
    solution s;
    double *ratio;
    ald_operator z = problem->x;
    if (!centred) z.mean = problem->shift;
    if (r == 0) return ald_no_own_rule(run);
    if (r > most)
        return ald_too_many_components(
            run, problem, most, centred ? "the smaller of rows - 1 and columns" : "the smaller of rows and columns");
    ALD_TRY(ald_scratch_reals(run, r, 1, &s.values));
    ALD_TRY(ald_scratch_reals(run, r, problem->d, &s.components));
    ALD_TRY(ald_scratch_reals(run, r, 1, &ratio));
    ALD_TRY(solve(run, problem, &z, &s, model));
    ALD_TRY(check_rank(run, problem, s.values));
    for (int64_t k = 0; k < r; k++) ratio[k] = s.values[k] / s.total;
    if (!centred) ALD_TRY(add_shift(run, problem, model));
    ALD_TRY(ald_add_components(run, problem, r, s.components, NULL, model));
    ALD_TRY(ald_model_add_vector(run, model, "eigenvalues", r, s.values));
    ALD_TRY(ald_model_add_vector(run, model, "explained_variance_ratio", r, ratio));
    return ald_model_set_text(run, model, "alidade.resolved.solver", s.solver);
}

const ald_method ald_method_pca = {.name = "pca",
                                   .title = "Principal component analysis",
                                   .summary = "Orthogonal directions of largest variance; the target is not used.",
                                   .reference = "Pearson (1901), Hotelling (1933)",
                                   .capabilities = ALD_CAN_CLASSES | ALD_CAN_REAL | ALD_CAN_RESPONSES | ALD_CAN_LABELS |
                                                   ALD_CAN_NO_TARGET | ALD_CAN_SPARSE | ALD_CAN_WEIGHTS |
                                                   ALD_CAN_MAP_NEW_ROWS | ALD_IS_LINEAR,
                                   .params = params,
                                   .fit = fit};
