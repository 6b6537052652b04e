#include "math/solvers/subspace.h"

#include "math/linalg/linalg.h"

#include <math.h>

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
static ald_status orthonormal_columns(ald_run *run, int64_t d, int64_t r, const double *a, double *out)
{
    ald_transpose(r, d, a, out);
    return ald_orthonormal(run, ald_at(out, d, r));
}

/* What of Qa lies outside the span of b, R = (I - Qb Qb') Qa: its largest singular value is the sine (no
 * cosine near 1 is turned into an angle), and |R|_F^2 = ra - tr(Pa Pb). */
ald_status ald_subspace_compare(ald_run *run, int64_t d, int64_t ra, const double *a, int64_t rb,
                                const double *b, double *sine, double *correlation)
{
    double *qa, *qb, *inner, *gram;
    double largest;
    ALD_TRY(ALD_SCRATCH(run, {&qa, d, ra}, {&qb, d, rb}, {&inner, rb, ra}, {&gram, ra, ra}));
    ALD_TRY(orthonormal_columns(run, d, ra, a, qa));
    ALD_TRY(orthonormal_columns(run, d, rb, b, qb));
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
