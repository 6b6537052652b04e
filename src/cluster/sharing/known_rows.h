/* What rows of an X are in the file they come from, for messages, and whether other ranks have more of them.
 */
#ifndef ALD_SHARING_KNOWN_ROWS_H
#define ALD_SHARING_KNOWN_ROWS_H

#include "base/core/run.h"

#include <alidade/matrix.h>

/* The number, from 1, by which row i of x is told: its place in the file, of all ranks, where the caller has
 * said what x is (ald_context_set_rows), and in x itself otherwise. */
int64_t ald_row_number(const ald_run *run, const ald_matrix *x, int64_t i);
/* Whether x is this rank's portion of rows that several have. */
int ald_is_portion(const ald_run *run, const ald_matrix *x);

#endif
