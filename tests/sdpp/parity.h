/* Rows with a response that two of their columns give. */
#ifndef TESTS_SDPP_PARITY_H
#define TESTS_SDPP_PARITY_H

#include "support/fitting.h"
#include "support/storages.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rows in the unit cube and y = sin sin of the first two columns, a little noise. */
typedef struct parity {
    int64_t n, d;
    double *x, *y;
    ald_matrix view;
    ald_target target;
} parity;

static inline parity make_parity(int64_t n, int64_t d, uint64_t seed)
{
    parity s = {
        .n = n,
        .d = d,
        .x = malloc((size_t)(n * d) * sizeof *s.x),
        .y = malloc((size_t)n * sizeof *s.y),
    };
    const double turn = 2.0 * acos(-1.0);
    ald_random random;
    ald_random_seed(&random, seed, 0);
    for (int64_t i = 0; i < n * d; i++) s.x[i] = (double)(float)ald_random_uniform(&random);
    for (int64_t i = 0; i < n; i++)
        s.y[i] = sin(turn * s.x[i * d]) * sin(turn * s.x[i * d + 1]) + 0.1 * ald_random_normal(&random);
    s.view = ald_matrix_row_major(s.x, n, d, d);
    s.target = ald_target_real(ald_matrix_row_major(s.y, n, 1, 1));
    return s;
}

static inline void free_parity(parity *s)
{
    free(s->x);
    free(s->y);
}

#endif
