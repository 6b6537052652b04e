/* Chan's update: with w, m, S the weights, mean and scatter of a and b, d = m_b - m_a and w = w_a + w_b,
 *
 *   m = m_a + w_b/w d,    S = S_a + S_b + w_a w_b/w d d',
 *
 * and the same with -w_b and -S_b to take b away again. Patterns (and the scatters of classes) have it each
 * for themselves. It is done in place: the scatter is the largest thing there is. Where there are exact sums
 * they are added instead, and means and scatter follow from them.
 *
 * What is left of a scatter S_jj that was B_jj before has at most `lost` / S_jj of its digits in error: if
 * more than six of sixteen digits are gone, the caller gets a warning. */
#include "methods/moments/moments.h"

#include "methods/moments/curved.h"
#include "methods/moments/exact.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* a += sign b + scale u v', b without gaps. */
static void merge_products(ald_area a, const double *b, int sign, double scale, const double *u,
                           const double *v)
{
    const int64_t cols = a.cols;
    for (int64_t i = 0; i < a.rows; i++) {
        const double factor = scale * u[i];
        for (int64_t j = 0; j < cols; j++) a.data[i * cols + j] += sign * b[i * cols + j] + factor * v[j];
    }
}

/* apart = b - a, and a becomes the mean of both. */
static void merge_means(int64_t d, double *a, double wa, const double *b, double wb, int sign, double *apart)
{
    const double part = wa + sign * wb > 0.0 ? sign * wb / (wa + sign * wb) : 0.0;
    for (int64_t j = 0; j < d; j++) {
        apart[j] = b[j] - a[j];
        a[j] += part * apart[j];
    }
}

static double shared(double wa, double wb, int sign)
{
    return wa + sign * wb > 0.0 ? sign * wa * wb / (wa + sign * wb) : 0.0;
}

static ald_status grow(ald_run *run, ald_arena *arena, int64_t before, int64_t after, int64_t cols,
                       double **array)
{
    double *grown = ald_arena_resize(arena, *array, after, cols, sizeof *grown);
    if (!grown) return ald_out_of_memory(run, after, cols, sizeof *grown);
    memset(grown + before * cols, 0, (size_t)((after - before) * cols) * sizeof *grown);
    *array = grown;
    return ALD_OK;
}

/* Room for more patterns, without rows. */
static ald_status grow_patterns(ald_run *run, ald_arena *arena, ald_moments *m, int64_t patterns)
{
    const int64_t before = m->patterns;
    ALD_TRY(grow(run, arena, before, patterns, 1, &m->count));
    ALD_TRY(grow(run, arena, before, patterns, m->d, &m->centre));
    if (m->within) ALD_TRY(grow(run, arena, before, patterns, m->d * m->d, &m->within));
    if (m->exact.centre) ALD_TRY(grow(run, arena, before, patterns, 3 * m->d, &m->exact.centre));
    if (m->exact.within) ALD_TRY(grow(run, arena, before, patterns, 3 * ald_packed(m->d), &m->exact.within));
    m->patterns = patterns;
    return ALD_OK;
}

/* Classes that `m` does not know are added without rows. */
static ald_status grow_classes(ald_run *run, ald_arena *arena, ald_moments *m, int64_t classes)
{
    ALD_TRY(grow_patterns(run, arena, m, classes));
    double *pattern = ald_arena_resize(arena, m->pattern, classes, classes, sizeof *pattern);
    if (!pattern) return ald_out_of_memory(run, classes, classes, sizeof *pattern);
    for (int64_t i = 0; i < classes * classes; i++) pattern[i] = i % (classes + 1) == 0 ? 1.0 : 0.0;
    m->pattern = pattern;
    m->k = classes;
    return ALD_OK;
}

