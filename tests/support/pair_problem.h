/* A small problem over pairs of rows, from rows to stress, for the tests of src/math/optimize. */
#ifndef ALD_TESTS_PAIR_PROBLEM_H
#define ALD_TESTS_PAIR_PROBLEM_H

#include "support/support.h"

#include "math/optimize/stress.h"

typedef struct pair_problem {
    ald_context *context;
    ald_run run;
    ald_error error;
    int64_t n, d;
    double *x;     /* n x d, as given */
    double *z;     /* the same centred */
    double *mean;  /* d */
    double *noise; /* n: what y has beside x */
    ald_operator rows;
    ald_pairs pairs;
    double *squares;
    ald_basis basis;
    ald_stress stress; /* squares of distances, without further terms */
} pair_problem;

/* n rows with 6 others each, drawn at random, and the squared distances of a response that depends on two
 * columns; the basis whitened (`plain`: the columns themselves). Matrices of the run live until the end. */
void pair_problem_begin(pair_problem *p, int64_t n, int64_t d, int threads, int plain);
void pair_problem_end(pair_problem *p);

/* Adds ridge, smoothness along other pairs and spread, each of some weight in J. */
void pair_problem_add_terms(pair_problem *p, int ridge, int smoothness, int spread);

/* J at w (p x r) by its definition, from the rows of Z M written out. */
double pair_problem_value(pair_problem *p, const double *w, int64_t r);
/* C = sum w (z_i - z_j)(z_i - z_j)' / sum w of the columns of a (n x k), k x k. */
void pair_problem_scatter(const pair_problem *p, const double *a, int64_t k, double *c);
/* M, d x p, in the run's scratch. */
const double *pair_problem_matrix(pair_problem *p);

#endif
