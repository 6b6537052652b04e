/* The space in which a kernel method is a linear one, and the model that comes out of it.
 *
 * Rows x have features phi(x) with phi(x)'phi(y) = k(x, y); Phi (n x ...) has the centred ones of the
 * training rows. A direction w of that space is held by its coordinates a (order), in one of two ways:
 *
 *   dual     w = Phi'a, a of length n, exact for every kernel:  Q = Phi Phi' = HKH,  G = Q
 *   primal   w = a, of length p, for explicit features:         Q = Phi'Phi,         G = I
 *
 * with explicit features from landmarks (phi = T'k(x, landmarks), kernel/choose_landmarks.h) or random
 * (kernel/features.h). In both, and this is all that a method uses,
 *
 *   <w1, w2> = a1'G a2,   Phi'Phi w has coordinates Q a,   scores'scores = a1'G Q a2,
 *
 * and Phi'F, for F with a row a training row, has coordinates B: F itself (dual) or Phi'F (primal). So one
 * text of a method serves the exact kernel and both approximations.
 *
 * Cost: dual n^2 d + n^2 memory (or blocks of it where only a few products are needed); primal n m d + 2 n m
 * p + n p^2, memory m^2 + m d: two passes over the rows, n x m is never stored. */
#ifndef ALD_ENGINES_KERNEL_SPACE_H
#define ALD_ENGINES_KERNEL_SPACE_H

#include "math/kernel/choose_landmarks.h"
#include "methods/engines/problem.h"

typedef enum ald_kernel_space_need {
    ALD_KERNEL_SPACE_INNER,    /* G */
    ALD_KERNEL_SPACE_PRODUCTS, /* G and a few products with Q */
    ALD_KERNEL_SPACE_TOP,      /* G and the largest eigenvectors of Q (ald_kernel_space_top) */
    ALD_KERNEL_SPACE_SQUARE,   /* G and Q as a matrix */
    ALD_KERNEL_SPACE_COLUMNS,  /* features are the kernel values with all rows (or landmarks) themselves, Q
                                * within classes
                                */
} ald_kernel_space_need;

typedef struct ald_kernel_space {
    const ald_problem *problem;
    int dual;
    int64_t n, order;
    double *q;          /* order x order; NULL where it was not needed, or is on a card */
    ald_matrix on_card; /* Q there, for products of an operator; values NULL: it is not */
    double *squares;    /* of the distances of all rows, n x n, of which Q is made; NULL: not known */
    double trace;       /* of Q, where its largest eigenvectors are needed */
    double *b;          /* order x k */
    int64_t k;
    ald_operator rows;     /* as the kernel sees them */
    ald_features features; /* of all training rows where dual */
    double *t;             /* features.m x order, or NULL: the identity */
    double *mean;          /* features.m: means over the training rows; NULL until known */
    int64_t rank;          /* of the kernel of the landmarks; 0: it was not measured */
    double missed;         /* of the kernel, by explicit features; negative: it was not measured */
    double *phi; /* n x order: the features of the training rows, which are all there is; else NULL */
} ald_kernel_space;

/* Reads the settings of ald_kernel_params and ald_features_params, tells the model what they came to, and
 * makes Q and B of f (n x k, or NULL) as far as `need` asks. */
ald_status ald_kernel_space_make(ald_run *run, const ald_problem *problem, ald_model *model, const double *f,
                                 int64_t k, ald_kernel_space_need need, ald_kernel_space *space);
/* The same for a method whose kernel_width = 0 is `part` of the median distance, not all of it. */
ald_status ald_kernel_space_make_narrow(ald_run *run, const ald_problem *problem, ald_model *model,
                                        double part, ald_kernel_space_need need, ald_kernel_space *space);

/* Writes out Q of the dual in the memory of the host. */
ald_status ald_kernel_space_write(ald_run *run, ald_kernel_space *space);

/* In the dual the fits of a comparison share Q: before it is overwritten, this makes it the fit's own. */
ald_status ald_kernel_space_own(ald_run *run, ald_kernel_space *space);

/* The primal space of centred features phi (n x p) that only the training rows have: engines/graph_kernel.h.
 */
ald_status ald_kernel_space_of_features(ald_run *run, const ald_problem *problem, ald_area phi, ald_view f,
                                        ald_kernel_space_need need, ald_kernel_space *space);

/* out (order x k) = Q v, or G v. */
ald_status ald_kernel_space_apply(ald_run *run, ald_kernel_space *space, const double *v, int64_t k,
                                  double *out);
ald_status ald_kernel_space_inner(ald_run *run, ald_kernel_space *space, const double *v, int64_t k,
                                  double *out);

/* Adds the map of r directions to the model, a order x r; signs are fixed. Where only the training rows have
 * features, their projection instead: the array `embedding`, map none. */
ald_status ald_kernel_space_finish(ald_run *run, ald_kernel_space *space, int64_t r, const double *a,
                                   ald_model *model);

/* Two-stage generalized eigenproblem in coordinates: with S positive definite (order x order, destroyed), X =
 * S^-1 B, M = (G B)'X = V L V', the directions are X V L^(-1/2); values L above 1e-10 of the first. Adds map
 * and eigenvalues. n_components = 0: all there are. */
ald_status ald_kernel_space_pencil(ald_run *run, ald_kernel_space *space, double *s, const char *limit,
                                   ald_model *model);

/* The `wanted` largest eigenpairs of a symmetric operator, which `dense` (NULL: to be made from the products)
 * is the matrix of: all at once, or by Lanczos where the setting `solver` says so or many are not wanted. */
typedef struct ald_top {
    ald_status (*apply)(ald_run *run, void *self, const double *v, int64_t k, double *w);
    void *self;
    int64_t order, wanted;
    const double *dense;
    const char *whole; /* what the model calls the decomposition of the whole matrix; NULL: direct */
    /* Results, in scratch. */
    double *values;  /* wanted */
    double *vectors; /* order x wanted */
} ald_top;
ald_status ald_top_solve(ald_run *run, ald_top *top, ald_model *model);

/* The largest eigenpairs of Q: order, wanted and what comes out of `top`. */
ald_status ald_kernel_space_top(ald_run *run, ald_kernel_space *space, int64_t wanted, ald_model *model,
                                ald_top *top);

/* solver, and the parameters of Lanczos and of the randomized solver. */
extern const ald_param *const ald_top_params[];

#endif
