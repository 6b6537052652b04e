/* Points in panels, and tiles of pairs of points of two panels (near_panels.h has the bounds).
 *
 * The sums of a block of pairs, `down` points with `across` vectors of points, stay in registers from the
 * first coordinate to the last; `down` and `across` are so many as a processor has registers for. Signs are
 * looked at by the bits: where the bits of all values together have the sign, all values are negative. A
 * tile takes rows x width x d products. */
#include "math/near/near_panels.h"

#include "base/threads/threads.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

enum { most_columns = 1024, line = 64, chunk = 16 };

int ald_near_panels_suit(const ald_points *points)
{
    return !points->sparse && points->d <= most_columns && points->reach * points->unit <= 2.0;
}

static size_t size_of(const ald_near_panels *panels)
{
    return panels->is_double ? sizeof(double) : sizeof(float);
}

static void put(void *array, int is_double, int64_t at, double value)
{
    if (is_double)
        ((double *)array)[at] = value;
    else
        ((float *)array)[at] = (float)value;
}

/* Where coordinate 0 of point i stands. */
static int64_t place_of(const ald_near_panels *panels, int64_t i)
{
    return i / panels->width * panels->width * panels->points->d + i % panels->width;
}

/* What fills the last unit is at the centre and looks nowhere; where another looks everywhere, it is met. */
static void fill(const ald_near_panels *panels, int64_t i)
{
    const int64_t at = place_of(panels, i);
    for (int64_t j = 0; j < panels->points->d; j++)
        put(panels->coordinates, panels->is_double, at + j * panels->width, 0.0);
    put(panels->h, panels->is_double, i, -1e30);
    put(panels->u, panels->is_double, i, -1e30);
}

static void write_point(const ald_near_panels *panels, int64_t i, const double *row, double *rough)
{
    const int64_t at = place_of(panels, i), d = panels->points->d, width = panels->width;
    const double square = ald_points_rough(panels->points, row, panels->is_double, rough);
    const float *narrow = (const float *)rough;
    for (int64_t j = 0; panels->is_double && j < d; j++)
        ((double *)panels->coordinates)[at + j * width] = rough[j];
    for (int64_t j = 0; !panels->is_double && j < d; j++)
        ((float *)panels->coordinates)[at + j * width] = narrow[j];
    panels->sizes[i] = sqrt(square);
    put(panels->h, panels->is_double, i, -0.5 * square);
    put(panels->u, panels->is_double, i, -0.5 * square);
}

typedef struct writing {
    ald_run *run;
    const ald_near_panels *panels;
    int parts;
    double *memory; /* a part: chunk + 1 rows */
} writing;

static void write_part(void *work, int part)
{
    const writing *w = work;
    const ald_points *points = w->panels->points;
    const int64_t d = points->d, end = ald_part_begin(points->n, w->parts, part + 1);
    double *rough = w->memory + (int64_t)part * (chunk + 1) * d;
    int64_t stride;
    for (int64_t i = ald_part_begin(points->n, w->parts, part); i < end; i += chunk) {
        const int64_t m = end - i < chunk ? end - i : chunk;
        const double *rows = ald_points_rows(points, i, m, rough + d, &stride);
        for (int64_t r = 0; r < m; r++) write_point(w->panels, i + r, rows + r * stride, rough);
    }
}

/* Panels begin where a line of the cache does, so that no vector lies across two. */
static ald_status get_aligned(ald_run *run, int64_t count, size_t size, void **block)
{
    char *bytes;
    ALD_TRY(ald_scratch(run, count * (int64_t)size + line, 1, 1, &bytes));
    *block = bytes + (line - (uintptr_t)bytes % line) % line;
    return ALD_OK;
}

