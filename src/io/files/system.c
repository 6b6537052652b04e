#include "io/files/system.h"

#include <fcntl.h>
#include <stdio.h>
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
};
