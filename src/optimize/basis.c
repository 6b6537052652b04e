#include "optimize/basis.h"

#include "linalg/lanczos.h"
#include "linalg/linalg.h"

#include <math.h>
#include <string.h>

enum { largest_square = 2000, columns_at_once = 32 };
static const double smallest_part = 1e-10;

/* v (rows x cols) = src' (cols x rows). */
static void transpose(int64_t rows, int64_t cols, const double *src, double *v)
{
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < cols; j++) v[i * cols + j] = src[j * rows + i];
}

/* Q (d x q), orthonormal columns, with which rows are first reduced, or NULL for none; p = q below. */
typedef struct reduction {
    const double *q;
    int64_t cols;
} reduction;

/* u (n x c) = Z Q e_j for the columns j0 .. j0 + c. */
static ald_status some_columns(ald_run *run, const ald_operator *z, const reduction *reduce, int64_t j0, int64_t c,
                               double *pick, double *u)
{
    const int64_t d = z->x.cols;
    memset(pick, 0, (size_t)(d * c) * sizeof *pick);
    for (int64_t j = 0; j < c; j++)
        for (int64_t i = 0; i < d; i++)
            pick[i * c + j] = reduce->q ? reduce->q[i * reduce->cols + j0 + j] : (double)(i == j0 + j);
    return ald_operator_apply(run, z, pick, c, u);
}

