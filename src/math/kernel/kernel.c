/* Kernel functions (kernel.h has the formulas), a row of kernel values at a time. */
#include "math/kernel/kernel.h"

#include "base/numbers/wide.h"

#include <math.h>
#include <string.h>

static const double whole = 0x1.8p52, lowest = -746.0;

/* 2^k for -1022 <= k <= 0, k as it stands in the last bits of `shifted`. */
static inline double power_of_two(double shifted)
{
    uint64_t bits;
    double power;
    memcpy(&bits, &shifted, sizeof bits);
    bits = (bits + 1023) << 52;
    memcpy(&power, &bits, sizeof power);
    return power;
}

static inline double exp_of_rest(double r)
{
    const double s = r * r;
    const double a = (1.0 / 2) + r * (1.0 / 6), b = (1.0 / 24) + r * (1.0 / 120),
                 c = (1.0 / 720) + r * (1.0 / 5040), d = (1.0 / 40320) + r * (1.0 / 362880),
                 e = (1.0 / 3628800) + r * (1.0 / 39916800), f = (1.0 / 479001600) + r * (1.0 / 6227020800);
    const double q = s * s, upper = (c + s * d) + q * (e + s * f);
    return 1.0 + (r + s * ((a + s * b) + q * upper));
}

/* exp of many numbers: x = k ln 2 + r with k whole and |r| <= ln(2)/2, and exp(x) = 2^k exp(r). ln 2 is
 * taken off in two parts, of which the first has zeros at its end, so that r is exact to rounding. exp(r)
 * is its Taylor polynomial, whose first term left out is below r^14/14! < 5e-18. Adding 1.5 2^52 rounds to
 * a whole number and leaves it in the last bits of the sum. 2^k is multiplied in two halves: below 2^-1022
 * it is no normal number. */
ALD_WIDE void ald_many_exp(int64_t n, double *restrict x)
{
    const double per_ln2 = 0x1.71547652b82fep0, ln2_high = 0x1.62e42fefa3800p-1,
                 ln2_low = 0x1.ef35793c76730p-45;
    for (int64_t i = 0; i < n; i++) x[i] = x[i] < lowest ? lowest : x[i];
    for (int64_t i = 0; i < n; i++) {
        const double k = (x[i] * per_ln2 + whole) - whole, r = (x[i] - k * ln2_high) - k * ln2_low;
        const double half = 0.5 * k + whole, other = (k - (half - whole)) + whole;
        x[i] = exp_of_rest(r) * power_of_two(half) * power_of_two(other);
    }
}

const char *const ald_kernel_names[] = {
    "linear", "rbf", "laplacian", "polynomial", "cosine", "precomputed", NULL,
};

int ald_kernel_find(const char *name, ald_kernel_kind *kind)
{
    for (int i = 0; name && ald_kernel_names[i]; i++)
        if (strcmp(ald_kernel_names[i], name) == 0) {
            *kind = (ald_kernel_kind)i;
            return 1;
        }
    return 0;
}

static void as_it_is(const ald_kernel *kernel, double a2, int64_t m, const double *b2, double *row)
{
    (void)kernel, (void)a2, (void)m, (void)b2, (void)row;
}

ALD_WIDE static void square_distances(double a2, int64_t m, const double *restrict b2, double *restrict row)
{
    for (int64_t j = 0; j < m; j++) {
        const double square = a2 + b2[j] - 2.0 * row[j];
        row[j] = square > 0.0 ? square : 0.0;
    }
}

static void to_square_distances(const ald_kernel *kernel, double a2, int64_t m, const double *b2, double *row)
{
    (void)kernel;
    square_distances(a2, m, b2, row);
}

ALD_WIDE static void negative_distances(double factor, double a2, int64_t m, const double *restrict b2,
                                        double *restrict row)
{
    for (int64_t j = 0; j < m; j++) {
        const double square = a2 + b2[j] - 2.0 * row[j];
        row[j] = -factor * (square < 0.0 ? 0.0 : square);
    }
}

