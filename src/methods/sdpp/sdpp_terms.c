/* With q = the mean of delta^2 over the pairs, so that what is added keeps its weight when y is scaled,
 *
 *   J + ridge |W|^2 + manifold q/n sum over near pairs of h_ij |z_i - z_j|^2 - repulsion q/n sum |z_i|^2,
 *
 * all linear in P = W W'. Near pairs are those of the graph on all rows, with a target or without; h =
 * exp(-d^2 / mean d^2). ridge_rel is a part of the largest eigenvalue of (2/n) sum delta^2 tau tau', from
 * which on W = 0 is the minimum.
 *
 * Divergences that are not finite at 0 are taken of distances plus a thousandth of q. */
#include "methods/sdpp/sdpp_terms.h"

#include "base/numbers/random.h"
#include "math/convex/certificate.h"
#include "math/graph/graph_params.h"
#include "methods/sdpp/sdpp_pairs.h"
#include "methods/sdpp/sdpp_remote.h"

#include <math.h>
#include <string.h>

enum { patience = 20 };

static ald_status near_pairs(ald_run *run, const ald_problem *problem, const ald_operator *z,
                             ald_pairs *pairs)
{
    const int64_t n = problem->n;
    const ald_graph_options options = ald_graph_options_of(run, ald_sdpp_neighbours(n));
    ald_graph graph;
    double sum = 0.0;
    if (problem->graph) {
        ALD_TRY(ald_graph_from_matrix(run, problem->graph, n, &graph));
    } else {
        ALD_TRY(ald_graph_build(run, z, &options, &graph));
        const int64_t entries = graph.pointers[n];
        for (int64_t e = 0; e < entries; e++) sum += graph.squares[e];
        ALD_TRY(ald_scratch_reals(run, entries, 1, &graph.weights));
        for (int64_t e = 0; e < entries; e++)
            graph.weights[e] = sum > 0.0 ? exp(-graph.squares[e] * (double)entries / sum) : 1.0;
    }
    return ald_pairs_merge(run, n, graph.pointers, graph.neighbours, graph.weights, NULL, pairs);
}

ald_status ald_sdpp_ridge_unit(ald_run *run, const ald_operator *z, uint64_t seed, const ald_stress *stress,
                               double *unit)
{
    ald_sdpp_plain plain;
    ALD_TRY(ald_sdpp_make_plain(run, z, stress, &plain));
    ALD_TRY(ald_stress_size(run, &plain.stress, seed, unit));
    *unit *= 0.5;
    return ALD_OK;
}

static ald_status add_ridge(ald_run *run, const ald_operator *z, const ald_sdpp_settings *settings,
                            ald_model *model, ald_stress *stress)
{
    const double relative = settings->ridge_rel;
    stress->ridge = settings->ridge;
    if (relative > 0.0) {
        double unit;
        ALD_TRY(ald_sdpp_ridge_unit(run, z, settings->seed, stress, &unit));
        stress->ridge += relative * unit;
    }
    return stress->ridge > 0.0 ? ald_model_set_real(run, model, "alidade.resolved.ridge", stress->ridge)
                               : ALD_OK;
}

ald_status ald_sdpp_add_terms(ald_run *run, const ald_problem *problem, const ald_operator *z,
                              const ald_sdpp_settings *settings, const ald_sdpp_pairs *pairs,
                              ald_model *model, ald_stress *stress)
{
    const double unit = pairs->mean_square / pairs->rows;
    stress->divergence = settings->divergence;
    stress->floor = 1e-3 * pairs->mean_square;
    stress->spread = settings->repulsion * unit;
    ALD_TRY(add_ridge(run, z, settings, model, stress));
    if (settings->manifold == 0.0) return ALD_OK;
    ald_pairs *near;
    ALD_TRY(ald_scratch(run, 1, 1, sizeof *near, &near));
    ALD_TRY(near_pairs(run, problem, z, near));
    stress->smooth = near;
    stress->smoothness = settings->manifold * unit;
    return ALD_OK;
}

