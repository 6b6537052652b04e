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
    ald_target_kind kind;       /* NONE, CLASSES or REAL: labels are counted, or shown as two classes */
    int64_t n_classes;
    const char *const *names; /* of classes; NULL: numbered */
    const char *name;         /* of what the hue is; NULL: unnamed */
    int counted;              /* the hue is a number of labels */
    /* By ald_row_order: the rows that are drawn, `drawn` of the `finite` at finite places. */
    int64_t *order;
    int64_t drawn, finite;
} ald_dots;

/* `x` and `y` are component numbers from 0; y -1: none. */
ald_status ald_dots_gather(ald_run *run, const ald_picture *picture, int64_t x, int64_t y, ald_dots *points);

/* The projection of the rows, rows x components, in the scratch of the run or of the model. */
ald_status ald_picture_project(ald_run *run, const ald_picture *picture, const ald_dataset *data,
                               const double **z);

/* The name in its file of row i of `points`, or its number from 1. */
ald_status ald_row_label(ald_run *run, const ald_picture *picture, const ald_dots *points, int64_t i,
                         const char **label);
/* "s17: setosa (1.23, -0.5)", in the scratch of the run. */
ald_status ald_row_title(ald_run *run, const ald_picture *picture, const ald_dots *points, int64_t i,
                         const char **title);

/* Above this many a random part is drawn: pictures stay below about 2 MB. */
enum { ALD_MOST_MARKS = 20000 };

/* Chooses the rows to draw, at most ALD_MOST_MARKS, in random order, so that no class hides the others
 * because it comes last in the file; with `rare_last` those of rare classes come last and lie on top. */
ald_status ald_row_order(ald_run *run, ald_dots *points, int rare_last);
int ald_row_is_drawn(const ald_dots *points, int64_t i);
double ald_mark_radius(int64_t drawn);

#endif
