/* The number that a pair has in one process, where the pairs are in the order of their lower row, then of the
 * upper one. What is drawn for pairs is drawn in that order, whoever has them. */
#ifndef ALD_SDPP_SDPP_NUMBERS_H
#define ALD_SDPP_SDPP_NUMBERS_H

#include "sdpp/sdpp_partners.h"

/* Fills share->numbers: one per pair of this rank, in the order in which it has them. All ranks call it. */
ald_status ald_sdpp_number_pairs(ald_run *run, const ald_divided *rows, ald_sdpp_share *share);

#endif
