#include "show/plotting/row_order.h"

#include "base/numbers/random.h"
#include "io/table/order.h"

#include <math.h>

enum { seed = 1 };

int ald_row_is_drawn(const ald_dots *points, int64_t i)
{
    return isfinite(points->x[i]) && isfinite(points->y[i]);
}

double ald_mark_radius(int64_t drawn)
{
    if (drawn <= 200) return 4.0;
    if (drawn <= 1000) return 3.0;
    return drawn <= 5000 ? 2.2 : 1.6;
}

/* How many of the drawn rows are of each class. */
typedef struct class_sizes {
    const double *hue;
    int64_t n_classes;
    int64_t *sizes;
} class_sizes;

/* INT64_MAX: unlabelled. */
static int64_t size_of_class(const class_sizes *c, int64_t row)
{
    const double hue = c->hue[row];
    return isfinite(hue) && hue >= 0 && hue < (double)c->n_classes ? c->sizes[(int64_t)hue] : INT64_MAX;
}

static int compare_sizes(const void *context, int64_t a, int64_t b)
{
    const int64_t x = size_of_class(context, a), y = size_of_class(context, b);
    return (x < y) - (x > y);
}

/* Classes of the same size stay mixed. */
static ald_status put_rare_last(ald_run *run, const ald_dots *points, int64_t *order, int64_t drawn)
{
    class_sizes c = {.hue = points->hue, .n_classes = points->n_classes};
    ALD_TRY(ald_scratch(run, c.n_classes, 1, sizeof *c.sizes, &c.sizes));
    for (int64_t k = 0; k < c.n_classes; k++) c.sizes[k] = 0;
    for (int64_t at = 0; at < drawn; at++)
        if (size_of_class(&c, order[at]) < INT64_MAX) c.sizes[(int64_t)c.hue[order[at]]]++;
    return ald_order_sort(run, drawn, order, compare_sizes, &c);
}

ald_status ald_row_order(ald_run *run, const ald_dots *points, int rare_last, int64_t **order, int64_t *drawn,
                         int64_t *finite)
{
    ald_random random;
    ALD_TRY(ald_scratch(run, points->n, 1, sizeof **order, order));
    ald_random_seed(&random, seed, 1);
    ald_random_permutation(&random, points->n, *order);
    *finite = 0;
    for (int64_t at = 0; at < points->n; at++)
        if (ald_row_is_drawn(points, (*order)[at])) (*order)[(*finite)++] = (*order)[at];
    *drawn = *finite < ALD_MOST_MARKS ? *finite : ALD_MOST_MARKS;
    return rare_last ? put_rare_last(run, points, *order, *drawn) : ALD_OK;
}
