/* Explicit features of rows: kernel values with landmarks, or random Fourier features; block by block, so
 * that n x m is never stored.
 *
 * Random Fourier features (Rahimi and Recht 2008), phi_k(x) = sqrt(2/m) cos(w_k'x + b_k), b_k uniform on [0,
 * 2 pi], have E phi(x)'phi(y) = k(x, y): rbf with w normal of standard deviation 1/s, laplacian with the
 * entries of w Cauchy of scale 1/s. */
#ifndef ALD_KERNEL_FEATURES_H
#define ALD_KERNEL_FEATURES_H

#include "math/kernel/landmarks.h"

typedef struct ald_fourier {
    int64_t m, d;
    const double *frequencies; /* m x d */
    const double *phases;      /* m */
} ald_fourier;

/* Drawn with `seed`; rbf and laplacian only. */
ald_status ald_fourier_draw(ald_run *run, const ald_kernel *kernel, int64_t m, int64_t d, uint64_t seed,
                            ald_fourier *fourier);

typedef struct ald_features {
    ald_kernel kernel;
    ald_landmarks landmarks;
    ald_fourier fourier; /* m > 0: these, and no landmarks */
    int64_t m, d;
} ald_features;

/* phi (count x m) of rows i0 .. i0 + count of z, which ald_kernel_rows made. */
ald_status ald_features_block(ald_run *run, const ald_features *features, const ald_operator *z, int64_t i0,
                              int64_t count, double *phi);

/* out (rows x r) = (phi - 1 mean') c, c m x r. */
ald_status ald_features_apply(ald_run *run, const ald_features *features, const ald_operator *z,
                              const double *mean, const double *c, int64_t r, double *out);

/* Rows to p features: (phi - mean) T. */
typedef struct ald_feature_map {
    ald_features features;
    const double *t; /* features.m x p; NULL: the identity, p = features.m */
    int64_t p;
    const double *mean; /* features.m */
} ald_feature_map;
/* f: the features of the rows of z, by blocks, as an operator in scratch. */
ald_status ald_feature_map_rows(ald_run *run, const ald_feature_map *map, const ald_operator *z,
                                ald_operator *f);

/* Sums over all rows, n x m never stored. */
typedef struct ald_feature_sums {
    double *mean;    /* m: of phi over the rows */
    double *scatter; /* p x p: sum (phi - mean) T)'(...), or NULL: not wanted */
    double *cross;   /* p x k: sum (phi - mean) T)'f, or NULL */
    const double *f; /* n x k */
    int64_t k;
    const double *t; /* m x p, or NULL: the identity, p = m */
    int64_t p;
    const int32_t *group; /* n, or NULL: scatter about the means of these groups instead */
    int64_t groups;
} ald_feature_sums;
/* Two passes over the rows: the means, then the rest. */
ald_status ald_features_sum(ald_run *run, const ald_features *features, const ald_operator *z,
                            ald_feature_sums *sums);

#endif
