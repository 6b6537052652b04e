/* Explicit features of rows, block by block, their sums and products (features.h). */
#include "math/kernel/features.h"

#include "base/numbers/random.h"
#include "base/threads/threads.h"
#include "math/linalg/linalg.h"
#include "math/operator/all_rows.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

ald_status ald_fourier_draw(ald_run *run, const ald_kernel *kernel, int64_t m, int64_t d, uint64_t seed,
                            ald_fourier *fourier)
{
    ald_random random;
    double *w, *b;
    if (kernel->kind != ALD_KERNEL_RBF && kernel->kind != ALD_KERNEL_LAPLACIAN)
        return ald_fail(
            run->error, ALD_ERROR_ARGUMENT,
            "random features are defined for `kernel=rbf` and laplacian, not for %s: use landmarks instead",
            ald_kernel_names[kernel->kind]);
    ALD_TRY(ALD_SCRATCH(run, {&w, m, d}, {&b, m, 1}));
    ald_random_seed(&random, seed, 1);
    for (int64_t i = 0; i < m * d; i++)
        w[i] = (kernel->kind == ALD_KERNEL_RBF ? ald_random_normal(&random)
                                               : tan(pi * (ald_random_uniform(&random) - 0.5))) /
               kernel->width;
    for (int64_t k = 0; k < m; k++) b[k] = 2.0 * pi * ald_random_uniform(&random);
    *fourier = (ald_fourier){m, d, w, b};
    return ALD_OK;
}

typedef struct waves {
    const ald_fourier *fourier;
    int64_t count;
    double *phi;
    int parts;
} waves;

static void wave_part(void *work, int part)
{
    const waves *w = work;
    const int64_t m = w->fourier->m, end = ald_part_begin(w->count, w->parts, part + 1);
    const double size = sqrt(2.0 / (double)m);
    for (int64_t i = ald_part_begin(w->count, w->parts, part); i < end; i++)
        for (int64_t k = 0; k < m; k++)
            w->phi[i * m + k] = size * cos(w->phi[i * m + k] + w->fourier->phases[k]);
}

static ald_status fourier_block(ald_run *run, const ald_fourier *fourier, const ald_operator *z, int64_t i0,
                                int64_t count, double *phi)
{
    const int64_t m = fourier->m, d = fourier->d;
    const ald_operator slice = ald_operator_slice(z, i0, count);
    waves w = {fourier, count, phi, ald_parts(run, count * m, 1 << 14)};
    double *work;
    if (z->x.storage == ALD_DENSE) {
        ALD_TRY(ald_scratch_reals(run, count, d, &work));
        ALD_TRY(ald_operator_rows(run, &slice, 0, ald_at(work, count, d)));
        ALD_TRY(ald_product(run, ald_of(work, count, d), ald_t(ald_of(fourier->frequencies, m, d)),
                            ald_at(phi, count, m)));
    } else {
        ALD_TRY(ald_scratch_reals(run, d, m, &work));
        ald_transpose(m, d, fourier->frequencies, work);
        ALD_TRY(ald_operator_apply(run, &slice, ald_of(work, d, m), ald_at(phi, count, m)));
    }
    ald_parallel(w.parts, wave_part, &w);
    return ALD_OK;
}

ald_status ald_features_block(ald_run *run, const ald_features *features, const ald_operator *z, int64_t i0,
                              int64_t count, double *phi)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    const ald_kernel_block block = {
        &features->kernel, z, &features->landmarks, i0, count, 0, features->m, phi, features->m,
    };
    const ald_status status = features->fourier.m > 0
                                  ? fourier_block(run, &features->fourier, z, i0, count, phi)
                                  : ald_kernel_block_make(run, &block);
    ald_arena_release(&run->scratch, mark);
    return status;
}

