/* Which kernels OpenBLAS runs with. It finds them by the number of the processor's model, and takes the
 * oldest ones for a model that is younger than itself: OpenBLAS 0.3.21 runs on a Xeon of 2023 with the
 * kernels of 2004, at a quarter of the speed (dgemm of order 1500 on one thread: 6 against 23 GFlop/s with
 * SkylakeX).
 *
 * One rule: where OpenBLAS was loaded with us, it takes better ones before anybody uses it. Where it was
 * there before us, as in a Python that has loaded numpy, others may be computing with it: then it stays as it
 * is, and who makes a context with a log is warned. OPENBLAS_CORETYPE, where it is set, decides. */
#ifndef ALD_BACKEND_KERNELS_H
#define ALD_BACKEND_KERNELS_H

/* What OPENBLAS_CORETYPE should be: the name of faster kernels that a processor with these abilities runs.
 * NULL: `core`, the kernels in use, are not of the old ones, or the processor is no better. */
const char *ald_blas_faster_than(const char *core, int has_avx2, int has_avx512);

/* Whether OpenBLAS computes with kernels from before AVX, at a third of the speed or less. */
int ald_blas_is_slow(void);

/* OpenBLAS computes with these kernels from now on; nobody may be using it. 0: it was built for one
 * processor. */
int ald_blas_take(const char *core);

#endif