ald_status ald_near_panels_new(ald_run *run, const ald_points *points, int parts, int is_double,
                               ald_near_panels *panels)
{
    const int64_t units = (points->n + ALD_NEAR_UNIT - 1) / ALD_NEAR_UNIT;
    writing w = {run, panels, parts, NULL};
    *panels = (ald_near_panels){
        .points = points,
        .kernel = ald_near_kernel_best(is_double),
        .is_double = is_double,
        .width = is_double ? ALD_NEAR_DOUBLE : ALD_NEAR_SINGLE,
        .padded = units * ALD_NEAR_UNIT,
    };
    const size_t size = size_of(panels);
    ALD_TRY(get_aligned(run, panels->padded * points->d, size, &panels->coordinates));
    ALD_TRY(get_aligned(run, panels->padded, size, &panels->h));
    ALD_TRY(get_aligned(run, panels->padded, size, &panels->u));
    ALD_TRY(ALD_SCRATCH(run, {&panels->sizes, points->n, 1}, {&w.memory, parts * (chunk + 1), points->d}));
    for (int64_t i = points->n; i < panels->padded; i++) fill(panels, i);
    ald_parallel(parts, write_part, &w);
    return ALD_OK;
}

void ald_near_panels_look(const ald_near_panels *panels, int64_t i, double limit, double longest)
{
    static const double everywhere = 1e30;
    const ald_points *points = panels->points;
    const double eps = panels->is_double ? DBL_EPSILON : (double)FLT_EPSILON,
                 t = ((double)points->d + 4.0) * eps, size = panels->sizes[i], both = size + longest;
    const double r = sqrt(limit) * points->unit + eps * both + points->blur * points->unit;
    const double underflow = 1e-37, rho = (r * r + t * both * both) * (1.0 + 2.0 * t) + underflow;
    put(panels->u, panels->is_double, i, 0.5 * fmin(rho, everywhere) - 0.5 * size * size);
}

ald_near_side ald_near_panels_side(const ald_near_panels *panels, int64_t i)
{
    const size_t size = size_of(panels), from = (size_t)i * size;
    return (ald_near_side){
        (const char *)panels->coordinates + (size_t)place_of(panels, i) * size,
        (const char *)panels->h + from,
        (const char *)panels->u + from,
    };
}

/* Tiles. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(ALD_SANITIZED)
#define HAS_KINDS
#include <immintrin.h>
#endif
#if defined(__GNUC__) && !defined(__clang__)
#define UNROLLED _Pragma("GCC unroll 8")
#else
#define UNROLLED
#endif
#define FOR_ROWS(down) UNROLLED for (int r = 0; r < (down); r++)
#define FOR_VECTORS(across) UNROLLED for (int v = 0; v < (across); v++)

/* name_block: one block of pairs; name: the blocks of a tile, next to each other. positive(x): a bit for each
 * entry of a vector whose sign is not set. */
