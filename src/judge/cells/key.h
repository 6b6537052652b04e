/* A number by which work is known again: the hash (numbers/hash.h) of everything that determines it. Changing
 * one word of what went in always changes it. */
#ifndef ALD_CELLS_KEY_H
#define ALD_CELLS_KEY_H

#include "judge/splitting/subset.h"

#include <alidade/compare.h>
#include <stddef.h>

typedef struct ald_key {
    uint64_t value;
} ald_key;

void ald_key_add(ald_key *key, const void *bytes, size_t size);
void ald_key_text(ald_key *key, const char *text);
void ald_key_int(ald_key *key, int64_t number);

/* X, target, weights and which rows have a target. The data is checked before. */
void ald_key_data(ald_key *key, const ald_subset *data);
/* All settings but n_components, and which of them were given. */
void ald_key_settings(ald_key *key, const ald_settings *settings);
/* How `rows` rows are split, with their groups and given parts. */
void ald_key_splits(ald_key *key, const ald_splits_options *options, int64_t rows);
/* A candidate with one of its settings (-1: all), and how it chooses. */
void ald_key_candidate(ald_key *key, const ald_candidate *candidate, int setting);

#endif
