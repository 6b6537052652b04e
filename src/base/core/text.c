/* Texts that grow, JSON strings, and UTF-8. */
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
    ALD_TRY(ald_resize(run, text->arena, &text->data, (int64_t)capacity, 1, 1));
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

ald_status ald_text_name(ald_run *run, ald_text *text, const char *before, const char *name)
{
    const char *quote = *name == '`' ? "'" : "";
    return ald_text_print(run, text, "%s%s%.80s%s", before, quote, name, quote);
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

ald_status ald_text_json_list(ald_run *run, ald_text *text, const char *const *values, int64_t count)
{
    ALD_TRY(ald_text_add(run, text, "[", 1));
    for (int64_t k = 0; k < count; k++) {
        if (k) ALD_TRY(ald_text_add(run, text, ",", 1));
        ALD_TRY(ald_text_json(run, text, values[k] ? values[k] : ""));
    }
    return ald_text_add(run, text, "]", 1);
}

ald_status ald_text_hand_out(ald_run *run, const ald_text *text, char **copy)
{
    const ald_allocator *allocator = run->call.allocator;
    *copy = allocator->resize(allocator->user, NULL, text->length + 1);
    if (!*copy) return ald_out_of_memory(run, (int64_t)text->length + 1, 1, 1);
    memcpy(*copy, text->data, text->length + 1);
    return ALD_OK;
}

ald_status ald_choose_word(ald_run *run, const char *option, const char *const *words, const char *given,
                           int *value)
{
    ald_text list;
    *value = 0;
    if (!given) return ALD_OK;
    for (; words[*value]; (*value)++)
        if (strcmp(words[*value], given) == 0) return ALD_OK;
    ald_text_init(&list, &run->scratch);
    for (int i = 0; words[i]; i++) ALD_TRY(ald_text_print(run, &list, "%s%s", i ? ", " : "", words[i]));
    return ald_fail(run->error, ALD_ERROR_ARGUMENT, "`%s`: '%.60s' is not one of %s", option, given,
                    list.data);
}

/* Lead bytes and the range of the byte after them; the rest are 0x80 .. 0xbf. This leaves out over-long
 * forms, surrogates and what lies beyond U+10FFFF (Unicode standard, table 3-7). */
static const struct {
    unsigned char lead_low, lead_high, second_low, second_high;
    int length;
} forms[] = {
    {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3}, {0xe1, 0xec, 0x80, 0xbf, 3},
    {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3}, {0xf0, 0xf0, 0x90, 0xbf, 4},
    {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
};

int ald_utf8_sequence(const char *text, size_t left)
{
    const unsigned char *c = (const unsigned char *)text;
    if (left == 0) return 0;
    if (c[0] < 0x80) return 1;
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        if (c[0] < forms[f].lead_low || c[0] > forms[f].lead_high) continue;
        if (left < (size_t)forms[f].length || c[1] < forms[f].second_low || c[1] > forms[f].second_high)
            return 0;
        for (int i = 2; i < forms[f].length; i++)
            if ((c[i] & 0xc0) != 0x80) return 0;
        return forms[f].length;
    }
    return 0;
}

static size_t count_invalid(const char *text, size_t length)
{
    size_t invalid = 0;
    for (size_t i = 0; i < length;) {
        const int sequence = (signed char)text[i] >= 0 ? 1 : ald_utf8_sequence(text + i, length - i);
        invalid += sequence == 0;
        i += sequence ? (size_t)sequence : 1;
    }
    return invalid;
}

int ald_utf8_is_valid(const char *text, size_t length)
{
    return count_invalid(text, length) == 0;
}

/* A Latin-1 byte above 0x7f takes two bytes in UTF-8. */
size_t ald_utf8_size(const char *text, size_t length)
{
    return length + count_invalid(text, length) + 1;
}

char *ald_utf8_write(const char *text, size_t length, char *out)
{
    for (size_t i = 0; i < length;) {
        if ((signed char)text[i] >= 0) {
            *out++ = text[i++];
            continue;
        }
        const int sequence = ald_utf8_sequence(text + i, length - i);
        if (sequence) {
            memcpy(out, text + i, (size_t)sequence);
            out += sequence;
            i += (size_t)sequence;
        } else {
            const unsigned char byte = (unsigned char)text[i++];
            *out++ = (char)(0xc0 | byte >> 6);
            *out++ = (char)(0x80 | (byte & 0x3f));
        }
    }
    *out = '\0';
    return out + 1;
}

char *ald_utf8_copy(ald_arena *arena, const char *text, size_t length)
{
    char *copy = ald_arena_get(arena, (int64_t)ald_utf8_size(text, length), 1, 1);
    if (copy) ald_utf8_write(text, length, copy);
    return copy;
}

ald_status ald_keep_names(ald_run *run, ald_arena *arena, const char *const *names, int64_t count,
                          char ***kept)
{
    ALD_TRY(ald_get(run, arena, count, 1, sizeof **kept, kept));
    for (int64_t k = 0; k < count; k++) {
        (*kept)[k] = ald_utf8_copy(arena, names[k], strlen(names[k]));
        if (!(*kept)[k]) return ald_out_of_memory(run, (int64_t)strlen(names[k]), 2, 1);
    }
    return ALD_OK;
}
