/* Products cut into tasks, see the header. */
#include "math/backend/shared_products.h"

#include "base/threads/threads.h"
#include "math/backend/backend.h"
#include "math/backend/lapack.h"

#include <math.h>

typedef struct cut {
    const ald_blas_product *product;
    int total, count; /* rows or columns, tasks */
    int by_rows;
} cut;

/* How OpenBLAS sums an entry depends on how many rows and columns it is asked for. So the cut is one for any
 * number of threads, one included: into tasks that take some milliseconds, ten times as long as waking a
 * thread and long beside what the cut costs. Slices begin at multiples of the widest tile of the kernels. */
enum { least_slice = 192, tile = 48, most_tasks = 32 };

static int count_tasks(int total, double work, double least_work)
{
    int count = 1;
    while (count < most_tasks && 2 * count * least_slice <= total && 2 * count * least_work <= work)
        count *= 2;
    return count;
}

static void share(cut *c, ald_part_fn task)
{
    ald_tasks(c->count > 1 ? ald_threads_spare() : 1, c->count, task, c);
}

/* The first row or column of a task, `part` of all of them: a multiple of the tile. */
static int first_of(int total, double part)
{
    const int at = (int)(part * total / tile + 0.5) * tile;
    return at < total ? at : total;
}

static void even_slice(const cut *c, int task, int *begin, int *end)
{
    *begin = first_of(c->total, (double)task / c->count);
    *end = task + 1 == c->count ? c->total : first_of(c->total, (double)(task + 1) / c->count);
}

static void gemm(const ald_blas_product *p)
{
    cblas_dgemm(CblasRowMajor, p->trans_a, p->trans_b, p->m, p->n, p->k, p->alpha, p->a, p->lda, p->b, p->ldb,
                p->beta, p->c, p->ldc);
}

ald_status ald_shared_single(ald_run *run, const blasint *sizes, const float *a, const float *b, float *c)
{
#ifdef ALD_FORTRAN_BLAS
    return ald_backend_plain.gemm_single(run, sizes[0], sizes[1], sizes[2], a, b, c);
#else
    (void)run;
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, sizes[0], sizes[1], sizes[2], 1.0F, a, sizes[2], b,
                sizes[2], 0.0F, c, sizes[1]);
    return ALD_OK;
#endif
}

/* Where row i of op(A), or column i of op(B), begins. */
static const double *along(const double *x, int ld, int is_contiguous, int i)
{
    return is_contiguous ? x + i : x + (size_t)i * (size_t)ld;
}

/* Rows i0 .. i1 and columns j0 .. j1 of the result. */
static ald_blas_product part_of(const ald_blas_product *p, int i0, int i1, int j0, int j1)
{
    ald_blas_product part = *p;
    part.m = i1 - i0;
    part.n = j1 - j0;
    part.a = along(p->a, p->lda, p->trans_a == CblasTrans, i0);
    part.b = along(p->b, p->ldb, p->trans_b == CblasNoTrans, j0);
    part.c = p->c + (size_t)i0 * (size_t)p->ldc + j0;
    return part;
}

static void gemm_task(void *work, int task)
{
    const cut *c = work;
    const ald_blas_product *p = c->product;
    int begin, end;
    even_slice(c, task, &begin, &end);
    const ald_blas_product part =
        c->by_rows ? part_of(p, begin, end, 0, p->n) : part_of(p, 0, p->m, begin, end);
    if (end > begin) gemm(&part);
}

void ald_shared_gemm(const ald_blas_product *p)
{
    cut c = {.product = p, .by_rows = p->m >= p->n};
    c.total = c.by_rows ? p->m : p->n;
    c.count = count_tasks(c.total, (double)p->m * p->n * p->k, 1.6e7);
    share(&c, gemm_task);
}

/* Columns of the triangle, so many that each task has as many entries: a block on the diagonal and what is
 * above it. */
static void syrk_task(void *work, int task)
{
    const cut *c = work;
    ald_blas_product whole = *c->product;
    const int begin = first_of(c->total, sqrt((double)task / c->count));
    const int end = task + 1 == c->count ? c->total : first_of(c->total, sqrt((double)(task + 1) / c->count));
    if (end == begin) return;
    whole.b = whole.a;
    whole.ldb = whole.lda;
    whole.trans_b = whole.trans_a == CblasTrans ? CblasNoTrans : CblasTrans;
    const ald_blas_product above = part_of(&whole, 0, begin, begin, end);
    if (begin > 0) gemm(&above);
    const ald_blas_product block = part_of(&whole, begin, end, begin, end);
    cblas_dsyrk(CblasRowMajor, CblasUpper, block.trans_a, block.n, block.k, block.alpha, block.a, block.lda,
                block.beta, block.c, block.ldc);
}

void ald_shared_syrk(const ald_blas_product *p)
{
    cut c = {.product = p, .total = p->n};
    c.count = count_tasks(c.total, 0.5 * (double)p->n * p->n * p->k, 5e7);
    share(&c, syrk_task);
}

static void trsm_task(void *work, int task)
{
    const cut *c = work;
    const ald_blas_product *p = c->product;
    int begin, end;
    even_slice(c, task, &begin, &end);
    if (end > begin)
        cblas_dtrsm(CblasRowMajor, CblasLeft, CblasUpper, p->trans_a, CblasNonUnit, p->m, end - begin, 1.0,
                    p->a, p->lda, p->c + begin, p->ldc);
}

void ald_shared_trsm(const ald_blas_product *p)
{
    cut c = {.product = p, .total = p->n};
    c.count = count_tasks(c.total, 0.5 * (double)p->m * p->m * p->n, 1.6e7);
    share(&c, trsm_task);
}

/* Block row by block row: with the rows above known,
 *
 *   A_jj - R_.j' R_.j = R_jj' R_jj,    R_jk = R_jj'^-1 (A_jk - R_.j' R_.k)    for k > j. */
int ald_shared_cholesky(int n, double *a)
{
    enum { block = 256 };
    for (int j = 0; j < n; j += block) {
        const int rows = n - j < block ? n - j : block, rest = n - j - rows;
        double *diagonal = a + (size_t)j * (size_t)n + j;
        ald_blas_product p = {
            .trans_a = CblasTrans,
            .trans_b = CblasNoTrans,
            .m = rows,
            .n = rows,
            .k = j,
            .alpha = -1.0,
            .beta = 1.0,
            .a = a + j,
            .b = a + j + rows,
            .c = diagonal,
            .lda = n,
            .ldb = n,
            .ldc = n,
        };
        ald_shared_syrk(&p);
        const lapack_int order = rows, step = n;
        lapack_int info;
        dpotrf_("L", &order, diagonal, &step, &info, 1);
        if (info != 0) return j + (int)info;
        p.n = rest;
        p.c = diagonal + rows;
        if (rest > 0) ald_shared_gemm(&p);
        p.a = diagonal;
        if (rest > 0) ald_shared_trsm(&p);
    }
    return 0;
}
