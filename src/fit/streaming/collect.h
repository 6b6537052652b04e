/* What is small of a file, in one pass: the target, the weights, how many rows each block has, and, if
 * wanted, the means and standard deviations of the columns. */
#ifndef ALD_STREAMING_COLLECT_H
#define ALD_STREAMING_COLLECT_H

#include "data/encode/dataset.h"
#include "fit/prepare/row_plan.h"
#include "math/operator/logbook.h"

typedef struct ald_share ald_share;

typedef struct ald_collection {
    const char *path;
    const ald_load_options *like;
    const ald_dataset *survey;
    int columns;          /* their means are wanted */
    ald_logbook *logbook; /* NULL: none */
    int64_t number;       /* of several collections of a fit: what it is known by */
    int gather;           /* rows are divided: the target of all is wanted, not only that of this part */
    ald_row_plan plan;    /* by which rows are prepared before their columns are measured */
    /* Results, in scratch but for the means. */
    ald_target target;     /* of all rows, with their weights */
    int64_t n, blocks;     /* n: rows of the target */
    int64_t *first;        /* blocks + 1: the first row of each */
    double weight;         /* sum of the weights (rows); this and the means below are of all rows */
    double entries;        /* of X, of this part */
    double *mean, *square; /* d: means, and sums of squares about them; NULL where all weights are 0 */
    ald_share *shares;
    int parts;
} ald_collection;

/* Freed on every path by ald_collection_free. */
ald_status ald_collect(ald_run *run, ald_collection *collection);
void ald_collection_free(ald_collection *collection);

/* For the two files of this: columns of the target that are not classes; a target like that of the survey, of
 * n rows. */
int64_t ald_collection_values(const ald_collection *collection);
ald_target ald_collection_target(const ald_collection *collection, int64_t n, const int32_t *classes,
                                 const double *values, const double *weights);
/* Whether it can be: classes that there are, blocks one behind the other. An earlier run, of which parts were
 * recalled, may not have been ours. */
ald_status ald_collection_check(ald_run *run, const ald_collection *collection);
/* The results in the logbook: finds those of an earlier run, in scratch, and logs them. */
ald_status ald_collection_recall(ald_run *run, ald_collection *collection, int *found);
ald_status ald_collection_log(ald_run *run, const ald_collection *collection);

#endif
