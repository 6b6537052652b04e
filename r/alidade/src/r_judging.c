/* Routines that judge: comparisons, tuning, tests of dimension, stability, reports. */
#include "glue.h"
#include "routines.h"

#include <string.h>
#include <time.h>

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static ald_splits_options take_splits(SEXP list)
{
    ald_splits_options splits = ALD_SPLITS_OPTIONS_INIT;
    splits.splits = r_whole(list, "splits");
    splits.train = r_number(list, "train");
    splits.folds = r_whole(list, "folds");
    splits.repeats = r_whole(list, "repeats");
    splits.stratify = (int)r_whole(list, "stratify");
    splits.seed = (uint64_t)r_whole(list, "seed");
    splits.groups = r_wholes(list, "groups");
    splits.keep_duplicates = (int)r_whole(list, "duplicates");
    splits.parts = r_wholes(list, "parts");
    splits.n_parts = r_whole(list, "n_parts");
    return splits;
}

static ald_search take_search(SEXP list)
{
    ald_search search = ALD_SEARCH_INIT;
    search.methods = r_text(list, "methods");
    search.components = r_text(list, "components");
    search.settings = r_texts(list, "settings");
    search.grids = r_texts(list, "grids");
    search.random = r_whole(list, "random");
    search.seed = (uint64_t)r_whole(list, "seed");
    search.no_baselines = (int)r_whole(list, "no_baselines");
    search.choose = (int)r_whole(list, "choose");
    search.rule = (ald_rule)r_whole(list, "rule");
    return search;
}

/* One column of the table of rows: how a row gives its cell. */
typedef struct column {
    const char *name;
    const char *(*text)(const ald_comparison_row *row);
    double (*number)(const ald_comparison_row *row);
} column;

static const char *label_of(const ald_comparison_row *row)
{
    return row->label;
}
static const char *method_of(const ald_comparison_row *row)
{
    return row->method;
}
static const char *words_of(const ald_comparison_row *row)
{
    return row->words;
}
static const char *mark_of(const ald_comparison_row *row)
{
    return ald_mark_name(row->mark);
}
static const char *reason_of(const ald_comparison_row *row)
{
    return row->reason;
}
static double dims_of(const ald_comparison_row *row)
{
    return (double)row->dims;
}
static double mean_of(const ald_comparison_row *row)
{
    return row->mean;
}
static double std_of(const ald_comparison_row *row)
{
    return row->std;
}
static double count_of(const ald_comparison_row *row)
{
    return (double)row->count;
}
static double p_of(const ald_comparison_row *row)
{
    return row->p_value;
}
static double difference_of(const ald_comparison_row *row)
{
    return row->difference;
}
static double low_of(const ald_comparison_row *row)
{
    return row->difference_low;
}
static double high_of(const ald_comparison_row *row)
{
    return row->difference_high;
}

static const column columns[] = {
    {"label", label_of, NULL},   {"method", method_of, NULL}, {"settings", words_of, NULL},
    {"ncomp", NULL, dims_of},    {"mean", NULL, mean_of},     {"sd", NULL, std_of},
    {"splits", NULL, count_of},  {"p.value", NULL, p_of},     {"difference", NULL, difference_of},
    {"lower", NULL, low_of},     {"upper", NULL, high_of},    {"mark", mark_of, NULL},
    {"reason", reason_of, NULL},
};

static void put_column(r_call *call, const ald_comparison *found, const column *column)
{
    const int rows = ald_comparison_count(found);
    SEXP cells = r_put(call, column->name, Rf_allocVector(column->text ? STRSXP : REALSXP, rows));
    for (int i = 0; i < rows; i++) {
        const ald_comparison_row *row = ald_comparison_at(found, i);
        if (column->number) {
            REAL(cells)[i] = column->number(row);
            continue;
        }
        const char *text = column->text(row);
        SET_STRING_ELT(cells, i, text ? Rf_mkCharCE(text, CE_UTF8) : NA_STRING);
    }
}

/* The figure of all test rows together, for the metric of the means. */
static void put_pooled(r_call *call, const ald_comparison *found)
{
    const int rows = ald_comparison_count(found);
    const char *metric = ald_comparison_metric(found, NULL), *name;
    int at = 0;
    while ((name = ald_comparison_metric_at(found, at)) && strcmp(name, metric) != 0) at++;
    double *pooled = r_put_rows(call, "pooled", rows, 1);
    for (int i = 0; i < rows; i++) pooled[i] = name ? ald_comparison_pooled(found, i, at) : NA_REAL;
}

