#include "support/comparing.h"

#include <string.h>

void support_candidates_begin(support_candidates *c, ald_context *context)
{
    memset(c, 0, sizeof *c);
    c->context = context;
}

void support_candidates_add(support_candidates *c, ald_candidate_kind kind, const char *method,
                            const char *set, const int64_t *dims, int n_dims)
{
    const int at = c->count++;
    assert_true(at < support_most_candidates);
    c->settings[at] = support_settings(c->context, method, set);
    c->list[at] = (ald_candidate){
        .size = sizeof(ald_candidate),
        .kind = kind,
        .settings = (const ald_settings *const *)&c->settings[at],
        .n_settings = 1,
        .dims = dims,
        .n_dims = n_dims,
    };
}

void support_candidates_end(support_candidates *c)
{
    for (int i = 0; i < c->count; i++) ald_settings_free(c->settings[i]);
    c->count = 0;
}

ald_comparison *support_compare(const support_candidates *c, const ald_matrix *x, const ald_target *y,
                                const ald_splits_options *splits, const char *metric)
{
    const ald_compare_options options = {
        .size = sizeof(ald_compare_options),
        .candidates = c->list,
        .count = c->count,
        .splits = splits,
        .metric = metric,
    };
    ald_comparison *comparison = NULL;
    ald_error error;
    assert_done(ald_compare(c->context, x, y, &options, &comparison, &error), error);
    return comparison;
}

void support_assert_same_comparison(const ald_comparison *a, const ald_comparison *b)
{
    const size_t splits = (size_t)ald_splits_count(ald_comparison_splits(a));
    assert_int_equal(ald_comparison_count(a), ald_comparison_count(b));
    for (int i = 0; i < ald_comparison_count(a); i++) {
        const ald_comparison_row *one = ald_comparison_at(a, i), *two = ald_comparison_at(b, i);
        for (int k = 0; ald_comparison_metric_at(a, k); k++)
            assert_memory_equal(ald_comparison_values(a, i, k), ald_comparison_values(b, i, k),
                                splits * sizeof(double));
        assert_int_equal(one->mark, two->mark);
        assert_string_equal(one->reason ? one->reason : "", two->reason ? two->reason : "");
    }
}
