/* Bytes and lines of a file, of standard input or of memory, decompressed where they are gzip. */
#include "io/reading/input.h"

#include "base/core/text.h"
#include "base/settings/limits.h"
#include "io/reading/unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    line_buffer = ALD_BUFFER(1 << 18),
    largest_read = 1 << 28,
    progress_step = 4 << 20,
};

struct ald_input {
    int descriptor; /* of the file; -1: from memory, or closed */
    ald_unpacker unpacker;
    const unsigned char *memory;
    size_t memory_size, memory_at;
    const char *stage; /* what the progress report says */
    int64_t size;      /* of the file on disk, 0 if unknown */
    int64_t bytes, reported;
    int ranged;         /* only a part of the file is read: */
    int64_t begin, end; /* its bytes */
    /* lines */
    char *buffer; /* capacity + 1 bytes */
    size_t capacity, start, filled;
    int64_t line, longest;
    int ended;
};

static ald_status new_input(ald_run *run, ald_input **input)
{
    ALD_TRY(ald_scratch_clear(run, 1, 1, sizeof **input, input));
    (*input)->stage = "reading";
    (*input)->descriptor = -1;
    return ALD_OK;
}

static ald_status open_descriptor(ald_run *run, const char *path, int *file)
{
    *file = strcmp(path, "-") == 0 ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                                   : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    return *file >= 0 ? ALD_OK : ald_fail(run->error, ALD_ERROR_IO, "cannot be opened: %s", strerror(errno));
}

/* The descriptor stays the caller's on failure. */
static ald_status attach(ald_run *run, ald_input *input, int file)
{
    struct stat about;
    if (fstat(file, &about) != 0)
        return ald_fail(run->error, ALD_ERROR_IO, "cannot be opened: %s", strerror(errno));
    if (S_ISDIR(about.st_mode))
        return ald_fail(run->error, ALD_ERROR_IO, "is a folder, not a file with data");
    if (S_ISREG(about.st_mode)) input->size = about.st_size;
    ALD_TRY(ald_unpack_begin(run, file, &input->unpacker));
    input->descriptor = file;
    return ALD_OK;
}

ald_status ald_input_check_again(ald_run *run, const char *path)
{
    struct stat about;
    if (stat(path, &about) != 0 || S_ISREG(about.st_mode) || S_ISDIR(about.st_mode)) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                    "%s is a pipe or a device, which cannot be read twice, as reading in blocks requires: "
                    "save it as a file first, or load it as a whole",
                    path);
}

ald_status ald_input_open(ald_run *run, const char *path, ald_input **input)
{
    *input = NULL;
    ald_input *made;
    ald_text stage;
    int file;
    ALD_TRY(new_input(run, &made));
    ald_text_init(&stage, &run->scratch);
    ALD_TRY(ald_text_print(run, &stage, "reading %s", strcmp(path, "-") == 0 ? "standard input" : path));
    made->stage = stage.data;
    ALD_TRY(open_descriptor(run, path, &file));
    const ald_status status = attach(run, made, file);
    if (status < 0) {
        close(file);
        return status;
    }
    *input = made;
    return ALD_OK;
}

ald_status ald_input_memory(ald_run *run, const void *bytes, size_t size, ald_input **input)
{
    *input = NULL;
    ald_input *made;
    ALD_TRY(new_input(run, &made));
    made->memory = bytes;
    made->memory_size = size;
    *input = made;
    return ALD_OK;
}

void ald_input_close(ald_input *input)
{
    if (!input || input->descriptor < 0) return;
    ald_unpack_end(&input->unpacker);
    close(input->descriptor);
    input->descriptor = -1;
}

int64_t ald_input_size(const ald_input *input)
{
    return input->size;
}

ald_file_mark ald_input_mark(const ald_input *input)
{
    struct stat about;
    if (input->descriptor < 0 || fstat(input->descriptor, &about) != 0) return (ald_file_mark){0};
    return (ald_file_mark){
        .device = (int64_t)about.st_dev,
        .inode = (int64_t)about.st_ino,
        .size = about.st_size,
        .seconds = about.st_mtim.tv_sec,
        .nanoseconds = about.st_mtim.tv_nsec,
    };
}

