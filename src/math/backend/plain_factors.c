/* Cholesky, triangular solutions and QR, in blocks so that nearly all operations are products.
 *
 * Cholesky, block row by block row, with the rows above known:
 *
 *   A_jj - R_.j' R_.j = R_jj' R_jj,    R_jk = R_jj'^-1 (A_jk - R_.j' R_.k)    for k > j.
 *
 * R'X = B from the first block of rows to the last, R X = B from the last to the first: what is known is
 * subtracted by a product, then the block on the diagonal is solved row by row.
 *
 * QR by Householder's reflections H_i = I - tau_i v_i v_i', in panels of 32 columns (Schreiber and Van
 * Loan, 1989): those of a panel are together
 *
 *   H_1 H_2 .. H_b = I - V T V',    T_jj = tau_j,    T_.j = -tau_j T V'v_j above the diagonal,
 *
 * so that the columns behind the panel become A - V T' (V'A), and Q is these factors times the first
 * columns of the identity, from the last panel to the first. A panel is kept transposed, v_i being a row.
 *
 * 2 m k^2 operations for R, as many for Q, n^3 / 3 for Cholesky, n^2 m for the solutions. */
#include "math/backend/plain_factors.h"

#include "base/numbers/ordering.h"
#include "math/backend/plain_products.h"
#include "math/backend/row_sums.h"

#include <math.h>
#include <string.h>

enum { block = 64, panel_width = 32 };

typedef struct right_side {
    double *data;
    int64_t rows, cols, stride;
} right_side;

/* The rows of one block: b (rows x m) <- op(R)^-1 b, R with the stride n. */
static void solve_block(int trans, int64_t rows, const double *r, int64_t n, right_side b)
{
    for (int64_t step = 0; step < rows; step++) {
        const int64_t i = trans ? step : rows - 1 - step;
        const double *row = r + i * n;
        double *x = b.data + i * b.stride;
        if (b.cols == 1 && b.stride == 1) { /* along the row of R */
            const int64_t rest = rows - 1 - i;
            if (!trans) *x -= ald_row_product(rest, row + i + 1, x + 1);
            *x /= row[i];
            if (trans) ald_row_add(rest, -*x, row + i + 1, x + 1);
            continue;
        }
        for (int64_t l = i + 1; !trans && l < rows; l++)
            ald_row_add(b.cols, -row[l], b.data + l * b.stride, x);
        for (int64_t j = 0; j < b.cols; j++) x[j] /= row[i];
        for (int64_t l = i + 1; trans && l < rows; l++)
            ald_row_add(b.cols, -row[l], x, b.data + l * b.stride);
    }
}

static ald_status solve(ald_run *run, int trans, const double *r, int64_t n, right_side b)
{
    const int64_t blocks = (b.rows + block - 1) / block;
    for (int64_t step = 0; step < blocks; step++) {
        const int64_t i = (trans ? step : blocks - 1 - step) * block, rows = ald_least(block, b.rows - i);
        const int64_t known = trans ? 0 : i + rows;
        ald_plain_product p = {
            .trans_a = trans,
            .m = rows,
            .n = b.cols,
            .k = trans ? i : b.rows - known,
            .alpha = -1.0,
            .beta = 1.0,
            .a = trans ? r + i : r + i * n + known,
            .b = b.data + known * b.stride,
            .c = b.data + i * b.stride,
            .lda = n,
            .ldb = b.stride,
            .ldc = b.stride,
        };
        ALD_TRY(ald_plain_multiply(run, &p));
        solve_block(trans, rows, r + i * (n + 1), n,
                    (right_side){.data = p.c, .rows = rows, .cols = b.cols, .stride = b.stride});
    }
    return ALD_OK;
}

ald_status ald_plain_solve_triangular(ald_run *run, int trans, int64_t n, int64_t m, const double *r,
                                      double *b, int64_t ldb)
{
    return solve(run, trans, r, n, (right_side){.data = b, .rows = n, .cols = m, .stride = ldb});
}

