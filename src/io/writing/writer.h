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
 * ending means csv; a format that can only be read is an error. Leaves the output open: commit or abandon
 * it (files/output.h). After a failure nothing is left behind and `output` is NULL. */
ald_status ald_table_write(ald_run *run, const ald_table *table, const int64_t *order, int64_t n,
                           int64_t target, const char *path, ald_output **output);

/* A plain row-major matrix with the names of its columns. `levels` (NULL: none) has for each column NULL or a
 * list of texts that ends with NULL; then its numbers are those of texts, from 0. */
typedef struct ald_sheet {
    const double *values;
    int64_t rows, cols;
    const char *const *header; /* NULL: none */
    const char *const *const *levels;
} ald_sheet;

ald_status ald_matrix_write(ald_run *run, const ald_sheet *sheet, const char *path, ald_output **output);
/* Its rows to an output that is open, in the format of `path`, as some of a file of `total` rows; `is_rest`:
 * rows stand before them, and there is no header. */
ald_status ald_sheet_write(ald_run *run, const ald_sheet *sheet, const char *path, int64_t total, int is_rest,
                           ald_output *output);

/* What the writers share: one per format, each takes rows of a table and an open output. */

typedef struct ald_write_job {
    const ald_table *table;
    const int64_t *order; /* rows to write; NULL: 0, 1, ... */
    int64_t n;
    int64_t target; /* svmlight: column that is the label, or -1 */
    ald_output *output;
    /* For a file that is written in pieces: */
    int is_rest;   /* rows stand before: no header */
    int64_t total; /* rows of all; 0: n */
} ald_write_job;

ald_status ald_write_csv(ald_run *run, const ald_write_job *job);
ald_status ald_write_tsv(ald_run *run, const ald_write_job *job);
ald_status ald_write_svmlight(ald_run *run, const ald_write_job *job);

/* Rows of any table as dense cells. Labels that stand beside the matrix (svmlight) come first: one column, or
 * with lists of labels a 0/1 column for each that occurs. */
typedef struct ald_row_source {
    const ald_table *table;
    int64_t cols;   /* lead + table->cols */
    int64_t lead;   /* columns made from labels */
    double *labels; /* many labels: their `lead` values, rising; else NULL */
    double *row;    /* room for a row that has to be put together */
} ald_row_source;

ald_status ald_row_source_begin(ald_run *run, const ald_table *table, ald_row_source *source);
/* Valid until the next call. */
const double *ald_row_source_get(ald_row_source *source, int64_t row);

int64_t ald_write_row(const ald_write_job *job, int64_t i);
/* Reports the progress now and then. */
ald_status ald_write_progress(ald_run *run, const ald_write_job *job, int64_t i);
/* The text of a cell, or NULL when it is not text. A plain matrix has no texts. */
const char *ald_write_text_of(const ald_table *table, int64_t column, double cell);
/* The error for a text or missing cell in a format of numbers. Row and column count from 0 in the table. */
ald_status ald_write_refuse(ald_run *run, const ald_table *table, const char *format, int64_t row,
                            int64_t column, double cell);

#endif
