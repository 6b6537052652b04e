/* Moments: what is enough of the data to fit every method of second moments again, without the data.
 *
 * n, the sum of the weights, the mean and the centred scatter of the row-scaled rows; with classes or labels,
 * for each distinct pattern of labels its count and the mean of its rows; with real responses their mean,
 * their scatter and the cross products with X. Rows are added and taken away by Chan's update, to rounding of
 * the larger scatter; moments that are kept for updates have exact sums besides (moments/exact.h), up to 1000
 * columns, which forget rows without a trace. The scatter is d x d: up to d = 5000. */
#ifndef ALD_MOMENTS_MOMENTS_H
#define ALD_MOMENTS_MOMENTS_H

#include "base/settings/limits.h"
#include "methods/engines/problem.h"

typedef struct ald_moments {
    double n;      /* rows of positive weight */
    double weight; /* the sum of their weights, n where they have none; all sums below are weighted */
    int weighted;
    int64_t d;
    int64_t k; /* classes, labels or responses */
    ald_target_kind kind;
    double *mean;    /* d */
    double *scatter; /* d x d */
    /* Classes and labels. */
    int64_t patterns;
    double *pattern; /* patterns x k of 0 and 1 */
    double *count;   /* patterns: the weight of its rows */
    double *centre;  /* patterns x d: means */
    double *within;  /* patterns x d x d: the scatter of each class about its mean, for methods that need it;
                        or NULL */
    double *edges;   /* k: the classes are slices of a real response that begin here; or NULL */
    /* Real responses. */
    double *y_mean;        /* k */
    double *cross;         /* d x k */
    double *y_scatter;     /* k x k */
    double *curved;        /* d x d, of one response, for methods that need it (moments/curved.h); or NULL */
    double curved_squares; /* of residuals, where `curved` is of those: the sum of their squares */
    /* Moments that are kept; packed triangles of sums of three doubles (moments/exact.h), or NULL. */
    struct {
        double *joint;
        double *centre;
        double *within;
    } exact;
    double *lost; /* d: a bound of the error of the diagonal of the scatter; NULL: nobody asks */
} ald_moments;

/* Distinct rows of 0 and 1, numbered by first appearance, found by hashing. */
/* A slot holds the number of a pattern + 1, 0 is free; at most half full. All in scratch. */
typedef struct ald_patterns {
    int64_t k, count;
    double *patterns; /* count x k */
    int64_t *slots;
    uint64_t mask;
} ald_patterns;

/* Room for `most` patterns of k labels. */
ald_status ald_patterns_new(ald_run *run, int64_t most, int64_t k, ald_patterns *index);
/* The number of the pattern; a new one is added behind the others. Entries are 0 and 1. */
ald_status ald_patterns_find(ald_run *run, ald_patterns *index, const double *row, int64_t *number);

/* The error for more columns than the scatter can have. */
ald_status ald_moments_check_order(ald_run *run, int64_t d);
/* All results are in scratch. `rows` is X with its row scaling and nothing else. Rows of weight 0 are left
 * out, and without any other the moments are those of no rows (n 0, mean NULL). */
ald_status ald_moments_of_rows(ald_run *run, const ald_operator *rows, const ald_target *target,
                               ald_moments *moments);
/* The same for moments that are kept: with exact sums. Up to 64 rows, and rows with a cell that is 256 times
 * as far off as its column's cells are as a rule, are summed exactly; the others by the backend. */
ald_status ald_moments_to_keep(ald_run *run, const ald_operator *rows, const ald_target *target,
                               ald_moments *moments);
/* For each row the number of its pattern; patterns of `m` are those of the target (classes: all of them). */
ald_status ald_moments_find_patterns(ald_run *run, const ald_target *target, ald_moments *m, int64_t *of);
/* Sizes, kind and weight of the moments of these rows; no array. */
void ald_moments_begin(const ald_operator *rows, const ald_target *target, ald_moments *m);
/* a with the rows of b added (sign 1) or taken away (-1). Its arrays are in `arena`. Classes that only b has
 * are added. Taking away rows that are not there is an error where it shows; that it cost digits is a
 * warning. */
ald_status ald_moments_merge(ald_run *run, ald_arena *arena, ald_moments *a, const ald_moments *b, int sign);
/* The same with sign 1, where `total` may still be without rows that weigh (mean NULL; d 0: without any): it
 * then becomes a copy. */
ald_status ald_moments_add(ald_run *run, ald_arena *arena, const ald_moments *change, ald_moments *total);
/* All its arrays but the edges, with the numbers that each has where it is there (not NULL), in columns (0: a
 * vector), and what a model calls it. */
typedef struct ald_moments_slot {
    double **array;
    int64_t count, cols;
    const char *name;
} ald_moments_slot;
enum { ALD_MOMENTS_SLOTS = 14 };
void ald_moments_slots(ald_moments *moments, ald_moments_slot *slots);
/* What moments are apart from their arrays, to be saved or sent: bit i of `arrays` says that slot i is
 * there. */
typedef struct ald_moments_outline {
    double n, weight, curved_squares;
    int64_t d, k, patterns, weighted, kind, arrays;
} ald_moments_outline;
ald_moments_outline ald_moments_outline_of(ald_moments *moments);
/* Whether moments that were read can be of rows like these (ald_moments_begin), with all arrays that the
 * method of the run asks for. */
int ald_moments_can_be(ald_run *run, const ald_moments *moments, const ald_moments *like);
/* Without any array. */
ald_moments ald_moments_of_outline(const ald_moments_outline *outline);
/* The classes or labels of `target` instead of the target that m has; mean and scatter stay, which are those
 * of these rows. A pass over the rows, in scratch. */
ald_status ald_moments_group(ald_run *run, const ald_operator *rows, const ald_target *target,
                             ald_moments *m);
/* Class or label j becomes places[j] of k, at least as many as there are. New arrays are
 * in `arena`. */
ald_status ald_moments_renumber(ald_run *run, ald_arena *arena, const int64_t *places, int64_t k,
                                ald_moments *m);
/* A copy whose arrays are in `arena`; the edges are not copied. */
ald_status ald_moments_copy(ald_run *run, ald_arena *arena, const ald_moments *from, ald_moments *to);

/* As arrays `statistics/...` of a model, and back; a model without them is an error. */
ald_status ald_moments_store(ald_run *run, const ald_moments *moments, ald_model *model);
ald_status ald_moments_load(ald_run *run, const ald_model *model, ald_moments *moments);

/* Whether its sums of squares are of a size that loses nothing: -1, or a column of which they are not. */
int64_t ald_moments_extreme(const ald_moments *moments);
/* The error for such a column. */
ald_status ald_moments_check_size(ald_run *run, const ald_moments *moments);

/* A problem of few rows with exactly these moments, which a method cannot tell from the data: the rows
 * sqrt(count) (centre - mean) of the patterns, and d rows of weight 0 whose scatter is what is left within
 * them; with responses, the rows of a root of the joint scatter. By the run's settings for scale and
 * n_components. `target` is filled and referred to. */
ald_status ald_moments_problem(ald_run *run, const ald_moments *moments, ald_target *target,
                               ald_problem *problem);
/* The same in two steps: the rows, which cost most and no setting enters, and what the run's settings make of
 * them. */
ald_status ald_moments_rows(ald_run *run, const ald_moments *moments, ald_target *target,
                            ald_problem *problem);
ald_status ald_moments_settle(ald_run *run, const ald_moments *moments, ald_problem *problem);

#endif
