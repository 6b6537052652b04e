/* Where moments are kept without exact sums of every row (scatters of classes, sparse X, more than 1000
 * columns) a row far off costs digits when it is taken away. The model keeps a bound of that: the bound
 * holds, and more than six digits are not lost without a warning. */
#include "support/storages.h"
#include "support/support.h"
#include "support/updating.h"

#include <math.h>
#include <stdlib.h>

enum { many_columns = 1003, csr = 5, decades = 6 };

/* Sizes of the cell that is far off. */
static const double sizes[decades] = {1.0, 1e3, 1e6, 9999999999.0, 1e12, 1e15};

typedef struct rows {
    int64_t d;
    int sparse;
    double *x;           /* n x d */
    support_matrix made; /* what was made of the rows asked for last */
} rows;

static rows new_rows(int64_t columns, int sparse, double size)
{
    rows r = {.d = columns, .sparse = sparse, .x = support_normals(8, n * columns)};
    for (int64_t i = 0; sparse && i < n * columns; i++)
        if (i % 3) r.x[i] = 0.0;
    r.x[1] = size;
    return r;
}

static ald_matrix rows_from(rows *r, int64_t from, int64_t count)
{
    if (!r->sparse) return ald_matrix_row_major(r->x + from * r->d, count, r->d, r->d);
    r->made = support_storage(csr, r->x + from * r->d, count, r->d);
    assert_int_equal(r->made.view.storage, ALD_CSR);
    return r->made.view;
}

static void end_rows(rows *r)
{
    if (r->sparse) support_storage_free(&r->made);
}

static ald_model *fit_rows(const char *method, const char *set, rows *r, const sample *s, int64_t from)
{
    const ald_matrix x = rows_from(r, from, n - from);
    const ald_target y = updating_target(s, ALD_TARGET_CLASSES, from, n - from);
    ald_model *model = updating_fit(method, set, &x, &y);
    end_rows(r);
    return model;
}

static const double *array_of(const ald_model *model, const char *name)
{
    ald_array array;
    if (!ald_model_array(model, name, &array)) fail_msg("no array %s", name);
    return array.data;
}

/* The largest relative error of a variance; none is above its bound. */
static double largest_error(int64_t columns, const ald_model *back, const ald_model *right)
{
    const double *got = array_of(back, "statistics/scatter"), *is = array_of(right, "statistics/scatter"),
                 *bound = array_of(back, "statistics/lost");
    double largest = 0.0;
    for (int64_t j = 0; j < columns; j++) {
        const double error = fabs(got[j * columns + j] - is[j * columns + j]);
        assert_below(error, bound[j] + 1e-13 * is[j * columns + j]);
        largest = fmax(largest, error / is[j * columns + j]);
    }
    return largest;
}

static ald_status take_out_first(const char *method, const char *set, rows *r, const sample *s, double *error)
{
    ald_model *whole = fit_rows(method, set, r, s, 0), *right = fit_rows(method, set, r, s, 1), *back;
    ald_error told;
    const ald_matrix x = rows_from(r, 0, 1);
    const ald_target y = updating_target(s, ALD_TARGET_CLASSES, 0, 1);
    const ald_status status = updating_update(whole, &x, &y, 1, &back, &told);
    end_rows(r);
    if (status >= 0) *error = largest_error(r->d, back, right);
    ald_model_free(whole);
    ald_model_free(right);
    ald_model_free(back);
    return status;
}

static void what_is_lost_is_bounded_and_told(void **state)
{
    (void)state;
    static const struct {
        const char *method, *set;
        int64_t columns;
        int sparse, step; /* every so many sizes */
    } cases[] = {
        {"cfml", "n_components=1 keep_statistics=1", d, 0, 1},
        {"lda", "n_components=2 keep_statistics=1", d, 1, 1},
        {"pca", "n_components=1 keep_statistics=1", many_columns, 0, decades - 1},
    };
    sample *s = malloc(sizeof *s);
    updating_sample(s);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int k = 0; k < decades; k += cases[c].step) {
            rows r = new_rows(cases[c].columns, cases[c].sparse, sizes[k]);
            double error = INFINITY;
            const ald_status status = take_out_first(cases[c].method, cases[c].set, &r, s, &error);
            if (k == 0) assert_int_equal(status, ALD_OK);
            if (k >= 3) assert_true(status != ALD_OK);
            if (status == ALD_OK) assert_below(error, 1e-10);
            free(r.x);
        }
    free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_lost_is_bounded_and_told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
