/* X on the card: copied once, row after row, in its own precision.
 *
 * Several threads pack rows into pinned memory, two pieces each in turn, from where the card fetches them while
 * the next piece is packed: memory that is not pinned is copied at a third of that speed. */
#include "cuda_card.cuh"

#include <algorithm>
#include <cstring>
#include <thread>
#include <vector>

namespace ald {

/* Rows of X as they stand in memory, written out without gaps. */
static void pack(const ald_matrix *x, int64_t i0, int64_t m, size_t size, char *to)
{
    const char *values = (const char *)x->values;
    const int64_t d = x->cols;
    if (x->col_stride == 1 && x->row_stride == d) {
        memcpy(to, values + (size_t)(i0 * d) * size, (size_t)(m * d) * size);
        return;
    }
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < d; j++)
            memcpy(to + (size_t)(i * d + j) * size,
                   values + (size_t)((i0 + i) * x->row_stride + j * x->col_stride) * size, size);
}

void copier::run(int number, const ald_matrix *x, char *to, size_t size, int64_t rows, int which, int count)
{
    const int64_t d = x->cols;
    int turn = 0;
    keep(cudaSetDevice(number));
    for (int64_t i = which * rows; i < x->rows && code == cudaSuccess; i += count * rows, turn ^= 1) {
        const int64_t m = std::min(rows, x->rows - i);
        keep(cudaEventSynchronize(done[turn]));
        if (code != cudaSuccess) break;
        pack(x, i, m, size, pinned[turn]);
        keep(cudaMemcpyAsync(to + (size_t)(i * d) * size, pinned[turn], (size_t)(m * d) * size,
                             cudaMemcpyHostToDevice, stream));
        keep(cudaEventRecord(done[turn], stream));
    }
    keep(cudaStreamSynchronize(stream));
}

static void copy_matrix(card &c, const ald_matrix *x, matrix *m)
{
    const size_t size = m->single ? sizeof(float) : sizeof(double);
    const int64_t rows = (int64_t)(piece_bytes / size) / m->d, pieces = (m->n + rows - 1) / rows;
    const int64_t processors = std::max(1u, std::thread::hardware_concurrency());
    const int count = (int)std::min({pieces, processors, (int64_t)most_copiers});
    std::vector<std::thread> others;
    for (int t = 0; t < count; t++) c.copiers[t].open();
    for (int t = 1; t < count; t++)
        others.emplace_back([&, t] { c.copiers[t].run(c.number, x, (char *)m->values, size, rows, t, count); });
    c.copiers[0].run(c.number, x, (char *)m->values, size, rows, 0, count);
    for (std::thread &t : others) t.join();
    cudaError_t code = cudaSuccess;
    for (int t = 0; t < count; t++) {
        if (c.copiers[t].code == cudaSuccess) continue;
        code = c.copiers[t].code;
        c.copiers[t].close();
    }
    check(code, "copying X to the card");
    c.bytes_in += (double)m->n * (double)m->d * (double)size;
}

static bool is_whole(const ald_matrix *x)
{
    return x->col_stride == 1 && x->row_stride == x->cols;
}

static bool is_memory(const void *memory, cudaMemoryType type, int number)
{
    cudaPointerAttributes facts;
    const cudaError_t code = cudaPointerGetAttributes(&facts, memory);
    cudaGetLastError();
    return code == cudaSuccess && facts.type == type && (type != cudaMemoryTypeDevice || facts.device == number);
}

/* From pinned memory the card fetches X by itself. */
static void copy_pinned(card &c, const ald_matrix *x, matrix *m, size_t bytes)
{
    check(cudaMemcpyAsync(m->values, x->values, bytes, cudaMemcpyHostToDevice, c.stream), "copying X to the card");
    c.bytes_in += (double)bytes;
}

