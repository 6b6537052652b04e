/* A comparison while it is made: its plan, its units, the rounds of its work, the rows of a split that a lane
 * has in hand, the race, and candidates that choose. ald_compare_inside serves ald_compare, ald_tune, and an
 * evaluation inside a training part. */
#ifndef ALD_COMPARE_COMPARING_H
#define ALD_COMPARE_COMPARING_H

#include "base/core/pool.h"
#include "base/core/tryout.h"
#include "base/threads/pacing.h"
#include "judge/cells/cell.h"
#include "judge/cells/folds.h"
#include "judge/cells/journal.h"
#include "judge/cells/maps.h"
#include "judge/cells/rotation.h"
#include "judge/compare/comparison.h"

/* What is compared and how, with nothing left open. Candidates are those of an ald_candidates: whole, with
 * settings, words, labels and inner splits. */
typedef struct ald_compare_plan {
    const ald_candidate *candidates;
    int count;
    ald_splits_options splits;
    const char *metric;
    int fill_missing, keep_predictions;
    ald_journal *journal;  /* where finished cells are kept and found; NULL: nowhere */
    double (*clock)(void); /* NULL: not timed */
    int race; /* rows that are behind are not tried on all splits (choose.c); there is one candidate then */
    int race_inside, trial_inside; /* the same two where candidates choose */
    int trial;                     /* only figures are wanted, not the fits (core/tryout.h) */
    int only_metric;               /* of the figures only the metric (cells/cell.h) */
    int again;   /* other splits of these rows were judged before, and their equal rows warned of */
    int partial; /* when the time is up (threads/deadline.h) what is done is the result; else it is an error
                  */
} ald_compare_plan;

/* Its threads are the run's. */
ald_status ald_compare_inside(ald_run *run, const ald_subset *data, const ald_compare_plan *plan,
                              ald_comparison **comparison);
/* That X and target can be read at all. */
ald_status ald_compare_check_data(ald_run *run, const ald_subset *data);
/* That the data and the candidates can be compared at all, which ald_compare_inside does first. */
ald_status ald_compare_check(ald_run *run, const ald_subset *data, const ald_compare_plan *plan);

/* Gives the run a deadline where `seconds` is not 0; what is no number of seconds is refused. */
ald_status ald_time_limit_begin(ald_run *run, double seconds, double (*timer)(void), ald_deadline *deadline);

/* What one fit serves: a candidate with one of its settings, or with several in turn that differ in the
 * predictor alone; or one that chooses (setting -1). Its `n_rows` rows begin with those of its first setting.
 */
typedef struct ald_unit {
    const ald_candidate *candidate;
    int number;
    int setting, n_settings; /* the first of them, and how many */
    int n_dims;              /* rows of each */
    int first_row, n_rows;
    ald_key key;
} ald_unit;

typedef struct ald_comparing {
    ald_run *run;
    const ald_subset *data;
    const ald_compare_plan *plan;
    ald_comparison *result;
    ald_unit *units;
    int64_t n_units;
    struct ald_lane *lanes;
    ald_sums_fit *fits; /* what is fitted in every split, where nothing chooses */
    int64_t n_fits;
    ald_sums sums;
    int by_products;         /* test rows are projected by products: they may stay on a card */
    int on_card;             /* so may the training rows, and X is there */
    int64_t *left;           /* per row: after how many splits it left the race, 0: it is in it */
    unsigned char *finished; /* units x splits */
    int64_t first, n_racing; /* of the round: its first split, and how many units take part */
    int64_t *racing;         /* which */
    int looks;               /* of the race that were taken */
    ald_pace pace;           /* what a unit takes in a split, by its number */
    const char **stages;     /* what the progress says of a unit */
    ald_key key;             /* of the data */
} ald_comparing;

/* Checks the candidates and lists what there is to do; makes room for the rows and cells of the result. */
ald_status ald_comparing_list(ald_comparing *c);
/* The number of directions of row k of a unit: 0 for a baseline, -1 where it is chosen. */
int64_t ald_unit_dims(const ald_unit *unit, int k);
/* The setting of row k of a unit. */
int ald_unit_setting(const ald_unit *unit, int k);
/* The most directions that are fitted. */
int64_t ald_unit_most(const ald_unit *unit);
/* What is fitted in one split by setting number `at` of the unit. */
ald_cell_plan ald_unit_plan(const ald_comparing *c, const ald_unit *unit, int at);
/* Whether it learns also from rows without a target: some of its methods can. */
int ald_unit_uses_unlabelled(const ald_unit *unit);
/* Whether its settings take rows with cells without a value as they are. */
int ald_unit_wants_gaps(const ald_unit *unit);
/* Whether cells that were kept can be those of this unit. */
int ald_unit_could_be(const ald_comparing *c, const ald_unit *unit, const ald_cell *cells);

