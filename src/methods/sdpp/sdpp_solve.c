/* Two problems over the same pairs. Over W (p x r) J is a quartic with local minima: conjugate gradient from
 * several starts, the lowest wins. Over P = W W' of any rank it is convex: its minimum bounds what any W can
 * reach, its leading eigenvectors are the best start, and its eigenvalues tell how many directions there are.
 *
 * Which form J takes (s = p (p + 1) / 2 unknowns, m pairs):
 * - s <= 2000 and m s^2 flops of BLAS-3 cheaper than the passes over X and the pairs they save: A, b and c;
 * - else products with X and passes over the pairs.
 *
 * The convex problem is solved by the first-order method where the pairs are added up, or p <= 200 and
 * s <= m; else by the low-rank factor. `auto` leaves it out where it would take minutes (sdpp_cost.h). */
#include "methods/sdpp/sdpp_solve.h"

#include "base/core/tryout.h"
#include "math/convex/certificate.h"
#include "math/linalg/linalg.h"
#include "methods/sdpp/sdpp_cost.h"
#include "methods/sdpp/sdpp_remote.h"
#include "methods/sdpp/sdpp_starts.h"

#include <math.h>
#include <string.h>

static const double convex_tol = 1e-9, low_rank_tol = 1e-8;
/* Where fits are tried, a start need not be the optimum to its last digits. */
static const double trial_convex_tol = 1e-3;

/* Whether the fit is one of many that are tried, and is to be short. */
static int is_trial(const ald_run *run, const ald_sdpp_solving *s)
{
    return ald_tryout_sparing(run) && s->problem->r > 0 && s->settings.solver == ALD_SDPP_AUTO;
}

/* v (d x k): the columns of M x turned so that they are orthogonal, longest first; x is turned alike. */
static ald_status turn(ald_run *run, const ald_basis *basis, int64_t k, double *x, double *v, double *lengths)
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
    const double tol = is_trial(run, s) ? trial_convex_tol : convex_tol;
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
    ALD_TRY(turn(run, &s->basis, q, s->convex.factor, v, s->convex_lengths));
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

static const double certified_gap = 1e-7;
/* Where fits are tried scores need no more than some four digits. */
static const double trial_tol = 1e-5;
enum { trial_fits = 9 };

/* Fits that are tried share the sums, and all of them are to take the same form. */
static int quadratic_pays(const ald_run *run, const ald_sdpp_solving *s)
{
    if (s->stress.sums) return 1;
    const int shared = ald_tryout_sparing(run) && !run->call.tryout->alone;
    const ald_sdpp_sizes sizes = {
        .n = (double)s->basis.n,
        .p = (double)s->basis.p,
        .m = (double)s->pairs->pairs.count,
        .r = (double)(s->r > 0 && !shared ? s->r : 2),
        .starts = (double)s->starts,
    };
    return ald_sdpp_sums_pay(&sizes, shared ? trial_fits : 1.0);
}

static ald_status make_quadratic(ald_run *run, ald_sdpp_solving *s)
{
    if (!s->stress.divergence->quartic || !quadratic_pays(run, s)) return ALD_OK;
    s->has_quadratic = 1;
    return ald_sdpp_common_quadratic(run, s, s->basis.p > 16 ? s->basis.p : 16, 16);
}

/* n_components = 0: as many as stand before the largest gap between the eigenvalues of P*. */
static ald_status choose_by_gap(ald_run *run, ald_sdpp_solving *s)
{
    double widest = -1.0;
    if (s->r > 0) return ALD_OK;
    s->r = 1;
    for (int64_t k = 1; k <= s->convex.rank && k < s->basis.p; k++) {
        const double gap = s->convex_lengths[k - 1] - (k < s->convex.rank ? s->convex_lengths[k] : 0.0);
        if (gap <= widest) continue;
        widest = gap;
        s->r = k;
    }
    return ald_model_set_printed(run, s->model, "alidade.resolved.dimension_rule",
                                 "largest gap between the eigenvalues of the convex optimum: after %lld",
                                 (long long)s->r);
}

static ald_status leading_part(ald_run *run, ald_sdpp_solving *s, double *w)
{
    (void)run;
    memset(w, 0, (size_t)(s->basis.p * s->r) * sizeof *w);
    for (int64_t i = 0; i < s->basis.p; i++)
        for (int64_t k = 0; k < s->r && k < s->convex.rank; k++)
            w[i * s->r + k] = s->convex.factor[i * s->convex.rank + k];
    s->iterations = s->all_iterations = s->convex.iterations;
    s->converged = s->convex.gap <= 1e-6 * s->at_zero;
    return ALD_OK;
}

