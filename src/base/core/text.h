/* A text that grows. */
#ifndef ALD_CORE_TEXT_H
#define ALD_CORE_TEXT_H

#include "base/core/run.h"

typedef struct ald_text {
    ald_arena *arena;
    char *data; /* ends with '\0' once something was added */
    size_t length, capacity;
} ald_text;

void ald_text_init(ald_text *text, ald_arena *arena);
ald_status ald_text_add(ald_run *run, ald_text *text, const char *bytes, size_t length);
ald_status ald_text_print(ald_run *run, ald_text *text, const char *format, ...) ALD_PRINTF(3, 4);
/* A JSON string with its quotes. */
ald_status ald_text_json(ald_run *run, ald_text *text, const char *value);

/* A copy for the caller, who frees it with ald_text_free. */
ald_status ald_text_hand_out(ald_run *run, const ald_text *text, char **copy);

#endif
