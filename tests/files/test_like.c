/* New files read as the rows of a model were: by name, by position, with its encoding and its classes; files
 * as a whole. */
#include "fit/fitting/fit.h"
#include "support/loading.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A model that holds the schema of the dataset and the names of its features. */
static ald_model *model_of(loaded *l)
{
    ald_model *model;
    assert_int_equal(ald_model_new(&l->r.run, &model), ALD_OK);
    if (l->data->feature_names)
        assert_int_equal(ald_model_set_names(&l->r.run, model, "alidade.feature_names",
                                             (const char *const *)l->data->feature_names, l->data->x.cols),
                         ALD_OK);
    assert_int_equal(ald_model_set_text(&l->r.run, model, "alidade.schema", l->data->schema), ALD_OK);
    assert_int_equal(ald_model_set_printed(&l->r.run, model, "alidade.n_features", "%lld",
                                           (long long)ald_dataset_x(l->data)->cols),
                     ALD_OK);
    return model;
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void test_like_by_name(void **state)
{
    (void)state;
    loaded train, l;
    load(&train, "id,a,colour,y\n7,1,red,u\n8,2,blue,v\n9,3,green,u\n",
         OPTIONS(.target = "y", .ignore = "id", .missing = "mean"));
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
    load(&l, "colour,a,y\nblue,,u\n",
         OPTIONS(.like = model)); /* the training mean; one class is no fault here */
    expect_x(&l, 1, 4, (double[]){2, 1, 0, 0});
    unload(&l);
    expect_error("colour,a\nblue,\n", OPTIONS(.like = model, .missing = "error"), 2, 2,
                 "line 2, column 2 ('a') has no value");
    expect_error("color,a\nblue,1\n", OPTIONS(.like = model), 0, 0,
                 "no column 'colour' (is it 'color'?), which the model was fitted on");
    expect_error(
        "colour,a\npink,1\n", OPTIONS(.like = model, .unseen = "error"), 2, 1,
        "contains 'pink', which did not occur in the rows the model was fitted on: known are 'blue', "
        "'green', 'red'");
    expect_error("colour,a\nred,1\nred,x\n", OPTIONS(.like = model), 3, 2,
                 "contains the text 'x', but the column was numeric");
    expect_error("colour,a,y\nred,1,w\n", OPTIONS(.like = model), 2, 3,
                 "the target of line 2 is 'w', which is no class of the model: known are 'u', 'v'");
    load(&l, "colour,a,y\nred,1,w\nblue,2,\n",
         OPTIONS(.like = model, .no_target = 1)); /* who only projects */
    expect_x(&l, 2, 4, (double[]){1, 0, 0, 1, 2, 1, 0, 0});
    assert_int_equal(ald_dataset_target(l.data)->kind, ALD_TARGET_NONE);
    unload(&l);
    ald_model_free(model);
    unload(&train);
}

/* Their sum is infinite, their mean no fill; the schema must be readable all the same. */
static void test_like_huge_numbers(void **state)
{
    (void)state;
    loaded train, l;
    load(&train, "a,b\n1e308,1\n1e308,2\n1e308,4\n", OPTIONS(.missing = "error"));
    ald_model *model = model_of(&train);
    load(&l, "a,b\n1e308,3\n", OPTIONS(.like = model));
    expect_x(&l, 1, 2, (double[]){1e308, 3});
    unload(&l);
    ald_model_free(model);
    unload(&train);
    expect_error("a,b\n1e308,1\n1e308,2\n,4\n", OPTIONS(.missing = "mean"), 0, 0,
                 "column 'a' has no value to fill");
}

/* The categories were numbers: the new file gives them as numbers too. */
static void test_like_numbers_as_categories(void **state)
{
    (void)state;
    loaded train, l;
    load(&train, "k,b\n10,1\n9,2\n10,3\n", OPTIONS(.categorical = "k"));
    ald_model *model = model_of(&train);
    load(&l, "b,k\n5,10\n6,9\n", OPTIONS(.like = model));
    expect_x(&l, 2, 3, (double[]){0, 1, 5, 1, 0, 6});
    unload(&l);
    expect_error("k,b\n11,5\n", OPTIONS(.like = model, .unseen = "error"), 2, 1, "contains '11'");
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
    expect_error("1,2,3,4,5\n", OPTIONS(.like = model, .header = "no"), 0, 0,
                 "has 5 columns, but the model needs its 2 feature columns, or 4");
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
    expect_error_as(&ald_svmlight_reader, "1 5:1\n", OPTIONS(.like = model), 1, 0,
                    "line 1 has a column 5, but the model was fitted on 4 columns");
    expect_error_as(&ald_svmlight_reader, "1 1:1\n3 1:1\n", OPTIONS(.like = model, .with_weights = 1), 2, 0,
                    "'3', which is no class");
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
    expect_error_as(&ald_svmlight_reader, "7 1:1\n", OPTIONS(.like = model), 1, 0,
                    "line 1 has the label 7, which the model does not know");
    ald_model_free(model);
    unload(&train);
}

/* The rows of a table with names, whose target was a column before the features, as a sparse file. */
static void test_like_sparse_features(void **state)
{
    (void)state;
    loaded train, l;
    load(&train, "y,a,b,c\n1,0.5,2,1\n2,1.5,4,1\n3,2.5,6,2\n", OPTIONS(.target = "y"));
    ald_model *model = model_of(&train);
    load_as(&l, &ald_svmlight_reader, "7 1:1 2:5\n8 2:3\n", OPTIONS(.like = model));
    expect_sparse_x(&l, 2, 3, (double[]){1, 5, 0, 0, 3, 0});
    assert_true(((const double *)ald_dataset_target(l.data)->values.values)[1] == 8.0);
    unload(&l);
    expect_error_as(&ald_svmlight_reader, "7 1:1\n8 4:3\n", OPTIONS(.like = model), 2, 0,
                    "line 2 has a column 4, but the model was fitted on 3 columns");
    static const char coordinates[] = "%%MatrixMarket matrix coordinate real general\n1 3 2\n1 1 4\n1 3 5\n";
    load_as(&l, &ald_matrixmarket_reader, coordinates, OPTIONS(.like = model));
    expect_sparse_x(&l, 1, 3, (double[]){4, 0, 5});
    unload(&l);
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
    expect_error("a,b,c\n1,2,3\n", OPTIONS(.like = model), 0, 0,
                 "gives 3 feature columns, but the model was fitted on 2");
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
            if (change == 0)
                text[at] = '\0';
            else
                text[at] = change == 1 ? '7' : '"';
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

/* A model must be able to hold 10^6 columns: its header ends at 100 MB. */
static void test_schema_is_short(void **state)
{
    (void)state;
    enum { wide = 3000 };
    static char text[wide * 60];
    char *at = text;
    loaded train, l;
    for (int j = 0; j < wide; j++) at += sprintf(at, "%cx%06d", j ? ',' : '\n', j);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < wide; j++) at += sprintf(at, "%c%.6f", j ? ',' : '\n', 1.0 / (1 + i + j));
    load(&train, text + 1, OPTIONS(.ignore = "x000007"));
    ald_model *model = model_of(&train);
    const size_t bytes = strlen(ald_model_text(model, "alidade.schema")) +
                         strlen(ald_model_text(model, "alidade.feature_names"));
    if (bytes > wide * 38) fail_msg("%zu bytes for %d columns", bytes, wide); /* 2 more for escaped quotes */
    load(&l, text + 1, OPTIONS(.like = model));
    assert_int_equal(ald_dataset_x(l.data)->cols, wide - 1);
    assert_string_equal(ald_dataset_feature_name(l.data, 7), "x000008");
    unload(&l);
    ald_model_free(model);
    unload(&train);
}

/* The names are in the model once; a schema that counts on them must not be read without. */
static void test_features_keep_names_and_fills(void **state)
{
    (void)state;
    loaded train, l;
    const char *text = "skip,a,colour,b,,y\n0,1,red,5,9,0.5\n0,2,blue,6,8,1.5\n0,6,red,,7,2.5\n";
    const char *const encodings[] = {"onehot", "ordinal"};
    for (int k = 0; k < 2; k++) {
        load(&train, text,
             OPTIONS(.header = "yes", .target = "y", .ignore = "skip", .missing = "mean",
                     .encode = encodings[k]));
        ald_model *model = model_of(&train);
        load(&l, "9,,,,,1\n", OPTIONS(.header = "no", .like = model));
        if (k == 0)
            expect_x(&l, 1, 5, (double[]){3, 0, 1, 5.5, 8});
        else
            expect_x(&l, 1, 4, (double[]){3, 1, 5.5, 8});
        assert_string_equal(ald_dataset_feature_name(l.data, 0), "a");
        assert_string_equal(ald_dataset_feature_name(l.data, 3 - k), "b");
        unload(&l);
        assert_int_equal(ald_model_set_text(&train.r.run, model, "alidade.feature_names", "[\"a\"]"), ALD_OK);
        expect_error("9,,,,,1\n", OPTIONS(.header = "no", .like = model), 0, 0,
                     "alidade.schema) is damaged: the names");
        ald_model_free(model);
        unload(&train);
    }
}

/* As models of version 0.1.0 have it: an object for each column. */
static void test_old_schema(void **state)
{
    (void)state;
    static const char schema[] = "{\"columns\":3,\"sparse\":false,\"encode\":\"onehot\",\"missing\":\"mean\","
                                 "\"target\":null,\"weights\":[],"
                                 "\"ignored\":[{\"name\":\"id\",\"position\":1}],\"features\":[{\"name\":"
                                 "\"a\",\"position\":2,\"kind\":"
                                 "\"numeric\","
                                 "\"fill\":\"3.25\"},{\"name\":\"c\",\"position\":3,\"levels\":[\"u\",\"v\"],"
                                 "\"kind\":\"categorical\",\"fill\":"
                                 "\"1\"}]}";
    loaded train, l;
    load(&train, "id,a,c\n1,2,u\n2,3,v\n", OPTIONS(.ignore = "id"));
    ald_model *model = model_of(&train);
    assert_int_equal(ald_model_set_text(&train.r.run, model, "alidade.schema", schema), ALD_OK);
    load(&l, "c,a\nv,1\n,\n", OPTIONS(.like = model));
    expect_x(&l, 2, 3, (double[]){1, 0, 1, 3.25, 0, 1});
    unload(&l);
    ald_model_free(model);
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

/* Each allocation fails once: an error every time (giving memory back may fail unseen), and nothing is left
 * behind. */
static void survive_no_memory(const ald_reader *reader, const char *text, const ald_load_options *options)
{
    for (int64_t fail_at = 1, reached = 1; reached; fail_at++) {
        loaded l = {.data = NULL};
        reading_begin(&l.r);
        assert_int_equal(reading_bytes(&l.r, reader, text, strlen(text), options), ALD_OK);
        l.r.allocations = 0;
        l.r.fail_at = fail_at;
        l.status = ald_dataset_new(&l.r.run, &l.data);
        if (l.status >= 0) l.status = ald_dataset_from_table(&l.r.run, &l.r.table, options, l.data);
        reached = l.r.allocations >= fail_at;
        if (!reached || l.status != ALD_OK) assert_int_equal(l.status, reached ? ALD_ERROR_MEMORY : ALD_OK);
        unload(&l);
    }
}

static void test_no_memory(void **state)
{
    (void)state;
    const char *text = "id,a,colour,w,y\n7,1,red,1,u\n8,,blue,1,v\n9,3,green,2,\n10,4,red,1,v\n";
    const char *labels = "10,2 1:2 3:1\n2 2:5\n? 1:1\n10 1:3\n", *single = "1 1:2 3:1\n2 2:5\n1 1:1\n2 1:3\n";
    loaded train;
    load(&train, text, OPTIONS(.target = "y", .ignore = "id", .weights = "w", .missing = "mean"));
    ald_model *model = model_of(&train);
    survive_no_memory(&ald_csv_reader, text,
                      OPTIONS(.target = "y", .ignore = "id", .weights = "w", .missing = "mean"));
    survive_no_memory(&ald_csv_reader, text,
                      OPTIONS(.target = "y", .missing = "drop", .unlabelled_rows = "drop"));
    survive_no_memory(&ald_csv_reader, text,
                      OPTIONS(.target = "id,w", .missing = "mean", .encode = "ordinal"));
    survive_no_memory(&ald_csv_reader, text, OPTIONS(.like = model));
    survive_no_memory(&ald_svmlight_reader, labels, OPTIONS(.unlabelled_rows = "drop"));
    survive_no_memory(&ald_svmlight_reader, single, OPTIONS(.ignore = "2"));
    survive_no_memory(&ald_svmlight_reader, single, OPTIONS(.target = "2", .weights = "#1"));
    ald_model_free(model);
    unload(&train);
}

/* Sparse rows with names, a column that is taken as categories, and holes among the values. */
static void test_sparse_arff(void **state)
{
    (void)state;
    loaded train, l;
    const char *head =
        "@relation r\n@attribute a numeric\n@attribute b numeric\n@attribute c numeric\n@data\n";
    char text[300], swapped[300];
    snprintf(text, sizeof text, "%s{0 5}\n{1 6, 2 1}\n{0 7, 1 8, 2 1}\n{1 1}\n", head);
    load_as(&train, &ald_arff_reader, text, OPTIONS(.target = "c"));
    if (train.status < 0) fail_msg("%s", train.r.error.message);
    expect_sparse_x(&train, 4, 2, (double[]){5, 0, 0, 6, 7, 8, 0, 1});
    expect_classes(&train, 4, (int32_t[]){0, 1, 1, 0}, CLASS_NAMES("0", "1"));
    ald_model *model = model_of(&train);
    snprintf(swapped, sizeof swapped,
             "@relation r\n@attribute b numeric\n@attribute c numeric\n@attribute a numeric\n@data\n{0 6, 2 "
             "5}\n{1 1}\n");
    load_as(&l, &ald_arff_reader, swapped, OPTIONS(.like = model)); /* rows are sorted again */
    if (l.status < 0) fail_msg("%s", l.r.error.message);
    expect_sparse_x(&l, 2, 2, (double[]){5, 6, 0, 0});
    expect_classes(&l, 2, (int32_t[]){0, 1}, CLASS_NAMES("0", "1"));
    unload(&l);
    ald_model_free(model);
    unload(&train);
    load_as(&l, &ald_arff_reader, text,
            OPTIONS(.target = "a", .categorical = "c")); /* zero is a level: dense */
    if (l.status < 0) fail_msg("%s", l.r.error.message);
    expect_x(&l, 4, 3, (double[]){0, 1, 0, 6, 0, 1, 8, 0, 1, 1, 1, 0});
    unload(&l);
    snprintf(text, sizeof text, "%s{0 ?, 2 1}\n{1 6}\n{0 4, 1 8, 2 1}\n{1 1}\n", head);
    load_as(&l, &ald_arff_reader, text, OPTIONS(.target = "c", .missing = "mean")); /* zeros count: 4 / 3 */
    if (l.status < 0) fail_msg("%s", l.r.error.message);
    expect_sparse_x(&l, 4, 2, (double[]){4.0 / 3, 0, 0, 6, 4, 8, 0, 1});
    unload(&l);
    expect_error_as(&ald_arff_reader, text, OPTIONS(.target = "c"), 6, 1, "column 1 ('a') has no value");
}

static void test_target_file(void **state)
{
    (void)state;
    loaded l;
    write_file("target.csv", "p,q\n1.5,2\n3,4\n");
    load(&l, "a,b\n1,2\n3,4\n", OPTIONS(.target_file = "target.csv"));
    expect_x(&l, 2, 2, (double[]){1, 2, 3, 4});
    assert_int_equal(ald_dataset_target(l.data)->values.cols, 2);
    assert_string_equal(ald_dataset_response_name(l.data, 1), "q");
    ald_model *model = model_of(&l);
    loaded next;
    load(&next, "b,a\n2,1\n4,3\n", OPTIONS(.like = model, .target_file = "target.csv"));
    expect_x(&next, 2, 2, (double[]){1, 2, 3, 4});
    assert_int_equal(ald_dataset_target(next.data)->kind, ALD_TARGET_REAL);
    unload(&next);
    load(&next, "b,a\n2,1\n", OPTIONS(.like = model));
    assert_int_equal(ald_dataset_target(next.data)->kind, ALD_TARGET_NONE);
    unload(&next);
    ald_model_free(model);
    unload(&l);
    load(&l, "a,b\n1,2\n3,4\n", OPTIONS(.target_file = "target.csv", .target = "q"));
    assert_int_equal(ald_dataset_target(l.data)->values.cols, 1);
    unload(&l);
    expect_error("a,b\n1,2\n", OPTIONS(.target_file = "target.csv"), 0, 0,
                 "target.csv has 2 rows but memory has 1");
    assert_int_equal(remove("target.csv"), 0);
}

static void test_public_load(void **state)
{
    (void)state;
    ald_context *context;
    ald_dataset *data;
    ald_error error;
    assert_int_equal(ald_context_new(NULL, &context, &error), ALD_OK);
    write_file("data.csv", "a,b\n1,2\n3,4\n");
    assert_int_equal(ald_dataset_load(context, "data.csv", NULL, &data, &error), ALD_OK);
    assert_int_equal(ald_dataset_x(data)->rows, 2);
    ald_dataset_free(data);
    assert_true(ald_dataset_load(context, "data.csv", OPTIONS(.target = "c"), &data, &error) < 0);
    assert_null(data);
    assert_non_null(strstr(error.message, "data.csv: `target`: there is no column 'c'"));
    assert_true(ald_dataset_load(context, "absent.csv", NULL, &data, &error) < 0);
    assert_null(data);
    ald_dataset_free(NULL);
    ald_context_free(context);
    assert_int_equal(remove("data.csv"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_like_by_name),
        cmocka_unit_test(test_like_huge_numbers),
        cmocka_unit_test(test_like_numbers_as_categories),
        cmocka_unit_test(test_like_by_position),
        cmocka_unit_test(test_like_svmlight),
        cmocka_unit_test(test_like_sparse_features),
        cmocka_unit_test(test_like_without_schema),
        cmocka_unit_test(test_damaged_schema),
        cmocka_unit_test(test_schema_is_short),
        cmocka_unit_test(test_features_keep_names_and_fills),
        cmocka_unit_test(test_old_schema),
        cmocka_unit_test(test_latin1_names),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_sparse_arff),
        cmocka_unit_test(test_target_file),
        cmocka_unit_test(test_public_load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
