/* The header of an NPY file. */
#ifndef ALD_READING_NPY_HEADER_H
#define ALD_READING_NPY_HEADER_H

#include "base/core/run.h"
#include "io/table/binary.h"

typedef struct ald_npy_header {
    const ald_binary_type *type;
    int swapped;        /* the byte order is not that of this machine */
    int fortran;        /* stored by columns */
    int64_t rows, cols; /* a 1-D array is one column; the number of bytes fits an int64_t */
} ald_npy_header;

/* The dictionary text[0 .. length), which ends with '\0' after that. */
ald_status ald_npy_header_parse(ald_run *run, const char *text, size_t length, ald_npy_header *header);
/* Turns the bytes of each of n values round. */
void ald_npy_swap(unsigned char *bytes, int64_t n, int size);

#endif
