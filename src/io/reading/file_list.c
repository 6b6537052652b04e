#include "io/reading/file_list.h"

#include <glob.h>
#include <string.h>
#include <sys/stat.h>

static ald_status copy_list(ald_run *run, const glob_t *found, ald_file_list *list)
{
    ALD_TRY(ald_scratch(run, list->count, 1, sizeof *list->paths, &list->paths));
    ALD_TRY(ald_scratch(run, list->count, 1, sizeof *list->sizes, &list->sizes));
    for (int64_t i = 0; i < list->count; i++) {
        const char *path = found->gl_pathv[i];
        struct stat about;
        list->paths[i] = ald_arena_text(&run->scratch, path, strlen(path));
        if (!list->paths[i]) return ald_out_of_memory(run, (int64_t)strlen(path), 1, 1);
        list->sizes[i] = stat(path, &about) == 0 ? about.st_size : 0;
    }
    return ALD_OK;
}

static ald_status find(ald_run *run, const char *path, const ald_file_list **list)
{
    ald_file_list *made;
    glob_t found;
    ALD_TRY(ald_scratch(run, 1, 1, sizeof *made, &made));
    const int trouble = glob(path, 0, NULL, &found);
    if (trouble == GLOB_NOSPACE) return ald_out_of_memory(run, (int64_t)strlen(path), 1, 1);
    if (trouble) return ald_fail(run->error, ALD_ERROR_IO, "%s: there is no file of such a name", path);
    made->count = (int64_t)found.gl_pathc;
    const ald_status status = copy_list(run, &found, made);
    globfree(&found);
    *list = made;
    return status;
}

ald_status ald_file_list_find(ald_run *run, const char *path, const ald_file_list **list)
{
    struct stat about;
    *list = NULL;
    if (!strpbrk(path, "*?") || stat(path, &about) == 0) return ALD_OK;
    return find(run, path, list);
}

ald_file_mark ald_file_list_mark(const ald_file_list *list)
{
    ald_file_mark mark = {0};
    for (int64_t i = 0; i < list->count; i++) {
        struct stat about;
        if (stat(list->paths[i], &about) != 0) continue;
        mark.device += (int64_t)about.st_dev;
        mark.inode += (int64_t)(about.st_ino % 1000003) * (i + 1);
        mark.size += about.st_size;
        mark.seconds += about.st_mtim.tv_sec % 1000000007;
        mark.nanoseconds += about.st_mtim.tv_nsec;
    }
    return mark;
}
