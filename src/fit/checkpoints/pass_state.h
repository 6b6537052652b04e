/* How far this part is in a pass over its rows: which blocks are done, and what was made of them.
 *
 * The result of a pass follows from its input: everything it reads beside the rows, and what it writes over.
 * A file serves the pass of the same name and input and no other, so it does not matter which passes came
 * before. FILE.P.R has the survey, then the sums; FILE.P.R.pass the other passes. */
#ifndef ALD_CHECKPOINTS_PASS_STATE_H
#define ALD_CHECKPOINTS_PASS_STATE_H

#include "fit/checkpoints/checkpoint.h"
#include "fit/checkpoints/record_file.h"
#include "io/reading/stream.h"
#include "math/operator/logbook.h"

/* How far the reading of a portion is. */
typedef struct ald_reached {
    int64_t number;      /* of the next block; 0: none is done yet */
    ald_stream_place at; /* where that begins, if number > 0 */
    int64_t done;        /* all of it */
} ald_reached;

typedef struct ald_pass_state {
    ald_checkpoint *checkpoint; /* NULL: nothing is saved */
    const char *name;
    const char *ending;  /* of its file */
    ald_partial partial; /* what is made of the rows */
    /* Beside that, what has no fixed size: records of the file; NULL: nothing. */
    ald_status (*put)(ald_run *run, void *work, ald_record_file *file);
    ald_status (*take)(ald_run *run, void *work, ald_record_file *file);
    void *work;
    ald_reached reached; /* what was found or saved last */
    double saved, cost;  /* when it was saved last, and how long that took */
} ald_pass_state;

ald_pass_state ald_pass_state_of(ald_checkpoint *c, const char *name, ald_partial partial);
/* Fills `reached` and the pieces, if they are there for this pass. Those of other settings are an error. */
ald_status ald_pass_state_find(ald_run *run, ald_pass_state *state);
/* Does nothing if the last time was not long ago. */
ald_status ald_pass_state_save(ald_run *run, ald_pass_state *state, const ald_reached *reached);
/* At the end of a pass whose result another one needs (`always`), or if it is time. */
ald_status ald_pass_state_end(ald_run *run, ald_pass_state *state, int always);

#endif
