/* The smoothest functions on the graph of the rows, the factor of the target kernel, and the embedding made
 * of both. */
#include "methods/engines/embedding.h"

#include "base/settings/common_params.h"
#include "base/settings/limits.h"
#include "base/settings/settings.h"
#include "math/graph/components.h"
#include "math/graph/graph_params.h"
#include "math/graph/laplacian.h"
#include "math/kernel/incomplete_cholesky.h"
#include "math/kernel/width.h"
#include "math/linalg/linalg.h"
#include "math/linalg/vector.h"
#include "math/solvers/lanczos.h"
#include "math/solvers/subspace.h"

#include <math.h>
#include <string.h>

static const char *const kernels[] = {"auto", "delta", "linear", "rbf", NULL};
typedef enum embedding_kernel { kernel_auto, kernel_delta, kernel_linear, kernel_rbf } embedding_kernel;

static const ald_param n_basis_param =
    ALD_INT_PARAM("n_basis", "10", 1, 1000, "number of functions on the graph that the embedding is made of");
static const ald_param response_kernel_param = ALD_CHOICE_PARAM(
    "response_kernel", "auto", kernels,
    "similarity of targets; auto: equal or not for classes, rbf for real responses, linear for labels");
static const ald_param response_width_param = ALD_REAL_PARAM(
    "response_width", "0", 0, ALD_NO_LIMIT, "width of the rbf kernel; 0: the median distance",
    .simpler = ALD_SIMPLER_LARGER, .traits = ALD_PARAM_IS_RESPONSE_WIDTH | ALD_PARAM_ZERO_IS_AUTO);

const ald_param *const ald_embedding_params[] = {
    &n_basis_param,
    &response_kernel_param,
    &response_width_param,
    NULL,
};

static ald_status find_graph(ald_run *run, const ald_problem *problem, int connect, ald_model *model,
                             ald_graph *graph)
{
    const int64_t n = problem->n, own_rule = n > 5 ? 5 : n - 1;
    const ald_graph_options options = ald_graph_options_of(run, own_rule);
    int64_t *component;
    int64_t parts, added = 0;
    double farthest = 0.0;
    ALD_TRY(ald_graph_build(run, &problem->x, &options, graph));
    for (int64_t e = 0; e < graph->pointers[n]; e++) farthest = fmax(farthest, graph->squares[e]);
    if (!(farthest > 0.0))
        return ald_fail(
            run->error, ALD_ERROR_DATA,
            "all neighbours are equal rows, so there is no shape to unfold: X does not vary, or raise "
            "n_neighbors");
    if (options.kind == ALD_GRAPH_KNN)
        ALD_TRY(ald_model_set_printed(run, model, "alidade.resolved.n_neighbors", "%lld",
                                      (long long)options.n_neighbors));
    ALD_TRY(ald_scratch(run, n, 1, sizeof *component, &component));
    ALD_TRY(ald_graph_components(run, graph, component, &parts));
    ALD_TRY(ald_model_set_printed(run, model, "alidade.resolved.parts", "%lld", (long long)parts));
    if (parts == 1 || !connect) return ALD_OK;
    ALD_TRY(ald_graph_connect(run, &problem->x, graph, &added));
    return ald_model_set_printed(run, model, "alidade.resolved.bridges", "%lld", (long long)added);
}

/* v -> P (2 I - L) P v, P = I - u u': positive semidefinite, and the first eigenvector u of L is out of the
 * way. */
typedef struct smooth {
    const ald_laplacian *laplacian;
    double *u; /* n, unit length */
} smooth;

static void take_out(const smooth *s, int64_t k, double *v)
{
    for (int64_t c = 0; c < k; c++) {
        double along = 0.0;
        for (int64_t i = 0; i < s->laplacian->n; i++) along += s->u[i] * v[i * k + c];
        for (int64_t i = 0; i < s->laplacian->n; i++) v[i * k + c] -= along * s->u[i];
    }
}

