/* Rows that are not all in an operator. Two cases:
 *
 * z->all     The rows of Z are divided: x has a part of them, and as many calls as there are parts do
 *            the same at the same time. What is as long as the rows (n x k) is divided too, n = z->x.rows;
 *            what is as long as the columns (d x k) is everywhere. Z v has the part's rows; Z'u, Z'Z v,
 *            |Z|^2 and the statistics of columns are sums over all rows. A caller that adds up rows itself
 *            (norms, counts, means, Gram matrices of n x k) passes its sum to ald_rows_sum.
 * z->remote  The other rows are asked for, by number or as sums (math/kernel).
 *
 * Where neither is set, or there is no operator (NULL), x has all rows, and each function below returns
 * what it was given. */
#ifndef ALD_OPERATOR_ALL_ROWS_H
#define ALD_OPERATOR_ALL_ROWS_H

#include "math/operator/operator.h"

/* What the parts know of the whole, and how they sum. */
typedef struct ald_all_rows {
    int64_t rows;
    double weight; /* the sum of the squares of row_weight, or the number of rows */
    ald_status (*agree)(ald_run *run, ald_status status);
    ald_status (*sum)(ald_run *run, double *values, int64_t count);
    ald_status (*largest)(ald_run *run, double *values, int64_t count);
    ald_status (*settle)(ald_run *run, void *bytes, int64_t size);
    ald_status (*gather)(ald_run *run, const double *part, int64_t count, double **all, int64_t *first);
    /* The same for one of the parts; NULL for the others. */
    ald_status (*collect)(ald_run *run, const double *part, int64_t count, double **all);
} ald_all_rows;

struct ald_features;
struct ald_feature_sums;
struct ald_kernel;

/* What kernels need of rows elsewhere: a few of them, by number, and sums. */
typedef struct ald_remote_rows {
    int64_t rows; /* of all */
    void *self;
    /* Rows which[0] .. which[m - 1] of all, different ones (NULL: all m), prepared as those of z; in
     * scratch. */
    ald_status (*take)(ald_run *run, const struct ald_remote_rows *remote, const ald_operator *z, int64_t m,
                       const int64_t *which, ald_operator *rows);
    /* ald_features_sum over all rows. */
    ald_status (*sum)(ald_run *run, const struct ald_remote_rows *remote, const struct ald_features *features,
                      struct ald_feature_sums *sums);
    /* |Z|_F^2 of all rows as the kernel sees them. */
    ald_status (*norm)(ald_run *run, const struct ald_remote_rows *remote, const struct ald_kernel *kernel,
                       double *sum);
} ald_remote_rows;

/* The number of all rows: what stands for n where it is a number and no length of an array. */
int64_t ald_rows_total(const ald_operator *z);
/* The sum of the squares of row_weight over all rows, their number where there is none. */
double ald_rows_weight(const ald_operator *z);

/* What was summed over the rows of the part becomes the sum over all rows. */
ald_status ald_rows_sum(ald_run *run, const ald_operator *z, double *values, int64_t count);
/* The largest over the rows of the part becomes the largest over all rows. */
ald_status ald_rows_largest(ald_run *run, const ald_operator *z, double *values, int64_t count);
/* The numbers of all rows, `count` of them from this part; its first one is all[*first]. In scratch. */
ald_status ald_rows_gather(ald_run *run, const ald_operator *z, const double *part, int64_t count,
                           const double **all, int64_t *first);
/* Rounding may differ between the parts. Two kinds of numbers must not: those that decide which products
 * follow, and those that rows are multiplied with outside of a product. They are settled: the same bytes
 * everywhere. (What goes into a product is settled by it.) */
ald_status ald_rows_settle(ald_run *run, const ald_operator *z, void *bytes, int64_t size);
/* A failure of one part fails all. */
ald_status ald_rows_agree(ald_run *run, const ald_operator *z, ald_status status);

#endif
