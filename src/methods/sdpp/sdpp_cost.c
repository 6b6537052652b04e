/* Seconds on one thread, with n rows, d columns, p = min(d, n - 1), s = p (p + 1) / 2, m pairs, r directions
 * and k starts, which bench/costs.py holds to the clock:
 *
 *   neighbours              as any search, and the pairs of rows that they make
 *   whitening               n d, n d^2
 *   choosing the ridge      24 runs of the conjugate gradient, or 6, from one start each
 *   pairs added up          m s, m s^2, where that pays
 *   convex problem          with the sums some 12 steps of s^2 and p^3, without them 25 + 200 p / n of m p
 *                           and p^3; as a factor 12 rounds of 100 steps with some 10 columns, 80 n p, and a
 *                           certificate, 10 p^3
 *   conjugate gradient      16 k steps for one direction, 40 k r for several, of s^2, or of n p r and m r;
 *                           and the certificate of what it finds, m p
 *
 * How many steps are taken depends on the data more than on their size.
 *
 * Whether the pairs are added up is decided by coarser counts, products of matrices at 2e10 operations per
 * second and passes over the pairs at 2e9. */
#include "methods/sdpp/sdpp_cost.h"

#include "base/settings/limits.h"
#include "math/graph/graph_params.h"
#include "methods/sdpp/sdpp_starts.h"

#include <math.h>

static const double products = 2e10, passes = 2e9, most_convex_work = 2e9;
/* Pairs of rows for each neighbour of a row: some are neighbours of each other. */
static const double pairs_each = 0.77;

static ald_sdpp_sizes sizes_of(const ald_run *run, const ald_problem *problem,
                               const ald_sdpp_settings *settings, int64_t columns)
{
    const ald_graph_options graph = ald_graph_options_of(run, ald_sdpp_neighbours(problem->n));
    ald_sdpp_sizes z = {.n = (double)problem->n, .starts = (double)settings->n_starts};
    z.p = fmin((double)columns, z.n - 1.0);
    if (settings->pca_dims > 0) z.p = fmin(z.p, (double)settings->pca_dims);
    z.m = z.n * fmax(pairs_each * (double)graph.n_neighbors, 1.0);
    z.r = problem->r > 0 ? (double)problem->r : 2.0;
    return z;
}

static double unknowns(const ald_sdpp_sizes *z)
{
    return z->p * (z->p + 1.0) / 2.0;
}

int ald_sdpp_sums_pay(const ald_sdpp_sizes *z, double fits)
{
    const double s = unknowns(z), adding = z->m * s * s / products,
                 going = 60.0 * z->starts * (4.0 * z->n * z->p * z->r + 40.0 * z->m * z->r) / passes;
    return s <= ALD_QUADRATIC_UNKNOWNS && adding < fits * going;
}

int ald_sdpp_convex_is_long(double n, double p)
{
    return n * p * p > most_convex_work;
}

static double adding_seconds(const ald_sdpp_sizes *z)
{
    const double s = unknowns(z);
    return z->m * s * (2.6e-9 + 3.2e-11 * s);
}

static double convex_seconds(const ald_sdpp_sizes *z, int sums)
{
    const double cube = z->p * z->p * z->p, s = unknowns(z), steps = 25.0 + 200.0 * z->p / z->n;
    if (sums) return 12.0 * (2e-5 + 3e-10 * s * s + 5e-9 * cube);
    if (ald_sdpp_convex_is_long(z->n, z->p)) return 0.0;
    if (z->p > ALD_SDPP_LARGEST_FIRST_ORDER || s > z->m)
        return 12.0 * (200.0 * 80.0 * z->n * z->p + 10.0 * cube + 2.0 * z->n * z->p * z->p) / products;
    return steps * (1e-4 + 1.3e-9 * z->m * z->p + 5e-10 * cube);
}

static double descent_seconds(const ald_sdpp_sizes *z, int sums, double starts)
{
    const double s = unknowns(z), steps = starts * (z->r > 1.0 ? 40.0 * z->r : 16.0);
    return steps * (sums ? 4e-6 + s * (1e-7 + 3e-10 * s) : z->r * (1e-9 * z->n * z->p + 1.8e-9 * z->m));
}

void ald_sdpp_plan(const ald_run *run, const ald_problem *problem, const ald_sdpp_settings *settings,
                   int64_t columns)
{
    const ald_sdpp_sizes z = sizes_of(run, problem, settings, columns);
    const double d = (double)problem->d;
    const int sums = ald_sdpp_sums_pay(&z, 1.0);
    const ald_stage_cost stages[] = {
        {"searching neighbours", ald_graph_seconds(z.n, d) + 3.7e-7 * z.m},
        {"whitening", z.n * d * (4e-8 + 2e-10 * z.p)},
        {"choosing the ridge",
         ald_sdpp_ridge_runs(settings, problem->n, problem->d) * descent_seconds(&z, 0, 1.0)},
        {"adding up pairs", sums ? adding_seconds(&z) : 0.0},
        {"convex problem", settings->solver == ALD_SDPP_CG ? 0.0 : convex_seconds(&z, sums)},
        {"conjugate gradient", descent_seconds(&z, sums, z.starts) + (sums ? 0.0 : 1.3e-8 * z.m * z.p)},
    };
    ald_plan_seconds(run, stages, sizeof stages / sizeof *stages);
}
