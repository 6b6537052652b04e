/* The columns of X in the page: values, weights, loadings, coefficients, importance, and their stability
 * over resamples. */
#include "base/numbers/ordering.h"
#include "judge/measuring/column_order.h"
#include "judge/measuring/measure_importance.h"
#include "math/operator/entry.h"
#include "show/report/report_job.h"
#include "show/report/sections.h"

#include <alidade/coefficients.h>
#include <alidade/dimension.h>
#include <alidade/importance.h>
#include <math.h>
#include <string.h>

/* Fits to rows that were drawn again: how far the components move, and which columns lead. */
typedef struct resampled {
    int have;
    ald_stability_row *rows; /* r */
    ald_stability_summary summary;
    double *frequency; /* d; NULL: the map is not linear */
} resampled;

enum { usual_resamples = 20, least_resamples = 5 };
#define MOST_OPERATIONS 2e10 /* for all resamples that nobody asked for */

static int is_linear(const ald_report_job *job)
{
    const char *map = ald_model_text(job->model, "alidade.map");
    return map && strcmp(map, "linear") == 0;
}

/* A rough count of what one fit takes: methods that compare rows with each other need all pairs. */
static double cost_of_fit(const ald_report_job *job)
{
    const ald_method *method = ald_method_find(ald_model_method(job->model));
    const unsigned can = method ? ald_method_capabilities(method) : 0;
    const double n = (double)job->n_data, d = (double)job->d;
    const double by_columns = n * d * fmin(fmin(n, d), 20.0);
    return is_linear(job) && !(can & ALD_CAN_GRAPH) ? by_columns : by_columns + n * n * (d + 50.0);
}

/* How many; 0: none. */
static ald_status count_resamples(ald_run *run, ald_report_job *job, int64_t *count)
{
    const ald_report_options *o = &job->options;
    *count = o->resamples;
    if (o->resamples != 0 || o->quick) {
        *count = o->resamples < 0 || (o->quick && o->resamples == 0) ? 0 : o->resamples;
        return ALD_OK;
    }
    *count = (int64_t)fmin(usual_resamples, MOST_OPERATIONS / (2.0 * cost_of_fit(job)));
    if (*count >= least_resamples) return ALD_OK;
    *count = 0;
    return ald_report_warn(run, job,
                           "The stability was left out, because refitting these data many times would take "
                           "long; set `resamples` to include it.");
}

static ald_status resample(ald_run *run, ald_report_job *job, resampled *again)
{
    const ald_target *y = job->data->target.kind == ALD_TARGET_NONE ? NULL : &job->data->target;
    int64_t count;
    const char *target = ald_model_text(job->model, "alidade.target");
    *again = (resampled){.summary = ALD_STABILITY_SUMMARY_INIT};
    if (!y && target && strcmp(target, "none") != 0) return ALD_OK; /* the fit had one */
    ALD_TRY(count_resamples(run, job, &count));
    if (count == 0) return ALD_OK;
    ALD_TRY(ald_scratch(run, job->r, 1, sizeof *again->rows, &again->rows));
    again->rows->size = sizeof *again->rows;
    if (is_linear(job)) ALD_TRY(ald_scratch_reals(run, job->d, 1, &again->frequency));
    const ald_stability_options options = {
        .size = sizeof options,
        .resamples = count,
        .permuted = count,
        .seed = job->options.seed,
        .frequency = again->frequency,
    };
    const ald_status status = ald_stability(job->context, job->model, &job->data->x, y, &options, again->rows,
                                            &again->summary, run->error);
    return ald_report_optional(run, job, "The stability is missing", status, &again->have);
}

static double degrees(double radians)
{
    return radians * 180.0 / 3.14159265358979323846;
}

static void write_angles(ald_page *page, const char *key, const resampled *again, int64_t r, int permuted)
{
    ald_page_open_of(page, key, '[');
    for (int64_t k = 0; k < r; k++) {
        const ald_stability_row *row = &again->rows[k];
        ald_page_open(page, '{');
        ald_page_whole_of(page, "k", row->k);
        ald_page_real_of(page, "mean", degrees(permuted ? row->permuted_mean : row->mean));
        ald_page_real_of(page, "high", degrees(permuted ? row->permuted_high : row->high));
        ald_page_close(page, '}');
    }
    ald_page_close(page, ']');
}

static ald_status write_stability(ald_run *run, const ald_report_job *job, const resampled *again,
                                  ald_page *page)
{
    ald_text text;
    if (!ald_page_open_if(page, "stability", again->have, '{')) return ald_page_status(page);
    ald_text_init(&text, &run->scratch);
    ALD_TRY(ald_text_print(run, &text,
                           "Angles between the first k components and those of %lld fits to resampled rows",
                           (long long)again->summary.resamples));
    if (again->summary.permuted > 0)
        ALD_TRY(ald_text_print(run, &text,
                               ", beside %lld fits to permuted targets, which show the effect of chance",
                               (long long)again->summary.permuted));
    ALD_TRY(ald_text_add(run, &text, ".", 1));
    write_angles(page, "angles", again, job->r, 0);
    if (again->summary.permuted > 0)
        write_angles(page, "permuted", again, job->r, 1);
    else
        ald_page_null_of(page, "permuted");
    ald_page_text_of(page, "text", text.data);
    ald_page_close(page, '}');
    return ald_page_status(page);
}

