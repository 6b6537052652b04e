/* <alidade/ranks.h>. MPI itself is in a module that is loaded only where the environment says that this
 * process is one of several: neither the library nor a run of one process depends on it. */
#include "base/core/error.h"
#include "base/core/load_module.h"
#include "cluster/ranks/communicator.h"
#include "cluster/ranks/meeting.h"

#include <alidade/ranks.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

struct ald_ranks {
    ald_communicator with;
    struct ald_ending ending;
};

/* What Open MPI, MPICH and Slurm (PMI and PMIx) tell those they start. The first of them has how many there
 * are. */
static const char *const signs[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK", "PMI_RANK"};

/* How many processes there are as far as the environment tells; 0: started alone, -1: several or one. */
static int told_size(void)
{
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        const char *value = getenv(signs[i]);
        if (value) return i < 2 ? atoi(value) : -1;
    }
    return 0;
}

static ald_status load(ald_error *error, ald_mpi_start_fn *start)
{
    char trouble[200];
    void *found = ald_module_entry("alidade-mpi.so", "ald_mpi_start", trouble, sizeof trouble);
    if (!found)
        return ald_fail(error, ALD_ERROR_UNSUPPORTED,
                        "started as one of several ranks, but built without MPI: build with -DALD_MPI=ON, or "
                        "start it without mpirun (%s)",
                        trouble);
    memcpy(start, &found, sizeof found);
    return ALD_OK;
}

/* MPI ends a process that has too little by itself, with messages that do not say why. */
static ald_status check_space(ald_error *error)
{
    enum { least = 512 }; /* MB: MPI, and what the linear algebra takes for itself */
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return ALD_OK;
    if (limit.rlim_cur >= (rlim_t)least << 20) return ALD_OK;
    return ald_fail(error, ALD_ERROR_MEMORY,
                    "the address space is limited to %lld MB, but a rank needs %d MB or more: raise the "
                    "limit (ulimit -v)",
                    (long long)(limit.rlim_cur >> 20), least);
}

static ald_status start(ald_error *error, int size, ald_ranks **ranks)
{
    ald_mpi_start_fn module_start = NULL;
    ALD_TRY(check_space(error));
    const ald_status status = load(error, &module_start);
    if (status < 0 && size == 1) { /* mpirun -n 1: nobody is missing */
        ald_clear_error(error);
        return ALD_OK;
    }
    ALD_TRY(status);
    ald_ranks *made = calloc(1, sizeof *made);
    if (!made) return ald_fail(error, ALD_ERROR_MEMORY, "out of memory for ranks");
    const char *trouble = module_start(&made->with);
    if (trouble) {
        free(made);
        return ald_fail(error, ALD_ERROR_UNSUPPORTED, "MPI could not be started: %s", trouble);
    }
    made->with.ending = &made->ending;
    *ranks = made;
    return ALD_OK;
}

ald_status ald_ranks_join(ald_ranks **ranks, ald_error *error)
{
    const int size = told_size();
    if (ranks) *ranks = NULL;
    ALD_GIVEN(error, ranks);
    ald_clear_error(error);
    return size == 0 ? ALD_OK : start(error, size, ranks);
}

int ald_ranks_rank(const ald_ranks *ranks)
{
    return ranks ? ranks->with.rank : 0;
}

int ald_ranks_size(const ald_ranks *ranks)
{
    return ranks ? ranks->with.size : 1;
}

int ald_ranks_threads(const ald_ranks *ranks)
{
    return ranks ? ranks->with.threads : 0;
}

ald_status ald_context_set_ranks(ald_context *context, const ald_ranks *ranks, ald_error *error)
{
    ald_clear_error(error);
    ALD_GIVEN(error, context);
    context->ranks = ranks ? &ranks->with : NULL;
    context->discards = ranks && ranks->with.rank > 0;
    context->sharers = ranks ? ranks->with.neighbours : 0;
    return ALD_OK;
}

/* A rank that failed may be waited for in the middle of a computation: it does not wait for long, and hardly
 * where it has waited already. The higher its number, the later it gives up, so that one of several speaks.
 */
static double patience(const ald_communicator *with, int code)
{
    if (!code) return -1.0;
    return (with->ending->lost ? 0.2 : 2.0) + 0.1 * (with->rank < 10 ? with->rank : 10);
}

int ald_ranks_settle(const ald_ranks *ranks, int code, int *speaker)
{
    int unused;
    if (!speaker) speaker = &unused;
    *speaker = 0;
    if (!ranks) return code;
    const ald_communicator *with = &ranks->with;
    int *codes = calloc((size_t)with->size, sizeof *codes);
    const int met = codes && with->messages->settle(with->self, code, patience(with, code), codes);
    int first = 0;
    while (met && first < with->size && codes[first] == 0) first++;
    const int agreed = met && first < with->size ? codes[first] : 0;
    free(codes);
    *speaker = first;
    if (met) return agreed;
    *speaker = with->rank;
    return -1;
}

void ald_ranks_leave(ald_ranks *ranks)
{
    if (!ranks) return;
    ranks->with.messages->leave(ranks->with.self);
    free(ranks);
}

void ald_ranks_stop(ald_ranks *ranks, int code)
{
    if (ranks) ranks->with.messages->stop_all(ranks->with.self, code);
}
