/* X on the card: copied once, row after row, in its own precision.
 *
 * Several threads pack rows into pinned memory, two pieces each in turn, from where the card fetches them while
 * the next piece is packed: memory that is not pinned is copied at a third of that speed. */
#include "cuda_sparse.cuh"

#include <algorithm>
#include <climits>
#include <cstdint>
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

void copier::run(int number, const pieces &p, int which, int count)
{
    const int64_t each = (int64_t)(p.piece / p.size);
    int turn = 0;
    keep(cudaSetDevice(number));
    for (int64_t i = which * each; i < p.count && code == cudaSuccess; i += count * each, turn ^= 1) {
        const int64_t m = std::min(each, p.count - i);
        keep(cudaEventSynchronize(done[turn]));
        if (code != cudaSuccess) break;
        p.pack(i, m, pinned[turn]);
        keep(cudaMemcpyAsync((char *)p.to + (size_t)i * p.size, pinned[turn], (size_t)m * p.size,
                             cudaMemcpyHostToDevice, stream));
        keep(cudaEventRecord(done[turn], stream));
    }
    keep(cudaStreamSynchronize(stream));
}

/* While one piece comes, the one before it is written to where it belongs. */
void copier::run_out(int number, const pieces &p, int which, int count)
{
    const int64_t each = (int64_t)(p.piece / p.size);
    int64_t before = -1;
    int turn = 0;
    const auto write = [&](int64_t first) {
        const int64_t m = std::min(each, p.count - first);
        keep(cudaEventSynchronize(done[turn ^ 1]));
        if (code == cudaSuccess) memcpy((char *)p.to + (size_t)first * p.size, pinned[turn ^ 1], (size_t)m * p.size);
    };
    keep(cudaSetDevice(number));
    for (int64_t i = which * each; i < p.count && code == cudaSuccess; i += count * each, turn ^= 1) {
        const int64_t m = std::min(each, p.count - i);
        keep(cudaMemcpyAsync(pinned[turn], (const char *)p.from + (size_t)i * p.size, (size_t)m * p.size,
                             cudaMemcpyDeviceToHost, stream));
        keep(cudaEventRecord(done[turn], stream));
        if (before >= 0) write(before);
        before = i;
    }
    if (before >= 0) write(before);
    keep(cudaStreamSynchronize(stream));
}

void copy_pieces(card &c, const pieces &p)
{
    const int64_t each = (int64_t)(p.piece / p.size), number = (p.count + each - 1) / each;
    const int64_t processors = std::max(1u, std::thread::hardware_concurrency());
    const int count = (int)std::min({number, processors, (int64_t)most_copiers});
    std::vector<std::thread> others;
    std::lock_guard<std::mutex> guard(c.copying);
    const auto run = [&](int t) {
        p.pack ? c.copiers[t].run(c.number, p, t, count) : c.copiers[t].run_out(c.number, p, t, count);
    };
    others.reserve((size_t)most_copiers);
    for (int t = 0; t < count; t++) c.copiers[t].open(p.piece);
    for (int t = 1; t < count; t++) try {
            others.emplace_back(run, t);
        } catch (const std::exception &) { /* the system has no further thread: this one does its part */
            run(t);
        }
    if (count > 0) run(0);
    for (std::thread &t : others) t.join();
    cudaError_t code = cudaSuccess;
    for (int t = 0; t < count; t++) {
        if (c.copiers[t].code == cudaSuccess) continue;
        code = c.copiers[t].code;
        c.copiers[t].close();
    }
    check(code, p.pack ? "copying X to the card" : "copying from the card");
    (p.pack ? c.copied : c.bytes_out) += (double)p.count * (double)p.size;
}

void copy_matrix(card &c, const ald_matrix *x, matrix *m)
{
    const size_t size = m->single ? sizeof(float) : sizeof(double);
    copy_pieces(c, {m->n, (size_t)m->d * size,
                    [=](int64_t first, int64_t count, char *to) { pack(x, first, count, size, to); }, m->values});
}

void make_room(card &c, size_t bytes)
{
    size_t free_bytes = 0, all = 0;
    check(cudaMemGetInfo(&free_bytes, &all), "the memory of the card");
    if (bytes + 2 * product_bytes > free_bytes) {
        c.release_buffers();
        close_idle(c);
        check(cudaMemGetInfo(&free_bytes, &all), "the memory of the card");
    }
    if (bytes + 2 * product_bytes <= free_bytes) return;
    char why[120];
    snprintf(why, sizeof why, "X takes %.3g GB, and %.3g GB are free", (double)bytes / 1e9, (double)free_bytes / 1e9);
    fail(ALD_CARD_FULL, "the memory of the card does not suffice", why);
}

static bool is_memory(const void *memory, cudaMemoryType type, int number);

void card::copy_large(void *to, const void *from, size_t bytes)
{
    pieces p = {(int64_t)bytes, 1, [=](int64_t i, int64_t n, char *out) { memcpy(out, (const char *)from + i, n); }, to};
    if (is_memory(from, cudaMemoryTypeHost, number)) {
        check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream), "copying to the card");
        bytes_in += (double)bytes;
        return;
    }
    p.piece = (size_t)2 << 20;
    check(cudaStreamSynchronize(stream), "copying to the card"); /* what is computed may read there still */
    copy_pieces(*this, p);
}

