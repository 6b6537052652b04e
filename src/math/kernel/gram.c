/* The kernel matrix of all training rows, its centring and its products; large symmetric matrices in
 * memory. */
#include "math/kernel/gram.h"

#include "base/core/budget.h"
#include "base/numbers/ordering.h"
#include "base/numbers/wide.h"
#include "base/threads/team.h"
#include "math/linalg/few_columns.h"
#include "math/linalg/linalg.h"
#include "math/operator/operator.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

/* Rows of a tile; they are dealt to the parts in turn, since rows of a triangle are not equally long. */
enum {
    tile = 32,
    rows_at_once = 64, /* a multiple of ald_few_rows */
    columns_at_once = 512,
    few_parts = 4,
    large = 1 << 18,
    in_cache = 1 << 20, /* entries: read as they are, faster than twice by halves */
};

typedef struct mirroring {
    int64_t n;
    double *a;
    int parts;
    int64_t first, end; /* the rows at work */
} mirroring;

/* Rows of the lower triangle, which this part touches first. */
static void mirror_part(void *work, int part)
{
    const mirroring *m = work;
    const int64_t n = m->n;
    for (int64_t i0 = m->first + (int64_t)part * tile; i0 < m->end; i0 += (int64_t)m->parts * tile)
        for (int64_t j0 = 0; j0 <= i0; j0 += tile)
            for (int64_t i = i0; i < ald_least(n, i0 + tile); i++)
                for (int64_t j = j0; j < ald_least(i, j0 + tile); j++) m->a[i * n + j] = m->a[j * n + i];
}

/* Many rows at a time; the caller is asked in between. */
ald_status ald_symmetric_mirror(ald_run *run, int64_t n, double *a)
{
    enum { values = 1 << 21 }; /* of each part */
    mirroring m = {n, a, n * n < large ? 1 : ald_parts(run, n, 4 * tile), 0, 0};
    const int64_t step = m.parts * tile * (1 + values / (tile * n));
    for (; m.first < n; m.first = m.end) {
        m.end = ald_least(n, m.first + step);
        ALD_TRY(ald_ask_after(run, ALD_PAGE_WORK * (double)(m.end - m.first) * (double)n / m.parts));
        ald_parallel(m.parts, mirror_part, &m);
    }
    return ALD_OK;
}

typedef struct symmetric_product {
    ald_run *run;
    int64_t n, k, apart; /* k columns of `apart` numbers, n and zeros */
    const double *a;
    double *v;
    double *sums; /* k columns for each part */
    int parts;
    atomic_int stopped;
    ald_status status[few_parts];
} symmetric_product;

/* The first part is done by the caller's thread, which asks. */
static ald_status clear_sums(const symmetric_product *p, int part, double *sums)
{
    if (part == 0) ALD_TRY(ald_ask_after(p->run, ALD_PAGE_WORK * (double)(p->k * p->apart)));
    memset(sums, 0, (size_t)(p->k * p->apart) * sizeof *sums);
    return ALD_OK;
}

/* A small square on the diagonal, or the last rows. */
static void add_square(const symmetric_product *p, int64_t i, int64_t end, double *sums)
{
    for (int64_t r = i; r < end; r++)
        for (int64_t c = i; c < end; c++)
            for (int64_t l = 0; l < p->k; l++)
                sums[l * p->apart + r] += p->a[r * p->n + c] * p->v[l * p->apart + c];
}

static void add_both(const symmetric_product *p, int64_t r, int64_t j, int64_t end, double *sums)
{
    const ald_few_symmetric s = {p->n, p->k, p->apart, p->a, p->v};
    ald_few_both(&s, r, j, end, sums);
}

/* Rows i .. end from the diagonal on; behind these rows some entries of all of them at a time, so that what
 * belongs to the entries stays in cache. */