static ald_status apply_smooth(ald_run *run, void *self, const double *v, int64_t k, double *w)
{
    const smooth *s = self;
    const int64_t count = s->laplacian->n * k;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *inside;
    ALD_TRY(ald_scratch_reals(run, s->laplacian->n, k, &inside));
    memcpy(inside, v, (size_t)count * sizeof *v);
    take_out(s, k, inside);
    ALD_TRY(ald_laplacian_apply_normalised(run, s->laplacian, inside, k, w));
    for (int64_t i = 0; i < count; i++) w[i] = 2.0 * inside[i] - w[i];
    take_out(s, k, w);
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

static ald_status find_smoothest(ald_run *run, const ald_laplacian *laplacian, ald_graph_basis *b)
{
    smooth s = {.laplacian = laplacian};
    double total = 0.0;
    ALD_TRY(ald_scratch_reals(run, b->n, 1, &s.u));
    for (int64_t i = 0; i < b->n; i++) total += laplacian->degree[i];
    for (int64_t i = 0; i < b->n; i++) s.u[i] = sqrt(laplacian->degree[i] / total);
    ald_lanczos task = {
        .apply = apply_smooth,
        .self = &s,
        .n = b->n,
        .wanted = b->m,
        .tol = 1e-13,
        .max_products = 1000 * b->m + 20000,
        .seed = ald_seed(run),
        .stage = "functions on the graph",
        .values = b->values,
        .vectors = b->v,
    };
    ALD_TRY(ald_lanczos_solve(run, &task));
    if (task.residual > 1e-6)
        ald_warn(run, ALD_NOT_CONVERGED,
                 "the functions on the graph are found to %.1e only: raise `n_neighbors`, or lower `n_basis`",
                 task.residual);
    for (int64_t k = 0; k < b->m; k++) b->values[k] = fmax(2.0 - b->values[k], 0.0);
    return ALD_OK;
}

/* Seconds of the stages with m functions, which bench/costs.py holds to the clock; `connected` (cmvu) is
 * followed by a convex problem, others (mkdr) by a kernel. */
static void plan(const ald_run *run, const ald_problem *problem, int connected, double m)
{
    const double n = (double)problem->n, d = (double)problem->d;
    const ald_stage_cost stages[] = {
        {"searching neighbours", ald_graph_seconds(n, d)},
        {"functions on the graph", 1.3e-5 * n * m},
        {"adding up pairs", connected ? 9e-11 * n * pow(m, 4.0) : 0.0},
        {"convex problem", connected ? 1.5e-9 * pow(m, 6.0) : 0.0},
        {"kernel of the embedding", connected ? 0.0 : 2e-6 * pow(m, 3.0)},
    };
    ald_plan_seconds(run, stages, sizeof stages / sizeof *stages);
}

ald_status ald_graph_basis_find(ald_run *run, const ald_problem *problem, int connect, ald_model *model,
                                ald_graph_basis *basis)
{
    const int64_t wanted = ald_setting_int(run, &n_basis_param);
    ald_laplacian laplacian;
    *basis = (ald_graph_basis){.n = problem->n, .m = wanted < problem->n ? wanted : problem->n - 1};
    if (problem->r > basis->m)
        return ald_too_many_components(run, problem, basis->m, "n_basis, or the number of rows less one");
    plan(run, problem, connect, (double)basis->m);
    ALD_TRY(find_graph(run, problem, connect, model, &basis->graph));
    ALD_TRY(ald_laplacian_of_graph(run, &basis->graph, ALD_WEIGHTS_EQUAL, 0.0, &laplacian));
    ALD_TRY(ALD_SCRATCH(run, {&basis->v, basis->n, basis->m}, {&basis->values, basis->m, 1}));
    ALD_TRY(find_smoothest(run, &laplacian, basis));
    return ald_model_add_vector(run, model, "graph_eigenvalues", basis->m, basis->values);
}

static void centre(int64_t n, int64_t m, double *f)
{
    for (int64_t c = 0; c < m; c++) {
        double mean = 0.0;
        for (int64_t i = 0; i < n; i++) mean += f[i * m + c] / (double)n;
        for (int64_t i = 0; i < n; i++) f[i * m + c] -= mean;
    }
}

static ald_status factor_rbf(ald_run *run, ald_view y, double part, ald_model *model, double **f, int64_t *m)
{
    const int64_t n = y.rows;
    ald_rbf_rows rows = {
        .n = n,
        .q = y.cols,
        .points = y.data,
        .width = ald_setting_real(run, &response_width_param),
    };
    if (rows.width == 0.0) {
        ALD_TRY(ald_median_distance(run, n, rows.q, y.data, ald_seed(run), &rows.width));
        rows.width *= part;
    }
    ald_incomplete_cholesky task = {
        .rows = rows,
        .tol = 1e-10,
        .most = n < ALD_FACTOR_COLUMNS ? n : ALD_FACTOR_COLUMNS,
    };
    ALD_TRY(ald_incomplete_cholesky_run(run, &task));
    if (task.left > 1e-6)
        ald_warn(run, ALD_RANK_REDUCED,
                 "the kernel of the targets was approximated with %lld columns, which leave %.1e of its "
                 "trace out: raise `response_width`, or use `response_kernel=linear`",
                 (long long)task.rank, task.left);
    *f = task.f;
    *m = task.rank;
    return ald_model_set_real(run, model, "alidade.resolved.response_width", rows.width);
}

ald_status ald_target_factor(ald_run *run, const ald_target *target, double part, ald_model *model,
                             double **f, int64_t *m)
{
    const embedding_kernel kernel = (embedding_kernel)ald_setting_choice(run, &response_kernel_param);
    const int classes = target->kind == ALD_TARGET_CLASSES, rbf = kernel == kernel_rbf;
    if (classes && rbf)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "`response_kernel=rbf` needs numbers, and the target is classes: use delta");
    if (!classes && kernel == kernel_delta)
        return ald_fail(
            run->error, ALD_ERROR_ARGUMENT,
            "`response_kernel=delta` needs classes, and the target is numbers: use rbf or linear");
    ALD_TRY(ald_target_numbers(run, target, f, m));
    if (rbf || (kernel == kernel_auto && target->kind == ALD_TARGET_REAL))
        ALD_TRY(factor_rbf(run, ald_of(*f, target->rows, *m), part, model, f, m));
    centre(target->rows, *m, *f);
    return ALD_OK;
}

