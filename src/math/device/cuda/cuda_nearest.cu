/* The k nearest rows of rows, exactly.
 *
 * With y = (x - centre) scale unit the rows as points about a common centre, h = |y|^2 and a'b of all pairs by the
 * double precision of the tensor cores, the squared distance of two points is h_a + h_b - 2 a'b but for
 *
 *   e = c (h_a + h_b),   c = (4 d + 64) 2^-53
 *
 * (inner products err by d u |a| |b|, the points by 2 u |y|, squares from differences by (d + 3) u of themselves, and
 * (|a| + |b|)^2 <= 2 (h_a + h_b)). So a reference b is no candidate for the query a whose k-th nearest so far is at
 * the squared distance t, if
 *
 *   a'b - (1 - c) h_b / 2 < ((1 - c) h_a - t) / 2;
 *
 * the products of a tile begin with -(1 - c) h_b / 2 and never leave the registers. Candidates are measured as the
 * processor does, from differences in double, term after term, and ties go to the lower number: the outcome is the
 * processor's to the last bit.
 *
 * References come in an order that only their number decides and that looks random, a first few and then as many
 * again as there were: a query meets k candidates in each of log2(n / few) passes, whatever the order of the rows.
 * Queries that meet more than there is room for (copies of rows, tight heaps far from the centre) are done again with
 * passes that are as long as the room.
 *
 * Costs: 2 n_q n_r d flops; memory 8 (n_q + n_r) d bytes, and 4 room + 16 k a query. */
#include "cuda_card.cuh"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

