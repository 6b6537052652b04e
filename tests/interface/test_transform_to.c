/* Projections into f32 and strided arrays, of dense and sparse rows, in more than one block. */
#include "support/fitting.h"
#include "support/storages.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { n = 33000, d = 4, r = 2 }; /* two blocks: one has 65536 / r rows */

static void compare(const ald_model *model, const ald_matrix *x, const double *z)
{
    static const struct {
        ald_type type;
        int64_t row_stride, col_stride;
    } shapes[] = {{ALD_F64, r, 1}, {ALD_F64, 1, n}, {ALD_F32, r + 3, 1}, {ALD_F32, 2, 2 * n}};
    ald_context *context = support_context(2, NULL);
    ald_error error;
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        float *f = calloc(n * (r + 3), sizeof *f);
        double *g = calloc(n * (r + 3), sizeof *g);
        const int single = shapes[k].type == ALD_F32;
        const ald_output_view out = {
            .type = shapes[k].type,
            .rows = n,
            .cols = r,
            .values = single ? (void *)f : (void *)g,
            .row_stride = shapes[k].row_stride,
            .col_stride = shapes[k].col_stride,
        };
        assert_done(ald_transform_to(context, model, x, &out, &error), error);
        for (int64_t i = 0; i < n; i++)
            for (int64_t c = 0; c < r; c++) {
                const int64_t at = i * out.row_stride + c * out.col_stride;
                const double found = single ? (double)f[at] : g[at], size = fabs(z[i * r + c]) + 1.0;
                assert_close(found, z[i * r + c], (single ? 1e-7 : 1e-13) * size);
            }
        if (k == 2) /* what lies between the rows is not touched */
            for (int64_t i = 0; i < n; i++)
                assert_true(f[i * (r + 3) + r] == 0.0F && f[i * (r + 3) + r + 2] == 0.0F);
        free(f);
        free(g);
    }
    ald_context_free(context);
}

static void all_storages_and_shapes(void **state)
{
    (void)state;
    static const char *const methods[] = {"pca", "kpca"};
    static const char *const sets[] = {"n_components=2 scale=standard", "n_components=2 landmarks=20"};
    support_sample s = support_sample_make(n, d, 8);
    ald_context *context = support_context(1, NULL);
    ald_error error;
    double *z = malloc(n * r * sizeof *z);
    for (int m = 0; m < 2; m++) {
        ald_model *model = support_fit(methods[m], sets[m], &s.view, NULL);
        for (int which = 0; which < support_storage_count; which++) {
            support_matrix x = support_storage(which, s.x, n, d);
            assert_done(ald_transform(context, model, &x.view, z, &error), error);
            compare(model, &x.view, z);
            support_storage_free(&x);
        }
        ald_model_free(model);
    }
    free(z);
    ald_context_free(context);
    support_sample_free(&s);
}

/* The projection whole, in doubles, would take 8 x 300000 bytes: nothing as large as half of it is asked for.
 */
static size_t largest;

static void *watch(void *user, void *block, size_t size)
{
    (void)user;
    if (size > largest) largest = size;
    if (size > 0) return realloc(block, size);
    free(block);
    return NULL;
}

static void room_is_that_of_a_block(void **state)
{
    (void)state;
    enum { many = 300000, wide = 3 };
    double *x = support_normals(2, many * wide);
    float *z = malloc(many * sizeof *z);
    const ald_options options = {.size = sizeof options, .threads = 1, .allocator = {watch, NULL}};
    ald_context *context;
    ald_error error;
    const ald_matrix few = ald_matrix_row_major(x, 100, wide, wide),
                     all = ald_matrix_row_major(x, many, wide, wide);
    ald_model *model = support_fit("pca", "n_components=1", &few, NULL);
    const ald_output_view out = {.type = ALD_F32, .rows = many, .cols = 1, .values = z, .row_stride = 1};
    assert_done(ald_context_new(&options, &context, &error), error);
    largest = 0;
    assert_done(ald_transform_to(context, model, &all, &out, &error), error);
    assert_below((double)largest, 8 * many / 2.0);
    ald_model_free(model);
    ald_context_free(context);
    free(x);
    free(z);
}

static void wrong_outputs_are_refused(void **state)
{
    (void)state;
    support_sample s = support_sample_make(20, d, 8);
    ald_model *model = support_fit("pca", "n_components=2", &s.view, NULL);
    ald_context *context = support_context(1, NULL);
    ald_error error;
    double z[40];
    const ald_output_view good = {.rows = 20, .cols = 2, .values = z, .row_stride = 2, .col_stride = 1};
    ald_output_view bad[5] = {good, good, good, good, good};
    bad[0].rows = 19;
    bad[1].cols = 3;
    bad[2].values = NULL;
    bad[3].row_stride = 0;
    bad[4].type = (ald_type)7;
    assert_done(ald_transform_to(context, model, &s.view, &good, &error), error);
    for (int k = 0; k < 5; k++)
        assert_int_equal(ald_transform_to(context, model, &s.view, &bad[k], &error), ALD_ERROR_ARGUMENT);
    s.x[7] = NAN;
    assert_int_equal(ald_transform_to(context, model, &s.view, &good, &error), ALD_ERROR_DATA);
    ald_model_free(model);
    ald_context_free(context);
    support_sample_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_storages_and_shapes),
        cmocka_unit_test(room_is_that_of_a_block),
        cmocka_unit_test(wrong_outputs_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
