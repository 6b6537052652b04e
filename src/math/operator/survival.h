/* Times until an event, some of which were censored: a real target of one column with events (ald_target).
 *
 * With weights w (1 where there are none), D(u) the weight of those that died at time u and R(u) that of
 * those at risk (t_j >= u), Breslow's hazard, the martingale and the deviance residuals of the model without
 * columns are
 *
 *   H(t) = sum over death times u <= t of D(u) / R(u)
 *   m_i  = event_i - H(t_i)
 *   residual_i = sign(m_i) sqrt(-2 (m_i + event_i ln H(t_i)))
 *
 * The residuals are what ald_target_numbers gives of such a target: the response of every method that takes
 * one. Cost n log n. */
#ifndef ALD_OPERATOR_SURVIVAL_H
#define ALD_OPERATOR_SURVIVAL_H

#include "math/operator/entry.h"

/* All in scratch. */
typedef struct ald_survival {
    int64_t n, groups;           /* rows; distinct times */
    double *times, *weights;     /* n; rows without a target weigh 0 */
    const unsigned char *events; /* n: 1 died, 0 censored */
    int64_t *order, *begin; /* rows by falling time; group g is order[begin[g]] .. order[begin[g + 1] - 1] */
    double *deaths;         /* D of each group */
} ald_survival;

ald_status ald_survival_of(ald_run *run, const ald_target *y, ald_survival *s);
ald_status ald_survival_residuals(ald_run *run, const ald_survival *s, double *residuals);

/* score (d): |U| / sqrt(I) of the Cox model of each column alone at coefficient 0, Breslow ties; 0 for a
 * column that does not vary. Cost 3 n d. */
ald_status ald_survival_scores(ald_run *run, const ald_survival *s, const ald_operator *z, double *score);

#endif
