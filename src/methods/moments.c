#include "methods/moments.h"

#include "linalg/linalg.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { largest_order = 5000 };

static ald_status check_order(ald_run *run, int64_t d)
{
    if (d <= largest_order) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                    "statistics for updates hold a square of the number of columns: %lld columns would take %.1f GB, "
                    "and %d are the most",
                    (long long)d, (double)d * (double)d * 8e-9, (int)largest_order);
}

/* Patterns by hashing: a slot holds the number of a pattern + 1, 0 is free; at most half full. */
typedef struct pattern_index {
    int64_t k, count, room;
    double *patterns; /* room x k */
    int64_t *slots;
    uint64_t mask;
} pattern_index;

/* Room for `most` patterns of k labels. */
static ald_status new_index(ald_run *run, int64_t most, int64_t k, pattern_index *index)
{
    uint64_t size = 16;
    while (size < 2 * (uint64_t)most) size *= 2;
    *index = (pattern_index){.k = k, .room = most, .mask = size - 1};
    ALD_TRY(ald_scratch(run, (int64_t)size, 1, sizeof *index->slots, &index->slots));
    memset(index->slots, 0, (size_t)size * sizeof *index->slots);
    return ALD_OK;
}

/* The number of the pattern; a new one is added behind the others. Entries are 0 and 1. */
static ald_status find_pattern(ald_run *run, pattern_index *index, const double *row, int64_t *number)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (int64_t j = 0; j < index->k; j++) hash = (hash ^ (uint64_t)(row[j] != 0.0)) * UINT64_C(0x100000001b3);
    for (uint64_t at = (hash ^ hash >> 32) & index->mask;; at = (at + 1) & index->mask) {
        *number = index->slots[at] - 1;
        if (*number < 0) {
            index->slots[at] = index->count + 1;
            break;
        }
        if (memcmp(row, index->patterns + *number * index->k, (size_t)index->k * sizeof *row) == 0) return ALD_OK;
    }
    *number = index->count;
    if ((index->count & (index->count - 1)) == 0) { /* grow at powers of two */
        const int64_t room = index->count ? 2 * index->count : 1;
        double *grown = ald_arena_resize(&run->scratch, index->patterns, room, index->k, sizeof *grown);
        if (!grown) return ald_out_of_memory(run, room, index->k, sizeof *grown);
        index->patterns = grown;
    }
    memcpy(index->patterns + index->count * index->k, row, (size_t)index->k * sizeof *row);
    index->count++;
    return ALD_OK;
}

/* Classes: pattern c is class c, whether it occurs or not. Labels: the distinct rows. `of` is the pattern of each row.
 */
static ald_status find_patterns(ald_run *run, const ald_target *target, ald_moments *m, int64_t *of)
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
    pattern_index index;
    ALD_TRY(new_index(run, target->rows, m->k, &index));
    ALD_TRY(ald_target_numbers(run, target, &y, &ignored));
    for (int64_t i = 0; i < target->rows; i++) ALD_TRY(find_pattern(run, &index, y + i * m->k, &of[i]));
    m->pattern = index.patterns;
    m->patterns = index.count;
    return ALD_OK;
}

enum { patterns_at_once = 64 };

/* Means of the rows of each pattern, by products of the centred rows with indicators, 64 patterns a pass. */
static ald_status pattern_means(ald_run *run, const ald_operator *centred, const int64_t *of, ald_moments *m)
{
    const int64_t n = centred->x.rows, d = m->d;
    double *indicator, *sums;
    ALD_TRY(ald_scratch_zeros(run, m->patterns, 1, &m->count));
    ALD_TRY(ald_scratch_reals(run, m->patterns, d, &m->centre));
    ALD_TRY(ald_scratch_reals(run, n, patterns_at_once, &indicator));
    ALD_TRY(ald_scratch_reals(run, d, patterns_at_once, &sums));
    for (int64_t i = 0; i < n; i++) m->count[of[i]] += 1.0;
    for (int64_t first = 0; first < m->patterns; first += patterns_at_once) {
        const int64_t w = m->patterns - first < patterns_at_once ? m->patterns - first : patterns_at_once;
        memset(indicator, 0, (size_t)(n * w) * sizeof *indicator);
        for (int64_t i = 0; i < n; i++)
            if (of[i] >= first && of[i] < first + w) indicator[i * w + of[i] - first] = 1.0;
        ALD_TRY(ald_operator_apply_transposed(run, centred, indicator, w, sums));
        for (int64_t p = 0; p < w; p++)
            for (int64_t j = 0; j < d; j++) {
                const double count = m->count[first + p];
                m->centre[(first + p) * d + j] = m->mean[j] + (count > 0.0 ? sums[j * w + p] / count : 0.0);
            }
    }
    return ALD_OK;
}

