/* Eigenvectors of a symmetric matrix: A = Q T Q' with T tridiagonal (tridiagonal.c), then T = G D G' by QL
 * iterations with implicit shifts (Martin and Wilkinson 1968; Golub and Van Loan, Matrix Computations,
 * 8.3).
 *
 * For the block of T from row l to row m, between two zeros beside the diagonal, the eigenvalue of its
 * first 2 x 2 corner that is nearer to d_l is the shift sigma. A sweep of rotations of rows and columns i,
 * i + 1, for i = m - 1 down to l, is a step of QL on T - sigma I: the first makes the last column of it
 * what QL wants, the others push the entry that appears outside the band out of the matrix. e_l decreases
 * cubically, 1.7 sweeps for an eigenvalue on average. An entry beside the diagonal below half a rounding
 * of the norm of T is 0.
 *
 * The rotations are kept (rotations.h) and turned into those vectors that are wanted. Operations: 2 n^3
 * for T, 5 n^2 per wanted vector for G, 4 n^2 for Q; 14 n^2 bytes for the rotations. */
#include "math/backend/plain_spectra.h"
#include "math/backend/rotations.h"
#include "math/backend/tridiagonal.h"

#include <float.h>
#include <math.h>

static const char what[] = "the eigenvalue decomposition";

typedef struct iteration {
    int64_t n;
    double *d, *e; /* n each; e_i beside d_i and d_(i+1), the last one 0 */
    double small;
    int is_kept;
    const ald_sweep *newest;
} iteration;

/* The last row of the block that begins at l. */
static int64_t block_end(const iteration *t, int64_t l)
{
    int64_t m = l;
    while (m < t->n - 1 && fabs(t->e[m]) > t->small) m++;
    return m;
}

/* d_m minus the shift. */
static double first_entry(const iteration *t, int64_t l, int64_t m)
{
    const double half = (t->d[l + 1] - t->d[l]) / (2.0 * t->e[l]), root = sqrt(half * half + 1.0);
    return t->d[m] - t->d[l] + t->e[l] / (half + copysign(root, half));
}

/* One sweep over rows l .. m. The entry outside the band, f, may vanish on the way: the block has come apart
 * there, and the rest of the sweep turns nothing. */
static void turn_block(iteration *t, int64_t l, int64_t m, double *turns)
{
    double g = first_entry(t, l, m), s = 1.0, c = 1.0, p = 0.0;
    double *d = t->d, *e = t->e;
    int64_t i = m - 1;
    for (; i >= l; i--) {
        const double f = s * e[i], b = c * e[i], r = sqrt(f * f + g * g);
        e[i + 1] = r;
        if (r == 0.0) break;
        s = f / r;
        c = g / r;
        const double q = d[i + 1] - p, along = (d[i] - q) * s + 2.0 * c * b;
        p = s * along;
        d[i + 1] = q + p;
        g = c * along - b;
        if (turns) {
            turns[2 * (i - l)] = c;
            turns[2 * (i - l) + 1] = s;
        }
    }
    if (i >= l) d[i + 1] -= p;
    for (int64_t k = i; turns && k >= l; k--) {
        turns[2 * (k - l)] = 1.0;
        turns[2 * (k - l) + 1] = 0.0;
    }
    if (i < l) {
        d[l] -= p;
        e[l] = g;
    }
    e[m] = 0.0;
}

static ald_status diagonalize(ald_run *run, iteration *t)
{
    enum { most_sweeps = 60 };
    for (int64_t l = 0; l < t->n; l++)
        for (int sweep = 0;; sweep++) {
            const int64_t m = block_end(t, l);
            double *turns = NULL;
            if (m == l) break;
            if (sweep == most_sweeps) return ald_plain_stuck(run, what);
            if (t->is_kept) ALD_TRY(ald_sweep_add(run, &t->newest, l, m - l, &turns));
            turn_block(t, l, m, turns);
        }
    return ALD_OK;
}

static ald_status find_pairs(ald_run *run, ald_reduction *r, int64_t wanted, double *values, double *vectors)
{
    iteration t = {.n = r->n, .d = r->diagonal, .e = r->beside, .is_kept = vectors != NULL};
    int64_t *places;
    ALD_TRY(ald_scratch(run, r->n, 1, sizeof *places, &places));
    t.e[t.n - 1] = 0.0;
    for (int64_t i = 0; i < t.n; i++)
        t.small = fmax(t.small, 0.5 * DBL_EPSILON * (fabs(t.d[i]) + fabs(t.e[i])));
    ALD_TRY(diagonalize(run, &t));
    ald_plain_order(t.n, t.d, places);
    for (int64_t k = 0; k < wanted; k++) values[k] = t.d[places[k]];
    if (!vectors) return ALD_OK;
    ALD_TRY(ald_sweeps_unfold(run, t.newest, t.n, wanted, places, vectors));
    ald_reduction_turn(run->call.threads, r, wanted, vectors);
    return ALD_OK;
}

ald_status ald_plain_eigen(ald_run *run, int64_t n, double *a, int64_t wanted, double *values,
                           double *vectors)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ald_reduction r = {.n = n};
    double scale;
    if (n == 0 || wanted == 0) return ALD_OK;
    for (int64_t i = 0; i < n; i++) /* the other triangle is not read, and need not be finite */
        for (int64_t j = 0; j < i; j++) a[i * n + j] = 0.0;
    ALD_TRY(ald_plain_moderate(run, what, n * n, a, &scale));
    ALD_TRY(ALD_SCRATCH(run, {&r.a, n, n}, {&r.diagonal, n, 1}, {&r.beside, n, 1}, {&r.tau, n, 1}));
    ALD_TRY(ald_tridiagonalise(run, run->call.threads, a, &r));
    ALD_TRY(find_pairs(run, &r, wanted, values, vectors));
    for (int64_t k = 0; k < wanted; k++) values[k] *= scale;
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}
