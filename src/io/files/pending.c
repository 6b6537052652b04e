#include "io/files/pending.h"

#include "io/files/locked.h"
#include "io/files/pending_list.h"
#include "io/files/same_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { most_folders = 16, longest_list = 1 << 20, most_waits = 500, path_room = PATH_MAX + 64 };

static const ald_system *system_of(const ald_run *run)
{
    return run->context->system;
}

static ald_status fail(ald_run *run, const char *path, const char *what, int number)
{
    return ald_fail(run->error, ALD_ERROR_IO, "%s: %s: %s", path, what, strerror(number));
}

/* The name of a folder is kept only when the folder itself is synced. Some file systems cannot; then the
 * rename counts when they say so. */
static ald_status sync_folder(ald_run *run, const char *path, size_t length)
{
    char folder[path_room];
    if (length >= PATH_MAX) return fail(run, path, "cannot be synced", ENAMETOOLONG);
    memcpy(folder, length ? path : ".", length ? length : 1);
    folder[length ? length : 1] = '\0';
    const int file = system_of(run)->open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
    if (file < 0) return errno == EACCES ? ALD_OK : fail(run, folder, "cannot be opened to be synced", errno);
    const int failed = system_of(run)->fsync(file) != 0 && errno != EINVAL && errno != ENOTSUP,
              reason = errno;
    system_of(run)->close(file);
    return failed ? fail(run, folder, "cannot be written to the disk", reason) : ALD_OK;
}

/* --- finishing what was left
 * ------------------------------------------------------------------------------------ */

typedef struct found_list {
    char path[path_room]; /* of the list */
    int lock;
    char *bytes;
    ald_pending_list list;
} found_list;

static void leave(ald_run *run, found_list *found)
{
    if (found->lock >= 0) system_of(run)->close(found->lock);
    found->lock = -1;
}

static ald_status read_list(ald_run *run, found_list *found, size_t *size)
{
    ALD_TRY(ald_scratch(run, longest_list, 1, 1, &found->bytes));
    *size = 0;
    for (;;) {
        const ssize_t got = read(found->lock, found->bytes + *size, longest_list - *size);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return fail(run, found->path, "cannot be read", errno);
        if (got == 0) return ALD_OK;
        *size += (size_t)got;
    }
}

/* Takes a list that nobody holds. A list that is not whole was never in force: it is removed. `found->lock`
 * is -1 when there is nothing to do. */
static ald_status take_list(ald_run *run, const char *path, found_list *found)
{
    size_t size;
    snprintf(found->path, sizeof found->path, "%s", path);
    found->lock = ald_locked_take(system_of(run), path);
    if (found->lock < 0) return ALD_OK;
    const ald_status status = read_list(run, found, &size);
    const int whole = status >= 0 && ald_list_parse(found->bytes, size, &found->list);
    if (status >= 0 && !whole) system_of(run)->unlink(path);
    if (!whole) leave(run, found);
    return status;
}

/* The path of a name in the list's folder. */
static void beside(const found_list *found, const char *name, char *path)
{
    const size_t folder = ald_folder_length(found->path);
    snprintf(path, path_room, "%.*s%s", (int)folder, found->path, name);
}

/* `place` 0 drops the files instead. What is not there any more has been renamed before. */
static ald_status settle_files(ald_run *run, const found_list *found, int place)
{
    char from[path_room], to[path_room];
    const char *name = NULL;
    while ((name = ald_list_next(&found->list, ALD_LIST_FROM, name))) {
        beside(found, name, from);
        beside(found, ald_list_next(&found->list, ALD_LIST_TO, name), to);
        if (!place)
            system_of(run)->unlink(from);
        else if (system_of(run)->rename(from, to) != 0 && errno != ENOENT)
            return fail(
                run, to,
                "a command that wrote several files was ended before all were in their place, and this one "
                "cannot be put there",
                errno);
    }
    return sync_folder(run, found->path, ald_folder_length(found->path));
}

static ald_status settle_list(ald_run *run, const found_list *found, int place)
{
    ALD_TRY(settle_files(run, found, place));
    if (system_of(run)->unlink(found->path) != 0 && errno != ENOENT)
        return fail(run, found->path, "cannot be removed", errno);
    return ALD_OK;
}

