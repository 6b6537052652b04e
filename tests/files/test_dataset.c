/* From a table to X and target: encoding, missing cells, the task rule, and errors with their place. */
#include "support/loading.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

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
    load(&l, "k,b\n10,1\nA,2\n9,3\n",
         OPTIONS(.categorical = "k", .encode = "ordinal")); /* as texts: 10 9 A */
    expect_x(&l, 3, 2, (double[]){0, 1, 2, 2, 1, 3});
    unload(&l);
}

static void test_mixture_is_an_error(void **state)
{
    (void)state;
    expect_error("a,b\n1,2\n3,4\n5,none\n", OPTIONS(.target = "a"), 4, 2,
                 "memory: line 4, column 2 ('b') holds the text 'none' but 2 other cells of it are numbers: "
                 "correct the cell, or give `na=none` if it marks a missing value, "
                 "or give `categorical=b`");
}

/* Texts in every cell would pass for categories. */
static void test_decimal_commas_are_an_error(void **state)
{
    (void)state;
    loaded l;
    const char *text = "a;b\n1,5;0.5\n-2,25e1;1.5\n3,0;2.5\n"; /* points as well: nothing is found out */
    expect_error(text, OPTIONS(.target = "b"), 2, 1,
                 "line 2, column 1 ('a') holds '1,5', a number with a comma");
    expect_error(text, OPTIONS(.target = "a"), 2, 1, "holds '1,5', a number with a comma");
    expect_error("a;b\n1;0.5\n1,5;1.5\n", OPTIONS(.target = "b"), 3, 1, "holds '1,5', a number with a comma");
    load(&l, text, OPTIONS(.target = "b", .categorical = "a"));
    assert_int_equal(ald_dataset_x(l.data)->cols, 3);
    unload(&l);
    load(&l, "a;b\n1,5;1\n1,2,3;2\n,5;3\n1.5,2;4\n",
         OPTIONS(.target = "b", .decimal = "point")); /* not all are such numbers */
    assert_int_equal(ald_dataset_x(l.data)->cols, 4);
    unload(&l);
}

typedef struct warnings {
    int count;
    char last[400];
} warnings;

static void keep_warning(void *user, ald_log_level level, const char *line)
{
    warnings *w = user;
    if (level != ALD_LOG_WARNING) return;
    w->count++;
    snprintf(w->last, sizeof w->last, "%s", line);
}

/* n rows of a name that comes `times` times and a number. */
static void count_warnings(int n, int times, const ald_load_options *options, warnings *w)
{
    char text[2000] = "id,x\n";
    for (int i = 0; i < n; i++) snprintf(text + strlen(text), 40, "r%d,%d.5\n", i / times, i);
    loaded l;
    memset(w, 0, sizeof *w);
    reading_begin(&l.r);
    l.r.run.call.log = keep_warning;
    l.r.run.call.log_user = w;
    assert_int_equal(reading_text(&l.r, &ald_csv_reader, text), ALD_OK);
    assert_int_equal(ald_dataset_new(&l.r.run, &l.data), ALD_OK);
    assert_int_equal(ald_dataset_from_table(&l.r.run, &l.r.table, options, l.data), ALD_OK);
    unload(&l);
}

static void test_names_of_rows_are_told(void **state)
{
    (void)state;
    warnings w;
    count_warnings(40, 1, OPTIONS(.target = "id"), &w);
    assert_non_null(strstr(w.last, "the target has 40 different classes in 40 rows"));
    count_warnings(40, 2, OPTIONS(.target = "x"), &w);
    assert_int_equal(w.count, 0);
    count_warnings(20, 1, OPTIONS(.target = "x"), &w);
    assert_int_equal(w.count, 0);
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
    expect_error(text, OPTIONS(.target = "y", .ignore = "y"), 0, 0,
                 "column 'y' is given in both `target` and `ignore`");
    expect_error(text, OPTIONS(.target = "id,a,w,y"), 0, 0, "no column is left as a feature");
    expect_error(text, OPTIONS(.weights = "y"), 2, 4,
                 "line 2, column 4 ('y') is u, but a number of 0 or more");
    expect_error("a,w\n1,-1\n2,1\n", OPTIONS(.weights = "w"), 2, 2, "line 2, column 2 ('w') is -1");
    expect_error("a,w\n1,\n2,1\n", OPTIONS(.weights = "w"), 2, 2, "is empty");
    expect_error("a,w\n1,0\n2,0\n", OPTIONS(.weights = "w"), 0, 0, "is zero in every row");
    expect_error(text, OPTIONS(.missing = "median"), 0, 0,
                 "`missing`: 'median' is not one of error, drop, mean");
}

static void test_missing(void **state)
{
    (void)state;
    loaded l;
    const char *text = "a,c,y\n1,u,1.5\n,v,2.5\n3,,3.5\n5,v,4.5\n";
    expect_error(text, OPTIONS(.target = "y"), 3, 1, "memory: line 3, column 1 ('a') has no value");
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
        {"a,y\n1,2\n2,10\n3,2\n4,11\n", {.target = "y"}, ALD_TARGET_REAL},   /* 10 and 11 in one row only */
        {"a,y\n1,2.5\n2,1\n3,2.5\n4,1\n", {.target = "y"}, ALD_TARGET_REAL}, /* not whole */
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
        ald_load_options options = cases[k].options;
        options.size = sizeof options;
        load(&l, cases[k].text, &options);
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
        for (int i = 0; i < 2 * distinct; i++)
            used += (size_t)sprintf(text + used, "%d,%d\n", i, i % distinct);
        loaded l;
        load(&l, text, OPTIONS(.target = "y"));
        assert_int_equal(ald_dataset_target(l.data)->kind,
                         distinct == 20 ? ALD_TARGET_CLASSES : ALD_TARGET_REAL);
        unload(&l);
    }
}

