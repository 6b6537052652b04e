/* Numbers as binary files hold them, by the codes numpy has for them. */
#ifndef ALD_TABLE_BINARY_H
#define ALD_TABLE_BINARY_H

#include <stdint.h>

typedef struct ald_binary_type {
    const char *code; /* two letters: f4 f8 i1 i2 i4 i8 u1 u2 u4 u8, b1 for truth values */
    int size;         /* bytes of a value */
    /* n values, in the byte order of this machine and at any alignment, to doubles. */
    void (*convert)(const unsigned char *bytes, int64_t n, double *values);
} ald_binary_type;

/* By the first two letters of `code`; NULL: there is none. */
const ald_binary_type *ald_binary_type_find(const char *code);

#endif
