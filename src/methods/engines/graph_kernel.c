/* The three kernels of a graph (graph_kernel.h has the formulas), and their decomposition. */
#include "methods/engines/graph_kernel.h"

#include "math/graph/components.h"
#include "math/graph/graph_params.h"
#include "math/graph/laplacian.h"
#include "math/kernel/gram.h"
#include "math/kernel/rows.h"
#include "math/linalg/linalg.h"
#include "methods/engines/engine_params.h"

#include <float.h>
#include <math.h>
#include <string.h>

const char *const ald_graph_kernels[] = {"isomap", "lle", "laplacian-eigenmaps", NULL};

static const double smallest_part = 1e-10, lle_ridge = 1e-3;

/* a (n x n): K itself, or the matrix that K is the inverse of. */
typedef ald_status (*fill_fn)(ald_run *run, const ald_problem *problem, ald_model *model,
                              const ald_graph *graph, double *a);

static ald_status fill_isomap(ald_run *run, const ald_problem *problem, ald_model *model,
                              const ald_graph *graph, double *a)
{
    const int64_t n = problem->n;
    double *mean;
    (void)model;
    ALD_TRY(ald_graph_paths(run, graph, a));
    ALD_TRY(ald_scratch_reals(run, n, 1, &mean));
    for (int64_t i = 0; i < n * n; i++) a[i] *= -0.5 * a[i];
    ALD_TRY(ald_kernel_centre(run, n, a, mean));
    return ALD_OK;
}

/* The rows of a neighbourhood, prepared, and the linear system of its weights. */
typedef struct patch {
    ald_operator z;        /* dense, or CSR */
    double *centre, *rows; /* d; most x d: less the centre */
    double *gram, *w;      /* most x most, most */
} patch;

static ald_status new_patch(ald_run *run, const ald_problem *problem, const ald_graph *graph, patch *p)
{
    const ald_kernel linear = {.kind = ALD_KERNEL_LINEAR};
    int64_t most = 0;
    for (int64_t i = 0; i < graph->n; i++) {
        const int64_t count = graph->pointers[i + 1] - graph->pointers[i];
        if (count > most) most = count;
    }
    p->z = problem->x;
    ALD_TRY(ald_kernel_rows(run, &linear, problem->shift, &p->z));
    return ALD_SCRATCH(run, {&p->centre, problem->d, 1}, {&p->rows, most, problem->d}, {&p->gram, most, most},
                       {&p->w, most, 1});
}

static ald_status write_row(ald_run *run, const ald_operator *z, int64_t i, double *row)
{
    if (z->x.storage == ALD_DENSE) return ald_operator_rows(run, z, i, ald_at(row, 1, z->x.cols));
    ald_rows_write_csr(z, i, 1, row);
    return ALD_OK;
}

/* w of row i: G w = 1 with its ridge, sum 1. */
static ald_status weigh_neighbours(ald_run *run, patch *p, const ald_graph *graph, int64_t i)
{
    const int64_t d = p->z.x.cols, k = graph->pointers[i + 1] - graph->pointers[i];
    const int64_t *neighbours = graph->neighbours + graph->pointers[i];
    double trace = 0.0, sum = 0.0;
    ALD_TRY(write_row(run, &p->z, i, p->centre));
    for (int64_t j = 0; j < k; j++) {
        ALD_TRY(write_row(run, &p->z, neighbours[j], p->rows + j * d));
        for (int64_t c = 0; c < d; c++) p->rows[j * d + c] -= p->centre[c];
    }
    ALD_TRY(ald_gram(run, ald_t(ald_of(p->rows, k, d)), ald_at(p->gram, k, k)));
    for (int64_t j = 0; j < k; j++) trace += p->gram[j * k + j];
    for (int64_t j = 0; j < k; j++) {
        p->gram[j * k + j] += lle_ridge * (trace > 0.0 ? trace : 1.0);
        p->w[j] = 1.0;
    }
    ALD_TRY(ald_cholesky(run, ald_at(p->gram, k, k)));
    ALD_TRY(ald_solve_cholesky(run, ald_of(p->gram, k, k), ald_at(p->w, k, 1)));
    for (int64_t j = 0; j < k; j++) sum += p->w[j];
    for (int64_t j = 0; j < k; j++) p->w[j] /= sum;
    return ALD_OK;
}

/* M = sum over i of (e_i - W_i)(e_i - W_i)'. */
static ald_status fill_lle(ald_run *run, const ald_problem *problem, ald_model *model, const ald_graph *graph,
                           double *a)
{
    const int64_t n = problem->n;
    patch p;
    (void)model;
    memset(a, 0, (size_t)(n * n) * sizeof *a);
    ALD_TRY(new_patch(run, problem, graph, &p));
    for (int64_t i = 0; i < n; i++) {
        const int64_t *neighbours = graph->neighbours + graph->pointers[i];
        const int64_t k = graph->pointers[i + 1] - graph->pointers[i];
        ALD_TRY(weigh_neighbours(run, &p, graph, i));
        a[i * n + i] += 1.0;
        for (int64_t j = 0; j < k; j++) {
            a[i * n + neighbours[j]] -= p.w[j];
            a[neighbours[j] * n + i] -= p.w[j];
            for (int64_t l = 0; l < k; l++) a[neighbours[j] * n + neighbours[l]] += p.w[j] * p.w[l];
        }
        if (i % 64 == 0) ALD_TRY(ald_progress(run, "weights of neighbours", (double)i / (double)n));
    }
    return ALD_OK;
}