static ald_status response_moments(ald_run *run, const ald_operator *centred, const ald_target *target, ald_moments *m)
{
    const int64_t n = target->rows, k = m->k;
    int64_t ignored;
    double *y;
    ALD_TRY(ald_scratch_zeros(run, k, 1, &m->y_mean));
    ALD_TRY(ald_scratch_reals(run, m->d, k, &m->cross));
    ALD_TRY(ald_scratch_reals(run, k, k, &m->y_scatter));
    ALD_TRY(ald_target_numbers(run, target, &y, &ignored));
    for (int64_t j = 0; j < k; j++) {
        const double base = y[j];
        for (int64_t i = 0; i < n; i++) m->y_mean[j] += (y[i * k + j] - base) / (double)n;
        m->y_mean[j] += base;
        for (int64_t i = 0; i < n; i++) y[i * k + j] -= m->y_mean[j];
    }
    ALD_TRY(ald_gemm(run, 1, 0, k, k, n, 1.0, y, k, y, k, 0.0, m->y_scatter, k));
    return ald_operator_apply_transposed(run, centred, y, k, m->cross);
}

ald_status ald_moments_of_rows(ald_run *run, const ald_operator *rows, const ald_target *target, ald_moments *m)
{
    ald_operator centred = *rows;
    int64_t *of;
    memset(m, 0, sizeof *m);
    m->n = (double)rows->x.rows;
    m->d = rows->x.cols;
    m->kind = target->kind;
    m->k = target->kind == ALD_TARGET_CLASSES ? target->n_classes
           : target->kind == ALD_TARGET_NONE  ? 0
                                              : target->values.cols;
    ALD_TRY(check_order(run, m->d));
    ALD_TRY(ald_scratch_reals(run, m->d, 1, &m->mean));
    ALD_TRY(ald_scratch_reals(run, m->d, m->d, &m->scatter));
    ALD_TRY(ald_column_statistics(run, rows, NULL, (ald_column_moments){.mean = m->mean}));
    centred.mean = m->mean;
    ALD_TRY(ald_operator_scatter(run, &centred, m->scatter));
    if (m->kind == ALD_TARGET_NONE) return ALD_OK;
    if (m->kind == ALD_TARGET_REAL) return response_moments(run, &centred, target, m);
    ALD_TRY(ald_scratch(run, rows->x.rows, 1, sizeof *of, &of));
    ALD_TRY(find_patterns(run, target, m, of));
    return pattern_means(run, &centred, of, m);
}

/* c = a +- b + scale * u v' (rows x cols). Adding: scale = na nb / n; taking away: -n nb / (n - nb), with u, v = mean b
 * - mean a in both. */
static void combine_products(int64_t rows, int64_t cols, const double *a, const double *b, int sign, double scale,
                             const double *u, const double *v, double *c)
{
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < cols; j++)
            c[i * cols + j] = a[i * cols + j] + sign * b[i * cols + j] + scale * u[i] * v[j];
}

/* The combined mean, and the difference of the means. */
static ald_status combine_means(ald_run *run, int64_t d, const double *a, double na, const double *b, double nb,
                                int sign, double **mean, double **apart)
{
    ALD_TRY(ald_scratch_reals(run, d, 1, mean));
    ALD_TRY(ald_scratch_reals(run, d, 1, apart));
    const double part = na + sign * nb > 0.0 ? sign * nb / (na + sign * nb) : 0.0;
    for (int64_t j = 0; j < d; j++) {
        (*apart)[j] = b[j] - a[j];
        (*mean)[j] = a[j] + part * (*apart)[j];
    }
    return ALD_OK;
}

