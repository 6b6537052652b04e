/* Rows as points: prepared rows of any storage, read in place where that can be, with a centre and a unit
 * that bring them into the range of single precision; and exact squared distances
 *
 *   |a - b|^2 = sum_j (scale_j (a_j - b_j))^2,
 *
 * from differences in double, so that equal rows have distance 0. */
#include "math/near/points.h"

#include "base/numbers/ordering.h"
#include "base/numbers/wide.h"
#include "base/threads/threads.h"
#include "math/operator/dense.h"
#include "math/operator/sparse.h"

#include <float.h>
#include <math.h>
#include <string.h>

const char *ald_points_standing(const ald_points *points, int64_t i0, int64_t *stride, int *single)
{
    const ald_operator *z = &points->rows;
    const int plain = !points->which && z->x.col_stride == 1 && !z->row_shift && !z->row_factor;
    *single = z->x.type == ALD_F32;
    if (points->sparse || !plain) return NULL;
    *stride = z->x.row_stride * (int64_t)(*single ? sizeof(float) : sizeof(double));
    return (const char *)z->x.values + i0 * *stride;
}

const double *ald_points_rows(const ald_points *points, int64_t i0, int64_t m, double *buffer,
                              int64_t *stride)
{
    const int64_t d = points->d;
    int single;
    const char *standing = ald_points_standing(points, i0, stride, &single);
    *stride = standing && !single ? points->rows.x.row_stride : d;
    if (standing && !single) return (const double *)(const void *)standing;
    if (!points->which)
        ald_dense_write_rows(&points->rows, i0, m, buffer);
    else
        for (int64_t i = 0; i < m; i++)
            ald_dense_write_rows(&points->rows, points->which[i0 + i], 1, buffer + i * d);
    return buffer;
}

double ald_square_dense(int64_t d, const double *scale, const double *a, const double *b)
{
    double sum = 0.0;
    for (int64_t j = 0; j < d; j++) {
        const double difference = scale ? (a[j] - b[j]) * scale[j] : a[j] - b[j];
        sum += difference * difference;
    }
    return sum;
}

/* s_p += (scale_k (a_p[k] - b_p[k]))^2 for four pairs p and k = j, ..., j + 3, in this order for each pair:
 * the squares of a pair are computed side by side, and turned so that the four sums stand side by side. */
ALD_WITHIN void add_four_columns(const ald_four square[4], ald_four *sums)
{
    const ald_four even01 = __builtin_shufflevector(square[0], square[1], 0, 4, 2, 6),
                   odd01 = __builtin_shufflevector(square[0], square[1], 1, 5, 3, 7),
                   even23 = __builtin_shufflevector(square[2], square[3], 0, 4, 2, 6),
                   odd23 = __builtin_shufflevector(square[2], square[3], 1, 5, 3, 7);
    *sums += __builtin_shufflevector(even01, even23, 0, 1, 4, 5);
    *sums += __builtin_shufflevector(odd01, odd23, 0, 1, 4, 5);
    *sums += __builtin_shufflevector(even01, even23, 2, 3, 6, 7);
    *sums += __builtin_shufflevector(odd01, odd23, 2, 3, 6, 7);
}

#define SQUARES_OF_FOUR(name, type, FOUR)                                                                    \
    ALD_WIDE static void name(int64_t d, const double *scale, const void *const *from,                       \
                              const void *const *to, double *squares)                                        \
    {                                                                                                        \
        const type *const a[4] = {from[0], from[1], from[2], from[3]};                                       \
        const type *const b[4] = {to[0], to[1], to[2], to[3]};                                               \
        ald_four sums = {0.0}, square[4];                                                                    \
        int64_t j = 0;                                                                                       \
        for (; j + 4 <= d; j += 4) {                                                                         \
            for (int p = 0; p < 4; p++) {                                                                    \
                ald_four apart = FOUR((a[p] + j)) - FOUR((b[p] + j));                                        \
                if (scale) apart *= ALD_FOUR_OF(scale + j);                                                  \
                square[p] = apart * apart;                                                                   \
            }                                                                                                \
            add_four_columns(square, &sums);                                                                 \
        }                                                                                                    \
        for (; j < d; j++)                                                                                   \
            for (int p = 0; p < 4; p++) {                                                                    \
                const double apart = ((double)a[p][j] - (double)b[p][j]) * (scale ? scale[j] : 1.0);         \
                sums[p] += apart * apart;                                                                    \
            }                                                                                                \
        ALD_FOUR(squares) = sums;                                                                            \
    }
#define FOUR_WIDENED(place)                                                                                  \
    ((ald_four){(double)(place)[0], (double)(place)[1], (double)(place)[2], (double)(place)[3]})
SQUARES_OF_FOUR(of_four_double, double, ALD_FOUR_OF)
SQUARES_OF_FOUR(of_four_single, float, FOUR_WIDENED)
#undef FOUR_WIDENED
#undef SQUARES_OF_FOUR

