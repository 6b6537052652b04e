/* Mean and covariance of the whitened rows u (whiten.h; p columns) of each slice (slices.h), for the methods
 * that compare slices:
 *
 *   f_h = W_h / W                                   the share of the weight
 *   m_h = sum_{i in h} w_i u_i / W_h
 *   V_h = sum_{i in h} w_i (u_i - m_h)(u_i - m_h)' / W_h
 *
 * Cost: n p^2 from rows that are written out; from statistics (problem->moments) 2 d^2 p a slice; from sparse
 * rows, which are never written out, their sparse scatter and 2 d^2 p a slice. */
#ifndef ALD_MOMENTS_SLICE_MOMENTS_H
#define ALD_MOMENTS_SLICE_MOMENTS_H

#include "methods/engines/slices.h"
#include "methods/engines/whiten.h"

typedef struct ald_slice_moments {
    int64_t number;     /* of the slice, from 0 */
    double share;       /* f_h */
    double *mean;       /* m_h, p */
    double *covariance; /* V_h, p x p, both triangles; may be overwritten */
} ald_slice_moments;

typedef ald_status (*ald_slice_visit)(ald_run *run, const ald_whitening *w, const ald_slice_moments *slice,
                                      void *self);

/* Calls `visit` for slice after slice. */
ald_status ald_visit_slices(ald_run *run, const ald_problem *problem, const ald_whitening *w,
                            const ald_slices *slices, ald_slice_visit visit, void *self);

/* What the tables of methods that add up a matrix over slices have in common. */
#define ALD_SLICE_METHOD                                                                                     \
    .capabilities = ALD_CAN_CLASSES | ALD_CAN_REAL | ALD_CAN_RESPONSES | ALD_CAN_SPARSE | ALD_CAN_WEIGHTS |  \
                    ALD_CAN_STREAM | ALD_CAN_DISTRIBUTE | ALD_CAN_MAP_NEW_ROWS | ALD_IS_NESTED |             \
                    ALD_IS_LINEAR,                                                                           \
    .class_scatters = 1, .bounds = ALD_BY_COLUMNS | ALD_BY_ROWS, .inverse = ALD_INVERTS_SCATTER,             \
    .scale_free = 1

#endif
