/* The largest eigenvectors of a square that was formed (spectral.h): by a decomposition, or where few of a
 * large one are wanted by Lanczos with products of order^2, as accurate. */
#include "math/kernel/gram.h"
#include "math/linalg/linalg.h"
#include "methods/engines/engine_params.h"
#include "methods/engines/spectral.h"

#include <math.h>

/* Whether Lanczos finds them sooner, to the last digits, even where the spectrum is flat. Measured with one
 * thread: r = 10 of order 2000 in half the time, r = 4 of order 800 in one and a half times. */
static int few_of_large(int64_t order, int64_t r)
{
    enum { large = 1200 };
    return order > large && r < order / 64;
}

/* Whether it finds them sooner where they stand apart, as factors do; a few columns of it show that. Measured
 * with one and two threads, whole fits: r = 10 factors of order 300 in 0.88 and 0.78 of the time; where it
 * gives up, up to 3 % of the time are lost, with order 230 up to 16 %. */
static int few_may_stand_apart(int64_t order, int64_t r)
{
    enum { middle = 280 };
    return order > middle && r < order / 20;
}

/* A square whose few largest eigenvectors are wanted. */
typedef struct square {
    int64_t order;
    double *a;
} square;

static ald_status apply_square(ald_run *run, void *self, const double *v, int64_t k, double *w)
{
    const square *of = self;
    return ald_symmetric_apply(run, of->order, of->a, v, k, w);
}

/* By Lanczos, as accurate as a decomposition; *found is 0 where it does not come to an end soon. */
static ald_status few_of_square(ald_run *run, square *of, int64_t r, double *values, double *rows, int *found)
{
    const int64_t n = of->order, width = r < 8 ? r : 8;
    ald_lanczos task = {
        .apply = apply_square,
        .self = of,
        .n = n,
        .wanted = r,
        .room = 96,
        .stage = "finding principal components",
        .values = values,
    };
    ald_mirror(ald_at(of->a, n, n));
    ald_lanczos_set(run, width, &task);
    task.trial = 1;
    task.tol = fmin(task.tol, ALD_SPECTRAL_TRIAL_TOL);
    task.max_products = n / 2;
    if (!few_of_large(n, r)) {
        task.block = 2;
        task.total = ald_trace(n, of->a);
    }
    ALD_TRY(ald_lanczos_solve(run, &task));
    *found = task.converged != 0;
    if (*found) ald_transpose(n, r, task.vectors, rows);
    return ALD_OK;
}

ald_status ald_square_top(ald_run *run, int64_t order, double *a, int64_t r, int level, double *values,
                          double *rows)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    square of = {order, a};
    int found = 0;
    if (few_of_large(order, r) || (!level && few_may_stand_apart(order, r)))
        ALD_TRY(few_of_square(run, &of, r, values, rows, &found));
    ald_arena_release(&run->scratch, mark);
    return found ? ALD_OK : ald_eigen(run, ald_at(a, order, order), values, ald_at(rows, r, order));
}

double ald_square_operations(double order, int64_t r)
{
    const double whole = 4.0 * order * order * order;
    if (!few_of_large((int64_t)order, r)) return whole;
    return fmin(whole, 240.0 * order * order * ((double)r + 4.0));
}
