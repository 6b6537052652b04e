/* What a user is told about the rows and columns of a file: where a fault is, what was left out, what was
 * taken for what. */
#include "data/writing/convert.h"
#include "fit/fitting/fit.h"
#include "support/loading.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void expect_log(const char *log, const char *expected)
{
    if (strcmp(log, expected) != 0) fail_msg("expected '%s', was told '%s'", expected, log);
}

static ald_model *model_of(loaded *l)
{
    ald_model *model;
    assert_int_equal(ald_model_new(&l->r.run, &model), ALD_OK);
    assert_int_equal(ald_model_set_text(&l->r.run, model, "alidade.schema", l->data->schema), ALD_OK);
    if (l->data->feature_names)
        assert_int_equal(ald_model_set_names(&l->r.run, model, "alidade.feature_names",
                                             (const char *const *)l->data->feature_names, l->data->x.cols),
                         ALD_OK);
    assert_int_equal(ald_model_set_printed(&l->r.run, model, "alidade.n_features", "%lld",
                                           (long long)ald_dataset_x(l->data)->cols),
                     ALD_OK);
    return model;
}

static const char holed[] = "a,b,y\n1,2,0.5\n,3,1.5\n4,5,\n6,,2.5\n7,8,3.5\n9,1,5\n";

static void test_rows_left_out_are_told(void **state)
{
    (void)state;
    loaded l, next;
    load(&l, holed, OPTIONS(.target = "y", .missing = "drop", .unlabelled_rows = "drop"));
    expect_log(l.r.log, "warning: memory: 3 of 6 rows left out: 2 with a missing cell, 1 without a target\n");
    ald_model *model = model_of(&l);
    load(&next, "a,b\n1,2\n,3\n", OPTIONS(.like = model)); /* fitted under drop: new rows are dropped too */
    expect_log(next.r.log, "warning: memory: 1 of 2 rows left out: 1 with a missing cell\n");
    unload(&next);
    load(&next, "a,b\n1,2\n", OPTIONS(.like = model));
    expect_log(next.r.log, "");
    unload(&next);
    ald_model_free(model);
    unload(&l);
    load(&l, holed, OPTIONS(.target = "y", .missing = "mean", .unlabelled_rows = "drop"));
    expect_log(
        l.r.log,
        "warning: memory: 1 of 6 rows left out: 1 without a target\n"
        "info: memory: 2 cells of X without a value in 2 columns: column 'a' (17 %), column 'b' (17 %)\n");
    unload(&l);
    load(&l, holed, OPTIONS(.target = "y", .missing = "mean"));
    expect_log(
        l.r.log,
        "info: memory: 2 cells of X without a value in 2 columns: column 'a' (17 %), column 'b' (17 %)\n");
    unload(&l);
}

static void test_texts_taken_as_categories_are_told(void **state)
{
    (void)state;
    loaded l;
    const char *text = "id,a,colour,y\np,1,red,0.5\nq,2,blue,1.5\nr,3,red,2.5\n";
    load(&l, text, OPTIONS(.target = "y"));
    expect_log(l.r.log,
               "info: memory: 2 text columns treated as categories: id (3 levels), colour (2 levels)\n");
    unload(&l);
    load(&l, text, OPTIONS(.target = "y", .categorical = "id", .ignore = "colour")); /* as it was said */
    expect_log(l.r.log, "");
    unload(&l);
    load(&l, "p,1\nq,2\n", OPTIONS(.header = "no"));
    expect_log(l.r.log, "info: memory: 1 text column treated as categories: #1 (2 levels)\n");
    unload(&l);
}

#define SPARSE_HEAD                                                                                          \
    "@relation r\n@attribute a numeric\n@attribute k {no,yes}\n@attribute b numeric\n@attribute c "          \
    "numeric\n@data\n"

