/* Seconds, roughly, with n rows, d columns, p = min(d, n - 1), s = p (p + 1)/2, m pairs, r directions, k
 * starts: products of matrices at 2e10 operations per second, passes over the pairs at 2e9.
 *
 *   neighbours              2 n^2 d
 *   pairs added up          m s^2, where that pays (sdpp_solve.c)
 *   convex problem          250 steps of 2 s^2 + 100 p^3, or of 4 n p^2 + 40 m without the sums
 *   conjugate gradient      100 k steps of 6 s^2, or 60 k of 4 n p r + 40 m r
 */
#include "sdpp/sdpp_plan.h"

#include "graph/graph_params.h"
#include "sdpp/sdpp_pairs.h"

#include <math.h>

static const double products = 2e10, passes = 2e9;

void ald_sdpp_plan(const ald_run *run, const ald_problem *problem, const ald_sdpp_settings *settings)
{
    const ald_graph_options graph = ald_graph_options_of(run, ald_sdpp_neighbours(problem->n));
    const double n = (double)problem->n, d = (double)problem->d, p = fmin(d, n - 1.0),
                 s = p * (p + 1.0) / 2.0, m = n * fmax((double)graph.n_neighbors, 1.0),
                 r = problem->r > 0 ? (double)problem->r : 2.0, starts = (double)settings->n_starts;
    const double adding = m * s * s / products,
                 by_pairs = 60.0 * starts * (4.0 * n * p * r + 40.0 * m * r) / passes;
    const int sums = s <= 2000.0 && adding < by_pairs;
    const int convex = settings->solver != ALD_SDPP_CG && (sums || n * p * p <= 2e9);
    const double step =
        sums ? (2.0 * s * s + 100.0 * p * p * p) / products : (4.0 * n * p * p + 40.0 * m) / passes;
    const ald_stage_cost stages[] = {
        {"searching neighbours", 2.0 * n * n * d / products},
        {"adding up pairs", sums ? adding : 0.0},
        {"convex problem", convex ? 250.0 * step : 0.0},
        {"conjugate gradient", sums ? 100.0 * starts * 6.0 * s * s / products : by_pairs},
    };
    ald_plan_stages(run->context, stages, sizeof stages / sizeof *stages);
}
