/* Passes that read X once. Z'(Z v - alpha u) of one column: at 10^6 x 1000 doubles half the time of two products.
 *
 * A warp takes a row into registers, sums its product with v, and adds the row times that to sums of its own, in
 * registers too:
 *
 *   t_i = w_i sum_j (a_ij - m_j) v_j / s_j - alpha u_i,     a_ij = (x_ij - shift_i) factor_i
 *   sums_j += t_i w_i (a_ij - m_j)                          divided by s_j at the end
 *
 * Which rows a warp takes is fixed, and so is the order in which the sums are added. */
#include "cuda_card.cuh"

#include <algorithm>

namespace ald {

constexpr int warps = 4, lanes = 32;

/* Z v where `with_v`, else t = u. E entries of a row for each lane. */
template <typename T, int E>
static __global__ void __launch_bounds__(warps *lanes)
    pass_rows(const T *__restrict__ x, int64_t n, int d, vectors by, const double *__restrict__ v, double alpha,
              const double *__restrict__ u, double *__restrict__ t, double *__restrict__ parts)
{
    extern __shared__ double shared[];
    double *mean = shared, *scaled = shared + d, *sums = shared + 2 * d;
    const int lane = threadIdx.x % lanes, warp = threadIdx.x / lanes;
    for (int j = threadIdx.x; j < d; j += warps * lanes) {
        mean[j] = by.mean ? by.mean[j] : 0.0;
        scaled[j] = v[j] * (by.inverse_scale ? by.inverse_scale[j] : 1.0);
        sums[j] = 0.0;
    }
    __syncthreads();
    double own[E];
    for (int e = 0; e < E; e++) own[e] = 0.0;
    for (int64_t i = (int64_t)blockIdx.x * warps + warp; i < n; i += (int64_t)gridDim.x * warps) {
        const double shift = by.row_shift ? by.row_shift[i] : 0.0, factor = by.row_factor ? by.row_factor[i] : 1.0;
        const double weight = by.row_weight ? by.row_weight[i] : 1.0;
        double row[E], dot = 0.0;
#pragma unroll
        for (int e = 0; e < E; e++) {
            const int j = e * lanes + lane;
            row[e] = j < d ? (double)x[i * d + j] : 0.0;
        }
#pragma unroll
        for (int e = 0; e < E; e++) {
            const int j = e * lanes + lane;
            if (j >= d) continue;
            row[e] = (row[e] - shift) * factor - mean[j];
            dot += row[e] * scaled[j];
        }
        for (int apart = lanes / 2; apart > 0; apart /= 2) dot += __shfl_xor_sync(0xffffffffu, dot, apart);
        dot = dot * weight - (u ? alpha * u[i] : 0.0);
        if (t && lane == 0) t[i] = dot;
        dot *= weight;
#pragma unroll
        for (int e = 0; e < E; e++) own[e] += dot * row[e];
    }
    for (int turn = 0; turn < warps; turn++) {
        if (turn == warp)
            for (int e = 0; e < E; e++)
                if (e * lanes + lane < d) sums[e * lanes + lane] += own[e];
        __syncthreads();
    }
    for (int j = threadIdx.x; j < d; j += warps * lanes) parts[(int64_t)blockIdx.x * d + j] = sums[j];
}

static __global__ void add_parts(const double *parts, int count, int d, const double *inverse_scale, double *w)
{
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= d) return;
    double sum = 0.0;
    for (int p = 0; p < count; p++) sum += parts[(int64_t)p * d + j];
    w[j] = inverse_scale ? sum * inverse_scale[j] : sum;
}

struct pass {
    vectors by;
    const double *v, *u;
    double alpha, *t, *parts;
    int blocks;
};

template <typename T, int E> static void launch(card &c, const ald_card_rows *z, const T *x, const pass &p)
{
    pass_rows<T, E><<<p.blocks, warps * lanes, 3 * (size_t)z->d * sizeof(double), c.stream>>>(
        x, z->n, (int)z->d, p.by, p.v, p.alpha, p.u, p.t, p.parts);
}

template <typename T> static void launch_for(card &c, const ald_card_rows *z, const T *x, const pass &p)
{
    const int64_t d = z->d;
    if (d <= 4 * lanes) return launch<T, 4>(c, z, x, p);
    if (d <= 16 * lanes) return launch<T, 16>(c, z, x, p);
    launch<T, 32>(c, z, x, p);
}

