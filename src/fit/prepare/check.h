/* Checks of what a caller passes, done once for all methods. */
#ifndef ALD_PREPARE_CHECK_H
#define ALD_PREPARE_CHECK_H

#include "base/settings/method.h"

#include <alidade/model.h>

/* Sizes, strides, pointers and indices of a view; not the values. */
ald_status ald_check_matrix(ald_run *run, const ald_matrix *x, const char *what);
/* The method takes X as it is stored. */
ald_status ald_check_storage(ald_run *run, const ald_matrix *x, const ald_method *method);
/* Every value finite, or an error that names the first that is not. */
ald_status ald_check_finite(ald_run *run, const ald_matrix *x, const char *what);
/* The text of a model that has no components, as its rows are of one class, but keeps their statistics. */
#define ALD_ONLY_STATISTICS "alidade.only_statistics"
/* X has the columns that the model was fitted on, and the model has components. */
ald_status ald_check_columns(ald_run *run, const ald_model *model, const ald_matrix *x);
/* The method takes such a target. */
ald_status ald_check_kind(ald_run *run, const ald_target *y, const ald_method *method);
/* The target fits X and the method takes it: kind, rows, class codes, labels, weights, unlabelled rows. */
ald_status ald_check_target(ald_run *run, const ald_target *y, int64_t rows, const ald_method *method);
/* Refuses times with events: they "have no intervals", or what else is said, and what to do. */
ald_status ald_refuse_events(ald_run *run, const ald_target *y, const char *what);
/* As ald_check_target without a method: a target to compare with. It may be the same in every row. */
ald_status ald_check_truth(ald_run *run, const ald_target *y, int64_t rows);

/* The arrays and names of `inputs` fit together: shapes and names, not the values of X. */
ald_status ald_check_inputs(ald_run *run, const ald_inputs *inputs);
/* Of these, the shapes of the matrices beside X (check_beside.c); and the run's method uses those that are
 * given, with finite entries. */
ald_status ald_check_beside(ald_run *run, const ald_inputs *inputs);
ald_status ald_check_beside_use(ald_run *run, const ald_inputs *inputs);
/* How many of the rows that have a weight have no target; 0 rows where all have one. */
int64_t ald_count_unlabelled(const ald_target *y, int64_t *rows);
/* The run's method takes them: storage, matrices beside X, and the target y. */
ald_status ald_check_for_method(ald_run *run, const ald_inputs *inputs, const ald_target *y);

#endif
