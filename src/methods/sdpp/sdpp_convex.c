/* The convex problem over P = W W': by the first-order method where the pairs are added up, or p <= 200 and
 * p (p + 1) / 2 <= m; else by the low-rank factor. `auto` leaves it out where it would take minutes
 * (sdpp_cost.h). */
#include "methods/sdpp/sdpp_convex.h"

#include "math/convex/certificate.h"
#include "math/linalg/linalg.h"
#include "methods/sdpp/sdpp_cost.h"

#include <math.h>

static const double convex_tol = 1e-9, low_rank_tol = 1e-8;
/* Where fits are tried, a start need not be the optimum to its last digits. */
static const double trial_convex_tol = 1e-3;

int ald_sdpp_is_trial(const ald_run *run, const ald_sdpp_solving *s)
{
    return run->call.tryout && s->problem->r > 0 && s->settings.solver == ALD_SDPP_AUTO;
}

ald_status ald_sdpp_turn(ald_run *run, const ald_basis *basis, int64_t k, double *x, double *v,
                         double *lengths)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    const ald_view columns = ald_of(v, basis->d, k);
    double *gram, *vectors;
    ALD_TRY(ALD_SCRATCH(run, {&gram, k, k}, {&vectors, k, k}));
    ALD_TRY(ald_basis_directions(run, basis, x, k, v));
    ALD_TRY(ald_product(run, ald_t(columns), columns, ald_at(gram, k, k)));
    ALD_TRY(ald_eigen(run, ald_at(gram, k, k), lengths, ald_at(vectors, k, k)));
    ALD_TRY(ald_multiply(run, ald_at(v, basis->d, k), ald_t(ald_of(vectors, k, k))));
    ALD_TRY(ald_multiply(run, ald_at(x, basis->p, k), ald_t(ald_of(vectors, k, k))));
    for (int64_t j = 0; j < k; j++) lengths[j] = fmax(lengths[j], 0.0);
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

/* Where there are more unknowns than pairs J can often be brought to 0, which a factor does fast and P
 * slowly. */
static int by_low_rank(const ald_sdpp_solving *s)
{
    return s->stress.remote || s->basis.p > ALD_SDPP_LARGEST_FIRST_ORDER ||
           ald_svec_size(s->basis.p) > s->pairs->pairs.count;
}

static ald_status run_convex(ald_run *run, ald_sdpp_solving *s)
{
    const double tol = ald_sdpp_is_trial(run, s) ? trial_convex_tol : convex_tol;
    ald_convex f;
    if (!s->has_quadratic && by_low_rank(s))
        return ald_psd_low_rank(run, &s->stress, s->r > 3 ? s->r : 3, fmax(tol, low_rank_tol), s->max_iter,
                                s->seed, &s->convex);
    if (s->has_quadratic)
        ALD_TRY(ald_convex_of_quadratic(run, &s->stress, &s->quadratic, &f));
    else
        ALD_TRY(ald_convex_of_stress(run, &s->stress, &f));
    return ald_psd_first_order(run, &f, tol, s->max_iter, &s->convex);
}

/* Eigenvalues of P* in the coordinates of Z, its rank and the factor turned to them. */
static ald_status describe_convex(ald_run *run, ald_sdpp_solving *s)
{
    const int64_t q = s->convex.rank;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *v;
    s->convex_rank = 0;
    if (q == 0) return ALD_OK;
    ALD_TRY(ald_scratch_reals(run, s->basis.d, q, &v));
    ALD_TRY(ald_sdpp_turn(run, &s->basis, q, s->convex.factor, v, s->convex_lengths));
    ald_arena_release(&run->scratch, mark);
    while (s->convex_rank < q && s->convex_lengths[s->convex_rank] > 1e-6 * s->convex_lengths[0])
        s->convex_rank++;
    const int64_t shown = s->convex_rank < q ? s->convex_rank + 1 : q;
    ALD_TRY(ald_model_add_vector(run, s->model, "spectrum", shown, s->convex_lengths));
    ALD_TRY(ald_model_set_text(run, s->model, "alidade.resolved.convex_solver", s->convex.solver));
    ALD_TRY(ald_model_set_printed(run, s->model, "alidade.resolved.convex_iterations", "%lld",
                                  (long long)s->convex.iterations));
    ALD_TRY(ald_model_set_printed(run, s->model, "alidade.resolved.convex_rank", "%lld",
                                  (long long)s->convex_rank));
    ALD_TRY(ald_model_set_real(run, s->model, "alidade.resolved.convex_objective", s->convex.value));
    return ald_model_set_real(run, s->model, "alidade.resolved.convex_relative_gap",
                              s->convex.gap / s->at_zero);
}

ald_status ald_sdpp_solve_convex(ald_run *run, ald_sdpp_solving *s)
{
    const int is_long = ald_sdpp_convex_is_long((double)s->problem->n, (double)s->basis.p);
    if (s->settings.solver == ALD_SDPP_CG && s->r > 0) return ALD_OK;
    if (s->settings.solver == ALD_SDPP_AUTO && s->r > 0 && !s->has_quadratic && is_long)
        return ald_model_set_text(run, s->model, "alidade.resolved.convex_solver",
                                  "none: too large for auto; solver=first-order does it");
    if (!s->stress.divergence->quartic) {
        if (s->settings.solver == ALD_SDPP_AUTO && s->r > 0) return ALD_OK;
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "the convex problem, which %s needs, is there for `divergence=squared` only",
                        s->r == 0 ? "n_components=0" : s->settings.solver_name);
    }
    ALD_TRY(run_convex(run, s));
    ALD_TRY(ald_scratch_reals(run, s->convex.rank + 1, 1, &s->convex_lengths));
    s->has_convex = 1;
    return describe_convex(run, s);
}
