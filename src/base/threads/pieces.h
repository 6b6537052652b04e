/* Pieces of work, lot after lot, for threads that are kept: of those that run together (ald_together), one
 * publishes a lot of pieces, all take from it, and the publisher goes on when the lot is done. Handing out a
 * piece costs a lock, so pieces are worth some hundred microseconds. */
#ifndef ALD_THREADS_PIECES_H
#define ALD_THREADS_PIECES_H

#include "base/threads/threads.h"

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

#endif
