/* The leading left singular vector of S: by the eigenvector of the smaller of S'S and S S', or by NIPALS. */
#include "math/solvers/leading.h"

#include "math/linalg/linalg.h"
#include "math/linalg/vector.h"

#include <math.h>
#include <string.h>

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
