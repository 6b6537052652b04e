#include "io/table/binary.h"

#include <string.h>

/* The ten conversions differ in one word, the C type. */
#define CONVERSION(name, type)                                                                               \
    static void name(const unsigned char *bytes, int64_t n, double *values)                                  \
    {                                                                                                        \
        for (int64_t i = 0; i < n; i++) {                                                                    \
            type value;                                                                                      \
            memcpy(&value, bytes + (size_t)i * sizeof value, sizeof value);                                  \
            values[i] = (double)value;                                                                       \
        }                                                                                                    \
    }
CONVERSION(from_f4, float)
CONVERSION(from_f8, double)
CONVERSION(from_i1, int8_t)
CONVERSION(from_i2, int16_t)
CONVERSION(from_i4, int32_t)
CONVERSION(from_i8, int64_t)
CONVERSION(from_u1, uint8_t)
CONVERSION(from_u2, uint16_t)
CONVERSION(from_u4, uint32_t)
CONVERSION(from_u8, uint64_t)

static void from_b1(const unsigned char *bytes, int64_t n, double *values)
{
    for (int64_t i = 0; i < n; i++) values[i] = bytes[i] ? 1.0 : 0.0;
}

static const ald_binary_type types[] = {
    {"f8", 8, from_f8}, {"f4", 4, from_f4}, {"i8", 8, from_i8}, {"i4", 4, from_i4},
    {"i2", 2, from_i2}, {"i1", 1, from_i1}, {"u8", 8, from_u8}, {"u4", 4, from_u4},
    {"u2", 2, from_u2}, {"u1", 1, from_u1}, {"b1", 1, from_b1},
};

const ald_binary_type *ald_binary_type_find(const char *code)
{
    for (size_t k = 0; k < sizeof types / sizeof *types; k++)
        if (memcmp(types[k].code, code, 2) == 0) return &types[k];
    return NULL;
}
