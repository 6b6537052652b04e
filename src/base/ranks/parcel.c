#include "base/ranks/parcel.h"

#include <string.h>

static ald_status set_capacity(ald_run *run, ald_parcel *p, int64_t capacity)
{
    unsigned char *bytes = ald_arena_resize(p->arena, p->bytes, capacity, 1, 1);
    if (!bytes) return ald_out_of_memory(run, capacity, 1, 1);
    p->bytes = bytes;
    p->capacity = capacity;
    return ALD_OK;
}

static ald_status grow(ald_run *run, ald_parcel *p, int64_t needed)
{
    return needed <= p->capacity ? ALD_OK : set_capacity(run, p, needed + needed / 2 + 64);
}

ald_status ald_parcel_reserve(ald_run *run, ald_parcel *p, int64_t bytes)
{
    return p->size + bytes <= p->capacity ? ALD_OK : set_capacity(run, p, p->size + bytes);
}

ald_status ald_parcel_put(ald_run *run, ald_parcel *p, const void *values, int64_t count, size_t size)
{
    const int64_t bytes = count * (int64_t)size;
    ALD_TRY(grow(run, p, p->size + bytes));
    if (bytes) memcpy(p->bytes + p->size, values, (size_t)bytes);
    p->size += bytes;
    return ALD_OK;
}

ald_status ald_parcel_put_count(ald_run *run, ald_parcel *p, int64_t count)
{
    return ald_parcel_put(run, p, &count, 1, sizeof count);
}

ald_status ald_parcel_put_text(ald_run *run, ald_parcel *p, const char *text)
{
    const int64_t length = text ? (int64_t)strlen(text) : -1;
    ALD_TRY(ald_parcel_put_count(run, p, length));
    return text ? ald_parcel_put(run, p, text, length, 1) : ALD_OK;
}

static ald_status check(ald_run *run, const ald_parcel *p, int64_t count, size_t size)
{
    if (count >= 0 && count <= (p->size - p->at) / (int64_t)size) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_DATA, "a message of another rank is too short");
}

ald_status ald_parcel_take(ald_run *run, ald_parcel *p, void *values, int64_t count, size_t size)
{
    ALD_TRY(check(run, p, count, size));
    if (count) memcpy(values, p->bytes + p->at, (size_t)count * size);
    p->at += count * (int64_t)size;
    return ALD_OK;
}

ald_status ald_parcel_take_count(ald_run *run, ald_parcel *p, int64_t *count)
{
    return ald_parcel_take(run, p, count, 1, sizeof *count);
}

ald_status ald_parcel_take_array(ald_run *run, ald_parcel *p, void *array, int64_t count, size_t size)
{
    ALD_TRY(check(run, p, count, size));
    void *made = ald_arena_get(p->arena, count, 1, size);
    if (!made) return ald_out_of_memory(run, count, 1, size);
    memcpy(array, &made, sizeof made);
    return ald_parcel_take(run, p, made, count, size);
}

ald_status ald_parcel_take_text(ald_run *run, ald_parcel *p, char **text)
{
    int64_t length = -1;
    *text = NULL;
    ALD_TRY(ald_parcel_take_count(run, p, &length));
    if (length < 0) return ALD_OK;
    ALD_TRY(check(run, p, length, 1));
    *text = ald_arena_text(p->arena, (const char *)p->bytes + p->at, (size_t)length);
    if (!*text) return ald_out_of_memory(run, length, 1, 1);
    p->at += length;
    return ALD_OK;
}
