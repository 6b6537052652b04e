/* Cross-validation without refitting, exactly, for the methods that are fitted from moments
 * (src/methods/moments/moments.h).
 *
 * The rows are divided into parts, each of which is left out in turn. The moments of every part are summed in
 * one pass over X; those of a training part are the sum of the others' (Chan's update), and a problem of few
 * rows that has them is handed to the method, as for streamed data. So a fit costs O(d^3) whatever the number
 * of rows, and one set of sums serves all settings of all such methods that have the same row scaling.
 *
 * Sums, not differences: taking a part away from the total would leave the rounding of the total, which an
 * outlier in the part makes large (test_folds.c measures it). The sums of K parts cost K^2 d^2 operations,
 * which is little beside the K d^3 of the fits.
 *
 * Slices of a real response (sir) belong to the training part: of them only the scatter is summed, and the
 * means within slices come from a pass over the training rows, O(n d).
 *
 * The result is that of a fit of the rows to rounding. Where too much of it is rounding (ALD_TRUST in
 * folds.c) it is not trusted, and the rows are to be fitted. When all this pays: sums.c. */
#ifndef ALD_CELLS_FOLDS_H
#define ALD_CELLS_FOLDS_H

#include "base/settings/common_params.h"
#include "fit/fitting/fit_moments.h"
#include "judge/splitting/splits.h"
#include "judge/splitting/subset.h"

/* The moments of one part, in an arena of its own, so that parts can be summed at the same time. */
typedef struct ald_fold_part {
    ald_arena memory;
    ald_moments moments; /* mean NULL: rows without weight; d 0: no rows */
} ald_fold_part;

/* A division of the rows with its moments; begun, it is freed by ald_folds_free, also after a failure. */
typedef struct ald_folds {
    const ald_settings *like; /* rows are prepared as it says */
    int64_t count;
    ald_fold_part *parts;    /* in the scratch of the run that began it */
    int64_t *order, *starts; /* the rows of part k are order[starts[k] .. starts[k + 1]) */
} ald_folds;

/* part_of: a number from 0 to count - 1 for each of n rows. The run's settings say how rows
 * are prepared, and stay for as long as the folds. */
ald_status ald_folds_begin(ald_run *run, int64_t n, const int32_t *part_of, int64_t count, ald_folds *folds);
/* Sums one part; X is finite. The run's settings are of a method that is fitted from moments without a
 * scatter per class. Give it a context of one thread: then the sums do not depend on how many there are. */
ald_status ald_folds_sum(ald_run *run, const ald_subset *data, int64_t part, ald_folds *folds);
void ald_folds_free(ald_folds *folds);

/* A problem with the moments of a training part. */
typedef struct ald_fold_form {
    int made;
    int64_t n_slices; /* 0: the target as it is */
    ald_moments moments;
    ald_target target;
    ald_problem problem; /* to be settled */
} ald_fold_form;

/* One training part: all but part `left_out`. Begun, it is ended by ald_fold_end, also after a failure. */
typedef struct ald_fold {
    ald_run run; /* its scratch holds all of the following */
    const ald_subset *data;
    const int64_t *rows; /* of the training part */
    int64_t n;
    const ald_settings *like; /* rows are prepared as it says */
    ald_target y;             /* of these rows */
    ald_subset train;
    int taken; /* train is there */
    ald_moments moments;
    ald_fold_form whole, sliced; /* made when they are first wanted */
} ald_fold;

/* `data` and `rows` stay the caller's and are kept. */
ald_status ald_fold_begin(ald_run *run, const ald_folds *folds, int64_t left_out, const ald_subset *data,
                          const int64_t *rows, int64_t n, ald_fold *fold);
void ald_fold_end(ald_fold *fold);
/* The training rows themselves, for what cannot do without them: copied when they are first wanted. */
ald_status ald_fold_train(ald_run *run, ald_fold *fold, const ald_subset **train);
/* The same for what asks them by products alone, prepared by the run's settings: `own`, taken on a card where
 * X is there, for as long as the run holds it. */
ald_status ald_fold_train_by_products(ald_run *run, ald_fold *fold, ald_subset *own,
                                      const ald_subset **train);
/* Whether the run's settings can be fitted from sums of rows prepared as `like` says, with such a target, at
 * all. What learns from the rows (msc) cannot: every training part has its own. */
int ald_folds_serve(ald_run *run, const ald_settings *like, const ald_target *y);
/* Whether they can be fitted from this one: more rows than columns, and labels of which the patterns are few.
 */
int ald_fold_serves(ald_run *run, const ald_fold *fold);
/* The map by the run's settings, without a predictor: what ald_fit of the training rows gives, to rounding.
 * `form` receives what was fitted, settled, for as long as the fold and the run's scratch are there. Not
 * `trusted`: the model may be empty, and is of no use. */
ald_status ald_fold_fit(ald_run *run, ald_fold *fold, ald_model *model, ald_fold_form *form, int *trusted);

/* Settings that are fitted in every split, for r directions. */
typedef struct ald_sums_fit {
    const ald_settings *settings;
    int64_t r;
} ald_sums_fit;

typedef struct ald_sums {
    int64_t divisions; /* 0: there are none, and rows are fitted */
    ald_folds *of;     /* a division */
} ald_sums;

/* Whether such fits are fast whatever they are made from: from moments, in fewer than 1e8 operations a split.
 */
int ald_sums_is_quick(ald_run *run, const ald_subset *data, const ald_splits *splits,
                      const ald_sums_fit *fit);
/* Sums for the fits that have the row scaling of the first that can be served; on several threads, with the
 * same figures for any number. X may stay on a card after that (math/device/held.h): the caller releases it.
 * Where X cannot be summed there are none: the fit of its rows says why. In the
 * run's scratch and in memory of their own: freed by ald_sums_free, also after a failure. */
ald_status ald_sums_make(ald_run *run, const ald_subset *data, const ald_splits *splits,
                         const ald_sums_fit *fits, int64_t count, ald_sums *sums);
void ald_sums_free(ald_sums *sums);

/* What sums and refitting would take: the rule is at the top of sums.c. */
typedef struct ald_fold_work {
    double n, d, entries;
    int dense;
    double q;
    double train;            /* p */
    double divisions, parts; /* D, and the parts of each */
    double splits;           /* S */
} ald_fold_work;

/* One fit of the rows of a training part, for r directions. */
double ald_refit_operations(const ald_fold_work *work, const ald_settings *settings, int64_t r);
/* The sums and `fits` fits from them in every split. */
double ald_fold_operations(const ald_fold_work *work, int64_t fits);
/* Whether the moments can be kept at all. */
int ald_folds_fit_memory(const ald_fold_work *work);

#endif
