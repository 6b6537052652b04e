/* Files: reading tables into X and target, writing results, splitting, converting, making synthetic sets. */
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
 * Columns are named, or given as #3 (or plain 3 where no column is called so), ranges A..B, with commas. */
typedef struct ald_load_options {
    size_t size;
    const char *format;      /* csv tsv npy svmlight mtx arff mat; NULL: by the file's name */
    const char *delimiter;   /* csv: one character, "tab"; NULL: detected */
    const char *header;      /* csv: "yes", "no"; NULL: detected */
    const char *comment;     /* csv: lines that begin with this character are skipped; NULL: none */
    const char *target;      /* target columns */
    const char *target_file; /* a second file with the target (npy, mtx, csv) */
    const char *graph_file;  /* an n x n matrix of the weights of neighbours (mtx, npy, csv) */
    /* An n x n matrix of distances between the targets, or a list of pairs (mtx). */
    const char *distances_file;
    const char *unlabelled_file; /* a file of further rows that have no target, with the same columns */
    const char *x_variable;      /* mat: variable that holds X */
    const char *y_variable;      /* mat: variable that holds the target */
    const char *task;            /* "auto", "regression", "classification", "multilabel" */
    const char *weights;         /* column with the weight of each row */
    const char *ignore;          /* columns to leave out */
    const char *categorical;     /* columns to take as categorical though their cells are numbers */
    const char *encode;          /* "onehot", "ordinal" */
    const char *missing;         /* "error", "drop", "mean", or "nipals": NaN in X, for `gaps=1` */
    const char *groups;     /* columns whose equal cells are one group (ald_dataset_groups); no features */
    const char *split;      /* column that says in which part a row is (ald_dataset_parts); no feature */
    const char *split_file; /* the same from a second file, one value per row */
    const char *unlabelled_rows; /* "error" (kept in the mask; the fit decides), "drop" */
    const char *id;   /* column of the names of the rows (ald_dataset_row_name), several are joined by "/"; no
                         features, and never read as numbers. With `like`: those of the model, where the file
                         has them, unless others are given */
    int prefer_real;  /* task auto: whole numbers are a real response (the method takes only those) */
    int keep_missing; /* with missing "mean": cells without a value stay NaN in X, to be filled later */
    int keep_zeros;   /* mtx: zeros that are given stay stored */
    int64_t block_bytes; /* streaming: size of a block; 0: 2 MB, more where rows are long */
    /* Read the file like the one this model was fitted on: the same columns, encoding, target and classes.
     * The target may be absent. Of the options only the format ones, `missing`, `target_file`,
     * `groups`, `unlabelled_rows` and `unseen` are then used. */
    const ald_model *like;
    int no_target; /* with `like`: leave the target out, whatever is in its columns; for rows that are only
                      projected */
    /* With `like`, for rows that are to be fitted: the model's column of weights is read, and must be there;
     * a class that the model does not know is added behind its own. */
    int with_weights;
    int new_classes;
    /* MATLAB files of version 7.3 are read by the HDF5 library, which a damaged file can crash. "refuse"
     * (NULL); "child": read them in a process of its own, with limits; "trust": read them in this process. */
    const char *hdf5;
    /* With `like`: a category that the rows of the model did not have. "mean" (the default): the row is taken
     * with that variable at its mean, and counted in a warning; "error" (the default for rows that are to be
     * fitted: with_weights, new_classes). */
    const char *unseen;
    /* Columns whose cells are kept as texts beside X, to be written with results (ald_dataset_kept_text);
     * they may be features too. Also with `like`; the columns of `id` are always kept. */
    const char *keep;
    /* Cells of csv files. What is given is kept in the model, and new files are read alike. */
    /* "point", "comma"; NULL: detected, a comma only where it does not separate cells. */
    const char *decimal;
    const char *na; /* texts that stand for no value, with commas; NULL: NA, N/A, NaN, null (in any case),
                       "?", and - and . but where they are one of two levels. An empty cell always does */
    /* Columns of dates (2026-01-31, also with a time behind): "ignore" (NULL) leaves them out, "numbers"
     * takes them as days since 1970, "categories" as any text. */
    const char *dates;
    int transpose; /* the columns of the file are the rows: its first line names them, its first column names
                      the features */
    int64_t skip;  /* csv: this many lines before the table are skipped */
    /* csv: the mark between groups of three digits, one of , . ' or "blank", kept in the model as `decimal`
     * is; NULL: there is none, and numbers that have some are refused. */
    const char *thousands;
    /* On several ranks (<alidade/ranks.h>): this rank's portion of the rows and nothing else; csv, tsv,
     * svmlight, npy. */
    int portion;
    /* Streaming: rows of text are parsed once and kept for the readings that follow. "auto" (NULL): in
     * memory, if all of them take at most a quarter of what the context may use (`max_memory`); "file": where
     * they take more, in a file without a name in the folder of `keep_beside` (NULL: that of the data);
     * "none". */
    const char *keep_rows;
    const char *keep_beside;
    /* Streaming: the path of a file in which, and in others beside it whose names begin like it, a survey and
     * the fit that follows write down now and then how far they are. The same calls, after the process was
     * ended, go on from there; also by another number of ranks. When the model is saved,
     * ald_checkpoint_remove takes the files away. NULL: nothing is written. */
    const char *checkpoint;
    double checkpoint_seconds; /* between two of them, at most; 0: 30 */
} ald_load_options;
#define ALD_LOAD_OPTIONS_INIT ALD_INIT(ald_load_options)