static ald_status combine_patterns(ald_run *run, const ald_moments *a, const ald_moments *b, int sign, ald_moments *out)
{
    const int64_t d = a->d, k = a->k, most = a->patterns + b->patterns;
    double *mean, *apart;
    pattern_index index;
    int64_t at;
    ALD_TRY(new_index(run, most, k, &index));
    for (int64_t p = 0; p < a->patterns; p++) {
        ALD_TRY(find_pattern(run, &index, a->pattern + p * k, &at));
        if (at != p) return ald_fail(run->error, ALD_ERROR_FORMAT, "the model has the same label pattern twice");
    }
    ALD_TRY(ald_scratch_zeros(run, most, 1, &out->count));
    ALD_TRY(ald_scratch_zeros(run, most, d, &out->centre));
    memcpy(out->count, a->count, (size_t)a->patterns * sizeof *a->count);
    memcpy(out->centre, a->centre, (size_t)(a->patterns * d) * sizeof *a->centre);
    for (int64_t p = 0; p < b->patterns; p++) {
        if (!(b->count[p] > 0.0)) continue;
        ALD_TRY(find_pattern(run, &index, b->pattern + p * k, &at));
        const double before = out->count[at];
        if (sign < 0 && before < b->count[p] - 0.5)
            return ald_fail(run->error, ALD_ERROR_DATA,
                            "there are %.0f rows to take away with a target that only %.0f rows of the model have",
                            b->count[p], before);
        const uint64_t mark = ald_arena_mark(&run->scratch);
        ALD_TRY(
            combine_means(run, d, out->centre + at * d, before, b->centre + p * d, b->count[p], sign, &mean, &apart));
        memcpy(out->centre + at * d, mean, (size_t)d * sizeof *mean);
        ald_arena_release(&run->scratch, mark);
        out->count[at] = before + sign * b->count[p];
    }
    out->pattern = index.patterns;
    out->patterns = index.count;
    return ALD_OK;
}

ald_status ald_moments_combine(ald_run *run, const ald_moments *a, const ald_moments *b, int sign, ald_moments *out)
{
    const double n = a->n + sign * b->n, factor = sign * a->n * b->n / n;
    double *apart, *y_apart;
    if (a->d != b->d || a->k != b->k || a->kind != b->kind)
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "the rows have another number of columns, or another kind of target, than those of the model");
    if (!(n >= 2.0))
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "the model was fitted on %.0f rows: with %.0f taken away fewer than two are left", a->n, b->n);
    memset(out, 0, sizeof *out);
    out->n = n;
    out->d = a->d;
    out->k = a->k;
    out->kind = a->kind;
    ALD_TRY(combine_means(run, a->d, a->mean, a->n, b->mean, b->n, sign, &out->mean, &apart));
    ALD_TRY(ald_scratch_reals(run, a->d, a->d, &out->scatter));
    combine_products(a->d, a->d, a->scatter, b->scatter, sign, factor, apart, apart, out->scatter);
    for (int64_t j = 0; j < a->d; j++)
        if (out->scatter[j * a->d + j] < -1e-9 * a->scatter[j * a->d + j])
            return ald_fail(run->error, ALD_ERROR_DATA,
                            "column %lld would be left with a negative variance: these rows were not in the model",
                            (long long)j + 1);
    if (a->kind == ALD_TARGET_NONE) return ALD_OK;
    if (a->kind != ALD_TARGET_REAL) return combine_patterns(run, a, b, sign, out);
    ALD_TRY(combine_means(run, a->k, a->y_mean, a->n, b->y_mean, b->n, sign, &out->y_mean, &y_apart));
    ALD_TRY(ald_scratch_reals(run, a->d, a->k, &out->cross));
    ALD_TRY(ald_scratch_reals(run, a->k, a->k, &out->y_scatter));
    combine_products(a->d, a->k, a->cross, b->cross, sign, factor, apart, y_apart, out->cross);
    combine_products(a->k, a->k, a->y_scatter, b->y_scatter, sign, factor, y_apart, y_apart, out->y_scatter);
    return ALD_OK;
}

static ald_status copy_array(ald_run *run, ald_arena *arena, int64_t rows, int64_t cols, const double *from,
                             double **to)
{
    if (!from) return ALD_OK;
    double *grown = ald_arena_resize(arena, *to, rows, cols, sizeof *grown);
    if (!grown) return ald_out_of_memory(run, rows, cols, sizeof *grown);
    memcpy(grown, from, (size_t)rows * (size_t)cols * sizeof *grown);
    *to = grown;
    return ALD_OK;
}

