/* The parts of ald_dimension. */
#ifndef ALD_DIMENSION_DIMENSION_H
#define ALD_DIMENSION_DIMENSION_H

#include "base/core/run.h"
#include "base/settings/method.h"
#include "base/threads/pacing.h"

#include <alidade/dimension.h>
#include <alidade/model.h>

typedef struct ald_dimension_task {
    ald_run *wide; /* for jobs, on all threads. All else is on a run of one thread, for equal numbers */
    const ald_settings *settings;
    const ald_method *method;
    const ald_matrix *x;
    const ald_target *y;
    int64_t permutations;
    double level;
    uint64_t seed;
    int every;
    int64_t resamples;  /* of the ladle */
    int64_t most;       /* components that were asked to be examined; 0: nothing was said */
    int64_t wanted;     /* at most this many rows of the table */
    int64_t fits;       /* numbers of directions that were tried, 1 .. fits */
    int64_t available;  /* the first of them that could be fitted */
    int64_t count;      /* rows: no more than wanted and available */
    ald_model **models; /* models[k - 1] has k directions; the caller's to free */
} ald_dimension_task;

/* Fills statistic, p and failures, and the choice. */
ald_status ald_test_permutations(ald_run *run, const ald_dimension_task *task, ald_dimension_row *rows,
                                 ald_dimension_choice *choice);

/* Chi-square, degrees of freedom and p by the ratio of likelihoods, and the criteria, from the array
 * `likelihood` of the models. *found: they have it. */
ald_status ald_test_likelihood(ald_run *run, const ald_dimension_task *task, ald_dimension_row *rows,
                               ald_dimension_choice *choice, int *found);
/* Chooses by p-values that are there: the first k that is not rejected. */
void ald_choose_by_chi_square(const ald_dimension_task *task, const ald_dimension_row *rows,
                              ald_dimension_choice *choice);

/* Fills turn and value of the rows, and the choice; or why there is none. */
ald_status ald_find_ladle(ald_run *run, const ald_dimension_task *task, ald_dimension_row *rows,
                          ald_dimension_choice *choice);

/* The part of the work that is done when the fits, the ladle and the permutations begin. */
static inline double ald_dimension_done(const ald_dimension_task *task, int with_ladle)
{
    const double all = 1.0 + (double)task->permutations + (double)task->resamples;
    return (1.0 + (with_ladle ? (double)task->resamples : 0.0)) / all;
}

/* What does not change from one target to another. */
typedef struct ald_resampling {
    ald_run *wide; /* of the caller's context, for jobs; all else is on a run of one thread */
    const ald_settings *settings;
    const ald_matrix *x;
    const ald_stability_options *options;
    int64_t n, r;
    const double *weights; /* scaled, or NULL */
    int64_t leading;       /* features; 0: frequencies are not wanted */
    int plain; /* directions are compared in the coordinates of X, and not by the scores of the rows */
} ald_resampling;

/* A target (NULL: none), and what a fit to all rows finds with it. */
typedef struct ald_resampled_target {
    const ald_target *y;
    double *q; /* n x r: the scores, centred and orthonormal; plain: the directions, d x r */
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
    double *likeness;       /* count x r: the product of the cosines of the k angles */
    int64_t *chosen;        /* count x leading: the leading features; NULL: not wanted */
    ald_status *status;
    char (*notes)[256];
} ald_resamples;

/* Strata, and q from the scores z (n x r, changed). */
ald_status ald_resampling_target(ald_run *run, const ald_resampling *s, const ald_target *y, double *z,
                                 ald_resampled_target *target);
/* basis (d x r, scratch): the first r components, orthonormal one after the other. */
ald_status ald_plain_basis(ald_run *run, const ald_model *model, int64_t r, double **basis);
/* Permutations of the target's rows, each with a fit of its own, on the context's threads. Weights stay with
 * the rows. What cannot be fitted has q NULL. */
ald_status ald_resampling_permute(ald_run *run, const ald_resampling *s, const ald_target *y, int64_t count,
                                  ald_resampled_target *targets);
/* Fills the results, on the context's threads; what fails is in `status`, unless it ends all. */
ald_status ald_resamples_fit(ald_run *run, ald_resamples *resamples, const char *stage);

/* Stays where it is. The span of the call is that of task->wide. */
typedef struct ald_steps_ahead {
    const ald_dimension_task *task;
    int64_t tested;      /* at most so many components are */
    int64_t significant; /* expected to be so: the first ones */
    ald_pace pace;       /* what each kind of pass takes */
    int64_t *kinds;      /* of the passes that are expected, the present one first */
    double reached;      /* of the tests: where the present pass ends, 0 to 1 */
    double spent, began; /* seconds of all passes before; when the present one began */
    ald_span whole;      /* of the call */
} ald_steps_ahead;

/* In scratch of the run. What is done outside of the passes is short, and moves nothing until the end.
 * in_turn: each component has permutations of its own; else one pass is for all. */
ald_status ald_steps_ahead_begin(ald_run *run, const ald_dimension_task *task, const ald_dimension_row *rows,
                                 int in_turn, ald_steps_ahead *steps);
/* A pass over the permutations begins: that of component k + 1, or (again) the one that corrects it. */
void ald_steps_ahead_enter(ald_steps_ahead *steps, int64_t k, int again);
void ald_steps_ahead_leave(ald_steps_ahead *steps);
/* After a step: T of each component, and T* of each permutation. */
void ald_steps_ahead_learn(ald_steps_ahead *steps, const double *t, const double *chance);
void ald_steps_ahead_end(const ald_steps_ahead *steps);

/* What a model says it was fitted with; values at their default are not set. */
ald_status ald_settings_of_model(ald_context *context, const ald_model *model, ald_settings **to,
                                 ald_error *error);
/* X with its rows scaled, written out: n x d, in scratch. */
ald_status ald_write_scaled_rows(ald_run *run, const ald_dimension_task *task, double **rows);
/* Those of `from`, without predictor and statistics; values at their default stay so. */
ald_status ald_refit_settings(ald_run *run, const ald_settings *from, int64_t n_components,
                              ald_settings **to);
/* The same of a model. */
ald_status ald_refit_model(ald_context *context, const ald_model *model, ald_settings **to, ald_error *error);

/* 1 for what must end everything, not only the fit that met it: no memory, a wish to stop. */
int ald_ends_all(ald_status status);

#endif
