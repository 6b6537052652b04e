/* Views of the caller's data. They own nothing and are borrowed only for the duration of a call. */
#ifndef ALIDADE_MATRIX_H
#define ALIDADE_MATRIX_H

#include <alidade/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ald_storage { ALD_DENSE = 0, ALD_CSR = 1, ALD_CSC = 2, ALD_ON_DEVICE = 3 } ald_storage;
typedef enum ald_type { ALD_F64 = 0, ALD_F32 = 1 } ald_type;

/* An n x d matrix; rows are samples. Dense: element (i, j) is values[i * row_stride + j * col_stride];
 * strides are counted in elements. CSR (CSC): `pointers` has rows + 1 (cols + 1) entries, `indices` and
 * `values` have pointers[last] entries, and the indices within a row (column) are strictly increasing.
 * Pointers and indices are both int32_t or both int64_t, according to `index_bits`. The lengths of these
 * arrays are optional; if given, they are checked before anything is read beyond their ends. On a device: as
 * dense, with `values` in the memory of the device of the context (device.h). */
typedef struct ald_matrix {
    ald_storage storage;
    ald_type type;
    int64_t rows;
    int64_t cols;
    const void *values;
    int64_t row_stride;
    int64_t col_stride;
    const void *pointers;
    const void *indices;
    int index_bits;     /* 32 or 64 */
    int64_t n_pointers; /* length of `pointers`; 0: not given */
    int64_t n_values;   /* length of `indices` and of `values` (sparse); 0: not given */
} ald_matrix;

/* Dense f64, row major, rows `stride` elements apart. */
ALD_API ald_matrix ald_matrix_row_major(const double *values, int64_t rows, int64_t cols, int64_t stride);
/* Dense f64, column major, columns `stride` elements apart. */
ALD_API ald_matrix ald_matrix_column_major(const double *values, int64_t rows, int64_t cols, int64_t stride);
/* CSR, f64 values, 64-bit indices. */
ALD_API ald_matrix ald_matrix_csr(int64_t rows, int64_t cols, const int64_t *pointers, const int64_t *indices,
                                  const double *values);

typedef enum ald_target_kind {
    ALD_TARGET_NONE = 0,
    ALD_TARGET_CLASSES = 1, /* one class per row */
    ALD_TARGET_REAL = 2,    /* q numbers per row */
    ALD_TARGET_LABELS = 3,  /* any of k labels per row, as 0/1 */
} ald_target_kind;

/* The quantity that the directions should preserve information about. */
typedef struct ald_target {
    ald_target_kind kind;
    int64_t rows;
    const int32_t *classes; /* CLASSES: codes 0 .. n_classes - 1 (unlabelled rows: anything) */
    int64_t n_classes;
    ald_matrix values;             /* REAL: rows x q; LABELS: rows x k of 0 and 1, dense or CSR */
    const unsigned char *labelled; /* one byte per row, 0: the target is missing; NULL: none is missing */
    const double *weights;         /* one weight >= 0 per row: w counts as w rows; NULL: all 1 */
    const char *const *names; /* n_classes class names, or q (k) response (label) names; NULL: numbered */
    /* REAL, one column of times: one byte per row, 1: the event came then (died), 0: it had not come until
     * then (censored). Methods take deviance residuals as their response; NULL: the values are no times. */
    const unsigned char *events;
} ald_target;

ALD_API ald_target ald_target_classes(const int32_t *classes, int64_t rows, int64_t n_classes);
ALD_API ald_target ald_target_real(ald_matrix values);
ALD_API ald_target ald_target_labels(ald_matrix values);

#ifdef __cplusplus
}
#endif
#endif
