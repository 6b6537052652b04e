/* How the model was chosen: validation curve, spectrum, certificate, the steps of tuning. */
#include "base/numbers/number.h"
#include "base/numbers/ordering.h"
#include "show/report/figures.h"
#include "show/report/sections.h"

#include <alidade/dimension.h>
#include <math.h>
#include <string.h>

enum { most_eigenvalues = 100 };

/* Who chose the number of components; NULL: nobody but the user. */
static const char *rule_of(const ald_report_job *job)
{
    const char *tuned = ald_model_text(job->model, "alidade.tuning.rule");
    if (tuned && strcmp(tuned, "best") == 0) return "Chosen by tuning: the best mean.";
    if (tuned) return "Chosen by tuning: the simplest within one standard error of the best.";
    return NULL;
}

static void write_point(ald_page *page, const ald_curve_point *point)
{
    ald_page_open(page, '{');
    ald_page_whole_of(page, "components", point->components);
    ald_page_real_of(page, "mean", point->figure.value);
    ald_page_real_of(page, "low", point->figure.low);
    ald_page_real_of(page, "high", point->figure.high);
    ald_page_close(page, '}');
}

static void write_curve(ald_page *page, const ald_report_job *job)
{
    const ald_judged_rows *j = &job->judged;
    if (!ald_page_open_if(page, "curve", j->n_curve >= 2, '{')) return;
    ald_page_metric(page, &j->metric);
    ald_page_open_of(page, "points", '[');
    for (int i = 0; i < j->n_curve; i++) write_point(page, &j->curve[i]);
    ald_page_close(page, ']');
    ald_page_whole_of(page, "chosen", job->r);
    ald_page_text_of(page, "rule", rule_of(job));
    ald_page_text_of(page, "source", j->curve_splits);
    ald_page_close(page, '}');
}

/* A vector of the model, and its length; 0: there is none. */
static int64_t find_vector(const ald_model *model, const char *name, const double **values)
{
    ald_array array;
    if (!ald_model_array(model, name, &array) || array.dims != 1 || array.type != ALD_ARRAY_F64) return 0;
    *values = array.data;
    return array.shape[0];
}

static ald_status write_spectrum(ald_run *run, ald_page *page, const ald_report_job *job)
{
    const double *values = NULL;
    ald_eigengap_result gap = ALD_EIGENGAP_RESULT_INIT;
    ald_text text;
    const char *kind = "spectrum";
    int64_t count = find_vector(job->model, kind, &values);
    if (count == 0) count = find_vector(job->model, kind = "eigenvalues", &values);
    if (!ald_page_open_if(page, "spectrum", count > 0, '{')) return ald_page_status(page);
    const int found = ald_model_eigengap(job->model, &gap) && gap.by_gap > 0;
    ald_text_init(&text, &run->scratch);
    ALD_TRY(found ? ald_text_print(run, &text, "The largest gap comes after %lld.", (long long)gap.by_gap)
                  : ald_text_print(run, &text, "There is no gap among so few."));
    ald_page_open_of(page, "values", '[');
    for (int64_t i = 0; i < ald_least(count, most_eigenvalues); i++) ald_page_real(page, values[i]);
    ald_page_close(page, ']');
    ald_page_text_of(page, "kind", kind);
    ald_page_real_of(page, "gap", found ? (double)gap.by_gap : (double)NAN);
    ald_page_text_of(page, "text", text.data);
    ald_page_close(page, '}');
    return ald_page_status(page);
}

static void write_certificate(ald_page *page, const ald_report_job *job)
{
    const char *words = ald_model_text(job->model, "alidade.resolved.certificate"),
               *gap = ald_model_text(job->model, "alidade.resolved.relative_gap");
    double value = NAN;
    if (gap && !ald_parse_real(gap, strlen(gap), &value)) value = NAN;
    if (!ald_page_open_if(page, "certificate", words != NULL, '{')) return;
    ald_page_text_of(page, "text", words);
    ald_page_real_of(page, "value", value);
    ald_page_close(page, '}');
}

/* Whether step a comes before b: figures of all folds before those of some, then the better, then the
 * earlier. */
