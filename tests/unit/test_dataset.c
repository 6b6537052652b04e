/* From a table to X and target: encoding, missing cells, the task rule, new files read like the model's, and errors. */
#include "data/dataset.h"
#include "support/reading.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct loaded {
    reading r;
    ald_dataset *data;
    ald_status status;
} loaded;

static void load_as(loaded *l, const ald_reader *reader, const char *text, const ald_load_options *options)
{
    reading_begin(&l->r);
    l->data = NULL;
    l->status = reading_bytes(&l->r, reader, text, strlen(text), options);
    if (l->status >= 0) l->status = ald_dataset_new(&l->r.run, &l->data);
    if (l->status >= 0) l->status = ald_dataset_from_table(&l->r.run, &l->r.table, options, l->data);
}

static void unload(loaded *l)
{
    ald_dataset_free(l->data);
    reading_end(&l->r);
}

static void load(loaded *l, const char *text, const ald_load_options *options)
{
    load_as(l, &ald_csv_reader, text, options);
    if (l->status < 0) fail_msg("%s", l->r.error.message);
}

static void expect_error_as(const ald_reader *reader, const char *text, const ald_load_options *options, int64_t line,
                            int64_t column, const char *part)
{
    loaded l;
    load_as(&l, reader, text, options);
    if (l.status >= 0) fail_msg("no error, expected '%s'", part);
    if (!strstr(l.r.error.message, part) || l.r.error.line != line || l.r.error.column != column)
        fail_msg("expected '%s' at %d, %d; got %d, %d: %s", part, (int)line, (int)column, (int)l.r.error.line,
                 (int)l.r.error.column, l.r.error.message);
    unload(&l);
}

static void expect_error(const char *text, const ald_load_options *options, int64_t line, int64_t column, const char *part)
{
    expect_error_as(&ald_csv_reader, text, options, line, column, part);
}

static void expect_x(const loaded *l, int64_t rows, int64_t cols, const double *values)
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

static void expect_sparse_x(const loaded *l, int64_t rows, int64_t cols, const double *values)
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

static void expect_classes(const loaded *l, int64_t rows, const int32_t *codes, const char *const *names)
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

#define CLASS_NAMES(...) (const char *const[]){__VA_ARGS__, NULL}
#define OPTIONS(...) &(ald_load_options){__VA_ARGS__}

static void test_numbers_and_target(void **state)
{
    (void)state;
    loaded l;
    load(&l, "a,y,b\n1,0.5,2\n3,1.5,4\n5,2.5,6\n", OPTIONS(.target = "y"));
    expect_x(&l, 3, 2, (double[]){1, 2, 3, 4, 5, 6});
    const ald_target *y = ald_dataset_target(l.data);
    assert_int_equal(y->kind, ALD_TARGET_REAL);
    assert_int_equal(y->values.cols, 1);
    assert_true(((const double *)y->values.values)[2] == 2.5);
    assert_null(y->labelled);
    assert_string_equal(ald_dataset_feature_name(l.data, 1), "b");
    assert_null(ald_dataset_feature_name(l.data, 2));
    assert_string_equal(ald_dataset_response_name(l.data, 0), "y");
    assert_string_equal(ald_dataset_task_note(l.data), "target y: real (3 distinct values)");
    unload(&l);
}

/* The matrix is in memory once: X is where the cells were. */
static void test_in_place(void **state)
{
    (void)state;
    loaded l;
    reading_begin(&l.r);
    assert_int_equal(reading_text(&l.r, &ald_csv_reader, "a,b\n1,2\n3,4\n"), ALD_OK);
    const double *cells = l.r.table.cells;
    assert_int_equal(ald_dataset_new(&l.r.run, &l.data), ALD_OK);
    assert_int_equal(ald_dataset_from_table(&l.r.run, &l.r.table, OPTIONS(.target = NULL), l.data), ALD_OK);
    assert_ptr_equal(ald_dataset_x(l.data)->values, cells);
    assert_int_equal(ald_dataset_target(l.data)->kind, ALD_TARGET_NONE);
    assert_string_equal(ald_dataset_task_note(l.data), "no target");
    unload(&l);
}

