#include "graph/hnsw.h"

#include <hnswlib/hnswlib.h>
#include <memory>

/* hnswlib's own recommendations: links a point, candidates while building. */
static const size_t links = 16, building_effort = 200;

struct ald_hnsw {
    hnswlib::L2Space space;
    hnswlib::HierarchicalNSW<float> index;
    ald_hnsw(size_t n, size_t d, size_t seed) : space(d), index(&space, n, links, building_effort, seed)
    {
    }
};

ald_hnsw *ald_hnsw_new(int64_t n, int64_t d, uint64_t seed)
{
    try {
        return new ald_hnsw((size_t)n, (size_t)d, (size_t)seed);
    } catch (...) {
        return nullptr;
    }
}

void ald_hnsw_free(ald_hnsw *index)
{
    delete index;
}

int ald_hnsw_add(ald_hnsw *index, int64_t i, const float *point)
{
    try {
        index->index.addPoint(point, (hnswlib::labeltype)i);
        return 1;
    } catch (...) {
        return 0;
    }
}

void ald_hnsw_set_effort(ald_hnsw *index, int64_t effort)
{
    index->index.setEf((size_t)effort);
}

int64_t ald_hnsw_search(const ald_hnsw *index, const float *point, int64_t k, int64_t *found)
{
    try {
        auto queue = index->index.searchKnn(point, (size_t)k);
        int64_t count = 0;
        for (; !queue.empty(); queue.pop()) found[count++] = (int64_t)queue.top().second;
        return count;
    } catch (...) {
        return -1;
    }
}
