#include "core/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { buffer_size = 1 << 18, most_links = 40, most_names = 10000 };

struct ald_output {
    const char *path; /* as it was given, for messages */
    char *target;     /* what the temporary file will replace */
    char *temporary;  /* NULL: written directly, or gone already */
    int file;         /* descriptor, -1 when closed */
    int finished;
    size_t used;
    unsigned char *buffer;   /* bytes that wait */
    unsigned char *squeezed; /* gzip: compressed bytes on their way; NULL: plain */
    z_stream stream;         /* its memory is the run's scratch, so nothing has to be released */
};

static ald_status fail(ald_run *run, const ald_output *output, const char *what, int number)
{
    return ald_fail(run->error, ALD_ERROR_IO, "%s: %s: %s", output->path, what, strerror(number));
}

/* Where the last name of the path begins. */
static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash + 1 - path) : 0;
}

/* Follows the links of the last name, also to where nothing is yet. `path` has room for PATH_MAX bytes. */
static int follow_links(char *path)
{
    for (int i = 0; i < most_links; i++) {
        char link[PATH_MAX];
        const ssize_t length = readlink(path, link, sizeof link);
        if (length < 0) return errno == EINVAL || errno == ENOENT ? 0 : errno;
        const size_t start = length && link[0] == '/' ? 0 : folder_length(path);
        if (start + (size_t)length >= PATH_MAX) return ENAMETOOLONG;
        memcpy(path + start, link, (size_t)length);
        path[start + (size_t)length] = '\0';
    }
    return ELOOP;
}

/* Whether the last names are the same, in folders that are. */
static int same_name_and_folder(char *a, char *b)
{
    const size_t in_a = folder_length(a), in_b = folder_length(b);
    struct stat folder_a, folder_b;
    if (strcmp(a + in_a, b + in_b) != 0) return 0;
    a[in_a] = b[in_b] = '\0';
    return stat(in_a ? a : ".", &folder_a) == 0 && stat(in_b ? b : ".", &folder_b) == 0 &&
           folder_a.st_dev == folder_b.st_dev && folder_a.st_ino == folder_b.st_ino;
}

int ald_output_same_place(const char *a, const char *b)
{
    char path_a[PATH_MAX], path_b[PATH_MAX];
    if (strcmp(a, b) == 0) return 1;
    if (strcmp(a, "-") == 0 || strcmp(b, "-") == 0 || strlen(a) >= PATH_MAX || strlen(b) >= PATH_MAX) return 0;
    memcpy(path_a, a, strlen(a) + 1);
    memcpy(path_b, b, strlen(b) + 1);
    return follow_links(path_a) == 0 && follow_links(path_b) == 0 && same_name_and_folder(path_a, path_b);
}

/* A new file beside the target. Made by open and not by mkstemp because the permissions shall be what the umask leaves.
 */
static ald_status open_temporary(ald_run *run, ald_output *output)
{
    const size_t folder = folder_length(output->target), size = folder + 64;
    char *name;
    ALD_TRY(ald_scratch(run, (int64_t)size, 1, 1, &name));
    memcpy(name, output->target, folder);
    for (int i = 0; i < most_names; i++) {
        snprintf(name + folder, size - folder, ".alidade-%ld-%d.tmp", (long)getpid(), i);
        output->file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (output->file >= 0) {
            output->temporary = name;
            return ALD_OK;
        }
        if (errno != EEXIST) break;
    }
    return fail(run, output, "cannot create a file in this folder", errno);
}

