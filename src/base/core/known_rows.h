/* Which rows of a file an X has, for messages, and whether it has a part of them only. */
#ifndef ALD_CORE_KNOWN_ROWS_H
#define ALD_CORE_KNOWN_ROWS_H

#include "base/core/run.h"

#include <alidade/matrix.h>

/* The number, from 1, of row i of x in messages: its place in the file, where the caller has said what x is
 * (ald_context_set_rows), and in x itself otherwise. */
int64_t ald_row_number(const ald_run *run, const ald_matrix *x, int64_t i);
/* The same of a target, by its classes or numbers. */
int64_t ald_target_row_number(const ald_run *run, const ald_target *y, int64_t i);
const void *ald_target_cells(const ald_target *y);
/* The rows that x is a part of, where the others are elsewhere; NULL: x has all. */
const struct ald_all_rows *ald_portion_of_all(const ald_run *run, const ald_matrix *x);

#endif