static void test_one_hot(void **state)
{
    (void)state;
    loaded l;
    load(&l, "a,colour,y\n1,red,1\n2,blue,2\n3,red,3\n", OPTIONS(.target = "y"));
    expect_x(&l, 3, 3, (double[]){1, 0, 1, 2, 1, 0, 3, 0, 1});
    assert_string_equal(ald_dataset_feature_name(l.data, 0), "a");
    assert_string_equal(ald_dataset_feature_name(l.data, 1), "colour=blue");
    assert_string_equal(ald_dataset_feature_name(l.data, 2), "colour=red");
    unload(&l);
    load(&l, "a,colour,y\n1,red,1\n2,blue,2\n3,red,3\n", OPTIONS(.target = "y", .encode = "ordinal"));
    expect_x(&l, 3, 2, (double[]){1, 1, 2, 0, 3, 1});
    unload(&l);
    load(&l, "u\nv\nw\n", OPTIONS(.header = "no")); /* wider than the table */
    expect_x(&l, 3, 3, (double[]){1, 0, 0, 0, 1, 0, 0, 0, 1});
    assert_string_equal(ald_dataset_feature_name(l.data, 2), "#1=w");
    unload(&l);
}

static void test_numbers_as_categories(void **state)
{
    (void)state;
    loaded l;
    load(&l, "k,b\n10,1\n9,2\n10,3\n-1,4\n", OPTIONS(.categorical = "k"));
    expect_x(&l, 4, 4, (double[]){0, 0, 1, 1, 0, 1, 0, 2, 0, 0, 1, 3, 1, 0, 0, 4});
    assert_string_equal(ald_dataset_feature_name(l.data, 0), "k=-1");
    assert_string_equal(ald_dataset_feature_name(l.data, 2), "k=10");
    unload(&l);
    load(&l, "k,b\n10,1\nA,2\n9,3\n", OPTIONS(.categorical = "k", .encode = "ordinal")); /* as texts: 10 9 A */
    expect_x(&l, 3, 2, (double[]){0, 1, 2, 2, 1, 3});
    unload(&l);
}

static void test_mixture_is_an_error(void **state)
{
    (void)state;
    expect_error("a,b\n1,2\n3,4\n5,n/a\n", OPTIONS(.target = "a"), 4, 2,
                 "memory: line 4, column 2 ('b') holds the text 'n/a' but 2 other cells of it are numbers: correct the cell, "
                 "or give --categorical b");
}

static void test_ignore_and_weights(void **state)
{
    (void)state;
    loaded l;
    const char *text = "id,a,w,y\n7,1,0.5,u\n8,2,0,v\n9,3,2,u\n";
    load(&l, text, OPTIONS(.target = "y", .weights = "w", .ignore = "id"));
    expect_x(&l, 3, 1, (double[]){1, 2, 3});
    const double *weights = ald_dataset_target(l.data)->weights;
    assert_true(weights[0] == 0.5 && weights[1] == 0.0 && weights[2] == 2.0);
    expect_classes(&l, 3, (int32_t[]){0, 1, 0}, CLASS_NAMES("u", "v"));
    unload(&l);
    expect_error(text, OPTIONS(.target = "y", .ignore = "y"), 0, 0, "column 'y' is given to both --target and --ignore");
    expect_error(text, OPTIONS(.target = "id,a,w,y"), 0, 0, "no column is left as a feature");
    expect_error(text, OPTIONS(.weights = "y"), 0, 4, "row 1, column 4 ('y') is u where a number of 0 or more");
    expect_error("a,w\n1,-1\n2,1\n", OPTIONS(.weights = "w"), 0, 2, "row 1, column 2 ('w') is -1");
    expect_error("a,w\n1,\n2,1\n", OPTIONS(.weights = "w"), 0, 2, "is empty");
    expect_error("a,w\n1,0\n2,0\n", OPTIONS(.weights = "w"), 0, 0, "is zero in every row");
    expect_error(text, OPTIONS(.missing = "median"), 0, 0, "--missing: 'median' is none of error, drop, mean");
}