template <typename T>
static __global__ void gather(const T *x, int64_t n, int64_t d, int64_t row_stride, int64_t col_stride, T *to)
{
    const int64_t step = (int64_t)gridDim.x * blockDim.x;
    for (int64_t e = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; e < n * d; e += step)
        to[e] = x[e / d * row_stride + e % d * col_stride];
}

/* X of the caller: as it is, or written out without gaps. What others are still writing is waited for. */
ald_card_code adopt(void *self, const ald_matrix *x, void **held)
{
    matrix *m = new matrix;
    m->single = x->type == ALD_F32;
    m->n = x->rows;
    m->d = x->cols;
    const ald_card_code code = guarded(self, [&](card &c) {
        if (!is_memory(x->values, cudaMemoryTypeDevice, c.number))
            fail(ALD_CARD_FAILED, "X", "its address is not in the memory of this card");
        check(cudaDeviceSynchronize(), "the card");
        m->borrowed = is_whole(x);
        m->values = (void *)x->values;
        if (m->borrowed) return;
        m->values = nullptr;
        check(cudaMalloc(&m->values, (size_t)(m->n * m->d) * (m->single ? sizeof(float) : sizeof(double))),
              "memory of the card for X");
        if (m->single)
            gather<<<4096, 256, 0, c.stream>>>((const float *)x->values, m->n, m->d, x->row_stride, x->col_stride,
                                               (float *)m->values);
        else
            gather<<<4096, 256, 0, c.stream>>>((const double *)x->values, m->n, m->d, x->row_stride, x->col_stride,
                                               (double *)m->values);
    });
    *held = m;
    if (code != ALD_CARD_OK) release(self, m);
    return code;
}

ald_card_code put(void *self, const void *from, int64_t bytes, void *to)
{
    return guarded(self, [&](card &c) {
        if (!is_memory(to, cudaMemoryTypeDevice, c.number))
            fail(ALD_CARD_FAILED, "the output", "its address is not in the memory of this card");
        c.copy_in(to, from, (size_t)bytes);
    });
}

ald_card_code hold(void *self, const ald_matrix *x, void **held)
{
    matrix *m = new matrix;
    m->single = x->type == ALD_F32;
    m->n = x->rows;
    m->d = x->cols;
    const ald_card_code code = guarded(self, [&](card &c) {
        const size_t bytes = (size_t)(m->n * m->d) * (m->single ? sizeof(float) : sizeof(double));
        if ((size_t)m->d * sizeof(double) > piece_bytes) fail(ALD_CARD_FAILED, "X", "its rows are too long for the card");
        size_t free_bytes = 0, all = 0;
        check(cudaMemGetInfo(&free_bytes, &all), "the memory of the card");
        if (bytes + 2 * product_bytes > free_bytes) { /* what earlier calls needed is given up first */
            for (buffer *b : {&c.block, &c.in, &c.out, &c.more, &c.prepared_by, &c.work}) b->release();
            check(cudaMemGetInfo(&free_bytes, &all), "the memory of the card");
        }
        if (bytes + 2 * product_bytes > free_bytes) {
            char why[120];
            snprintf(why, sizeof why, "X takes %.3g GB, and %.3g GB are free", (double)bytes / 1e9,
                     (double)free_bytes / 1e9);
            fail(ALD_CARD_FULL, "the memory of the card does not suffice", why);
        }
        check(cudaMalloc(&m->values, bytes), "memory of the card for X");
        if (is_whole(x) && is_memory(x->values, cudaMemoryTypeHost, c.number))
            copy_pinned(c, x, m, bytes);
        else
            copy_matrix(c, x, m);
        c.held++;
        c.calls--;
    });
    if (code == ALD_CARD_OK) {
        *held = m;
        return code;
    }
    if (m->values) cudaFree(m->values);
    delete m;
    return code;
}

void release(void *self, void *held)
{
    card *c = (card *)self;
    matrix *m = (matrix *)held;
    std::lock_guard<std::mutex> guard(c->lock);
    cudaSetDevice(c->number);
    if (!m->borrowed) cudaFree(m->values);
    delete m;
}

} // namespace ald
