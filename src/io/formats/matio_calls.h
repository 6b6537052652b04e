/* The functions of libmatio. It brings HDF5 and thirty further libraries along, which would take longer to
 * load than most commands take: so it is loaded when the first MATLAB file is read. */
#ifndef ALD_FORMATS_MATIO_CALLS_H
#define ALD_FORMATS_MATIO_CALLS_H

#include "base/core/run.h"

#include <matio.h>

typedef struct ald_matio_calls {
    mat_t *(*open)(const char *name, int mode);
    int (*close)(mat_t *file);
    int (*rewind)(mat_t *file);
    matvar_t *(*read)(mat_t *file, const char *name);
    matvar_t *(*read_info)(mat_t *file, const char *name);
    matvar_t *(*read_next_info)(mat_t *file);
    void (*free)(matvar_t *variable);
} ald_matio_calls;

/* Loads it, the first time; it stays until the process ends. */
ald_status ald_matio_load(ald_run *run, ald_matio_calls *calls);

#endif
