/* Tall matrices by slabs of rows (tall.h): what a slab is and who does it, then the sums. */
#include "math/linalg/tall.h"

#include "base/core/memory.h"
#include "base/threads/threads.h"
#include "math/backend/backend.h"
#include "math/linalg/linalg.h"

#include <math.h>
#include <string.h>

typedef struct slabs {
    ald_slab_fn fn;
    void *work;
    int64_t first, n;
} slabs;

static void do_slab(void *work, int number)
{
    const slabs *s = work;
    const int64_t slab = s->first + number, begin = slab * ALD_SLAB_ROWS;
    s->fn(s->work, slab, begin, begin + ALD_SLAB_ROWS < s->n ? begin + ALD_SLAB_ROWS : s->n);
}

static int64_t slabs_of(int64_t n)
{
    return (n + ALD_SLAB_ROWS - 1) / ALD_SLAB_ROWS;
}

ald_status ald_slabs(ald_run *run, int64_t n, double work_of_row, ald_slab_fn fn, void *work)
{
    enum { at_once = 1024 };  /* between two questions to the caller */
    const double worth = 1e6; /* operations that are worth other threads */
    const int64_t count = slabs_of(n);
    const int threads = work_of_row * (double)n > worth ? run->call.threads : 1;
    slabs s = {fn, work, 0, n};
    for (; s.first < count; s.first += at_once) {
        const int now = (int)(count - s.first < at_once ? count - s.first : at_once);
        ALD_TRY(ald_ask_after(run, work_of_row * (double)(now * ALD_SLAB_ROWS) / threads));
        ald_tasks(threads, now, do_slab, &s);
    }
    return ALD_OK;
}

enum { most_turned = 64 }; /* columns that a row is copied of */

typedef struct tall {
    int64_t q;
    double *y;
    const double *weights, *by; /* n; q */
    double *parts;              /* q of each slab */
} tall;

static void sum_slab(void *work, int64_t slab, int64_t begin, int64_t end)
{
    const tall *t = work;
    double *sum = t->parts + slab * t->q;
    for (int64_t i = begin; i < end; i++) {
        const double w = t->weights ? t->weights[i] : 1.0;
        for (int64_t j = 0; j < t->q; j++) sum[j] += w * t->y[i * t->q + j];
    }
}

static void square_slab(void *work, int64_t slab, int64_t begin, int64_t end)
{
    const tall *t = work;
    double *sum = t->parts + slab * t->q;
    for (int64_t i = begin; i < end; i++)
        for (int64_t j = 0; j < t->q; j++) sum[j] += t->y[i * t->q + j] * t->y[i * t->q + j];
}

static void largest_slab(void *work, int64_t slab, int64_t begin, int64_t end)
{
    const tall *t = work;
    double *most = t->parts + slab * t->q;
    for (int64_t i = begin; i < end; i++)
        for (int64_t j = 0; j < t->q; j++) {
            const double size = fabs(t->y[i * t->q + j]);
            most[j] = size > most[j] ? size : most[j];
        }
}

static void centre_slab(void *work, int64_t slab, int64_t begin, int64_t end)
{
    const tall *t = work;
    (void)slab;
    for (int64_t i = begin; i < end; i++) {
        const double root = t->weights ? sqrt(t->weights[i]) : 1.0;
        for (int64_t j = 0; j < t->q; j++) t->y[i * t->q + j] = root * (t->y[i * t->q + j] - t->by[j]);
    }
}

static void divide_slab(void *work, int64_t slab, int64_t begin, int64_t end)
{
    const tall *t = work;
    (void)slab;
    for (int64_t i = begin; i < end; i++)
        for (int64_t j = 0; j < t->q; j++)
            if (t->by[j] > 0.0) t->y[i * t->q + j] /= t->by[j];
}

static void add(double *sum, double part)
{
    *sum += part;
}

static void take_larger(double *most, double part)
{
    *most = fmax(*most, part);
}

/* What the slabs give, in their order. */
static ald_status gather(ald_run *run, int64_t n, tall *t, ald_slab_fn fn, void (*join)(double *, double),
                         double *out)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    const int64_t count = slabs_of(n);
    memset(out, 0, (size_t)t->q * sizeof *out);
    ALD_TRY(ald_scratch_zeros(run, count, t->q, &t->parts));
    ALD_TRY(ald_slabs(run, n, ALD_VALUE_WORK * (double)t->q, fn, t));
    for (int64_t slab = 0; slab < count; slab++)
        for (int64_t j = 0; j < t->q; j++) join(&out[j], t->parts[slab * t->q + j]);
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

ald_status ald_tall_sums(ald_run *run, int64_t n, int64_t q, const double *y, const double *weights,
                         double *out)
{
    tall t = {.q = q, .y = (double *)y, .weights = weights};
    return gather(run, n, &t, sum_slab, add, out);
}