static void to_rbf(const ald_kernel *kernel, double a2, int64_t m, const double *b2, double *row)
{
    const double half = 0.5 / kernel->width / kernel->width;
    negative_distances(half, a2, m, b2, row);
    ald_many_exp(m, row);
}

int ald_kernel_of_squares(const ald_kernel *kernel, int64_t m, double *row)
{
    if (kernel->kind != ALD_KERNEL_RBF) return 0;
    const double half = 0.5 / kernel->width / kernel->width;
    for (int64_t j = 0; j < m; j++) row[j] *= -half;
    ald_many_exp(m, row);
    return 1;
}

static void to_laplacian(const ald_kernel *kernel, double a2, int64_t m, const double *b2, double *row)
{
    (void)a2, (void)b2;
    for (int64_t j = 0; j < m; j++) row[j] /= -kernel->width;
    ald_many_exp(m, row);
}

static void to_squares(const ald_kernel *kernel, double a2, int64_t m, const double *b2, double *row)
{
    (void)kernel, (void)a2, (void)b2;
    for (int64_t j = 0; j < m; j++) row[j] *= row[j];
}

static double whole_power(double base, int64_t exponent)
{
    double result = 1.0;
    for (; exponent > 0; exponent /= 2, base *= base)
        if (exponent % 2) result *= base;
    return result;
}

static void to_polynomial(const ald_kernel *kernel, double a2, int64_t m, const double *b2, double *row)
{
    (void)a2, (void)b2;
    for (int64_t j = 0; j < m; j++) row[j] = whole_power(row[j] + kernel->coef0, kernel->degree);
}

static void to_cosine(const ald_kernel *kernel, double a2, int64_t m, const double *b2, double *row)
{
    (void)kernel;
    for (int64_t j = 0; j < m; j++)
        row[j] = a2 > 0.0 && b2[j] > 0.0 ? row[j] / (sqrt(a2) * sqrt(b2[j])) : 0.0;
}

/* In the order of the kinds. */
static const struct {
    void (*finish)(const ald_kernel *kernel, double a2, int64_t m, const double *b2, double *row);
    int city, shift_invariant;
} table[] = {
    {as_it_is, 0, 0},  {to_rbf, 0, 1},   {to_laplacian, 1, 1},        {to_polynomial, 0, 0},
    {to_cosine, 0, 0}, {as_it_is, 0, 0}, {to_square_distances, 0, 1}, {to_squares, 1, 1},
};

void ald_kernel_finish(const ald_kernel *kernel, double a2, int64_t m, const double *b2, double *row)
{
    table[kernel->kind].finish(kernel, a2, m, b2, row);
}

/* Eight sums for each row of b, added at its end. */
ALD_WIDE void ald_city_distances(int64_t d, const double *restrict a, int64_t m, const double *restrict b,
                                 double *restrict row)
{
    enum { lanes = 8 };
    for (int64_t j = 0; j < m; j++, b += d) {
        double sums[lanes] = {0.0}, sum = 0.0;
        int64_t k = 0;
        for (; k + lanes <= d; k += lanes)
            for (int l = 0; l < lanes; l++) sums[l] += fabs(a[k + l] - b[k + l]);
        for (; k < d; k++) sum += fabs(a[k] - b[k]);
        for (int l = 0; l < lanes; l++) sum += sums[l];
        row[j] = sum;
    }
}

int ald_kernel_is_city(const ald_kernel *kernel)
{
    return table[kernel->kind].city;
}

int ald_kernel_is_shift_invariant(const ald_kernel *kernel)
{
    return table[kernel->kind].shift_invariant;
}

double ald_kernel_diagonal(const ald_kernel *kernel, double a2)
{
    double k = a2;
    if (table[kernel->kind].city) return kernel->kind == ALD_KERNEL_LAPLACIAN ? 1.0 : 0.0;
    ald_kernel_finish(kernel, a2, 1, &a2, &k);
    return k;
}
