/* Files: reading tables into X and target, writing results, splitting, converting, generating synthetic
 * sets. */
#ifndef ALIDADE_DATASET_H
#define ALIDADE_DATASET_H

#include <alidade/context.h>
#include <alidade/matrix.h>
#include <alidade/model.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ald_dataset ald_dataset;

/* How to read a file. Begin with ALD_LOAD_OPTIONS_INIT, then set what differs: NULL and 0 mean the default.
 * Columns are given by name, as #3 (or plain 3 if no column has that name), or as a range A..B; several are
 * separated by commas. */
typedef struct ald_load_options {
    size_t size;
    const char *format;      /* csv tsv xlsx npy svmlight mtx arff mat; NULL: by the file's name */
    const char *delimiter;   /* csv: one character, or "tab"; NULL: detected */
    const char *header;      /* csv: "yes", "no"; NULL: detected */
    const char *comment;     /* csv: lines that begin with this character are skipped; NULL: none */
    const char *target;      /* target columns */
    const char *target_file; /* a second file with the target (npy, mtx, csv) */
    const char *graph_file;  /* an n x n matrix of neighbour weights (mtx, npy, csv) */
    /* An n x n matrix of distances between the targets, or a list of pairs (mtx). */
    const char *distances_file;
    const char *unlabelled_file; /* a file of additional rows without a target, with the same columns */
    const char *x_variable;      /* mat: variable that holds X */
    const char *y_variable;      /* mat: variable that holds the target */
    const char *task;            /* "auto", "regression", "classification", "multilabel" */
    const char *weights;         /* column with the weight of each row */
    const char *ignore;          /* columns to leave out */
    const char *categorical;     /* columns to treat as categorical although their cells are numbers */
    const char *encode;          /* "onehot", "ordinal" */
    const char *missing;         /* "error", "drop", "mean", or "nipals": NaN in X, for `gaps=1` */
    const char *groups;     /* columns whose equal cells form a group (ald_dataset_groups); not features */
    const char *split;      /* column that assigns rows to parts (ald_dataset_parts); not a feature */
    const char *split_file; /* the same from a second file, one value per row */
    const char *unlabelled_rows; /* "error" (kept and masked; the fit decides), "drop" */
    const char *id;   /* columns with the names of the rows (ald_dataset_row_name), joined by "/" if there are
                         several; not features, and never read as numbers. With `like`: those of the model, if
                         the file has them, unless others are given */
    int prefer_real;  /* task auto: whole numbers are a numeric response, for methods that take no other */
    int keep_missing; /* with missing "mean": missing cells stay NaN in X, to be filled later */
    int keep_zeros;   /* mtx: explicit zeros stay stored */
    int64_t block_bytes; /* streaming: size of a block; 0: 2 MB, more for long rows */
    /* Read the file like the one this model was fitted on: the same columns, encoding, target and classes.
     * The target may be absent. The other options are ignored, except those about the format, `missing`,
     * `target_file`, `groups`, `unlabelled_rows` and `unseen`. */
    const ald_model *like;
    int no_target; /* with `like`: leave out the target, whatever its columns contain; for rows that are only
                      projected */
    /* With `like`, for rows that will be fitted: the model's weight column is read and must be present; a
     * class that the model does not know is appended to its classes. */
    int with_weights;
    int new_classes;
    /* MATLAB files of version 7.3 are read by the HDF5 library, which a damaged file can crash. "refuse"
     * (NULL); "child": read them in a separate process, with limits; "trust": read them in this process. */
    const char *hdf5;
    /* With `like`: a category that the model's rows did not have. "mean" (the default): the variable is set
     * to its mean in that row, and the row is counted in a warning; "error" (the default for rows that will
     * be fitted: with_weights, new_classes). */
    const char *unseen;
    /* Columns whose cells are kept as text beside X, to be written with results (ald_dataset_kept_text); they
     * may be features too. Also with `like`; the columns of `id` are always kept. */
    const char *keep;
    /* Cells of csv files. These options are stored in the model, so that new files are read the same way. */
    /* "point", "comma"; NULL: detected; a comma only if it does not separate cells. */
    const char *decimal;
    const char *na; /* texts that mark a missing value, separated by commas; NULL: NA, N/A, NaN, null (in any
                       case), "?", and - and . unless they are one of two levels. An empty cell is always
                       missing */
    /* Columns of dates (2026-01-31, optionally followed by a time): "ignore" (NULL) leaves them out,
     * "numbers" converts them to days since 1970, "categories" treats them like any text. */
    const char *dates;
    int transpose; /* the columns of the file are the rows: its first line names them, its first column names
                      the features */
    int64_t skip;  /* csv: number of lines to skip before the table */
    /* csv: the thousands separator, one of , . ' or "blank", stored in the model like `decimal`; NULL: none,
     * and numbers that contain one are refused. */
    const char *thousands;
    /* On several ranks (<alidade/ranks.h>): load only this rank's portion of the rows; csv, tsv, svmlight,
     * npy. */
    int portion;
    /* Streaming: text is parsed once and the rows are kept for later passes. "auto" (NULL): in memory, if all
     * of them take at most a quarter of what the context may use (`max_memory`); "file": if they take more,
     * in an unnamed file in the folder of `keep_beside` (NULL: that of the data); "none". */
    const char *keep_rows;
    const char *keep_beside;
    /* Streaming: the path of a checkpoint, in which a survey and the fit that follows save their progress
     * from time to time; further files beside it have names that begin with it. After any interruption the
     * same calls resume from there; another number of ranks begins anew. Once the model is saved,
     * ald_checkpoint_remove deletes the files. NULL: no checkpoint. */
    const char *checkpoint;
    double checkpoint_seconds; /* at most this long between two saves; 0: 30 */
    /* svmlight, mtx: the most columns that a file may claim; 0: 2^20, or 1024 for each entry that it has. A
     * column costs memory whether it has entries or not. */
    int64_t max_columns;
    int64_t max_line; /* text: the most bytes of a line; 0: 2^26 */
    /* xlsx: the sheet that is read, by its name or its number from 1; NULL: the first that is not hidden. */
    const char *sheet;
    /* Column of 1 (died) and 0 (censored): the target is the time until then. */
    const char *event;
    const char *response_kernel_file; /* an n x n kernel of the targets (`response_kernel=given`) */
    const char *start_file; /* directions to start from, a row of as many numbers as X has columns for each */
} ald_load_options;
#define ALD_LOAD_OPTIONS_INIT ALD_INIT(ald_load_options)

