/* Products with sparse Z = ( diag(g) X - h 1' - f m' ) D, g = F A 1, h = F A s, f = F 1 (math/operator/sparse.c):
 *
 *   Z v  = g o X (D v) - h (1'D v) - f (m'D v)
 *   Z'u  = q o (X'(g o u) - 1 (h'u) - m (f'u)),    q the diagonal of D
 *
 * Each is one sum over the entries of a slice, a row or a column of X,
 *
 *   out_s = a_s sum_e x_e in_e - b_s p - c_s r - alpha o old_s,
 *
 * with k columns at once. A warp takes a slice: for each entry it reads a row of `in`, two columns a thread where k is
 * even, as many entries at once as threads suffice for. Cost: k numbers are read for an entry, from the second-level
 * cache where `in` fits. */
#include "cuda_sparse.cuh"

#include <algorithm>

namespace ald {

struct finish_by {
    const double *a, *b, *c; /* of the slices; NULL: 1 */
    const double *p, *r;     /* k; NULL: 0 */
    const double *alpha;     /* k; NULL: nothing is subtracted */
    const double *old;
};

__device__ static void put(const finish_by &by, int64_t s, int64_t k, int64_t c, double sum, double *out)
{
    double v = by.a ? by.a[s] * sum : sum;
    if (by.p) v -= (by.b ? by.b[s] : 1.0) * by.p[c];
    if (by.r) v -= (by.c ? by.c[s] : 1.0) * by.r[c];
    if (by.alpha) v -= by.alpha[c] * by.old[s * k + c];
    out[s * k + c] = v;
}

/* Columns that a warp has at once. */
template <bool Pairs> constexpr int tile = Pairs ? 64 : 32;

/* The sums of entries begin .. end - 1, columns c0 to c0 + columns - 1: that of column c0 + (Pairs ? 2 : 1) lane, and of
 * the next one, in the first lanes. */
template <typename T, bool Pairs>
__device__ static double2 gather_entries(const T *__restrict__ values, const int *__restrict__ indices, int begin, int end,
                                         const double *__restrict__ in, int64_t k, int64_t c0, int columns)
{
    const int width = Pairs ? columns / 2 : columns, groups = 32 / width;
    const int lane = (int)(threadIdx.x % 32), group = lane / width, at = lane - group * width;
    const double *from = in + c0 + (Pairs ? 2 * at : at);
    double2 sum = make_double2(0.0, 0.0);
    if (group < groups) {
#pragma unroll 4
        for (int e = begin + group; e < end; e += groups) {
            const double value = (double)values[e];
            const double *row = from + (int64_t)indices[e] * k;
            if (Pairs) {
                const double2 two = *(const double2 *)row;
                sum.x += value * two.x;
                sum.y += value * two.y;
            } else
                sum.x += value * *row;
        }
    }
    double2 all = sum;
    for (int g = 1; g < groups; g++) {
        all.x += __shfl_sync(0xffffffffu, sum.x, (at + g * width) % 32);
        if (Pairs) all.y += __shfl_sync(0xffffffffu, sum.y, (at + g * width) % 32);
    }
    return all;
}

template <typename T, bool Pairs>
static __global__ void gather_slices(const T *values, const int *indices, const int *pointers, int64_t slices,
                                     const double *in, int64_t k, finish_by by, double *out)
{
    const int64_t warps = (int64_t)gridDim.x * blockDim.x / 32, c0 = (int64_t)blockIdx.y * tile<Pairs>;
    const int columns = (int)(k - c0 < tile<Pairs> ? k - c0 : tile<Pairs>), lane = (int)(threadIdx.x % 32);
    for (int64_t s = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) / 32; s < slices; s += warps) {
        if (pointers[s + 1] - pointers[s] > piece_entries) continue;
        const double2 sum =
            gather_entries<T, Pairs>(values, indices, pointers[s], pointers[s + 1], in, k, c0, columns);
        const int c = Pairs ? 2 * lane : lane;
        if (c < columns) put(by, s, k, c0 + c, sum.x, out);
        if (Pairs && c < columns) put(by, s, k, c0 + c + 1, sum.y, out);
    }
}

/* parts: pieces x k. */
template <typename T, bool Pairs>
static __global__ void gather_pieces(const T *values, const int *indices, order o, const double *in, int64_t k, double *parts)
{
    const int64_t warps = (int64_t)gridDim.x * blockDim.x / 32, c0 = (int64_t)blockIdx.y * tile<Pairs>;
    const int columns = (int)(k - c0 < tile<Pairs> ? k - c0 : tile<Pairs>), lane = (int)(threadIdx.x % 32);
    for (int64_t p = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) / 32; p < o.pieces; p += warps) {
        const int which = o.piece_of[p], s = o.long_slices[which];
        const int begin = o.pointers[s] + (int)(p - o.long_first[which]) * piece_entries;
        const int end = min(begin + piece_entries, o.pointers[s + 1]);
        const double2 sum = gather_entries<T, Pairs>(values, indices, begin, end, in, k, c0, columns);
        const int c = Pairs ? 2 * lane : lane;
        if (c < columns) parts[p * k + c0 + c] = sum.x;
        if (Pairs && c < columns) parts[p * k + c0 + c + 1] = sum.y;
    }
}

