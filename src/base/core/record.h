/* Records: the one form in which state is kept in files and sent between processes.
 *
 *     length   8 bytes, of the body
 *     kind     8 bytes, a short name padded with zeros
 *     body     `length` bytes
 *     hash     8 bytes, of all of the above (numbers/hash.h)
 *
 * Records stand one behind the other, in memory or in a file, with numbers as the machine has them. A record
 * is filled by ald_record_put and its relatives and closed by ald_record_seal; whatever is put next begins
 * another. The reader trusts nothing: before the first value of a record is taken, its length, kind and hash
 * are checked, and no value reaches behind its end. */
#ifndef ALD_CORE_RECORD_H
#define ALD_CORE_RECORD_H

#include "base/core/run.h"

typedef struct ald_record {
    ald_arena *arena; /* of the bytes, and of what is taken out */
    const char *kind; /* at most 8 characters; NULL: none. Writer and reader name the same one */
    unsigned char *bytes;
    int64_t size, capacity; /* of all records */
    int64_t at;             /* reading: the next byte */
    int64_t first, end;     /* of the body of the record that is being filled, or read; end 0: none is */
} ald_record;

enum { ALD_RECORD_HEAD = 16, ALD_RECORD_EXTRA = 24 }; /* bytes before the body, and beside it */

/* Room for so many bytes more, exactly: for records whose size is known. */
ald_status ald_record_reserve(ald_run *run, ald_record *record, int64_t bytes);
ald_status ald_record_put(ald_run *run, ald_record *record, const void *values, int64_t count, size_t size);
ald_status ald_record_put_count(ald_run *run, ald_record *record, int64_t count);
/* NULL is put as such. */
ald_status ald_record_put_text(ald_run *run, ald_record *record, const char *text);
/* Closes the record; an empty one is a record too. The bytes stay where they are. */
ald_status ald_record_seal(ald_run *run, ald_record *record);

/* Opens the next record. The others do so for the first one. */
ald_status ald_record_next(ald_run *run, ald_record *record);
/* A record that does not hold as much is an error (ALD_ERROR_FORMAT). */
ald_status ald_record_take(ald_run *run, ald_record *record, void *values, int64_t count, size_t size);
ald_status ald_record_take_count(ald_run *run, ald_record *record, int64_t *count);
/* In the arena of the record. */
ald_status ald_record_take_text(ald_run *run, ald_record *record, char **text);
/* An array of its own; `array` is the address of a pointer to the elements. */
ald_status ald_record_take_array(ald_run *run, ald_record *record, void *array, int64_t count, size_t size);
/* Bytes of the record that have not been taken. */
int64_t ald_record_left(const ald_record *record);
/* The failure of a reader that finds what cannot have been written. */
ald_status ald_record_damaged(ald_run *run);

/* The parts of a record whose body stays where it is: what stands before it and behind it. */
void ald_record_head(const char *kind, int64_t length, unsigned char head[static ALD_RECORD_HEAD]);
uint64_t ald_record_hash(const unsigned char head[static ALD_RECORD_HEAD], const void *body, int64_t length);
/* The length that a head names; negative: it is none of this kind. */
int64_t ald_record_length(const char *kind, const unsigned char head[static ALD_RECORD_HEAD]);

#endif
