/* What another number of ranks has left of a survey that was not done: this rank takes some of it over. */
#ifndef ALD_CHECKPOINTS_OTHER_SURVEYS_H
#define ALD_CHECKPOINTS_OTHER_SURVEYS_H

#include "fit/checkpoints/checkpoint.h"

/* A survey of some rows (ald_survey_tell), and where in the file they are: `begin` as in a portion, `rest` 1
 * for what comes behind the rows that were looked at before. */
typedef struct ald_told_rows {
    int64_t begin, rest;
    unsigned char *bytes;
    int64_t size;
} ald_told_rows;

typedef struct ald_other_surveys {
    int any; /* on any rank: else there is nothing to go on with */
    ald_told_rows *told;
    int64_t n_told;
    ald_leg *legs; /* that are still to be looked through by this rank */
    int64_t n_legs;
} ald_other_surveys;

/* In scratch; by all ranks. */
ald_status ald_other_surveys_find(ald_run *run, const char *path, const ald_load_options *options,
                                  const ald_dataset *dataset, ald_other_surveys *found);
/* Where the rows of a leg are among others. */
ald_told_rows ald_told_rows_of(const ald_leg *leg);

#endif
