#include "base/threads/large_copy.h"

#include "base/threads/threads.h"

#include <string.h>

typedef struct copying {
    int64_t count;
    const double *from;
    double *to;
    int parts;
} copying;

static void copy_part(void *work, int part)
{
    const copying *c = work;
    const int64_t begin = ald_part_begin(c->count, c->parts, part),
                  end = ald_part_begin(c->count, c->parts, part + 1);
    memcpy(c->to + begin, c->from + begin, (size_t)(end - begin) * sizeof *c->to);
}

ald_status ald_copy_large(ald_run *run, int64_t count, const double *from, double *to)
{
    enum { step = 1 << 18 };
    const int parts = ald_parts(run, count, step);
    for (int64_t i = 0; i < count; i += parts * step) {
        const int64_t left = count - i, now = left < parts * step ? left : parts * step;
        copying c = {now, from + i, to + i, parts};
        ALD_TRY(ald_ask_after(run, ALD_PAGE_WORK * (double)step));
        ald_parallel(parts, copy_part, &c);
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

ald_status ald_clear_large(ald_run *run, int64_t count, double *values)
{
    enum { step = 1 << 18 };
    for (int64_t i = 0; i < count; i += step) {
        ALD_TRY(ald_ask_after(run, ALD_PAGE_WORK * (double)step));
        memset(values + i, 0, (size_t)(count - i < step ? count - i : step) * sizeof *values);
    }
    return ALD_OK;
}
