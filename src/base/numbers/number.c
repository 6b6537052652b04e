/* Decimal text to double and back.
 *
 * Reading gathers up to 19 significant digits as an integer w, so that the number is w 10^q. Then, the first
 * that applies: w and 10^|q| are both doubles, and one product or quotient rounds correctly (Clinger, 1990);
 * w 5^q or w / 5^-q is worked out exactly in 128 bits and rounded half to even; the C library's strtod in the
 * "C" locale. */
#define _GNU_SOURCE /* strtod_l */
#include "base/numbers/number.h"
#include "base/numbers/ordering.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

__extension__ typedef unsigned __int128 wide;

/* 5^k shifted up to 64 bits, and floor((2^128 - 1) / divisor) - 2^64, which turns the division of 128 by 64
 * bits into two products (Moeller and Granlund, 2011). */
typedef struct {
    uint64_t divisor, reciprocal;
    int shift;
} power_of_five;

enum { largest_power = 27, most_digits = 19, clinger_power = 22 };

static const power_of_five powers_of_five[largest_power + 1] = {
    {UINT64_C(0x8000000000000000), UINT64_C(0xffffffffffffffff), 63},
    {UINT64_C(0xa000000000000000), UINT64_C(0x9999999999999999), 61},
    {UINT64_C(0xc800000000000000), UINT64_C(0x47ae147ae147ae14), 59},
    {UINT64_C(0xfa00000000000000), UINT64_C(0x0624dd2f1a9fbe76), 57},
    {UINT64_C(0x9c40000000000000), UINT64_C(0xa36e2eb1c432ca57), 54},
    {UINT64_C(0xc350000000000000), UINT64_C(0x4f8b588e368f0846), 52},
    {UINT64_C(0xf424000000000000), UINT64_C(0x0c6f7a0b5ed8d36b), 50},
    {UINT64_C(0x9896800000000000), UINT64_C(0xad7f29abcaf48578), 47},
    {UINT64_C(0xbebc200000000000), UINT64_C(0x5798ee2308c39df9), 45},
    {UINT64_C(0xee6b280000000000), UINT64_C(0x12e0be826d694b2e), 43},
    {UINT64_C(0x9502f90000000000), UINT64_C(0xb7cdfd9d7bdbab7d), 40},
    {UINT64_C(0xba43b74000000000), UINT64_C(0x5fd7fe17964955fd), 38},
    {UINT64_C(0xe8d4a51000000000), UINT64_C(0x19799812dea11197), 36},
    {UINT64_C(0x9184e72a00000000), UINT64_C(0xc25c268497681c26), 33},
    {UINT64_C(0xb5e620f480000000), UINT64_C(0x6849b86a12b9b01e), 31},
    {UINT64_C(0xe35fa931a0000000), UINT64_C(0x203af9ee756159b2), 29},
    {UINT64_C(0x8e1bc9bf04000000), UINT64_C(0xcd2b297d889bc2b6), 26},
    {UINT64_C(0xb1a2bc2ec5000000), UINT64_C(0x70ef54646d496892), 24},
    {UINT64_C(0xde0b6b3a76400000), UINT64_C(0x2725dd1d243aba0e), 22},
    {UINT64_C(0x8ac7230489e80000), UINT64_C(0xd83c94fb6d2ac34a), 19},
    {UINT64_C(0xad78ebc5ac620000), UINT64_C(0x79ca10c9242235d5), 17},
    {UINT64_C(0xd8d726b7177a8000), UINT64_C(0x2e3b40a0e9b4f7dd), 15},
    {UINT64_C(0x878678326eac9000), UINT64_C(0xe392010175ee5962), 12},
    {UINT64_C(0xa968163f0a57b400), UINT64_C(0x82db34012b25144e), 10},
    {UINT64_C(0xd3c21bcecceda100), UINT64_C(0x357c299a88ea76a5), 8},
    {UINT64_C(0x84595161401484a0), UINT64_C(0xef2d0f5da7dd8aa2), 5},
    {UINT64_C(0xa56fa5b99019a5c8), UINT64_C(0x8c240c4aecb13bb5), 3},
    {UINT64_C(0xcecb8f27f4200f3a), UINT64_C(0x3ce9a36f23c0fc90), 1},
};

