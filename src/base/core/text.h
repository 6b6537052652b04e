/* Texts: those that grow, and UTF-8, which whatever goes into a model file or a picture must be. */
#ifndef ALD_CORE_TEXT_H
#define ALD_CORE_TEXT_H

#include "base/core/memory.h"
#include "base/core/run.h"

/* A text that grows. */

typedef struct ald_text {
    ald_arena *arena;
    char *data; /* ends with '\0' once something was added */
    size_t length, capacity;
} ald_text;

void ald_text_init(ald_text *text, ald_arena *arena);
ald_status ald_text_add(ald_run *run, ald_text *text, const char *bytes, size_t length);
ald_status ald_text_print(ald_run *run, ald_text *text, const char *format, ...) ALD_PRINTF(3, 4);
/* `before`, then the name of a column, in quotes where it begins with a backquote and would read as a mark of
 * ours. */
ald_status ald_text_name(ald_run *run, ald_text *text, const char *before, const char *name);
/* A JSON string with its quotes. */
ald_status ald_text_json(ald_run *run, ald_text *text, const char *value);

/* A list of JSON strings; NULL stands for "". */
ald_status ald_text_json_list(ald_run *run, ald_text *text, const char *const *values, int64_t count);

/* Which of `words` (which end with NULL) is given; the first where nothing is. Another one is an error that
 * names the option. */
ald_status ald_choose_word(ald_run *run, const char *option, const char *const *words, const char *given,
                           int *value);

/* A copy for the caller, who frees it with ald_text_free. */
ald_status ald_text_hand_out(ald_run *run, const ald_text *text, char **copy);

/* UTF-8: texts that go into a model file or a picture must be valid, whatever the data file held. */

/* Length (1 to 4) of the valid UTF-8 sequence at the start of text[0 .. left), 0 if there is none. */
int ald_utf8_sequence(const char *text, size_t left);

int ald_utf8_is_valid(const char *text, size_t length);

/* Writes the text with its end in the form of ald_utf8_copy, which takes ald_utf8_size bytes; returns the
 * place behind it. */
size_t ald_utf8_size(const char *text, size_t length);
char *ald_utf8_write(const char *text, size_t length, char *out);

/* A copy in which each byte outside a valid sequence is taken as Latin-1 (0xe9 becomes U+00E9), so that names
 * from a Latin-1 file come out as they were meant. Valid text is copied unchanged. NULL: no memory. */
char *ald_utf8_copy(ald_arena *arena, const char *text, size_t length);
/* The same of a list of names. */
ald_status ald_keep_names(ald_run *run, ald_arena *arena, const char *const *names, int64_t count,
                          char ***kept);

#endif
