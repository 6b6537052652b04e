#include "base/numbers/select.h"

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

double ald_median(int64_t n, double *values)
{
    ald_select(n, values, n / 2);
    const double upper = values[n / 2];
    if (n % 2) return upper;
    double below = values[0];
    for (int64_t i = 1; i < n / 2; i++)
        if (values[i] > below) below = values[i];
    return 0.5 * (below + upper);
}
