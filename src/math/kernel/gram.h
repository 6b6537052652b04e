/* The n x n kernel matrix of the training rows, and centring, in one place.
 *
 * With H = I - 11'/n the centred kernel is HKH, and new rows are centred by the training rows as
 * (K_new - 1 c')H, c the column means of the uncentred training K. Coefficients whose columns sum to 0 (H a)
 * absorb the last H, so a model needs c only: z = (k(x, rows) - c)'a. */
#ifndef ALD_KERNEL_GRAM_H
#define ALD_KERNEL_GRAM_H

#include "base/core/run.h"
#include "math/kernel/landmarks.h"
#include "math/solvers/lanczos.h"

/* An error that says what n x n (`copies` of them) would take and what to do instead, if it is more than the
 * memory of the machine. `avoid`: the settings that avoid it, in words. */
ald_status ald_kernel_check_size(ald_run *run, int64_t n, int copies, const char *avoid);

/* K <- HKH in place, K symmetric; its column means (n) before. */
ald_status ald_kernel_centre(ald_run *run, int64_t n, double *k, double *column_mean);
/* K of all rows, in place, from the squares of their distances, of which the kernel is one; n at most
 * ALD_MEDIAN_ROWS. */
ald_status ald_kernel_of_distances(ald_run *run, const ald_kernel *kernel, int64_t n, double *k);
/* HKH of rows that stand on a card, as a matrix there (held until the fit ends) that only an operator can be
 * asked about; with the column means (n) of K and the trace of HKH. k->values is NULL where the processor is
 * to make it: X is not on a card, or the card does not know the kernel. */
ald_status ald_kernel_on_card(ald_run *run, const ald_kernel *kernel, const ald_operator *z, double *mean,
                              double *trace, ald_matrix *k);
/* w (n x columns) = k v of such a matrix; `failed`: the card did, and was not asked for by name. */
ald_status ald_kernel_times_on_card(ald_run *run, const ald_matrix *k, const double *v, int64_t columns,
                                    double *w, int *failed);
/* v (m x r) <- v less the mean of each column. */
ald_status ald_centre_columns(ald_run *run, int64_t m, int64_t r, double *v);

/* Errors for a precomputed kernel that is not n x n and symmetric (to 1e-8 of its largest entry), and a
 * warning for one whose smallest eigenvalue is below -1e-8 of the largest. */
ald_status ald_kernel_check_precomputed(ald_run *run, const ald_operator *z, uint64_t seed);

/* Large symmetric matrices, whole in memory. */
/* The lower triangle of a (n x n) from its upper one, by all threads. */
ald_status ald_symmetric_mirror(ald_run *run, int64_t n, double *a);
/* out (n x k) = a v, v n x k. Few threads are held up by memory: they read the upper triangle only, each
 * entry for both of its places. */
ald_status ald_symmetric_apply(ald_run *run, int64_t n, const double *a, const double *v, int64_t k,
                               double *out);
/* The task with A = a, which it need not name: products that take microseconds are shared without waking
 * threads. */
ald_status ald_symmetric_top(ald_run *run, int64_t n, const double *a, ald_lanczos *task);

#endif
