/* The backend on OpenBLAS and its LAPACK. That is column major: a row-major matrix is its transpose there, so
 * the upper triangle is its lower one, QR is its LQ, and the left and right singular vectors change places.
 */
#include "base/threads/threads.h"
#include "math/backend/backend.h"
#include "math/backend/blas.h"
#include "math/backend/blas_room.h"
#include "math/backend/lapack.h"
#include "math/backend/shared_products.h"
#include "math/backend/tridiagonal.h"

#include <limits.h>
#include <string.h>

/* Before each operation. The one place where sizes become BLAS integers. */
static ald_status narrow(ald_run *run, int count, const int64_t *sizes, lapack_int *narrowed)
{
    if (!ald_blas_ready())
        return ald_fail(run->error, ALD_ERROR_MEMORY,
                        "the address space is too limited for the %d MB that the linear algebra library "
                        "needs: raise the limit (ulimit -v)",
                        ALD_BLAS_THREAD_MB);
    for (int i = 0; i < count; i++) {
        if (sizes[i] < 0 || sizes[i] > INT_MAX)
            return ald_fail(
                run->error, ALD_ERROR_MEMORY,
                "a matrix dimension of %lld is more than the linear algebra library supports (%d)",
                (long long)sizes[i], INT_MAX);
        narrowed[i] = (lapack_int)sizes[i];
    }
    return ALD_OK;
}

static ald_status lapack_failed(ald_run *run, const char *what, lapack_int info)
{
    return ald_fail(run->error, ALD_ERROR_NUMERICAL,
                    "%s failed (LAPACK info %d): are the data finite and of moderate size?", what, (int)info);
}

static CBLAS_TRANSPOSE flag(int trans)
{
    return trans ? CblasTrans : CblasNoTrans;
}

static ald_status gemm(ald_run *run, int trans_a, int trans_b, int64_t m, int64_t n, int64_t k, double alpha,
                       const double *a, int64_t lda, const double *b, int64_t ldb, double beta, double *c,
                       int64_t ldc)
{
    lapack_int s[6] = {0};
    ALD_TRY(narrow(run, 6, (const int64_t[]){m, n, k, lda, ldb, ldc}, s));
    if (n == 1 && !trans_b && ldb == 1 && ldc == 1)
        cblas_dgemv(CblasRowMajor, flag(trans_a), trans_a ? s[2] : s[0], trans_a ? s[0] : s[2], alpha, a,
                    s[3], b, 1, beta, c, 1);
    else
        ald_shared_gemm(&(ald_blas_product){
            .trans_a = flag(trans_a),
            .trans_b = flag(trans_b),
            .m = s[0],
            .n = s[1],
            .k = s[2],
            .alpha = alpha,
            .beta = beta,
            .a = a,
            .b = b,
            .c = c,
            .lda = s[3],
            .ldb = s[4],
            .ldc = s[5],
        });
    return ALD_OK;
}

static ald_status gemm_single(ald_run *run, int64_t m, int64_t n, int64_t k, const float *a, const float *b,
                              float *c)
{
    lapack_int s[3] = {0};
    ALD_TRY(narrow(run, 3, (const int64_t[]){m, n, k}, s));
    return ald_shared_single(run, s, a, b, c);
}

static ald_status syrk(ald_run *run, int trans, int64_t n, int64_t k, double alpha, const double *a,
                       int64_t lda, double beta, double *c, int64_t ldc)
{
    lapack_int s[4] = {0};
    ALD_TRY(narrow(run, 4, (const int64_t[]){n, k, lda, ldc}, s));
    ald_shared_syrk(&(ald_blas_product){
        .trans_a = flag(trans),
        .n = s[0],
        .k = s[1],
        .alpha = alpha,
        .beta = beta,
        .a = a,
        .c = c,
        .lda = s[2],
        .ldc = s[3],
    });
    return ALD_OK;
}

/* The decompositions below hand one product with a vector after the other to OpenBLAS. On few threads that
 * is no gain: X'X of order 1000 to 2000 is decomposed as fast by one thread as by two. Many threads are lent
 * to it for matrices of more entries than this. */
