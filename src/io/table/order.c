#include "io/table/order.h"

#include <string.h>

/* Merges the sorted runs from[low .. middle) and from[middle .. high) into to[low .. high). */
static void merge(const int64_t *from, int64_t *to, int64_t low, int64_t middle, int64_t high,
                  ald_order_compare compare, const void *context)
{
    int64_t a = low, b = middle;
    for (int64_t k = low; k < high; k++) {
        const int take_a = b >= high || (a < middle && compare(context, from[a], from[b]) <= 0);
        to[k] = take_a ? from[a++] : from[b++];
    }
}

ald_status ald_order_sort(ald_run *run, int64_t n, int64_t *order, ald_order_compare compare,
                          const void *context)
{
    int64_t *other;
    ALD_TRY(ald_scratch(run, n, 1, sizeof *other, &other));
    int64_t *from = order, *to = other;
    for (int64_t width = 1; width < n; width *= 2) {
        for (int64_t low = 0; low < n; low += 2 * width) {
            const int64_t middle = low + width < n ? low + width : n;
            const int64_t high = low + 2 * width < n ? low + 2 * width : n;
            merge(from, to, low, middle, high, compare, context);
        }
        int64_t *const swap = from;
        from = to;
        to = swap;
    }
    if (from != order) memcpy(order, from, (size_t)n * sizeof *order);
    ald_arena_drop(&run->scratch, other);
    return ALD_OK;
}
