/* The parameters of Lanczos, for the engines that use it. */
#ifndef ALD_ENGINES_LANCZOS_PARAMS_H
#define ALD_ENGINES_LANCZOS_PARAMS_H

#include "base/settings/method.h"
#include "math/solvers/lanczos.h"

/* tol and max_iter, for the tables of those engines. */
extern const ald_param ald_lanczos_tol_param, ald_lanczos_max_iter_param;

/* Tolerance, products (blocks of `width`) and seed of the task by the settings of the run. */
void ald_lanczos_set(const ald_run *run, int64_t width, ald_lanczos *task);

#endif
