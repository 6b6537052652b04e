/* Tables as people have them, through the public reading options: decimal commas, marks for no value, dates,
 * codes, names of rows, features in rows, categories that a model has not seen, columns that are carried
 * along. */
#include "base/numbers/dates.h"
#include "support/support.h"

#include <stdio.h>
#include <string.h>

typedef struct loading {
    ald_context *context;
    ald_dataset *data;
    ald_model *model;
    ald_error error;
    char log[2000];
} loading;

static void keep_line(void *user, ald_log_level level, const char *line)
{
    loading *l = user;
    const size_t used = strlen(l->log);
    (void)level;
    snprintf(l->log + used, sizeof l->log - used, "%s\n", line);
}

static void begin(loading *l)
{
    memset(l, 0, sizeof *l);
    const ald_options options = {.size = sizeof options, .threads = 1, .log = keep_line, .log_user = l};
    assert_int_equal(ald_context_new(&options, &l->context, &l->error), ALD_OK);
}

static void end(loading *l)
{
    ald_dataset_free(l->data);
    ald_model_free(l->model);
    ald_context_free(l->context);
}

static ald_status load_text(loading *l, const char *text, ald_load_options options)
{
    FILE *file = fopen("tables.csv", "wb");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    options.size = sizeof options;
    ald_dataset_free(l->data);
    l->data = NULL;
    const ald_status status = ald_dataset_load(l->context, "tables.csv", &options, &l->data, &l->error);
    assert_int_equal(remove("tables.csv"), 0);
    return status;
}

#define READ(l, text, ...) assert_int_equal(load_text(l, text, (ald_load_options){__VA_ARGS__}), ALD_OK)
#define REFUSED(l, part, text, ...)                                                                          \
    do {                                                                                                     \
        assert_true(load_text(l, text, (ald_load_options){__VA_ARGS__}) < 0);                                \
        assert_non_null(strstr((l)->error.message, part));                                                   \
    } while (0)

static void fit_pls(loading *l)
{
    ald_settings *settings;
    assert_int_equal(ald_settings_new(l->context, "pls", &settings, &l->error), ALD_OK);
    assert_int_equal(ald_settings_set_int(settings, "n_components", 1, &l->error), ALD_OK);
    assert_done(ald_fit_dataset(l->context, settings, l->data, &l->model, &l->error), l->error);
    ald_settings_free(settings);
}

static void expect(const loading *l, int64_t rows, int64_t cols, const double *values)
{
    const ald_matrix *x = ald_dataset_x(l->data);
    assert_int_equal(x->rows, rows);
    assert_int_equal(x->cols, cols);
    for (int64_t i = 0; i < rows * cols; i++) assert_close(((const double *)x->values)[i], values[i], 1e-12);
}

static void test_dates(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double days;
    } good[] = {
        {"1970-01-01", 0},
        {"1969-12-31", -1},
        {"2000-02-29", 11016},
        {"2024-03-01", 19783},
        {"1970-01-02T12:00", 1.5},
        {"1970-01-01 06:00:00", 0.25},
        {"1970-01-01T00:00:43.2Z", 0.0005},
        {"0000-03-01", -719468},
        {"29.02.2000", 11016},
        {"1.3.2024", 19783},
        {"02.1.1970 12:00", 1.5},
    };
    static const char *const bad[] = {
        "1970-1-01",        "1970-13-01",
        "1900-02-29",       "1970-01-00",
        "1970/01/01",       "1970-01-01x",
        "1970-01-01T25:00", "1970-01-01T10:00:",
        "197a-01-01",       "",
        "29.02.1900",       "1.13.1970",
        "1.1.70",           "1.1.197",
        "1..1970",          "01.01.1970x",
        "1.1.1970.",        "111.1.1970",
    };
    double days;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_true(ald_parse_date(good[i].text, strlen(good[i].text), &days));
        assert_close(days, good[i].days, 1e-12);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(ald_parse_date(bad[i], strlen(bad[i]), &days));
}

