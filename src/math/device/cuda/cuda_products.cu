/* Products with the rows of Z, and sums over them.
 *
 * Products prepare a block of rows in double precision and multiply it: Z is never stored whole. Blocks of
 * products with few columns fit into the second-level cache, so that X is read from memory once; those of
 * scatters are as large as cuBLAS likes best (H200, 10^6 x 1000: 16384 rows 33 ms, 65536 34, 262144 40; the bound
 * is 30 ms at 67 TFLOP/s).
 *
 * Row major here is column major there: Z is d x n with leading dimension d, and the upper triangle of a scatter
 * is the lower one of cuBLAS. */
#include "cuda_sparse.cuh"

#include <algorithm>
#include <cmath>

namespace ald {

constexpr size_t cached_bytes = (size_t)24 << 20;
constexpr int sum_blocks = 528;

template <typename T>
static __global__ void prepare(const T *__restrict__ x, int64_t rows, int64_t d, vectors by, double *__restrict__ z)
{
    const int64_t step = (int64_t)gridDim.x * blockDim.x;
    for (int64_t e = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; e < rows * d; e += step) {
        const int64_t i = e / d, j = e - i * d;
        z[e] = prepared((double)x[e], i, j, by);
    }
}

/* u (n x k) becomes product - u diag(alpha), in `product`. */
static __global__ void subtract(double *product, const double *u, const double *alpha, int64_t n, int64_t k)
{
    const int64_t step = (int64_t)gridDim.x * blockDim.x;
    for (int64_t e = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; e < n * k; e += step)
        product[e] -= alpha[e % k] * u[e];
}

enum { sums_kinds = 5 }; /* sums, squares, peak, low, high */

/* A block of threads takes every gridDim.x-th row; parts: gridDim.x x 5 x d. */
template <typename T>
static __global__ void sum_columns(const T *__restrict__ x, int64_t n, int64_t d, vectors by, const double *weights,
                            const double *base, double *parts)
{
    const int64_t j = (int64_t)blockIdx.y * blockDim.x + threadIdx.x;
    if (j >= d) return;
    double sum = 0.0, square = 0.0, peak = 0.0, low = INFINITY, high = -INFINITY;
    for (int64_t i = blockIdx.x; i < n; i += gridDim.x) {
        double v = (double)x[i * d + j];
        if (by.row_shift) v -= by.row_shift[i];
        if (by.row_factor) v *= by.row_factor[i];
        const double off = v - base[j], w = weights ? weights[i] : 1.0;
        sum += w * off;
        square += w * off * off;
        peak = fmax(peak, fabs(off));
        low = fmin(low, v);
        high = fmax(high, v);
    }
    double *out = parts + (int64_t)blockIdx.x * sums_kinds * d + j;
    out[0] = sum, out[d] = square, out[2 * d] = peak, out[3 * d] = low, out[4 * d] = high;
}

static __global__ void gather_sums(const double *parts, int64_t count, int64_t d, double *out)
{
    const int64_t j = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= d) return;
    double sum = 0.0, square = 0.0, peak = 0.0, low = INFINITY, high = -INFINITY;
    for (int64_t p = 0; p < count; p++) {
        const double *in = parts + p * sums_kinds * d + j;
        sum += in[0];
        square += in[d];
        peak = fmax(peak, in[2 * d]);
        low = fmin(low, in[3 * d]);
        high = fmax(high, in[4 * d]);
    }
    out[j] = sum, out[d + j] = square, out[2 * d + j] = peak, out[3 * d + j] = low, out[4 * d + j] = high;
}

vectors put_vectors(card &c, const ald_card_rows *z)
{
    return put_vectors_in(c, z, c.prepared_by);
}

vectors put_vectors_in(card &c, const ald_card_rows *z, buffer &to_buffer)
{
    const double *const from[] = {z->row_shift, z->row_factor, z->row_weight, z->mean, z->inverse_scale};
    const int64_t length[] = {z->n, z->n, z->n, z->d, z->d};
    const double *to[5];
    int64_t total = 0, at = 0;
    for (int k = 0; k < 5; k++) total += from[k] ? length[k] : 0;
    double *all = total ? c.room(to_buffer, total) : nullptr;
    for (int k = 0; k < 5; k++) {
        to[k] = from[k] ? all + at : nullptr;
        if (!from[k]) continue;
        c.copy_in(all + at, from[k], (size_t)length[k] * sizeof(double));
        at += length[k];
    }
    return {to[0], to[1], to[2], to[3], to[4]};
}