/* Candidates that can be compared at all: settings, and dims that rise. */
ald_status ald_candidate_check(ald_run *run, const ald_candidate *candidate);
/* That none of them prepares rows of which a feature is categories (NULL: none is). */
ald_status ald_candidates_check_rows(ald_run *run, const ald_candidate *candidates, int count,
                                     const char *categorical);

/* Fills all cells. Where the time is up and the plan takes what is done by then, it is as if there were only
 * the splits that all have finished. */
ald_status ald_rounds_run(ald_comparing *c);

/* What a lane of jobs has in hand: the rows of one split, copied once for all jobs of that split. */
typedef struct ald_lane {
    ald_run run;       /* context NULL: not begun */
    ald_tryout tryout; /* where fits are only tried */
    ald_pool pool;     /* what fits of one split shared is room for the same of the next */
    ald_error error;
    const struct ald_held *held; /* what its caller has on a card */
    int64_t split;               /* -1: none */
    ald_subset train[2], test;   /* train: the rows that have a target, and all */
    /* The same before cells without a value were filled: for choosing inside, and for settings that want
     * them. */
    ald_subset gappy[2], gappy_test;
    int64_t *groups;   /* of train[0] */
    int64_t *same;     /* of a fold's rows, or those on a card: numbers that equal rows share; or NULL */
    ald_status status; /* of the preparation, which every cell of the split reports */
    ald_fold fold;     /* where there are sums: it has the training rows then, and train is not used */
    int has_fold;
    ald_rotations rotations; /* of train or gappy */
    ald_maps maps;
} ald_lane;

/* Takes the rows of a split, unless it has them. Negative for want of memory only; else see `status`. */
ald_status ald_lane_prepare(const ald_comparing *c, ald_lane *lane, const ald_run *outer, int64_t split);
/* After the last split. */
void ald_lane_close(ald_lane *lane);
/* Rows of a list that have a target, moved to its front; how many they are. */
int64_t ald_keep_labelled(const ald_target *y, int64_t *rows, int64_t n);

/* The number of splits at the next look after `done` of them; `splits` where there is none. */
int64_t ald_race_next(const ald_candidate *candidate, int64_t splits, int64_t done);
/* After a look: of the units in the race that cost something, `stay` stay, and the best of each method. */
ald_status ald_race_halve(ald_comparing *c, int64_t done, int64_t stay);

/* Whether the fits of a unit take next to no time. */
int ald_unit_is_quick(const ald_comparing *c, const ald_unit *unit);
/* What a unit costs in one split, in operations, above 0. A first guess: the times of finished jobs replace
 * it (threads/pace.h). */
double ald_unit_cost(const ald_comparing *c, const ald_unit *unit);
/* left[row]: 0 in the race, else after how many splits it left; `done` for those that leave now. The
 * comparison is of the one candidate. */
ald_status ald_race_look(ald_run *run, const ald_comparison *comparison, const ald_candidate *candidate,
                         int64_t done, int64_t *left);

typedef struct ald_choosing {
    const ald_candidate *candidate;
    const ald_metric *metric;
    double (*clock)(void);
    const ald_subset *train;
    /* Training and test part with cells without a value, which are filled inside anew; NULL: there are none.
     */
    const ald_subset *gappy, *gappy_test;
    double *const *scores; /* of its one cell, as in ald_cell_plan; NULL: not wanted */
    int race, trial;       /* as in ald_compare_plan, inside */
    const int64_t *groups; /* of its rows, which are kept together inside too; NULL: none */
} ald_choosing;

/* Compares all pairs of settings and dims by candidate->inner on the training rows, takes one by
 * candidate->rule (rule.c), fits it on all of them and judges it on the test part. Result as
 * ald_cells_judge's, one cell, with what was chosen; its fit_seconds are those of the last fit. */
ald_status ald_choose(ald_run *run, const ald_choosing *choosing, const ald_subset *test, ald_cell *cell);

#endif
