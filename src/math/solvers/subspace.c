/* Directions: their signs, how far two spans are apart, the leading left singular vector of a matrix,
 * and the smallest pivot of a scatter.
 * With orthonormal bases Qa and Qb of the two spans, what of Qa lies outside that of b is
 *
 *   R = (I - Qb Qb') Qa,    sine = |R|_2,    |R|_F^2 = ra - tr(Pa Pb),
 *
 * so that no cosine near 1 becomes an angle. Cost: 4 d (ra^2 + rb^2 + ra rb). */
#include "math/solvers/subspace.h"

#include "math/linalg/linalg.h"
#include "math/linalg/vector.h"

#include <math.h>
#include <string.h>

void ald_fix_signs(int64_t rows, int64_t cols, double *directions, double *sign)
{
    for (int64_t k = 0; k < rows; k++) {
        double *row = directions + k * cols;
        double largest = 0.0;
        for (int64_t j = 0; j < cols; j++) largest = fmax(largest, fabs(row[j]));
        int64_t lead = 0;
        while (lead < cols && fabs(row[lead]) < largest * (1.0 - 1e-8)) lead++;
        const int turn = lead < cols && row[lead] < 0.0;
        for (int64_t j = 0; turn && j < cols; j++) row[j] = -row[j];
        if (sign) sign[k] = turn ? -1.0 : 1.0;
    }
}

/* Columns of `out` (d x r): an orthonormal basis of the span of the rows of a. */
static ald_status orthonormal_columns(ald_run *run, ald_view a, double *out)
{
    ald_transpose(a.rows, a.cols, a.data, out);
    return ald_orthonormal(run, ald_at(out, a.cols, a.rows));
}

/* R takes the place of Qa, twice, so that rounding leaves nothing of b in it. */
ald_status ald_subspace_compare(ald_run *run, ald_view a, ald_view b, double *sine, double *correlation)
{
    const int64_t d = a.cols, ra = a.rows, rb = b.rows;
    double *qa, *qb, *inner, *gram;
    double largest;
    ALD_TRY(ALD_SCRATCH(run, {&qa, d, ra}, {&qb, d, rb}, {&inner, rb, ra}, {&gram, ra, ra}));
    ALD_TRY(orthonormal_columns(run, a, qa));
    ALD_TRY(orthonormal_columns(run, b, qb));
    for (int twice = 0; twice < 2; twice++) {
        ALD_TRY(ald_product(run, ald_t(ald_of(qb, d, rb)), ald_of(qa, d, ra), ald_at(inner, rb, ra)));
        ALD_TRY(ald_product_add(run, -1.0, ald_of(qb, d, rb), ald_of(inner, rb, ra), 1.0, ald_at(qa, d, ra)));
    }
    ALD_TRY(ald_gram(run, ald_of(qa, d, ra), ald_at(gram, ra, ra)));
    const double outside = ald_trace(ra, gram);
    ALD_TRY(ald_eigenvalues(run, ald_at(gram, ra, ra), 1, &largest));
    *sine = ra > rb ? 1.0 : sqrt(fmin(fmax(largest, 0.0), 1.0));
    *correlation = fmax(1.0 - outside / (double)ra, 0.0);
    return ALD_OK;
}

/* out = m v for a vector v. */
static ald_status times_vector(ald_run *run, ald_view m, const double *v, double *out)
{
    return ald_product(run, m, ald_of(v, m.cols, 1), ald_at(out, m.rows, 1));
}

ald_status ald_leading_by_eigen(ald_run *run, ald_view s, double *w)
{
    const int small = s.cols <= s.rows;
    const int64_t order = small ? s.cols : s.rows;
    double *gram, *vector;
    double value;
    if (s.cols == 1) {
        for (int64_t j = 0; j < s.rows; j++) w[j] = ald_entry(s, j, 0);
        return ALD_OK;
    }
    ALD_TRY(ALD_SCRATCH(run, {&gram, order, order}, {&vector, order, 1}));
    ALD_TRY(ald_gram(run, small ? s : ald_t(s), ald_at(gram, order, order)));
    ALD_TRY(ald_eigen(run, ald_at(gram, order, order), &value, ald_at(vector, 1, order)));
    if (small) return times_vector(run, s, vector, w);
    memcpy(w, vector, (size_t)s.rows * sizeof *w);
    return ALD_OK;
}

static void largest_column(ald_view s, double *w)
{
    const int64_t d = s.rows, m = s.cols;
    double best = -1.0;
    for (int64_t k = 0; k < m; k++) {
        double square = 0.0;
        for (int64_t j = 0; j < d; j++) square += ald_entry(s, j, k) * ald_entry(s, j, k);
        if (square <= best) continue;
        best = square;
        for (int64_t j = 0; j < d; j++) w[j] = ald_entry(s, j, k);
    }
}

ald_status ald_leading_by_iteration(ald_run *run, ald_view s, double tol, int64_t most, double *w,
                                    double *change)
{
    const int64_t d = s.rows;
    double *c, *before;
    *change = 0.0;
    ALD_TRY(ALD_SCRATCH(run, {&c, s.cols, 1}, {&before, d, 1}));
    largest_column(s, w);
    ald_normalise(d, w);
    for (int64_t step = 0; s.cols > 1 && step < most; step++) {
        double square = 0.0;
        memcpy(before, w, (size_t)d * sizeof *w);
        ALD_TRY(times_vector(run, ald_t(s), w, c));
        ald_normalise(s.cols, c);
        ALD_TRY(times_vector(run, s, c, w));
        ald_normalise(d, w);
        for (int64_t j = 0; j < d; j++) square += (w[j] - before[j]) * (w[j] - before[j]);
        *change = square <= tol * tol ? 0.0 : sqrt(square);
        if (square <= tol * tol) return ALD_OK;
    }
    return ALD_OK;
}

/* a / (s s'), with 1 on the diagonal where a has 0 there. */
static void to_unit_diagonal(int64_t d, const double *a, double *sizes, double *scaled)
{
    for (int64_t i = 0; i < d; i++) sizes[i] = a[i * d + i] > 0.0 ? sqrt(a[i * d + i]) : 0.0;
    for (int64_t i = 0; i < d; i++)
        for (int64_t j = 0; j < d; j++)
            scaled[i * d + j] =
                sizes[i] > 0.0 && sizes[j] > 0.0 ? a[i * d + j] / sizes[i] / sizes[j] : (double)(i == j);
}

ald_status ald_smallest_pivot(ald_run *run, int64_t d, const double *a, double *pivot)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    const ald_error before = *run->error; /* it may hold a warning */
    double *factor, *sizes;
    *pivot = 0.0;
    ALD_TRY(ALD_SCRATCH(run, {&sizes, d, 1}, {&factor, d, d}));
    to_unit_diagonal(d, a, sizes, factor);
    const ald_status status = ald_cholesky(run, ald_at(factor, d, d));
    if (status < 0 && status != ALD_ERROR_NUMERICAL) return status;
    if (status < 0) *run->error = before;
    if (status >= 0) *pivot = 1.0;
    for (int64_t i = 0; status >= 0 && i < d; i++)
        *pivot = fmin(*pivot, factor[i * d + i] * factor[i * d + i]);
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}
