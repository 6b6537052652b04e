/* Moments as exact sums (moments/exact.h): why they are there, and how a sum of three doubles is formed.
 *
 * Without them a row with one cell of 10^6 standard deviations that was added by mistake and taken out again
 * leaves an error of 2e-8 in the directions of lda, one of 10^9 leaves 0.08, one of 10^12 nothing of them;
 * with them 5e-14 is left of each (docs/performance.md). The old rows are not there to be fitted again. */
#include "methods/moments/exact.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* s = s[0] + s[1] + s[2] holds about 150 bits: what is added and taken away again leaves what was there
 * before, though it was 10^20 times as large.
 *
 *   two_sum (Knuth)   s = fl(a + b),   e = (a - (s - (s - a))) + (b - (s - a)),   a + b = s + e
 *   two_product       p = fl(a b),     e = fma(a, b, -p),                         a b = p + e
 *
 * hold exactly, whichever is larger. Only the last of the three doubles is rounded, so an addition errs by
 * 2^-159 of the largest sum there has been. */
static double two_sum(double a, double b, double *error)
{
    const double sum = a + b, part = sum - a;
    *error = (a - (sum - part)) + (b - part);
    return sum;
}

static double two_product(double a, double b, double *error)
{
    const double product = a * b;
    *error = fma(a, b, -product);
    return product;
}

/* s += x. */
static void expansion_add(double *s, double x)
{
    double error;
    s[0] = two_sum(s[0], x, &error);
    s[1] = two_sum(s[1], error, &error);
    s[2] += error;
}

/* s += a b, of numbers. */
static void expansion_add_product(double *s, double a, double b)
{
    double error;
    expansion_add(s, two_product(a, b, &error));
    if (error != 0.0) expansion_add(s, error);
}

/* s += sign a b, of expansions; what is below 2^-150 of it is left out. */
static void expansion_add_multiple(double *s, double sign, const double *a, const double *b)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; i + j < 3; j++) {
            if (i + j < 2)
                expansion_add_product(s, sign * a[i], b[j]);
            else
                expansion_add(s, sign * a[i] * b[j]);
        }
}

/* The parts in order of size and apart: s[0] is then the sum to rounding. */
static void expansion_order(double *s)
{
    for (int pass = 0; pass < 2; pass++) {
        s[1] = two_sum(s[1], s[2], &s[2]);
        s[0] = two_sum(s[0], s[1], &s[1]);
    }
}

/* The error of a sum of three doubles, and of a scatter by the backend. */
static const double sum_error = 0x1p-150;

/* The error of a sum of n squares by the backend, relative to it. An accumulator takes some 500 products one
 * after the other, each of which may round the same way by half an eps, and such sums are added. */
static double plain_error(double n)
{
    enum { block = 512 };
    return (8.0 + 0.5 * fmin(n, block) + n / block) * DBL_EPSILON;
}

static ald_status zeros(ald_run *run, ald_arena *arena, int64_t rows, int64_t cols, double **array)
{
    return ald_get_clear(run, arena, rows, cols, sizeof **array, array);
}

ald_status ald_exact_begin(ald_run *run, ald_arena *arena, ald_moments *m)
{
    ALD_TRY(zeros(run, arena, ald_packed(ald_exact_joint_order(m)), 3, &m->exact.joint));
    if (!m->lost) ALD_TRY(zeros(run, arena, m->d, 1, &m->lost));
    if (m->patterns > 0) ALD_TRY(zeros(run, arena, m->patterns * m->d, 3, &m->exact.centre));
    if (m->within) ALD_TRY(zeros(run, arena, m->patterns * ald_packed(m->d), 3, &m->exact.within));
    return ALD_OK;
}

/* sums (packed) += weight v v'. */
static void add_square(int64_t order, const double *v, double weight, double *sums)
{
    for (int64_t i = 0; i < order; i++) {
        double low;
        const double high = two_product(weight, v[i], &low);
        for (int64_t j = i; j < order; j++, sums += 3) {
            expansion_add_product(sums, high, v[j]);
            if (low != 0.0) expansion_add_product(sums, low, v[j]);
        }
    }
}