/* "-" is standard input; give its format then, or it is read as csv. */
ALD_API ald_status ald_dataset_load(ald_context *context, const char *path, const ald_load_options *options,
                                    ald_dataset **dataset, ald_error *error);
/* A dataset of arrays in memory, for every function that takes one. With `copy` 0 it only refers to the
 * arrays: keep them unchanged for its lifetime. Names are always copied. */
ALD_API ald_status ald_dataset_from_arrays(ald_context *context, const ald_inputs *inputs, int copy,
                                           ald_dataset **dataset, ald_error *error);
/* A column of a table in memory: numbers, or texts as indices into a list. Begin with
 * ALD_TABLE_COLUMN_INIT. */
typedef struct ald_table_column {
    size_t size;
    const char *name;      /* NULL: unnamed */
    const double *numbers; /* one per row, NaN where missing; NULL: the cells are texts */
    int64_t stride;        /* numbers: distance between rows, in elements; 0: 1 */
    /* Texts: the distinct ones, and the index of each row's text, from 0; negative: missing. */
    const char *const *levels;
    int64_t n_levels;
    const int64_t *codes;
} ald_table_column;
#define ALD_TABLE_COLUMN_INIT ALD_INIT(ald_table_column)
/* The dataset that a csv file with these cells would give, with the same schema: texts are interpreted as
 * numbers, missing cells, codes, dates or categories in the same way. Options about the layout of files are
 * refused. The columns are copied. */
ALD_API ald_status ald_dataset_from_columns(ald_context *context, const ald_table_column *columns,
                                            int64_t count, int64_t rows, const ald_load_options *options,
                                            ald_dataset **dataset, ald_error *error);
ALD_API void ald_dataset_free(ald_dataset *dataset);

