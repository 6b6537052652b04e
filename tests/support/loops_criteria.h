/* Entries of the table of the card of plain loops (loops_card.h): criteria that stay on the card while a
 * method descends. */
#ifndef ALD_TESTS_LOOPS_CRITERIA_H
#define ALD_TESTS_LOOPS_CRITERIA_H

#include "support/loops_card.h"

ald_card_code loops_nearest(void *card, const ald_card_rows *rows, const ald_card_nearest *asked);
ald_card_code loops_kdr_open(void *card, int64_t n, int64_t r, void **made);
void loops_kdr_close(void *card, void *made);
ald_card_code loops_kdr_target(void *card, void *made, int64_t m, const double *f);
ald_card_code loops_kdr_value(void *card, void *made, const double *z, double width, double penalty,
                              double *value, int *definite);
ald_card_code loops_kdr_pull(void *card, void *made, double *pull);

ald_card_code loops_stress_open(void *card, const ald_card_rows *z, const ald_card_stress *what, void **made);
void loops_stress_close(void *card, void *made);
ald_card_code loops_stress_place(void *card, const ald_card_rows *z, void *made, const double *w, int64_t k);
ald_card_code loops_stress_gradient(void *card, const ald_card_rows *z, void *made, int64_t r, double scale,
                                    double *values, double *g);
ald_card_code loops_stress_line(void *card, const ald_card_rows *z, void *made, int64_t r, double scale,
                                const double *v, double *coefficients);
ald_card_code loops_stress_move(void *card, void *made, int64_t r, const double *steps);
ald_card_code loops_pair_scatter(void *card, const ald_card_rows *z, const ald_card_stress *what,
                                 double scale, double *scatter);

#endif