static ald_status open_direct(ald_run *run, ald_output *output, const struct stat *found)
{
    if (S_ISDIR(found->st_mode)) return fail(run, output, "cannot be written", EISDIR);
    output->file = open(output->path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    return output->file >= 0 ? ALD_OK : fail(run, output, "cannot be opened for writing", errno);
}

static ald_status open_path(ald_run *run, ald_output *output)
{
    struct stat found;
    const int exists = stat(output->path, &found) == 0;
    if (exists && !S_ISREG(found.st_mode)) return open_direct(run, output, &found);
    char target[PATH_MAX];
    const size_t length = strlen(output->path);
    if (length >= sizeof target) return fail(run, output, "cannot be written", ENAMETOOLONG);
    if (length == 0 || output->path[length - 1] == '/')
        return ald_fail(run->error, ALD_ERROR_IO, "'%s' is not the name of a file to write", output->path);
    memcpy(target, output->path, length + 1);
    const int number = follow_links(target);
    if (number) return fail(run, output, "cannot be written", number);
    if (exists && access(target, W_OK) != 0) return fail(run, output, "cannot be written", errno);
    output->target = ald_arena_text(&run->scratch, target, strlen(target));
    if (!output->target) return ald_out_of_memory(run, (int64_t)strlen(target), 1, 1);
    ALD_TRY(open_temporary(run, output));
    /* A file system without permissions may refuse; the file is as good without. */
    if (exists && fchmod(output->file, found.st_mode & 0777) != 0) errno = 0;
    return ALD_OK;
}

static void *squeeze_alloc(void *arena, unsigned count, unsigned size)
{
    return ald_arena_get(arena, count, size, 1);
}

static void squeeze_free(void *arena, void *block)
{
    ald_arena_drop(arena, block);
}

static int is_gzip_name(const char *path)
{
    const size_t length = strlen(path);
    return length > 3 && strcmp(path + length - 3, ".gz") == 0;
}

static ald_status start_gzip(ald_run *run, ald_output *output)
{
    enum { gzip_window = 15 + 16, memory_level = 8 };
    ALD_TRY(ald_scratch(run, buffer_size, 1, 1, &output->squeezed));
    output->stream.zalloc = squeeze_alloc;
    output->stream.zfree = squeeze_free;
    output->stream.opaque = &run->scratch;
    if (deflateInit2(&output->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip_window, memory_level,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        return ald_out_of_memory(run, buffer_size, 1, 1);
    return ALD_OK;
}

/* Memory first, the file last, so that a failure leaves nothing behind. */
ald_status ald_output_open(ald_run *run, const char *path, int gzip, ald_output **output)
{
    *output = NULL;
    ald_output *made;
    ALD_TRY(ald_scratch(run, 1, 1, sizeof *made, &made));
    memset(made, 0, sizeof *made);
    made->path = path;
    made->file = -1;
    ALD_TRY(ald_scratch(run, buffer_size, 1, 1, &made->buffer));
    if (gzip && is_gzip_name(path)) ALD_TRY(start_gzip(run, made));
    if (strcmp(path, "-") == 0) {
        made->path = "standard output";
        made->file = STDOUT_FILENO;
    } else {
        ALD_TRY(open_path(run, made));
    }
    *output = made;
    return ALD_OK;
}

static ald_status write_bytes(ald_run *run, const ald_output *output, const unsigned char *bytes, size_t size)
{
    while (size) {
        const ssize_t written = write(output->file, bytes, size);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return fail(run, output, "cannot be written", errno);
        bytes += written;
        size -= (size_t)written;
    }
    return ALD_OK;
}

/* Compresses at most buffer_size bytes. */
static ald_status write_squeezed(ald_run *run, ald_output *output, unsigned char *bytes, size_t size, int flush)
{
    z_stream *stream = &output->stream;
    stream->next_in = bytes;
    stream->avail_in = (uInt)size;
    do {
        stream->next_out = output->squeezed;
        stream->avail_out = buffer_size;
        if (deflate(stream, flush) == Z_STREAM_ERROR)
            return ald_fail(run->error, ALD_ERROR_IO, "%s: cannot be compressed", output->path);
        ALD_TRY(write_bytes(run, output, output->squeezed, buffer_size - stream->avail_out));
    } while (stream->avail_out == 0);
    return ALD_OK;
}

static ald_status flush_buffer(ald_run *run, ald_output *output, int last)
{
    const size_t used = output->used;
    output->used = 0;
    if (output->squeezed) return write_squeezed(run, output, output->buffer, used, last ? Z_FINISH : Z_NO_FLUSH);
    return write_bytes(run, output, output->buffer, used);
}

ald_status ald_output_write(ald_run *run, ald_output *output, const void *bytes, size_t size)
{
    const unsigned char *from = bytes;
    if (!output->squeezed && size >= buffer_size) {
        ALD_TRY(flush_buffer(run, output, 0));
        return write_bytes(run, output, from, size);
    }
    while (size) {
        if (output->used == buffer_size) ALD_TRY(flush_buffer(run, output, 0));
        const size_t room = buffer_size - output->used, part = size < room ? size : room;
        memcpy(output->buffer + output->used, from, part);
        output->used += part;
        from += part;
        size -= part;
    }
    return ALD_OK;
}

/* Some file systems report a full disk only when asked to keep the bytes for good, or at the close. */
ald_status ald_output_finish(ald_run *run, ald_output *output)
{
    if (output->finished) return ALD_OK;
    ALD_TRY(flush_buffer(run, output, 1));
    if (output->temporary && fsync(output->file) != 0 && errno != EINVAL && errno != ENOTSUP)
        return fail(run, output, "cannot be written to the disk", errno);
    const int file = output->file;
    output->file = -1;
    if (file != STDOUT_FILENO && close(file) != 0 && errno != EINTR)
        return fail(run, output, "cannot be written", errno);
    output->finished = 1;
    return ALD_OK;
}

ald_status ald_output_commit(ald_run *run, ald_output *output)
{
    ALD_TRY(ald_output_finish(run, output));
    if (!output->temporary) return ALD_OK;
    if (rename(output->temporary, output->target) != 0) return fail(run, output, "cannot be put in its place", errno);
    output->temporary = NULL;
    return ALD_OK;
}

void ald_output_abandon(ald_output *output)
{
    if (!output) return;
    if (output->file >= 0 && output->file != STDOUT_FILENO) close(output->file);
    output->file = -1;
    if (output->temporary) unlink(output->temporary);
    output->temporary = NULL;
}
