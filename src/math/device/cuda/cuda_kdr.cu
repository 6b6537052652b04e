/* The exact criterion of kernel dimension reduction and its pull (methods/kdr/kdr_objective.h has the formulas):
 *
 *   K_ij = exp(-|z_i - z_j|^2 / (2 s^2)),   A = HKH + penalty I = L L',   Y = L^-1 F,   f = |Y|^2
 *   P    = L'^-1 Y,   G = -P P',   pull_i = sum_j G_ij K_ij (z_i - z_j)
 *
 * Y comes with the factor: the Cholesky factor of A with F below it, and in the corner a c I with c above
 * |F|^2 / penalty >= |Y|^2, has Y' below L. A triangular system of its own takes as long as the factor.
 *
 * Only z, F, f and the pull are copied; the n x n matrices K and A stay here. (n + m)^3 / 3 flops for a value,
 * 3 n^2 m more for the pull. Several criteria can be worked on at once: each has its stream and its libraries' handles,
 * as decompositions of a few thousand rows leave most of the card idle. They are kept for later calls. */
#include "cuda_card.cuh"

#include <cmath>

namespace ald {

struct kdr_room {
    cudaStream_t stream = nullptr;
    cublasHandle_t blas = nullptr;
    cusolverDnHandle_t solver = nullptr;
    buffer kernel, square, z, means, f, y, work, info, pull;
    int64_t n = 0, r = 0, m = 0;
    double length = 0.0; /* |F|^2 */
    bool is_open = false;

    /* A part of it that there was no room for is asked for again. */
    void open()
    {
        if (is_open) return;
        if (!stream) check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "the card");
        if (!blas) check(cublasCreate(&blas), "cuBLAS");
        check(cublasSetStream(blas, stream), "cuBLAS");
        if (!solver) check(cusolverDnCreate(&solver), "cuSOLVER");
        check(cusolverDnSetStream(solver, stream), "cuSOLVER");
        is_open = true;
    }
    ~kdr_room()
    {
        for (buffer *b : {&kernel, &square, &z, &means, &f, &y, &work, &info, &pull}) b->release();
        if (solver) cusolverDnDestroy(solver);
        if (blas) cublasDestroy(blas);
        if (stream) cudaStreamDestroy(stream);
    }
};

/* A call on one criterion: others go on beside it; what it copied, in and out, is counted under the lock. */
template <typename Work> static ald_card_code beside(void *self, kdr_room *room, double in, double out, Work work)
{
    card *c = (card *)self;
    const double began = now();
    ald_card_code code = ALD_CARD_OK;
    try {
        check(cudaSetDevice(c->number), "the card");
        room->open();
        work();
        check(cudaGetLastError(), "a computation");
        check(cudaStreamSynchronize(room->stream), "a computation");
    } catch (const failure &f) {
        code = f.code;
        if (room->stream) cudaStreamSynchronize(room->stream);
        cudaGetLastError();
    }
    std::lock_guard<std::mutex> guard(c->lock);
    c->bytes_in += 8.0 * in;
    c->bytes_out += 8.0 * out;
    c->calls++;
    c->seconds += now() - began;
    return code;
}

ald_card_code kdr_open(void *self, int64_t n, int64_t r, void **made)
{
    card *c = (card *)self;
    kdr_room *room = nullptr;
    {
        std::lock_guard<std::mutex> guard(c->lock);
        if (!c->idle.empty()) {
            room = c->idle.back();
            c->idle.pop_back();
        }
    }
    if (!room) room = new kdr_room;
    room->n = n;
    room->r = r;
    *made = room;
    const auto get = [&] {
        room->kernel.at_least((size_t)(n * n) * sizeof(double));
        room->z.at_least((size_t)(n * r) * sizeof(double));
        room->pull.at_least((size_t)(n * r) * sizeof(double));
        room->means.at_least((size_t)(n + 1) * sizeof(double));
        room->info.at_least(sizeof(int));
    };
    ald_card_code code = beside(self, room, 0.0, 0.0, get);
    if (code == ALD_CARD_FULL) {
        {
            std::lock_guard<std::mutex> guard(c->lock);
            close_idle(*c);
        }
        code = beside(self, room, 0.0, 0.0, get);
    }
    if (code != ALD_CARD_OK) delete room;
    return code;
}

