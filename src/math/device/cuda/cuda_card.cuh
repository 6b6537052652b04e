/* What the files of this module share: the card with its streams and buffers, and how a call on it fails.
 *
 * One stream and one lock: whatever several threads ask for is done in turn, and the same call gives the same
 * bytes again. Failures are thrown and become a code, with the reason in `trouble_text`. */
#ifndef ALD_CUDA_CARD_H
#define ALD_CUDA_CARD_H

#include "math/device/card.h"

#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cusolverDn.h>

#include <chrono>
#include <cstdio>
#include <exception>
#include <mutex>

namespace ald {

constexpr size_t product_bytes = (size_t)128 << 20; /* a block of rows of large products */
constexpr size_t piece_bytes = (size_t)16 << 20;    /* X is copied by pieces of that size */

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

struct matrix {
    void *values = nullptr;
    bool single = false, borrowed = false;
    int64_t n = 0, d = 0;
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

/* Copies every `count`-th piece of rows through two buffers of pinned memory. */
struct copier {
    cudaStream_t stream = nullptr;
    cudaEvent_t done[2] = {nullptr, nullptr};
    char *pinned[2] = {nullptr, nullptr};
    cudaError_t code = cudaSuccess;

    void keep(cudaError_t now)
    {
        if (code == cudaSuccess) code = now;
    }
    /* Pinned memory is slow to get: it stays until the card is closed. */
    void open()
    {
        code = cudaSuccess;
        if (stream) return;
        keep(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        for (int t = 0; t < 2; t++) {
            keep(cudaEventCreateWithFlags(&done[t], cudaEventDisableTiming));
            keep(cudaMallocHost((void **)&pinned[t], piece_bytes));
        }
    }
    void run(int number, const ald_matrix *x, char *to, size_t size, int64_t rows, int which, int count);
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

constexpr int most_copiers = 8;

struct card {
    cublasHandle_t blas = nullptr;
    cusolverDnHandle_t solver = nullptr;
    cusolverDnParams_t params = nullptr;
    cudaStream_t stream = nullptr;
    std::mutex lock;
    buffer block, in, out, more, prepared_by, work;
    copier copiers[most_copiers];
    double bytes_in = 0.0, bytes_out = 0.0, seconds = 0.0;
    int64_t held = 0, calls = 0;
    int number = 0;

    void copy_in(void *to, const void *from, size_t bytes)
    {
        check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream), "copying to the card");
        bytes_in += (double)bytes;
    }
    void copy_out(void *to, const void *from, size_t bytes)
    {
        check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream), "copying from the card");
        bytes_out += (double)bytes;
    }
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
        cudaStreamSynchronize(c->stream);
        cudaGetLastError();
    } catch (const std::exception &e) {
        snprintf(trouble_text, sizeof trouble_text, "%s", e.what());
        code = ALD_CARD_FAILED;
    }
    c->seconds += now() - began;
    return code;
}

/* Entries of the table (math/device/card.h). */
ald_card_code hold(void *self, const ald_matrix *x, void **held);
ald_card_code adopt(void *self, const ald_matrix *x, void **held);
void release(void *self, void *held);
ald_card_code put(void *self, const void *from, int64_t bytes, void *to);
ald_card_code fetch(void *self, const ald_card_rows *z, double *rows);
ald_card_code find_bad(void *self, const ald_card_rows *x, int64_t *place);
ald_card_code apply(void *self, const ald_card_rows *z, const double *v, int64_t k, double *u);
ald_card_code apply_transposed(void *self, const ald_card_rows *z, const double *u, int64_t k, double *v);
ald_card_code advance(void *self, const ald_card_rows *z, const double *v, int64_t k, const double *alpha,
                      double *u, double *w);
ald_card_code scatter(void *self, const ald_card_rows *z, const double *h, int64_t k, double *s, double *b);
ald_card_code gram(void *self, const ald_card_rows *z, double *g);
ald_card_code square_norm(void *self, const ald_card_rows *z, double *sum);
ald_card_code column_sums(void *self, const ald_card_rows *z, const ald_card_sums *s);

ald_card_code kernel(void *self, const ald_card_rows *z, const ald_card_kernel *k, void **held, double *mean,
                     double *diagonal);

/* Threads of a block of ours, and blocks for so many entries, a stride apart. */
constexpr int threads = 256;
inline unsigned blocks_for(int64_t entries)
{
    return (unsigned)((entries + threads - 1) / threads < 65535 ? (entries + threads - 1) / threads : 65535);
}

/* All rows of Z, prepared, as one block of the card. */
const double *all_rows(card &c, const ald_card_rows *z);

} // namespace ald

#endif
