#include "math/kernel/gram.h"

#include "base/numbers/wide.h"
#include "base/threads/threads.h"
#include "math/linalg/linalg.h"
#include "math/solvers/lanczos.h"

#include <math.h>
#include <unistd.h>

static double memory_of_machine(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? (double)pages * (double)size : INFINITY;
}

ald_status ald_kernel_check_size(ald_run *run, int64_t n, int copies, const char *avoid)
{
    const double bytes = 8.0 * (double)n * (double)n * copies, memory = memory_of_machine();
    if (bytes <= memory) return ALD_OK;
    return ald_fail(
        run->error, ALD_ERROR_MEMORY,
        "the kernel of %lld rows with each other would take %.3g GB%s, and this machine has %.3g GB: %s",
        (long long)n, bytes / 1e9, copies > 1 ? " with what is computed from it" : "", memory / 1e9, avoid);
}

typedef struct centring {
    int64_t n;
    double *k, *means; /* of rows, which are those of columns */
    double mean;
    int parts;
    int64_t first, count; /* the rows at work */
} centring;

/* Four rows at a time: each sum is one after the other, four of them side by side. */
static void mean_part(void *work, int part)
{
    const centring *c = work;
    const int64_t n = c->n, end = c->first + ald_part_begin(c->count, c->parts, part + 1);
    int64_t i = c->first + ald_part_begin(c->count, c->parts, part);
    for (; i + 4 <= end; i += 4) {
        const double *r0 = c->k + i * n, *r1 = r0 + n, *r2 = r1 + n, *r3 = r2 + n;
        double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
        for (int64_t j = 0; j < n; j++) {
            s0 += r0[j];
            s1 += r1[j];
            s2 += r2[j];
            s3 += r3[j];
        }
        const double sums[] = {s0, s1, s2, s3};
        for (int r = 0; r < 4; r++) c->means[i + r] = sums[r] / (double)n;
    }
    for (; i < end; i++) {
        double sum = 0.0;
        for (int64_t j = 0; j < n; j++) sum += c->k[i * n + j];
        c->means[i] = sum / (double)n;
    }
}

ALD_WIDE static void centre_row(int64_t n, double own, double mean, const double *restrict means,
                                double *restrict row)
{
    for (int64_t j = 0; j < n; j++) row[j] -= own + means[j] - mean;
}

static void centre_part(void *work, int part)
{
    const centring *c = work;
    const int64_t n = c->n, end = c->first + ald_part_begin(c->count, c->parts, part + 1);
    for (int64_t i = c->first + ald_part_begin(c->count, c->parts, part); i < end; i++)
        centre_row(n, c->means[i], c->mean, c->means, c->k + i * n);
}

/* All rows, many at a time; the caller is asked in between. */
static ald_status in_slices(ald_run *run, centring *c, ald_part_fn fn)
{
    enum { values = 1 << 23 }; /* of each part */
    const int64_t step = c->parts * (1 + values / c->n);
    for (c->first = 0; c->first < c->n; c->first += step) {
        c->count = step < c->n - c->first ? step : c->n - c->first;
        ALD_TRY(ald_ask_after(run, ALD_VALUE_WORK * (double)c->n * (double)c->count / (double)c->parts));
        ald_parallel(c->parts, fn, c);
    }
    return ALD_OK;
}

ald_status ald_kernel_centre(ald_run *run, int64_t n, double *k, double *column_mean)
{
    enum { large = 1 << 18 };
    centring c = {n, k, column_mean, 0.0, n * n < large ? 1 : ald_parts(run->context, n, 32), 0, 0};
    ALD_TRY(in_slices(run, &c, mean_part));
    for (int64_t j = 0; j < n; j++) c.mean += column_mean[j] / (double)n;
    return in_slices(run, &c, centre_part);
}

/* A few columns at a time, along the rows as they lie in memory. */
ald_status ald_centre_columns(ald_run *run, int64_t m, int64_t r, double *v)
{
    enum { step = 64 };
    for (int64_t k0 = 0; k0 < r; k0 += step) {
        const int64_t count = r - k0 < step ? r - k0 : step;
        double mean[step] = {0.0};
        for (int64_t i = 0; i < m; i++)
            for (int64_t k = 0; k < count; k++) mean[k] += v[i * r + k0 + k] / (double)m;
        for (int64_t i = 0; i < m; i++)
            for (int64_t k = 0; k < count; k++) v[i * r + k0 + k] -= mean[k];
        ALD_TRY(ald_ask_after(run, 12.0 * ALD_VALUE_WORK * (double)(m * count)));
    }
    return ALD_OK;
}