ald_status ald_moments_copy(ald_run *run, ald_arena *arena, const ald_moments *from, ald_moments *to)
{
    to->n = from->n;
    to->d = from->d;
    to->k = from->k;
    to->kind = from->kind;
    to->patterns = from->patterns;
    ALD_TRY(copy_array(run, arena, from->d, 1, from->mean, &to->mean));
    ALD_TRY(copy_array(run, arena, from->d, from->d, from->scatter, &to->scatter));
    ALD_TRY(copy_array(run, arena, from->patterns, from->k, from->pattern, &to->pattern));
    ALD_TRY(copy_array(run, arena, from->patterns, 1, from->count, &to->count));
    ALD_TRY(copy_array(run, arena, from->patterns, from->d, from->centre, &to->centre));
    ALD_TRY(copy_array(run, arena, from->k, 1, from->y_mean, &to->y_mean));
    ALD_TRY(copy_array(run, arena, from->d, from->k, from->cross, &to->cross));
    return copy_array(run, arena, from->k, from->k, from->y_scatter, &to->y_scatter);
}

ald_status ald_moments_store(ald_run *run, const ald_moments *m, ald_model *model)
{
    ALD_TRY(ald_model_add_vector(run, model, "statistics/n", 1, &m->n));
    ALD_TRY(ald_model_add_vector(run, model, "statistics/mean", m->d, m->mean));
    ALD_TRY(ald_model_add_matrix(run, model, "statistics/scatter", m->d, m->d, m->scatter));
    if (m->kind == ALD_TARGET_NONE) return ALD_OK;
    if (m->kind == ALD_TARGET_REAL) {
        ALD_TRY(ald_model_add_vector(run, model, "statistics/response_mean", m->k, m->y_mean));
        ALD_TRY(ald_model_add_matrix(run, model, "statistics/cross", m->d, m->k, m->cross));
        return ald_model_add_matrix(run, model, "statistics/response_scatter", m->k, m->k, m->y_scatter);
    }
    ALD_TRY(ald_model_add_matrix(run, model, "statistics/pattern", m->patterns, m->k, m->pattern));
    ALD_TRY(ald_model_add_vector(run, model, "statistics/count", m->patterns, m->count));
    return ald_model_add_matrix(run, model, "statistics/centre", m->patterns, m->d, m->centre);
}

/* A copy in scratch of an array that must have this shape. */
static ald_status load_array(ald_run *run, const ald_model *model, const char *name, int64_t rows, int64_t cols,
                             double **copy)
{
    const double *data = ald_model_reals(model, name, rows, cols);
    const int64_t count = rows * (cols < 0 ? 1 : cols);
    if (!data)
        return ald_fail(run->error, ALD_ERROR_FORMAT, "the array %s of the model is missing or has the wrong shape",
                        name);
    for (int64_t i = 0; i < count; i++)
        if (!isfinite(data[i]))
            return ald_fail(run->error, ALD_ERROR_FORMAT, "the array %s of the model is not finite", name);
    ALD_TRY(ald_scratch_reals(run, count, 1, copy));
    memcpy(*copy, data, (size_t)count * sizeof *data);
    return ALD_OK;
}

static int64_t rows_of(const ald_model *model, const char *name)
{
    ald_array array;
    return ald_model_array(model, name, &array) && array.dims > 0 ? array.shape[0] : 0;
}

static ald_status damaged(ald_run *run, const char *what)
{
    return ald_fail(run->error, ALD_ERROR_FORMAT, "the statistics of the model are damaged: %s", what);
}

static int is_count(double value, double least)
{
    return value >= least && value <= 9007199254740992.0 && floor(value) >= value;
}

/* Labels are 0 and 1, classes are the unit vectors, and the counts add up. */
static ald_status check_patterns(ald_run *run, const ald_moments *m)
{
    double sum = 0.0;
    for (int64_t p = 0; p < m->patterns; p++) {
        if (!is_count(m->count[p], 0.0)) return damaged(run, "a count is not a whole number");
        sum += m->count[p];
        for (int64_t j = 0; j < m->k; j++) {
            const double entry = m->pattern[p * m->k + j];
            if (m->kind == ALD_TARGET_CLASSES ? entry != (double)(p == j) : entry != 0.0 && entry != 1.0)
                return damaged(run, "a pattern of labels is none");
        }
    }
    if (m->kind == ALD_TARGET_CLASSES && m->patterns != m->k) return damaged(run, "the number of classes");
    return sum < m->n || sum > m->n ? damaged(run, "the counts do not add up") : ALD_OK;
}

