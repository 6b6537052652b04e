/* Continuity of the way from the projection to the target (Zhu, Simila and Corona 2013, equation 8):
 *
 *   M(k) = 1 - C(k) sum_i sum_{j in V(i)} (rank_y(i, j) - k),
 *
 * V(i) the points among the k nearest to i in Z that are not among its k nearest in Y, rank_y(i, j) = 1 .. n
 * - 1 the place of j in the order of the distances |y_i - y_j|, i itself left out, ties to the lower index,
 * and
 *
 *   C(k) = 2 / (n k (2n - 3k - 1)) for k < n/2,   2 / (n (n - k) (n - k - 1)) for k >= n/2,
 *
 * so that 0 <= M <= 1 for k <= n - 2: one row sums to at most 1 / (n C(k)). (The paper prints k for k_r in
 * the sum.) Trustworthiness is the same with Z and Y exchanged.
 *
 * A pair at place p in Z and place q in Y counts q - k for p <= k < q, so the sums for all k come from one
 * pass over the `most` = max k nearest: q and 1 are added from p on and taken away from q on. Places in Y of
 * these few: every other point is put between two of them by bisection, then counts are summed. All sums are
 * of integers, so that they are the same in any order.
 *
 * Cost: n (n (r + q) + n log most + most log most) operations, 3 n + O(most) numbers per thread. Rows that
 * are a sample of all n estimate M: n in C becomes their number, ranks stay those among all points. */
#include "judge/measuring/continuity.h"

#include "base/numbers/select.h"
#include "base/threads/threads.h"
#include "math/operator/entry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Points of which only the order of their distances is asked for: rows of a projection, or of a target. */

enum { word_bits = 64 };

/* By a power of two, which changes no digit: squares of large and of small units stay within range. */
static void scale_to_one(int64_t count, double *values)
{
    double largest = 0.0;
    int exponent = 0;
    for (int64_t i = 0; i < count; i++) largest = fmax(largest, fabs(values[i]));
    if (largest > 0.0) frexp(largest, &exponent);
    for (int64_t i = 0; exponent != 0 && i < count; i++) values[i] = ldexp(values[i], -exponent);
}

ald_status ald_metric_space_of_rows(ald_run *run, const double *z, int64_t r, const int64_t *which, int64_t n,
                                    ald_metric_space *space)
{
    double *columns;
    ALD_TRY(ald_scratch_reals(run, n, r, &columns));
    for (int64_t k = 0; k < r; k++)
        for (int64_t i = 0; i < n; i++) columns[k * n + i] = z[which[i] * r + k];
    scale_to_one(n * r, columns);
    *space = (ald_metric_space){.n = n, .q = r, .columns = columns};
    return ALD_OK;
}

static ald_status take_classes(ald_run *run, const ald_target *target, const int64_t *which,
                               ald_metric_space *space)
{
    int32_t *classes;
    ALD_TRY(ald_scratch(run, space->n, 1, sizeof *classes, &classes));
    for (int64_t i = 0; i < space->n; i++) classes[i] = target->classes[which[i]];
    space->classes = classes;
    return ALD_OK;
}

static ald_status take_reals(ald_run *run, const ald_target *target, const int64_t *which,
                             ald_metric_space *space)
{
    double *columns;
    space->q = target->values.cols;
    ALD_TRY(ald_scratch_reals(run, space->n, space->q, &columns));
    for (int64_t k = 0; k < space->q; k++)
        for (int64_t i = 0; i < space->n; i++)
            columns[k * space->n + i] = ald_matrix_at(&target->values, which[i], k);
    scale_to_one(space->n * space->q, columns);
    space->columns = columns;
    return ALD_OK;
}

static ald_status take_labels(ald_run *run, const ald_target *target, const int64_t *which,
                              ald_metric_space *space)
{
    const int64_t labels = target->values.cols;
    uint64_t *bits;
    space->q = (labels + word_bits - 1) / word_bits;
    ALD_TRY(ald_scratch_clear(run, space->n, space->q, sizeof *bits, &bits));
    for (int64_t i = 0; i < space->n; i++)
        for (int64_t k = 0; k < labels; k++)
            if (ald_matrix_at(&target->values, which[i], k) != 0.0)
                bits[i * space->q + k / word_bits] |= (uint64_t)1 << k % word_bits;
    space->bits = bits;
    return ALD_OK;
}