static void test_sparse_rows_stay_sparse_beside_a_nominal_target(void **state)
{
    (void)state;
    loaded l;
    const char *text = SPARSE_HEAD "{0 5, 1 yes}\n{2 6}\n{}\n{0 7, 1 yes, 3 8}\n{1 no, 2 ?}\n";
    load_as(&l, &ald_arff_reader, text, OPTIONS(.target = "k", .missing = "mean"));
    if (l.status < 0) fail_msg("%s", l.r.error.message);
    expect_sparse_x(&l, 5, 3, (double[]){5, 0, 0, 0, 6, 0, 0, 0, 0, 7, 0, 8, 0, 1.5, 0});
    expect_classes(&l, 5, (int32_t[]){1, 0, 0, 1, 0}, CLASS_NAMES("no", "yes"));
    expect_log(l.r.log, "info: memory: 1 cell of X without a value in 1 column: column 'b' (20 %)\n");
    unload(&l);
    load_as(&l, &ald_arff_reader, text, OPTIONS(.target = "c", .missing = "mean"));
    assert_int_equal(l.status, ALD_OK);
    assert_int_equal(ald_dataset_x(l.data)->storage, ALD_DENSE);
    expect_log(l.r.log, "warning: memory: the sparse rows are converted to dense, because column 'k' is "
                        "categorical: leave it out with `ignore` to keep them sparse\n"
                        "info: memory: 1 cell of X without a value in 1 column: column 'b' (20 %)\n");
    unload(&l);
    load_as(&l, &ald_arff_reader, SPARSE_HEAD "{0 5, 1 yes}\n1,no,2,3\n", OPTIONS(.target = "k"));
    assert_int_equal(l.status, ALD_OK);
    expect_x(&l, 2, 3, (double[]){5, 0, 0, 1, 2, 3});
    expect_log(l.r.log, "warning: memory: line 8 is not a sparse row like those before it: all rows are "
                        "converted to dense\n");
    unload(&l);
    load_as(&l, &ald_arff_reader,
            "@attribute a {u,v}\n@attribute b {u,v}\n@attribute c numeric\n@data\n{0 v}\n{1 v}\n",
            OPTIONS(.target = "a"));
    assert_int_equal(l.status, ALD_OK);
    assert_non_null(
        strstr(l.r.log, "sparse rows are converted to dense, because 2 of 3 attributes are not numeric"));
    unload(&l);
}

/* Blank lines, comments and line ends in quotes: a row is not where its number says. */
static void test_lines_of_rows(void **state)
{
    (void)state;
    reading r;
    static const struct {
        const char *text;
        int64_t lines[4];
        int regular;
    } cases[] = {
        {"a,b\n1,2\n3,4\n5,6\n7,8\n", {2, 3, 4, 5}, 1},
        {"1,2\n3,4\n5,6\n7,8\n", {1, 2, 3, 4}, 1},
        {"a,b\n1,2\n\n3,4\n\n\n5,6\n7,8\n", {2, 4, 7, 8}, 0},
        {"a,b\n1,\"x\ny\"\n3,4\n5,6\n7,8\n", {2, 4, 5, 6}, 0},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        reading_begin(&r);
        assert_int_equal(reading_text(&r, &ald_csv_reader, cases[k].text), ALD_OK);
        for (int i = 0; i < 4; i++) assert_int_equal(ald_table_line(&r.table, i), cases[k].lines[i]);
        assert_int_equal(r.table.lines == NULL, cases[k].regular);
        reading_end(&r);
    }
    reading_begin(&r);
    assert_int_equal(reading_text(&r, &ald_svmlight_reader, "# c\n1 1:2\n\n2 1:3\n"), ALD_OK);
    assert_int_equal(ald_table_line(&r.table, 0), 2);
    assert_int_equal(ald_table_line(&r.table, 1), 4);
    assert_int_equal(ald_table_line(&r.table, 2), 0);
    reading_end(&r);
    assert_survives_no_memory(&ald_csv_reader, cases[2].text, strlen(cases[2].text));
}