ald_status ald_sdpp_watch_rows(ald_run *run, ald_stress *stress, const unsigned char *out, int64_t r,
                               ald_sdpp_watch *watch, int *usable)
{
    const ald_pairs *all = stress->pairs;
    *watch = (ald_sdpp_watch){.stress = stress, .fitted = *all, .kept_out = *all, .r = r};
    ALD_TRY(ALD_SCRATCH(run, {&watch->fitted.weights, all->count, 2},
                        {&watch->kept_out.weights, all->count, 2}, {&watch->best, stress->basis->p, r}));
    watch->fitted.total = watch->kept_out.total = 0.0;
    for (int64_t i = 0; i < all->n; i++)
        for (int64_t e = all->pointers[i]; e < all->pointers[i + 1]; e++) {
            const int kept_out = out[i] || out[all->partners[e]];
            watch->fitted.weights[e] = kept_out ? 0.0 : all->weights[e];
            watch->kept_out.weights[e] = kept_out ? all->weights[e] : 0.0;
            watch->fitted.total += 0.5 * watch->fitted.weights[e];
            watch->kept_out.total += 0.5 * watch->kept_out.weights[e];
        }
    *usable = watch->fitted.total > 0.0 && watch->kept_out.total > 0.0;
    return ALD_OK;
}

ald_status ald_sdpp_watch_new(ald_run *run, ald_stress *stress, const ald_sdpp_settings *settings, int64_t r,
                              ald_sdpp_watch *watch)
{
    const ald_pairs *all = stress->pairs;
    unsigned char *out;
    ald_random random;
    int usable;
    if (r == 0)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "`early_stopping` needs a number of components: set `n_components` to 1 or more");
    if (settings->solver != ALD_SDPP_AUTO && settings->solver != ALD_SDPP_CG)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "`early_stopping` applies to conjugate gradient: use `solver=cg`, not %s",
                        settings->solver_name);
    ALD_TRY(ald_scratch(run, all->n, 1, 1, &out));
    ald_random_seed(&random, settings->seed, 2000);
    for (int64_t i = 0; i < all->n; i++) out[i] = ald_random_uniform(&random) < settings->early_stopping;
    ALD_TRY(ald_sdpp_watch_rows(run, stress, out, r, watch, &usable));
    if (!usable)
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "`early_stopping=%g` leaves no pairs of neighbours to fit or to validate on: there "
                        "are too few rows",
                        settings->early_stopping);
    stress->pairs = &watch->fitted;
    return ALD_OK;
}

void ald_sdpp_watch_begin(ald_sdpp_watch *watch)
{
    watch->lowest = INFINITY;
    watch->since = 0;
    watch->stopped = 0;
}

/* The stress is at W, so its projected rows are there. */
double ald_sdpp_watch_value(const ald_sdpp_watch *watch)
{
    const ald_stress *s = watch->stress;
    const ald_pairs *pairs = &watch->kept_out;
    const double floor = s->divergence->quartic ? 0.0 : s->floor;
    double sum = 0.0;
    for (int64_t i = 0; i < pairs->n; i++)
        for (int64_t e = pairs->upper[i]; e < pairs->pointers[i + 1]; e++) {
            const double *a = s->u + i * s->r, *b = s->u + pairs->partners[e] * s->r;
            double d = 0.0;
            for (int64_t k = 0; k < s->r; k++) d += (a[k] - b[k]) * (a[k] - b[k]);
            sum += pairs->weights[e] * s->divergence->value(d + floor, s->squares[e] + floor);
        }
    return s->scale * sum;
}

ald_status ald_sdpp_watch_look(ald_run *run, void *self, const double *w, int *stop)
{
    ald_sdpp_watch *watch = self;
    const double value = ald_sdpp_watch_value(watch);
    (void)run;
    if (value < watch->lowest) {
        watch->lowest = value;
        watch->since = 0;
        memcpy(watch->best, w, (size_t)(watch->stress->basis->p * watch->r) * sizeof *w);
    } else if (++watch->since >= patience) {
        watch->stopped = *stop = 1;
    }
    return ALD_OK;
}

void ald_sdpp_watch_best(const ald_sdpp_watch *watch, double *w, double *value)
{
    if (!isfinite(watch->lowest)) return;
    memcpy(w, watch->best, (size_t)(watch->stress->basis->p * watch->r) * sizeof *w);
    *value = watch->lowest;
}
