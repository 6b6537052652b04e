#include "backend/tridiagonal.h"

#include "numbers/wide.h"
#include "threads/quick.h"

#include <math.h>
#include <string.h>

/* Rows that a thread has next to each other; the next ones belong to the next thread. */
enum { rows_together = 4, alone_below = 64 };

typedef struct reducing {
    int parts;
    int64_t n;
    double *a, *diagonal, *beside, *tau;
    /* n each, entries from the row of the step on: the reflection, its product, and those of the step before
     */
    double *v, *p, *v_before, *w_before;
    int64_t step;
} reducing;

/* row <- row - v_i w - w_i v from entry `begin` on; gives the product of the new row with `next`. Sums in
 * eight lanes, whatever the processor has. */
ALD_WIDE static double change_and_multiply(int64_t begin, int64_t n, double *restrict row, double v_i,
                                           double w_i, const double *restrict v, const double *restrict w,
                                           const double *restrict next)
{
    ald_eight sum = {0.0};
    double rest = 0.0;
    int64_t j = begin;
    for (; j + 8 <= n; j += 8) {
        const ald_eight entries =
            ALD_EIGHT_OF(row + j) - v_i * ALD_EIGHT_OF(w + j) - w_i * ALD_EIGHT_OF(v + j);
        ALD_EIGHT(row + j) = entries;
        sum += entries * ALD_EIGHT_OF(next + j);
    }
    for (; j < n; j++) {
        row[j] = row[j] - v_i * w[j] - w_i * v[j];
        rest += row[j] * next[j];
    }
    return rest + (((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7])));
}

/* The part's rows below that of the step. */
static void change_rows(void *work, int part)
{
    const reducing *r = work;
    const int64_t n = r->n, begin = r->step + 1, stride = (int64_t)rows_together * r->parts;
    int64_t i0 = begin / stride * stride + part * rows_together;
    for (; i0 < n; i0 += stride)
        for (int64_t i = i0 < begin ? begin : i0; i < i0 + rows_together && i < n; i++)
            r->p[i] = change_and_multiply(begin, n, r->a + i * n, r->v_before[i], r->w_before[i], r->v_before,
                                          r->w_before, r->v);
}

/* The largest entry and the length of the vector, without overflow. */
static double length_of(int64_t count, const double *x)
{
    double largest = 0.0, sum = 0.0;
    for (int64_t i = 0; i < count; i++) largest = fmax(largest, fabs(x[i]));
    if (!(largest > 0.0)) return largest;
    for (int64_t i = 0; i < count; i++) sum += x[i] / largest * (x[i] / largest);
    return largest * sqrt(sum);
}

/* The reflection of row `step`, which is up to date, onto its first entry: to the row itself and to v. */
static void reflect(reducing *r)
{
    const int64_t i = r->step, first = i + 1, rest = r->n - first - 1;
    double *row = r->a + i * r->n;
    const double alpha = row[first], tail = length_of(rest, row + first + 1);
    r->diagonal[i] = row[i];
    r->beside[i] = alpha;
    r->tau[i] = 0.0;
    if (tail > 0.0) {
        const double beta = -copysign(hypot(alpha, tail), alpha), scale = 1.0 / (alpha - beta);
        for (int64_t j = first + 1; j < r->n; j++) row[j] *= scale;
        r->beside[i] = beta;
        r->tau[i] = (beta - alpha) / beta;
    }
    r->v[first] = 1.0;
    memcpy(r->v + first + 1, row + first + 1, (size_t)rest * sizeof *row);
}

/* Row `step` as the step before leaves it. */
static void update_row(const reducing *r)
{
    const int64_t i = r->step;
    double *row = r->a + i * r->n;
    for (int64_t j = i; j < r->n; j++)
        row[j] = row[j] - r->v_before[i] * r->w_before[j] - r->w_before[i] * r->v_before[j];
}

/* w of the step, in the place of the one before, and v beside it. */
static void finish_step(reducing *r)
{
    const int64_t first = r->step + 1;
    const double tau = r->tau[r->step];
    double product = 0.0;
    for (int64_t j = first; j < r->n; j++) product += r->p[j] * r->v[j];
    const double half = 0.5 * tau * tau * product;
    for (int64_t j = first; j < r->n; j++) {
        r->w_before[j] = tau * r->p[j] - half * r->v[j];
        r->v_before[j] = r->v[j];
    }
}

/* Below a certain order the leader does the rest by itself. */
static void lead(ald_quick *quick, void *work)
{
    reducing *r = work;
    for (r->step = 0; r->step < r->n - 1; r->step++) {
        if (r->step > 0) update_row(r);
        reflect(r);
        if (r->n - r->step > alone_below)
            ald_quick_lot(quick, change_rows, r);
        else
            for (int part = 0; part < r->parts; part++) change_rows(r, part);
        finish_step(r);
    }
    if (r->step > 0) update_row(r);
    r->diagonal[r->n - 1] = r->a[r->n * r->n - 1];
}

ald_status ald_tridiagonalise(ald_run *run, int parts, int64_t n, double *a, double *diagonal, double *beside,
                              double *tau)
{
    reducing r = {.parts = parts, .n = n, .a = a, .diagonal = diagonal, .beside = beside, .tau = tau};
    if (n == 0) return ALD_OK;
    if (r.parts > ALD_QUICK_MOST) r.parts = ALD_QUICK_MOST;
    ALD_TRY(ALD_SCRATCH(run, {&r.v, n, 1}, {&r.p, n, 1}));
    ALD_TRY(ald_scratch_zeros(run, n, 1, &r.v_before));
    ALD_TRY(ald_scratch_zeros(run, n, 1, &r.w_before));
    ald_quick_run(r.parts, lead, &r);
    return ALD_OK;
}
