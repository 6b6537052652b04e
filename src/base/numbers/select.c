#include "base/numbers/select.h"

#include <math.h>

/* Hoare's selection. */
void ald_select(int64_t n, double *values, int64_t k)
{
    int64_t low = 0, high = n - 1;
    while (low < high) {
        const double pivot = values[low + (high - low) / 2];
        int64_t i = low, j = high;
        while (i <= j) {
            while (values[i] < pivot) i++;
            while (values[j] > pivot) j--;
            if (i > j) break;
            const double keep = values[i];
            values[i++] = values[j];
            values[j--] = keep;
        }
        if (k <= j)
            high = j;
        else if (k >= i)
            low = i;
        else
            return;
    }
}

double ald_largest(int64_t n, const double *values)
{
    double largest = -HUGE_VAL;
    for (int64_t i = 0; i < n; i++) largest = values[i] > largest ? values[i] : largest;
    return largest;
}

double ald_median(int64_t n, double *values)
{
    ald_select(n, values, n / 2);
    const double upper = values[n / 2];
    return n % 2 ? upper : 0.5 * (ald_largest(n / 2, values) + upper);
}
