/* Parts of a zip archive that lies in memory, each read as a stream of bytes. */
#ifndef ALD_FORMATS_ZIP_H
#define ALD_FORMATS_ZIP_H

#include "base/core/run.h"

typedef struct ald_zip {
    const unsigned char *bytes;
    size_t size;
    size_t directory; /* where the entries of the central directory begin */
    int64_t entries;
} ald_zip;

typedef struct ald_zip_part ald_zip_part;

/* Finds the directory of the archive; the bytes stay the caller's. */
ald_status ald_zip_open(ald_run *run, const void *bytes, size_t size, ald_zip *zip);
/* The part of this name, in scratch; NULL: the archive has none. */
ald_status ald_zip_find(ald_run *run, const ald_zip *zip, const char *name, ald_zip_part **part);
/* The next bytes of a part, valid until the next call; `count` is 0 at its end, where size and checksum are
 * compared with what the directory says. */
ald_status ald_zip_next(ald_run *run, ald_zip_part *part, const unsigned char **bytes, size_t *count);

#endif
