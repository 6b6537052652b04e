/* Errors: written once, where they happen; passed up by ALD_TRY. */
#ifndef ALD_CORE_ERROR_H
#define ALD_CORE_ERROR_H

#include <alidade/status.h>
#include <stdarg.h>
#include <stddef.h>

/* Returns from the calling function if the call failed; warnings (positive) continue. */
#define ALD_TRY(call)                                                                                        \
    do {                                                                                                     \
        const ald_status try_status = (call);                                                                \
        if (try_status < 0) return try_status;                                                               \
    } while (0)

#if defined(__GNUC__)
#define ALD_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define ALD_PRINTF(text, first)
#endif

/* No error: what every public function leaves when it is done. NULL is fine. */
void ald_clear_error(ald_error *error);
/* Fills `error` (NULL is fine) and returns `status`. A message too long for its place is cut with "...". */
ald_status ald_fail(ald_error *error, ald_status status, const char *format, ...) ALD_PRINTF(3, 4);
/* The same with a place in the input file; column 0: the whole line. */
ald_status ald_fail_at(ald_error *error, ald_status status, int64_t line, int64_t column, const char *format,
                       ...) ALD_PRINTF(5, 6);
/* Puts a file, and the place in it, in front of the message, unless its name is there already. */
ald_status ald_fail_in(ald_error *error, ald_status status, const char *file);
ald_status ald_fail_list(ald_error *error, ald_status status, int64_t line, int64_t column,
                         const char *format, va_list list);

/* Pointers that a public function cannot do without. */

/* ALD_GIVEN(error, context, x): returns from the calling function with "ald_fit: x is NULL" for the first
 * that is. Outputs are set to NULL or 0 before it, as far as they are there. */
#define ALD_GIVEN(error, ...)                                                                                \
    ALD_TRY(ald_check_given(error, __func__, #__VA_ARGS__, (const void *const[]){__VA_ARGS__},               \
                            sizeof((const void *const[]){__VA_ARGS__}) / sizeof(void *)))
/* `names` is the list as it was written: "context, x". */
ald_status ald_check_given(ald_error *error, const char *function, const char *names,
                           const void *const *pointers, size_t count);

#endif