static vectors from_row(const vectors &v, int64_t i)
{
    auto at = [i](const double *p) { return p ? p + i : nullptr; };
    return {at(v.row_shift), at(v.row_factor), at(v.row_weight), v.mean, v.inverse_scale};
}

static bool is_plain(const vectors &v)
{
    return !v.row_shift && !v.row_factor && !v.row_weight && !v.mean && !v.inverse_scale;
}

static void prepare_block(const ald_card_rows *z, const vectors &by, int64_t i, int64_t rows, cudaStream_t stream,
                          double *block)
{
    const matrix *m = (const matrix *)z->x;
    const int64_t at = (z->first + i) * z->d;
    const vectors here = from_row(by, i);
    const unsigned blocks = blocks_for(rows * z->d);
    if (m->single)
        prepare<<<blocks, threads, 0, stream>>>((const float *)m->values + at, rows, z->d, here, block);
    else
        prepare<<<blocks, threads, 0, stream>>>((const double *)m->values + at, rows, z->d, here, block);
}

/* Calls visit(rows of Z on the card, first, count) for one block after the other; rows that stand there as they are
 * are one block, of `bytes` 0. The next block is prepared beside the work on this one, in two places by turns. */
template <typename Visit> static void each_block(card &c, const ald_card_rows *z, size_t bytes, Visit visit)
{
    const matrix *m = (const matrix *)z->x;
    const vectors by = put_vectors(c, z);
    const bool stands = is_plain(by) && !m->single && !m->entries;
    const int64_t fit = std::max<int64_t>(1, (int64_t)((bytes ? bytes : cached_bytes) / sizeof(double)) / z->d);
    const int64_t rows = std::min(z->n, stands && !bytes ? (int64_t)1 << 30 : fit);
    const int places = bytes == product_bytes && rows < z->n && !m->entries ? 2 : 1;
    double *block = stands ? nullptr : c.room(c.block, places * rows * z->d);
    int turn = 0;
    if (places == 2) c.beside.begin(c.stream);
    for (int64_t i = 0; i < z->n; i += rows, turn ^= places - 1) {
        const int64_t count = std::min(rows, z->n - i);
        double *own = block + turn * rows * z->d;
        if (stands) {
            visit((const double *)m->values + (z->first + i) * z->d, i, count);
            continue;
        }
        if (m->entries)
            write_rows(c, m, z->first + i, count, from_row(by, i), own);
        else
            prepare_block(z, by, i, count, places == 2 ? c.beside.enter(turn) : c.stream, own);
        if (places == 2) c.beside.leave(turn, c.stream);
        visit((const double *)own, i, count);
        if (places == 2) c.beside.is_free(turn, c.stream);
    }
}

static const double one = 1.0, zero = 0.0;

/* u (rows x k) = Z v of a block. */
void times(card &c, const double *z, int64_t d, int64_t rows, const double *v, int64_t k, double *u)
{
    check(cublasDgemm(c.blas, CUBLAS_OP_N, CUBLAS_OP_N, (int)k, (int)rows, (int)d, &one, v, (int)k, z, (int)d, &zero, u,
                      (int)k),
          "a product");
}

/* v (d x k) += Z'u of a block; the first one sets it. */
void add_transposed(card &c, const double *z, int64_t d, int64_t rows, const double *u, int64_t k, double *v, bool first)
{
    check(cublasDgemm(c.blas, CUBLAS_OP_N, CUBLAS_OP_T, (int)k, (int)d, (int)rows, &one, u, (int)k, z, (int)d,
                      first ? &zero : &one, v, (int)k),
          "a product");
}

static bool is_sparse(const ald_card_rows *z)
{
    return ((const matrix *)z->x)->entries != nullptr;
}

