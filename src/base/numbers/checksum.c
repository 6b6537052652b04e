#include "base/numbers/checksum.h"

/* By shifts, so that the sum is the same on every host. */
static uint64_t word_of(const unsigned char *bytes, size_t size)
{
    uint64_t word = 0;
    for (size_t i = 0; i < size; i++) word |= (uint64_t)bytes[i] << (8 * i);
    return word;
}

uint64_t ald_checksum(uint64_t sum, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    for (size_t done = 0; done < size; done += 8) {
        const size_t left = size - done;
        const uint64_t word = left < 8 ? word_of(at + done, left) : word_of(at + done, 8);
        sum = (sum ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        sum ^= sum >> 32;
    }
    return sum;
}
