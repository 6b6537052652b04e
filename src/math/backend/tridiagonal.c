/* A few eigenvalues of a symmetric matrix: to tridiagonal form by reflections, A = Q T Q', on several
 * threads, and bisection on T.
 *
 * Our own reduction is taken only with 6 threads or more and 200 <= n <= 1200 (openblas.c): there it is
 * ahead of LAPACK's dsytrd, 5.1 against 7.6 ms for n = 500 on 16 threads; with fewer threads, or rows that
 * do not stay in their caches, LAPACK does it (docs/performance.md has the table). Bisection is 1.2 to 1.7
 * times ahead of dsyevr for n from 100 to 500.
 *
 * Step i reflects row i onto its first entry beyond the diagonal:
 *
 *   H = I - tau v v'
 *   p = A v
 *   w = tau p - (tau^2 / 2) (p'v) v
 *   A <- A - v w' - w v'
 *
 * A row is changed together with its product with the next v, so that it is read once per step. 2 n^3
 * operations in place of 4/3 n^3, of which 1/threads to each; the bytes are the same for any number of
 * threads.
 *
 * Bisection: the number of eigenvalues of T (diagonal d, beside it e) below x is the number of negative
 * terms of
 *
 *   q_i = (d_i - x) - e_(i-1)^2 / q_(i-1).
 *
 * Sixteen x at once, in the lanes of wide vectors. A T that falls into parts, is not finite or is of extreme
 * size is left to LAPACK. */
#include "math/backend/tridiagonal.h"

#include "base/numbers/ordering.h"
#include "base/numbers/wide.h"
#include "base/threads/team.h"
#include "math/backend/row_sums.h"

#include <float.h>
#include <math.h>
#include <string.h>

int ald_is_tridiagonal(int64_t n, const double *upper)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = i + 2; j < n; j++)
            if (upper[i * n + j] != 0.0) return 0;
    return 1;
}

int ald_take_tridiagonal(const double *upper, ald_reduction *r)
{
    if (!ald_is_tridiagonal(r->n, upper)) return 0;
    for (int64_t i = 0; i < r->n; i++) r->diagonal[i] = upper[i * (r->n + 1)];
    for (int64_t i = 0; i + 1 < r->n; i++) r->beside[i] = upper[i * (r->n + 1) + 1];
    return 1;
}

/* Rows that a thread has next to each other; the next ones belong to the next thread. */
enum { rows_together = 4, alone_below = 64 };

typedef struct reducing {
    int parts;
    int64_t n;
    const double *upper;
    double *a, *diagonal, *beside, *tau;
    /* n each, entries from the row of the step on: the reflection, its product, and those of the step before
     */
    double *v, *p, *v_before, *w_before;
    int64_t step;
} reducing;

ALD_WITHIN double sum_of(const ald_eight *sums, double rest)
{
    const ald_eight s = *sums;
    return rest + (((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7])));
}

/* Row i <- row - v_i w - w_i v beyond the step; returns the product of the new row with the next v. Sums in
 * eight lanes, whatever the processor has. */
ALD_WIDE static double change_and_multiply(const reducing *r, int64_t i)
{
    double *restrict row = r->a + i * r->n;
    const double *restrict v = r->v_before, *restrict w = r->w_before, *restrict next = r->v;
    const double v_i = v[i], w_i = w[i];
    const int64_t n = r->n;
    ald_eight sum = {0.0};
    double rest = 0.0;
    int64_t j = r->step + 1;
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
    return sum_of(&sum, rest);
}

/* Rows first .. last - 1, from the upper triangle: each thread fetches its own. */
static void copy_rows(const reducing *r, int64_t first, int64_t last)
{
    for (int64_t j = 0; j < last; j++)
        for (int64_t i = first > j ? first : j + 1; i < last; i++)
            r->a[i * r->n + j] = r->upper[j * r->n + i];
    for (int64_t i = first; i < last; i++)
        memcpy(r->a + i * (r->n + 1), r->upper + i * (r->n + 1), (size_t)(r->n - i) * sizeof *r->a);
}

