/* The parts of rsir: its settings, its matrices and what it minimises. methods/inverse/rsir.c has the
 * whole. */
#ifndef ALD_RSIR_RSIR_PARTS_H
#define ALD_RSIR_RSIR_PARTS_H

#include "base/settings/method.h"
#include "math/graph/laplacian.h"
#include "math/optimize/trace_ratios.h"
#include "methods/engines/problem.h"
#include "methods/engines/slices.h"

/* The settings. */
/* Enumerators in the order of the choices. */
typedef enum ald_rsir_graph { ALD_RSIR_KNN, ALD_RSIR_FULL, ALD_RSIR_EPSILON } ald_rsir_graph;

typedef struct ald_rsir_settings {
    double eta;
    int eta_given; /* else it may be raised where labelled rows are few */
    ald_rsir_graph graph;
    int64_t n_neighbors;
    double radius, heat_width; /* 0: by the rows */
    int64_t n_starts;
    double tol;
    int64_t max_iter;
    double ridge, ridge_rel; /* both add */
    uint64_t seed;
} ald_rsir_settings;

/* Asked for once per fit, and handed on. */
ald_rsir_settings ald_rsir_settings_of(const ald_run *run);

extern const ald_param *const ald_rsir_params[];

/* rsir_matrices.c: the matrices in the coordinates in which they are simplest. */
typedef struct ald_rsir_matrices {
    /* Coordinates: rows are those of z, n x p; directions in the columns of X are `back` (p x d) times, NULL:
     * as is. */
    ald_operator z;
    int64_t n, d, p;
    double *back;
    /* Whitened: q of them. */
    int64_t q;
    double *t;     /* T', q x p: a row a coordinate */
    double *gamma; /* Gt, q x q */
    double *quad;  /* Qt, q x q */
    double *lt;    /* Lt, q, ascending order not promised */
    double ridge;
} ald_rsir_matrices; /* in scratch */

/* Coordinates, T by Sigma alone, and Gt; Lt and Qt are NULL. */
ald_status ald_rsir_whiten(ald_run *run, const ald_problem *problem, const ald_rsir_settings *settings,
                           const ald_labelled *labelled, const ald_slices *slices, ald_model *model,
                           ald_rsir_matrices *m);
/* S and Q of the graph, and the coordinates turned so that S is diagonal. `degree` (n) is D. */
ald_status ald_rsir_penalise(ald_run *run, const ald_laplacian *laplacian, const double *degree,
                             ald_rsir_matrices *m);

/* rsir_objective.c: what rsir minimises, with its matrices in this order. */
enum { ALD_RSIR_GAMMA, ALD_RSIR_SIGMA, ALD_RSIR_QUAD, ALD_RSIR_SPREAD };

/* The same problem in the better coordinates: A there is diag(1 / scale) E (E's rows) times A here. */
typedef struct ald_rsir_turn {
    double *e;     /* q x q, orthonormal rows */
    double *scale; /* q */
} ald_rsir_turn;

/* `start` (q x k) is where the minimum is looked for from; sigma must be I and the spread diagonal. */
ald_status ald_rsir_precondition(ald_run *run, const ald_trace_ratios *problem, const double *start,
                                 ald_trace_ratios *better, ald_rsir_turn *turn);
/* There and back; out (q x k), not orthonormal. */
ald_status ald_rsir_there(ald_run *run, const ald_trace_ratios *problem, const ald_rsir_turn *turn,
                          const double *a, double *out);
ald_status ald_rsir_back(ald_run *run, const ald_trace_ratios *problem, const ald_rsir_turn *turn,
                         const double *a, double *out);

#endif
