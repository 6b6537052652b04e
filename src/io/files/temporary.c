/* Names, locks and removal of temporary files; files without a name. See temporary.h. */
#include "io/files/temporary.h"

#include <alidade/dataset.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* open() is variadic and cannot stand in the table itself. */
static int open_file(const char *path, int flags, mode_t mode)
{
    return open(path, flags, mode);
}

const ald_system ald_real_system = {
    .open = open_file,
    .write = write,
    .fsync = fsync,
    .close = close,
    .rename = rename,
    .unlink = unlink,
    .lock = flock,
};

static const char before[] = ".alidade-", after[] = ".tmp", letters[] = "0123456789abcdefghijklmnopqrstuv";

enum {
    n_random = 12,
    most_tries = 100,
    most_entries = 20000, /* of a folder, that are searched for abandoned files */
};

static int make_name(char *name)
{
    unsigned char bytes[n_random];
    char text[n_random + 1];
    if (getentropy(bytes, sizeof bytes) != 0) return -1;
    for (int i = 0; i < n_random; i++) text[i] = letters[bytes[i] % 32];
    text[n_random] = '\0';
    return snprintf(name, ALD_TEMPORARY_ROOM, "%s%s%s", before, text, after);
}

static int is_temporary_name(const char *name)
{
    const char *random = name + strlen(before);
    return strncmp(name, before, strlen(before)) == 0 && strspn(random, letters) == n_random &&
           strcmp(random + n_random, after) == 0;
}

/* Whether the path still leads to the open file: another process may have removed it before it was locked. */
static int still_there(const char *path, int file)
{
    struct stat here, there;
    return fstat(file, &here) == 0 && lstat(path, &there) == 0 && here.st_dev == there.st_dev &&
           here.st_ino == there.st_ino;
}

/* A file that another process holds, or removes at this instant, has been taken for abandoned: -1 with
 * EEXIST, and the next name is tried. */
static int create_locked(const ald_system *system, const char *path, mode_t mode)
{
    const int file = system->open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
    if (file < 0) return -1;
    const int locked = system->lock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
    if (locked && still_there(path, file)) return file;
    system->unlink(path);
    system->close(file);
    errno = EEXIST;
    return -1;
}

static int is_ours(int file)
{
    struct stat about;
    return fstat(file, &about) == 0 && S_ISREG(about.st_mode) && about.st_uid == geteuid();
}

/* Whether a lock keeps others away: there are systems where all who ask are given one (emscripten). `path`
 * is that of a file which is locked. */
static int locks_exclude(const ald_system *system, const char *path)
{
    const int file = system->open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0);
    if (file < 0) return 0;
    const int excludes = system->lock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    system->close(file);
    return excludes;
}

static void remove_if_abandoned(const ald_system *system, const char *path)
{
    const int file = system->open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0);
    if (file < 0) return;
    if (is_ours(file) && system->lock(file, LOCK_EX | LOCK_NB) == 0 && still_there(path, file))
        system->unlink(path);
    system->close(file);
}

/* `path` is that of our own temporary file, behind its folder with the slash; others get their turn in its
 * place. */
static void clear_folder(const ald_system *system, char *path, size_t folder)
{
    char own[ALD_TEMPORARY_ROOM];
    const struct dirent *entry;
    int is_sure = 0;
    memcpy(own, path + folder, sizeof own);
    path[folder] = '\0';
    DIR *open = opendir(folder ? path : ".");
    for (int i = 0; open && i < most_entries && (entry = readdir(open)); i++) {
        if (!is_temporary_name(entry->d_name) || strcmp(entry->d_name, own) == 0) continue;
        memcpy(path + folder, own, sizeof own);
        if (!is_sure && !locks_exclude(system, path)) break;
        is_sure = 1;
        memcpy(path + folder, entry->d_name, strlen(entry->d_name) + 1);
        remove_if_abandoned(system, path);
    }
    if (open) closedir(open);
    memcpy(path + folder, own, sizeof own);
}

int ald_temporary_open(const ald_system *system, const char *target, size_t folder, mode_t mode, char *name)
{
    int file = -1;
    memcpy(name, target, folder);
    for (int i = 0; i < most_tries && file < 0; i++) {
        memset(name + folder, 0, ALD_TEMPORARY_ROOM);
        if (make_name(name + folder) < 0) return -1;
        file = create_locked(system, name, mode);
        if (file < 0 && errno != EEXIST) return -1;
    }
    if (file >= 0) clear_folder(system, name, folder);
    return file;
}

