/* Pairs of rows against a dense matrix of weights: merging, Laplacian products, mirrored entries; single
 * entries of every storage. */
#include "support/storages.h"
#include "support/support.h"

#include "math/graph/pairs.h"
#include "math/operator/entry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { n = 70, most = 9 };

typedef struct lists {
    int64_t pointers[n + 1], neighbours[n * most];
    double weights[n * most], row_weights[n], dense[n * n];
} lists;

/* Rows of 0 to 8 entries in any order, with loops, repeated entries and zeros; `dense` is what must come of
 * them. */
static void draw(lists *l, int weighted)
{
    ald_random random;
    ald_random_seed(&random, 3, 4);
    memset(l, 0, sizeof *l);
    for (int i = 0; i < n; i++) {
        l->row_weights[i] = weighted ? 0.0 : 1.0;
        if (weighted && i != 5) l->row_weights[i] = ald_random_uniform(&random);
    }
    for (int64_t i = 0; i < n; i++) {
        l->pointers[i + 1] = l->pointers[i] + ald_random_below(&random, most);
        for (int64_t e = l->pointers[i]; e < l->pointers[i + 1]; e++) {
            const int64_t j = l->neighbours[e] = ald_random_below(&random, n);
            l->weights[e] = weighted ? (double)ald_random_below(&random, 4) : 1.0;
            if (i == j) continue;
            l->dense[i * n + j] += l->weights[e] * l->row_weights[i];
            l->dense[j * n + i] += l->weights[e] * l->row_weights[i];
        }
    }
}

static void check_merged(const ald_pairs *pairs, const lists *l)
{
    int64_t count = 0;
    double total = 0.0;
    for (int64_t i = 0; i < n; i++) {
        double row[n] = {0};
        for (int64_t e = pairs->pointers[i]; e < pairs->pointers[i + 1]; e++) {
            assert_true(e == pairs->pointers[i] || pairs->partners[e] > pairs->partners[e - 1]);
            assert_int_equal(e >= pairs->upper[i], pairs->partners[e] > i);
            row[pairs->partners[e]] = pairs->weights[e];
        }
        for (int64_t j = 0; j < n; j++) {
            assert_close(row[j], l->dense[i * n + j], 1e-15);
            count += j > i && l->dense[i * n + j] > 0.0;
            total += j > i ? l->dense[i * n + j] : 0.0;
        }
    }
    assert_int_equal(pairs->count, count);
    assert_int_equal(pairs->pointers[n], 2 * count);
    assert_close(pairs->total, total, 1e-12 * total);
}

static void merging(void **state)
{
    (void)state;
    static lists l;
    for (int weighted = 0; weighted < 2; weighted++) {
        ald_context *context = support_context(1, NULL);
        ald_run run;
        ald_error error;
        ald_pairs pairs;
        support_run(&run, context, &error);
        draw(&l, weighted);
        assert_done(ald_pairs_merge(&run, n, l.pointers, l.neighbours, weighted ? l.weights : NULL,
                                    weighted ? l.row_weights : NULL, &pairs),
                    error);
        check_merged(&pairs, &l);
        ald_run_end(&run, ALD_OK);
        ald_context_free(context);
    }
}

/* L u = diag(W 1) u - W u, also with entries in place of the weights; the threads cut rows and change no bit.
 */