int ald_file_mark_equal(const ald_file_mark *a, const ald_file_mark *b)
{
    return a->device == b->device && a->inode == b->inode && a->size == b->size && a->seconds == b->seconds &&
           a->nanoseconds == b->nanoseconds;
}

static ald_status read_file(ald_run *run, ald_input *input, void *bytes, size_t size, size_t *got)
{
    const int64_t left = input->ranged ? input->end - input->bytes : largest_read;
    const size_t most = left < largest_read ? (size_t)left : largest_read;
    return ald_unpack_read(run, &input->unpacker, bytes, size < most ? size : most, got);
}

static void read_memory(ald_input *input, void *bytes, size_t size, size_t *got)
{
    const size_t left = input->memory_size - input->memory_at;
    *got = size < left ? size : left;
    if (*got) memcpy(bytes, input->memory + input->memory_at, *got);
    input->memory_at += *got;
}

/* Compressed bytes behind the reader, as a part of all. */
static double part_done(const ald_input *input)
{
    if (input->descriptor < 0)
        return (double)input->memory_at / (double)(input->memory_size ? input->memory_size : 1);
    if (input->end > input->begin)
        return (double)(input->bytes - input->begin) / (double)(input->end - input->begin);
    const double done =
        input->size > 0 ? (double)ald_unpack_place(&input->unpacker) / (double)input->size : -1.0;
    return done > 1.0 ? 1.0 : done;
}

ald_status ald_input_read(ald_run *run, ald_input *input, void *bytes, size_t size, size_t *got)
{
    *got = 0;
    if (size == 0) return ALD_OK;
    if (input->descriptor >= 0)
        ALD_TRY(read_file(run, input, bytes, size, got));
    else
        read_memory(input, bytes, size, got);
    input->bytes += (int64_t)*got;
    if (input->bytes - input->reported < progress_step) return ALD_OK;
    input->reported = input->bytes;
    return ald_progress(run, input->stage, part_done(input));
}

ald_status ald_input_range(ald_run *run, ald_input *input, int64_t begin, int64_t end)
{
    if (input->descriptor < 0 || input->unpacker.packed)
        return ald_fail(
            run->error, ALD_ERROR_UNSUPPORTED,
            "is compressed, so that no part of it can be read by itself: unpack it, or split it into "
            "several files and give them by a pattern (part-*.csv.gz)");
    if (!ald_unpack_seek(&input->unpacker, begin))
        return ald_fail(run->error, ALD_ERROR_IO, "cannot be read from byte %lld on", (long long)begin);
    input->bytes = input->reported = input->begin = begin;
    input->end = end > begin ? end : begin;
    input->ranged = 1;
    return ALD_OK;
}

/* Bytes of a packed file are counted as they are unpacked, so those passed over are unpacked too. */
static int skip_packed(ald_run *run, ald_input *input, int64_t bytes)
{
    char passed[1 << 14];
    size_t got = 1;
    for (; bytes > 0 && got > 0; bytes -= (int64_t)got) {
        const size_t part = bytes < (int64_t)sizeof passed ? (size_t)bytes : sizeof passed;
        if (ald_unpack_read(run, &input->unpacker, passed, part, &got) < 0) return 0;
    }
    return 1;
}

ald_status ald_input_skip(ald_run *run, ald_input *input, int64_t bytes)
{
    if (bytes == 0) return ALD_OK;
    const int good = input->descriptor >= 0 && bytes > 0 &&
                     (input->unpacker.packed ? skip_packed(run, input, bytes)
                                             : ald_unpack_seek(&input->unpacker, input->bytes + bytes));
    if (!good) return ald_fail(run->error, ALD_ERROR_IO, "cannot be read from where an earlier run stopped");
    input->bytes += bytes;
    input->reported = input->bytes;
    return ALD_OK;
}

int ald_input_has_places(const ald_input *input)
{
    return input->descriptor >= 0 && input->size > 0 && !input->unpacker.packed;
}

