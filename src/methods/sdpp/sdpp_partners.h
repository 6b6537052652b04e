/* The pairs of one rank: those of its own rows, and half of those with rows of other ranks, which are its
 * partners. */
#ifndef ALD_SDPP_SDPP_PARTNERS_H
#define ALD_SDPP_SDPP_PARTNERS_H

#include "cluster/divided/service.h"
#include "methods/sdpp/sdpp_pairs.h"

typedef struct ald_sdpp_share {
    const ald_operator *own; /* its rows, numbered from 0 on */
    ald_operator partners;   /* rows of other ranks, numbered behind them */
    const int64_t *list;     /* their numbers in the whole file */
    int64_t n;               /* rows of both */
    ald_sdpp_pairs pairs;    /* among them */
    int64_t isolated; /* own rows without a neighbour; of a graph that rank 0 has found, there of all */
    const char *how;  /* of such a graph, on rank 0; NULL: another */
} ald_sdpp_share;

/* Which rows are neighbours: the nearest so many, those within a radius, those of a graph that rank 0 finds
 * of all rows (divided/first_graph.h), or (all of them 0) those of the given graph. */
typedef struct ald_sdpp_wanted {
    int64_t neighbours;
    double radius;
    int64_t first; /* an ald_graph_kind */
} ald_sdpp_wanted;

/* Finds the neighbours of all rows; the two directions of a pair meet at the rank of one of its rows, and the
 * rows of other ranks that it needs are fetched, once. In the scratch of
 * the run. All ranks call it. */
ald_status ald_sdpp_find_share(ald_run *run, const ald_service *service, const ald_sdpp_wanted *wanted,
                               ald_sdpp_share *share);

/* The number in the whole file of a row that has the number i here. */
int64_t ald_sdpp_share_row(const ald_service *service, const ald_sdpp_share *share, int64_t i);

#endif
