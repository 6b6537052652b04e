/* The median distance of pairs of rows: of all pairs where there are few, else of a sample. */
#include "math/kernel/width.h"

#include "base/numbers/random.h"
#include "base/numbers/select.h"
#include "base/settings/limits.h"
#include "math/operator/all_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The rows looked at: all, or a draw of them. */
static ald_status choose_rows(ald_run *run, int64_t n, uint64_t seed, int64_t **rows)
{
    ald_random random;
    ALD_TRY(ald_scratch(run, n, 1, sizeof **rows, rows));
    if (n > ALD_MEDIAN_ROWS) {
        ald_random_seed(&random, seed, 0);
        ald_random_permutation(&random, n, *rows);
        return ALD_OK;
    }
    for (int64_t i = 0; i < n; i++) (*rows)[i] = i;
    return ALD_OK;
}

/* A power of two about as large as the points are wide, so that squares of distances in its units neither
 * overflow nor vanish, and are the same numbers otherwise. */
static double unit_of(int64_t used, const int64_t *rows, int64_t q, const double *points)
{
    double largest = 0.0;
    int power;
    for (int64_t i = 1; i < used; i++)
        for (int64_t j = 0; j < q; j++)
            largest = fmax(largest, fabs(points[rows[i] * q + j] - points[rows[0] * q + j]));
    frexp(largest, &power);
    return ldexp(1.0, power < 1000 ? power : 1000);
}

/* Square of a distance in that unit; squares order as distances do. */
static double square_distance(int64_t q, const double *a, const double *b, double unit)
{
    double sum = 0.0;
    for (int64_t j = 0; j < q; j++) {
        const double step = (a[j] - b[j]) / unit;
        sum += step * step;
    }
    return sum;
}

/* The middle ones of many numbers are searched among those between two that a sample has about the middle,
 * which one pass finds: `middle` has room for a quarter of them. 0: they are not there. */
static int middle_pair(int64_t count, const double *values, double *middle, double pair[2])
{
    enum { drawn = 1024, about = 56 }; /* 3.5 deviations of the median of the sample; a quarter is 128 */
    double sample[drawn];
    const int64_t room = count / 4;
    int64_t below = 0, kept = 0;
    for (int64_t i = 0; i < drawn; i++) sample[i] = values[i * (count / drawn)];
    ald_select(drawn, sample, drawn / 2 - about);
    ald_select(drawn, sample, drawn / 2 + about);
    const double low = sample[drawn / 2 - about], high = sample[drawn / 2 + about];
    for (int64_t i = 0; i < count && kept < room; i++) {
        middle[kept] = values[i];
        below += values[i] < low;
        kept += (values[i] >= low) & (values[i] <= high);
    }
    const int64_t k = count / 2 - below;
    if (kept == room || k < 1 || k >= kept) return 0;
    ald_select(kept, middle, k);
    pair[0] = ald_largest(k, middle);
    pair[1] = middle[k];
    return 1;
}

/* The median of squared distances, which it reorders; `room`: for a quarter as many. */
static double median_root(int64_t count, double *squares, double *room)
{
    const int64_t many = 8192;
    double pair[2];
    if (count < many || !middle_pair(count, squares, room, pair)) {
        ald_select(count, squares, count / 2);
        pair[0] = ald_largest(count / 2, squares);
        pair[1] = squares[count / 2];
    }
    return count % 2 ? sqrt(pair[1]) : 0.5 * (sqrt(pair[0]) + sqrt(pair[1]));
}

/* The median, of the positive ones where it would be 0. */
static double positive_median(int64_t count, double *squares, double *room)
{
    const double median = median_root(count, squares, room);
    int64_t positive = 0;
    if (median > 0.0) return median;
    for (int64_t i = 0; i < count; i++)
        if (squares[i] > 0.0) squares[positive++] = squares[i];
    return positive > 0 ? median_root(positive, squares, room) : 0.0;
}

ald_status ald_median_distance(ald_run *run, int64_t n, int64_t q, const double *points, uint64_t seed,
                               double *median)
{
    const int64_t used = n < ALD_MEDIAN_ROWS ? n : ALD_MEDIAN_ROWS;
    int64_t *rows;
    int64_t count = 0;
    double *squares, *room;
    ALD_TRY(choose_rows(run, n, seed, &rows));
    ALD_TRY(ALD_SCRATCH(run, {&squares, used, (used + 1) / 2}, {&room, used, used / 8 + 1}));
    const double unit = unit_of(used, rows, q, points);
    for (int64_t i = 0; i < used; i++) {
        ALD_TRY(ald_ask_after(run, ALD_VALUE_WORK * (double)(used - i) * (double)q));
        for (int64_t j = i + 1; j < used; j++)
            squares[count++] = square_distance(q, points + rows[i] * q, points + rows[j] * q, unit);
    }
    *median = unit * positive_median(count, squares, room);
    return ALD_OK;
}

/* A squared distance, and how often it counts. */
typedef struct counted {
    double square, weight;
} counted;

