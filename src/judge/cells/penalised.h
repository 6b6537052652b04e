/* The baseline of all features, penalised: what the forms in predict/path.h are given. */
#ifndef ALD_CELLS_PENALISED_H
#define ALD_CELLS_PENALISED_H

#include "judge/cells/judging.h"
#include "methods/predict/path.h"

/* The form for such a candidate: ridge for numbers and logistic for classes and labels where no predictor is
 * asked for, else that of the predictor. NULL: the predictor as it is (knn, gaussian, centroid, or with a
 * penalty of its own). */
typedef ald_status (*ald_penalised)(ald_run *run, const ald_path *path, ald_model *model);
ald_penalised ald_penalised_of(const ald_run *run, const ald_judging *j);
/* The rows of z->train, as the form wants them, to z; in the run's scratch. */
ald_status ald_penalised_prepare(ald_run *run, const ald_judging *j, ald_penalised form, ald_scored_rows *z);

#endif
