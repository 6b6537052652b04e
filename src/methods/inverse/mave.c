/* Minimum average variance estimation.
 *
 * Directions C (p x r, C'C = I) along which local linear fits leave least of the target, with weights that
 * follow C (local_fits.h: u, weights w_ij, bandwidths, start and when it stops),
 *
 *   minimise  mean over centres j of  sum_i w_ij |y_i - a_0j - a_j'C'(u_i - u_j)|^2
 *
 * by turns: for C and weights that stand, the slopes along C; for slopes that stand, all of C,
 *
 *   a_j = (C'S_j C + ridge tr/r I)^-1 C's_j                                                r x q
 *   (sum_j (a_j a_j') kron S_j + ridge tr/(r p) I) vec C = vec sum_j s_j a_j'              then orthonormal
 *
 * It finds the central mean subspace without a condition on the distribution of x; with classes the 0/1
 * columns are densities (Xia 2007). C is turned to the principal axes of the mean of a_j a_j' of a last local
 * fit, whose eigenvalues are stored, and B = T C, B'Sigma B = I; the mean weighted square of what the fits
 * leave is the `objective`.
 *
 * Cost of a sweep: m n p^2 + m r^2 p^2 for m centres, and (r p)^3 / 3; `centres` bounds m. Memory n p, a
 * block, and 2 (r p)^2.
 *
 * Edge cases: at most p directions, the rank of the covariance. A centre from which all others are so far
 * that their weights are 0 has no slope. A target without any slope has no direction.
 *
 * Reference: Xia, Tong, Li and Zhu (2002). */
#include "math/linalg/linalg.h"
#include "math/linalg/vector.h"
#include "methods/engines/local_fits.h"

#include <string.h>

/* Sums over the centres. */
typedef struct sums {
    const double *c;   /* p x r: the slopes are along these */
    double *slopes;    /* (a a') of a block, at most m x r^2 */
    double *squares;   /* sum of (a a') kron S as r^2 x p^2; NULL: not wanted */
    double *cross;     /* sum of s a', p x r */
    double *outer;     /* sum of a a', r x r */
    double objective;  /* sum of what the fits leave */
    double *along, *a; /* room: S C (p x r), and C's (r x q), which becomes the slopes */
    double *inner;     /* C'S C, r x r */
} sums;

