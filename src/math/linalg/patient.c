#include "math/linalg/patient.h"

#include "base/threads/aside.h"
#include "math/backend/blas_room.h"

/* Products run at many times the speed of decompositions: 5e9 operations, the default, take 0.1 s with two
 * threads. A lower bound would cut X'X of 20000 x 500, and every panel of it reads all of X again. */
static const double product_speed = 10.0;
/* The height of a panel is a multiple of this, so that the kernels of the backend see whole tiles. */
enum { tile = 192 };

/* Where the address space is limited another thread may find no room for its buffers. */
enum { threads_with_room = 4 };

static ald_status decompose(ald_run *run, double operations, const ald_aside_task *task)
{
    const double patience = run->context->patience;
    const int is_long = patience > 0.0 && operations > patience;
    ALD_TRY(ald_ask_after(run, operations)); /* many short ones are as long as one */
    if (!is_long || ald_blas_threads(threads_with_room) < threads_with_room) return ald_here(run, task);
    return ald_aside(run, task);
}

static ald_status eigen(ald_run *run, const int64_t *sizes, double *const *arrays)
{
    return ald_backend_of(run)->eigen(run, sizes[0], arrays[0], sizes[1], arrays[1], arrays[2]);
}

ald_status ald_patient_eigen(ald_run *run, int64_t n, double *a, int64_t wanted, double *values,
                             double *vectors)
{
    const ald_aside_task task = {
        .compute = eigen,
        .sizes = {n, wanted},
        .arrays = {{a, n * n, 1, 0}, {values, wanted, 0, 1}, {vectors, wanted * n, 0, 1}},
    };
    return decompose(run, (4.0 / 3.0 * (double)n + 4.0 * (double)wanted) * (double)n * (double)n, &task);
}

static ald_status svd(ald_run *run, const int64_t *sizes, double *const *arrays)
{
    return ald_backend_of(run)->svd(run, sizes[0], sizes[1], arrays[0], arrays[1], arrays[2], arrays[3]);
}

ald_status ald_patient_svd(ald_run *run, int64_t m, int64_t n, double *a, double *u, double *s, double *vt)
{
    const int64_t p = m < n ? m : n;
    const ald_aside_task task = {
        .compute = svd,
        .sizes = {m, n},
        .arrays = {{a, m * n, 1, 0}, {u, m * p, 0, 1}, {s, p, 0, 1}, {vt, p * n, 0, 1}},
    };
    return decompose(run, (8.0 * (double)m * (double)n + 8.0 * (double)p * (double)p) * (double)p, &task);
}

static ald_status qr(ald_run *run, const int64_t *sizes, double *const *arrays)
{
    return ald_backend_of(run)->qr(run, sizes[0], sizes[1], arrays[0], arrays[1]);
}

ald_status ald_patient_qr(ald_run *run, int64_t m, int64_t k, double *a, double *r)
{
    const ald_aside_task task = {
        .compute = qr,
        .sizes = {m, k},
        .arrays = {{a, m * k, 1, 1}, {r, k * k, 0, 1}},
    };
    return decompose(run, 4.0 * (double)m * (double)k * (double)k, &task);
}

static ald_status triangle(ald_run *run, const int64_t *sizes, double *const *arrays)
{
    return ald_backend_of(run)->triangle(run, sizes[0], sizes[1], arrays[0], arrays[1]);
}

ald_status ald_patient_triangle(ald_run *run, int64_t m, int64_t k, double *a, double *r)
{
    const ald_aside_task task = {
        .compute = triangle,
        .sizes = {m, k},
        .arrays = {{a, m * k, 1, 0}, {r, k * k, 0, 1}},
    };
    return decompose(run, 2.0 * (double)m * (double)k * (double)k, &task);
}

static ald_status cholesky(ald_run *run, const int64_t *sizes, double *const *arrays)
{
    return ald_backend_of(run)->cholesky(run, sizes[0], arrays[0]);
}

