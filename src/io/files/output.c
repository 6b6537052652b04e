/* One output: bytes to a temporary file, to a pipe or device, or to memory; compressed, or with what a
 * terminal would obey shown instead. placing.c puts finished files in their places. */
#include "io/files/output.h"

#include "base/core/text.h"
#include "io/files/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { buffer_size = ALD_BUFFER(1 << 18) };

struct ald_output {
    const ald_system *system;
    const char *path; /* as it was given, for messages */
    char *target;     /* what the temporary file will replace */
    char *temporary;  /* NULL: written directly, or gone already */
    int file;         /* descriptor, -1 when closed */
    int lock;         /* holds the temporary file until it is renamed, -1: nothing */
    int finished;
    int shown; /* a terminal: what it would obey is shown instead */
    size_t used;
    unsigned char *buffer;   /* bytes that wait */
    unsigned char *squeezed; /* gzip: compressed bytes on their way; NULL: plain */
    ald_text *memory;        /* what was written; NULL: there is a file */
    z_stream stream;         /* its memory is the run's scratch, so nothing has to be released */
};

static ald_status fail(ald_run *run, const ald_output *output, const char *what, int number)
{
    return ald_fail(run->error, ALD_ERROR_IO, "%s: %s: %s", output->path, what, strerror(number));
}

/* A new file beside the target. What was there before may have been meant for few eyes: the temporary file
 * starts with its owner's permissions and gets the others with keep_permissions. A new file has from the
 * start what the umask leaves.
 */
static ald_status open_temporary(ald_run *run, ald_output *output, int exists)
{
    const size_t folder = ald_folder_length(output->target);
    char *name;
    ALD_TRY(ald_scratch(run, (int64_t)folder + ALD_TEMPORARY_ROOM, 1, 1, &name));
    output->file =
        ald_temporary_open(run->context->system, output->target, folder, exists ? 0600 : 0666, name);
    if (output->file < 0) return fail(run, output, "cannot create a file in this folder", errno);
    output->temporary = name;
    output->lock = fcntl(output->file, F_DUPFD_CLOEXEC, 0);
    return ALD_OK;
}

/* The permissions of the file that is replaced, for the same people: where its group cannot be kept, nobody's
 * group can read. A file system without permissions may refuse; the file is as good without. */
