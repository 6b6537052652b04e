#include "judge/cells/journal.h"

#include "judge/cells/journal_cell.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char sum_begin[] = "{\"sum\": \"", sum_end[] = "\", ";
enum {
    sum_at = sizeof sum_begin - 1,
    body_at = sum_at + ALD_KEY_TEXT_SIZE - 1 + sizeof sum_end - 1, /* what the sum is of */
    format_version = 3,
};

typedef struct entry {
    ald_key key;
    int64_t line;
    int count;
    ald_cell *cells;
} entry;

struct ald_journal {
    int file;
    const char *path;
    entry *entries;
    int64_t count, capacity;
};

static ald_status fail_file(ald_run *run, const char *path, const char *what)
{
    return ald_fail(run->error, ALD_ERROR_IO, "%s: cannot %s it: %s", path, what, strerror(errno));
}

ald_status ald_journal_refuse(ald_run *run, const ald_journal *journal, int64_t line)
{
    return ald_fail_at(
        run->error, ALD_ERROR_FORMAT, line, 0,
        "%s: line %lld is not as it was written, so the finished work in this file cannot be trusted: "
        "remove it, or name another file",
        journal->path, (long long)line);
}

/* The text of a line is finished by its sum. */
static ald_status print_sum(ald_run *run, ald_text *line)
{
    char digits[ALD_KEY_TEXT_SIZE];
    ald_key sum = {0};
    ald_key_add(&sum, line->data + body_at, line->length - body_at);
    ald_key_print(sum, digits);
    memcpy(line->data + sum_at, digits, ALD_KEY_TEXT_SIZE - 1);
    return ald_text_print(run, line, "\n");
}

static ald_status begin_line(ald_run *run, ald_text *line)
{
    ald_text_init(line, &run->scratch);
    return ald_text_print(run, line, "%s%016d%s", sum_begin, 0, sum_end);
}

static int has_its_sum(const char *line, size_t length)
{
    char digits[ALD_KEY_TEXT_SIZE];
    ald_key sum = {0};
    if (length <= body_at) return 0;
    ald_key_add(&sum, line + body_at, length - body_at);
    ald_key_print(sum, digits);
    return memcmp(line, sum_begin, sum_at) == 0 && memcmp(line + sum_at, digits, sizeof digits - 1) == 0 &&
           memcmp(line + sum_at + sizeof digits - 1, sum_end, sizeof sum_end - 1) == 0;
}

static ald_status print_head(ald_run *run, ald_key of_run, ald_text *head)
{
    char digits[ALD_KEY_TEXT_SIZE];
    ald_key_print(of_run, digits);
    ALD_TRY(begin_line(run, head));
    ALD_TRY(ald_text_print(run, head, "\"journal\": %d, \"version\": \"%s\", \"run\": \"%s\"}",
                           format_version, ald_version(), digits));
    return print_sum(run, head);
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

/* *good: every field is there and can be. */
static ald_status take_fields(ald_run *run, ald_journal *journal, const json_t *line, int64_t number,
                              int *good)
{
    enum { fields = 5 };
    const char *key = json_string_value(json_object_get(line, "key"));
    const json_t *cells = json_object_get(line, "cells"), *split = json_object_get(line, "split");
    entry e = {.line = number};
    *good = json_object_size(line) == fields && key && ald_key_read(key, &e.key) && json_is_array(cells) &&
            json_is_string(json_object_get(line, "candidate")) && json_is_integer(split) &&
            json_integer_value(split) > 0 && json_array_size(cells) > 0;
    if (!*good) return ALD_OK;
    e.count = (int)json_array_size(cells);
    ALD_TRY(make_room(run, journal));
    ALD_TRY(ald_scratch(run, e.count, 1, sizeof *e.cells, &e.cells));
    for (int i = 0; *good && i < e.count; i++)
        *good = ald_journal_cell_read(json_array_get(cells, (size_t)i), &e.cells[i]);
    if (*good) journal->entries[journal->count++] = e;
    return ALD_OK;
}

static ald_status take_line(ald_run *run, ald_journal *journal, const char *text, size_t length,
                            int64_t number, int *good)
{
    ald_error error;
    ald_run inner;
    json_t *line = NULL;
    *good = has_its_sum(text, length);
    if (!*good) return ALD_OK;
    ald_run_inside(&inner, run, &error);
    ald_status status = ald_run_end(&inner, ald_json_parse(&inner, text, length, "line", &line));
    if (status == ALD_ERROR_MEMORY) return ald_fail(run->error, status, "%s", error.message);
    *good = status >= 0;
    if (*good) status = take_fields(run, journal, line, number, good);
    json_decref(line);
    return *good ? status : ALD_OK;
}

/* Behind the head. A last line that is damaged is the killed writer's. */
static ald_status read_lines(ald_run *run, ald_journal *journal, const char *text, size_t size, size_t *at)
{
    for (int64_t number = 2; *at < size; number++) {
        const char *const end = memchr(text + *at, '\n', size - *at);
        const size_t length = end ? (size_t)(end - (text + *at)) : size - *at;
        int good = 0;
        if (end) ALD_TRY(take_line(run, journal, text + *at, length, number, &good));
        if (!good && *at + length + 1 < size) return ald_journal_refuse(run, journal, number);
        if (!good) return ALD_OK;
        *at += length + 1;
    }
    return ALD_OK;
}

static ald_status not_ours(ald_run *run, const char *path)
{
    return ald_fail_at(
        run->error, ALD_ERROR_FORMAT, 1, 0,
        "%s does not hold the finished work of a comparison, or its first line is damaged: name another file",
        path);
}

/* A head that is whole, but not this one. */
static ald_status another_run(ald_run *run, const char *path, const char *text, size_t length)
{
    char begin[64];
    snprintf(begin, sizeof begin, "\"journal\": %d, \"version\": \"%s\", ", format_version, ald_version());
    const int same_version = length > body_at && strncmp(text + body_at, begin, strlen(begin)) == 0;
    if (!has_its_sum(text, length) || strncmp(text + body_at, "\"journal\": ", 11) != 0)
        return not_ours(run, path);
    return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                    same_version
                        ? "%s keeps the finished work of another run (other data, methods, settings or "
                          "splits): name another file"
                        : "%s keeps the finished work of another version of this program: name another file",
                    path);
}

