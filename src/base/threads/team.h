/* Threads that run together (ald_together) and share pieces of work, in three grains: a team makes blocks
 * that all of them read, pieces are handed out under a lock, and quick ones by spinning. */
#ifndef ALD_THREADS_TEAM_H
#define ALD_THREADS_TEAM_H

#include "base/threads/threads.h"

#include <sched.h>
#include <stdatomic.h>

/* Waiting without sleeping, for what comes within microseconds. */

/* One look's worth; *waited counts them. On a busy machine others get the processor soon. */
static inline void ald_wait_a_little(int *waited)
{
    enum { patience = 100 };
#if defined(__x86_64__) && defined(__GNUC__)
    __builtin_ia32_pause();
#endif
    if (++*waited % patience == 0) sched_yield();
}

/* Blocks, one after the other, that the threads of a team make together and then all read: each member makes
 * the pieces of a block that nobody has begun, and reads when all are made. There are two places, so that who
 * is early makes a part of the next block while others still read this one. Waiting is done without sleeping,
 * as pieces take some ten microseconds. The members must run at the same time (ald_together). */

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

/* Pieces of work, lot after lot, for threads that persist: among threads that run together (ald_together),
 * one publishes a lot of pieces, all take from it, and the publisher continues when the lot is done. Handing
 * out a piece costs a lock, so a piece should take some hundred microseconds. */

typedef struct ald_pieces {
    pthread_mutex_t lock;
    pthread_cond_t published, done;
    int count, next, finished; /* of the lot */
    int closed;
} ald_pieces;

void ald_pieces_begin(ald_pieces *pieces);
void ald_pieces_end(ald_pieces *pieces);
/* For the publisher; the lot before must be done. Others begin at once. */
void ald_pieces_publish(ald_pieces *pieces, int count);
/* For the publisher: takes its share of the pieces and returns when all of them are done. */
void ald_pieces_finish(ald_pieces *pieces, ald_part_fn fn, void *work);
/* There will be no further lot. */
void ald_pieces_close(ald_pieces *pieces);
/* For the others: takes pieces of every lot until they are closed. */
void ald_pieces_help(ald_pieces *pieces, ald_part_fn fn, void *work);

/* Pieces of a few microseconds, lot after lot: threads that wait for the next lot do not sleep, so a lot
 * costs about as much as notifying the other processors. They wait for at most a hundredth of a second, since
 * they occupy processors that others could use.
 *
 * Nothing depends on the helpers: pieces that none of them has begun when the leader finishes its own are
 * done by the leader. So if they have not started at all, or do not get a processor, the leader computes as
 * if it were alone. The result of a piece must not depend on which thread does it. */

typedef struct ald_quick ald_quick;
typedef void (*ald_quick_fn)(ald_quick *quick, void *work);

enum { ALD_QUICK_MOST = 64 };

/* Calls lead(quick, work) on the caller's thread, with helpers for parts 1 .. parts - 1, as far as there are
 * processors, until it returns. `parts` is at most ALD_QUICK_MOST. */
void ald_quick_run(int parts, ald_quick_fn lead, void *work);
/* For the leader: fn(work, 0) .. fn(work, parts - 1); returns when all are done. */
void ald_quick_lot(ald_quick *quick, ald_part_fn fn, void *work);

#endif
