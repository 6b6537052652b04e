/* Whitened coordinates: M'C M = I from the raw rows in every regime, F = Z M in every product, what is
 * dropped. */
#include "support/eigen.h"
#include "support/pair_problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double *zeros(pair_problem *p, int64_t rows, int64_t cols)
{
    double *block;
    assert_done(ald_scratch_zeros(&p->run, rows, cols, &block), p->error);
    return block;
}

/* All that basis.h promises of F = Z M, M given. Products go through C^(-1/2), of condition up to 1e4 in
 * these rows. */
static void check_basis(pair_problem *p, int whitened)
{
    const int64_t n = p->n, d = p->d, q = p->basis.p;
    const double *m = pair_problem_matrix(p), *rows;
    double *f = zeros(p, n, q), *c = zeros(p, q, q), *gram = zeros(p, q, q), *u = zeros(p, n, 2),
           *v = zeros(p, q, 2), *w = zeros(p, q, 2);
    support_multiply(0, 0, n, q, d, p->z, m, f);
    pair_problem_scatter(p, f, q, c);
    support_multiply(1, 0, q, q, d, m, m, gram);
    const double longest =
        p->basis.lengths[q - 1] > p->basis.lengths[0] ? p->basis.lengths[q - 1] : p->basis.lengths[0];
    for (int64_t i = 0; i < q; i++)
        for (int64_t j = 0; j < q; j++) {
            if (whitened || i == j) assert_close(c[i * q + j], i == j, 1e-9);
            assert_close(gram[i * q + j], i == j ? p->basis.lengths[i] : 0.0, 1e-9 * longest);
        }
    assert_int_equal(p->basis.whitened, whitened);
    assert_done(ald_basis_rows(&p->run, &p->basis, &rows), p->error);
    const double size = support_norm(n * q, f);
    assert_below(support_largest_difference(n * q, rows, f), 1e-10 * size);
    double *some = support_normals(3, 2 * q), *other = support_normals(4, 2 * n);
    assert_done(ald_basis_apply(&p->run, &p->basis, some, 2, u), p->error);
    for (int64_t i = 0; i < n; i++)
        for (int k = 0; k < 2; k++) {
            double sum = 0.0;
            for (int64_t j = 0; j < q; j++) sum += f[i * q + j] * some[2 * j + k];
            assert_close(u[2 * i + k], sum, 1e-10 * size);
        }
    support_multiply(1, 0, q, 2, n, f, other, w);
    assert_done(ald_basis_apply_transposed(&p->run, &p->basis, other, 2, v), p->error);
    assert_below(support_largest_difference(2 * q, v, w), 1e-10 * size * support_norm(2 * n, other));
    free(some);
    free(other);
}

/* More rows than columns, as many, fewer. */
static void by_columns_and_by_rows(void **state)
{
    (void)state;
    static const int64_t shapes[][3] = {{60, 1, 1}, {60, 7, 7}, {300, 70, 70}, {40, 40, 39}, {30, 55, 29}};
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        pair_problem p;
        pair_problem_begin(&p, shapes[k][0], shapes[k][1], 1, 0);
        assert_int_equal(p.basis.p, shapes[k][2]);
        assert_int_equal(p.basis.rows != NULL, shapes[k][0] <= shapes[k][1]);
        check_basis(&p, 1);
        pair_problem_end(&p);
    }
}

static void plain_columns(void **state)
{
    (void)state;
    pair_problem p;
    pair_problem_begin(&p, 50, 6, 1, 1);
    const double *m = pair_problem_matrix(&p);
    for (int j = 0; j < 36; j++) assert_true(m[j] == (j / 6 == j % 6));
    pair_problem_end(&p);
}

/* A column that repeats another and one that is constant are no directions of their own. */
static void what_does_not_differ_is_dropped(void **state)
{
    (void)state;
    pair_problem p;
    pair_problem_begin(&p, 60, 6, 1, 0);
    for (int64_t i = 0; i < p.n; i++) {
        p.x[i * 6 + 4] = 2.0 * p.x[i * 6 + 1];
        p.x[i * 6 + 5] = p.mean[5];
        p.z[i * 6 + 4] = 2.0 * p.z[i * 6 + 1];
        p.z[i * 6 + 5] = 0.0;
    }
    p.mean[4] = 2.0 * p.mean[1];
    assert_done(ald_basis_of_pairs(&p.run, &p.rows, &p.pairs, 0, &p.basis), p.error);
    assert_int_equal(p.basis.p, 4);
    check_basis(&p, 1);
    for (int64_t i = 0; i < p.n * 6; i++) p.x[i] = p.mean[i % 6];
    assert_int_equal(ald_basis_of_pairs(&p.run, &p.rows, &p.pairs, 0, &p.basis), ALD_ERROR_DATA);
    assert_non_null(strstr(p.error.message, "no pair of neighbours differs in any column of X"));
    pair_problem_end(&p);
}

