/* Single entries of a matrix of any storage: for places that need few of them. */
#ifndef ALD_OPERATOR_ENTRY_H
#define ALD_OPERATOR_ENTRY_H

#include "base/core/run.h"

#include <alidade/matrix.h>

/* 1 if the entry is stored: always in a dense matrix. */
int ald_matrix_has(const ald_matrix *m, int64_t row, int64_t column);
/* Its value, 0 where nothing is stored. */
double ald_matrix_at(const ald_matrix *m, int64_t row, int64_t column);
/* The value at a place of `values`, and entry i of `pointers` or `indices`, whatever their types. */
double ald_matrix_value(const ald_matrix *m, int64_t place);
int64_t ald_matrix_index(const ald_matrix *m, const void *list, int64_t i);
/* A number that is the same for equal matrices whatever their storage, and for others hardly ever: to know a
 * matrix again. */
uint64_t ald_matrix_fingerprint(const ald_matrix *m);
/* The same of every row, wherever in the matrix it stands: prints[0 .. rows). */
void ald_matrix_row_fingerprints(const ald_run *run, const ald_matrix *m, uint64_t *prints);

#endif
