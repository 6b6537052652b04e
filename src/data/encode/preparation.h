/* From a table to X and target, in steps that share one state:
 *
 *   roles (roles.c, or match.c by the schema of a model): which column is what;
 *   response (response.c): target cells taken out of the table, unlabelled rows found;
 *   missing (missing.c): rows to drop, values to fill in;
 *   groups (groups.c): groups of rows and given parts;
 *   target (target.c, labels.c): the task decided, classes and labels encoded;
 *   encode (encode.c): X, in place where the width allows;
 *   schema (schema.c): all of it written down for new files.
 *
 * What stays goes to the dataset's memory, which is also the arena of the table; the rest is scratch. */
#ifndef ALD_ENCODE_PREPARATION_H
#define ALD_ENCODE_PREPARATION_H

#include "data/encode/dataset.h"
#include "data/levels/categories.h"

typedef enum ald_missing_policy {
    ALD_MISSING_ERROR = 0,
    ALD_MISSING_DROP = 1,
    ALD_MISSING_MEAN = 2,
    ALD_MISSING_NIPALS = 3, /* they stay NaN in X, for methods that can do without them */
} ald_missing_policy;
typedef enum ald_task {
    ALD_TASK_AUTO = 0,
    ALD_TASK_REGRESSION = 1,
    ALD_TASK_CLASSIFICATION = 2,
    ALD_TASK_MULTILABEL = 3,
} ald_task;

typedef enum ald_dates { ALD_DATES_IGNORE = 0, ALD_DATES_NUMBERS = 1, ALD_DATES_CATEGORIES = 2 } ald_dates;

/* A column that becomes a feature (several columns of X when it is categorical and one-hot). */
typedef struct ald_feature {
    int64_t column; /* in the table; -1: a sparse file that does not reach so far */
    int categorical;
    int by_text;                /* it is categorical because its cells are texts: nobody said so */
    ald_categories *categories; /* of a categorical one, once the rows are known that stay */
    double fill; /* for missing cells: the mean, or the code of the most frequent level; NaN: unknown */
    const double *means; /* of a categorical one: those of its columns of X; NULL: unknown */
    int64_t n_unseen;    /* rows with a category that is not among those of the model */
    double unseen;       /* the cell of the first of them */
    int several_unseen;  /* not all of them have that one */
} ald_feature;

/* The target cells, kept rows x count, row major; texts and missing cells as in the table. */
typedef struct ald_response {
    int64_t rows, count;
    double *cells;
    ald_column **columns; /* `count`, never NULL */
    const ald_table *table;
    unsigned char *labelled; /* one byte per row; NULL: all are */
    int64_t n_unlabelled;
} ald_response;

typedef struct ald_schema ald_schema;

typedef struct ald_preparation {
    const ald_load_options *options;
    ald_table *table;
    ald_dataset *dataset;
    const ald_schema *schema; /* of the model whose data the new rows are read like; NULL: none */
    ald_task task;
    ald_missing_policy missing;
    ald_dates dates;
    int ordinal;
    int drop_unlabelled;
    int unseen_is_error;
    ald_feature *features;
    int64_t n_features;
    ald_table *target_table; /* `table`, or that of the second file; NULL: no target */
    int64_t *targets;        /* columns of the target table */
    int64_t n_targets;
    int has_event;   /* the last of them tells whether the event came */
    int use_labels;  /* the target is the table's svmlight labels */
    int64_t weights; /* column of the table, -1: none */
    int64_t *ignored;
    int64_t n_ignored;
    int64_t *groups; /* columns of the table */
    int64_t n_groups;
    int64_t *ids; /* columns of the table that name its rows */
    int64_t n_ids;
    ald_table *split_table; /* `table`, or that of the second file; NULL: no split is given */
    int64_t split;          /* column of it */
    unsigned char *dropped; /* one byte per row of the table; NULL: none is */
    int64_t rows;           /* that are kept */
    ald_response response;
} ald_preparation;

/* The row of the table that row `kept` of X and target comes from. */
int64_t ald_kept_row(const ald_preparation *p, int64_t kept);

/* Whether all cells of the features are known to be finite numbers, and the features are columns in their
 * order. */
int ald_features_are_plain(const ald_preparation *p);

