#include "io/files/locked.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* As many abandoned files as these are looked for at each opening, whether or not a name is free before them.
 */
enum { looked_at = 16, most_names = 10000 };

/* Whether the path still leads to the open file: another may have removed it before it was locked. */
static int still_there(const char *path, int file)
{
    struct stat here, there;
    return fstat(file, &here) == 0 && lstat(path, &there) == 0 && here.st_dev == there.st_dev &&
           here.st_ino == there.st_ino;
}

/* -1 with this errno. */
static int give_up(const ald_system *system, int file, int number)
{
    system->close(file);
    errno = number;
    return -1;
}

int ald_locked_create(const ald_system *system, const char *path, mode_t mode)
{
    const int file = system->open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
    if (file < 0) return -1;
    const int locked = flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
    return locked && still_there(path, file) ? file : give_up(system, file, EEXIST);
}

static int is_ours(int file)
{
    struct stat about;
    return fstat(file, &about) == 0 && S_ISREG(about.st_mode) && about.st_uid == geteuid();
}

int ald_locked_take(const ald_system *system, const char *path)
{
    const int file = system->open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0);
    if (file < 0) return -1;
    if (is_ours(file) && flock(file, LOCK_EX | LOCK_NB) == 0 && still_there(path, file)) return file;
    return give_up(system, file, EAGAIN);
}

/* Whether the folder has a pending list. Its process made it while it held its temporary files; so who holds
 * one of these files and finds no list knows that none will name it. */
static int has_pending(const char *name, size_t folder)
{
    char path[4096 + 64];
    struct stat about;
    if (folder >= 4096) return 1;
    memcpy(path, name, folder);
    memcpy(path + folder, ALD_PENDING_NAME, sizeof ALD_PENDING_NAME);
    return lstat(path, &about) == 0;
}

static void remove_abandoned(const ald_system *system, const char *name, size_t folder)
{
    const int file = ald_locked_take(system, name);
    if (file < 0) return;
    if (!has_pending(name, folder)) system->unlink(name);
    system->close(file);
}

int ald_temporary_open(const ald_system *system, const char *target, size_t folder, mode_t mode, char *name)
{
    int file = -1;
    memcpy(name, target, folder);
    for (int i = 0; i < looked_at; i++) {
        snprintf(name + folder, 64, ".alidade-%d.tmp", i);
        if (access(name, F_OK) == 0) remove_abandoned(system, name, folder);
    }
    for (int i = 0; i < most_names && file < 0; i++) {
        snprintf(name + folder, 64, ".alidade-%d.tmp", i);
        file = ald_locked_create(system, name, mode);
        if (file < 0 && errno != EEXIST) break;
    }
    return file;
}
