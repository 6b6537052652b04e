/* zlib's own functions for files leave out what stands behind a gzip stream and is none; here it is found. */
#include "io/reading/unpack.h"

#include "base/settings/limits.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { file_buffer = ALD_BUFFER(1 << 17), first_byte = 31, second_byte = 139, gzip_window = 15 + 16 };

void ald_unpack_end(ald_unpacker *unpacker)
{
    if (unpacker->packed) inflateEnd(&unpacker->stream);
    unpacker->packed = 0;
}

/* Up to `size` bytes of the file as they are; a signal ends it as an error does. */
static int fill(ald_unpacker *u, unsigned char *bytes, size_t size, size_t *got)
{
    ssize_t count = 0;
    for (*got = 0; *got < size; *got += (size_t)count) {
        count = read(u->file, bytes + *got, size - *got);
        if (count <= 0) break;
        u->place += count;
    }
    u->ended |= count == 0;
    return count >= 0;
}

static int refill(ald_unpacker *u)
{
    size_t got;
    const int good = fill(u, u->bytes, file_buffer, &got);
    u->stream.next_in = u->bytes;
    u->stream.avail_in = (uInt)got;
    return good;
}

static ald_status unreadable(ald_run *run)
{
    return ald_fail(run->error, ALD_ERROR_IO, "cannot be read: %s", strerror(errno));
}

ald_status ald_unpack_begin(ald_run *run, int file, ald_unpacker *u)
{
    *u = (ald_unpacker){.file = file, .between = 1};
    ALD_TRY(ald_scratch(run, file_buffer, 1, 1, &u->bytes));
    if (!refill(u)) return unreadable(run);
    const int packed = u->stream.avail_in > 1 && u->bytes[0] == first_byte && u->bytes[1] == second_byte;
    if (packed && inflateInit2(&u->stream, gzip_window) != Z_OK) return ald_out_of_memory(run, 1, 1, 1);
    u->packed = packed;
    return ALD_OK;
}

static ald_status read_plain(ald_run *run, ald_unpacker *u, unsigned char *bytes, size_t size, size_t *got)
{
    const size_t kept = u->stream.avail_in < size ? u->stream.avail_in : size;
    if (kept) memcpy(bytes, u->stream.next_in, kept);
    u->stream.next_in += kept;
    u->stream.avail_in -= (uInt)kept;
    size_t more = 0;
    if (kept < size && !u->ended && !fill(u, bytes + kept, size - kept, &more)) return unreadable(run);
    *got = kept + more;
    return ALD_OK;
}

/* Another stream, behind zeros that fill up a block. */
static ald_status begin_stream(ald_run *run, ald_unpacker *u)
{
    for (; u->stream.avail_in && *u->stream.next_in == 0; u->stream.avail_in--) u->stream.next_in++;
    if (u->stream.avail_in == 0) return ALD_OK;
    if (*u->stream.next_in != first_byte)
        return ald_fail(run->error, ALD_ERROR_FORMAT,
                        "the gzip data end before the file does, and what stands behind them is not gzip");
    u->between = 0;
    inflateReset(&u->stream);
    return ALD_OK;
}

static ald_status inflate_some(ald_run *run, ald_unpacker *u)
{
    const int status = inflate(&u->stream, Z_NO_FLUSH);
    if (status == Z_MEM_ERROR) return ald_out_of_memory(run, 1, 1, 1);
    if (status < 0 && status != Z_BUF_ERROR)
        return ald_fail(run->error, ALD_ERROR_FORMAT, "the gzip file is damaged (%s)",
                        u->stream.msg ? u->stream.msg : "a dictionary is missing");
    u->between = status == Z_STREAM_END;
    return ALD_OK;
}

static ald_status read_packed(ald_run *run, ald_unpacker *u, unsigned char *bytes, size_t size, size_t *got)
{
    u->stream.next_out = bytes;
    u->stream.avail_out = (uInt)size;
    while (u->stream.avail_out > 0) {
        if (u->stream.avail_in == 0 && !u->ended && !refill(u)) return unreadable(run);
        if (u->stream.avail_in == 0 && u->ended) break;
        if (u->between) ALD_TRY(begin_stream(run, u));
        if (!u->between) ALD_TRY(inflate_some(run, u));
    }
    *got = size - u->stream.avail_out;
    if (u->stream.avail_out == 0 || u->between) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_FORMAT, "the gzip file is truncated: it ends before its data do");
}

ald_status ald_unpack_read(ald_run *run, ald_unpacker *u, void *bytes, size_t size, size_t *got)
{
    *got = 0;
    return u->packed ? read_packed(run, u, bytes, size, got) : read_plain(run, u, bytes, size, got);
}

int ald_unpack_seek(ald_unpacker *u, int64_t place)
{
    if (lseek(u->file, (off_t)place, SEEK_SET) < 0) return 0;
    u->place = place;
    u->stream.avail_in = 0;
    u->ended = 0;
    return 1;
}

int64_t ald_unpack_place(const ald_unpacker *u)
{
    return u->place - (int64_t)u->stream.avail_in;
}
