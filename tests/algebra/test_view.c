/* Operations on views against plain loops: transposed sides, parts of larger matrices, empty sizes, both
 * backends, and shapes that do not fit. */
#undef NDEBUG /* shapes are checked here whatever the build */
#include "support/support.h"

#include "math/linalg/linalg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const backends[] = {"openblas", "plain"};

typedef struct fixture {
    ald_context *context;
    ald_run run;
    ald_error error;
} fixture;

static void begin(fixture *f, int which)
{
    f->context = support_context(1, backends[which]);
    support_run(&f->run, f->context, &f->error);
}

static void end(fixture *f)
{
    ald_run_end(&f->run, ALD_OK);
    ald_context_free(f->context);
}

static double entry(ald_view a, int64_t i, int64_t j)
{
    return a.transposed ? a.data[j * a.stride + i] : a.data[i * a.stride + j];
}

/* The largest difference of `got` from alpha a b + beta c, by plain loops. */
static double product_error(double alpha, ald_view a, ald_view b, double beta, ald_view c, ald_view got)
{
    double worst = 0.0;
    for (int64_t i = 0; i < a.rows; i++)
        for (int64_t j = 0; j < b.cols; j++) {
            double sum = 0.0;
            for (int64_t k = 0; k < a.cols; k++) sum += entry(a, i, k) * entry(b, k, j);
            worst = fmax(worst, fabs(alpha * sum + beta * entry(c, i, j) - entry(got, i, j)));
        }
    return worst;
}

static void views_know_their_entries(void **state)
{
    (void)state;
    double a[12];
    for (int i = 0; i < 12; i++) a[i] = i;
    const ald_view whole = ald_of(a, 3, 4), block = ald_view_block(whole, 1, 2, 2, 2);
    assert_true(entry(block, 1, 1) == 11.0 && entry(ald_t(block), 0, 1) == 10.0);
    const ald_view of_transposed = ald_view_block(ald_t(whole), 2, 1, 2, 2);
    assert_true(of_transposed.rows == 2 && entry(of_transposed, 1, 0) == 7.0 &&
                entry(of_transposed, 0, 1) == 10.0);
    const ald_view twice = ald_t(ald_t(whole));
    assert_true(twice.rows == 3 && twice.cols == 4 && !twice.transposed);
    assert_true(ald_left(whole, 2).cols == 2 && entry(ald_left(whole, 2), 2, 1) == 9.0);
    assert_true(ald_of(a, 5, 0).stride == 1);
    const ald_area written = ald_area_block(ald_at(a, 3, 4), 1, 1, 2, 3);
    written.data[written.stride] = -1.0;
    assert_true(a[9] == -1.0 && entry(ald_read(written), 1, 0) == -1.0);
}

/* Both sides plain or transposed, whole or parts of larger matrices. */
static void products_are_right(void **state)
{
    (void)state;
    enum { m = 4, n = 3, k = 5, wide = 9 };
    double *x = support_normals(1, wide * wide), *y = support_normals(2, wide * wide);
    double before[wide * wide];
    double *z = support_normals(3, wide * wide);
    for (int which = 0; which < 2 * 2 * 2 * 2; which++) {
        fixture f;
        begin(&f, which & 1);
        const ald_view xs = ald_of(x, wide, wide), ys = ald_of(y, wide, wide);
        const ald_view a = which & 2 ? ald_t(ald_view_block(xs, 1, 2, k, m)) : ald_view_block(xs, 1, 2, m, k);
        const ald_view b = which & 4 ? ald_t(ald_view_block(ys, 3, 0, n, k)) : ald_view_block(ys, 3, 0, k, n);
        const ald_area out = which & 8 ? ald_at(z, m, n) : ald_area_block(ald_at(z, wide, wide), 2, 3, m, n);
        memcpy(before, z, sizeof before);
        const ald_view was = {before + (out.data - z), m, n, out.stride, 0};
        assert_done(ald_product_add(&f.run, 2.0, a, b, -0.5, out), f.error);
        assert_below(product_error(2.0, a, b, -0.5, was, ald_read(out)), 1e-13);
        assert_done(ald_product(&f.run, a, b, out), f.error);
        assert_below(product_error(1.0, a, b, 0.0, was, ald_read(out)), 1e-13);
        if (!(which & 8))
            assert_true(z[0] == before[0] && z[2 * wide + 2] == before[2 * wide + 2]); /* beside it */
        end(&f);
    }
    free(x);
    free(y);
    free(z);
}