static void test_target_errors(void **state)
{
    (void)state;
    expect_error("a,y\n1,u\n2,v\n", OPTIONS(.target = "y", .task = "regression"), 2, 2,
                 "line 2, column 2 ('y') of the target holds the text 'u'");
    expect_error("a,y\n1,1\n2,v\n", OPTIONS(.target = "y"), 3, 2,
                 "holds the text 'v' where a number is expected as in its other cells");
    expect_error("a,y\n1,4\n2,4\n3,4\n", OPTIONS(.target = "y"), 0, 0,
                 "target column 2 ('y') has the same value in every row (4)");
    expect_error("a,y\n1,4.5\n2,4.5\n", OPTIONS(.target = "y"), 0, 0,
                 "has the same value in every row (4.5)");
    expect_error("a,y\n1,u\n2,u\n", OPTIONS(.target = "y"), 0, 0, "has the same value in every row (u)");
    expect_error("a,y\n1,\n2,\n", OPTIONS(.target = "y"), 0, 0, "the target is empty in every row");
    expect_error("a,p,q\n1,2,3\n2,3,4\n", OPTIONS(.target = "p,q", .task = "classification"), 0, 0,
                 "takes one target column, 2 are given");
    expect_error("a,p,q\n1,2,3\n2,3,4\n", OPTIONS(.target = "p,q", .task = "multilabel"), 2, 2,
                 "line 2, column 2 ('p') is 2: multi-label targets are columns of 0 and 1");
    expect_error("a,p,q\n1,2,3\n2,,4\n", OPTIONS(.target = "p,q"), 3, 2,
                 "line 3, column 2 ('p') has no value, but other target cells");
    expect_error("a,p,q\n1,u,3\n2,v,4\n", OPTIONS(.target = "p,q"), 2, 2,
                 "several target columns must be numbers");
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
    const char *text =
        "@relation r\n@attribute size {small,large,huge}\n@attribute a numeric\n@attribute class {z,y,x}\n"
        "@data\nlarge,1,z\nsmall,2,y\nlarge,3,z\n";
    load_as(&l, &ald_arff_reader, text, OPTIONS(.target = "class"));
    assert_int_equal(l.status, ALD_OK);
    expect_x(&l, 3, 4, (double[]){0, 1, 0, 1, 1, 0, 0, 2, 0, 1, 0, 3});
    expect_classes(&l, 3, (int32_t[]){0, 1, 0}, CLASS_NAMES("z", "y")); /* file order; x does not occur */
    unload(&l);
    const char *labels =
        "@relation r\n@attribute a numeric\n@attribute p {0,1}\n@attribute q {0,1}\n@data\n1,0,1\n2,1,1\n";
    load_as(&l, &ald_arff_reader, labels, OPTIONS(.target = "p,q"));
    assert_int_equal(l.status, ALD_OK);
    assert_int_equal(ald_dataset_target(l.data)->kind, ALD_TARGET_LABELS);
    assert_memory_equal(ald_dataset_target(l.data)->values.values, ((double[]){0, 1, 1, 1}),
                        4 * sizeof(double));
    unload(&l);
}

/* Formats that know their target (mat) put it last. */
static void test_target_of_the_file(void **state)
{
    (void)state;
    loaded l;
    reading_begin(&l.r);
    assert_int_equal(reading_text(&l.r, &ald_csv_reader, "1,2,0.5\n3,4,1.5\n"), ALD_OK);
    l.r.table.n_target_columns = 1;
    assert_int_equal(ald_dataset_new(&l.r.run, &l.data), ALD_OK);
    assert_int_equal(ald_dataset_from_table(&l.r.run, &l.r.table, OPTIONS(.target = NULL), l.data), ALD_OK);
    expect_x(&l, 2, 2, (double[]){1, 2, 3, 4});
    assert_int_equal(ald_dataset_target(l.data)->kind, ALD_TARGET_REAL);
    assert_string_equal(ald_dataset_task_note(l.data), "target #3: real (2 distinct values)");
    assert_null(ald_dataset_response_name(l.data, 0));
    unload(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_and_target),
        cmocka_unit_test(test_in_place),
        cmocka_unit_test(test_one_hot),
        cmocka_unit_test(test_numbers_as_categories),
        cmocka_unit_test(test_mixture_is_an_error),
        cmocka_unit_test(test_decimal_commas_are_an_error),
        cmocka_unit_test(test_names_of_rows_are_told),
        cmocka_unit_test(test_ignore_and_weights),
        cmocka_unit_test(test_missing),
        cmocka_unit_test(test_task_rule),
        cmocka_unit_test(test_task_rule_limit),
        cmocka_unit_test(test_target_errors),
        cmocka_unit_test(test_unlabelled_rows),
        cmocka_unit_test(test_svmlight),
        cmocka_unit_test(test_arff),
        cmocka_unit_test(test_target_of_the_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
