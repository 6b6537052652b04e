/* Files of records: written to a temporary file and renamed, or appended; every length is checked when
 * read. */
#include "fit/checkpoints/record_file.h"

#include "io/files/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The kind of the first record tells the format; those before it began with the same letters. */
static const char first_kind[] = "ALDCHK5", letters[] = "ALDCHK";

static ald_status fail_system(ald_run *run, const ald_record_file *f, const char *what)
{
    return ald_fail(run->error, ALD_ERROR_IO, "%s: the checkpoint cannot be %s: %s", f->path, what,
                    strerror(errno));
}

ald_status ald_record_file_damaged(ald_run *run, const ald_record_file *f)
{
    return ald_fail(run->error, ALD_ERROR_FORMAT,
                    "%s is damaged: remove it to start over, or use another `checkpoint`", f->path);
}

/* Whoever may write in the folder can put a link there, and what it points at would be shortened, or a pipe,
 * which nobody fills: neither is opened. */
static ald_status open_own(ald_run *run, ald_record_file *f, int flags, struct stat *info)
{
    f->file = open(f->path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    const int other = f->file < 0 ? errno == ELOOP || errno == ENXIO : 0;
    if (f->file < 0 && !other) return errno == ENOENT ? ALD_OK : fail_system(run, f, "opened");
    if (!other && fstat(f->file, info) != 0) return fail_system(run, f, "opened");
    if (!other && S_ISREG(info->st_mode)) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                    "%s is a link, a pipe, a folder or a device, and a checkpoint is a file: use another "
                    "`checkpoint`",
                    f->path);
}

static void begin(ald_run *run, const char *path, ald_record_file *f)
{
    *f = (ald_record_file){.path = path, .file = -1};
    ald_run_fork(run, &f->alone);
    f->alone.call.discards = 0;
    f->alone.call.batch = NULL;
}

ald_status ald_record_file_end(ald_run *run, ald_record_file *f, ald_status status)
{
    const ald_system *system = run->context->system;
    const int writes = f->file >= 0 && f->size < 0;
    if (!f->path) return status;
    if (status >= 0 && f->out) status = ald_output_commit(&f->alone, f->out);
    ald_output_abandon(f->out);
    if (status >= 0 && writes && system->fsync(f->file) != 0) status = fail_system(run, f, "written");
    if (f->file >= 0) close(f->file);
    f->out = NULL;
    f->path = NULL;
    f->file = -1;
    return ald_run_join(run, &f->alone, status);
}

/* --- writing --- */

static ald_status put_bytes(ald_run *run, ald_record_file *f, const void *bytes, int64_t size)
{
    if (f->out) return ald_output_write(&f->alone, f->out, bytes, (size_t)size);
    for (int64_t done = 0; done < size;) {
        const ssize_t wrote =
            run->context->system->write(f->file, (const char *)bytes + done, (size_t)(size - done));
        if (wrote < 0 && errno != EINTR) return fail_system(run, f, "written");
        if (wrote > 0) done += wrote;
    }
    f->place += size;
    return ALD_OK;
}

ald_status ald_record_file_put(ald_run *run, ald_record_file *f, const char *kind, const void *bytes,
                               int64_t size)
{
    unsigned char head[ALD_RECORD_HEAD];
    ald_record_head(kind, size, head);
    const uint64_t hash = ald_record_hash(head, bytes, size);
    ALD_TRY(put_bytes(run, f, head, sizeof head));
    if (size > 0) ALD_TRY(put_bytes(run, f, bytes, size));
    return put_bytes(run, f, &hash, sizeof hash);
}

ald_status ald_record_file_put_sealed(ald_run *run, ald_record_file *f, const ald_record *record)
{
    return put_bytes(run, f, record->bytes, record->size);
}

ald_status ald_record_file_create(ald_run *run, const char *path, uint64_t key, ald_record_file *f)
{
    begin(run, path, f);
    ALD_TRY(ald_output_open(&f->alone, path, 0, &f->out));
    return ald_record_file_put(run, f, first_kind, &key, sizeof key);
}

ald_status ald_record_file_extend(ald_run *run, const char *path, uint64_t key, int64_t kept,
                                  ald_record_file *f)
{
    struct stat info;
    if (kept == 0) { /* the first record is there whole or not at all */
        const ald_status status = ald_record_file_create(run, path, key, f);
        ALD_TRY(ald_record_file_end(run, f, status));
        kept = ALD_RECORD_EXTRA + (int64_t)sizeof key;
    }
    begin(run, path, f);
    f->size = -1;
    f->place = kept;
    ALD_TRY(open_own(run, f, O_WRONLY | O_APPEND, &info));
    return f->file < 0 || ftruncate(f->file, (off_t)kept) != 0 ? fail_system(run, f, "written") : ALD_OK;
}

