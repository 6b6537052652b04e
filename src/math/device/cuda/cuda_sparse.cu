/* Sparse X on the card: its entries by rows and by columns, so that both products gather and none adds from several
 * threads at once: the same call gives the same bytes. Whichever order X came in, cuSPARSE makes the other. 24 bytes
 * for an entry in double precision, 16 in single.
 *
 * Columns of X by their entries (card.h, ald_card_entries), and rows of Z written out. */
#include "cuda_sparse.cuh"

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstring>
#include <vector>

namespace ald {

template <typename T> static T *get(int64_t count)
{
    void *memory = nullptr;
    check(cudaMalloc(&memory, (size_t)std::max<int64_t>(count, 1) * sizeof(T)), "memory of the card for X");
    return (T *)memory;
}

static void get_order(order &o, int64_t slices, int64_t length, int64_t count, size_t size)
{
    o.slices = slices;
    o.length = length;
    o.pointers = get<int>(slices + 1);
    o.indices = get<int>(count);
    o.values = get<char>(count * (int64_t)size);
}

static void free_order(order &o)
{
    for (void *each : {o.values, (void *)o.indices, (void *)o.pointers, (void *)o.long_slices, (void *)o.long_first,
                       (void *)o.piece_of})
        if (each) cudaFree(each);
}

void free_sparse(sparse *entries)
{
    free_order(entries->rows);
    free_order(entries->columns);
    delete entries;
}

/* Indices of 32 or 64 bits as int, less `base`. */
static void narrow(const void *from, int bits, int64_t first, int64_t count, int64_t base, int *to)
{
    if (bits == 32 && base == 0)
        memcpy(to, (const int32_t *)from + first, (size_t)count * sizeof *to);
    else if (bits == 32)
        for (int64_t i = 0; i < count; i++) to[i] = (int)(((const int32_t *)from)[first + i] - base);
    else
        for (int64_t i = 0; i < count; i++) to[i] = (int)(((const int64_t *)from)[first + i] - base);
}

static int64_t pointer_at(const ald_matrix *x, int64_t slice)
{
    return x->index_bits == 64 ? ((const int64_t *)x->pointers)[slice] : ((const int32_t *)x->pointers)[slice];
}

static void copy_order(card &c, const ald_matrix *x, order &o, int64_t count, size_t size)
{
    const int64_t begin = pointer_at(x, 0);
    const int bits = x->index_bits;
    copy_pieces(c, {o.slices + 1, sizeof(int),
                    [=](int64_t i, int64_t m, char *to) { narrow(x->pointers, bits, i, m, begin, (int *)to); }, o.pointers});
    copy_pieces(c, {count, sizeof(int),
                    [=](int64_t i, int64_t m, char *to) { narrow(x->indices, bits, begin + i, m, 0, (int *)to); }, o.indices});
    copy_pieces(c, {count, size,
                    [=](int64_t i, int64_t m, char *to) {
                        memcpy(to, (const char *)x->values + (size_t)(begin + i) * size, (size_t)m * size);
                    },
                    o.values});
}

/* The pieces of long slices. */
static void find_long(card &c, order &o)
{
    std::vector<int> pointers((size_t)o.slices + 1), slices, first, of;
    c.copy_out(pointers.data(), o.pointers, pointers.size() * sizeof(int));
    c.finish();
    for (int64_t s = 0; s < o.slices; s++) {
        const int64_t count = (int64_t)pointers[(size_t)s + 1] - pointers[(size_t)s];
        if (count <= piece_entries) continue;
        first.push_back((int)of.size());
        for (int64_t e = 0; e < count; e += piece_entries) of.push_back((int)slices.size());
        slices.push_back((int)s);
    }
    o.long_count = (int64_t)slices.size();
    o.pieces = (int64_t)of.size();
    if (slices.empty()) return;
    first.push_back((int)of.size());
    o.long_slices = get<int>(o.long_count);
    o.long_first = get<int>(o.long_count + 1);
    o.piece_of = get<int>(o.pieces);
    c.copy_in(o.long_slices, slices.data(), slices.size() * sizeof(int));
    c.copy_in(o.long_first, first.data(), first.size() * sizeof(int));
    c.copy_in(o.piece_of, of.data(), of.size() * sizeof(int));
    c.finish();
}

static void turn(card &c, const order &from, order &to, int64_t count, bool single)
{
    const cudaDataType type = single ? CUDA_R_32F : CUDA_R_64F;
    const int m = (int)from.slices, n = (int)to.slices, entries = (int)count;
    const cusparseCsr2CscAlg_t way = CUSPARSE_CSR2CSC_ALG_DEFAULT;
    size_t bytes = 0;
    if (!c.sparse_handle) check(cusparseCreate(&c.sparse_handle), "cuSPARSE");
    check(cusparseSetStream(c.sparse_handle, c.stream), "cuSPARSE");
    check(cusparseCsr2cscEx2_bufferSize(c.sparse_handle, m, n, entries, from.values, from.pointers, from.indices,
                                        to.values, to.pointers, to.indices, type, CUSPARSE_ACTION_NUMERIC,
                                        CUSPARSE_INDEX_BASE_ZERO, way, &bytes),
          "the columns of X");
    check(cusparseCsr2cscEx2(c.sparse_handle, m, n, entries, from.values, from.pointers, from.indices, to.values,
                             to.pointers, to.indices, type, CUSPARSE_ACTION_NUMERIC, CUSPARSE_INDEX_BASE_ZERO, way,
                             c.block.at_least(bytes)),
          "the columns of X");
    c.finish();
    c.block.release(); /* as large as X */
}

void hold_sparse(card &c, const ald_matrix *x, matrix *m)
{
    const bool by_rows = x->storage == ALD_CSR;
    const size_t size = m->single ? sizeof(float) : sizeof(double);
    const int64_t slices = by_rows ? m->n : m->d, length = by_rows ? m->d : m->n;
    const int64_t count = pointer_at(x, slices) - pointer_at(x, 0);
    if (std::max({count, m->n, m->d}) >= INT_MAX - piece_entries) /* places are counted on by as many */
        fail(ALD_CARD_FAILED, "sparse X", "it has 2^31 - 4097 entries, rows or columns, or more");
    make_room(c, (size_t)count * (3 * size + 4 * sizeof(int)));
    m->entries = new sparse;
    m->entries->count = count;
    order &given = by_rows ? m->entries->rows : m->entries->columns;
    order &other = by_rows ? m->entries->columns : m->entries->rows;
    get_order(given, slices, length, count, size);
    get_order(other, length, slices, count, size);
    copy_order(c, x, given, count, size);
    turn(c, given, other, count, m->single);
    find_long(c, given);
    find_long(c, other);
}

/* What a zero becomes, and then the entries. */
static __global__ void write_zeros(int64_t rows, int64_t d, vectors by, double *z)
{
    const int64_t step = (int64_t)gridDim.x * blockDim.x;
    for (int64_t e = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; e < rows * d; e += step) {
        const int64_t i = e / d;
        z[e] = prepared(0.0, i, e - i * d, by);
    }
}

template <typename T>
static __global__ void write_entries(const T *values, const int *indices, const int *pointers, int64_t rows, int64_t d,
                                     vectors by, double *z)
{
    const int64_t warps = (int64_t)gridDim.x * blockDim.x / 32;
    for (int64_t i = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) / 32; i < rows; i += warps)
        for (int e = pointers[i] + (int)(threadIdx.x % 32); e < pointers[i + 1]; e += 32)
            z[i * d + indices[e]] = prepared((double)values[e], i, indices[e], by);
}

