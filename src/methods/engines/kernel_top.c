/* The largest eigenpairs of a symmetric matrix or operator, whole or by Lanczos: what kpca and kspca need. */
#include "base/settings/settings.h"
#include "base/threads/large_copy.h"
#include "math/kernel/gram.h"
#include "math/linalg/linalg.h"
#include "methods/engines/engine_params.h"
#include "methods/engines/kernel_space.h"

static const char *const solvers[] = {"auto", "direct", "lanczos", NULL};

static const ald_param solver_param =
    ALD_SOLVER_PARAM(solvers, "how: by a decomposition of the whole matrix, or by products with it");

const ald_param *const ald_top_params[] = {
    &solver_param,
    &ald_lanczos_tol_param,
    &ald_lanczos_max_iter_param,
    NULL,
};

/* The matrix of the operator, by its products with the columns of the identity. */
static ald_status form(ald_run *run, const ald_top *top, double *a)
{
    double *identity;
    ALD_TRY(ald_scratch_zeros(run, top->order, top->order, &identity));
    for (int64_t i = 0; i < top->order; i++) identity[i * top->order + i] = 1.0;
    return top->apply(run, top->self, identity, top->order, a);
}

static ald_status solve_whole(ald_run *run, ald_top *top)
{
    const int64_t n = top->order, r = top->wanted;
    double *a, *rows;
    ALD_TRY(ALD_SCRATCH(run, {&a, n, n}, {&rows, r, n}));
    if (top->dense)
        ALD_TRY(ald_copy_large(run, n * n, top->dense, a));
    else
        ALD_TRY(form(run, top, a));
    ALD_TRY(ald_eigen(run, ald_at(a, n, n), top->values, ald_at(rows, r, n)));
    ald_transpose(r, n, rows, top->vectors);
    return ALD_OK;
}

static ald_status kernel_top_multiply(ald_run *run, void *self, const double *v, int64_t k, double *w)
{
    const ald_top *top = self;
    return ald_symmetric_apply(run, top->order, top->dense, v, k, w);
}

static ald_status solve_lanczos(ald_run *run, ald_top *top, ald_model *model)
{
    const int64_t width = top->wanted < 8 ? top->wanted : 8;
    ald_lanczos task = {
        .apply = top->dense ? kernel_top_multiply : top->apply,
        .self = top->dense ? (void *)top : top->self,
        .n = top->order,
        .wanted = top->wanted,
        .room = 96, /* a product costs order^2, so a longer basis pays */
        .stage = "finding directions",
        .values = top->values,
        .vectors = top->vectors,
    };
    ald_lanczos_set(run, width, &task);
    ALD_TRY(ald_lanczos_solve(run, &task));
    return ald_lanczos_report(run, &task, model);
}

ald_status ald_top_solve(ald_run *run, ald_top *top, ald_model *model)
{
    enum { small = 600 }; /* up to this order the whole decomposition is the faster one */
    ALD_TRY(ALD_SCRATCH(run, {&top->values, top->wanted, 1}, {&top->vectors, top->order, top->wanted}));
    const int few = top->order > small && top->wanted < top->order / 8;
    const int lanczos =
        ald_setting_is(run, &solver_param, "lanczos") || (ald_setting_is(run, &solver_param, "auto") && few);
    const uint64_t mark = ald_arena_mark(&run->scratch);
    const ald_status status = lanczos ? solve_lanczos(run, top, model) : solve_whole(run, top);
    ald_arena_release(&run->scratch, mark);
    ALD_TRY(status);
    const char *square = top->whole ? top->whole : "direct";
    return ald_model_set_text(run, model, "alidade.resolved.solver", lanczos ? "lanczos" : square);
}
