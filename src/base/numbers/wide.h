/* Loops over long rows on wide vectors, where the processor has them: a function with ALD_WIDE before it is
 * compiled for each kind of processor, and which is taken is found out when the library is loaded. Only for
 * sums whose order is written down, entry by entry or in lanes: nothing is fused (cmake/flags.cmake) or put
 * into another order, and the bytes are the same for every width. */
#ifndef ALD_NUMBERS_WIDE_H
#define ALD_NUMBERS_WIDE_H

#include <stdint.h> /* defines __GLIBC__ where it is; the choice at the start needs its loader */

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && defined(__GLIBC__) &&                 \
    !defined(ALD_SANITIZED)
#define ALD_WIDE __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define ALD_WIDE
#endif

/* Before a function that such functions call: it is made part of each of them. */
#if defined(__GNUC__)
#define ALD_WITHIN static inline __attribute__((always_inline))
#else
#define ALD_WITHIN static inline
#endif

/* Four numbers next to each other, anywhere in an array of double. */
typedef double ald_four __attribute__((vector_size(32), aligned(8), may_alias));
#define ALD_FOUR(place) (*(ald_four *)(place))
#define ALD_FOUR_OF(place) (*(const ald_four *)(place))
/* The same of eight. */
typedef double ald_eight __attribute__((vector_size(64), aligned(8), may_alias));
#define ALD_EIGHT(place) (*(ald_eight *)(place))
#define ALD_EIGHT_OF(place) (*(const ald_eight *)(place))

#endif
