/* Independent jobs, several at once, each on one thread and with one thread of BLAS: what a job computes does
 * not depend on how many run. Used where whole fits are the jobs. */
#ifndef ALD_THREADS_JOBS_H
#define ALD_THREADS_JOBS_H

#include "base/threads/pacing.h"

/* Does one job. `outer`, for ald_run_inside, is the lane's run: silent, one thread, its progress is part of
 * the whole; it lasts as long as the scratch of the run. `lane` is below ald_jobs_lanes. A negative status
 * ends them all and is what ald_jobs_run returns; for what only concerns this job give ALD_OK. `error` is the
 * job's until it ends. */
typedef ald_status (*ald_job_fn)(void *work, const ald_run *outer, int lane, int64_t job, ald_error *error);

/* How many lanes there will be: no more than threads or jobs. */
int ald_jobs_lanes(const ald_run *run, int64_t jobs);
/* Jobs 0 .. count - 1 are begun in this order. The caller's progress is asked from the calling thread only.
 */
ald_status ald_jobs_run(ald_run *run, int64_t count, const char *stage, ald_job_fn fn, void *work);
/* The same for jobs of different length: job i is of kind kinds[i % period] of the pace, which learns from
 * them, and by which the progress goes. */
typedef struct ald_job_kinds {
    ald_pace *pace;
    const int64_t *kinds;
    int64_t period;
    const char *const *stages; /* one per kind of the pace, in place of `stage`; NULL: there are none */
} ald_job_kinds;
ald_status ald_jobs_run_paced(ald_run *run, int64_t count, const ald_job_kinds *kinds, const char *stage,
                              ald_job_fn fn, void *work);

#endif
