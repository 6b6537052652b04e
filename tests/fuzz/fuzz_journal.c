/* The fuzz target for the journal of finished fits: the bytes as they are, and again with the head and the
 * sums of all lines made right, so that what stands behind them is reached. */
#include "fuzz/fuzzing.h"
#include "judge/journal.h"

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
    if (status < 0 && error.message[0] == '\0') abort(); /* a failure says why */
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
