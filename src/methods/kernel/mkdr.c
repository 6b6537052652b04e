/* Manifold kernel dimension reduction.
 *
 * The rows are embedded as V Omega^(1/2), V (n x M) the smoothest functions on their neighbourhood graph
 * (embedding.h), Omega the minimum of
 *
 *   f(Omega) = Tr[Ky (V Omega V' + ridge I)^-1]   over Omega positive semidefinite of trace 1,
 *
 * Ky the centred kernel of the targets: what is left of the targets once the embedding is known. Rows without
 * a target are rows of V that f does not see, but the graph does. f is convex; with G = V'V (of the labelled
 * rows), C = V'Ky V and e = ridge, everything is M x M (Woodbury):
 *
 *   f = (tr Ky - tr(Omega (e I + G Omega)^-1 C)) / e,     grad f = -(e I + G Omega)^-1 C (e I + Omega G)^-1.
 *
 * Minimised with the gap of Frank and Wolfe as the certificate (optimize/spectrahedron.h). The embedding is
 * given by the leading eigenvectors of Omega. New rows have no place in it. Cost: the graph, Lanczos for V,
 * then O(M^3) a step. Reference: Nilsson, Sha and Jordan (2007). */
#include "base/settings/settings.h"
#include "math/convex/spectrahedron.h"
#include "math/graph/graph_params.h"
#include "math/linalg/linalg.h"
#include "math/linalg/vector.h"
#include "methods/engines/embedding.h"

#include <math.h>
#include <string.h>

static const ald_param ridge_param = {
    .name = "ridge",
    .type = ALD_PARAM_REAL,
    .initial = "0.01",
    .min = 1e-12,
    .max = 1e12,
    .help = "added to the kernel of the embedding (n times epsilon)",
    .simpler = ALD_SIMPLER_LARGER,
    .traits = ALD_PARAM_IS_RIDGE,
};
static const ald_param tol_param = {
    .name = "tol",
    .type = ALD_PARAM_REAL,
    .initial = "1e-06",
    .min = 1e-12,
    .max = 1,
    .help = "stop when the value is this close to the minimum, as a part of it",
};
static const ald_param max_iter_param = {
    .name = "max_iter",
    .type = ALD_PARAM_INT,
    .initial = "20000",
    .min = 1,
    .max = 1e9,
    .help = "at most this many steps",
    .traits = ALD_PARAM_IS_ITERATIONS,
};
static const ald_param response_width_param = {
    .name = "response_width",
    .type = ALD_PARAM_REAL,
    .initial = "0",
    .min = 0,
    .max = ALD_NO_LIMIT,
    .help = "width of the rbf kernel; 0: half the median distance",
    .simpler = ALD_SIMPLER_LARGER,
    .traits = ALD_PARAM_IS_RESPONSE_WIDTH | ALD_PARAM_ZERO_IS_AUTO,
};

static const ald_param *const params[] = {
    &ridge_param, &tol_param, &max_iter_param, &response_width_param, NULL,
};

typedef struct residue {
    int64_t m;
    double ridge, trace; /* e, tr Ky */
    double *g, *c;       /* m x m */
    double *a, *inverse, *work;
} residue;

/* inverse (m x m) of a general a, which is destroyed: by its singular values, none of which is 0 here. */
static ald_status invert(ald_run *run, int64_t m, double *a, double *inverse)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *u, *s, *vt;
    ALD_TRY(ALD_SCRATCH(run, {&u, m, m}, {&s, m, 1}, {&vt, m, m}));
    ALD_TRY(ald_svd(run, ald_at(a, m, m), ald_at(u, m, m), s, ald_at(vt, m, m)));
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < m; j++) u[i * m + j] /= s[j];
    ALD_TRY(ald_product(run, ald_t(ald_of(vt, m, m)), ald_t(ald_of(u, m, m)), ald_at(inverse, m, m)));
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

static ald_status gradient(ald_run *run, void *self, const double *omega, double *value, double *g)
{
    const residue *f = self;
    const int64_t m = f->m;
    ALD_TRY(ald_product(run, ald_of(f->g, m, m), ald_of(omega, m, m), ald_at(f->a, m, m)));
    ald_add_ridge(f->ridge, ald_at(f->a, m, m));
    ALD_TRY(invert(run, m, f->a, f->inverse));
    ALD_TRY(ald_product(run, ald_of(f->inverse, m, m), ald_of(f->c, m, m), ald_at(f->work, m, m)));
    *value = (f->trace - ald_dot(m * m, omega, f->work)) / f->ridge; /* omega is symmetric */
    ALD_TRY(ald_product_add(run, -1.0, ald_of(f->work, m, m), ald_t(ald_of(f->inverse, m, m)), 0.0,
                            ald_at(g, m, m)));
    ald_symmetrise(ald_at(g, m, m));
    return ALD_OK;
}

