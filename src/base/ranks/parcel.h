/* Values of several kinds in one row of bytes, to be sent: put in and taken out in the same order. */
#ifndef ALD_RANKS_PARCEL_H
#define ALD_RANKS_PARCEL_H

#include "base/core/run.h"

typedef struct ald_parcel {
    ald_arena *arena; /* of the bytes, and of what is taken out */
    unsigned char *bytes;
    int64_t size, capacity;
    int64_t at; /* taken out so far */
} ald_parcel;

/* Room for so many bytes more, exactly: for parcels whose size is known. */
ald_status ald_parcel_reserve(ald_run *run, ald_parcel *parcel, int64_t bytes);
ald_status ald_parcel_put(ald_run *run, ald_parcel *parcel, const void *values, int64_t count, size_t size);
ald_status ald_parcel_put_count(ald_run *run, ald_parcel *parcel, int64_t count);
/* NULL is put as such. */
ald_status ald_parcel_put_text(ald_run *run, ald_parcel *parcel, const char *text);
/* A parcel that does not hold as much is an error. */
ald_status ald_parcel_take(ald_run *run, ald_parcel *parcel, void *values, int64_t count, size_t size);
ald_status ald_parcel_take_count(ald_run *run, ald_parcel *parcel, int64_t *count);
/* In the arena of the parcel. */
ald_status ald_parcel_take_text(ald_run *run, ald_parcel *parcel, char **text);
/* The same for an array of its own; `array` is the address of a pointer to the elements. */
ald_status ald_parcel_take_array(ald_run *run, ald_parcel *parcel, void *array, int64_t count, size_t size);

#endif
