/* How many threads are worth having: the processors that this process may use. */
#ifndef ALD_THREADS_PROCESSORS_H
#define ALD_THREADS_PROCESSORS_H

/* Processors of the affinity mask, at least 1. */
int ald_processors(void);

/* The number of threads where none is asked for: OMP_NUM_THREADS, where it is set; else the processors, or
 * fewer where control groups allow less time than these have. */
int ald_default_threads(void);

/* The processors whose whole time the control groups of this process allow it, rounded up; 0: no limit. Of
 * the files below `root`, which is empty but in tests. */
int ald_quota_below(const char *root);

#endif