/* The head is this run's, or the file is empty but for what a killed writer has left of it. */
static ald_status check_head(ald_run *run, const char *path, ald_key of_run, const char *text, size_t size,
                             size_t *kept)
{
    ald_text head;
    const char *const end = memchr(text, '\n', size);
    ALD_TRY(print_head(run, of_run, &head));
    const size_t begun = size < head.length ? size : head.length;
    *kept = begun == head.length ? begun : 0;
    if (memcmp(text, head.data, begun) == 0) return ALD_OK;
    return end ? another_run(run, path, text, (size_t)(end - text)) : not_ours(run, path);
}

ald_status ald_journal_read(ald_run *run, const char *path, ald_key of_run, const char *text, size_t size,
                            size_t *kept, ald_journal **journal)
{
    ald_journal *made;
    ALD_TRY(ald_scratch(run, 1, 1, sizeof *made, &made));
    *made = (ald_journal){.path = path, .file = -1};
    ALD_TRY(check_head(run, path, of_run, text, size, kept));
    if (*kept) ALD_TRY(read_lines(run, made, text, size, kept));
    *journal = made;
    return ALD_OK;
}

static ald_status read_all(ald_run *run, int file, const char *path, char **text, size_t *size)
{
    struct stat info;
    if (fstat(file, &info) != 0) return fail_file(run, path, "look at");
    if (!S_ISREG(info.st_mode))
        return ald_fail(run->error, ALD_ERROR_IO, "%s is not a file where finished work can be kept", path);
    ALD_TRY(ald_scratch(run, info.st_size + 1, 1, 1, text));
    for (*size = 0; *size < (size_t)info.st_size;) {
        const ssize_t got = read(file, *text + *size, (size_t)info.st_size - *size);
        if (got < 0) return fail_file(run, path, "read");
        if (got == 0) break;
        *size += (size_t)got;
    }
    (*text)[*size] = '\0';
    return ALD_OK;
}

static ald_status write_line(ald_run *run, const ald_journal *journal, const ald_text *line)
{
    if (write(journal->file, line->data, line->length) == (ssize_t)line->length) return ALD_OK;
    return fail_file(run, journal->path, "write to");
}

static ald_status load(ald_run *run, const char *path, int file, ald_key of_run, ald_journal **journal)
{
    char *text;
    size_t size = 0, kept = 0;
    ald_text head;
    ALD_TRY(read_all(run, file, path, &text, &size));
    ALD_TRY(ald_journal_read(run, path, of_run, text, size, &kept, journal));
    (*journal)->file = file;
    if (kept < size && ftruncate(file, (off_t)kept) != 0) return fail_file(run, path, "shorten");
    if (kept > 0) return ALD_OK;
    ALD_TRY(print_head(run, of_run, &head));
    return write_line(run, *journal, &head);
}

ald_status ald_journal_open(ald_run *run, const char *path, ald_key of_run, ald_journal **journal)
{
    *journal = NULL;
    const int file = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (file < 0) return fail_file(run, path, "open");
    const ald_status status = load(run, path, file, of_run, journal);
    if (status < 0) {
        close(file);
        *journal = NULL;
    }
    return status;
}

void ald_journal_close(ald_journal *journal)
{
    if (journal && journal->file >= 0) close(journal->file);
}

int64_t ald_journal_find(const ald_journal *journal, ald_key key, int count, ald_cell *cells)
{
    for (int64_t i = 0; i < journal->count; i++) {
        const entry *e = &journal->entries[i];
        if (e->key.value != key.value || e->count != count) continue;
        memcpy(cells, e->cells, (size_t)count * sizeof *cells);
        return e->line;
    }
    return 0;
}

ald_status ald_journal_add(ald_run *run, ald_journal *journal, ald_key key, const char *name, int64_t split,
                           int count, const ald_cell *cells)
{
    char digits[ALD_KEY_TEXT_SIZE];
    ald_text line;
    ald_key_print(key, digits);
    ALD_TRY(begin_line(run, &line));
    ALD_TRY(ald_text_print(run, &line, "\"key\": \"%s\", \"candidate\": ", digits));
    ALD_TRY(ald_text_json(run, &line, name));
    ALD_TRY(ald_text_print(run, &line, ", \"split\": %lld, \"cells\": [", (long long)split + 1));
    for (int i = 0; i < count; i++) {
        if (i) ALD_TRY(ald_text_print(run, &line, ", "));
        ALD_TRY(ald_journal_cell_print(run, &line, &cells[i]));
    }
    ALD_TRY(ald_text_print(run, &line, "]}"));
    ALD_TRY(print_sum(run, &line));
    const ald_status status = write_line(run, journal, &line);
    ald_arena_drop(&run->scratch, line.data);
    return status;
}
