/* Several files that are read as one: those that a pattern such as part-*.csv stands for, in the order of
 * their names. */
#ifndef ALD_READING_FILE_LIST_H
#define ALD_READING_FILE_LIST_H

#include "io/reading/input.h"

typedef struct ald_file_list {
    int64_t count;
    char **paths;
    int64_t *sizes; /* bytes */
} ald_file_list;

/* In scratch; NULL where the path is no pattern (* or ?), or is the name of a file. A pattern that no file
 * fits is an error. */
ald_status ald_file_list_find(ald_run *run, const char *path, const ald_file_list **list);
/* The mark of all files together, as they are now. */
ald_file_mark ald_file_list_mark(const ald_file_list *list);

#endif