static int by_square(const void *a, const void *b)
{
    const double x = ((const counted *)a)->square, y = ((const counted *)b)->square;
    return (x > y) - (x < y);
}

/* The median of sorted ones: the mean of the first that half of the weight does not exceed and the first
 * that exceeds half. The slack is for sums of weights that are no whole numbers. */
static double weighted_median_root(int64_t count, const counted *pairs)
{
    double total = 0.0, sum = 0.0, lower = -1.0;
    for (int64_t i = 0; i < count; i++) total += pairs[i].weight;
    for (int64_t i = 0; i < count; i++) {
        sum += pairs[i].weight;
        if (lower < 0.0 && sum >= 0.5 * total * (1.0 - 1e-12)) lower = sqrt(pairs[i].square);
        if (sum > 0.5 * total * (1.0 + 1e-12)) return 0.5 * (lower + sqrt(pairs[i].square));
    }
    return count > 0 ? sqrt(pairs[count - 1].square) : 0.0;
}

/* The rows looked at: `used` of the points. */
typedef struct looked_at {
    int64_t used, q;
    const int64_t *rows;
    const double *points, *weights;
    double unit;
} looked_at;

/* Their pairs, sorted; copies of one row come first, with the distance 0. */
static ald_status count_pairs(ald_run *run, const looked_at *l, counted *pairs)
{
    const int64_t used = l->used, q = l->q;
    const int64_t *rows = l->rows;
    const double *points = l->points, *weights = l->weights;
    int64_t count = 1;
    pairs[0] = (counted){0.0, 0.0};
    for (int64_t i = 0; i < used; i++) {
        ALD_TRY(ald_ask_after(run, ALD_VALUE_WORK * (double)(used - i) * (double)q));
        const double w = weights[rows[i]];
        pairs[0].weight += fmax(0.0, 0.5 * w * (w - 1.0));
        for (int64_t j = i + 1; j < used; j++)
            pairs[count++] = (counted){
                square_distance(q, points + rows[i] * q, points + rows[j] * q, l->unit),
                w * weights[rows[j]],
            };
    }
    qsort(pairs, (size_t)count, sizeof *pairs, by_square);
    return ALD_OK;
}

ald_status ald_weighted_median_distance(ald_run *run, int64_t n, int64_t q, const double *points,
                                        const double *weights, uint64_t seed, double *median)
{
    const int64_t used = n < ALD_MEDIAN_ROWS ? n : ALD_MEDIAN_ROWS;
    int64_t *rows;
    int64_t zeros = 0;
    counted *pairs;
    if (!weights) return ald_median_distance(run, n, q, points, seed, median);
    ALD_TRY(choose_rows(run, n, seed, &rows));
    const int64_t count = used * (used - 1) / 2 + 1;
    ALD_TRY(ald_scratch(run, count, 1, sizeof *pairs, &pairs));
    const double unit = unit_of(used, rows, q, points);
    const looked_at l = {used, q, rows, points, weights, unit};
    ALD_TRY(count_pairs(run, &l, pairs));
    *median = unit * weighted_median_root(count, pairs);
    if (*median > 0.0) return ALD_OK;
    while (zeros < count && !(pairs[zeros].square > 0.0)) zeros++;
    *median = unit * weighted_median_root(count - zeros, pairs + zeros);
    return ALD_OK;
}

static ald_status median_of_rows(ald_run *run, const ald_kernel *kernel, const ald_operator *z, uint64_t seed,
                                 double *squares, double *median)
{
    const ald_kernel distance = {
        .kind = kernel->kind == ALD_KERNEL_LAPLACIAN ? ALD_SQUARE_CITY_DISTANCE : ALD_SQUARE_DISTANCE,
    };
    const int64_t n = ald_rows_total(z), used = n < ALD_MEDIAN_ROWS ? n : ALD_MEDIAN_ROWS;
    int64_t *rows;
    int64_t count = 0;
    double *pairs;
    ald_landmarks l;
    ALD_TRY(choose_rows(run, n, seed, &rows));
    ALD_TRY(ald_landmarks_take(run, &distance, z, used, used < n ? rows : NULL, &l));
    const ald_operator chosen = ald_landmarks_operator(&l);
    const int64_t width = squares ? used / 8 * 5 + 5 : used; /* half the square, and a quarter of that */
    ALD_TRY(ald_scratch_reals(run, used, width, &pairs));
    double *const all = squares ? squares : pairs;
    ALD_TRY(ald_kernel_square(run, &distance, &chosen, &l, all));
    for (int64_t i = 0; i < used; i++) {
        memmove(pairs + count, all + i * used + i + 1, (size_t)(used - i - 1) * sizeof *pairs);
        count += used - i - 1;
    }
    *median = positive_median(count, pairs, pairs + count);
    return ALD_OK;
}

ald_status ald_kernel_median(ald_run *run, const ald_kernel *kernel, const ald_operator *z, uint64_t seed,
                             double *squares, double *median)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    const ald_status status = median_of_rows(run, kernel, z, seed, squares, median);
    ald_arena_release(&run->scratch, mark);
    return status;
}