ald_status ald_metric_space_of_target(ald_run *run, const ald_target *target, const int64_t *which, int64_t n,
                                      ald_metric_space *space)
{
    static ald_status (*const take[])(ald_run *, const ald_target *, const int64_t *, ald_metric_space *) = {
        [ALD_TARGET_CLASSES] = take_classes,
        [ALD_TARGET_REAL] = take_reals,
        [ALD_TARGET_LABELS] = take_labels,
    };
    *space = (ald_metric_space){.n = n};
    return take[target->kind](run, target, which, space);
}

static void distances_of_columns(const ald_metric_space *space, int64_t i, double *distances)
{
    const int64_t n = space->n;
    const double first = space->columns[i];
    for (int64_t j = 0; j < n; j++) distances[j] = fabs(space->columns[j] - first);
    if (space->q == 1) return;
    for (int64_t j = 0; j < n; j++) distances[j] *= distances[j];
    for (int64_t k = 1; k < space->q; k++) {
        const double *column = space->columns + k * n;
        const double own = column[i];
        for (int64_t j = 0; j < n; j++) distances[j] += (column[j] - own) * (column[j] - own);
    }
}

static int count_bits(uint64_t word)
{
    int count = 0;
    for (; word; word &= word - 1) count++;
    return count;
}

static void distances_of_labels(const ald_metric_space *space, int64_t i, double *distances)
{
    const uint64_t *own = space->bits + i * space->q;
    for (int64_t j = 0; j < space->n; j++) {
        const uint64_t *other = space->bits + j * space->q;
        int64_t differ = 0;
        for (int64_t w = 0; w < space->q; w++) differ += count_bits(own[w] ^ other[w]);
        distances[j] = (double)differ;
    }
}

/* To distances[0 .. n - 1] what rises with the Euclidean distance to point i: the distance itself for one
 * column and for classes (0: the same, 1: another), its square otherwise. */
static void distances_to(const ald_metric_space *space, int64_t i, double *distances)
{
    if (space->columns)
        distances_of_columns(space, i, distances);
    else if (space->bits)
        distances_of_labels(space, i, distances);
    else
        for (int64_t j = 0; j < space->n; j++)
            distances[j] = space->classes[j] == space->classes[i] ? 0.0 : 1.0;
}

enum { sample_size = 1024 };

/* Pairs of points between two looks at the progress. */
static const double block_pairs = 5e6;

typedef struct neighbour {
    double distance;
    int64_t index;
    int64_t place; /* among the nearest of the first space, from 0 */
} neighbour;

/* The state of one thread. */
typedef struct worker {
    double *z, *y;         /* n distances; that of the row itself is infinite, so that it is never near */
    double *copy;          /* n + 1 */
    double *keys;          /* padded: distances of the neighbours in the second space */
    neighbour *near;       /* most */
    int64_t *passed;       /* most + 1: points between the neighbours in the order of the second space */
    int64_t *ranks, *many; /* count + 1: changes of the sums of ranks and of the number of pairs */
    int64_t *sums[2];      /* count: of all rows so far, by Z and by Y */
} worker;

typedef struct measuring {
    const ald_continuity_task *task;
    const ald_continuity_result *result;
    int64_t n, most;
    int64_t padded;       /* the power of two above most */
    const int64_t *first; /* most + 2: the first number of a k >= the index */
    const double *worst;  /* count */
    worker *workers;
    int parts;
    int64_t begin, end; /* rows of this block */
} measuring;

/* 1 / (n C(k)). */
static double worst_sum(int64_t n, int64_t k)
{
    const double size = (double)n, near = (double)k;
    return 2 * k < n ? 0.5 * near * (2.0 * size - 3.0 * near - 1.0)
                     : 0.5 * (size - near) * (size - near - 1.0);
}

