#include "base/threads/pieces.h"

void ald_pieces_begin(ald_pieces *pieces)
{
    *pieces = (ald_pieces){.count = 0};
    pthread_mutex_init(&pieces->lock, NULL);
    pthread_cond_init(&pieces->published, NULL);
    pthread_cond_init(&pieces->done, NULL);
}

void ald_pieces_end(ald_pieces *pieces)
{
    pthread_cond_destroy(&pieces->done);
    pthread_cond_destroy(&pieces->published);
    pthread_mutex_destroy(&pieces->lock);
}

void ald_pieces_publish(ald_pieces *pieces, int count)
{
    pthread_mutex_lock(&pieces->lock);
    pieces->count = count;
    pieces->next = pieces->finished = 0;
    pthread_cond_broadcast(&pieces->published);
    pthread_mutex_unlock(&pieces->lock);
}

/* Does the next piece; the lock is held before and after, not meanwhile. */
static void do_one_locked(ald_pieces *pieces, ald_part_fn fn, void *work)
{
    const int piece = pieces->next++;
    pthread_mutex_unlock(&pieces->lock);
    fn(work, piece);
    pthread_mutex_lock(&pieces->lock);
    if (++pieces->finished == pieces->count) pthread_cond_signal(&pieces->done);
}

void ald_pieces_finish(ald_pieces *pieces, ald_part_fn fn, void *work)
{
    pthread_mutex_lock(&pieces->lock);
    while (pieces->next < pieces->count) do_one_locked(pieces, fn, work);
    while (pieces->finished < pieces->count) pthread_cond_wait(&pieces->done, &pieces->lock);
    pthread_mutex_unlock(&pieces->lock);
}

void ald_pieces_close(ald_pieces *pieces)
{
    pthread_mutex_lock(&pieces->lock);
    pieces->closed = 1;
    pthread_cond_broadcast(&pieces->published);
    pthread_mutex_unlock(&pieces->lock);
}

void ald_pieces_help(ald_pieces *pieces, ald_part_fn fn, void *work)
{
    pthread_mutex_lock(&pieces->lock);
    for (;;) {
        while (pieces->next == pieces->count && !pieces->closed)
            pthread_cond_wait(&pieces->published, &pieces->lock);
        if (pieces->next == pieces->count) break;
        do_one_locked(pieces, fn, work);
    }
    pthread_mutex_unlock(&pieces->lock);
}
