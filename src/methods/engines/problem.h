/* What a method is given: X prepared as an operator, the target, and how many directions are wanted.
 * Everything has been checked: sizes, finite values, the kind of target against the method's capabilities. */
#ifndef ALD_ENGINES_PROBLEM_H
#define ALD_ENGINES_PROBLEM_H

#include "base/core/model.h"
#include "base/settings/method.h"
#include "math/operator/entry.h"

#include <alidade/matrix.h>

typedef struct ald_problem {
    ald_operator x; /* row-scaled, scaled, centred, times the roots of the weights */
    int64_t n, d;   /* rows and columns of x, which may have a part of the rows (operator/all_rows.h) */
    double total;   /* the sum of the weights, n where there are none: what stands for the number of rows */
    double samples; /* rows of the data of positive weight; more than n where x was made from moments */
    int gappy;      /* cells of x are NaN: they have no value */
    int centred;    /* a real target is centred already, like x (made from moments) */
    int64_t r;      /* n_components as asked for; 0: the method's own rule */
    const double *shift; /* what scaling subtracts before it divides (minmax); NULL: nothing. Without centring
                            this is the mean */
    const double *scale; /* d, or NULL */
    const double *weights; /* n, as they were given, a row of weight w is w rows; or NULL */
    const int64_t *which; /* n: the rows of the caller that these are, where some have no weight; NULL: all */
    const ald_target *target;
    /* Given by the caller, or NULL; for methods that have the capability. */
    const ald_matrix *graph;           /* n x n: weights of neighbours */
    const ald_matrix *distances;       /* n x n: distances of the target, instead of one */
    const ald_matrix *response_kernel; /* n x n: products of the targets in a feature space */
    const ald_matrix *start;           /* r x d: directions to start from */
    const struct ald_moments *moments; /* what the rows of x were made from; NULL: they are the data */
    /* Pairs of all rows, n of them, of which x has a part (methods/sdpp/sdpp_remote.h); NULL: x has all. */
    const struct ald_remote_pairs *remote;
} ald_problem;

/* The target as numbers (ald_target_numbers), centred by their (weighted) means and times the roots of the
 * weights, like X. */
ald_status ald_problem_responses(ald_run *run, const ald_problem *problem, double **y, int64_t *q);

/* What of |Z|_F^2 may be the rounding of the means: (4 eps)^2 n sum_j m_j^2. Eigenvalues of Z'Z up to this
 * say nothing; columns of 0.1 throughout have them. 0 where columns are scaled, which has its own rule for
 * those that do not vary.
 */
double ald_rounding_of_means(const ald_operator *z);

/* Scales the columns by `scale` (d, kept): the prepared X divides by it. What varies by the rounding of its
 * own size only does not vary: it is set to 1 there. */
ald_status ald_problem_scale(ald_run *run, ald_problem *problem, const double *mean, double *scale);

/* "METHOD has N directions here (why); K were asked for". With components_rule=at-most the fit is then done
 * with N. */
ald_status ald_too_many_components(ald_run *run, const ald_problem *problem, int64_t available,
                                   const char *why);
/* The most components that the method of the settings can have with such data, by the bounds in its table:
 * the rank of the data may allow fewer. */
int64_t ald_most_components(const ald_settings *settings, int64_t rows, int64_t cols, const ald_target *y);
/* Refuses more than that before anything long is done, in the same words. */
ald_status ald_check_bounds(ald_run *run, const ald_problem *problem, const char *why);
/* Refuses so many classes that a column for each is too much to go over again and again (ALD_CLASS_CELLS). */
ald_status ald_check_class_columns(ald_run *run, const ald_problem *problem);
/* "no column of X varies together with the target", or that its numbers cannot be squared. */
ald_status ald_no_direction(ald_run *run, const ald_problem *problem);
/* "X or the target is too large to be squared". */
ald_status ald_too_large(ald_run *run);
/* The error for n_components = 0 where a method has no rule of its own. */
ald_status ald_no_own_rule(ald_run *run);

/* For methods that place the rows they are given and have no map for others: tells the model so, and by what
 * to know those rows again. */
ald_status ald_map_none(ald_run *run, const ald_problem *problem, ald_model *model);

/* Adds `components` (r x d) to the model after fixing the signs; sign (NULL: not wanted) as in ald_fix_signs.
 */
ald_status ald_add_components(ald_run *run, const ald_problem *problem, int64_t r, double *components,
                              double *sign, ald_model *model);
/* Adds `score_variances` of a method whose scores are uncorrelated and whose loadings (else components)
 * reconstruct best from them: with that ald_outliers needs no pass over the rows. `squares` (r) are their
 * sums over the rows. */
ald_status ald_add_score_variances(ald_run *run, const ald_problem *problem, int64_t r, const double *squares,
                                   ald_model *model);

/* The rows that have a target and those that have none, for the methods that use both. */
typedef struct ald_labelled {
    int64_t count, others_count;
    int64_t *which, *others; /* row numbers, ascending: with a target, without one */
    ald_target target;       /* of the labelled rows alone, `count` of them, without weights */
} ald_labelled;              /* in scratch */

/* Fewer than two labelled rows are an error, a class without any is a warning. */
ald_status ald_labelled_find(ald_run *run, const ald_problem *problem, ald_model *model,
                             ald_labelled *labelled);

#endif
