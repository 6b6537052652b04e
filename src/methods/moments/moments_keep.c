/* Moments that are kept for updates: which rows are summed exactly.
 *
 * A row may be far from all others, by mistake, and be taken away again when that is found. The backend sums
 * n rows to some eps of the whole scatter, so such a row must not be among them: rows with a cell further
 * than 256 widths from the median of its column are summed exactly (moments/exact.h). The width is the median
 * distance from that median, of the cells that are not it; both are of 256 rows at most, evenly spread. What
 * the backend sums is then below 256^2 times the scatter of half of the rows: some eps of it are some
 * 1e-11 of what is left, whichever of those rows are taken away. Few rows are all summed exactly; of sparse
 * X, and of more than 1000 columns, no others are. For a method of curvature (moments/curved.h) none are. */
#include "methods/moments/exact.h"

#include "base/numbers/select.h"
#include "math/operator/entry.h"
#include "methods/moments/curved.h"

#include <math.h>

enum { few_rows = 64, sampled_rows = 256, most_far_rows = 1024 };

static const double far_off = 256.0;

/* The median and the width of each column, infinity for a constant column. */
static ald_status measure_columns(ald_run *run, const ald_operator *rows, double *middle, double *width)
{
    const int64_t n = rows->x.rows, d = rows->x.cols, count = n < sampled_rows ? n : sampled_rows;
    double *sample, *column;
    ALD_TRY(ALD_SCRATCH(run, {&sample, count, d}, {&column, count, 1}));
    for (int64_t i = 0; i < count; i++)
        ALD_TRY(ald_operator_rows(run, rows, i * n / count, ald_at(sample + i * d, 1, d)));
    for (int64_t j = 0; j < d; j++) {
        int64_t apart = 0;
        for (int64_t i = 0; i < count; i++) column[i] = sample[i * d + j];
        ald_select(count, column, count / 2);
        middle[j] = column[count / 2];
        for (int64_t i = 0; i < count; i++) {
            const double off = fabs(sample[i * d + j] - middle[j]);
            if (off > 0.0) column[apart++] = off;
        }
        if (apart > 0) ald_select(apart, column, (apart - 1) / 2);
        width[j] = apart > 0 ? column[(apart - 1) / 2] : INFINITY;
    }
    return ALD_OK;
}

/* The numbers of the rows that are far off; none when they are more than a few of all. */
static ald_status find_far(ald_run *run, const ald_operator *rows, int64_t *far, int64_t *count)
{
    const int64_t n = rows->x.rows, d = rows->x.cols;
    double *middle, *width, *row;
    ALD_TRY(ALD_SCRATCH(run, {&middle, d, 1}, {&width, d, 1}, {&row, d, 1}));
    ALD_TRY(measure_columns(run, rows, middle, width));
    *count = 0;
    for (int64_t i = 0; i < n; i++) {
        int off = 0;
        ALD_TRY(ald_operator_rows(run, rows, i, ald_at(row, 1, d)));
        for (int64_t j = 0; j < d; j++) off |= fabs(row[j] - middle[j]) > far_off * width[j];
        if (!off) continue;
        if (*count == most_far_rows || 4 * *count > n) {
            *count = 0;
            return ALD_OK;
        }
        far[(*count)++] = i;
    }
    return ALD_OK;
}

/* Row i; of sparse X as Z' times a unit vector, which is in `unit` (n, 0). */
static ald_status write_row(ald_run *run, const ald_operator *rows, int64_t i, double *unit, double *row)
{
    const int64_t n = rows->x.rows, d = rows->x.cols;
    if (rows->x.storage == ALD_DENSE) return ald_operator_rows(run, rows, i, ald_at(row, 1, d));
    unit[i] = 1.0;
    ALD_TRY(ald_operator_apply_transposed(run, rows, ald_of(unit, n, 1), ald_at(row, d, 1)));
    unit[i] = 0.0;
    return ALD_OK;
}

