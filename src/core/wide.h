/* Loops over long rows on wide vectors, where the processor has them: such a function is compiled for each
 * kind of processor, and which is taken is found out when the library is loaded. The numbers are the same:
 * nothing is fused or put into another order. */
#ifndef ALD_CORE_WIDE_H
#define ALD_CORE_WIDE_H

#include <stdint.h>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && defined(__GLIBC__) &&                 \
    !defined(ALD_SANITIZED)
#define ALD_WIDE __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define ALD_WIDE
#endif

#endif
