#include "optimize/stress_rows.h"

#include "linalg/vector.h"

#include <string.h>

enum { lanes = ALD_STRESS_LANES };

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

/* One block of four points. */
ALD_WITHIN void gradient_of_block(int64_t r, const double *own, const double *other, double w, double t,
                                  double *restrict sum, double *restrict value)
{
    ald_four off = {-t, -t, -t, -t};
    for (int64_t k = 0; k < r * lanes; k += lanes) {
        const ald_four a = ALD_FOUR_OF(own + k) - ALD_FOUR_OF(other + k);
        off += a * a;
    }
    const ald_four q = 2.0 * w * off;
    ALD_FOUR(value) += 0.25 * q * off;
    for (int64_t k = 0; k < r * lanes; k += lanes)
        ALD_FOUR(sum + k) += q * (ALD_FOUR_OF(own + k) - ALD_FOUR_OF(other + k));
}

ALD_WIDE static void gradient_of_several(const ald_stress *s, int64_t begin, int64_t end, double *sums)
{
    const ald_pairs *pairs = s->pairs;
    const int64_t width = ald_stress_width(s->r, s->groups), block = s->r * lanes;
    for (int64_t b = 0; b < width / block; b++) {
        double value[lanes] = {0.0};
        for (int64_t i = begin; i < end; i++) {
            const double *own = s->u + i * width + b * block;
            double *sum = s->work + i * width + b * block;
            memset(sum, 0, (size_t)block * sizeof *sum);
            for (int64_t e = pairs->pointers[i]; e < pairs->pointers[i + 1]; e++)
                gradient_of_block(s->r, own, s->u + pairs->partners[e] * width + b * block, pairs->weights[e],
                                  s->squares[e], sum, value);
        }
        for (int64_t l = 0; l < lanes && b * lanes + l < s->groups; l++)
            sums[5 * (b * lanes + l)] += value[l];
    }
}

void ald_stress_gradient_rows(const ald_stress *s, int64_t begin, int64_t end, double *sums)
{
    (s->groups == 1 ? gradient_of_one : gradient_of_several)(s, begin, end, sums);
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

/* One block of four points; `c` has the first coefficient of each, then the second, ... */
ALD_WITHIN void line_of_block(const ald_stress *s, int64_t own, int64_t other, double w, double t,
                              double *restrict c)
{
    const double *u = s->u, *uv = s->uv;
    ald_four c0 = {-t, -t, -t, -t}, c1 = {0.0}, c2 = {0.0};
    for (int64_t k = 0; k < s->r * lanes; k += lanes) {
        const ald_four a = ALD_FOUR_OF(u + own + k) - ALD_FOUR_OF(u + other + k),
                       b = ALD_FOUR_OF(uv + own + k) - ALD_FOUR_OF(uv + other + k);
        c0 += a * a;
        c1 += a * b;
        c2 += b * b;
    }
    c1 *= 2.0;
    ALD_FOUR(c) += w * c0 * c0;
    ALD_FOUR(c + lanes) += w * 2.0 * c0 * c1;
    ALD_FOUR(c + 2 * lanes) += w * (c1 * c1 + 2.0 * c0 * c2);
    ALD_FOUR(c + 3 * lanes) += w * 2.0 * c1 * c2;
    ALD_FOUR(c + 4 * lanes) += w * c2 * c2;
}

ALD_WIDE static void line_of_several(const ald_stress *s, int64_t begin, int64_t end, double *sums)
{
    const ald_pairs *pairs = s->pairs;
    const int64_t width = ald_stress_width(s->r, s->groups), block = s->r * lanes;
    for (int64_t b = 0; b < width / block; b++) {
        double c[5 * lanes] = {0.0};
        for (int64_t i = begin; i < end; i++)
            for (int64_t e = pairs->upper[i]; e < pairs->pointers[i + 1]; e++)
                line_of_block(s, i * width + b * block, pairs->partners[e] * width + b * block,
                              pairs->weights[e], s->squares[e], c);
        for (int64_t l = 0; l < lanes && b * lanes + l < s->groups; l++)
            for (int k = 0; k < 5; k++) sums[5 * (b * lanes + l) + k] += c[k * lanes + l];
    }
}

void ald_stress_line_rows(const ald_stress *s, int64_t begin, int64_t end, double *sums)
{
    (s->groups == 1 ? line_of_one : line_of_several)(s, begin, end, sums);
}
