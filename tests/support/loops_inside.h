/* What the files of the card of plain loops share (loops_card.c, loops_criteria.c, loops_panels.c). */
#ifndef ALD_TESTS_LOOPS_INSIDE_H
#define ALD_TESTS_LOOPS_INSIDE_H

#include "support/loops_card.h"

typedef struct loops_held {
    int64_t d;
    double *values;
    unsigned char *stored; /* of sparse X, which entries are */
} loops_held;

/* Whether this call is the one that fails; what is added to the counts. */
int loops_fails(loops_card *c);
void loops_tally(loops_card *c, int standing, int held, int calls, double in, double out);
/* Z written out, NULL: the call fails; the code of a call that began so, with the numbers that it copied.
 * `loops_begin_whole` is for calls that leave nothing where they fail. */
double *loops_begin(loops_card *c, const ald_card_rows *z);
double *loops_begin_whole(loops_card *c, const ald_card_rows *z);
ald_card_code loops_end(loops_card *c, double *z, double in, double out);
ald_card_code loops_advance(void *card, const ald_card_rows *rows, const double *v, int64_t k,
                            const double *alpha, double *u, double *w);

/* loops_panels.c */
ald_card_code loops_entry_sums(void *card, const ald_card_rows *rows, const ald_card_entries *sums);
ald_card_code loops_panel(void *card, int64_t rows, int64_t k, const double *values, void **made);
ald_card_code loops_panel_advance(void *card, const ald_card_rows *z, void *v, int64_t k, const double *alpha,
                                  void *u, void *w);
ald_card_code loops_panel_combine(void *card, int64_t rows, int64_t k, void *a, const double *f, void *b,
                                  const double *g);
ald_card_code loops_panel_squares(void *card, int64_t rows, int64_t k, void *a, double *squares);
ald_card_code loops_panel_take(void *card, int64_t rows, int64_t k, void *from, int64_t count,
                               const int64_t *which, void *to);

#endif