/* --- reading --- */

static ald_status read_bytes(ald_run *run, ald_record_file *f, void *bytes, int64_t size)
{
    if (size > f->size - f->place) return ald_record_file_damaged(run, f);
    for (int64_t done = 0; done < size;) {
        const ssize_t got = read(f->file, (char *)bytes + done, (size_t)(size - done));
        if (got < 0 && errno != EINTR) return fail_system(run, f, "read");
        if (got == 0) return ald_record_file_damaged(run, f);
        if (got > 0) done += got;
    }
    f->place += size;
    return ALD_OK;
}

/* The head of the next record; its length is one that the file can hold. */
static ald_status read_head(ald_run *run, ald_record_file *f, const char *kind, unsigned char *head,
                            int64_t *length)
{
    ALD_TRY(read_bytes(run, f, head, ALD_RECORD_HEAD));
    *length = ald_record_length(kind, head);
    if (*length >= 0 && *length <= f->size - f->place - (ALD_RECORD_EXTRA - ALD_RECORD_HEAD)) return ALD_OK;
    return ald_record_file_damaged(run, f);
}

ald_status ald_record_file_take(ald_run *run, ald_record_file *f, const char *kind, void *bytes, int64_t size)
{
    unsigned char head[ALD_RECORD_HEAD];
    uint64_t hash;
    int64_t length;
    ALD_TRY(read_head(run, f, kind, head, &length));
    if (length != size) return ald_record_file_damaged(run, f);
    if (size > 0) ALD_TRY(read_bytes(run, f, bytes, size));
    ALD_TRY(read_bytes(run, f, &hash, sizeof hash));
    return hash == ald_record_hash(head, bytes, size) ? ALD_OK : ald_record_file_damaged(run, f);
}

ald_status ald_record_file_next(ald_run *run, ald_record_file *f, ald_record *record)
{
    unsigned char head[ALD_RECORD_HEAD];
    int64_t length;
    ALD_TRY(read_head(run, f, record->kind, head, &length));
    record->size = length + ALD_RECORD_EXTRA;
    ALD_TRY(ald_get(run, record->arena, record->size, 1, 1, &record->bytes));
    memcpy(record->bytes, head, sizeof head);
    ALD_TRY(read_bytes(run, f, record->bytes + ALD_RECORD_HEAD, record->size - ALD_RECORD_HEAD));
    const ald_status status = ald_record_next(run, record);
    return status == ALD_ERROR_FORMAT ? ald_record_file_damaged(run, f) : status;
}

int ald_record_file_is_torn(const ald_record_file *f)
{
    int64_t length;
    return f->size - f->place < ALD_RECORD_EXTRA ||
           pread(f->file, &length, sizeof length, (off_t)f->place) != sizeof length ||
           length > f->size - f->place - ALD_RECORD_EXTRA;
}

static ald_status read_first(ald_run *run, uint64_t key, ald_record_file *f)
{
    char begun[ALD_RECORD_HEAD] = {0};
    uint64_t found;
    const int any = pread(f->file, begun, sizeof begun, 0) > 0;
    const int is_record = any && memcmp(begun + 8, letters, 6) == 0;
    const int other = any && (is_record ? begun[14] != first_kind[6] : memcmp(begun, letters, 6) == 0);
    if (!is_record && !other)
        return ald_fail(run->error, ALD_ERROR_FORMAT, "%s is not a checkpoint: use another `checkpoint`",
                        f->path);
    if (!other) ALD_TRY(ald_record_file_take(run, f, first_kind, &found, sizeof found));
    if (!other && (key == 0 || found == key)) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                    "%s is a checkpoint of other data, options or another version: remove it to start over, "
                    "or use another `checkpoint`",
                    f->path);
}

ald_status ald_record_file_open(ald_run *run, const char *path, uint64_t key, ald_record_file *f)
{
    struct stat info;
    begin(run, path, f);
    ALD_TRY(open_own(run, f, O_RDONLY, &info));
    if (f->file < 0) return ALD_OK;
    f->size = (int64_t)info.st_size;
    return read_first(run, key, f);
}
