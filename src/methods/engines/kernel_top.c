/* The largest eigenpairs of a symmetric matrix or operator, whole, by Lanczos or from a random sample of its
 * range: what kpca and kspca need. */
#include "base/settings/settings.h"
#include "base/threads/large_copy.h"
#include "math/kernel/gram.h"
#include "math/linalg/linalg.h"
#include "math/operator/operator.h"
#include "methods/engines/engine_params.h"
#include "methods/engines/kernel_space.h"

#include <math.h>

static const char *const solvers[] = {"auto", "direct", "lanczos", "randomized", NULL};

static const ald_param solver_param =
    ALD_SOLVER_PARAM(solvers, "how: by a decomposition of the whole matrix, or by products with it, which "
                              "randomized ends after a fixed number, with an estimate of its error");

const ald_param *const ald_top_params[] = {
    &solver_param,
    &ald_lanczos_tol_param,
    &ald_lanczos_max_iter_param,
    &ald_iterated_power_param,
    &ald_oversamples_param,
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

/* Up to this order a decomposition serves: Lanczos is a trial in its place, as accurate. */
enum { small = 600 };

/* Columns of a block: single ones need the fewest products, and several read a large matrix less often. */
static int64_t block_of(int64_t order)
{
    enum { larger = 1500 };
    if (order <= small) return 1;
    return order <= larger ? 2 : 4;
}

static ald_status solve_lanczos(ald_run *run, ald_top *top, int trial, ald_model *model, int *found)
{
    const int64_t width = top->wanted < 8 ? top->wanted : 8;
    const double of_rounding = 1e-13;
    ald_lanczos task = {
        .apply = top->apply,
        .self = top->self,
        .n = top->order,
        .wanted = top->wanted,
        .block = block_of(top->order),
        .room = 96, /* a product costs order^2, so a longer basis pays */
        .randomized = ald_setting_is(run, &solver_param, "randomized"),
        .stage = "finding directions",
        .values = top->values,
        .vectors = top->vectors,
    };
    ald_lanczos_set(run, width, &task);
    if (trial) {
        task.trial = 1;
        task.tol = fmin(task.tol, of_rounding);
        task.max_products = top->order;
    }
    ALD_TRY(top->dense ? ald_symmetric_top(run, top->order, top->dense, &task)
                       : ald_lanczos_solve(run, &task));
    *found = !trial || task.converged;
    return *found ? ald_lanczos_report(run, &task, model) : ALD_OK;
}

/* Whether so few eigenvectors are found sooner by Lanczos than by a decomposition: measured with kernels of
 * 115 to 2228 rows, flat and falling spectra, one thread. */
static int are_few(int64_t order, int64_t wanted)
{
    enum { least = 100, each = 12 };
    return order > small ? wanted < order / 8 : order > least + each * wanted;
}

/* Q on a card, until that fails. */
typedef struct kernel_there {
    ald_matrix q;
    int failed; /* and the processor may compute */
} kernel_there;

static ald_status apply_there(ald_run *run, void *self, const double *v, int64_t k, double *w)
{
    kernel_there *there = self;
    int failed;
    ALD_TRY(ald_kernel_times_on_card(run, &there->q, v, k, w, &failed));
    there->failed = failed;
    return failed ? ALD_ERROR_UNSUPPORTED : ALD_OK;
}

/* Where the card fails and was not asked for by name the processor computes all of it. */
ald_status ald_kernel_space_top(ald_run *run, ald_kernel_space *space, int64_t wanted, ald_model *model,
                                ald_top *top)
{
    kernel_there there = {.q = space->on_card};
    *top = (ald_top){.order = space->order, .wanted = wanted, .dense = space->q};
    if (!there.q.values) return ald_top_solve(run, top, model);
    top->apply = apply_there;
    top->self = &there;
    const ald_status status = ald_top_solve(run, top, model);
    if (!there.failed) return status;
    ALD_TRY(ald_kernel_space_write(run, space));
    *top = (ald_top){.order = space->order, .wanted = wanted, .dense = space->q};
    return ald_top_solve(run, top, model);
}

ald_status ald_top_solve(ald_run *run, ald_top *top, ald_model *model)
{
    const char *solver = ald_setting_text(run, &solver_param);
    const int asked = ald_setting_is(run, &solver_param, "lanczos") ||
                      ald_setting_is(run, &solver_param, "randomized"),
              chosen = ald_setting_is(run, &solver_param, "auto") && are_few(top->order, top->wanted);
    int found = 0;
    ALD_TRY(ALD_SCRATCH(run, {&top->values, top->wanted, 1}, {&top->vectors, top->order, top->wanted}));
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ald_status status = ALD_OK;
    if (asked || chosen) status = solve_lanczos(run, top, !asked && top->order <= small, model, &found);
    if (status >= 0 && !found) status = solve_whole(run, top);
    ald_arena_release(&run->scratch, mark);
    ALD_TRY(status);
    const char *square = top->whole ? top->whole : "direct", *by_products = asked ? solver : "lanczos";
    return ald_model_set_text(run, model, "alidade.resolved.solver", found ? by_products : square);
}
