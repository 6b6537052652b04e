/* The parts of the NPY reader, for those who take a file a few rows at a time. */
#ifndef ALD_READING_NPY_H
#define ALD_READING_NPY_H

#include "base/core/run.h"
#include "io/reading/input.h"
#include "io/table/binary.h"
#include "io/table/table.h"

typedef struct ald_npy_header {
    const ald_binary_type *type;
    int swapped;        /* the byte order is not that of this machine */
    int fortran;        /* stored by columns */
    int64_t rows, cols; /* a 1-D array is one column; the number of bytes fits an int64_t */
} ald_npy_header;

/* Magic, version and header; leaves the input at the first value. */
ald_status ald_npy_read_header(ald_run *run, ald_input *input, ald_npy_header *header);
/* Where the bytes of `count` values are put as the file has them: at the end of the room for their cells. */
unsigned char *ald_npy_place(const ald_npy_header *header, int64_t count, double *cells);
/* The cells of a table whose rows and cols are set, in the place of their bytes, which are in C order. */
ald_status ald_npy_take_rows(ald_run *run, const ald_npy_header *header, double *cells, ald_table *table);

#endif
