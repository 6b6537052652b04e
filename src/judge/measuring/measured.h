/* The rows that are measured: those of X, or all of which X is a part (ald_context_set_rows). Then what
 * is as long as the rows (n x r) is of the part, and target and results are in one place: `elsewhere` is
 * 0 there. */
#ifndef ALD_MEASURING_MEASURED_H
#define ALD_MEASURING_MEASURED_H

#include "base/core/model.h"
#include "math/operator/all_rows.h"

#include <alidade/matrix.h>

typedef struct ald_measured {
    const ald_model *model;
    const ald_matrix *x;       /* n x d */
    const ald_target *y;       /* of all rows; NULL: there is none, or it is elsewhere */
    const ald_target *weights; /* y where it weighs the rows of x; NULL: it does not */
    ald_operator rows;         /* x, not prepared; it knows whether it is divided */
    int elsewhere;             /* target and results are in another place */
} ald_measured;

/* Checks rows and target against the model and each other. `m` stays where it is. */
ald_status ald_measured_begin(ald_run *run, const ald_model *model, const ald_matrix *x, const ald_target *y,
                              ald_measured *m);
/* The same for rows that are all here and have been checked. */
ald_measured ald_measured_here(const ald_model *model, const ald_matrix *x, const ald_target *y);

/* At the end of a public call on x (or NULL): all parts of the rows end alike. */
ald_status ald_measured_end(ald_run *run, const ald_matrix *x, ald_status status);
/* A failure of one part fails all. */
ald_status ald_measured_agree(ald_run *run, const ald_measured *m, ald_status status);
/* The rows prepared as for the model, by columns too, but not centred. */
ald_status ald_measured_prepare(ald_run *run, const ald_measured *m, ald_operator *prepared);
/* The scores of the rows of x, n x r, in scratch. */
ald_status ald_measured_scores(ald_run *run, const ald_measured *m, double **z);
/* n x r of the part becomes that of all rows; NULL elsewhere. In scratch. */
ald_status ald_measured_collect(ald_run *run, const ald_measured *m, int64_t r, double *part, double **all);

#endif