static ald_status settle_other(ald_run *run, const found_list *master, const char *path)
{
    found_list other;
    ALD_TRY(take_list(run, path, &other));
    if (other.lock < 0) return ALD_OK;
    const int same = strcmp(other.list.token, master->list.token) == 0;
    const ald_status status = same ? settle_list(run, &other, 1) : ALD_OK;
    leave(run, &other);
    return status;
}

/* Other folders first: their lists count only while the master is there. */
static ald_status settle_master(ald_run *run, const found_list *master)
{
    const char *path = NULL;
    while ((path = ald_list_next(&master->list, ALD_LIST_OTHER, path)))
        ALD_TRY(settle_other(run, master, path));
    return settle_list(run, master, 1);
}

/* A list of another folder than the master's. Its lock is given up first, since settling the master takes it.
 */
static ald_status settle_by_master(ald_run *run, found_list *found)
{
    found_list master;
    struct stat about;
    ALD_TRY(take_list(run, found->list.master, &master));
    if (master.lock >= 0 && !master.list.master && strcmp(master.list.token, found->list.token) == 0) {
        leave(run, found);
        const ald_status status = settle_master(run, &master);
        leave(run, &master);
        return status;
    }
    const int in_use = master.lock < 0 && lstat(found->list.master, &about) == 0;
    leave(run, &master);
    return in_use ? ALD_OK : settle_list(run, found, 0);
}

ald_status ald_pending_recover(ald_run *run, const char *path)
{
    char name[path_room];
    found_list found;
    const size_t folder = ald_folder_length(path);
    if (strcmp(path, "-") == 0 || folder >= PATH_MAX) return ALD_OK;
    snprintf(name, sizeof name, "%.*s%s", (int)folder, path, ALD_PENDING_NAME);
    if (access(name, F_OK) != 0) return ALD_OK;
    ALD_TRY(take_list(run, name, &found));
    if (found.lock < 0) return ALD_OK;
    const ald_status status = found.list.master ? settle_by_master(run, &found) : settle_master(run, &found);
    leave(run, &found);
    return status;
}

/* --- renaming together
 * ------------------------------------------------------------------------------------------ */

typedef struct placing {
    const ald_waiting *files;
    int count, n_folders;
    char *folders[most_folders]; /* real paths with a slash, sorted */
    char *lists[most_folders];   /* paths of their lists */
    int locks[most_folders];
    char token[64];
} placing;

static ald_status real_folder(ald_run *run, const char *path, char **folder)
{
    char start[path_room];
    char *real;
    const size_t length = ald_folder_length(path);
    ALD_TRY(ald_scratch(run, path_room, 1, 1, folder));
    snprintf(start, sizeof start, "%.*s.", (int)length, path);
    if (!(real = realpath(start, NULL))) return fail(run, path, "cannot be put in its place", errno);
    snprintf(*folder, path_room, "%s%s", real, strcmp(real, "/") == 0 ? "" : "/");
    free(real);
    return ALD_OK;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Sorted, so that two commands that concern the same folders do not wait for each other for ever. */
static ald_status find_folders(ald_run *run, placing *p)
{
    for (int i = 0; i < p->count; i++) {
        char *folder;
        int known = 0;
        ALD_TRY(real_folder(run, p->files[i].target, &folder));
        for (int k = 0; k < p->n_folders; k++) known |= strcmp(folder, p->folders[k]) == 0;
        if (known) continue;
        if (p->n_folders == most_folders)
            return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                            "files in more than %d folders cannot be written together", most_folders);
        p->folders[p->n_folders++] = folder;
    }
    qsort(p->folders, (size_t)p->n_folders, sizeof *p->folders, by_text);
    for (int k = 0; k < p->n_folders; k++) {
        ALD_TRY(ald_scratch(run, path_room, 1, 1, &p->lists[k]));
        snprintf(p->lists[k], path_room, "%s%s", p->folders[k], ALD_PENDING_NAME);
    }
    return ALD_OK;
}

/* Waits while another command renames in this folder: that takes moments. */
static ald_status lock_folder(ald_run *run, placing *p, int k)
{
    const struct timespec moment = {.tv_nsec = 10000000};
    for (int i = 0; i < most_waits; i++) {
        p->locks[k] = ald_locked_create(system_of(run), p->lists[k], 0600);
        if (p->locks[k] >= 0) return ALD_OK;
        if (errno != EEXIST) return fail(run, p->lists[k], "cannot be created", errno);
        ALD_TRY(ald_pending_recover(run, p->lists[k]));
        nanosleep(&moment, NULL);
    }
    return fail(run, p->lists[k], "is held by another command", EBUSY);
}