static ald_status load_target(ald_run *run, const ald_model *model, const char *target, ald_moments *m)
{
    ald_array pattern;
    if (strcmp(target, "none") == 0) return ALD_OK;
    if (strcmp(target, "real") == 0) {
        m->kind = ALD_TARGET_REAL;
        m->k = rows_of(model, "statistics/response_mean");
        if (m->k < 1) return damaged(run, "there are no responses");
        ALD_TRY(load_array(run, model, "statistics/response_mean", m->k, -1, &m->y_mean));
        ALD_TRY(load_array(run, model, "statistics/cross", m->d, m->k, &m->cross));
        return load_array(run, model, "statistics/response_scatter", m->k, m->k, &m->y_scatter);
    }
    m->kind = strcmp(target, "classes") == 0 ? ALD_TARGET_CLASSES : ALD_TARGET_LABELS;
    m->patterns = rows_of(model, "statistics/count");
    m->k = ald_model_array(model, "statistics/pattern", &pattern) && pattern.dims == 2 ? pattern.shape[1] : 0;
    if (m->patterns < 1 || m->k < 1) return damaged(run, "there are no patterns of labels");
    ALD_TRY(load_array(run, model, "statistics/pattern", m->patterns, m->k, &m->pattern));
    ALD_TRY(load_array(run, model, "statistics/count", m->patterns, -1, &m->count));
    ALD_TRY(load_array(run, model, "statistics/centre", m->patterns, m->d, &m->centre));
    return check_patterns(run, m);
}

ald_status ald_moments_load(ald_run *run, const ald_model *model, ald_moments *m)
{
    const char *target = ald_model_text(model, "alidade.target");
    double *n;
    memset(m, 0, sizeof *m);
    if (!target || !ald_model_reals(model, "statistics/n", 1, -1))
        return ald_fail(
            run->error, ALD_ERROR_UNSUPPORTED,
            "the model keeps no statistics: fit it with keep_statistics (--keep-statistics) to update it later");
    m->d = ald_model_features(model);
    ALD_TRY(check_order(run, m->d));
    ALD_TRY(load_array(run, model, "statistics/n", 1, -1, &n));
    m->n = *n;
    if (!is_count(m->n, 2.0)) return damaged(run, "the number of rows");
    ALD_TRY(load_array(run, model, "statistics/mean", m->d, -1, &m->mean));
    ALD_TRY(load_array(run, model, "statistics/scatter", m->d, m->d, &m->scatter));
    for (int64_t j = 0; j < m->d; j++)
        if (m->scatter[j * m->d + j] < 0.0) return damaged(run, "a negative variance");
    return load_target(run, model, target, m);
}

/* Rows (order of them) of a root R'R of the symmetric a (destroyed), which is positive semidefinite but for rounding.
 * Its rows and columns are divided by `sizes` first, so that quantities of very different size keep their digits. */
static ald_status root_rows(ald_run *run, int64_t order, double *a, const double *sizes, double *rows, int64_t stride)
{
    double *values, *vectors;
    ALD_TRY(ald_scratch_reals(run, order, 1, &values));
    ALD_TRY(ald_scratch_reals(run, order, order, &vectors));
    for (int64_t i = 0; i < order; i++)
        for (int64_t j = 0; j < order; j++) a[i * order + j] /= sizes[i] * sizes[j];
    ALD_TRY(ald_eigen(run, order, a, order, values, vectors));
    /* The root of rounding would be far above rounding: a direction without scatter must not get any. */
    const double noise = 8.0 * (double)order * DBL_EPSILON * fmax(values[0], 1.0);
    for (int64_t i = 0; i < order; i++)
        for (int64_t j = 0; j < order; j++)
            rows[i * stride + j] = (values[i] > noise ? sqrt(values[i]) : 0.0) * vectors[i * order + j] * sizes[j];
    return ALD_OK;
}

/* Roots of the diagonal of a symmetric matrix, 1 where it is 0, behind `sizes`. */
static void diagonal_roots(int64_t order, const double *a, double *sizes)
{
    for (int64_t i = 0; i < order; i++) sizes[i] = a[i * order + i] > 0.0 ? sqrt(a[i * order + i]) : 1.0;
}

