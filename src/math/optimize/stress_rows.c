/* The two passes over the pairs, by lanes of points (stress_rows.h). */
#include "math/optimize/stress_rows.h"

#include "math/linalg/vector.h"

#include <string.h>

ALD_WITHIN void add_difference(int64_t r, double q, const double *a, const double *b, double *restrict sum)
{
    int64_t k = 0;
    for (; k + 4 <= r; k += 4) ALD_FOUR(sum + k) += q * (ALD_FOUR_OF(a + k) - ALD_FOUR_OF(b + k));
    for (; k < r; k++) sum[k] += q * (a[k] - b[k]);
}

ALD_WIDE static void gradient_of_one(const ald_stress *s, int64_t begin, int64_t end, double *sums)
{
    const ald_pairs *pairs = s->pairs;
    const int64_t r = s->r;
    for (int64_t i = begin; i < end; i++) {
        const double *own = s->u + i * r;
        double *sum = s->work + i * r;
        memset(sum, 0, (size_t)r * sizeof *sum);
        for (int64_t e = pairs->pointers[i]; e < pairs->pointers[i + 1]; e++) {
            const double *other = s->u + pairs->partners[e] * r;
            const double w = pairs->weights[e];
            const double off = ald_square_between(r, own, other) - s->squares[e];
            sums[0] += 0.5 * w * off * off;
            add_difference(r, 2.0 * w * off, own, other, sum);
        }
    }
}

/* |a|^2, a.b and |b|^2 of the differences a, b of two rows of u and uv. */
ALD_WITHIN void three_products(const ald_stress *s, int64_t own, int64_t other, double *restrict c)
{
    const double *u = s->u, *uv = s->uv;
    ald_four c0 = {0.0}, c1 = {0.0}, c2 = {0.0};
    int64_t k = 0;
    for (; k + 4 <= s->r; k += 4) {
        const ald_four a = ALD_FOUR_OF(u + own + k) - ALD_FOUR_OF(u + other + k),
                       b = ALD_FOUR_OF(uv + own + k) - ALD_FOUR_OF(uv + other + k);
        c0 += a * a;
        c1 += a * b;
        c2 += b * b;
    }
    c[0] = (c0[0] + c0[2]) + (c0[1] + c0[3]);
    c[1] = (c1[0] + c1[2]) + (c1[1] + c1[3]);
    c[2] = (c2[0] + c2[2]) + (c2[1] + c2[3]);
    for (; k < s->r; k++) {
        const double a = u[own + k] - u[other + k], b = uv[own + k] - uv[other + k];
        c[0] += a * a;
        c[1] += a * b;
        c[2] += b * b;
    }
}

ALD_WIDE static void line_of_one(const ald_stress *s, int64_t begin, int64_t end, double *sums)
{
    const ald_pairs *pairs = s->pairs;
    for (int64_t i = begin; i < end; i++)
        for (int64_t e = pairs->upper[i]; e < pairs->pointers[i + 1]; e++) {
            double c[3];
            three_products(s, i * s->r, pairs->partners[e] * s->r, c);
            const double w = pairs->weights[e], c0 = c[0] - s->squares[e], c1 = 2.0 * c[1], c2 = c[2];
            sums[0] += w * c0 * c0;
            sums[1] += w * 2.0 * c0 * c1;
            sums[2] += w * (c1 * c1 + 2.0 * c0 * c2);
            sums[3] += w * 2.0 * c1 * c2;
            sums[4] += w * c2 * c2;
        }
}

/* The passes of several points, a block of `lanes` points as one vector. r up to `registers` is a number that
 * the compiler knows: the sums and the row itself then stay in registers.
 *
 *   name_one_gradient   a pair: own and other are rows of u, sum is one of work
 *   name_gradient       the rows of a block
 *   name_one_line       a pair: rows of u and uv, c the five coefficients
 *   name_line           the rows of a block */
enum { registers = 3 };

