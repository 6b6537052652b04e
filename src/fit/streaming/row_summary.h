/* Which rows of a file tell what its columns are, and what their cells are on the whole: the state of a
 * survey while the blocks of the file pass. */
#ifndef ALD_STREAMING_ROW_SUMMARY_H
#define ALD_STREAMING_ROW_SUMMARY_H

#include "io/table/csr.h"
#include "io/table/table.h"
#include "io/table/tally.h"

typedef struct ald_row_summary {
    ald_run *run; /* its scratch lasts as long as the survey */
    const ald_load_options *options;
    ald_table *kept;
    ald_levels *levels;
    ald_csr_builder csr;
    int64_t cell_capacity, label_capacity, label_pointer_capacity, labelled_capacity, n_labels;
    /* Of each column: > 0 where it is so. */
    int64_t *target, *categorical, *ignored, *weights;
    int64_t n_targets;
    int drop_holes, drop_unlabelled, fill;
    int64_t dropped;
    ald_tally tally;
    int64_t *distinct; /* of each column: different cells in the tally */
    double *sums;      /* of each column: of its numbers; NULL: nobody asks */
    int64_t *numbers;  /* how many these are */
    double *first;     /* of each column: its first cell; NaN once its cells do not count the rows */
    int64_t seen;      /* rows that were not left out */
    int64_t **codes;   /* block: the level in `kept` of each level of each column; NULL where it has none */
} ald_row_summary;

/* Before the first block, which is like the others; `run`, `options` and `kept` are set. */
ald_status ald_summary_begin(ald_run *run, const ald_table *block, ald_row_summary *s);
/* Keeps what is worth it of a block. What is in the scratch of `run` may go with the block. */
ald_status ald_summary_add(ald_run *run, const ald_table *block, ald_row_summary *s);

#endif