void times_rows(card &c, const ald_card_rows *z, const vectors &by, const double *v, int64_t k, double *u)
{
    if (is_sparse(z))
        sparse_times(c, z, by, v, k, nullptr, nullptr, u);
    else if (k <= most_few)
        few(c, z, by, false, v, k, u);
    else
        each_block(c, z, 0, [&](const double *block, int64_t i, int64_t rows) {
            times(c, block, z->d, rows, v, k, u + i * k);
        });
}

void times_rows_transposed(card &c, const ald_card_rows *z, const vectors &by, const double *u, int64_t k, double *v)
{
    if (is_sparse(z))
        sparse_transposed(c, z, by, u, k, v);
    else if (k <= most_few)
        few(c, z, by, true, u, k, v);
    else if (!few_products(c, z, by, u, k, v))
        each_block(c, z, cached_bytes, [&](const double *block, int64_t i, int64_t rows) {
            add_transposed(c, block, z->d, rows, u + i * k, k, v, i == 0);
        });
}

ald_card_code apply(void *self, const ald_card_rows *z, const double *v, int64_t k, double *u)
{
    return guarded(self, [&](card &c) {
        const double *v_in = c.given(c.in, v, z->d * k);
        double *out = c.room(c.out, z->n * k);
        times_rows(c, z, put_vectors(c, z), v_in, k, out);
        c.copy_out(u, out, (size_t)(z->n * k) * sizeof(double));
    });
}

static __global__ void square(double *u, int64_t count)
{
    const int64_t step = (int64_t)gridDim.x * blockDim.x;
    for (int64_t e = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; e < count; e += step) u[e] *= u[e];
}

ald_card_code apply_squared(void *self, const ald_card_rows *z, const double *v, int64_t k, const double *f, int64_t p,
                            double *u)
{
    return guarded(self, [&](card &c) {
        double *v_in = c.room(c.in, z->d * k + k * p), *f_in = v_in + z->d * k, *out = c.room(c.out, z->n * p);
        c.copy_in(v_in, v, (size_t)(z->d * k) * sizeof(double));
        c.copy_in(f_in, f, (size_t)(k * p) * sizeof(double));
        each_block(c, z, product_bytes, [&](const double *block, int64_t i, int64_t rows) {
            double *product = c.room(c.more, rows * k);
            times(c, block, z->d, rows, v_in, k, product);
            square<<<blocks_for(rows * k), threads, 0, c.stream>>>(product, rows * k);
            times(c, product, k, rows, f_in, p, out + i * p);
        });
        c.copy_out(u, out, (size_t)(z->n * p) * sizeof(double));
    });
}

ald_card_code apply_transposed(void *self, const ald_card_rows *z, const double *u, int64_t k, double *v)
{
    return guarded(self, [&](card &c) {
        const double *u_in = c.given(c.in, u, z->n * k);
        double *out = c.room(c.out, z->d * k);
        times_rows_transposed(c, z, put_vectors(c, z), u_in, k, out);
        c.copy_out(v, out, (size_t)(z->d * k) * sizeof(double));
    });
}

void advance_there(card &c, const ald_card_rows *z, const double *v, int64_t k, const double *alpha, const double *u,
                   double *product, double *sums)
{
    if (is_sparse(z)) {
        const vectors by = put_vectors(c, z);
        sparse_times(c, z, by, v, k, alpha, u, product);
        sparse_transposed(c, z, by, product, k, sums);
        return;
    }
    each_block(c, z, cached_bytes, [&](const double *block, int64_t i, int64_t rows) {
        times(c, block, z->d, rows, v, k, product + i * k);
        if (u) subtract<<<blocks_for(rows * k), threads, 0, c.stream>>>(product + i * k, u + i * k, alpha, rows, k);
        add_transposed(c, block, z->d, rows, product + i * k, k, sums, i == 0);
    });
}

