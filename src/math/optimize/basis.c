/* The three forms of the well-conditioned coordinates F = Z M (basis.h), and products with them. */
#include "math/optimize/basis.h"

#include "base/settings/limits.h"
#include "math/linalg/linalg.h"
#include "math/optimize/stress_on_card.h"
#include "math/solvers/lanczos.h"

#include <math.h>
#include <string.h>

enum { columns_at_once = 32 };
static const double smallest_part = 1e-10;

/* Q (d x q), orthonormal columns, with which rows are first reduced, or NULL for none; p = q below. */
typedef struct reduction {
    const double *q;
    int64_t cols;
} reduction;

/* u (n x c) = Z Q e_j for the columns j0 .. j0 + c. */
static ald_status some_columns(ald_run *run, const ald_operator *z, const reduction *reduce, int64_t j0,
                               int64_t c, double *pick, double *u)
{
    const int64_t d = z->x.cols;
    memset(pick, 0, (size_t)(d * c) * sizeof *pick);
    for (int64_t j = 0; j < c; j++)
        for (int64_t i = 0; i < d; i++)
            pick[i * c + j] = reduce->q ? reduce->q[i * reduce->cols + j0 + j] : (double)(i == j0 + j);
    return ald_operator_apply(run, z, ald_of(pick, d, c), ald_at(u, z->x.rows, c));
}

