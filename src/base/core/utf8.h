/* UTF-8: texts that go into a model file or a picture must be valid, whatever the data file held. */
#ifndef ALD_CORE_UTF8_H
#define ALD_CORE_UTF8_H

#include "base/core/memory.h"

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

#endif
