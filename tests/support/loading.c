#include "support/loading.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

void load_as(loaded *l, const ald_reader *reader, const char *text, const ald_load_options *options)
{
    reading_begin(&l->r);
    l->data = NULL;
    l->status = reading_bytes(&l->r, reader, text, strlen(text), options);
    if (l->status >= 0) l->status = ald_dataset_new(&l->r.run, &l->data);
    if (l->status >= 0) l->status = ald_dataset_from_table(&l->r.run, &l->r.table, options, l->data);
}

void unload(loaded *l)
{
    ald_dataset_free(l->data);
    reading_end(&l->r);
}

void load(loaded *l, const char *text, const ald_load_options *options)
{
    load_as(l, &ald_csv_reader, text, options);
    if (l->status < 0) fail_msg("%s", l->r.error.message);
}

void expect_error_as(const ald_reader *reader, const char *text, const ald_load_options *options,
                     int64_t line, int64_t column, const char *part)
{
    loaded l;
    load_as(&l, reader, text, options);
    if (l.status >= 0) fail_msg("no error, expected '%s'", part);
    if (!strstr(l.r.error.message, part) || l.r.error.line != line || l.r.error.column != column)
        fail_msg("expected '%s' at %d, %d; got %d, %d: %s", part, (int)line, (int)column, (int)l.r.error.line,
                 (int)l.r.error.column, l.r.error.message);
    unload(&l);
}

void expect_error(const char *text, const ald_load_options *options, int64_t line, int64_t column,
                  const char *part)
{
    expect_error_as(&ald_csv_reader, text, options, line, column, part);
}

void expect_x(const loaded *l, int64_t rows, int64_t cols, const double *values)
{
    const ald_matrix *x = ald_dataset_x(l->data);
    assert_int_equal(x->storage, ALD_DENSE);
    assert_int_equal(x->rows, rows);
    assert_int_equal(x->cols, cols);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < cols; j++) {
            const double found = ((const double *)x->values)[i * x->row_stride + j * x->col_stride];
            if (found != values[i * cols + j])
                fail_msg("X(%d, %d) is %g, expected %g", (int)i, (int)j, found, values[i * cols + j]);
        }
}

void expect_sparse_x(const loaded *l, int64_t rows, int64_t cols, const double *values)
{
    const ald_matrix *x = ald_dataset_x(l->data);
    const int64_t *pointers = x->pointers, *indices = x->indices;
    assert_int_equal(x->storage, ALD_CSR);
    assert_int_equal(x->rows, rows);
    assert_int_equal(x->cols, cols);
    for (int64_t i = 0; i < rows; i++) {
        double row[16] = {0};
        for (int64_t e = pointers[i]; e < pointers[i + 1]; e++) {
            assert_true(e == pointers[i] || indices[e] > indices[e - 1]);
            row[indices[e]] = ((const double *)x->values)[e];
        }
        for (int64_t j = 0; j < cols; j++)
            if (row[j] != values[i * cols + j]) fail_msg("X(%d, %d) is %g", (int)i, (int)j, row[j]);
    }
}

void expect_classes(const loaded *l, int64_t rows, const int32_t *codes, const char *const *names)
{
    const ald_target *y = ald_dataset_target(l->data);
    assert_int_equal(y->kind, ALD_TARGET_CLASSES);
    assert_int_equal(y->rows, rows);
    for (int64_t i = 0; i < rows; i++)
        if (!y->labelled || y->labelled[i]) assert_int_equal(y->classes[i], codes[i]);
    int64_t count = 0;
    for (; names[count]; count++) assert_string_equal(y->names[count], names[count]);
    assert_int_equal(y->n_classes, count);
}
