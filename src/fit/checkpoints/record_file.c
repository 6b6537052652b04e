#include "fit/checkpoints/record_file.h"

#include "base/numbers/hash.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static const char magic[8] = {'A', 'L', 'D', 'C', 'H', 'K', '2', '\n'};

uint64_t ald_record_file_sum(uint64_t sum, const void *bytes, int64_t size)
{
    return ald_hash(sum, bytes, (size_t)size);
}

ald_status ald_record_file_put(ald_run *run, ald_record_file *r, const void *bytes, int64_t size)
{
    r->sum = ald_record_file_sum(r->sum, bytes, size);
    return size > 0 ? ald_output_write(run, r->out, bytes, (size_t)size) : ALD_OK;
}

ald_status ald_record_file_create(ald_run *run, const char *path, uint64_t key, ald_record_file *r)
{
    *r = (ald_record_file){.path = path};
    ALD_TRY(ald_output_open(run, path, 0, &r->out));
    ALD_TRY(ald_record_file_put(run, r, magic, sizeof magic));
    return ald_record_file_put(run, r, &key, sizeof key);
}

ald_status ald_record_file_seal(ald_run *run, ald_record_file *r)
{
    const uint64_t sum = r->sum;
    return ald_record_file_put(run, r, &sum, sizeof sum);
}

ald_status ald_record_file_commit(ald_run *run, ald_record_file *r)
{
    ALD_TRY(ald_record_file_seal(run, r));
    return ald_output_commit(run, r->out);
}

void ald_record_file_abandon(ald_record_file *r)
{
    ald_output_abandon(r->out);
    r->out = NULL;
}

static ald_status fail_damaged(ald_run *run, const ald_record_file *r)
{
    return ald_fail(run->error, ALD_ERROR_FORMAT,
                    "%s is damaged: remove it to start anew, or give another `checkpoint`", r->path);
}

ald_status ald_record_file_take(ald_run *run, ald_record_file *r, void *bytes, int64_t size)
{
    if (size < 0 || size > r->left) return fail_damaged(run, r);
    for (int64_t done = 0; done < size;) {
        size_t got;
        ALD_TRY(ald_input_read(run, r->in, (char *)bytes + done, (size_t)(size - done), &got));
        if (got == 0) return fail_damaged(run, r);
        done += (int64_t)got;
    }
    r->sum = ald_record_file_sum(r->sum, bytes, size);
    r->left -= size;
    return ALD_OK;
}

ald_status ald_record_file_expect(ald_run *run, const ald_record_file *r, int64_t count, size_t size)
{
    return count >= 0 && count <= r->left / (int64_t)size ? ALD_OK : fail_damaged(run, r);
}

static ald_status read_head(ald_run *run, uint64_t key, ald_record_file *r)
{
    char found[sizeof magic];
    uint64_t found_key;
    r->left = ald_input_size(r->in);
    if (r->left < (int64_t)(sizeof magic + 2 * sizeof key)) return fail_damaged(run, r);
    ALD_TRY(ald_record_file_take(run, r, found, sizeof found));
    if (memcmp(found, magic, sizeof magic) != 0)
        return ald_fail(run->error, ALD_ERROR_FORMAT, "%s is no checkpoint: give another `checkpoint`",
                        r->path);
    ALD_TRY(ald_record_file_take(run, r, &found_key, sizeof found_key));
    if (key == 0 || found_key == key) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                    "%s is a checkpoint of other data, options or another version: remove it to start anew, "
                    "or give another `checkpoint`",
                    r->path);
}

ald_status ald_record_file_open(ald_run *run, const char *path, uint64_t key, ald_record_file *r)
{
    *r = (ald_record_file){.path = path};
    if (access(path, F_OK) != 0 && errno == ENOENT) return ALD_OK;
    ALD_TRY(ald_input_open(run, path, &r->in));
    return read_head(run, key, r);
}

ald_status ald_record_file_check(ald_run *run, ald_record_file *r)
{
    const uint64_t sum = r->sum;
    uint64_t found;
    ALD_TRY(ald_record_file_take(run, r, &found, sizeof found));
    return found == sum ? ALD_OK : fail_damaged(run, r);
}

void ald_record_file_close(ald_record_file *r)
{
    ald_input_close(r->in);
    r->in = NULL;
}