ald_status ald_patient_cholesky(ald_run *run, int64_t n, double *a)
{
    const ald_aside_task task = {.compute = cholesky, .sizes = {n}, .arrays = {{a, n * n, 1, 1}}};
    return decompose(run, (double)n * (double)n * (double)n / 3.0, &task);
}

/* Of `length` rows or columns of a result that takes so many operations, how many make a panel. */
static int64_t panel(const ald_run *run, int64_t length, double operations)
{
    const double patience = run->context->patience * product_speed;
    if (!(patience > 0.0) || operations <= patience) return length;
    const int64_t tiles = (int64_t)((double)length * (patience / operations) / tile);
    const int64_t count = (tiles > 0 ? tiles : 1) * tile;
    return count < length ? count : length;
}

static int64_t part(int64_t step, int64_t length, int64_t at)
{
    return step < length - at ? step : length - at;
}

static ald_status before_product(ald_run *run, double operations)
{
    return ald_ask_after(run, operations / product_speed);
}

/* Cut along the longer side of the result. */
ald_status ald_patient_gemm(ald_run *run, int trans_a, int trans_b, int64_t m, int64_t n, int64_t k,
                            double alpha, const double *a, int64_t lda, const double *b, int64_t ldb,
                            double beta, double *c, int64_t ldc)
{
    const ald_backend *backend = ald_backend_of(run);
    const int by_rows = m >= n;
    const int64_t length = by_rows ? m : n;
    const double operations = 2.0 * (double)m * (double)n * (double)k;
    const int64_t step = panel(run, length, operations);
    const int64_t a_step = trans_a ? 1 : lda, b_step = trans_b ? ldb : 1;
    ALD_TRY(before_product(run, operations));
    for (int64_t at = 0; at < length; at += step) {
        const int64_t count = part(step, length, at);
        if (at > 0) ALD_TRY(ald_ask_again(run));
        if (by_rows)
            ALD_TRY(backend->gemm(run, trans_a, trans_b, count, n, k, alpha, a + at * a_step, lda, b, ldb,
                                  beta, c + at * ldc, ldc));
        else
            ALD_TRY(backend->gemm(run, trans_a, trans_b, m, count, k, alpha, a, lda, b + at * b_step, ldb,
                                  beta, c + at, ldc));
    }
    return ALD_OK;
}

/* A panel of rows of the upper triangle: a small triangle, and to the right of it a product. */
ald_status ald_patient_syrk(ald_run *run, int trans, int64_t n, int64_t k, double alpha, const double *a,
                            int64_t lda, double beta, double *c, int64_t ldc)
{
    const ald_backend *backend = ald_backend_of(run);
    const double operations = (double)n * (double)n * (double)k;
    const int64_t step = panel(run, n, operations);
    const int64_t a_step = trans ? 1 : lda;
    ALD_TRY(before_product(run, operations));
    for (int64_t at = 0; at < n; at += step) {
        const int64_t count = part(step, n, at), rest = n - at - count;
        if (at > 0) ALD_TRY(ald_ask_again(run));
        ALD_TRY(
            backend->syrk(run, trans, count, k, alpha, a + at * a_step, lda, beta, c + at * (ldc + 1), ldc));
        if (rest == 0) break;
        ALD_TRY(backend->gemm(run, trans, !trans, count, rest, k, alpha, a + at * a_step, lda,
                              a + (at + count) * a_step, lda, beta, c + at * (ldc + 1) + count, ldc));
    }
    return ALD_OK;
}

ald_status ald_patient_solve_triangular(ald_run *run, int trans, int64_t n, int64_t m, const double *r,
                                        double *b)
{
    const ald_backend *backend = ald_backend_of(run);
    const double operations = (double)n * (double)n * (double)m;
    const int64_t step = panel(run, m, operations);
    ALD_TRY(before_product(run, operations));
    for (int64_t at = 0; at < m; at += step) {
        if (at > 0) ALD_TRY(ald_ask_again(run));
        ALD_TRY(backend->solve_triangular(run, trans, n, part(step, m, at), r, b + at, m));
    }
    return ALD_OK;
}
