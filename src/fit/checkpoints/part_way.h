/* How far this rank is in a pass over its rows, in a file of its own, FILE.P.R.pass: which blocks are done,
 * and what was made of them. By each rank for itself, as the states of the sums are.
 *
 * What a pass makes follows from its input, a sum over all that it reads beside the rows, also what it writes
 * over. So the file is of use to the pass of the same input and to no other, and nobody needs to know which
 * passes there were before. */
#ifndef ALD_CHECKPOINTS_PART_WAY_H
#define ALD_CHECKPOINTS_PART_WAY_H

#include "fit/checkpoints/checkpoint.h"
#include "math/operator/logbook.h"

/* For what has no fixed size: told to a parcel and taken from it. */
typedef struct ald_part_told {
    ald_status (*tell)(ald_run *run, void *work, ald_record *parcel);
    ald_status (*restore)(ald_run *run, void *work, ald_record *parcel);
    void *work;
} ald_part_told;

typedef struct ald_part_way {
    ald_checkpoint *checkpoint; /* NULL: nothing is saved */
    const char *name;
    const ald_partial *partial;
    const ald_part_told *told; /* beside the pieces; NULL: nothing */
    double saved, cost;        /* when it was saved last, and how long that took */
} ald_part_way;

ald_part_way ald_part_way_of(ald_checkpoint *c, const char *name, const ald_partial *partial);
/* Fills the leg and the pieces, if they are there for a pass of this name and input. */
ald_status ald_part_way_find(ald_run *run, const ald_part_way *way, ald_leg *leg, int *found);
/* Unless the last time is not long ago. */
ald_status ald_part_way_save(ald_run *run, ald_part_way *way, const ald_leg *reached);

#endif
