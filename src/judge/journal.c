#include "judge/journal.h"

#include "core/json.h"
#include "core/number.h"
#include "core/text.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char line_begin[] = "{\"key\": \"";

typedef struct entry {
    uint64_t key;
    int count;
    ald_cell *cells;
} entry;

struct ald_journal {
    int file;
    const char *path;
    entry *entries;
    int64_t count, capacity;
};

void ald_key_add(ald_key *key, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    if (!key->value) key->value = 0xcbf29ce484222325U;
    for (size_t i = 0; i < size; i++) key->value = (key->value ^ at[i]) * 0x100000001b3U;
}

void ald_key_text(ald_key *key, const char *text)
{
    ald_key_add(key, text, strlen(text) + 1);
}

void ald_key_int(ald_key *key, int64_t number)
{
    ald_key_add(key, &number, sizeof number);
}

static ald_status fail_file(ald_run *run, const char *path, const char *what)
{
    return ald_fail(run->error, ALD_ERROR_IO, "%s: cannot %s it: %s", path, what, strerror(errno));
}

static ald_status read_all(ald_run *run, const ald_journal *journal, char **text, size_t *size)
{
    struct stat info;
    if (fstat(journal->file, &info) != 0) return fail_file(run, journal->path, "look at");
    if (!S_ISREG(info.st_mode))
        return ald_fail(run->error, ALD_ERROR_IO, "%s is not a file where finished work can be kept", journal->path);
    ALD_TRY(ald_scratch(run, info.st_size + 1, 1, 1, text));
    for (*size = 0; *size < (size_t)info.st_size;) {
        const ssize_t got = read(journal->file, *text + *size, (size_t)info.st_size - *size);
        if (got < 0) return fail_file(run, journal->path, "read");
        if (got == 0) break;
        *size += (size_t)got;
    }
    (*text)[*size] = '\0';
    return ALD_OK;
}

/* Missing numbers are NaN: they are written as null. */
static double real_in(const json_t *object, const char *name)
{
    const json_t *value = json_object_get(object, name);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

static int64_t int_in(const json_t *object, const char *name)
{
    return (int64_t)json_integer_value(json_object_get(object, name));
}

static void read_cell(const json_t *object, ald_cell *cell)
{
    const char *message = json_string_value(json_object_get(object, "message"));
    const json_t *metrics = json_object_get(object, "metrics");
    *cell = (ald_cell){.status = (ald_status)int_in(object, "status"),
                       .fit_seconds = real_in(object, "fit_seconds"),
                       .apply_seconds = real_in(object, "apply_seconds"),
                       .setting = (int)int_in(object, "setting"),
                       .dims = int_in(object, "dims")};
    snprintf(cell->message, sizeof cell->message, "%s", message ? message : "");
    for (int k = 0; k < ALD_MOST_METRICS; k++) {
        const json_t *value = json_array_get(metrics, (size_t)k);
        cell->metrics[k] = json_is_number(value) ? json_number_value(value) : (double)NAN;
    }
}

static ald_status make_room(ald_run *run, ald_journal *journal)
{
    if (journal->count < journal->capacity) return ALD_OK;
    journal->capacity = 2 * journal->capacity + 64;
    entry *more = ald_arena_resize(&run->scratch, journal->entries, journal->capacity, 1, sizeof *more);
    if (!more) return ald_out_of_memory(run, journal->capacity, 1, sizeof *more);
    journal->entries = more;
    return ALD_OK;
}

static ald_status take_line(ald_run *run, ald_journal *journal, const json_t *line)
{
    const char *key = json_string_value(json_object_get(line, "key"));
    const json_t *cells = json_object_get(line, "cells");
    if (!key || !json_is_array(cells)) return ALD_OK;
    ALD_TRY(make_room(run, journal));
    entry *e = &journal->entries[journal->count];
    *e = (entry){.count = (int)json_array_size(cells)};
    if (sscanf(key, "%16" SCNx64, &e->key) != 1) return ALD_OK;
    ALD_TRY(ald_scratch(run, e->count, 1, sizeof *e->cells, &e->cells));
    for (int i = 0; i < e->count; i++) read_cell(json_array_get(cells, (size_t)i), &e->cells[i]);
    journal->count++;
    return ALD_OK;
}

static ald_status read_lines(ald_run *run, ald_journal *journal, const char *text, size_t size)
{
    int64_t number = 1;
    for (size_t at = 0; at < size; number++) {
        const char *const end = memchr(text + at, '\n', size - at);
        const size_t length = (size_t)(end - (text + at));
        ald_error error;
        ald_run inner;
        json_t *line = NULL;
        ald_run_begin(&inner, run->context, &error);
        ald_status status = ald_run_end(&inner, ald_json_parse(&inner, text + at, length, "line", &line));
        if (status == ALD_ERROR_MEMORY) return ald_fail(run->error, status, "%s", error.message);
        if (status < 0)
            return ald_fail_at(run->error, ALD_ERROR_FORMAT, number, 0,
                               "%s: line %lld is not what a comparison has kept: name another file", journal->path,
                               (long long)number);
        status = take_line(run, journal, line);
        json_decref(line);
        ALD_TRY(status);
        at += length + 1;
    }
    return ALD_OK;
}

static ald_status load(ald_run *run, ald_journal *journal)
{
    char *text;
    size_t size = 0;
    ALD_TRY(read_all(run, journal, &text, &size));
    const size_t read = size;
    while (size > 0 && text[size - 1] != '\n') size--;
    const size_t begun = read < sizeof line_begin - 1 ? read : sizeof line_begin - 1;
    if (size == 0 && read > 0 && memcmp(text, line_begin, begun) != 0)
        return ald_fail(run->error, ALD_ERROR_FORMAT, "%s is not what a comparison has kept: name another file",
                        journal->path);
    ALD_TRY(read_lines(run, journal, text, size));
    if (size < read && ftruncate(journal->file, (off_t)size) != 0) return fail_file(run, journal->path, "shorten");
    return ALD_OK;
}

ald_status ald_journal_open(ald_run *run, const char *path, ald_journal **journal)
{
    ald_journal *opened;
    *journal = NULL;
    ALD_TRY(ald_scratch(run, 1, 1, sizeof *opened, &opened));
    *opened = (ald_journal){.path = path, .file = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666)};
    if (opened->file < 0) return fail_file(run, path, "open");
    const ald_status status = load(run, opened);
    if (status < 0)
        close(opened->file);
    else
        *journal = opened;
    return status;
}