ald_status ald_tall_squares(ald_run *run, int64_t n, int64_t q, const double *y, double *out)
{
    tall t = {.q = q, .y = (double *)y};
    return gather(run, n, &t, square_slab, add, out);
}

ald_status ald_tall_largest(ald_run *run, int64_t n, int64_t q, const double *y, double *out)
{
    tall t = {.q = q, .y = (double *)y};
    return gather(run, n, &t, largest_slab, take_larger, out);
}

ald_status ald_tall_centre(ald_run *run, int64_t n, int64_t q, const double *shift, const double *weights,
                           double *y)
{
    tall t = {.q = q, .y = y, .weights = weights, .by = shift};
    return ald_slabs(run, n, 2.0 * ALD_VALUE_WORK * (double)q, centre_slab, &t);
}

ald_status ald_tall_divide(ald_run *run, int64_t n, int64_t q, const double *size, double *y)
{
    tall t = {.q = q, .y = y, .by = size};
    return ald_slabs(run, n, 2.0 * ALD_VALUE_WORK * (double)q, divide_slab, &t);
}

/* Products by the backend, a slab each. */
typedef struct tall_product {
    ald_run *run;
    ald_view v;
    const double *y, *c;
    int64_t q, p;
    double *out;
    ald_status *status; /* of each slab */
} tall_product;

static void cross_slab(void *work, int64_t slab, int64_t begin, int64_t end)
{
    const tall_product *t = work;
    const int64_t m = t->v.cols;
    t->status[slab] = ald_backend_of(t->run)->gemm(
        t->run, 1, 0, m, t->q, end - begin, 1.0, t->v.data + begin * t->v.stride, t->v.stride,
        t->y + begin * t->q, t->q, 0.0, t->out + slab * m * t->q, t->q);
}

static void subtract_slab(void *work, int64_t slab, int64_t begin, int64_t end)
{
    const tall_product *t = work;
    t->status[slab] = ald_backend_of(t->run)->gemm(t->run, 0, 0, end - begin, t->q, t->v.cols, -1.0,
                                                   t->v.data + begin * t->v.stride, t->v.stride, t->c, t->q,
                                                   1.0, t->out + begin * t->q, t->q);
}

/* Row by row, so that it may be in place. */
static void turn_slab(void *work, int64_t slab, int64_t begin, int64_t end)
{
    const tall_product *t = work;
    const int64_t q = t->q, p = t->p;
    double row[most_turned];
    t->status[slab] = ALD_OK;
    for (int64_t i = begin; i < end; i++) {
        memcpy(row, t->y + i * q, (size_t)q * sizeof *row);
        double *out = t->out + i * p;
        memset(out, 0, (size_t)p * sizeof *out);
        for (int64_t j = 0; j < q; j++)
            for (int64_t k = 0; k < p; k++) out[k] += row[j] * t->c[j * p + k];
    }
}

static ald_status multiply(ald_run *run, int64_t n, double work_of_row, ald_slab_fn fn, tall_product *t)
{
    const int64_t count = slabs_of(n);
    ALD_TRY(ald_scratch(run, count, 1, sizeof *t->status, &t->status));
    ALD_TRY(ald_slabs(run, n, work_of_row, fn, t));
    for (int64_t slab = 0; slab < count; slab++) ALD_TRY(t->status[slab]);
    return ALD_OK;
}

ald_status ald_tall_cross(ald_run *run, ald_view v, int64_t q, const double *y, double *out)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    const int64_t size = v.cols * q, count = slabs_of(v.rows);
    tall_product t = {.run = run, .v = v, .y = y, .q = q};
    ALD_TRY(ald_scratch_reals(run, count, size, &t.out));
    ALD_TRY(multiply(run, v.rows, (double)size, cross_slab, &t));
    memset(out, 0, (size_t)size * sizeof *out);
    for (int64_t slab = 0; slab < count; slab++)
        for (int64_t e = 0; e < size; e++) out[e] += t.out[slab * size + e];
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

ald_status ald_tall_subtract(ald_run *run, ald_view v, int64_t q, const double *c, double *y)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    tall_product t = {.run = run, .v = v, .c = c, .q = q, .out = y};
    ALD_TRY(multiply(run, v.rows, (double)(v.cols * q), subtract_slab, &t));
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

ald_status ald_tall_turn(ald_run *run, int64_t n, int64_t q, const double *y, int64_t p, const double *m,
                         double *out)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    tall_product t = {.run = run, .y = y, .c = m, .q = q, .p = p, .out = out};
    if (q > most_turned) return ald_product(run, ald_of(y, n, q), ald_of(m, q, p), ald_at(out, n, p));
    ALD_TRY(multiply(run, n, (double)(q * p), turn_slab, &t));
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}
