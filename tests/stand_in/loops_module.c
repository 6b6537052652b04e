/* The card of plain loops as the module that programs load: for tests of those. */
#include "support/loops_card.h"

const ald_card_table *ald_cuda_table(void);

const ald_card_table *ald_cuda_table(void)
{
    static loops_card card = {.cards = 1};
    return loops_table(&card);
}
