/* The pairs of one rank: those of its own rows, and half of those with rows of other ranks, which are its
 * partners. */
#ifndef ALD_DIVIDED_PAIR_SHARE_H
#define ALD_DIVIDED_PAIR_SHARE_H

#include "cluster/divided/service.h"
#include "methods/sdpp/sdpp_remote.h"

/* A pair that random starts are drawn for. */
typedef struct ald_numbered_pair {
    int64_t number;    /* among the pairs of all ranks */
    int64_t low, high; /* rows as they are numbered here; the first is the lower one in the whole file */
    double weight;
} ald_numbered_pair;

typedef struct ald_pair_numbers {
    int64_t all;              /* pairs of all ranks */
    int64_t every, count;     /* each `every`-th of which is drawn; so many of them are here */
    ald_numbered_pair *drawn; /* in the order of their numbers */
} ald_pair_numbers;

typedef struct ald_pair_share {
    const ald_operator *own; /* the rows of this rank, numbered from 0 on */
    ald_operator partners;   /* rows of other ranks, numbered behind them */
    const int64_t *list;     /* their numbers in the whole file */
    int64_t n;               /* rows of both */
    ald_sdpp_pairs pairs;    /* among them */
    int64_t
        isolated; /* rows of this rank without a neighbour; for a graph that rank 0 has found, there of all */
    const char *how; /* of such a graph, on rank 0; NULL: another */
    ald_pair_numbers numbers;
} ald_pair_share;

/* Finds the neighbours of all rows; the two directions of a pair meet at the rank of one of its rows, and
 * the rows of other ranks that it needs are fetched, once. In the scratch of the run. All ranks call it. */
ald_status ald_pair_share_find(ald_run *run, const ald_service *service, const ald_sdpp_wanted *wanted,
                               ald_pair_share *share);

#endif
