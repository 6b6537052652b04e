/* The problem of sdpp over W, while it is solved, and the conjugate gradient from several starts. */
#ifndef ALD_SDPP_SDPP_STARTS_H
#define ALD_SDPP_SDPP_STARTS_H

#include "base/numbers/random.h"
#include "math/convex/convex.h"
#include "math/optimize/quadratic.h"
#include "math/optimize/stress_on_card.h"
#include "methods/sdpp/sdpp_terms.h"

/* All in scratch but the model. */
typedef struct ald_sdpp_solving {
    const ald_problem *problem;
    ald_model *model;
    const ald_sdpp_pairs *pairs;
    ald_sdpp_settings settings;
    ald_basis basis;
    ald_stress stress;
    ald_stress_card card; /* the stress's, where its scores are on a card */
    ald_quadratic quadratic;
    int has_quadratic;
    int has_convex;
    ald_psd_solution convex; /* whitened */
    int64_t convex_rank;
    double *convex_lengths; /* convex_rank eigenvalues of P* in the coordinates of Z */
    double at_zero, size;
    double length; /* about that of the columns of W, in coordinates in which rows differ by about 1 */
    /* p: the units in which starts are made and the conjugate gradient works (conjugate_gradient.h) */
    double *scale;
    int64_t r, starts, max_iter;
    uint64_t seed;
    double *history;
    int64_t history_length;
    int64_t iterations, all_iterations;
    int converged, certifiable;
    int certified; /* P* is the minimum to within 1e-7 J(0) and has no more than r directions */
} ald_sdpp_solving;

/* A random start is made of every so-many-th of the pairs. */
int64_t ald_sdpp_drawn_every(int64_t pairs);

/* The units of s->scale, for the ridge of the stress and s->size. */
ald_status ald_sdpp_find_scale(ald_run *run, ald_sdpp_solving *s);
/* The best of all starts to w (p x r), in the coordinates of the basis; of those within 1e-9 the first. */
ald_status ald_sdpp_run_starts(ald_run *run, ald_sdpp_solving *s, ald_sdpp_watch *watch, double *w);
/* From P* alone, where it is certified: no other start can be lower by more than its gap. */
ald_status ald_sdpp_run_certified(ald_run *run, ald_sdpp_solving *s, double *w);

/* sdpp_choose_ridge.c: the ridge where there are about as many columns as rows and nobody has given one. Sets
 * that of the stress, tells the model and the log of it; does nothing where columns are few or the settings
 * say what to do. */
ald_status ald_sdpp_choose_ridge(ald_run *run, const ald_operator *z, ald_sdpp_solving *s);
/* About how many short runs that takes for n rows and d columns; 0: it is not done. */
double ald_sdpp_ridge_runs(const ald_sdpp_settings *settings, int64_t n, int64_t d);

/* The convex problem over P = W W' of any rank: fills what s knows of it, where the settings want it; the
 * model records solver, rank and gap. */
ald_status ald_sdpp_solve_convex(ald_run *run, ald_sdpp_solving *s);

/* sdpp_common.c: what fits to the same rows have in common, kept between them where they are tried
 * (core/tryout.h): coordinates and the sums of J do not depend on ridge and r, the convex problem not on r.
 * In a fit by itself everything is made in its scratch, to the same numbers. */
/* Fills s->basis. */
ald_status ald_sdpp_common_basis(ald_run *run, const ald_operator *z, ald_sdpp_solving *s);
/* Fills s->quadratic, for points of that many columns and groups. */
ald_status ald_sdpp_common_quadratic(ald_run *run, ald_sdpp_solving *s, int64_t columns, int64_t groups);
/* Fills what s knows of the convex problem. */
ald_status ald_sdpp_common_convex(ald_run *run, ald_sdpp_solving *s);

#endif
