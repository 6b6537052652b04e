/* What the files of this module share: the card with its streams and buffers, and how a call on it fails.
 *
 * One stream and one lock: whatever several threads ask for is done in turn, but for copies of X (cuda_rows.cu) and
 * the criteria of kdr, which have streams of their own; the same call gives the same bytes again. Failures are thrown
 * and become a code, with the reason in `trouble_text`. */
#ifndef ALD_CUDA_CARD_H
#define ALD_CUDA_CARD_H

#include "math/device/card.h"

#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cusolverDn.h>
#include <cusparse.h>

#include <chrono>
#include <cstdio>
#include <exception>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

namespace ald {

constexpr size_t product_bytes = (size_t)128 << 20; /* a block of rows of large products */
constexpr size_t piece_bytes = (size_t)16 << 20;    /* X is copied by pieces of that size */
constexpr size_t large_copy = (size_t)4 << 20;      /* from this size on other arrays are copied as X is */

inline thread_local char trouble_text[200];

struct failure {
    ald_card_code code;
};

[[noreturn]] inline void fail(ald_card_code code, const char *what, const char *why)
{
    snprintf(trouble_text, sizeof trouble_text, "%s: %s", what, why);
    throw failure{code};
}

inline void check(cudaError_t code, const char *what)
{
    if (code == cudaSuccess) return;
    cudaGetLastError();
    fail(code == cudaErrorMemoryAllocation ? ALD_CARD_FULL : ALD_CARD_FAILED, what, cudaGetErrorString(code));
}

inline void check(cublasStatus_t code, const char *what)
{
    if (code != CUBLAS_STATUS_SUCCESS)
        fail(code == CUBLAS_STATUS_ALLOC_FAILED ? ALD_CARD_FULL : ALD_CARD_FAILED, what,
             cublasGetStatusString(code));
}

inline void check(cusolverStatus_t code, const char *what)
{
    if (code == CUSOLVER_STATUS_SUCCESS) return;
    char number[20];
    snprintf(number, sizeof number, "error %d", (int)code);
    fail(code == CUSOLVER_STATUS_ALLOC_FAILED ? ALD_CARD_FULL : ALD_CARD_FAILED, what, number);
}

inline void check(cusparseStatus_t code, const char *what)
{
    if (code != CUSPARSE_STATUS_SUCCESS)
        fail(code == CUSPARSE_STATUS_ALLOC_FAILED || code == CUSPARSE_STATUS_INSUFFICIENT_RESOURCES ? ALD_CARD_FULL
                                                                                                    : ALD_CARD_FAILED,
             what, cusparseGetErrorString(code));
}

struct sparse; /* cuda_sparse.cuh */

struct matrix {
    void *values = nullptr;
    bool single = false, borrowed = false;
    int64_t n = 0, d = 0;
    sparse *entries = nullptr; /* instead of the values */
    size_t bytes = 0;          /* of values that were got by card::take */
};

/* Memory of the card that grows as it is asked for and stays until the card is closed. */
struct buffer {
    void *memory = nullptr;
    size_t size = 0;
    void *at_least(size_t bytes)
    {
        if (bytes <= size) return memory;
        release();
        check(cudaMalloc(&memory, bytes), "memory of the card");
        size = bytes;
        return memory;
    }
    void release()
    {
        if (memory) cudaFree(memory);
        memory = nullptr;
        size = 0;
    }
};

/* What is copied to the card: `count` things of `size` bytes, which `pack` writes out from the given one on; or from
 * the card, `from` there to `to`, without `pack`. */
struct pieces {
    int64_t count;
    size_t size;
    std::function<void(int64_t first, int64_t count, char *to)> pack;
    void *to;
    size_t piece = piece_bytes; /* bytes at once */
    const void *from = nullptr;
};

/* Copies every `count`-th piece through two buffers of pinned memory. */
struct copier {
    cudaStream_t stream = nullptr;
    cudaEvent_t done[2] = {nullptr, nullptr};
    char *pinned[2] = {nullptr, nullptr};
    size_t size = 0; /* of each buffer */
    cudaError_t code = cudaSuccess;

