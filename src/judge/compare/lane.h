/* What a lane of jobs has in hand: the rows of one split, copied once for all jobs of that split. */
#ifndef ALD_COMPARE_LANE_H
#define ALD_COMPARE_LANE_H

#include "base/core/tryout.h"
#include "judge/compare/comparing.h"

typedef struct ald_lane {
    ald_run run;       /* context NULL: not begun */
    ald_tryout tryout; /* where fits are only tried */
    ald_error error;
    int64_t split;             /* -1: none */
    ald_subset train[2], test; /* train: the rows that have a target, and all */
    /* The same before cells without a value were filled: for choosing inside, and for settings that want
     * them. */
    ald_subset gappy[2], gappy_test;
    int64_t *groups;   /* of train[0] */
    ald_status status; /* of the preparation, told in every cell of the split */
    ald_fold fold;     /* where there are sums: it has the training rows then, and train is not used */
    int has_fold;
} ald_lane;

/* Takes the rows of a split, unless it has them. Negative for want of memory only; else see `status`. */
ald_status ald_lane_prepare(const ald_comparing *c, ald_lane *lane, const ald_run *outer, int64_t split);
void ald_lane_end(ald_lane *lane);
/* Rows of a list that have a target, moved to its front; how many they are. */
int64_t ald_keep_labelled(const ald_target *y, int64_t *rows, int64_t n);

#endif
