/* Files that are somebody's while he lives: they are locked, and the lock ends with the process, however it
 * ends. Where a file system has no locks such files are never taken for abandoned. */
#ifndef ALD_FILES_LOCKED_H
#define ALD_FILES_LOCKED_H

#include "io/files/system.h"

/* Makes a new file and locks it. -1: errno is EEXIST where a file of this name is there or was just taken
 * away. */
int ald_locked_create(const ald_system *system, const char *path, mode_t mode);
/* Opens and locks a file of ours that nobody holds. -1: it is not there, or in use, or not ours. */
int ald_locked_take(const ald_system *system, const char *path);

/* Opens a temporary file, named so that the next command finds and removes it if this one is killed: folder
 * (its length with the slash, of `target`) + .alidade-N.tmp. `name` has room for folder + 64 bytes. A file
 * left behind in this folder by a process that is gone is removed, unless a pending list needs it
 * (files/pending.h). */
int ald_temporary_open(const ald_system *system, const char *target, size_t folder, mode_t mode, char *name);

/* The name of the pending list in a folder; here because clearing up must respect it. */
#define ALD_PENDING_NAME ".alidade-pending"

#endif
