/* Finished cells kept in a file, so that an interrupted comparison resumes with those that are missing.
 *
 * The file consists of records (core/record.h): the first has the format, the version and the key of the run
 * (data, candidates, splits and version; the file of another run is refused), each of the others the cells of
 * one fit with their key. A killed writer leaves a last record that is not whole, which is dropped; anything
 * else that is damaged is an error with the number of its record. */
#ifndef ALD_CELLS_JOURNAL_H
#define ALD_CELLS_JOURNAL_H

#include "judge/cells/cell.h"
#include "judge/splitting/subset.h"

#include <alidade/compare.h>
#include <stddef.h>

/* A number by which work is known again: the hash (numbers/hash.h) of everything that determines it. Changing
 * one word of what went in always changes it. */
typedef struct ald_key {
    uint64_t value;
} ald_key;

void ald_key_add(ald_key *key, const void *bytes, size_t size);
void ald_key_text(ald_key *key, const char *text);
void ald_key_int(ald_key *key, int64_t number);

/* X, target, weights and which rows have a target. The data is checked before. */
void ald_key_data(ald_key *key, const ald_subset *data);
/* How `rows` rows are split, with their groups and given parts. */
void ald_key_splits(ald_key *key, const ald_splits_options *options, int64_t rows);
/* A candidate with one of its settings (-1: all), and how it chooses. */
void ald_key_candidate(ald_key *key, const ald_candidate *candidate, int setting);

typedef struct ald_journal ald_journal;

/* Reads what is there (a file that is not there is made) and stays open. In the run's scratch; NULL on
 * failure. */
ald_status ald_journal_open(ald_run *run, const char *path, ald_key of_run, ald_journal **journal);
/* NULL is fine. */
void ald_journal_close(ald_journal *journal);

/* What ald_journal_open does with the bytes of a file. `path` is for messages; *kept is how many bytes are
 * whole records. In the run's scratch. */
ald_status ald_journal_read(ald_run *run, const char *path, ald_key of_run, unsigned char *bytes, size_t size,
                            size_t *kept, ald_journal **journal);

/* The record (from 1) that has the `count` cells of this key, or 0: it has none. Several threads may ask at
 * once. */
int64_t ald_journal_find(const ald_journal *journal, ald_key key, int count, ald_cell *cells);
/* The error for a record whose cells cannot be those of its key. */
ald_status ald_journal_refuse(ald_run *run, const ald_journal *journal, int64_t record);
/* Appends a record in one write, which threads may do at once. `name` is for people. */
ald_status ald_journal_add(ald_run *run, ald_journal *journal, ald_key key, const char *name, int64_t split,
                           int count, const ald_cell *cells);

#endif
