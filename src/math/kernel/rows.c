/* Rows as kernels see them: squares and CSR copies of prepared rows (rows.h). */
#include "math/kernel/rows.h"

#include "math/operator/sparse.h"

ald_status ald_rows_as_csr(ald_run *run, const ald_matrix *x, ald_matrix *csr)
{
    *csr = *x;
    if (x->storage == ALD_CSR && x->index_bits == 64 && x->type == ALD_F64) return ALD_OK;
    return ald_sparse_ordered(run, x, 1, csr);
}

typedef struct csr_row {
    int64_t begin, end;
    const int64_t *indices;
    const double *values;
    double factor, shift; /* entries become (factor x - shift - mean) inverse_scale */
} csr_row;

static csr_row row_of(const ald_operator *z, int64_t i)
{
    const int64_t *pointers = z->x.pointers;
    const double factor = z->row_factor ? z->row_factor[i] : 1.0;
    return (csr_row){
        pointers[i], pointers[i + 1], z->x.indices,
        z->x.values, factor,          z->row_shift ? factor * z->row_shift[i] : 0.0,
    };
}

void ald_rows_write_csr(const ald_operator *z, int64_t i, int64_t stride, double *out)
{
    const csr_row row = row_of(z, i);
    const double *mean = z->mean, *scale = z->inverse_scale;
    for (int64_t j = 0; j < z->x.cols; j++)
        out[j * stride] = -(row.shift + (mean ? mean[j] : 0.0)) * (scale ? scale[j] : 1.0);
    for (int64_t e = row.begin; e < row.end; e++) {
        const int64_t j = row.indices[e];
        out[j * stride] =
            (row.factor * row.values[e] - row.shift - (mean ? mean[j] : 0.0)) * (scale ? scale[j] : 1.0);
    }
}

/* With q = inverse_scale^2 and b_j = shift + mean_j: sum_j q_j b_j^2 and the difference that each stored
 * entry makes.
 */
void ald_rows_squares_csr(const ald_operator *z, int64_t i0, int64_t count, double *squares)
{
    const double *mean = z->mean, *scale = z->inverse_scale;
    double q = 0.0, qm = 0.0, qmm = 0.0;
    for (int64_t j = 0; j < z->x.cols; j++) {
        const double square = scale ? scale[j] * scale[j] : 1.0, m = mean ? mean[j] : 0.0;
        q += square;
        qm += square * m;
        qmm += square * m * m;
    }
    for (int64_t i = 0; i < count; i++) {
        const csr_row row = row_of(z, i0 + i);
        double sum = (row.shift * q + 2.0 * qm) * row.shift + qmm;
        for (int64_t e = row.begin; e < row.end; e++) {
            const int64_t j = row.indices[e];
            const double base = row.shift + (mean ? mean[j] : 0.0), entry = row.factor * row.values[e] - base;
            sum += (scale ? scale[j] * scale[j] : 1.0) * (entry * entry - base * base);
        }
        squares[i] = sum > 0.0 ? sum : 0.0;
    }
}
