/* The system calls that keep a file. A table, so that a test can let each of them fail. */
#ifndef ALD_FILES_SYSTEM_H
#define ALD_FILES_SYSTEM_H

#include <sys/types.h>

typedef struct ald_system {
    int (*open)(const char *path, int flags, mode_t mode);
    ssize_t (*write)(int file, const void *bytes, size_t size);
    int (*fsync)(int file);
    int (*close)(int file);
    int (*rename)(const char *from, const char *to);
    int (*unlink)(const char *path);
} ald_system;

extern const ald_system ald_real_system;

#endif