static void test_unseen(void **state)
{
    (void)state;
    static const char train[] = "c,a,y\nu,1,1.5\nv,2,2.5\nv,3,3.5\nw,4,5.5\n", new[] = "c,a\nnew,1\nv,2\n";
    loading l;
    begin(&l);
    READ(&l, train, .target = "y");
    fit_pls(&l);
    READ(&l, new, .like = l.model);
    expect(&l, 2, 4, (double[]){0.25, 0.5, 0.25, 1, 0, 1, 0, 2});
    assert_non_null(strstr(l.log, "column 'c' holds 'new' in 1 row"));
    REFUSED(&l, "contains 'new', which", new, .like = l.model, .unseen = "error");
    REFUSED(&l, "contains 'new', which", new, .like = l.model, .with_weights = 1);
    REFUSED(&l, "`unseen`: 'zero' is not one of mean, error", new, .like = l.model, .unseen = "zero");
    ald_model_free(l.model);
    READ(&l, train, .target = "y", .encode = "ordinal");
    fit_pls(&l);
    READ(&l, new, .like = l.model);
    expect(&l, 2, 2, (double[]){1, 1, 1, 2});
    end(&l);
}

static void test_filled_cells_count_in_the_mean(void **state)
{
    (void)state;
    loading l;
    begin(&l);
    READ(&l, "c,a,y\nu,1,1.5\nv,2,2.5\nv,3,3.5\n,4,5.5\n", .target = "y", .missing = "mean");
    fit_pls(&l);
    READ(&l, "c,a\nnew,1\n", .like = l.model);
    expect(&l, 1, 3, (double[]){0.25, 0.75, 1});
    end(&l);
}

static void test_kept(void **state)
{
    (void)state;
    loading l;
    begin(&l);
    READ(&l, "id,a,b,y\n007,1,1,1.5\n12345678901234567890,2,5,2.5\nx,3,2,3.5\n", .target = "y", .id = "id");
    expect(&l, 3, 2, (double[]){1, 1, 2, 5, 3, 2});
    assert_string_equal(ald_dataset_row_name(l.data, 1), "12345678901234567890");
    fit_pls(&l);
    READ(&l, "b,id,a,more\n1,0008,1.50,u\n,0009,2,v\n3,,2,\n", .like = l.model, .missing = "drop",
         .keep = "more,a");
    assert_int_equal(ald_dataset_kept_count(l.data), 3);
    assert_string_equal(ald_dataset_kept_name(l.data, 0), "id");
    assert_string_equal(ald_dataset_kept_name(l.data, 2), "a");
    assert_string_equal(ald_dataset_kept_text(l.data, 0, 1), "0009");
    assert_string_equal(ald_dataset_kept_text(l.data, 0, 2), "");
    assert_string_equal(ald_dataset_kept_text(l.data, 1, 1), "v");
    assert_string_equal(ald_dataset_kept_text(l.data, 2, 0), "1.50");
    assert_null(ald_dataset_kept_text(l.data, 3, 0));
    assert_null(ald_dataset_kept_text(l.data, 0, 3));
    assert_int_equal(ald_dataset_file_rows(l.data), 3);
    assert_int_equal(ald_dataset_file_row(l.data, 0), 0);
    assert_int_equal(ald_dataset_file_row(l.data, 1), 2);
    assert_int_equal(ald_dataset_file_row(l.data, 2), -1);
    REFUSED(&l, "`keep`: there is no column 'nope'", "b,a\n1,1\n", .like = l.model, .keep = "nope");
    end(&l);
}