namespace ald {

constexpr int tile_q = 128, tile_r = 64;      /* queries and references of a tile; eight warps of 32 x 32 */
constexpr int step_k = 8, longest_whole = 64; /* columns of a product; columns of a point that stay in a tile */
constexpr int select_warps = 4;

/* Rows as they are measured. */
struct measured {
    const void *x;
    int64_t d;
    const double *shift, *factor, *scale;
};

/* Points of a set: `which` row of Z each is, in the order of the set; the point at place p has the number order[p]. */
struct point_set {
    int64_t n;
    const int64_t *which;
    double *points, *half; /* n x width; (1 - c) h / 2 */
    int *order;
};

template <typename T> static __device__ double entry_of(const measured &m, int64_t i, int64_t j)
{
    double v = (double)((const T *)m.x)[i * m.d + j];
    if (m.shift) v = __dsub_rn(v, m.shift[i]);
    if (m.factor) v = __dmul_rn(v, m.factor[i]); /* not fused with what is done next: points are of measured rows */
    return v;
}

/* A permutation of 0 .. n - 1: four rounds of Feistel's on the smallest even number of bits that holds them, again
 * where the outcome is n or more. */
static __device__ int64_t shuffled(int64_t i, int64_t n, int half_bits)
{
    const unsigned mask = (1u << half_bits) - 1;
    do {
        unsigned left = (unsigned)(i >> half_bits), right = (unsigned)i & mask;
        for (unsigned round = 1; round <= 4; round++) {
            unsigned mix = (right + round * 0x9e3779b9u) * 0x85ebca6bu;
            mix = (mix ^ (mix >> 15)) * 0xc2b2ae35u;
            const unsigned next = left ^ ((mix ^ (mix >> 13)) & mask);
            left = right;
            right = next;
        }
        i = (int64_t)left << half_bits | right;
    } while (i >= n);
    return i;
}

static __global__ void make_order(int64_t n, int half_bits, int *order)
{
    const int64_t p = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (p < n) order[p] = (int)shuffled(p, n, half_bits);
}

/* The mean of some rows: parts of every gridDim.x-th, each a `share` of its rows so that large numbers stay finite, then
 * their sum; and the largest |x - centre| scale. */
template <typename T>
static __global__ void sum_rows(measured m, int64_t n, const int64_t *which, double share, double *parts)
{
    const int64_t j = (int64_t)blockIdx.y * blockDim.x + threadIdx.x;
    double sum = 0.0;
    if (j >= m.d) return;
    for (int64_t i = blockIdx.x; i < n; i += gridDim.x) sum += share * entry_of<T>(m, which ? which[i] : i, j);
    parts[blockIdx.x * m.d + j] = sum;
}

static __global__ void add_means(const double *parts, int64_t count, int64_t d, double *mean)
{
    const int64_t j = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    double sum = 0.0;
    if (j >= d) return;
    for (int64_t p = 0; p < count; p++) sum += parts[p * d + j];
    mean[j] = sum;
}

template <typename T>
static __global__ void reach_rows(measured m, int64_t n, const int64_t *which, const double *centre,
                                  unsigned long long *reach)
{
    const int64_t step = (int64_t)gridDim.x * blockDim.x;
    double most = 0.0;
    for (int64_t e = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; e < n * m.d; e += step) {
        const int64_t i = e / m.d, j = e - i * m.d;
        most = fmax(most, fabs(entry_of<T>(m, which ? which[i] : i, j) - centre[j]) * (m.scale ? m.scale[j] : 1.0));
    }
    for (int apart = 16; apart > 0; apart /= 2) most = fmax(most, __shfl_xor_sync(~0u, most, apart));
    if (threadIdx.x % 32 == 0) atomicMax(reach, (unsigned long long)__double_as_longlong(most)); /* of positive numbers */
}

/* A warp for each point. */
template <typename T>
static __global__ void make_points(measured m, point_set s, int64_t width, const double *centre, double unit)
{
    const int64_t p = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    double square = 0.0;
    if (p >= s.n) return;
    const int64_t number = s.order[p], i = s.which ? s.which[number] : number;
    for (int64_t j = lane; j < width; j += 32) {
        double y = 0.0;
        if (j < m.d) y = (entry_of<T>(m, i, j) - centre[j]) * (m.scale ? m.scale[j] : 1.0) * unit;
        s.points[p * width + j] = y;
        square += y * y;
    }
    for (int apart = 16; apart > 0; apart /= 2) square += __shfl_xor_sync(~0u, square, apart);
    const double c = (double)(4 * m.d + 64) * 0x1p-53;
    if (lane == 0) s.half[p] = 0.5 * (1.0 - c) * square;
}

/* c (16 x 8) += a b': the lanes as mma.m16n8k8 has them. */
static __device__ __forceinline__ void multiply(double c[4], const double a[4], const double b[2])
{
#if __CUDA_ARCH__ >= 900
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
                 : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
#else
#pragma unroll
    for (int k = 0; k < 2; k++)
#pragma unroll
        for (int m = 0; m < 2; m++)
            asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
                         : "+d"(c[2 * m]), "+d"(c[2 * m + 1])
                         : "d"(a[2 * k + m]), "d"(b[k]));
#endif
}

/* One pass: queries against the references from `first` to `end`. */
struct passing {
    const double *queries, *references, *half;
    const int *which;    /* places of the queries; NULL: all */
    const double *limit; /* a query: the right side of the test above */
    int n_queries, first, end, width;
    int chunk, room;    /* columns that are in shared memory at a time */
    int *count, *found; /* a query: candidates, and the places of the first `room` of them */
};

/* Copies rows, or 0 where there are none, to shared memory, `stride` apart. */
static __device__ __forceinline__ void load(const passing &p, const double *from, const int *which, int row, int end,
                                            int rows, int column, double *to)
{
    const int pairs = p.chunk / 2, stride = p.chunk + 4;
#pragma unroll 1
    for (int e = (int)threadIdx.x; e < rows * pairs; e += (int)blockDim.x) {
        const int r = e / pairs, c = 2 * (e - r * pairs);
        double2 *place = (double2 *)(to + r * stride + c);
        if (row + r >= end || column + c >= p.width)
            *place = make_double2(0.0, 0.0);
        else {
            const double *source = from + (int64_t)(which ? which[row + r] : row + r) * p.width + column + c;
            const unsigned at = (unsigned)__cvta_generic_to_shared(place);
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at), "l"(source));
        }
    }
}

static __device__ void loaded()
{
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
}