/* "-" is standard input (give a format then; csv if not). */
ALD_API ald_status ald_dataset_load(ald_context *context, const char *path, const ald_load_options *options,
                                    ald_dataset **dataset, ald_error *error);
/* A dataset of arrays in memory, for every function that takes one. With `copy` 0 it only refers to the
 * arrays: keep them, unchanged, as long as it lives. Names are copied in any case. */
ALD_API ald_status ald_dataset_from_arrays(ald_context *context, const ald_inputs *inputs, int copy,
                                           ald_dataset **dataset, ald_error *error);
/* A column of a table in memory: numbers, or texts by their numbers in a list. Begin with
 * ALD_TABLE_COLUMN_INIT. */
typedef struct ald_table_column {
    size_t size;
    const char *name;      /* NULL: unnamed */
    const double *numbers; /* one per row, NaN where there is no value; NULL: the cells are texts */
    int64_t stride;        /* numbers: from one row to the next, in elements; 0: 1 */
    /* Texts: the different ones, and for each row which of them it has, from 0; negative: no value. */
    const char *const *levels;
    int64_t n_levels;
    const int64_t *codes;
} ald_table_column;
#define ALD_TABLE_COLUMN_INIT ALD_INIT(ald_table_column)
/* The dataset that a csv file with these cells would give, with the same schema: texts are taken for numbers,
 * missing cells, codes, dates or categories as there. Options about the layout of files are refused. The
 * columns are copied. */
ALD_API ald_status ald_dataset_from_columns(ald_context *context, const ald_table_column *columns,
                                            int64_t count, int64_t rows, const ald_load_options *options,
                                            ald_dataset **dataset, ald_error *error);
ALD_API void ald_dataset_free(ald_dataset *dataset);

