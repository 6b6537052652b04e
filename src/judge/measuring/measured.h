/* The rows that are measured: those of X, or those of all ranks if X is the portion of one
 * (ald_context_set_rows). Then all ranks make the same calls, arrays as long as the rows (n x r) hold this
 * rank's rows, and rank 0 has the target and the results. */
#ifndef ALD_MEASURING_MEASURED_H
#define ALD_MEASURING_MEASURED_H

#include "base/core/model.h"
#include "math/operator/shared_rows.h"

#include <alidade/matrix.h>

typedef struct ald_measured {
    const ald_model *model;
    const ald_matrix *x;           /* n x d: this rank's rows */
    const ald_target *y;           /* of all rows; NULL: there is none, or it is elsewhere */
    const ald_shared_rows *shared; /* NULL: all rows are here */
    int64_t rows;                  /* of all ranks */
    int elsewhere;                 /* target and results are on another rank */
    ald_shared_rows sums;          /* behind `shared` */
} ald_measured;

/* Checks rows and target against the model and each other; continues on all ranks or on none. `m` must not
 * move. */
ald_status ald_measured_begin(ald_run *run, const ald_model *model, const ald_matrix *x, const ald_target *y,
                              ald_measured *m);
/* The same for rows that are all here and have been checked. */
ald_measured ald_measured_here(const ald_model *model, const ald_matrix *x, const ald_target *y);

/* At the end of a public call, of whose X (or NULL) a rank may have a portion: all ranks end alike. */
ald_status ald_measured_end(ald_run *run, const ald_matrix *x, ald_status status);
/* Agrees on how it went. */
ald_status ald_measured_agree(ald_run *run, const ald_measured *m, ald_status status);
/* The scores of this rank's rows, n x r, in scratch. */
ald_status ald_measured_scores(ald_run *run, const ald_measured *m, double **z);
/* Gathers n x r of this rank's rows into that of all rows, on rank 0; NULL on the others. In scratch. */
ald_status ald_measured_gather(ald_run *run, const ald_measured *m, int64_t r, const double *own,
                               double **all);

#endif
