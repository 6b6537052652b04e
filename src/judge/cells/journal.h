/* Finished cells kept in a file, one line of JSON each time, so that a comparison that was ended goes on
 * where it stopped.
 *
 *   {"sum": "16 digits", "journal": 2, "version": "0.1.0", "run": "16 digits"}
 *   {"sum": "16 digits", "key": "16 digits", "candidate": "pls", "split": 1, "cells": [...]}
 *   ...
 *
 * `sum` is the hash of what stands behind it in its line. `run` is the key of data, candidates, splits and
 * version: the file of another run is refused. `key` is that of one fit. A writer that was killed leaves a
 * last line that is not whole, which is dropped; anything else that is damaged is an error with its line. */
#ifndef ALD_CELLS_JOURNAL_H
#define ALD_CELLS_JOURNAL_H

#include "judge/cells/cell.h"
#include "judge/cells/key.h"

typedef struct ald_journal ald_journal;

/* Reads what is there (a file that is not there is made) and stays open. In the run's scratch; NULL on
 * failure. */
ald_status ald_journal_open(ald_run *run, const char *path, ald_key of_run, ald_journal **journal);
/* NULL is fine. */
void ald_journal_close(ald_journal *journal);

/* What ald_journal_open does with the bytes of a file, which end with '\0' behind `size` of them. `path` is
 * for messages; *kept is how many bytes are whole lines. In the run's scratch. */
ald_status ald_journal_read(ald_run *run, const char *path, ald_key of_run, const char *text, size_t size,
                            size_t *kept, ald_journal **journal);

/* The line (from 1) that has the `count` cells of this key, or 0: it has none. Several threads may ask at
 * once. */
int64_t ald_journal_find(const ald_journal *journal, ald_key key, int count, ald_cell *cells);
/* The error for a line whose cells cannot be those of its key. */
ald_status ald_journal_refuse(ald_run *run, const ald_journal *journal, int64_t line);
/* Appends a line in one write, which threads may do at once. `name` is for people. */
ald_status ald_journal_add(ald_run *run, ald_journal *journal, ald_key key, const char *name, int64_t split,
                           int count, const ald_cell *cells);

#endif