/* Where the patterns of b are among those of a, which gets those it has not. */
static ald_status match_patterns(ald_run *run, ald_arena *arena, ald_moments *a, const ald_moments *b,
                                 int64_t *places)
{
    ald_patterns index;
    int64_t at;
    if (a->kind == ALD_TARGET_CLASSES) {
        for (int64_t p = 0; p < b->patterns; p++) places[p] = p;
        return b->k > a->k ? grow_classes(run, arena, a, b->k) : ALD_OK;
    }
    ALD_TRY(ald_patterns_new(run, a->patterns + b->patterns, a->k, &index));
    for (int64_t p = 0; p < a->patterns; p++) {
        ALD_TRY(ald_patterns_find(run, &index, a->pattern + p * a->k, &at));
        if (at != p)
            return ald_fail(run->error, ALD_ERROR_FORMAT, "the model has the same label pattern twice");
    }
    for (int64_t p = 0; p < b->patterns; p++)
        ALD_TRY(ald_patterns_find(run, &index, b->pattern + p * a->k, &places[p]));
    double *pattern = ald_arena_resize(arena, a->pattern, index.count, a->k, sizeof *pattern);
    if (!pattern) return ald_out_of_memory(run, index.count, a->k, sizeof *pattern);
    memcpy(pattern, index.patterns, (size_t)(index.count * a->k) * sizeof *pattern);
    a->pattern = pattern;
    return grow_patterns(run, arena, a, index.count);
}

/* Sums of weights miss 0 by rounding where all that was there is taken away. */
static double left_over(double before, double change, int sign)
{
    const double after = before + sign * change;
    return sign < 0 && fabs(after) <= 1e-12 * before ? 0.0 : after;
}

static ald_status check_pattern(ald_run *run, double before, double change, int sign)
{
    if (left_over(before, change, sign) >= 0.0) return ALD_OK;
    return ald_fail(
        run->error, ALD_ERROR_DATA,
        "rows of weight %g are to be removed whose target occurs only in rows of weight %g in the model",
        change, before);
}

static ald_status merge_pattern(ald_run *run, ald_moments *a, int64_t at, const ald_moments *b, int64_t p,
                                int sign, double *apart)
{
    const int64_t d = a->d;
    const double before = a->count[at], change = b->count[p];
    ALD_TRY(check_pattern(run, before, change, sign));
    merge_means(d, a->centre + at * d, before, b->centre + p * d, change, sign, apart);
    if (a->within)
        merge_products(ald_at(a->within + at * d * d, d, d), b->within + p * d * d, sign,
                       shared(before, change, sign), apart, apart);
    a->count[at] = left_over(before, change, sign);
    return ALD_OK;
}

static ald_status merge_patterns(ald_run *run, ald_arena *arena, ald_moments *a, const ald_moments *b,
                                 int sign)
{
    int64_t *places;
    double *apart;
    ALD_TRY(ald_scratch(run, b->patterns, 1, sizeof *places, &places));
    ALD_TRY(ald_scratch_reals(run, a->d, 1, &apart));
    ALD_TRY(match_patterns(run, arena, a, b, places));
    for (int64_t p = 0; p < b->patterns; p++)
        if (b->count[p] > 0.0) ALD_TRY(merge_pattern(run, a, places[p], b, p, sign, apart));
    return ALD_OK;
}

static ald_status check_pair(ald_run *run, const ald_moments *a, const ald_moments *b, int sign)
{
    if (a->d != b->d || a->kind != b->kind || (a->k != b->k && (a->kind != ALD_TARGET_CLASSES || a->edges)))
        return ald_fail(
            run->error, ALD_ERROR_DATA,
            "the rows have a different number of columns or kind of target from those of the model");
    if (a->weighted != b->weighted)
        return ald_fail(
            run->error, ALD_ERROR_DATA,
            a->weighted ? "the model was fitted with weights, and these rows have none: name their column "
                          "(`weights`)"
                        : "the model was fitted without weights: leave them out");
    if (b->weight > 0.0 &&
        ((a->within != NULL) != (b->within != NULL) || (a->curved != NULL) != (b->curved != NULL)))
        return ald_fail(run->error, ALD_ERROR_FORMAT,
                        "the statistics of the model are damaged: a scatter is missing");
    if (!(a->n + sign * b->n >= 2.0))
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "the model was fitted on %.0f rows: with %.0f removed, fewer than two are left", a->n,
                        b->n);
    if (!(left_over(a->weight, b->weight, sign) > 0.0))
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "the rows of the model have weight %g: with %g removed, nothing is left", a->weight,
                        b->weight);
    return ALD_OK;
}

static ald_status keep_diagonal(ald_run *run, const ald_moments *a, double **before)
{
    ALD_TRY(ald_scratch_reals(run, a->d, 1, before));
    for (int64_t j = 0; j < a->d; j++) (*before)[j] = a->scatter[j * a->d + j];
    return ALD_OK;
}

