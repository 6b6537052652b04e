/* A context that computes on a card of plain loops (loops_card.h), and rows with classes to try it with. */
#ifndef ALD_TESTS_CARD_BENCH_H
#define ALD_TESTS_CARD_BENCH_H

#include "support/fitting.h"
#include "support/loops_card.h"
#include "support/support.h"

#include <alidade/device.h>

typedef struct card_bench {
    support_sample s; /* none where it began with 0 rows */
    ald_target y;
    loops_card card;
    ald_device *device;
    ald_context *context;
    char log[500]; /* the last line of information */
    int notes;     /* that the processor computes instead */
} card_bench;

/* `always`: the card was asked for by name. */
void card_bench_begin(card_bench *b, int64_t rows, int64_t columns, int always);
/* Nothing may stand on the card any more. */
void card_bench_end(card_bench *b);

#endif
