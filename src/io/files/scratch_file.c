#include "io/files/scratch_file.h"

#include "io/files/locked.h"
#include "io/files/same_file.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static ald_status fail(ald_run *run, const char *what, int number)
{
    return ald_fail(run->error, ALD_ERROR_IO, "the file that keeps rows between readings %s: %s", what,
                    strerror(number));
}

/* Its name is taken away as soon as it is open; until then it is one that the next command removes. */
ald_status ald_scratch_file_open(ald_run *run, const char *beside, ald_scratch_file *file)
{
    const size_t folder = ald_folder_length(beside);
    char *name;
    file->size = 0;
    file->file = -1;
    ALD_TRY(ald_scratch(run, (int64_t)folder + 64, 1, 1, &name));
    file->file = ald_temporary_open(run->context->system, beside, folder, 0600, name);
    if (file->file < 0) return fail(run, "cannot be created", errno);
    if (run->context->system->unlink(name) == 0) return ALD_OK;
    const int number = errno;
    ald_scratch_file_close(file);
    return fail(run, "cannot be made nameless", number);
}

ald_status ald_scratch_file_add(ald_run *run, ald_scratch_file *file, const void *bytes, int64_t size)
{
    for (int64_t done = 0; done < size;) {
        const ssize_t written =
            run->context->system->write(file->file, (const char *)bytes + done, (size_t)(size - done));
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return fail(run, "cannot be written", errno);
        done += written;
    }
    file->size += size;
    return ALD_OK;
}

ald_status ald_scratch_file_read(ald_run *run, const ald_scratch_file *file, int64_t place, void *bytes,
                                 int64_t size)
{
    for (int64_t done = 0; done < size;) {
        const ssize_t got =
            pread(file->file, (char *)bytes + done, (size_t)(size - done), (off_t)(place + done));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return fail(run, "cannot be read", got < 0 ? errno : EIO);
        done += got;
    }
    return ALD_OK;
}

void ald_scratch_file_close(ald_scratch_file *file)
{
    if (file->file >= 0) close(file->file);
    file->file = -1;
}
