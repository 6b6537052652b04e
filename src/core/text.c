#include "core/text.h"

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

enum { longest_name = 40 };

static int same_letter(char a, char b)
{
    if (a >= 'A' && a <= 'Z') a = (char)(a - 'A' + 'a');
    if (b >= 'A' && b <= 'Z') b = (char)(b - 'A' + 'a');
    if (a == '_') a = '-';
    if (b == '_') b = '-';
    return a == b;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Edit distance with swaps of neighbours (optimal string alignment). */
int ald_name_distance(const char *a, const char *b)
{
    const int m = (int)strnlen(a, longest_name + 1), n = (int)strnlen(b, longest_name + 1);
    if (m > longest_name || n > longest_name) return longest_name + 1;
    int before[longest_name + 1] = {0}, above[longest_name + 1], row[longest_name + 1];
    for (int j = 0; j <= n; j++) above[j] = j;
    for (int i = 1; i <= m; i++) {
        row[0] = i;
        for (int j = 1; j <= n; j++) {
            row[j] = least(least(above[j] + 1, row[j - 1] + 1), above[j - 1] + !same_letter(a[i - 1], b[j - 1]));
            if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) && same_letter(a[i - 2], b[j - 1]))
                row[j] = least(row[j], before[j - 2] + 1);
        }
        memcpy(before, above, sizeof before);
        memcpy(above, row, sizeof above);
    }
    return above[n];
}

int ald_name_tolerance(const char *name)
{
    const int length = (int)strnlen(name, longest_name);
    return length <= 3 ? 1 : length <= 6 ? 2 : 3;
}
