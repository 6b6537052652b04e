/* Wide training parts by fewer coordinates, exactly, for methods that a rotation of X does not change (their
 * tables say so: ald_turning).
 *
 * Z (n x d, d > n) has the training rows of a split as they are prepared: row steps, centred, scaled. With
 * T (m x d) the test rows, prepared alike, and the QR decomposition
 *
 *   (Z' T') = (U V) ( A' B' )       U (d x n), V (d x m) orthonormal
 *                   ( 0  C' )
 *
 * Z = A U' and T = B U' + C V'. A (n x n) has the products and distances of Z; so what a method finds in A
 * are its directions in the coordinates U, and B gives the scores of the test rows. A row of A with 0, and
 * one of B with the length of its row of C, have also the distances between training and test rows.
 *
 * One decomposition serves all fits of the split that prepare X alike. Householder reflections change each
 * row by some eps of its length, whatever the condition of Z, and the rank may be any; a Cholesky factor of
 * Z Z' would know small directions to the root of eps only.
 *
 * Cost: 2 (n + m)^2 d, once; memory (n + m) (d + n + m) on the way, (n + m) n for as long as the split.
 * What is refused here (a method, its settings, rows of weight 0, cells without a value, sparse rows, means
 * that leave only rounding, more test than training rows) is fitted as it is, and so is what does not pay:
 * rotation.c has the rule. */
#ifndef ALD_CELLS_ROTATION_H
#define ALD_CELLS_ROTATION_H

#include "judge/cells/folds.h"

/* What a fit is given instead of the rows of the split. */
typedef struct ald_turned {
    const ald_settings *like; /* X was prepared as it says, */
    const double *from;       /* of the training rows whose values are there */
    int served;               /* 0: the rest does not exist, and the rows are fitted */
    int number;               /* of all that were made, from 1 */
    ald_subset train, test;   /* n + 1 columns, of which the last has what is outside of the span */
    double seconds;           /* that it took by the clock; 0 without one */
    struct ald_turned *next;
} ald_turned;

/* Those of one split; begun, it is ended, also after a failure. */
typedef struct ald_rotations {
    ald_run run; /* its scratch holds what was made; context NULL: not begun */
    const ald_sums_fit *fits;
    int64_t count;
    ald_turned *made;
    int numbers;
    double bytes;
} ald_rotations;

/* `fits` are all that are tried on the split: whether it pays depends on them, not on which comes first. They
 * stay the caller's and are kept. */
void ald_rotations_begin(ald_run *run, const ald_sums_fit *fits, int64_t count, ald_rotations *rotations);
void ald_rotations_end(ald_rotations *rotations);
/* The rows for such settings, or NULL: as they are. Negative for want of memory or cancellation only. Then
 * `x` are views of the columns that the method wants, and scaling is done. */
ald_status ald_rotations_find(ald_run *run, ald_rotations *rotations, const ald_settings *settings,
                              const ald_subset *train, const ald_subset *test, double (*clock)(void),
                              const ald_turned **turned);
/* How many of the columns of turned rows a method of such settings is given. */
int64_t ald_turned_columns(const ald_turned *turned, const ald_settings *settings);

#endif
