/* Teams, pieces and quick pieces: threads that share pieces of work, see the header. */
#include "base/threads/team.h"

#include "base/threads/processors.h"

#include <stdatomic.h>

void ald_team_begin(ald_team *team, int members)
{
    team->members = members;
    for (int i = 0; i < ALD_TEAM_PLACES; i++) {
        atomic_init(&team->places[i].block, i);
        atomic_init(&team->places[i].begun, 0);
        atomic_init(&team->places[i].made, 0);
        atomic_init(&team->places[i].readers, members);
    }
}

int ald_team_make(ald_team *team, int64_t block, const atomic_int *stopped, ald_part_fn piece, void *work)
{
    const int64_t at = block % ALD_TEAM_PLACES;
    int waited = 0, number;
    while (atomic_load(&team->places[at].block) != block) {
        if (atomic_load(stopped)) return 0;
        ald_wait_a_little(&waited);
    }
    while ((number = atomic_fetch_add(&team->places[at].begun, 1)) < team->members) {
        piece(work, number);
        atomic_fetch_add(&team->places[at].made, 1);
    }
    while (atomic_load(&team->places[at].made) < team->members) {
        if (atomic_load(stopped)) return 0;
        ald_wait_a_little(&waited);
    }
    return 1;
}

void ald_team_leave(ald_team *team, int64_t block)
{
    const int64_t at = block % ALD_TEAM_PLACES;
    if (atomic_fetch_sub(&team->places[at].readers, 1) > 1) return;
    atomic_store(&team->places[at].begun, 0);
    atomic_store(&team->places[at].made, 0);
    atomic_store(&team->places[at].readers, team->members);
    atomic_store(&team->places[at].block, block + ALD_TEAM_PLACES);
}

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

enum { cache_line = 64 };

/* The lot of a part that was begun, and the one that is done: lots are numbered from 1. The thread that
 * raises `begun` to the number of the lot does the piece. */
typedef struct place {
    atomic_int begun, done;
    char apart[cache_line - 2 * sizeof(atomic_int)];
} place;

struct ald_quick {
    int parts;
    ald_quick_fn lead;
    void *work;
    /* The current lot; read by threads that have begun a piece of it. */
    ald_part_fn piece;
    void *piece_work;
    char apart[cache_line];
    atomic_int lot; /* -1: no further one */
    char from_places[cache_line - sizeof(atomic_int)];
    place places[ALD_QUICK_MOST];
};

static int begin(place *p, int lot)
{
    int before = lot - 1;
    return atomic_compare_exchange_strong(&p->begun, &before, lot);
}

static void help(ald_quick *q, int part)
{
    place *own = &q->places[part];
    int seen = 0, lot, waited = 0;
    while ((lot = atomic_load(&q->lot)) >= 0) {
        if (lot == seen) {
            ald_wait_a_little(&waited);
            continue;
        }
        seen = lot;
        if (!begin(own, lot)) continue;
        q->piece(q->piece_work, part);
        atomic_store(&own->done, lot);
    }
}

static void take_part(void *work, int part)
{
    ald_quick *q = work;
    if (part > 0) {
        help(q, part);
        return;
    }
    q->lead(q, q->work);
    atomic_store(&q->lot, -1);
}

void ald_quick_run(int parts, ald_quick_fn lead, void *work)
{
    ald_quick q = {.parts = parts, .lead = lead, .work = work};
    const int processors = ald_processors();
    atomic_init(&q.lot, 0);
    for (int part = 0; part < q.parts; part++) {
        atomic_init(&q.places[part].begun, 0);
        atomic_init(&q.places[part].done, 0);
    }
    ald_parallel(processors < parts ? processors : parts, take_part, &q);
}

void ald_quick_lot(ald_quick *q, ald_part_fn fn, void *work)
{
    const int lot = atomic_load(&q->lot) + 1;
    int waited = 0;
    q->piece = fn;
    q->piece_work = work;
    atomic_store(&q->lot, lot);
    fn(work, 0);
    for (int part = 1; part < q->parts; part++) {
        place *p = &q->places[part];
        if (begin(p, lot)) {
            fn(work, part);
            atomic_store(&p->done, lot);
        }
        while (atomic_load(&p->done) != lot) ald_wait_a_little(&waited);
    }
}