static void test_missing(void **state)
{
    (void)state;
    loaded l;
    const char *text = "a,c,y\n1,u,1.5\n,v,2.5\n3,,3.5\n5,v,4.5\n";
    expect_error(text, OPTIONS(.target = "y"), 3, 1, "memory: line 3, column 1 ('a') is empty");
    load(&l, text, OPTIONS(.target = "y", .missing = "drop"));
    expect_x(&l, 2, 3, (double[]){1, 1, 0, 5, 0, 1});
    assert_int_equal(ald_dataset_target(l.data)->rows, 2);
    assert_true(((const double *)ald_dataset_target(l.data)->values.values)[1] == 4.5);
    unload(&l);
    load(&l, text, OPTIONS(.target = "y", .missing = "mean"));
    expect_x(&l, 4, 3, (double[]){1, 1, 0, 3, 0, 1, 3, 0, 1, 5, 0, 1});
    unload(&l);
    expect_error("a,b\n,1\n,2\n", OPTIONS(.missing = "mean"), 0, 0, "column 'a' has no value to fill");
    expect_error("a,b\n,1\n2,\n", OPTIONS(.missing = "drop"), 0, 0, "no row is left");
}

static void test_task_rule(void **state)
{
    (void)state;
    loaded l;
    load(&l, "a,y\n1,2\n2,10\n3,2\n4,10\n", OPTIONS(.target = "y"));
    expect_classes(&l, 4, (int32_t[]){0, 1, 0, 1}, CLASS_NAMES("2", "10"));
    assert_string_equal(ald_dataset_response_name(l.data, 0), "y");
    unload(&l);
    const struct {
        const char *text;
        ald_load_options options;
        ald_target_kind kind;
    } cases[] = {
        {"a,y\n1,2\n2,10\n3,2\n4,10\n", {.target = "y", .prefer_real = 1}, ALD_TARGET_REAL},
        {"a,y\n1,2\n2,10\n3,2\n4,10\n", {.target = "y", .task = "regression"}, ALD_TARGET_REAL},
        {"a,y\n1,2\n2,10\n3,2\n4,11\n", {.target = "y"}, ALD_TARGET_REAL},      /* 10 and 11 in one row only */
        {"a,y\n1,2.5\n2,1\n3,2.5\n4,1\n", {.target = "y"}, ALD_TARGET_REAL},    /* not whole */
        {"a,y\n1,2.5\n2,1\n3,2.5\n4,1\n", {.target = "y", .task = "classification"}, ALD_TARGET_CLASSES},
        {"a,y\n1,2.5\n2,1\n3,2.5\n4,1\n", {.target = "y", .categorical = "y"}, ALD_TARGET_CLASSES},
        {"a,y\n1,u\n2,v\n", {.target = "y", .prefer_real = 1}, ALD_TARGET_CLASSES},
        {"a,y\n1,3\n2,v\n", {.target = "y", .task = "classification"}, ALD_TARGET_CLASSES},
        {"a,p,q\n1,0,1\n2,1,1\n", {.target = "p,q"}, ALD_TARGET_LABELS},
        {"a,p,q\n1,0,1\n2,1,1\n3,1,0\n", {.target = "p,q", .task = "regression"}, ALD_TARGET_REAL},
        {"a,p,q\n1,0,1\n2,1,2\n", {.target = "p,q"}, ALD_TARGET_REAL},
        {"a,p\n1,0\n2,1\n", {.target = "p", .task = "multilabel"}, ALD_TARGET_LABELS},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        load(&l, cases[k].text, &cases[k].options);
        if (ald_dataset_target(l.data)->kind != cases[k].kind)
            fail_msg("case %d is of kind %d: %s", (int)k, (int)ald_dataset_target(l.data)->kind,
                     ald_dataset_task_note(l.data));
        unload(&l);
    }
}

