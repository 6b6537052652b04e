/* Comparisons in few lines, for tests. */
#ifndef ALD_TESTS_COMPARING_H
#define ALD_TESTS_COMPARING_H

#include "support/support.h"

#include <alidade/compare.h>

enum { support_most_candidates = 40 };

/* Candidates that grow; freed as a whole. */
typedef struct support_candidates {
    ald_context *context;
    ald_candidate list[support_most_candidates];
    ald_settings *settings[support_most_candidates];
    int count;
} support_candidates;

void support_candidates_begin(support_candidates *c, ald_context *context);
/* A candidate with settings "name=value ..."; `dims` stay the caller's. */
void support_candidates_add(support_candidates *c, ald_candidate_kind kind, const char *method,
                            const char *set, const int64_t *dims, int n_dims);
void support_candidates_end(support_candidates *c);

/* A comparison that must be done. */
ald_comparison *support_compare(const support_candidates *c, const ald_matrix *x, const ald_target *y,
                                const ald_splits_options *splits, const char *metric);
/* All values of all metrics, marks and reasons are equal, bit by bit. */
void support_assert_same_comparison(const ald_comparison *a, const ald_comparison *b);

#endif