ald_card_code advance(void *self, const ald_card_rows *z, const double *v, int64_t k, const double *alpha, double *u,
                      double *w)
{
    return guarded(self, [&](card &c) {
        if (k == 1 && !is_sparse(z) && one_pass(c, z, v, alpha, u, w)) return;
        const double *v_in = c.given(c.in, v, z->d * k);
        double *product = c.room(c.out, (z->n + z->d) * k), *sums = product + z->n * k;
        double *old = u ? c.room(c.more, z->n * k + k) : nullptr, *factors = u ? old + z->n * k : nullptr;
        if (u) {
            c.copy_in(old, u, (size_t)(z->n * k) * sizeof(double));
            c.copy_in(factors, alpha, (size_t)k * sizeof(double));
        }
        advance_there(c, z, v_in, k, factors, old, product, sums);
        c.copy_out(w, sums, (size_t)(z->d * k) * sizeof(double));
        c.finish(); /* u goes in as well: it changes only where nothing has failed */
        if (u) c.copy_out(u, product, (size_t)(z->n * k) * sizeof(double));
    });
}

/* h_of(first row, count): the rows of h on the card. */
template <typename Rows>
static void scatter_by(card &c, const ald_card_rows *z, Rows h_of, int64_t k, double *s, double *b)
{
    const int64_t d = z->d;
    double *square = c.room(c.out, d * (d + k)), *with = square + d * d;
    check(cudaMemsetAsync(square, 0, (size_t)(d * d) * sizeof(double), c.stream), "the scatter");
    each_block(c, z, product_bytes, [&](const double *block, int64_t i, int64_t rows) {
        check(cublasDsyrk(c.blas, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, (int)d, (int)rows, &one, block, (int)d,
                          i == 0 ? &zero : &one, square, (int)d),
              "the scatter");
        if (k > 0) add_transposed(c, block, d, rows, h_of(i, rows), k, with, i == 0);
    });
    c.copy_out(s, square, (size_t)(d * d) * sizeof(double));
    if (k > 0) c.copy_out(b, with, (size_t)(d * k) * sizeof(double));
}

/* Products with few columns in a pass of their own, which takes less than as a part of large ones. */
ald_card_code scatter(void *self, const ald_card_rows *z, const double *h, int64_t k, double *s, double *b)
{
    return guarded(self, [&](card &c) {
        const double *h_in = k > 0 ? c.given(c.in, h, z->n * k) : nullptr;
        double *few = k > 0 ? c.room(c.out, z->d * k) : nullptr;
        const bool apart = k > 0 && !is_sparse(z) && few_products(c, z, put_vectors(c, z), h_in, k, few);
        if (apart) c.copy_out(b, few, (size_t)(z->d * k) * sizeof(double));
        scatter_by(c, z, [&](int64_t i, int64_t) { return h_in + i * k; }, apart ? 0 : k, s, b);
    });
}

static __global__ void write_codes(const int32_t *code, const double *value, int64_t rows, int64_t k, double *h)
{
    const int64_t step = (int64_t)gridDim.x * blockDim.x;
    for (int64_t e = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; e < rows * k; e += step) {
        const int64_t i = e / k;
        h[e] = code[i] == e - i * k ? value[i] : 0.0;
    }
}

ald_card_code scatter_codes(void *self, const ald_card_rows *z, const int32_t *code, const double *value, int64_t k,
                            double *s, double *b)
{
    return guarded(self, [&](card &c) {
        const int64_t n = z->n;
        double *values = (double *)c.in.at_least((size_t)n * (sizeof *value + sizeof *code));
        int32_t *codes = (int32_t *)(values + n);
        c.copy_in(values, value, (size_t)n * sizeof *value);
        c.copy_in(codes, code, (size_t)n * sizeof *code);
        scatter_by(
            c, z,
            [&](int64_t i, int64_t rows) {
                double *h = c.room(c.more, rows * k);
                write_codes<<<blocks_for(rows * k), threads, 0, c.stream>>>(codes + i, values + i, rows, k, h);
                return h;
            },
            k, s, b);
    });
}

const double *all_rows(card &c, const ald_card_rows *z)
{
    const double *all = nullptr;
    each_block(c, z, (size_t)(z->n * z->d) * sizeof(double), [&](const double *block, int64_t, int64_t) { all = block; });
    return all;
}

