#include "base/core/text.h"

#include <stdio.h>
#include <string.h>

void ald_text_init(ald_text *text, ald_arena *arena)
{
    memset(text, 0, sizeof *text);
    text->arena = arena;
}

static ald_status reserve(ald_run *run, ald_text *text, size_t more)
{
    if (more < text->capacity - text->length) return ALD_OK;
    const size_t capacity = (text->length + more + 1) * 3 / 2 + 64;
    char *data = ald_arena_resize(text->arena, text->data, (int64_t)capacity, 1, 1);
    if (!data) return ald_out_of_memory(run, (int64_t)capacity, 1, 1);
    text->data = data;
    text->capacity = capacity;
    return ALD_OK;
}

ald_status ald_text_add(ald_run *run, ald_text *text, const char *bytes, size_t length)
{
    ALD_TRY(reserve(run, text, length));
    memcpy(text->data + text->length, bytes, length);
    text->length += length;
    text->data[text->length] = '\0';
    return ALD_OK;
}

ald_status ald_text_print(ald_run *run, ald_text *text, const char *format, ...)
{
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    const int length = vsnprintf(NULL, 0, format, list);
    va_end(list);
    ald_status status = reserve(run, text, (size_t)length);
    if (status == ALD_OK) {
        vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
        text->length += (size_t)length;
    }
    va_end(again);
    return status;
}

ald_status ald_text_json(ald_run *run, ald_text *text, const char *value)
{
    ALD_TRY(ald_text_add(run, text, "\"", 1));
    for (const unsigned char *c = (const unsigned char *)value; *c; c++) {
        if (*c == '"' || *c == '\\')
            ALD_TRY(ald_text_print(run, text, "\\%c", *c));
        else if (*c < 0x20)
            ALD_TRY(ald_text_print(run, text, "\\u%04x", *c));
        else
            ALD_TRY(ald_text_add(run, text, (const char *)c, 1));
    }
    return ald_text_add(run, text, "\"", 1);
}

ald_status ald_text_hand_out(ald_run *run, const ald_text *text, char **copy)
{
    const ald_allocator *allocator = run->call.allocator;
    *copy = allocator->resize(allocator->user, NULL, text->length + 1);
    if (!*copy) return ald_out_of_memory(run, (int64_t)text->length + 1, 1, 1);
    memcpy(*copy, text->data, text->length + 1);
    return ALD_OK;
}