enum { large_matrix = 1200 * 1200, many_threads = 6 };

static int lend(const ald_run *run, int64_t m, int64_t n)
{
    const int lends = run->call.threads >= many_threads && m > large_matrix / n;
    if (lends) ald_threads_lend();
    return lends;
}

static void take_back(int lent)
{
    if (lent) ald_threads_return();
}

/* The `wanted` largest eigenvalues of a (n x n), and their vectors where these are not NULL. `diagonal` is
 * that of a, whose other triangle holds the rest while LAPACK destroys the one it reads. */
typedef struct eigen_task {
    int64_t n, wanted;
    double *a, *diagonal, *values, *vectors;
} eigen_task;

/* LAPACK gives them ascending. */
static void reverse(const eigen_task *t)
{
    const int64_t count = t->wanted, length = t->n;
    double *values = t->values, *vectors = t->vectors;
    for (int64_t i = 0, j = count - 1; i < j; i++, j--) {
        const double value = values[i];
        values[i] = values[j];
        values[j] = value;
        for (int64_t k = 0; vectors && k < length; k++) {
            const double entry = vectors[i * length + k];
            vectors[i * length + k] = vectors[j * length + k];
            vectors[j * length + k] = entry;
        }
    }
}

/* dsyevr leaves this triangle alone, so that a second way finds the matrix in it and in `diagonal`. */
static void keep_other_triangle(const eigen_task *t)
{
    const int64_t n = t->n;
    for (int64_t i = 0; i < n; i++) {
        t->diagonal[i] = t->a[i * n + i];
        for (int64_t j = i + 1; j < n; j++) t->a[j * n + i] = t->a[i * n + j];
    }
}

/* The same by QR iteration. dsyevr may find fewer eigenvalues than there are in a range where many are alike
 * (seen with a kernel matrix next to the identity); this finds all of them always, in several times the time.
 */
static ald_status eigen_by_qr(ald_run *run, const eigen_task *t)
{
    const int64_t n = t->n, first = n - t->wanted;
    const lapack_int order = (lapack_int)n, query = -1;
    const char job = t->vectors ? 'V' : 'N';
    lapack_int info;
    double size;
    double *all, *work, *a = t->a;
    for (int64_t i = 0; i < n; i++) a[i * n + i] = t->diagonal[i];
    ALD_TRY(ald_scratch_reals(run, n, 1, &all));
    dsyev_(&job, "U", &order, a, &order, all, &size, &query, &info, 1, 1);
    if (info != 0) return lapack_failed(run, "the eigenvalue decomposition", info);
    ALD_TRY(ald_scratch_reals(run, (int64_t)size, 1, &work));
    const lapack_int room = (lapack_int)size;
    dsyev_(&job, "U", &order, a, &order, all, work, &room, &info, 1, 1);
    if (info != 0) return lapack_failed(run, "the eigenvalue decomposition", info);
    memcpy(t->values, all + first, (size_t)t->wanted * sizeof *all);
    if (t->vectors) memcpy(t->vectors, a + first * n, (size_t)(t->wanted * n) * sizeof *a);
    reverse(t);
    return ALD_OK;
}

/* All in one call of LAPACK. */
static ald_status eigen_at_once(ald_run *run, const eigen_task *t)
{
    const int64_t n = t->n;
    const lapack_int order = (lapack_int)n, first = (lapack_int)(n - t->wanted + 1), query = -1;
    const double none = 0.0;
    lapack_int *support;
    lapack_int integers, info, found;
    const char job = t->vectors ? 'V' : 'N';
    double size;
    double *all, *work, *a = t->a;
    ALD_TRY(ald_scratch(run, n, 2, sizeof *support, &support));
    ALD_TRY(ald_scratch_reals(run, n, 1, &all));
    dsyevr_(&job, "I", "L", &order, a, &order, &none, &none, &first, &order, &none, &found, all, t->vectors,
            &order, support, &size, &query, &integers, &query, &info, 1, 1, 1);
    if (info != 0) return lapack_failed(run, "the eigenvalue decomposition", info);
    lapack_int *int_work;
    ALD_TRY(ald_scratch_reals(run, (int64_t)size, 1, &work));
    ALD_TRY(ald_scratch(run, integers, 1, sizeof *int_work, &int_work));
    const lapack_int room = (lapack_int)size;
    const int lent = lend(run, n, n);
    dsyevr_(&job, "I", "L", &order, a, &order, &none, &none, &first, &order, &none, &found, all, t->vectors,
            &order, support, work, &room, int_work, &integers, &info, 1, 1, 1);
    take_back(lent);
    if (info != 0 || found != (lapack_int)t->wanted) return eigen_by_qr(run, t);
    memcpy(t->values, all, (size_t)t->wanted * sizeof *all);
    reverse(t);
    return ALD_OK;
}