static int comes_before(const ald_comparison *curve, int a, int b)
{
    int up;
    const ald_comparison_row *first = ald_comparison_at(curve, a), *second = ald_comparison_at(curve, b);
    ald_comparison_metric(curve, &up);
    if (!first->left_after != !second->left_after) return !first->left_after;
    return first->mean == second->mean ? a < b : (first->mean > second->mean) == (up != 0);
}

/* The table of a long search shows the step that was taken, and the best of every method and of every number
 * of components. */
static int is_folded(const ald_comparison *curve, int step, int taken)
{
    enum { short_path = 40 };
    const ald_comparison_row *row = ald_comparison_at(curve, step);
    int by_method = 0, by_components = 0;
    if (ald_comparison_count(curve) <= short_path || step == taken) return 0;
    for (int i = 0; i < ald_comparison_count(curve); i++) {
        const ald_comparison_row *other = ald_comparison_at(curve, i);
        if (i == step || !isfinite(other->mean) || !comes_before(curve, i, step)) continue;
        by_method |= row->method && other->method && strcmp(other->method, row->method) == 0;
        by_components |= other->dims == row->dims;
    }
    return by_method && by_components;
}

static void write_step(ald_page *page, const ald_comparison_row *row, int step, int folded)
{
    ald_page_open(page, '{');
    ald_page_whole_of(page, "step", step + 1);
    ald_page_text_of(page, "method", row->method ? row->method : row->label);
    ald_page_text_of(page, "settings", row->words);
    ald_page_whole_of(page, "components", row->dims);
    ald_page_real_of(page, "mean", row->mean);
    ald_page_real_of(page, "se", row->std / sqrt((double)row->count));
    ald_page_key(page, "stopped");
    ald_page_bool(page, row->left_after > 0);
    ald_page_key(page, "folded");
    ald_page_bool(page, folded);
    ald_page_close(page, '}');
}

typedef struct path_counts {
    int64_t written, stopped, folded;
    int64_t chosen; /* its place among the written ones */
} path_counts;

/* Steps that have a figure. */
static path_counts write_path(ald_page *page, const ald_comparison *curve, int chosen)
{
    path_counts counts = {0};
    ald_page_open_of(page, "path", '[');
    for (int i = 0; i < ald_comparison_count(curve); i++) {
        const ald_comparison_row *row = ald_comparison_at(curve, i);
        if (!isfinite(row->mean)) continue;
        const int folded = is_folded(curve, i, chosen);
        if (i == chosen) counts.chosen = counts.written;
        write_step(page, row, i, folded);
        counts.written++;
        counts.stopped += row->left_after > 0;
        counts.folded += folded;
    }
    ald_page_close(page, ']');
    return counts;
}

static ald_status write_tuning(ald_run *run, ald_page *page, const ald_report_job *job)
{
    ald_text words;
    const ald_tuning *tuning = job->options.tuning;
    ald_metric_facts facts = ALD_METRIC_FACTS_INIT;
    if (!ald_page_open_if(page, "tune", tuning != NULL, '{')) return ald_page_status(page);
    const ald_comparison *curve = ald_tuning_curve(tuning);
    const ald_target_kind kind = job->times ? ALD_TARGET_REAL : job->kind;
    ald_page_metric(page, ald_metric_named(ald_comparison_metric(curve, NULL), kind, &facts));
    const path_counts counts = write_path(page, curve, ald_tuning_chosen(tuning));
    ald_text_init(&words, &run->scratch);
    ALD_TRY(ald_text_print(run, &words,
                           "In numbers: what was taken, and the best of every method and of every number of "
                           "components. The picture and its CSV file have all %lld steps; %lld of them were "
                           "stopped early.",
                           (long long)counts.written, (long long)counts.stopped));
    ald_page_whole_of(page, "chosen", counts.chosen);
    ald_page_text_of(page, "words", counts.folded > 0 ? words.data : NULL);
    ald_page_text_of(page, "rule", rule_of(job));
    ald_page_real_of(page, "within", ald_tuning_within(tuning));
    ald_page_close(page, '}');
    return ald_page_status(page);
}

ald_status ald_section_choice(ald_run *run, ald_report_job *job, ald_page *page)
{
    write_curve(page, job);
    ALD_TRY(write_spectrum(run, page, job));
    write_certificate(page, job);
    return write_tuning(run, page, job);
}