/* Twenty distinct values are classes, twenty-one are not. */
static void test_task_rule_limit(void **state)
{
    (void)state;
    for (int distinct = 20; distinct <= 21; distinct++) {
        char text[2000];
        size_t used = (size_t)sprintf(text, "a,y\n");
        for (int i = 0; i < 2 * distinct; i++) used += (size_t)sprintf(text + used, "%d,%d\n", i, i % distinct);
        loaded l;
        load(&l, text, OPTIONS(.target = "y"));
        assert_int_equal(ald_dataset_target(l.data)->kind, distinct == 20 ? ALD_TARGET_CLASSES : ALD_TARGET_REAL);
        unload(&l);
    }
}

static void test_target_errors(void **state)
{
    (void)state;
    expect_error("a,y\n1,u\n2,v\n", OPTIONS(.target = "y", .task = "regression"), 2, 2, "line 2, column 2 ('y') of the target holds the text 'u'");
    expect_error("a,y\n1,1\n2,v\n", OPTIONS(.target = "y"), 3, 2, "holds the text 'v' where a number is expected as in its other cells");
    expect_error("a,y\n1,4\n2,4\n3,4\n", OPTIONS(.target = "y"), 0, 0, "target column 2 ('y') has the same value in every row (4)");
    expect_error("a,y\n1,4.5\n2,4.5\n", OPTIONS(.target = "y"), 0, 0, "has the same value in every row (4.5)");
    expect_error("a,y\n1,u\n2,u\n", OPTIONS(.target = "y"), 0, 0, "has the same value in every row (u)");
    expect_error("a,y\n1,\n2,\n", OPTIONS(.target = "y"), 0, 0, "the target is empty in every row");
    expect_error("a,p,q\n1,2,3\n2,3,4\n", OPTIONS(.target = "p,q", .task = "classification"), 0, 0, "takes one target column, 2 are given");
    expect_error("a,p,q\n1,2,3\n2,3,4\n", OPTIONS(.target = "p,q", .task = "multilabel"), 0, 0, "columns of 0 and 1");
    expect_error("a,p,q\n1,2,3\n2,,4\n", OPTIONS(.target = "p,q"), 3, 2, "line 3, column 2 ('p') is empty, but other target cells");
    expect_error("a,p,q\n1,u,3\n2,v,4\n", OPTIONS(.target = "p,q"), 2, 2, "several target columns must be numbers");
}

static void test_unlabelled_rows(void **state)
{
    (void)state;
    loaded l;
    const char *text = "a,y\n1,u\n2,\n3,v\n4,?\n";
    load(&l, text, OPTIONS(.target = "y"));
    expect_x(&l, 4, 1, (double[]){1, 2, 3, 4});
    expect_classes(&l, 4, (int32_t[]){0, -1, 1, -1}, CLASS_NAMES("u", "v"));
    assert_memory_equal(ald_dataset_target(l.data)->labelled, "\1\0\1\0", 4);
    assert_string_equal(ald_dataset_task_note(l.data), "target y: 2 classes (text); 2 of 4 rows unlabelled");
    unload(&l);
    load(&l, text, OPTIONS(.target = "y", .unlabelled_rows = "drop"));
    expect_x(&l, 2, 1, (double[]){1, 3});
    expect_classes(&l, 2, (int32_t[]){0, 1}, CLASS_NAMES("u", "v"));
    assert_null(ald_dataset_target(l.data)->labelled);
    unload(&l);
    load(&l, "a,p,q\n1,0.5,1\n2,,\n3,2,7\n", OPTIONS(.target = "p..q"));
    assert_memory_equal(ald_dataset_target(l.data)->labelled, "\1\0\1", 3);
    assert_true(((const double *)ald_dataset_target(l.data)->values.values)[2] == 0.0); /* no NaN about */
    unload(&l);
}

