/* Every public function with NULL for each of its pointers, one after the other: a pointer that it cannot do
 * without is ALD_ERROR_ARGUMENT, one that it can is as good as not given; functions without a status return.
 * The same with the number of something in a list that lies outside of it.
 * Nothing crashes: each call is a process of its own, so that all that do are told. With all arguments there,
 * each call succeeds. */
#include "nulls/nulls.h"

#include "support/fitting.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void check(ald_status status, const ald_error *error)
{
    if (status >= 0) return;
    fprintf(stderr, "nulls: %s\n", error->message);
    exit(1);
}

static void fill_arrays(nulls *f)
{
    for (int i = 0; i < nulls_rows; i++) {
        f->classes[i] = i % 3;
        f->code_numbers[i] = i % 3;
        f->shares[i] = 0.5;
        f->codes[i] = i;
        f->names[i] = "name";
        for (int j = 0; j < nulls_cols; j++)
            f->numbers[i * nulls_cols + j] = (i * 7 + j * 5) % 11 + 0.25 * ((i * j) % 3);
        f->responses[i] = f->numbers[i * nulls_cols] - f->numbers[i * nulls_cols + 1] + 0.125 * (i % 5);
    }
    f->x = ald_matrix_row_major(f->numbers, nulls_rows, nulls_cols, nulls_cols);
    f->known = ald_matrix_row_major(f->numbers, 1, nulls_cols, nulls_cols);
    f->y = ald_target_real(ald_matrix_row_major(f->responses, nulls_rows, 1, 1));
    f->class_target = ald_target_classes(f->classes, nulls_rows, 3);
    f->output = (ald_output_view){
        .rows = nulls_rows,
        .cols = 1,
        .values = f->reals,
        .row_stride = 1,
        .col_stride = nulls_rows,
    };
}

static void fill_options(nulls *f)
{
    static const int64_t neighbours[] = {4, 6};
    f->device_facts = (ald_device_facts)ALD_DEVICE_FACTS_INIT;
    f->options = (ald_options){.size = sizeof f->options, .threads = 1};
    f->load = (ald_load_options){.size = sizeof f->load, .target = "y", .task = "regression"};
    f->as_it_is = (ald_load_options)ALD_LOAD_OPTIONS_INIT;
    f->split = (ald_split_file_options){.size = sizeof f->split, .train = 0.5};
    f->generate = (ald_generate_options){.size = sizeof f->generate, .n = 10};
    f->plot = (ald_plot_options)ALD_PLOT_OPTIONS_INIT;
    f->report = (ald_report_options){.size = sizeof f->report, .quick = 1, .folds = 2};
    f->export = (ald_export_options){.size = sizeof f->export, .format = "c"};
    f->inputs = (ald_inputs){.size = sizeof f->inputs, .x = &f->x, .y = &f->y};
    f->columns[0] = (ald_table_column){.size = sizeof *f->columns, .name = "x", .numbers = f->numbers};
    f->columns[1] = (ald_table_column){.size = sizeof *f->columns, .name = "y", .numbers = f->responses};
    f->hsic = (ald_hsic_options)ALD_HSIC_OPTIONS_INIT;
    f->continuity = (ald_continuity_options)ALD_CONTINUITY_OPTIONS_INIT;
    f->choice = (ald_choice_options){.size = sizeof f->choice, .n_neighbors = neighbours, .count = 2};
    f->dimension = (ald_dimension_options){.size = sizeof f->dimension, .max_dims = 1};
    f->stability = (ald_stability_options){.size = sizeof f->stability, .resamples = 3};
    f->calibration = (ald_calibration_options){.size = sizeof f->calibration, .folds = 3};
    f->splitting = (ald_splits_options){.size = sizeof f->splitting, .folds = 3};
    f->compare = (ald_compare_options){
        .size = sizeof f->compare,
        .methods = "pls",
        .splits = &f->splitting,
        .keep_predictions = 1,
    };
    f->tune = (ald_tune_options){
        .size = sizeof f->tune,
        .methods = "pls",
        .inner = &f->splitting,
        .outer = &f->splitting,
    };
    f->search = (ald_search){.size = sizeof f->search, .methods = "pls"};
    f->limits = (ald_outlier_limits)ALD_OUTLIER_LIMITS_INIT;
    f->hsic_result = (ald_hsic_result)ALD_HSIC_RESULT_INIT;
    f->subspace = (ald_subspace_result)ALD_SUBSPACE_RESULT_INIT;
    f->difference = (ald_map_difference)ALD_MAP_DIFFERENCE_INIT;
    f->angles = (ald_angles_result)ALD_ANGLES_RESULT_INIT;
    f->scoring = (ald_score_options)ALD_SCORE_OPTIONS_INIT;
    f->facts = (ald_metric_facts)ALD_METRIC_FACTS_INIT;
    f->eigengap = (ald_eigengap_result)ALD_EIGENGAP_RESULT_INIT;
    f->dimension_rows[0] = (ald_dimension_row)ALD_DIMENSION_ROW_INIT;
    f->dimension_choice = (ald_dimension_choice)ALD_DIMENSION_CHOICE_INIT;
    f->stability_rows[0] = (ald_stability_row)ALD_STABILITY_ROW_INIT;
    f->stability_summary = (ald_stability_summary)ALD_STABILITY_SUMMARY_INIT;
    f->scores[0] = (ald_score)ALD_SCORE_INIT;
    f->points[0] = (ald_continuity_point)ALD_CONTINUITY_POINT_INIT;
    f->summary = (ald_continuity_summary)ALD_CONTINUITY_SUMMARY_INIT;
    f->trials[0] = (ald_trial)ALD_TRIAL_INIT;
    f->shape = (ald_prediction_shape)ALD_PREDICTION_SHAPE_INIT;
    f->out_of_fold = (ald_out_of_fold)ALD_OUT_OF_FOLD_INIT;
}

