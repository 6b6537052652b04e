#include "base/threads/large_copy.h"

#include <string.h>

ald_status ald_copy_large(ald_run *run, int64_t count, const double *from, double *to)
{
    enum { step = 1 << 18 };
    for (int64_t i = 0; i < count; i += step) {
        const int64_t part = step < count - i ? step : count - i;
        ALD_TRY(ald_ask_after(run, ALD_PAGE_WORK * (double)part));
        memcpy(to + i, from + i, (size_t)part * sizeof *to);
    }
    return ALD_OK;
}

ald_status ald_transpose_large(ald_run *run, int64_t m, int64_t n, const double *a, double *out)
{
    enum { step = 32 }; /* columns whose transposes stay in cache while they are written */
    for (int64_t j0 = 0; j0 < n; j0 += step) {
        const int64_t end = step < n - j0 ? j0 + step : n;
        ALD_TRY(ald_ask_after(run, ALD_PAGE_WORK * (double)(m * (end - j0))));
        for (int64_t i = 0; i < m; i++)
            for (int64_t j = j0; j < end; j++) out[j * m + i] = a[i * n + j];
    }
    return ALD_OK;
}
