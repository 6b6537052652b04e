/* Ranks: several processes that fit one model, each on its share of the rows, as mpirun or srun starts them.
 *
 *     ald_ranks *ranks;
 *     ald_ranks_join(&ranks, &error);                       // before anything else; NULL: started alone
 *     ald_context_set_ranks(context, ranks, &error);
 *     ald_dataset_survey(context, "big.csv", ...); ald_fit_stream(context, ...);   // on all ranks alike
 *     if (ald_ranks_rank(ranks) == 0) ...                   // the model is on all ranks
 *     ald_ranks_leave(ranks, code);
 *
 * What works on shares: ald_dataset_survey and ald_fit_stream, and what they make is the same on all ranks;
 * ald_dataset_load with `portion`, ald_update with what it has loaded, ald_write_portions and what gathers,
 * and what measures rows that ald_context_set_rows was told of.
 * Every other function does the same on every rank, as if it were alone, but files are written by rank 0
 * only. docs/clusters.md has more. */
#ifndef ALIDADE_RANKS_H
#define ALIDADE_RANKS_H

#include <alidade/context.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ald_ranks ald_ranks;

/* `ranks` receives NULL where the process was started alone. An error where it was started as one of several
 * and the library was built without MPI, or its module is not found. Once per process; ended by
 * ald_ranks_leave or _stop. */
ALD_API ald_status ald_ranks_join(ald_ranks **ranks, ald_error *error);
/* 0 and 1 for NULL. */
ALD_API int ald_ranks_rank(const ald_ranks *ranks);
ALD_API int ald_ranks_size(const ald_ranks *ranks);
/* How many threads suit a rank: the cores that it may use, divided by the ranks that may use the same; 0 for
 * NULL. */
ALD_API int ald_ranks_threads(const ald_ranks *ranks);
/* `ranks` outlives the context; NULL: alone. */
ALD_API ald_status ald_context_set_ranks(ald_context *context, const ald_ranks *ranks, ald_error *error);
/* What each rank has, one behind the other in the order of the ranks, on rank 0: `all` (ald_bytes_free), of
 * which rank r gave sizes[r] bytes; `sizes` has room for all ranks. On the other ranks `all` is NULL. A rank
 * that has failed before says so by `status`, with its message in `error`: then all ranks fail with that. */
ALD_API ald_status ald_ranks_gather(ald_context *context, ald_status status, const void *bytes, size_t size,
                                    unsigned char **all, size_t *sizes, ald_error *error);
/* All ranks tell how it went, 0 for well, before what they made is used. Gives the code of the lowest rank
 * that has one other than 0, whose number `speaker` receives, or 0 where there is none. A rank that failed
 * waits a few seconds for the others, which may wait for it elsewhere; -1: they have not come, and `speaker`
 * is this rank. Call ald_ranks_stop then. With NULL for `ranks` it gives back the code. */
ALD_API int ald_ranks_settle(const ald_ranks *ranks, int code, int *speaker);
/* All ranks, after they have settled. */
ALD_API void ald_ranks_leave(ald_ranks *ranks);
/* Ends all processes, this one too, with the code. */
ALD_API void ald_ranks_stop(ald_ranks *ranks, int code);

#ifdef __cplusplus
}
#endif
#endif