static void keep_permissions(int file, const struct stat *old)
{
    struct stat made;
    mode_t mode = old->st_mode & 0777;
    if (fstat(file, &made) != 0) return;
    const int moved = made.st_uid != old->st_uid || made.st_gid != old->st_gid;
    if (moved && fchown(file, old->st_uid, old->st_gid) != 0 && made.st_gid != old->st_gid &&
        fchown(file, (uid_t)-1, old->st_gid) != 0)
        mode &= ~(mode_t)0070;
    if (fchmod(file, mode) != 0) errno = 0;
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
        return ald_fail(run->error, ALD_ERROR_IO, "'%s' is not a valid name for an output file",
                        output->path);
    memcpy(target, output->path, length + 1);
    const int number = ald_follow_links(target);
    if (number) return fail(run, output, "cannot be written", number);
    if (exists && access(target, W_OK) != 0) return fail(run, output, "cannot be written", errno);
    output->target = ald_arena_text(&run->scratch, target, strlen(target));
    if (!output->target) return ald_out_of_memory(run, (int64_t)strlen(target), 1, 1);
    ALD_TRY(open_temporary(run, output, exists));
    if (exists) keep_permissions(output->file, &found);
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

static ald_status new_output(ald_run *run, const char *path, ald_output **output)
{
    ALD_TRY(ald_scratch(run, 1, 1, sizeof **output, output));
    **output = (ald_output){.path = path, .system = run->context->system, .file = -1, .lock = -1};
    return ald_scratch(run, buffer_size, 1, 1, &(*output)->buffer);
}

/* Memory first, the file last, so that a failure leaves nothing behind. */
ald_status ald_output_open(ald_run *run, const char *path, int gzip, ald_output **output)
{
    ald_output *made;
    *output = NULL;
    ALD_TRY(new_output(run, run->call.discards ? "/dev/null" : path, &made));
    if (gzip && is_gzip_name(path)) ALD_TRY(start_gzip(run, made));
    if (strcmp(made->path, "-") == 0) {
        made->path = "standard output";
        made->file = STDOUT_FILENO;
    } else {
        ALD_TRY(open_path(run, made));
    }
    made->shown = !made->temporary && isatty(made->file);
    *output = made;
    return ALD_OK;
}

static ald_status write_bytes(ald_run *run, const ald_output *output, const unsigned char *bytes, size_t size)
{
    if (output->memory) return ald_text_add(run, output->memory, (const char *)bytes, size);
    if (ald_write_fully(output->system, output->file, bytes, size) == 0) return ALD_OK;
    return fail(run, output, "cannot be written", errno);
}

/* Compresses at most buffer_size bytes. */
static ald_status write_squeezed(ald_run *run, ald_output *output, unsigned char *bytes, size_t size,
                                 int flush)
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

/* How many bytes here are what a terminal would obey: control characters of ASCII but for tab and line end,
 * and those of UTF-8 from U+0080 to U+009F. 0: none. */
static size_t obeyed_length(const unsigned char *bytes, size_t size)
{
    if (bytes[0] == '\n' || bytes[0] == '\t') return 0;
    if (bytes[0] < 0x20 || bytes[0] == 0x7f) return 1;
    return size > 1 && bytes[0] == 0xc2 && bytes[1] >= 0x80 && bytes[1] < 0xa0 ? 2 : 0;
}

static ald_status write_escaped(ald_run *run, const ald_output *output, unsigned char byte)
{
    char text[8];
    const int length = snprintf(text, sizeof text, "\\x%02x", byte);
    return write_bytes(run, output, (const unsigned char *)text, (size_t)length);
}

/* These are shown as \x1b. A first half of a character at the end waits in the buffer for the other, unless
 * it is the last. */
static ald_status write_shown(ald_run *run, ald_output *output, size_t size, int last)
{
    const unsigned char *bytes = output->buffer;
    const size_t end = size && bytes[size - 1] == 0xc2 && !last ? size - 1 : size;
    size_t from = 0;
    for (size_t i = 0; i < end;) {
        const size_t obeyed = obeyed_length(bytes + i, end - i);
        if (obeyed) ALD_TRY(write_bytes(run, output, bytes + from, i - from));
        for (size_t k = 0; k < obeyed; k++) ALD_TRY(write_escaped(run, output, bytes[i + k]));
        i += obeyed ? obeyed : 1;
        if (obeyed) from = i;
    }
    ALD_TRY(write_bytes(run, output, bytes + from, end - from));
    if (end < size) output->buffer[output->used++] = 0xc2;
    return ALD_OK;
}

static ald_status flush_buffer(ald_run *run, ald_output *output, int last)
{
    const size_t used = output->used;
    output->used = 0;
    if (output->squeezed)
        return write_squeezed(run, output, output->buffer, used, last ? Z_FINISH : Z_NO_FLUSH);
    if (output->shown) return write_shown(run, output, used, last);
    return write_bytes(run, output, output->buffer, used);
}

ald_status ald_output_write(ald_run *run, ald_output *output, const void *bytes, size_t size)
{
    const unsigned char *from = bytes;
    if (!output->squeezed && !output->shown && size >= buffer_size) {
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

ald_status ald_output_memory(ald_run *run, ald_output **output)
{
    ald_output *made;
    *output = NULL;
    ALD_TRY(new_output(run, "an output in memory", &made));
    ALD_TRY(ald_scratch(run, 1, 1, sizeof *made->memory, &made->memory));
    ald_text_init(made->memory, &run->scratch);
    *output = made;
    return ALD_OK;
}

ald_status ald_output_bytes(ald_run *run, ald_output *output, const char **bytes, int64_t *size)
{
    ALD_TRY(flush_buffer(run, output, 1));
    *bytes = output->memory->data;
    *size = (int64_t)output->memory->length;
    return ALD_OK;
}

/* Some file systems report a full disk only when asked to keep the bytes for good, or at the close. */
static ald_status finish(ald_run *run, ald_output *output)
{
    if (output->memory || output->finished) return ALD_OK;
    ALD_TRY(flush_buffer(run, output, 1));
    if (output->temporary && output->system->fsync(output->file) != 0 && errno != EINVAL && errno != ENOTSUP)
        return fail(run, output, "cannot be written to the disk", errno);
    const int file = output->file;
    output->file = -1;
    if (file != STDOUT_FILENO && output->system->close(file) != 0 && errno != EINTR)
        return fail(run, output, "cannot be written", errno);
    output->finished = 1;
    return ALD_OK;
}

ald_status ald_outputs_commit(ald_run *run, ald_output *const *outputs, int count)
{
    ald_waiting *files;
    int waiting = 0;
    ALD_TRY(ald_scratch(run, count, 1, sizeof *files, &files));
    for (int i = 0; i < count; i++) ALD_TRY(finish(run, outputs[i]));
    for (int i = 0; i < count; i++) {
        ald_output *one = outputs[i];
        const ald_waiting file = {.temporary = one->temporary, .target = one->target, .lock = one->lock};
        if (!file.temporary) continue;
        files[waiting++] = file;
        if (!run->call.batch) continue;
        ALD_TRY(ald_file_hold(run, &file));
        one->temporary = NULL;
        one->lock = -1;
    }
    if (run->call.batch) return ALD_OK;
    const ald_status status = ald_files_place(run, files, waiting);
    for (int i = 0; i < count; i++) ald_output_abandon(outputs[i]);
    return status;
}

ald_status ald_output_commit(ald_run *run, ald_output *output)
{
    return ald_outputs_commit(run, &output, 1);
}

void ald_output_abandon(ald_output *output)
{
    if (!output) return;
    if (output->file >= 0 && output->file != STDOUT_FILENO) output->system->close(output->file);
    if (output->temporary) output->system->unlink(output->temporary);
    if (output->lock >= 0) output->system->close(output->lock);
    output->file = output->lock = -1;
    output->temporary = NULL;
}