void ald_squares_of_four(int64_t d, const double *scale, int single, const void *const *a,
                         const void *const *b, double *squares)
{
    if (single)
        of_four_single(d, scale, a, b, squares);
    else
        of_four_double(d, scale, a, b, squares);
}

/* out = (row - centre) scale unit, in working precision; scale may be NULL. */
#define ROUGH(name, type)                                                                                    \
    ALD_WIDE static void name(const ald_points *points, const double *restrict row, type *restrict out)      \
    {                                                                                                        \
        const double *restrict centre = points->centre, *restrict scale = points->scale;                     \
        const double unit = points->unit;                                                                    \
        if (scale)                                                                                           \
            for (int64_t j = 0; j < points->d; j++) out[j] = (type)((row[j] - centre[j]) * scale[j] * unit); \
        else                                                                                                 \
            for (int64_t j = 0; j < points->d; j++) out[j] = (type)((row[j] - centre[j]) * unit);            \
    }
ROUGH(rough_single, float)
ROUGH(rough_double, double)
#undef ROUGH

double ald_points_rough(const ald_points *points, const double *row, int is_double, void *out)
{
    double squares[4] = {0.0};
    const double *whole = out;
    const float *narrow = out;
    if (is_double)
        rough_double(points, row, out);
    else
        rough_single(points, row, out);
    for (int64_t j = 0; is_double && j < points->d; j++) squares[j % 4] += whole[j] * whole[j];
    for (int64_t j = 0; !is_double && j < points->d; j++)
        squares[j % 4] += (double)narrow[j] * (double)narrow[j];
    return (squares[0] + squares[1]) + (squares[2] + squares[3]);
}

/* The scale of a column, squared where it is summed for the columns that neither row has. */
static double scale_at(const ald_points *points, int64_t column)
{
    return points->scale ? points->scale[column] : 1.0;
}

double ald_square_sparse(const ald_points *a, int64_t i, const ald_points *b, int64_t j)
{
    const int64_t ra = ald_points_row(a, i), rb = ald_points_row(b, j), end_a = a->pointers[ra + 1],
                  end_b = b->pointers[rb + 1];
    const double apart = a->shift ? a->shift[ra] - b->shift[rb] : 0.0;
    int64_t p = a->pointers[ra], q = b->pointers[rb];
    double sum = 0.0, met = 0.0;
    while (p < end_a || q < end_b) {
        const int64_t column_a = p < end_a ? a->indices[p] : INT64_MAX,
                      column_b = q < end_b ? b->indices[q] : INT64_MAX;
        const int64_t column = column_a < column_b ? column_a : column_b;
        const double va = column_a == column ? a->values[p++] : 0.0,
                     vb = column_b == column ? b->values[q++] : 0.0;
        const double s = scale_at(a, column), difference = (va - vb - apart) * s;
        sum += difference * difference;
        met += s * s;
    }
    return apart == 0.0 ? sum : sum + apart * apart * fmax(a->scale_squares - met, 0.0);
}

enum { block_entries = 1 << 15, fewest_rows = 1024 };

typedef struct measuring {
    ald_run *run;
    const ald_points *points;
    int parts;
    int64_t step;
    double *buffers; /* step x d for each part */
    ald_status asked;
    double reach[ALD_MOST_PARTS], longest[ALD_MOST_PARTS];
} measuring;

static void measure_row(const ald_points *points, const double *row, double *reach, double *longest)
{
    double square = 0.0;
    for (int64_t j = 0; j < points->d; j++) {
        const double s = scale_at(points, j), away = fabs(row[j] - points->centre[j]) * s;
        if (away > *reach) *reach = away;
        square += row[j] * s * row[j] * s;
    }
    if (square > *longest) *longest = square;
}

/* The caller's thread asks whether to continue; the others finish soon after it. */
static void measure_part(void *work, int part)
{
    measuring *w = work;
    const ald_points *points = w->points;
    const int64_t first = ald_part_begin(points->n, w->parts, part),
                  last = ald_part_begin(points->n, w->parts, part + 1);
    double *buffer = w->buffers + part * w->step * points->d;
    double reach = 0.0, longest = 0.0;
    int64_t stride;
    for (int64_t i0 = first; i0 < last; i0 += w->step) {
        const int64_t m = ald_least(w->step, last - i0);
        if (part == 0) w->asked = ald_ask_after(w->run, 4.0 * ALD_VALUE_WORK * (double)(m * points->d));
        if (part == 0 && w->asked < 0) break;
        const double *rows = ald_points_rows(points, i0, m, buffer, &stride);
        for (int64_t i = 0; i < m; i++) measure_row(points, rows + i * stride, &reach, &longest);
    }
    w->reach[part] = reach;
    w->longest[part] = longest;
}

