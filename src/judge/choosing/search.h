/* From a search in words to candidates. */
#ifndef ALD_CHOOSING_SEARCH_H
#define ALD_CHOOSING_SEARCH_H

#include "judge/choosing/candidate_list.h"

/* `search` is whole (ald_search with all fields of this version). X and target are checked before. Freed by
 * ald_candidates_free, also after a failure. */
ald_status ald_search_candidates(ald_run *run, const ald_matrix *x, const ald_target *y,
                                 const ald_search *search, ald_candidates **candidates);

#endif
