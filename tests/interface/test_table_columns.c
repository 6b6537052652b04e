/* A table of columns in memory gives the model, byte for byte, that a csv file with the same cells gives. */
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { n = 12, cols = 8, most_levels = 16 };

/* Names, numbers with gaps, codes, dates, categories, numbers as texts, and a target. */
static const char *const cells[n][cols] = {
    {"a1", "1.5", "007", "2026-01-02", "red", "3", "-", "yes"},
    {"a2", "2.25", "010", "2026-02-03", "blue", "4", "q", "no"},
    {"a3", "", "011", "2026-03-04", "red", "5", "-", "no"},
    {"a4", "4", "007", "2026-01-02", "green", "6.5", "q", "yes"},
    {"a5", "0.5", "010", "2026-01-09", "NA", "7", "-", "yes"},
    {"a6", "6", "011", "2026-05-02", "blue", "8", "q", "no"},
    {"a7", "7.75", "12", "2026-01-05", "red", "1", "-", "no"},
    {"a8", "NaN", "007", "2026-06-02", "green", "2", "-", "yes"},
    {"a9", "2", "010", "2026-01-02", "blue", "9", "q", "yes"},
    {"b1", "3", "12", "2026-07-02", "red", "10", "-", "no"},
    {"b2", "1", "007", "2026-01-12", "green", "0", "q", "no"},
    {"b3", "-2", "011", "2026-08-02", "blue", "11", "q", "yes"},
};
static const char *const names[cols] = {"who", "x", "code", "when", "colour", "count", "mark", "y"};

typedef struct table {
    ald_table_column columns[cols];
    const char *levels[cols][n];
    int64_t codes[cols][n];
    double numbers[2 * n]; /* of x, every other one */
} table;

static void add_cell(table *t, int column, int row)
{
    ald_table_column *of = &t->columns[column];
    int64_t code = 0;
    while (code < of->n_levels && strcmp(t->levels[column][code], cells[row][column]) != 0) code++;
    if (code == of->n_levels) t->levels[column][of->n_levels++] = cells[row][column];
    t->codes[column][row] = *cells[row][column] ? code : -1;
}

static void fill(table *t)
{
    memset(t, 0, sizeof *t);
    for (int j = 0; j < cols; j++) {
        t->columns[j] = (ald_table_column){
            .size = sizeof *t->columns,
            .name = names[j],
            .levels = t->levels[j],
            .codes = t->codes[j],
        };
        for (int i = 0; i < n; i++) add_cell(t, j, i);
    }
    for (int i = 0; i < n; i++) {
        const char *cell = cells[i][1];
        t->numbers[2 * i] = *cell && strcmp(cell, "NaN") != 0 ? strtod(cell, NULL) : NAN;
    }
    t->columns[1] =
        (ald_table_column){.size = sizeof *t->columns, .name = "x", .numbers = t->numbers, .stride = 2};
}

static void write_csv(const char *path)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int j = 0; j < cols; j++) fprintf(file, "%s%s", names[j], j + 1 < cols ? "," : "\n");
    for (int i = 0; i < n; i++)
        for (int j = 0; j < cols; j++) fprintf(file, "%s%s", cells[i][j], j + 1 < cols ? "," : "\n");
    fclose(file);
}

static void assert_same_models(ald_context *context, const ald_dataset *a, const ald_dataset *b)
{
    ald_settings *settings = support_settings(context, "lda", "n_components=1 predictor=gaussian");
    const ald_dataset *data[2] = {a, b};
    unsigned char *bytes[2];
    size_t size[2];
    ald_error error;
    for (int k = 0; k < 2; k++) {
        ald_model *model;
        assert_done(ald_fit_dataset(context, settings, data[k], &model, &error), error);
        assert_done(ald_model_to_bytes(context, model, &bytes[k], &size[k], &error), error);
        ald_model_free(model);
    }
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(bytes[0], bytes[1], size[0]);
    for (int k = 0; k < 2; k++) ald_bytes_free(context, bytes[k]);
    ald_settings_free(settings);
}

static void as_from_a_file(void **state)
{
    (void)state;
    static const char *const ways[][3] = {
        {"mean", NULL, NULL},
        {"drop", "numbers", NULL},
        {"mean", "categories", "count"},
    };
    ald_context *context = support_context(1, NULL);
    ald_error error;
    table t;
    fill(&t);
    write_csv("columns.csv");
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
        const ald_load_options options = {
            .size = sizeof options,
            .target = "y",
            .id = "who",
            .missing = ways[w][0],
            .dates = ways[w][1],
            .categorical = ways[w][2],
        };
        ald_dataset *file, *memory;
        assert_done(ald_dataset_load(context, "columns.csv", &options, &file, &error), error);
        assert_done(ald_dataset_from_columns(context, t.columns, cols, n, &options, &memory, &error), error);
        assert_int_equal(ald_dataset_x(file)->rows, ald_dataset_x(memory)->rows);
        assert_string_equal(ald_dataset_row_name(file, 2), ald_dataset_row_name(memory, 2));
        assert_same_models(context, file, memory);
        ald_dataset_free(memory);
        ald_dataset_free(file);
    }
    remove("columns.csv");
    ald_context_free(context);
}

static void expect_refused(ald_context *context, const table *t, int64_t rows, const char *format,
                           const char *words)
{
    const ald_load_options options = {.size = sizeof options, .format = format};
    ald_dataset *data;
    ald_error error;
    assert_true(ald_dataset_from_columns(context, t->columns, cols, rows, &options, &data, &error) < 0);
    assert_null(data);
    assert_non_null(strstr(error.message, words));
}

static void bad_columns(void **state)
{
    (void)state;
    ald_context *context = support_context(1, NULL);
    table t;
    fill(&t);
    expect_refused(context, &t, 0, NULL, "no rows");
    expect_refused(context, &t, n, "csv", "`format` applies to files");
    t.codes[4][3] = 99;
    expect_refused(context, &t, n, NULL, "row 4 of column 5 has text code 99");
    fill(&t);
    t.columns[2].name = "x";
    expect_refused(context, &t, n, NULL, "are both named 'x'");
    fill(&t);
    t.columns[3].numbers = t.numbers;
    expect_refused(context, &t, n, NULL, "give one of them");
    fill(&t);
    t.columns[3].size = 0;
    expect_refused(context, &t, n, NULL, "ALD_TABLE_COLUMN_INIT");
    fill(&t);
    t.levels[3][0] = NULL;
    expect_refused(context, &t, n, NULL, "is NULL");
    ald_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_from_a_file),
        cmocka_unit_test(bad_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
