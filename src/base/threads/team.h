/* Blocks, one after the other, that the threads of a team make together and then all read: each member makes
 * the pieces of a block that nobody has begun, and reads when all are made. There are two places, so that who
 * is early makes a part of the next block while others still read this one. Waiting is done without sleeping,
 * as pieces take some ten microseconds. The members must run at the same time (ald_together). */
#ifndef ALD_THREADS_TEAM_H
#define ALD_THREADS_TEAM_H

#include "base/threads/threads.h"

#include <stdatomic.h>

enum { ALD_TEAM_PLACES = 2 };

typedef struct ald_team {
    int members;
    struct {
        atomic_llong block;     /* that the place is for */
        atomic_int begun, made; /* pieces, `members` in all */
        atomic_int readers;     /* that have not left it */
    } places[ALD_TEAM_PLACES];
} ald_team;

void ald_team_begin(ald_team *team, int members);
/* Block by block, from 0 on, for every member: returns when all pieces of the block are made, some of them
 * by piece(work, 0 .. members - 1) here; 0: `stopped` was set. The block has the place block %
 * ALD_TEAM_PLACES. */
int ald_team_make(ald_team *team, int64_t block, const atomic_int *stopped, ald_part_fn piece, void *work);
/* The member has read the block. */
void ald_team_leave(ald_team *team, int64_t block);

#endif
