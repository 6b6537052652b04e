/* Which row of a comparison is taken: rule.c says by what. */
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
