/* Writers: tables and matrices to csv, tsv, npy and svmlight, chosen by the ending of the name. */
#ifndef ALD_WRITING_WRITER_H
#define ALD_WRITING_WRITER_H

#include "io/files/output.h"
#include "io/table/table.h"

/* Writes the rows order[0 .. n) of a table (order NULL: all of them). csv and tsv quote as RFC 4180 wants,
 * missing cells are empty, and text cells stay text; labels that stand beside the matrix (svmlight) become
 * columns in front, "label" or "label_1", "label_2", ... npy wants numbers only (missing: NaN) and has the
 * labels in front as well. svmlight takes `target` (column index, -1: the table's own labels or 0) as label,
 * texts there as their number in order of appearance, and wants numbers elsewhere. A name with an unknown
 * ending means csv; a format that can only be read is an error. Leaves the output open: finish, commit or
 * abandon it (files/output.h). After a failure nothing is left behind and `output` is NULL. */
ald_status ald_table_write(ald_run *run, const ald_table *table, const int64_t *order, int64_t n,
                           int64_t target, const char *path, ald_output **output);
/* A plain row-major matrix. `levels` (NULL: none) has for each column NULL or a list of texts that ends with
 * NULL; then its numbers are those of texts, from 0. */
ald_status ald_matrix_write(ald_run *run, const double *values, int64_t rows, int64_t cols,
                            const char *const *header, const char *const *const *levels, const char *path,
                            ald_output **output);
/* The same for rows that are divided among ranks: `rows` are those of this one, and receives those of all. */
ald_status ald_portions_write(ald_run *run, const double *values, int64_t *rows, int64_t cols,
                              const char *const *header, const char *const *const *levels, const char *path,
                              ald_output **output);

#endif
