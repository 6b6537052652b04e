/* MATLAB files of version 4, as far as their library trusts them too much. */
#ifndef ALD_READING_MAT_V4_H
#define ALD_READING_MAT_V4_H

#include <stddef.h>

/* Whether the library takes a file with these first bytes, up to 128, as one of version 4: it does with all
 * that is not of a later one. */
int ald_mat_is_v4(const unsigned char *head, size_t size);
/* 1 if the variables of the file, which follow each other without a table, have names that fit into it. */
int ald_mat_v4_names_fit(const char *path);

#endif