ald_status ald_features_apply(ald_run *run, const ald_features *features, const ald_operator *z,
                              const double *mean, const double *c, int64_t r, double *out)
{
    const int64_t n = z->x.rows, m = features->m, step = ald_kernel_block_rows(features->d, m);
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *phi;
    if (features->fourier.m == 0 &&
        ald_landmarks_apply_serves(run, &features->kernel, &features->landmarks, z, r)) {
        ALD_TRY(
            ald_landmarks_apply(run, &features->kernel, &features->landmarks, z, mean, ald_of(c, m, r), out));
        ald_arena_release(&run->scratch, mark);
        return ALD_OK;
    }
    ALD_TRY(ald_scratch_reals(run, step < n ? step : n, m, &phi));
    for (int64_t i = 0; i < n; i += step) {
        const int64_t count = step < n - i ? step : n - i;
        ALD_TRY(ald_features_block(run, features, z, i, count, phi));
        for (int64_t a = 0; mean && a < count; a++)
            for (int64_t k = 0; k < m; k++) phi[a * m + k] -= mean[k];
        ALD_TRY(ald_product(run, ald_of(phi, count, m), ald_of(c, m, r), ald_at(out + i * r, count, r)));
        ALD_TRY(ald_progress(run, "mapping rows by the kernel", (double)(i + count) / (double)n));
    }
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

/* The sums at work. `centres` has a row of means per group, or the mean alone. */
typedef struct summing {
    const ald_features *features;
    const ald_operator *z;
    ald_feature_sums *s;
    double *phi, *mapped; /* a block: count x m, count x p */
    double *centres;      /* max(groups, 1) x m */
    int64_t step;
} summing;

static const double *centre_of(const summing *w, int64_t i)
{
    return w->s->group ? w->centres + w->s->group[i] * w->features->m : w->centres;
}

static ald_status sum_means(ald_run *run, summing *w, int64_t i, int64_t count)
{
    const int64_t m = w->features->m;
    (void)run;
    for (int64_t a = 0; a < count; a++) {
        double *centre = w->s->group ? w->centres + w->s->group[i + a] * m : w->centres;
        for (int64_t k = 0; k < m; k++) centre[k] += w->phi[a * m + k];
    }
    return ALD_OK;
}

/* phi - centre, times T. */
static ald_status map_block(ald_run *run, const summing *w, int64_t count, const double **mapped)
{
    const int64_t m = w->features->m, p = w->s->p;
    *mapped = w->phi;
    if (!w->s->t) return ALD_OK;
    *mapped = w->mapped;
    return ald_product(run, ald_of(w->phi, count, m), ald_of(w->s->t, m, p), ald_at(w->mapped, count, p));
}

static ald_status sum_squares(ald_run *run, summing *w, int64_t i, int64_t count)
{
    const int64_t m = w->features->m, p = w->s->p, k = w->s->k;
    const double *mapped;
    if (w->s->cross) {
        for (int64_t a = 0; a < count; a++)
            for (int64_t c = 0; c < m; c++) w->phi[a * m + c] -= w->s->mean[c];
        ALD_TRY(map_block(run, w, count, &mapped));
        ALD_TRY(ald_product_add(run, 1.0, ald_t(ald_of(mapped, count, p)), ald_of(w->s->f + i * k, count, k),
                                1.0, ald_at(w->s->cross, p, k)));
        for (int64_t a = 0; w->s->group && a < count; a++)
            for (int64_t c = 0; c < m; c++) w->phi[a * m + c] += w->s->mean[c] - centre_of(w, i + a)[c];
    } else
        for (int64_t a = 0; a < count; a++)
            for (int64_t c = 0; c < m; c++) w->phi[a * m + c] -= centre_of(w, i + a)[c];
    if (!w->s->scatter) return ALD_OK;
    if (!w->s->cross || w->s->group) ALD_TRY(map_block(run, w, count, &mapped));
    return ald_gram_add(run, 1.0, ald_of(mapped, count, p), 1.0, ald_at(w->s->scatter, p, p));
}

static ald_status sweep(ald_run *run, summing *w, ald_status (*take)(ald_run *, summing *, int64_t, int64_t))
{
    const int64_t n = w->z->x.rows;
    for (int64_t i = 0; i < n; i += w->step) {
        const int64_t count = w->step < n - i ? w->step : n - i;
        ALD_TRY(ald_features_block(run, w->features, w->z, i, count, w->phi));
        ALD_TRY(take(run, w, i, count));
        ALD_TRY(ald_progress(run, take == sum_means ? "averaging features" : "multiplying features",
                             (double)(i + count) / (double)n));
    }
    return ALD_OK;
}

/* A sum over rows, made with `status`, becomes that over all rows. */
static ald_status unite(ald_run *run, const summing *w, ald_status status, double *values, int64_t count)
{
    ALD_TRY(ald_rows_agree(run, w->z, status));
    return count > 0 ? ald_rows_sum(run, w->z, values, count) : ALD_OK;
}

/* Sums over the groups to means. */
static ald_status finish_means(ald_run *run, summing *w)
{
    const int64_t n = w->z->x.rows, m = w->features->m, groups = w->s->group ? w->s->groups : 1;
    double all = 0.0;
    double *sizes;
    const ald_status status = ald_scratch_zeros(run, groups, 1, &sizes);
    for (int64_t i = 0; status >= 0 && i < n; i++) sizes[w->s->group ? w->s->group[i] : 0] += 1.0;
    ALD_TRY(unite(run, w, status, sizes, groups));
    ALD_TRY(unite(run, w, ALD_OK, w->centres, groups * m));
    for (int64_t g = 0; g < groups; g++) all += sizes[g];
    memset(w->s->mean, 0, (size_t)m * sizeof *w->s->mean);
    for (int64_t g = 0; g < groups; g++)
        for (int64_t k = 0; k < m; k++) {
            w->s->mean[k] += w->centres[g * m + k] / all;
            if (sizes[g] > 0.0) w->centres[g * m + k] /= sizes[g];
        }
    return ALD_OK;
}

/* Zeros in all rows x cols, asking meanwhile: pages that are touched for the first time take long. */
static ald_status clear(ald_run *run, int64_t rows, int64_t cols, double *block)
{
    for (int64_t i = 0; i < rows; i++) {
        ALD_TRY(ald_ask_after(run, ALD_PAGE_WORK * (double)cols));
        memset(block + i * cols, 0, (size_t)cols * sizeof *block);
    }
    return ALD_OK;
}

/* Sums of the features by groups. */
static ald_status begin_sums(ald_run *run, summing *w)
{
    const int64_t m = w->features->m, groups = w->s->group ? w->s->groups : 1;
    if (w->step > w->z->x.rows) w->step = w->z->x.rows;
    ALD_TRY(ALD_SCRATCH(run, {&w->phi, w->step, m}, {&w->mapped, w->step, w->s->t ? w->s->p : 0}));
    ALD_TRY(ald_scratch_reals(run, groups, m, &w->centres));
    ALD_TRY(clear(run, groups, m, w->centres));
    return sweep(run, w, sum_means);
}

static ald_status sum_products(ald_run *run, summing *w)
{
    const ald_feature_sums *sums = w->s;
    if (sums->scatter) ALD_TRY(clear(run, sums->p, sums->p, sums->scatter));
    if (sums->cross) ALD_TRY(clear(run, sums->p, sums->k, sums->cross));
    return sums->scatter || sums->cross ? sweep(run, w, sum_squares) : ALD_OK;
}

ald_status ald_features_sum(ald_run *run, const ald_features *features, const ald_operator *z,
                            ald_feature_sums *sums)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    if (z->remote) return z->remote->sum(run, z->remote, features, sums);
    if (!sums->t) sums->p = features->m;
    const int64_t p = sums->p;
    summing w = {
        .features = features,
        .z = z,
        .s = sums,
        .step = ald_kernel_block_rows(features->d, features->m),
    };
    ALD_TRY(unite(run, &w, begin_sums(run, &w), NULL, 0));
    ALD_TRY(finish_means(run, &w));
    ALD_TRY(unite(run, &w, sum_products(run, &w), sums->scatter, sums->scatter ? p * p : 0));
    if (sums->cross) ALD_TRY(unite(run, &w, ALD_OK, sums->cross, p * sums->k));
    for (int64_t i = 0; sums->scatter && i < p; i++) {
        ALD_TRY(ald_ask_after(run, ALD_PAGE_WORK * (double)i));
        for (int64_t j = 0; j < i; j++) sums->scatter[i * p + j] = sums->scatter[j * p + i];
    }
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

ald_status ald_feature_map_rows(ald_run *run, const ald_feature_map *map, const ald_operator *z,
                                ald_operator *f)
{
    const ald_features *features = &map->features;
    const int64_t n = z->x.rows, m = features->m, step = ald_kernel_block_rows(features->d, m);
    double *rows;
    ALD_TRY(ald_scratch_reals(run, n, map->p, &rows));
    *f = (ald_operator){.x = ald_matrix_row_major(rows, n, map->p, map->p)};
    if (map->t && n > 0) return ald_features_apply(run, features, z, map->mean, map->t, map->p, rows);
    for (int64_t i0 = 0; i0 < n; i0 += step) {
        const int64_t count = n - i0 < step ? n - i0 : step;
        ALD_TRY(ald_features_block(run, features, z, i0, count, rows + i0 * m));
        for (int64_t i = i0 * m; i < (i0 + count) * m; i++) rows[i] -= map->mean[i % m];
        ALD_TRY(ald_progress(run, "features of rows", (double)(i0 + count) / (double)n));
    }
    return ALD_OK;
}
