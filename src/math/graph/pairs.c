/* Pairs of rows: lists of both directions merged by two transpositions, each of which leaves its lists in
 * ascending order, so that nothing is sorted; and products with their Laplacian,
 *
 *   (L u)_i = sum_j w_ij (u_i - u_j).
 *
 * Cost: O(n + entries) to merge, 3 entries k for a product with k columns. Loops and entries of weight 0
 * leave no pair; there are at most 2^31 - 1 rows. */
#include "math/graph/pairs.h"

#include "base/threads/threads.h"
#include "math/linalg/vector.h"

#include <math.h>
#include <string.h>

typedef struct lists {
    int64_t *pointers;
    int32_t *partners;
    double *weights;
} lists;

static ald_status new_lists(ald_run *run, int64_t n, int64_t entries, lists *l)
{
    ALD_TRY(ald_scratch(run, n + 1, 1, sizeof *l->pointers, &l->pointers));
    ALD_TRY(ald_scratch(run, entries, 1, sizeof *l->partners, &l->partners));
    ALD_TRY(ald_scratch_reals(run, entries, 1, &l->weights));
    memset(l->pointers, 0, (size_t)(n + 1) * sizeof *l->pointers);
    return ALD_OK;
}

/* What pairs are made of. */
typedef struct directed {
    const int64_t *pointers, *neighbours;
    const double *weights, *row_weights;
    int heavier; /* of the two directions of a pair the larger weight, and none is left out for being 0 */
} directed;

static double entry_weight(const directed *d, int64_t i, int64_t e)
{
    return (d->weights ? d->weights[e] : 1.0) * (d->row_weights ? d->row_weights[i] : 1.0);
}

/* Neither loops nor, as a rule, without weight. */
static int counts(const directed *d, int64_t i, int64_t e)
{
    return d->neighbours[e] != i && (d->heavier || entry_weight(d, i, e) > 0.0);
}

static void add_up(int64_t n, int64_t *pointers)
{
    for (int64_t i = 0; i < n; i++) pointers[i + 1] += pointers[i];
}

/* Puts back the pointers that filling has moved on by one row. */
static void step_back(int64_t n, int64_t *pointers)
{
    memmove(pointers + 1, pointers, (size_t)n * sizeof *pointers);
    pointers[0] = 0;
}

/* `back` holds for each row who points to it; rows are filled in ascending order, so its partners ascend. */
static void transpose_given(int64_t n, const directed *d, lists *back)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t e = d->pointers[i]; e < d->pointers[i + 1]; e++)
            back->pointers[d->neighbours[e] + 1] += counts(d, i, e);
    add_up(n, back->pointers);
    for (int64_t i = 0; i < n; i++)
        for (int64_t e = d->pointers[i]; e < d->pointers[i + 1]; e++) {
            if (!counts(d, i, e)) continue;
            const int64_t at = back->pointers[d->neighbours[e]]++;
            back->partners[at] = (int32_t)i;
            back->weights[at] = entry_weight(d, i, e);
        }
    step_back(n, back->pointers);
}

static void transpose(int64_t n, const lists *from, lists *to)
{
    const int64_t entries = from->pointers[n];
    for (int64_t e = 0; e < entries; e++) to->pointers[from->partners[e] + 1]++;
    add_up(n, to->pointers);
    for (int64_t i = 0; i < n; i++)
        for (int64_t e = from->pointers[i]; e < from->pointers[i + 1]; e++) {
            const int64_t at = to->pointers[from->partners[e]]++;
            to->partners[at] = (int32_t)i;
            to->weights[at] = from->weights[e];
        }
    step_back(n, to->pointers);
}

/* The two ascending lists of row i merged to the end of the pairs, equal partners to one. */
static void merge_row(const lists *a, const lists *b, int heavier, int64_t i, ald_pairs *pairs)
{
    int64_t p = a->pointers[i], q = b->pointers[i], at = pairs->pointers[i];
    const int64_t p_end = a->pointers[i + 1], q_end = b->pointers[i + 1], begin = at;
    while (p < p_end || q < q_end) {
        const int from_a = q == q_end || (p < p_end && a->partners[p] <= b->partners[q]);
        const int32_t partner = from_a ? a->partners[p] : b->partners[q];
        const double weight = from_a ? a->weights[p++] : b->weights[q++];
        if (at > begin && pairs->partners[at - 1] == partner) {
            double *both = &pairs->weights[at - 1];
            *both = heavier ? fmax(*both, weight) : *both + weight;
            continue;
        }
        pairs->partners[at] = partner;
        pairs->weights[at++] = weight;
    }
    pairs->pointers[i + 1] = at;
    pairs->upper[i] = begin;
    while (pairs->upper[i] < at && pairs->partners[pairs->upper[i]] < i) pairs->upper[i]++;
    for (int64_t e = pairs->upper[i]; e < at; e++) pairs->total += pairs->weights[e];
}

