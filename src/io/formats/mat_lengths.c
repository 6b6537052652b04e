/* A file of version 4 is a row of variables: 5 numbers of 4 bytes (type, rows, columns, whether complex,
 * length of the name), the name, the values. The type MOPT as a decimal number says by P how wide a value is;
 * read in the wrong order of bytes it is too large. libmatio allocates the length of the name, whatever it
 * is, and fills it with zeros: 129 bytes can ask for 2 GB. It takes values that are cut off at the end of the
 * file for whole. */
#include "io/formats/mat_lengths.h"

#include <stdint.h>
#include <stdio.h>

enum { header_size = 20, largest_type = 4052, version_at = 124 };

int ald_mat_is_v4(const unsigned char *head, size_t size)
{
    if (size < version_at + 2) return 1;
    const int first = head[version_at], second = head[version_at + 1];
    return !((first == 0 && (second == 1 || second == 2)) || (second == 0 && (first == 1 || first == 2)));
}

static uint32_t number_of(const unsigned char *bytes, int swapped)
{
    uint32_t number = 0;
    for (int k = 0; k < 4; k++) number = number << 8 | bytes[swapped ? k : 3 - k];
    return number;
}

/* Bytes of the values; more than any file has where they are too many. */
static double value_bytes(uint32_t type, uint32_t rows, uint32_t cols, uint32_t is_complex)
{
    static const int widths[10] = {8, 4, 4, 2, 2, 1, 0, 0, 0, 0};
    return (double)rows * (double)cols * (is_complex ? 2 : 1) * widths[type / 10 % 10];
}

/* Goes on to the next variable; 0: this one reaches behind the end. */
static int pass_variable(FILE *file, const unsigned char *header, double size, int *more)
{
    const int swapped = number_of(header, 0) > largest_type;
    const uint32_t type = number_of(header, swapped), length = number_of(header + 16, swapped);
    const double next = (double)ftell(file) + (double)length +
                        value_bytes(type, number_of(header + 4, swapped), number_of(header + 8, swapped),
                                    number_of(header + 12, swapped));
    *more = type <= largest_type && next < size && fseek(file, (long)next, SEEK_SET) == 0;
    return (double)length <= size && (type > largest_type || next <= size);
}

int ald_mat_v4_is_whole(const char *path)
{
    unsigned char header[header_size];
    FILE *file = fopen(path, "rb");
    if (!file) return 1; /* reported elsewhere */
    const double size = fseek(file, 0, SEEK_END) == 0 ? (double)ftell(file) : 0.0;
    rewind(file);
    int fit = 1, more = 1;
    while (fit && more && fread(header, 1, sizeof header, file) == sizeof header)
        fit = pass_variable(file, header, size, &more);
    fclose(file);
    return fit;
}

/* A file of version 5, 6 or 7 is a header of 128 bytes and a row of elements, one for each variable: a tag of
 * two numbers of 4 bytes (type, length), and as many bytes. libmatio takes an element that is cut off at the
 * end of the file for a whole one, and gives zeros, or what was in its memory, for what is missing. */
enum { start_size = 128, tag_size = 8, order_at = 126 };

/* Goes from tag to tag: 1 if the last element ends where the file does. */
static int pass_elements(FILE *file, int swapped, int64_t size)
{
    unsigned char tag[tag_size];
    int64_t at = start_size;
    while (at + tag_size <= size) {
        if (fseek(file, (long)at, SEEK_SET) != 0 || fread(tag, 1, sizeof tag, file) != sizeof tag) return 0;
        at += tag_size + (int64_t)number_of(tag + 4, swapped);
    }
    return at == size;
}

int ald_mat_v5_is_whole(const char *path, const unsigned char *head)
{
    FILE *file = fopen(path, "rb");
    if (!file) return 1; /* reported elsewhere */
    const int64_t size = fseek(file, 0, SEEK_END) == 0 ? (int64_t)ftell(file) : 0;
    const int whole = pass_elements(file, head[order_at] == 'M', size);
    fclose(file);
    return whole;
}
