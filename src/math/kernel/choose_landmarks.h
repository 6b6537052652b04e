/* Which landmarks to use, and the low-rank map that they give (Nystrom).
 *
 *   uniform    m rows drawn without replacement
 *   kmeans     m centres of groups: ten steps of Lloyd's iteration on up to 20 m (at least 5000) rows, from
 *              rows drawn uniformly. Dense rows only. Zhang, Tsang and Kwok (2008).
 *   leverage   m rows drawn without replacement with weights l_i, the ridge leverage scores by a first
 *              uniform set of m landmarks, C = sum phi phi', e = 2/m times what m/2 landmarks leave of tr K:
 *              l_i = phi_i'(C + e I)^-1 phi_i + (k_ii - |phi_i|^2) / e. Musco and Musco (2017).
 *
 * The map, with eigenvalues above 1e-10 of the first,
 *
 *   K_mm   = U L U'
 *   T      = U L^(-1/2)
 *   phi(x) = T'k(x, landmarks)
 *
 * and phi(x)'phi(y) is the kernel, exactly where x or y is a landmark. */
#ifndef ALD_KERNEL_CHOOSE_LANDMARKS_H
#define ALD_KERNEL_CHOOSE_LANDMARKS_H

#include "math/kernel/features.h"

/* In the order of the enumeration; ends with NULL. */
extern const char *const ald_landmark_choices[];
typedef enum ald_landmark_choice { ALD_UNIFORM, ALD_KMEANS, ALD_LEVERAGE } ald_landmark_choice;

/* m <= rows; m = rows takes all, in order. */
ald_status ald_landmarks_choose(ald_run *run, const ald_kernel *kernel, const ald_operator *z, int64_t m,
                                ald_landmark_choice choice, uint64_t seed, ald_landmarks *l);

/* T (m x p) in scratch. */
ald_status ald_landmarks_whiten(ald_run *run, const ald_kernel *kernel, const ald_landmarks *l, double **t,
                                int64_t *p);

/* |K - phi phi'|_F / |K|_F on the entries between 200 rows drawn with `seed`; t as above or NULL (random
 * features). */
ald_status ald_features_error(ald_run *run, const ald_features *features, const ald_operator *z,
                              const double *t, int64_t p, uint64_t seed, double *error);

#endif
