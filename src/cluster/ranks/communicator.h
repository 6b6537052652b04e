/* Ranks: processes that work on one computation, each on its share of the rows. All their messages pass
 * through this interface. Outside of cluster/ only the run knows that there are some: rows that are divided
 * have a table of what can be done with all of them (math/operator/all_rows.h).
 *
 * The run carries the communicator. Without one (NULL), and with a single rank, every function below returns
 * at once and changes nothing. Rules for callers:
 *
 *  1. All ranks make the same calls in the same order. Whether a call is made may therefore depend only on
 *     what all ranks have in common: settings, the survey, results of the calls below.
 *  2. A rank that fails on its own passes its failure up to the next agreement (ald_all_agree) or to the end
 *     of the public call (ald_all_end). The others receive it there, or wherever they wait, instead of what
 *     they wait for, and pass it up too. A failure must not be ignored.
 *  3. Messages from one rank to another (ald_send) are the exception: they are awaited without checking for
 *     failures. All ranks first agree that they can exchange them, and then all of them pass, whatever
 *     happens. Libraries that pass messages themselves are another exception.
 *  4. A failure that the others do not receive, because they compute for long, ends all ranks by an abort
 *     after some seconds (<alidade/ranks.h>).
 *  5. Only the thread that made the public call communicates: workers have runs without a communicator.
 *  6. Results of ald_all_sum and ald_all_hear are the same bytes on all ranks. What each rank computes from
 *     them may differ in rounding between unlike processors, so decisions are made on rank 0 and sent by
 *     ald_all_hear.
 *  7. The same number of ranks on the same file gives the same bytes: sums are formed in the order of the
 *     ranks, by one tree. */
#ifndef ALD_RANKS_COMMUNICATOR_H
#define ALD_RANKS_COMMUNICATOR_H

#include "base/core/run.h"
#include "math/operator/all_rows.h"

/* What an implementation of messages provides. Counts are at most `most` of the communicator. An error here
 * ends the process, as no rank could be notified. */
typedef struct ald_messages {
    /* Returns when all ranks have called it: how many of them said that they have `failed`. Or -1 as soon as
     * `stop` says so; until then the processor is free. */
    int (*meet)(void *self, int failed, int (*stop)(void *user), void *user);
    /* The bytes of rank `from` become those of all. */
    void (*hear)(void *self, int from, void *bytes, int count);
    void (*send)(void *self, int to, const void *bytes, int count);
    void (*receive)(void *self, int from, void *bytes, int count);
    /* values[i] becomes the sum over all ranks. */
    void (*count)(void *self, int64_t *values, int count);
    void (*sum)(void *self, double *values, int count);
    /* Ends of runs, on a channel of their own: waits at most so many seconds (negative: for ever) for all
     * ranks to send their codes; 0: they have not come. `codes` has one per rank. */
    int (*settle)(void *self, int code, double seconds, int *codes);
    void (*leave)(void *self);              /* after all have settled */
    void (*stop_all)(void *self, int code); /* ends every rank, at once */
} ald_messages;

struct ald_ending;

typedef struct ald_communicator {
    int rank, size;
    int threads; /* that suit each rank: the cores it may use, divided by the ranks that may use the same */
    int neighbours; /* ranks on the same machine, this one included */
    int64_t most;   /* elements of one message: MPI counts are of type int. Tests lower it */
    const ald_messages *messages;
    void *self;
    struct ald_ending *ending; /* cluster/ranks/meeting.h; NULL: a failure is reported once, and forgotten */
} ald_communicator;

/* One process by itself. */
extern const ald_communicator ald_alone;

int ald_rank(const ald_run *run);
int ald_rank_count(const ald_run *run);

/* Where nobody failed, gives back `status`. Otherwise all ranks get the failure of the lowest rank that had
 * one, with its message. */
ald_status ald_all_agree(ald_run *run, ald_status status);
/* The same at the end of a public call that all ranks make: the next one begins anew. */
ald_status ald_all_end(ald_run *run, ald_status status);
/* Fails where any rank was cancelled (ALD_ERROR_CANCELLED) or has failed meanwhile. */
ald_status ald_all_sum(ald_run *run, double *values, int64_t count);
ald_status ald_all_count(ald_run *run, int64_t *values, int64_t count);
/* In scratch; agrees on the memory by itself. */
ald_status ald_all_largest(ald_run *run, double *values, int64_t count);
ald_status ald_all_hear(ald_run *run, int from, void *bytes, int64_t size);
/* These fail only where all ranks know of a failure: nothing is sent then. */
ald_status ald_send(ald_run *run, int to, const void *bytes, int64_t size);
ald_status ald_receive(ald_run *run, int from, void *bytes, int64_t size);

/* The bytes of all ranks, in `arena`. Agrees on `status`, that of making the bytes, and on the memory by
 * itself. */
ald_status ald_all_gather(ald_run *run, ald_status status, ald_arena *arena, const void *bytes, int64_t size,
                          ald_gathered *all);

/* The tree by which results are put together on rank 0: in step s = 1, 2, 4, ... rank r with r mod 2s = s
 * gives what it has to rank r - s. Calls `give` or `take` for this rank in the order of the steps; each is
 * done by the two ranks at the same time. */
typedef struct ald_tree {
    ald_status (*give)(ald_run *run, int to, void *work);
    ald_status (*take)(ald_run *run, int from, void *work);
    void *work;
} ald_tree;
ald_status ald_all_unite(ald_run *run, const ald_tree *tree);

/* Each rank has something for each other one (exchange.c).
 *
 * bytes[begin[r]] to bytes[begin[r + 1]] are for rank r (size + 1 numbers). What the others have for this one
 * comes to `got`, in `arena`, in the order of the ranks. Agrees on `status`, that of making the bytes, and on
 * the memory by itself. Every rank holds the sizes of all messages: 8 bytes for each pair of ranks. */
ald_status ald_all_exchange(ald_run *run, ald_status status, ald_arena *arena, const void *bytes,
                            const int64_t *begin, ald_gathered *got);

/* Gives one message to rank `to` and takes one from rank `from`, in an order in which nobody waits in a
 * circle: all ranks do so at the same time with the same distance between them. */
ald_status ald_pass_on(ald_run *run, int to, const void *bytes, int64_t size, int from, void *taken,
                       int64_t taken_size);

/* The entry of the module that knows MPI: starts it and fills the communicator. NULL, or what went wrong. */
typedef const char *(*ald_mpi_start_fn)(ald_communicator *made);

#endif
