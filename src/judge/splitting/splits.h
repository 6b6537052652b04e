/* Which rows train and which test, in every split. */
#ifndef ALD_SPLITTING_SPLITS_H
#define ALD_SPLITTING_SPLITS_H

#include "judge/splitting/subset.h"

#include <alidade/splits.h>

/* Part -1: rows without a target, which are in every training part. */
struct ald_splits {
    ald_allocator allocator;
    ald_arena memory;
    int64_t rows;
    int64_t repeats; /* divisions of the rows */
    int64_t first_test,
        tests;        /* parts first_test .. first_test + tests - 1 of each division are tested on in turn */
    int32_t *part_of; /* repeats x rows */
    int64_t *same;    /* of all rows: the first that is equal */
    int64_t duplicates;
    char *note;
};

/* The inside of ald_splits_new: everything goes to splits->memory, which is made. For an evaluation inside a
 * training part: `groups` of the options are then those of its rows. */
ald_status ald_splits_make(ald_run *run, const ald_subset *data, const ald_splits_options *options,
                           ald_splits **splits);
/* The rows of a split as lists in the run's scratch. */
typedef struct ald_split_parts {
    int64_t *train, *test;
    int64_t n_train, n_test;
} ald_split_parts;
ald_status ald_splits_list(ald_run *run, const ald_splits *splits, int64_t split, ald_split_parts *parts);

#endif