/* The block on the diagonal; 0, or the pivot that is not positive, counted from 1. */
static int64_t factor_block(int64_t rows, double *a, int64_t n)
{
    for (int64_t i = 0; i < rows; i++) {
        double *row = a + i * n;
        for (int64_t k = 0; k < i; k++) ald_row_add(rows - i, -a[k * n + i], a + k * n + i, row + i);
        if (!(row[i] > 0.0 && row[i] < INFINITY)) return i + 1;
        const double root = sqrt(row[i]);
        for (int64_t j = i; j < rows; j++) row[j] /= root;
    }
    return 0;
}

ald_status ald_plain_cholesky(ald_run *run, int64_t n, double *a)
{
    for (int64_t j = 0; j < n; j += block) {
        const int64_t rows = ald_least(block, n - j), rest = n - j - rows;
        double *diagonal = a + j * (n + 1);
        ald_plain_product p = {
            .trans_a = 1,
            .upper = 1,
            .m = rows,
            .n = rows + rest,
            .k = j,
            .alpha = -1.0,
            .beta = 1.0,
            .a = a + j,
            .b = a + j,
            .c = diagonal,
            .lda = n,
            .ldb = n,
            .ldc = n,
        };
        ALD_TRY(ald_plain_multiply(run, &p));
        const int64_t pivot = factor_block(rows, diagonal, n);
        if (pivot > 0)
            return ald_fail(run->error, ALD_ERROR_NUMERICAL,
                            "the matrix is not positive definite (pivot %lld of %lld)",
                            (long long)(j + pivot), (long long)n);
        solve_block(1, rows, diagonal, n,
                    (right_side){.data = diagonal + rows, .rows = rows, .cols = rest, .stride = n});
    }
    return ALD_OK;
}

/* Reflections of some columns: the rows of v (width x rows) are v_i', of which entry i is 1 and those
 * before it are 0. */
typedef struct panel {
    int64_t first, width, rows;
    double *v, *t;
} panel;

/* The columns of a, with the stride k, from row `first` on. */
static void fetch(const panel *p, int64_t k, const double *a)
{
    for (int64_t i = 0; i < p->rows; i++)
        for (int64_t j = 0; j < p->width; j++) p->v[j * p->rows + i] = a[(p->first + i) * k + p->first + j];
}

/* T from the factors on its diagonal and from V. */
static void join(const panel *p)
{
    const int64_t w = p->width;
    for (int64_t j = 0; j < w; j++) {
        double *t = p->t;
        double along[panel_width];
        for (int64_t i = 0; i < j; i++)
            along[i] = ald_row_product(p->rows - j, p->v + i * p->rows + j, p->v + j * p->rows + j);
        for (int64_t i = 0; i < j; i++)
            t[i * w + j] = -t[j * w + j] * ald_row_product(j - i, t + i * w + i, along + i);
        for (int64_t i = j + 1; i < w; i++) t[i * w + j] = 0.0;
    }
}

/* The panel's columns of R (stride k), and in their place V. */
static void reflect(const panel *p, int64_t k, double *r)
{
    const int64_t m = p->rows;
    for (int64_t j = 0; j < p->width; j++) {
        double *v = p->v + j * m + j;
        const ald_reflection found = ald_row_reflect(m - j, v);
        v[0] = 1.0;
        for (int64_t l = j + 1; l < p->width; l++) {
            double *x = p->v + l * m + j;
            ald_row_add(m - j, -found.tau * ald_row_product(m - j, v, x), v, x);
        }
        for (int64_t i = 0; i < j; i++) {
            r[(p->first + i) * k + p->first + j] = v[i - j];
            v[i - j] = 0.0;
        }
        r[(p->first + j) * k + p->first + j] = found.beta;
        p->t[j * p->width + j] = found.tau;
    }
    join(p);
}