static void write_csv(nulls *f)
{
    FILE *file = fopen(f->csv, "w");
    fprintf(file, "a,b,c,y\n");
    for (int i = 0; i < nulls_rows; i++)
        fprintf(file, "%g,%g,%g,%g\n", f->numbers[3 * i], f->numbers[3 * i + 1], f->numbers[3 * i + 2],
                f->responses[i]);
    fclose(file);
}

static void begin_judging(nulls *f)
{
    ald_error error;
    ald_model *model;
    check(ald_splits_new(f->context, &f->x, &f->y, &f->splitting, &f->splits, &error), &error);
    check(ald_candidates_new(f->context, &f->x, &f->y, &f->search, &f->candidates, &error), &error);
    check(ald_compare(f->context, &f->x, &f->y, &f->compare, &f->comparison, &error), &error);
    check(ald_tune(f->context, f->data, &f->tune, &f->tuning, &model, &error), &error);
    ald_model_free(model);
}

static void end(nulls *f)
{
    ald_tuning_free(f->tuning);
    ald_comparison_free(f->comparison);
    ald_candidates_free(f->candidates);
    ald_splits_free(f->splits);
    ald_bytes_free(f->context, f->bytes);
    ald_merging_free(f->merging);
    ald_model_free(f->model);
    ald_model_free(f->plain_model);
    ald_model_free(f->calibrated);
    ald_model_free(f->classifier);
    ald_settings_free(f->plain);
    ald_dataset_free(f->data);
    ald_dataset_free(f->survey);
    ald_settings_free(f->settings);
    ald_settings_free(f->neighbours);
    ald_context_free(f->context);
}

static void make_calibrated(nulls *f)
{
    const ald_inputs inputs = {.size = sizeof inputs, .x = &f->x, .y = &f->class_target};
    ald_error error;
    ald_model *model;
    check(ald_calibrate(f->context, f->model, &f->x, &f->y, NULL, &f->calibrated, &error), &error);
    check(ald_fit_words(f->context, "lda n_components=1 predictor=gaussian", &inputs, &model, &error),
          &error);
    check(ald_calibrate(f->context, model, &f->x, &f->class_target, NULL, &f->classifier, &error), &error);
    ald_model_free(model);
}

static void begin(nulls *f)
{
    ald_error error;
    int64_t rows;
    f->csv = "nulls.csv";
    f->written = "nulls-written.csv";
    f->written_too = "nulls-written-too.csv";
    f->saved = "nulls.ald";
    fill_arrays(f);
    fill_options(f);
    write_csv(f);
    check(ald_context_new(&f->options, &f->context, &error), &error);
    f->settings = support_settings(f->context, "pls", "n_components=1 predictor=linear outlier_limits=1");
    f->neighbours = support_settings(f->context, "sdpp", "n_components=1");
    f->plain = support_settings(f->context, "pls", "n_components=1 keep_statistics=1");
    check(ald_dataset_load(f->context, f->csv, &f->load, &f->data, &error), &error);
    check(ald_dataset_survey(f->context, f->csv, &f->load, &f->survey, &rows, &error), &error);
    check(ald_fit_dataset(f->context, f->settings, f->data, &f->model, &error), &error);
    check(ald_fit_dataset(f->context, f->plain, f->data, &f->plain_model, &error), &error);
    check(ald_merging_new(f->context, f->plain_model, &f->merging, &error), &error);
    make_calibrated(f);
    check(ald_model_save(f->context, f->model, f->saved, &error), &error);
    check(ald_model_to_bytes(f->context, f->model, &f->bytes, &f->n_bytes, &error), &error);
    begin_judging(f);
}

/* 0: as it should be. */
static int judge(const null_case *c, nulls *f)
{
    const ald_status status = c->call(f);
    if (status >= 0 || (*c->null && status == ALD_ERROR_ARGUMENT)) return 0;
    if (strcmp(c->null, "y") == 0 && status == ALD_ERROR_DATA) return 0; /* data without a target */
    printf("%s with %s: status %d, %s\n", c->function, *c->null ? c->null : "all arguments", (int)status,
           f->error.message);
    fflush(stdout);
    return 1;
}

static int run_case(const null_case *c, nulls *f)
{
    int state = 0;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) _exit(judge(c, f));
    if (child < 0 || waitpid(child, &state, 0) != child) return 1;
    if (WIFSIGNALED(state) || WEXITSTATUS(state) > 1)
        printf("%s crashes without %s\n", c->function, *c->null ? c->null : "anything missing");
    return !WIFEXITED(state) || WEXITSTATUS(state) != 0;
}

int main(void)
{
    static nulls f;
    int wrong = 0, count = 0;
    begin(&f);
    for (; null_cases[count].function; count++) wrong += run_case(&null_cases[count], &f);
    printf("%d of %d calls are as they should be\n", count - wrong, count);
    end(&f);
    return wrong > 0 || count < 300;
}