/* The largest coordinate about the centre, and the longest row as given, both scaled. */
static ald_status measure_dense(ald_run *run, ald_points *points)
{
    const int64_t d = points->d;
    measuring w = {
        .run = run,
        .points = points,
        .parts = ald_parts(run, points->n, fewest_rows),
        .step = block_entries / ald_within(d, 1, block_entries),
    };
    double longest = 0.0, central = 0.0;
    ALD_TRY(ald_scratch_reals(run, w.parts * w.step, d, &w.buffers));
    ald_parallel(w.parts, measure_part, &w);
    ALD_TRY(w.asked);
    points->reach = 0.0;
    for (int part = 0; part < w.parts; part++) {
        points->reach = fmax(points->reach, w.reach[part]);
        longest = fmax(longest, w.longest[part]);
    }
    for (int64_t j = 0; j < d; j++) central += pow(points->centre[j] * scale_at(points, j), 2.0);
    points->blur = 8.0 * DBL_EPSILON * (sqrt(longest) + sqrt(central));
    return ALD_OK;
}

static ald_status new_dense(ald_run *run, ald_points *points)
{
    double *centre;
    ALD_TRY(ald_scratch_reals(run, points->d, 1, &centre));
    ALD_TRY(ald_column_statistics(run, &points->rows, NULL, (ald_column_moments){.mean = centre}));
    points->centre = centre;
    return measure_dense(run, points);
}

/* Rows times their factor, as int64_t and double. */
static ald_status collect_rows(ald_run *run, ald_points *points)
{
    const double *factor = points->rows.row_factor;
    ald_matrix csr;
    double *values;
    ALD_TRY(ald_sparse_ordered(run, &points->rows.x, 1, &csr));
    memcpy(&values, &csr.values, sizeof values); /* the copy is ours to write to, though the view is const */
    points->pointers = csr.pointers;
    points->indices = csr.indices;
    points->values = values;
    for (int64_t i = 0; factor && i < csr.rows; i++)
        for (int64_t e = points->pointers[i]; e < points->pointers[i + 1]; e++) values[e] *= factor[i];
    return ALD_OK;
}

static ald_status collect_shifts(ald_run *run, ald_points *points)
{
    const ald_operator *z = &points->rows;
    double *shift;
    if (!z->row_shift) return ALD_OK;
    ALD_TRY(ald_scratch_reals(run, z->x.rows, 1, &shift));
    for (int64_t i = 0; i < z->x.rows; i++)
        shift[i] = z->row_shift[i] * (z->row_factor ? z->row_factor[i] : 1.0);
    points->shift = shift;
    return ALD_OK;
}

static ald_status new_sparse(ald_run *run, ald_points *points)
{
    ALD_TRY(collect_rows(run, points));
    ALD_TRY(collect_shifts(run, points));
    for (int64_t j = 0; j < points->d; j++)
        points->scale_squares += scale_at(points, j) * scale_at(points, j);
    const double side = sqrt(points->scale_squares);
    for (int64_t i = 0; i < points->n; i++) {
        const int64_t row = ald_points_row(points, i);
        double square = 0.0;
        for (int64_t e = points->pointers[row]; e < points->pointers[row + 1]; e++)
            square += pow(points->values[e] * scale_at(points, points->indices[e]), 2.0);
        points->reach =
            fmax(points->reach, sqrt(square) + (points->shift ? fabs(points->shift[row]) * side : 0.0));
    }
    return ALD_OK;
}

/* A power of two, so that multiplying by it rounds nothing. */
static double unit_of(double reach)
{
    int exponent = 0;
    if (reach > 0.0 && isfinite(reach)) frexp(reach, &exponent);
    if (exponent > 500) exponent = 500;
    if (exponent < -500) exponent = -500;
    return ldexp(1.0, -exponent);
}

ald_status ald_points_new(ald_run *run, const ald_rows *rows, ald_points *points)
{
    const ald_operator *z = rows->z;
    *points = (ald_points){.n = rows->which ? rows->count : z->x.rows, .d = z->x.cols, .which = rows->which};
    points->rows = (ald_operator){.x = z->x, .row_shift = z->row_shift, .row_factor = z->row_factor};
    points->scale = z->inverse_scale;
    points->sparse = z->x.storage != ALD_DENSE;
    ALD_TRY(points->sparse ? new_sparse(run, points) : new_dense(run, points));
    points->unit = unit_of(points->reach);
    return ALD_OK;
}

ald_status ald_points_join(ald_run *run, ald_points *first, ald_points *second)
{
    if (!first->sparse && first->centre != second->centre) {
        second->centre = first->centre;
        ALD_TRY(measure_dense(run, second));
    }
    first->unit = second->unit = unit_of(fmax(first->reach, second->reach));
    first->blur = second->blur = fmax(first->blur, second->blur);
    return ALD_OK;
}
