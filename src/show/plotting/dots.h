/* The rows of a projection as points, with what they are coloured by. */
#ifndef ALD_PLOTTING_DOTS_H
#define ALD_PLOTTING_DOTS_H

#include "show/canvas/scale.h"
#include "show/plotting/picture.h"

/* Train rows come first, then test rows. Everything is in the scratch of the run or belongs to the datasets.
 */
typedef struct ald_dots {
    int64_t n_train, n_test, n; /* n = n_train + n_test */
    double *x, *y;              /* y NULL: the model has one component */
    double *hue;                /* class code or number; NaN: unlabelled */
    int64_t n_unlabelled;       /* 0 without a target */
    ald_target_kind kind;       /* NONE, CLASSES or REAL: labels are counted, or told apart as two classes */
    int64_t n_classes;
    const char *const *names; /* of classes; NULL: numbered */
    const char *name;         /* of what the hue is; NULL: unnamed */
    int counted;              /* the hue is a number of labels */
} ald_dots;

/* `x` and `y` are component numbers from 0; y -1: none. */
ald_status ald_dots_gather(ald_run *run, const ald_picture *picture, int64_t x, int64_t y, ald_dots *points);

/* The projection of the rows, rows x components, in the scratch of the run or of the model. */
ald_status ald_picture_project(ald_run *run, const ald_picture *picture, const ald_dataset *data,
                               const double **z);

#endif
