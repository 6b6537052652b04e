/* The parts of ald_dimension. */
#ifndef ALD_DIMENSION_DIMENSION_H
#define ALD_DIMENSION_DIMENSION_H

#include "base/settings/method.h"

#include <alidade/dimension.h>

typedef struct ald_dimension_task {
    ald_run *wide; /* for jobs, on all threads. All else is on a run of one thread, for equal numbers */
    const ald_settings *settings;
    const ald_method *method;
    const ald_matrix *x;
    const ald_target *y;
    int64_t permutations;
    double level;
    uint64_t seed;
    int every;
    int64_t wanted;     /* at most this many rows of the table */
    int64_t fits;       /* numbers of directions that were tried, 1 .. fits */
    int64_t available;  /* the first of them that could be fitted */
    int64_t count;      /* rows: no more than wanted and available */
    ald_model **models; /* models[k - 1] has k directions; the caller's to free */
} ald_dimension_task;

/* Fills chi_square, freedom and p of the rows, and the choice: sir only, else it says why not. */
ald_status ald_test_chi_square(ald_run *run, const ald_dimension_task *task, ald_dimension_row *rows,
                               ald_dimension_choice *choice);
/* Fills statistic, p and failures, and the choice. */
ald_status ald_test_permutations(ald_run *run, const ald_dimension_task *task, ald_dimension_row *rows,
                                 ald_dimension_choice *choice);

#endif
