/* The centred kernel of all rows, which stays on the card: 2 n^2 d flops for the inner products, then three passes
 * over n^2 numbers. Each mean is summed by one block of threads in a fixed order. */
#include "cuda_card.cuh"

#include <cmath>

namespace ald {

static __global__ void take_diagonal(const double *k, int64_t n, double *out)
{
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = k[i * n + i];
}

static __device__ double power(double base, int64_t degree)
{
    double product = 1.0;
    for (; degree > 0; degree >>= 1, base *= base)
        if (degree & 1) product *= base;
    return product;
}

/* Inner products become kernel values; `squares` are their diagonal. */
static __global__ void finish_kernel(double *k, int64_t n, const double *squares, ald_card_kernel of)
{
    const double inverse = 0.5 / (of.width * of.width);
    const int64_t step = (int64_t)gridDim.x * blockDim.x;
    for (int64_t e = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; e < n * n; e += step) {
        const int64_t i = e / n, j = e - i * n;
        const double product = k[e];
        if (of.kind == ALD_CARD_RBF)
            k[e] = i == j ? 1.0 : exp(-inverse * fmax(squares[i] + squares[j] - 2.0 * product, 0.0));
        if (of.kind == ALD_CARD_POLYNOMIAL) k[e] = power(product + of.coef0, of.degree);
        if (of.kind == ALD_CARD_COSINE) {
            const double lengths = sqrt(squares[i]) * sqrt(squares[j]);
            k[e] = lengths > 0.0 ? product / lengths : 0.0;
        }
    }
}

/* A block of threads for each row. */
static __global__ void mean_rows(const double *k, int64_t n, double *mean)
{
    __shared__ double part[threads];
    double sum = 0.0;
    for (int64_t j = threadIdx.x; j < n; j += threads) sum += k[(int64_t)blockIdx.x * n + j];
    part[threadIdx.x] = sum;
    for (int half = threads / 2; half > 0; half /= 2) {
        __syncthreads();
        if ((int)threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    }
    if (threadIdx.x == 0) mean[blockIdx.x] = part[0] / (double)n;
}

static __global__ void centre(double *k, int64_t n, const double *mean, double all)
{
    const int64_t step = (int64_t)gridDim.x * blockDim.x;
    for (int64_t e = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; e < n * n; e += step) {
        const int64_t i = e / n, j = e - i * n;
        k[e] -= mean[i] + mean[j] - all;
    }
}

ald_card_code kernel(void *self, const ald_card_rows *z, const ald_card_kernel *of, void **held, double *mean,
                     double *diagonal)
{
    const int64_t n = z->n;
    return make_matrix(self, n, n, false, held, [&](card &c, matrix *m) {
        static const double one = 1.0, zero = 0.0;
        check(cudaMalloc(&m->values, (size_t)(n * n) * sizeof(double)), "memory of the card for the kernel");
        double *k = (double *)m->values, *squares = c.room(c.more, 2 * n), *means = squares + n, all = 0.0;
        const double *rows = all_rows(c, z);
        const unsigned few = (unsigned)((n + threads - 1) / threads);
        check(cublasDgemm(c.blas, CUBLAS_OP_T, CUBLAS_OP_N, (int)n, (int)n, (int)z->d, &one, rows, (int)z->d, rows,
                          (int)z->d, &zero, k, (int)n),
              "the kernel");
        take_diagonal<<<few, threads, 0, c.stream>>>(k, n, squares);
        if (of->kind != ALD_CARD_LINEAR) finish_kernel<<<blocks_for(n * n), threads, 0, c.stream>>>(k, n, squares, *of);
        mean_rows<<<(unsigned)n, threads, 0, c.stream>>>(k, n, means);
        c.copy_out(mean, means, (size_t)n * sizeof(double));
        c.finish();
        for (int64_t i = 0; i < n; i++) all += mean[i] / (double)n;
        centre<<<blocks_for(n * n), threads, 0, c.stream>>>(k, n, means, all);
        take_diagonal<<<few, threads, 0, c.stream>>>(k, n, squares);
        c.copy_out(diagonal, squares, (size_t)n * sizeof(double));
    });
}

} // namespace ald
