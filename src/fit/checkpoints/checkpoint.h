/* Checkpoints: the state of a streamed fit in files, so that the same command resumes after any interruption.
 *
 *     FILE              the number of ranks and, once the survey is done, the summary of all rows; by rank 0
 *     FILE.P.R          rank R of P: how far its survey is, or its sums and how far they are, and
 *     FILE.P.R.pass     how far another pass is (checkpoints/pass_state.h)
 *     FILE.P.R.steps    results of finished passes, and
 *     FILE.P.R.now      the state of a solver (checkpoints/steps.h)
 *
 * All are files of records (checkpoints/record_file.h). Each rank writes its own files whenever they are due;
 * none depends on another, and what no file holds is computed again. The sums of each thread are saved apart
 * and between two blocks, so a resumed run makes the same additions as one that was never interrupted, and
 * gives the same bytes. Another number of ranks begins anew: sums, passes and solvers follow the portions. */
#ifndef ALD_CHECKPOINTS_CHECKPOINT_H
#define ALD_CHECKPOINTS_CHECKPOINT_H

#include "base/core/record.h"
#include "data/encode/dataset.h"

/* All ranks call these together, except for those that save. */

/* Finds out what is there and fills dataset->checkpoint, in its memory; NULL where none is asked for. A
 * checkpoint of something else is an error, one of another number of ranks is removed with a note. */
ald_status ald_checkpoint_open(ald_run *run, const char *path, const ald_load_options *options,
                               ald_dataset *dataset);
/* The summary of all rows, and (saved by rank 0) the same. Its size is 0 where there is none. */
ald_status ald_checkpoint_find_summary(ald_run *run, const ald_checkpoint *c, ald_record *summary);
ald_status ald_checkpoint_keep_summary(ald_run *run, const ald_checkpoint *c, const ald_record *summary);
/* Removes a checkpoint that this call began, where the fit is refused: what an earlier one has left stays. */
void ald_checkpoint_forget(ald_run *run, const ald_checkpoint *c);
/* Whether it is time to save, that all ranks have saved something since `began` (the next time is after ten
 * times as long, or later), and how many seconds lie between. */
int ald_checkpoint_due(const ald_checkpoint *c);
void ald_checkpoint_written(ald_checkpoint *c, double began);
double ald_checkpoint_seconds(const ald_checkpoint *c);
double ald_checkpoint_clock(void);

/* For the other files: the name of this rank's file with this ending, in scratch, and the keys. */
ald_status ald_checkpoint_name(ald_run *run, const ald_checkpoint *c, const char *ending, char **name);
uint64_t ald_checkpoint_key(const ald_checkpoint *c);
/* A fit that resumes is one with the same settings, though sums depend on few of them. */
uint64_t ald_checkpoint_settings(const ald_run *run);
ald_status ald_checkpoint_check_settings(ald_run *run, const ald_checkpoint *c, uint64_t found);

#endif