static void test_cells(void **state)
{
    (void)state;
    loading l;
    begin(&l);
    READ(&l, "a;b\n1,5;-2,5e1\n2;,25\n", .header = "yes");
    expect(&l, 2, 2, (double[]){1.5, -25, 2, 0.25});
    READ(&l, "a\tb\n1,5\t2\n2\t3\n", .delimiter = "tab");
    expect(&l, 2, 2, (double[]){1.5, 2, 2, 3});
    READ(&l, "a,b\n-,1\n3,.\n5,6\n", .missing = "mean");
    expect(&l, 3, 2, (double[]){4, 1, 3, 3.5, 5, 6});
    READ(&l, "a,b\n-9,1\n3,x\n5,6\n", .missing = "mean", .na = "-9,x");
    expect(&l, 3, 2, (double[]){4, 1, 3, 3.5, 5, 6});
    REFUSED(&l, "holds the text 'NA'", "a,b\n1,1\n2,NA\n", .na = "x");
    READ(&l, "s,b\n+,1\n-,2\n", .encode = "ordinal"); /* two levels */
    expect(&l, 2, 2, (double[]){0, 1, 1, 2});
    READ(&l, "s,b\nu,1\n-,2\nv,3\nv,3\n", .encode = "ordinal", .missing = "mean");
    expect(&l, 4, 2, (double[]){0, 1, 1, 2, 1, 3, 1, 3});
    READ(&l, "zip,b\n10,1\n01,2\n10,3\n", .encode = "ordinal"); /* texts: 01, 10 */
    expect(&l, 3, 2, (double[]){1, 1, 0, 2, 1, 3});
    READ(&l, "n,b\n1.5,1\n01,2\n10,3\n", .header = "yes"); /* numbers: one is not whole */
    expect(&l, 3, 2, (double[]){1.5, 1, 1, 2, 10, 3});
    READ(&l, "d,b\n1970-01-02,1\n1970-01-03,2\n", .dates = "numbers");
    expect(&l, 2, 2, (double[]){1, 1, 2, 2});
    READ(&l, "d,b\n1970-01-02,1\n1970-01-03,2\n", .header = "yes");
    expect(&l, 2, 1, (double[]){1, 2});
    REFUSED(&l, "`dates`: 'days' is not one of ignore, numbers, categories", "d\n1\n", .dates = "days");
    REFUSED(&l, "`decimal`: 'dot' is not one of point, comma", "d\n1\n", .decimal = "dot");
    end(&l);
}

static void test_transpose(void **state)
{
    (void)state;
    static const char text[] = "gene,s1,s2,s3\ny,u,v,v\nA,1,2,3\nB,4,,6\n";
    loading l;
    begin(&l);
    READ(&l, text, .transpose = 1, .target = "y", .missing = "mean");
    expect(&l, 3, 2, (double[]){1, 4, 2, 5, 3, 6});
    assert_string_equal(ald_dataset_feature_name(l.data, 1), "B");
    assert_string_equal(ald_dataset_row_name(l.data, 2), "s3");
    assert_string_equal(ald_dataset_kept_name(l.data, 0), "gene");
    assert_int_equal(ald_dataset_target(l.data)->n_classes, 2);
    fit_pls(&l);
    READ(&l, "gene,new\nB,4\nA,1\n", .like = l.model);
    expect(&l, 1, 2, (double[]){1, 4});
    assert_string_equal(ald_dataset_kept_text(l.data, 0, 0), "new");
    READ(&l, "1,2,3\n4,5,6\n", .transpose = 1, .header = "no");
    expect(&l, 3, 2, (double[]){1, 4, 2, 5, 3, 6});
    READ(&l, "nm,s1,s2\n850,1,2\n852,3,4\n", .transpose = 1); /* numbers name the features */
    expect(&l, 2, 2, (double[]){1, 3, 2, 4});
    assert_string_equal(ald_dataset_feature_name(l.data, 1), "852");
    READ(&l, "nm,s1,s2\n850,1,2\n852,3,4\nfat,5,7\n", .transpose = 1, .target = "fat");
    expect(&l, 2, 2, (double[]){1, 3, 2, 4});
    assert_string_equal(ald_dataset_feature_name(l.data, 0), "850");
    end(&l);
}

/* One unit behind all numbers of a column; other texts stay what they are. */
static void test_units(void **state)
{
    (void)state;
    static const char text[] =
        "w;s;m;y\n162,0 kg;5%;1 kg;2 cm\n80,5 kg;7%;2 lb;3 cm\n81kg;5.5%;2 lb;3.25 cm\n"
        "70 kg;6%;1 kg;9 cm\n";
    loading l;
    begin(&l);
    READ(&l, text, .target = "y", .encode = "ordinal");
    expect(&l, 4, 3, (double[]){162, 5, 0, 80.5, 7, 1, 81, 5.5, 1, 70, 6, 0});
    assert_non_null(strstr(l.log, "column 'w' holds numbers with the unit 'kg'"));
    assert_int_equal(ald_dataset_target(l.data)->kind, ALD_TARGET_REAL);
    assert_close(((const double *)ald_dataset_target(l.data)->values.values)[2], 3.25, 1e-12);
    fit_pls(&l);
    READ(&l, "w;s;m;y\n100 kg;1%;2 lb;4 cm\n", .like = l.model);
    expect(&l, 1, 3, (double[]){100, 1, 1});
    READ(&l, "w,s,m\n100,1,2 lb\n", .like = l.model);
    expect(&l, 1, 3, (double[]){100, 1, 1});
    REFUSED(&l, "contains the text '100 lb'", "w,s,m\n100 lb,1,2 lb\n", .like = l.model);
    READ(&l, "a;b\n1,234 t;1\n2,500 t;2\n", .encode = "ordinal"); /* thousands, or decimals? */
    expect(&l, 2, 2, (double[]){0, 1, 1, 2});
    end(&l);
}

