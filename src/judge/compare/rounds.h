/* The work of a comparison, in rounds: between two of them rows that are behind leave the race (race.h). */
#ifndef ALD_COMPARE_ROUNDS_H
#define ALD_COMPARE_ROUNDS_H

#include "judge/compare/comparing.h"

/* Fills all cells. Where the time is up and the plan takes what is done by then, it is as if there were only
 * the splits that all have finished. */
ald_status ald_rounds_run(ald_comparing *c);

#endif
