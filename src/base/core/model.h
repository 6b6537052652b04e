/* What a model is made of: named arrays and named texts, in the order they were added. Methods add to it
 * while they fit; afterwards it is only read. */
#ifndef ALD_CORE_MODEL_H
#define ALD_CORE_MODEL_H

#include "base/core/run.h"

#include <alidade/model.h>

typedef struct ald_named_text {
    char *key;
    char *value;
} ald_named_text;

struct ald_model {
    ald_arena memory;
    ald_allocator allocator; /* the model outlives the call that made it, not its context's allocator */
    ald_array *arrays;
    int n_arrays;
    ald_named_text *texts;
    int n_texts;
};

ald_status ald_model_new(ald_run *run, ald_model **model);

/* Adds an array, not cleared, and gives where to write it. A name that is there already is an error. */
ald_status ald_model_add(ald_run *run, ald_model *model, const char *name, ald_array_type type, int dims,
                         const int64_t *shape, void *data);
/* The common cases: a copy of a vector, a copy of a row-major matrix. */
ald_status ald_model_add_vector(ald_run *run, ald_model *model, const char *name, int64_t n,
                                const double *values);
ald_status ald_model_add_matrix(ald_run *run, ald_model *model, const char *name, int64_t rows, int64_t cols,
                                const double *values);
/* Adds or replaces a text. */
ald_status ald_model_set_text(ald_run *run, ald_model *model, const char *key, const char *value);
ald_status ald_model_set_printed(ald_run *run, ald_model *model, const char *key, const char *format, ...)
    ALD_PRINTF(4, 5);
ald_status ald_model_set_real(ald_run *run, ald_model *model, const char *key, double value);

/* Adds all arrays and texts of `from`, but for arrays whose names begin with `but`. */
ald_status ald_model_copy(ald_run *run, const ald_model *from, const char *but, ald_model *to);

/* Data of an f64 array with exactly this shape (cols -1: a vector), or NULL. */
const double *ald_model_reals(const ald_model *model, const char *name, int64_t rows, int64_t cols);

#endif
