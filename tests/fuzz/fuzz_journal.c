/* The fuzz target for the journal of finished fits: the bytes as they are, and again with the head and the
 * sums of all lines made right, so that what stands behind them is reached. */
#include "fuzz/fuzzing.h"
#include "judge/cells/journal.h"

#include <stdio.h>
#include <string.h>

static const ald_key of_run = {1};
static const char begin[] = "{\"sum\": \"0123456789abcdef\", ";

static void read_bytes(const char *text, size_t size)
{
    const ald_context context = fuzzing_context();
    ald_run run;
    ald_error error;
    ald_journal *journal = NULL;
    size_t kept = 0;
    ald_cell cell;
    ald_run_begin(&run, &context, &error);
    const ald_status status = ald_journal_read(&run, "fuzz", of_run, text, size, &kept, &journal);
    fuzzing_expect_message(status, &error);
    if (kept > size) abort();
    if (status >= 0) ald_journal_find(journal, (ald_key){0}, 1, &cell);
    ald_run_end(&run, status);
}

static void put_sum(char *line, size_t length)
{
    char digits[ALD_KEY_TEXT_SIZE];
    ald_key sum = {0};
    ald_key_add(&sum, line + sizeof begin - 1, length - (sizeof begin - 1));
    ald_key_print(sum, digits);
    memcpy(line + 9, digits, 16);
}

/* Each line becomes the body of one with its sum. */
static void read_mended(const char *text, size_t size)
{
    char *mended = malloc(size * sizeof begin + 1000), *to = mended;
    if (!mended) return;
    char *line = to;
    to += sprintf(to, "%s\"journal\": 2, \"version\": \"%s\", \"run\": \"0000000000000001\"}", begin,
                  ald_version());
    put_sum(line, (size_t)(to - line));
    *to++ = '\n';
    for (size_t at = 0; at < size;) {
        const char *end = memchr(text + at, '\n', size - at);
        const size_t length = end ? (size_t)(end - (text + at)) : size - at;
        const size_t skipped =
            length >= sizeof begin - 1 && memcmp(text + at, begin, 9) == 0 ? sizeof begin - 1 : 0;
        line = to;
        memcpy(to, begin, sizeof begin - 1);
        to += sizeof begin - 1;
        memcpy(to, text + at + skipped, length - skipped);
        to += length - skipped;
        put_sum(line, (size_t)(to - line));
        *to++ = '\n';
        at += length + 1;
    }
    *to = '\0';
    read_bytes(mended, (size_t)(to - mended));
    free(mended);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char *text = malloc(size + 1);
    if (!text) return 0;
    memcpy(text, bytes, size);
    text[size] = '\0';
    read_bytes(text, size);
    read_mended(text, size);
    free(text);
    return 0;
}

/* --- mutations: whole lines, single values, and the sums made right again */

enum { most_lines = 32 };

/* Where each line begins; one more is the end. */
static int find_lines(const uint8_t *bytes, size_t size, size_t *starts)
{
    int count = 0;
    for (size_t at = 0; at < size && count < most_lines; count++) {
        const uint8_t *end = memchr(bytes + at, '\n', size - at);
        starts[count] = at;
        at = end ? (size_t)(end - bytes) + 1 : size;
        starts[count + 1] = at;
    }
    return count;
}

/* Puts `length` bytes in the place of those from `from` to `to`; gives the new size, or the old one where
 * there is no room. */
static size_t replace(uint8_t *bytes, size_t size, size_t room, size_t from, size_t to, const void *by,
                      size_t length)
{
    if (size - (to - from) + length > room) return size;
    memmove(bytes + from + length, bytes + to, size - to);
    memcpy(bytes + from, by, length);
    return size - (to - from) + length;
}

/* A number or a word of the line becomes another one. */
static size_t change_value(uint8_t *bytes, size_t size, size_t room, size_t from, size_t to, unsigned seed)
{
    static const char *const values[] = {
        "0",          "1",           "-1", "null", "7.5",  "1e999",  "\"inf\"",
        "2147483648", "-2147483649", "[]", "{}",   "\"\"", "1e-320", "9223372036854775808",
        "true",       "0.5",
    };
    static const char letters[] = "0123456789.+-eE";
    size_t starts[256], count = 0;
    for (size_t at = from + 1; at < to && count < 256; at++)
        if (strchr(" [", bytes[at - 1]) && bytes[at] && strchr(letters, bytes[at])) starts[count++] = at;
    if (!count) return size;
    const size_t start = starts[seed % count];
    size_t end = start;
    while (end < to && bytes[end] && strchr(letters, bytes[end])) end++;
    const char *value = values[seed / 256 % (sizeof values / sizeof *values)];
    return replace(bytes, size, room, start, end, value, strlen(value));
}

static size_t change_lines(uint8_t *bytes, size_t size, size_t room, unsigned seed)
{
    size_t starts[most_lines + 1];
    const int count = find_lines(bytes, size, starts);
    if (!count) return LLVMFuzzerMutate(bytes, size, room);
    const int line = (int)(seed / 8 % (unsigned)count), other = (int)(seed / 512 % (unsigned)count);
    const size_t from = starts[line], to = starts[line + 1], length = starts[other + 1] - starts[other];
    char copy[4096];
    if (seed % 8 == 0 || length > sizeof copy) return replace(bytes, size, room, from, to, "", 0);
    if (seed % 8 > 2) return change_value(bytes, size, room, from, to, seed / 64);
    memcpy(copy, bytes + starts[other], length);
    return replace(bytes, size, room, from, seed % 8 == 1 ? to : from, copy, length);
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t room, unsigned seed)
{
    size_t starts[most_lines + 1];
    const size_t changed =
        seed % 3 ? change_lines(bytes, size, room, seed / 3) : LLVMFuzzerMutate(bytes, size, room);
    const int count = seed % 16 ? find_lines(bytes, changed, starts) : 0;
    for (int k = 0; k < count; k++) {
        size_t length = starts[k + 1] - starts[k];
        if (bytes[starts[k] + length - 1] == '\n') length--;
        if (length >= sizeof begin && memcmp(bytes + starts[k], begin, 9) == 0)
            put_sum((char *)bytes + starts[k], length);
    }
    return changed;
}
