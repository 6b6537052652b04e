/* Columns that are divided over ranks: each has a stretch of them, in the order of the ranks, all of about
 * the same length. */
#ifndef ALD_STRIPS_STRETCH_H
#define ALD_STRIPS_STRETCH_H

#include <stdint.h>

typedef struct ald_stretch {
    int64_t first, count;
} ald_stretch;

/* The first d mod `ranks` have one more than the others. */
static inline ald_stretch ald_stretch_of(int64_t d, int rank, int ranks)
{
    const int64_t least = d / ranks, more = d % ranks;
    return (ald_stretch){
        .first = rank * least + (rank < more ? rank : more),
        .count = least + (rank < more),
    };
}

#endif