/* G and C from the labelled rows of V and the factor f (l x k) of Ky. */
static ald_status make_residue(ald_run *run, const ald_labelled *labelled, const ald_graph_basis *basis,
                               const double *factor, int64_t k, residue *f)
{
    const int64_t m = basis->m, l = labelled->count;
    double **const squares[] = {&f->g, &f->c, &f->a, &f->inverse, &f->work}, *rows, *b;
    *f = (residue){
        .m = m,
        .ridge = ald_setting_real(run, &ridge_param),
        .trace = ald_dot(l * k, factor, factor),
    };
    for (size_t i = 0; i < sizeof squares / sizeof *squares; i++)
        ALD_TRY(ald_scratch_reals(run, m, m, squares[i]));
    ALD_TRY(ALD_SCRATCH(run, {&rows, l, m}, {&b, m, k}));
    for (int64_t i = 0; i < l; i++)
        memcpy(rows + i * m, basis->v + labelled->which[i] * m, (size_t)m * sizeof *rows);
    ALD_TRY(ald_product(run, ald_t(ald_of(rows, l, m)), ald_of(rows, l, m), ald_at(f->g, m, m)));
    ALD_TRY(ald_product(run, ald_t(ald_of(rows, l, m)), ald_of(factor, l, k), ald_at(b, m, k)));
    return ald_product(run, ald_of(b, m, k), ald_t(ald_of(b, m, k)), ald_at(f->c, m, m));
}

static ald_status report(ald_run *run, const ald_spectrahedron *task, ald_model *model)
{
    const double relative = task->gap / fabs(task->value);
    ALD_TRY(ald_model_set_printed(run, model, "alidade.resolved.iterations", "%lld",
                                  (long long)task->iterations));
    ALD_TRY(ald_model_set_real(run, model, "alidade.resolved.objective", task->value));
    ALD_TRY(ald_model_set_printed(run, model, "alidade.resolved.relative_gap", "%.1e", relative));
    if (!task->converged)
        ald_warn(run, ALD_NOT_CONVERGED,
                 "stopped after %lld steps with a gap of %.1e of the value, above tol %.1e: raise `max_iter`",
                 (long long)task->iterations, relative, task->tol);
    return ALD_OK;
}

static ald_status mkdr_fit(ald_run *run, const ald_problem *problem, ald_model *model)
{
    ald_graph_basis basis;
    ald_labelled labelled;
    residue f;
    double *factor, *omega;
    int64_t k;
    ALD_TRY(ald_labelled_find(run, problem, model, &labelled));
    ALD_TRY(ald_graph_basis_find(run, problem, 0, model, &basis));
    ALD_TRY(ald_target_factor(run, &labelled.target, 0.5, model, &factor, &k));
    ALD_TRY(make_residue(run, &labelled, &basis, factor, k, &f));
    ald_spectrahedron task = {
        .m = basis.m,
        .self = &f,
        .gradient = gradient,
        .tol = ald_setting_real(run, &tol_param),
        .max_iter = ald_setting_int(run, &max_iter_param),
        .stage = "kernel of the embedding",
    };
    ALD_TRY(ald_scratch_reals(run, basis.m, basis.m, &omega));
    ALD_TRY(ald_spectrahedron_minimise(run, &task, omega));
    ALD_TRY(report(run, &task, model));
    return ald_add_embedding(run, problem, &basis, omega, model);
}

const ald_method ald_method_mkdr = {
    .name = "mkdr",
    .title = "Manifold kernel dimension reduction",
    .synonyms = "manifold kdr, laplacian eigenmaps, manifold learning",
    .summary =
        "Places for the given rows, made of the smoothest functions on their graph, that explain the target.",
    .reference = "Nilsson, Sha and Jordan (2007)",
    .capabilities = ALD_CAN_CLASSES | ALD_CAN_REAL | ALD_CAN_RESPONSES | ALD_CAN_LABELS | ALD_CAN_SPARSE |
                    ALD_CAN_UNLABELLED,
    .bounds = ALD_BY_ROWS,
    .inverse = ALD_INVERTS_OTHER,
    .tables = (const ald_param_table[]){params, ald_embedding_params, ald_graph_params, NULL},
    .fit = mkdr_fit,
};