static void copy_part(void *work, int part)
{
    const reducing *r = work;
    for (int64_t i = (int64_t)part * rows_together; i < r->n; i += (int64_t)rows_together * r->parts)
        copy_rows(r, i, ald_least(r->n, i + rows_together));
}

/* The part's rows below that of the step. */
static void change_rows(void *work, int part)
{
    const reducing *r = work;
    const int64_t n = r->n, begin = r->step + 1, stride = (int64_t)rows_together * r->parts;
    int64_t i0 = begin / stride * stride + part * rows_together;
    for (; i0 < n; i0 += stride)
        for (int64_t i = i0 < begin ? begin : i0; i < i0 + rows_together && i < n; i++)
            r->p[i] = change_and_multiply(r, i);
}

/* The reflection of row `step`, which is up to date, onto its first entry: to the row itself and to v. */
static void reflect(reducing *r)
{
    const int64_t i = r->step, first = i + 1, rest = r->n - first - 1;
    double *row = r->a + i * r->n;
    const ald_reflection found = ald_row_reflect(rest + 1, row + first);
    r->diagonal[i] = row[i];
    r->beside[i] = found.beta;
    r->tau[i] = found.tau;
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
    const double half = 0.5 * tau * tau * ald_row_product(r->n - first, r->p + first, r->v + first);
    for (int64_t j = first; j < r->n; j++) {
        r->w_before[j] = tau * r->p[j] - half * r->v[j];
        r->v_before[j] = r->v[j];
    }
}