static void test_svmlight(void **state)
{
    (void)state;
    loaded l;
    load_as(&l, &ald_svmlight_reader, "-1 1:2 3:4\n+1 2:5\n-1 3:1\n+1\n", OPTIONS(.task = NULL));
    assert_int_equal(l.status, ALD_OK);
    expect_sparse_x(&l, 4, 3, (double[]){2, 0, 4, 0, 5, 0, 0, 0, 1, 0, 0, 0});
    expect_classes(&l, 4, (int32_t[]){0, 1, 0, 1}, CLASS_NAMES("-1", "1"));
    unload(&l);
    load_as(&l, &ald_svmlight_reader, "10,2 1:2\n2 2:5\n? 1:1\n10 1:3\n", OPTIONS(.task = NULL));
    assert_int_equal(l.status, ALD_OK);
    const ald_target *y = ald_dataset_target(l.data);
    assert_int_equal(y->kind, ALD_TARGET_LABELS);
    assert_int_equal(y->values.storage, ALD_CSR);
    assert_int_equal(y->values.cols, 2);
    assert_string_equal(y->names[0], "2");
    assert_string_equal(y->names[1], "10");
    assert_memory_equal(y->values.pointers, ((int64_t[]){0, 2, 3, 3, 4}), 5 * sizeof(int64_t));
    assert_memory_equal(y->values.indices, ((int64_t[]){0, 1, 0, 1}), 4 * sizeof(int64_t));
    assert_memory_equal(y->labelled, "\1\1\0\1", 4);
    unload(&l);
    load_as(&l, &ald_svmlight_reader, "0 1:2 2:1\n0 2:5 3:1\n", OPTIONS(.task = NULL));
    assert_int_equal(l.status, ALD_OK);
    assert_int_equal(ald_dataset_target(l.data)->kind, ALD_TARGET_NONE);
    unload(&l);
    load_as(&l, &ald_svmlight_reader, "0 1:2 2:1.5 4:1\n0 2:5 3:1\n", OPTIONS(.target = "2", .ignore = "#1"));
    assert_int_equal(l.status, ALD_OK);
    expect_sparse_x(&l, 2, 2, (double[]){0, 1, 1, 0});
    assert_true(((const double *)ald_dataset_target(l.data)->values.values)[0] == 1.5);
    unload(&l);
}

static void test_arff(void **state)
{
    (void)state;
    loaded l;
    const char *text = "@relation r\n@attribute size {small,large,huge}\n@attribute a numeric\n@attribute class {z,y,x}\n"
                       "@data\nlarge,1,z\nsmall,2,y\nlarge,3,z\n";
    load_as(&l, &ald_arff_reader, text, OPTIONS(.target = "class"));
    assert_int_equal(l.status, ALD_OK);
    expect_x(&l, 3, 4, (double[]){0, 1, 0, 1, 1, 0, 0, 2, 0, 1, 0, 3});
    expect_classes(&l, 3, (int32_t[]){0, 1, 0}, CLASS_NAMES("z", "y")); /* file order; x does not occur */
    unload(&l);
    const char *labels = "@relation r\n@attribute a numeric\n@attribute p {0,1}\n@attribute q {0,1}\n@data\n1,0,1\n2,1,1\n";
    load_as(&l, &ald_arff_reader, labels, OPTIONS(.target = "p,q"));
    assert_int_equal(l.status, ALD_OK);
    assert_int_equal(ald_dataset_target(l.data)->kind, ALD_TARGET_LABELS);
    assert_memory_equal(ald_dataset_target(l.data)->values.values, ((double[]){0, 1, 1, 1}), 4 * sizeof(double));
    unload(&l);
}

/* A model that holds the schema of the dataset. */
static ald_model *model_of(loaded *l)
{
    ald_model *model;
    assert_int_equal(ald_model_new(&l->r.run, &model), ALD_OK);
    assert_int_equal(ald_model_set_text(&l->r.run, model, "alidade.schema", l->data->schema), ALD_OK);
    assert_int_equal(ald_model_set_printed(&l->r.run, model, "alidade.n_features", "%lld",
                                           (long long)ald_dataset_x(l->data)->cols),
                     ALD_OK);
    return model;
}

