/* The bytes of an open file, unpacked where they are gzip: one stream, or several one behind the other. */
#ifndef ALD_READING_UNPACK_H
#define ALD_READING_UNPACK_H

#include "base/core/run.h"

#include <zlib.h>

typedef struct ald_unpacker {
    int file;             /* the caller's to close */
    int packed;           /* its first bytes are those of gzip */
    int between, ended;   /* no stream has begun; the file has no more bytes */
    int64_t place;        /* of the file, behind the last byte that was read */
    unsigned char *bytes; /* of the file, some of which the stream has not used yet */
    z_stream stream;
} ald_unpacker;

ald_status ald_unpack_begin(ald_run *run, int file, ald_unpacker *unpacker);
void ald_unpack_end(ald_unpacker *unpacker);
/* `got` is less than `size` at the end only. A stream that is damaged or ends too early is an error, and so
 * is anything but zeros behind the last one: it would be left out without a word. */
ald_status ald_unpack_read(ald_run *run, ald_unpacker *unpacker, void *bytes, size_t size, size_t *got);
/* Goes on from another byte of a file that is read as it is; 0: it cannot. */
int ald_unpack_seek(ald_unpacker *unpacker, int64_t place);
/* How many bytes of the file have been used. */
int64_t ald_unpack_place(const ald_unpacker *unpacker);

#endif
