/* The zip format, as far as office programs write it: parts stored as they are or compressed by deflate, in
 * one file below 4 GB, listed by a central directory at its end. The form for more (zip64) is refused: there
 * a number that has no room is all ones, and stands elsewhere.
 *
 *   [local header, name, extra, bytes] ...  [directory entry, name, extra, comment] ...  [end record]
 *
 * Nothing that the archive says is believed: every place and length is compared with the size of the archive
 * before it is used, and a part is unpacked block by block, so that what it claims to hold costs nothing. */
#include "io/formats/zip.h"

#include <string.h>
#include <zlib.h>

enum {
    end_size = 22,
    entry_size = 46,
    local_size = 30,
    longest_comment = 65535,
    block_size = ALD_BUFFER(1 << 16),
    stored = 0,
    deflated = 8,
};

static const size_t all_ones = 0xffffffff;

/* Mutated archives never have the right checksum: builds for fuzzing look behind it. */
#ifdef ALD_FUZZING
static const int believes_checksums = 1;
#else
static const int believes_checksums = 0;
#endif

struct ald_zip_part {
    const unsigned char *bytes; /* those that are left, if it is stored */
    size_t left, claimed;       /* bytes left; bytes unpacked, by the directory */
    int method, ended;
    uLong expected, checksum; /* CRC 32 */
    size_t unpacked;
    z_stream stream;
    unsigned char block[block_size];
};

static unsigned read2(const unsigned char *at)
{
    return (unsigned)at[0] | (unsigned)at[1] << 8;
}
static size_t read4(const unsigned char *at)
{
    return read2(at) | (size_t)read2(at + 2) << 16;
}

static ald_status damaged(ald_run *run, const char *what)
{
    return ald_fail(run->error, ALD_ERROR_FORMAT, "the file is a damaged zip archive: %s", what);
}

static ald_status fail_zip64(ald_run *run)
{
    return ald_fail(
        run->error, ALD_ERROR_FORMAT,
        "the file is a zip64 archive, which is not read: save it as .xlsx by an office program, or "
        "as .csv");
}

ald_status ald_zip_open(ald_run *run, const void *bytes, size_t size, ald_zip *zip)
{
    *zip = (ald_zip){.bytes = bytes, .size = size};
    const size_t first = size > end_size + longest_comment ? size - end_size - longest_comment : 0;
    for (size_t at = size < end_size ? 0 : size - end_size + 1; at-- > first;) {
        const unsigned char *end = zip->bytes + at;
        if (memcmp(end, "PK\5\6", 4) != 0) continue;
        zip->entries = read2(end + 10);
        zip->directory = read4(end + 16);
        if (zip->entries == 0xffff || zip->directory == all_ones) return fail_zip64(run);
        return zip->directory <= at ? ALD_OK : damaged(run, "its directory lies behind its end");
    }
    return damaged(run, "its end is missing");
}

static void *take_memory(void *user, uInt count, uInt size)
{
    ald_run *run = user;
    return ald_arena_get(&run->scratch, count, 1, size);
}

static void give_memory(void *user, void *block) /* it belongs to the scratch of the run */
{
    (void)user;
    (void)block;
}

static ald_status begin_part(ald_run *run, const ald_zip *zip, const unsigned char *entry,
                             ald_zip_part **result)
{
    const size_t packed = read4(entry + 20), place = read4(entry + 42);
    if (packed == all_ones || place == all_ones || read4(entry + 24) == all_ones) return fail_zip64(run);
    if (zip->size < local_size || place > zip->size - local_size ||
        memcmp(zip->bytes + place, "PK\3\4", 4) != 0)
        return damaged(run, "a part is not where its directory says");
    const unsigned char *local = zip->bytes + place;
    const size_t head = local_size + read2(local + 26) + (size_t)read2(local + 28);
    if (head > zip->size - place || packed > zip->size - place - head)
        return damaged(run, "a part is longer than the archive");
    ald_zip_part *part;
    ALD_TRY(ald_scratch_clear(run, 1, 1, sizeof *part, &part));
    part->bytes = local + head;
    part->left = packed;
    part->claimed = read4(entry + 24);
    part->expected = (uLong)read4(entry + 16);
    part->checksum = crc32(0, NULL, 0);
    part->method = (int)read2(entry + 10);
    part->stream = (z_stream){
        .zalloc = take_memory,
        .zfree = give_memory,
        .opaque = run,
        .next_in = (z_const Bytef *)part->bytes,
        .avail_in = (uInt)packed, /* of four bytes */
    };
    if (read2(entry + 8) & 1)
        return ald_fail(run->error, ALD_ERROR_FORMAT,
                        "a part of the file is encrypted: save it without a password");
    if (part->method != stored && part->method != deflated)
        return damaged(run, "a part is compressed in a way that office programs do not use");
    if (part->method == deflated && inflateInit2(&part->stream, -MAX_WBITS) != Z_OK)
        return ald_out_of_memory(run, 1, 1, sizeof *part);
    *result = part;
    return ALD_OK;
}

ald_status ald_zip_find(ald_run *run, const ald_zip *zip, const char *name, ald_zip_part **part)
{
    const size_t length = strlen(name);
    size_t at = zip->directory;
    *part = NULL;
    for (int64_t k = 0; k < zip->entries; k++) {
        const unsigned char *entry = zip->bytes + at;
        if (zip->size - at < entry_size || memcmp(entry, "PK\1\2", 4) != 0)
            return damaged(run, "its directory ends too early");
        const size_t named = read2(entry + 28),
                     whole = entry_size + named + read2(entry + 30) + read2(entry + 32);
        if (whole > zip->size - at) return damaged(run, "its directory ends too early");
        if (named == length && memcmp(entry + entry_size, name, length) == 0)
            return begin_part(run, zip, entry, part);
        at += whole;
    }
    return ALD_OK;
}

static size_t copy_stored(ald_zip_part *part)
{
    const size_t count = part->left < block_size ? part->left : block_size;
    memcpy(part->block, part->bytes, count);
    part->bytes += count;
    part->left -= count;
    part->ended = part->left == 0;
    return count;
}

static ald_status inflate_block(ald_run *run, ald_zip_part *part, size_t *count)
{
    z_stream *stream = &part->stream;
    stream->next_out = part->block;
    stream->avail_out = block_size;
    const int status = inflate(stream, Z_NO_FLUSH);
    if (status == Z_MEM_ERROR) return ald_out_of_memory(run, 1, 1, block_size);
    part->ended = status == Z_STREAM_END;
    *count = block_size - stream->avail_out;
    if (status != Z_OK && status != Z_STREAM_END) return damaged(run, "a part cannot be unpacked");
    return *count > 0 || part->ended ? ALD_OK : damaged(run, "a part ends too early");
}

ald_status ald_zip_next(ald_run *run, ald_zip_part *part, const unsigned char **bytes, size_t *count)
{
    *count = 0;
    *bytes = part->block;
    if (!part->ended) {
        if (part->method == stored)
            *count = copy_stored(part);
        else
            ALD_TRY(inflate_block(run, part, count));
        part->checksum = crc32(part->checksum, part->block, (uInt)*count);
        part->unpacked += *count;
        ALD_TRY(ald_ask_after(run, (double)*count));
    }
    if (!part->ended || believes_checksums) return ALD_OK;
    if (part->checksum == part->expected && part->unpacked == part->claimed) return ALD_OK;
    return damaged(run, "the checksum of a part is wrong");
}
