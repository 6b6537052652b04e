#include "support/reading.h"
#include "support/support.h"

#include "io/files/temporary.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void *resize(void *user, void *block, size_t size)
{
    reading *r = user;
    if (size == 0) {
        r->live -= block != NULL;
        free(block);
        return NULL;
    }
    if (++r->allocations == r->fail_at) return NULL;
    void *moved = realloc(block, size);
    r->live += !block && moved;
    return moved;
}

static void keep_line(void *user, ald_log_level level, const char *line)
{
    reading *r = user;
    const size_t used = strlen(r->log);
    snprintf(r->log + used, sizeof r->log - used, "%s: %s\n", level == ALD_LOG_WARNING ? "warning" : "info",
             line);
}

void reading_begin(reading *r)
{
    memset(r, 0, sizeof *r);
    r->context.log = keep_line;
    r->context.log_user = r;
    r->context.allocator = (ald_allocator){resize, r};
    r->context.system = &ald_real_system;
    r->context.threads = 1;
    ald_run_begin(&r->run, &r->context, &r->error);
    ald_arena_init(&r->arena, &r->context.allocator);
}

void reading_end(reading *r)
{
    ald_arena_free(&r->arena);
    ald_run_end(&r->run, ALD_OK);
    assert_int_equal(r->live, 0);
}

ald_status reading_bytes(reading *r, const ald_reader *reader, const void *bytes, size_t size,
                         const ald_load_options *options)
{
    static const ald_load_options none;
    ald_input *input;
    memset(&r->table, 0, sizeof r->table);
    r->table.arena = &r->arena;
    r->table.source = "memory";
    ALD_TRY(ald_input_memory(&r->run, bytes, size, &input));
    const ald_status status = reader->read(&r->run, input, options ? options : &none, &r->table);
    ald_input_close(input);
    return status;
}

ald_status reading_text(reading *r, const ald_reader *reader, const char *text)
{
    return reading_bytes(r, reader, text, strlen(text), NULL);
}

void assert_refused(const ald_reader *reader, const char *text, int64_t line, int64_t column,
                    const char *part)
{
    reading r;
    reading_begin(&r);
    assert_true(reading_text(&r, reader, text) < 0);
    if (r.error.line != line || r.error.column != column || !strstr(r.error.message, part))
        fail_msg("expected line %lld, column %lld and '%s', got line %lld, column %lld: %s", (long long)line,
                 (long long)column, part, (long long)r.error.line, (long long)r.error.column,
                 r.error.message);
    reading_end(&r);
}

static double cell_of(const ald_table *table, int64_t row, int64_t column)
{
    if (!table->sparse) return table->cells[row * table->cols + column];
    for (int64_t k = table->pointers[row]; k < table->pointers[row + 1]; k++)
        if (table->indices[k] == column) return table->values[k];
    return 0.0;
}

static void assert_sorted_rows(const ald_table *table)
{
    for (int64_t i = 0; i < table->rows; i++)
        for (int64_t k = table->pointers[i]; k < table->pointers[i + 1]; k++) {
            assert_true(table->values[k] != 0.0);
            assert_true(table->indices[k] >= 0 && table->indices[k] < table->cols);
            if (k > table->pointers[i]) assert_true(table->indices[k] > table->indices[k - 1]);
        }
}

void assert_cells(const ald_table *table, int64_t rows, int64_t cols, const double *cells)
{
    assert_int_equal(table->rows, rows);
    assert_int_equal(table->cols, cols);
    if (table->sparse) assert_sorted_rows(table);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < cols; j++) {
            const double expected = cells[i * cols + j], found = cell_of(table, i, j);
            if (isnan(expected) ? !ald_cell_is_missing(found) : found != expected)
                fail_msg("cell (%lld, %lld) is %.17g, expected %.17g", (long long)i, (long long)j, found,
                         expected);
        }
}

void assert_survives_no_memory(const ald_reader *reader, const void *bytes, size_t size)
{
    for (int64_t fail_at = 1;; fail_at++) {
        reading r;
        reading_begin(&r);
        r.fail_at = fail_at;
        const ald_status status = reading_bytes(&r, reader, bytes, size, NULL);
        const int reached = r.allocations >= fail_at;
        if (reached) assert_int_equal(status, ALD_ERROR_MEMORY);
        reading_end(&r);
        if (reached) continue;
        assert_int_equal(status, ALD_OK);
        assert_true(fail_at > 1);
        return;
    }
}

static void read_any(const ald_reader *reader, const void *bytes, size_t size)
{
    reading r;
    reading_begin(&r);
    if (reading_bytes(&r, reader, bytes, size, NULL) < 0) assert_true(strlen(r.error.message) > 0);
    reading_end(&r);
}

/* The copy is exactly as large as what is read, so that a sanitizer sees each step too far. */
static void read_copy(const ald_reader *reader, const unsigned char *bytes, size_t size, size_t change,
                      int by)
{
    unsigned char *copy = malloc(size ? size : 1);
    assert_non_null(copy);
    memcpy(copy, bytes, size);
    if (change < size) copy[change] = (unsigned char)(copy[change] + by);
    read_any(reader, copy, size);
    free(copy);
}

void assert_survives_damage(const ald_reader *reader, const void *bytes, size_t size)
{
    static const int changes[] = {1, 16, 128, 255};
    const size_t stride = (size_t)support_stride(), per_byte = sizeof changes / sizeof *changes;
    for (size_t length = 0; length < size; length += stride) read_copy(reader, bytes, length, size, 0);
    for (size_t i = 0; i < size * per_byte; i += stride)
        read_copy(reader, bytes, size, i / per_byte, changes[i % per_byte]);
}
