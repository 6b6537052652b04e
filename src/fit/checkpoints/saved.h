/* The state of a rank as a file. */
#ifndef ALD_CHECKPOINTS_SAVED_H
#define ALD_CHECKPOINTS_SAVED_H

#include "fit/checkpoints/checkpoint.h"
#include "fit/checkpoints/record_file.h"

/* By a run without ranks. */
ald_status ald_saved_write(ald_run *run, const char *path, uint64_t key, const ald_saved *saved);
/* In scratch, but for the sums: those of part p are in arenas[p mod n_arenas]; arenas NULL: they are not
 * wanted. saved->told is NULL where there is no such file. */
ald_status ald_saved_read(ald_run *run, const char *path, uint64_t key, ald_arena *arenas, int n_arenas,
                          ald_saved *saved);

/* A leg in a record. */
ald_status ald_leg_put(ald_run *run, const ald_leg *leg, ald_record_file *record);
ald_status ald_leg_take(ald_run *run, ald_record_file *record, ald_leg *leg);

/* A portion as numbers. */
enum { ALD_PORTION_NUMBERS = 4 };
void ald_portion_numbers(const ald_portion *portion, int64_t *numbers);
ald_portion ald_portion_from(const int64_t *numbers);

#endif
