/* Seconds, roughly, with n rows, d columns, p = min(d, n - 1), s = p (p + 1) / 2, m pairs, r directions, k
 * starts: products of matrices at 2e10 operations per second, passes over the pairs at 2e9.
 *
 *   neighbours              2 n^2 d
 *   choosing the ridge      24 runs of the conjugate gradient, or 6, from one start each
 *   pairs added up          m s^2, where that pays
 *   convex problem          100 steps of 2 s^2 + 100 p^3, or of 4 n p^2 + 40 m without the sums; as a factor
 *                           12 rounds of 100 steps with some 10 columns, 80 n p, and a certificate, 10 p^3
 *   conjugate gradient      100 k steps of 6 s^2, or 60 k of 4 n p r + 40 m r
 */
#include "methods/sdpp/sdpp_cost.h"

#include "base/settings/limits.h"
#include "math/graph/graph_params.h"
#include "methods/sdpp/sdpp_starts.h"

#include <math.h>

static const double products = 2e10, passes = 2e9, most_convex_work = 2e9;

static ald_sdpp_sizes sizes_of(const ald_run *run, const ald_problem *problem,
                               const ald_sdpp_settings *settings, int64_t columns)
{
    const ald_graph_options graph = ald_graph_options_of(run, ald_sdpp_neighbours(problem->n));
    ald_sdpp_sizes z = {.n = (double)problem->n, .starts = (double)settings->n_starts};
    z.p = fmin((double)columns, z.n - 1.0);
    if (settings->pca_dims > 0) z.p = fmin(z.p, (double)settings->pca_dims);
    z.m = z.n * fmax((double)graph.n_neighbors, 1.0);
    z.r = problem->r > 0 ? (double)problem->r : 2.0;
    return z;
}

static double unknowns(const ald_sdpp_sizes *z)
{
    return z->p * (z->p + 1.0) / 2.0;
}

static double adding(const ald_sdpp_sizes *z)
{
    return z->m * unknowns(z) * unknowns(z) / products;
}

static double by_pairs(const ald_sdpp_sizes *z, double starts)
{
    return 60.0 * starts * (4.0 * z->n * z->p * z->r + 40.0 * z->m * z->r) / passes;
}

int ald_sdpp_sums_pay(const ald_sdpp_sizes *z, double fits)
{
    return unknowns(z) <= ALD_QUADRATIC_UNKNOWNS && adding(z) < fits * by_pairs(z, z->starts);
}

int ald_sdpp_convex_is_long(double n, double p)
{
    return n * p * p > most_convex_work;
}

static double convex_seconds(const ald_sdpp_sizes *z, int sums)
{
    const double cube = z->p * z->p * z->p, s = unknowns(z);
    if (sums) return 100.0 * (2.0 * s * s + 100.0 * cube) / products;
    if (ald_sdpp_convex_is_long(z->n, z->p)) return 0.0;
    if (z->p > ALD_SDPP_LARGEST_FIRST_ORDER || s > z->m)
        return 12.0 * (200.0 * 80.0 * z->n * z->p + 10.0 * cube + 2.0 * z->n * z->p * z->p) / products;
    return 100.0 * (4.0 * z->n * z->p * z->p + 40.0 * z->m) / passes;
}

void ald_sdpp_plan(const ald_run *run, const ald_problem *problem, const ald_sdpp_settings *settings,
                   int64_t columns)
{
    const ald_sdpp_sizes z = sizes_of(run, problem, settings, columns);
    const double s = unknowns(&z);
    const int sums = ald_sdpp_sums_pay(&z, 1.0);
    const ald_stage_cost stages[] = {
        {"searching neighbours", 2.0 * z.n * z.n * (double)problem->d / products},
        {"choosing the ridge", ald_sdpp_ridge_runs(settings, problem->n, problem->d) * by_pairs(&z, 1.0)},
        {"adding up pairs", sums ? adding(&z) : 0.0},
        {"convex problem", settings->solver == ALD_SDPP_CG ? 0.0 : convex_seconds(&z, sums)},
        {"conjugate gradient", sums ? 100.0 * z.starts * 6.0 * s * s / products : by_pairs(&z, z.starts)},
    };
    ald_plan_stages(run, stages, sizeof stages / sizeof *stages);
}