void kdr_close(void *self, void *made)
{
    card *c = (card *)self;
    std::lock_guard<std::mutex> guard(c->lock);
    c->idle.push_back((kdr_room *)made);
}

void close_idle(card &c)
{
    for (kdr_room *each : c.idle) delete each;
    c.idle.clear();
}

ald_card_code kdr_target(void *self, void *made, int64_t m, const double *f)
{
    kdr_room *room = (kdr_room *)made;
    return beside(self, room, (double)(room->n * m), 0.0, [&] {
        const size_t bytes = (size_t)(room->n * m) * sizeof(double);
        const int order = (int)(room->n + m);
        int size = 0;
        room->m = m;
        room->length = 0.0;
        for (int64_t e = 0; e < room->n * m; e++) room->length += f[e] * f[e];
        double *a = (double *)room->square.at_least((size_t)order * (size_t)order * sizeof(double));
        check(cusolverDnDpotrf_bufferSize(room->solver, CUBLAS_FILL_MODE_LOWER, order, a, order, &size),
              "a Cholesky factor");
        room->work.at_least((size_t)size * sizeof(double));
        room->y.at_least(bytes);
        check(cudaMemcpyAsync(room->f.at_least(bytes), f, bytes, cudaMemcpyHostToDevice, room->stream),
              "copying to the card");
    });
}

/* The sum of what the threads of a block have, in a fixed order, for all of them. */
static __device__ double block_sum(double part)
{
    __shared__ double parts[threads];
    __syncthreads();
    parts[threadIdx.x] = part;
    for (int half = threads / 2; half > 0; half /= 2) {
        __syncthreads();
        if ((int)threadIdx.x < half) parts[threadIdx.x] += parts[threadIdx.x + half];
    }
    __syncthreads();
    return parts[0];
}

/* A block of threads for each row of K, and its mean. */
static __global__ void fill_kernel_rows(const double *z, int64_t n, int64_t r, double by, double *k, double *means)
{
    const int64_t i = blockIdx.x;
    double sum = 0.0;
    for (int64_t j = threadIdx.x; j < n; j += threads) {
        double square = 0.0;
        for (int64_t c = 0; c < r; c++) square += (z[i * r + c] - z[j * r + c]) * (z[i * r + c] - z[j * r + c]);
        const double value = exp(by * square);
        k[i * n + j] = value;
        sum += value;
    }
    sum = block_sum(sum);
    if (threadIdx.x == 0) means[i] = sum / (double)n;
}

static __global__ void mean_of_means(double *means, int64_t n)
{
    double sum = 0.0;
    for (int64_t j = threadIdx.x; j < n; j += threads) sum += means[j];
    sum = block_sum(sum);
    if (threadIdx.x == 0) means[n] = sum / (double)n;
}

/* The lower triangle, by columns, of A with F below it and the corner. */
static __global__ void fill_square(const double *k, int64_t n, const double *means, double penalty, const double *f,
                                   int64_t m, double corner, double *a)
{
    const int64_t order = n + m, step = (int64_t)gridDim.x * blockDim.x;
    for (int64_t e = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; e < order * order; e += step) {
        const int64_t j = e / order, i = e - j * order;
        if (i < n && j < n)
            a[e] = k[j * n + i] + ((means[n] - means[j]) - means[i]) + (i == j ? penalty : 0.0);
        else
            a[e] = j < n ? f[j * m + i - n] : (i == j ? corner : 0.0);
    }
}