/* The slopes of one centre along C, into s->a, and what the fit leaves. */
static ald_status fit_centre(ald_run *run, const ald_local_rows *rows, const ald_local_block *block,
                             int64_t j, sums *s)
{
    const int64_t p = rows->p, q = rows->q, r = rows->r;
    const ald_view c = ald_of(s->c, p, r), square = ald_of(block->s + j * p * p, p, p),
                   cross = ald_of(block->cross + j * p * q, p, q);
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *with, *left;
    ALD_TRY(ALD_SCRATCH(run, {&with, r, q}, {&left, r, r}));
    ALD_TRY(ald_product(run, square, c, ald_at(s->along, p, r)));
    ALD_TRY(ald_product(run, ald_t(c), ald_of(s->along, p, r), ald_at(s->inner, r, r)));
    ALD_TRY(ald_product(run, ald_t(c), cross, ald_at(s->a, r, q)));
    memcpy(with, s->a, (size_t)(r * q) * sizeof *with);
    memcpy(left, s->inner, (size_t)(r * r) * sizeof *left);
    ALD_TRY(ald_local_slopes(run, rows->ridge, ald_at(s->inner, r, r), ald_at(s->a, r, q)));
    s->objective += block->spread[j] - 2.0 * ald_dot(r * q, s->a, with);
    for (int64_t k = 0; k < r; k++)
        for (int64_t l = 0; l < r; l++)
            s->objective += left[k * r + l] * ald_dot(q, s->a + k * q, s->a + l * q);
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

static ald_status add_block(ald_run *run, const ald_local_rows *rows, const ald_local_block *block,
                            void *self)
{
    const int64_t p = rows->p, q = rows->q, r = rows->r;
    sums *s = self;
    for (int64_t j = 0; j < block->count; j++) {
        double *outer = s->slopes + j * r * r;
        ALD_TRY(fit_centre(run, rows, block, j, s));
        for (int64_t k = 0; k < r; k++)
            for (int64_t l = 0; l < r; l++) outer[k * r + l] = ald_dot(q, s->a + k * q, s->a + l * q);
        ald_add_times(r * r, 1.0, outer, s->outer);
        for (int64_t e = 0; e < p; e++)
            for (int64_t k = 0; k < r; k++)
                s->cross[e * r + k] += ald_dot(q, block->cross + (j * p + e) * q, s->a + k * q);
    }
    if (!s->squares) return ALD_OK;
    return ald_product_add(run, 1.0, ald_t(ald_of(s->slopes, block->count, r * r)),
                           ald_of(block->s, block->count, p * p), 1.0, ald_at(s->squares, r * r, p * p));
}

static ald_status make_sums(ald_run *run, const ald_local_rows *rows, const double *c, int solving, sums *s)
{
    const int64_t p = rows->p, r = rows->r;
    *s = (sums){.c = c};
    if (solving) ALD_TRY(ald_scratch_zeros(run, r * r, p * p, &s->squares));
    ALD_TRY(ald_scratch_zeros(run, p, r, &s->cross));
    ALD_TRY(ald_scratch_zeros(run, r, r, &s->outer));
    return ALD_SCRATCH(run, {&s->slopes, rows->m, r * r}, {&s->along, p, r}, {&s->a, r, rows->q},
                       {&s->inner, r, r});
}

/* All of C by one least squares; vec C goes component by component. */
static ald_status solve(ald_run *run, const ald_local_rows *rows, const sums *s, double *c)
{
    const int64_t p = rows->p, r = rows->r, order = r * p;
    double *matrix, *right;
    ALD_TRY(ALD_SCRATCH(run, {&matrix, order, order}, {&right, order, 1}));
    for (int64_t k = 0; k < r; k++)
        for (int64_t l = 0; l < r; l++)
            for (int64_t a = 0; a < p; a++)
                memcpy(matrix + (k * p + a) * order + l * p, s->squares + ((k * r + l) * p + a) * p,
                       (size_t)p * sizeof *matrix);
    ald_transpose(p, r, s->cross, right);
    ALD_TRY(ald_local_slopes(run, rows->ridge, ald_at(matrix, order, order), ald_at(right, order, 1)));
    ald_transpose(r, p, right, c);
    return ALD_OK;
}

static ald_status step(ald_run *run, const ald_local_rows *rows, const double *from, double h, double *c,
                       void *self)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    sums s;
    (void)self;
    ALD_TRY(make_sums(run, rows, from, 1, &s));
    ALD_TRY(ald_local_sweep(run, rows, from, h, add_block, &s));
    ALD_TRY(solve(run, rows, &s, c));
    ALD_TRY(ald_orthonormal(run, ald_at(c, rows->p, rows->r)));
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

/* The principal axes of the slopes of a last local fit, as rows of `turned` (r x p). */
static ald_status turn(ald_run *run, const ald_local_rows *rows, const double *c, double h, double *values,
                       double *turned, double *objective)
{
    const int64_t p = rows->p, r = rows->r;
    double *vectors;
    sums s;
    ALD_TRY(make_sums(run, rows, c, 0, &s));
    ALD_TRY(ald_scratch_reals(run, r, r, &vectors));
    ALD_TRY(ald_local_sweep(run, rows, c, h, add_block, &s));
    *objective = s.objective / (double)rows->m;
    ald_scale(1.0 / (double)rows->m, ald_at(s.outer, r, r));
    ALD_TRY(ald_eigen(run, ald_at(s.outer, r, r), values, ald_at(vectors, r, r)));
    return ald_product(run, ald_of(vectors, r, r), ald_t(ald_of(c, p, r)), ald_at(turned, r, p));
}

static ald_status mave_fit(ald_run *run, const ald_problem *problem, ald_model *model)
{
    const int64_t r = problem->r;
    ald_whitening w;
    ald_local_rows rows;
    double *c, *values, *turned;
    double h, objective;
    ald_local_announce(run, problem);
    ALD_TRY(ald_whiten_plain(run, problem, model, &w));
    ALD_TRY(ald_local_rows_make(run, problem, &w, &rows));
    ALD_TRY(ALD_SCRATCH(run, {&c, w.p, r}, {&values, r, 1}, {&turned, r, w.p}));
    ALD_TRY(ald_local_descend(run, &rows, step, NULL, model, c, &h));
    ALD_TRY(turn(run, &rows, c, h, values, turned, &objective));
    if (!(values[0] > 0.0)) return ald_no_direction(run, problem);
    ALD_TRY(ald_model_set_real(run, model, "alidade.resolved.objective", objective));
    return ald_add_whitened(run, problem, &w, values, turned, model);
}

const ald_method ald_method_mave = {
    .name = "mave",
    .title = "Minimum average variance estimation",
    .synonyms = "minimum average variance, dMAVE, rMAVE, sufficient dimension reduction",
    .summary = "Directions through which local linear fits explain most of the target.",
    .reference = "Xia, Tong, Li and Zhu (2002)",
    .relation = ALD_BY_OBJECTIVE,
    ALD_LOCAL_METHOD,
    .fit = mave_fit,
};