    void keep(cudaError_t now)
    {
        if (code == cudaSuccess) code = now;
    }
    /* Pinned memory is slow to get: it stays until the card is closed. */
    void open(size_t bytes = piece_bytes)
    {
        code = cudaSuccess;
        if (size < bytes) close();
        if (stream) return;
        size = bytes;
        keep(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        for (int t = 0; t < 2; t++) {
            keep(cudaEventCreateWithFlags(&done[t], cudaEventDisableTiming));
            keep(cudaMallocHost((void **)&pinned[t], bytes));
        }
        if (code != cudaSuccess) close(); /* half of it would pass for open */
    }
    void run(int number, const struct pieces &p, int which, int count);
    void run_out(int number, const struct pieces &p, int which, int count);
    void close()
    {
        for (int t = 0; t < 2; t++) {
            if (done[t]) cudaEventDestroy(done[t]);
            if (pinned[t]) cudaFreeHost(pinned[t]);
            done[t] = nullptr;
            pinned[t] = nullptr;
        }
        if (stream) cudaStreamDestroy(stream);
        stream = nullptr;
    }
};

/* A second stream that makes blocks, in two places by turns, while the first one uses those before. */
struct side_stream {
    cudaStream_t stream = nullptr;
    cudaEvent_t made[2] = {nullptr, nullptr}, unused[2] = {nullptr, nullptr};

    /* What the first stream has been asked for so far comes before. */
    void begin(cudaStream_t first)
    {
        if (!stream) check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "the card");
        for (cudaEvent_t *e : {&made[0], &made[1], &unused[0], &unused[1]})
            if (!*e) check(cudaEventCreateWithFlags(e, cudaEventDisableTiming), "the card");
        for (int turn = 0; turn < 2; turn++) is_free(turn, first);
    }
    cudaStream_t enter(int turn)
    {
        check(cudaStreamWaitEvent(stream, unused[turn]), "the card");
        return stream;
    }
    void leave(int turn, cudaStream_t first)
    {
        check(cudaEventRecord(made[turn], stream), "the card");
        check(cudaStreamWaitEvent(first, made[turn]), "the card");
    }
    void is_free(int turn, cudaStream_t first)
    {
        check(cudaEventRecord(unused[turn], first), "the card");
    }
    void close()
    {
        for (cudaEvent_t e : {made[0], made[1], unused[0], unused[1]})
            if (e) cudaEventDestroy(e);
        if (stream) cudaStreamDestroy(stream);
    }
};

constexpr int most_copiers = 8;
constexpr size_t most_spares = 4, spare_bytes = (size_t)512 << 20;

struct card {
    cublasHandle_t blas = nullptr;
    cusolverDnHandle_t solver = nullptr;
    cusolverDnParams_t params = nullptr;
    cudaStream_t stream = nullptr;
    std::mutex lock;
    buffer block, in, out, more, prepared_by, work, scaled, sums;
    cusparseHandle_t sparse_handle = nullptr;
    std::mutex copying; /* of the copiers and `copied`; asked for after the lock */
    double copied = 0.0;
    std::vector<std::pair<void *, size_t>> spares;
    copier copiers[most_copiers];
    side_stream beside;
    double bytes_in = 0.0, bytes_out = 0.0, seconds = 0.0;
    int64_t held = 0, calls = 0;
    int number = 0;
    std::vector<struct kdr_room *> idle; /* cuda_kdr.cu */

    /* Memory for rows. Blocks of a stream come and go: what they leave serves the next ones. */
    void *take(size_t bytes)
    {
        for (auto each = spares.begin(); each != spares.end(); ++each)
            if (each->second == bytes) {
                void *memory = each->first;
                spares.erase(each);
                return memory;
            }
        void *memory = nullptr;
        check(cudaMalloc(&memory, bytes), "memory of the card for X");
        return memory;
    }
    void leave(void *memory, size_t bytes)
    {
        if (bytes == 0 || bytes > spare_bytes)
            cudaFree(memory);
        else
            spares.emplace_back(memory, bytes);
        while (spares.size() > most_spares) {
            cudaFree(spares.front().first);
            spares.erase(spares.begin());
        }
    }
    void release_buffers()
    {
        for (auto &each : spares) cudaFree(each.first);
        spares.clear();
        for (buffer *b : {&block, &in, &out, &more, &prepared_by, &work, &scaled, &sums}) b->release();
    }
    void copy_in(void *to, const void *from, size_t bytes)
    {
        if (bytes >= large_copy) return copy_large(to, from, bytes);
        check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream), "copying to the card");
        bytes_in += (double)bytes;
    }
    void copy_out(void *to, const void *from, size_t bytes)
    {
        if (bytes >= large_copy && copy_large_out(to, from, bytes)) return;
        check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream), "copying from the card");
        bytes_out += (double)bytes;
    }
    void copy_large(void *to, const void *from, size_t bytes); /* by several threads */
    bool copy_large_out(void *to, const void *from, size_t bytes); /* false: the card can write there by itself */
    double *given(buffer &b, const double *values, int64_t count)
    {
        double *to = (double *)b.at_least((size_t)count * sizeof(double));
        copy_in(to, values, (size_t)count * sizeof(double));
        return to;
    }
    double *room(buffer &b, int64_t count)
    {
        return (double *)b.at_least((size_t)count * sizeof(double));
    }
    void finish()
    {
        check(cudaGetLastError(), "a computation");
        check(cudaStreamSynchronize(stream), "a computation");
    }
};