/* The feature of each column of the table, in scratch; -1: it is none. */
ald_status ald_features_of(ald_run *run, const ald_preparation *p, int64_t **feature_of);

/* Before a loop over all features: a sparse file may claim 10^9 of them. */
ald_status ald_ask_for_features(ald_run *run, const ald_preparation *p);

/* Writes the task note, and after it how many rows are unlabelled. */
ald_status ald_note(ald_run *run, ald_preparation *p, const char *format, ...) ALD_PRINTF(3, 4);

/* The steps, in the order in which they run. */
ald_status ald_prepare(ald_run *run, ald_preparation *p);

/* roles.c: which column is what, by the load options. */
enum {
    ALD_ROLE_FEATURE = 0,
    ALD_ROLE_TARGET,
    ALD_ROLE_WEIGHTS,
    ALD_ROLE_IGNORED,
    ALD_ROLE_GROUPS,
    ALD_ROLE_SPLIT,
    ALD_ROLE_ID,
};
ald_status ald_prepare_choices(ald_run *run, ald_preparation *p);
ald_status ald_prepare_second_files(ald_run *run, ald_preparation *p);
/* The columns that name the rows: by the option, with or without a model to read like. */
ald_status ald_prepare_ids(ald_run *run, ald_preparation *p);
/* The columns of groups, likewise. */
ald_status ald_prepare_group_columns(ald_run *run, ald_preparation *p);
ald_status ald_prepare_roles(ald_run *run, ald_preparation *p);

/* match.c: whether the rows are added to others of the same table, and not read for a model. */
int ald_are_added(const ald_preparation *p);
/* The roles by the schema of a model. */
ald_status ald_prepare_match(ald_run *run, ald_preparation *p);
/* The error for a sparse table with more columns than the model: names the row that has the first of them. */
ald_status ald_refuse_wide(ald_run *run, const ald_table *table, int64_t columns);

/* response.c: target cells and weights, taken out of the table; then the dropped rows taken out of them. */
ald_status ald_prepare_response(ald_run *run, ald_preparation *p);
void ald_response_compress(ald_response *response, const unsigned char *dropped);
ald_status ald_prepare_weights(ald_run *run, ald_preparation *p);
/* Times and events: the response keeps the times; events one byte per row, `what` says how many. */
ald_status ald_take_events(ald_run *run, ald_preparation *p, unsigned char **events, char *what, size_t size);

/* missing.c: an error for the first infinite cell of a column that is in use; rows without a target or with
 * holes marked as dropped; fills. */
ald_status ald_refuse_infinite(ald_run *run, const ald_preparation *p);
ald_status ald_prepare_dropped(ald_run *run, ald_preparation *p);
ald_status ald_prepare_fills(ald_run *run, ald_preparation *p);
/* Whether cells without a value stay NaN in X. */
int ald_keeps_missing(const ald_preparation *p);

/* groups.c: groups and given parts of the rows that stay, before the cells are written over. */
ald_status ald_prepare_groups(ald_run *run, ald_preparation *p);

/* target.c: dataset->target, response_names and task_note. */
ald_status ald_prepare_target(ald_run *run, ald_preparation *p);
/* Rows of a class that the model does not know, which are left out where they are only judged: one byte per
 * row of the table in scratch, and how many; 0 also where all rows are such. */
ald_status ald_find_unknown_classes(ald_run *run, const ald_preparation *p, unsigned char **unknown,
                                    int64_t *count);
/* labels.c: the same for svmlight files with lists of labels. These have no column of cells: their response
 * is the labelled mask alone. */
int ald_has_label_lists(const ald_preparation *p);
ald_status ald_prepare_label_rows(ald_run *run, ald_preparation *p);
ald_status ald_prepare_labels(ald_run *run, ald_preparation *p);

/* encode.c: dataset->x, dense or from the CSR arrays of the table, and its names. */
ald_status ald_prepare_x(ald_run *run, ald_preparation *p);
/* The means of the columns of X that a variable with such counts of its levels becomes; NULL in `means`: they
 * are not known. */
ald_status ald_level_means(ald_run *run, const double *counts, int64_t n_levels, int ordinal,
                           const double **means);

#endif
