/* Fits that are tried on the same rows, one after the other, and thrown away when they have been judged.
 *
 * A method may keep here what the next of them needs too: the graph, the coordinates, what does not depend on
 * the ridge or on the number of directions. And it may spare what only a model that stays needs: the last
 * digits of an iteration, a certificate. What is found must not depend on which fits came before: everything
 * that a kept thing was made from is in its key. A trial belongs to one thread. */
#ifndef ALD_CORE_TRYOUT_H
#define ALD_CORE_TRYOUT_H

#include "base/core/run.h"

/* What is kept at a time; a new key takes the place of the old one. */
typedef enum ald_shelf {
    ALD_SHELF_ROWS,     /* what the rows and their neighbours give */
    ALD_SHELF_SOLUTION, /* a solution that several numbers of directions begin with */
    ALD_SHELVES,
} ald_shelf;

typedef struct ald_kept {
    uint64_t key;
    ald_arena memory;
    void *thing;           /* NULL: nothing */
    double began, seconds; /* that it took to make, by the clock */
} ald_kept;

/* Things that fits of several methods and settings share: as many as there is room for. */
typedef struct ald_common {
    ald_kept kept;
    struct ald_common *next;
} ald_common;

typedef struct ald_tryout {
    ald_allocator allocator;
    int sparing;  /* what only a model that stays needs is spared */
    double room;  /* bytes for things that other methods and settings share, too: ald_tryout_common */
    int alone;    /* a single fit to these rows: what only pays where several share it does not */
    int64_t rows; /* in which form the rows are given, as the caller numbers them: part of every key */
    ald_kept shelves[ALD_SHELVES];
    ald_arena list; /* of the commons */
    ald_common *commons;
    double bytes;
    double (*clock)(void); /* NULL: nothing is timed */
    double lent;           /* seconds that others took to make what was found, since the caller set it to 0 */
} ald_tryout;

void ald_tryout_begin(ald_tryout *tryout, const ald_allocator *allocator);
/* Other rows from now on: nothing is kept. A trial of zeros is fine. */
void ald_tryout_clear(ald_tryout *tryout);

/* The key of all settings of the run but its numbers of components and ridges, joined with `bytes`. */
uint64_t ald_tryout_key(const ald_run *run, const void *bytes, size_t size);
/* The place for a thing of that key, or NULL: the run is no trial. Its `thing` is NULL where it is to be
 * made. */
ald_kept *ald_tryout_place(const ald_run *run, ald_shelf shelf, uint64_t key);
/* The place for a thing that everything with that key shares, of about that many bytes. NULL: the run shares
 * nothing, or there is no room. Negative for want of memory only. */
ald_status ald_tryout_common(ald_run *run, uint64_t key, double bytes, ald_kept **kept);
/* Between fits: makes room where there is little left. */
void ald_tryout_tidy(ald_tryout *tryout);
/* Whether the run is a trial whose fits share what they make with other methods and settings. */
static inline int ald_tryout_shares(const ald_run *run)
{
    return run->call.tryout && !run->call.tryout->alone;
}
/* The trial whose fits need no last digits, or NULL. */
static inline struct ald_tryout *ald_tryout_sparing(const ald_run *run)
{
    return run->call.tryout && run->call.tryout->sparing ? run->call.tryout : NULL;
}
/* A run whose scratch stays where the thing is kept, to make it with; every one opened is closed. */
void ald_tryout_open(const ald_run *run, ald_kept *kept, ald_run *keeper);
ald_status ald_tryout_close(ald_run *run, ald_kept *kept, ald_run *keeper, ald_status status);

#endif
