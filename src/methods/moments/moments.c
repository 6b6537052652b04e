/* Moments of one block of rows: mean, scatter, and sums by pattern of labels or by response. */
#include "methods/moments/moments.h"

#include "base/numbers/hash.h"
#include "math/device/held.h"
#include "math/linalg/linalg.h"
#include "math/linalg/vector.h"
#include "math/operator/entry.h"
#include "methods/moments/curved.h"

#include <math.h>
#include <string.h>

/* Entries of the scatters of the classes. */
enum { most_class_entries = 50000000 };

ald_status ald_moments_check_order(ald_run *run, int64_t d)
{
    if (d <= ALD_SQUARE_ORDER) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                    "statistics for updates contain a square matrix of the columns: %lld columns would take "
                    "%.1f GB; the limit is %d",
                    (long long)d, (double)d * (double)d * 8e-9, (int)ALD_SQUARE_ORDER);
}

static ald_status check_classes(ald_run *run, const ald_moments *m)
{
    const double entries = (double)m->k * (double)m->d * (double)m->d;
    if (entries <= most_class_entries) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                    "%s needs a square matrix of the columns for each class: %lld classes of %lld columns "
                    "would take %.1f GB; the limit is %.1f GB",
                    ald_settings_method(run->settings)->name, (long long)m->k, (long long)m->d,
                    entries * 8e-9, most_class_entries * 8e-9);
}

ald_status ald_patterns_new(ald_run *run, int64_t most, int64_t k, ald_patterns *index)
{
    uint64_t size = 16;
    while (size < 2 * (uint64_t)most) size *= 2;
    *index = (ald_patterns){.k = k, .mask = size - 1};
    return ald_scratch_clear(run, (int64_t)size, 1, sizeof *index->slots, &index->slots);
}

ald_status ald_patterns_find(ald_run *run, ald_patterns *index, const double *row, int64_t *number)
{
    const uint64_t hash = ald_hash(ALD_HASH_START, row, (size_t)index->k * sizeof *row);
    for (uint64_t at = hash & index->mask;; at = (at + 1) & index->mask) {
        *number = index->slots[at] - 1;
        if (*number < 0) {
            index->slots[at] = index->count + 1;
            break;
        }
        if (memcmp(row, index->patterns + *number * index->k, (size_t)index->k * sizeof *row) == 0)
            return ALD_OK;
    }
    *number = index->count;
    if ((index->count & (index->count - 1)) == 0) { /* grow at powers of two */
        const int64_t room = index->count ? 2 * index->count : 1;
        ALD_TRY(ald_resize(run, &run->scratch, &index->patterns, room, index->k, sizeof *index->patterns));
    }
    memcpy(index->patterns + index->count * index->k, row, (size_t)index->k * sizeof *row);
    index->count++;
    return ALD_OK;
}

/* Classes: pattern c is class c, whether it occurs or not. Labels: the distinct rows. `of` is the pattern of
 * each row.
 */
ald_status ald_moments_find_patterns(ald_run *run, const ald_target *target, ald_moments *m, int64_t *of)
{
    double *y;
    if (target->kind == ALD_TARGET_CLASSES) {
        m->patterns = m->k;
        ALD_TRY(ald_scratch_zeros(run, m->k, m->k, &m->pattern));
        for (int64_t c = 0; c < m->k; c++) m->pattern[c * m->k + c] = 1.0;
        for (int64_t i = 0; i < target->rows; i++) of[i] = target->classes[i];
        return ALD_OK;
    }
    int64_t ignored;
    ald_patterns index;
    ALD_TRY(ald_patterns_new(run, target->rows, m->k, &index));
    ALD_TRY(ald_target_numbers(run, target, &y, &ignored));
    for (int64_t i = 0; i < target->rows; i++) ALD_TRY(ald_patterns_find(run, &index, y + i * m->k, &of[i]));
    m->pattern = index.patterns;
    m->patterns = index.count;
    return ALD_OK;
}

enum { patterns_at_once = 64, entries_at_once = 1 << 12 };

/* sums (patterns x d) of the centred rows of each pattern, rows times `weight`. Dense rows one by one; sparse
 * ones by products with indicators, 64 patterns per pass. */