static const double powers_of_ten[clinger_power + 1] = {
    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
};

/* A number taken apart: (-1)^negative w 10^exponent, and more digits after w when it was cut. */
typedef struct {
    const char *digits, *digits_end; /* the digits with the point, as they stand in the text */
    uint64_t w;
    int64_t exponent;       /* of the last digit of w */
    int64_t point_exponent; /* the one that was written after "e" */
    int negative, cut;
} decimal;

static int is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

static const char *gather_few(const char *at, const char *end, uint64_t *w)
{
    uint64_t sum = *w;
    for (; at < end && is_digit(*at); at++) sum = sum * 10 + (uint64_t)(*at - '0');
    *w = sum;
    return at;
}

/* Eight digits at a time on machines that keep the first byte lowest. */
static const char *gather(const char *at, const char *end, uint64_t *w)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    while (end - at >= 8) {
        uint64_t bytes;
        memcpy(&bytes, at, 8);
        const uint64_t below = bytes - UINT64_C(0x3030303030303030),
                       above = bytes + UINT64_C(0x4646464646464646);
        if ((below | above) & UINT64_C(0x8080808080808080)) break;
        const uint64_t pairs = below * 10 + (below >> 8), mask = UINT64_C(0x000000ff000000ff);
        const uint64_t low = (pairs & mask) * UINT64_C(0x000f424000000064);
        const uint64_t high = ((pairs >> 16) & mask) * UINT64_C(0x0000271000000001);
        *w = *w * 100000000 + (uint32_t)((low + high) >> 32);
        at += 8;
    }
#endif
    return gather_few(at, end, w);
}

/* [e [+-] digits]; a lone "e" does not belong to the number. Far exponents stop growing: they are 0 or
 * infinity anyway.
 */
static const char *scan_exponent(const char *at, const char *end, int64_t *exponent)
{
    const char *digit = at + 1;
    int negative = 0;
    if (digit < end && (*digit == '+' || *digit == '-')) negative = *digit++ == '-';
    if (digit >= end || !is_digit(*digit)) return at;
    int64_t sum = 0;
    for (; digit < end && is_digit(*digit); digit++)
        if (sum < INT64_C(100000000000000000)) sum = sum * 10 + (*digit - '0');
    *exponent = negative ? -sum : sum;
    return digit;
}

/* More than 19 digits were seen and w ran over: takes the first 19 that count. */
static void gather_again(decimal *number)
{
    const char *at = number->digits;
    while (at < number->digits_end && (*at == '0' || *at == '.')) at++;
    const char *point = memchr(number->digits, '.', (size_t)(number->digits_end - number->digits));
    if (!point) point = number->digits_end;
    int count = 0;
    number->w = 0;
    for (; at < number->digits_end && count < most_digits; at++) {
        if (*at == '.') continue;
        number->w = number->w * 10 + (uint64_t)(*at - '0');
        count++;
    }
    const int64_t after_point = at > point ? at - point - 1 : at - point;
    number->exponent = number->point_exponent - after_point;
    for (; at < number->digits_end; at++) number->cut |= *at != '0' && *at != '.';
}

static const char *scan(const char *at, const char *end, decimal *number)
{
    number->negative = number->cut = 0;
    number->w = 0;
    if (at < end && (*at == '-' || *at == '+')) number->negative = *at++ == '-';
    const char *start = at;
    at = gather_few(at, end, &number->w); /* before the point there are mostly few */
    int64_t count = at - start, exponent = 0;
    if (at < end && *at == '.') {
        const char *point = at++;
        at = gather(at, end, &number->w);
        exponent = point + 1 - at;
        count = at - start - 1;
    }
    if (count == 0) return NULL;
    number->digits = start;
    number->digits_end = at;
    number->point_exponent = 0;
    if (at < end && (*at | 0x20) == 'e') at = scan_exponent(at, end, &number->point_exponent);
    number->exponent = exponent + number->point_exponent;
    if (count > most_digits) gather_again(number);
    return at;
}

