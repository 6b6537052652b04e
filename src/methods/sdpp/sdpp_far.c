#include "methods/sdpp/sdpp_far.h"

#include "base/settings/common_params.h"
#include "base/settings/limits.h"
#include "math/graph/graph_params.h"
#include "math/linalg/linalg.h"
#include "math/optimize/far_stress.h"
#include "methods/engines/kernel_params.h"
#include "methods/sdpp/sdpp_operations.h"
#include "methods/sdpp/sdpp_points.h"
#include "methods/sdpp/sdpp_wide.h"

#include <string.h>

/* One thing to say. */
static ald_status ask_with(ald_run *run, const ald_problem *problem, ald_sdpp_operation operation,
                           const void *told, size_t size, void *result)
{
    ald_record given = {.arena = &run->scratch};
    const ald_status status = ald_record_put(run, &given, told, 1, size);
    return ald_service_ask(run, problem->others, (int)operation, status, &given, result);
}

ald_status ald_sdpp_far_pairs(ald_run *run, const ald_problem *problem, const ald_sdpp_wanted *wanted,
                              ald_graph *graph, ald_sdpp_pairs *out)
{
    ald_sdpp_found found;
    ALD_TRY(ask_with(run, problem, ALD_SDPP_FIND, wanted, sizeof *wanted, &found));
    if (found.count == 0)
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "the graph has no pairs of rows with known targets: raise `n_neighbors` or `radius`");
    if (wanted->radius > 0.0 || wanted->first > 0) graph->isolated = found.isolated;
    if (found.how) graph->how = found.how;
    *out = (ald_sdpp_pairs){
        .pairs = {.count = found.count, .total = found.total},
        .wanted = found.wanted,
    };
    return ALD_OK;
}

/* As in one process, which writes a few rows in their own space instead: that is not shared. */
static ald_status wide_basis(ald_run *run, const ald_operator *z, ald_sdpp_solving *s)
{
    const int64_t d = z->x.cols;
    double *deviation;
    if (s->problem->n <= ALD_BASIS_ORDER)
        return ald_fail(
            run->error, ALD_ERROR_UNSUPPORTED,
            "sdpp of %lld columns on several ranks takes more than %d rows, and there are %lld: fit "
            "it by one process",
            (long long)d, (int)ALD_BASIS_ORDER, (long long)s->problem->n);
    ALD_TRY(ald_scratch_reals(run, d, 1, &deviation));
    ALD_TRY(ald_service_ask(run, s->problem->others, ALD_SDPP_SPREAD, ALD_OK, NULL, deviation));
    ALD_TRY(ald_basis_of_deviations(run, z, deviation, &s->basis));
    s->basis.n = 0; /* its rows are elsewhere */
    return ALD_OK;
}

ald_status ald_sdpp_far_basis(ald_run *run, const ald_operator *z, ald_sdpp_solving *s)
{
    const int64_t d = z->x.cols, asked = s->settings.pca_dims, dims = asked < d ? asked : 0;
    double *scatter, *normal = NULL;
    if (d > ALD_BASIS_ORDER) return wide_basis(run, z, s);
    ALD_TRY(ald_scratch_reals(run, d, d, &scatter));
    ALD_TRY(ald_service_ask(run, s->problem->others, ALD_SDPP_SCATTER, ALD_OK, NULL, scatter));
    for (int64_t i = 0; i < d * d; i++) scatter[i] /= s->pairs->pairs.total;
    if (dims > 0) {
        ALD_TRY(ald_scratch_reals(run, d, d, &normal));
        ALD_TRY(ald_service_ask(run, s->problem->others, ALD_SDPP_NORMAL, ALD_OK, NULL, normal));
    }
    ALD_TRY(ald_basis_of_scatter(run, z, scatter, normal, dims, &s->basis));
    s->basis.n = 0; /* its rows are elsewhere */
    return ALD_OK;
}

/* The request, then numbers; NULL: none. */
static ald_status ask_about(ald_run *run, ald_service *others, ald_sdpp_operation operation, const void *told,
                            size_t size, const double *numbers, int64_t count, void *result)
{
    ald_record given = {.arena = &run->scratch};
    ald_status status = size > 0 ? ald_record_put(run, &given, told, 1, size) : ALD_OK;
    if (status >= 0 && numbers) status = ald_record_put(run, &given, numbers, count, sizeof *numbers);
    status = ald_service_ask(run, others, (int)operation, status, &given, result);
    ald_arena_drop(&run->scratch, given.bytes);
    return status;
}

static ald_status far_place(ald_run *run, void *self, const double *w, int64_t r, int64_t groups)
{
    const ald_sdpp_solving *s = self;
    const int64_t told[] = {r, groups};
    return ask_about(run, s->problem->others, ALD_SDPP_PLACE, told, sizeof told, w, s->basis.p * r * groups,
                     NULL);
}

