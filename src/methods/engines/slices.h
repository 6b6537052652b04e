/* Slices of the target, for the methods that average within them. Classes are slices; a real response is
 * cut by ranks,
 *
 *   slice of row i = floor(n_slices #{j : y_j < y_i} / n)      weighted: the weight of those rows
 *
 * so ties stay together; empty slices are dropped and the rest numbered 0 .. count - 1 in order of y. */
#ifndef ALD_ENGINES_SLICES_H
#define ALD_ENGINES_SLICES_H

#include "base/numbers/ordering.h"
#include "methods/engines/problem.h"

typedef struct ald_slices {
    int32_t *of;   /* slice of each row, n; a row of weight 0 is in some slice, of which it changes nothing */
    int64_t count; /* slices there are, >= 2 */
    double *weight; /* sum of the weights (number of rows) of each, > 0, count */
    double *edges;  /* real response: the smallest y of each slice, count; NULL for classes */
} ald_slices;

/* Adds alidade.resolved.slices to the model, and the edges as the array slice_edges for a real response. More
 * slices than distinct values are a warning, a single one is an error. */
ald_status ald_problem_slices(ald_run *run, const ald_problem *problem, int64_t n_slices, ald_model *model,
                              ald_slices *slices);

/* The slicings of a target: classes are one, and of several real responses each is cut alone (Saracco 2005),
 * so that a method takes the mean of the matrices of all. The edges of several are not kept. */
typedef struct ald_slicings {
    int64_t count, slices; /* slicings, >= 1; slices of all together */
    ald_slices *each;
} ald_slicings;
ald_status ald_problem_slicings(ald_run *run, const ald_problem *problem, ald_model *model, ald_slicings *s);

/* The real response as classes: the number of the slice, of those that begin at `edges`, that each row falls
 * into. What is below the first is in the first. Weights stay. */
ald_status ald_slice_target(ald_run *run, const double *edges, int64_t count, const ald_target *y,
                            ald_target *slices);

/* The rows in order of the one real response, ties by row; n in scratch. */
ald_status ald_rank_rows(ald_run *run, const ald_problem *problem, ald_ranked **ranked);

/* n_slices, and its value. */
extern const ald_param *const ald_slices_params[];
int64_t ald_slices_asked(const ald_run *run);

#endif
