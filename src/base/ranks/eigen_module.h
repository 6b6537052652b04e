/* The module that knows SLEPc: eigenpairs of symmetric matrices that are divided over ranks. A file of its
 * own beside the program or in the folder of the libraries, loaded when a fit on ranks first asks for it. */
#ifndef ALD_RANKS_EIGEN_MODULE_H
#define ALD_RANKS_EIGEN_MODULE_H

#include "base/core/run.h"

#define ALD_EIGEN_FILE "alidade-slepc.so"
#define ALD_EIGEN_START "ald_slepc_start"

/* The largest eigenvalues of a symmetric A and their vectors. A rank has `count` rows from `first` on of A,
 * and of every vector; the ranks in their order have all of them. */
typedef struct ald_eigen_task {
    int64_t order, first, count;
    /* A by its own columns (which are its own rows): order x count, row after row. NULL: by products. */
    double *columns;
    /* w = A v, the own stretch of each. Called by all ranks together; not 0: all of them end with a failure
     */
    int (*multiply)(void *self, const double *v, double *w);
    /* After each product: not 0 ends the ranks. NULL: nobody is asked. */
    int (*ask)(void *self, int64_t products);
    void *self;
    int64_t wanted;       /* pairs, fewer than order */
    int64_t basis;        /* vectors that are kept, more than `wanted` */
    double tol;           /* |A v - theta v| <= tol theta for each pair, or what rounding leaves */
    int64_t max_products; /* about */
    const double *start;  /* 2 x count: two vectors to begin with, not multiples of each other */
    /* Results. */
    double *values;   /* wanted, descending */
    double *vectors;  /* count x wanted, orthonormal over all ranks */
    int64_t found;    /* pairs that converged: `wanted`, or too few products were allowed */
    int64_t products; /* with A */
    double residual;  /* largest |A v - theta v| / theta_1 by the solver's estimate */
    char trouble[200];
} ald_eigen_task;

typedef struct ald_eigen_module {
    /* The most memory that solving the task takes on this rank, beside what the task holds. */
    int64_t (*bytes)(const ald_eigen_task *task);
    /* 0, or not: `trouble` says why. A failure is not agreed on. */
    int (*solve)(ald_eigen_task *task);
    void (*end)(void); /* before MPI is left */
} ald_eigen_module;

/* Starts it on MPI's communicator `world`; NULL, or what went wrong. */
typedef const char *(*ald_eigen_start_fn)(void *world, const ald_eigen_module **made);

/* What the ranks have loaded. */
typedef struct ald_eigen_slot {
    const ald_eigen_module *module; /* NULL: not yet, or it is not there */
    int tried;
    const char *route; /* that is taken whatever it costs, for tests and benchmarks; NULL: the shortest */
} ald_eigen_slot;

/* The module where all ranks have it, else NULL: loaded at the first call, which all ranks make. */
ald_status ald_eigen_module_find(ald_run *run, const ald_eigen_module **module);

#endif
