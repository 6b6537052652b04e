/* The encoding of protocol buffers (protobuf.h). A field is a key, number * 8 + kind, then its value: kind 0
 * a varint (seven bits a byte, the lowest first, the eighth says that more come), kind 2 a length
 * and bytes. */
#include "show/export/protobuf.h"

#include <string.h>

ald_message ald_message_begin(ald_run *run)
{
    ald_message message = {.run = run};
    ald_text_init(&message.bytes, &run->scratch);
    return message;
}

static void put(ald_message *message, const void *bytes, size_t size)
{
    if (message->status >= 0) message->status = ald_text_add(message->run, &message->bytes, bytes, size);
}

static void put_varint(ald_message *message, uint64_t value)
{
    unsigned char bytes[10];
    size_t count = 0;
    for (; value > 127; value >>= 7) bytes[count++] = (unsigned char)(value & 127) | 128;
    bytes[count++] = (unsigned char)value;
    put(message, bytes, count);
}

static void put_key(ald_message *message, int field, unsigned kind)
{
    put_varint(message, (uint64_t)field << 3 | kind);
}

void ald_message_int(ald_message *message, int field, int64_t value)
{
    put_key(message, field, 0);
    put_varint(message, (uint64_t)value);
}

void ald_message_bytes(ald_message *message, int field, const void *bytes, size_t size)
{
    put_key(message, field, 2);
    put_varint(message, size);
    if (size > 0) put(message, bytes, size);
}

void ald_message_text(ald_message *message, int field, const char *text)
{
    ald_message_bytes(message, field, text, strlen(text));
}

void ald_message_add(ald_message *message, int field, ald_message *part)
{
    if (message->status >= 0) message->status = part->status;
    ald_message_bytes(message, field, part->bytes.data, part->bytes.length);
    ald_arena_drop(&message->run->scratch, part->bytes.data);
    part->bytes.data = NULL;
}

/* Eight bytes each. */
static void put_words(ald_message *message, int field, const void *values, int64_t count)
{
    const unsigned char *from = values;
    put_key(message, field, 2);
    put_varint(message, (uint64_t)count * 8);
    for (int64_t i = 0; i < count && message->status >= 0; i++, from += 8) {
        unsigned char bytes[8];
        uint64_t word;
        memcpy(&word, from, sizeof word);
        for (int k = 0; k < 8; k++) bytes[k] = (unsigned char)(word >> (8 * k) & 255);
        put(message, bytes, sizeof bytes);
    }
}

void ald_message_reals(ald_message *message, int field, const double *values, int64_t count)
{
    put_words(message, field, values, count);
}

void ald_message_ints(ald_message *message, int field, const int64_t *values, int64_t count)
{
    put_words(message, field, values, count);
}