/* c (q x q) = Q'Z'L Z Q / total, a block of columns at a time. */
static ald_status pair_scatter(ald_run *run, const ald_operator *z, const ald_pairs *pairs,
                               const reduction *reduce, double *c)
{
    const int64_t n = z->x.rows, d = z->x.cols, q = reduce->cols;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *pick, *u, *lu, *part;
    ALD_TRY(ALD_SCRATCH(run, {&pick, d, columns_at_once}, {&u, n, columns_at_once}, {&lu, n, columns_at_once},
                        {&part, q, columns_at_once}));
    for (int64_t j0 = 0; j0 < q; j0 += columns_at_once) {
        const int64_t cols = q - j0 < columns_at_once ? q - j0 : columns_at_once;
        ALD_TRY(some_columns(run, z, reduce, j0, cols, pick, u));
        ALD_TRY(ald_pairs_laplacian(run, pairs, NULL, u, cols, lu));
        ALD_TRY(ald_operator_apply_transposed(run, z, ald_of(lu, n, cols), ald_at(pick, d, cols)));
        if (reduce->q)
            ALD_TRY(ald_product(run, ald_t(ald_of(reduce->q, d, q)), ald_of(pick, d, cols),
                                ald_at(part, q, cols)));
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
    return ald_fail(
        run->error, ALD_ERROR_DATA,
        "no pair of neighbours differs in any column of X: raise `n_neighbors` (are rows repeated?)");
}

/* v (q x p) = V diag(1 / sqrt l) of the symmetric c (q x q, destroyed), and 1 / l. */
static ald_status inverse_root(ald_run *run, int64_t q, double *c, double **v, double **lengths, int64_t *p)
{
    double *values, *vectors;
    ALD_TRY(ALD_SCRATCH(run, {&values, q, 1}, {&vectors, q, q}));
    ALD_TRY(ald_eigen(run, ald_at(c, q, q), values, ald_at(vectors, q, q)));
    if (!(values[0] > 0.0)) return no_difference(run);
    for (*p = 1; *p < q && values[*p] > smallest_part * values[0];) ++*p;
    for (int64_t k = 0; k < *p; k++) {
        const double root = 1.0 / sqrt(values[k]);
        for (int64_t j = 0; j < q; j++) vectors[k * q + j] *= root;
        values[k] = 1.0 / values[k];
    }
    *lengths = values;
    ALD_TRY(ald_scratch_reals(run, q, *p, v));
    ald_transpose(*p, q, vectors, *v);
    return ALD_OK;
}

/* c (q x q, destroyed): the scatter of the pairs in the reduced coordinates. */
static ald_status whiten_scatter(ald_run *run, const reduction *reduce, double *c, ald_basis *basis)
{
    const int64_t q = reduce->cols;
    double *v, *lengths;
    ALD_TRY(inverse_root(run, q, c, &v, &lengths, &basis->p));
    basis->lengths = lengths;
    basis->whitened = 1;
    basis->matrix = v;
    if (!reduce->q) return ALD_OK;
    double *m;
    ALD_TRY(ald_scratch_reals(run, basis->d, basis->p, &m));
    basis->matrix = m;
    return ald_product(run, ald_of(reduce->q, basis->d, q), ald_of(v, q, basis->p),
                       ald_at(m, basis->d, basis->p));
}

static ald_status of_columns(ald_run *run, const ald_pairs *pairs, const reduction *reduce, ald_basis *basis)
{
    double *c;
    int done = 0;
    ALD_TRY(ald_scratch_reals(run, reduce->cols, reduce->cols, &c));
    if (!reduce->q) ALD_TRY(ald_pair_scatter_on_card(run, basis->z, pairs, c, &done));
    if (!done) ALD_TRY(pair_scatter(run, basis->z, pairs, reduce, c));
    return whiten_scatter(run, reduce, c, basis);
}

/* Z Z' = U S U' gives the rows R = U S^(1/2) (n x q) in the row space Q = Z'U S^(-1/2); then as of_columns on
 * R. */
static ald_status of_rows(ald_run *run, const ald_pairs *pairs, int64_t dims, ald_basis *basis)
{
    const int64_t n = basis->n;
    double *gram, *values, *vectors, *rows, *inverse, *c, *v, *lengths, *f, *back, *lrows;
    ALD_TRY(ALD_SCRATCH(run, {&gram, n, n}, {&values, n, 1}, {&vectors, n, n}));
    ALD_TRY(ald_operator_gram(run, basis->z, ald_at(gram, n, n)));
    ALD_TRY(ald_eigen(run, ald_at(gram, n, n), values, ald_at(vectors, n, n)));
    if (!(values[0] > 0.0)) return no_difference(run);
    int64_t q = 1;
    while (q < n && (dims == 0 || q < dims) && values[q] > smallest_part * values[0]) q++;
    ALD_TRY(ALD_SCRATCH(run, {&rows, n, q}, {&inverse, n, q}, {&lrows, n, q}));
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = 0; k < q; k++) {
            rows[i * q + k] = vectors[k * n + i] * sqrt(values[k]);
            inverse[i * q + k] = vectors[k * n + i] / sqrt(values[k]);
        }
    ALD_TRY(ald_pairs_laplacian(run, pairs, NULL, rows, q, lrows));
    ALD_TRY(ald_scratch_reals(run, q, q, &c));
    ALD_TRY(ald_product_add(run, 1.0 / pairs->total, ald_t(ald_of(rows, n, q)), ald_of(lrows, n, q), 0.0,
                            ald_at(c, q, q)));
    ALD_TRY(inverse_root(run, q, c, &v, &lengths, &basis->p));
    ALD_TRY(ALD_SCRATCH(run, {&f, n, basis->p}, {&back, n, basis->p}));
    ALD_TRY(ald_product(run, ald_of(rows, n, q), ald_of(v, q, basis->p), ald_at(f, n, basis->p)));
    ALD_TRY(ald_product(run, ald_of(inverse, n, q), ald_of(v, q, basis->p), ald_at(back, n, basis->p)));
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
    ALD_TRY(ALD_SCRATCH(run, {deviation, d, 1}, {&moments.mean, d, 1}));
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
ald_status ald_basis_of_deviations(ald_run *run, const ald_operator *z, const double *deviation,
                                   ald_basis *basis)
{
    const int64_t d = z->x.cols;
    double *diagonal, *lengths;
    double largest = 0.0;
    ALD_TRY(ALD_SCRATCH(run, {&diagonal, d, 1}, {&lengths, d, 1}));
    for (int64_t j = 0; j < d; j++) largest = fmax(largest, deviation[j]);
    if (!(largest > 0.0)) return no_difference(run);
    for (int64_t j = 0; j < d; j++) {
        diagonal[j] = deviation[j] > sqrt(smallest_part) * largest ? 1.0 / deviation[j] : 0.0;
        lengths[j] = diagonal[j] * diagonal[j];
    }
    *basis = (ald_basis){.z = z, .n = z->x.rows, .d = d, .p = d, .diagonal = diagonal, .lengths = lengths};
    return ALD_OK;
}

static ald_status of_diagonal(ald_run *run, ald_basis *basis)
{
    double *deviation;
    double largest;
    ALD_TRY(deviations(run, basis->z, &deviation, &largest));
    return ald_basis_of_deviations(run, basis->z, deviation, basis);
}

static ald_status times_normal(ald_run *run, void *self, const double *v, int64_t k, double *w)
{
    const ald_operator *z = self;
    return ald_operator_normal(run, z, ald_of(v, z->x.cols, k), ald_at(w, z->x.cols, k));
}

/* The leading `dims` principal directions of Z as columns. */
static ald_status principal(ald_run *run, const ald_operator *z, int64_t dims, reduction *reduce)
{
    const int64_t d = z->x.cols;
    double *q, *vectors, *values, *scatter;
    ALD_TRY(ald_scratch_reals(run, d, dims, &q));
    const uint64_t mark = ald_arena_mark(&run->scratch);
    if (d > ALD_BASIS_ORDER) {
        ald_operator copy = *z;
        ald_lanczos task = {
            .apply = times_normal,
            .self = &copy,
            .n = d,
            .wanted = dims,
            .tol = 1e-10,
            .max_products = 1000 * dims,
            .seed = 1,
            .stage = "principal components",
            .vectors = q,
        };
        ALD_TRY(ald_lanczos_solve(run, &task));
    } else {
        ALD_TRY(ALD_SCRATCH(run, {&scatter, d, d}, {&values, d, 1}, {&vectors, dims, d}));
        ALD_TRY(ald_operator_scatter(run, z, ald_at(scatter, d, d)));
        ALD_TRY(ald_eigen(run, ald_at(scatter, d, d), values, ald_at(vectors, dims, d)));
        ald_transpose(dims, d, vectors, q);
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
    if (n <= d && n <= ALD_BASIS_ORDER) return of_rows(run, pairs, dims, basis);
    if (dims > 0 && dims < d) ALD_TRY(principal(run, z, dims, &reduce));
    return reduce.cols <= ALD_BASIS_ORDER ? of_columns(run, pairs, &reduce, basis) : of_diagonal(run, basis);
}

/* Q (d x dims): the leading eigenvectors of Z'Z (d x d, destroyed), and c <- Q'c Q. */
static ald_status reduce_scatter(ald_run *run, int64_t d, double *normal, int64_t dims, double **c,
                                 reduction *reduce)
{
    double *q, *values, *vectors, *cq, *small;
    ALD_TRY(ALD_SCRATCH(run, {&q, d, dims}, {&values, d, 1}, {&vectors, dims, d}, {&cq, d, dims},
                        {&small, dims, dims}));
    ALD_TRY(ald_eigen(run, ald_at(normal, d, d), values, ald_at(vectors, dims, d)));
    ald_transpose(dims, d, vectors, q);
    ALD_TRY(ald_product(run, ald_of(*c, d, d), ald_of(q, d, dims), ald_at(cq, d, dims)));
    ALD_TRY(ald_product(run, ald_t(ald_of(q, d, dims)), ald_of(cq, d, dims), ald_at(small, dims, dims)));
    *reduce = (reduction){q, dims};
    *c = small;
    return ALD_OK;
}

ald_status ald_basis_of_scatter(ald_run *run, const ald_operator *z, double *scatter, double *normal,
                                int64_t dims, ald_basis *basis)
{
    const int64_t d = z->x.cols;
    reduction reduce = {NULL, d};
    *basis = (ald_basis){.z = z, .n = z->x.rows, .d = d};
    if (normal) ALD_TRY(reduce_scatter(run, d, normal, dims, &scatter, &reduce));
    return whiten_scatter(run, &reduce, scatter, basis);
}

ald_status ald_basis_plain(ald_run *run, const ald_operator *z, int64_t dims, ald_basis *basis)
{
    const int64_t d = z->x.cols;
    reduction reduce = {NULL, d};
    double *ones;
    ALD_TRY(ald_scratch_reals(run, d, 1, &ones));
    for (int64_t j = 0; j < d; j++) ones[j] = 1.0;
    if (dims > 0 && dims < d) ALD_TRY(principal(run, z, dims, &reduce));
    *basis =
        (ald_basis){.z = z, .n = z->x.rows, .d = d, .p = reduce.cols, .matrix = reduce.q, .lengths = ones};
    if (!reduce.q) basis->diagonal = ones;
    return ALD_OK;
}

/* A power of 2, so that nothing is rounded. */
ald_status ald_basis_in_unit(ald_run *run, ald_basis *basis)
{
    const int64_t count = basis->matrix ? basis->d * basis->p : basis->d;
    const double *const plain = basis->matrix ? basis->matrix : basis->diagonal;
    double *entries, *lengths, *deviation;
    double largest;
    ALD_TRY(deviations(run, basis->z, &deviation, &largest));
    if (!isfinite(largest)) return ALD_OK;
    const double unit = ldexp(1.0, -ilogb(largest));
    ALD_TRY(ALD_SCRATCH(run, {&entries, count, 1}, {&lengths, basis->p, 1}));
    for (int64_t i = 0; i < count; i++) entries[i] = unit * plain[i];
    for (int64_t j = 0; j < basis->p; j++) lengths[j] = unit * unit * basis->lengths[j];
    *(basis->matrix ? &basis->matrix : &basis->diagonal) = entries;
    basis->lengths = lengths;
    return ALD_OK;
}

ald_status ald_basis_scatter_times(ald_run *run, const ald_basis *basis, const ald_pairs *pairs, int64_t k,
                                   double *w)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *u, *lu;
    ALD_TRY(ALD_SCRATCH(run, {&u, basis->n, k}, {&lu, basis->n, k}));
    ALD_TRY(ald_basis_apply(run, basis, w, k, u));
    ALD_TRY(ald_pairs_laplacian(run, pairs, NULL, u, k, lu));
    ALD_TRY(ald_basis_apply_transposed(run, basis, lu, k, w));
    for (int64_t i = 0; i < basis->p * k; i++) w[i] /= pairs->total;
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

ald_status ald_basis_directions(ald_run *run, const ald_basis *basis, const double *v, int64_t k, double *w)
{
    if (basis->matrix)
        return ald_product(run, ald_of(basis->matrix, basis->d, basis->p), ald_of(v, basis->p, k),
                           ald_at(w, basis->d, k));
    if (basis->diagonal) {
        for (int64_t j = 0; j < basis->d; j++)
            for (int64_t c = 0; c < k; c++) w[j * k + c] = basis->diagonal[j] * v[j * k + c];
        return ALD_OK;
    }
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *rows;
    ALD_TRY(ald_scratch_reals(run, basis->n, k, &rows));
    ALD_TRY(ald_product(run, ald_of(basis->back, basis->n, basis->p), ald_of(v, basis->p, k),
                        ald_at(rows, basis->n, k)));
    ALD_TRY(ald_operator_apply_transposed(run, basis->z, ald_of(rows, basis->n, k), ald_at(w, basis->d, k)));
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

ald_status ald_basis_apply(ald_run *run, const ald_basis *basis, const double *v, int64_t k, double *u)
{
    if (basis->rows)
        return ald_product(run, ald_of(basis->rows, basis->n, basis->p), ald_of(v, basis->p, k),
                           ald_at(u, basis->n, k));
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *w;
    ALD_TRY(ald_scratch_reals(run, basis->d, k, &w));
    ALD_TRY(ald_basis_directions(run, basis, v, k, w));
    ALD_TRY(ald_operator_apply(run, basis->z, ald_of(w, basis->d, k), ald_at(u, basis->n, k)));
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

ald_status ald_basis_apply_transposed(ald_run *run, const ald_basis *basis, const double *u, int64_t k,
                                      double *v)
{
    if (basis->rows)
        return ald_product(run, ald_t(ald_of(basis->rows, basis->n, basis->p)), ald_of(u, basis->n, k),
                           ald_at(v, basis->p, k));
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *w;
    ALD_TRY(ald_scratch_reals(run, basis->d, k, &w));
    ALD_TRY(ald_operator_apply_transposed(run, basis->z, ald_of(u, basis->n, k), ald_at(w, basis->d, k)));
    if (basis->matrix)
        ALD_TRY(ald_product(run, ald_t(ald_of(basis->matrix, basis->d, basis->p)), ald_of(w, basis->d, k),
                            ald_at(v, basis->p, k)));
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
        ALD_TRY(ald_operator_apply(run, basis->z, ald_of(basis->matrix, basis->d, basis->p),
                                   ald_at(f, basis->n, basis->p)));
    } else {
        ALD_TRY(ald_scratch_zeros(run, basis->d, basis->d, &identity));
        for (int64_t j = 0; j < basis->d; j++) identity[j * basis->d + j] = basis->diagonal[j];
        ALD_TRY(ald_operator_apply(run, basis->z, ald_of(identity, basis->d, basis->d),
                                   ald_at(f, basis->n, basis->d)));
    }
    ald_arena_release(&run->scratch, mark);
    *rows = f;
    return ALD_OK;
}
