#include "io/files/same_file.h"

#include <alidade/dataset.h>
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