static ald_status merge(ald_run *run, int64_t n, const directed *d, ald_pairs *pairs)
{
    const int64_t entries = d->pointers[n];
    lists there, back;
    *pairs = (ald_pairs){.n = n};
    if (n > INT32_MAX)
        return ald_fail(run->error, ALD_ERROR_DATA, "graphs are limited to %d rows; there are %lld",
                        INT32_MAX, (long long)n);
    ALD_TRY(ald_scratch(run, n + 1, 1, sizeof *pairs->pointers, &pairs->pointers));
    ALD_TRY(ald_scratch(run, n, 1, sizeof *pairs->upper, &pairs->upper));
    ALD_TRY(ald_scratch(run, entries, 2, sizeof *pairs->partners, &pairs->partners));
    ALD_TRY(ald_scratch_reals(run, entries, 2, &pairs->weights));
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ALD_TRY(new_lists(run, n, entries, &back));
    ALD_TRY(new_lists(run, n, entries, &there));
    transpose_given(n, d, &back);
    transpose(n, &back, &there);
    pairs->pointers[0] = 0;
    for (int64_t i = 0; i < n; i++) merge_row(&there, &back, d->heavier, i, pairs);
    pairs->count = pairs->pointers[n] / 2;
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

ald_status ald_pairs_merge(ald_run *run, int64_t n, const int64_t *pointers, const int64_t *neighbours,
                           const double *weights, const double *row_weights, ald_pairs *pairs)
{
    const directed d = {pointers, neighbours, weights, row_weights, 0};
    return merge(run, n, &d, pairs);
}

ald_status ald_pairs_join(ald_run *run, int64_t n, const int64_t *pointers, const int64_t *neighbours,
                          const double *weights, ald_pairs *pairs)
{
    const directed d = {pointers, neighbours, weights, NULL, 1};
    return merge(run, n, &d, pairs);
}

typedef struct product {
    const ald_pairs *pairs;
    const double *entries, *u;
    double *v;
    int64_t k;
    int parts;
} product;

/* `width`, a constant, columns of some rows from column c on: their sums stay in registers while the partners
 * go by, and only these columns of u are touched, so that they stay in cache. */
ALD_WITHIN void some_columns(const ald_pairs *pairs, int64_t first, const double *entries, ald_view whole,
                             ald_area out, int64_t c0, int64_t width)
{
    const double *u = whole.data + c0;
    const int64_t k = whole.stride, end = first + out.rows;
    for (int64_t i = first; i < end; i++) {
        const double *own = u + i * k;
        double sum[ALD_PAIRS_PANEL] = {0.0};
        for (int64_t e = pairs->pointers[i]; e < pairs->pointers[i + 1]; e++) {
            const double *other = u + pairs->partners[e] * k;
            const double q = entries[e];
            for (int64_t c = 0; c < width; c++) sum[c] += q * (own[c] - other[c]);
        }
        memcpy(out.data + (i - first) * out.stride + c0, sum, (size_t)width * sizeof *sum);
    }
}

ALD_WIDE void ald_pairs_columns(const ald_pairs *pairs, int64_t first, const double *entries, ald_view u,
                                ald_area v)
{
    int64_t c = 0;
    for (; c + ALD_PAIRS_PANEL <= v.cols; c += ALD_PAIRS_PANEL)
        some_columns(pairs, first, entries, u, v, c, ALD_PAIRS_PANEL);
    for (; c + 4 <= v.cols; c += 4) some_columns(pairs, first, entries, u, v, c, 4);
    for (; c + 2 <= v.cols; c += 2) some_columns(pairs, first, entries, u, v, c, 2);
    if (c < v.cols) some_columns(pairs, first, entries, u, v, c, 1);
}

ALD_WIDE void ald_pairs_row_squares(const ald_pairs *pairs, int64_t i, const double *u, int64_t k,
                                    double *squares)
{
    const int64_t first = pairs->upper[i], count = pairs->pointers[i + 1] - first;
    for (int64_t e = 0; e < count; e++)
        squares[e] = ald_square_between(k, u + i * k, u + pairs->partners[first + e] * k);
}

static void multiply_rows(void *work, int part)
{
    const product *p = work;
    const int64_t n = p->pairs->n, k = p->k, first = ald_part_begin(n, p->parts, part),
                  rows = ald_part_begin(n, p->parts, part + 1) - first;
    ald_pairs_columns(p->pairs, first, p->entries, ald_of(p->u, n, k), ald_at(p->v + first * k, rows, k));
}

ald_status ald_pairs_laplacian(ald_run *run, const ald_pairs *pairs, const double *entries, const double *u,
                               int64_t k, double *v)
{
    product p = {.pairs = pairs, .entries = entries ? entries : pairs->weights, .u = u, .v = v, .k = k};
    p.parts = ald_parts(run, pairs->count * k, 20000);
    ald_parallel(p.parts, multiply_rows, &p);
    return ALD_OK;
}

/* Row j meets its pairs with rows above it in ascending order, and so do these rows, one after the other. */
ald_status ald_pairs_numbers(ald_run *run, const ald_pairs *pairs, int64_t **numbers)
{
    const int64_t n = pairs->n;
    int64_t *next;
    ALD_TRY(ald_scratch(run, pairs->count, 2, sizeof **numbers, numbers));
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ALD_TRY(ald_scratch(run, n, 1, sizeof *next, &next));
    for (int64_t i = 0, number = 0; i < n; i++) {
        next[i] = number;
        for (int64_t e = pairs->pointers[i]; e < pairs->upper[i]; e++)
            (*numbers)[e] = next[pairs->partners[e]]++;
        for (int64_t e = pairs->upper[i]; e < pairs->pointers[i + 1]; e++) (*numbers)[e] = number++;
    }
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

void ald_pairs_cut(const ald_pairs *pairs, int parts, int64_t *rows)
{
    int64_t before = 0, i = 0;
    for (int part = 0; part < parts; part++) {
        const int64_t wanted = ald_part_begin(pairs->count, parts, part);
        for (; i < pairs->n && before < wanted; i++) before += pairs->pointers[i + 1] - pairs->upper[i];
        rows[part] = i;
    }
    rows[parts] = pairs->n;
}