static void gram_matrices_are_right(void **state)
{
    (void)state;
    enum { m = 6, n = 4, wide = 8 };
    double *x = support_normals(4, wide * wide);
    double got[m * m];
    for (int which = 0; which < 4; which++) {
        fixture f;
        begin(&f, which & 1);
        const ald_view part = ald_view_block(ald_of(x, wide, wide), 1, 1, m, n),
                       a = which & 2 ? ald_t(part) : part;
        const ald_area out = ald_at(got, a.cols, a.cols);
        assert_done(ald_gram(&f.run, a, out), f.error);
        assert_below(product_error(1.0, ald_t(a), a, 0.0, ald_read(out), ald_read(out)), 1e-13);
        for (int i = 0; i < m * m; i++) got[i] = 1.0;
        assert_done(ald_gram_add(&f.run, -2.0, a, 3.0, out), f.error);
        assert_true(got[out.cols] == 1.0); /* below the diagonal */
        ald_mirror(out);
        double ones[m * m];
        for (int i = 0; i < m * m; i++) ones[i] = 1.0;
        assert_below(product_error(-2.0, ald_t(a), a, 3.0, ald_of(ones, a.cols, a.cols), ald_read(out)),
                     1e-13);
        end(&f);
    }
    free(x);
}

/* A sum over nothing is 0 (or beta times what was there), and nothing is written for empty results. */
static void empty_sizes_are_fine(void **state)
{
    (void)state;
    for (int which = 0; which < 2; which++) {
        fixture f;
        begin(&f, which);
        double none[1] = {7.0}, out[4] = {NAN, NAN, NAN, NAN}, kept[2] = {1.0, 2.0};
        assert_done(ald_product(&f.run, ald_of(none, 2, 0), ald_of(none, 0, 2), ald_at(out, 2, 2)), f.error);
        for (int i = 0; i < 4; i++) assert_true(out[i] == 0.0);
        assert_done(ald_product_add(&f.run, 1.0, ald_t(ald_of(none, 0, 2)), ald_of(none, 0, 1), 3.0,
                                    ald_at(kept, 2, 1)),
                    f.error);
        assert_true(kept[0] == 3.0 && kept[1] == 6.0);
        out[0] = NAN;
        assert_done(ald_gram(&f.run, ald_of(none, 0, 2), ald_at(out, 2, 2)), f.error);
        assert_true(out[0] == 0.0 && out[2] == 0.0);
        assert_done(ald_product(&f.run, ald_of(none, 0, 1), ald_of(none, 1, 1), ald_at(none, 0, 1)), f.error);
        assert_done(ald_eigen(&f.run, ald_at(none, 0, 0), none, ald_at(none, 0, 0)), f.error);
        assert_done(ald_cholesky(&f.run, ald_at(none, 0, 0)), f.error);
        assert_done(ald_solve_triangular(&f.run, ald_of(none, 0, 0), ald_at(none, 0, 3)), f.error);
        assert_true(none[0] == 7.0);
        end(&f);
    }
}

