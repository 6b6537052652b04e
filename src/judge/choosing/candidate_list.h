/* The candidates of a comparison, however they were given: whole structs, with everything they point to. */
#ifndef ALD_CHOOSING_CANDIDATE_LIST_H
#define ALD_CHOOSING_CANDIDATE_LIST_H

#include "judge/choosing/variants.h"

#include <alidade/candidates.h>

struct ald_candidates {
    ald_allocator allocator;
    ald_arena memory;
    ald_candidate *list; /* settings, words, labels and inner splits are there for all */
    int count;
    ald_settings_list settings;
};

/* An empty one; freed by ald_candidates_free. */
ald_status ald_candidates_make(ald_run *run, ald_candidates **candidates);
/* Room for `count` candidates, which are zeroed. */
ald_status ald_candidates_room(ald_run *run, int count, ald_candidates *c);
/* The inner splits of a candidate as whole options of `c`; NULL: 10 folds. */
ald_status ald_candidates_inner(ald_run *run, const ald_splits_options *given, ald_candidates *c,
                                const ald_splits_options **inner);
/* One by one, by the caller; of baselines without settings the usual ones are added. */
ald_status ald_candidates_take(ald_run *run, const ald_candidate *given, int count, ald_target_kind kind,
                               ald_candidates **candidates);

/* "ridge=1 scale=standard": the values of parameters that were set, but for n_components. In the arena of the
 * text. */
ald_status ald_settings_words(ald_run *run, const ald_settings *settings, ald_text *text);

#endif
