/* Panels: blocks of vectors that stay on the card, dense matrices of doubles (math/device/card.h). */
#include "cuda_sparse.cuh"

#include <algorithm>
#include <vector>

namespace ald {

static double *values_of(void *panel)
{
    return (double *)((matrix *)panel)->values;
}

ald_card_code panel(void *self, int64_t rows, int64_t k, const double *values, void **held)
{
    return make_matrix(self, rows, k, false, held, [&](card &c, matrix *m) {
        const size_t bytes = (size_t)std::max<int64_t>(1, rows * k) * sizeof(double);
        check(cudaMalloc(&m->values, bytes), "memory of the card for vectors");
        if (!values) {
            check(cudaMemsetAsync(m->values, 0, bytes, c.stream), "vectors");
            return;
        }
        ald_matrix from = {};
        from.values = values;
        from.rows = rows;
        from.cols = from.row_stride = k;
        from.col_stride = 1;
        copy_matrix(c, &from, m);
    });
}

ald_card_code panel_advance(void *self, const ald_card_rows *z, void *v, int64_t k, const double *alpha, void *u, void *w)
{
    return guarded(self, [&](card &c) {
        double *product = c.room(c.out, z->n * k), *factors = c.given(c.in, alpha, k);
        advance_there(c, z, values_of(v), k, factors, values_of(u), product, values_of(w));
        check(cudaMemcpyAsync(values_of(u), product, (size_t)(z->n * k) * sizeof(double), cudaMemcpyDeviceToDevice,
                              c.stream),
              "vectors");
    });
}

static __global__ void combine(int64_t count, int64_t k, double *a, const double *f, const double *b, const double *g)
{
    const int64_t step = (int64_t)gridDim.x * blockDim.x;
    for (int64_t e = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; e < count; e += step) {
        const int64_t c = e % k;
        a[e] = f[c] * a[e] + (b ? g[c] * b[e] : 0.0);
    }
}

ald_card_code panel_combine(void *self, int64_t rows, int64_t k, void *a, const double *f, void *b, const double *g)
{
    return guarded(self, [&](card &c) {
        double *factors = c.room(c.in, 2 * k);
        c.copy_in(factors, f, (size_t)k * sizeof(double));
        if (b) c.copy_in(factors + k, g, (size_t)k * sizeof(double));
        if (rows * k > 0)
            combine<<<blocks_for(rows * k), threads, 0, c.stream>>>(rows * k, k, values_of(a), factors,
                                                                    b ? values_of(b) : nullptr, factors + k);
    });
}

ald_card_code panel_squares(void *self, int64_t rows, int64_t k, void *a, double *squares)
{
    return guarded(self, [&](card &c) {
        double *out = c.room(c.out, k);
        weighted_sums(c, values_of(a), rows, k, nullptr, nullptr, out, nullptr, true);
        c.copy_out(squares, out, (size_t)k * sizeof(double));
    });
}

static __global__ void take(int64_t rows, int64_t k, const double *from, int64_t count, const int64_t *which, double *to)
{
    const int64_t step = (int64_t)gridDim.x * blockDim.x;
    for (int64_t e = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; e < rows * count; e += step)
        to[e] = from[e / count * k + which[e % count]];
}

ald_card_code panel_take(void *self, int64_t rows, int64_t k, void *from, int64_t count, const int64_t *which, void *to)
{
    return guarded(self, [&](card &c) {
        const size_t bytes = (size_t)(rows * count) * sizeof(double);
        ((matrix *)to)->d = count;
        if (bytes == 0) return;
        int64_t *columns = (int64_t *)c.in.at_least((size_t)count * sizeof *columns);
        double *taken = from == to ? c.room(c.out, rows * count) : values_of(to);
        c.copy_in(columns, which, (size_t)count * sizeof *columns);
        take<<<blocks_for(rows * count), threads, 0, c.stream>>>(rows, k, values_of(from), count, columns, taken);
        if (from == to)
            check(cudaMemcpyAsync(values_of(to), taken, bytes, cudaMemcpyDeviceToDevice, c.stream), "vectors");
    });
}

} // namespace ald
