/* Sliced inverse regression, regularised by the geometry of the rows; semi-supervised where rows have no
 * target.
 *
 *   maximise tr((B'Sigma B)^-1 B'Gamma B) - eta tr((B'S B)^-1 B'Q B)   over B (d x k)
 *
 *   Sigma, Gamma   sir's covariances, of the labelled rows
 *   Q = X'L X      how much the projection differs between neighbours, L = D - W the Laplacian of a graph
 *                  on all rows
 *   S = X'D X      its spread, which Q is measured against
 *
 * Rows without a target bend the directions along the shape of the data. In coordinates B = T A with
 * T'(Sigma + ridge I) T = I and T'S T = diag(Lt), Gt = T'Gamma T and Qt = T'Q T, it is
 *
 *   minimise F(A) = -tr(A'Gt A) + eta tr((A'Lt A)^-1 A'Qt A)   over A'A = I,
 *
 * a function of the span of A: conjugate gradient on the Grassmann manifold (optimize/grassmann.h), from
 * the top eigenvectors of Gt - eta Lt^(-1/2) Qt Lt^(-1/2), and from random starts if asked for. B is turned
 * so that B'Gamma B is diagonal, descending (`eigenvalues`); where that is 0, so that B'Q B is, ascending.
 * eta = 0 is sir.
 *
 * Weights of the graph, of rows at distance d:
 *
 *   knn       exp(-d^2 / width)   where either is near the other, no loops; width = the mean of d^2
 *   full      exp(-d^2 / width)   for all pairs, W_ii = 1; width = the median of d^2; n^2 d operations
 *   epsilon   1                   where d < radius, W_ii = 1
 *
 * Cost, with p = min(n, d) up to 5000: the graph, 4 n p^2 + n k_nn p for Q and S, 15 p^3, and O(p^2 k) per
 * step. No n x n matrix unless n < d.
 *
 * Reference: Bian and Tao (2009), with the gradient's sign and factor corrected. */
#include "math/graph/laplacian.h"
#include "math/linalg/linalg.h"
#include "methods/rsir/rsir_matrices.h"

#include "base/numbers/random.h"

#include <math.h>
#include <string.h>

static ald_status resolve_eta(ald_run *run, const ald_problem *problem, const ald_labelled *labelled,
                              ald_model *model, ald_rsir_settings *settings)
{
    if (!settings->eta_given && labelled->count < problem->d) settings->eta = 10.0;
    return ald_model_set_real(run, model, "alidade.resolved.eta", settings->eta);
}

/* The Laplacian of the rows, and D; a graph of balls has loops, which L does not see. */
static ald_status find_graph(ald_run *run, const ald_operator *z, const ald_rsir_settings *settings,
                             ald_model *model, ald_laplacian *laplacian, double **degree)
{
    const int epsilon = settings->graph == ALD_RSIR_EPSILON;
    const double width = settings->heat_width;
    const ald_rows rows = {.z = z};
    *degree = NULL;
    if (settings->graph == ALD_RSIR_FULL) {
        ALD_TRY(ald_laplacian_of_all(run, &rows, width, settings->seed, laplacian));
    } else {
        const ald_graph_options options = {
            .kind = epsilon ? ALD_GRAPH_EPSILON : ALD_GRAPH_KNN,
            .n_neighbors = settings->n_neighbors,
            .radius = settings->radius,
        };
        ald_graph graph;
        ALD_TRY(ald_graph_build(run, z, &options, &graph));
        ALD_TRY(ald_laplacian_of_graph(run, &graph, epsilon ? ALD_WEIGHTS_EQUAL : ALD_WEIGHTS_HEAT, width,
                                       laplacian));
        if (epsilon) ALD_TRY(ald_model_set_real(run, model, "alidade.resolved.radius", graph.radius));
    }
    ALD_TRY(ald_scratch_reals(run, laplacian->n, 1, degree));
    for (int64_t i = 0; i < laplacian->n; i++) (*degree)[i] = laplacian->degree[i] + (epsilon ? 1.0 : 0.0);
    if (laplacian->width > 0.0)
        ALD_TRY(ald_model_set_real(run, model, "alidade.resolved.heat_width", laplacian->width));
    return ALD_OK;
}