static ald_status find_w(ald_run *run, ald_sdpp_solving *s, ald_sdpp_watch *watching, double *w)
{
    if (s->settings.solver != ALD_SDPP_AUTO && s->settings.solver != ALD_SDPP_CG)
        return leading_part(run, s, w);
    s->certified = s->has_convex && s->convex.gap <= certified_gap * s->at_zero && s->convex_rank > 0 &&
                   s->convex_rank <= s->r;
    return s->certified ? ald_sdpp_run_certified(run, s, w) : ald_sdpp_run_starts(run, s, watching, w);
}

/* J by the pairs themselves, where they are here, which no form it was minimised in can have rounded. */
static ald_status final_value(ald_run *run, ald_sdpp_solving *s, const double *w, double *value)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    const ald_objective objective =
        s->stress.sums ? ald_quadratic_objective(&s->quadratic) : ald_stress_objective(&s->stress);
    double *g;
    ALD_TRY(ald_scratch_reals(run, s->basis.p, s->r, &g));
    ALD_TRY(objective.place(run, objective.self, w, s->r, 1));
    ALD_TRY(objective.gradient(run, objective.self, value, g));
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

static ald_status say_certificate(ald_run *run, ald_sdpp_solving *s, double value, double gap)
{
    const double relative = gap / s->at_zero;
    ALD_TRY(ald_model_set_real(run, s->model, "alidade.resolved.relative_gap", relative));
    if (relative <= 1e-5)
        return ald_model_set_printed(run, s->model, "alidade.resolved.certificate",
                                     "global optimum to %.1e of J(0)", relative);
    if (s->has_convex && s->convex.gap <= 1e-5 * s->at_zero && s->r < s->convex_rank)
        return ald_model_set_printed(
            run, s->model, "alidade.resolved.certificate",
            "rank %lld is below the rank %lld of the convex optimum, which is %.2g %% lower", (long long)s->r,
            (long long)s->convex_rank, 100.0 * (value - s->convex.value) / value);
    return ald_model_set_printed(run, s->model, "alidade.resolved.certificate",
                                 "none: the optimum over all ranks may be lower by up to %.2g %% of J(0)",
                                 100.0 * relative);
}

/* From W itself, or from the convex optimum: J(W) - J* <= J(W) - J(P) + gap(P). */
static ald_status certify(ald_run *run, ald_sdpp_solving *s, const double *w, double value)
{
    ald_certificate c = {.room = 0};
    if (!s->certifiable || is_trial(run, s)) return ALD_OK;
    if (!s->basis.whitened && !s->has_convex)
        return ald_model_set_text(
            run, s->model, "alidade.resolved.certificate",
            "none: beyond 2000 columns and rows it takes longer than the fit; solver=first-order makes one");
    ALD_TRY(ald_certify(run, &s->stress, w, s->r, value, s->seed, &c));
    double gap = c.gap;
    if (s->has_convex) gap = fmin(gap, fmax(value - s->convex.value, 0.0) + s->convex.gap);
    return say_certificate(run, s, value, gap);
}

static ald_status describe(ald_run *run, ald_sdpp_solving *s, double value)
{
    const int by_cg = s->settings.solver == ALD_SDPP_AUTO || s->settings.solver == ALD_SDPP_CG;
    const char *cg = s->has_convex ? "cg after the convex problem" : "cg";
    ALD_TRY(
        ald_model_set_printed(run, s->model, "alidade.resolved.solver", "%s", by_cg ? cg : s->convex.solver));
    ALD_TRY(ald_model_set_printed(run, s->model, "alidade.resolved.iterations", "%lld",
                                  (long long)s->iterations));
    ALD_TRY(ald_model_set_printed(run, s->model, "alidade.resolved.iterations_of_all_starts", "%lld",
                                  (long long)s->all_iterations));
    ALD_TRY(ald_model_set_real(run, s->model, "alidade.resolved.objective", value));
    ALD_TRY(ald_model_set_real(run, s->model, "alidade.resolved.objective_at_zero", s->at_zero));
    ALD_TRY(ald_model_set_text(run, s->model, "alidade.resolved.form",
                               s->has_quadratic ? "pairs added up once" : "passes over X and the pairs"));
    if (by_cg)
        ALD_TRY(ald_model_add_vector(
            run, s->model, "objective_history",
            s->iterations < s->history_length ? s->iterations + 1 : s->history_length, s->history));
    if (!s->converged)
        ald_warn(
            run, ALD_NOT_CONVERGED,
            "%s stopped after %lld iterations before its tolerance was reached: raise `max_iter`, or `tol`",
            ald_settings_method(run->settings)->name, (long long)s->iterations);
    return ALD_OK;
}