/* Views into the dataset, valid while it lives. */
ALD_API const ald_matrix *ald_dataset_x(const ald_dataset *dataset);
ALD_API const ald_target *ald_dataset_target(const ald_dataset *dataset); /* kind NONE if there is none */
ALD_API const char *ald_dataset_feature_name(const ald_dataset *dataset, int64_t column); /* NULL: unnamed */
/* Whether columns of X stand for the levels of a column of categories. */
ALD_API int ald_dataset_has_categories(const ald_dataset *dataset);
/* The name of a row, from the column `id` of the file or from the arrays; NULL: unnamed. */
ALD_API const char *ald_dataset_row_name(const ald_dataset *dataset, int64_t row);
/* Columns that were kept as texts: those of `id`, then those of `keep`. */
ALD_API int64_t ald_dataset_kept_count(const ald_dataset *dataset);
ALD_API const char *ald_dataset_kept_name(const ald_dataset *dataset, int64_t kept); /* NULL: unnamed */
/* The cell in row `file_row` of the file, from 0; "" where it has no value. */
ALD_API const char *ald_dataset_kept_text(const ald_dataset *dataset, int64_t kept, int64_t file_row);
/* The number of rows of the file, some of which may have been left out, and the file row of row `row` of
 * X. */
ALD_API int64_t ald_dataset_file_rows(const ald_dataset *dataset);
ALD_API int64_t ald_dataset_file_row(const ald_dataset *dataset, int64_t row);
/* Name of response or label `index` (for classes, the name of the target column); NULL: unnamed. */
ALD_API const char *ald_dataset_response_name(const ald_dataset *dataset, int64_t index);
/* One number per row, from 0; rows of one group have the same number. NULL: groups were not requested. */
ALD_API const int64_t *ald_dataset_groups(const ald_dataset *dataset);
/* The part of each row, from 0 to *n_parts - 1: the values of the split column or file, in order. NULL: there
 * is none. If the values are train and test, or 0 and 1, *test_part is 1 + the number of the only part to
 * test on, otherwise 0. */
ALD_API const int64_t *ald_dataset_parts(const ald_dataset *dataset, int64_t *n_parts, int64_t *test_part);
/* For rows divided among ranks (`portion`): a dataset with the target of all of them, in order, and without
 * columns. On ranks other than 0 it has only the kind of target and no rows. Weights are left out. */
ALD_API ald_status ald_dataset_gather_target(ald_context *context, const ald_dataset *dataset,
                                             ald_dataset **all, ald_error *error);
/* How the target was interpreted (classes, numbers, labels) and why, in a sentence. */
ALD_API const char *ald_dataset_task_note(const ald_dataset *dataset);

/* Like ald_fit, and also stores names, encoding and task in the model so that new files are read the same
 * way. */
ALD_API ald_status ald_fit_dataset(ald_context *context, const ald_settings *settings,
                                   const ald_dataset *dataset, ald_model **model, ald_error *error);

/* A new model with the rows of `dataset` added to (or, with `take_away`, removed from) those that `model` was
 * fitted on, computed from the statistics it keeps (setting keep_statistics). The result equals a fit to all
 * rows, to rounding; slices of a real response keep their boundaries. Load the dataset like the model, with
 * its weights (with_weights) and, when adding rows, with classes that are new to it (new_classes). */
ALD_API ald_status ald_update(ald_context *context, const ald_model *model, const ald_dataset *dataset,
                              int take_away, ald_model **updated, ald_error *error);

/* Files larger than memory: csv, tsv, svmlight and npy (C order) are read in blocks. The survey is a dataset
 * of a few rows that describes all columns; `rows` receives the number of rows, without those left out. */
ALD_API ald_status ald_dataset_survey(ald_context *context, const char *path, const ald_load_options *options,
                                      ald_dataset **survey, int64_t *rows, ald_error *error);
/* The same model as ald_fit_dataset of all rows, to rounding, for methods that have ALD_CAN_STREAM: up to
 * 5000 columns from moments summed over the blocks, beyond that by products with X, each of which reads the
 * file once. `survey` must come from the same file and options. */
ALD_API ald_status ald_fit_stream(ald_context *context, const ald_settings *settings, const char *path,
                                  const ald_load_options *options, const ald_dataset *survey,
                                  ald_model **model, ald_error *error);

/* From now on, messages of functions that are given the X of this dataset refer to rows of its file, counted
 * over all ranks if it is the portion of one (`portion`). For such an X, ald_explained, ald_importance and
 * ald_subspace_angles measure the rows of all ranks, which must all make the same call: `y` is then the
 * target of all rows (ald_dataset_gather_target) on rank 0, without weights, and NULL elsewhere, and rank 0
 * receives the results. The dataset must stay unchanged until the next call; NULL ends this. */
ALD_API ald_status ald_context_set_rows(ald_context *context, const ald_dataset *dataset, ald_error *error);

