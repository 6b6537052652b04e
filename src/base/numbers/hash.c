#include "base/numbers/hash.h"

#include <string.h>

/* By shifts, so that the hash is the same on every host. */
static uint64_t word_of(const unsigned char *bytes, size_t size)
{
    uint64_t word = 0;
    for (size_t i = 0; i < size; i++) word |= (uint64_t)bytes[i] << (8 * i);
    return word;
}

uint64_t ald_hash(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    for (size_t done = 0; done < size; done += 8) {
        const size_t left = size - done;
        const uint64_t word = left < 8 ? word_of(at + done, left) : word_of(at + done, 8);
        hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 32;
    }
    return hash;
}

uint64_t ald_hash_text(uint64_t hash, const char *text)
{
    return text ? ald_hash(hash, text, strlen(text) + 1) : ald_hash(hash, "\1", 2);
}

uint64_t ald_hash_reals(uint64_t hash, const double *values, int64_t count)
{
    return values ? ald_hash(hash, values, (size_t)count * sizeof *values) : hash;
}

/* Eight sums side by side, which do not wait for each other. */
uint64_t ald_hash_many(uint64_t hash, const double *values, int64_t count)
{
    enum { lanes = 8 };
    const int64_t whole = count - count % lanes;
    uint64_t sums[lanes], words[lanes];
    for (int k = 0; k < lanes; k++) sums[k] = hash + (uint64_t)k;
    for (int64_t i = 0; i < whole; i += lanes) {
        memcpy(words, values + i, sizeof words);
        for (int k = 0; k < lanes; k++) {
            sums[k] = (sums[k] ^ words[k]) * UINT64_C(0x9e3779b97f4a7c15);
            sums[k] ^= sums[k] >> 32;
        }
    }
    return ald_hash_reals(ald_hash(hash, sums, sizeof sums), values + whole, count - whole);
}