/* c (q x q) = Q'Z'L Z Q / total, a block of columns at a time. */
static ald_status pair_scatter(ald_run *run, const ald_operator *z, const ald_pairs *pairs, const reduction *reduce,
                               double *c)
{
    const int64_t n = z->x.rows, d = z->x.cols, q = reduce->cols;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *pick, *u, *lu, *part;
    ALD_TRY(ald_scratch_reals(run, d, columns_at_once, &pick));
    ALD_TRY(ald_scratch_reals(run, n, columns_at_once, &u));
    ALD_TRY(ald_scratch_reals(run, n, columns_at_once, &lu));
    ALD_TRY(ald_scratch_reals(run, q, columns_at_once, &part));
    for (int64_t j0 = 0; j0 < q; j0 += columns_at_once) {
        const int64_t cols = q - j0 < columns_at_once ? q - j0 : columns_at_once;
        ALD_TRY(some_columns(run, z, reduce, j0, cols, pick, u));
        ALD_TRY(ald_pairs_laplacian(run, pairs, NULL, u, cols, lu));
        ALD_TRY(ald_operator_apply_transposed(run, z, lu, cols, pick));
        if (reduce->q) ALD_TRY(ald_gemm(run, 1, 0, q, cols, d, 1.0, reduce->q, q, pick, cols, 0.0, part, cols));
        const double *from = reduce->q ? part : pick;
        for (int64_t i = 0; i < q; i++)
            for (int64_t j = 0; j < cols; j++) c[i * q + j0 + j] = from[i * cols + j] / pairs->total;
        ALD_TRY(ald_progress(run, "whitening", (double)(j0 + cols) / (double)q));
    }
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

static ald_status no_difference(ald_run *run)
{
    return ald_fail(run->error, ALD_ERROR_DATA,
                    "no pair of neighbours differs in any column of X: raise `n_neighbors` (are rows repeated?)");
}

/* v (q x p) = V diag(1 / sqrt l) of the symmetric c (q x q, destroyed), and 1 / l. */
static ald_status inverse_root(ald_run *run, int64_t q, double *c, double **v, double **lengths, int64_t *p)
{
    double *values, *vectors;
    ALD_TRY(ald_scratch_reals(run, q, 1, &values));
    ALD_TRY(ald_scratch_reals(run, q, q, &vectors));
    ALD_TRY(ald_eigen(run, q, c, q, values, vectors));
    if (!(values[0] > 0.0)) return no_difference(run);
    for (*p = 1; *p < q && values[*p] > smallest_part * values[0];) ++*p;
    for (int64_t k = 0; k < *p; k++) {
        const double root = 1.0 / sqrt(values[k]);
        for (int64_t j = 0; j < q; j++) vectors[k * q + j] *= root;
        values[k] = 1.0 / values[k];
    }
    *lengths = values;
    ALD_TRY(ald_scratch_reals(run, q, *p, v));
    transpose(q, *p, vectors, *v);
    return ALD_OK;
}

static ald_status of_columns(ald_run *run, const ald_pairs *pairs, const reduction *reduce, ald_basis *basis)
{
    const int64_t q = reduce->cols;
    double *c, *v, *lengths;
    ALD_TRY(ald_scratch_reals(run, q, q, &c));
    ALD_TRY(pair_scatter(run, basis->z, pairs, reduce, c));
    ALD_TRY(inverse_root(run, q, c, &v, &lengths, &basis->p));
    basis->lengths = lengths;
    basis->whitened = 1;
    basis->matrix = v;
    if (!reduce->q) return ALD_OK;
    double *m;
    ALD_TRY(ald_scratch_reals(run, basis->d, basis->p, &m));
    basis->matrix = m;
    return ald_gemm(run, 0, 0, basis->d, basis->p, q, 1.0, reduce->q, q, v, basis->p, 0.0, m, basis->p);
}

/* Z Z' = U S U' gives the rows R = U S^(1/2) (n x q) in the row space Q = Z'U S^(-1/2); then as of_columns on R. */
static ald_status of_rows(ald_run *run, const ald_pairs *pairs, int64_t dims, ald_basis *basis)
{
    const int64_t n = basis->n;
    double *gram, *values, *vectors, *rows, *inverse, *c, *v, *lengths, *f, *back, *lrows;
    ALD_TRY(ald_scratch_reals(run, n, n, &gram));
    ALD_TRY(ald_scratch_reals(run, n, 1, &values));
    ALD_TRY(ald_scratch_reals(run, n, n, &vectors));
    ALD_TRY(ald_operator_gram(run, basis->z, gram));
    ALD_TRY(ald_eigen(run, n, gram, n, values, vectors));
    if (!(values[0] > 0.0)) return no_difference(run);
    int64_t q = 1;
    while (q < n && (dims == 0 || q < dims) && values[q] > smallest_part * values[0]) q++;
    ALD_TRY(ald_scratch_reals(run, n, q, &rows));
    ALD_TRY(ald_scratch_reals(run, n, q, &inverse));
    ALD_TRY(ald_scratch_reals(run, n, q, &lrows));
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = 0; k < q; k++) {
            rows[i * q + k] = vectors[k * n + i] * sqrt(values[k]);
            inverse[i * q + k] = vectors[k * n + i] / sqrt(values[k]);
        }
    ALD_TRY(ald_pairs_laplacian(run, pairs, NULL, rows, q, lrows));
    ALD_TRY(ald_scratch_reals(run, q, q, &c));
    ALD_TRY(ald_gemm(run, 1, 0, q, q, n, 1.0 / pairs->total, rows, q, lrows, q, 0.0, c, q));
    ALD_TRY(inverse_root(run, q, c, &v, &lengths, &basis->p));
    ALD_TRY(ald_scratch_reals(run, n, basis->p, &f));
    ALD_TRY(ald_scratch_reals(run, n, basis->p, &back));
    ALD_TRY(ald_gemm(run, 0, 0, n, basis->p, q, 1.0, rows, q, v, basis->p, 0.0, f, basis->p));
    ALD_TRY(ald_gemm(run, 0, 0, n, basis->p, q, 1.0, inverse, q, v, basis->p, 0.0, back, basis->p));
    basis->lengths = lengths;
    basis->whitened = 1;
    basis->rows = f;
    basis->back = back;
    return ALD_OK;
}

/* The deviations of the columns of Z (d), in one pass over X, and the largest. */
static ald_status deviations(ald_run *run, const ald_operator *z, double **deviation, double *largest)
{
    const int64_t d = z->x.cols;
    ald_column_moments moments = {0};
    ALD_TRY(ald_scratch_reals(run, d, 1, deviation));
    ALD_TRY(ald_scratch_reals(run, d, 1, &moments.mean));
    moments.deviation = *deviation;
    ALD_TRY(ald_column_statistics(run, z, NULL, moments));
    *largest = 0.0;
    for (int64_t j = 0; j < d; j++) {
        if (z->inverse_scale) (*deviation)[j] *= z->inverse_scale[j];
        *largest = fmax(*largest, (*deviation)[j]);
    }
    return *largest > 0.0 ? ALD_OK : no_difference(run);
}

