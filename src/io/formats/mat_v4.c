/* A file of version 4 is a row of variables: 5 numbers of 4 bytes (type, rows, columns, whether complex,
 * length of the name), the name, the values. The type MOPT as a decimal number says by P how wide a value is;
 * read in the wrong order of bytes it is too large. libmatio allocates the length of the name, whatever it
 * is, and fills it with zeros: 129 bytes can ask for 2 GB. It takes values that are cut off at the end of the
 * file for whole. */
#include "io/formats/mat_v4.h"

#include <stdio.h>

enum { header_size = 20, largest_type = 4052, version_at = 124 };

int ald_mat_is_v4(const unsigned char *head, size_t size)
{
    if (size < version_at + 2) return 1;
    const int first = head[version_at], second = head[version_at + 1];
    return !((first == 0 && (second == 1 || second == 2)) || (second == 0 && (first == 1 || first == 2)));
}

uint32_t ald_mat_number(const unsigned char *bytes, int swapped)
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
    const int swapped = ald_mat_number(header, 0) > largest_type;
    const uint32_t type = ald_mat_number(header, swapped), length = ald_mat_number(header + 16, swapped);
    const double next =
        (double)ftell(file) + (double)length +
        value_bytes(type, ald_mat_number(header + 4, swapped), ald_mat_number(header + 8, swapped),
                    ald_mat_number(header + 12, swapped));
    *more = type <= largest_type && next < size && fseek(file, (long)next, SEEK_SET) == 0;
    return (double)length <= size && (type > largest_type || next <= size);
}

int ald_mat_v4_is_whole(const char *path)
{
    unsigned char header[header_size];
    FILE *file = fopen(path, "rb");
    if (!file) return 1; /* told elsewhere */
    const double size = fseek(file, 0, SEEK_END) == 0 ? (double)ftell(file) : 0.0;
    rewind(file);
    int fit = 1, more = 1;
    while (fit && more && fread(header, 1, sizeof header, file) == sizeof header)
        fit = pass_variable(file, header, size, &more);
    fclose(file);
    return fit;
}
