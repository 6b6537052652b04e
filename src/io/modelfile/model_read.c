#include "io/files/pending.h"
#include "io/modelfile/modelfile.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static ald_status fail_io(ald_run *run, const char *path, const char *what, int reason)
{
    return ald_fail(run->error, ALD_ERROR_IO, "cannot %s the model file '%s': %s", what, path,
                    strerror(reason));
}

/* One byte more than the file has, so that its end is seen without growing. */
static int64_t first_guess(FILE *file)
{
    struct stat about;
    const int known =
        fstat(fileno(file), &about) == 0 && S_ISREG(about.st_mode) && about.st_size < INT64_MAX / 4;
    return known ? (int64_t)about.st_size + 1 : 1 << 16;
}

static ald_status read_bytes(ald_run *run, const char *path, FILE *file, unsigned char **bytes, size_t *size)
{
    int64_t room = first_guess(file);
    ALD_TRY(ald_scratch(run, room, 1, 1, bytes));
    *size = 0;
    for (;;) {
        errno = 0;
        *size += fread(*bytes + *size, 1, (size_t)room - *size, file);
        if (ferror(file)) return fail_io(run, path, "read", errno ? errno : EIO);
        if (*size < (size_t)room) return ALD_OK;
        unsigned char *grown = ald_arena_resize(&run->scratch, *bytes, 2 * room, 1, 1);
        if (!grown) return ald_out_of_memory(run, 2 * room, 1, 1);
        *bytes = grown;
        room *= 2;
    }
}

static ald_status read_file(ald_run *run, const char *path, unsigned char **bytes, size_t *size)
{
    if (strcmp(path, "-") == 0) return read_bytes(run, "standard input", stdin, bytes, size);
    ALD_TRY(ald_pending_recover(run, path));
    FILE *file = fopen(path, "rb");
    if (!file) return fail_io(run, path, "open", errno);
    const ald_status status = read_bytes(run, path, file, bytes, size);
    fclose(file);
    return status;
}

ald_status ald_modelfile_read(ald_run *run, const char *path, ald_model *model)
{
    unsigned char *bytes;
    size_t size;
    ALD_TRY(read_file(run, path, &bytes, &size));
    const ald_status status = ald_modelfile_parse(run, bytes, size, model);
    ald_arena_drop(&run->scratch, bytes);
    if (status >= 0) return status;
    char reason[ALD_MESSAGE_SIZE];
    memcpy(reason, run->error->message, sizeof reason);
    return ald_fail(run->error, status, "%s: %s", strcmp(path, "-") == 0 ? "standard input" : path, reason);
}
