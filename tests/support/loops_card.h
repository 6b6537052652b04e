/* A card of plain loops, in place of a real one: what the library asks of a device is tested without any. Its
 * memory is the host's, its bytes are counted, and it fails where a test wants it. */
#ifndef ALD_TESTS_LOOPS_CARD_H
#define ALD_TESTS_LOOPS_CARD_H

#include "math/device/card.h"

typedef struct loops_card {
    int64_t standing; /* matrices that have not been released */
    int64_t held, calls;
    int64_t fail_at;    /* the call from 1 on, of all, that fails; 0: none */
    int for_good;       /* those after it fail as well */
    int64_t asked;      /* calls so far */
    ald_card_code code; /* with which it fails */
    int late;           /* calls that fail have written their results before, as those of a real card may */
    ald_device
        *softens; /* becomes a device of `auto` where it fails, so that the processor takes over; or NULL */
    double bytes_in, bytes_out;
    int cards, number; /* how many there are, and which one was opened */
    double memory;     /* larger X does not fit; 0: everything does */
    ptrdiff_t away; /* an address of the card is that of the host plus so much; the host cannot read there */
} loops_card;

/* A device over the card; `always`: it was asked for by name. Closed by ald_device_close; the card stays the
 * caller's. */
ald_device *loops_device(loops_card *card, int always);

/* Its table: cards that it opens from now on are this one. */
const ald_card_table *loops_table(loops_card *card);

/* A real card instead, by the name in ALD_TEST_DEVICE, open until the end; NULL: none is named. */
ald_device *real_device(void);

#endif
