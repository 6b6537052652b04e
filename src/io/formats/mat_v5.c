/* A file of version 5, 6 or 7 is a header of 128 bytes and a row of elements, one for each variable: a tag of
 * two numbers of 4 bytes (type, length), and as many bytes. libmatio takes an element that is cut off at the
 * end of the file for a whole one, and gives zeros, or what was in its memory, for what is missing. */
#include "io/formats/mat_v5.h"

#include "io/formats/mat_v4.h"

#include <stdint.h>
#include <stdio.h>

enum { header_size = 128, tag_size = 8, order_at = 126 };

/* Goes from tag to tag: 1 if the last element ends where the file does. */
static int pass_elements(FILE *file, int swapped, int64_t size)
{
    unsigned char tag[tag_size];
    int64_t at = header_size;
    while (at + tag_size <= size) {
        if (fseek(file, (long)at, SEEK_SET) != 0 || fread(tag, 1, sizeof tag, file) != sizeof tag) return 0;
        at += tag_size + (int64_t)ald_mat_number(tag + 4, swapped);
    }
    return at == size;
}

int ald_mat_v5_is_whole(const char *path, const unsigned char *head)
{
    FILE *file = fopen(path, "rb");
    if (!file) return 1; /* told elsewhere */
    const int64_t size = fseek(file, 0, SEEK_END) == 0 ? (int64_t)ftell(file) : 0;
    const int whole = pass_elements(file, head[order_at] == 'M', size);
    fclose(file);
    return whole;
}