/* The triangle that dsytrd and dsyevr destroy, from the other one. */
static void restore_triangle(const eigen_task *t)
{
    const int64_t n = t->n;
    for (int64_t i = 0; i < n; i++) {
        t->a[i * n + i] = t->diagonal[i];
        for (int64_t j = i + 1; j < n; j++) t->a[i * n + j] = t->a[j * n + i];
    }
}

/* Each of many threads has rows of its own while the matrix is made tridiagonal; few do better with LAPACK,
 * and so does a matrix that would not stay in their caches. */
static int has_many_threads(const ald_run *run, int64_t n)
{
    enum { smallest = 200, largest = 1200 };
    return run->call.threads >= many_threads && n >= smallest && n <= largest;
}

/* In the place of the matrix by LAPACK, elsewhere by many threads. */
static ald_status reduce(ald_run *run, double *a, ald_reduction *r)
{
    const lapack_int order = (lapack_int)r->n, room = order * 64;
    double *work;
    if (has_many_threads(run, r->n)) {
        ALD_TRY(ald_scratch_reals(run, r->n, r->n, &r->a));
        return ald_tridiagonalise(run, run->call.threads, a, r);
    }
    r->a = a;
    ALD_TRY(ald_scratch_reals(run, room, 1, &work));
    const int lent = lend(run, r->n, r->n);
    lapack_int info;
    dsytrd_("L", &order, a, &order, r->diagonal, r->beside, r->tau, work, &room, &info, 1);
    take_back(lent);
    return info == 0 ? ALD_OK : lapack_failed(run, "the eigenvalue decomposition", info);
}

/* From vectors of the tridiagonal matrix to those of the matrix. */
static ald_status turn_back(ald_run *run, const ald_reduction *r, int64_t count, double *vectors)
{
    const lapack_int order = (lapack_int)r->n, columns = (lapack_int)count, room = 64 * (order + columns);
    double *work;
    if (!r->a) return ALD_OK;
    if (has_many_threads(run, r->n)) {
        ald_reduction_turn(run->call.threads, r, count, vectors);
        return ALD_OK;
    }
    ALD_TRY(ald_scratch_reals(run, room, 1, &work));
    const int lent = lend(run, r->n, r->n);
    lapack_int info;
    dormtr_("L", "L", "N", &order, &columns, r->a, &order, r->tau, vectors, &order, work, &room, &info, 1, 1,
            1);
    take_back(lent);
    return info == 0 ? ALD_OK : lapack_failed(run, "the eigenvalue decomposition", info);
}

/* Vectors of the tridiagonal matrix by inverse iteration, and from these those of the matrix; *found: how
 * many of them are good. */
static ald_status eigenvectors(ald_run *run, const ald_reduction *r, int64_t wanted, const double *values,
                               double *vectors, int *found)
{
    const int64_t n = r->n;
    const lapack_int order = (lapack_int)n, count = (lapack_int)wanted;
    lapack_int info;
    lapack_int *integers;
    double *work;
    *found = 0;
    ALD_TRY(ald_scratch(run, n, 4, sizeof *integers, &integers));
    ALD_TRY(ald_scratch_reals(run, n, 5, &work));
    lapack_int *block = integers, *split = block + n, *failed = split + n, *of_stein = failed + n;
    for (int64_t i = 0; i < n; i++) {
        block[i] = 1;
        split[i] = order;
    }
    dstein_(&order, r->diagonal, r->beside, &count, values, block, split, vectors, &order, work, of_stein,
            failed, &info);
    if (info != 0) return ALD_OK;
    *found = 1;
    return turn_back(run, r, wanted, vectors);
}

