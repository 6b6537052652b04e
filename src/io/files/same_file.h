/* Whether two paths lead to one file. */
#ifndef ALD_FILES_SAME_FILE_H
#define ALD_FILES_SAME_FILE_H

#include <stddef.h>

/* Where the last name of the path begins: the length of its folder with the slash, 0 for the current one. */
size_t ald_folder_length(const char *path);
/* Follows the links of the last name, also to where nothing is yet. `path` has room for PATH_MAX bytes. 0 or
 * an errno.
 */
int ald_follow_links(char *path);

#endif
