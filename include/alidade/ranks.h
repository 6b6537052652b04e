/* Ranks: several processes, started by mpirun or srun, that fit one model, each reading its share of the
 * rows.
 *
 *     ald_ranks *ranks;
 *     ald_ranks_join(&ranks, &error);                       // first of all; NULL: a single process
 *     ald_context_set_ranks(context, ranks, &error);
 *     ald_dataset_survey(context, "big.csv", ...); ald_fit_stream(context, ...);   // the same on all ranks
 *     if (ald_ranks_rank(ranks) == 0) ...                   // every rank has the model
 *     ald_ranks_leave(ranks, code);
 *
 * These work on shares: ald_dataset_survey and ald_fit_stream, whose results are the same on all ranks;
 * ald_dataset_load with `portion` and ald_update with the result; ald_write_portions and the functions that
 * gather; and those that measure the rows passed to ald_context_set_rows. Every other function does the same
 * on every rank as in a single process, except that only rank 0 writes files. See docs/clusters.md. */
#ifndef ALIDADE_RANKS_H
#define ALIDADE_RANKS_H

#include <alidade/context.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ald_ranks ald_ranks;

/* `ranks` receives NULL if the process was started alone. It is an error if it was started as one of several
 * and the library was built without MPI, or its module is not found. Call once per process, and end with
 * ald_ranks_leave or _stop. */
ALD_API ald_status ald_ranks_join(ald_ranks **ranks, ald_error *error);
/* 0 and 1 for NULL. */
ALD_API int ald_ranks_rank(const ald_ranks *ranks);
ALD_API int ald_ranks_size(const ald_ranks *ranks);
/* The recommended number of threads per rank: the cores it may use, divided by the number of ranks that may
 * use the same cores; 0 for NULL. */
ALD_API int ald_ranks_threads(const ald_ranks *ranks);
/* `ranks` must outlive the context; NULL: a single process. */
ALD_API ald_status ald_context_set_ranks(ald_context *context, const ald_ranks *ranks, ald_error *error);
/* Gathers bytes on rank 0, concatenated in the order of the ranks: `all` (free with ald_bytes_free), of which
 * rank r contributed sizes[r] bytes; `sizes` has room for all ranks. On the other ranks `all` is NULL. A rank
 * that has already failed passes its `status`, with the message in `error`; then all ranks fail with it. */
ALD_API ald_status ald_ranks_gather(ald_context *context, ald_status status, const void *bytes, size_t size,
                                    unsigned char **all, size_t *sizes, ald_error *error);
/* All ranks report their outcome, 0 for success, before their results are used. Returns the code of the
 * lowest rank whose code is not 0, and that rank in `speaker`; 0 if there is none. A rank that failed waits a
 * few seconds for the others, which may be waiting for it elsewhere; -1: they did not arrive, and `speaker`
 * is this rank; call ald_ranks_stop then. With NULL for `ranks` it returns the code. */
ALD_API int ald_ranks_settle(const ald_ranks *ranks, int code, int *speaker);
/* Called by all ranks after they have settled. */
ALD_API void ald_ranks_leave(ald_ranks *ranks);
/* Ends all processes, including this one, with the code. */
ALD_API void ald_ranks_stop(ald_ranks *ranks, int code);

#ifdef __cplusplus
}
#endif
#endif
