/* Reading a table from bytes in memory, with an allocator that counts and can be told to fail. */
#ifndef ALD_TESTS_READING_H
#define ALD_TESTS_READING_H

#include "io/reading/reader.h"

typedef struct reading {
    ald_context context;
    ald_run run;
    ald_error error;
    ald_arena arena;
    ald_table table;
    int64_t allocations; /* so far */
    int64_t fail_at;     /* the allocation that fails, from 1; 0: none */
    int64_t live;        /* blocks not freed */
    char log[2000];      /* what was told: a line each, "warning: ..." or "info: ..." */
} reading;

void reading_begin(reading *r);
/* Frees everything and asserts that nothing is left. */
void reading_end(reading *r);

/* Reads the bytes into r->table. `options` may be NULL. */
ald_status reading_bytes(reading *r, const ald_reader *reader, const void *bytes, size_t size,
                         const ald_load_options *options);
ald_status reading_text(reading *r, const ald_reader *reader, const char *text);

/* Asserts that the text is refused at this line and column with a message that holds `part`. */
void assert_refused(const ald_reader *reader, const char *text, int64_t line, int64_t column,
                    const char *part);
/* Asserts the cells (row major; NAN: missing) of a dense or a sparse table. */
void assert_cells(const ald_table *table, int64_t rows, int64_t cols, const double *cells);

/* Reads with each allocation failing once: every time an error and no leak. */
void assert_survives_no_memory(const ald_reader *reader, const void *bytes, size_t size);
/* Reads every beginning of the bytes, and the bytes with every one of them changed: any outcome but a crash
 * or a leak.
 */
void assert_survives_damage(const ald_reader *reader, const void *bytes, size_t size);

#endif