ald_status ald_input_read_at(ald_run *run, const ald_input *input, int64_t place, void *bytes, size_t size,
                             size_t *got)
{
    for (*got = 0; *got < size;) {
        const size_t left = size - *got, part = left < largest_read ? left : largest_read;
        const ssize_t count =
            pread(input->descriptor, (char *)bytes + *got, part, (off_t)(place + (int64_t)*got));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return ald_fail(run->error, ALD_ERROR_IO, "cannot be read: %s", strerror(errno));
        if (count == 0) break;
        *got += (size_t)count;
    }
    const double done = (double)(place + (int64_t)*got) / (double)input->size;
    return ald_progress(run, input->stage, done > 1.0 ? 1.0 : done);
}

int64_t ald_input_place(const ald_input *input)
{
    return input->bytes;
}

/* Makes room behind the bytes that are left and reads there. */
static ald_status refill(ald_run *run, ald_input *input)
{
    const size_t left = input->filled - input->start;
    if (left) memmove(input->buffer, input->buffer + input->start, left);
    input->start = 0;
    input->filled = left;
    if (left == input->capacity) {
        ALD_TRY(ald_check_line(run, input->longest, left, input->line + 1));
        const size_t capacity = input->capacity ? input->capacity * 2 : line_buffer;
        ALD_TRY(ald_resize(run, &run->scratch, &input->buffer, (int64_t)capacity + 1, 1, 1));
        input->capacity = capacity;
    }
    size_t got;
    ALD_TRY(ald_input_read(run, input, input->buffer + left, input->capacity - left, &got));
    input->filled += got;
    input->ended = got == 0;
    return ALD_OK;
}

/* Where the line that begins at `start` ends in the buffer, reading on as far as needed; at the end of the
 * input it ends there. */
static ald_status find_end(ald_run *run, ald_input *input, size_t *end)
{
    size_t searched = 0;
    for (;;) {
        const size_t from = input->start + searched;
        const char *found =
            from < input->filled ? memchr(input->buffer + from, '\n', input->filled - from) : NULL;
        if (found || input->ended) {
            *end = found ? (size_t)(found - input->buffer) : input->filled;
            return ALD_OK;
        }
        searched = input->filled - input->start;
        ALD_TRY(refill(run, input));
    }
}

ald_status ald_input_line(ald_run *run, ald_input *input, char **line, size_t *length)
{
    *line = NULL;
    *length = 0;
    size_t end;
    ALD_TRY(find_end(run, input, &end));
    if (input->start == input->filled) return ALD_OK;
    input->line++;
    if (input->line == 1 && end - input->start >= 3 &&
        memcmp(input->buffer + input->start, "\xef\xbb\xbf", 3) == 0)
        input->start += 3;
    char *text = input->buffer + input->start;
    size_t size = end - input->start;
    input->start = end < input->filled ? end + 1 : end;
    if (memchr(text, '\0', size))
        return ald_fail_at(run->error, ALD_ERROR_FORMAT, input->line, 0,
                           "a zero byte: this is not a text file in UTF-8 or ASCII");
    if (size && text[size - 1] == '\r') size--;
    text[size] = '\0';
    *line = text;
    *length = size;
    return ALD_OK;
}

void ald_input_set_longest(ald_input *input, int64_t longest)
{
    input->longest = longest;
}

ald_status ald_check_line(ald_run *run, int64_t longest, size_t size, int64_t line)
{
    const int64_t most = longest > 0 ? longest : ALD_LONGEST_LINE;
    if (size <= (size_t)most) return ALD_OK;
    return ald_fail_at(run->error, ALD_ERROR_FORMAT, line, 0,
                       "the line, or a quoted cell in it, has more than %lld bytes: is it a table of text? "
                       "`max_line` takes longer ones",
                       (long long)most);
}

int64_t ald_input_line_number(const ald_input *input)
{
    return input->line;
}

/* Several files that are read as one: those that a pattern such as part-*.csv stands for, in the order of
 * their names. */

static ald_status copy_list(ald_run *run, const glob_t *found, ald_file_list *list)
{
    ALD_TRY(ald_scratch(run, list->count, 1, sizeof *list->paths, &list->paths));
    ALD_TRY(ald_scratch(run, list->count, 1, sizeof *list->sizes, &list->sizes));
    for (int64_t i = 0; i < list->count; i++) {
        const char *path = found->gl_pathv[i];
        struct stat about;
        ALD_TRY(ald_keep_text(run, &run->scratch, path, strlen(path), &list->paths[i]));
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