/* The same of v = (1, x, y) without writing it down. */
static void add_joint(const ald_moments *m, const double *x, const double *y, double weight)
{
    const int64_t d = m->d, responses = ald_exact_joint_order(m) - 1 - d;
    double *sums = m->exact.joint;
    expansion_add(sums, weight);
    sums += 3;
    for (int64_t j = 0; j < d; j++, sums += 3) expansion_add_product(sums, weight, x[j]);
    for (int64_t j = 0; j < responses; j++, sums += 3) expansion_add_product(sums, weight, y[j]);
    for (int64_t i = 0; i < d; i++) {
        double low;
        const double high = two_product(weight, x[i], &low);
        for (int64_t j = i; j < d + responses; j++, sums += 3) {
            const double other = j < d ? x[j] : y[j - d];
            expansion_add_product(sums, high, other);
            if (low != 0.0) expansion_add_product(sums, low, other);
        }
    }
    add_square(responses, y, weight, sums);
}

static void add_centre(const ald_moments *m, int64_t pattern, const double *x, double weight)
{
    double *centre = m->exact.centre + 3 * pattern * m->d;
    for (int64_t j = 0; j < m->d; j++) expansion_add_product(centre + 3 * j, weight, x[j]);
    if (m->within) add_square(m->d, x, weight, m->exact.within + 3 * pattern * ald_packed(m->d));
}

/* The sum of the squares of column j, of the joint sums. */
static const double *square_of(const ald_moments *m, int64_t j)
{
    const int64_t order = ald_exact_joint_order(m), i = j + 1;
    return m->exact.joint + 3 * (i * order - i * (i - 1) / 2);
}

static void add_loss(ald_moments *m)
{
    for (int64_t j = 0; j < m->d; j++) m->lost[j] += sum_error * fabs(square_of(m, j)[0]);
}

void ald_exact_add_row(ald_moments *m, const double *x, const double *y, int64_t pattern, double weight)
{
    add_joint(m, x, y, weight);
    if (m->patterns > 0) {
        add_centre(m, pattern, x, weight);
        m->count[pattern] += weight;
    }
    add_loss(m);
}

/* sums (packed) += sign scatter, `stride` apart. */
static void add_scatter(int64_t order, const double *scatter, double sign, double *sums)
{
    for (int64_t i = 0; i < order; i++)
        for (int64_t j = i; j < order; j++, sums += 3) expansion_add(sums, sign * scatter[i * order + j]);
}

static void add_joint_scatter(const ald_moments *m, const ald_moments *b, double sign)
{
    const int64_t d = m->d, responses = ald_exact_joint_order(m) - 1 - d;
    double *sums = m->exact.joint + 3 * (1 + d + responses);
    for (int64_t i = 0; i < d; i++) {
        for (int64_t j = i; j < d; j++, sums += 3) expansion_add(sums, sign * b->scatter[i * d + j]);
        for (int64_t j = 0; j < responses; j++, sums += 3)
            expansion_add(sums, sign * b->cross[i * responses + j]);
    }
    if (responses > 0) add_scatter(responses, b->y_scatter, sign, sums);
}

void ald_exact_add_plain(ald_moments *m, const ald_moments *b, const int64_t *places, double sign)
{
    const int64_t d = m->d;
    add_joint(m, b->mean, b->y_mean, sign * b->weight);
    add_joint_scatter(m, b, sign);
    for (int64_t p = 0; p < b->patterns; p++) {
        const int64_t at = places ? places[p] : p;
        add_centre(m, at, b->centre + p * d, sign * b->count[p]);
        if (m->within) add_scatter(d, b->within + p * d * d, sign, m->exact.within + 3 * at * ald_packed(d));
    }
    for (int64_t j = 0; j < d; j++) m->lost[j] += plain_error(b->n) * b->scatter[j * d + j];
    add_loss(m);
}

ald_status ald_exact_from_plain(ald_run *run, ald_arena *arena, ald_moments *m)
{
    if (m->d <= ALD_EXACT_ORDER && !m->curved) {
        ALD_TRY(ald_exact_begin(run, arena, m));
        ald_exact_add_plain(m, m, NULL, 1.0);
        return ALD_OK;
    }
    if (m->lost) return ALD_OK;
    ALD_TRY(zeros(run, arena, m->d, 1, &m->lost));
    for (int64_t j = 0; j < m->d; j++) m->lost[j] = plain_error(m->n) * m->scatter[j * m->d + j];
    return ALD_OK;
}

