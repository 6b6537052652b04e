#include "kernel/gram.h"

#include "linalg/linalg.h"
#include "solvers/lanczos.h"

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

void ald_kernel_centre(int64_t n, double *k, double *column_mean)
{
    double mean = 0.0;
    for (int64_t j = 0; j < n; j++) column_mean[j] = 0.0;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) column_mean[j] += k[i * n + j];
    for (int64_t j = 0; j < n; j++) column_mean[j] /= (double)n;
    for (int64_t j = 0; j < n; j++) mean += column_mean[j] / (double)n;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) k[i * n + j] -= column_mean[i] + column_mean[j] - mean;
}

/* A few columns at a time, along the rows as they lie in memory. */
void ald_centre_columns(int64_t m, int64_t r, double *v)
{
    enum { step = 64 };
    for (int64_t k0 = 0; k0 < r; k0 += step) {
        const int64_t count = r - k0 < step ? r - k0 : step;
        double mean[step] = {0.0};
        for (int64_t i = 0; i < m; i++)
            for (int64_t k = 0; k < count; k++) mean[k] += v[i * r + k0 + k] / (double)m;
        for (int64_t i = 0; i < m; i++)
            for (int64_t k = 0; k < count; k++) v[i * r + k0 + k] -= mean[k];
    }
}

static ald_status check_symmetry(ald_run *run, int64_t n, const double *k)
{
    double largest = 0.0;
    for (int64_t i = 0; i < n * n; i++) largest = fmax(largest, fabs(k[i]));
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = i + 1; j < n; j++)
            if (!(fabs(k[i * n + j] - k[j * n + i]) <= 1e-8 * largest))
                return ald_fail(
                    run->error, ALD_ERROR_DATA,
                    "a precomputed kernel must be symmetric, but the entries (%lld, %lld) and (%lld, %lld) "
                    "are %g and %g",
                    (long long)i + 1, (long long)j + 1, (long long)j + 1, (long long)i + 1, k[i * n + j],
                    k[j * n + i]);
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
