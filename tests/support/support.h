/* What the tests share: contexts, random matrices, plain linear algebra to recompute things with,
 * comparisons. */
#ifndef ALD_TESTS_SUPPORT_H
#define ALD_TESTS_SUPPORT_H

#include <alidade/alidade.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/core/run.h"
#include "base/numbers/random.h"

/* Fails the test with the library's message when a status is negative. */
#define assert_done(status, error) support_assert_done((status), &(error), __FILE__, __LINE__)
void support_assert_done(ald_status status, const ald_error *error, const char *file, int line);
/* |a - b| <= tolerance, with the numbers in the message. */
#define assert_close(a, b, tolerance)                                                                        \
    support_assert_close((a), (b), (tolerance), #a " ~ " #b, __FILE__, __LINE__)
void support_assert_close(double a, double b, double tolerance, const char *what, const char *file, int line);
#define assert_below(a, bound) support_assert_below((a), (bound), #a " <= " #bound, __FILE__, __LINE__)
void support_assert_below(double a, double bound, const char *what, const char *file, int line);

/* A context with that many threads on that backend (NULL: the default). Freed by the caller. */
ald_context *support_context(int threads, const char *backend);
/* A run on that context; ended by the caller. */
void support_run(ald_run *run, ald_context *context, ald_error *error);

/* n standard normals, allocated. */
double *support_normals(uint64_t seed, int64_t n);

/* Settings of a method from "name=value name=value". */
/* The capabilities of the method where rows are streamed or updated: there it cuts one response into slices,
 * not several. */
unsigned support_streamed_capabilities(const ald_method *method);
ald_settings *support_settings(ald_context *context, const char *method, const char *assignments);

/* Plain loops: c (m x n) = op(a) op(b). */
void support_multiply(int trans_a, int trans_b, int64_t m, int64_t n, int64_t k, const double *a,
                      const double *b, double *c);
double support_largest_difference(int64_t n, const double *a, const double *b);
double support_norm(int64_t n, const double *a);
/* Sine of the largest angle between the spans of rows of a and b, both r x d. */
double support_sine(int64_t r, int64_t d, const double *a, const double *b);

/* The folder of the papers' data sets, or NULL (then a test says so and skips). */
const char *support_shared_data(void);
/* The repository's data folder. */
const char *support_data(void);

/* ALD_SAMPLE, 1 where it is not set: tests of very many cases take every so many of them. For the sanitizers
 * in make check, where the release build has run all. */
int support_stride(void);

/* For ald_allocator: the *user-th request (an int, counted down) fails. */
void *support_failing_resize(void *user, void *block, size_t size);

#endif