static ald_status dense_sums(ald_run *run, const ald_operator *centred, const double *weight,
                             const int64_t *of, ald_moments *m)
{
    const int64_t n = centred->x.rows, d = m->d, step = entries_at_once / (d + 1) + 1;
    double *rows;
    ALD_TRY(ald_scratch_reals(run, step, d, &rows));
    for (int64_t i0 = 0; i0 < n; i0 += step) {
        const int64_t count = n - i0 < step ? n - i0 : step;
        ALD_TRY(ald_operator_rows(run, centred, i0, ald_at(rows, count, d)));
        for (int64_t i = 0; i < count; i++) {
            double *sum = m->centre + of[i0 + i] * d;
            const double *row = rows + i * d;
            const double w = weight ? weight[i0 + i] : 1.0;
            ald_add_times(d, w, row, sum);
        }
    }
    return ALD_OK;
}

static ald_status sparse_sums(ald_run *run, const ald_operator *centred, const double *weight,
                              const int64_t *of, ald_moments *m)
{
    const int64_t n = centred->x.rows, d = m->d;
    double *indicator, *sums;
    ALD_TRY(ALD_SCRATCH(run, {&indicator, n, patterns_at_once}, {&sums, d, patterns_at_once}));
    for (int64_t first = 0; first < m->patterns; first += patterns_at_once) {
        const int64_t w = m->patterns - first < patterns_at_once ? m->patterns - first : patterns_at_once;
        memset(indicator, 0, (size_t)(n * w) * sizeof *indicator);
        for (int64_t i = 0; i < n; i++)
            if (of[i] >= first && of[i] < first + w)
                indicator[i * w + of[i] - first] = weight ? weight[i] : 1.0;
        ALD_TRY(ald_operator_apply_transposed(run, centred, ald_of(indicator, n, w), ald_at(sums, d, w)));
        for (int64_t p = 0; p < w; p++)
            for (int64_t j = 0; j < d; j++) m->centre[(first + p) * d + j] = sums[j * w + p];
    }
    return ALD_OK;
}

/* Rows that are only on a card stay there: the scatter is formed once more, which takes less than copying. */
static ald_status sums_on_card(ald_run *run, const ald_operator *centred, const double *weight,
                               const int64_t *of, ald_moments *m)
{
    const int64_t n = centred->x.rows, d = m->d, k = m->patterns;
    int32_t *code;
    double *value, *square, *sums;
    ALD_TRY(ald_scratch(run, n, 1, sizeof *code, &code));
    ALD_TRY(ALD_SCRATCH(run, {&value, n, 1}, {&square, d, d}, {&sums, d, k}));
    for (int64_t i = 0; i < n; i++) {
        code[i] = (int32_t)of[i];
        value[i] = weight ? weight[i] : 1.0;
    }
    const ald_codes codes = {code, value, k};
    ALD_TRY(ald_operator_scatter_codes(run, centred, &codes, ald_at(square, d, d), ald_at(sums, d, k)));
    ald_transpose(d, k, sums, m->centre);
    return ALD_OK;
}

static ald_status pattern_means(ald_run *run, const ald_operator *centred, const double *weight,
                                const int64_t *of, ald_moments *m)
{
    const int64_t n = centred->x.rows, d = m->d;
    ALD_TRY(ald_scratch_zeros(run, m->patterns, 1, &m->count));
    ALD_TRY(ald_scratch_zeros(run, m->patterns, d, &m->centre));
    for (int64_t i = 0; i < n; i++) m->count[of[i]] += weight ? weight[i] : 1.0;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    if (ald_card_only(run, &centred->x))
        ALD_TRY(sums_on_card(run, centred, weight, of, m));
    else
        ALD_TRY((centred->x.storage == ALD_DENSE ? dense_sums : sparse_sums)(run, centred, weight, of, m));
    ald_arena_release(&run->scratch, mark);
    for (int64_t p = 0; p < m->patterns; p++)
        for (int64_t j = 0; j < d; j++) {
            double *at = &m->centre[p * d + j];
            *at = m->mean[j] + (m->count[p] > 0.0 ? *at / m->count[p] : 0.0);
        }
    return ALD_OK;
}

/* The scatter of each class about its mean, rows times the roots of their weights: of the rows of the class
 * written out, or, sparse, of all rows with the others times 0. */
