/* What is tried where nobody says which methods: the usual search. */
#ifndef ALD_CHOOSING_PORTFOLIO_H
#define ALD_CHOOSING_PORTFOLIO_H

#include "base/core/run.h"

#include <alidade/candidates.h>
#include <alidade/matrix.h>

typedef enum ald_target_bit {
    ALD_ONE_NUMBER = 1 << 0,
    ALD_SEVERAL_NUMBERS = 1 << 1,
    ALD_CLASSES = 1 << 2,
    ALD_LABELS = 1 << 3,
} ald_target_bit;

/* Lists of values are separated by commas, the most promising first; NULL: the parameter is left alone. */
typedef struct ald_portfolio_entry {
    const char *method;
    unsigned targets;       /* ald_target_bit */
    const char *relative;   /* ridges as a part of what they are added to */
    const char *ridges;     /* the same as they are */
    const char *kernels;    /* for dense rows of no more columns than rows; else, and NULL: the usual one */
    const char *widths;     /* of a kernel, in units of the median distance of rows */
    const char *predictors; /* NULL: the usual one */
    const char *many_rows;  /* a setting for large data */
    int64_t most_dims;      /* 0: as many as there are */
    const char *same;       /* methods that find the same for such a target, and are not tried; NULL: none */
    const char *reason;
} ald_portfolio_entry;

/* All entries, ends with a method NULL. */
extern const ald_portfolio_entry ald_portfolio[];
/* Whether the entry is for such a target. */
int ald_portfolio_takes(const ald_portfolio_entry *entry, const ald_target *y);

/* How X is prepared: values of three settings, first what promises more.
 *
 *   scale      dense X: where the standard deviations of columns differ by more than a factor of ten,
 *              "standard,none", else "none,standard"
 *   row_scale  sparse X: "unit,none"
 *   rows       of a spectrum what is usual there; NULL: nothing. X is a spectrum where thirty columns or more
 *              vary, those of them that stand side by side have a correlation of 0.98 or more (median), and
 *              none stands for `categories`, which no row step takes. */
typedef struct ald_portfolio_forms {
    const char *scale, *scales; /* the name of the setting, and its values */
    const char *rows;
} ald_portfolio_forms;
ald_status ald_portfolio_look(ald_run *run, const ald_matrix *x, int categories, ald_portfolio_forms *forms);

/* Few rows: a fold of them says little, and fits are cheap, so that more is tried and more often. */
int ald_portfolio_is_small(const ald_matrix *x);

/* Many rows, or so wide ones that comparing all of them takes too long for one setting. */
int ald_portfolio_is_large(const ald_matrix *x);

/* Numbers of components, up to `most`, with `target` among them: 1,2,3,4,5,7,10,14,20, ... */
ald_status ald_portfolio_dims(ald_run *run, ald_arena *memory, int64_t most, int64_t target, int64_t **dims,
                              int *count);

/* About how many operations a fit by these settings on such data takes, with its predictor for the first
 * n_dims of the dims; or, where the map is there, the predictor alone. */
double ald_portfolio_work(const ald_settings *settings, const ald_matrix *x, const ald_target *y,
                          const int64_t *dims, int n_dims, int mapped);

#endif