static __device__ void append(const passing &p, int query, int reference)
{
    if (query >= p.n_queries || reference >= p.end) return;
    const int at = atomicAdd(p.count + query, 1);
    if (at < p.room) p.found[(int64_t)query * p.room + at] = reference;
}

/* The products of a tile, 32 x 32 for each warp: sums of 2 x 4 blocks of 16 x 8. */
static __device__ __forceinline__ void multiply_tile(int chunk, const double *a_rows, const double *b_rows,
                                                     double sum[2][4][4])
{
    const int stride = chunk + 4;
    for (int k = 0; k < chunk; k += step_k) {
        double a[2][4], b[4][2];
#pragma unroll
        for (int m = 0; m < 2; m++) {
            const double *from = a_rows + 16 * m * stride + k;
            a[m][0] = from[0];
            a[m][1] = from[8 * stride];
            a[m][2] = from[4];
            a[m][3] = from[8 * stride + 4];
        }
#pragma unroll
        for (int n = 0; n < 4; n++) {
            const double *from = b_rows + 8 * n * stride + k;
            b[n][0] = from[0];
            b[n][1] = from[4];
        }
#pragma unroll
        for (int m = 0; m < 2; m++)
#pragma unroll
            for (int n = 0; n < 4; n++) multiply(sum[m][n], a[m], b[n]);
    }
}

static __global__ void __launch_bounds__(256, 2) find_candidates(passing p)
{
    extern __shared__ double shared[];
    const int lane = (int)threadIdx.x % 32, group = lane / 4, four = lane % 4, row = (int)threadIdx.x / 64 * 32,
              column = (int)threadIdx.x / 32 % 2 * 32, stride = p.chunk + 4;
    double *limit = shared, *a_tile = shared + tile_q, *b_tile = a_tile + tile_q * stride;
    const int query = (int)blockIdx.x * tile_q, tiles = (p.end - p.first + tile_r - 1) / tile_r,
              share = (tiles + (int)gridDim.y - 1) / (int)gridDim.y, begin = (int)blockIdx.y * share,
              last = min(tiles, begin + share);
    if (threadIdx.x < tile_q)
        limit[threadIdx.x] = query + (int)threadIdx.x < p.n_queries ? p.limit[query + threadIdx.x] : INFINITY;
    for (int tile = begin; tile < last; tile++) {
        const int reference = p.first + tile * tile_r;
        double sum[2][4][4];
#pragma unroll
        for (int n = 0; n < 4; n++)
#pragma unroll
            for (int v = 0; v < 2; v++) {
                const int other = reference + column + 8 * n + 2 * four + v;
                sum[0][n][v] = sum[0][n][2 + v] = sum[1][n][v] = sum[1][n][2 + v] = other < p.end ? -p.half[other] : 0.0;
            }
        for (int k0 = 0; k0 < p.width; k0 += p.chunk) {
            if (p.chunk < p.width || tile == begin)
                load(p, p.queries, p.which, query, p.n_queries, tile_q, k0, a_tile);
            load(p, p.references, nullptr, reference, p.end, tile_r, k0, b_tile);
            loaded();
            multiply_tile(p.chunk, a_tile + (row + group) * stride + four, b_tile + (column + group) * stride + four, sum);
            __syncthreads();
        }
#pragma unroll
        for (int m = 0; m < 2; m++)
#pragma unroll
            for (int h = 0; h < 2; h++) {
                const double least = limit[row + 16 * m + 8 * h + group];
                bool any = false;
#pragma unroll
                for (int n = 0; n < 4; n++) any |= sum[m][n][2 * h] >= least || sum[m][n][2 * h + 1] >= least;
                if (!any) continue;
#pragma unroll
                for (int e = 0; e < 8; e++)
                    if (sum[m][e / 2][2 * h + e % 2] >= least)
                        append(p, query + row + 16 * m + 8 * h + group, reference + column + e / 2 * 8 + 2 * four + e % 2);
            }
    }
}

