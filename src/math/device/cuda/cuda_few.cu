/* Products with few columns: X is read once, as fast as memory gives it, and prepared on the way.
 *
 *   u_i = w_i sum_j t_ij s_j v_j,   v_j = s_j sum_i t_ij w_i u_i,   t_ij = (x_ij - shift_i) factor_i - mean_j.
 *
 * Z v: a warp for each four rows, its lanes along the columns. Z'u: a block of threads for each stripe of rows, its
 * threads along the columns, several rows side by side where columns are few; the sums of the stripes are added in a
 * fixed order. Two columns at a time where d is even. Costs 8 n d bytes, 2 k n d flops. */
#include "cuda_card.cuh"

#include <algorithm>

namespace ald {

constexpr int rows_a_warp = 4, stripe_threads = 512, stripes = 528;

template <typename T, int V> struct pack {
    T at[V];
};
template <> struct alignas(16) pack<double, 2> {
    double at[2];
};
template <> struct alignas(8) pack<float, 2> {
    float at[2];
};

static __device__ double row_part(const double *vector, int64_t i, double otherwise)
{
    return vector ? vector[i] : otherwise;
}

/* v (d x k) times the scale. */
static __global__ void scale_rows(const double *v, int64_t d, int64_t k, const double *scale, double *to)
{
    const int64_t step = (int64_t)gridDim.x * blockDim.x;
    for (int64_t e = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; e < d * k; e += step)
        to[e] = v[e] * (scale ? scale[e / k] : 1.0);
}

template <typename T, int V, int K>
static __global__ void __launch_bounds__(threads) few_times(const T *__restrict__ x, int64_t n, int64_t d, vectors by,
                                                            const double *__restrict__ v, double *__restrict__ u)
{
    const int64_t warps = (int64_t)gridDim.x * (threads / 32), lane = threadIdx.x % 32;
    for (int64_t i = ((int64_t)blockIdx.x * threads + threadIdx.x) / 32 * rows_a_warp; i < n; i += warps * rows_a_warp) {
        double sum[rows_a_warp][K] = {}, shift[rows_a_warp], factor[rows_a_warp];
        const T *row[rows_a_warp];
#pragma unroll
        for (int r = 0; r < rows_a_warp; r++) {
            const int64_t at = min(i + r, n - 1);
            row[r] = x + at * d;
            shift[r] = row_part(by.row_shift, at, 0.0);
            factor[r] = row_part(by.row_factor, at, 1.0);
        }
        for (int64_t j = lane * V; j < d; j += 32 * V) {
            pack<T, V> values[rows_a_warp];
#pragma unroll
            for (int r = 0; r < rows_a_warp; r++) values[r] = *(const pack<T, V> *)(row[r] + j);
#pragma unroll
            for (int e = 0; e < V; e++) {
                const double mean = by.mean ? __ldg(by.mean + j + e) : 0.0;
                double by_column[K];
#pragma unroll
                for (int c = 0; c < K; c++) by_column[c] = __ldg(v + (j + e) * K + c);
#pragma unroll
                for (int r = 0; r < rows_a_warp; r++) {
                    const double t = ((double)values[r].at[e] - shift[r]) * factor[r] - mean;
#pragma unroll
                    for (int c = 0; c < K; c++) sum[r][c] += t * by_column[c];
                }
            }
        }
#pragma unroll
        for (int r = 0; r < rows_a_warp; r++)
#pragma unroll
            for (int c = 0; c < K; c++) {
                for (int apart = 16; apart > 0; apart /= 2) sum[r][c] += __shfl_xor_sync(~0u, sum[r][c], apart);
                if (lane == 0 && i + r < n) u[(i + r) * K + c] = sum[r][c] * row_part(by.row_weight, i + r, 1.0);
            }
    }
}

/* parts: gridDim.x x d x K. `across` packs of columns side by side, `down` rows. */
template <typename T, int V, int K>
static __global__ void __launch_bounds__(stripe_threads) few_transposed(const T *__restrict__ x, int64_t n, int64_t d,
                                                                        vectors by, const double *__restrict__ u,
                                                                        int across, int down, double *__restrict__ parts)
{
    extern __shared__ double shared[];
    const int own = (int)threadIdx.x % across, lane = (int)threadIdx.x / across;
    const int64_t j = ((int64_t)blockIdx.y * across + own) * V, begin = n * blockIdx.x / gridDim.x,
                  end = n * (blockIdx.x + 1) / gridDim.x;
    double sum[V][K] = {}, mean[V];
    const bool here = lane < down && j < d;
    for (int e = 0; e < V; e++) mean[e] = here && by.mean ? by.mean[j + e] : 0.0;
    if (here) {
#pragma unroll 8
        for (int64_t i = begin + lane; i < end; i += down) {
            const pack<T, V> values = *(const pack<T, V> *)(x + i * d + j);
            const double shift = row_part(by.row_shift, i, 0.0), factor = row_part(by.row_factor, i, 1.0),
                         weight = row_part(by.row_weight, i, 1.0);
#pragma unroll
            for (int e = 0; e < V; e++) {
                const double t = ((double)values.at[e] - shift) * factor - mean[e];
#pragma unroll
                for (int c = 0; c < K; c++) sum[e][c] += t * (weight * __ldg(u + i * K + c));
            }
        }
    }
    for (int row = 1; row < down; row++) { /* the sums of the other rows, one after the other */
        __syncthreads();
        for (int e = 0; e < V * K && lane == row; e++) shared[own * V * K + e] = sum[e / K][e % K];
        __syncthreads();
        for (int e = 0; e < V * K && lane == 0; e++) sum[e / K][e % K] += shared[own * V * K + e];
    }
    if (lane != 0 || j >= d) return;
    for (int e = 0; e < V; e++)
        for (int c = 0; c < K; c++) parts[((int64_t)blockIdx.x * d + j + e) * K + c] = sum[e][c];
}

static __global__ void add_stripes(const double *parts, int64_t count, int64_t d, int64_t k, const double *scale, double *v)
{
    const int64_t e = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (e >= d * k) return;
    double sum = 0.0;
    for (int64_t p = lane; p < count; p += 32) sum += parts[p * d * k + e];
    for (int apart = 16; apart > 0; apart /= 2) sum += __shfl_xor_sync(~0u, sum, apart);
    if (lane == 0) v[e] = sum * (scale ? scale[e / k] : 1.0);
}

template <typename T, int V, int K>
static void few_on(card &c, const ald_card_rows *z, const vectors &by, bool transposed, const double *in, double *out)
{
    const matrix *m = (const matrix *)z->x;
    const T *x = (const T *)m->values + z->first * z->d;
    if (!transposed) {
        const int64_t blocks = (z->n + rows_a_warp * threads / 32 - 1) / (rows_a_warp * threads / 32);
        double *scaled = c.room(c.more, z->d * K);
        scale_rows<<<blocks_for(z->d * K), threads, 0, c.stream>>>(in, z->d, K, by.inverse_scale, scaled);
        few_times<T, V, K><<<(unsigned)std::min<int64_t>(blocks, 132 * 16), threads, 0, c.stream>>>(x, z->n, z->d, by,
                                                                                                    scaled, out);
        return;
    }
    const int64_t packs = (z->d + V - 1) / V;
    const int across = (int)std::min<int64_t>(packs, stripe_threads), down = stripe_threads / across;
    const int64_t wide = (packs + across - 1) / across, count = std::min(z->n, std::max<int64_t>(1, stripes / wide));
    const dim3 grid((unsigned)count, (unsigned)wide); /* wide rows: fewer stripes, as each leaves d sums */
    double *parts = c.room(c.more, count * z->d * K);
    few_transposed<T, V, K><<<grid, stripe_threads, (size_t)(across * V * K) * sizeof(double), c.stream>>>(
        x, z->n, z->d, by, in, across, down, parts);
    add_stripes<<<(unsigned)((z->d * K * 32 + threads - 1) / threads), threads, 0, c.stream>>>(
        parts, count, z->d, K, by.inverse_scale, out);
}

template <typename T, int V>
static void few_columns(card &c, const ald_card_rows *z, const vectors &by, bool transposed, const double *in, int64_t k,
                        double *out)
{
    using function = void (*)(card &, const ald_card_rows *, const vectors &, bool, const double *, double *);
    static const function by_count[] = {few_on<T, V, 1>, few_on<T, V, 2>, few_on<T, V, 3>, few_on<T, V, 4>};
    by_count[k - 1](c, z, by, transposed, in, out);
}

void few(card &c, const ald_card_rows *z, const vectors &by, bool transposed, const double *in, int64_t k, double *out)
{
    const matrix *m = (const matrix *)z->x;
    const size_t pair = 2 * (m->single ? sizeof(float) : sizeof(double));
    const bool single = m->single, even = z->d % 2 == 0 && (uintptr_t)m->values % pair == 0; /* X may be the caller's */
    using function = void (*)(card &, const ald_card_rows *, const vectors &, bool, const double *, int64_t, double *);
    static const function kinds[] = {few_columns<double, 1>, few_columns<double, 2>, few_columns<float, 1>,
                                     few_columns<float, 2>};
    kinds[2 * single + even](c, z, by, transposed, in, k, out);
}

} // namespace ald
