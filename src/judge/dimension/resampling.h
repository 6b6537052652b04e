/* Fits to resamples of the rows, and the angles between their projections and that of a fit to all rows. */
#ifndef ALD_DIMENSION_RESAMPLING_H
#define ALD_DIMENSION_RESAMPLING_H

#include "base/core/run.h"

#include <alidade/dimension.h>

/* What does not change from one target to another. */
typedef struct ald_resampling {
    ald_run *wide; /* of the caller's context, for jobs; all else is on a run of one thread */
    const ald_settings *settings;
    const ald_matrix *x;
    const ald_stability_options *options;
    int64_t n, r;
    const double *weights; /* scaled, or NULL */
    int64_t leading;       /* features; 0: frequencies are not wanted */
} ald_resampling;

/* A target (NULL: none), and what a fit to all rows finds with it. */
typedef struct ald_resampled_target {
    const ald_target *y;
    double *q; /* n x r: the scores, centred and orthonormal */
    int64_t *by_class, *begin;
    int64_t strata; /* rows in order of their class; begin[s] .. begin[s + 1] is stratum s */
} ald_resampled_target;

/* The results of some resamples, all in the run's scratch. */
typedef struct ald_resamples {
    const ald_resampling *s;
    const ald_resampled_target *targets; /* resample b is of target b % n_targets */
    int64_t n_targets, count;
    uint64_t stream;        /* of random numbers: resample b has stream + b */
    double *mean, *largest; /* count x r, radians */
    int64_t *chosen;        /* count x leading: the leading features; NULL: not wanted */
    ald_status *status;
    char (*notes)[256];
} ald_resamples;

/* Strata, and q from the scores z (n x r, changed). */
ald_status ald_resampling_target(ald_run *run, const ald_resampling *s, const ald_target *y, double *z,
                                 ald_resampled_target *target);
/* Permutations of the target's rows, each with a fit of its own, on the context's threads. Weights stay with
 * the rows. What cannot be fitted has q NULL. */
ald_status ald_resampling_permute(ald_run *run, const ald_resampling *s, const ald_target *y, int64_t count,
                                  ald_resampled_target *targets);
/* Fills the results, on the context's threads; what fails is in `status`, unless it ends all. */
ald_status ald_resamples_fit(ald_run *run, ald_resamples *resamples, const char *stage);

#endif