inline double now()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/* Runs the work of one call under the lock. */
template <typename Work> ald_card_code guarded(void *self, Work work)
{
    card *c = (card *)self;
    std::lock_guard<std::mutex> guard(c->lock);
    const double began = now();
    ald_card_code code = ALD_CARD_OK;
    try {
        check(cudaSetDevice(c->number), "the card");
        work(*c);
        c->finish();
        c->calls++;
    } catch (const failure &f) {
        code = f.code;
    } catch (const std::exception &e) {
        snprintf(trouble_text, sizeof trouble_text, "%s", e.what());
        code = ALD_CARD_FAILED;
    }
    if (code != ALD_CARD_OK) { /* what was begun ends before the caller does what follows */
        cudaStreamSynchronize(c->stream);
        if (c->beside.stream) cudaStreamSynchronize(c->beside.stream);
        cudaGetLastError();
    }
    c->seconds += now() - began;
    return code;
}

void release(void *self, void *held);

/* A matrix of n x d for the caller, whose memory `work` gets; nothing is left where that fails. */
template <typename Work>
ald_card_code make_matrix(void *self, int64_t n, int64_t d, bool single, void **held, Work work)
{
    matrix *m = nullptr;
    const ald_card_code code = guarded(self, [&](card &c) {
        m = new matrix;
        m->single = single;
        m->n = n;
        m->d = d;
        work(c, m);
    });
    *held = code == ALD_CARD_OK ? m : nullptr;
    if (m && !*held) release(self, m);
    return code;
}

/* Entries of the table (math/device/card.h). */
ald_card_code hold(void *self, const ald_matrix *x, void **held);
ald_card_code adopt(void *self, const ald_matrix *x, void **held);
ald_card_code put(void *self, const void *from, int64_t bytes, void *to);
ald_card_code fetch(void *self, const ald_card_rows *z, double *rows);
ald_card_code find_bad(void *self, const ald_card_rows *x, int64_t *place);
ald_card_code apply(void *self, const ald_card_rows *z, const double *v, int64_t k, double *u);
ald_card_code apply_squared(void *self, const ald_card_rows *z, const double *v, int64_t k, const double *f, int64_t p,
                            double *u);
ald_card_code apply_transposed(void *self, const ald_card_rows *z, const double *u, int64_t k, double *v);
ald_card_code advance(void *self, const ald_card_rows *z, const double *v, int64_t k, const double *alpha,
                      double *u, double *w);
ald_card_code scatter(void *self, const ald_card_rows *z, const double *h, int64_t k, double *s, double *b);
ald_card_code scatter_codes(void *self, const ald_card_rows *z, const int32_t *code, const double *value, int64_t k,
                            double *s, double *b);
ald_card_code select_rows(void *self, const ald_card_rows *x, const int64_t *rows, int64_t n, void **held);
ald_card_code gram(void *self, const ald_card_rows *z, double *g);
ald_card_code square_norm(void *self, const ald_card_rows *z, double *sum);
ald_card_code column_sums(void *self, const ald_card_rows *z, const ald_card_sums *s);

ald_card_code kernel(void *self, const ald_card_rows *z, const ald_card_kernel *k, void **held, double *mean,
                     double *diagonal);

ald_card_code nearest(void *self, const ald_card_rows *z, const ald_card_nearest *asked);

ald_card_code kdr_open(void *self, int64_t n, int64_t r, void **made);
void kdr_close(void *self, void *made);
ald_card_code kdr_target(void *self, void *made, int64_t m, const double *f);
ald_card_code kdr_value(void *self, void *made, const double *z, double width, double penalty, double *value,
                        int *definite);
