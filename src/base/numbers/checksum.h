/* A sum of 64 bits that tells damage, not malice.
 *
 *     h = 0xcbf29ce484222325
 *     for each word w of 8 bytes, little-endian, the last one filled up with zeros:
 *         h = (h xor w) * 0x9e3779b97f4a7c15 mod 2^64,  h = h xor (h >> 32)
 *
 * Each step is one to one in h and in w. So two inputs of equal length that differ in one word have different
 * sums. */
#ifndef ALD_NUMBERS_CHECKSUM_H
#define ALD_NUMBERS_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

#define ALD_CHECKSUM_START UINT64_C(0xcbf29ce484222325)

/* Goes on from `sum`. All parts but the last have a multiple of 8 bytes. */
uint64_t ald_checksum(uint64_t sum, const void *bytes, size_t size);

#endif
