/* Rows that are kept between the readings of a file: the file may be gone, the model is the same, byte for
 * byte, and what does not fit is not kept. */
#include "methods/streaming_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { rows_written = 60000 }; /* five numbers each: 2.4 MB */

static void write_rows_to(const char *name)
{
    char *text = malloc(rows_written * 40 + 100);
    size_t used = (size_t)sprintf(text, "a,b,colour,w,y\n");
    for (int i = 0; i < rows_written; i++)
        used += (size_t)sprintf(text + used, "%d,%s,%s,%d,%d\n", i * 7919 % 1000, i % 50 ? "1.5" : "",
                                i % 3 ? "red" : "\"a\nb\"", i % 4, i * 4729 % 777 + i % 1000);
    write_bytes(name, text, used);
    free(text);
}

static void write_rows(void)
{
    write_rows_to("rows.csv");
}

static ald_load_options reading(const char *keep_rows)
{
    return (ald_load_options){
        .size = sizeof(ald_load_options),
        .target = "y",
        .weights = "w",
        .missing = "mean",
        .task = "regression",
        .block_bytes = 5000,
        .keep_rows = keep_rows,
    };
}

/* Surveys the file, lets it go if `gone`, and fits; the model is saved as `to`. */
static ald_status fit_rows(const char *keep_rows, int threads, size_t max_memory, int gone, const char *to,
                           ald_error *error)
{
    const ald_load_options load = reading(keep_rows);
    const ald_options options = {
        .size = sizeof options,
        .threads = threads,
        .max_memory = max_memory,
    };
    ald_context *context = NULL;
    ald_dataset *survey = NULL;
    ald_model *model = NULL;
    int64_t rows;
    write_rows();
    assert_done(ald_context_new(&options, &context, error), *error);
    assert_done(ald_dataset_survey(context, path_of("rows.csv"), &load, &survey, &rows, error), *error);
    assert_int_equal(rows, rows_written);
    if (gone) unlink(path_of("rows.csv"));
    ald_settings *settings = support_settings(context, "pls", "n_components=2 keep_statistics=1");
    ald_status status = ald_fit_stream(context, settings, path_of("rows.csv"), &load, survey, &model, error);
    if (status >= 0) assert_done(ald_model_save(context, model, path_of(to), error), *error);
    ald_model_free(model);
    ald_settings_free(settings);
    ald_dataset_free(survey);
    ald_context_free(context);
    return status;
}

static void assert_same_bytes(const char *a, const char *b)
{
    char one[512], two[512];
    FILE *first = fopen(path_of(a), "rb"), *second = fopen(path_of(b), "rb");
    size_t got;
    assert_non_null(first);
    assert_non_null(second);
    do {
        got = fread(one, 1, sizeof one, first);
        assert_int_equal(fread(two, 1, sizeof two, second), got);
        assert_memory_equal(one, two, got);
    } while (got > 0);
    fclose(first);
    fclose(second);
}

/* Two threads; a quarter of 8 MB is less than the rows take, which then are in a file. */
static void kept_rows_give_the_same_bytes(void **state)
{
    (void)state;
    ald_error error;
    assert_done(fit_rows("none", 2, 0, 0, "none.ald", &error), error);
    assert_done(fit_rows(NULL, 2, 0, 1, "auto.ald", &error), error);
    assert_done(fit_rows("file", 2, 0, 1, "file.ald", &error), error);
    assert_same_bytes("none.ald", "auto.ald");
    assert_same_bytes("none.ald", "file.ald");
    assert_done(fit_rows("file", 2, 8 << 20, 1, "file.ald", &error), error);
    assert_same_bytes("none.ald", "file.ald");
}

static void rows_that_do_not_fit_are_read_again(void **state)
{
    (void)state;
    ald_error error;
    assert_done(fit_rows("auto", 2, 8 << 20, 0, "auto.ald", &error), error);
    assert_same_bytes("none.ald", "auto.ald");
    assert_true(fit_rows("auto", 2, 8 << 20, 1, "auto.ald", &error) < 0);
    assert_non_null(strstr(error.message, "rows.csv"));
    assert_true(fit_rows("none", 1, 0, 1, "auto.ald", &error) < 0);
}

/* One after the other from one survey: what the first made of the rows serves the second. */
static void a_survey_serves_several_fits(void **state)
{
    (void)state;
    const ald_load_options load = reading("auto");
    ald_context *context = support_context(2, NULL);
    ald_dataset *survey;
    ald_model *model;
    ald_error error;
    int64_t rows;
    write_rows();
    assert_done(ald_dataset_survey(context, path_of("rows.csv"), &load, &survey, &rows, &error), error);
    unlink(path_of("rows.csv"));
    for (int k = 0; k < 2; k++) {
        ald_settings *settings = support_settings(context, "pls", "n_components=2 keep_statistics=1");
        assert_done(ald_fit_stream(context, settings, path_of("rows.csv"), &load, survey, &model, &error),
                    error);
        assert_done(ald_model_save(context, model, path_of("again.ald"), &error), error);
        assert_same_bytes("none.ald", "again.ald");
        ald_model_free(model);
        ald_settings_free(settings);
    }
    ald_dataset_free(survey);
    ald_context_free(context);
}

/* A file of a list that is not the first is opened while a block is cut, and outlives that block. */
static void files_of_a_list_have_many_blocks(void **state)
{
    (void)state;
    const ald_load_options load = reading("none");
    ald_context *context = support_context(2, NULL);
    ald_dataset *survey;
    ald_error error;
    int64_t rows;
    write_rows_to("part-1.csv");
    write_rows_to("part-2.csv");
    assert_done(ald_dataset_survey(context, path_of("part-*.csv"), &load, &survey, &rows, &error), error);
    assert_int_equal(rows, 2 * rows_written);
    ald_dataset_free(survey);
    ald_context_free(context);
}

static void an_unknown_way_is_refused(void **state)
{
    (void)state;
    const ald_load_options load = reading("disk");
    ald_context *context = support_context(1, NULL);
    ald_dataset *survey;
    ald_error error;
    int64_t rows;
    write_rows();
    assert_int_equal(ald_dataset_survey(context, path_of("rows.csv"), &load, &survey, &rows, &error),
                     ALD_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "`keep_rows` is auto, file or none, not 'disk'"));
    ald_context_free(context);
}

int main(void)
{
    static const char *const names[] = {
        "rows.csv", "none.ald", "auto.ald", "file.ald", "again.ald", "part-1.csv", "part-2.csv",
    };
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kept_rows_give_the_same_bytes),
        cmocka_unit_test(rows_that_do_not_fit_are_read_again),
        cmocka_unit_test(a_survey_serves_several_fits),
        cmocka_unit_test(files_of_a_list_have_many_blocks),
        cmocka_unit_test(an_unknown_way_is_refused),
    };
    strcpy(folder, "/tmp/ald-kept-XXXXXX");
    if (!mkdtemp(folder)) return 1;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) unlink(path_of(names[i]));
    if (rmdir(folder) != 0) return 1; /* something was left behind */
    return failed;
}