/* A variance that is left, of 1 before. Exact sums that come to nothing are a constant column. */
static void tell_loss(ald_run *run, const ald_moments *a, const double *before)
{
    double worst = 1e-10;
    int64_t column = -1;
    for (int64_t j = 0; j < a->d; j++) {
        const double left = a->scatter[j * a->d + j], lost = a->lost[j];
        if (!(left > 0.0) && lost <= 1e-30 * before[j]) continue;
        const double part = left > lost ? lost / left : (double)(lost > 0.0);
        if (!(part > worst)) continue;
        worst = part;
        column = j;
    }
    if (column >= 0)
        ald_warn(run, ALD_DIGITS_LOST,
                 "the removed rows were so much larger than the remaining ones that column %lld keeps only "
                 "about %.0f of 16 digits of its variance: refit the remaining rows",
                 (long long)column + 1, floor(-log10(worst)));
}

static ald_status check_variances(ald_run *run, const ald_moments *a, const double *before, int sign)
{
    const int64_t d = a->d;
    for (int64_t j = 0; j < d; j++)
        if (a->scatter[j * d + j] < -1e-9 * before[j])
            return ald_fail(
                run->error, ALD_ERROR_DATA,
                "column %lld would be left with a negative variance: these rows were not in the model",
                (long long)j + 1);
    if (sign < 0 && a->lost) tell_loss(run, a, before);
    return ALD_OK;
}

/* Every step rounds to the larger of what was there and what it is now. */
static void add_loss(ald_moments *a, const ald_moments *b, const double *before)
{
    for (int64_t j = 0; j < a->d; j++)
        a->lost[j] +=
            8.0 * DBL_EPSILON * fmax(before[j], a->scatter[j * a->d + j]) + (b->lost ? b->lost[j] : 0.0);
}

static ald_status merge_scatter(ald_run *run, ald_moments *a, const ald_moments *b, int sign,
                                const double *apart)
{
    const int64_t d = a->d;
    double *before;
    ALD_TRY(keep_diagonal(run, a, &before));
    merge_products(ald_at(a->scatter, d, d), b->scatter, sign, shared(a->weight, b->weight, sign), apart,
                   apart);
    if (a->lost) add_loss(a, b, before);
    return check_variances(run, a, before, sign);
}

static ald_status merge_responses(ald_run *run, ald_moments *a, const ald_moments *b, int sign,
                                  const double *apart)
{
    const double scale = shared(a->weight, b->weight, sign);
    double *y_apart;
    ALD_TRY(ald_scratch_reals(run, a->k, 1, &y_apart));
    merge_means(a->k, a->y_mean, a->weight, b->y_mean, b->weight, sign, y_apart);
    merge_products(ald_at(a->cross, a->d, a->k), b->cross, sign, scale, apart, y_apart);
    merge_products(ald_at(a->y_scatter, a->k, a->k), b->y_scatter, sign, scale, y_apart, y_apart);
    return ALD_OK;
}

static ald_status merge_plain(ald_run *run, ald_arena *arena, ald_moments *a, const ald_moments *b, int sign)
{
    double *apart;
    if (a->curved) ALD_TRY(ald_curved_merge(run, a, b, sign));
    ALD_TRY(ald_scratch_reals(run, a->d, 1, &apart));
    merge_means(a->d, a->mean, a->weight, b->mean, b->weight, sign, apart);
    ALD_TRY(merge_scatter(run, a, b, sign, apart));
    if (a->kind == ALD_TARGET_REAL) return merge_responses(run, a, b, sign, apart);
    return a->kind == ALD_TARGET_NONE ? ALD_OK : merge_patterns(run, arena, a, b, sign);
}

static ald_status merge_counts(ald_run *run, ald_arena *arena, ald_moments *a, const ald_moments *b, int sign,
                               int64_t *places)
{
    ALD_TRY(match_patterns(run, arena, a, b, places));
    for (int64_t p = 0; p < b->patterns; p++) {
        double *count = &a->count[places[p]];
        ALD_TRY(check_pattern(run, *count, b->count[p], sign));
        *count = left_over(*count, b->count[p], sign);
    }
    return ALD_OK;
}

static ald_status merge_exact(ald_run *run, ald_arena *arena, ald_moments *a, const ald_moments *b, int sign)
{
    int64_t *places = NULL;
    double *before;
    ALD_TRY(keep_diagonal(run, a, &before));
    ALD_TRY(ald_scratch(run, b->patterns, 1, sizeof *places, &places));
    if (a->patterns > 0) ALD_TRY(merge_counts(run, arena, a, b, sign, places));
    ald_exact_add_sums(a, b, places, sign);
    ald_exact_derive(a);
    return check_variances(run, a, before, sign);
}