/* The double nearest to top 2^exponent (1 + a bit if `more`), top with its highest bit set; far from
 * overflow. */
static double round_top(uint64_t top, int more, int exponent)
{
    const uint64_t rest = top & 0x7ff, half = 0x400;
    uint64_t mantissa = top >> 11;
    mantissa += rest > half || (rest == half && (more || (mantissa & 1)));
    const uint64_t bits = ((uint64_t)(exponent + 11 + 52 + 1023) << 52) + (mantissa - (UINT64_C(1) << 52));
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static double exact_product(uint64_t w, int power)
{
    const power_of_five *five = &powers_of_five[power];
    const wide product = (wide)w * (five->divisor >> five->shift);
    const uint64_t high = (uint64_t)(product >> 64);
    const int zeros = high ? __builtin_clzll(high) : 64 + __builtin_clzll((uint64_t)product);
    const wide shifted = product << zeros;
    return round_top((uint64_t)(shifted >> 64), (uint64_t)shifted != 0, power + 64 - zeros);
}

static double exact_quotient(uint64_t w, int power)
{
    const power_of_five *five = &powers_of_five[power];
    const int zeros = __builtin_clzll(w);
    const uint64_t dividend = w << zeros, divisor = five->divisor;
    const wide u = (wide)dividend << 63;
    const wide estimate = (wide)five->reciprocal * (uint64_t)(u >> 64) + u;
    uint64_t quotient = (uint64_t)(estimate >> 64) + 1;
    uint64_t remainder = (uint64_t)u - quotient * divisor;
    if (remainder > (uint64_t)estimate) {
        quotient--;
        remainder += divisor;
    }
    if (remainder >= divisor) {
        quotient++;
        remainder -= divisor;
    }
    const int spare = __builtin_clzll(quotient);
    return round_top(quotient << spare, remainder != 0, five->shift - zeros - spare - power - 63);
}

/* w 10^q for -27 <= q <= 27. */
static double exact(uint64_t w, int q)
{
    return q >= 0 ? exact_product(w, q) : exact_quotient(w, -q);
}

/* The digits are written anew as 0.DDDe+X: past 800 of them only whether any is not 0 can matter (a halfway
 * point between doubles has at most 767), so a text of any length fits. */
static double by_library(const decimal *number)
{
    enum { kept = 800 };
    char text[kept + 40];
    const char *at = number->digits, *end = number->digits_end;
    const char *point = memchr(at, '.', (size_t)(end - at));
    if (!point) point = end;
    while (at < end && (*at == '0' || *at == '.')) at++;
    int64_t exponent = number->point_exponent + (point - at) + (at > point);
    int length = 2, more = 0;
    memcpy(text, "0.", 2);
    for (; at < end; at++) {
        if (*at == '.') continue;
        if (length < kept)
            text[length++] = *at;
        else
            more |= *at != '0';
    }
    if (more) text[length++] = '1';
    exponent = ald_within(exponent, -9999, 9999);
    snprintf(text + length, sizeof text - (size_t)length, "e%d", (int)exponent);
    /* The point of strtod is the locale's; of the "C" locale newlocale makes no copy. */
    const locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!c_locale) return NAN;
    const double value = strtod_l(text, NULL, c_locale);
    freelocale(c_locale);
    return value;
}

static double convert(const decimal *number)
{
    const uint64_t w = number->w;
    const int64_t q = number->exponent;
    if (w == 0) return 0.0;
    if (!number->cut && w <= (UINT64_C(1) << 53) && q >= -clinger_power && q <= clinger_power)
        return q >= 0 ? (double)w * powers_of_ten[q] : (double)w / powers_of_ten[-q];
    if (q < -largest_power || q > largest_power) return by_library(number);
    const double value = exact(w, (int)q);
    /* Cut: the number lies between w and w + 1. */
    if (number->cut && exact(w + 1, (int)q) != value) return by_library(number);
    return value;
}

