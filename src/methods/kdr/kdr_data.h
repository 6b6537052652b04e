/* What kdr, gkdr and ism share: the rows they compare, and the kernel on the targets.
 *
 * Rows. X is centred and, unless it was scaled already (scale) or standardize=0, its columns are divided by
 * their deviations: B has orthonormal columns, and a column of small numbers would be invisible to it.
 * Directions are sought within the span of the rows, of dimension p: only there are they identifiable.
 * Where p = d, the rows stay as they are; otherwise (constant or collinear columns, d >= n) U = Z Q with the
 * orthonormal Q (d x p) takes their place, B = Q C and C'C = I as B'B = I. Eigenvalues of Z'Z up to 1e-10 of
 * the largest count as 0.
 *
 * Targets. Classes: 1 if equal. Numbers and labels: exp(-|a - b|^2 / (2 s^2)), as a product of few columns by
 * incomplete Cholesky. */
#ifndef ALD_KDR_KDR_DATA_H
#define ALD_KDR_KDR_DATA_H

#include "base/settings/method.h"
#include "math/kernel/incomplete_cholesky.h"
#include "methods/engines/problem.h"

/* The parameters that kdr and gkdr share. */
typedef struct ald_kdr_settings {
    double kernel_width, response_width; /* 0: by the median distance */
    int standardize;
    uint64_t seed;
} ald_kdr_settings;

/* Asked for once per fit, and handed on. */
ald_kdr_settings ald_kdr_settings_of(const ald_run *run);

extern const ald_param *const ald_kdr_params[];
/* As in ald_method: the columns are divided by their deviations. */
int ald_kdr_ignores_units(const ald_settings *settings);

typedef struct ald_kdr_rows {
    int64_t n, d, p;
    double *rows;  /* U, n x p */
    double *basis; /* Q', p x d; NULL: I */
    double *scale; /* d: the standard deviations that columns were divided by; NULL: they were not */
} ald_kdr_rows;

/* In scratch. Adds `column_scale` (the standard deviations) and alidade.resolved.data_rank (p) to the model.
 * Fewer than problem->r directions are an error, as is n_components = 0. */
ald_status ald_kdr_rows_make(ald_run *run, const ald_problem *problem, const ald_kdr_settings *settings,
                             ald_model *model, ald_kdr_rows *rows);

/* The width of a kernel on the rows: `kernel_width`, or `factor` times the median distance where that is 0.
 */
ald_status ald_kdr_rows_width(ald_run *run, const ald_kdr_rows *rows, const ald_kdr_settings *settings,
                              double factor, ald_model *model, double *width);

/* B' (r x p) turned so that z has a diagonal covariance, whose entries are `values` (r). */
ald_status ald_kdr_rows_turn(ald_run *run, const ald_kdr_rows *rows, int64_t r, const double *b,
                             double *turned, double *values);

/* Adds B' (`directions`, r x p, orthonormal rows) as components: Q applied, deviations folded in, signs
 * fixed. */
ald_status ald_kdr_rows_add(ald_run *run, const ald_problem *problem, const ald_kdr_rows *rows,
                            const double *directions, ald_model *model);

typedef struct ald_kdr_target {
    int64_t n, q;
    const double *y; /* n x q: numbers, labels, or dummies of classes */
    int classes;
    double width; /* s; 1 for classes */
} ald_kdr_target;

/* Its width is `response_width`, or `factor` times the median distance where that is 0. */
ald_status ald_kdr_target_make(ald_run *run, const ald_problem *problem, const ald_kdr_settings *settings,
                               double factor, ald_model *model, ald_kdr_target *target);

/* F (n x m, in scratch, or the target itself) with F F' = the kernel of width stretch * s, but for `tol` of
 * its trace or what more than `most` columns would add; its columns centred on demand: then F F' is the
 * centred kernel. */
typedef struct ald_kdr_factor {
    const double *f;
    int64_t m;
    double left; /* part of the trace that is left out */
} ald_kdr_factor;
ald_status ald_kdr_target_factor(ald_run *run, const ald_kdr_target *target, double stretch, double tol,
                                 int64_t most, int centred, ald_kdr_factor *factor);

#endif