static ald_status pattern_problem(ald_run *run, const ald_moments *m, ald_target *target, ald_problem *problem)
{
    const int64_t d = m->d, P = m->patterns, rows = P + d;
    double *x, *within, *weights, *labels, *sizes;
    int32_t *classes;
    ALD_TRY(ald_scratch_reals(run, rows, d, &x));
    ALD_TRY(ald_scratch_reals(run, d, d, &within));
    ALD_TRY(ald_scratch_zeros(run, rows, 1, &weights));
    for (int64_t p = 0; p < P; p++) {
        weights[p] = m->count[p];
        for (int64_t j = 0; j < d; j++) x[p * d + j] = sqrt(m->count[p]) * (m->centre[p * d + j] - m->mean[j]);
    }
    memcpy(within, m->scatter, (size_t)(d * d) * sizeof *within);
    if (P > 0) ALD_TRY(ald_gemm(run, 1, 0, d, d, P, -1.0, x, d, x, d, 1.0, within, d));
    ALD_TRY(ald_scratch_reals(run, d, 1, &sizes));
    diagonal_roots(d, m->scatter, sizes);
    ALD_TRY(root_rows(run, d, within, sizes, x + P * d, d));
    problem->x.x = ald_matrix_rows(x, rows, d, d);
    if (m->kind == ALD_TARGET_NONE) return ALD_OK;
    problem->weights = weights;
    if (m->kind == ALD_TARGET_CLASSES) {
        ALD_TRY(ald_scratch(run, rows, 1, sizeof *classes, &classes));
        for (int64_t i = 0; i < rows; i++) classes[i] = (int32_t)(i < P ? i : 0);
        *target = ald_target_classes(classes, rows, m->k);
        return ALD_OK;
    }
    ALD_TRY(ald_scratch_zeros(run, rows, m->k, &labels));
    memcpy(labels, m->pattern, (size_t)(P * m->k) * sizeof *labels);
    *target = ald_target_labels(ald_matrix_rows(labels, rows, m->k, m->k));
    return ALD_OK;
}

static ald_status response_problem(ald_run *run, const ald_moments *m, ald_target *target, ald_problem *problem)
{
    const int64_t d = m->d, order = d + m->k;
    double *joint, *rows, *sizes;
    ALD_TRY(ald_scratch_reals(run, order, 1, &sizes));
    diagonal_roots(d, m->scatter, sizes);
    diagonal_roots(m->k, m->y_scatter, sizes + d);
    ALD_TRY(ald_scratch_reals(run, order, order, &joint));
    ALD_TRY(ald_scratch_reals(run, order, order, &rows));
    for (int64_t i = 0; i < order; i++)
        for (int64_t j = i; j < order; j++)
            joint[j * order + i] = joint[i * order + j] = j < d   ? m->scatter[i * d + j]
                                                          : i < d ? m->cross[i * m->k + j - d]
                                                                  : m->y_scatter[(i - d) * m->k + j - d];
    ALD_TRY(root_rows(run, order, joint, sizes, rows, order));
    problem->x.x = ald_matrix_rows(rows, order, d, order);
    problem->centred = 1;
    *target = ald_target_real(ald_matrix_rows(rows + d, order, m->k, order));
    return ALD_OK;
}

static ald_status set_scale(ald_run *run, const ald_moments *m, ald_problem *problem)
{
    double *scale, *inverse;
    if (ald_setting_is(run, "scale", "none")) return ALD_OK;
    if (ald_setting_is(run, "scale", "minmax"))
        return ald_fail(
            run->error, ALD_ERROR_UNSUPPORTED,
            "scale=minmax cannot be updated: the range of rows that are gone is not known; use standard or none");
    ALD_TRY(ald_scratch_reals(run, m->d, 1, &scale));
    ALD_TRY(ald_scratch_reals(run, m->d, 1, &inverse));
    for (int64_t j = 0; j < m->d; j++) {
        const double variance = m->scatter[j * m->d + j] / m->n;
        scale[j] = variance > 0.0 ? sqrt(variance) : 0.0;
        if (!(scale[j] > 16.0 * DBL_EPSILON * fabs(m->mean[j]))) scale[j] = 1.0;
        inverse[j] = 1.0 / scale[j];
    }
    problem->scale = scale;
    problem->x.inverse_scale = inverse;
    return ALD_OK;
}

ald_status ald_moments_problem(ald_run *run, const ald_moments *m, ald_target *target, ald_problem *problem)
{
    memset(problem, 0, sizeof *problem);
    memset(target, 0, sizeof *target);
    ALD_TRY(m->kind == ALD_TARGET_REAL ? response_problem(run, m, target, problem)
                                       : pattern_problem(run, m, target, problem));
    problem->n = problem->x.x.rows;
    problem->d = m->d;
    problem->total = m->n;
    problem->r = ald_setting_int(run, "n_components");
    problem->target = target;
    return set_scale(run, m, problem);
}
