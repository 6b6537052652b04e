/* How the rows of a dataset were read, as JSON in the model: columns, encoding, target. New files are read by
 * it. */
#ifndef ALD_ENCODE_SCHEMA_H
#define ALD_ENCODE_SCHEMA_H

#include "base/core/json.h"
#include "data/encode/preparation.h"

typedef struct ald_schema_column {
    char *name;       /* NULL: unnamed */
    int64_t position; /* in the file, from 1 */
    int categorical;
    int64_t n_levels;
    char **levels;
    double *counts; /* n_levels: rows of each; NULL: not given */
    double fill;    /* NaN: none */
    char *unit;     /* behind its numbers; NULL: none */
} ald_schema_column;

typedef enum ald_target_source {
    ALD_SOURCE_NONE = 0,
    ALD_SOURCE_COLUMNS = 1, /* columns of the file itself */
    ALD_SOURCE_LABELS = 2,  /* svmlight labels */
    ALD_SOURCE_FILE = 3,    /* columns of a second file */
} ald_target_source;

struct ald_schema {
    int64_t columns; /* of the whole file */
    int ordinal;
    int dates_are_numbers;
    ald_missing_policy missing;
    ald_schema_column *features; /* made from the others when the file had unnamed numbers only */
    int64_t n_features;
    ald_target_source source;
    ald_target_kind kind;
    ald_schema_column *targets;
    int64_t n_targets;
    int has_event;              /* the last of them tells whether the event came */
    ald_schema_column *weights; /* n_weights of them: none or one */
    int64_t n_weights;
    char **classes; /* names of the classes, or of the labels that came as a list */
    int64_t n_classes;
};

/* Writes dataset->schema. */
ald_status ald_schema_write(ald_run *run, ald_preparation *p);
/* Parses that of the model into scratch memory, with the names of its features; the text is there. */
ald_status ald_schema_read(ald_run *run, const ald_model *model, ald_schema *schema);

/* The text of a schema with more classes of the target, in `arena`: names[0 .. count) is all of them. */
ald_status ald_schema_set_classes(ald_run *run, ald_arena *arena, const char *schema,
                                  const char *const *names, int64_t count, char **text);
/* The texts of a list, in scratch memory. */
ald_status ald_schema_copy_list(ald_run *run, const json_t *list, char ***texts, int64_t *count);

#endif
