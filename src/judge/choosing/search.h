/* From a search in words to candidates, in steps: names of methods with words behind them
 * (method_list.c), lists of numbers, grids of values and settings with these values (variants.c),
 * candidates with labels and baselines (candidate_list.c), and the whole (search.c). */
#ifndef ALD_CHOOSING_SEARCH_H
#define ALD_CHOOSING_SEARCH_H

#include "base/core/run.h"
#include "base/core/text.h"
#include "judge/choosing/portfolio.h"

#include <alidade/candidates.h>
#include <alidade/matrix.h>
#include <stdint.h>

/* Values for one parameter. */
typedef struct ald_grid {
    const char *name, *values;
    int whole; /* the parameter is a whole number */
} ald_grid;

/* The values with commas between them, at least one; ranges are written with six digits. */
ald_status ald_grid_write(ald_run *run, const ald_grid *grid, ald_text *list);

/* The list, rising, each number once, in `memory`. */
ald_status ald_dims_read(ald_run *run, ald_arena *memory, const char *text, int64_t **dims, int *count);

/* One entry of "pls,sdpp n_neighbors=10". */
typedef struct ald_named_method {
    const ald_method *method;
    const char *words;                /* what stands behind the name, without an end of its own */
    size_t length;                    /* of that */
    const ald_portfolio_entry *entry; /* of the usual search; NULL: it was named */
} ald_named_method;

/* The methods of a list in their order, words for several replaced by those of them that can take the data
 * and are not named by themselves. x and y may be NULL: then words for several are left out. In the run's
 * scratch. */
ald_status ald_methods_read(ald_run *run, const char *list, const ald_matrix *x, const ald_target *y,
                            ald_named_method **methods, int *count);

/* The linear method that finds directions of X alone: the baseline among methods. */
const ald_method *ald_unsupervised_method(void);
/* What a method is called where it predicts a target of this kind by linear regression: pca is pcr. */
const char *ald_method_label(const ald_settings *settings, const ald_target *y);
/* Whether it has a parameter of that name (- and _ are alike). */
const ald_param *ald_method_parameter(const ald_method *method, const char *name);
/* "sir, save": the methods that have such a parameter; "" if none has. */
ald_status ald_methods_with(ald_run *run, const char *parameter, ald_text *list);

/* Settings that are freed together. */
typedef struct ald_settings_list {
    ald_arena *memory;
    ald_settings **items;
    int64_t count, capacity;
} ald_settings_list;
/* Makes room for one more, so that what is put at items[count++] is freed. */
ald_status ald_settings_list_grow(ald_run *run, ald_settings_list *list);
void ald_settings_list_free(ald_settings_list *list);

typedef struct ald_variants {
    ald_settings_list *owner;
    ald_settings **settings; /* of the owner */
    const char **words;      /* "ridge=1 n_neighbors=5", "" */
    int count;
    int64_t *dims; /* of "components=" behind the method; NULL: none */
    int n_dims;
    const ald_portfolio_entry *entry; /* of the usual search; NULL: the method was named */
    int *levels;                      /* of the variants of an entry: portfolio.c */
} ald_variants;

/* One variant: the method with those of `common` ("scale=standard", ends with NULL; may be NULL) that it has,
 * and the words behind its name. */
ald_status ald_variants_begin(ald_run *run, ald_settings_list *owner, const ald_named_method *named,
                              const char *const *common, ald_variants *v);
/* Whether the words behind the name of the method set this parameter. */
int ald_variants_fix(const ald_variants *v, const char *name);
/* Every variant with every value of the grid. */
ald_status ald_variants_expand(ald_run *run, const ald_grid *grid, ald_variants *v);
/* `wanted` variants, each with a value of every grid, drawn. */
ald_status ald_variants_draw(ald_run *run, const ald_grid *grids, int count, int64_t wanted, uint64_t seed,
                             ald_variants *v);

/* "name=value" to its two parts in the run's scratch; `where` begins the message where it is not. */
ald_status ald_assignment_cut(ald_run *run, const char *where, const char *text, size_t length, char **name,
                              char **value);
/* Sets those of `common` that the settings have. */
ald_status ald_settings_set_common(ald_run *run, const char *const *common, ald_settings *settings);

struct ald_candidates {
    ald_allocator allocator;
    ald_arena memory;
    ald_text notes;      /* what a reader of the result should know of what is tried */
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

/* "ridge=1 scale=standard": the values of parameters that were set, but for n_components and those that are
 * set in `less` (NULL: none). In the arena of the text. */
ald_status ald_settings_words(ald_run *run, const ald_settings *settings, const ald_settings *less,
                              ald_text *text);

/* Grids of values where none are given (grids.c), in the run's scratch, for parameters that are not set:
 * those of the parameter tables, first by the order of their traits (ridges before neighbours), then, if
 * `relative`, those in units of the median distance: not for more rows than 5000, nor where there is no such
 * distance. */
ald_status ald_usual_grids(ald_run *run, const ald_settings *settings, const ald_matrix *x, int relative,
                           ald_grid **grids, int *count);
/* The values of a grid times the median distance of the rows as the settings prepare them, with four digits.
 * NULL where there is none: the fit reports what is wrong with the rows. */
ald_status ald_grid_of_widths(ald_run *run, const ald_settings *settings, const ald_matrix *x,
                              const char *grid, const char **values);

/* entry_variants.c: the one variant of an entry becomes all of its combinations, with their levels, but for
 * parameters that are set or of which `given` grids (count of them) have values. Whether columns of X stand
 * for `categories` is for row steps. */
ald_status ald_entry_expand(ald_run *run, const ald_matrix *x, int categories, const ald_grid *given,
                            int count, ald_variants *v);
/* Leaves what is worth its time (portfolio.c) among all variants of entries, of `n` lists, for these
 * numbers of components; tells how many were left out of each in left_out[0 .. n). */
typedef struct ald_portfolio_data {
    const ald_matrix *x;
    const ald_target *y;
    const int64_t *dims;
    int n_dims;
} ald_portfolio_data;
void ald_entries_bound(const ald_portfolio_data *data, ald_variants *variants, int n, int *left_out);
/* How many of the rising dims settings of an entry (NULL: of a method by name) can have with such data. */
int ald_entry_dims(const ald_portfolio_data *data, const ald_portfolio_entry *entry,
                   const ald_settings *settings);

/* The parameters that all methods have and no others, at their defaults; free them. */
ald_status ald_baseline_settings(ald_run *run, ald_settings **settings);
/* "mean", "majority" or "label shares", and "all features". */
const char *ald_baseline_label(ald_candidate_kind kind, ald_target_kind target);

/* `search` is whole (ald_search with all fields of this version). X and target are checked before. Freed by
 * ald_candidates_free, also after a failure. */
ald_status ald_search_candidates(ald_run *run, const ald_matrix *x, const ald_target *y,
                                 const ald_search *search, ald_candidates **candidates);

#endif