/* As the processor measures: no product is fused. */
template <typename T> static __device__ double square_between(const measured &m, int64_t i, int64_t j)
{
    double sum = 0.0;
    for (int64_t c = 0; c < m.d; c++) {
        double apart = __dsub_rn(entry_of<T>(m, i, c), entry_of<T>(m, j, c));
        if (m.scale) apart = __dmul_rn(apart, m.scale[c]);
        sum = __dadd_rn(sum, __dmul_rn(apart, apart));
    }
    return sum;
}

struct selecting {
    int64_t n_queries, skip_same;
    const int *which; /* places of the queries; NULL: all */
    point_set queries, references;
    int k, room;
    double unit;
    int *count;
    const int *found;
    double *limit;
    int64_t *neighbours; /* by the number of the query, k each, with their squares: the best so far, in order */
    double *squares;
    int *full; /* a place: its candidates were more than there was room for */
};

/* A warp for each query: candidates are measured and take their places among the best. */
template <typename T> static __global__ void select_nearest(measured m, selecting s)
{
    extern __shared__ double shared[];
    const int lane = (int)threadIdx.x % 32, most = s.k + s.room;
    double *squares = shared + (int)threadIdx.x / 32 * 2 * most;
    int64_t *numbers = (int64_t *)(squares + most);
    const int64_t at = (int64_t)blockIdx.x * select_warps + threadIdx.x / 32;
    if (at >= s.n_queries) return;
    const int64_t place = s.which ? s.which[at] : at, own = s.queries.order[place];
    const int64_t row = s.queries.which ? s.queries.which[own] : own;
    const int count = s.count[at];
    double *best = s.squares + own * s.k;
    int64_t *names = s.neighbours + own * s.k;
    __syncwarp();
    if (lane == 0) s.count[at] = 0;
    if (count > s.room) {
        if (lane == 0) {
            s.full[place] = 1;
            s.limit[at] = INFINITY;
        }
        return;
    }
    if (count == 0) return;
    for (int e = lane; e < s.k + count; e += 32) {
        double square = INFINITY;
        int64_t number = INT64_MAX;
        if (e < s.k) {
            square = best[e];
            number = names[e];
        } else {
            const int64_t found = s.references.order[s.found[at * s.room + e - s.k]];
            const int64_t other = s.references.which ? s.references.which[found] : found;
            if (!s.skip_same || other != row) {
                square = square_between<T>(m, row, other);
                number = found;
            }
        }
        squares[e] = square;
        numbers[e] = number;
    }
    __syncwarp();
    for (int e = lane; e < s.k + count; e += 32) {
        int before = 0;
        for (int o = 0; o < s.k + count && before < s.k; o++)
            before += squares[o] < squares[e] || (squares[o] == squares[e] && (numbers[o] < numbers[e] ||
                                                                               (numbers[o] == numbers[e] && o < e)));
        if (before >= s.k) continue;
        best[before] = squares[e];
        names[before] = numbers[e];
        if (before == s.k - 1) {
            const double reached = squares[e] * s.unit * s.unit;
            s.limit[at] = numbers[e] == INT64_MAX || !(reached < INFINITY) ? -INFINITY
                                                                           : s.queries.half[place] - 0.5 * reached;
        }
    }
}

static __global__ void begin_queries(int64_t n, const int *which, int64_t k, const int *order, double *limit, int *count,
                                     double *squares, int64_t *neighbours)
{
    const int64_t at = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= n) return;
    const int64_t own = order[which ? which[at] : at];
    limit[at] = -INFINITY;
    count[at] = 0;
    for (int64_t e = own * k; e < (own + 1) * k; e++) {
        squares[e] = INFINITY;
        neighbours[e] = INT64_MAX;
    }
}

/* Memory of a search, given back at its end. */
struct pool {
    std::vector<void *> all;
    template <typename T> T *get(int64_t count)
    {
        void *memory = nullptr;
        check(cudaMalloc(&memory, (size_t)std::max<int64_t>(count, 1) * sizeof(T)), "memory of the card for neighbours");
        all.push_back(memory);
        return (T *)memory;
    }
    template <typename T> T *copy(card &c, const T *values, int64_t count)
    {
        if (!values) return nullptr;
        T *to = get<T>(count);
        c.copy_in(to, values, (size_t)count * sizeof(T));
        return to;
    }
    ~pool()
    {
        for (void *each : all) cudaFree(each);
    }
};