/* Views into the dataset, valid while it lives. */
ALD_API const ald_matrix *ald_dataset_x(const ald_dataset *dataset);
ALD_API const ald_target *ald_dataset_target(const ald_dataset *dataset); /* kind NONE if there is none */
ALD_API const char *ald_dataset_feature_name(const ald_dataset *dataset, int64_t column); /* NULL: unnamed */
/* The name of a row, from the column `id` of the file or from the arrays; NULL: unnamed. */
ALD_API const char *ald_dataset_row_name(const ald_dataset *dataset, int64_t row);
/* Columns that were kept as texts: those of `id`, then those of `keep`. */
ALD_API int64_t ald_dataset_kept_count(const ald_dataset *dataset);
ALD_API const char *ald_dataset_kept_name(const ald_dataset *dataset, int64_t kept); /* NULL: unnamed */
/* The cell in row `file_row` of the file, from 0; "" where it has no value. */
ALD_API const char *ald_dataset_kept_text(const ald_dataset *dataset, int64_t kept, int64_t file_row);
/* The rows of the file, of which some may have been left out, and the one that row `row` of X comes from. */
ALD_API int64_t ald_dataset_file_rows(const ald_dataset *dataset);
ALD_API int64_t ald_dataset_file_row(const ald_dataset *dataset, int64_t row);
/* Name of response or label `index` (the target column's name for classes); NULL: unnamed. */
ALD_API const char *ald_dataset_response_name(const ald_dataset *dataset, int64_t index);
/* One number per row, from 0; rows of one group have the same. NULL: groups were not asked for. */
ALD_API const int64_t *ald_dataset_groups(const ald_dataset *dataset);
/* The part that each row is in, from 0 to *n_parts - 1: the values of the split column or file in their
 * order. NULL: there is none. Where the values are train and test, or 0 and 1, *test_part is 1 + the number
 * of the only part to test on; else 0. */
ALD_API const int64_t *ald_dataset_parts(const ald_dataset *dataset, int64_t *n_parts, int64_t *test_part);
/* Of rows that are divided among ranks (`portion`): a dataset that has the target of all of them, in their
 * order, and no columns. On the other ranks than 0 it has the kind of target alone, and no rows. Weights are
 * left out. */
ALD_API ald_status ald_dataset_gather_target(ald_context *context, const ald_dataset *dataset,
                                             ald_dataset **all, ald_error *error);
/* What the target was taken for (classes, numbers, labels) and why, in a sentence. */
ALD_API const char *ald_dataset_task_note(const ald_dataset *dataset);

/* Like ald_fit, and keeps names, encoding and task in the model so that new files are read alike. */
ALD_API ald_status ald_fit_dataset(ald_context *context, const ald_settings *settings,
                                   const ald_dataset *dataset, ald_model **model, ald_error *error);

/* A new model with the rows of `dataset` added to (or, with `take_away`, removed from) those that `model` was
 * fitted on, by the statistics it keeps (setting keep_statistics): the same as fitting all rows again, to
 * rounding; slices of a real response stay where they were. Read the dataset like the model, with its weights
 * (with_weights) and, to add rows, classes that it does not know (new_classes). */
ALD_API ald_status ald_update(ald_context *context, const ald_model *model, const ald_dataset *dataset,
                              int take_away, ald_model **updated, ald_error *error);

/* Files that are larger than memory: csv, tsv, svmlight and npy (C order) are read in blocks.
 * The survey is a dataset of a few rows that describes all the columns; `rows` receives how many
 * there are without those that are left out. */
ALD_API ald_status ald_dataset_survey(ald_context *context, const char *path, const ald_load_options *options,
                                      ald_dataset **survey, int64_t *rows, ald_error *error);
/* The same model as ald_fit_dataset of all rows, to rounding, for methods that have ALD_CAN_STREAM: up to
 * 5000 columns from moments summed over the blocks, beyond by products with X, each of which is one reading
 * of the file. `survey` is that of the same file and options. */
ALD_API ald_status ald_fit_stream(ald_context *context, const ald_settings *settings, const char *path,
                                  const ald_load_options *options, const ald_dataset *survey,
                                  ald_model **model, ald_error *error);

/* From now on messages of functions that are given the X of this dataset name rows of its file, of all ranks
 * where it is the portion of one (`portion`). Of such an X ald_explained, ald_importance and
 * ald_subspace_angles measure the rows of all ranks, which call them alike: `y` is then the target of all
 * rows (ald_dataset_gather_target) on rank 0, without weights, and NULL elsewhere, and rank 0 has the
 * results. The dataset stays as it is until the next call; NULL: nothing is known of rows any more. */
ALD_API ald_status ald_context_set_rows(ald_context *context, const ald_dataset *dataset, ald_error *error);

