/* How far this part is in a pass over its rows, FILE.P.R.pass: which blocks are done, and what was made of
 * them.
 *
 * The result of a pass follows from its input: everything it reads beside the rows, and what it writes over.
 * The file serves the pass of the same name and input and no other, so it does not matter which passes came
 * before. */
#ifndef ALD_CHECKPOINTS_PASS_STATE_H
#define ALD_CHECKPOINTS_PASS_STATE_H

#include "fit/checkpoints/checkpoint.h"
#include "math/operator/logbook.h"

typedef struct ald_pass_state {
    ald_checkpoint *checkpoint; /* NULL: nothing is saved */
    const char *name;
    const ald_partial *partial; /* what is made of the rows */
    /* Beside that, what has no fixed size: written to a record and read from it; NULL: nothing. */
    ald_status (*put)(ald_run *run, void *work, ald_record *record);
    ald_status (*take)(ald_run *run, void *work, ald_record *record);
    void *work;
    double saved, cost; /* when it was saved last, and how long that took */
} ald_pass_state;

ald_pass_state ald_pass_state_of(ald_checkpoint *c, const char *name, const ald_partial *partial);
/* Fills `reached` and the pieces, if they are there for this pass. */
ald_status ald_pass_state_find(ald_run *run, const ald_pass_state *state, ald_reached *reached);
/* Does nothing if the last time was not long ago. */
ald_status ald_pass_state_save(ald_run *run, ald_pass_state *state, const ald_reached *reached);

#endif