static ald_status far_gradient(ald_run *run, void *self, int64_t groups, double *values, int64_t count,
                               double *g)
{
    const ald_sdpp_solving *s = self;
    ald_sdpp_slope slope = {values, g};
    (void)groups, (void)count;
    return ald_service_ask(run, s->problem->others, ALD_SDPP_GRADIENT, ALD_OK, NULL, &slope);
}

static ald_status far_line(ald_run *run, void *self, int64_t count, const double *v, int64_t groups,
                           double *c)
{
    const ald_sdpp_solving *s = self;
    (void)groups;
    return ask_about(run, s->problem->others, ALD_SDPP_LINE, NULL, 0, v, count, c);
}

static ald_status far_move(ald_run *run, void *self, int64_t groups, const double *steps)
{
    const ald_sdpp_solving *s = self;
    return ask_about(run, s->problem->others, ALD_SDPP_MOVE, NULL, 0, steps, groups, NULL);
}

static ald_status far_matrix(ald_run *run, void *self, const double *w, int64_t r, double *z)
{
    const ald_sdpp_solving *s = self;
    return ask_about(run, s->problem->others, ALD_SDPP_MATRIX, &r, sizeof r, w, s->basis.p * r, z);
}

static ald_status far_within(ald_run *run, void *self, const double *x, int64_t q, ald_quadratic *sums)
{
    const ald_sdpp_solving *s = self;
    return ask_about(run, s->problem->others, ALD_SDPP_WITHIN, &q, sizeof q, x, s->basis.p * q, sums);
}

static ald_status far_times(ald_run *run, void *self, const double *v, int64_t k, double *z)
{
    const ald_sdpp_solving *s = self;
    const ald_sdpp_product told = {k, 0};
    return ask_about(run, s->problem->others, ALD_SDPP_TIMES, &told, sizeof told, v, s->basis.p * k, z);
}

ald_status ald_sdpp_far_scatter_times(ald_run *run, const ald_sdpp_solving *s, int64_t k, double *w)
{
    const ald_sdpp_product told = {k, 1};
    const int64_t count = s->basis.p * k;
    ALD_TRY(ask_about(run, s->problem->others, ALD_SDPP_TIMES, &told, sizeof told, w, count, w));
    for (int64_t i = 0; i < count; i++) w[i] /= s->pairs->pairs.total;
    return ALD_OK;
}