int ald_write_fully(const ald_system *system, int file, const void *bytes, size_t size)
{
    for (const char *from = bytes; size;) {
        const ssize_t written = system->write(file, from, size);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return -1;
        from += written;
        size -= (size_t)written;
    }
    return 0;
}

static ald_status fail(ald_run *run, const char *what, int number)
{
    return ald_fail(run->error, ALD_ERROR_IO, "the file that caches rows between passes %s: %s", what,
                    strerror(number));
}

/* Its name is removed as soon as it is open. */
ald_status ald_scratch_file_open(ald_run *run, const char *beside, ald_scratch_file *file)
{
    const size_t folder = ald_folder_length(beside);
    char *name;
    *file = (ald_scratch_file){.file = -1};
    ALD_TRY(ald_scratch(run, (int64_t)folder + ALD_TEMPORARY_ROOM, 1, 1, &name));
    file->file = ald_temporary_open(run->context->system, beside, folder, 0600, name);
    if (file->file < 0) return fail(run, "cannot be created", errno);
    if (run->context->system->unlink(name) == 0) return ALD_OK;
    const int number = errno;
    ald_scratch_file_close(file);
    return fail(run, "cannot be made nameless", number);
}

ald_status ald_scratch_file_add(ald_run *run, ald_scratch_file *file, const void *bytes, int64_t size)
{
    if (ald_write_fully(run->context->system, file->file, bytes, (size_t)size) != 0)
        return fail(run, "cannot be written", errno);
    file->size += size;
    return ALD_OK;
}

ald_status ald_scratch_file_read(ald_run *run, const ald_scratch_file *file, int64_t place, void *bytes,
                                 int64_t size)
{
    for (int64_t done = 0; done < size;) {
        const ssize_t got =
            pread(file->file, (char *)bytes + done, (size_t)(size - done), (off_t)(place + done));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return fail(run, "cannot be read", got < 0 ? errno : EIO);
        done += got;
    }
    return ALD_OK;
}

void ald_scratch_file_close(ald_scratch_file *file)
{
    if (file->file >= 0) close(file->file);
    file->file = -1;
}

/* Whether two paths lead to one file. */

enum { most_links = 40 };

size_t ald_folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash + 1 - path) : 0;
}

int ald_follow_links(char *path)
{
    for (int i = 0; i < most_links; i++) {
        char link[PATH_MAX];
        const ssize_t length = readlink(path, link, sizeof link);
        if (length < 0) return errno == EINVAL || errno == ENOENT ? 0 : errno;
        const size_t start = length && link[0] == '/' ? 0 : ald_folder_length(path);
        if (start + (size_t)length >= PATH_MAX) return ENAMETOOLONG;
        memcpy(path + start, link, (size_t)length);
        path[start + (size_t)length] = '\0';
    }
    return ELOOP;
}

static int one_file(const char *a, const char *b)
{
    struct stat found_a, found_b;
    return stat(a, &found_a) == 0 && stat(b, &found_b) == 0 && found_a.st_dev == found_b.st_dev &&
           found_a.st_ino == found_b.st_ino;
}

/* Whether the last names are the same, in folders that are. */
static int same_name_and_folder(char *a, char *b)
{
    const size_t in_a = ald_folder_length(a), in_b = ald_folder_length(b);
    if (strcmp(a + in_a, b + in_b) != 0) return 0;
    a[in_a] = b[in_b] = '\0';
    return one_file(in_a ? a : ".", in_b ? b : ".");
}

int ald_same_file(const char *a, const char *b)
{
    char path_a[PATH_MAX], path_b[PATH_MAX];
    if (!a || !b) return 0;
    if (strcmp(a, b) == 0) return 1;
    if (strcmp(a, "-") == 0 || strcmp(b, "-") == 0 || strlen(a) >= PATH_MAX || strlen(b) >= PATH_MAX)
        return 0;
    if (one_file(a, b)) return 1;
    memcpy(path_a, a, strlen(a) + 1);
    memcpy(path_b, b, strlen(b) + 1);
    return ald_follow_links(path_a) == 0 && ald_follow_links(path_b) == 0 &&
           same_name_and_folder(path_a, path_b);
}