static ald_status make_list(ald_run *run, const placing *p, int k, ald_text *list)
{
    ALD_TRY(ald_list_begin(run, list, p->token));
    if (k > 0) ALD_TRY(ald_list_add(run, list, ALD_LIST_MASTER, p->lists[0]));
    for (int i = 1; k == 0 && i < p->n_folders; i++)
        ALD_TRY(ald_list_add(run, list, ALD_LIST_OTHER, p->lists[i]));
    for (int i = 0; i < p->count; i++) {
        const ald_waiting *file = &p->files[i];
        char *folder;
        ALD_TRY(real_folder(run, file->target, &folder));
        if (strcmp(folder, p->folders[k]) != 0) continue;
        const size_t length = ald_folder_length(file->target);
        ALD_TRY(ald_list_add(run, list, ALD_LIST_FROM, file->temporary + length));
        ALD_TRY(ald_list_add(run, list, ALD_LIST_TO, file->target + length));
    }
    return ald_list_end(run, list);
}

static ald_status write_list(ald_run *run, const placing *p, int k)
{
    ald_text list;
    ALD_TRY(make_list(run, p, k, &list));
    for (size_t done = 0; done < list.length;) {
        const ssize_t written = system_of(run)->write(p->locks[k], list.data + done, list.length - done);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return fail(run, p->lists[k], "cannot be written", errno);
        done += (size_t)written;
    }
    if (system_of(run)->fsync(p->locks[k]) != 0 && errno != EINVAL && errno != ENOTSUP)
        return fail(run, p->lists[k], "cannot be written to the disk", errno);
    return sync_folder(run, p->lists[k], strlen(p->folders[k]));
}

/* The master is the last to be written: with it the files count. */
static ald_status announce(ald_run *run, placing *p)
{
    for (int k = 0; k < p->n_folders; k++) ALD_TRY(lock_folder(run, p, k));
    for (int k = p->n_folders; k-- > 0;) ALD_TRY(write_list(run, p, k));
    return ALD_OK;
}

static ald_status rename_all(ald_run *run, const placing *p)
{
    for (int i = 0; i < p->count; i++)
        if (system_of(run)->rename(p->files[i].temporary, p->files[i].target) != 0)
            return fail(run, p->files[i].target,
                        "cannot be put in its place; the next command in this folder tries again", errno);
    for (int k = 0; k < p->n_folders; k++) ALD_TRY(sync_folder(run, p->folders[k], strlen(p->folders[k])));
    return ALD_OK;
}

/* The master last, see the top of the header. */
static void remove_lists(ald_run *run, const placing *p)
{
    for (int k = p->n_folders; k-- > 0;)
        if (p->locks[k] >= 0) system_of(run)->unlink(p->lists[k]);
}

static ald_status place_together(ald_run *run, placing *p, int *kept)
{
    ALD_TRY(find_folders(run, p));
    ald_status status = announce(run, p);
    const int announced = status >= 0;
    if (announced) status = rename_all(run, p);
    *kept = announced && status < 0;
    if (!*kept) remove_lists(run, p);
    for (int k = 0; k < p->n_folders; k++)
        if (p->locks[k] >= 0) system_of(run)->close(p->locks[k]);
    return status;
}

static ald_status place_one(ald_run *run, const ald_waiting *file)
{
    if (system_of(run)->rename(file->temporary, file->target) != 0)
        return fail(run, file->target, "cannot be put in its place", errno);
    return sync_folder(run, file->target, ald_folder_length(file->target));
}

ald_status ald_pending_place(ald_run *run, const ald_waiting *files, int count, int *kept)
{
    placing p = {.files = files, .count = count};
    struct timespec now;
    *kept = 0;
    if (count == 0) return ALD_OK;
    if (count == 1) return place_one(run, files);
    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(p.token, sizeof p.token, "%ld-%lld-%ld", (long)getpid(), (long long)now.tv_sec, now.tv_nsec);
    for (int k = 0; k < most_folders; k++) p.locks[k] = -1;
    return place_together(run, &p, kept);
}