void ald_journal_close(ald_journal *journal)
{
    if (journal) close(journal->file);
}

int ald_journal_find(const ald_journal *journal, ald_key key, int count, ald_cell *cells)
{
    for (int64_t i = 0; i < journal->count; i++) {
        const entry *e = &journal->entries[i];
        if (e->key != key.value || e->count != count) continue;
        memcpy(cells, e->cells, (size_t)count * sizeof *cells);
        return 1;
    }
    return 0;
}

static ald_status print_real(ald_run *run, ald_text *text, const char *name, double value)
{
    char number[ALD_REAL_TEXT_SIZE] = "null";
    if (isfinite(value)) ald_format_real(value, number);
    return ald_text_print(run, text, "%s%s", name, number);
}

static ald_status print_cell(ald_run *run, ald_text *text, const ald_cell *cell)
{
    ALD_TRY(ald_text_print(run, text, "{\"dims\": %lld, \"setting\": %d, \"status\": %d, \"message\": ",
                           (long long)cell->dims, cell->setting, (int)cell->status));
    ALD_TRY(ald_text_json(run, text, cell->message));
    ALD_TRY(print_real(run, text, ", \"fit_seconds\": ", cell->fit_seconds));
    ALD_TRY(print_real(run, text, ", \"apply_seconds\": ", cell->apply_seconds));
    for (int k = 0; k < ALD_MOST_METRICS; k++)
        ALD_TRY(print_real(run, text, k ? ", " : ", \"metrics\": [", cell->metrics[k]));
    return ald_text_print(run, text, "]}");
}

ald_status ald_journal_add(ald_run *run, ald_journal *journal, ald_key key, const char *name, int64_t split, int count,
                           const ald_cell *cells)
{
    ald_text line;
    ald_text_init(&line, &run->scratch);
    ALD_TRY(ald_text_print(run, &line, "%s%016" PRIx64 "\", \"candidate\": ", line_begin, key.value));
    ALD_TRY(ald_text_json(run, &line, name));
    ALD_TRY(ald_text_print(run, &line, ", \"split\": %lld, \"cells\": [", (long long)split + 1));
    for (int i = 0; i < count; i++) {
        if (i) ALD_TRY(ald_text_print(run, &line, ", "));
        ALD_TRY(print_cell(run, &line, &cells[i]));
    }
    ALD_TRY(ald_text_print(run, &line, "]}\n"));
    if (write(journal->file, line.data, line.length) != (ssize_t)line.length)
        return fail_file(run, journal->path, "write to");
    ald_arena_drop(&run->scratch, line.data);
    return ALD_OK;
}
