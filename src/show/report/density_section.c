/* How many of all rows lie where, for pages that show a sample of them: counts on grids over the planes of
 * the first components, and of measured against predicted. */
#include "base/numbers/ordering.h"
#include "show/report/sections.h"

#include <math.h>
#include <string.h>

enum { side = 64, most_components = 3 };

typedef struct axis {
    const double *values; /* of row i at values[i * step] */
    int64_t step;
    double low, high;
} axis;

static axis axis_of(const double *values, int64_t step, int64_t rows)
{
    axis a = {values, step, INFINITY, -INFINITY};
    for (int64_t i = 0; i < rows; i++) {
        const double value = values[i * step];
        if (!isfinite(value)) continue;
        a.low = fmin(a.low, value);
        a.high = fmax(a.high, value);
    }
    return a;
}

/* The cell of row i, or -1. */
static int64_t cell_of(const axis *a, int64_t i)
{
    const double value = a->values[i * a->step];
    if (!isfinite(value)) return -1;
    if (!(a->high > a->low)) return 0;
    return ald_within((int64_t)((value - a->low) / (a->high - a->low) * side), 0, side - 1);
}

static ald_status write_grid(ald_run *run, ald_page *page, int64_t rows, const axis *x, const axis *y,
                             const int64_t names[2])
{
    int64_t *counts;
    ALD_TRY(ald_scratch_clear(run, side, side, sizeof *counts, &counts));
    for (int64_t i = 0; i < rows; i++) {
        const int64_t column = cell_of(x, i), row = cell_of(y, i);
        if (column >= 0 && row >= 0) counts[row * side + column]++;
    }
    ald_page_open(page, '{');
    ald_page_whole_of(page, "x", names[0]);
    ald_page_whole_of(page, "y", names[1]);
    ald_page_whole_of(page, "nx", side);
    ald_page_whole_of(page, "ny", side);
    ald_page_real_of(page, "x_low", x->low);
    ald_page_real_of(page, "x_high", x->high);
    ald_page_real_of(page, "y_low", y->low);
    ald_page_real_of(page, "y_high", y->high);
    ald_page_key(page, "counts");
    ald_page_u32_list(page, counts, side * side);
    ald_page_close(page, '}');
    return ald_page_status(page);
}

static ald_status write_scores(ald_run *run, const ald_report_job *job, ald_page *page)
{
    const int64_t first = ald_least(job->r, most_components);
    ald_page_open_of(page, "scores", '[');
    for (int64_t k = 0; k < first; k++)
        for (int64_t l = k + 1; l < first; l++) {
            const axis x = axis_of(job->z + k, job->r, job->total),
                       y = axis_of(job->z + l, job->r, job->total);
            ALD_TRY(write_grid(run, page, job->total, &x, &y, (const int64_t[]){k, l}));
        }
    ald_page_close(page, ']');
    return ald_page_status(page);
}

static ald_status write_predicted(ald_run *run, const ald_report_job *job, ald_page *page)
{
    const double *predicted = job->judged.predicted;
    ald_page_open_of(page, "predicted", '[');
    for (int64_t k = 0; job->kind == ALD_TARGET_REAL && predicted && k < job->outputs; k++) {
        const axis x = axis_of(job->measured + k, job->outputs, job->total),
                   y = axis_of(predicted + k, job->outputs, job->total);
        ALD_TRY(write_grid(run, page, job->total, &x, &y, (const int64_t[]){k, k}));
    }
    ald_page_close(page, ']');
    return ald_page_status(page);
}

ald_status ald_section_density(ald_run *run, ald_report_job *job, ald_page *page)
{
    if (!ald_page_open_if(page, "density", job->shown != job->total, '{')) return ald_page_status(page);
    ALD_TRY(write_scores(run, job, page));
    ALD_TRY(write_predicted(run, job, page));
    ald_page_close(page, '}');
    return ald_page_status(page);
}
