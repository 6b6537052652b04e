/* Finished cells kept in a file, one line of JSON each time, so that a comparison that was ended goes on where it
 * stopped. A line is found again by a key that is made of everything that determines it; lines of other keys are left
 * alone. */
#ifndef ALD_JUDGE_JOURNAL_H
#define ALD_JUDGE_JOURNAL_H

#include "judge/cell.h"

typedef struct ald_journal ald_journal;

/* What a key is made of: a hash that grows. */
typedef struct ald_key {
    uint64_t value;
} ald_key;
void ald_key_add(ald_key *key, const void *bytes, size_t size);
void ald_key_text(ald_key *key, const char *text);
void ald_key_int(ald_key *key, int64_t number);

/* Reads what is there (a file that is not there is made), drops a last line without its end, and stays open. In the
 * run's scratch; NULL on failure. A file that holds something else is an error. */
ald_status ald_journal_open(ald_run *run, const char *path, ald_journal **journal);
/* NULL is fine. */
void ald_journal_close(ald_journal *journal);
/* 1 if the `count` cells of this key are there. Several threads may ask at once. */
int ald_journal_find(const ald_journal *journal, ald_key key, int count, ald_cell *cells);
/* Appends a line in one write, which threads may do at once. `name` is for people. */
ald_status ald_journal_add(ald_run *run, ald_journal *journal, ald_key key, const char *name, int64_t split, int count,
                           const ald_cell *cells);

#endif
