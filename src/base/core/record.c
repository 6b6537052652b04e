/* Records are put together and taken apart; a record is checked as a whole before its first value is
 * taken. */
#include "base/core/record.h"

#include "base/numbers/hash.h"

#include <string.h>

enum { hash_size = ALD_RECORD_EXTRA - ALD_RECORD_HEAD };

void ald_record_head(const char *kind, int64_t length, unsigned char head[static ALD_RECORD_HEAD])
{
    const size_t named = kind ? strlen(kind) : 0;
    memset(head, 0, ALD_RECORD_HEAD);
    memcpy(head, &length, sizeof length);
    if (named) memcpy(head + sizeof length, kind, named < 8 ? named : 8);
}

int64_t ald_record_length(const char *kind, const unsigned char head[static ALD_RECORD_HEAD])
{
    unsigned char expected[ALD_RECORD_HEAD];
    int64_t length;
    memcpy(&length, head, sizeof length);
    ald_record_head(kind, length, expected);
    return memcmp(head, expected, sizeof expected) == 0 ? length : -1;
}

uint64_t ald_record_hash(const unsigned char head[static ALD_RECORD_HEAD], const void *body, int64_t length)
{
    return ald_hash(ald_hash(ALD_HASH_START, head, ALD_RECORD_HEAD), body, (size_t)length);
}

/* --- writing --- */

static ald_status set_capacity(ald_run *run, ald_record *r, int64_t capacity)
{
    ALD_TRY(ald_resize(run, r->arena, &r->bytes, capacity, 1, 1));
    r->capacity = capacity;
    return ALD_OK;
}

ald_status ald_record_reserve(ald_run *run, ald_record *r, int64_t bytes)
{
    const int64_t needed = r->size + bytes + ALD_RECORD_EXTRA;
    return needed <= r->capacity ? ALD_OK : set_capacity(run, r, needed);
}

/* There is always room for the hash, so that a record is sealed where it is. */
static ald_status make_room(ald_run *run, ald_record *r, int64_t bytes)
{
    const int64_t head = r->end ? 0 : ALD_RECORD_HEAD, needed = r->size + head + bytes + hash_size;
    if (needed > r->capacity) ALD_TRY(set_capacity(run, r, needed + needed / 2 + 64));
    if (!r->end) r->first = r->size + ALD_RECORD_HEAD;
    r->size += head;
    r->end = r->size + bytes;
    return ALD_OK;
}

ald_status ald_record_put(ald_run *run, ald_record *r, const void *values, int64_t count, size_t size)
{
    const int64_t bytes = count * (int64_t)size;
    ALD_TRY(make_room(run, r, bytes));
    if (bytes) memcpy(r->bytes + r->size, values, (size_t)bytes);
    r->size += bytes;
    return ALD_OK;
}

ald_status ald_record_put_count(ald_run *run, ald_record *r, int64_t count)
{
    return ald_record_put(run, r, &count, 1, sizeof count);
}

ald_status ald_record_put_text(ald_run *run, ald_record *r, const char *text)
{
    const int64_t length = text ? (int64_t)strlen(text) : -1;
    ALD_TRY(ald_record_put_count(run, r, length));
    return text ? ald_record_put(run, r, text, length, 1) : ALD_OK;
}

ald_status ald_record_seal(ald_run *run, ald_record *r)
{
    ALD_TRY(make_room(run, r, 0));
    unsigned char *head = r->bytes + r->first - ALD_RECORD_HEAD;
    const int64_t length = r->end - r->first;
    ald_record_head(r->kind, length, head);
    const uint64_t hash = ald_record_hash(head, r->bytes + r->first, length);
    memcpy(r->bytes + r->size, &hash, sizeof hash);
    r->size += hash_size;
    r->end = 0;
    return ALD_OK;
}

/* --- reading --- */

ald_status ald_record_damaged(ald_run *run)
{
    return ald_fail(run->error, ALD_ERROR_FORMAT, "a record of stored or sent state is damaged");
}

ald_status ald_record_next(ald_run *run, ald_record *r)
{
    if (r->end) r->at = r->end + hash_size;
    r->end = 0;
    const int64_t left = r->size - r->at - ALD_RECORD_EXTRA;
    const unsigned char *head = r->bytes + r->at;
    const int64_t length = left >= 0 ? ald_record_length(r->kind, head) : -1;
    uint64_t hash;
    if (length < 0 || length > left) return ald_record_damaged(run);
    memcpy(&hash, head + ALD_RECORD_HEAD + length, sizeof hash);
    if (hash != ald_record_hash(head, head + ALD_RECORD_HEAD, length)) return ald_record_damaged(run);
    r->at += ALD_RECORD_HEAD;
    r->end = r->at + length;
    return ALD_OK;
}

int64_t ald_record_left(const ald_record *r)
{
    return r->end ? r->end - r->at : 0;
}

static ald_status check(ald_run *run, ald_record *r, int64_t count, size_t size)
{
    if (!r->end) ALD_TRY(ald_record_next(run, r));
    return count >= 0 && count <= ald_record_left(r) / (int64_t)size ? ALD_OK : ald_record_damaged(run);
}

ald_status ald_record_take(ald_run *run, ald_record *r, void *values, int64_t count, size_t size)
{
    ALD_TRY(check(run, r, count, size));
    if (count) memcpy(values, r->bytes + r->at, (size_t)count * size);
    r->at += count * (int64_t)size;
    return ALD_OK;
}

ald_status ald_record_take_count(ald_run *run, ald_record *r, int64_t *count)
{
    return ald_record_take(run, r, count, 1, sizeof *count);
}

ald_status ald_record_take_array(ald_run *run, ald_record *r, void *array, int64_t count, size_t size)
{
    ALD_TRY(check(run, r, count, size));
    void *made;
    ALD_TRY(ald_get(run, r->arena, count, 1, size, &made));
    memcpy(array, &made, sizeof made);
    return ald_record_take(run, r, made, count, size);
}

ald_status ald_record_take_text(ald_run *run, ald_record *r, char **text)
{
    int64_t length = -1;
    *text = NULL;
    ALD_TRY(ald_record_take_count(run, r, &length));
    if (length < 0) return ALD_OK;
    ALD_TRY(check(run, r, length, 1));
    ALD_TRY(ald_keep_text(run, r->arena, (const char *)r->bytes + r->at, (size_t)length, text));
    r->at += length;
    return ALD_OK;
}
