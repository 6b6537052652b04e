#include "numbers/ordering.h"

#include <stdlib.h>

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