ald_card_code kdr_pull(void *self, void *made, double *pull);
void close_idle(card &c);
ald_card_code stress_open(void *self, const ald_card_rows *z, const ald_card_stress *what, void **made);
void stress_close(void *self, void *made);
ald_card_code stress_place(void *self, const ald_card_rows *z, void *made, const double *w, int64_t k);
ald_card_code stress_gradient(void *self, const ald_card_rows *z, void *made, int64_t r, double scale, double *values,
                              double *g);
ald_card_code stress_line(void *self, const ald_card_rows *z, void *made, int64_t r, double scale, const double *v,
                          double *coefficients);
ald_card_code stress_move(void *self, void *made, int64_t r, const double *steps);
ald_card_code pair_scatter(void *self, const ald_card_rows *z, const ald_card_stress *what, double scale, double *scatter);

/* Threads of a block of ours, and blocks for so many entries, a stride apart. */
constexpr int threads = 256;
inline unsigned blocks_for(int64_t entries)
{
    return (unsigned)((entries + threads - 1) / threads < 65535 ? (entries + threads - 1) / threads : 65535);
}

ald_card_code entry_sums(void *self, const ald_card_rows *z, const ald_card_entries *s);
ald_card_code panel(void *self, int64_t rows, int64_t k, const double *values, void **held);
ald_card_code panel_advance(void *self, const ald_card_rows *z, void *v, int64_t k, const double *alpha, void *u, void *w);
ald_card_code panel_combine(void *self, int64_t rows, int64_t k, void *a, const double *f, void *b, const double *g);
ald_card_code panel_squares(void *self, int64_t rows, int64_t k, void *a, double *squares);
ald_card_code panel_take(void *self, int64_t rows, int64_t k, void *from, int64_t count, const int64_t *which, void *to);

/* Copies through pinned memory, by several threads. */
void copy_pieces(card &c, const pieces &p);
void copy_matrix(card &c, const ald_matrix *x, matrix *m);
/* Fails where X of so many bytes has no room; what earlier calls needed is given up first. */
void make_room(card &c, size_t bytes);

/* The vectors of ald_card_rows on the card; NULL where there are none. */
struct vectors {
    const double *row_shift, *row_factor, *row_weight, *mean, *inverse_scale;
};
vectors put_vectors(card &c, const ald_card_rows *z);
/* advance for one column, X read once; false: the rows are too long for it. */
bool one_pass(card &c, const ald_card_rows *z, const double *v, const double *alpha, double *u, double *w);

/* An entry of Z, from that of X. */
__device__ inline double prepared(double v, int64_t i, int64_t j, const vectors &by)
{
    if (by.row_shift) v -= by.row_shift[i];
    if (by.row_factor) v *= by.row_factor[i];
    if (by.mean) v -= by.mean[j];
    if (by.inverse_scale) v *= by.inverse_scale[j];
    if (by.row_weight) v *= by.row_weight[i];
    return v;
}

/* On the card: product (n x k) = Z v - u diag(alpha), u and alpha NULL: Z v; sums (d x k) = Z' product. */
void advance_there(card &c, const ald_card_rows *z, const double *v, int64_t k, const double *alpha, const double *u,
                   double *product, double *sums);

vectors put_vectors_in(card &c, const ald_card_rows *z, buffer &to);

/* Row major, on the card: u (rows x k) = z v, and v (d x k) = z'u, or added to it but for the `first`, of a plain z
 * (rows x d); the same of all rows of Z, prepared by vectors that are there. */
void times(card &c, const double *z, int64_t d, int64_t rows, const double *v, int64_t k, double *u);
void add_transposed(card &c, const double *z, int64_t d, int64_t rows, const double *u, int64_t k, double *v, bool first);
void times_rows(card &c, const ald_card_rows *z, const vectors &by, const double *v, int64_t k, double *u);
void times_rows_transposed(card &c, const ald_card_rows *z, const vectors &by, const double *u, int64_t k, double *v);

/* Products with up to so many columns in one pass over X: u (n x k) = Z v, or v (d x k) = Z'u. */
constexpr int64_t most_few = 4;
void few(card &c, const ald_card_rows *z, const vectors &by, bool transposed, const double *in, int64_t k, double *out);

/* v (d x k) = Z'u of few columns, all on the card; false: they are too many. */
bool few_products(card &c, const ald_card_rows *z, const vectors &by, const double *u, int64_t k, double *v);
/* All rows of Z, prepared, as one block of the card. */
const double *all_rows(card &c, const ald_card_rows *z);

} // namespace ald

#endif
