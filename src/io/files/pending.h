/* Files that belong together: the list that makes several renames one step.
 *
 * Before the first rename, each folder concerned gets a list, ALD_PENDING_NAME, of what is to be renamed
 * there. One of them is the master: once it is complete and on the disk, the files count as written, and
 * whoever finds the lists finishes the renames. Without a complete master nothing was renamed, and the lists
 * are dropped. The lists of other folders go away before the master does.
 *
 * Lists are locked while their process lives (files/locked.h). They are read as hostile input: only lists
 * that belong to this user count, they name files of their own folder only, and only temporary files are
 * renamed. */
#ifndef ALD_FILES_PENDING_H
#define ALD_FILES_PENDING_H

#include "base/core/run.h"

/* A finished file that waits to be renamed. */
typedef struct ald_waiting {
    char *temporary, *target; /* two paths with the same folder, in the same words */
    int lock;                 /* descriptor that holds the temporary file; -1: none */
} ald_waiting;

/* Renames all or, if the process is ended meanwhile, leaves what the next command needs to do so. `kept` is 1
 * when the temporary files are still needed after a failure: do not remove them. */
ald_status ald_pending_place(ald_run *run, const ald_waiting *files, int count, int *kept);

/* Finishes or drops what an earlier command has left in the folder of `path`. To be called before a file is
 * read or written there. An error when that cannot be done: then the files of the folder are not what they
 * seem. */
ald_status ald_pending_recover(ald_run *run, const char *path);

#endif
