/* Whether OpenBLAS can get its buffers. It maps one of 128 MB for each thread that calls it at the same time,
 * keeps it, and tries again for ever when the address space is limited (ulimit -v) and full. So where there
 * is a limit, room is made sure of first. */
#ifndef ALD_BACKEND_BLAS_ROOM_H
#define ALD_BACKEND_BLAS_ROOM_H

/* MB of address space that one thread should have: its buffer, another for calls within calls, and its stack.
 */
enum { ALD_BLAS_THREAD_MB = 320 };

/* How many threads, at most `wanted` and at least 1, there is room for. */
int ald_blas_threads(int wanted);
/* 1 when a first buffer is there or can be got; it is then kept. 0: calling OpenBLAS would hang. */
int ald_blas_ready(void);

/* Which kernels OpenBLAS runs with. It finds them by the number of the processor's model, and takes the
 * oldest ones for a model that is younger than itself: OpenBLAS 0.3.21 runs on a Xeon of 2023 with the
 * kernels of 2004, at a quarter of the speed (dgemm of order 1500 on one thread: 6 against 23 GFlop/s with
 * SkylakeX). The environment variable OPENBLAS_CORETYPE names others, but only before OpenBLAS is loaded. */

/* What OPENBLAS_CORETYPE should be: the name of faster kernels that a processor with these abilities runs.
 * NULL: `core`, the kernels in use, are not of the old ones, or the processor is no better. */
const char *ald_blas_faster_than(const char *core, int has_avx2, int has_avx512);

/* Whether OpenBLAS computes with kernels from before AVX, at a third of the speed or less. */
int ald_blas_is_slow(void);

#endif
