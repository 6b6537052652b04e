/* The logbook of a fit (linalg/logbook.h) in files beside that of the checkpoint:
 *
 *     FILE.done.K    results of steps, some in each file; that of a step is in the last file that begins no
 *                    later than with it
 *     FILE.now       the state of the step that is under way
 *     FILE.own.P.K   results that are of use to P ranks only, one in each
 *
 * Results are kept in memory until a state is due. Then those that are not yet in a file are written, and the
 * state behind them: so whatever instant a run is ended at, the steps before a state are there. A step whose
 * input is not that of the run before (another number of ranks, other rounding) is taken anew, and so are
 * all after it. */
#ifndef ALD_CHECKPOINTS_STEPS_H
#define ALD_CHECKPOINTS_STEPS_H

#include "fit/checkpoints/checkpoint.h"
#include "math/operator/logbook.h"

/* By all ranks, as is all that is here. That of a checkpoint (NULL: none, and *book is NULL), in scratch;
 * closed on every path. `passes`: there are no moments whose states another number of ranks takes over. */
ald_status ald_steps_open(ald_run *run, const ald_dataset *survey, int passes, ald_logbook **book);
void ald_steps_close(ald_run *run, ald_logbook *book);

/* Removes the files. Those of `ranks` ranks alone, or with 0 all others. */
ald_status ald_steps_remove(ald_run *run, const char *path, int64_t ranks);

#endif