static ald_status class_scatter(ald_run *run, const ald_operator *rows, const double *weight,
                                const int64_t *of, int64_t c, ald_moments *m)
{
    const int64_t n = rows->x.rows, d = m->d;
    const int dense = rows->x.storage == ALD_DENSE;
    double *written, *roots;
    int64_t count = 0, size = 0;
    ald_operator own = *rows;
    for (int64_t i = 0; i < n; i++) size += of[i] == c;
    ALD_TRY(ALD_SCRATCH(run, {&written, dense ? size : 0, d}, {&roots, n, 1}));
    for (int64_t i = 0; i < n; i++) {
        const double root = weight ? sqrt(weight[i]) : 1.0;
        if (!dense) roots[i] = of[i] == c ? root : 0.0;
        if (!dense || of[i] != c) continue;
        ALD_TRY(ald_operator_rows(run, rows, i, ald_at(written + d * count, 1, d)));
        roots[count++] = root;
    }
    if (dense) own = (ald_operator){.x = ald_matrix_row_major(written, count, d, d)};
    own.mean = m->centre + c * d;
    own.row_weight = dense && !weight ? NULL : roots;
    return ald_operator_scatter(run, &own, ald_at(m->within + c * d * d, d, d));
}

static ald_status class_scatters(ald_run *run, const ald_operator *rows, const double *weight,
                                 const int64_t *of, ald_moments *m)
{
    ALD_TRY(check_classes(run, m));
    ALD_TRY(ald_scratch_zeros(run, m->patterns * m->d, m->d, &m->within));
    for (int64_t c = 0; c < m->patterns; c++) {
        const uint64_t mark = ald_arena_mark(&run->scratch);
        if (m->count[c] > 0.0) ALD_TRY(class_scatter(run, rows, weight, of, c, m));
        ald_arena_release(&run->scratch, mark);
    }
    return ALD_OK;
}

static ald_status response_moments(ald_run *run, const ald_operator *centred, const double *weight,
                                   const ald_target *target, ald_moments *m)
{
    const int64_t n = target->rows, k = m->k;
    int64_t ignored;
    double *y;
    ALD_TRY(ald_scratch_zeros(run, k, 1, &m->y_mean));
    ALD_TRY(ALD_SCRATCH(run, {&m->cross, m->d, k}, {&m->y_scatter, k, k}));
    ALD_TRY(ald_target_numbers(run, target, &y, &ignored));
    for (int64_t j = 0; j < k; j++) {
        const double base = y[j];
        for (int64_t i = 0; i < n; i++)
            m->y_mean[j] += (weight ? weight[i] : 1.0) * (y[i * k + j] - base) / m->weight;
        m->y_mean[j] += base;
        for (int64_t i = 0; i < n; i++) /* the rows of X are times the roots of the weights: so are these */
            y[i * k + j] = (weight ? sqrt(weight[i]) : 1.0) * (y[i * k + j] - m->y_mean[j]);
    }
    ALD_TRY(ald_product(run, ald_t(ald_of(y, n, k)), ald_of(y, n, k), ald_at(m->y_scatter, k, k)));
    return ald_operator_apply_transposed(run, centred, ald_of(y, n, k), ald_at(m->cross, m->d, k));
}

/* Where the method needs it. */
static ald_status curvature(ald_run *run, const ald_operator *rows, const ald_target *target, ald_moments *m)
{
    const ald_curving about = {.mean = m->mean, .y_mean = m->y_mean[0]};
    if (!ald_curved_is_kept(run)) return ALD_OK;
    ALD_TRY(ald_scratch_zeros(run, m->d, m->d, &m->curved));
    return ald_curved_add(run, rows, target, &about, m->curved, &m->curved_squares);
}

/* The means by the weights, and the roots of the weights as those of the rows. */
static ald_status weigh(ald_run *run, const ald_operator *rows, const double *weight, ald_operator *centred,
                        ald_moments *m)
{
    const int64_t n = rows->x.rows;
    double *roots;
    *centred = *rows;
    if (weight) {
        ALD_TRY(ald_scratch_reals(run, n, 1, &roots));
        for (int64_t i = 0; i < n; i++) roots[i] = sqrt(weight[i]);
        centred->row_weight = roots;
    }
    ALD_TRY(ald_column_statistics(run, rows, weight, (ald_column_moments){.mean = m->mean}));
    centred->mean = m->mean;
    return ALD_OK;
}

