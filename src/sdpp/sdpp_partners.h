/* The pairs of one rank: those whose lower row it has, with the rows of their partners. */
#ifndef ALD_SDPP_SDPP_PARTNERS_H
#define ALD_SDPP_SDPP_PARTNERS_H

#include "divided/service.h"
#include "sdpp/sdpp_pairs.h"

typedef struct ald_sdpp_share {
    const ald_operator *own; /* its rows, numbered from 0 on */
    ald_operator partners;   /* rows of other ranks, numbered behind them */
    int64_t n;               /* rows of both */
    ald_sdpp_pairs pairs;    /* among them */
} ald_sdpp_share;

/* The nearest neighbours of all rows, or (0) those of the given graph; the two directions of a pair meet at
 * the rank of its lower row, and the rows of other ranks that it needs are fetched, once. In the scratch of
 * the run. All ranks call it. */
ald_status ald_sdpp_find_share(ald_run *run, const ald_service *service, int64_t neighbours,
                               ald_sdpp_share *share);

#endif