static ald_status fill_laplacian(ald_run *run, const ald_problem *problem, ald_model *model,
                                 const ald_graph *graph, double *a)
{
    const int64_t n = problem->n;
    const double s = ald_kernel_settings_of(run).width;
    ald_laplacian l;
    ALD_TRY(ald_laplacian_of_graph(run, graph, ALD_WEIGHTS_HEAT, 2.0 * s * s, &l));
    memset(a, 0, (size_t)(n * n) * sizeof *a);
    for (int64_t i = 0; i < n; i++) {
        a[i * n + i] = l.degree[i];
        for (int64_t e = l.pointers[i]; e < l.pointers[i + 1]; e++)
            a[i * n + l.neighbours[e]] -= l.weights[e];
    }
    return ald_model_set_real(run, model, "alidade.resolved.kernel_width", sqrt(0.5 * l.width));
}

/* In the order of the names. */
static const struct {
    fill_fn fill;
    int inverse;
} kinds[] = {{fill_isomap, 0}, {fill_lle, 1}, {fill_laplacian, 1}};

static int kind_of(const ald_run *run)
{
    const char *name = ald_kernel_settings_of(run).name;
    int kind = 0;
    while (ald_graph_kernels[kind] && strcmp(ald_graph_kernels[kind], name) != 0) kind++;
    return kind;
}

int ald_graph_kernel_asked(const ald_run *run)
{
    return ald_graph_kernels[kind_of(run)] != NULL;
}

static ald_status find_graph(ald_run *run, const ald_problem *problem, ald_model *model, ald_graph *graph)
{
    const ald_graph_options options = ald_graph_options_of(run, problem->n > 10 ? 10 : problem->n - 1);
    int64_t added;
    ALD_TRY(ald_graph_build(run, &problem->x, &options, graph));
    ALD_TRY(ald_graph_connect(run, &problem->x, graph, &added));
    if (options.kind == ALD_GRAPH_KNN)
        ALD_TRY(ald_model_set_printed(run, model, "alidade.resolved.n_neighbors", "%lld",
                                      (long long)options.n_neighbors));
    return ald_model_set_printed(run, model, "alidade.resolved.bridges", "%lld", (long long)added);
}

/* Eigenvalues of K from those of the matrix (n, descending), and how many count. If K is the inverse of the
 * matrix, the first belongs to the constant vector, and those of K follow in increasing order. */
static int64_t kernel_values(int64_t n, int inverse, double *values)
{
    int64_t p = 0;
    if (!inverse) {
        while (p < n && values[p] > smallest_part * values[0] && values[p] > 0.0) p++;
        return p;
    }
    const double floor = (double)n * DBL_EPSILON * values[1];
    for (int64_t k = 1; k < n; k++) values[k] = 1.0 / fmax(values[k], floor);
    while (p < n - 1 && values[n - 1 - p] > smallest_part * values[n - 1]) p++;
    return p;
}

/* What is left out of an indefinite kernel, as a part of all. */
static ald_status tell_negative(ald_run *run, int64_t n, const double *values, ald_model *model)
{
    double negative = 0.0, all = 0.0;
    for (int64_t k = 0; k < n; k++) {
        negative += fmax(-values[k], 0.0);
        all += fabs(values[k]);
    }
    return ald_model_set_real(run, model, "alidade.resolved.negative_part", negative / all);
}

static ald_status decompose(ald_run *run, int64_t n, int inverse, double *a, double **phi, int64_t *p,
                            ald_model *model)
{
    double *values, *rows;
    double trace = 0.0;
    ALD_TRY(ALD_SCRATCH(run, {&values, n, 1}, {&rows, n, n}));
    for (int64_t i = 0; i < n; i++) trace += a[i * n + i];
    for (int64_t i = 0; inverse && i < n * n; i++)
        a[i] += 2.0 * trace / (double)n; /* the constant vector comes first */
    ALD_TRY(ald_progress(run, "decomposing the kernel", -1.0));
    ALD_TRY(ald_eigen(run, ald_at(a, n, n), values, ald_at(rows, n, n)));
    if (!inverse) ALD_TRY(tell_negative(run, n, values, model));
    *p = kernel_values(n, inverse, values);
    if (*p == 0)
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "by this kernel all rows are equal: there is no direction here");
    *phi = a;
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = 0; k < *p; k++) {
            const int64_t from = inverse ? n - 1 - k : k;
            a[i * *p + k] = rows[from * n + i] * sqrt(values[from]);
        }
    return ALD_OK;
}

ald_status ald_graph_kernel_rows(ald_run *run, const ald_problem *problem, ald_model *model, double **phi,
                                 int64_t *p)
{
    const int kind = kind_of(run);
    const int64_t n = problem->n;
    ald_graph graph;
    double *a;
    ALD_TRY(ald_kernel_check_size(run, n, 3, "use `kernel=rbf` with `landmarks=1000`"));
    ALD_TRY(ald_scratch_reals(run, n, n, &a));
    ALD_TRY(find_graph(run, problem, model, &graph));
    ALD_TRY(kinds[kind].fill(run, problem, model, &graph, a));
    ALD_TRY(decompose(run, n, kinds[kind].inverse, a, phi, p, model));
    return ald_model_set_printed(run, model, "alidade.resolved.kernel_rank", "%lld", (long long)*p);
}