#define ALD_STRESS_PASSES(name, vector)                                                                      \
    ALD_WITHIN void name##_one_gradient(int64_t r, const vector *own, const vector *other, double w,         \
                                        double t, vector *sum, vector *value)                                \
    {                                                                                                        \
        vector off = (vector){0.0} - t;                                                                      \
        for (int64_t k = 0; k < r; k++) off += (own[k] - other[k]) * (own[k] - other[k]);                    \
        const vector q = 2.0 * w * off;                                                                      \
        *value += 0.25 * q * off;                                                                            \
        for (int64_t k = 0; k < r; k++) sum[k] += q * (own[k] - other[k]);                                   \
    }                                                                                                        \
                                                                                                             \
    ALD_WITHIN void name##_gradient(const ald_stress *s, const int64_t range[2], int64_t blocks,             \
                                    int64_t block, int64_t r, double *value)                                 \
    {                                                                                                        \
        const ald_pairs *pairs = s->pairs;                                                                   \
        const vector *u = (const vector *)s->u + block * r;                                                  \
        vector total = {0.0}, kept[2][registers];                                                            \
        for (int64_t i = range[0]; i < range[1]; i++) {                                                      \
            const vector *own = u + i * blocks * r;                                                          \
            vector *to = (vector *)s->work + (i * blocks + block) * r, *sum = r <= registers ? kept[1] : to; \
            for (int64_t k = 0; k < r; k++) sum[k] = (vector){0.0};                                          \
            for (int64_t k = 0; k < r && r <= registers; k++) kept[0][k] = own[k];                           \
            for (int64_t e = pairs->pointers[i]; e < pairs->pointers[i + 1]; e++)                            \
                name##_one_gradient(r, r <= registers ? kept[0] : own, u + pairs->partners[e] * blocks * r,  \
                                    pairs->weights[e], s->squares[e], sum, &total);                          \
            for (int64_t k = 0; k < r && r <= registers; k++) to[k] = sum[k];                                \
        }                                                                                                    \
        *(vector *)value = total;                                                                            \
    }                                                                                                        \
                                                                                                             \
    ALD_WITHIN void name##_one_line(int64_t r, const vector *const own[2], const vector *const other[2],     \
                                    double w, double t, vector *c)                                           \
    {                                                                                                        \
        vector c0 = (vector){0.0} - t, c1 = {0.0}, c2 = {0.0};                                               \
        for (int64_t k = 0; k < r; k++) {                                                                    \
            const vector a = own[0][k] - other[0][k], b = own[1][k] - other[1][k];                           \
            c0 += a * a;                                                                                     \
            c1 += a * b;                                                                                     \
            c2 += b * b;                                                                                     \
        }                                                                                                    \
        c1 *= 2.0;                                                                                           \
        c[0] += w * c0 * c0;                                                                                 \
        c[1] += w * 2.0 * c0 * c1;                                                                           \
        c[2] += w * (c1 * c1 + 2.0 * c0 * c2);                                                               \
        c[3] += w * 2.0 * c1 * c2;                                                                           \
        c[4] += w * c2 * c2;                                                                                 \
    }                                                                                                        \
                                                                                                             \
    ALD_WITHIN void name##_line(const ald_stress *s, const int64_t range[2], int64_t blocks, int64_t block,  \
                                int64_t r, double *coefficients)                                             \
    {                                                                                                        \
        const ald_pairs *pairs = s->pairs;                                                                   \
        const vector *u = (const vector *)s->u + block * r, *uv = (const vector *)s->uv + block * r;         \
        vector c[5] = {{0.0}};                                                                               \
        for (int64_t i = range[0]; i < range[1]; i++)                                                        \
            for (int64_t e = pairs->upper[i]; e < pairs->pointers[i + 1]; e++) {                             \
                const int64_t here = i * blocks * r, there = pairs->partners[e] * blocks * r;                \
                name##_one_line(r, (const vector *const[]){u + here, uv + here},                             \
                                (const vector *const[]){u + there, uv + there}, pairs->weights[e],           \
                                s->squares[e], c);                                                           \
            }                                                                                                \
        for (int k = 0; k < 5; k++) ((vector *)coefficients)[k] = c[k];                                      \
    }

ALD_STRESS_PASSES(four, ald_four)
ALD_STRESS_PASSES(eight, ald_eight)

/* What a pass does with a block: `sums` has the lanes of the first sum, then of the second, ... */
typedef void block_pass(const ald_stress *s, const int64_t range[2], int64_t blocks, int64_t block, int64_t r,
                        double *sums);

/* Every block, with r as the compiler wants it; each lane's `count` sums go to those of its point. */
ALD_WITHIN void by_blocks(const ald_stress *s, const int64_t range[2], int64_t lanes, block_pass *pass,
                          int count, double *sums)
{
    const int64_t blocks = ald_stress_width(s->r, s->groups) / (s->r * lanes);
    for (int64_t b = 0; b < blocks; b++) {
        double found[5 * ALD_STRESS_MOST_LANES];
        if (s->r == 1)
            pass(s, range, blocks, b, 1, found);
        else if (s->r == 2)
            pass(s, range, blocks, b, 2, found);
        else if (s->r == 3)
            pass(s, range, blocks, b, 3, found);
        else
            pass(s, range, blocks, b, s->r, found);
        for (int64_t l = 0; l < lanes && b * lanes + l < s->groups; l++)
            for (int k = 0; k < count; k++) sums[5 * (b * lanes + l) + k] += found[k * lanes + l];
    }
}

ALD_WIDE static void gradient_of_four(const ald_stress *s, const int64_t range[2], double *sums)
{
    by_blocks(s, range, 4, four_gradient, 1, sums);
}

ALD_WIDE static void gradient_of_eight(const ald_stress *s, const int64_t range[2], double *sums)
{
    by_blocks(s, range, 8, eight_gradient, 1, sums);
}

ALD_WIDE static void line_of_four(const ald_stress *s, const int64_t range[2], double *sums)
{
    by_blocks(s, range, 4, four_line, 5, sums);
}

ALD_WIDE static void line_of_eight(const ald_stress *s, const int64_t range[2], double *sums)
{
    by_blocks(s, range, 8, eight_line, 5, sums);
}

void ald_stress_gradient_rows(const ald_stress *s, int64_t begin, int64_t end, double *sums)
{
    const int64_t range[] = {begin, end};
    if (s->groups == 1)
        gradient_of_one(s, begin, end, sums);
    else
        (ald_stress_lanes(s->groups) == 4 ? gradient_of_four : gradient_of_eight)(s, range, sums);
}

void ald_stress_line_rows(const ald_stress *s, int64_t begin, int64_t end, double *sums)
{
    const int64_t range[] = {begin, end};
    if (s->groups == 1)
        line_of_one(s, begin, end, sums);
    else
        (ald_stress_lanes(s->groups) == 4 ? line_of_four : line_of_eight)(s, range, sums);
}
