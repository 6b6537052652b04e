/* Numbers of components as text: "3", "1:4", "10:50:10", with commas. */
#include "judge/choosing/search.h"

#include "base/numbers/number.h"

#include <stdlib.h>
#include <string.h>

enum { most = 1000 };

/* Adds FIRST, FIRST:LAST or FIRST:LAST:STEP to the list, which has room for `most`. */
static int read_range(const char *text, size_t length, int64_t *list, int *count)
{
    int64_t bounds[3] = {0, 0, 1};
    int n = 0;
    for (size_t at = 0; at <= length; n++) {
        size_t end = at;
        while (end < length && text[end] != ':') end++;
        if (n == 3 || !ald_parse_int(text + at, end - at, &bounds[n])) return 0;
        at = end + 1;
    }
    if (n == 1) bounds[1] = bounds[0];
    if (bounds[0] < 1 || bounds[1] < bounds[0] || bounds[1] > INT32_MAX || bounds[2] < 1) return 0;
    for (int64_t r = bounds[0]; r <= bounds[1]; r += bounds[2]) {
        if (*count == most) return 0;
        list[(*count)++] = r;
        if (bounds[2] > INT32_MAX) break;
    }
    return 1;
}

static int compare_ints(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static int sort_once(int64_t *list, int count)
{
    int kept = 0;
    qsort(list, (size_t)count, sizeof *list, compare_ints);
    for (int i = 0; i < count; i++)
        if (i == 0 || list[i] != list[kept - 1]) list[kept++] = list[i];
    return kept;
}

ald_status ald_dims_read(ald_run *run, ald_arena *memory, const char *text, int64_t **dims, int *count)
{
    int good = 1, found = 0;
    *dims = ald_arena_get(memory, most, 1, sizeof **dims);
    if (!*dims) return ald_out_of_memory(run, most, 1, sizeof **dims);
    for (const char *at = text; good && *at;) {
        const size_t length = strcspn(at, ",");
        good = read_range(at, length, *dims, &found);
        at += length;
        at += *at == ',';
    }
    if (!good || found == 0)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "`components=%.60s`: numbers of components are written as 3, 1:4 or 1,2,5, each from "
                        "1, at most %d",
                        text, most);
    *count = sort_once(*dims, found);
    return ALD_OK;
}