const char *ald_scan_real(const char *text, const char *end, double *value)
{
    decimal number;
    const char *stop = scan(text, end, &number);
    if (!stop) return NULL;
    const double magnitude = convert(&number);
    *value = number.negative ? -magnitude : magnitude;
    return stop;
}

int ald_parse_real(const char *text, size_t length, double *value)
{
    double number;
    if (ald_scan_real(text, text + length, &number) != text + length || length == 0) return 0;
    *value = number;
    return 1;
}

int ald_parse_int(const char *text, size_t length, int64_t *value)
{
    size_t at = 0;
    int negative = 0;
    if (length && (*text == '-' || *text == '+')) negative = text[at++] == '-';
    if (at == length) return 0;
    int64_t sum = 0;
    for (; at < length; at++) {
        if (!is_digit(text[at])) return 0;
        const int digit = text[at] - '0';
        if (__builtin_mul_overflow(sum, (int64_t)10, &sum)) return 0;
        if (__builtin_add_overflow(sum, (int64_t)(negative ? -digit : digit), &sum)) return 0;
    }
    *value = sum;
    return 1;
}

/* Makes printf's text the same everywhere and short: a point for the locale's, "e-7" for "e-07", "e20" for
 * "e+20". */
static int tidy(const char *from, char *text)
{
    char *to = text;
    for (; *from && *from != 'e'; from++) {
        if (is_digit(*from) || *from == '-')
            *to++ = *from;
        else if (to == text || to[-1] != '.')
            *to++ = '.';
    }
    if (*from == 'e') {
        *to++ = *from++;
        if (*from == '-') *to++ = *from;
        if (*from == '-' || *from == '+') from++;
        while (*from == '0') from++;
        while (*from) *to++ = *from++;
    }
    *to = '\0';
    return (int)(to - text);
}

/* A whole number below 10^15. */
static int format_whole(double value, char *text)
{
    char digits[20];
    int count = 0, length = 0;
    uint64_t rest = (uint64_t)fabs(value);
    do digits[count++] = (char)('0' + rest % 10);
    while ((rest /= 10) != 0);
    if (signbit(value)) text[length++] = '-';
    while (count) text[length++] = digits[--count];
    text[length] = '\0';
    return length;
}

static int format_word(const char *word, char *text)
{
    const size_t length = strlen(word);
    memcpy(text, word, length + 1);
    return (int)length;
}

/* Any decimal of 15 digits comes back from a normal double, so shorter ones appear there with their zeros
 * cut; a subnormal double holds fewer. */
int ald_format_real(double value, char text[ALD_REAL_TEXT_SIZE])
{
    if (isnan(value)) return format_word("nan", text);
    if (isinf(value)) return format_word(value < 0.0 ? "-inf" : "inf", text);
    const double size = fabs(value);
    if (size < 1e15 && size == floor(size)) return format_whole(value, text);
    for (int digits = size < DBL_MIN ? 1 : 15;; digits++) {
        char printed[48];
        snprintf(printed, sizeof printed, "%.*g", digits, value);
        const int length = tidy(printed, text);
        double back;
        if (digits == 17 || (ald_parse_real(text, (size_t)length, &back) && back == value)) return length;
    }
}

int ald_text_is_infinity(const char *text, size_t length)
{
    if (length && (*text == '+' || *text == '-')) {
        text++;
        length--;
    }
    return (length == 3 && strncasecmp(text, "inf", 3) == 0) ||
           (length == 8 && strncasecmp(text, "infinity", 8) == 0);
}

int ald_text_is_numeric(const char *text, size_t length)
{
    double value;
    return ald_parse_real(text, length, &value) || ald_text_is_infinity(text, length);
}
