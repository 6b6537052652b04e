/* The logbook of a fit (math/operator/logbook.h) in files of this part of the rows:
 *
 *     FILE.P.R.steps   settings; then of each finished step a label, its head and its pieces
 *     FILE.P.R.now     the same for the state of the step under way
 *
 * Pieces that are alike in all parts are in the files of the first only. Results are held in memory until a
 * checkpoint is due. Then those that are in no file yet are appended, and the state is written after them: so
 * the steps before a state are there at whatever instant a run ends. A step that not all parts have, or whose
 * input is another, is computed again, and so are all after it. */
#ifndef ALD_CHECKPOINTS_STEPS_H
#define ALD_CHECKPOINTS_STEPS_H

#include "fit/checkpoints/checkpoint.h"
#include "math/operator/logbook.h"

/* By all parts. That of a checkpoint (NULL: none, and *book is NULL), in scratch; closed on every path. */
ald_status ald_steps_open(ald_run *run, const ald_dataset *survey, ald_logbook **book);
void ald_steps_close(ald_run *run, ald_logbook *book);

#endif