static ald_status put_predictions(r_call *call, const ald_comparison *found)
{
    const int rows = ald_comparison_count(found);
    SEXP all = r_put(call, "predictions", Rf_allocVector(VECSXP, rows));
    for (int i = 0; i < rows; i++) {
        ald_out_of_fold kept = ALD_OUT_OF_FOLD_INIT;
        R_TRY(ald_comparison_predictions(found, i, &kept, &call->error));
        SET_VECTOR_ELT(all, i, Rf_allocMatrix(REALSXP, (int)kept.outputs, (int)kept.rows));
        memcpy(REAL(VECTOR_ELT(all, i)), kept.mean,
               (size_t)kept.outputs * (size_t)kept.rows * sizeof *kept.mean);
    }
    return ALD_OK;
}

static void put_comparison(r_call *call, const ald_comparison *found)
{
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) put_column(call, found, &columns[i]);
    put_pooled(call, found);
    int larger = 0;
    r_put_text(call, "metric", ald_comparison_metric(found, &larger));
    r_put_number(call, "larger", larger);
    r_put_text(call, "note", ald_splits_note(ald_comparison_splits(found)));
}

static ald_status compare(r_call *call)
{
    r_inputs inputs;
    const ald_search search = take_search(r_given(call, "search"));
    const ald_splits_options splits = take_splits(r_given(call, "splits"));
    ald_compare_options options = ALD_COMPARE_OPTIONS_INIT;
    options.search = &search;
    options.splits = &splits;
    options.metric = r_text(call->arguments, "metric");
    options.keep_predictions = (int)r_whole(call->arguments, "keep");
    options.time_limit = r_number(call->arguments, "time_limit");
    options.timer = options.clock = seconds_now;
    R_TRY(r_take_inputs(call, r_given(call, "inputs"), &inputs));
    R_TRY(r_take_data(call, &inputs));
    R_TRY(ald_compare_dataset(call->context, call->data, &options, &call->comparison, &call->error));
    put_comparison(call, call->comparison);
    return options.keep_predictions ? put_predictions(call, call->comparison) : ALD_OK;
}
R_ENTRY(r_compare, compare)

/* The unbiased figures of a tuning: of the choice, and of the baselines. */
static void put_nested(r_call *call, const ald_comparison *nested)
{
    const int rows = nested ? ald_comparison_count(nested) : 0;
    SEXP labels = r_put(call, "nested_label", Rf_allocVector(STRSXP, rows));
    double *mean = r_put_rows(call, "nested_mean", rows, 1), *sd = r_put_rows(call, "nested_sd", rows, 1);
    for (int i = 0; i < rows; i++) {
        const ald_comparison_row *row = ald_comparison_at(nested, i);
        SET_STRING_ELT(labels, i, Rf_mkCharCE(row->label, CE_UTF8));
        mean[i] = row->mean;
        sd[i] = row->std;
    }
}

static ald_status tune(r_call *call)
{
    r_inputs inputs;
    const ald_search search = take_search(r_given(call, "search"));
    const ald_splits_options inner = take_splits(r_given(call, "inner")),
                             outer = take_splits(r_given(call, "outer"));
    ald_tune_options options = ALD_TUNE_OPTIONS_INIT;
    options.search = &search;
    options.rule = search.rule;
    options.inner = &inner; /* 0 folds: the usual number, by the seed that was given */
    options.outer = &outer;
    options.no_nested = (int)r_whole(call->arguments, "no_nested");
    options.groups = r_wholes(call->arguments, "groups");
    options.metric = r_text(call->arguments, "metric");
    options.time_limit = r_number(call->arguments, "time_limit");
    options.timer = seconds_now;
    R_TRY(r_take_inputs(call, r_given(call, "inputs"), &inputs));
    R_TRY(r_take_data(call, &inputs));
    R_TRY(ald_tune(call->context, call->data, &options, &call->tuning, &call->model, &call->error));
    R_TRY(r_put_new_model(call));
    put_comparison(call, ald_tuning_curve(call->tuning));
    put_nested(call, ald_tuning_nested(call->tuning));
    r_put_number(call, "chosen", ald_tuning_chosen(call->tuning) + 1);
    return ALD_OK;
}
R_ENTRY(r_tune, tune)

enum { most_dimensions = 256, dimension_columns = 16 };

