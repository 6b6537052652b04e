/* Comparisons and sorting of numbers. */
#include "base/numbers/ordering.h"

#include <stdlib.h>
#include <string.h>

int ald_compare_reals(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int ald_compare_whole(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

void ald_sort_reals(int64_t count, double *values)
{
    if (count > 1) qsort(values, (size_t)count, sizeof *values, ald_compare_reals);
}

void ald_sort_whole(int64_t count, int64_t *values)
{
    if (count > 1) qsort(values, (size_t)count, sizeof *values, ald_compare_whole);
}

static int rising(const void *a, const void *b)
{
    const ald_ranked *x = a, *y = b;
    const int by_value = ald_compare_reals(&x->value, &y->value);
    return by_value ? by_value : ald_compare_whole(&x->place, &y->place);
}

static int falling(const void *a, const void *b)
{
    const ald_ranked *x = a, *y = b;
    const int by_value = ald_compare_reals(&y->value, &x->value);
    return by_value ? by_value : ald_compare_whole(&x->place, &y->place);
}

void ald_rank_rising(int64_t count, ald_ranked *list)
{
    if (count > 1) qsort(list, (size_t)count, sizeof *list, rising);
}

void ald_rank_falling(int64_t count, ald_ranked *list)
{
    if (count > 1) qsort(list, (size_t)count, sizeof *list, falling);
}

uint64_t ald_real_key(double value)
{
    const uint64_t sign = UINT64_C(1) << 63;
    const double plain = value + 0.0; /* -0 becomes 0 */
    uint64_t bits;
    memcpy(&bits, &plain, sizeof bits);
    return bits & sign ? ~bits : bits | sign;
}

enum { BYTES = 8, DIGITS = 256 };

/* For every byte, how many keys have which value. */
static void count_digits(int64_t count, const uint64_t *keys, int64_t counts[BYTES][DIGITS])
{
    memset(counts, 0, sizeof(int64_t[BYTES][DIGITS]));
    for (int64_t i = 0; i < count; i++)
        for (int b = 0; b < BYTES; b++) counts[b][keys[i] >> (8 * b) & 255]++;
}

/* Keys by one byte, the order of equal ones kept. counts becomes where the next of each value goes. */
static void place_by_digit(int64_t count, const uint64_t *keys, int shift, int64_t *counts, uint64_t *placed)
{
    int64_t first = 0;
    for (int v = 0; v < DIGITS; v++) {
        const int64_t here = counts[v];
        counts[v] = first;
        first += here;
    }
    for (int64_t i = 0; i < count; i++) placed[counts[keys[i] >> shift & 255]++] = keys[i];
}

void ald_sort_keys(int64_t count, uint64_t *keys, uint64_t *spare)
{
    int64_t counts[BYTES][DIGITS];
    uint64_t *from = keys, *to = spare;
    if (count < 2) return;
    count_digits(count, keys, counts);
    for (int b = 0; b < BYTES; b++) {
        if (counts[b][keys[0] >> (8 * b) & 255] == count) continue; /* all alike in this byte */
        place_by_digit(count, from, 8 * b, counts[b], to);
        uint64_t *const placed = to;
        to = from;
        from = placed;
    }
    if (from != keys) memcpy(keys, from, (size_t)count * sizeof *keys);
}
