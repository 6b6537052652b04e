/* Round ticks: steps of 1, 2 or 5 times a power of ten, linear or logarithmic. */
#include "show/canvas/scale.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ald_range ald_range_empty(void)
{
    return (ald_range){INFINITY, -INFINITY};
}

void ald_range_add(ald_range *range, double value)
{
    if (!isfinite(value)) return;
    if (value < range->low) range->low = value;
    if (value > range->high) range->high = value;
}

static double larger_modulus(double a, double b)
{
    return fmax(fabs(a), fabs(b));
}

/* Halves are taken before differences: the range of doubles is too wide for its own length. */
static double half_length(double low, double high)
{
    return high / 2 - low / 2;
}

static double clamp(double value)
{
    return fmax(-DBL_MAX, fmin(DBL_MAX, value));
}

/* Below 1e-300 decimal steps lose their digits, and below 1e-12 of the values themselves they are rounding
 * errors. */
static void widen(ald_range *range, double padding)
{
    if (range->low > range->high) *range = (ald_range){0.0, 1.0};
    const double modulus = larger_modulus(range->low, range->high),
                 half = half_length(range->low, range->high);
    const double about = modulus < 1e-300 ? 1.0 : 0.05 * modulus;
    const double more = half < 1e-300 || half < 1e-12 * modulus ? about : 2.0 * padding * half;
    range->low = clamp(range->low - more);
    range->high = clamp(range->high + more);
}

static double power_of_ten(int exponent)
{
    return pow(10.0, exponent);
}

static void place_ticks(ald_scale *scale)
{
    const double step = scale->mantissa * power_of_ten(scale->exponent);
    scale->first = (int64_t)ceil(scale->low / step - 1e-9);
    scale->last = (int64_t)floor(scale->high / step + 1e-9);
}

/* The smallest of 1, 2, 5, 10 times a power of ten that gives no more than `ticks` steps. */
static void choose_step(ald_scale *scale, int ticks)
{
    static const int mantissas[] = {1, 2, 5, 10};
    const double wanted = half_length(scale->low, scale->high) / ticks * 2;
    scale->exponent = (int)floor(log10(wanted));
    int i = 0;
    while (i < 3 && mantissas[i] * power_of_ten(scale->exponent) < wanted * (1 - 1e-9)) i++;
    scale->mantissa = mantissas[i] == 10 ? 1 : mantissas[i];
    scale->exponent += mantissas[i] == 10;
}

ald_scale ald_scale_cover(ald_range range, double padding, int ticks)
{
    widen(&range, padding);
    ald_scale scale = {.low = range.low, .high = range.high};
    choose_step(&scale, ticks < 1 ? 1 : ticks);
    place_ticks(&scale);
    return scale;
}

ald_scale ald_scale_whole(double low, double high, int ticks)
{
    ald_scale scale = {.low = low, .high = high};
    choose_step(&scale, ticks < 1 ? 1 : ticks);
    if (scale.exponent < 0) {
        scale.mantissa = 1;
        scale.exponent = 0;
    }
    place_ticks(&scale);
    return scale;
}

double ald_scale_place(const ald_scale *scale, double value)
{
    return half_length(scale->low, value) / half_length(scale->low, scale->high);
}

/* Divided by a positive power, which is exact up to 10^22, rather than multiplied by an inexact negative one.
 */
double ald_scale_tick(const ald_scale *scale, int64_t k)
{
    const double whole = (double)(k * scale->mantissa);
    return scale->exponent < 0 && scale->exponent > -300 ? whole / power_of_ten(-scale->exponent)
                                                         : whole * power_of_ten(scale->exponent);
}

static const char minus_sign[] = "\xe2\x88\x92";

/* |digits| * 10^exponent written out. */
static void write_plain(int64_t digits, int exponent, char text[ALD_TICK_SIZE])
{
    char whole[24];
    const int length = snprintf(whole, sizeof whole, "%lld", llabs((long long)digits));
    const char *sign = digits < 0 ? minus_sign : "";
    if (exponent >= 0) {
        snprintf(text, ALD_TICK_SIZE, "%s%s%.*s", sign, whole, digits ? exponent : 0, "00000000000000000000");
    } else if (length > -exponent) {
        snprintf(text, ALD_TICK_SIZE, "%s%.*s.%s", sign, length + exponent, whole, whole + length + exponent);
    } else {
        snprintf(text, ALD_TICK_SIZE, "%s0.%.*s%s", sign, -exponent - length, "00000000000000000000", whole);
    }
}

/* The same as d.ddd e x, without zeros at the end. */
static void write_power(int64_t digits, int exponent, char text[ALD_TICK_SIZE])
{
    if (digits == 0) {
        strcpy(text, "0");
        return;
    }
    for (; digits % 10 == 0; digits /= 10) exponent++;
    char whole[24];
    const int length = snprintf(whole, sizeof whole, "%lld", llabs((long long)digits));
    const int power = exponent + length - 1;
    snprintf(text, ALD_TICK_SIZE, "%s%c%s%se%s%d", digits < 0 ? minus_sign : "", whole[0],
             length > 1 ? "." : "", whole + 1, power < 0 ? minus_sign : "", abs(power));
}

/* The longest label is that of the larger end; texts with up to six places are plain whatever the other form
 * takes. */
static int plain_is_better(const ald_scale *scale)
{
    if (scale->exponent > 18 || scale->exponent < -18) return 0;
    const int64_t k =
        llabs((long long)scale->first) > llabs((long long)scale->last) ? scale->first : scale->last;
    char plain[ALD_TICK_SIZE], power[ALD_TICK_SIZE];
    write_plain(llabs((long long)k) * scale->mantissa, scale->exponent, plain);
    write_power(llabs((long long)k) * scale->mantissa, scale->exponent, power);
    return strlen(plain) <= 6 || strlen(plain) <= strlen(power);
}

void ald_scale_label(const ald_scale *scale, int64_t k, char text[ALD_TICK_SIZE])
{
    const int64_t digits = k * scale->mantissa;
    if (plain_is_better(scale))
        write_plain(digits, scale->exponent, text);
    else
        write_power(digits, scale->exponent, text);
}

void ald_fixed_text(double value, int decimals, char text[ALD_TICK_SIZE])
{
    static const double powers[] = {1, 10, 100, 1000, 1e4, 1e5, 1e6};
    const long long scaled = llround(value * powers[decimals]);
    const long long unit = (long long)powers[decimals], whole = llabs(scaled) / unit,
                    part = llabs(scaled) % unit;
    if (decimals == 0)
        snprintf(text, ALD_TICK_SIZE, "%s%lld", scaled < 0 ? "-" : "", whole);
    else
        snprintf(text, ALD_TICK_SIZE, "%s%lld.%0*lld", scaled < 0 ? "-" : "", whole, decimals, part);
}
