/* From a table to X and target, in steps that share one state:
 *
 *   roles (roles.c, or match.c by the schema of a model): which column is what;
 *   response (response.c): target cells taken out of the table, unlabelled rows found;
 *   missing (missing.c): rows to drop, values to fill in;
 *   groups (groups.c): groups of rows and given parts;
 *   target (target.c, labels.c): the task decided, classes and labels encoded;
 *   encode (encode.c, encode_sparse.c): X, in place where the width allows;
 *   schema (schema.c): all of it written down for new files.
 *
 * What stays goes to the dataset's memory, which is also the arena of the table; the rest is scratch. */
#ifndef ALD_DATA_PREPARE_H
#define ALD_DATA_PREPARE_H

#include "data/dataset.h"

typedef enum ald_missing_policy {
    ALD_MISSING_ERROR = 0,
    ALD_MISSING_DROP = 1,
    ALD_MISSING_MEAN = 2
} ald_missing_policy;
typedef enum ald_task {
    ALD_TASK_AUTO = 0,
    ALD_TASK_REGRESSION = 1,
    ALD_TASK_CLASSIFICATION = 2,
    ALD_TASK_MULTILABEL = 3
} ald_task;

/* The categories of a column (or the classes of a target) in the order of their codes, and the way from a cell to its
 * code. */
typedef struct ald_categories {
    int64_t count;
    char **levels;       /* their names, in the dataset's memory */
    int64_t commonest;   /* code of the most frequent one, the first of several */
    int64_t *text_codes; /* code of text k of the table's column, -1: none; NULL: no texts */
    int64_t n_texts;
    int64_t n_numbers;
    double *numbers; /* rising */
    int64_t *number_codes;
} ald_categories;

/* A column that becomes a feature (several columns of X when it is categorical and one-hot). */
typedef struct ald_feature {
    int64_t column; /* in the table; -1: a sparse file that does not reach so far */
    int categorical;
    int by_text;                /* it is categorical because its cells are texts: nobody said so */
    ald_categories *categories; /* of a categorical one, once the rows are known that stay */
    double fill;                /* for missing cells: the mean, or the code of the commonest level; NaN: unknown */
} ald_feature;

/* The target cells, kept rows x count, row major; texts and missing cells as in the table. */
typedef struct ald_response {
    int64_t rows, count;
    double *cells;
    ald_column **columns; /* `count`, never NULL */
    const ald_table *table;
    unsigned char *labelled; /* one byte a row; NULL: all are */
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
    int ordinal;
    int drop_unlabelled;
    ald_feature *features;
    int64_t n_features;
    ald_table *target_table; /* `table`, or that of the second file; NULL: no target */
    int64_t *targets;        /* columns of the target table */
    int64_t n_targets;
    int use_labels;  /* the target is the table's svmlight labels */
    int64_t weights; /* column of the table, -1: none */
    int64_t *ignored;
    int64_t n_ignored;
    int64_t *groups; /* columns of the table */
    int64_t n_groups;
    ald_table *split_table; /* `table`, or that of the second file; NULL: no split is given */
    int64_t split;          /* column of it */
    unsigned char *dropped; /* one byte a row of the table; NULL: none is */
    int64_t rows;           /* that are kept */
    ald_response response;
} ald_preparation;

/* Where a cell is, for messages: "line 7, column 3 ('width')" or "row 7, column 3". `line` 0: that of the row, if the
 * table knows it. `row` from 0. */
typedef struct ald_place {
    char text[160];
} ald_place;
ald_place ald_cell_place(const ald_table *table, int64_t row, int64_t column, int64_t line);
/* "'width'" or "column 3". */
ald_place ald_column_label(const ald_table *table, int64_t column);
/* "line 7" or "row 7". */
ald_place ald_row_place(const ald_table *table, int64_t row);
/* The row of the table that row `kept` of X and target comes from. */
int64_t ald_kept_row(const ald_preparation *p, int64_t kept);

/* groups.c: groups and given parts of the rows that stay, before the cells are written over. */
ald_status ald_prepare_groups(ald_run *run, ald_preparation *p);

/* roles.c */
ald_status ald_prepare_choices(ald_run *run, ald_preparation *p);
ald_status ald_prepare_second_files(ald_run *run, ald_preparation *p);
ald_status ald_prepare_roles(ald_run *run, ald_preparation *p);
/* An error when all texts of the column are numbers with a decimal comma, which nobody means as categories. */
ald_status ald_refuse_commas(ald_run *run, const ald_table *table, int64_t column);

/* match.c: the roles by the schema of a model. */
ald_status ald_prepare_match(ald_run *run, ald_preparation *p);
/* The error for a sparse table with more columns than the model: names the row that has the first of them. */
ald_status ald_refuse_wide(ald_run *run, const ald_table *table, int64_t columns);

/* categories.c. `first` is the first cell of the column, the others `stride` apart; `dropped` as above. */
ald_status ald_categories_find(ald_run *run, ald_arena *arena, const ald_column *column, int all_levels,
                               const double *first, int64_t stride, int64_t rows, const unsigned char *dropped,
                               ald_categories **categories);
/* Categories that are known already, for a column of a new table. */
ald_status ald_categories_match(ald_run *run, const ald_column *column, char **levels, int64_t count,
                                ald_categories **categories);
/* The code of a cell, -1: not among them. */
int64_t ald_category_of(const ald_categories *categories, double cell);
/* Whether most of the rows have a level of their own: names and dates, not categories. */
int ald_too_many_levels(const ald_categories *categories, int64_t rows);
/* The first few names of a list, for messages. */
ald_status ald_names_listed(ald_run *run, char *const *names, int64_t count, const char **text);
/* The text of a cell as a person would write it. */
const char *ald_cell_shown(const ald_column *column, double cell, char *buffer, size_t size);

/* response.c */
ald_status ald_prepare_response(ald_run *run, ald_preparation *p);
/* Takes the dropped rows out of it. */
void ald_response_compress(ald_response *response, const unsigned char *dropped);
ald_status ald_prepare_weights(ald_run *run, ald_preparation *p);

/* infinite.c: an error for the first infinite cell of a column that is in use. */
ald_status ald_refuse_infinite(ald_run *run, const ald_preparation *p);

/* missing.c: rows without a target or with holes are marked as dropped, fills are computed. */
ald_status ald_prepare_dropped(ald_run *run, ald_preparation *p);
ald_status ald_prepare_fills(ald_run *run, ald_preparation *p);

/* target.c, labels.c: fill in dataset->target, response_names and task_note. */
ald_status ald_prepare_target(ald_run *run, ald_preparation *p);
/* svmlight files with lists of labels do not have a column of cells: their response is the labelled mask alone. */
int ald_has_label_lists(const ald_preparation *p);
ald_status ald_prepare_label_rows(ald_run *run, ald_preparation *p);
ald_status ald_prepare_labels(ald_run *run, ald_preparation *p);
/* Writes the task note, and after it how many rows are unlabelled. */
ald_status ald_note(ald_run *run, ald_preparation *p, const char *format, ...) ALD_PRINTF(3, 4);

/* encode.c, encode_sparse.c: dataset->x. */
ald_status ald_prepare_dense(ald_run *run, ald_preparation *p);
ald_status ald_prepare_sparse(ald_run *run, ald_preparation *p);
/* Gives a sparse table cells instead: for categorical columns. */
ald_status ald_table_make_dense(ald_run *run, ald_table *table);
ald_status ald_prepare_names(ald_run *run, ald_preparation *p);

#endif