/* 1 / deviation of each column of Z, where diag(C) would take a pass over X for every few columns. */
static ald_status of_diagonal(ald_run *run, ald_basis *basis)
{
    const int64_t d = basis->d;
    double *diagonal, *lengths, largest;
    ALD_TRY(deviations(run, basis->z, &diagonal, &largest));
    ALD_TRY(ald_scratch_reals(run, d, 1, &lengths));
    for (int64_t j = 0; j < d; j++) {
        diagonal[j] = diagonal[j] > sqrt(smallest_part) * largest ? 1.0 / diagonal[j] : 0.0;
        lengths[j] = diagonal[j] * diagonal[j];
    }
    basis->p = d;
    basis->diagonal = diagonal;
    basis->lengths = lengths;
    return ALD_OK;
}

static ald_status times_normal(ald_run *run, void *self, const double *v, int64_t k, double *w)
{
    return ald_operator_normal(run, self, v, k, w);
}

/* The leading `dims` principal directions of Z as columns. */
static ald_status principal(ald_run *run, const ald_operator *z, int64_t dims, reduction *reduce)
{
    const int64_t d = z->x.cols;
    double *q, *vectors, *values, *scatter;
    ALD_TRY(ald_scratch_reals(run, d, dims, &q));
    const uint64_t mark = ald_arena_mark(&run->scratch);
    if (d > largest_square) {
        ald_operator copy = *z;
        ald_lanczos task = {.apply = times_normal,
                            .self = &copy,
                            .n = d,
                            .wanted = dims,
                            .tol = 1e-10,
                            .max_products = 1000 * dims,
                            .seed = 1,
                            .stage = "principal components",
                            .vectors = q};
        ALD_TRY(ald_scratch_reals(run, dims, 1, &task.values));
        ALD_TRY(ald_lanczos_solve(run, &task));
    } else {
        ALD_TRY(ald_scratch_reals(run, d, d, &scatter));
        ALD_TRY(ald_scratch_reals(run, d, 1, &values));
        ALD_TRY(ald_scratch_reals(run, dims, d, &vectors));
        ALD_TRY(ald_operator_scatter(run, z, scatter));
        ALD_TRY(ald_eigen(run, d, scatter, dims, values, vectors));
        transpose(d, dims, vectors, q);
    }
    ald_arena_release(&run->scratch, mark);
    *reduce = (reduction){q, dims};
    return ALD_OK;
}

ald_status ald_basis_of_pairs(ald_run *run, const ald_operator *z, const ald_pairs *pairs, int64_t dims,
                              ald_basis *basis)
{
    const int64_t n = z->x.rows, d = z->x.cols;
    reduction reduce = {NULL, d};
    *basis = (ald_basis){.z = z, .n = n, .d = d};
    if (n <= d && n <= largest_square) return of_rows(run, pairs, dims, basis);
    if (dims > 0 && dims < d) ALD_TRY(principal(run, z, dims, &reduce));
    return reduce.cols <= largest_square ? of_columns(run, pairs, &reduce, basis) : of_diagonal(run, basis);
}

ald_status ald_basis_plain(ald_run *run, const ald_operator *z, int64_t dims, ald_basis *basis)
{
    const int64_t d = z->x.cols;
    reduction reduce = {NULL, d};
    double *ones;
    ALD_TRY(ald_scratch_reals(run, d, 1, &ones));
    for (int64_t j = 0; j < d; j++) ones[j] = 1.0;
    if (dims > 0 && dims < d) ALD_TRY(principal(run, z, dims, &reduce));
    *basis = (ald_basis){.z = z, .n = z->x.rows, .d = d, .p = reduce.cols, .matrix = reduce.q, .lengths = ones};
    if (!reduce.q) basis->diagonal = ones;
    return ALD_OK;
}

/* A power of 2, so that nothing is rounded. */
ald_status ald_basis_in_unit(ald_run *run, ald_basis *basis)
{
    const int64_t count = basis->matrix ? basis->d * basis->p : basis->d;
    const double *const plain = basis->matrix ? basis->matrix : basis->diagonal;
    double *entries, *lengths, *deviation, largest;
    ALD_TRY(deviations(run, basis->z, &deviation, &largest));
    if (!isfinite(largest)) return ALD_OK;
    const double unit = ldexp(1.0, -ilogb(largest));
    ALD_TRY(ald_scratch_reals(run, count, 1, &entries));
    ALD_TRY(ald_scratch_reals(run, basis->p, 1, &lengths));
    for (int64_t i = 0; i < count; i++) entries[i] = unit * plain[i];
    for (int64_t j = 0; j < basis->p; j++) lengths[j] = unit * unit * basis->lengths[j];
    *(basis->matrix ? &basis->matrix : &basis->diagonal) = entries;
    basis->lengths = lengths;
    return ALD_OK;
}

