/* The lasso from moments: coefficient by coefficient,
 *
 *   b_j <- shrink(left_j + G_jj b_j, mu) / G_jj,      left = c - G b.
 *
 * Where columns are nearly collinear that takes tens of thousands of passes for coefficients whose signs are
 * known long before. Hence after the first passes each is followed by leaps to the optimum with the signs s
 * that the coefficients A that are not 0 have,
 *
 *   G_AA delta = left_A - mu s,      b_A <- b_A + t delta,
 *
 * t = 1, or what takes the first of them to 0, and then another leap: the objective falls along the way. A
 * singular G_AA leaps nowhere. Passes decide when it ends. Cost of a pass: 2 k for each coefficient that
 * moves; of a leap a^3 / 3 + a k, a the size of A; larger ones than pay are left out. */
#include "math/solvers/lasso.h"

#include "base/core/error.h"
#include "math/linalg/linalg.h"
#include "math/linalg/vector.h"

#include <math.h>

enum { most_passes = 100000, first_passes = 10 };

static double shrink(double value, double by)
{
    if (value > by) return value - by;
    return value < -by ? value + by : 0.0;
}

/* One pass over all coefficients. */
static ald_status pass_over(ald_run *run, int64_t k, const double *gram, double mu, double *b, double *left,
                            double *moved)
{
    double largest = 0.0, size = 0.0, steps = 1.0;
    for (int64_t j = 0; j < k; j++) {
        const double own = gram[j * k + j];
        if (!(own > 1e-12)) continue;
        const double next = shrink(left[j] + own * b[j], mu) / own, step = next - b[j];
        if (step != 0.0) ald_add_times(k, -step, gram + j * k, left);
        steps += step != 0.0;
        b[j] = next;
        largest = fmax(largest, fabs(step) * sqrt(own));
        size = fmax(size, fabs(next) * sqrt(own));
    }
    *moved = size > 0.0 ? largest / size : 0.0;
    return ald_ask_after(run, 2.0 * (double)k * steps);
}

/* delta (a) of the coefficients `at`; `solved` 0: G_AA is singular. */
static ald_status solve_active(ald_run *run, int64_t a, const int64_t *at, int64_t k, const double *gram,
                               double *delta, int *solved)
{
    const ald_error before = *run->error;
    double *factor;
    ALD_TRY(ald_scratch_reals(run, a, a, &factor));
    for (int64_t i = 0; i < a; i++)
        for (int64_t j = 0; j < a; j++) factor[i * a + j] = gram[at[i] * k + at[j]];
    const ald_status status = ald_cholesky(run, ald_at(factor, a, a));
    *solved = status >= 0;
    if (status == ALD_ERROR_NUMERICAL) *run->error = before;
    if (status < 0) return status == ALD_ERROR_NUMERICAL ? ALD_OK : status;
    return ald_solve_cholesky(run, ald_of(factor, a, a), ald_at(delta, a, 1));
}

/* `again`: a coefficient has become 0 on the way. */
static ald_status leap(ald_run *run, int64_t k, const double *gram, double mu, double *b, double *left,
                       int *again)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    int64_t a = 0, first = -1;
    double *delta;
    int64_t *at;
    double t = 1.0;
    int solved = 0;
    ALD_TRY(ald_scratch(run, k, 1, sizeof *at, &at));
    ALD_TRY(ald_scratch_reals(run, k, 1, &delta));
    for (int64_t j = 0; j < k; j++) {
        if (b[j] == 0.0) continue;
        delta[a] = left[j] - (b[j] > 0.0 ? mu : -mu);
        at[a++] = j;
    }
    if (a > 0 && a * a <= 100 * k) ALD_TRY(solve_active(run, a, at, k, gram, delta, &solved));
    for (int64_t i = 0; solved && i < a; i++) {
        if (b[at[i]] * (b[at[i]] + t * delta[i]) >= 0.0) continue;
        t = -b[at[i]] / delta[i];
        first = i;
    }
    for (int64_t i = 0; solved && i < a; i++) {
        const double next = i == first ? 0.0 : b[at[i]] + t * delta[i], step = next - b[at[i]];
        ald_add_times(k, -step, gram + at[i] * k, left);
        b[at[i]] = next;
    }
    *again = first >= 0;
    ald_arena_release(&run->scratch, mark);
    return ald_ask_after(run, (double)a * (double)a * (double)a + 2.0 * (double)a * (double)k);
}

ald_status ald_lasso_descend(ald_run *run, int64_t k, const double *gram, double mu, double tol, double *b,
                             double *left)
{
    double moved;
    for (int pass = 1; pass <= most_passes; pass++) {
        ALD_TRY(pass_over(run, k, gram, mu, b, left, &moved));
        if (moved <= tol) return ALD_OK;
        for (int again = pass >= first_passes; again;) ALD_TRY(leap(run, k, gram, mu, b, left, &again));
    }
    ald_warn(run, ALD_NOT_CONVERGED, "the coefficients still moved after %d passes", most_passes);
    return ALD_OK;
}