/* M^-1 b M^-1 v; columns that do not vary have no part in it. */
static ald_status plain_times(ald_run *run, void *self, const double *v, int64_t k, double *z)
{
    const ald_stress *inside = self;
    const int64_t count = inside->basis->p * k;
    const double *diagonal = inside->basis->diagonal;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *scaled;
    ALD_TRY(ald_scratch_reals(run, count, 1, &scaled));
    for (int64_t i = 0; i < count; i++) scaled[i] = diagonal[i / k] > 0.0 ? v[i] / diagonal[i / k] : 0.0;
    ALD_TRY(inside->far->times(run, inside->far->self, scaled, k, z));
    for (int64_t i = 0; i < count; i++) z[i] = diagonal[i / k] > 0.0 ? z[i] / diagonal[i / k] : 0.0;
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

ald_far_stress ald_sdpp_plain_far(ald_stress *inside)
{
    return (ald_far_stress){.self = inside, .times = plain_times};
}

/* The pairs are not added up, and the coordinates are the columns in other units. */
static ald_status begin_wide(ald_run *run, const ald_sdpp_solving *s, double *at_zero)
{
    return ask_about(run, s->problem->others, ALD_SDPP_BEGIN_WIDE, &s->stress.scale, sizeof s->stress.scale,
                     s->basis.diagonal, s->basis.d, at_zero);
}

ald_status ald_sdpp_far_sums(ald_run *run, ald_sdpp_solving *s)
{
    const ald_sdpp_coordinates told = {s->basis.p, s->stress.scale};
    const int few = ald_svec_size(s->basis.p) <= ALD_QUADRATIC_UNKNOWNS;
    const ald_sdpp_operation operation = few ? ALD_SDPP_ADD_UP : ALD_SDPP_BEGIN_POINTS;
    ald_quadratic *sums;
    ald_far_stress *far;
    ALD_TRY(ald_scratch(run, 1, 1, sizeof *sums, &sums));
    ALD_TRY(ald_scratch(run, 1, 1, sizeof *far, &far));
    *far = (ald_far_stress){
        s, 0.0, far_place, far_gradient, far_line, far_move, far_matrix, far_within, far_times,
    };
    s->stress.wanted = s->pairs->wanted;
    s->stress.far = few ? NULL : far;
    if (!s->basis.matrix) return begin_wide(run, s, &far->at_zero);
    void *const result = few ? (void *)sums : (void *)&far->at_zero;
    ALD_TRY(ask_about(run, s->problem->others, operation, &told, sizeof told, s->basis.matrix,
                      s->basis.d * s->basis.p, result));
    s->stress.sums = few ? sums : NULL;
    return ALD_OK;
}

ald_status ald_sdpp_far_column(ald_run *run, const ald_sdpp_solving *s, ald_random *random, double *v)
{
    ald_sdpp_drawn drawn = {random, v};
    return ask_with(run, s->problem, ALD_SDPP_DRAW, random, sizeof *random, &drawn);
}

ald_status ald_sdpp_far_map(ald_run *run, const ald_problem *problem, const ald_feature_map *map,
                            ald_operator *own)
{
    ald_record given = {.arena = &run->scratch};
    const ald_status status = ald_feature_map_put(run, map, &given);
    ALD_TRY(ald_service_ask(run, problem->others, ALD_SDPP_MAP, status, &given, own));
    ald_arena_drop(&run->scratch, given.bytes);
    return ALD_OK;
}

/* tau = M'(z_i - z_j), and with the columns of M orthogonal z_i - z_j = N tau, N = M (M'M)^-1. */
ald_status ald_sdpp_plain_sums(ald_run *run, const ald_stress *stress, ald_quadratic *plain)
{
    const ald_basis *basis = stress->basis;
    const int64_t d = basis->d, p = basis->p;
    double *n, *z, *nz, *b;
    *plain = (ald_quadratic){.p = d, .s = ald_svec_size(d)};
    ALD_TRY(ALD_SCRATCH(run, {&plain->b, plain->s, 1}, {&n, d, p}, {&z, p, p}, {&nz, d, p}, {&b, d, d}));
    for (int64_t i = 0; i < d * p; i++) n[i] = basis->matrix[i] / basis->lengths[i % p];
    ALD_TRY(ald_far_matrix(run, stress, NULL, 0, z));
    ALD_TRY(ald_product(run, ald_of(n, d, p), ald_of(z, p, p), ald_at(nz, d, p)));
    ALD_TRY(ald_product(run, ald_of(nz, d, p), ald_t(ald_of(n, d, p)), ald_at(b, d, d)));
    ald_svec(d, b, plain->b);
    return ALD_OK;
}

static ald_status refuse(ald_run *run, const char *what, const char *why)
{
    return ald_fail(
        run->error, ALD_ERROR_UNSUPPORTED,
        "%s does without %s where several ranks share the rows, as %s: leave it out, or fit by one "
        "process",
        ald_settings_method(run->settings)->name, what, why);
}

/* What needs more of the pairs and rows than sums over them. */
static ald_status check_settings(ald_run *run, const ald_sdpp_settings *settings)
{
    const ald_graph_options graph = ald_graph_options_of(run, 0);
    const int reduced = settings->pca_dims > 0;
    if (graph.approximate) return refuse(run, "`neighbors=approximate`", "its index is of all rows");
    if (!settings->divergence->quartic)
        return refuse(run, "divergences other than `divergence=squared`",
                      "their search along a line goes over all pairs again and again");
    if (settings->early_stopping > 0.0)
        return refuse(run, "`early_stopping`", "it looks at single pairs after every step");
    if (settings->manifold > 0.0) return refuse(run, "`manifold`", "it has a graph of its own");
    if (settings->repulsion > 0.0) return refuse(run, "`repulsion`", "it is of rows and not of pairs");
    if (reduced && settings->ridge_rel > 0.0)
        return refuse(run, "`ridge_rel` beside `pca_dims`", "its unit is of all columns");
    if (reduced && settings->penalty != ALD_SDPP_NO_PENALTY)
        return refuse(run, "`penalty` beside `pca_dims`", "it is of all columns");
    return ALD_OK;
}

/* What needs a square of the columns. */
static ald_status check_wide(ald_run *run, const ald_sdpp_settings *settings)
{
    const char *const why = "there are more than 2000 columns";
    if (settings->pca_dims > 0) return refuse(run, "`pca_dims`", why);
    if (settings->solver != ALD_SDPP_AUTO && settings->solver != ALD_SDPP_CG)
        return refuse(run, "solvers other than `solver=cg`", why);
    if (ald_common_settings_of(run->settings).n_components == 0) return refuse(run, "`n_components=0`", why);
    return ALD_OK;
}

ald_status ald_sdpp_far_check(ald_run *run, int64_t columns)
{
    const ald_sdpp_settings settings = ald_sdpp_settings_of(run);
    ALD_TRY(check_settings(run, &settings));
    return columns > ALD_BASIS_ORDER ? check_wide(run, &settings) : ALD_OK;
}

ald_status ald_sdpp_kernel_check(ald_run *run, int64_t columns)
{
    const ald_kernel_settings kernel = ald_kernel_settings_of(run);
    const int64_t features = kernel.features > 0 ? kernel.features : kernel.landmarks;
    ALD_TRY(ald_kernel_others.check(run, columns));
    if (ald_sdpp_settings_of(run).response_rbf)
        return refuse(run, "`response_kernel=rbf`", "its width is of the targets of all rows");
    if (features > ALD_BASIS_ORDER)
        return refuse(run, "more than 2000 `landmarks` or `features`", "a square of them is formed");
    return ald_sdpp_far_check(run, features);
}
