/* The one hash of the library, of 64 bits. It detects damage, not malice.
 *
 *     h = 0xcbf29ce484222325
 *     for each word w of 8 bytes, little-endian, the last one padded with zeros:
 *         h = (h xor w) * 0x9e3779b97f4a7c15 mod 2^64
 *         h = h xor (h >> 32)
 *
 * Each step is one to one in h and in w, so two inputs of equal length that differ in one word have different
 * hashes. Model files store it; it does not change. */
#ifndef ALD_NUMBERS_HASH_H
#define ALD_NUMBERS_HASH_H

#include <stddef.h>
#include <stdint.h>

#define ALD_HASH_START UINT64_C(0xcbf29ce484222325)

/* Continues `hash`. Each call begins a new word, so an input that is hashed in parts is cut at multiples of 8
 * bytes. */
uint64_t ald_hash(uint64_t hash, const void *bytes, size_t size);
/* A text with its end; NULL counts as a text of its own. */
uint64_t ald_hash_text(uint64_t hash, const char *text);
/* NULL counts as no numbers. */
uint64_t ald_hash_reals(uint64_t hash, const double *values, int64_t count);
/* Another hash of them, for many: it lasts no longer than the process. */
uint64_t ald_hash_many(uint64_t hash, const double *values, int64_t count);

#endif
