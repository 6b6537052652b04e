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

#include <alidade/model.h>

struct ald_load_options;
struct ald_moments;
struct ald_portion;

/* What all parts have, one behind the other; that of part p is bytes[begin[p]] to bytes[begin[p + 1]]. */
typedef struct ald_gathered {
    unsigned char *bytes;
    int64_t *begin; /* parts + 1 */
} ald_gathered;

/* What the parts know of the whole, and what they do together: who writes, who sums, who has which rows. All
 * parts make the same calls in the same order. A part that fails passes its failure up; the others receive it
 * in the call in which they wait for that part. */
typedef struct ald_all_rows {
    int part, parts; /* which one this is, from 0, and how many there are; part 0 decides, reports, writes */
    int64_t rows;
    double weight; /* the sum of the squares of row_weight, or the number of rows */
    ald_status (*agree)(ald_run *run, ald_status status);
    ald_status (*sum)(ald_run *run, double *values, int64_t count);
    ald_status (*count)(ald_run *run, int64_t *values, int64_t count);
    ald_status (*largest)(ald_run *run, double *values, int64_t count);
    ald_status (*settle)(ald_run *run, void *bytes, int64_t size);
    /* In scratch; agrees on `status`, that of making the bytes. */
    ald_status (*gather)(ald_run *run, ald_status status, const void *bytes, int64_t size, ald_gathered *all);
    /* The same for part 0; NULL for the others. */
    ald_status (*collect)(ald_run *run, const double *part, int64_t count, double **all);
    /* The moments of all parts, for part 0; new arrays are in `arena`. */
    ald_status (*unite)(ald_run *run, ald_arena *arena, struct ald_moments *total);
    /* The model of part 0 takes the place of those of the others. */
    ald_status (*share)(ald_run *run, ald_model **model);
    /* Which rows of a file this part reads. `fits`: part 0 also runs the fit, and reads fewer. */
    ald_status (*divide)(ald_run *run, const char *path, const struct ald_load_options *options, int fits,
                         struct ald_portion *portion);
    /* At the end of a public call: all parts end alike. */
    ald_status (*end)(ald_run *run, ald_status status);
} ald_all_rows;

/* The same where all rows are here (NULL): nothing is done. */
int ald_is_first(const ald_all_rows *all);
ald_status ald_all_rows_agree(ald_run *run, const ald_all_rows *all, ald_status status);
ald_status ald_all_rows_sum(ald_run *run, const ald_all_rows *all, double *values, int64_t count);
ald_status ald_all_rows_count(ald_run *run, const ald_all_rows *all, int64_t *values, int64_t count);
ald_status ald_all_rows_settle(ald_run *run, const ald_all_rows *all, void *bytes, int64_t size);
/* What is done by part 0 only: `status` of that part, on all of them. */
#define ALD_FIRST_DOES(run, all, call) ald_all_rows_agree(run, all, ald_is_first(all) ? (call) : ALD_OK)
/* The table of `all` with the rows and the weight of all parts; `rows` and `weight` are those of this one. */
ald_status ald_all_rows_of(ald_run *run, const ald_all_rows *all, int64_t rows, double weight,
                           ald_all_rows *whole);

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
