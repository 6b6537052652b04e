/* A file that is read, changed and written back: two commands must not do that at the same time, or the work
 * of one is lost. */
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

static int same_state(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* While this command waited, another may have put a new file in the place of the one it waited for: -1,
 * again. */
static int try_lock(cli_session *session, cli_lock *lock)
{
    struct stat there;
    lock->file = open(lock->path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (lock->file < 0) return CLI_DONE; /* reading it reports why it cannot be opened */
    while (flock(lock->file, LOCK_EX) != 0 && errno == EINTR) CLI_TRY(cli_stop(session));
    if (fstat(lock->file, &lock->state) != 0 || stat(lock->path, &there) != 0) return CLI_DONE;
    if (lock->state.st_dev == there.st_dev && lock->state.st_ino == there.st_ino) return CLI_DONE;
    close(lock->file);
    return -1;
}

int cli_lock_take(cli_session *session, const char *path, cli_lock *lock)
{
    int code;
    *lock = (cli_lock){.path = path, .file = -1};
    while ((code = try_lock(session, lock)) < 0) continue;
    return code;
}

int cli_lock_check(cli_session *session, const cli_lock *lock)
{
    struct stat there;
    if (!lock->path || lock->file < 0) return CLI_DONE;
    if (stat(lock->path, &there) == 0 && same_state(&there, &lock->state)) return CLI_DONE;
    return cli_fail(session, "%s has changed since it was read; nothing was written, try again", lock->path);
}