ald_status ald_moments_merge(ald_run *run, ald_arena *arena, ald_moments *a, const ald_moments *b, int sign)
{
    ALD_TRY(check_pair(run, a, b, sign));
    const uint64_t mark = ald_arena_mark(&run->scratch);
    if (b->weight > 0.0 && !b->exact.joint) a->exact.joint = NULL;
    if (b->weight > 0.0)
        ALD_TRY(a->exact.joint && b->exact.joint ? merge_exact(run, arena, a, b, sign)
                                                 : merge_plain(run, arena, a, b, sign));
    if (arena != &run->scratch) ald_arena_release(&run->scratch, mark);
    a->n += sign * b->n;
    a->weight = left_over(a->weight, b->weight, sign);
    return ALD_OK;
}

ald_status ald_moments_copy(ald_run *run, ald_arena *arena, const ald_moments *from, ald_moments *to)
{
    ald_moments_slot slots[ALD_MOMENTS_SLOTS];
    *to = *from;
    ald_moments_slots(to, slots);
    for (int i = 0; i < ALD_MOMENTS_SLOTS; i++) {
        const double *array = *slots[i].array;
        ALD_TRY(ald_keep(run, arena, array, slots[i].count, sizeof *array, slots[i].array));
    }
    return ALD_OK;
}

/* Rows without weight have no mean: they are counted. */
ald_status ald_moments_add(ald_run *run, ald_arena *arena, const ald_moments *change, ald_moments *total)
{
    const double rows = total->n;
    if (total->mean) return ald_moments_merge(run, arena, total, change, 1);
    ALD_TRY(ald_moments_copy(run, arena, change, total));
    total->n += rows;
    return ALD_OK;
}

/* Classes and labels in another order, among more of them. */

/* Block p of `size` reals goes to places[p] of `count` blocks; the others are 0. NULL stays NULL. */
static ald_status move_blocks(ald_run *run, ald_arena *arena, int64_t before, const int64_t *places,
                              int64_t count, int64_t size, double **blocks)
{
    double *moved;
    if (!*blocks) return ALD_OK;
    ALD_TRY(ald_get_clear(run, arena, count, size, sizeof(double), &moved));
    for (int64_t p = 0; p < before; p++)
        memcpy(moved + places[p] * size, *blocks + p * size, (size_t)size * sizeof *moved);
    *blocks = moved;
    return ALD_OK;
}

/* A pattern per class, so they are moved with the classes. */
static ald_status move_classes(ald_run *run, ald_arena *arena, const int64_t *places, int64_t k,
                               ald_moments *m)
{
    const int64_t before = m->patterns, d = m->d;
    ALD_TRY(move_blocks(run, arena, before, places, k, 1, &m->count));
    ALD_TRY(move_blocks(run, arena, before, places, k, d, &m->centre));
    ALD_TRY(move_blocks(run, arena, before, places, k, d * d, &m->within));
    ALD_TRY(move_blocks(run, arena, before, places, k, 3 * d, &m->exact.centre));
    ALD_TRY(move_blocks(run, arena, before, places, k, 3 * ald_packed(d), &m->exact.within));
    ALD_TRY(ald_get_clear(run, arena, k, k, sizeof(double), &m->pattern));
    for (int64_t c = 0; c < k; c++) m->pattern[c * k + c] = 1.0;
    m->patterns = k;
    return ALD_OK;
}

/* Patterns stay where they are, and have more columns. */
static ald_status move_labels(ald_run *run, ald_arena *arena, const int64_t *places, int64_t k,
                              ald_moments *m)
{
    double *pattern;
    ALD_TRY(ald_get_clear(run, arena, m->patterns, k, sizeof(double), &pattern));
    for (int64_t p = 0; p < m->patterns; p++)
        for (int64_t j = 0; j < m->k; j++) pattern[p * k + places[j]] = m->pattern[p * m->k + j];
    m->pattern = pattern;
    return ALD_OK;
}

ald_status ald_moments_renumber(ald_run *run, ald_arena *arena, const int64_t *places, int64_t k,
                                ald_moments *m)
{
    ALD_TRY(m->kind == ALD_TARGET_CLASSES ? move_classes(run, arena, places, k, m)
                                          : move_labels(run, arena, places, k, m));
    m->k = k;
    return ALD_OK;
}