/* A few of many: tridiagonal form, their values by bisection, their vectors by inverse iteration, which is
 * what LAPACK does for a part of the spectrum, but for the bisection of many at once. *found is 0 where the
 * tridiagonal matrix falls into parts; `a` is as it was then. */
static ald_status eigen_few(ald_run *run, const eigen_task *t, int *found)
{
    const int64_t n = t->n;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ald_reduction r = {.n = n};
    double *squares;
    *found = 0;
    ALD_TRY(ALD_SCRATCH(run, {&r.diagonal, n, 1}, {&r.beside, n, 1}, {&r.tau, n, 1}, {&squares, n, 1}));
    if (!ald_take_tridiagonal(t->a, &r)) ALD_TRY(reduce(run, t->a, &r));
    if (ald_bisect(n, r.diagonal, r.beside, t->wanted, squares, t->values))
        ALD_TRY(eigenvectors(run, &r, t->wanted, t->values, t->vectors, found));
    if (*found)
        reverse(t);
    else if (r.a == t->a)
        restore_triangle(t);
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

static ald_status eigen(ald_run *run, int64_t n, double *a, int64_t wanted, double *values, double *vectors)
{
    enum { some = 16, many = 64, part = 8 };
    const int few = vectors && wanted <= n / 2 && n >= some &&
                    ((n >= many && wanted <= n / part) || ald_is_tridiagonal(n, a)),
              elsewhere = few && has_many_threads(run, n);
    eigen_task t = {.n = n, .wanted = wanted, .a = a, .values = values, .vectors = vectors};
    int found = 0;
    if (n == 0 || wanted == 0) return ALD_OK;
    ALD_TRY(narrow(run, 2, (const int64_t[]){n, wanted}, (lapack_int[2]){0}));
    ALD_TRY(ald_scratch_reals(run, n, 1, &t.diagonal));
    if (!elsewhere) keep_other_triangle(&t);
    if (few) ALD_TRY(eigen_few(run, &t, &found));
    if (found) return ALD_OK;
    if (elsewhere) keep_other_triangle(&t);
    return eigen_at_once(run, &t);
}

static ald_status svd(ald_run *run, int64_t m, int64_t n, double *a, double *u, double *sigma, double *vt)
{
    const int64_t p = m < n ? m : n;
    if (p == 0) return ALD_OK;
    lapack_int s[3] = {0};
    const lapack_int query = -1;
    lapack_int *int_work;
    lapack_int info;
    double size;
    double *work;
    ALD_TRY(narrow(run, 3, (const int64_t[]){m, n, p}, s));
    ALD_TRY(ald_scratch(run, p, 8, sizeof *int_work, &int_work));
    dgesdd_("S", &s[1], &s[0], a, &s[1], sigma, vt, &s[1], u, &s[2], &size, &query, int_work, &info, 1);
    if (info != 0) return lapack_failed(run, "the singular value decomposition", info);
    ALD_TRY(ald_scratch_reals(run, (int64_t)size, 1, &work));
    const lapack_int room = (lapack_int)size;
    const int lent = lend(run, m, n);
    dgesdd_("S", &s[1], &s[0], a, &s[1], sigma, vt, &s[1], u, &s[2], work, &room, int_work, &info, 1);
    take_back(lent);
    return info == 0 ? ALD_OK : lapack_failed(run, "the singular value decomposition", info);
}

/* R with a diagonal that is not negative makes the factors unique. */
static void fix_signs(int64_t m, int64_t k, double *q, double *r)
{
    for (int64_t j = 0; j < k; j++) {
        if (r[j * k + j] >= 0.0) continue;
        for (int64_t c = j; c < k; c++) r[j * k + c] = -r[j * k + c];
        for (int64_t i = 0; i < m; i++) q[i * k + j] = -q[i * k + j];
    }
}

/* The LQ factorization of A' in place: R in the upper triangle of the first k rows, the reflections below it.
 */
static ald_status factorize(ald_run *run, int64_t m, int64_t k, double *a, double *tau, double *r)
{
    const lapack_int query = -1;
    lapack_int s[2] = {0}, info;
    double size;
    double *work;
    ALD_TRY(narrow(run, 2, (const int64_t[]){m, k}, s));
    dgelqf_(&s[1], &s[0], a, &s[1], tau, &size, &query, &info);
    if (info != 0) return lapack_failed(run, "the QR decomposition", info);
    ALD_TRY(ald_scratch_reals(run, (int64_t)size, 1, &work));
    const lapack_int room = (lapack_int)size;
    dgelqf_(&s[1], &s[0], a, &s[1], tau, work, &room, &info);
    if (info != 0) return lapack_failed(run, "the QR decomposition", info);
    for (int64_t i = 0; i < k; i++)
        for (int64_t j = 0; j < k; j++) r[i * k + j] = j >= i ? a[i * k + j] : 0.0;
    return ALD_OK;
}

static ald_status qr(ald_run *run, int64_t m, int64_t k, double *a, double *r)
{
    if (k == 0) return ALD_OK;
    const lapack_int query = -1;
    lapack_int s[2] = {0}, info;
    double size;
    double *tau, *work, *triangle = r;
    ALD_TRY(narrow(run, 2, (const int64_t[]){m, k}, s));
    ALD_TRY(ald_scratch_reals(run, k, 1, &tau));
    if (!triangle) ALD_TRY(ald_scratch_reals(run, k, k, &triangle));
    ALD_TRY(factorize(run, m, k, a, tau, triangle));
    dorglq_(&s[1], &s[0], &s[1], a, &s[1], tau, &size, &query, &info);
    if (info != 0) return lapack_failed(run, "the QR decomposition", info);
    ALD_TRY(ald_scratch_reals(run, (int64_t)size, 1, &work));
    const lapack_int room = (lapack_int)size;
    dorglq_(&s[1], &s[0], &s[1], a, &s[1], tau, work, &room, &info);
    if (info != 0) return lapack_failed(run, "the QR decomposition", info);
    fix_signs(m, k, a, triangle);
    return ALD_OK;
}

static ald_status triangle(ald_run *run, int64_t m, int64_t k, double *a, double *r)
{
    double *tau;
    if (k == 0) return ALD_OK;
    ALD_TRY(ald_scratch_reals(run, k, 1, &tau));
    ALD_TRY(factorize(run, m, k, a, tau, r));
    fix_signs(0, k, NULL, r);
    return ALD_OK;
}

static ald_status cholesky(ald_run *run, int64_t n, double *a)
{
    lapack_int size = 0;
    ALD_TRY(narrow(run, 1, &n, &size));
    const int pivot = ald_shared_cholesky(size, a);
    if (pivot > 0)
        return ald_fail(run->error, ALD_ERROR_NUMERICAL,
                        "the matrix is not positive definite (pivot %d of %d)", pivot, (int)size);
    return ALD_OK;
}

static ald_status solve_triangular(ald_run *run, int trans, int64_t n, int64_t m, const double *r, double *b,
                                   int64_t ldb)
{
    lapack_int s[3] = {0};
    ALD_TRY(narrow(run, 3, (const int64_t[]){n, m, ldb}, s));
    if (n == 0 || m == 0) return ALD_OK;
    ald_shared_trsm(&(ald_blas_product){
        .trans_a = flag(trans),
        .m = s[0],
        .n = s[1],
        .a = r,
        .c = b,
        .lda = s[0],
        .ldc = s[2],
    });
    return ALD_OK;
}

const ald_backend ald_backend_openblas = {
    .name = "openblas",
    .fuses = 1,
    .gemm = gemm,
    .gemm_single = gemm_single,
    .syrk = syrk,
    .eigen = eigen,
    .svd = svd,
    .qr = qr,
    .triangle = triangle,
    .cholesky = cholesky,
    .solve_triangular = solve_triangular,
};
