/* The entries of a ridge and of Lanczos that engines and methods have in common. One that says or defaults to
 * something else is an entry of its own there. */
#ifndef ALD_ENGINES_ENGINE_PARAMS_H
#define ALD_ENGINES_ENGINE_PARAMS_H

#include "base/settings/method.h"
#include "math/solvers/lanczos.h"

/* ridge, added to the covariance of X. */
extern const ald_param ald_covariance_ridge_param;
/* ridge_rel, a part of the largest eigenvalue of the matrix that the ridge is added to. */
extern const ald_param ald_ridge_rel_param;

/* tol and max_iter of Lanczos. */
extern const ald_param ald_lanczos_tol_param, ald_lanczos_max_iter_param;

/* Tolerance, products (blocks of `width`) and seed of the task by the settings of the run. */
void ald_lanczos_set(const ald_run *run, int64_t width, ald_lanczos *task);
/* Warns where it did not converge, and writes products and residual to the model (NULL: not). */
ald_status ald_lanczos_report(ald_run *run, const ald_lanczos *task, ald_model *model);

#endif
