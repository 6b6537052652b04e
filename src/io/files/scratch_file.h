/* A file without a name: what is too large for memory and of no use after the command. It is gone with the
 * process that made it, however that ends. */
#ifndef ALD_FILES_SCRATCH_FILE_H
#define ALD_FILES_SCRATCH_FILE_H

#include "base/core/run.h"

typedef struct ald_scratch_file {
    int file; /* -1: there is none */
    int64_t size;
} ald_scratch_file;

/* In the folder of the path `beside`. */
ald_status ald_scratch_file_open(ald_run *run, const char *beside, ald_scratch_file *file);
/* At its end. */
ald_status ald_scratch_file_add(ald_run *run, ald_scratch_file *file, const void *bytes, int64_t size);
/* By several threads at a time. */
ald_status ald_scratch_file_read(ald_run *run, const ald_scratch_file *file, int64_t place, void *bytes,
                                 int64_t size);
/* Does nothing where there is none. */
void ald_scratch_file_close(ald_scratch_file *file);

#endif