void write_rows(card &c, const matrix *m, int64_t first, int64_t count, const vectors &by, double *z)
{
    const order &o = m->entries->rows;
    const int64_t d = m->d;
    write_zeros<<<blocks_for(count * d), threads, 0, c.stream>>>(count, d, by, z);
    if (m->single)
        write_entries<<<blocks_for(count * 32), threads, 0, c.stream>>>((const float *)o.values, o.indices,
                                                                        o.pointers + first, count, d, by, z);
    else
        write_entries<<<blocks_for(count * 32), threads, 0, c.stream>>>((const double *)o.values, o.indices,
                                                                        o.pointers + first, count, d, by, z);
}

enum { entry_kinds = 8 }; /* counts, stored, first, sums, squares, peak, low, high */

struct about {
    const double *weights, *base, *mean;
    bool differences;
};

__device__ static double add(double a, double b)
{
    return a + b;
}

template <typename Join> __device__ static double over_warp(double v, Join join)
{
    for (int apart = 16; apart > 0; apart /= 2) v = join(v, __shfl_xor_sync(0xffffffffu, v, apart));
    return v;
}

/* A warp takes a column; out: 8 x d. */
template <typename T>
static __global__ void sum_entries(const T *values, const int *indices, const int *pointers, int64_t d, vectors by,
                                   about of, double *out)
{
    const int64_t warps = (int64_t)gridDim.x * blockDim.x / 32;
    const int lane = (int)(threadIdx.x % 32);
    for (int64_t j = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) / 32; j < d; j += warps) {
        const double base = of.base ? of.base[j] : 0.0, mean = of.mean ? of.mean[j] : 0.0;
        double stored = 0.0, first = 0.0, sum = 0.0, square = 0.0, peak = 0.0, low = INFINITY, high = -INFINITY;
        for (int e = pointers[j] + lane; e < pointers[j + 1]; e += 32) {
            const int i = indices[e];
            const double factor = by.row_factor ? by.row_factor[i] : 1.0, w = of.weights ? of.weights[i] : 1.0;
            const double v = factor * (double)values[e], o = by.row_shift ? -factor * by.row_shift[i] : 0.0;
            const double off = v + o - mean, zero = o - mean;
            if (e == pointers[j]) first = v;
            stored += w;
            sum += w * (v - base);
            square += w * (off * off - (of.differences ? zero * zero : 0.0));
            peak = fmax(peak, fabs(v + o));
            low = fmin(low, v + o);
            high = fmax(high, v + o);
        }
        auto larger = [](double a, double b) { return fmax(a, b); };
        auto smaller = [](double a, double b) { return fmin(a, b); };
        const double found[entry_kinds] = {
            (double)(pointers[j + 1] - pointers[j]), over_warp(stored, add), over_warp(first, add),
            over_warp(sum, add), over_warp(square, add), over_warp(peak, larger), over_warp(low, smaller),
            over_warp(high, larger),
        };
        for (int kind = 0; lane == 0 && kind < entry_kinds; kind++) out[kind * d + j] = found[kind];
    }
}