static void add_expansions(int64_t count, double sign, const double *b, double *a)
{
    for (int64_t i = 0; i < 3 * count; i += 3) {
        for (int part = 0; part < 3; part++) expansion_add(a + i, sign * b[i + part]);
        expansion_order(a + i);
    }
}

void ald_exact_add_sums(ald_moments *m, const ald_moments *b, const int64_t *places, double sign)
{
    const int64_t d = m->d, square = ald_packed(d);
    add_expansions(ald_packed(ald_exact_joint_order(m)), sign, b->exact.joint, m->exact.joint);
    for (int64_t p = 0; p < b->patterns; p++) {
        const int64_t at = places ? places[p] : p;
        add_expansions(d, sign, b->exact.centre + 3 * p * d, m->exact.centre + 3 * at * d);
        if (m->within)
            add_expansions(square, sign, b->exact.within + 3 * p * square, m->exact.within + 3 * at * square);
    }
    for (int64_t j = 0; j < d; j++) m->lost[j] += b->lost[j];
    add_loss(m);
}

/* sum - a b / total, to rounding. */
static double centred(const double *sum, const double *a, const double *b, const double *total)
{
    double left[3] = {0.0, 0.0, 0.0};
    expansion_add_multiple(left, 1.0, sum, total);
    expansion_add_multiple(left, -1.0, a, b);
    expansion_order(left);
    return left[0] / total[0];
}

/* The scatter about the mean of packed sums, given the sums of the columns and of the weights. */
static void derive_scatter(int64_t order, const double *sums, const double *columns, const double *total,
                           double *scatter)
{
    for (int64_t i = 0; i < order; i++)
        for (int64_t j = i; j < order; j++, sums += 3)
            scatter[i * order + j] = scatter[j * order + i] =
                centred(sums, columns + 3 * i, columns + 3 * j, total);
}

static void derive_joint(ald_moments *m)
{
    const int64_t d = m->d, responses = ald_exact_joint_order(m) - 1 - d;
    const double *total = m->exact.joint, *columns = total + 3, *sums = columns + 3 * (d + responses);
    for (int64_t j = 0; j < d; j++) m->mean[j] = columns[3 * j] / total[0];
    for (int64_t j = 0; j < responses; j++) m->y_mean[j] = columns[3 * (d + j)] / total[0];
    for (int64_t i = 0; i < d; i++) {
        for (int64_t j = i; j < d; j++, sums += 3)
            m->scatter[i * d + j] = m->scatter[j * d + i] =
                centred(sums, columns + 3 * i, columns + 3 * j, total);
        for (int64_t j = 0; j < responses; j++, sums += 3)
            m->cross[i * responses + j] = centred(sums, columns + 3 * i, columns + 3 * (d + j), total);
    }
    if (responses > 0) derive_scatter(responses, sums, columns + 3 * d, total, m->y_scatter);
}

/* A column whose variance is indistinguishable from what is lost is constant. */
static void flatten(ald_moments *m)
{
    const int64_t d = m->d;
    for (int64_t j = 0; j < d; j++) {
        const double left = m->scatter[j * d + j];
        if (!(left <= m->lost[j] && left >= -m->lost[j])) continue;
        for (int64_t i = 0; i < d; i++) m->scatter[i * d + j] = m->scatter[j * d + i] = 0.0;
        for (int64_t k = 0; m->kind == ALD_TARGET_REAL && k < m->k; k++) m->cross[j * m->k + k] = 0.0;
    }
}

static void derive_pattern(ald_moments *m, int64_t p)
{
    const int64_t d = m->d;
    const double *columns = m->exact.centre + 3 * p * d;
    const double total[3] = {m->count[p], 0.0, 0.0};
    if (!(m->count[p] > 0.0)) return;
    for (int64_t j = 0; j < d; j++) m->centre[p * d + j] = columns[3 * j] / m->count[p];
    if (m->within)
        derive_scatter(d, m->exact.within + 3 * p * ald_packed(d), columns, total, m->within + p * d * d);
}

void ald_exact_derive(ald_moments *m)
{
    const int64_t entries = 3 * ald_packed(ald_exact_joint_order(m));
    for (int64_t i = 0; i < entries; i += 3) expansion_order(m->exact.joint + i);
    for (int64_t i = 0; i < 3 * m->patterns * m->d; i += 3) expansion_order(m->exact.centre + i);
    derive_joint(m);
    flatten(m);
    for (int64_t p = 0; p < m->patterns; p++) derive_pattern(m, p);
}
