/* Rows that are not all here: an operator has some of them, and tells where the others can be had. What
 * kernels need of all rows is few of them, by number, and sums of features. */
#ifndef ALD_KERNEL_FAR_ROWS_H
#define ALD_KERNEL_FAR_ROWS_H

#include "math/kernel/kernel.h"
#include "math/operator/operator.h"

struct ald_features;
struct ald_feature_sums;

typedef struct ald_far_rows {
    int64_t total; /* rows of all */
    void *self;
    /* Rows which[0] .. which[m - 1] of all, different ones (NULL: all m), prepared as those of z. In scratch.
     */
    ald_status (*take)(ald_run *run, const struct ald_far_rows *far, const ald_operator *z, int64_t m,
                       const int64_t *which, ald_operator *rows);
    /* ald_features_sum over all rows. */
    ald_status (*sum)(ald_run *run, const struct ald_far_rows *far, const struct ald_features *features,
                      struct ald_feature_sums *sums);
    /* |Z|_F^2 of all rows. */
    ald_status (*norm)(ald_run *run, const struct ald_far_rows *far, const ald_kernel *kernel, double *sum);
} ald_far_rows;

/* Rows of all. */
static inline int64_t ald_row_count(const ald_operator *z)
{
    return z->far ? z->far->total : z->x.rows;
}

#endif