ald_card_code entry_sums(void *self, const ald_card_rows *z, const ald_card_entries *s)
{
    return guarded(self, [&](card &c) {
        const matrix *m = (const matrix *)z->x;
        const order &o = m->entries->columns;
        const int64_t n = z->n, d = z->d;
        const vectors by = put_vectors(c, z);
        const double *const from[] = {s->base, s->mean, s->weights};
        const int64_t length[] = {d, d, n};
        double *all = c.room(c.in, 2 * d + n), *out = c.room(c.out, entry_kinds * d), *at = all;
        const double *there[3];
        for (int t = 0; t < 3; at += length[t++]) {
            there[t] = from[t] ? at : nullptr;
            if (from[t]) c.copy_in(at, from[t], (size_t)length[t] * sizeof(double));
        }
        const about of = {there[2], there[0], there[1], s->differences != 0};
        if (m->single)
            sum_entries<<<blocks_for(d * 32), threads, 0, c.stream>>>((const float *)o.values, o.indices, o.pointers, d,
                                                                      by, of, out);
        else
            sum_entries<<<blocks_for(d * 32), threads, 0, c.stream>>>((const double *)o.values, o.indices, o.pointers, d,
                                                                      by, of, out);
        double *const to[] = {s->counts, s->stored, s->first, s->sums, s->squares, s->peak, s->low, s->high};
        for (int kind = 0; kind < entry_kinds; kind++)
            if (to[kind]) c.copy_out(to[kind], out + kind * d, (size_t)d * sizeof(double));
    });
}

} // namespace ald