static void test_like_by_name(void **state)
{
    (void)state;
    loaded train, l;
    load(&train, "id,a,colour,y\n7,1,red,u\n8,2,blue,v\n9,3,green,u\n", OPTIONS(.target = "y", .ignore = "id", .missing = "mean"));
    ald_model *model = model_of(&train);
    load(&l, "y,extra,colour,a\nv,0,red,4\nu,0,green,5\n", OPTIONS(.like = model));
    expect_x(&l, 2, 4, (double[]){4, 0, 0, 1, 5, 0, 1, 0});
    expect_classes(&l, 2, (int32_t[]){1, 0}, CLASS_NAMES("u", "v"));
    assert_string_equal(ald_dataset_feature_name(l.data, 3), "colour=red");
    unload(&l);
    load(&l, "colour,a\nblue,4\n", OPTIONS(.like = model)); /* without the target */
    expect_x(&l, 1, 4, (double[]){4, 1, 0, 0});
    assert_int_equal(ald_dataset_target(l.data)->kind, ALD_TARGET_NONE);
    unload(&l);
    load(&l, "colour,a,y\nblue,,u\n", OPTIONS(.like = model)); /* the training mean; one class is no fault here */
    expect_x(&l, 1, 4, (double[]){2, 1, 0, 0});
    unload(&l);
    expect_error("colour,a\nblue,\n", OPTIONS(.like = model, .missing = "error"), 2, 2, "line 2, column 2 ('a') is empty");
    expect_error("color,a\nblue,1\n", OPTIONS(.like = model), 0, 0, "no column 'colour', which the model was fitted on; is it 'color'?");
    expect_error("colour,a\npink,1\n", OPTIONS(.like = model), 2, 1, "holds 'pink', which the rows the model was fitted on did not have: known are blue, green, red");
    expect_error("colour,a\nred,1\nred,x\n", OPTIONS(.like = model), 3, 2, "holds the text 'x', but the column was a number");
    expect_error("colour,a,y\nred,1,w\n", OPTIONS(.like = model), 0, 0, "the target of row 1 is 'w', which is no class of the model: known are u, v");
    ald_model_free(model);
    unload(&train);
}

static void test_like_by_position(void **state)
{
    (void)state;
    loaded train, l;
    load(&train, "a,y,b,w\n1,0.5,2,1\n3,1.5,4,1\n5,2.5,6,2\n", OPTIONS(.target = "y", .weights = "w"));
    ald_model *model = model_of(&train);
    load(&l, "7,8\n9,10\n", OPTIONS(.like = model, .header = "no"));
    expect_x(&l, 2, 2, (double[]){7, 8, 9, 10});
    assert_string_equal(ald_dataset_feature_name(l.data, 1), "b");
    unload(&l);
    load(&l, "7,1.5,8,9\n", OPTIONS(.like = model, .header = "no"));
    expect_x(&l, 1, 2, (double[]){7, 8});
    assert_true(((const double *)ald_dataset_target(l.data)->values.values)[0] == 1.5);
    unload(&l);
    load(&l, "7,1.5,8\n", OPTIONS(.like = model, .header = "no"));
    expect_x(&l, 1, 2, (double[]){7, 8});
    assert_int_equal(ald_dataset_target(l.data)->kind, ALD_TARGET_REAL);
    unload(&l);
    expect_error("1,2,3,4,5\n", OPTIONS(.like = model, .header = "no"), 0, 0, "has 5 columns, but the model wants its 2 feature columns, or 4");
    ald_model_free(model);
    unload(&train);
}