ald_status ald_basis_scatter_times(ald_run *run, const ald_basis *basis, const ald_pairs *pairs, int64_t k, double *w)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *u, *lu;
    ALD_TRY(ald_scratch_reals(run, basis->n, k, &u));
    ALD_TRY(ald_scratch_reals(run, basis->n, k, &lu));
    ALD_TRY(ald_basis_apply(run, basis, w, k, u));
    ALD_TRY(ald_pairs_laplacian(run, pairs, NULL, u, k, lu));
    ALD_TRY(ald_basis_apply_transposed(run, basis, lu, k, w));
    for (int64_t i = 0; i < basis->p * k; i++) w[i] /= pairs->total;
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

ald_status ald_basis_directions(ald_run *run, const ald_basis *basis, const double *v, int64_t k, double *w)
{
    if (basis->matrix) return ald_gemm(run, 0, 0, basis->d, k, basis->p, 1.0, basis->matrix, basis->p, v, k, 0.0, w, k);
    if (basis->diagonal) {
        for (int64_t j = 0; j < basis->d; j++)
            for (int64_t c = 0; c < k; c++) w[j * k + c] = basis->diagonal[j] * v[j * k + c];
        return ALD_OK;
    }
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *rows;
    ALD_TRY(ald_scratch_reals(run, basis->n, k, &rows));
    ALD_TRY(ald_gemm(run, 0, 0, basis->n, k, basis->p, 1.0, basis->back, basis->p, v, k, 0.0, rows, k));
    ALD_TRY(ald_operator_apply_transposed(run, basis->z, rows, k, w));
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

ald_status ald_basis_apply(ald_run *run, const ald_basis *basis, const double *v, int64_t k, double *u)
{
    if (basis->rows) return ald_gemm(run, 0, 0, basis->n, k, basis->p, 1.0, basis->rows, basis->p, v, k, 0.0, u, k);
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *w;
    ALD_TRY(ald_scratch_reals(run, basis->d, k, &w));
    ALD_TRY(ald_basis_directions(run, basis, v, k, w));
    ALD_TRY(ald_operator_apply(run, basis->z, w, k, u));
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

ald_status ald_basis_apply_transposed(ald_run *run, const ald_basis *basis, const double *u, int64_t k, double *v)
{
    if (basis->rows) return ald_gemm(run, 1, 0, basis->p, k, basis->n, 1.0, basis->rows, basis->p, u, k, 0.0, v, k);
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *w;
    ALD_TRY(ald_scratch_reals(run, basis->d, k, &w));
    ALD_TRY(ald_operator_apply_transposed(run, basis->z, u, k, w));
    if (basis->matrix)
        ALD_TRY(ald_gemm(run, 1, 0, basis->p, k, basis->d, 1.0, basis->matrix, basis->p, w, k, 0.0, v, k));
    else
        for (int64_t j = 0; j < basis->d; j++)
            for (int64_t c = 0; c < k; c++) v[j * k + c] = basis->diagonal[j] * w[j * k + c];
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

ald_status ald_basis_rows(ald_run *run, const ald_basis *basis, const double **rows)
{
    double *identity, *f;
    *rows = basis->rows;
    if (basis->rows) return ALD_OK;
    ALD_TRY(ald_scratch_reals(run, basis->n, basis->p, &f));
    const uint64_t mark = ald_arena_mark(&run->scratch);
    if (basis->matrix) {
        ALD_TRY(ald_operator_apply(run, basis->z, basis->matrix, basis->p, f));
    } else {
        ALD_TRY(ald_scratch_zeros(run, basis->d, basis->d, &identity));
        for (int64_t j = 0; j < basis->d; j++) identity[j * basis->d + j] = basis->diagonal[j];
        ALD_TRY(ald_operator_apply(run, basis->z, identity, basis->d, f));
    }
    ald_arena_release(&run->scratch, mark);
    *rows = f;
    return ALD_OK;
}