/* Removes the files of a `checkpoint`, if they exist. A file of that name that is not a checkpoint is an
 * error. */
ALD_API ald_status ald_checkpoint_remove(ald_context *context, const char *path, ald_error *error);

/* The method that `auto` stands for with this dataset, and why, in a sentence written to `reason`. */
ALD_API const char *ald_method_auto(const ald_dataset *dataset, char *reason, size_t reason_size);

/* Writes an n x m row-major matrix in the format given by the ending of the path: .csv, .tsv, .npy; anything
 * else and "-" as csv. `header` has m names, or is NULL. */
ALD_API ald_status ald_write_matrix(ald_context *context, const char *path, const double *values,
                                    int64_t rows, int64_t cols, const char *const *header, ald_error *error);
/* The same with texts: levels[j] is NULL, or a NULL-terminated list of texts that replace the numbers of
 * column j, from 0. For csv and tsv; NULL: all columns are numbers. NaN is an empty cell. */
ALD_API ald_status ald_write_table(ald_context *context, const char *path, const double *values, int64_t rows,
                                   int64_t cols, const char *const *header, const char *const *const *levels,
                                   ald_error *error);
/* The same for rows divided among ranks (<alidade/ranks.h>), each of which passes its own: one file, in the
 * order of the ranks. `total` (may be NULL) receives its number of rows. */
ALD_API ald_status ald_write_portions(ald_context *context, const char *path, const double *values,
                                      int64_t rows, int64_t cols, const char *const *header,
                                      const char *const *const *levels, int64_t *total, ald_error *error);
/* Writes the text to a temporary file and renames it, so that the file is either complete or absent. "-" is
 * standard output. */
ALD_API ald_status ald_write_text(ald_context *context, const char *path, const char *text, size_t size,
                                  ald_error *error);

/* Whether two paths lead to the same file, through different spellings or links, even if it does not exist
 * yet. */
ALD_API int ald_same_file(const char *a, const char *b);

/* Reads one file and writes the other, in the format given by its ending (.csv .tsv .npy .svm; text also
 * .gz). */
ALD_API ald_status ald_convert(ald_context *context, const char *from, const char *to,
                               const ald_load_options *options, ald_error *error);

typedef struct ald_split_file_options {
    size_t size;
    double train;       /* fraction of the rows for training, 0 < train < 1 */
    int stratify;       /* preserve the class proportions of load.target */
    const char *groups; /* columns whose equal cells stay together; "duplicates": rows that are equal in all
                           cells; NULL: none */
    uint64_t seed;
    /* How to read the file; `target` names the column to stratify by. NULL: all columns, unchanged. */
    const ald_load_options *load;
} ald_split_file_options;
#define ALD_SPLIT_FILE_OPTIONS_INIT ALD_INIT(ald_split_file_options)
/* Splits the rows of a file at random into two files; neither is written unless both can be. */
ALD_API ald_status ald_split_file(ald_context *context, const char *path,
                                  const ald_split_file_options *options, const char *train_path,
                                  const char *test_path, int64_t *train_rows, int64_t *test_rows,
                                  ald_error *error);

/* The synthetic sets of docs/synthetic.md. Parameters that a set does not have are refused. */
typedef struct ald_generate_options {
    size_t size;
    int64_t n; /* rows; 0: the set's default */
    int64_t d; /* columns, if the set leaves them open; 0: default */
    uint64_t seed;
    double noise;  /* standard deviation of the noise of the response; 0: default, negative: none */
    double radius; /* taichi; 0: default */
    double eyes;   /* taichi: radius of the eyes as a fraction of the radius; 0: default */
} ald_generate_options;
#define ALD_GENERATE_OPTIONS_INIT ALD_INIT(ald_generate_options)
ALD_API int ald_generator_count(void);
/* Returns 1 and fills the arguments that are not NULL, or 0 past the end. */
ALD_API int ald_generator_at(int index, const char **name, const char **summary);
/* Writes the set to a file in the format given by its ending; sparse sets need .svm. */
ALD_API ald_status ald_generate(ald_context *context, const char *name, const ald_generate_options *options,
                                const char *path, ald_error *error);
/* The same set in memory. */
ALD_API ald_status ald_generate_dataset(ald_context *context, const char *name,
                                        const ald_generate_options *options, ald_dataset **dataset,
                                        ald_error *error);

#ifdef __cplusplus
}
#endif
#endif
