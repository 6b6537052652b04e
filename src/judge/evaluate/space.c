#include "judge/evaluate/space.h"

#include "math/operator/entry.h"

#include <math.h>
#include <string.h>

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
    ALD_TRY(ald_scratch(run, space->n, space->q, sizeof *bits, &bits));
    memset(bits, 0, (size_t)(space->n * space->q) * sizeof *bits);
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

void ald_metric_space_distances(const ald_metric_space *space, int64_t i, double *distances)
{
    if (space->columns)
        distances_of_columns(space, i, distances);
    else if (space->bits)
        distances_of_labels(space, i, distances);
    else
        for (int64_t j = 0; j < space->n; j++)
            distances[j] = space->classes[j] == space->classes[i] ? 0.0 : 1.0;
}