/* Which rows are summed exactly, by their numbers. */
static ald_status choose_rows(ald_run *run, const ald_operator *rows, int64_t *chosen, int64_t *count)
{
    const int64_t n = rows->x.rows;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    *count = 0;
    if (n <= few_rows) {
        for (int64_t i = 0; i < n; i++) chosen[(*count)++] = i;
        return ALD_OK;
    }
    if (rows->x.storage != ALD_DENSE || ald_settings_method(run->settings)->class_scatters) return ALD_OK;
    ALD_TRY(find_far(run, rows, chosen, count));
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

/* Moments of no rows, with all arrays. */
static ald_status empty(ald_run *run, ald_moments *m)
{
    const int real = m->kind == ALD_TARGET_REAL;
    ALD_TRY(ald_scratch_zeros(run, m->d, 1, &m->mean));
    ALD_TRY(ald_scratch_zeros(run, m->d, m->d, &m->scatter));
    if (real) ALD_TRY(ald_scratch_zeros(run, m->k, 1, &m->y_mean));
    if (real) ALD_TRY(ald_scratch_zeros(run, m->d, m->k, &m->cross));
    if (real) ALD_TRY(ald_scratch_zeros(run, m->k, m->k, &m->y_scatter));
    if (m->patterns == 0) return ALD_OK;
    ALD_TRY(ald_scratch_zeros(run, m->patterns, 1, &m->count));
    ALD_TRY(ald_scratch_zeros(run, m->patterns, m->d, &m->centre));
    if (!ald_settings_method(run->settings)->class_scatters) return ALD_OK;
    return ald_scratch_zeros(run, m->patterns * m->d, m->d, &m->within);
}

static ald_status add_chosen(ald_run *run, const ald_operator *rows, const ald_target *target,
                             const int64_t *chosen, int64_t count, const int64_t *of, ald_moments *m)
{
    double *row, *unit, *y = NULL;
    int64_t ignored;
    ALD_TRY(ald_scratch_reals(run, m->d, 1, &row));
    ALD_TRY(ald_scratch_zeros(run, rows->x.rows, 1, &unit));
    if (m->kind == ALD_TARGET_REAL) ALD_TRY(ald_target_numbers(run, target, &y, &ignored));
    for (int64_t c = 0; c < count; c++) {
        const int64_t i = chosen[c];
        const double weight = target->weights ? target->weights[i] : 1.0;
        ALD_TRY(write_row(run, rows, i, unit, row));
        ald_exact_add_row(m, row, y ? y + i * m->k : NULL, m->patterns > 0 ? of[i] : 0, weight);
    }
    return ALD_OK;
}

/* The numbers of the rows that are not chosen; those are in order. */
static ald_status find_others(ald_run *run, int64_t n, const int64_t *chosen, int64_t count, int64_t **others)
{
    int64_t next = 0, found = 0;
    ALD_TRY(ald_scratch(run, n - count, 1, sizeof **others, others));
    for (int64_t i = 0; i < n; i++) {
        if (next < count && chosen[next] == i)
            next++;
        else
            (*others)[found++] = i;
    }
    return ALD_OK;
}

/* The other rows, by the backend. Labels that only some of them have are numbered as m numbers them. */
static ald_status add_others(ald_run *run, const ald_operator *rows, const ald_target *target,
                             const int64_t *chosen, int64_t count, const int64_t *of, ald_moments *m)
{
    const int64_t n = rows->x.rows - count;
    int64_t *others, *own, *places = NULL;
    ald_operator kept;
    ald_target kept_target;
    ald_moments sums, numbered;
    ALD_TRY(find_others(run, rows->x.rows, chosen, count, &others));
    ALD_TRY(ald_operator_take(run, rows, others, n, &kept));
    ALD_TRY(ald_target_take(run, target, others, n, &kept_target));
    ALD_TRY(ald_moments_of_rows(run, &kept, &kept_target, &sums));
    if (m->patterns > 0) {
        numbered = sums;
        ALD_TRY(ald_scratch(run, n, 1, sizeof *own, &own));
        ALD_TRY(ald_scratch(run, sums.patterns, 1, sizeof *places, &places));
        ALD_TRY(ald_moments_find_patterns(run, &kept_target, &numbered, own));
        for (int64_t p = 0; p < sums.patterns; p++) places[p] = p;
        for (int64_t i = 0; i < n; i++) places[own[i]] = of[others[i]];
        for (int64_t p = 0; p < sums.patterns; p++) m->count[places[p]] += sums.count[p];
    }
    ald_exact_add_plain(m, &sums, places, 1.0);
    return ALD_OK;
}

/* All rows weigh. */
static ald_status keep_rows(ald_run *run, const ald_operator *rows, const ald_target *target, ald_moments *m)
{
    const int64_t n = rows->x.rows;
    int64_t *chosen, *of;
    int64_t count = 0;
    ALD_TRY(ald_scratch(run, n, 1, sizeof *chosen, &chosen));
    if (rows->x.cols <= ALD_EXACT_ORDER && !ald_curved_is_kept(run))
        ALD_TRY(choose_rows(run, rows, chosen, &count));
    if (count == 0) {
        ALD_TRY(ald_moments_of_rows(run, rows, target, m));
        return m->mean ? ald_exact_from_plain(run, &run->scratch, m) : ALD_OK;
    }
    ald_moments_begin(rows, target, m);
    ALD_TRY(ald_scratch(run, n, 1, sizeof *of, &of));
    if (m->kind == ALD_TARGET_CLASSES || m->kind == ALD_TARGET_LABELS)
        ALD_TRY(ald_moments_find_patterns(run, target, m, of));
    ALD_TRY(empty(run, m));
    ALD_TRY(ald_exact_begin(run, &run->scratch, m));
    if (count < n) ALD_TRY(add_others(run, rows, target, chosen, count, of, m));
    ALD_TRY(add_chosen(run, rows, target, chosen, count, of, m));
    ald_exact_derive(m);
    return ALD_OK;
}

ald_status ald_moments_to_keep(ald_run *run, const ald_operator *rows, const ald_target *target,
                               ald_moments *m)
{
    const int64_t *which;
    int64_t count;
    ald_operator kept;
    ald_target kept_target;
    ALD_TRY(ald_rows_that_count(run, rows->x.rows, target->weights, &which, &count));
    if (which && count == 0) return ald_moments_of_rows(run, rows, target, m);
    if (!which) return keep_rows(run, rows, target, m);
    ALD_TRY(ald_operator_take(run, rows, which, count, &kept));
    ALD_TRY(ald_target_take(run, target, which, count, &kept_target));
    return keep_rows(run, &kept, &kept_target, m);
}