static void test_truth(void **state)
{
    (void)state;
    loading l;
    begin(&l);
    READ(&l, "t,b\nTrue,1\nTRUE,2\nFalse,3\ntrue,4\n", .encode = "ordinal", .target = "b");
    expect(&l, 4, 1, (double[]){1, 1, 0, 1});
    fit_pls(&l);
    READ(&l, "t\nFALSE\ntRUE\n", .like = l.model);
    expect(&l, 2, 1, (double[]){0, 1});
    end(&l);
}

/* Rows of weight 0 do not count in the mean that fills missing cells. */
static void test_mean_of_rows_with_weight(void **state)
{
    (void)state;
    loading l;
    begin(&l);
    READ(&l, "a,w,y\n1,1,1\n,1,2\n100,0,3\n3,2,4\n", .target = "y", .weights = "w", .missing = "mean");
    expect(&l, 4, 1, (double[]){1, 2, 100, 3});
    end(&l);
}

/* Rows of a class that the model does not know are left out where rows are judged. */
static void test_unknown_classes(void **state)
{
    (void)state;
    static const char new[] = "a,y\n1,u\n2,new\n3,v\n";
    loading l;
    begin(&l);
    READ(&l, "a,y\n1,u\n2,u\n3,v\n4,v\n", .target = "y");
    fit_pls(&l);
    READ(&l, new, .like = l.model);
    assert_non_null(strstr(l.log, "1 of 3 rows left out: their class is none of the model, such as 'new'"));
    expect(&l, 2, 1, (double[]){1, 3});
    assert_int_equal(ald_dataset_target(l.data)->kind, ALD_TARGET_CLASSES);
    assert_int_equal(ald_dataset_target(l.data)->classes[1], 1);
    REFUSED(&l, "is 'new', which is no class of the model", new, .like = l.model, .with_weights = 1);
    REFUSED(&l, "is 'new', which is no class of the model", "a,y\n1,new\n", .like = l.model);
    end(&l);
}

/* Two columns of one name are an error only where one of them is used. */
static void test_repeated_names(void **state)
{
    (void)state;
    static const char text[] = "a,b,a,y\n1,2,5,3\n2,1,5,4\n4,4,6,9\n";
    loading l;
    begin(&l);
    REFUSED(&l, "columns 1 and 3 are both named 'a': rename one of them, or leave", text, .target = "y");
    REFUSED(&l, "columns 1 and 3 are both named 'a'", text, .target = "a");
    READ(&l, text, .target = "y", .ignore = "a");
    expect(&l, 3, 1, (double[]){2, 1, 4});
    READ(&l, text, .target = "y", .ignore = "#3");
    expect(&l, 3, 2, (double[]){1, 2, 2, 1, 4, 4});
    fit_pls(&l);
    REFUSED(&l, "columns 1 and 3 are both named 'a'", text, .like = l.model);
    READ(&l, "b,c,a,c,c\n1,7,2,7,7\n", .like = l.model);
    expect(&l, 1, 2, (double[]){2, 1});
    end(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dates),
        cmocka_unit_test(test_unseen),
        cmocka_unit_test(test_kept),
        cmocka_unit_test(test_filled_cells_count_in_the_mean),
        cmocka_unit_test(test_cells),
        cmocka_unit_test(test_transpose),
        cmocka_unit_test(test_repeated_names),
        cmocka_unit_test(test_units),
        cmocka_unit_test(test_truth),
        cmocka_unit_test(test_mean_of_rows_with_weight),
        cmocka_unit_test(test_unknown_classes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
