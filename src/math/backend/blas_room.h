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

#endif
