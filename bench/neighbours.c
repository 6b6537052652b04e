/* What bench.py measures and the public interface does not show: called through ctypes, never installed. */
#include "math/graph/graph.h"

#include "base/threads/threads.h"

/* The k nearest neighbours of each of the n rows of x, double or single: 0, or a negative status. */
ALD_API int bench_neighbours(const double *x, int64_t n, int64_t d, int64_t k, int threads,
                             int64_t *neighbours, double *squares);
ALD_API int bench_neighbours_single(const float *x, int64_t n, int64_t d, int64_t k, int threads,
                                    int64_t *neighbours, double *squares);

static int search(const ald_matrix *x, int64_t k, int threads, int64_t *neighbours, double *squares)
{
    const ald_options options = {.size = sizeof options, .threads = threads};
    const ald_operator z = {.x = *x};
    const ald_rows rows = {.z = &z};
    ald_context *context;
    ald_run run;
    ald_status status = ald_context_new(&options, &context, NULL);
    if (status < 0) return status;
    ald_threads_begin(threads);
    ald_run_begin(&run, context, NULL);
    status = ald_run_end(&run, ald_neighbours_between(&run, &rows, &rows, k, 1, neighbours, squares));
    ald_threads_end();
    ald_context_free(context);
    return status;
}

int bench_neighbours(const double *x, int64_t n, int64_t d, int64_t k, int threads, int64_t *neighbours,
                     double *squares)
{
    const ald_matrix matrix = ald_matrix_row_major(x, n, d, d);
    return search(&matrix, k, threads, neighbours, squares);
}

int bench_neighbours_single(const float *x, int64_t n, int64_t d, int64_t k, int threads, int64_t *neighbours,
                            double *squares)
{
    ald_matrix matrix = ald_matrix_row_major(NULL, n, d, d);
    matrix.type = ALD_F32;
    matrix.values = x;
    return search(&matrix, k, threads, neighbours, squares);
}