static void add_rows(const symmetric_product *p, int64_t i, int64_t end, double *sums)
{
    int64_t r = i;
    for (; r + ald_few_rows <= end; r += ald_few_rows) {
        add_square(p, r, r + ald_few_rows, sums);
        add_both(p, r, r + ald_few_rows, end, sums);
    }
    add_square(p, r, end, sums);
    for (int64_t j = end; j < p->n; j += columns_at_once)
        for (r = i; r < end; r += ald_few_rows) add_both(p, r, j, ald_least(p->n, j + columns_at_once), sums);
}

static void product_part(void *work, int part)
{
    symmetric_product *p = work;
    double *sums = p->sums + part * p->k * p->apart;
    ald_status *status = &p->status[part];
    *status = clear_sums(p, part, sums);
    if (*status < 0) atomic_store(&p->stopped, 1);
    for (int64_t i = (int64_t)part * rows_at_once; i < p->n; i += (int64_t)p->parts * rows_at_once) {
        const int64_t m = ald_least(rows_at_once, p->n - i);
        if (part == 0 && *status >= 0) *status = ald_ask_after(p->run, (double)(m * p->n * p->k));
        if (*status < 0) atomic_store(&p->stopped, 1);
        if (atomic_load(&p->stopped)) return;
        add_rows(p, i, i + m, sums);
    }
}

/* Columns c .. c + p->k of v. */
static ald_status apply_along(symmetric_product *p, const double *v, int64_t k, int64_t c, double *out)
{
    const int64_t n = p->n, size = p->k * p->apart;
    memset(p->v, 0, (size_t)size * sizeof *p->v);
    for (int64_t i = 0; i < n; i++)
        for (int64_t l = 0; l < p->k; l++) p->v[l * p->apart + i] = v[i * k + c + l];
    ald_parallel(p->parts, product_part, p);
    for (int part = 0; part < p->parts; part++) ALD_TRY(p->status[part]);
    ALD_TRY(ald_ask_after(p->run, ALD_VALUE_WORK * (double)(p->parts * size)));
    for (int64_t i = 0; i < n; i++)
        for (int64_t l = 0; l < p->k; l++) {
            double sum = p->sums[l * p->apart + i];
            for (int part = 1; part < p->parts; part++) sum += p->sums[part * size + l * p->apart + i];
            out[i * k + c + l] = sum;
        }
    return ALD_OK;
}