static unsigned blocks_of(int64_t count, int64_t each)
{
    return (unsigned)((count + each - 1) / each);
}

template <typename T> struct search {
    card &c;
    const ald_card_nearest &asked;
    pool memory;
    measured rows{};
    point_set queries{}, references{};
    int64_t width = 0;
    int room = 0, chunk = 0;
    double unit = 1.0;
    double *limit = nullptr, *squares = nullptr;
    int *count = nullptr, *found = nullptr, *full = nullptr;
    int64_t *neighbours = nullptr;

    search(card &on, const ald_card_nearest &what) : c(on), asked(what)
    {
    }

    void order_points(point_set &s)
    {
        int half_bits = 1;
        while (((int64_t)1 << (2 * half_bits)) < s.n) half_bits++;
        s.order = memory.get<int>(s.n);
        make_order<<<blocks_of(s.n, threads), threads, 0, c.stream>>>(s.n, half_bits, s.order);
    }

    void write_points(point_set &s, const double *centre)
    {
        s.points = memory.get<double>(s.n * width);
        s.half = memory.get<double>(s.n);
        make_points<T><<<blocks_of(s.n * 32, threads), threads, 0, c.stream>>>(rows, s, width, centre, unit);
    }

    void ready_points()
    {
        const int64_t d = rows.d, parts = std::min<int64_t>(references.n, 264);
        double *centre = memory.get<double>(d), *sums = memory.get<double>(parts * d);
        unsigned long long *reach = memory.get<unsigned long long>(1), found_reach = 0;
        const dim3 grid((unsigned)parts, blocks_of(d, threads));
        sum_rows<T><<<grid, threads, 0, c.stream>>>(rows, references.n, references.which, 1.0 / (double)references.n, sums);
        add_means<<<grid.y, threads, 0, c.stream>>>(sums, parts, d, centre);
        check(cudaMemsetAsync(reach, 0, sizeof *reach, c.stream), "neighbours");
        for (const point_set *s : {&references, &queries})
            reach_rows<T><<<std::min(blocks_of(s->n * d, threads), 2112u), threads, 0, c.stream>>>(
                rows, s->n, s->which, centre, reach);
        c.copy_out(&found_reach, reach, sizeof reach);
        c.finish();
        double largest;
        int exponent = 0;
        static_assert(sizeof largest == sizeof found_reach, "the bits of a double");
        memcpy(&largest, &found_reach, sizeof largest);
        if (!std::isfinite(largest)) fail(ALD_CARD_FAILED, "neighbours", "numbers of X are too far apart");
        std::frexp(largest, &exponent);
        unit = std::ldexp(1.0, -std::max(exponent, -1000)); /* no square of a point overflows */
        order_points(references);
        write_points(references, centre);
        if (asked.queries == asked.references && asked.n_queries == asked.n_references) {
            queries = references;
        } else {
            order_points(queries);
            write_points(queries, centre);
        }
    }

    void ready(const ald_card_rows *z)
    {
        const matrix *m = (const matrix *)z->x;
        rows.d = z->d;
        rows.x = (const T *)m->values + z->first * z->d;
        rows.shift = memory.copy(c, z->row_shift, z->n);
        rows.factor = memory.copy(c, z->row_factor, z->n);
        rows.scale = memory.copy(c, asked.scale, z->d);
        references.n = asked.n_references;
        references.which = memory.copy(c, asked.references, references.n);
        queries.n = asked.n_queries;
        queries.which = asked.queries == asked.references ? references.which : memory.copy(c, asked.queries, queries.n);
        width = (z->d + step_k - 1) / step_k * step_k;
        chunk = width <= longest_whole ? (int)width : 32;
        if (tile_bytes() > shared_bytes()) chunk = 32;
        room = std::max(128, (int)(4 * asked.k + 88 + 31) / 32 * 32);
        ready_points();
        limit = memory.get<double>(queries.n);
        count = memory.get<int>(queries.n);
        full = memory.get<int>(queries.n);
        found = memory.get<int>(queries.n * room);
        squares = memory.get<double>(queries.n * asked.k);
        neighbours = memory.get<int64_t>(queries.n * asked.k);
        check(cudaMemsetAsync(full, 0, (size_t)queries.n * sizeof *full, c.stream), "neighbours");
        const size_t most = (size_t)(select_warps * 2 * (asked.k + room)) * sizeof(double);
        check(cudaFuncSetAttribute(find_candidates, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)tile_bytes()),
              "neighbours");
        check(cudaFuncSetAttribute(select_nearest<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)most),
              "neighbours");
    }

    size_t tile_bytes() const
    {
        return (size_t)(tile_q + (tile_q + tile_r) * (chunk + 4)) * sizeof(double);
    }

    /* That a block of threads can have: some cards have 99 KB, where a tile of 64 columns takes 103. */
    size_t shared_bytes() const
    {
        int most = 0;
        check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, c.number), "neighbours");
        return (size_t)most;
    }

    /* References from `first` to `end` for n queries, those of a list or all. */
    void pass(const int *which, int64_t n, int64_t first, int64_t end)
    {
        const passing p = {queries.points, references.points, references.half, which, limit, (int)n, (int)first,
                           (int)end,       (int)width,        chunk,           room,  count, found};
        const selecting s = {n,     asked.skip_same, which, queries,    references, (int)asked.k, room,
                             unit,  count,           found, limit,      neighbours, squares,      full};
        const int64_t tiles = (end - first + tile_r - 1) / tile_r;
        const dim3 grid(blocks_of(n, tile_q), (unsigned)std::max<int64_t>(1, std::min<int64_t>(4, tiles / 64)));
        find_candidates<<<grid, 256, tile_bytes(), c.stream>>>(p);
        select_nearest<T><<<blocks_of(n, select_warps), 32 * select_warps,
                            (size_t)(select_warps * 2 * (asked.k + room)) * sizeof(double), c.stream>>>(rows, s);
    }

    void begin(const int *which, int64_t n)
    {
        begin_queries<<<blocks_of(n, threads), threads, 0, c.stream>>>(n, which, asked.k, queries.order, limit, count,
                                                                       squares, neighbours);
    }

    /* Queries that were full, in passes for which there is always room. */
    void again()
    {
        std::vector<int> which, flags((size_t)queries.n);
        c.copy_out(flags.data(), full, (size_t)queries.n * sizeof(int));
        c.finish();
        for (int64_t p = 0; p < queries.n; p++)
            if (flags[(size_t)p]) which.push_back((int)p);
        if (which.empty()) return;
        const int *list = memory.copy(c, which.data(), (int64_t)which.size());
        begin(list, (int64_t)which.size());
        for (int64_t first = 0; first < references.n; first += room)
            pass(list, (int64_t)which.size(), first, std::min<int64_t>(references.n, first + room));
        c.finish();
    }

    void run(const ald_card_rows *z)
    {
        ready(z);
        begin(nullptr, queries.n);
        for (int64_t first = 0, next = room / 2; first < references.n; first = next, next *= 2)
            pass(nullptr, queries.n, first, std::min(references.n, next));
        again();
        c.copy_out(asked.neighbours, neighbours, (size_t)(queries.n * asked.k) * sizeof(int64_t));
        c.copy_out(asked.squares, squares, (size_t)(queries.n * asked.k) * sizeof(double));
        c.finish();
    }
};

ald_card_code nearest(void *self, const ald_card_rows *z, const ald_card_nearest *asked)
{
    return guarded(self, [&](card &c) {
        const int64_t most = std::max(asked->n_queries, asked->n_references);
        if (asked->k > ALD_CARD_MOST_NEAREST || most >= INT32_MAX) fail(ALD_CARD_FAILED, "neighbours", "there are too many");
        if (((const matrix *)z->x)->single)
            search<float>(c, *asked).run(z);
        else
            search<double>(c, *asked).run(z);
    });
}

} // namespace ald