enum { text_size = 200, most_values = 50 };
#define MOST_CELLS 1e6 /* values of columns in the page */

/* Places of the columns on a scale, where all names are numbers. */
typedef struct scale {
    double *positions; /* d, or NULL */
    char title[text_size], unit[text_size];
} scale;

static ald_status find_scale(ald_run *run, const ald_report_job *job, scale *s)
{
    ALD_TRY(ald_scratch_reals(run, job->d, 1, &s->positions));
    if (!ald_column_positions(job->column_names, job->d, s->positions, s->title, s->unit, text_size) ||
        !ald_columns_in_order(s->positions, job->d, s->unit, &job->data->x))
        s->positions = NULL;
    return ALD_OK;
}

static void write_column(ald_page *page, const ald_report_job *job, const scale *s, int64_t column)
{
    const char *name = job->column_names[column], *unit = NULL;
    char own[text_size] = "";
    size_t begins;
    const size_t length = ald_name_unit(name, &begins);
    if (length > 0 && length < sizeof own) memcpy(own, name + begins, length);
    if (*own) unit = own;
    if (s->positions && *s->unit) unit = s->unit;
    ald_page_open(page, '{');
    ald_page_text_of(page, "name", name);
    ald_page_real_of(page, "numeric_name", s->positions ? s->positions[column] : (double)NAN);
    ald_page_text_of(page, "unit", unit);
    ald_page_close(page, '}');
}

static ald_status write_columns(ald_run *run, const ald_report_job *job, scale *s, ald_page *page)
{
    ALD_TRY(find_scale(run, job, s));
    ald_page_open_of(page, "columns", '[');
    for (int64_t j = 0; j < job->n_columns; j++) write_column(page, job, s, job->columns[j]);
    ald_page_close(page, ']');
    ald_page_whole_of(page, "columns_n", job->d);
    if (!ald_page_open_if(page, "columns_axis", s->positions != NULL, '{')) return ald_page_status(page);
    ald_page_text_of(page, "title", s->title);
    ald_page_text_of(page, "unit", s->unit);
    ald_page_close(page, '}');
    return ald_page_status(page);
}

/* Where a column of the model is among those in the page, or -1. */
static int64_t place_of(const ald_report_job *job, int64_t column)
{
    int64_t low = 0, high = job->n_columns;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (job->columns[middle] < column)
            low = middle + 1;
        else
            high = middle;
    }
    return low < job->n_columns && job->columns[low] == column ? low : -1;
}

static void write_column_values(ald_page *page, const ald_report_job *job, int64_t column, double *values)
{
    for (int64_t i = 0; i < job->shown; i++) {
        int64_t row;
        const ald_dataset *rows = ald_report_place(job, job->rows[i], &row);
        values[i] = ald_matrix_at(&rows->x, row, column);
    }
    ald_page_open(page, '{');
    ald_page_whole_of(page, "column", place_of(job, column));
    ald_page_key(page, "values");
    ald_page_f32(page, (ald_page_column){.values = values, .count = job->shown, .step = 1});
    ald_page_close(page, '}');
}

static ald_status write_values(ald_run *run, const ald_report_job *job, ald_page *page)
{
    const int64_t room = (int64_t)(MOST_CELLS / (double)ald_most(job->shown, 1)),
                  wanted = ald_within(room, 1, most_values), count = ald_least(wanted, job->n_columns);
    int64_t *order;
    double *values;
    ALD_TRY(ald_scratch(run, job->d, 1, sizeof *order, &order));
    ALD_TRY(ald_scratch_reals(run, job->shown, 1, &values));
    ALD_TRY(ald_order_by_importance(run, job, order));
    ald_page_open_of(page, "column_values", '[');
    for (int64_t k = 0; k < count; k++) write_column_values(page, job, order[k], values);
    ald_page_close(page, ']');
    return ald_page_status(page);
}

/* Column k of `values`, which has an entry for each of the d columns of the model, `width` apart. */
static ald_page_column over_columns(const ald_report_job *job, const double *values, int64_t width, int64_t k)
{
    return (ald_page_column){
        .values = values ? values + k : NULL,
        .count = job->n_columns,
        .step = width,
        .rows = job->columns,
    };
}