/* Rows of `columns` (r x n) with the sign rule, written as the n x r array. */
static ald_status add_columns(ald_run *run, int64_t n, int64_t r, double *columns, ald_model *model)
{
    double *embedding;
    ald_fix_signs(r, n, columns, NULL);
    const int64_t shape[] = {n, r};
    ALD_TRY(ald_model_add(run, model, "embedding", ALD_ARRAY_F64, 2, shape, &embedding));
    ald_transpose(r, n, columns, embedding);
    return ALD_OK;
}

/* An embedding that has all rows in one place tells nothing: so few rows have no function on their graph but
 * the constant one. */
static ald_status check_spread(ald_run *run, int64_t n, int64_t r, const double *columns)
{
    const double tiny = 1e-9;
    for (int64_t k = 0; k < r; k++) {
        double low = columns[k * n], high = low;
        for (int64_t i = 1; i < n; i++) {
            low = fmin(low, columns[k * n + i]);
            high = fmax(high, columns[k * n + i]);
        }
        if (high - low > tiny * fmax(fabs(low), fabs(high))) return ALD_OK;
    }
    return ald_fail(run->error, ALD_ERROR_DATA,
                    "all %lld rows get the same place, so nothing was found: give more rows, or raise "
                    "`n_neighbors`",
                    (long long)n);
}

ald_status ald_add_embedding(ald_run *run, const ald_problem *problem, const ald_graph_basis *basis,
                             double *omega, ald_model *model)
{
    const int64_t n = basis->n, m = basis->m, r = problem->r;
    double *values, *vectors, *columns;
    int64_t rank = 0;
    ALD_TRY(ALD_SCRATCH(run, {&values, m, 1}, {&vectors, m, m}, {&columns, r, n}));
    ALD_TRY(ald_eigen(run, ald_at(omega, m, m), values, ald_at(vectors, m, m)));
    for (int64_t k = 0; k < m; k++) values[k] = fmax(values[k], 0.0);
    while (rank < r && values[rank] > 1e-9 * values[0]) rank++;
    if (rank < r)
        ald_warn(run, ALD_RANK_REDUCED,
                 "%lld of %lld dimensions are used, the others are 0 or next to it: lower `n_components`",
                 (long long)rank, (long long)r);
    for (int64_t k = 0; k < r; k++)
        for (int64_t a = 0; a < m; a++) vectors[k * m + a] *= sqrt(values[k]);
    ALD_TRY(ald_product(run, ald_of(vectors, r, m), ald_t(ald_of(basis->v, n, m)), ald_at(columns, r, n)));
    ALD_TRY(check_spread(run, n, r, columns));
    ALD_TRY(add_columns(run, n, r, columns, model));
    ALD_TRY(ald_model_add_vector(run, model, "eigenvalues", r, values));
    ALD_TRY(ald_model_add_vector(run, model, "spectrum", m, values));
    return ald_map_none(run, problem, model);
}
