/* The stress of squares over pairs of rows (math/optimize/stress.h): scores U = Z M W, sums over the pairs and their
 * gradients, all of which stay on the card from step to step.
 *
 *   J   = scale sum_pairs w (|u_i - u_j|^2 - t)^2
 *   G   = M'Z'(2 scale L_q U),   q = 2 w (|u_i - u_j|^2 - t)
 *
 * The pairs are lists of partners by row, each pair in both its rows: eight lanes take a row and gather, nothing is
 * added by atomic operations, and sums over rows are added in a fixed order, so that the same call gives the same
 * bytes. A step is one product with Z, one with Z', and a pass over the pairs for each of line and gradient: 16 n d
 * bytes of X, about 30 bytes an entry of the lists. */
#include "cuda_card.cuh"

#include <algorithm>
#include <cstring>
#include <vector>

namespace ald {

constexpr int lanes = 8, rows_a_block = threads / lanes, most_parts = 1056, line_terms = 5;

struct stress_room {
    int64_t n = 0, p = 0, width = 0;
    bool has_matrix = false, has_diagonal = false;
    buffer pointers, upper, partners, weights, squares, basis, vectors_of;
    buffer u, uv, work, directions, moved, parts, sums;
    vectors by{};

    ~stress_room()
    {
        for (buffer *b : {&pointers, &upper, &partners, &weights, &squares, &basis, &vectors_of, &u, &uv, &work,
                          &directions, &moved, &parts, &sums})
            b->release();
    }
};

/* The lists on the card. */
struct lists {
    int64_t n;
    const int64_t *pointers, *upper;
    const int32_t *partners;
    const double *weights, *squares;
};

static lists lists_of(const stress_room *s)
{
    return {s->n,
            (const int64_t *)s->pointers.memory,
            (const int64_t *)s->upper.memory,
            (const int32_t *)s->partners.memory,
            (const double *)s->weights.memory,
            (const double *)s->squares.memory};
}

static __device__ double lanes_sum(double part)
{
    for (int apart = lanes / 2; apart > 0; apart /= 2) part += __shfl_xor_sync(~0u, part, apart);
    return part;
}

/* The sum of what the threads of a block have, for thread 0, in a fixed order. */
static __device__ double block_total(double part)
{
    __shared__ double parts[threads];
    __syncthreads();
    parts[threadIdx.x] = part;
    for (int half = threads / 2; half > 0; half /= 2) {
        __syncthreads();
        if ((int)threadIdx.x < half) parts[threadIdx.x] += parts[threadIdx.x + half];
    }
    return threadIdx.x == 0 ? parts[0] : 0.0;
}

/* R columns of a point; 0: r of them, up to ALD_CARD_MOST_STRESS. */
template <int R> struct columns {
    static constexpr int most = R ? R : ALD_CARD_MOST_STRESS;
    static __device__ int count(int r)
    {
        return R ? R : r;
    }
};

/* work_i = 2 scale sum_j q (u_i - u_j) of the columns of point blockIdx.y, and the value, halved as each pair is met
 * twice, to parts. */
template <int R>
static __global__ void __launch_bounds__(threads) gradient_pass(lists l, const double *__restrict__ u, int64_t width, int r,
                                                                double scale, double *__restrict__ work,
                                                                double *__restrict__ parts)
{
    const int lane = (int)threadIdx.x % lanes, first = (int)blockIdx.y * r;
    double value = 0.0;
    for (int64_t at = blockIdx.x; at * rows_a_block < l.n; at += gridDim.x) {
        const int64_t i = at * rows_a_block + threadIdx.x / lanes;
        double own[columns<R>::most], sum[columns<R>::most];
        const bool here = i < l.n;
#pragma unroll
        for (int c = 0; c < columns<R>::count(r); c++) {
            own[c] = here ? u[i * width + first + c] : 0.0;
            sum[c] = 0.0;
        }
        for (int64_t e = here ? l.pointers[i] + lane : 0; e < (here ? l.pointers[i + 1] : 0); e += lanes) {
            const double *other = u + (int64_t)l.partners[e] * width + first;
            const double w = l.weights[e];
            double off = -l.squares[e];
#pragma unroll
            for (int c = 0; c < columns<R>::count(r); c++) off += (own[c] - other[c]) * (own[c] - other[c]);
            const double q = 2.0 * w * off;
            value += 0.25 * q * off;
#pragma unroll
            for (int c = 0; c < columns<R>::count(r); c++) sum[c] += q * (own[c] - other[c]);
        }
#pragma unroll
        for (int c = 0; c < columns<R>::count(r); c++) {
            const double all = lanes_sum(sum[c]);
            if (here && lane == 0) work[i * width + first + c] = 2.0 * scale * all;
        }
    }
    value = block_total(value);
    if (threadIdx.x == 0) parts[(int64_t)blockIdx.y * gridDim.x + blockIdx.x] = scale * value;
}

/* The five coefficients along the line, of the pairs with a partner above. */
template <int R>
static __global__ void __launch_bounds__(threads) line_pass(lists l, const double *__restrict__ u,
                                                            const double *__restrict__ uv, int64_t width, int r,
                                                            double scale, double *__restrict__ parts)
{
    const int lane = (int)threadIdx.x % lanes, first = (int)blockIdx.y * r;
    double sum[line_terms] = {};
    for (int64_t at = blockIdx.x; at * rows_a_block < l.n; at += gridDim.x) {
        const int64_t i = at * rows_a_block + threadIdx.x / lanes;
        if (i >= l.n) continue;
        double own[columns<R>::most], along[columns<R>::most];
#pragma unroll
        for (int c = 0; c < columns<R>::count(r); c++) {
            own[c] = u[i * width + first + c];
            along[c] = uv[i * width + first + c];
        }
        for (int64_t e = l.upper[i] + lane; e < l.pointers[i + 1]; e += lanes) {
            const int64_t other = (int64_t)l.partners[e] * width + first;
            const double w = l.weights[e];
            double c0 = -l.squares[e], c1 = 0.0, c2 = 0.0;
#pragma unroll
            for (int c = 0; c < columns<R>::count(r); c++) {
                const double a = own[c] - u[other + c], b = along[c] - uv[other + c];
                c0 += a * a;
                c1 += a * b;
                c2 += b * b;
            }
            c1 *= 2.0;
            sum[0] += w * c0 * c0;
            sum[1] += w * 2.0 * c0 * c1;
            sum[2] += w * (c1 * c1 + 2.0 * c0 * c2);
            sum[3] += w * 2.0 * c1 * c2;
            sum[4] += w * c2 * c2;
        }
    }
#pragma unroll
    for (int k = 0; k < line_terms; k++) {
        const double all = block_total(sum[k]);
        if (threadIdx.x == 0) parts[((int64_t)blockIdx.y * line_terms + k) * gridDim.x + blockIdx.x] = scale * all;
    }
}

/* One block of threads for each sum. */
static __global__ void add_parts(const double *parts, int64_t count, double *sums)
{
    double part = 0.0;
    for (int64_t e = threadIdx.x; e < count; e += threads) part += parts[blockIdx.x * count + e];
    part = block_total(part);
    if (threadIdx.x == 0) sums[blockIdx.x] = part;
}

static __global__ void move_rows(int64_t entries, int64_t width, int64_t r, const double *steps, const double *uv, double *u)
{
    const int64_t step = (int64_t)gridDim.x * blockDim.x;
    for (int64_t e = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; e < entries; e += step)
        u[e] += steps[e % width / r] * uv[e];
}

/* to (d x k) = diag(basis) from. */
static __global__ void times_diagonal(const double *basis, const double *from, int64_t d, int64_t k, double *to)
{
    const int64_t step = (int64_t)gridDim.x * blockDim.x;
    for (int64_t e = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; e < d * k; e += step)
        to[e] = basis[e / k] * from[e];
}

template <typename T> static const T *copied(card &c, buffer &b, const T *values, int64_t count)
{
    T *to = (T *)b.at_least((size_t)std::max<int64_t>(count, 1) * sizeof(T));
    c.copy_in(to, values, (size_t)count * sizeof(T));
    return to;
}

/* The columns from `first` on, `width` of them, of the rows of Z, one after the other. */
template <typename T>
static __global__ void take_columns(const T *__restrict__ x, int64_t n, int64_t d, vectors by, int64_t first, int64_t width,
                                    double *__restrict__ to)
{
    const int64_t step = (int64_t)gridDim.x * blockDim.x;
    for (int64_t e = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; e < n * width; e += step) {
        const int64_t i = e / width, j = first + e - i * width;
        to[e] = prepared((double)x[i * d + j], i, j, by);
    }
}

/* to_i = sum_j w_ij (u_i - u_j), a warp for each row, its lanes along the columns. */
static __global__ void times_laplacian(lists l, const double *__restrict__ u, int64_t width, double scale,
                                       double *__restrict__ to)
{
    const int64_t i = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (i >= l.n) return;
    for (int64_t c = threadIdx.x % 32; c < width; c += 32) {
        const double own = u[i * width + c];
        double sum = 0.0;
        for (int64_t e = l.pointers[i]; e < l.pointers[i + 1]; e++)
            sum += l.weights[e] * (own - u[(int64_t)l.partners[e] * width + c]);
        to[i * width + c] = scale * sum;
    }
}

/* Columns of L Z, some at a time, and their products with Z. */
ald_card_code pair_scatter(void *self, const ald_card_rows *z, const ald_card_stress *what, double scale, double *scatter)
{
    constexpr int64_t most = 64;
    return guarded(self, [&](card &c) {
        const matrix *m = (const matrix *)z->x;
        if (m->entries) fail(ALD_CARD_FAILED, "sums over pairs", "X is sparse");
        stress_room s;
        const int64_t n = z->n, d = z->d, entries = what->pointers[n];
        const lists l = {n, copied(c, s.pointers, what->pointers, n + 1), nullptr,
                         copied(c, s.partners, what->partners, entries), copied(c, s.weights, what->weights, entries),
                         nullptr};
        double *u = c.room(s.u, n * most), *lu = c.room(s.uv, n * most), *out = c.room(s.work, d * most);
        std::vector<double> part((size_t)(d * most));
        s.by = put_vectors_in(c, z, s.vectors_of);
        for (int64_t first = 0; first < d; first += most) {
            const int64_t width = std::min(most, d - first);
            if (m->single)
                take_columns<<<blocks_for(n * width), threads, 0, c.stream>>>((const float *)m->values + z->first * d, n, d,
                                                                              s.by, first, width, u);
            else
                take_columns<<<blocks_for(n * width), threads, 0, c.stream>>>((const double *)m->values + z->first * d, n,
                                                                              d, s.by, first, width, u);
            times_laplacian<<<(unsigned)((n * 32 + threads - 1) / threads), threads, 0, c.stream>>>(l, u, width, scale, lu);
            times_rows_transposed(c, z, s.by, lu, width, out);
            c.copy_out(part.data(), out, (size_t)(d * width) * sizeof(double));
            c.finish();
            for (int64_t i = 0; i < d; i++)
                std::copy_n(part.data() + i * width, width, scatter + i * d + first);
        }
    });
}

ald_card_code stress_open(void *self, const ald_card_rows *z, const ald_card_stress *what, void **made)
{
    stress_room *s = new stress_room;
    s->n = z->n;
    s->p = what->p;
    const ald_card_code code = guarded(self, [&](card &c) {
        const int64_t entries = what->pointers[z->n];
        copied(c, s->pointers, what->pointers, z->n + 1);
        copied(c, s->upper, what->upper, z->n);
        copied(c, s->partners, what->partners, entries);
        copied(c, s->weights, what->weights, entries);
        copied(c, s->squares, what->squares, entries);
        s->has_matrix = what->matrix != nullptr;
        s->has_diagonal = what->diagonal != nullptr;
        if (s->has_matrix) copied(c, s->basis, what->matrix, z->d * s->p);
        if (s->has_diagonal) copied(c, s->basis, what->diagonal, z->d);
        s->by = put_vectors_in(c, z, s->vectors_of);
    });
    *made = s;
    if (code != ALD_CARD_OK) stress_close(self, s);
    return code;
}

void stress_close(void *self, void *made)
{
    card *c = (card *)self;
    std::lock_guard<std::mutex> guard(c->lock);
    cudaSetDevice(c->number);
    delete (stress_room *)made;
}

/* to (n x k) = Z M w, w p x k in the memory of the host. */
static void project(card &c, const ald_card_rows *z, stress_room *s, const double *w, int64_t k, buffer &to)
{
    const double *own = copied(c, s->directions, w, s->p * k);
    double *v = (double *)own;
    if (s->has_matrix || s->has_diagonal) v = c.room(s->moved, z->d * k);
    if (s->has_matrix) times(c, (const double *)s->basis.memory, s->p, z->d, own, k, v);
    if (s->has_diagonal)
        times_diagonal<<<blocks_for(z->d * k), threads, 0, c.stream>>>((const double *)s->basis.memory, own, z->d, k, v);
    times_rows(c, z, s->by, v, k, c.room(to, s->n * k));
}

ald_card_code stress_place(void *self, const ald_card_rows *z, void *made, const double *w, int64_t k)
{
    stress_room *s = (stress_room *)made;
    return guarded(self, [&](card &c) {
        s->width = k;
        project(c, z, s, w, k, s->u);
    });
}

/* Sums of the parts of the grid's blocks, to the host. */
static void bring_sums(card &c, stress_room *s, const dim3 &grid, int each, double *to)
{
    const int64_t count = (int64_t)grid.y * each;
    double *sums = c.room(s->sums, count);
    add_parts<<<(unsigned)count, threads, 0, c.stream>>>((const double *)s->parts.memory, grid.x, sums);
    c.copy_out(to, sums, (size_t)count * sizeof(double));
}

static dim3 grid_of(const stress_room *s, int64_t groups)
{
    return dim3((unsigned)std::min<int64_t>(most_parts, (s->n + rows_a_block - 1) / rows_a_block), (unsigned)groups);
}

template <int R> static void pass_gradient(card &c, stress_room *s, const dim3 &grid, int r, double scale)
{
    gradient_pass<R><<<grid, threads, 0, c.stream>>>(lists_of(s), (const double *)s->u.memory, s->width, r, scale,
                                                     (double *)s->work.memory, (double *)s->parts.memory);
}

template <int R> static void pass_line(card &c, stress_room *s, const dim3 &grid, int r, double scale)
{
    line_pass<R><<<grid, threads, 0, c.stream>>>(lists_of(s), (const double *)s->u.memory, (const double *)s->uv.memory,
                                                 s->width, r, scale, (double *)s->parts.memory);
}

using pass_fn = void (*)(card &, stress_room *, const dim3 &, int, double);
static const pass_fn gradients[] = {pass_gradient<0>, pass_gradient<1>, pass_gradient<2>, pass_gradient<3>};
static const pass_fn lines[] = {pass_line<0>, pass_line<1>, pass_line<2>, pass_line<3>};

ald_card_code stress_gradient(void *self, const ald_card_rows *z, void *made, int64_t r, double scale, double *values,
                              double *g)
{
    stress_room *s = (stress_room *)made;
    return guarded(self, [&](card &c) {
        const int64_t k = s->width;
        const dim3 grid = grid_of(s, k / r);
        double *work = c.room(s->work, s->n * k), *sums = c.room(s->moved, z->d * k), *out = sums;
        c.room(s->parts, (int64_t)grid.x * grid.y * line_terms);
        gradients[r < 4 ? r : 0](c, s, grid, (int)r, scale);
        times_rows_transposed(c, z, s->by, work, k, sums);
        if (s->has_matrix || s->has_diagonal) out = c.room(s->directions, s->p * k);
        if (s->has_matrix) add_transposed(c, (const double *)s->basis.memory, s->p, z->d, sums, k, out, true);
        if (s->has_diagonal)
            times_diagonal<<<blocks_for(z->d * k), threads, 0, c.stream>>>((const double *)s->basis.memory, sums, z->d, k,
                                                                           out);
        bring_sums(c, s, grid, 1, values);
        c.copy_out(g, out, (size_t)(s->p * k) * sizeof(double));
    });
}

ald_card_code stress_line(void *self, const ald_card_rows *z, void *made, int64_t r, double scale, const double *v,
                          double *coefficients)
{
    stress_room *s = (stress_room *)made;
    return guarded(self, [&](card &c) {
        const dim3 grid = grid_of(s, s->width / r);
        c.room(s->parts, (int64_t)grid.x * grid.y * line_terms);
        project(c, z, s, v, s->width, s->uv);
        lines[r < 4 ? r : 0](c, s, grid, (int)r, scale);
        bring_sums(c, s, grid, line_terms, coefficients);
    });
}

ald_card_code stress_move(void *self, void *made, int64_t r, const double *steps)
{
    stress_room *s = (stress_room *)made;
    return guarded(self, [&](card &c) {
        const double *by = copied(c, s->sums, steps, s->width / r);
        move_rows<<<blocks_for(s->n * s->width), threads, 0, c.stream>>>(s->n * s->width, s->width, r, by,
                                                                         (const double *)s->uv.memory,
                                                                         (double *)s->u.memory);
    });
}

} // namespace ald
