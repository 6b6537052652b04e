/* The stress of squares with its scores on a card (math/device/card.h): between two steps nothing of n rows
 * is copied. */
#ifndef ALD_OPTIMIZE_STRESS_ON_CARD_H
#define ALD_OPTIMIZE_STRESS_ON_CARD_H

#include "math/operator/on_card.h"
#include "math/optimize/stress.h"

typedef struct ald_stress_card {
    /* For which it was opened: a stress of others is not on the card. */
    const ald_basis *basis;
    const ald_pairs *pairs;
    const double *squares;
    ald_card_rows rows;
    const ald_held *held;
    void *on_card;
} ald_stress_card;

/* Opens it where the rows stand on a card, for the stress of squares without smoothness and spread; `card` is
 * the stress's until it is closed, at the end of everything that uses it. */
ald_status ald_stress_card_open(ald_run *run, ald_stress *stress, ald_stress_card *card);
void ald_stress_card_close(ald_run *run, ald_stress *stress);

/* The scatter of the pairs, Z'L Z / total (d x d), where dense rows stand on a card; `done` 0: the
 * processor is to compute it. */
ald_status ald_pair_scatter_on_card(ald_run *run, const ald_operator *z, const ald_pairs *pairs,
                                    double *scatter, int *done);

/* HERE: the processor is to compute. LEFT: so it is, but the scores are not there: the card has failed. */
typedef enum ald_stress_where { ALD_STRESS_HERE, ALD_STRESS_DONE, ALD_STRESS_LEFT } ald_stress_where;

/* As an objective's (conjugate_gradient.h), without the ridge; the line as ald_stress_line. */
ald_status ald_stress_card_place(ald_run *run, ald_stress *stress, ald_stress_where *where);
ald_status ald_stress_card_gradient(ald_run *run, ald_stress *stress, double *values, double *g,
                                    ald_stress_where *where);
ald_status ald_stress_card_line(ald_run *run, ald_stress *stress, const double *v, double *c,
                                ald_stress_where *where);
ald_status ald_stress_card_move(ald_run *run, ald_stress *stress, const double *steps,
                                ald_stress_where *where);

#endif
