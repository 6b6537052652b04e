/* Loaded before a command (LD_PRELOAD): lets one call fail. FAILING_KIND says of which kind:
 *
 *     files     write, fsync, rename, close or unlink of a file or folder
 *     memory    malloc, calloc or realloc by the program itself, by jansson or by zlib
 *     threads   pthread_create
 *
 * FAILING_CALL is its number, from 1. In the file FAILING_COUNT the number of calls of the kind is left, so
 * that a first run tells how many there are. A call of close does close: that is what the system does when it
 * tells an error. Other libraries are not asked to survive without memory: OpenBLAS ends the process. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* glibc's own, which need not be looked up. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);

enum { most_ranges = 4 };

static int calls, wanted;
static char kind; /* its first letter */
static struct range {
    uintptr_t from, to;
} ranges[most_ranges]; /* whose requests for memory count */
static int n_ranges;

static int note_object(struct dl_phdr_info *object, size_t size, void *unused)
{
    const int is_program = n_ranges == 0; /* it comes first */
    (void)size;
    (void)unused;
    if (!is_program && !strstr(object->dlpi_name, "/libjansson.") && !strstr(object->dlpi_name, "/libz."))
        return 0;
    struct range all = {UINTPTR_MAX, 0};
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        const uintptr_t from = object->dlpi_addr + part->p_vaddr, to = from + part->p_memsz;
        if (part->p_type != PT_LOAD) continue;
        if (from < all.from) all.from = from;
        if (to > all.to) all.to = to;
    }
    if (n_ranges < most_ranges) ranges[n_ranges++] = all;
    return 0;
}

__attribute__((constructor)) static void begin(void)
{
    const char *number = getenv("FAILING_CALL"), *name = getenv("FAILING_KIND");
    dl_iterate_phdr(note_object, NULL);
    wanted = number ? atoi(number) : 0;
    kind = name ? *name : 'f';
}

static int fails(char of_kind, int error)
{
    if (of_kind != kind || __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED) != wanted) return 0;
    errno = error;
    return 1;
}

/* C has no cast from an object's pointer to a function's. */
static void find_next(const char *name, void *function)
{
    void *found = dlsym(RTLD_NEXT, name);
    memcpy(function, &found, sizeof found);
}

/* --- memory --- */

static int lacks_memory(const void *caller)
{
    const uintptr_t at = (uintptr_t)caller;
    int counts = 0;
    if (kind != 'm') return 0;
    for (int i = 0; i < n_ranges; i++) counts |= at >= ranges[i].from && at < ranges[i].to;
    return counts && fails('m', ENOMEM);
}

void *malloc(size_t size)
{
    return lacks_memory(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return lacks_memory(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *block, size_t size)
{
    return size > 0 && lacks_memory(__builtin_return_address(0)) ? NULL : __libc_realloc(block, size);
}

/* --- threads --- */

int pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*work)(void *), void *with)
{
    int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    find_next("pthread_create", &real);
    return fails('t', EAGAIN) ? EAGAIN : real(thread, how, work, with);
}

/* --- files --- */

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

ssize_t write(int file, const void *bytes, size_t size)
{
    ssize_t (*real)(int, const void *, size_t);
    find_next("write", &real);
    return is_file(file) && fails('f', EIO) ? -1 : real(file, bytes, size);
}

int fsync(int file)
{
    int (*real)(int);
    find_next("fsync", &real);
    return is_kept(file) && fails('f', EIO) ? -1 : real(file);
}

int close(int file)
{
    int (*real)(int);
    find_next("close", &real);
    const int failed = is_file(file) && fails('f', EIO), closed = real(file);
    if (!failed) return closed;
    errno = EIO;
    return -1;
}

int rename(const char *from, const char *to)
{
    int (*real)(const char *, const char *);
    find_next("rename", &real);
    return fails('f', EIO) ? -1 : real(from, to);
}

int unlink(const char *path)
{
    int (*real)(const char *);
    find_next("unlink", &real);
    return fails('f', EIO) ? -1 : real(path);
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