/* Each decomposition multiplied out again. */
static void decompositions_are_right(void **state)
{
    (void)state;
    enum { m = 7, n = 4 };
    double *x = support_normals(5, m * n);
    for (int which = 0; which < 2; which++) {
        fixture f;
        double copy[m * n], s[n * n], again[n * n], values[n], alone[n], vectors[n * n], u[m * n], vt[n * n],
            r[n * n];
        begin(&f, which);
        const ald_view a = ald_of(x, m, n);
        assert_done(ald_gram(&f.run, a, ald_at(s, n, n)), f.error);
        memcpy(again, s, sizeof s);
        assert_done(ald_eigenvalues(&f.run, ald_at(again, n, n), 2, alone), f.error);
        memcpy(again, s, sizeof s);
        assert_done(ald_eigen(&f.run, ald_at(again, n, n), values, ald_at(vectors, n, n)), f.error);
        assert_close(values[1], alone[1], 1e-12);
        double scaled[n * n];
        memcpy(scaled, vectors, sizeof vectors);
        ald_scale_rows(values, ald_at(scaled, n, n));
        const ald_view v = ald_of(vectors, n, n);
        assert_below(product_error(1.0, ald_t(v), ald_of(scaled, n, n), 0.0, v, ald_of(s, n, n)), 1e-12);
        memcpy(copy, x, sizeof copy);
        assert_done(ald_svd(&f.run, ald_at(copy, m, n), ald_at(u, m, n), values, ald_at(vt, n, n)), f.error);
        ald_scale_rows(values, ald_at(vt, n, n));
        assert_below(product_error(1.0, ald_of(u, m, n), ald_of(vt, n, n), 0.0, a, a), 1e-12);
        memcpy(copy, x, sizeof copy);
        assert_done(ald_qr(&f.run, ald_at(copy, m, n), ald_at(r, n, n)), f.error);
        assert_below(product_error(1.0, ald_of(copy, m, n), ald_of(r, n, n), 0.0, a, a), 1e-12);
        memcpy(u, x, sizeof u);
        assert_done(ald_orthonormal(&f.run, ald_at(u, m, n)), f.error);
        assert_below(support_largest_difference(m * n, u, copy), 1e-12);
        memcpy(copy, x, sizeof copy);
        assert_done(ald_triangle(&f.run, ald_at(copy, m, n), ald_at(again, n, n)), f.error);
        assert_below(support_largest_difference(n * n, r, again), 1e-12);
        end(&f);
    }
    free(x);
}

static void triangles_are_solved(void **state)
{
    (void)state;
    enum { n = 5, k = 2 };
    double *x = support_normals(6, n * n), *b = support_normals(7, n * k);
    for (int which = 0; which < 2; which++) {
        fixture f;
        double s[n * n], r[n * n], got[n * k];
        begin(&f, which);
        assert_done(ald_gram(&f.run, ald_of(x, n, n), ald_at(s, n, n)), f.error);
        ald_add_ridge(1.0, ald_at(s, n, n));
        memcpy(r, s, sizeof s);
        assert_done(ald_cholesky(&f.run, ald_at(r, n, n)), f.error);
        memcpy(got, b, sizeof got);
        assert_done(ald_solve_cholesky(&f.run, ald_of(r, n, n), ald_at(got, n, k)), f.error);
        const ald_view right = ald_of(b, n, k), found = ald_of(got, n, k);
        assert_below(product_error(1.0, ald_of(s, n, n), found, 0.0, right, right), 1e-12);
        for (int i = 0; i < n * n; i++)
            if (i / n > i % n) r[i] = 0.0;
        memcpy(got, b, sizeof got);
        assert_done(ald_solve_triangular(&f.run, ald_t(ald_of(r, n, n)), ald_at(got, n, k)), f.error);
        assert_below(product_error(1.0, ald_t(ald_of(r, n, n)), found, 0.0, right, right), 1e-12);
        end(&f);
    }
    free(x);
    free(b);
}

static void products_in_place_are_right(void **state)
{
    (void)state;
    enum { m = 4, n = 3, wide = 5 };
    double *x = support_normals(8, m * wide), *b = support_normals(9, n * n);
    double was[m * wide];
    fixture f;
    begin(&f, 0);
    memcpy(was, x, sizeof was);
    const ald_area a = ald_area_block(ald_at(x, m, wide), 0, 1, m, n);
    const ald_view before = ald_view_block(ald_of(was, m, wide), 0, 1, m, n);
    assert_done(ald_multiply(&f.run, a, ald_t(ald_of(b, n, n))), f.error);
    assert_below(product_error(1.0, before, ald_t(ald_of(b, n, n)), 0.0, before, ald_read(a)), 1e-13);
    assert_true(x[0] == was[0] && x[4] == was[4]);
    end(&f);
    free(x);
    free(b);
}

