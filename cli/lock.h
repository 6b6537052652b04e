/* A file that is read, changed and written back: two commands must not do that at the same time, or the work
 * of one is lost. */
#ifndef CLI_LOCK_H
#define CLI_LOCK_H

#include <sys/stat.h>

struct cli_session;

typedef struct cli_lock {
    const char *path; /* NULL: nothing is locked */
    int file;         /* -1: none */
    struct stat state;
} cli_lock;

/* Waits until no other command changes the file, and keeps others waiting until this program ends. */
int cli_lock_take(struct cli_session *session, const char *path, cli_lock *lock);
/* Refuses to go on when the file has changed all the same: by a program that does not ask, or where a file
 * system has no locks. To be asked before it is written back. */
int cli_lock_check(struct cli_session *session, const cli_lock *lock);

#endif
