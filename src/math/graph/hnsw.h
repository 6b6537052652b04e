/* An index for approximate neighbours, by the C++ library hnswlib: a small world of layers (Malkov and
 * Yashunin 2020). Built by one thread, so that a seed gives the same index always; searched by any number. */
#ifndef ALD_GRAPH_HNSW_H
#define ALD_GRAPH_HNSW_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ald_hnsw ald_hnsw;

/* NULL: no memory. Freed by ald_hnsw_free, NULL is fine. */
ald_hnsw *ald_hnsw_new(int64_t n, int64_t d, uint64_t seed);
void ald_hnsw_free(ald_hnsw *index);
/* Adds point i. 0: no memory. */
int ald_hnsw_add(ald_hnsw *index, int64_t i, const float *point);
/* Up to k points near `point`, looking at `effort` >= k candidates; how many were found, -1: no memory. */
int64_t ald_hnsw_search(const ald_hnsw *index, const float *point, int64_t k, int64_t *found);
/* How many candidates each search looks at. */
void ald_hnsw_set_effort(ald_hnsw *index, int64_t effort);

#ifdef __cplusplus
}
#endif
#endif
