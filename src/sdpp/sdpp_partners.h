/* The pairs of one rank: those of its own rows, and half of those with rows of other ranks, which are its
 * partners. */
#ifndef ALD_SDPP_SDPP_PARTNERS_H
#define ALD_SDPP_SDPP_PARTNERS_H

#include "divided/service.h"
#include "sdpp/sdpp_pairs.h"

typedef struct ald_sdpp_edge {
    int64_t low, high; /* rows by their numbers */
    double weight;
} ald_sdpp_edge;

typedef struct ald_sdpp_share {
    const ald_operator *own; /* its rows, numbered from 0 on */
    ald_operator partners;   /* rows of other ranks, numbered behind them */
    int64_t n;               /* rows of both */
    ald_sdpp_pairs pairs;    /* among them */
    /* The pairs whose lower row it has, in order: those of one rank after the other are those of one process.
     */
    const ald_sdpp_edge *edges;
    int64_t edge_count;
    int64_t isolated; /* own rows without a neighbour within the radius */
} ald_sdpp_share;

/* Which rows are neighbours: the nearest so many, those within a radius, or (both 0) those of the given
 * graph. */
typedef struct ald_sdpp_wanted {
    int64_t neighbours;
    double radius;
} ald_sdpp_wanted;

/* Finds the neighbours of all rows; the two directions of a pair meet at the rank of its lower row, half of
 * those of two ranks go to the other, and the rows of other ranks that a rank needs are fetched, once. In the
 * scratch of the run. All ranks call it. */
ald_status ald_sdpp_find_share(ald_run *run, const ald_service *service, const ald_sdpp_wanted *wanted,
                               ald_sdpp_share *share);

#endif