static ald_status begin(ald_run *run, const ald_operator *z, ald_sdpp_solving *s)
{
    s->r = s->problem->r;
    s->starts = s->settings.n_starts;
    s->max_iter = s->settings.max_iter;
    s->seed = s->settings.seed;
    s->length = sqrt(s->pairs->mean_square);
    if (is_trial(run, s)) s->settings.tol = fmax(s->settings.tol, trial_tol);
    ALD_TRY(ald_sdpp_common_basis(run, z, s));
    if (s->r > s->basis.p)
        return ald_too_many_components(run, s->problem, s->basis.p,
                                       "the dimensions in which neighbouring rows differ, or pca_dims");
    s->stress = (ald_stress){
        .basis = &s->basis,
        .pairs = &s->pairs->pairs,
        .squares = s->pairs->squares,
        .scale = 1.0 / s->pairs->rows,
    };
    ALD_TRY(ald_sdpp_make_sums(run, s));
    ALD_TRY(ald_sdpp_add_terms(run, s->problem, z, &s->settings, s->pairs, s->model, &s->stress));
    s->at_zero = ald_stress_at_zero(&s->stress);
    s->certifiable = s->stress.divergence->quartic && s->stress.spread == 0.0 &&
                     s->settings.penalty == ALD_SDPP_NO_PENALTY && s->settings.early_stopping == 0.0;
    ALD_TRY(ald_stress_size(run, &s->stress, s->seed, &s->size));
    ALD_TRY(ald_sdpp_choose_ridge(run, z, s));
    return ald_sdpp_find_scale(run, s);
}

/* From the coordinates to W and what is said about it. */
static ald_status solve(ald_run *run, const ald_operator *z, const ald_sdpp_settings *settings,
                        ald_sdpp_solving *s, ald_sdpp_result *out)
{
    ald_sdpp_watch watch;
    ald_sdpp_watch *watching = NULL;
    double *w;
    double value;
    if (s->settings.early_stopping > 0.0) {
        ALD_TRY(ald_sdpp_watch_new(run, &s->stress, settings, s->r, &watch));
        watching = &watch;
    }
    if (!watching) ALD_TRY(make_quadratic(run, s));
    if (!watching && !s->has_quadratic) ALD_TRY(ald_stress_card_open(run, &s->stress, &s->card));
    if (!watching) ALD_TRY(ald_sdpp_common_convex(run, s));
    ALD_TRY(choose_by_gap(run, s));
    ALD_TRY(ald_stress_prepare(run, &s->stress, s->r, 1));
    ALD_TRY(ald_scratch_reals(run, s->basis.p, s->r, &w));
    ALD_TRY(find_w(run, s, watching, w));
    s->stress.pairs = &s->pairs->pairs; /* those kept out count again */
    ALD_TRY(final_value(run, s, w, &value));
    ALD_TRY(describe(run, s, value));
    ALD_TRY(certify(run, s, w, value));
    *out = (ald_sdpp_result){.r = s->r};
    ALD_TRY(ALD_SCRATCH(run, {&out->w, s->basis.d, s->r}, {&out->lengths, s->r, 1}));
    ALD_TRY(turn(run, &s->basis, s->r, w, out->w, out->lengths));
    if (!(value < (1.0 - 1e-12) * s->at_zero)) out->lengths[0] = 0.0; /* W = 0 does as well */
    ALD_TRY(ald_sdpp_fill(run, &s->basis, s->model, out));
    return ald_sdpp_penalise(run, settings, s, z, out);
}

ald_status ald_sdpp_solve(ald_run *run, const ald_problem *problem, const ald_operator *z,
                          const ald_sdpp_settings *settings, const ald_sdpp_pairs *pairs, ald_model *model,
                          ald_sdpp_result *out)
{
    ald_sdpp_solving s = {.problem = problem, .model = model, .pairs = pairs, .settings = *settings};
    ALD_TRY(begin(run, z, &s));
    const ald_status status = solve(run, z, settings, &s, out);
    ald_stress_card_close(run, &s.stress);
    return status;
}
