/* MATLAB files whose lengths are checked before their library reads them, as it trusts them too much. */
#ifndef ALD_FORMATS_MAT_LENGTHS_H
#define ALD_FORMATS_MAT_LENGTHS_H

#include <stddef.h>
#include <stdint.h>

/* Whether the library takes a file with these first bytes, up to 128, as one of version 4: it does with all
 * that is not of a later one. */
int ald_mat_is_v4(const unsigned char *head, size_t size);
/* 1 if no variable of the file, which follow each other without a table, reaches behind its end. */
int ald_mat_v4_is_whole(const char *path);

/* 1 if no variable of the file, which begins with these 128 bytes, reaches behind its end. */
int ald_mat_v5_is_whole(const char *path, const unsigned char *head);

#endif