ald_status ald_moments_group(ald_run *run, const ald_operator *rows, const ald_target *target, ald_moments *m)
{
    ald_operator centred = *rows;
    int64_t *of;
    centred.mean = m->mean;
    m->kind = target->kind;
    m->k = target->kind == ALD_TARGET_CLASSES ? target->n_classes : target->values.cols;
    ALD_TRY(ald_scratch(run, rows->x.rows, 1, sizeof *of, &of));
    ALD_TRY(ald_moments_find_patterns(run, target, m, of));
    ALD_TRY(pattern_means(run, &centred, target->weights, of, m));
    if (!ald_settings_method(run->settings)->class_scatters) return ALD_OK;
    return class_scatters(run, rows, target->weights, of, m);
}

int64_t ald_moments_extreme(const ald_moments *m)
{
    for (int64_t j = 0; m->scatter && j < m->d; j++) {
        const double squares = m->scatter[j * m->d + j];
        if (!(squares <= 0x1p1000) || (squares > 0.0 && squares < 0x1p-1000)) return j;
    }
    return -1;
}

ald_status ald_moments_check_size(ald_run *run, const ald_moments *m)
{
    const int64_t j = ald_moments_extreme(m);
    if (j < 0) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_DATA,
                    "X: column %lld is too %s for statistics, which contain its squares: give it in a %s "
                    "unit, or fit all rows at once without `keep_statistics`",
                    (long long)j + 1, m->scatter[j * m->d + j] < 1.0 ? "small" : "large",
                    m->scatter[j * m->d + j] < 1.0 ? "smaller" : "larger");
}

void ald_moments_begin(const ald_operator *rows, const ald_target *target, ald_moments *m)
{
    const int classes = target->kind == ALD_TARGET_CLASSES;
    *m = (ald_moments){
        .n = (double)rows->x.rows,
        .weight = (double)rows->x.rows,
        .weighted = target->weights != NULL,
        .d = rows->x.cols,
        .kind = target->kind,
    };
    if (target->kind != ALD_TARGET_NONE) m->k = classes ? target->n_classes : target->values.cols;
    if (!m->weighted) return;
    m->weight = 0.0;
    for (int64_t i = 0; i < rows->x.rows; i++) m->weight += target->weights[i];
}

/* All rows weigh, or none does. */
static ald_status sum_rows(ald_run *run, const ald_operator *rows, const ald_target *target, ald_moments *m)
{
    const double *weight = target->weights;
    ald_operator centred;
    ald_moments_begin(rows, target, m);
    ALD_TRY(ald_moments_check_order(run, m->d));
    if (!(m->weight > 0.0)) return ALD_OK;
    ALD_TRY(ALD_SCRATCH(run, {&m->mean, m->d, 1}, {&m->scatter, m->d, m->d}));
    ALD_TRY(weigh(run, rows, weight, &centred, m));
    ALD_TRY(ald_operator_scatter(run, &centred, ald_at(m->scatter, m->d, m->d)));
    if (m->kind == ALD_TARGET_NONE) return ALD_OK;
    if (m->kind == ALD_TARGET_REAL) {
        ALD_TRY(response_moments(run, &centred, weight, target, m));
        return curvature(run, rows, target, m);
    }
    return ald_moments_group(run, rows, target, m);
}

/* Rows of weight 0 are left out: nothing of them may enter, not even by rounding. */
ald_status ald_moments_of_rows(ald_run *run, const ald_operator *rows, const ald_target *target,
                               ald_moments *m)
{
    const int64_t *which;
    int64_t count;
    ald_operator kept;
    ald_target kept_target;
    ALD_TRY(ald_rows_that_count(run, rows->x.rows, target->weights, &which, &count));
    if (!which) return sum_rows(run, rows, target, m);
    if (count == 0) {
        ald_moments_begin(rows, target, m);
        m->n = 0.0;
        return ald_moments_check_order(run, m->d);
    }
    ALD_TRY(ald_operator_take(run, rows, which, count, &kept));
    ALD_TRY(ald_target_take(run, target, which, count, &kept_target));
    return sum_rows(run, &kept, &kept_target, m);
}
