/* Dense X by rows, by columns as R has it, and as floats: sums are made in the same order, so not a bit
 * of a product differs. */
#include "support/storages.h"
#include "support/support.h"

#include "math/operator/operator.h"

#include <stdlib.h>
#include <string.h>

/* All products of z with one column and with three, one behind the other in `out`. */
static int64_t multiply_all(ald_run *run, const ald_operator *z, double *out)
{
    const int64_t rows = z->x.rows, cols = z->x.cols, counts[] = {1, 3};
    double *v = support_normals(33, cols * 3), *u = support_normals(34, rows * 3), *at = out;
    const double alpha[] = {0.5, -2.0, 3.0};
    for (int c = 0; c < 2; c++) {
        const int64_t count = counts[c];
        assert_done(ald_operator_apply(run, z, ald_of(v, cols, count), ald_at(at, rows, count)), *run->error);
        at += rows * count;
        assert_done(ald_operator_apply_transposed(run, z, ald_of(u, rows, count), ald_at(at, cols, count)),
                    *run->error);
        at += cols * count;
        memcpy(at + cols * count, u, (size_t)(rows * count) * sizeof *u);
        assert_done(ald_operator_advance(run, z, ald_of(v, cols, count), alpha,
                                         ald_at(at + cols * count, rows, count), ald_at(at, cols, count)),
                    *run->error);
        at += (rows + cols) * count;
    }
    free(v);
    free(u);
    return at - out;
}

static void dense_storages_give_the_same_bytes(void **state)
{
    (void)state;
    const int64_t shapes[][2] = {{97, 41}, {2003, 133}, {7, 9001}};
    for (int s = 0; s < 3; s++) {
        const int64_t rows = shapes[s][0], cols = shapes[s][1], room = 16 * (rows + cols);
        double *x = support_normals(35, rows * cols), *mean = support_normals(36, cols),
               *weight = support_normals(37, rows), *want = malloc((size_t)room * sizeof *want),
               *got = malloc((size_t)room * sizeof *got);
        ald_context *context = support_context(2, NULL);
        for (int64_t i = 0; i < rows * cols; i++) x[i] = (double)(float)x[i];
        for (int which = 0; which < 5; which++)
            for (int parts = 0; parts < 4; parts++) {
                support_matrix m = support_storage(which, x, rows, cols),
                               first = support_storage(0, x, rows, cols);
                ald_run run;
                ald_error error;
                support_run(&run, context, &error);
                ald_operator z = {.x = first.view, .mean = mean};
                if (parts & 1) z.inverse_scale = mean;
                if (parts & 2) z.row_weight = weight;
                const int64_t count = multiply_all(&run, &z, want);
                z.x = m.view;
                assert_int_equal(multiply_all(&run, &z, got), count);
                assert_memory_equal(want, got, (size_t)count * sizeof *want);
                ald_run_end(&run, ALD_OK);
                support_storage_free(&m);
                support_storage_free(&first);
            }
        ald_context_free(context);
        free(x);
        free(mean);
        free(weight);
        free(want);
        free(got);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dense_storages_give_the_same_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
