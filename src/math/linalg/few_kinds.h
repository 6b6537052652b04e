/* What the files on products with few columns share (few_columns.h): eight numbers at once, and functions of
 * which there is one for each kind of processor. */
#ifndef ALD_LINALG_FEW_KINDS_H
#define ALD_LINALG_FEW_KINDS_H

#include "base/numbers/wide.h"

#define EIGHT_TIMES(x) ((ald_eight){x, x, x, x, x, x, x, x})
typedef float ald_eight_floats __attribute__((vector_size(32), aligned(4), may_alias));
#define EIGHT_OF_f64(place) ALD_EIGHT_OF(place)
#define EIGHT_OF_f32(place) __builtin_convertvector(*(const ald_eight_floats *)(place), ald_eight)

/* name_avx512, name_avx2 or name_plain, each with all that it calls. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(ALD_SANITIZED)
#define HAS_KINDS
#define FOR_AVX2 __attribute__((target("avx2,fma")))
#define FOR_AVX512 __attribute__((target("avx512f")))
#define CALL(name, ...)                                                                                      \
    do {                                                                                                     \
        if (__builtin_cpu_supports("avx512f"))                                                               \
            name##_avx512(__VA_ARGS__);                                                                      \
        else if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))                            \
            name##_avx2(__VA_ARGS__);                                                                        \
        else                                                                                                 \
            name##_plain(__VA_ARGS__);                                                                       \
    } while (0)
#else
#define CALL(name, ...) name##_plain(__VA_ARGS__)
#endif

#endif
