/* The backend of plain loops, for machines without OpenBLAS and for WebAssembly, where nothing is faster.
 * Its operations are in the files plain_*.c; each entry of a result is summed in one order, so that the
 * bytes are the same on every machine. */
#include "base/numbers/ordering.h"
#include "math/backend/backend.h"
#include "math/backend/plain_factors.h"
#include "math/backend/plain_products.h"
#include "math/backend/plain_spectra.h"

static ald_status gemm(ald_run *run, int trans_a, int trans_b, int64_t m, int64_t n, int64_t k, double alpha,
                       const double *a, int64_t lda, const double *b, int64_t ldb, double beta, double *c,
                       int64_t ldc)
{
    return ald_plain_multiply(run, &(ald_plain_product){
                                       .trans_a = trans_a,
                                       .trans_b = trans_b,
                                       .m = m,
                                       .n = n,
                                       .k = k,
                                       .alpha = alpha,
                                       .beta = beta,
                                       .a = a,
                                       .b = b,
                                       .c = c,
                                       .lda = lda,
                                       .ldb = ldb,
                                       .ldc = ldc,
                                   });
}

static ald_status syrk(ald_run *run, int trans, int64_t n, int64_t k, double alpha, const double *a,
                       int64_t lda, double beta, double *c, int64_t ldc)
{
    return ald_plain_multiply(run, &(ald_plain_product){
                                       .trans_a = trans,
                                       .trans_b = !trans,
                                       .upper = 1,
                                       .m = n,
                                       .n = n,
                                       .k = k,
                                       .alpha = alpha,
                                       .beta = beta,
                                       .a = a,
                                       .b = a,
                                       .c = c,
                                       .lda = lda,
                                       .ldb = lda,
                                       .ldc = ldc,
                                   });
}

enum { lanes = 8 };

typedef float eight_floats __attribute__((vector_size(32), aligned(4), may_alias));

/* The products of one row with others. */
static void multiply_rows(int64_t k, const float *a, int64_t count, const float *b, float *c)
{
    for (int64_t j = 0; j < count; j++) {
        const float *row = b + j * k;
        eight_floats sums = {0.0F};
        float sum = 0.0F;
        int64_t l = 0;
        for (; l + lanes <= k; l += lanes)
            sums += *(const eight_floats *)(a + l) * *(const eight_floats *)(row + l);
        for (; l < k; l++) sum += a[l] * row[l];
        for (int i = 0; i < lanes; i++) sum += sums[i];
        c[j] = sum;
    }
}

/* Rows of B in blocks that stay in the cache while all rows of A pass by. */
static ald_status gemm_single(ald_run *run, int64_t m, int64_t n, int64_t k, const float *a, const float *b,
                              float *c)
{
    enum { bytes = 1 << 17 };
    const int64_t height = ald_least(n, 1 + bytes / (4 * (k + 1)));
    (void)run;
    for (int64_t j = 0; j < n; j += height)
        for (int64_t i = 0; i < m; i++)
            multiply_rows(k, a + i * k, ald_least(height, n - j), b + j * k, c + i * n + j);
    return ALD_OK;
}

const ald_backend ald_backend_plain = {
    .name = "plain",
    .gemm = gemm,
    .gemm_single = gemm_single,
    .syrk = syrk,
    .eigen = ald_plain_eigen,
    .svd = ald_plain_svd,
    .qr = ald_plain_qr,
    .triangle = ald_plain_triangle,
    .cholesky = ald_plain_cholesky,
    .solve_triangular = ald_plain_solve_triangular,
};