static __global__ void add_pieces(order o, int64_t k, const double *parts, finish_by by, double *out)
{
    const int64_t step = (int64_t)gridDim.x * blockDim.x;
    for (int64_t e = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; e < o.long_count * k; e += step) {
        const int64_t which = e / k, c = e - which * k;
        double sum = 0.0;
        for (int p = o.long_first[which]; p < o.long_first[which + 1]; p++) sum += parts[(int64_t)p * k + c];
        put(by, o.long_slices[which], k, c, sum, out);
    }
}

template <typename T, bool Pairs>
static void gather_as(card &c, const order &o, const double *in, int64_t k, const finish_by &by, double *out)
{
    const T *values = (const T *)o.values;
    const unsigned tiles = (unsigned)((k + tile<Pairs> - 1) / tile<Pairs>);
    const dim3 grid(blocks_for(o.slices * 32), tiles), few(blocks_for(o.pieces * 32), tiles);
    gather_slices<T, Pairs><<<grid, threads, 0, c.stream>>>(values, o.indices, o.pointers, o.slices, in, k, by, out);
    if (o.pieces == 0) return;
    double *parts = c.room(c.work, o.pieces * k);
    gather_pieces<T, Pairs><<<few, threads, 0, c.stream>>>(values, o.indices, o, in, k, parts);
    add_pieces<<<blocks_for(o.long_count * k), threads, 0, c.stream>>>(o, k, parts, by, out);
}

static void gather(card &c, const matrix *m, const order &o, const double *in, int64_t k, const finish_by &by, double *out)
{
    const bool pairs = k % 2 == 0;
    if (k == 0) return;
    if (m->single)
        (pairs ? gather_as<float, true> : gather_as<float, false>)(c, o, in, k, by, out);
    else
        (pairs ? gather_as<double, true> : gather_as<double, false>)(c, o, in, k, by, out);
}

/* to (rows x k) = diag(by) a. */
static __global__ void scale_rows(int64_t rows, int64_t k, const double *a, const double *by, double *to)
{
    const int64_t step = (int64_t)gridDim.x * blockDim.x;
    for (int64_t e = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; e < rows * k; e += step) to[e] = by[e / k] * a[e];
}

/* c = a o b; a NULL: 1. */
static __global__ void multiply(int64_t count, const double *a, const double *b, double *c)
{
    const int64_t step = (int64_t)gridDim.x * blockDim.x;
    for (int64_t e = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; e < count; e += step)
        c[e] = (a ? a[e] : 1.0) * b[e];
}

static const double *product_of(card &c, int64_t count, const double *a, const double *b, double *to)
{
    if (!b) return a;
    if (!a) return b;
    multiply<<<blocks_for(count), threads, 0, c.stream>>>(count, a, b, to);
    return to;
}

/* g and h (n each) in memory of the card; NULL: 1, and 0. */
struct row_vectors {
    const double *g, *h;
};

static row_vectors rows_of(card &c, int64_t n, const vectors &by)
{
    if (!by.row_factor && !by.row_weight && !by.row_shift) return {nullptr, nullptr};
    double *room = c.room(c.block, 2 * n);
    const double *g = product_of(c, n, by.row_factor, by.row_weight, room);
    const double *h = by.row_shift ? product_of(c, n, g, by.row_shift, room + n) : nullptr;
    return {g, h};
}

void sparse_times(card &c, const ald_card_rows *z, const vectors &by, const double *v, int64_t k, const double *alpha,
                  const double *old, double *u)
{
    const matrix *m = (const matrix *)z->x;
    const int64_t n = z->n, d = z->d;
    const row_vectors rows = rows_of(c, n, by);
    double *scaled = c.room(c.scaled, d * k + 2 * k), *ones = scaled + d * k, *means = ones + k;
    if (by.inverse_scale) {
        scale_rows<<<blocks_for(d * k), threads, 0, c.stream>>>(d, k, v, by.inverse_scale, scaled);
        v = scaled;
    }
    if (rows.h || by.mean)
        weighted_sums(c, v, d, k, nullptr, by.mean, rows.h ? ones : nullptr, by.mean ? means : nullptr, false);
    const finish_by finish = {
        rows.g, rows.h, by.row_weight, rows.h ? ones : nullptr, by.mean ? means : nullptr, alpha, old,
    };
    gather(c, m, m->entries->rows, v, k, finish, u);
}