static ald_status dimension(r_call *call)
{
    r_inputs inputs;
    int count = 0;
    ald_dimension_options options = ALD_DIMENSION_OPTIONS_INIT;
    ald_dimension_choice choice = ALD_DIMENSION_CHOICE_INIT;
    ald_dimension_row *rows = (ald_dimension_row *)R_alloc(most_dimensions, sizeof *rows);
    rows[0] = (ald_dimension_row)ALD_DIMENSION_ROW_INIT;
    options.max_dims = r_whole(call->arguments, "ncomp");
    options.permutations = r_whole(call->arguments, "permutations");
    options.resamples = r_whole(call->arguments, "resamples");
    options.level = r_number(call->arguments, "level");
    options.seed = (uint64_t)r_whole(call->arguments, "seed");
    R_TRY(r_take_inputs(call, r_given(call, "inputs"), &inputs));
    R_TRY(r_take_settings(call, r_text(call->arguments, "method"), r_given(call, "settings")));
    R_TRY(ald_dimension(call->context, call->settings, &inputs.x, inputs.view.y, &options, rows,
                        most_dimensions, &count, &choice, &call->error));
    double *table = r_put_rows(call, "rows", count, dimension_columns);
    for (int i = 0; i < count; i++) {
        const ald_dimension_row *r = &rows[i];
        const double cells[dimension_columns] = {
            (double)r->k,  r->eigenvalue, r->gap,          r->ratio,       r->x_share,       r->y_share,
            r->chi_square, r->freedom,    r->chi_square_p, r->statistic,   r->permutation_p, r->loglik,
            r->aic,        r->bic,        r->ladle_turn,   r->ladle_value,
        };
        memcpy(table + (ptrdiff_t)i * dimension_columns, cells, sizeof cells);
    }
    const int64_t chosen[] = {
        choice.by_gap,         choice.by_ratio, choice.by_x,   choice.by_y,     choice.by_chi_square,
        choice.by_permutation, choice.by_aic,   choice.by_bic, choice.by_ladle,
    };
    enum { rules = sizeof chosen / sizeof *chosen };
    double *kept = r_put_rows(call, "choice", rules, 1);
    for (int i = 0; i < rules; i++) kept[i] = chosen[i] < 0 ? NA_REAL : (double)chosen[i];
    return ALD_OK;
}
R_ENTRY(r_dimension, dimension)

enum { stability_columns = 7 };

static ald_status stability(r_call *call)
{
    r_inputs inputs;
    const ald_model *model = r_model(call, "model");
    const int64_t count = ald_model_component_count(model);
    ald_stability_options options = ALD_STABILITY_OPTIONS_INIT;
    ald_stability_summary summary = ALD_STABILITY_SUMMARY_INIT;
    ald_stability_row *rows = (ald_stability_row *)R_alloc((size_t)count + 1, sizeof *rows);
    rows[0] = (ald_stability_row)ALD_STABILITY_ROW_INIT;
    options.resamples = r_whole(call->arguments, "resamples");
    options.permuted = r_whole(call->arguments, "permuted");
    options.half = (int)r_whole(call->arguments, "half");
    options.seed = (uint64_t)r_whole(call->arguments, "seed");
    if (r_whole(call->arguments, "frequency"))
        options.frequency = r_put_rows(call, "frequency", ald_model_feature_count(model), 1);
    R_TRY(r_take_inputs(call, r_given(call, "inputs"), &inputs));
    R_TRY(ald_stability(call->context, model, &inputs.x, inputs.view.y, &options, rows, &summary,
                        &call->error));
    double *table = r_put_rows(call, "rows", count, stability_columns);
    for (int64_t i = 0; i < count; i++) {
        const ald_stability_row *r = &rows[i];
        const double cells[stability_columns] = {
            (double)r->k,        r->mean,          r->largest, r->high, r->permuted_mean,
            r->permuted_largest, r->permuted_high,
        };
        memcpy(table + i * stability_columns, cells, sizeof cells);
    }
    r_put_number(call, "resamples", (double)summary.resamples);
    return ALD_OK;
}
R_ENTRY(r_stability, stability)

static ald_status report(r_call *call)
{
    r_inputs inputs;
    ald_report_options options = ALD_REPORT_OPTIONS_INIT;
    options.title = r_text(call->arguments, "title");
    options.quick = (int)r_whole(call->arguments, "quick");
    options.folds = r_whole(call->arguments, "folds");
    options.resamples = r_whole(call->arguments, "resamples");
    options.seed = (uint64_t)r_whole(call->arguments, "seed");
    const char *path = r_text(call->arguments, "path");
    R_TRY(r_take_inputs(call, r_given(call, "inputs"), &inputs));
    R_TRY(r_take_data(call, &inputs));
    R_TRY(ald_report(call->context, r_model(call, "model"), call->data, NULL, &options, &call->text,
                     &call->error));
    return ald_write_text(call->context, path, call->text, strlen(call->text), &call->error);
}
R_ENTRY(r_report, report)
