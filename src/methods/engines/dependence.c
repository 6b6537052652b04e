/* The eigenproblems of dependence.h, one function for each form of L and of the space. */
#include "methods/engines/dependence.h"

#include "math/linalg/linalg.h"

#include <math.h>
#include <string.h>

/* c = 0: B'G B, small. */
static ald_status solve_small(ald_run *run, ald_dependence *p, ald_model *model)
{
    const int64_t m = p->m, r = p->r, n = p->space.order;
    double *gb, *square, *rows;
    ALD_TRY(ALD_SCRATCH(run, {&gb, n, m}, {&square, m, m}, {&rows, r, m}));
    ALD_TRY(ald_kernel_space_inner(run, &p->space, p->space.b, m, gb));
    ALD_TRY(ald_product(run, ald_t(ald_of(p->space.b, n, m)), ald_of(gb, n, m), ald_at(square, m, m)));
    ALD_TRY(ald_eigen(run, ald_at(square, m, m), p->values, ald_at(rows, r, m)));
    for (int64_t k = 0; k < r; k++)
        for (int64_t c = 0; c < m; c++) rows[k * m + c] /= p->values[k] > 0.0 ? sqrt(p->values[k]) : 1.0;
    ALD_TRY(ald_model_set_text(run, model, "alidade.resolved.solver", "dual"));
    return ald_product(run, ald_of(p->space.b, n, m), ald_t(ald_of(rows, r, m)), ald_at(p->a, n, r));
}

/* x (n x k) = D u, u order x k: the first n rows and B times the others. */
static ald_status expand(ald_run *run, const ald_dependence *p, const double *u, int64_t k, double *x)
{
    const int64_t n = p->space.order, m = p->m;
    memcpy(x, u, (size_t)(n * k) * sizeof *x);
    if (m == 0) return ALD_OK;
    return ald_product_add(run, 1.0, ald_of(p->space.b, n, m), ald_of(u + n * k, m, k), 1.0, ald_at(x, n, k));
}

/* w = D'Q D u. */
static ald_status apply_dual(ald_run *run, void *self, const double *u, int64_t k, double *w)
{
    ald_dependence *p = self;
    const int64_t n = p->space.order, m = p->m;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *x;
    ALD_TRY(ald_scratch_reals(run, n, k, &x));
    ALD_TRY(expand(run, p, u, k, x));
    ALD_TRY(ald_kernel_space_apply(run, &p->space, x, k, w));
    if (m > 0)
        ALD_TRY(ald_product(run, ald_t(ald_of(p->space.b, n, m)), ald_of(w, n, k), ald_at(w + n * k, m, k)));
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

static ald_status solve_dual(ald_run *run, ald_dependence *p, ald_model *model)
{
    const int64_t n = p->space.order, r = p->r;
    ald_top top = {.apply = apply_dual, .self = p, .order = n + p->m, .wanted = r, .whole = "dual"};
    ALD_TRY(ald_top_solve(run, &top, model));
    ALD_TRY(expand(run, p, top.vectors, r, p->a));
    for (int64_t k = 0; k < r; k++) {
        p->values[k] = top.values[k];
        for (int64_t i = 0; i < n; i++) p->a[i * r + k] /= top.values[k] > 0.0 ? sqrt(top.values[k]) : 1.0;
    }
    return ALD_OK;
}

/* Explicit features: Q + B B', which takes the place of Q. */
static ald_status solve_primal(ald_run *run, ald_dependence *p, ald_model *model)
{
    const int64_t n = p->space.order;
    ald_top top = {.order = n, .wanted = p->r, .dense = p->space.q};
    if (p->m > 0)
        ALD_TRY(ald_product_add(run, 1.0, ald_of(p->space.b, n, p->m), ald_t(ald_of(p->space.b, n, p->m)),
                                1.0, ald_at(p->space.q, n, n)));
    ALD_TRY(ald_top_solve(run, &top, model));
    memcpy(p->values, top.values, (size_t)p->r * sizeof *p->values);
    memcpy(p->a, top.vectors, (size_t)(n * p->r) * sizeof *p->a);
    return ALD_OK;
}

ald_status ald_dependence_solve(ald_run *run, ald_dependence *p, ald_model *model)
{
    if (!p->kernel.identity) return solve_small(run, p, model);
    return p->space.dual ? solve_dual(run, p, model) : solve_primal(run, p, model);
}

int64_t ald_dependence_rank(const ald_dependence *p)
{
    int64_t rank = 0;
    while (rank < p->r && p->values[rank] > 1e-10 * p->values[0] && p->values[rank] > 0.0) rank++;
    return rank;
}
