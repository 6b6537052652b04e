/* Pointers that a public function cannot do without. */
#ifndef ALD_CORE_GIVEN_H
#define ALD_CORE_GIVEN_H

#include "base/core/error.h"

#include <stddef.h>

/* ALD_GIVEN(error, context, x): returns from the calling function with "ald_fit: x is NULL" for the first
 * that is. Outputs are set to NULL or 0 before it, as far as they are there. */
#define ALD_GIVEN(error, ...)                                                                                \
    ALD_TRY(ald_check_given(error, __func__, #__VA_ARGS__, (const void *const[]){__VA_ARGS__},               \
                            sizeof((const void *const[]){__VA_ARGS__}) / sizeof(void *)))
/* `names` is the list as it was written: "context, x". */
ald_status ald_check_given(ald_error *error, const char *function, const char *names,
                           const void *const *pointers, size_t count);

#endif