ald_card_code gram(void *self, const ald_card_rows *z, double *g)
{
    return guarded(self, [&](card &c) {
        double *out = c.room(c.out, z->n * z->n);
        check(cudaMemsetAsync(out, 0, (size_t)(z->n * z->n) * sizeof(double), c.stream), "the products of rows");
        each_block(c, z, (size_t)(z->n * z->d) * sizeof(double), [&](const double *block, int64_t, int64_t rows) {
            check(cublasDsyrk(c.blas, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_T, (int)rows, (int)z->d, &one, block, (int)z->d,
                              &zero, out, (int)rows),
                  "the products of rows");
        });
        c.copy_out(g, out, (size_t)(z->n * z->n) * sizeof(double));
    });
}

ald_card_code square_norm(void *self, const ald_card_rows *z, double *sum)
{
    return guarded(self, [&](card &c) {
        *sum = 0.0;
        each_block(c, z, product_bytes, [&](const double *block, int64_t, int64_t rows) {
            double part;
            check(cublasDdot(c.blas, (int)(rows * z->d), block, 1, block, 1, &part), "a sum of squares");
            *sum += part;
        });
    });
}

ald_card_code column_sums(void *self, const ald_card_rows *z, const ald_card_sums *s)
{
    return guarded(self, [&](card &c) {
        const matrix *m = (const matrix *)z->x;
        const int64_t n = z->n, d = z->d;
        const vectors by = put_vectors(c, z);
        double *base = c.room(c.in, d + (s->weights ? n : 0)), *weights = s->weights ? base + d : nullptr;
        c.copy_in(base, s->base, (size_t)d * sizeof(double));
        if (weights) c.copy_in(weights, s->weights, (size_t)n * sizeof(double));
        const int64_t count = std::min<int64_t>(n, sum_blocks);
        double *parts = c.room(c.more, (count + 1) * sums_kinds * d), *out = parts + count * sums_kinds * d;
        const dim3 grid((unsigned)count, (unsigned)((d + threads - 1) / threads));
        if (m->single)
            sum_columns<<<grid, threads, 0, c.stream>>>((const float *)m->values + z->first * d, n, d, by, weights, base, parts);
        else
            sum_columns<<<grid, threads, 0, c.stream>>>((const double *)m->values + z->first * d, n, d, by, weights, base, parts);
        gather_sums<<<grid.y, threads, 0, c.stream>>>(parts, count, d, out);
        double *const to[] = {s->sums, s->squares, s->peak, s->low, s->high};
        for (int kind = 0; kind < sums_kinds; kind++)
            if (to[kind]) c.copy_out(to[kind], out + kind * d, (size_t)d * sizeof(double));
    });
}

ald_card_code fetch(void *self, const ald_card_rows *z, double *rows)
{
    return guarded(self, [&](card &c) {
        each_block(c, z, product_bytes, [&](const double *block, int64_t i, int64_t count) {
            c.copy_out(rows + i * z->d, block, (size_t)(count * z->d) * sizeof(double));
        });
    });
}

template <typename T> static __global__ void look(const T *x, int64_t count, unsigned long long *first)
{
    const int64_t step = (int64_t)gridDim.x * blockDim.x;
    for (int64_t e = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; e < count; e += step)
        if (!isfinite(x[e])) {
            atomicMin(first, (unsigned long long)e);
            return;
        }
}

ald_card_code find_bad(void *self, const ald_card_rows *x, int64_t *place)
{
    return guarded(self, [&](card &c) {
        const matrix *m = (const matrix *)x->x;
        const int64_t count = x->n * x->d, from = x->first * x->d;
        unsigned long long *first = (unsigned long long *)c.more.at_least(sizeof *first), found;
        check(cudaMemsetAsync(first, 0xff, sizeof *first, c.stream), "a search");
        const unsigned blocks = std::min(blocks_for(count), 2112u);
        if (m->single)
            look<<<blocks, threads, 0, c.stream>>>((const float *)m->values + from, count, first);
        else
            look<<<blocks, threads, 0, c.stream>>>((const double *)m->values + from, count, first);
        c.copy_out(&found, first, sizeof found);
        c.finish();
        *place = found == ~0ull ? -1 : (int64_t)found;
    });
}

} // namespace ald
