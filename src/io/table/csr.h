/* Making the CSR arrays of a sparse table: row by row as the lines of a file come, or from triplets in any
 * order. */
#ifndef ALD_TABLE_CSR_H
#define ALD_TABLE_CSR_H

#include "io/table/table.h"

/* Row by row. table->rows counts the rows that were ended; the caller sets table->cols. */
typedef struct ald_csr_builder {
    ald_table *table;
    int64_t entries;
    int64_t pointer_capacity, index_capacity, value_capacity;
} ald_csr_builder;

ald_status ald_csr_begin(ald_run *run, ald_csr_builder *builder, ald_table *table);
/* Columns from 0, rising within a row (the caller has checked it). A zero is not stored. */
ald_status ald_csr_add(ald_run *run, ald_csr_builder *builder, int64_t column, double value);
ald_status ald_csr_end_row(ald_run *run, ald_csr_builder *builder);
ald_status ald_csr_finish(ald_run *run, ald_csr_builder *builder);

/* Entries (row, column, value), from 0, in any order, in the scratch of the run. Zero it before use. */
typedef struct ald_triplets {
    int64_t count;
    int64_t *rows, *cols;
    double *values;
    int64_t row_capacity, col_capacity, value_capacity;
} ald_triplets;

ald_status ald_triplets_add(ald_run *run, ald_triplets *triplets, int64_t row, int64_t col, double value);
/* Sorts them into the CSR arrays of the table, whose rows and cols are set; entries of one place are summed
 * in the order they came, and what is zero then is left out. */
ald_status ald_csr_from_triplets(ald_run *run, const ald_triplets *triplets, ald_table *table);

/* An error where the table has more columns than so many entries make believable, or than
 * options->max_columns; `line` is the one that says so, 0: unknown. New rows for a model are not held to it:
 * the model has its columns. */
ald_status ald_csr_check_width(ald_run *run, const ald_load_options *options, const ald_table *table,
                               int64_t entries, int64_t line);

/* The value at (row, column) of a sparse table, 0 where nothing is stored. */
double ald_csr_value(const ald_table *table, int64_t row, int64_t column);

/* Gives a sparse table cells instead. */
ald_status ald_table_make_dense(ald_run *run, ald_table *table);

/* Tables with rows as columns, turned round. */

/* Every column becomes a row. A first column of texts (or one without a name where the others have one) gives
 * the names of the new columns. The names of the old columns become column 0, which names the rows
 * (table->id_column); its own name is that of the old first column, or "sample". */
ald_status ald_table_transpose(ald_run *run, ald_table *table);

#endif
