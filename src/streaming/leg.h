/* A portion of a file and how far its blocks have been worked on. */
#ifndef ALD_STREAMING_LEG_H
#define ALD_STREAMING_LEG_H

#include "reading/stream.h"

typedef struct ald_leg {
    ald_portion portion;
    int64_t number;      /* of the next block; 0: none is done yet */
    ald_stream_place at; /* where that begins, if number > 0 */
    int64_t done;        /* all of it */
} ald_leg;

#endif
