/* Scales: from numbers to places on an axis, with round ticks. */
#ifndef ALD_CANVAS_SCALE_H
#define ALD_CANVAS_SCALE_H

#include <stdint.h>

/* The range of what was added; empty while low > high. */
typedef struct ald_range {
    double low, high;
} ald_range;

ald_range ald_range_empty(void);
/* Values that are not finite are passed over. */
void ald_range_add(ald_range *range, double value);

/* Ticks stand at k * mantissa * 10^exponent for k = first .. last: whole numbers, so that labels are exact.
 */
typedef struct ald_scale {
    double low, high;
    int mantissa, exponent;
    int64_t first, last;
} ald_scale;

/* Covers the range, widened by `padding` of its length at both ends, with about `ticks` ticks. An empty range
 * becomes 0 .. 1; one without length becomes a small neighbourhood. */
ald_scale ald_scale_cover(ald_range range, double padding, int ticks);
/* The range as it is, with ticks at whole numbers only. */
ald_scale ald_scale_whole(double low, double high, int ticks);

/* 0 at the low end, 1 at the high end. */
double ald_scale_place(const ald_scale *scale, double value);
double ald_scale_tick(const ald_scale *scale, int64_t k);

/* The label of tick k: all of a scale have the same number of decimals, or all are powers of ten where that
 * is shorter. A real minus sign (U+2212) is used. */
enum { ALD_TICK_SIZE = 64 };
void ald_scale_label(const ald_scale *scale, int64_t k, char text[ALD_TICK_SIZE]);

/* `value` with a fixed number of decimals (at most 6), rounded, whatever the locale; |value| < 1e12. */
void ald_fixed_text(double value, int decimals, char text[ALD_TICK_SIZE]);

#endif
