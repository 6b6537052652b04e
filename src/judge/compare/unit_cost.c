/* About what a unit costs in one split, for the order of the work and the time that is left. With n rows, d
 * columns, m = min(n, d) and q outputs (classes, labels, responses), in operations of a loop, from times on a
 * few sets:
 *
 *   the mean, the most frequent class      10 n d
 *   all features                           4 n d m; for classes and labels also 500 n m q
 *   a quick method                         n d min(m, 30 r)
 *   one that compares rows                 n^2 d / 2, in the space of a kernel n^2 (d + n) / 2
 *   one that minimises                     also 8000 n (d + 20), by a kernel 8000 n (d + 20 + n)
 *
 * the last two for each number of components unless they are nested. One that chooses does all that, for all
 * its settings, in each of its inner splits. */
#include "judge/compare/comparing.h"

#include <math.h>

/* What every fit has: its rows are copied, and its figures are found. */
static double least_cost(const ald_comparing *c)
{
    return 1e5 + 10.0 * (double)c->data->x.rows * (double)c->data->x.cols;
}

/* (cells/sums.c) */
int ald_unit_is_quick(const ald_comparing *c, const ald_unit *u)
{
    const ald_candidate *candidate = u->candidate;
    const ald_sums_fit fit = {.settings = candidate->settings[u->setting], .r = ald_unit_most(u)};
    return ald_sums_is_quick(c->run, c->data, c->result->splits, &fit);
}

static double features_cost(const ald_comparing *c)
{
    const double n = (double)c->data->x.rows, d = (double)c->data->x.cols, m = fmin(n, d);
    const int steps = c->data->y.kind != ALD_TARGET_REAL;
    const double q = (double)ald_target_outputs(&c->data->y);
    return 4.0 * n * d * m + (steps ? 500.0 * n * m * q : 0.0);
}

/* One fit by settings number `s` of the candidate, for all its numbers of components. */
static double fit_cost(const ald_comparing *c, const ald_unit *u, int s)
{
    const double n = (double)c->data->x.rows, d = (double)c->data->x.cols;
    const ald_candidate *candidate = u->candidate;
    const ald_method *method = ald_settings_method(candidate->settings[s]);
    const int nested = (ald_method_capabilities(method) & ALD_IS_NESTED) != 0;
    const int64_t most = ald_unit_most(u);
    ald_unit one = *u;
    one.setting = s;
    if (ald_unit_is_quick(c, &one)) return n * d * fmin(fmin(n, d), 30.0 * (double)most);
    const double rows = (method->bounds & ALD_BY_ROWS) && !(method->bounds & ALD_BY_COLUMNS) ? n : 0.0;
    const double comparing = 0.5 * n * n * (d + rows);
    const double minimising = method->relation == ALD_BY_OBJECTIVE ? 8000.0 * n * (d + 20.0 + rows) : 0.0;
    return (nested ? 1.0 : (double)candidate->n_dims) * (comparing + minimising);
}

static double choosing_cost(const ald_comparing *c, const ald_unit *u)
{
    enum { usual_folds = 10 };
    const ald_splits_options *inner = u->candidate->inner;
    const double folds = inner && inner->folds > 1 ? (double)inner->folds : (double)usual_folds;
    double sum = 0.0;
    for (int s = 0; s < u->candidate->n_settings; s++) sum += least_cost(c) + fit_cost(c, u, s);
    return folds * sum;
}

double ald_unit_cost(const ald_comparing *c, const ald_unit *u)
{
    const double least = least_cost(c);
    if (u->candidate->kind == ALD_CANDIDATE_CONSTANT) return least;
    if (u->candidate->kind == ALD_CANDIDATE_FEATURES) return least + features_cost(c);
    if (u->candidate->choose) return least + choosing_cost(c, u);
    return least + fit_cost(c, u, u->setting);
}
