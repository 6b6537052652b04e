/* A dataset: X, target and names, made from a table by the load options or by the schema of a model. */
#ifndef ALD_ENCODE_DATASET_H
#define ALD_ENCODE_DATASET_H

#include "base/core/model.h"
#include "io/reading/input.h"
#include "io/table/table.h"

#include <alidade/dataset.h>

typedef struct ald_row_store ald_row_store;
typedef struct ald_checkpoint ald_checkpoint;

/* What a user learns of rows that were read like those of a model: how many are left out, and categories that
 * the model does not know. Where the rows are divided it is said once, of all together
 * (sharing/share_rows.h). */
/* For one feature. */
typedef struct ald_unseen_note {
    int64_t feature, rows; /* how many rows hold one */
    int64_t several;       /* not all of them hold the same */
    char column[160], shown[64];
} ald_unseen_note;

typedef struct ald_reading_notes {
    int64_t rows, holed, untargeted; /* of the file; left out for a missing cell, or for want of a target */
    int64_t n_unseen;
    ald_unseen_note *unseen; /* n_unseen, in the order of the features */
} ald_reading_notes;

struct ald_dataset {
    ald_allocator allocator;
    ald_arena memory;
    ald_matrix x;
    ald_target target;
    ald_matrix graph, distances; /* n x n; values NULL: not given */
    ald_matrix response_kernel;  /* n x n, likewise */
    ald_matrix start;            /* components x x.cols, likewise */
    char **feature_names;        /* x.cols, or NULL */
    char **response_names;      /* responses or labels; for classes the target column's name alone; or NULL */
    char **row_names;           /* x.rows, or NULL */
    int64_t *groups;            /* x.rows, or NULL */
    int64_t *parts;             /* x.rows, or NULL */
    int64_t n_parts, test_part; /* test_part from 1; 0: each in turn */
    ald_file_mark surveyed;     /* of a survey: the file that was looked through, */
    ald_portion portion;        /* what is read of it here, */
    ald_row_store *store;       /* its rows, if they are kept (streaming/row_store.h), */
    void (*free_store)(ald_row_store *store); /* and how they are freed */
    ald_checkpoint *checkpoint;  /* of a survey: checkpoints/checkpoint.h; NULL: none is written */
    struct ald_all_rows *all;    /* its rows are a part of all (operator/all_rows.h); NULL: they are all, */
    int64_t first_row;           /* and so many rows of the file stand before them: not of a survey */
    ald_reading_notes notes;     /* already reported, unless the rows are divided */
    int64_t stands_for;          /* and the rows it stands for; 0: it is no survey */
    const ald_kept_column *kept; /* n_kept: texts of the rows of the file, ids first */
    int64_t n_kept;
    const ald_column *columns; /* of the file, for the names of those; NULL: unnamed */
    int64_t file_rows;         /* rows of the file */
    int64_t *places;           /* x.rows: the row of the file of each, from 0; NULL: all are there */
    char *task_note;
    char *categorical; /* the first feature that is encoded as categories; NULL: all are numbers */
    char *schema; /* JSON kept in the model as alidade.schema, so that new files are read alike; NULL: made in
                     memory */
};

/* What comes beside the rows and belongs to a fit of all of them: "a graph"; NULL: nothing. */
const char *ald_dataset_beside(const ald_dataset *dataset);

ald_status ald_dataset_new(ald_run *run, ald_dataset **dataset);
/* The number of row i of X in the file, from 1, for messages; in the whole file where it is divided. */
int64_t ald_dataset_file_number(const ald_dataset *dataset, int64_t i);
/* The warnings of notes; none where there is nothing to say. */
void ald_tell_dropped(ald_run *run, const char *source, const ald_reading_notes *notes);
ald_status ald_tell_unseen(ald_run *run, const char *source, const ald_reading_notes *notes);
/* Takes the table apart: X and the names stay where its arrays are, so its arena is the dataset's memory (or
 * outlives it). */
ald_status ald_dataset_from_table(ald_run *run, ald_table *table, const ald_load_options *options,
                                  ald_dataset *dataset);

/* Reads options->unlabelled_file as new rows of the dataset's own file would be read: its columns by their
 * names (or positions), encoded alike; a target that is in it is left out. */
ald_status ald_dataset_add_unlabelled(ald_run *run, const ald_load_options *options, ald_dataset *dataset);

#endif
