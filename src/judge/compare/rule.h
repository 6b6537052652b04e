/* Which row of a comparison is taken.
 *
 * best: the best mean of the metric. one-se: with s the standard error of that row's mean, standard deviation
 * / sqrt(splits), the simplest of all rows whose mean is no more than s worse (Breiman et al. 1984). Simpler
 * is, in this order:
 * 1. fewer dims;
 * 2. the earlier method, where there are several;
 * 3. by the parameters in the order of the table in rule.c: a larger ridge or width, fewer neighbours,
 * slices, ...;
 * 4. the earlier settings.
 * Of rows with equal means `best` takes the simplest too. Rows that lack a value in a split in which others
 * have one are not taken: their means are of other rows of the data. */
#ifndef ALD_COMPARE_RULE_H
#define ALD_COMPARE_RULE_H

#include "judge/compare/comparison.h"

typedef struct ald_choice {
    int row, best; /* taken, and the one with the best mean */
    int setting;   /* of row, and its dims */
    int64_t dims;
    double within; /* the worst mean that counts as equally good; that of the best itself by the rule best */
} ald_choice;

/* Whether row a of such a comparison is simpler than b. */
int ald_rule_simpler(const ald_candidate *candidate, const ald_comparison_row *a,
                     const ald_comparison_row *b);
/* The comparison is of this one candidate. Where no row has values the reason of the first is the error. */
ald_status ald_rule_apply(ald_run *run, const ald_comparison *comparison, const ald_candidate *candidate,
                          ald_choice *choice);

#endif
