/* The inside of ald_explained, for the tests of the dimension and the importance of features. */
#ifndef ALD_MEASURING_MEASURE_EXPLAINED_H
#define ALD_MEASURING_MEASURE_EXPLAINED_H

#include "judge/measuring/measured.h"

#include <alidade/importance.h>

/* The weights of y rescaled to sum n, in scratch; NULL where there are none (or no y). */
ald_status ald_scaled_weights(ald_run *run, const ald_target *y, const double **weights);
/* Checks rows and target against each other, and that there is a target where one is needed (`what` for). */
ald_status ald_check_rows_and_target(ald_run *run, const ald_model *model, const ald_matrix *x,
                                     const ald_target *y);

/* Two or more. */
ald_status ald_check_row_count(ald_run *run, int64_t rows);

/* The parts of the target that the first k columns of z (y->rows x r) explain, r numbers. */
ald_status ald_explained_target(ald_run *run, int64_t r, const double *z, const ald_target *y, double *share);
/* Both, of checked rows. */
ald_status ald_explained_run(ald_run *run, const ald_measured *m, double *x_share, double *y_share);

/* ald_importance by VIP as a part of the call of `outer`. */
ald_status ald_vip_inside(const ald_run *outer, const ald_model *model, const ald_matrix *x,
                          const ald_target *y, double *vip);

#endif
