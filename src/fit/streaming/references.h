/* What the steps of `rows` learn from a file that is read in blocks. */
#ifndef ALD_STREAMING_REFERENCES_H
#define ALD_STREAMING_REFERENCES_H

#include "data/encode/dataset.h"
#include "fit/prepare/row_plan.h"
#include "math/operator/logbook.h"

/* One pass for each step that learns, in the order of the steps. The survey has the kind and the width of X;
 * what is found is kept in `book`, if there is one. */
ald_status ald_learn_references(ald_run *run, const char *path, const ald_load_options *like,
                                const ald_dataset *survey, ald_logbook *book, ald_row_plan *plan);

#endif