bool card::copy_large_out(void *to, const void *from, size_t bytes)
{
    pieces p = {(int64_t)bytes, 1, nullptr, to, (size_t)2 << 20, from};
    if (!is_memory(to, cudaMemoryTypeUnregistered, number)) return false;
    check(cudaStreamSynchronize(stream), "copying from the card"); /* it is computed by then */
    copy_pieces(*this, p);
    return true;
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
    std::lock_guard<std::mutex> guard(c.copying);
    c.copiers[0].open();
    check(c.copiers[0].code, "copying X to the card");
    check(cudaMemcpyAsync(m->values, x->values, bytes, cudaMemcpyHostToDevice, c.copiers[0].stream),
          "copying X to the card");
    check(cudaStreamSynchronize(c.copiers[0].stream), "copying X to the card");
    c.copied += (double)bytes;
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
    return make_matrix(self, x->rows, x->cols, x->type == ALD_F32, held, [&](card &c, matrix *m) {
        const size_t size = m->single ? sizeof(float) : sizeof(double);
        if (!is_memory(x->values, cudaMemoryTypeDevice, c.number))
            fail(ALD_CARD_FAILED, "X", "its address is not in the memory of this card");
        if ((uintptr_t)x->values % size != 0) fail(ALD_CARD_FAILED, "X", "its address is not that of an entry");
        if (m->d >= INT_MAX) fail(ALD_CARD_FAILED, "X", "its rows are too long for the card");
        check(cudaDeviceSynchronize(), "the card");
        m->borrowed = is_whole(x);
        m->values = (void *)x->values;
        if (m->borrowed) return;
        m->values = nullptr;
        check(cudaMalloc(&m->values, (size_t)(m->n * m->d) * size), "memory of the card for X");
        if (m->single)
            gather<<<4096, 256, 0, c.stream>>>((const float *)x->values, m->n, m->d, x->row_stride, x->col_stride,
                                               (float *)m->values);
        else
            gather<<<4096, 256, 0, c.stream>>>((const double *)x->values, m->n, m->d, x->row_stride, x->col_stride,
                                               (double *)m->values);
    });
}

template <typename T> static __global__ void take_rows(const T *x, int64_t d, const int64_t *rows, int64_t n, T *to)
{
    const int64_t step = (int64_t)gridDim.x * blockDim.x;
    for (int64_t e = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; e < n * d; e += step)
        to[e] = x[rows[e / d] * d + e % d];
}

ald_card_code select_rows(void *self, const ald_card_rows *x, const int64_t *rows, int64_t n, void **held)
{
    const matrix *from = (const matrix *)x->x;
    return make_matrix(self, n, x->d, from->single, held, [&](card &c, matrix *m) {
        const size_t size = m->single ? sizeof(float) : sizeof(double);
        int64_t *list = (int64_t *)c.in.at_least((size_t)n * sizeof *list);
        c.copy_in(list, rows, (size_t)n * sizeof *list);
        check(cudaMalloc(&m->values, (size_t)(n * m->d) * size), "memory of the card for rows");
        const unsigned blocks = blocks_for(n * m->d);
        if (m->single)
            take_rows<<<blocks, threads, 0, c.stream>>>((const float *)from->values + x->first * m->d, m->d, list, n,
                                                        (float *)m->values);
        else
            take_rows<<<blocks, threads, 0, c.stream>>>((const double *)from->values + x->first * m->d, m->d, list, n,
                                                        (double *)m->values);
    });
}

ald_card_code put(void *self, const void *from, int64_t bytes, void *to)
{
    return guarded(self, [&](card &c) {
        if (!is_memory(to, cudaMemoryTypeDevice, c.number))
            fail(ALD_CARD_FAILED, "the output", "its address is not in the memory of this card");
        c.copy_in(to, from, (size_t)bytes);
    });
}

static void get_dense(card &c, matrix *m)
{
    m->bytes = (size_t)(m->n * m->d) * (m->single ? sizeof(float) : sizeof(double));
    if ((size_t)m->d * sizeof(double) > piece_bytes) fail(ALD_CARD_FAILED, "X", "its rows are too long for the card");
    make_room(c, m->bytes);
    m->values = c.take(m->bytes);
}

/* Not under the lock: the card computes meanwhile. */
static ald_card_code copy_dense(card &c, const ald_matrix *x, matrix *m)
{
    const double began = now();
    ald_card_code code = ALD_CARD_OK;
    try {
        check(cudaSetDevice(c.number), "the card");
        if (is_whole(x) && is_memory(x->values, cudaMemoryTypeHost, c.number))
            copy_pinned(c, x, m, m->bytes);
        else
            copy_matrix(c, x, m);
    } catch (const failure &f) {
        code = f.code;
    } catch (const std::exception &e) {
        snprintf(trouble_text, sizeof trouble_text, "%s", e.what());
        code = ALD_CARD_FAILED;
    }
    std::lock_guard<std::mutex> guard(c.lock);
    c.seconds += now() - began;
    return code;
}

static void free_matrix(card &c, matrix *m)
{
    if (m->entries) free_sparse(m->entries);
    if (!m->borrowed && m->values) c.leave(m->values, m->bytes);
    delete m;
}

ald_card_code hold(void *self, const ald_matrix *x, void **held)
{
    ald_card_code code = make_matrix(self, x->rows, x->cols, x->type == ALD_F32, held, [&](card &c, matrix *m) {
        if (x->storage == ALD_DENSE)
            get_dense(c, m);
        else
            hold_sparse(c, x, m);
        c.held++;
        c.calls--;
    });
    if (code == ALD_CARD_OK && x->storage == ALD_DENSE) {
        code = copy_dense(*(card *)self, x, (matrix *)*held);
        if (code != ALD_CARD_OK) release(self, *held);
    }
    return code;
}

void release(void *self, void *held)
{
    card *c = (card *)self;
    std::lock_guard<std::mutex> guard(c->lock);
    cudaSetDevice(c->number);
    free_matrix(*c, (matrix *)held);
}

} // namespace ald
