/* The property grid's view of a method: the prepared data it is checked on, and its own equations, one file
 * verify_NAME.c a method. The table is made from methods.def, so a method without a verifier does not link.
 */
#ifndef ALD_TESTS_METHODS_VERIFIER_H
#define ALD_TESTS_METHODS_VERIFIER_H

#include "support/support.h"

enum { n = 60, d = 12, r = 2, q = 4 };

typedef struct setting {
    ald_target_kind kind;
    int weighted;
    int64_t responses; /* of a real target */
    const char *scale, *row_scale, *more;
} setting;

/* The definition of design and documentation, by the letter. z: prepared and weighted, mean and scale as a
 * model has them. */
typedef struct prepared {
    double z[n * d], y[n * q], mean[d], scale[d], root[n], rows[n * d];
    double shift[d];   /* what scaling alone subtracts: the minimum for minmax */
    double weights[n]; /* as given, some are 0; without weights 1 */
    double total;      /* their sum */
    double raw[n * q]; /* y before it was centred and weighted */
    int64_t m;         /* columns of y */
    ald_target_kind kind;
    const int32_t *classes;
} prepared;

typedef struct verifier {
    /* Checks the arrays of the model (r x d components and so on) on the prepared data. */
    void (*verify)(const ald_model *model, const prepared *p);
    const char *variants[8]; /* settings that give the same components, or estimate how far; ends with NULL */
    const char
        *fixed; /* settings instead of what is otherwise drawn from the rows (folds, widths), or NULL */
    const char *always;     /* settings for every fit: tighter tolerances of what is iterated; NULL: none */
    const char *brief;      /* settings with which a fit ends soon, where it matters only that there is one */
    const char *unlabelled; /* settings with which rows without a target are taken; NULL: none are needed */
    int is_slow;            /* iterated: a case takes few storages, in turn, and all with ALD_LONG */
    double tolerance;       /* of equal directions, as a part of them; 0: 1e-8 */
} verifier;

/* Data of an f64 array of the model with this shape (cols 0: a vector); fails the test if it is not there. */
const double *array_of(const ald_model *model, const char *name, int64_t rows, int64_t cols);

/* What the model says of the error of its eigenvalues and of its residual, as parts of the largest
 * eigenvalue; 0: they are rounding. */
typedef struct estimate {
    double error, residual;
} estimate;
estimate estimate_of(const ald_model *model);

#endif
