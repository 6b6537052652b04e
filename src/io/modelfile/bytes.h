/* Little-endian numbers in a byte stream, by shifts: the same on every host, and plain loads and stores where
 * the host is little-endian itself. */
#ifndef ALD_MODELFILE_BYTES_H
#define ALD_MODELFILE_BYTES_H

#include <stdint.h>

static inline uint32_t ald_load_le32(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static inline uint64_t ald_load_le64(const unsigned char *bytes)
{
    return (uint64_t)ald_load_le32(bytes) | (uint64_t)ald_load_le32(bytes + 4) << 32;
}

static inline void ald_store_le64(unsigned char *bytes, uint64_t value)
{
    for (int i = 0; i < 8; i++) bytes[i] = (unsigned char)(value >> (8 * i));
}

#endif