static void test_like_svmlight(void **state)
{
    (void)state;
    loaded train, l;
    load_as(&train, &ald_svmlight_reader, "1 1:2 4:4\n2 2:5\n1 1:1\n2 2:1\n", OPTIONS(.task = NULL));
    ald_model *model = model_of(&train);
    load_as(&l, &ald_svmlight_reader, "2 1:1\n1 2:3\n", OPTIONS(.like = model));
    if (l.status < 0) fail_msg("%s", l.r.error.message);
    expect_sparse_x(&l, 2, 4, (double[]){1, 0, 0, 0, 0, 3, 0, 0});
    expect_classes(&l, 2, (int32_t[]){1, 0}, CLASS_NAMES("1", "2"));
    unload(&l);
    load_as(&l, &ald_svmlight_reader, "0 1:1\n0 2:3\n", OPTIONS(.like = model)); /* nobody labelled them */
    assert_int_equal(l.status, ALD_OK);
    assert_int_equal(ald_dataset_target(l.data)->kind, ALD_TARGET_NONE);
    unload(&l);
    expect_error_as(&ald_svmlight_reader, "1 5:1\n", OPTIONS(.like = model), 0, 0, "has a column 5, but the model was fitted on 4 columns");
    expect_error_as(&ald_svmlight_reader, "1 1:1\n3 1:1\n", OPTIONS(.like = model), 0, 0, "'3', which is no class");
    ald_model_free(model);
    unload(&train);
    load_as(&train, &ald_svmlight_reader, "3,1 1:2\n2 2:5\n", OPTIONS(.task = NULL));
    model = model_of(&train);
    load_as(&l, &ald_svmlight_reader, "2 1:1\n", OPTIONS(.like = model));
    assert_int_equal(l.status, ALD_OK);
    assert_int_equal(ald_dataset_target(l.data)->kind, ALD_TARGET_LABELS);
    assert_int_equal(ald_dataset_target(l.data)->values.cols, 3);
    assert_int_equal(((const int64_t *)ald_dataset_target(l.data)->values.indices)[0], 1);
    unload(&l);
    expect_error_as(&ald_svmlight_reader, "7 1:1\n", OPTIONS(.like = model), 0, 0, "row 1 has the label 7, which the model does not know");
    ald_model_free(model);
    unload(&train);
}

static void test_like_without_schema(void **state)
{
    (void)state;
    loaded maker, l;
    load(&maker, "a,b\n1,2\n3,4\n", OPTIONS(.target = NULL));
    ald_model *model;
    assert_int_equal(ald_model_new(&maker.r.run, &model), ALD_OK);
    assert_int_equal(ald_model_set_text(&maker.r.run, model, "alidade.n_features", "2"), ALD_OK);
    load(&l, "a,b\n1,2\n3,4\n", OPTIONS(.like = model, .target = "b"));
    expect_x(&l, 2, 2, (double[]){1, 2, 3, 4});
    unload(&l);
    load(&l, "a,b,y\n1,2,5\n3,4,6.5\n", OPTIONS(.like = model, .target = "y"));
    expect_x(&l, 2, 2, (double[]){1, 2, 3, 4});
    assert_int_equal(ald_dataset_target(l.data)->kind, ALD_TARGET_REAL);
    unload(&l);
    expect_error("a,b,c\n1,2,3\n", OPTIONS(.like = model), 0, 0, "gives 3 feature columns, but the model was fitted on 2");
    load_as(&l, &ald_svmlight_reader, "1 1:4\n", OPTIONS(.like = model));
    assert_int_equal(l.status, ALD_OK);
    expect_sparse_x(&l, 1, 2, (double[]){4, 0});
    unload(&l);
    ald_model_free(model);
    unload(&maker);
}

