/* Messages in the encoding of protocol buffers, as much of it as ONNX needs: whole numbers as varints, texts,
 * bytes and messages with their length before them. A message is built in memory; a failure stays with it. */
#ifndef ALD_EXPORT_PROTOBUF_H
#define ALD_EXPORT_PROTOBUF_H

#include "base/core/text.h"

typedef struct ald_message {
    ald_run *run;
    ald_text bytes;
    ald_status status;
} ald_message;

ald_message ald_message_begin(ald_run *run);
void ald_message_int(ald_message *message, int field, int64_t value);
void ald_message_bytes(ald_message *message, int field, const void *bytes, size_t size);
void ald_message_text(ald_message *message, int field, const char *text);
/* As a part of another; its failure is the other's, and its memory is given back. */
void ald_message_add(ald_message *message, int field, ald_message *part);
/* Numbers as bytes, the lowest first. */
void ald_message_reals(ald_message *message, int field, const double *values, int64_t count);
void ald_message_ints(ald_message *message, int field, const int64_t *values, int64_t count);

#endif
