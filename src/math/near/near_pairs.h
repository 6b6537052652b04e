/* All pairs of two sets of points that are near enough to count.
 *
 * With a and b the points about a common centre in working precision (unit roundoff u, t terms), the
 * product gives
 *
 *   s = |b|^2 - 2 a'b,    in error by at most    g = t u (|b|^2 + 2 |a| |b|),
 *
 * and the points as given are within e = u (|a| + |b|) + blur of a and b. So the pair is farther apart
 * than r whenever
 *
 *   s > (r + e)^2 - |a|^2 + g,
 *
 * and only the others are measured exactly. Single precision does unless points are in tight heaps far
 * apart; when too many pairs have to be measured, the rest of the search is in double. The outcome is the
 * same. */
#ifndef ALD_NEAR_NEAR_PAIRS_H
#define ALD_NEAR_NEAR_PAIRS_H

#include "math/near/points.h"

typedef struct ald_pair_search {
    const ald_points *queries, *references; /* joined, or the same */
    int skip_same;                          /* leave out pairs of one row of Z */
    /* The squared distance up to which a reference counts for the query; it may fall as references are taken.
     */
    double (*limit)(const void *self, int64_t query);
    /* A pair that may count (its exact squared distance). Calls for one query come from one thread. */
    void (*take)(void *self, int64_t query, int64_t reference, double square);
    void *self;
    const char *stage; /* for the progress */
} ald_pair_search;

/* Cost: n_q n_r d products in blocks; sparse: n_q times the entries of the references. */
ald_status ald_pair_search_run(ald_run *run, const ald_pair_search *search);

enum { ALD_SEARCH_PARTS = 256 };

/* One round of a search: each part has a stretch of the queries. What the two storages share. */
typedef struct ald_search_round {
    ald_run *run;
    const ald_pair_search *search;
    int64_t begin, end; /* queries of the round */
    int parts;
    int wide;           /* in double */
    int64_t block;      /* dense: references at a time */
    void **memory;      /* one working memory per part */
    const void *shared; /* what the storage made for all parts */
    int64_t measured[ALD_SEARCH_PARTS];
    ald_status status[ALD_SEARCH_PARTS];
} ald_search_round;

typedef struct ald_search_ops {
    int64_t (*queries_a_part)(const ald_pair_search *search);
    ald_status (*prepare)(ald_run *run, const ald_pair_search *search, int64_t queries, int parts,
                          ald_search_round *round);
    void (*part)(void *round, int part);
} ald_search_ops;

extern const ald_search_ops ald_search_dense, ald_search_sparse;

/* The bound above, for a query of length `size` (`square` of it) against references of length up to
 * `longest`. */
double ald_pair_search_bound(const ald_pair_search *search, int64_t query, double square, double size,
                             double longest, double u, double terms);
int ald_pair_search_same(const ald_pair_search *search, int64_t query, int64_t reference);

#endif
