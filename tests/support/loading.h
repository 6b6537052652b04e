/* Datasets from text, for the tests of what becomes of a table. */
#ifndef ALD_TESTS_LOADING_H
#define ALD_TESTS_LOADING_H

#include "data/encode/dataset.h"
#include "support/reading.h"

typedef struct loaded {
    reading r;
    ald_dataset *data;
    ald_status status;
} loaded;

/* Reads and prepares; the outcome is in `status`. */
void load_as(loaded *l, const ald_reader *reader, const char *text, const ald_load_options *options);
/* The same as csv, and fails the test on an error. */
void load(loaded *l, const char *text, const ald_load_options *options);
/* Frees it and asserts that nothing is left. */
void unload(loaded *l);

/* Asserts that the text is refused at this line and column with a message that holds `part`. */
void expect_error_as(const ald_reader *reader, const char *text, const ald_load_options *options,
                     int64_t line, int64_t column, const char *part);
void expect_error(const char *text, const ald_load_options *options, int64_t line, int64_t column,
                  const char *part);

/* Assert the row-major entries of X, and the codes and names (NULL at the end) of a class target. */
void expect_x(const loaded *l, int64_t rows, int64_t cols, const double *values);
void expect_sparse_x(const loaded *l, int64_t rows, int64_t cols, const double *values);
void expect_classes(const loaded *l, int64_t rows, const int32_t *codes, const char *const *names);

#define CLASS_NAMES(...)                                                                                     \
    (const char *const[])                                                                                    \
    {                                                                                                        \
        __VA_ARGS__, NULL                                                                                    \
    }
#define OPTIONS(...)                                                                                         \
    &(ald_load_options)                                                                                      \
    {                                                                                                        \
        .size = sizeof(ald_load_options), __VA_ARGS__                                                        \
    }

#endif