static void test_errors_name_the_line(void **state)
{
    (void)state;
    loaded train;
    load(&train, "a,y\n1,u\n2,v\n3,u\n", OPTIONS(.target = "y"));
    ald_model *model = model_of(&train);
    expect_error("a,y\n1,u\n\n2,w\n", OPTIONS(.like = model, .with_weights = 1), 4, 2,
                 "the target of line 4 is 'w'");
    expect_error("a,y\n,u\n\n2,w\n", OPTIONS(.like = model, .missing = "drop", .with_weights = 1), 4, 2,
                 "the target of line 4 is 'w'");
    ald_model_free(model);
    unload(&train);
    load_as(&train, &ald_svmlight_reader, "1 1:2 4:4\n2 2:5\n1 1:1\n2 2:1\n", OPTIONS(.task = NULL));
    model = model_of(&train);
    expect_error_as(&ald_svmlight_reader, "1 1:1\n# c\n2 2:1 5:1\n1 9:1\n", OPTIONS(.like = model), 3, 0,
                    "line 3 has a column 5, but the model was fitted on 4 columns");
    ald_model_free(model);
    unload(&train);
    expect_error("a,w\n1,1\n\n2,-1\n", OPTIONS(.weights = "w"), 4, 2, "line 4, column 2 ('w') is -1");
    expect_error("a,p,q\n1,0,1\n\n2,1,3\n", OPTIONS(.target = "p,q", .task = "multilabel"), 4, 3,
                 "line 4, column 3 ('q') is 3: multi-label targets are columns of 0 and 1");
    expect_error("a,b,y\n1,,\n\n2,,1.5\n3,4,2\n", OPTIONS(.target = "y", .unlabelled_rows = "drop"), 4, 2,
                 "line 4, column 2 ('b') has no value");
}

static void test_infinite_cells_of_unused_columns(void **state)
{
    (void)state;
    loaded train, l;
    const char *text = "a,b,y\n1,2,0.5\n3,-Inf,1.5\n4,1e999,2.5\n";
    load(&train, text, OPTIONS(.target = "y", .ignore = "b"));
    expect_x(&train, 3, 1, (double[]){1, 3, 4});
    ald_model *model = model_of(&train);
    load(&l, "b,a\ninf,7\n", OPTIONS(.like = model));
    expect_x(&l, 1, 1, (double[]){7});
    unload(&l);
    expect_error("b,a\n1,7\n2,infinity\n", OPTIONS(.like = model), 3, 2,
                 "line 3, column 2 ('a') is infinite");
    ald_model_free(model);
    unload(&train);
    expect_error(text, OPTIONS(.target = "y"), 3, 2, "memory: line 3, column 2 ('b') is infinite");
    expect_error(text, OPTIONS(.target = "b"), 3, 2, "memory: line 3, column 2 ('b') is infinite");
    expect_error(text, OPTIONS(.weights = "b"), 3, 2, "memory: line 3, column 2 ('b') is infinite");
    expect_error("inf,2\n1,3\n", OPTIONS(.task = NULL), 1, 1, "line 1, column 1 is infinite");
    expect_error_as(&ald_arff_reader, "@attribute a numeric\n@attribute b numeric\n@data\n1,2\n3,-inf\n",
                    OPTIONS(.task = NULL), 5, 2, "line 5, column 2 ('b') is infinite");
}

static void convert(const char *text, const char *target, const char *log)
{
    reading r;
    FILE *file = fopen("told.csv", "wb");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    reading_begin(&r);
    assert_int_equal(ald_convert_file(&r.run, "told.csv", "told.svm", OPTIONS(.target = target)), ALD_OK);
    expect_log(r.log, log);
    reading_end(&r);
    assert_int_equal(remove("told.csv"), 0);
    assert_int_equal(remove("told.svm"), 0);
}

static void test_labels_that_are_written_are_told(void **state)
{
    (void)state;
    convert("a,b\n1,2\n3,4\n", NULL,
            "warning: told.svm: every row gets the label 0, because no target column is named: name one with "
            "`target`\n");
    convert("a,b\n1,2\n3,4\n", "b", "");
    convert("a,b\n1,u\n3,v\n", "b", "info: label 'u' is written as 0\ninfo: label 'v' is written as 1\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_left_out_are_told),
        cmocka_unit_test(test_texts_taken_as_categories_are_told),
        cmocka_unit_test(test_sparse_rows_stay_sparse_beside_a_nominal_target),
        cmocka_unit_test(test_lines_of_rows),
        cmocka_unit_test(test_errors_name_the_line),
        cmocka_unit_test(test_infinite_cells_of_unused_columns),
        cmocka_unit_test(test_labels_that_are_written_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
