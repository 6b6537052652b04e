/* What sdpp fits to: pairs of neighbours and the squared distances that their projections should have. */
#ifndef ALD_SDPP_SDPP_PAIRS_H
#define ALD_SDPP_SDPP_PAIRS_H

#include "math/graph/pairs.h"
#include "methods/engines/problem.h"
#include "methods/sdpp/sdpp_params.h"

typedef struct ald_sdpp_pairs {
    ald_pairs pairs;    /* the two directions of a pair merged: weights 1 and 2, or given ones */
    double *squares;    /* delta^2, one per entry of the pairs */
    double rows;        /* n of the criterion: labelled rows (their weights) */
    double wanted;      /* the sum of delta^2 over the pairs, by weight */
    double mean_square; /* the mean */
} ald_sdpp_pairs;

/* Neighbours per row, of so many rows, where the settings do not say. */
int64_t ald_sdpp_neighbours(int64_t rows);

/* The graph by the settings (or the given one) on the labelled rows of z; what was resolved goes to the
 * model. */
ald_status ald_sdpp_find_pairs(ald_run *run, const ald_problem *problem, const ald_operator *z,
                               const ald_sdpp_settings *settings, ald_model *model, ald_sdpp_pairs *out);

/* delta^2 of the pairs, which are those of the rows of the problem, and their sum. */
ald_status ald_sdpp_find_squares(ald_run *run, const ald_problem *problem, const ald_sdpp_settings *settings,
                                 ald_model *model, ald_sdpp_pairs *out);

#endif