/* A <- (I - V op(T) V') A for rows first .. of a, `cols` columns of it, with the stride k. */
static ald_status apply(ald_run *run, const panel *p, int trans, int64_t cols, double *a, int64_t k)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ald_plain_product product = {
        .m = p->width,
        .n = cols,
        .k = p->rows,
        .alpha = 1.0,
        .a = p->v,
        .lda = p->rows,
    };
    double *w, *tw;
    if (cols == 0) return ALD_OK;
    ALD_TRY(ALD_SCRATCH(run, {&w, p->width, cols}, {&tw, p->width, cols}));
    product.b = a;
    product.ldb = k;
    product.c = w;
    product.ldc = cols;
    ALD_TRY(ald_plain_multiply(run, &product)); /* V'A */
    product.trans_a = trans;
    product.k = product.lda = p->width;
    product.a = p->t;
    product.b = w;
    product.ldb = cols;
    product.c = tw;
    ALD_TRY(ald_plain_multiply(run, &product));
    ALD_TRY(ald_plain_multiply(run, &(ald_plain_product){
                                        .trans_a = 1,
                                        .m = p->rows,
                                        .n = cols,
                                        .k = p->width,
                                        .alpha = -1.0,
                                        .beta = 1.0,
                                        .a = p->v,
                                        .b = tw,
                                        .c = a,
                                        .lda = p->rows,
                                        .ldb = cols,
                                        .ldc = k,
                                    }));
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

/* R, row by row as it becomes known, and the panels where they are kept. */
static ald_status factorize(ald_run *run, int64_t m, int64_t k, double *a, double *r, panel *panels)
{
    for (int64_t first = 0; first < k; first += panel_width) {
        const uint64_t mark = ald_arena_mark(&run->scratch);
        const int64_t width = ald_least(panel_width, k - first), next = first + width;
        panel p = {.first = first, .width = width, .rows = m - first};
        ALD_TRY(ALD_SCRATCH(run, {&p.v, width, p.rows}, {&p.t, width, width}));
        fetch(&p, k, a);
        reflect(&p, k, r);
        ALD_TRY(apply(run, &p, 1, k - next, a + first * k + next, k));
        for (int64_t i = first; i < next; i++) {
            memset(r + i * k, 0, (size_t)i * sizeof *r);
            memcpy(r + i * k + next, a + i * k + next, (size_t)(k - next) * sizeof *r);
        }
        if (panels)
            panels[first / panel_width] = p;
        else
            ald_arena_release(&run->scratch, mark);
    }
    return ALD_OK;
}

/* The first k columns of the product of all reflections, in a (m x k). */
static ald_status expand(ald_run *run, int64_t m, int64_t k, const panel *panels, double *a)
{
    memset(a, 0, (size_t)(m * k) * sizeof *a);
    for (int64_t i = 0; i < k; i++) a[i * k + i] = 1.0;
    for (int64_t i = (k - 1) / panel_width; i >= 0; i--) {
        const int64_t first = panels[i].first;
        ALD_TRY(apply(run, &panels[i], 0, k - first, a + first * (k + 1), k));
    }
    return ALD_OK;
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

ald_status ald_plain_qr(ald_run *run, int64_t m, int64_t k, double *a, double *r)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    panel *panels;
    double *triangle = r;
    if (k == 0) return ALD_OK;
    ALD_TRY(ald_scratch(run, (k + panel_width - 1) / panel_width, 1, sizeof *panels, &panels));
    if (!triangle) ALD_TRY(ald_scratch_reals(run, k, k, &triangle));
    ALD_TRY(factorize(run, m, k, a, triangle, panels));
    ALD_TRY(expand(run, m, k, panels, a));
    fix_signs(m, k, a, triangle);
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

ald_status ald_plain_triangle(ald_run *run, int64_t m, int64_t k, double *a, double *r)
{
    ALD_TRY(factorize(run, m, k, a, r, NULL));
    fix_signs(0, k, NULL, r);
    return ALD_OK;
}
