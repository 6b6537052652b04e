/* What rows of an X are in the file they come from, for messages, and whether other ranks have more of them.
 */
#ifndef ALD_SHARING_KNOWN_ROWS_H
#define ALD_SHARING_KNOWN_ROWS_H

#include "base/core/run.h"

#include <alidade/matrix.h>

/* The number, from 1, by which messages refer to row i of x: its position in the file, over all ranks, if the
 * caller has registered x (ald_context_set_rows), otherwise its position in x. */
int64_t ald_row_number(const ald_run *run, const ald_matrix *x, int64_t i);
/* Whether x is this rank's portion of rows that several have. */
int ald_is_portion(const ald_run *run, const ald_matrix *x);

#endif
