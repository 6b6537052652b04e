/* Points in panels, coordinate by coordinate, and how far each of them looks (near_panels.h has the
 * bounds). Reading them costs n d; the last unit is filled with points at the centre that look nowhere. */
#include "math/near/near_panels.h"

#include "base/threads/threads.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { most_columns = 1024, line = 64, chunk = 16 };

int ald_near_panels_suit(const ald_points *points)
{
    return !points->sparse && points->d <= most_columns && points->reach * points->unit <= 2.0;
}

static size_t size_of(const ald_near_panels *panels)
{
    return panels->is_double ? sizeof(double) : sizeof(float);
}

/* Where coordinate 0 of point i stands. */
static int64_t place_of(const ald_near_panels *panels, int64_t i)
{
    return i / panels->width * panels->width * panels->points->d + i % panels->width;
}

/* What fills the last unit is at the centre and looks nowhere; where another looks everywhere, it is met. */
static void fill(const ald_near_panels *panels, int64_t i)
{
    const int64_t at = place_of(panels, i);
    for (int64_t j = 0; j < panels->points->d; j++)
        ald_put(panels->coordinates, panels->is_double, at + j * panels->width, 0.0);
    ald_put(panels->h, panels->is_double, i, -1e30);
    ald_put(panels->u, panels->is_double, i, -1e30);
}

static void write_point(const ald_near_panels *panels, int64_t i, const double *row, double *rough)
{
    const int64_t at = place_of(panels, i), d = panels->points->d, width = panels->width;
    const double square = ald_points_rough(panels->points, row, panels->is_double, rough);
    const float *narrow = (const float *)rough;
    for (int64_t j = 0; panels->is_double && j < d; j++)
        ((double *)panels->coordinates)[at + j * width] = rough[j];
    for (int64_t j = 0; !panels->is_double && j < d; j++)
        ((float *)panels->coordinates)[at + j * width] = narrow[j];
    panels->sizes[i] = sqrt(square);
    ald_put(panels->h, panels->is_double, i, -0.5 * square);
    ald_put(panels->u, panels->is_double, i, -0.5 * square);
}

typedef struct writing {
    ald_run *run;
    const ald_near_panels *panels;
    int parts;
    double *memory; /* a part: chunk + 1 rows */
} writing;

static void write_part(void *work, int part)
{
    const writing *w = work;
    const ald_points *points = w->panels->points;
    const int64_t d = points->d, end = ald_part_begin(points->n, w->parts, part + 1);
    double *rough = w->memory + (int64_t)part * (chunk + 1) * d;
    int64_t stride;
    for (int64_t i = ald_part_begin(points->n, w->parts, part); i < end; i += chunk) {
        const int64_t m = end - i < chunk ? end - i : chunk;
        const double *rows = ald_points_rows(points, i, m, rough + d, &stride);
        for (int64_t r = 0; r < m; r++) write_point(w->panels, i + r, rows + r * stride, rough);
    }
}

/* Panels begin where a line of the cache does, so that no vector lies across two. */
static ald_status get_aligned(ald_run *run, int64_t count, size_t size, void **block)
{
    char *bytes;
    ALD_TRY(ald_scratch(run, count * (int64_t)size + line, 1, 1, &bytes));
    *block = bytes + (line - (uintptr_t)bytes % line) % line;
    return ALD_OK;
}

ald_status ald_near_panels_new(ald_run *run, const ald_points *points, int parts, int is_double,
                               ald_near_panels *panels)
{
    const int64_t units = (points->n + ALD_NEAR_UNIT - 1) / ALD_NEAR_UNIT;
    writing w = {run, panels, parts, NULL};
    *panels = (ald_near_panels){
        .points = points,
        .kernel = ald_near_kernel_best(is_double),
        .is_double = is_double,
        .width = is_double ? ALD_NEAR_DOUBLE : ALD_NEAR_SINGLE,
        .padded = units * ALD_NEAR_UNIT,
    };
    const size_t size = size_of(panels);
    ALD_TRY(get_aligned(run, panels->padded * points->d, size, &panels->coordinates));
    ALD_TRY(get_aligned(run, panels->padded, size, &panels->h));
    ALD_TRY(get_aligned(run, panels->padded, size, &panels->u));
    ALD_TRY(ALD_SCRATCH(run, {&panels->sizes, points->n, 1}, {&w.memory, parts * (chunk + 1), points->d}));
    for (int64_t i = points->n; i < panels->padded; i++) fill(panels, i);
    ald_parallel(parts, write_part, &w);
    return ALD_OK;
}

void ald_near_panels_look(const ald_near_panels *panels, int64_t i, double limit, double longest)
{
    static const double everywhere = 1e30;
    const ald_points *points = panels->points;
    const double eps = panels->is_double ? DBL_EPSILON : (double)FLT_EPSILON,
                 t = ((double)points->d + 4.0) * eps, size = panels->sizes[i], both = size + longest;
    const double r = sqrt(limit) * points->unit + eps * both + points->blur * points->unit;
    const double underflow = 1e-37, rho = (r * r + t * both * both) * (1.0 + 2.0 * t) + underflow;
    ald_put(panels->u, panels->is_double, i, 0.5 * fmin(rho, everywhere) - 0.5 * size * size);
}

ald_near_side ald_near_panels_side(const ald_near_panels *panels, int64_t i)
{
    const size_t size = size_of(panels), from = (size_t)i * size;
    return (ald_near_side){
        (const char *)panels->coordinates + (size_t)place_of(panels, i) * size,
        (const char *)panels->h + from,
        (const char *)panels->u + from,
    };
}
