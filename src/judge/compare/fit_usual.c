/* ald_fit_usual: a fit by somebody who names no method.
 *
 * The usual search (judge/choosing/portfolio.c) on five folds of all rows, once; then a fit of what its rule
 * chose. It is ald_tune without outer folds and without the errors for intervals: about a tenth of its time,
 * and no honest figure. Settings that the caller fixed hold for all candidates; a method that does not have
 * one of these parameters is no candidate. */
#include "base/core/error.h"
#include "base/core/run.h"
#include "base/settings/options.h"
#include "data/encode/dataset.h"
#include "judge/choosing/search.h"

#include <alidade/tune.h>
#include <string.h>

typedef struct usual {
    ald_context *context;
    const ald_dataset *dataset;
    ald_search search; /* whole */
    ald_candidate all; /* what is tried; its lists are of the run's scratch */
} usual;

/* Whether its method has every parameter that was given. */
static ald_status has_given(ald_run *run, const usual *u, const ald_settings *settings, int *all)
{
    char *name, *value;
    *all = 1;
    for (const char *const *given = u->search.settings; given && *given; given++) {
        ALD_TRY(ald_assignment_cut(run, "`settings`: write the name of a parameter and its value", *given,
                                   strlen(*given), &name, &value));
        *all = *all && ald_method_parameter(ald_settings_method(settings), name);
    }
    return ALD_OK;
}

static ald_status take_candidates(ald_run *run, usual *u, const ald_candidate *from)
{
    const ald_settings **settings;
    const char **words;
    int *tried;
    int all, n = 0;
    ALD_TRY(ald_scratch(run, from->n_settings, 1, sizeof *settings, &settings));
    ALD_TRY(ald_scratch(run, from->n_settings, 1, sizeof *words, &words));
    ALD_TRY(ald_scratch(run, from->n_settings, 1, sizeof *tried, &tried));
    for (int s = 0; s < from->n_settings; s++) {
        ALD_TRY(has_given(run, u, from->settings[s], &all));
        if (!all) continue;
        settings[n] = from->settings[s];
        words[n] = from->words[s];
        tried[n++] = from->tried ? from->tried[s] : from->n_dims;
    }
    if (n == 0)
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "none of the usual methods has all of these parameters: name a method");
    u->all = *from;
    u->all.settings = settings;
    u->all.words = words;
    u->all.tried = tried;
    u->all.n_settings = n;
    return ALD_OK;
}

enum { folds = 5, fewest_rows = 2 * folds };

static ald_status choose_and_fit(const usual *u, ald_model **model, ald_error *error)
{
    const ald_splits_options inner = {
        .size = sizeof inner,
        .folds = folds,
        .seed = u->search.seed,
        .keep_duplicates = 1,
    };
    const ald_tune_options options = {
        .size = sizeof options,
        .candidate = &u->all,
        .inner = &inner,
        .no_nested = 1,
        .no_errors = 1,
    };
    ald_tuning *tuning = NULL;
    const ald_status status = ald_tune(u->context, u->dataset, &options, &tuning, model, error);
    ald_tuning_free(tuning);
    return status;
}

ald_status ald_fit_usual(ald_context *context, const ald_dataset *dataset, const ald_search *search,
                         ald_model **model, ald_error *error)
{
    usual u = {.context = context, .dataset = dataset};
    ald_candidates *candidates = NULL;
    ald_error listing;
    ald_run run;
    if (model) *model = NULL;
    ALD_GIVEN(error, context, dataset, model);
    ALD_TRY(ALD_OPTIONS_READ(error, ald_search, search, &u.search));
    u.search.tuning = 1;
    u.search.categories = dataset->categorical != NULL;
    if (dataset->x.rows < fewest_rows)
        return ald_fail(error, ALD_ERROR_DATA, "there are %lld rows, and on fewer than %d no folds say much",
                        (long long)dataset->x.rows, (int)fewest_rows);
    ALD_TRY(ald_candidates_new(context, &dataset->x, &dataset->target, &u.search, &candidates, error));
    ald_run_begin(&run, context, &listing);
    ald_status status = take_candidates(&run, &u, ald_candidates_list(candidates));
    if (status >= 0)
        status = choose_and_fit(&u, model, error);
    else if (error)
        *error = listing;
    ald_run_end(&run, status);
    ald_candidates_free(candidates);
    return status;
}
