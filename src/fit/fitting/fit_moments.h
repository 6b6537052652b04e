/* Fitting from moments, shared by ald_update and ald_fit_stream. */
#ifndef ALD_FITTING_FIT_MOMENTS_H
#define ALD_FITTING_FIT_MOMENTS_H

#include "methods/moments/moments.h"
#include "methods/predict/predictor.h"

/* The moments of rows, exact where the settings say that they are kept. */
ald_status ald_sum_rows(ald_run *run, const ald_operator *rows, const ald_target *target,
                        ald_moments *moments);
/* The whole of a fit; names and schema are those of `names`. */
ald_status ald_fit_moments(ald_run *run, const ald_moments *moments, const ald_model *names,
                           ald_model *model);
/* Instead of the map, for rows of one class whose statistics are kept: a component of zeros, and a warning.
 * The problem has sizes and target. */
ald_status ald_fit_one_class(ald_run *run, const ald_problem *problem, const double *mean, ald_model *model);
/* Whether rows of one class are taken so. */
int ald_keeps_one_class(const ald_run *run);
/* The map alone, of a problem that was made from them and settled. */
ald_status ald_fit_moments_map(ald_run *run, const ald_moments *moments, const ald_problem *problem,
                               ald_model *model);
/* What a predictor learns from then (z and y of `data`, in one of the forms of predictor.h), for all
 * components. */
ald_status ald_moments_scores(ald_run *run, const ald_moments *moments, const ald_problem *problem,
                              const ald_model *model, ald_predictor_moments form, ald_predictor_data *data);
/* The predictor that is asked for, from the moments of the scores themselves (d the number of components). */
ald_status ald_learn_score_moments(ald_run *run, const ald_moments *scores, ald_model *model);
/* Whether the map of the method with the run's settings can be had from moments of such a target, whatever
 * the predictor. */
ald_status ald_check_moments_map(ald_run *run, const ald_method *method, const ald_target *y);
/* Whether the method with the run's settings can be fitted from moments of such a target. */
ald_status ald_check_moments(ald_run *run, const ald_method *method, const ald_target *y);

/* Whether its statistics are of slices of the response: sir with a real one. */
int ald_takes_slices(const ald_run *run, const ald_target *y);

/* Whether the method can be fitted to statistics that came from a file: kind of target, slices, settings. */
ald_status ald_check_kept(ald_run *run, const ald_moments *kept);

#endif
