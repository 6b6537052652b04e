#include "linalg/subspace.h"

#include "backend/backend.h"

#include <math.h>

void ald_fix_signs(int64_t rows, int64_t cols, double *directions, double *sign)
{
    for (int64_t k = 0; k < rows; k++) {
        double *row = directions + k * cols, largest = 0.0;
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
    for (int64_t k = 0; k < r; k++)
        for (int64_t j = 0; j < d; j++) out[j * r + k] = a[k * d + j];
    return ald_backend_of(run)->qr(run, d, r, out, NULL);
}

/* What of Qa lies outside the span of b, R = (I - Qb Qb') Qa: its largest singular value is the sine (no cosine near 1
 * is turned into an angle), and |R|_F^2 = ra - tr(Pa Pb). */
ald_status ald_subspace_compare(ald_run *run, int64_t d, int64_t ra, const double *a, int64_t rb, const double *b,
                                double *sine, double *correlation)
{
    const ald_backend *backend = ald_backend_of(run);
    double *qa, *qb, *inner, *gram, largest, outside = 0.0;
    ALD_TRY(ald_scratch_reals(run, d, ra, &qa));
    ALD_TRY(ald_scratch_reals(run, d, rb, &qb));
    ALD_TRY(ald_scratch_reals(run, rb, ra, &inner));
    ALD_TRY(ald_scratch_reals(run, ra, ra, &gram));
    ALD_TRY(orthonormal_columns(run, d, ra, a, qa));
    ALD_TRY(orthonormal_columns(run, d, rb, b, qb));
    for (int twice = 0; twice < 2; twice++) {
        ALD_TRY(backend->gemm(run, 1, 0, rb, ra, d, 1.0, qb, rb, qa, ra, 0.0, inner, ra));
        ALD_TRY(backend->gemm(run, 0, 0, d, ra, rb, -1.0, qb, rb, inner, ra, 1.0, qa, ra));
    }
    ALD_TRY(backend->syrk(run, 1, ra, d, 1.0, qa, ra, 0.0, gram, ra));
    for (int64_t k = 0; k < ra; k++) outside += gram[k * ra + k];
    ALD_TRY(backend->eigen(run, ra, gram, 1, &largest, NULL));
    *sine = ra > rb ? 1.0 : sqrt(fmin(fmax(largest, 0.0), 1.0));
    *correlation = fmax(1.0 - outside / (double)ra, 0.0);
    return ALD_OK;
}

ald_status ald_subspace_sine(ald_run *run, int64_t d, int64_t ra, const double *a, int64_t rb, const double *b,
                             double *sine)
{
    double correlation;
    return ald_subspace_compare(run, d, ra, a, rb, b, sine, &correlation);
}
