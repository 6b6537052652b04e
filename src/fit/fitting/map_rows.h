/* From rows to projections: one function a kind of map (alidade.map), for models just fitted and models
 * loaded alike.
 */
#ifndef ALD_FITTING_MAP_ROWS_H
#define ALD_FITTING_MAP_ROWS_H

#include "base/core/model.h"
#include "math/operator/operator.h"

#include <alidade/matrix.h>

/* z (x->rows x components) of rows that were checked. Transductive models (map none) refuse. */
ald_status ald_map_rows(ald_run *run, const ald_model *model, const ald_matrix *x, double *z);
/* One response of a linear map and a predictor b0 + B'z needs one column in place of r:
 *
 *   y = ((x - m) / s) (C'B) + b0.
 *
 * The first finds C'B (d x 1, in scratch), or NULL where the model is not of this kind. */
ald_status ald_map_fold(ald_run *run, const ald_model *model, const double **column);
ald_status ald_map_folded(ald_run *run, const ald_model *model, const ald_matrix *x, const double *column,
                          double *y);
/* ald_transform as a part of the call of `outer`. */
ald_status ald_transform_inside(const ald_run *outer, const ald_model *model, const ald_matrix *x, double *z,
                                ald_error *error);
/* ald_predict_scores as a part of the call of `outer`. */
ald_status ald_predict_scores_inside(ald_run *outer, const ald_model *model, const ald_matrix *x,
                                     double *scores);
/* ald_transform_inside of rows that were prepared as rows already, such as those of a problem; what columns
 * it has is not used. */
ald_status ald_map_prepared(ald_run *run, const ald_model *model, const ald_operator *rows, double *z);

/* The rows of x as they were prepared at the fit, less `mean` (NULL: not centred). */
ald_status ald_prepare_like(ald_run *run, const ald_model *model, const ald_matrix *x, const double *mean,
                            ald_operator *prepared);
/* For rows that have already been prepared: scales the columns like the model, minus `mean`. */
ald_status ald_prepare_columns_like(ald_run *run, const ald_model *model, const double *mean,
                                    ald_operator *prepared);

/* row_blocks.c. Whether rows of x pass a model block by block: its map is linear, and rows can be cut. */
int ald_goes_by_blocks(const ald_model *model, const ald_matrix *x);
/* Whether it is a linear map of the columns as they come, which asks the operator for one product alone. */
int ald_maps_by_products(const ald_model *model);
/* Calls fn for blocks of the rows of x, in any order and on several threads, each with a run of its own of
 * one thread. `width`: numbers that fn makes of a row. */
typedef ald_status (*ald_passage_fn)(ald_run *run, const ald_matrix *block, int64_t first, const void *work);
ald_status ald_go_by_blocks(ald_run *run, const ald_matrix *x, int64_t width, ald_passage_fn fn,
                            const void *work);

#endif