static void plain_operations_are_right(void **state)
{
    (void)state;
    double a[6] = {1, 2, 3, 4, 5, 6}, t[6], s[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, one[4];
    ald_transpose(2, 3, a, t);
    assert_true(t[0] == 1 && t[1] == 4 && t[2] == 2 && t[5] == 6);
    assert_true(ald_trace(3, s) == 15.0);
    ald_symmetrise(ald_at(s, 3, 3));
    assert_true(s[1] == 3.0 && s[3] == 3.0 && s[2] == 5.0 && s[6] == 5.0 && s[4] == 5.0);
    s[2] = 8.0;
    ald_mirror(ald_at(s, 3, 3));
    assert_true(s[6] == 8.0);
    ald_make_identity(ald_at(one, 2, 2));
    assert_true(one[0] == 1.0 && one[1] == 0.0 && one[3] == 1.0);
    ald_scale(0.0, ald_area_block(ald_at(a, 2, 3), 0, 1, 2, 1));
    assert_true(a[0] == 1 && a[1] == 0 && a[4] == 0 && a[5] == 6);
}

/* The message names the shapes. */
static void wrong_shapes_are_caught(void **state)
{
    (void)state;
    double a[64] = {0};
    fixture f;
    begin(&f, 0);
    ald_run *run = &f.run;
    assert_int_equal(ald_product(run, ald_of(a, 2, 3), ald_of(a, 4, 5), ald_at(a, 2, 5)), ALD_ERROR_ARGUMENT);
    assert_non_null(strstr(f.error.message, "2 x 3 and 4 x 5"));
    assert_int_equal(ald_product(run, ald_of(a, 2, 3), ald_of(a, 3, 5), ald_at(a, 5, 2)), ALD_ERROR_ARGUMENT);
    assert_non_null(strstr(f.error.message, "the result 5 x 2"));
    assert_int_equal(ald_product(run, ald_t(ald_of(a, 2, 3)), ald_of(a, 3, 5), ald_at(a, 2, 5)),
                     ALD_ERROR_ARGUMENT);
    assert_int_equal(ald_gram(run, ald_of(a, 2, 3), ald_at(a, 2, 2)), ALD_ERROR_ARGUMENT);
    assert_int_equal(ald_eigen(run, ald_at(a, 2, 3), a, ald_at(a, 2, 2)), ALD_ERROR_ARGUMENT);
    assert_int_equal(ald_eigen(run, ald_at(a, 3, 3), a, ald_at(a, 3, 2)), ALD_ERROR_ARGUMENT);
    assert_int_equal(ald_eigenvalues(run, ald_area_block(ald_at(a, 4, 4), 0, 0, 3, 3), 1, a),
                     ALD_ERROR_ARGUMENT);
    assert_int_equal(ald_svd(run, ald_at(a, 4, 3), ald_at(a, 4, 4), a, ald_at(a, 3, 3)), ALD_ERROR_ARGUMENT);
    assert_int_equal(ald_qr(run, ald_at(a, 2, 3), ald_at(a, 3, 3)), ALD_ERROR_ARGUMENT);
    assert_int_equal(ald_orthonormal(run, ald_at(a, 2, 3)), ALD_ERROR_ARGUMENT);
    assert_int_equal(ald_triangle(run, ald_at(a, 4, 3), ald_at(a, 4, 4)), ALD_ERROR_ARGUMENT);
    assert_int_equal(ald_cholesky(run, ald_at(a, 2, 3)), ALD_ERROR_ARGUMENT);
    assert_int_equal(ald_solve_triangular(run, ald_of(a, 3, 3), ald_at(a, 2, 3)), ALD_ERROR_ARGUMENT);
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(views_know_their_entries),    cmocka_unit_test(products_are_right),
        cmocka_unit_test(gram_matrices_are_right),     cmocka_unit_test(empty_sizes_are_fine),
        cmocka_unit_test(decompositions_are_right),    cmocka_unit_test(triangles_are_solved),
        cmocka_unit_test(products_in_place_are_right), cmocka_unit_test(plain_operations_are_right),
        cmocka_unit_test(wrong_shapes_are_caught),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