/* r x d in scratch; NULL where the model has none. */
static ald_status find_kind(ald_run *run, const ald_report_job *job, ald_importance_kind kind,
                            double **values)
{
    int have;
    ALD_TRY(ald_scratch_reals(run, job->r, job->d, values));
    const ald_status status =
        ald_importance(job->context, job->model, kind, &job->data->x, NULL, *values, run->error);
    ALD_TRY(ald_report_optional(run, NULL, NULL, status, &have));
    if (!have) *values = NULL;
    return ALD_OK;
}

static void write_kind(ald_page *page, const ald_report_job *job, const char *key, const double *values)
{
    if (!ald_page_open_if(page, key, values != NULL, '[')) return;
    for (int64_t k = 0; k < job->r; k++) ald_page_f32(page, over_columns(job, values + k * job->d, 1, 0));
    ald_page_close(page, ']');
}

/* NULL where the model has no weights. */
static ald_status find_deviations(ald_run *run, const ald_report_job *job, int wanted, double **deviation)
{
    const ald_target *y = job->data->target.kind == ALD_TARGET_NONE ? NULL : &job->data->target;
    int have = 0;
    ALD_TRY(ald_scratch_reals(run, job->d, 1, deviation));
    if (wanted)
        ALD_TRY(ald_report_optional(
            run, NULL, NULL, ald_column_deviations(run, job->model, &job->data->x, y, *deviation), &have));
    if (!have) *deviation = NULL;
    return ALD_OK;
}

/* Units differ from column to column, so weights are per standard deviation, and loadings in standard
 * deviations; but where the columns lie on a scale they have one unit, in which loadings look like rows. */
static ald_status write_weights(ald_run *run, const ald_report_job *job, const scale *s, ald_page *page,
                                double **deviation)
{
    double *weights, *loadings;
    ALD_TRY(find_kind(run, job, ALD_IMPORTANCE_WEIGHTS, &weights));
    ALD_TRY(find_kind(run, job, ALD_IMPORTANCE_LOADINGS, &loadings));
    ALD_TRY(find_deviations(run, job, weights != NULL, deviation));
    for (int64_t i = 0; *deviation && i < job->r * job->d; i++) {
        const double own = (*deviation)[i % job->d];
        weights[i] *= own;
        if (loadings && !s->positions) loadings[i] = own > 0.0 ? loadings[i] / own : 0.0;
    }
    write_kind(page, job, "weights", weights);
    write_kind(page, job, "loadings", loadings);
    ald_page_key(page, "deviations");
    ald_page_f32(page, over_columns(job, *deviation, 1, 0));
    return ald_page_status(page);
}

static ald_status write_coefficients(ald_run *run, const ald_report_job *job, const double *deviation,
                                     ald_page *page)
{
    const int64_t count = ald_coefficients_count(job->model);
    double *values, *intercept;
    int have = 0;
    ALD_TRY(ALD_SCRATCH(run, {&values, job->d, ald_most(count, 1)}, {&intercept, ald_most(count, 1), 1}));
    if (count > 0)
        ALD_TRY(ald_report_optional(
            run, NULL, NULL, ald_coefficients(job->context, job->model, values, intercept, NULL, run->error),
            &have));
    for (int64_t i = 0; have && deviation && i < job->d * count; i++) values[i] *= deviation[i / count];
    if (!ald_page_open_if(page, "coefficients", have, '[')) return ald_page_status(page);
    for (int64_t k = 0; k < count; k++) ald_page_f32(page, over_columns(job, values, count, k));
    ald_page_close(page, ']');
    return ald_page_status(page);
}

static void write_importance(ald_page *page, const ald_report_job *job, const resampled *again)
{
    const int counted = again->have && again->frequency;
    if (!ald_page_open_if(page, "importance", job->importance != NULL, '{')) return;
    ald_page_text_of(page, "name", "VIP");
    ald_page_key(page, "values");
    ald_page_f32(page, over_columns(job, job->importance, 1, 0));
    ald_page_key(page, "frequency");
    ald_page_f32(page, over_columns(job, counted ? again->frequency : NULL, 1, 0));
    ald_page_real_of(page, "leading", counted ? (double)again->summary.leading : (double)NAN);
    ald_page_real_of(page, "resamples", counted ? (double)again->summary.resamples : (double)NAN);
    ald_page_real_of(page, "chance", counted ? (double)again->summary.leading / (double)job->d : (double)NAN);
    ald_page_close(page, '}');
}

ald_status ald_section_columns(ald_run *run, ald_report_job *job, ald_page *page)
{
    resampled again;
    scale s = {0};
    double *deviation;
    ALD_TRY(write_columns(run, job, &s, page));
    ALD_TRY(write_values(run, job, page));
    ALD_TRY(write_weights(run, job, &s, page, &deviation));
    ALD_TRY(write_coefficients(run, job, deviation, page));
    ALD_TRY(resample(run, job, &again));
    write_importance(page, job, &again);
    return write_stability(run, job, &again, page);
}
