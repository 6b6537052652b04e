/* Temporary files: the new contents of a file until they are renamed, and rows that do not fit into
 * memory.
 *
 * A temporary file is named .alidade-XXXXXXXXXXXX.tmp, with twelve random characters, is created where no
 * file exists, and is locked (flock) for the lifetime of the process that writes it. The lock ends with
 * the process, however that ends: a file of such a name that belongs to this user and is not locked was
 * left by a killed process, and the next process that creates a temporary file in its folder removes it.
 * Where locks do not keep others away (its own file can be locked a second time), such files stay. Nothing
 * is read from a file that was found, and nothing but such a file is removed. */
#ifndef ALD_FILES_TEMPORARY_H
#define ALD_FILES_TEMPORARY_H

#include "base/core/run.h"

#include <stddef.h>
#include <sys/types.h>

/* The system calls that keep a file. A table, so that a test can let each of them fail. */
typedef struct ald_system {
    int (*open)(const char *path, int flags, mode_t mode);
    ssize_t (*write)(int file, const void *bytes, size_t size);
    int (*fsync)(int file);
    int (*close)(int file);
    int (*rename)(const char *from, const char *to);
    int (*unlink)(const char *path);
    int (*lock)(int file, int operation); /* flock */
} ald_system;

extern const ald_system ald_real_system;

enum { ALD_TEMPORARY_ROOM = 32 }; /* bytes of its name, beside those of the folder */

/* Creates and locks a temporary file in the folder of `target`, whose first `folder` bytes are the folder
 * with its slash. `name` has room for folder + ALD_TEMPORARY_ROOM bytes. Returns -1 with errno on failure. */
int ald_temporary_open(const ald_system *system, const char *target, size_t folder, mode_t mode, char *name);

/* All bytes, however many calls that takes. Returns -1 with errno on failure. */
int ald_write_fully(const ald_system *system, int file, const void *bytes, size_t size);

/* A file without a name, for what is too large for memory: it is gone with its process. */
typedef struct ald_scratch_file {
    int file; /* -1: there is none */
    int64_t size;
} ald_scratch_file;

/* In the folder of the path `beside`. */
ald_status ald_scratch_file_open(ald_run *run, const char *beside, ald_scratch_file *file);
/* At its end. */
ald_status ald_scratch_file_add(ald_run *run, ald_scratch_file *file, const void *bytes, int64_t size);
/* By several threads at a time. */
ald_status ald_scratch_file_read(ald_run *run, const ald_scratch_file *file, int64_t place, void *bytes,
                                 int64_t size);
/* Does nothing where there is none. */
void ald_scratch_file_close(ald_scratch_file *file);

/* Whether two paths lead to one file. */

/* Where the last name of the path begins: the length of its folder with the slash, 0 for the current one. */
size_t ald_folder_length(const char *path);
/* Follows the links of the last name, also to where nothing is yet. `path` has room for PATH_MAX bytes. 0 or
 * an errno.
 */
int ald_follow_links(char *path);

#endif
