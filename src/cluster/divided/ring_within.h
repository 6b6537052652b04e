/* The neighbours within a radius among the rows of all ranks. */
#ifndef ALD_DIVIDED_RING_WITHIN_H
#define ALD_DIVIDED_RING_WITHIN_H

#include "cluster/divided/divided_rows.h"

typedef struct ald_ring_ball {
    double radius;
    /* Of row i of this rank: neighbours[pointers[i]] .. neighbours[pointers[i + 1] - 1], by number. In
     * scratch. */
    int64_t *pointers, *neighbours;
    int64_t isolated; /* rows of this rank without any */
} ald_ring_ball;

/* All rows at a distance < radius, a row itself left out: the same on any number of ranks. The ring is passed
 * twice, to count them and to write them down. Agrees on how it went. */
ald_status ald_ring_within(ald_run *run, const ald_divided *rows, ald_ring_ball *ball);

#endif
