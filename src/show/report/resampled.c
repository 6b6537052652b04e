#include "show/report/resampled.h"

#include "base/numbers/ordering.h"

#include <math.h>
#include <string.h>

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
                           "The stability was left out, since fitting such data again and again takes long; "
                           "ask for `resamples` to have it.");
}

ald_status ald_report_resample(ald_run *run, ald_report_job *job, ald_resampled *again)
{
    const ald_target *y = job->data->target.kind == ALD_TARGET_NONE ? NULL : &job->data->target;
    int64_t count;
    const char *target = ald_model_text(job->model, "alidade.target");
    *again = (ald_resampled){.summary = ALD_STABILITY_SUMMARY_INIT};
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

static void write_angles(ald_page *page, const char *key, const ald_resampled *again, int64_t r, int permuted)
{
    ald_page_key(page, key);
    ald_page_open(page, '[');
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

ald_status ald_write_stability(ald_run *run, const ald_report_job *job, const ald_resampled *again,
                               ald_page *page)
{
    ald_text text;
    ald_page_key(page, "stability");
    if (!again->have) {
        ald_page_null(page);
        return ald_page_status(page);
    }
    ald_text_init(&text, &run->scratch);
    ALD_TRY(ald_text_print(run, &text,
                           "Angles between the first k components and those of %lld fits to rows drawn again",
                           (long long)again->summary.resamples));
    if (again->summary.permuted > 0)
        ALD_TRY(ald_text_print(run, &text,
                               ", beside %lld fits to permuted targets, which show what chance does",
                               (long long)again->summary.permuted));
    ALD_TRY(ald_text_add(run, &text, ".", 1));
    ald_page_open(page, '{');
    write_angles(page, "angles", again, job->r, 0);
    if (again->summary.permuted > 0)
        write_angles(page, "permuted", again, job->r, 1);
    else
        ald_page_null_of(page, "permuted");
    ald_page_text_of(page, "text", text.data);
    ald_page_close(page, '}');
    return ald_page_status(page);
}
