/* An allocator whose allocation number k fails, and which knows how many blocks are out. Several threads may
 * use it. */
#ifndef ALD_TESTS_LEDGER_H
#define ALD_TESTS_LEDGER_H

#include <alidade/context.h>

/* From now on `countdown` allocations succeed and the next one fails; negative: none does. Nothing is out. */
void ledger_begin(long countdown);
/* The same, with what is out still counted. */
void ledger_fail_after(long countdown);
/* Whether one has failed since then, and how many blocks are out. */
int ledger_failed(void);
long ledger_live(void);

ald_allocator ledger_allocator(void);

#endif
