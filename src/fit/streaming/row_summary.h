/* The survey of a file that is read in blocks: the summary of its rows, and how it is kept and put together.
 *
 * A summary holds the few rows that show what the columns are (two of each value of the target, up to 1000
 * values of a number, and one of each text of each column), and sums and counts of all rows. A dataset made
 * of it has the schema, the classes and the task that one of all rows would have. */
#ifndef ALD_STREAMING_ROW_SUMMARY_H
#define ALD_STREAMING_ROW_SUMMARY_H

#include "base/core/record.h"
#include "data/encode/dataset.h"
#include "io/table/columns.h"
#include "io/table/csr.h"
#include "io/table/table.h"

typedef struct ald_row_summary {
    ald_run *run; /* its scratch lasts as long as the survey */
    const ald_load_options *options;
    ald_table *kept;
    ald_levels *levels;
    ald_csr_builder csr;
    int64_t cell_capacity, label_capacity, label_pointer_capacity, labelled_capacity, n_labels;
    /* For each column: > 0 if it has the role. */
    int64_t *target, *categorical, *ignored, *weights;
    int64_t weighted; /* columns of weights: 0 or 1 */
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

#define ALD_SUMMARY_KIND "summary"

/* Everything a summary of `rows` rows knows, sealed, */
ald_status ald_summary_put(ald_run *run, const ald_row_summary *s, int64_t rows, ald_record *record);
/* and back: more rows can be added to it. `s` is one that has seen nothing yet. */
ald_status ald_summary_take(ald_run *run, ald_record *record, ald_row_summary *s, int64_t *rows);
/* The summaries of all parts of a file become that of the whole, as if one had read it all. */
ald_status ald_summary_unite(ald_run *run, const struct ald_all_rows *all_rows, ald_row_summary *s,
                             int64_t *rows);

/* Looks through the whole file (survey.c); `rows` counts all of its rows. */
ald_status ald_stream_survey(ald_run *run, const char *path, const ald_load_options *options,
                             ald_dataset *survey, int64_t *rows);

#endif
