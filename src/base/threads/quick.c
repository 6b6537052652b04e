#include "base/threads/quick.h"

#include "base/threads/waiting.h"

#include <stdatomic.h>
#include <unistd.h>

enum { cache_line = 64 };

/* Which lot of a part was begun, and which is done: lots have numbers from 1 on. Whoever raises `begun` to
 * the number of the lot does the piece. */
typedef struct place {
    _Alignas(cache_line) atomic_int begun;
    atomic_int done;
} place;

struct ald_quick {
    int parts;
    ald_quick_fn lead;
    void *work;
    /* Of the lot; read by those who have begun a piece of it. */
    ald_part_fn piece;
    void *piece_work;
    _Alignas(cache_line) atomic_int lot; /* -1: no further one */
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
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    atomic_init(&q.lot, 0);
    for (int part = 0; part < q.parts; part++) {
        atomic_init(&q.places[part].begun, 0);
        atomic_init(&q.places[part].done, 0);
    }
    ald_parallel(processors > 0 && processors < parts ? (int)processors : parts, take_part, &q);
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
