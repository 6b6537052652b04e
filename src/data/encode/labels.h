/* Lists of labels in svmlight files. */
#ifndef ALD_ENCODE_LABELS_H
#define ALD_ENCODE_LABELS_H

#include "data/encode/preparation.h"

/* svmlight files with lists of labels do not have a column of cells: their response is the labelled mask
 * alone. */
int ald_has_label_lists(const ald_preparation *p);
ald_status ald_prepare_label_rows(ald_run *run, ald_preparation *p);
ald_status ald_prepare_labels(ald_run *run, ald_preparation *p);

#endif
