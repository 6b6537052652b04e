#include "math/graph/hnsw.h"

/* hnswlib's hand-written prefetches read past the end of its lists, and its distances depend on the processor. */
#define NO_MANUAL_VECTORIZATION
#include <hnswlib/hnswlib.h>

/* Links a point and candidates while building, as hnswlib recommends for data of middling dimension. */
static const size_t links = 16, building_effort = 100;

/* Squared distance in eight running sums, which a compiler turns into vector instructions. */
static float square_distance(const void *first, const void *second, const void *dimension)
{
    const float *a = static_cast<const float *>(first), *b = static_cast<const float *>(second);
    const size_t d = *static_cast<const size_t *>(dimension), whole = d - d % 8;
    float sums[8] = {0};
    for (size_t i = 0; i < whole; i += 8)
        for (size_t j = 0; j < 8; j++) sums[j] += (a[i + j] - b[i + j]) * (a[i + j] - b[i + j]);
    for (size_t i = whole; i < d; i++) sums[i - whole] += (a[i] - b[i]) * (a[i] - b[i]);
    return ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]));
}

class euclidean : public hnswlib::SpaceInterface<float> {
  public:
    explicit euclidean(size_t d) : dimension(d)
    {
    }
    size_t get_data_size() override
    {
        return dimension * sizeof(float);
    }
    hnswlib::DISTFUNC<float> get_dist_func() override
    {
        return square_distance;
    }
    void *get_dist_func_param() override
    {
        return &dimension;
    }

  private:
    size_t dimension;
};

struct ald_hnsw {
    euclidean space;
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