void sparse_transposed(card &c, const ald_card_rows *z, const vectors &by, const double *u, int64_t k, double *v)
{
    const matrix *m = (const matrix *)z->x;
    const int64_t n = z->n, d = z->d;
    const row_vectors rows = rows_of(c, n, by);
    double *scaled = c.room(c.scaled, (rows.g ? n * k + 1 : 0) + d + 2 * k), *shifts = scaled, *weights = shifts + k;
    double *scaled_mean = weights + k, *in = scaled_mean + d;
    if (rows.h || by.mean)
        weighted_sums(c, u, n, k, rows.h, by.row_weight, rows.h ? shifts : nullptr, by.mean ? weights : nullptr, false);
    if (rows.g) {
        in += (uintptr_t)in / sizeof(double) % 2; /* rows of pairs */
        scale_rows<<<blocks_for(n * k), threads, 0, c.stream>>>(n, k, u, rows.g, in);
        u = in;
    }
    const double *q = by.inverse_scale, *q_mean = by.mean ? product_of(c, d, q, by.mean, scaled_mean) : nullptr;
    const finish_by finish = {
        q, q, q_mean, rows.h ? shifts : nullptr, by.mean ? weights : nullptr, nullptr, nullptr,
    };
    gather(c, m, m->entries->columns, u, k, finish, v);
}

constexpr int sum_threads = 256, most_sums = 528;

/* parts: gridDim.x x 2 x k. A thread keeps to its column; those of a block are added in their order. */
static __global__ void sum_rows(const double *a, int64_t rows, int64_t k, const double *w_0, const double *w_1,
                                bool squares, double *parts)
{
    __shared__ double shared[2 * sum_threads];
    const int64_t c0 = (int64_t)blockIdx.y * sum_threads;
    const int columns = (int)(k - c0 < sum_threads ? k - c0 : sum_threads), deep = sum_threads / columns;
    const int t = (int)threadIdx.x, level = t / columns, c = t - level * columns;
    double sum_0 = 0.0, sum_1 = 0.0;
    for (int64_t i = (int64_t)blockIdx.x * deep + level; level < deep && i < rows; i += (int64_t)gridDim.x * deep) {
        const double v = a[i * k + c0 + c];
        sum_0 += squares ? v * v : (w_0 ? w_0[i] * v : v);
        sum_1 += w_1 ? w_1[i] * v : v;
    }
    shared[t] = sum_0;
    shared[sum_threads + t] = sum_1;
    __syncthreads();
    if (t >= columns) return;
    for (int l = 1; l < deep; l++) {
        sum_0 += shared[l * columns + c];
        sum_1 += shared[sum_threads + l * columns + c];
    }
    parts[(int64_t)blockIdx.x * 2 * k + c0 + c] = sum_0;
    parts[(int64_t)blockIdx.x * 2 * k + k + c0 + c] = sum_1;
}

/* A block adds one of the 2 k sums. */
static __global__ void add_sums(const double *parts, int64_t count, int64_t k, double *sums_0, double *sums_1)
{
    __shared__ double shared[sum_threads];
    const int64_t c = blockIdx.x;
    const int t = (int)threadIdx.x;
    double sum = 0.0;
    for (int64_t p = t; p < count; p += sum_threads) sum += parts[p * 2 * k + c];
    shared[t] = sum;
    __syncthreads();
    for (int apart = sum_threads / 2; apart > 0; apart /= 2) {
        if (t < apart) shared[t] += shared[t + apart];
        __syncthreads();
    }
    if (t > 0) return;
    if (c < k && sums_0) sums_0[c] = shared[0];
    if (c >= k && sums_1) sums_1[c - k] = shared[0];
}

void weighted_sums(card &c, const double *a, int64_t rows, int64_t k, const double *w_0, const double *w_1,
                   double *sums_0, double *sums_1, bool squares)
{
    if (k == 0) return;
    const int64_t deep = sum_threads / std::min<int64_t>(k, sum_threads);
    const int64_t count = std::max<int64_t>(1, std::min<int64_t>(most_sums, (rows + deep - 1) / deep));
    const dim3 grid((unsigned)count, (unsigned)((k + sum_threads - 1) / sum_threads));
    double *parts = c.room(c.sums, count * 2 * k);
    sum_rows<<<grid, sum_threads, 0, c.stream>>>(a, rows, k, w_0, w_1, squares, parts);
    add_sums<<<(unsigned)(2 * k), sum_threads, 0, c.stream>>>(parts, count, k, sums_0, sums_1);
}

} // namespace ald
