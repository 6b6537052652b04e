/* Checkpoints: how far a survey and the sums of a fit are, in files, so that the same command goes on where
 * it was ended.
 *
 *     FILE        which ranks there are, and their portions; its key is that of the data and the options
 *     FILE.P.R    the state of rank R of P, which writes it by itself, whenever it is due
 *
 * The states do not depend on each other: each is that of some rows, and what no state tells of is done
 * again. The sums of each part are kept apart and saved between two blocks, so a run that goes on makes the
 * same additions as one that was never ended, and gives the same bytes.
 *
 * Another number of ranks takes the states over, each some of them, writes its own, and only then is FILE
 * about these.
 *
 * What other passes over the rows find is in files of its own (checkpoints/steps.h). */
#ifndef ALD_CHECKPOINTS_CHECKPOINT_H
#define ALD_CHECKPOINTS_CHECKPOINT_H

#include "base/core/record.h"
#include "data/encode/dataset.h"
#include "fit/checkpoints/leg.h"
#include "methods/moments/moments.h"

/* What a rank knows. */
typedef struct ald_saved {
    int64_t sums;        /* 0: its survey is not done, or not that of all ranks, and `told` is its own part */
    unsigned char *told; /* ald_survey_tell; NULL: nothing is saved */
    int64_t told_size;
    ald_leg *legs;
    int64_t n_legs;
    uint64_t settings; /* with sums: what they depend on besides the data */
    int64_t parts;
    ald_moments *total; /* of each part */
} ald_saved;

/* All of them are made by all ranks, but for ald_checkpoint_due and ald_checkpoint_save. */

/* Finds out what is there and fills dataset->checkpoint, in its memory; NULL where none is asked for. A
 * checkpoint of something else is an error. */
ald_status ald_checkpoint_open(ald_run *run, const char *path, const ald_load_options *options,
                               ald_dataset *dataset);
/* What is known of the survey: of all rows (sums is 1), or of this rank's; told is NULL where nothing is. */
ald_status ald_checkpoint_survey(ald_run *run, ald_dataset *dataset, ald_saved *saved);
/* The portion of this rank, if the states are those of as many ranks. */
int ald_checkpoint_portion(const ald_run *run, const ald_checkpoint *c, ald_portion *portion);
/* Begins, with the portions of the ranks. States of another number of ranks are removed. */
ald_status ald_checkpoint_begin(ald_run *run, ald_dataset *dataset);
/* The survey of all rows, which is kept for what is saved later. */
ald_status ald_checkpoint_told(ald_run *run, const ald_record *told, ald_dataset *dataset);
/* Where the sums of this rank go on: its legs and the sums of its parts, each in its arena. */
ald_status ald_checkpoint_resume(ald_run *run, const char *path, const ald_load_options *options,
                                 const ald_dataset *survey, int parts, ald_arena *arenas, ald_saved *saved);

/* For what is beside the sums (checkpoints/steps.h). A state of this rank with the survey of all rows, where
 * there is none yet. */
ald_status ald_checkpoint_secure(ald_run *run, const ald_dataset *survey);
/* Where there are no sums: the states of another number of ranks are replaced, by all ranks. */
ald_status ald_checkpoint_adopt(ald_run *run, const ald_dataset *survey);
/* Of the file for the pass of this rank that is under way, in scratch. */
ald_status ald_checkpoint_name_pass(ald_run *run, const ald_checkpoint *c, char **name);
/* Ranks whose states are there, the portion of one of them, and its state without its sums, in scratch. */
int64_t ald_checkpoint_ranks(const ald_checkpoint *c);
const ald_portion *ald_checkpoint_portion_of(const ald_checkpoint *c, int64_t rank);
ald_status ald_checkpoint_state_of(ald_run *run, const ald_checkpoint *c, int64_t rank, ald_saved *found);
const char *ald_checkpoint_path(const ald_checkpoint *c);
uint64_t ald_checkpoint_key(const ald_checkpoint *c);
double ald_checkpoint_clock(void);
/* All ranks have written something, since `began`: the next is due after ten times as long, or later. */
void ald_checkpoint_written(ald_checkpoint *c, double began);

double ald_checkpoint_seconds(const ald_checkpoint *c);
int ald_checkpoint_due(const ald_checkpoint *c);
ald_status ald_checkpoint_save(ald_run *run, ald_checkpoint *c, const ald_saved *saved);

#endif
