/* Candidates: methods with their settings and numbers of components, given one by one or as text. */
#ifndef ALIDADE_CANDIDATES_H
#define ALIDADE_CANDIDATES_H

#include <alidade/method.h>
#include <alidade/splits.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How one of several rows of a comparison is chosen. */
typedef enum ald_rule {
    ALD_RULE_USUAL = 0, /* ALD_RULE_ONE_SE */
    /* The simplest row whose mean is within one standard error of the best (docs/tuning.md). */
    ALD_RULE_ONE_SE = 1,
    ALD_RULE_BEST = 2, /* the best mean */
} ald_rule;

/* Whether settings that are clearly behind drop out before all splits have been tried (docs/tuning.md). */
typedef enum ald_race {
    ALD_RACE_USUAL = 0, /* on for a tuning, off for a comparison */
    ALD_RACE_ON = 1,
    ALD_RACE_OFF = 2, /* everything is tried on all splits */
} ald_race;

typedef enum ald_candidate_kind {
    ALD_CANDIDATE_METHOD = 0,
    /* No features: the mean of the responses, the most frequent class, the label frequencies. */
    ALD_CANDIDATE_CONSTANT = 1,
    /* All features with a penalty chosen by cross-validation within the training part. If no predictor is
     * set: ridge for numbers, logistic for classes and labels; for linear, ridge, one-vs-rest or logistic,
     * the penalised form of that predictor; for any other, or one with a penalty of its own
     * (predictor_ridge), the predictor itself on the prepared X. */
    ALD_CANDIDATE_FEATURES = 2,
} ald_candidate_kind;

/* An entry in a comparison. Every pair of settings and number of components is one row of the result. With
 * `choose` the candidate is a single row: in each split the best pair is chosen from the training part alone,
 * by splitting that again. Begin with ALD_CANDIDATE_INIT; in a list, initialise every element. */
typedef struct ald_candidate {
    size_t size;
    ald_candidate_kind kind;
    const char *label; /* its name in the result; NULL: the name of the method or baseline */
    /* All of one method; with `choose` possibly of several, one after another. n_components is ignored;
     * predictor=none stands for the usual predictor of the kind of target. Baselines need no settings, and
     * use only what all methods have (scale, predictor, ...). */
    const ald_settings *const *settings;
    int n_settings;
    const int64_t *dims; /* numbers of components, increasing; baselines have none */
    int n_dims;
    int choose;
    ald_rule rule; /* choose */
    /* choose: how the training part is split again; NULL: 10 folds. Groups and parts are those of the outer
     * splits. */
    const ald_splits_options *inner;
    /* One text per setting that distinguishes it from the others; NULL: made from the values that were
     * set. */
    const char *const *words;
    /* One number per setting: how many of `dims`, from the first on, it is tried with; NULL: all. */
    const int *tried;
    /* In a race: how many fits of this candidate stay after the first look, half as many after the second,
     * and so on (docs/tuning.md); 0: all that are not behind. */
    int stay;
} ald_candidate;
#define ALD_CANDIDATE_INIT ALD_INIT(ald_candidate)

/* The candidates as text. Begin with ALD_SEARCH_INIT, which by itself stands for what `alidade compare` and
 * `alidade tune` try without options. */
typedef struct ald_search {
    size_t size;
    /* Names separated by commas, each optionally with its own settings: "pls,sdpp n_neighbors=10
     * components=1:3". pcr is pca. Words for several: `all` methods that accept such data, the `linear` or
     * the `kernel` ones among them, and `auto`, the usual search: linear and kernel methods with the
     * ridges, widths, scalings and predictors that suit the target (docs/tuning.md). NULL: auto. */
    const char *methods;
    /* Numbers of components: "3", "1:4", "10:50:10", separated by commas. NULL: 1 to 4 for a comparison, 1 to
     * 10 for tuning, 1,2,3,4,5,7,10,14,20,28,40 for tuning by the usual search, but no more than the method
     * can have with such data. */
    const char *components;
    /* Such as "scale=standard": for the baselines and for every method that has the parameter.
     * NULL-terminated. */
    const char *const *settings;
    /* Such as "ridge=0,log:1e-4:1:5", for every method that has the parameter; all combinations of the values
     * are tried. NULL-terminated. For tuning, the usual grids (ald_param.grid) of the parameters that are
     * neither set nor given here are added, unless values are drawn; a grid of one kind of ridge stands for
     * both. */
    const char *const *grids;
    /* Number of settings per method drawn at random from the grids; 0: all combinations instead. */
    int64_t random;
    uint64_t seed; /* of these draws */
    int no_baselines;
    int tuning; /* all methods together form one candidate, without baselines, for ald_tune */
    /* As in ald_candidate, for every method. */
    int choose;
    ald_rule rule;
    const ald_splits_options *inner;
    /* Whether columns of X stand for categories (ald_dataset_has_categories), for which row steps are not
     * tried. Functions that have the dataset know it by themselves. */
    int categories;
} ald_search;
#define ALD_SEARCH_INIT ALD_INIT(ald_search)

typedef struct ald_candidates ald_candidates;

/* The candidates of a search (NULL: the usual one) on such data. A misspelt name is an error. */
ALD_API ald_status ald_candidates_new(ald_context *context, const ald_matrix *x, const ald_target *y,
                                      const ald_search *search, ald_candidates **candidates,
                                      ald_error *error);
ALD_API void ald_candidates_free(ald_candidates *candidates);
ALD_API int ald_candidates_count(const ald_candidates *candidates);
/* The list, whose settings and texts live as long as `candidates`; for ald_compare_options and
 * ald_tune_options. */
ALD_API const ald_candidate *ald_candidates_list(const ald_candidates *candidates);

/* Sentences about what is tried, one to a line, "" if there are none: which methods are the same as one that
 * is, and what of the usual search is left out because it would take too long. */
ALD_API const char *ald_candidates_notes(const ald_candidates *candidates);

/* Checks that all names in such a list of methods exist, before any data are read. *only_real (may be NULL)
 * is 1 if each of them takes real responses only. */
ALD_API ald_status ald_methods_check(const char *methods, int *only_real, ald_error *error);

/* The values of a grid, "0,log:1e-4:1:5", written out with commas, "0,0.0001,...". Free with
 * ald_text_free. */
ALD_API ald_status ald_grid_list(ald_context *context, const char *grid, char **values, ald_error *error);

#ifdef __cplusplus
}
#endif
#endif
