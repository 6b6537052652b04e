/* A file in memory with a name in a folder of its own, for readers that want a path: the name is a link to
 * the open file, so that filling it costs no more than a write. */
#ifndef ALD_TESTS_MEMORY_FILE_H
#define ALD_TESTS_MEMORY_FILE_H

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static char memory_folder[64]; /* empty: not made yet */

typedef struct memory_file {
    int descriptor;
    char path[128];
} memory_file;

static inline void memory_folder_remove(void)
{
    DIR *folder = opendir(memory_folder);
    if (!folder) return;
    for (const struct dirent *entry; (entry = readdir(folder));) unlinkat(dirfd(folder), entry->d_name, 0);
    closedir(folder);
    rmdir(memory_folder);
}

static inline const char *memory_folder_make(void)
{
    if (memory_folder[0]) return memory_folder;
    const char *given = getenv("ALD_FUZZ_FOLDER"),
               *usual = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    const char *root = given && strlen(given) < 32 ? given : usual;
    snprintf(memory_folder, sizeof memory_folder, "%s/alidade-fuzz-XXXXXX", root);
    if (!mkdtemp(memory_folder)) abort();
    atexit(memory_folder_remove);
    return memory_folder;
}

/* `name` gives the format by its ending. */
static inline void memory_file_open(memory_file *file, const char *name)
{
    char target[64];
    file->descriptor = (int)syscall(SYS_memfd_create, name, 0);
    if (file->descriptor < 0) abort();
    snprintf(target, sizeof target, "/proc/self/fd/%d", file->descriptor);
    snprintf(file->path, sizeof file->path, "%s/%s", memory_folder_make(), name);
    if (symlink(target, file->path) != 0) abort();
}

static inline void memory_file_fill(const memory_file *file, const uint8_t *bytes, size_t size)
{
    if (ftruncate(file->descriptor, 0) != 0 || pwrite(file->descriptor, bytes, size, 0) != (ssize_t)size)
        abort();
}

#endif