/* M of `dims` columns lies in the span of the leading principal directions. */
static void principal_components_first(void **state)
{
    (void)state;
    static const int64_t shapes[][2] = {{80, 9}, {20, 30}};
    for (int k = 0; k < 2; k++) {
        const int64_t n = shapes[k][0], d = shapes[k][1];
        pair_problem p;
        pair_problem_begin(&p, n, d, 1, 0);
        double *scatter = zeros(&p, d, d), *values = zeros(&p, d, 1), *vectors = zeros(&p, d, d),
               *m = zeros(&p, 3, d);
        support_multiply(1, 0, d, d, n, p.z, p.z, scatter);
        support_eigen(d, scatter, values, vectors);
        assert_done(ald_basis_of_pairs(&p.run, &p.rows, &p.pairs, 3, &p.basis), p.error);
        assert_int_equal(p.basis.p, 3);
        check_basis(&p, 1);
        const double *found = pair_problem_matrix(&p);
        for (int64_t j = 0; j < d; j++)
            for (int c = 0; c < 3; c++) m[c * d + j] = found[j * 3 + c];
        assert_below(support_sine(3, d, m, vectors), 1e-9);
        pair_problem_end(&p);
    }
}

/* Above 2000 columns and rows nothing square is stored: the diagonal of M'C M only. Three entries a row. */
static void diagonal_for_many_columns(void **state)
{
    (void)state;
    enum { n = 2100, d = 2050, columns = 2 };
    static int64_t pointers[n + 1], indices[3 * n], neighbours[3 * n];
    static double values[3 * n];
    double *unit, *m, *mean, *u, *v, *more = support_normals(9, d * columns),
                                     *other = support_normals(10, n * columns);
    ald_context *context = support_context(2, NULL);
    ald_run run;
    ald_error error;
    ald_pairs pairs;
    ald_basis basis;
    support_run(&run, context, &error);
    assert_done(ald_scratch_zeros(&run, d, 1, &mean), error);
    assert_done(ald_scratch_reals(&run, d, columns, &m), error);
    assert_done(ald_scratch_reals(&run, n, columns, &u), error);
    assert_done(ald_scratch_reals(&run, d, columns, &v), error);
    assert_done(ald_scratch_zeros(&run, d, 1, &unit), error);
    for (int64_t i = 0; i <= n; i++) pointers[i] = 3 * i;
    for (int64_t i = 0; i < n; i++)
        for (int k = 0; k < 3; k++) {
            indices[3 * i + k] = 683 * k + i % 683; /* the last column is empty */
            values[3 * i + k] = 1.0 + (double)((i * (k + 2)) % 7);
            neighbours[3 * i + k] = (i + 1 + 11 * k * k) % n;
            mean[indices[3 * i + k]] += values[3 * i + k] / n;
        }
    const ald_operator z = {.x = ald_matrix_csr(n, d, pointers, indices, values), .mean = mean};
    assert_done(ald_pairs_merge(&run, n, pointers, neighbours, NULL, NULL, &pairs), error);
    assert_done(ald_basis_of_pairs(&run, &z, &pairs, 0, &basis), error);
    assert_int_equal(basis.p, d);
    assert_int_equal(basis.whitened, 0);
    /* The variance of column j: entries that are not stored are 0. */
    for (int64_t k = 0; k < 3 * n; k++) unit[indices[k]] += values[k] * values[k] / n;
    for (int64_t j = 0; j < d; j++) unit[j] -= mean[j] * mean[j];
    assert_done(ald_basis_directions(&run, &basis, more, columns, m), error);
    for (int64_t j = 0; j < d; j++) {
        const double wanted = unit[j] > 0.0 ? 1.0 / sqrt(unit[j]) : 0.0;
        assert_close(basis.diagonal[j], wanted, 1e-10 * (1.0 + wanted));
        assert_close(basis.lengths[j], wanted * wanted, 1e-9 * (1.0 + wanted * wanted));
        assert_close(m[j * columns], wanted * more[j * columns],
                     1e-9 * (1.0 + wanted * fabs(more[j * columns])));
    }
    /* <F a, b> = <a, F'b>, one by one of the columns. */
    assert_done(ald_basis_apply(&run, &basis, more, columns, u), error);
    assert_done(ald_basis_apply_transposed(&run, &basis, other, columns, v), error);
    for (int k = 0; k < columns; k++) {
        double there = 0.0, back = 0.0;
        for (int64_t i = 0; i < n; i++) there += u[i * columns + k] * other[i * columns + k];
        for (int64_t j = 0; j < d; j++) back += v[j * columns + k] * more[j * columns + k];
        assert_close(there, back, 1e-10 * support_norm(n * columns, u) * support_norm(n * columns, other));
    }
    ald_run_end(&run, ALD_OK);
    ald_context_free(context);
    free(more);
    free(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_columns_and_by_rows),          cmocka_unit_test(plain_columns),
        cmocka_unit_test(what_does_not_differ_is_dropped), cmocka_unit_test(principal_components_first),
        cmocka_unit_test(diagonal_for_many_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