static int by_distance(const void *left, const void *right)
{
    const neighbour *a = left, *b = right;
    if (a->distance < b->distance || a->distance > b->distance) return a->distance < b->distance ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

/* The most-th smallest distance. A sample of them gives a bound that leaves only few to select from; where it
 * turns out too low, all are. */
static double find_limit(const measuring *m, const double *distances, double *copy)
{
    const int64_t n = m->n, most = m->most, step = n / sample_size + 1, sampled = (n + step - 1) / step;
    const double part = (double)most / (double)step;
    const int64_t place = (int64_t)(part + 4.0 * sqrt(part) + 4.0);
    int64_t kept = 0;
    if (place < sampled) {
        for (int64_t at = 0; at < sampled; at++) copy[at] = distances[at * step];
        ald_select(sampled, copy, place);
        const double bound = copy[place];
        for (int64_t j = 0; j < n; j++) {
            copy[kept] = distances[j];
            kept += distances[j] <= bound;
        }
    }
    if (kept < most) {
        memcpy(copy, distances, (size_t)n * sizeof *copy);
        kept = n;
    }
    ald_select(kept, copy, most - 1);
    return copy[most - 1];
}

/* The `most` nearest in order; of equals the lower indices. */
static void find_nearest(const measuring *m, const double *distances, double *copy, neighbour *near)
{
    const int64_t n = m->n, most = m->most;
    const double limit = find_limit(m, distances, copy);
    int64_t found = 0;
    for (int64_t j = 0; j < n; j++)
        if (distances[j] < limit) near[found++] = (neighbour){distances[j], j, 0};
    for (int64_t j = 0; j < n && found < most; j++)
        if (!(distances[j] < limit) && !(distances[j] > limit))
            near[found++] = (neighbour){distances[j], j, 0};
    qsort(near, (size_t)most, sizeof *near, by_distance);
}

/* How many of the sorted neighbours come no later than (distance, index); the first `low` do. */
static int64_t count_up_to(const neighbour *near, int64_t low, int64_t most, double distance, int64_t index)
{
    int64_t high = most;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        const neighbour *at = &near[middle];
        if (at->distance < distance || (!(at->distance > distance) && at->index <= index))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* How many of the keys are smaller. There are `size`, a power of two, padded with infinity; no branch to
 * guess wrong.
 */
static int64_t count_smaller(const double *keys, int64_t size, double value)
{
    int64_t base = 0;
    for (int64_t half = size / 2; half > 0; half /= 2)
        base += half & -(int64_t)(keys[base + half - 1] < value);
    return base;
}

/* Orders the neighbours by the second space; passed[s] receives how many of all points stand just before the
 * s-th. */
static void rank_neighbours(const measuring *m, const double *distances, worker *w)
{
    const int64_t n = m->n, most = m->most;
    neighbour *near = w->near;
    for (int64_t p = 0; p < most; p++) near[p] = (neighbour){distances[near[p].index], near[p].index, p};
    qsort(near, (size_t)most, sizeof *near, by_distance);
    for (int64_t s = 0; s < m->padded; s++) w->keys[s] = s < most ? near[s].distance : (double)INFINITY;
    memset(w->passed, 0, (size_t)(most + 1) * sizeof *w->passed);
    const double last = near[most - 1].distance;
    for (int64_t j = 0; j < n; j++) {
        if (distances[j] > last) continue;
        const int64_t smaller = count_smaller(w->keys, m->padded, distances[j]);
        const int apart = w->keys[smaller] > distances[j];
        w->passed[apart ? smaller : count_up_to(near, smaller, most, distances[j], j)]++;
    }
}

/* To w->ranks[0 .. count - 1] the sums of this row for every k. */
static void sum_row(const measuring *m, const double *first, const double *second, worker *w)
{
    const int64_t count = m->task->count;
    int64_t rank = 1, ranks = 0, many = 0;
    find_nearest(m, first, w->copy, w->near);
    rank_neighbours(m, second, w);
    memset(w->ranks, 0, (size_t)(count + 1) * sizeof *w->ranks);
    memset(w->many, 0, (size_t)(count + 1) * sizeof *w->many);
    for (int64_t s = 0; s < m->most; s++) {
        rank += w->passed[s];
        const int64_t from = m->first[w->near[s].place + 1],
                      to = m->first[rank > m->most ? m->most + 1 : rank];
        if (from >= to) continue;
        w->ranks[from] += rank;
        w->many[from]++;
        w->ranks[to] -= rank;
        w->many[to]--;
    }
    for (int64_t g = 0; g < count; g++) {
        ranks += w->ranks[g];
        many += w->many[g];
        w->ranks[g] = ranks - many * m->task->k[g];
    }
}

static void add_row(const measuring *m, int64_t at, worker *w)
{
    const ald_continuity_task *task = m->task;
    const int64_t i = task->rows ? task->rows[at] : at;
    double part = 0.0;
    distances_to(task->z, i, w->z);
    distances_to(task->y, i, w->y);
    w->z[i] = w->y[i] = INFINITY;
    sum_row(m, w->z, w->y, w);
    for (int64_t g = 0; g < task->count; g++) {
        w->sums[0][g] += w->ranks[g];
        part += (double)w->ranks[g] / m->worst[g];
    }
    m->result->rows[at] = 1.0 - part / (double)task->count;
    if (task->continuity_only) return;
    sum_row(m, w->y, w->z, w);
    for (int64_t g = 0; g < task->count; g++) w->sums[1][g] += w->ranks[g];
}

static void run_part(void *work, int part)
{
    const measuring *m = work;
    const int64_t rows = m->end - m->begin;
    const int64_t end = m->begin + ald_part_begin(rows, m->parts, part + 1);
    for (int64_t at = m->begin + ald_part_begin(rows, m->parts, part); at < end; at++)
        add_row(m, at, &m->workers[part]);
}

static ald_status make_worker(ald_run *run, const measuring *m, worker *w)
{
    const int64_t count = m->task->count;
    ALD_TRY(ALD_SCRATCH(run, {&w->z, m->n, 1}, {&w->y, m->n, 1}, {&w->copy, m->n + 1, 1},
                        {&w->keys, m->padded, 1}));
    ALD_TRY(ald_scratch(run, m->most, 1, sizeof *w->near, &w->near));
    ALD_TRY(ald_scratch(run, m->most + 1, 1, sizeof *w->passed, &w->passed));
    ALD_TRY(ald_scratch(run, count + 1, 1, sizeof *w->ranks, &w->ranks));
    ALD_TRY(ald_scratch(run, count + 1, 1, sizeof *w->many, &w->many));
    for (int side = 0; side < 2; side++) {
        ALD_TRY(ald_scratch_clear(run, count, 1, sizeof *w->sums[side], &w->sums[side]));
    }
    return ALD_OK;
}

static ald_status make_tables(ald_run *run, measuring *m)
{
    const ald_continuity_task *task = m->task;
    int64_t *first;
    int64_t g = 0;
    double *worst;
    ALD_TRY(ald_scratch(run, m->most + 2, 1, sizeof *first, &first));
    ALD_TRY(ald_scratch_reals(run, task->count, 1, &worst));
    for (int64_t k = 0; k <= m->most + 1; k++) {
        while (g < task->count && task->k[g] < k) g++;
        first[k] = g;
    }
    for (int64_t k = 0; k < task->count; k++) worst[k] = worst_sum(m->n, task->k[k]);
    m->first = first;
    m->worst = worst;
    return ALD_OK;
}

static ald_status run_blocks(ald_run *run, measuring *m)
{
    const int64_t rows = m->task->n_rows;
    const double wanted = block_pairs / (double)m->n;
    int64_t step = wanted < (double)rows ? (int64_t)wanted : rows;
    if (wanted < (double)m->parts) step = m->parts;
    for (m->begin = 0; m->begin < rows; m->begin = m->end) {
        ALD_TRY(ald_progress(run, "comparing neighbourhoods", (double)m->begin / (double)rows));
        m->end = m->begin + step < rows ? m->begin + step : rows;
        ald_parallel(m->parts, run_part, m);
    }
    return ALD_OK;
}

static double measure_of(const measuring *m, int side, int64_t g)
{
    int64_t sum = 0;
    for (int part = 0; part < m->parts; part++) sum += m->workers[part].sums[side][g];
    return 1.0 - (double)sum / ((double)m->task->n_rows * m->worst[g]);
}

ald_status ald_continuity_measure(ald_run *run, const ald_continuity_task *task,
                                  ald_continuity_result *result)
{
    measuring m = {.task = task, .result = result, .n = task->z->n, .most = task->k[task->count - 1]};
    for (m.padded = 1; m.padded <= m.most;) m.padded *= 2;
    m.parts = ald_parts(run, task->n_rows, 1 + (int64_t)(2e5 / (double)m.n));
    ALD_TRY(ALD_SCRATCH(run, {&result->continuity, task->count, 1},
                        {&result->trustworthiness, task->count, 1}, {&result->rows, task->n_rows, 1}));
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ALD_TRY(make_tables(run, &m));
    ALD_TRY(ald_scratch(run, m.parts, 1, sizeof *m.workers, &m.workers));
    for (int part = 0; part < m.parts; part++) ALD_TRY(make_worker(run, &m, &m.workers[part]));
    ALD_TRY(run_blocks(run, &m));
    for (int64_t g = 0; g < task->count; g++) {
        result->continuity[g] = measure_of(&m, 0, g);
        result->trustworthiness[g] = task->continuity_only ? (double)NAN : measure_of(&m, 1, g);
    }
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}
