/* A portion of a file and how far its blocks have been worked on. */
#ifndef ALD_CHECKPOINTS_LEG_H
#define ALD_CHECKPOINTS_LEG_H

#include "io/reading/stream.h"

typedef struct ald_leg {
    ald_portion portion;
    int64_t number;      /* of the next block; 0: none is done yet */
    ald_stream_place at; /* where that begins, if number > 0 */
    int64_t done;        /* all of it */
} ald_leg;

/* The legs of all ranks, as far as they are not done, divided among them anew, in scratch: each rank gets a
 * part of each leg. A file of a list is not divided, nor are the rows of a run that had no portions.
 * `bytes` has the file. */
ald_status ald_legs_share(ald_run *run, const char *path, const ald_load_options *options, int64_t bytes,
                          ald_leg **legs, int64_t *count);

#endif
