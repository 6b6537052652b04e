/* MATLAB files of version 4, as far as their library trusts them too much. */
#ifndef ALD_FORMATS_MAT_V4_H
#define ALD_FORMATS_MAT_V4_H

#include <stddef.h>
#include <stdint.h>

/* Whether the library takes a file with these first bytes, up to 128, as one of version 4: it does with all
 * that is not of a later one. */
int ald_mat_is_v4(const unsigned char *head, size_t size);
/* 1 if no variable of the file, which follow each other without a table, reaches behind its end. */
int ald_mat_v4_is_whole(const char *path);
/* The number in 4 bytes, of which the first is the lowest, or the highest one if they are swapped. */
uint32_t ald_mat_number(const unsigned char *bytes, int swapped);

#endif
