/* Tiles of pairs of points of two panels (near_panels.h). The build lets products be fused here.
 *
 * The sums of a block of pairs, `down` points with `across` vectors of points, stay in registers from the
 * first coordinate to the last; `down` and `across` are so many as a processor has registers for. Signs
 * are looked at by the bits: where the bits of all values together have the sign, all values are
 * negative. A tile takes rows x width x d products. */
#include "math/near/near_panels.h"

#include <stddef.h>

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
