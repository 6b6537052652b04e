/* The fuzz target for NPY. Its mutations keep the length of the header right, or write a whole one for the
 * values that are there, with any type, order and shape. */
#define FUZZ_READER ald_npy_reader
#include "fuzz/fuzz_table.h"

#include <stdio.h>

enum { before_header = 10, most_header = 200 };

static const char *const types[] = {
    "<f8", ">f8", "<f4", ">f4", "<f2", "|b1", "|i1", "|u1", "<i2", ">u2",
    "<i4", ">i4", "<u4", "<i8", ">i8", "<u8", "<c8", "|S3", "<U2", "|O",
};
enum { n_types = sizeof types / sizeof *types };

static size_t header_length(const uint8_t *bytes)
{
    return (size_t)bytes[8] | (size_t)bytes[9] << 8;
}

static size_t width_of(const char *type)
{
    return type[2] >= '0' && type[2] <= '9' ? (size_t)(type[2] - '0') : 1;
}

/* A header for values of so many bytes; mostly one that fits them. */
static size_t write_header(char *text, size_t bytes, unsigned seed)
{
    const char *type = types[seed / 2 % n_types];
    const size_t count = bytes / width_of(type), cols = 1 + seed / 64 % 5,
                 rows = count / cols + (seed % 7 == 0);
    const char *fortran = seed & 1 ? "True" : "False";
    int length;
    if (seed % 11 == 0)
        length =
            sprintf(text, "{'descr': '%s', 'fortran_order': %s, 'shape': (%zu,), }", type, fortran, count);
    else
        length = sprintf(text, "{'descr': '%s', 'fortran_order': %s, 'shape': (%zu, %zu), }", type, fortran,
                         rows, cols);
    text[length++] = '\n';
    return (size_t)length;
}

/* Puts the header in front of the values, which begin at `values`. */
static size_t join(uint8_t *bytes, size_t room, const char *header, size_t length, size_t values, size_t size)
{
    const size_t count = size - values, start = before_header + length;
    if (start + count > room) return 0;
    memmove(bytes + start, bytes + values, count);
    memcpy(bytes, "\x93NUMPY\x01\x00", 8);
    bytes[8] = (uint8_t)length;
    bytes[9] = (uint8_t)(length >> 8);
    memcpy(bytes + before_header, header, length);
    return start + count;
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t room, unsigned seed)
{
    char header[most_header + 1];
    const size_t length = size >= before_header ? header_length(bytes) : room;
    const size_t values = before_header + length;
    if (seed % 4 == 0 || values > size || values >= room || length > most_header)
        return LLVMFuzzerMutate(bytes, size, room);
    if (seed % 4 == 1) return values + LLVMFuzzerMutate(bytes + values, size - values, room - values);
    if (seed % 4 == 2) {
        const size_t written =
            join(bytes, room, header, write_header(header, size - values, seed / 4), values, size);
        return written ? written : size;
    }
    memcpy(header, bytes + before_header, length);
    const size_t changed = LLVMFuzzerMutate((uint8_t *)header, length, most_header);
    const size_t written = join(bytes, room, header, changed, values, size);
    return written ? written : size;
}