/* Below a certain order the leader does the rest by itself. */
static void lead(ald_quick *quick, void *work)
{
    reducing *r = work;
    ald_quick_lot(quick, copy_part, r);
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

ald_status ald_tridiagonalise(ald_run *run, int parts, const double *upper, const ald_reduction *reduction)
{
    const int64_t n = reduction->n;
    reducing r = {
        .parts = parts < ALD_QUICK_MOST ? parts : ALD_QUICK_MOST,
        .n = n,
        .upper = upper,
        .a = reduction->a,
        .diagonal = reduction->diagonal,
        .beside = reduction->beside,
        .tau = reduction->tau,
    };
    if (n == 0) return ALD_OK;
    ALD_TRY(ALD_SCRATCH(run, {&r.v, n, 1}, {&r.p, n, 1}));
    ALD_TRY(ald_scratch_zeros(run, n, 1, &r.v_before));
    ALD_TRY(ald_scratch_zeros(run, n, 1, &r.w_before));
    ald_quick_run(r.parts, lead, &r);
    return ALD_OK;
}

typedef struct turning {
    const ald_reduction *reduction;
    int parts;
    int64_t count;
    double *vectors;
} turning;

static void turn_part(void *work, int part)
{
    const turning *t = work;
    const ald_reduction *r = t->reduction;
    for (int64_t k = part; k < t->count; k += t->parts)
        for (int64_t i = r->n - 2; i >= 0; i--) {
            const int64_t rest = r->n - i - 2;
            const double *v = r->a + i * r->n + i + 2;
            double *x = t->vectors + k * r->n + i + 2;
            const double factor = r->tau[i] * (x[-1] + ald_row_product(rest, v, x));
            x[-1] -= factor;
            ald_row_add(rest, -factor, v, x);
        }
}

void ald_reduction_turn(int parts, const ald_reduction *reduction, int64_t count, double *vectors)
{
    turning t = {reduction, (int)ald_least(parts, count), count, vectors};
    if (count > 0) ald_parallel(t.parts, turn_part, &t);
}

/* Bisection. */

enum { lanes = 16, most_halvings = 120 };

typedef int64_t eight_counts __attribute__((vector_size(64), aligned(8), may_alias));

/* below[l]: how many eigenvalues are less than x[l]. A term that is 0 makes the next one minus infinity, and
 * that in turn the next but one what it would be without: no term needs a guard, as no square is 0. */
ALD_WIDE static void count_below(int64_t n, const double *diagonal, const double *squares, const double *x,
                                 int64_t *below)
{
    const ald_eight x0 = ALD_EIGHT_OF(x), x1 = ALD_EIGHT_OF(x + 8);
    ald_eight q0 = diagonal[0] - x0, q1 = diagonal[0] - x1;
    eight_counts count0 = q0 < 0.0, count1 = q1 < 0.0; /* -1 where it is so */
    for (int64_t i = 1; i < n; i++) {
        q0 = diagonal[i] - x0 - squares[i] / q0;
        q1 = diagonal[i] - x1 - squares[i] / q1;
        count0 += q0 < 0.0;
        count1 += q1 < 0.0;
    }
    for (int l = 0; l < 8; l++) {
        below[l] = -count0[l];
        below[l + 8] = -count1[l];
    }
}

/* One eigenvalue, which is between `from` and `to`. */
typedef struct bracket {
    double from, to;
} bracket;

/* Between the last point that the eigenvalue is not below and the next one. */
static void narrow(bracket *b, int points, const double *x, const int64_t *below, int64_t number)
{
    int at = 0;
    while (at < points && below[at] <= number) at++;
    if (at < points) b->to = x[at];
    if (at > 0) b->from = x[at - 1];
}

/* A tridiagonal matrix, whose eigenvalues are all between low and high. */
typedef struct spectrum {
    int64_t n;
    const double *diagonal, *squares;
    double low, high;
} spectrum;

/* Eigenvalues number first .. first + count, counted upwards from 0. The lanes are divided among them: each
 * interval is cut at so many points at once. */
static void halve(const spectrum *s, int64_t first, int count, double *values)
{
    const double tiny = 0.1 * DBL_EPSILON * (s->high - s->low);
    const int points = lanes / count;
    bracket brackets[lanes];
    double x[lanes] = {0.0};
    int64_t below[lanes];
    int open = 1;
    for (int k = 0; k < count; k++) brackets[k] = (bracket){s->low, s->high};
    for (int time = 0; open && time < most_halvings; time++) {
        for (int l = 0; l < points * count; l++) {
            const bracket *b = &brackets[l / points];
            x[l] = b->from + (b->to - b->from) * ((double)(l % points + 1) / (double)(points + 1));
        }
        count_below(s->n, s->diagonal, s->squares, x, below);
        open = 0;
        for (int k = 0; k < count; k++) {
            bracket *b = &brackets[k];
            narrow(b, points, x + k * points, below + k * points, first + k);
            open |= b->to - b->from > 2.0 * DBL_EPSILON * fmax(fabs(b->from), fabs(b->to)) + tiny;
        }
    }
    for (int k = 0; k < count; k++) values[k] = brackets[k].from + 0.5 * (brackets[k].to - brackets[k].from);
}

/* All eigenvalues are within low and high; 0: the matrix is none for this. */
static int bound(int64_t n, const double *diagonal, const double *beside, double *low, double *high)
{
    const double least = 1e-140; /* its square is not 0 */
    *low = INFINITY;
    *high = -INFINITY;
    for (int64_t i = 0; i < n; i++) {
        const double left = i > 0 ? fabs(beside[i - 1]) : 0.0, right = i < n - 1 ? fabs(beside[i]) : 0.0;
        *low = fmin(*low, diagonal[i] - left - right);
        *high = fmax(*high, diagonal[i] + left + right);
        if (i < n - 1 && !(right > least + DBL_EPSILON * sqrt(fabs(diagonal[i] * diagonal[i + 1])))) return 0;
    }
    const double size = fmax(fabs(*low), fabs(*high)), smallest = 1e-100, largest = 1e100;
    const double slack = 4.0 * (double)n * DBL_EPSILON * size;
    *low -= slack;
    *high += slack;
    return size > smallest && size < largest;
}

int ald_bisect(int64_t n, const double *diagonal, const double *beside, int64_t wanted, double *squares,
               double *values)
{
    spectrum s = {.n = n, .diagonal = diagonal, .squares = squares};
    if (!bound(n, diagonal, beside, &s.low, &s.high)) return 0;
    squares[0] = 0.0;
    for (int64_t i = 1; i < n; i++) squares[i] = beside[i - 1] * beside[i - 1];
    for (int64_t k = 0; k < wanted; k += lanes) {
        const int count = wanted - k < lanes ? (int)(wanted - k) : lanes;
        halve(&s, n - wanted + k, count, values + k);
    }
    return 1;
}