#define TILE(name, kind, positive, type, bits, width, lanes, across, down)                                   \
    typedef type name##_v                                                                                    \
        __attribute__((vector_size(lanes * sizeof(type)), aligned(sizeof(type)), may_alias));                \
    typedef bits name##_b                                                                                    \
        __attribute__((vector_size(lanes * sizeof(type)), aligned(sizeof(type)), may_alias));                \
                                                                                                             \
    kind static inline name##_v name##_larger(name##_v x, name##_v y)                                        \
    {                                                                                                        \
        const name##_b first = (name##_b)(x > y);                                                            \
        return (name##_v)((first & (name##_b)x) | (~first & (name##_b)y));                                   \
    }                                                                                                        \
                                                                                                             \
    kind static inline int name##_block(int64_t d, const ald_near_side *some, const ald_near_side *all,      \
                                        int64_t j, uint64_t *near)                                           \
    {                                                                                                        \
        const type *h = some->h, *u = some->u, *restrict a = some->points;                                   \
        const type *hs = (const type *)all->h + j, *us = (const type *)all->u + j;                           \
        const type *restrict b = (const type *)all->points + j;                                              \
        name##_v sum[down][across];                                                                          \
        name##_b together;                                                                                   \
        bits sign = -1;                                                                                      \
        FOR_ROWS(down)                                                                                       \
        FOR_VECTORS(across)                                                                                  \
        sum[r][v] = name##_larger(*(const name##_v *)(hs + v * lanes) + u[r],                                \
                                  *(const name##_v *)(us + v * lanes) + h[r]);                               \
        for (int64_t k = 0; k < d; k++, a += width, b += width) {                                            \
            name##_v terms[across];                                                                          \
            FOR_VECTORS(across) terms[v] = *(const name##_v *)(b + v * lanes);                               \
            FOR_ROWS(down) FOR_VECTORS(across) sum[r][v] += a[r] * terms[v];                                 \
        }                                                                                                    \
        together = (name##_b)sum[0][0];                                                                      \
        FOR_ROWS(down) FOR_VECTORS(across) together &= (name##_b)sum[r][v];                                  \
        for (int l = 0; l < lanes; l++) sign &= together[l];                                                 \
        if (sign < 0) return 0;                                                                              \
        FOR_ROWS(down) FOR_VECTORS(across) near[r] |= positive((name##_b)sum[r][v]) << (j + v * lanes);      \
        return 1;                                                                                            \
    }                                                                                                        \
                                                                                                             \
    kind static int name(int64_t d, const ald_near_side *some, const ald_near_side *all, uint64_t *near)     \
    {                                                                                                        \
        int any = 0;                                                                                         \
        FOR_ROWS(down) near[r] = 0;                                                                          \
        for (int64_t j = 0; j < width; j += lanes * across) any |= name##_block(d, some, all, j, near);      \
        return any;                                                                                          \
    }

#define POSITIVE(x, l) ((uint64_t)((x)[l] >= 0) << (l))
#define POSITIVE_2(x) (POSITIVE(x, 0) | POSITIVE(x, 1))
#define POSITIVE_4(x) (POSITIVE_2(x) | POSITIVE(x, 2) | POSITIVE(x, 3))
#define PLAIN
TILE(single_plain, PLAIN, POSITIVE_4, float, int32_t, ALD_NEAR_SINGLE, 4, 2, 6)
TILE(double_plain, PLAIN, POSITIVE_2, double, int64_t, ALD_NEAR_DOUBLE, 2, 2, 6)
#ifdef HAS_KINDS
#define AVX2 __attribute__((target("avx2,fma")))
#define AVX512 __attribute__((target("avx512f")))
#define SIGNS_8(x) ((uint64_t)(uint8_t)~_mm256_movemask_ps((__m256)(x)))
#define SIGNS_4(x) ((uint64_t)(15 & ~_mm256_movemask_pd((__m256d)(x))))
#define MASK_16(x) ((uint64_t)_mm512_cmpge_epi32_mask((__m512i)(x), _mm512_setzero_si512()))
#define MASK_8(x) ((uint64_t)_mm512_cmpge_epi64_mask((__m512i)(x), _mm512_setzero_si512()))
TILE(single_avx2, AVX2, SIGNS_8, float, int32_t, ALD_NEAR_SINGLE, 8, 2, 6)
TILE(double_avx2, AVX2, SIGNS_4, double, int64_t, ALD_NEAR_DOUBLE, 4, 2, 6)
TILE(single_avx512, AVX512, MASK_16, float, int32_t, ALD_NEAR_SINGLE, 16, 3, 8)
TILE(double_avx512, AVX512, MASK_8, double, int64_t, ALD_NEAR_DOUBLE, 8, 3, 8)
#endif

/* Kinds of processors, the plainest first: whether this is one. */
static int has_kind(int kind)
{
#ifdef HAS_KINDS
    if (kind == 1) return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (kind == 2) return __builtin_cpu_supports("avx512f");
#endif
    return kind == 0;
}

const ald_near_kernel *ald_near_kernel_of(int kind, int is_double)
{
    static const ald_near_kernel kernels[][2] = {
        {{6, single_plain}, {6, double_plain}},
#ifdef HAS_KINDS
        {{6, single_avx2}, {6, double_avx2}},
        {{8, single_avx512}, {8, double_avx512}},
#endif
    };
    return has_kind(kind) ? &kernels[kind][is_double] : NULL;
}

const ald_near_kernel *ald_near_kernel_best(int is_double)
{
    int kind = ALD_NEAR_KINDS - 1;
    while (!has_kind(kind)) kind--;
    return ald_near_kernel_of(kind, is_double);
}