static __global__ void take_solution(const double *a, int64_t n, int64_t m, double *y)
{
    const int64_t step = (int64_t)gridDim.x * blockDim.x;
    for (int64_t e = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; e < n * m; e += step)
        y[e] = a[e / m * (n + m) + n + e % m];
}

ald_card_code kdr_value(void *self, void *made, const double *z, double width, double penalty, double *value,
                        int *definite)
{
    kdr_room *room = (kdr_room *)made;
    const int64_t n = room->n, r = room->r, m = room->m, order = n + m;
    return beside(self, room, (double)(n * r), 1.0, [&] {
        double *points = (double *)room->z.memory, *k = (double *)room->kernel.memory, *y = (double *)room->y.memory,
               *a = (double *)room->square.memory, *means = (double *)room->means.memory, length = 0.0;
        const double corner = 1.0 + 2.0 * room->length / penalty;
        int info = 0;
        check(cudaMemcpyAsync(points, z, (size_t)(n * r) * sizeof(double), cudaMemcpyHostToDevice, room->stream),
              "copying to the card");
        fill_kernel_rows<<<(unsigned)n, threads, 0, room->stream>>>(points, n, r, -0.5 / (width * width), k, means);
        mean_of_means<<<1, threads, 0, room->stream>>>(means, n);
        fill_square<<<blocks_for(order * order), threads, 0, room->stream>>>(
            k, n, means, penalty, (const double *)room->f.memory, m, corner, a);
        check(cusolverDnDpotrf(room->solver, CUBLAS_FILL_MODE_LOWER, (int)order, a, (int)order,
                               (double *)room->work.memory, (int)(room->work.size / sizeof(double)),
                               (int *)room->info.memory),
              "a Cholesky factor");
        check(cudaMemcpyAsync(&info, room->info.memory, sizeof info, cudaMemcpyDeviceToHost, room->stream),
              "copying from the card");
        take_solution<<<blocks_for(n * m), threads, 0, room->stream>>>(a, n, m, y);
        check(cublasDnrm2(room->blas, (int)(n * m), y, 1, &length), "a sum of squares");
        check(cudaStreamSynchronize(room->stream), "a computation");
        *value = length * length;
        *definite = info == 0 || info > (int)n;
    });
}

/* A block of threads for each row; g is P P'. */
static __global__ void pull_row(const double *g, const double *k, const double *z, int64_t n, int64_t r, double *pull)
{
    const int64_t i = blockIdx.x;
    for (int64_t c = 0; c < r; c++) {
        double sum = 0.0;
        for (int64_t j = threadIdx.x; j < n; j += threads)
            sum -= g[i * n + j] * k[i * n + j] * (z[i * r + c] - z[j * r + c]);
        sum = block_sum(sum);
        if (threadIdx.x == 0) pull[i * r + c] = sum;
    }
}

ald_card_code kdr_pull(void *self, void *made, double *pull)
{
    kdr_room *room = (kdr_room *)made;
    const int64_t n = room->n, r = room->r, m = room->m;
    return beside(self, room, 0.0, (double)(n * r), [&] {
        static const double one = 1.0, zero = 0.0;
        double *y = (double *)room->y.memory, *a = (double *)room->square.memory, *out = (double *)room->pull.memory;
        check(cublasDtrsm(room->blas, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT,
                          (int)m, (int)n, &one, a, (int)(n + m), y, (int)m),
              "a triangular system");
        check(cublasDgemm(room->blas, CUBLAS_OP_T, CUBLAS_OP_N, (int)n, (int)n, (int)m, &one, y, (int)m, y, (int)m, &zero,
                          a, (int)n),
              "a product");
        pull_row<<<(unsigned)n, threads, 0, room->stream>>>(a, (const double *)room->kernel.memory,
                                                            (const double *)room->z.memory, n, r, out);
        check(cudaMemcpyAsync(pull, out, (size_t)(n * r) * sizeof(double), cudaMemcpyDeviceToHost, room->stream),
              "copying from the card");
    });
}

} // namespace ald