bool one_pass(card &c, const ald_card_rows *z, const double *v, const double *alpha, double *u, double *w)
{
    const int64_t n = z->n, d = z->d;
    const matrix *m = (const matrix *)z->x;
    if (d > 32 * lanes) return false;
    pass p;
    p.by = put_vectors(c, z);
    p.blocks = (int)std::min<int64_t>((n + warps - 1) / warps, 132 * 3);
    double *in = c.room(c.in, d + (u ? n : 0)), *out = c.room(c.out, d + (u ? n : 0));
    c.copy_in(in, v, (size_t)d * sizeof(double));
    if (u) c.copy_in(in + d, u, (size_t)n * sizeof(double));
    p.v = in;
    p.u = u ? in + d : nullptr;
    p.alpha = u ? alpha[0] : 0.0;
    p.t = u ? out + d : nullptr;
    p.parts = c.room(c.more, p.blocks * d);
    if (m->single)
        launch_for(c, z, (const float *)m->values + z->first * d, p);
    else
        launch_for(c, z, (const double *)m->values + z->first * d, p);
    add_parts<<<(unsigned)((d + 255) / 256), 256, 0, c.stream>>>(p.parts, p.blocks, (int)d, p.by.inverse_scale, out);
    c.copy_out(w, out, (size_t)d * sizeof(double));
    c.finish(); /* u goes in as well: it changes only where nothing has failed */
    if (u) c.copy_out(u, out + d, (size_t)n * sizeof(double));
    return true;
}

/* Z'U of up to 16 columns, X read once: a thread has a column of X and sums of its products with all columns of U,
 * whose rows all threads of the block read together. Blocks take every gridDim.x-th stretch of rows. */
constexpr int stretch = 32, most_columns = 16;

template <typename T, int K>
static __global__ void __launch_bounds__(128)
    sum_products(const T *__restrict__ x, int64_t n, int64_t d, vectors by, const double *__restrict__ u, int k,
                 double *__restrict__ parts)
{
    __shared__ double rows[stretch * K], shift[stretch], factor[stretch];
    const int64_t j = (int64_t)blockIdx.y * blockDim.x + threadIdx.x;
    const double mean = by.mean && j < d ? by.mean[j] : 0.0;
    double sums[K];
#pragma unroll
    for (int c = 0; c < K; c++) sums[c] = 0.0;
    for (int64_t i0 = (int64_t)blockIdx.x * stretch; i0 < n; i0 += (int64_t)gridDim.x * stretch) {
        __syncthreads();
        for (int e = threadIdx.x; e < stretch * K; e += blockDim.x) {
            const int64_t i = i0 + e / K;
            const int c = e % K;
            rows[e] = i < n && c < k ? u[i * k + c] * (by.row_weight ? by.row_weight[i] : 1.0) : 0.0;
        }
        for (int e = threadIdx.x; e < stretch; e += blockDim.x) {
            const bool there = i0 + e < n;
            shift[e] = there && by.row_shift ? by.row_shift[i0 + e] : 0.0;
            factor[e] = there && by.row_factor ? by.row_factor[i0 + e] : 1.0;
        }
        __syncthreads();
        if (j >= d) continue;
#pragma unroll 8
        for (int r = 0; r < stretch; r++) {
            const int64_t i = i0 + r < n ? i0 + r : n - 1; /* beyond the end U is 0 */
            const double a = ((double)x[i * d + j] - shift[r]) * factor[r] - mean;
#pragma unroll
            for (int c = 0; c < K; c++) sums[c] += a * rows[r * K + c];
        }
    }
    if (j >= d) return;
#pragma unroll
    for (int c = 0; c < K; c++)
        if (c < k) parts[((int64_t)blockIdx.x * d + j) * k + c] = sums[c];
}

static __global__ void add_products(const double *parts, int count, int64_t d, int k, const double *inverse_scale,
                                    double *v)
{
    const int64_t e = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= d * k) return;
    double sum = 0.0;
    for (int p = 0; p < count; p++) sum += parts[p * d * k + e];
    v[e] = inverse_scale ? sum * inverse_scale[e / k] : sum;
}

template <typename T>
static void launch_products(card &c, const ald_card_rows *z, const T *x, const vectors &by, const double *u, int k,
                            int blocks, double *parts)
{
    const dim3 grid((unsigned)blocks, (unsigned)((z->d + 127) / 128));
    if (k <= 4)
        sum_products<T, 4><<<grid, 128, 0, c.stream>>>(x, z->n, z->d, by, u, k, parts);
    else if (k <= 10)
        sum_products<T, 10><<<grid, 128, 0, c.stream>>>(x, z->n, z->d, by, u, k, parts);
    else
        sum_products<T, 16><<<grid, 128, 0, c.stream>>>(x, z->n, z->d, by, u, k, parts);
}

bool few_products(card &c, const ald_card_rows *z, const vectors &by, const double *u, int64_t k, double *v)
{
    const int64_t d = z->d, wide = (d + 127) / 128;
    const matrix *m = (const matrix *)z->x;
    if (k > most_columns) return false;
    const int64_t blocks = std::min<int64_t>((z->n + stretch - 1) / stretch, std::max<int64_t>(1, 132 * 12 / wide));
    double *parts = c.room(c.more, blocks * d * k);
    if (m->single)
        launch_products(c, z, (const float *)m->values + z->first * d, by, u, (int)k, (int)blocks, parts);
    else
        launch_products(c, z, (const double *)m->values + z->first * d, by, u, (int)k, (int)blocks, parts);
    add_products<<<(unsigned)((d * k + 255) / 256), 256, 0, c.stream>>>(parts, (int)blocks, d, (int)k, by.inverse_scale, v);
    return true;
}

} // namespace ald
