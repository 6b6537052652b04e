/* The fuzz target for the journal of finished fits, and so for the reader of records: the bytes as they are,
 * and again with the first record, kinds, lengths and hashes made right, so that what stands behind them is
 * reached. */
#include "base/core/record.h"
#include "fuzz/fuzzing.h"
#include "judge/cells/journal.h"

#include <string.h>

static const ald_key of_run = {1};

static void read_bytes(ald_run *run, unsigned char *bytes, size_t size)
{
    ald_journal *journal = NULL;
    size_t kept = 0;
    ald_cell cell;
    const ald_status status = ald_journal_read(run, "fuzz", of_run, bytes, size, &kept, &journal);
    fuzzing_expect_message(status, run->error);
    if (kept > size) abort();
    if (status >= 0) ald_journal_find(journal, (ald_key){0}, 1, &cell);
}

/* Lengths that reach behind the end end there; kinds and hashes fit. */
static void mend(uint8_t *bytes, size_t size)
{
    for (size_t at = 0; size - at >= ALD_RECORD_EXTRA;) {
        const int64_t left = (int64_t)(size - at) - ALD_RECORD_EXTRA;
        int64_t length;
        memcpy(&length, bytes + at, sizeof length);
        if (length < 0 || length > left) length = left;
        ald_record_head("cells", length, bytes + at);
        const uint64_t hash = ald_record_hash(bytes + at, bytes + at + ALD_RECORD_HEAD, length);
        memcpy(bytes + at + ALD_RECORD_HEAD + length, &hash, sizeof hash);
        at += (size_t)length + ALD_RECORD_EXTRA;
    }
}

/* Behind the first record of this run. */
static void read_mended(ald_run *run, const uint8_t *bytes, size_t size)
{
    ald_record first = {.arena = &run->scratch, .kind = "journal"};
    const int64_t format = 4;
    if (ald_record_put_count(run, &first, format) < 0 ||
        ald_record_put_text(run, &first, ald_version()) < 0 ||
        ald_record_put(run, &first, &of_run.value, 1, sizeof of_run.value) < 0 ||
        ald_record_seal(run, &first) < 0)
        return;
    uint8_t *whole = malloc((size_t)first.size + size);
    if (!whole) return;
    memcpy(whole, first.bytes, (size_t)first.size);
    if (size) memcpy(whole + first.size, bytes, size);
    mend(whole + first.size, size);
    read_bytes(run, whole, (size_t)first.size + size);
    free(whole);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const ald_context context = fuzzing_context();
    ald_run run;
    ald_error error;
    uint8_t *copy = malloc(size + 1);
    if (!copy) return 0;
    if (size) memcpy(copy, bytes, size);
    for (int mended = 0; mended < 2; mended++) {
        ald_run_begin(&run, &context, &error);
        if (mended)
            read_mended(&run, bytes, size);
        else
            read_bytes(&run, copy, size);
        ald_run_end(&run, ALD_OK);
    }
    free(copy);
    return 0;
}

/* --- mutations: any bytes, whole records left out, and the hashes made right again */

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t room, unsigned seed)
{
    int64_t length = -1;
    if (size >= ALD_RECORD_EXTRA) memcpy(&length, bytes, sizeof length);
    const size_t first = (size_t)length + ALD_RECORD_EXTRA;
    if (seed % 8 == 0 && length >= 0 && (uint64_t)length < size && first < size) {
        memmove(bytes, bytes + first, size - first);
        size -= first;
    } else {
        size = LLVMFuzzerMutate(bytes, size, room);
    }
    if (seed % 16) mend(bytes, size);
    return size;
}