static void test_damaged_schema(void **state)
{
    (void)state;
    loaded train;
    load(&train, "a,c,y\n1,u,1\n2,v,2\n3,u,1\n4,v,2\n", OPTIONS(.target = "y"));
    const size_t length = strlen(train.data->schema);
    for (size_t at = 0; at < length; at++) { /* any outcome but a crash or a leak */
        for (int change = 0; change < 3; change++) {
            ald_model *model = model_of(&train);
            char *text = ald_arena_text(&train.r.arena, train.data->schema, length);
            assert_non_null(text);
            if (change == 0) text[at] = '\0';
            else text[at] = change == 1 ? '7' : '"';
            assert_int_equal(ald_model_set_text(&train.r.run, model, "alidade.schema", text), ALD_OK);
            loaded l;
            load_as(&l, &ald_csv_reader, "a,c,y\n1,u,1\n2,v,2\n", OPTIONS(.like = model));
            if (l.status < 0) assert_true(strlen(l.r.error.message) > 0);
            unload(&l);
            ald_model_free(model);
        }
    }
    unload(&train);
}

static void test_latin1_names(void **state)
{
    (void)state;
    loaded train, l;
    load(&train, "l\xe4nge,y\n1,gr\xfcn\n2,rot\n3,rot\n", OPTIONS(.target = "y"));
    assert_string_equal(ald_dataset_feature_name(train.data, 0), "l\xc3\xa4nge");
    expect_classes(&train, 3, (int32_t[]){0, 1, 1}, CLASS_NAMES("gr\xc3\xbcn", "rot"));
    ald_model *model = model_of(&train);
    load(&l, "y,l\xe4nge\ngr\xfcn,5\n", OPTIONS(.like = model));
    expect_x(&l, 1, 1, (double[]){5});
    expect_classes(&l, 1, (int32_t[]){0}, CLASS_NAMES("gr\xc3\xbcn", "rot"));
    unload(&l);
    ald_model_free(model);
    unload(&train);
}

/* Each allocation fails once, while fitting and while reading alike: an error every time, and nothing is left behind. */
static void test_no_memory(void **state)
{
    (void)state;
    const char *text = "id,a,colour,w,y\n7,1,red,1,u\n8,,blue,1,v\n9,3,green,2,\n10,4,red,1,v\n";
    loaded train;
    load(&train, text, OPTIONS(.target = "y", .ignore = "id", .weights = "w", .missing = "mean"));
    ald_model *model = model_of(&train);
    const ald_load_options cases[] = {{.target = "y", .ignore = "id", .weights = "w", .missing = "mean"},
                                      {.target = "y", .missing = "drop", .unlabelled_rows = "drop"},
                                      {.like = model}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        for (int64_t fail_at = 1, reached = 1; reached; fail_at++) {
            loaded l;
            reading_begin(&l.r);
            l.data = NULL;
            assert_int_equal(reading_text(&l.r, &ald_csv_reader, text), ALD_OK);
            l.r.allocations = 0;
            l.r.fail_at = fail_at;
            l.status = ald_dataset_new(&l.r.run, &l.data);
            if (l.status >= 0) l.status = ald_dataset_from_table(&l.r.run, &l.r.table, &cases[k], l.data);
            reached = l.r.allocations >= fail_at;
            if (!reached || l.status != ALD_OK) assert_int_equal(l.status, reached ? ALD_ERROR_MEMORY : ALD_OK);
            unload(&l);
        }
    }
    ald_model_free(model);
    unload(&train);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_and_target),  cmocka_unit_test(test_in_place),
        cmocka_unit_test(test_one_hot),             cmocka_unit_test(test_numbers_as_categories),
        cmocka_unit_test(test_mixture_is_an_error), cmocka_unit_test(test_ignore_and_weights),
        cmocka_unit_test(test_missing),             cmocka_unit_test(test_task_rule),
        cmocka_unit_test(test_task_rule_limit),     cmocka_unit_test(test_target_errors),
        cmocka_unit_test(test_unlabelled_rows),     cmocka_unit_test(test_svmlight),
        cmocka_unit_test(test_arff),                cmocka_unit_test(test_like_by_name),
        cmocka_unit_test(test_like_by_position),    cmocka_unit_test(test_like_svmlight),
        cmocka_unit_test(test_like_without_schema), cmocka_unit_test(test_damaged_schema),
        cmocka_unit_test(test_latin1_names),        cmocka_unit_test(test_no_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