/* a (q x k) = the top eigenvectors of Gt - eta Lt^(-1/2) Qt Lt^(-1/2). */
static ald_status spectral_start(ald_run *run, const ald_trace_ratios *f, double *a)
{
    const int64_t q = f->q, k = f->k;
    const double *gamma = f->squares[ALD_RSIR_GAMMA].dense, *quad = f->squares[ALD_RSIR_QUAD].dense,
                 *lt = f->squares[ALD_RSIR_SPREAD].diagonal;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *s, *values, *vectors;
    ALD_TRY(ALD_SCRATCH(run, {&s, q, q}, {&values, q, 1}, {&vectors, k, q}));
    for (int64_t i = 0; i < q; i++)
        for (int64_t j = 0; j < q; j++)
            s[i * q + j] = gamma[i * q + j] - f->factors[1] * quad[i * q + j] / sqrt(lt[i] * lt[j]);
    ALD_TRY(ald_eigen(run, ald_at(s, q, q), values, ald_at(vectors, k, q)));
    ald_transpose(k, q, vectors, a);
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

static ald_status report(ald_run *run, const ald_grassmann *task, ald_model *model)
{
    ALD_TRY(ald_model_set_printed(run, model, "alidade.resolved.iterations", "%lld",
                                  (long long)task->iterations));
    ALD_TRY(ald_model_set_real(run, model, "alidade.resolved.objective", task->value));
    ALD_TRY(ald_model_set_printed(run, model, "alidade.resolved.gradient", "%.1e", task->gradient));
    if (!task->converged)
        ald_warn(run, ALD_NOT_CONVERGED,
                 "stopped after %lld steps with a gradient of %.1e, above tol %.1e: raise `max_iter`",
                 (long long)task->iterations, task->gradient, task->tol);
    return ALD_OK;
}

/* From `trial` (q x k, in the coordinates of the definition) to the minimum, in place. */
static ald_status descend(ald_run *run, ald_trace_ratios *better, const ald_rsir_turn *turn,
                          ald_grassmann *task, double *trial)
{
    const ald_grassmann_objective objective = ald_trace_ratios_objective(better);
    double *a;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ALD_TRY(ald_scratch_reals(run, better->q, better->k, &a));
    ALD_TRY(ald_rsir_there(run, better, turn, trial, a));
    task->objective = &objective;
    ALD_TRY(ald_grassmann_minimise(run, task, a));
    ALD_TRY(ald_rsir_back(run, better, turn, a, trial));
    task->objective = NULL;
    ald_arena_release(&run->scratch, mark);
    return ald_orthonormal(run, ald_at(trial, better->q, better->k));
}

/* a (q x k): the lowest of the starts, of those within 1e-9 the first. */
static ald_status minimise(ald_run *run, const ald_trace_ratios *f, const ald_rsir_settings *settings,
                           ald_model *model, double *a)
{
    const int64_t starts = settings->n_starts, size = f->q * f->k;
    ald_grassmann best = {.value = INFINITY};
    ald_trace_ratios better;
    ald_rsir_turn turn;
    double *trial;
    ALD_TRY(ald_scratch_reals(run, f->q, f->k, &trial));
    ALD_TRY(spectral_start(run, f, trial));
    ALD_TRY(ald_rsir_precondition(run, f, trial, &better, &turn));
    for (int64_t start = 0; start < starts; start++) {
        ald_grassmann task = {
            .tol = settings->tol,
            .max_iter = settings->max_iter,
            .stage = "conjugate gradient",
            .begun = (double)start / (double)starts,
            .share = 1.0 / (double)starts,
        };
        ald_random random;
        ald_random_seed(&random, settings->seed, (uint64_t)start);
        for (int64_t i = 0; i < size && start > 0; i++) trial[i] = ald_random_normal(&random);
        ALD_TRY(descend(run, &better, &turn, &task, trial));
        if (!(task.value < best.value - 1e-9 * fabs(task.value))) continue;
        best = task;
        memcpy(a, trial, (size_t)size * sizeof *a);
    }
    return report(run, &best, model);
}

/* rows (k x q, orthonormal) turned so that rows s rows' is diagonal, `values` (k): descending for sign 1. */
static ald_status diagonalise(ald_run *run, int64_t q, int64_t k, const double *s, double sign, double *rows,
                              double *values)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *product, *small, *vectors;
    ALD_TRY(ALD_SCRATCH(run, {&product, k, q}, {&small, k, k}, {&vectors, k, k}));
    ALD_TRY(ald_product_add(run, sign, ald_of(rows, k, q), ald_of(s, q, q), 0.0, ald_at(product, k, q)));
    ALD_TRY(ald_product(run, ald_of(product, k, q), ald_t(ald_of(rows, k, q)), ald_at(small, k, k)));
    ALD_TRY(ald_eigen(run, ald_at(small, k, k), values, ald_at(vectors, k, k)));
    memcpy(product, rows, (size_t)(k * q) * sizeof *rows);
    ALD_TRY(ald_product(run, ald_of(vectors, k, k), ald_of(product, k, q), ald_at(rows, k, q)));
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

/* Adds B = T A for A' = rows (k x q), turned, and the diagonal of B'Gamma B. */
static ald_status add_directions(ald_run *run, const ald_problem *problem, const ald_rsir_matrices *m,
                                 double *rows, ald_model *model)
{
    const int64_t k = problem->r, q = m->q, p = m->p, d = m->d;
    double *values, *rest, *turned, *components;
    int64_t rank = 0;
    ALD_TRY(ald_scratch_reals(run, k, 2, &values));
    rest = values + k;
    ALD_TRY(diagonalise(run, q, k, m->gamma, 1.0, rows, values));
    while (rank < k && values[rank] > 1e-10 * values[0]) rank++;
    if (rank < k && m->quad) ALD_TRY(diagonalise(run, q, k - rank, m->quad, -1.0, rows + rank * q, rest));
    for (int64_t j = rank; j < k; j++) values[j] = 0.0;
    ALD_TRY(ald_scratch_reals(run, k, p, &turned));
    ALD_TRY(ald_product(run, ald_of(rows, k, q), ald_of(m->t, q, p), ald_at(turned, k, p)));
    components = turned;
    if (m->back) {
        ALD_TRY(ald_scratch_reals(run, k, d, &components));
        ALD_TRY(ald_product(run, ald_of(turned, k, p), ald_of(m->back, p, d), ald_at(components, k, d)));
    }
    ALD_TRY(ald_model_add_vector(run, model, "eigenvalues", k, values));
    return ald_add_components(run, problem, k, components, NULL, model);
}

/* eta = 0: the top eigenvectors of Gt, of which there are no more than slices less one. */
static ald_status fit_plain(ald_run *run, const ald_problem *problem, const ald_rsir_matrices *m,
                            ald_model *model)
{
    const int64_t q = m->q;
    double *copy, *values, *rows;
    int64_t rank = 0;
    ALD_TRY(ALD_SCRATCH(run, {&copy, q, q}, {&values, q, 1}, {&rows, q, q}));
    memcpy(copy, m->gamma, (size_t)(q * q) * sizeof *copy);
    ALD_TRY(ald_eigen(run, ald_at(copy, q, q), values, ald_at(rows, q, q)));
    while (rank < q && values[rank] > 1e-10 * values[0]) rank++;
    if (problem->r > rank)
        return ald_too_many_components(run, problem, rank,
                                       "with eta=0 the number of slices less one, or the rank");
    return add_directions(run, problem, m, rows, model);
}

static ald_status fit_penalised(ald_run *run, const ald_problem *problem, const ald_rsir_settings *settings,
                                ald_rsir_matrices *m, ald_model *model)
{
    ald_laplacian laplacian;
    double *degree, *a, *rows;
    ALD_TRY(find_graph(run, &problem->x, settings, model, &laplacian, &degree));
    ALD_TRY(ald_rsir_penalise(run, &laplacian, degree, m));
    const int64_t q = m->q, k = problem->r;
    if (k > q) return ald_too_many_components(run, problem, q, "the rank of the data");
    const ald_trace_ratios f = {
        .q = q,
        .k = k,
        .factors = {-1.0, settings->eta},
        .squares = {{m->gamma, NULL}, {NULL, NULL}, {m->quad, NULL}, {NULL, m->lt}},
    };
    ALD_TRY(ALD_SCRATCH(run, {&a, q, k}, {&rows, k, q}));
    ALD_TRY(minimise(run, &f, settings, model, a));
    ald_transpose(q, k, a, rows);
    return add_directions(run, problem, m, rows, model);
}

/* Seconds of the stages, which bench/costs.py holds to the clock. */
static void plan(const ald_run *run, const ald_problem *problem, double eta)
{
    const double n = (double)problem->n, d = (double)problem->d;
    const ald_stage_cost stages[] = {
        {"forming the scatter matrix", 1.4e-8 * n * d + 1e-10 * n * d * d},
        {"searching neighbours", eta > 0.0 ? ald_graph_seconds(n, d) : 0.0},
        {"graph", eta > 0.0 ? 1.4e-8 * n * d + 2e-9 * d * d * d : 0.0},
        {"conjugate gradient", eta > 0.0 ? 6e-4 : 0.0},
    };
    ald_plan_seconds(run, stages, sizeof stages / sizeof *stages);
}

static ald_status rsir_fit(ald_run *run, const ald_problem *problem, ald_model *model)
{
    ald_rsir_settings settings = ald_rsir_settings_of(run);
    ald_labelled labelled;
    ald_slices slices;
    ald_rsir_matrices m;
    ALD_TRY(ald_labelled_find(run, problem, model, &labelled));
    const ald_problem rows = {
        .n = labelled.count,
        .total = (double)labelled.count,
        .target = &labelled.target,
    };
    ALD_TRY(ald_problem_slices(run, &rows, ald_slices_asked(run), model, &slices));
    ALD_TRY(resolve_eta(run, problem, &labelled, model, &settings));
    plan(run, problem, settings.eta);
    ALD_TRY(ald_rsir_whiten(run, problem, &settings, &labelled, &slices, model, &m));
    if (settings.eta > 0.0) return fit_penalised(run, problem, &settings, &m, model);
    return fit_plain(run, problem, &m, model);
}

const ald_method ald_method_rsir = {
    .name = "rsir",
    .title = "Manifold-regularised sliced inverse regression",
    .synonyms = "regularised sir, manifold sir, semi-supervised sir, sufficient dimension reduction",
    .summary = "Directions along which slices of the response lie apart and neighbouring rows stay together.",
    .reference = "Bian and Tao (2009)",
    .capabilities = ALD_CAN_CLASSES | ALD_CAN_REAL | ALD_CAN_SPARSE | ALD_CAN_UNLABELLED |
                    ALD_CAN_MAP_NEW_ROWS | ALD_IS_LINEAR,
    .relation = ALD_BY_OBJECTIVE,
    .bounds = ALD_BY_COLUMNS | ALD_BY_ROWS,
    .inverse = ALD_INVERTS_OTHER,
    .tables = (const ald_param_table[]){ald_rsir_params, ald_slices_params, NULL},
    .fit = rsir_fit,
};
