#include "math/backend/plain_spectra.h"

#include <math.h>

ald_status ald_plain_stuck(ald_run *run, const char *what)
{
    return ald_fail(run->error, ALD_ERROR_NUMERICAL, "%s failed: are the data finite and of moderate size?",
                    what);
}

ald_status ald_plain_moderate(ald_run *run, const char *what, int64_t count, double *a, double *scale)
{
    const double smallest = 1e-100, largest = 1e100;
    double size = 0.0, sum = 0.0;
    for (int64_t i = 0; i < count; i++) {
        size = fmax(size, fabs(a[i]));
        sum += 0.0 * a[i]; /* not a number where one is not finite */
    }
    if (!(sum == 0.0)) return ald_plain_stuck(run, what);
    *scale = size > 0.0 && (size < smallest || size > largest) ? size : 1.0;
    for (int64_t i = 0; *scale != 1.0 && i < count; i++) a[i] /= *scale;
    return ALD_OK;
}

/* By insertion into what is in order: rotations leave values nearly so. */
void ald_plain_order(int64_t n, const double *values, int64_t *places)
{
    for (int64_t i = 0; i < n; i++) {
        int64_t at = i;
        for (; at > 0 && values[places[at - 1]] < values[i]; at--) places[at] = places[at - 1];
        places[at] = i;
    }
}
