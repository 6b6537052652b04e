/* A card of NVIDIA's behind the table of math/device/card.h, by cuBLAS, cuSOLVER and cuSPARSE. This folder is a module of its
 * own, the only place that names CUDA. */
#include "cuda_card.cuh"

#include <vector>

namespace ald {

static ald_card_code eigen(void *self, int64_t n, double *a, int64_t wanted, double *values, double *rows)
{
    return guarded(self, [&](card &c) {
        const cusolverEigMode_t mode = rows ? CUSOLVER_EIG_MODE_VECTOR : CUSOLVER_EIG_MODE_NOVECTOR;
        const cusolverEigRange_t range = wanted < n ? CUSOLVER_EIG_RANGE_I : CUSOLVER_EIG_RANGE_ALL;
        double *matrix_in = c.given(c.in, a, n * n), *found = c.room(c.out, n), low = 0.0, high = 0.0;
        int *info = (int *)c.more.at_least(sizeof(int)), outcome = 0;
        int64_t count = 0;
        size_t on_card = 0, on_host = 0;
        const int64_t first = n - wanted + 1;
        check(cusolverDnXsyevdx_bufferSize(c.solver, c.params, mode, range, CUBLAS_FILL_MODE_LOWER, n, CUDA_R_64F,
                                           matrix_in, n, &low, &high, first, n, &count, CUDA_R_64F, found, CUDA_R_64F,
                                           &on_card, &on_host),
              "eigenvectors");
        std::vector<char> host(on_host + 1);
        check(cusolverDnXsyevdx(c.solver, c.params, mode, range, CUBLAS_FILL_MODE_LOWER, n, CUDA_R_64F, matrix_in, n,
                                &low, &high, first, n, &count, CUDA_R_64F, found, CUDA_R_64F, c.work.at_least(on_card),
                                on_card, host.data(), on_host, info),
              "eigenvectors");
        c.copy_out(&outcome, info, sizeof outcome);
        std::vector<double> ascending((size_t)wanted);
        c.copy_out(ascending.data(), found, (size_t)wanted * sizeof(double));
        c.finish();
        if (outcome != 0) fail(ALD_CARD_FAILED, "eigenvectors", "they were not found");
        for (int64_t k = 0; k < wanted; k++) {
            values[k] = ascending[(size_t)(wanted - 1 - k)];
            if (rows) c.copy_out(rows + k * n, matrix_in + (wanted - 1 - k) * n, (size_t)n * sizeof(double));
        }
    });
}

static void close_card(void *self)
{
    card *c = (card *)self;
    cudaSetDevice(c->number);
    for (copier &each : c->copiers) each.close();
    close_idle(*c);
    c->release_buffers();
    if (c->sparse_handle) cusparseDestroy(c->sparse_handle);
    c->beside.close();
    if (c->params) cusolverDnDestroyParams(c->params);
    if (c->solver) cusolverDnDestroy(c->solver);
    if (c->blas) cublasDestroy(c->blas);
    if (c->stream) cudaStreamDestroy(c->stream);
    delete c;
}

static void *open_card(int number, ald_device_facts *facts, char *trouble, size_t size)
{
    card *c = new card;
    c->number = number;
    try {
        int count = 0;
        cudaDeviceProp properties;
        check(cudaGetDeviceCount(&count), "no NVIDIA card, or no driver for one, was found");
        if (number >= count) fail(ALD_CARD_FAILED, "no card of that number", "they are counted from 0");
        check(cudaSetDevice(number), "the card");
        check(cudaGetDeviceProperties(&properties, number), "the card");
        check(cudaStreamCreateWithFlags(&c->stream, cudaStreamNonBlocking), "the card");
        check(cublasCreate(&c->blas), "cuBLAS");
        check(cublasSetStream(c->blas, c->stream), "cuBLAS");
        check(cusolverDnCreate(&c->solver), "cuSOLVER");
        check(cusolverDnSetStream(c->solver, c->stream), "cuSOLVER");
        check(cusolverDnCreateParams(&c->params), "cuSOLVER");
        snprintf(facts->name, sizeof facts->name, "%.79s", properties.name);
        facts->memory = (double)properties.totalGlobalMem;
        return c;
    } catch (const failure &) {
        snprintf(trouble, size, "%s", trouble_text);
        close_card(c);
        return nullptr;
    }
}

static void count(void *self, ald_device_facts *facts)
{
    card *c = (card *)self;
    std::lock_guard<std::mutex> guard(c->lock);
    std::lock_guard<std::mutex> copies(c->copying);
    facts->bytes_in += c->bytes_in + c->copied;
    facts->bytes_out += c->bytes_out;
    facts->seconds += c->seconds;
    facts->held += c->held;
    facts->calls += c->calls;
}

static int cards()
{
    int count = 0;
    return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
}

static const char *trouble(void *)
{
    return trouble_text;
}

/* In the order of the declaration, a line each. */
static const ald_card_table table = {
    ALD_CARD_FORMAT,
    open_card,
    close_card,
    count,
    trouble,
    hold,
    adopt,
    release,
    apply,
    apply_transposed,
    advance,
    scatter,
    gram,
    square_norm,
    column_sums,
    put,
    fetch,
    find_bad,
    kernel,
    eigen,
    nearest,
    scatter_codes,
    entry_sums,
    panel,
    panel_advance,
    panel_combine,
    panel_squares,
    panel_take,
    kdr_open,
    kdr_close,
    kdr_target,
    kdr_value,
    kdr_pull,
    stress_open,
    stress_close,
    stress_place,
    stress_gradient,
    stress_line,
    stress_move,
    pair_scatter,
    cards,
    select_rows,
    apply_squared,
};

} // namespace ald

extern "C" __attribute__((visibility("default"))) const ald_card_table *ald_cuda_table(void)
{
    return &ald::table;
}