static ald_status check_symmetry(ald_run *run, int64_t n, const double *k)
{
    double largest = 0.0;
    for (int64_t i = 0; i < n; i++) {
        ALD_TRY(ald_ask_after(run, ALD_VALUE_WORK * (double)n));
        for (int64_t j = 0; j < n; j++) largest = fmax(largest, fabs(k[i * n + j]));
    }
    for (int64_t i = 0; i < n; i++) {
        ALD_TRY(ald_ask_after(run, 6.0 * ALD_VALUE_WORK * (double)n));
        for (int64_t j = i + 1; j < n; j++)
            if (!(fabs(k[i * n + j] - k[j * n + i]) <= 1e-8 * largest))
                return ald_fail(
                    run->error, ALD_ERROR_DATA,
                    "a precomputed kernel must be symmetric, but the entries (%lld, %lld) and (%lld, %lld) "
                    "are %g and %g",
                    (long long)i + 1, (long long)j + 1, (long long)j + 1, (long long)i + 1, k[i * n + j],
                    k[j * n + i]);
    }
    return ALD_OK;
}

/* w = (top I - K) v. */
typedef struct flipped {
    int64_t n;
    const double *k;
    double top;
} flipped;

static ald_status apply_flipped(ald_run *run, void *self, const double *v, int64_t columns, double *w)
{
    const flipped *f = self;
    for (int64_t i = 0; i < f->n * columns; i++) w[i] = f->top * v[i];
    return ald_product_add(run, -1.0, ald_of(f->k, f->n, f->n), ald_of(v, f->n, columns), 1.0,
                           ald_at(w, f->n, columns));
}

static ald_status extreme(ald_run *run, flipped *f, uint64_t seed, double *value)
{
    ald_lanczos task = {
        .apply = apply_flipped,
        .self = f,
        .n = f->n,
        .wanted = 1,
        .tol = 1e-6,
        .max_products = 200,
        .seed = seed,
        .stage = "checking the kernel",
        .values = value,
    };
    ALD_TRY(ald_scratch_reals(run, f->n, 1, &task.vectors));
    return ald_lanczos_solve(run, &task);
}

/* The sum of the moduli of a row bounds every eigenvalue; a negative one stands out at the top of (bound I -
 * K). */
static ald_status check_definite(ald_run *run, int64_t n, const double *k, uint64_t seed)
{
    double bound = 0.0, highest;
    for (int64_t i = 0; i < n; i++) {
        double sum = 0.0;
        for (int64_t j = 0; j < n; j++) sum += fabs(k[i * n + j]);
        bound = fmax(bound, sum);
    }
    if (!(bound > 0.0)) return ALD_OK;
    flipped f = {.n = n, .k = k, .top = bound};
    ALD_TRY(extreme(run, &f, seed, &highest));
    if (highest - bound > 1e-8 * bound)
        ald_warn(run, ALD_RANK_REDUCED,
                 "the precomputed kernel is not positive semidefinite: it has an eigenvalue of %.3g, and its "
                 "rows sum to at most %.3g in modulus. Directions of negative eigenvalues are left out",
                 bound - highest, bound);
    return ALD_OK;
}

ald_status ald_kernel_check_precomputed(ald_run *run, const ald_operator *z, uint64_t seed)
{
    const int64_t n = z->x.rows;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *k;
    if (z->x.cols != n)
        return ald_fail(
            run->error, ALD_ERROR_DATA,
            "`kernel=precomputed` takes X as the kernel of the rows with each other, so %lld rows need %lld "
            "columns, not %lld",
            (long long)n, (long long)n, (long long)z->x.cols);
    ALD_TRY(ald_scratch_reals(run, n, n, &k));
    ALD_TRY(ald_operator_rows(run, z, 0, ald_at(k, n, n)));
    ALD_TRY(check_symmetry(run, n, k));
    ALD_TRY(check_definite(run, n, k, seed));
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}