static ald_status apply_half(ald_run *run, int parts, int64_t n, const double *a, const double *v, int64_t k,
                             double *out)
{
    symmetric_product p = {.run = run, .n = n, .a = a, .parts = parts, .apart = (n + 7) / 8 * 8};
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ALD_TRY(ALD_SCRATCH(run, {&p.sums, parts * ald_few_along, p.apart}, {&p.v, ald_few_along, p.apart}));
    for (int64_t c = 0; c < k; c += p.k) {
        p.k = ald_least(ald_few_along, k - c);
        ALD_TRY(apply_along(&p, v, k, c, out));
    }
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

ald_status ald_symmetric_apply(ald_run *run, int64_t n, const double *a, const double *v, int64_t k,
                               double *out)
{
    const int parts = ald_parts(run, n, 2 * rows_at_once);
    const ald_operator z = {.x = ald_matrix_row_major(a, n, n, n)};
    if (parts <= few_parts && ald_few_serve(run) && k <= ald_few_most && n * n > in_cache)
        return apply_half(run, parts, n, a, v, k, out);
    return ald_operator_apply(run, &z, ald_of(v, n, k), ald_at(out, n, k));
}

/* The largest eigenpairs of a matrix that the caches of all threads hold together: its products take
 * microseconds, so the threads wait for them without sleeping, each with rows of its own. */
typedef struct quick_top {
    ald_run *run;
    ald_lanczos *task;
    ald_matrix a;
    ald_quick *quick;
    int parts;
    const ald_few *few;
    double *out;
    ald_status status;
} quick_top;

static void quick_rows(void *work, int part)
{
    const quick_top *q = work;
    const int64_t begin = ald_part_begin(q->a.rows, q->parts, part),
                  end = ald_part_begin(q->a.rows, q->parts, part + 1);
    ald_few_multiply(q->few, &q->a, begin, end - begin, q->out + begin * q->few->k);
}

static ald_status quick_multiply(ald_run *run, void *self, const double *v, int64_t k, double *w)
{
    quick_top *q = self;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ald_few few;
    if (k > ald_few_most)
        return ald_product(run, ald_of(q->a.values, q->a.rows, q->a.rows), ald_of(v, q->a.rows, k),
                           ald_at(w, q->a.rows, k));
    ALD_TRY(ald_few_pack(run, ald_of(v, q->a.rows, k), NULL, NULL, NULL, &few));
    q->few = &few;
    q->out = w;
    ald_quick_lot(q->quick, quick_rows, q);
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

static void lead_top(ald_quick *quick, void *work)
{
    quick_top *q = work;
    q->quick = quick;
    q->status = ald_lanczos_solve(q->run, q->task);
}

static ald_status symmetric_multiply(ald_run *run, void *self, const double *v, int64_t k, double *w)
{
    const ald_matrix *a = self;
    return ald_symmetric_apply(run, a->rows, a->values, v, k, w);
}

ald_status ald_symmetric_top(ald_run *run, int64_t n, const double *a, ald_lanczos *task)
{
    enum { most = 20 << 20, least = 1 << 14 }; /* entries of A; of a part */
    const int parts = (int)ald_least(ald_parts(run, n * n, least), ALD_QUICK_MOST);
    quick_top q = {.run = run, .task = task, .a = ald_matrix_row_major(a, n, n, n), .parts = parts};
    task->apply = symmetric_multiply;
    task->self = &q.a;
    if (parts == 1 || n * n > (parts > few_parts ? most : in_cache) || !ald_few_serve(run) ||
        task->randomized)
        return ald_lanczos_solve(run, task);
    task->apply = quick_multiply;
    task->self = &q;
    ald_quick_run(parts, lead_top, &q);
    return q.status;
}

ald_status ald_kernel_check_size(ald_run *run, int64_t n, int copies, const char *avoid)
{
    const double bytes = 8.0 * (double)n * (double)n * copies, memory = (double)ald_machine_memory();
    if (bytes <= memory) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_MEMORY,
                    "the kernel matrix of %lld rows would take %.3g GB%s, and this machine has %.3g GB: %s",
                    (long long)n, bytes / 1e9, copies > 1 ? " with what is computed from it" : "",
                    memory / 1e9, avoid);
}

typedef struct finishing {
    const ald_kernel *kernel;
    int64_t n;
    double *k;
    int parts;
} finishing;

static void finish_part(void *work, int part)
{
    const finishing *f = work;
    for (int64_t i = part; i < f->n; i += f->parts) {
        double *row = f->k + i * f->n + i;
        ald_kernel_of_squares(f->kernel, f->n - i, row);
        *row = ald_kernel_diagonal(f->kernel, 0.0);
    }
}

ald_status ald_kernel_of_distances(ald_run *run, const ald_kernel *kernel, int64_t n, double *k)
{
    enum { many = 1 << 16 };
    finishing f = {kernel, n, k, n * n < many ? 1 : ald_parts(run, n, 32)};
    ALD_TRY(ald_ask_after(run, 4.0 * ALD_VALUE_WORK * (double)n * (double)n / f.parts));
    ald_parallel(f.parts, finish_part, &f);
    return ald_symmetric_mirror(run, n, k);
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
    centring c = {n, k, column_mean, 0.0, n * n < large ? 1 : ald_parts(run, n, 32), 0, 0};
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
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "`kernel=precomputed` takes X as the kernel matrix of the rows, so %lld rows need "
                        "%lld columns, not %lld",
                        (long long)n, (long long)n, (long long)z->x.cols);
    ALD_TRY(ald_scratch_reals(run, n, n, &k));
    ALD_TRY(ald_operator_rows(run, z, 0, ald_at(k, n, n)));
    ALD_TRY(check_symmetry(run, n, k));
    ALD_TRY(check_definite(run, n, k, seed));
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}