static void laplacian_and_numbers(void **state)
{
    (void)state;
    enum { k = 3, many = 400 }; /* `many` columns are enough for two threads to share the work */
    static lists l;
    double *u = support_normals(8, n * many), *v = malloc(n * many * sizeof *v),
           *w = malloc(n * many * sizeof *w);
    ald_context *context = support_context(1, NULL), *both = support_context(2, NULL);
    ald_run run, threaded;
    ald_error error;
    ald_pairs pairs;
    double *entries, *squares;
    int64_t *numbers;
    support_run(&run, context, &error);
    support_run(&threaded, both, &error);
    draw(&l, 1);
    assert_done(ald_pairs_merge(&run, n, l.pointers, l.neighbours, l.weights, l.row_weights, &pairs), error);
    assert_done(ald_scratch_reals(&run, pairs.count, 2, &entries), error);
    assert_done(ald_scratch_reals(&run, pairs.count, 1, &squares), error);
    assert_done(ald_pairs_numbers(&run, &pairs, &numbers), error);
    for (int64_t i = 0; i < n; i++)
        for (int64_t e = pairs.upper[i]; e < pairs.pointers[i + 1]; e++)
            squares[numbers[e]] = cos((double)(i * n + pairs.partners[e]));
    for (int64_t e = 0; e < 2 * pairs.count; e++) entries[e] = squares[numbers[e]];
    for (int given = 0; given < 2; given++) {
        assert_done(ald_pairs_laplacian(&run, &pairs, given ? entries : NULL, u, k, v), error);
        for (int64_t i = 0; i < n; i++)
            for (int64_t c = 0; c < k; c++) {
                double sum = 0.0;
                for (int64_t j = 0; j < n; j++) {
                    double weight = l.dense[i * n + j];
                    if (given && weight != 0.0) weight = cos((double)(i < j ? i * n + j : j * n + i));
                    sum += weight * (u[i * k + c] - u[j * k + c]);
                }
                assert_close(v[i * k + c], sum, 1e-12);
            }
    }
    assert_done(ald_pairs_laplacian(&run, &pairs, NULL, u, many, v), error);
    assert_done(ald_pairs_laplacian(&threaded, &pairs, NULL, u, many, w), error);
    assert_memory_equal(v, w, n * many * sizeof *v);
    ald_run_end(&threaded, ALD_OK);
    ald_run_end(&run, ALD_OK);
    ald_context_free(both);
    ald_context_free(context);
    free(u);
    free(v);
    free(w);
}

/* Every row is in one part, and a part has as many pairs as the others, give or take those of a row. */
static void parts_have_equally_many_pairs(void **state)
{
    (void)state;
    lists *l = malloc(sizeof *l);
    ald_context *context = support_context(1, NULL);
    ald_run run;
    ald_error error;
    ald_pairs pairs;
    int64_t rows[5];
    draw(l, 0);
    support_run(&run, context, &error);
    assert_done(ald_pairs_merge(&run, n, l->pointers, l->neighbours, NULL, NULL, &pairs), error);
    ald_pairs_cut(&pairs, 4, rows);
    assert_true(rows[0] == 0 && rows[4] == n);
    for (int part = 0; part < 4; part++) {
        int64_t count = 0;
        assert_true(rows[part] <= rows[part + 1]);
        for (int64_t i = rows[part]; i < rows[part + 1]; i++) count += pairs.pointers[i + 1] - pairs.upper[i];
        assert_true(4 * llabs((long long)(4 * count - pairs.count)) < pairs.count);
    }
    assert_done(ald_run_end(&run, ALD_OK), error);
    ald_context_free(context);
    free(l);
}

static void no_pairs(void **state)
{
    (void)state;
    const int64_t pointers[] = {0, 1, 2}, loops[] = {0, 1};
    ald_context *context = support_context(1, NULL);
    ald_run run;
    ald_error error;
    ald_pairs pairs;
    support_run(&run, context, &error);
    assert_done(ald_pairs_merge(&run, 2, pointers, loops, NULL, NULL, &pairs), error);
    assert_int_equal(pairs.count, 0);
    assert_true(pairs.total == 0.0);
    ald_run_end(&run, ALD_OK);
    ald_context_free(context);
}

static void single_entries(void **state)
{
    (void)state;
    enum { rows = 6, cols = 5 };
    double x[rows * cols];
    for (int i = 0; i < rows * cols; i++) x[i] = i % 3 == 0 ? 0.0 : 0.5 * i;
    for (int which = 0; which < support_storage_count; which++) {
        support_matrix m = support_storage(which, x, rows, cols);
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < cols; j++) {
                const int stored = m.view.storage == ALD_DENSE || x[i * cols + j] != 0.0;
                assert_true(ald_matrix_at(&m.view, i, j) == x[i * cols + j]);
                assert_int_equal(ald_matrix_has(&m.view, i, j), stored);
            }
        support_storage_free(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(merging),
        cmocka_unit_test(laplacian_and_numbers),
        cmocka_unit_test(parts_have_equally_many_pairs),
        cmocka_unit_test(no_pairs),
        cmocka_unit_test(single_entries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
