/* Which rows of a comparison leave the race before all splits are done, because they would not be taken
 * (rule.h).
 *
 * After b of B splits, with d_1 .. d_b the differences of row c to another row s (above 0: c is better), m
 * their mean and v their variance, the difference of the two means over all B splits is
 *
 *   m + e,   e about sqrt((1/b - 1/B) v) t,   t of b - 1 degrees of freedom,
 *
 * as the other B - b splits are yet to come; it stays below u = m + q sqrt((1/b - 1/B) v) with a chance of
 * 95 %, q the 95 % point of t. Row c leaves where for some s still in the race
 *
 *   s simpler than c:  u < z / 10: c is not better than a simpler one by a tenth of a standard error;
 *   any s:             u < -z:     c is worse by more than a standard error (rule one-se), by 0 (rule best),
 *
 * z the standard error of the best mean so far: its standard deviation / sqrt(B). With the rule best z is 0
 * in both. So each of these decisions is wrong, measured by the full search, in at most some 5 of 100 cases;
 * there are several of them, and what a wrong one costs is little, as c is about as good as another row then.
 * Differences that are all 0 say nothing before the fifth split.
 *
 * Rows without a value in a split in which others have one are not taken, so they leave too.
 *
 * Looks are taken after 3/10, 5/10 and 7/10 of the splits, and not before the third. */
#ifndef ALD_COMPARE_RACE_H
#define ALD_COMPARE_RACE_H

#include "judge/compare/comparison.h"

/* The number of splits at the next look after `done` of them; `splits` where there is none. */
int64_t ald_race_next(int64_t splits, int64_t done);
/* left[row]: 0 in the race, else after how many splits it left; `done` for those that leave now. The
 * comparison is of the one candidate. */
ald_status ald_race_look(ald_run *run, const ald_comparison *comparison, const ald_candidate *candidate,
                         int64_t done, int64_t *left);

#endif
