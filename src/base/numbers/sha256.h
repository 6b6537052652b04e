/* SHA-256 (FIPS 180-4): what `sha256sum` prints of a file, and browsers compare scripts by. */
#ifndef ALD_NUMBERS_SHA256_H
#define ALD_NUMBERS_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { ALD_SHA256_SIZE = 32 };

typedef struct ald_sha256 {
    uint32_t state[8];
    uint64_t bytes; /* seen so far */
    unsigned char block[64];
} ald_sha256;

void ald_sha256_begin(ald_sha256 *hash);
void ald_sha256_add(ald_sha256 *hash, const void *bytes, size_t size);
void ald_sha256_end(ald_sha256 *hash, unsigned char digest[ALD_SHA256_SIZE]);

#endif
