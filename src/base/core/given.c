#include "base/core/given.h"

#include <string.h>

/* Name `index` of "context, x", with its length. */
static const char *name_at(const char *names, size_t index, size_t *length)
{
    for (; index > 0; index--) names += strcspn(names, ",") + 2;
    *length = strcspn(names, ",");
    return names;
}

ald_status ald_check_given(ald_error *error, const char *function, const char *names,
                           const void *const *pointers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t length;
        if (pointers[i]) continue;
        const char *name = name_at(names, i, &length);
        return ald_fail(error, ALD_ERROR_ARGUMENT, "%s: %.*s is NULL", function, (int)length, name);
    }
    return ALD_OK;
}