/* Removes the files of a `checkpoint`, if they are there. A file of that name that is none is an error. */
ALD_API ald_status ald_checkpoint_remove(ald_context *context, const char *path, ald_error *error);

/* The method `auto` stands for with this dataset, and why, in a sentence written to `reason`. */
ALD_API const char *ald_method_auto(const ald_dataset *dataset, char *reason, size_t reason_size);

/* Writes an n x m row-major matrix by the name of the path: .csv, .tsv, .npy; anything else and "-" as csv.
 * `header` has m names, or is NULL. */
ALD_API ald_status ald_write_matrix(ald_context *context, const char *path, const double *values,
                                    int64_t rows, int64_t cols, const char *const *header, ald_error *error);
/* The same with texts: levels[j] is NULL, or a list of texts that ends with NULL, and the numbers of column
 * j, from 0, are written as those texts. For csv and tsv; NULL: all are numbers. NaN is an empty cell. */
ALD_API ald_status ald_write_table(ald_context *context, const char *path, const double *values, int64_t rows,
                                   int64_t cols, const char *const *header, const char *const *const *levels,
                                   ald_error *error);
/* The same for rows that are divided among ranks (<alidade/ranks.h>), each of which gives its own: one file,
 * in the order of the ranks. `total` (NULL: it is not wanted) receives how many rows it has. */
ALD_API ald_status ald_write_portions(ald_context *context, const char *path, const double *values,
                                      int64_t rows, int64_t cols, const char *const *header,
                                      const char *const *const *levels, int64_t *total, ald_error *error);
/* Writes the text under a temporary name, then renames it, so that the file is whole or not there. "-" is
 * standard output. */
ALD_API ald_status ald_write_text(ald_context *context, const char *path, const char *text, size_t size,
                                  ald_error *error);

/* Whether two paths lead to one file: by another spelling, through links, also where the file is not there
 * yet. */
ALD_API int ald_same_file(const char *a, const char *b);

/* Reads one file and writes the other, in the format that its name says (.csv .tsv .npy .svm; text also with
 * .gz). */
ALD_API ald_status ald_convert(ald_context *context, const char *from, const char *to,
                               const ald_load_options *options, ald_error *error);

typedef struct ald_split_file_options {
    size_t size;
    double train;       /* part of the rows for training, 0 < train < 1 */
    int stratify;       /* keep the proportions of the classes in load.target */
    const char *groups; /* columns whose equal cells stay together; "duplicates": rows that are equal in all
                           cells; NULL: none */
    uint64_t seed;
    /* How to read the file; `target` names the column to stratify by. NULL: all columns, as they are. */
    const ald_load_options *load;
} ald_split_file_options;
#define ALD_SPLIT_FILE_OPTIONS_INIT ALD_INIT(ald_split_file_options)
/* Splits the rows of a file at random into two files; neither is written unless both can be. */
ALD_API ald_status ald_split_file(ald_context *context, const char *path,
                                  const ald_split_file_options *options, const char *train_path,
                                  const char *test_path, int64_t *train_rows, int64_t *test_rows,
                                  ald_error *error);

/* Synthetic sets of docs/synthetic.md. Parameters that a set does not have are refused. */
typedef struct ald_generate_options {
    size_t size;
    int64_t n; /* rows; 0: the set's own default */
    int64_t d; /* columns, where the set leaves them open; 0: default */
    uint64_t seed;
    double noise;  /* standard deviation of the noise of the response; 0: default, negative: none */
    double radius; /* taichi; 0: default */
    double eyes;   /* taichi: radius of the eyes as a part of the radius; 0: default */
} ald_generate_options;
#define ALD_GENERATE_OPTIONS_INIT ALD_INIT(ald_generate_options)
ALD_API int ald_generator_count(void);
/* 1 and fills what is not NULL, or 0 past the end. */
ALD_API int ald_generator_at(int index, const char **name, const char **summary);
/* Writes the set to a file by its name; sparse sets need .svm. */
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
