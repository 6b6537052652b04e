/* Rows that stand on a card, for those who ask it for more than products. */
#ifndef ALD_OPERATOR_ON_CARD_H
#define ALD_OPERATOR_ON_CARD_H

#include "math/device/held.h"
#include "math/operator/operator.h"

/* The rows of Z as a card sees them, and what holds them; NULL: they are not there. */
ald_card_rows ald_card_rows_of(const ald_run *run, const ald_operator *z, const ald_held **held);
/* Sums over the entries of sparse Z, where it stands on the card and that does not fail. */
ald_status ald_card_entry_sums(ald_run *run, const ald_operator *z, const ald_card_entries *sums, int *done);

#endif
