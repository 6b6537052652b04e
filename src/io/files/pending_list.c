#include "io/files/pending_list.h"

#include "base/numbers/hash.h"
#include "io/files/locked.h"

#include <stdio.h>
#include <string.h>

static const char head[] = "alidade-pending-1";
/* "s", 16 digits and the end. */
enum { sum_size = 18 };

ald_status ald_list_add(ald_run *run, ald_text *list, int kind, const char *text)
{
    const char letter = (char)kind;
    ALD_TRY(ald_text_add(run, list, &letter, 1));
    return ald_text_add(run, list, text, strlen(text) + 1);
}

ald_status ald_list_begin(ald_run *run, ald_text *list, const char *token)
{
    ald_text_init(list, &run->scratch);
    ALD_TRY(ald_text_add(run, list, head, sizeof head));
    return ald_list_add(run, list, ALD_LIST_TOKEN, token);
}

static void write_sum(const char *bytes, size_t size, char *text)
{
    snprintf(text, sum_size, "s%016llx", (unsigned long long)ald_hash(ALD_HASH_START, bytes, size));
}

ald_status ald_list_end(ald_run *run, ald_text *list)
{
    char sum[sum_size];
    write_sum(list->data, list->length, sum);
    return ald_text_add(run, list, sum, sizeof sum);
}

static int is_plain_name(const char *name)
{
    return *name && !strchr(name, '/') && strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
}

static int is_temporary_name(const char *name)
{
    const size_t length = strlen(name);
    return is_plain_name(name) && strncmp(name, ".alidade-", 9) == 0 && length > 13 &&
           strcmp(name + length - 4, ".tmp") == 0;
}

static int is_list_path(const char *path)
{
    const char *slash = strrchr(path, '/');
    return path[0] == '/' && strcmp(slash + 1, ALD_PENDING_NAME) == 0;
}

/* `expects` is the kind that must come next, 0: any. */
static int take_text(ald_pending_list *list, const char *text, int *expects)
{
    const char *value = text + 1;
    const int due = *expects;
    *expects = text[0] == ALD_LIST_FROM ? ALD_LIST_TO : 0;
    if (due && text[0] != due) return 0;
    switch (text[0]) {
    case ALD_LIST_TOKEN:
        list->token = value;
        return 1;
    case ALD_LIST_MASTER:
        list->master = value;
        return is_list_path(value);
    case ALD_LIST_OTHER:
        return is_list_path(value);
    case ALD_LIST_FROM:
        return is_temporary_name(value);
    default:
        return text[0] == ALD_LIST_TO && due && is_plain_name(value);
    }
}

int ald_list_parse(const char *bytes, size_t size, ald_pending_list *list)
{
    char sum[sum_size];
    if (size < sizeof head + sum_size || memcmp(bytes, head, sizeof head) != 0) return 0;
    const size_t end = size - sum_size;
    write_sum(bytes, end, sum);
    if (memcmp(bytes + end, sum, sum_size) != 0 || bytes[end - 1] != '\0') return 0;
    *list = (ald_pending_list){.bytes = bytes + sizeof head, .size = end - sizeof head};
    int expects = ALD_LIST_TOKEN;
    for (size_t at = sizeof head; at < end; at += strlen(bytes + at) + 1)
        if (!take_text(list, bytes + at, &expects)) return 0;
    return list->token && !expects;
}

const char *ald_list_next(const ald_pending_list *list, int kind, const char *from)
{
    const char *end = list->bytes + list->size, *at = from ? from + strlen(from) + 1 : list->bytes;
    for (; at < end; at += strlen(at) + 1)
        if (*at == kind) return at + 1;
    return NULL;
}
