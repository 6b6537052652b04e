/* The message, a bit 1, zeros and the length in bits (8 bytes, big-endian) are cut into blocks of 64 bytes. A
 * block is 16 words w_0 .. w_15, stretched to 64 by w_t = s1(w_{t-2}) + w_{t-7} + s0(w_{t-15}) + w_{t-16}; 64
 * rounds stir them into the state. All sums are mod 2^32. */
#include "base/numbers/sha256.h"

#include <string.h>

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t roots[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

void ald_sha256_begin(ald_sha256 *hash)
{
    /* The same of the square roots of the first 8 primes. */
    static const uint32_t start[8] = {
        0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
    };
    memcpy(hash->state, start, sizeof start);
    hash->bytes = 0;
}

static uint32_t turn(uint32_t word, int by)
{
    return word >> by | word << (32 - by);
}

static void stretch(const unsigned char block[64], uint32_t w[64])
{
    for (int t = 0; t < 16; t++)
        w[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 |
               (uint32_t)block[4 * t + 2] << 8 | (uint32_t)block[4 * t + 3];
    for (int t = 16; t < 64; t++) {
        const uint32_t low = w[t - 15], high = w[t - 2];
        w[t] = w[t - 16] + (turn(low, 7) ^ turn(low, 18) ^ low >> 3) + w[t - 7] +
               (turn(high, 17) ^ turn(high, 19) ^ high >> 10);
    }
}

static void stir(uint32_t state[8], const unsigned char block[64])
{
    uint32_t w[64], s[8];
    stretch(block, w);
    memcpy(s, state, sizeof s);
    for (int t = 0; t < 64; t++) {
        const uint32_t e = s[4], a = s[0];
        const uint32_t one =
            s[7] + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & s[5]) ^ (~e & s[6])) + roots[t] + w[t];
        const uint32_t two =
            (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += one;
        s[0] = one + two;
    }
    for (int i = 0; i < 8; i++) state[i] += s[i];
}

void ald_sha256_add(ald_sha256 *hash, const void *bytes, size_t size)
{
    const unsigned char *next = bytes;
    while (size > 0) {
        const size_t used = (size_t)(hash->bytes % 64), room = 64 - used, take = size < room ? size : room;
        memcpy(hash->block + used, next, take);
        hash->bytes += take;
        next += take;
        size -= take;
        if (take == room) stir(hash->state, hash->block);
    }
}

void ald_sha256_end(ald_sha256 *hash, unsigned char digest[ALD_SHA256_SIZE])
{
    static const unsigned char padding[64] = {0x80};
    const uint64_t bits = 8 * hash->bytes;
    const size_t used = (size_t)(hash->bytes % 64);
    unsigned char length[8];
    for (int i = 0; i < 8; i++) length[i] = (unsigned char)(bits >> (56 - 8 * i));
    ald_sha256_add(hash, padding, used < 56 ? 56 - used : 120 - used);
    ald_sha256_add(hash, length, sizeof length);
    for (int i = 0; i < ALD_SHA256_SIZE; i++)
        digest[i] = (unsigned char)(hash->state[i / 4] >> (24 - 8 * (i % 4)));
}
