/* The entries of a ridge and of Lanczos that engines and methods have in common. One that says or defaults to
 * something else is an entry of its own there. */
#ifndef ALD_ENGINES_ENGINE_PARAMS_H
#define ALD_ENGINES_ENGINE_PARAMS_H

#include "base/settings/method.h"
#include "math/kernel/choose_landmarks.h"
#include "math/kernel/kernel.h"
#include "math/solvers/lanczos.h"

/* ridge, added to the covariance of X. */
extern const ald_param ald_covariance_ridge_param;
/* ridge_rel, a part of the largest eigenvalue of the matrix that the ridge is added to. */
extern const ald_param ald_ridge_rel_param;

/* tol and max_iter of Lanczos, iterated_power and n_oversamples of the randomized solver. */
extern const ald_param ald_lanczos_tol_param, ald_lanczos_max_iter_param;
extern const ald_param ald_iterated_power_param, ald_oversamples_param;

/* Tolerance, products (blocks of `width`), powers and seed of the task by the settings of the run. */
void ald_lanczos_set(const ald_run *run, int64_t width, ald_lanczos *task);
/* Warns where it did not converge, and writes products, residual and where it was randomized the estimate of
 * the error to the model (NULL: not). */
ald_status ald_lanczos_report(ald_run *run, const ald_lanczos *task, ald_model *model);

/* The parameters of a method that compares rows by a kernel, and their values. */

typedef struct ald_kernel_settings {
    int kernel;       /* place among the choices: an ald_kernel_kind, or beyond them what the method adds */
    const char *name; /* the same as text */
    double width;     /* 0: by the median distance */
    double coef0;
    int64_t degree;
    int64_t landmarks; /* 0: all rows */
    ald_landmark_choice choice;
    int64_t features; /* 0: none */
} ald_kernel_settings;

ald_kernel_settings ald_kernel_settings_of(const ald_run *run);
/* Whether rows are compared with fewer landmarks, or by random features. */
int ald_kernel_is_approximate(const ald_kernel_settings *settings);

/* kernel, kernel_width, degree, coef0, landmarks and landmark_choice. A method may have entries of its own of
 * the first two; its list of kernels begins with ald_kernel_names. */
extern const ald_param *const ald_kernel_params[];
/* features, for methods that work with explicit ones. */
extern const ald_param *const ald_features_params[];

#endif
