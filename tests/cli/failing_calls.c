/* Loaded before a command (LD_PRELOAD): lets one call of write, fsync, rename, close or unlink fail that
 * concerns a file. FAILING_CALL is its number, from 1. In the file FAILING_COUNT the number of calls is left,
 * so that a first run tells how many there are. A call of close does close: that is what the system does when
 * it tells an error. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int calls;

static int is_file(int descriptor)
{
    struct stat about;
    return descriptor > STDERR_FILENO && fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode);
}

/* A folder is synced too. */
static int is_kept(int descriptor)
{
    struct stat about;
    return fstat(descriptor, &about) == 0 && (S_ISREG(about.st_mode) || S_ISDIR(about.st_mode));
}

static int fails(void)
{
    const char *number = getenv("FAILING_CALL");
    if (!number || ++calls != atoi(number)) return 0;
    errno = EIO;
    return 1;
}

/* C has no cast from an object's pointer to a function's. */
static void find_next(const char *name, void *function)
{
    void *found = dlsym(RTLD_NEXT, name);
    memcpy(function, &found, sizeof found);
}

ssize_t write(int file, const void *bytes, size_t size)
{
    ssize_t (*real)(int, const void *, size_t);
    find_next("write", &real);
    return is_file(file) && fails() ? -1 : real(file, bytes, size);
}

int fsync(int file)
{
    int (*real)(int);
    find_next("fsync", &real);
    return is_kept(file) && fails() ? -1 : real(file);
}

int close(int file)
{
    int (*real)(int);
    find_next("close", &real);
    const int failed = is_file(file) && fails(), closed = real(file);
    if (!failed) return closed;
    errno = EIO;
    return -1;
}

int rename(const char *from, const char *to)
{
    int (*real)(const char *, const char *);
    find_next("rename", &real);
    return fails() ? -1 : real(from, to);
}

int unlink(const char *path)
{
    int (*real)(const char *);
    find_next("unlink", &real);
    return fails() ? -1 : real(path);
}

/* The program leaves by _exit, which runs no destructors: the number is told here. */
void _exit(int code)
{
    void (*real)(int);
    find_next("_exit", &real);
    const char *path = getenv("FAILING_COUNT");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (file) {
        fprintf(file, "%d", calls);
        fclose(file);
    }
    real(code);
    for (;;) continue;
}
