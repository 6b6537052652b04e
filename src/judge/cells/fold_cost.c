#include "judge/cells/fold_cost.h"

#include "base/settings/method.h"
#include "methods/moments/moments.h"

#include <math.h>

/* Operations on an entry of X, as those of a dense product: sparse ones run at a quarter of the speed. */
static double entries(const ald_fold_work *w)
{
    return w->dense ? w->n * w->d : 4.0 * w->entries;
}

double ald_refit_operations(const ald_fold_work *w, const ald_settings *settings, int64_t r)
{
    const double pass = w->train * entries(w);
    if (ald_settings_method(settings)->inverse == ALD_INVERTS_NOTHING)
        return pass * fmin(w->d, 30.0 * (double)r);
    return fmin(pass * w->d + w->d * w->d * w->d / 3.0, 720.0 * w->train * w->entries * w->q);
}

double ald_fold_operations(const ald_fold_work *w, int64_t fits)
{
    const double order = w->d + w->q, cube = order * order * order;
    return w->divisions * entries(w) * w->d + w->splits * (15.0 + 4.0 * (double)fits) * cube;
}

int ald_folds_fit_memory(const ald_fold_work *w)
{
    return w->d <= ALD_MOMENTS_ORDER && 8.0 * w->divisions * w->parts * w->d * w->d <= ALD_FOLD_BYTES;
}
