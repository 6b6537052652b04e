/* Structs that can grow. Every public struct of options, and every struct of results that the caller owns,
 * begins with `size_t size`, which its initialiser (ALD_LOAD_OPTIONS_INIT for ald_load_options) sets to the
 * size that the caller's compiler knew. Fields are only ever added at the end, never into padding, and 0
 * always stands for "not given". So
 *   - a program that was compiled before a field existed passes a shorter struct: the field reads as 0;
 *   - a program that was compiled after passes a longer one: the rest must be 0, otherwise it requests what
 *     this library lacks, which is an error;
 *   - a struct that was never initialised has a size that cannot be, and the error names the initialiser. */
#ifndef ALD_SETTINGS_OPTIONS_H
#define ALD_SETTINGS_OPTIONS_H

#include "base/core/error.h"

#include <stddef.h>

/* ALD_OPTIONS_READ(error, ald_load_options, given, &whole): copies what the caller gave (NULL: nothing) into
 * `whole`, of which the rest becomes 0, and whole.size its size here. The first line of every public function
 * with options. */
#define ALD_OPTIONS_READ(error, type, given, whole) ald_options_read(error, #type, sizeof(type), given, whole)
ald_status ald_options_read(ald_error *error, const char *type, size_t size, const void *given, void *whole);

/* For results: the size can be, or an error that names the initialiser. Before the work; NULL is fine. */
#define ALD_OPTIONS_CHECK(error, type, given) ald_options_check(error, #type, given)
ald_status ald_options_check(ald_error *error, const char *type, const void *given);
/* The way back: writes as much of `whole` as the caller's struct has room for; what it has more becomes 0.
 * NULL: the result is not wanted. */
#define ALD_OPTIONS_WRITE(type, whole, given) ald_options_write(sizeof(type), whole, given)
void ald_options_write(size_t size, const void *whole, void *given);
/* The same for row `index` of an array of results, whose first element tells the size of all. */
#define ALD_OPTIONS_WRITE_AT(type, whole, rows, index) ald_options_write_at(sizeof(type), whole, rows, index)
void ald_options_write_at(size_t size, const void *whole, void *rows, int64_t index);

#endif
