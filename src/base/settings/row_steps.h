/* What is done to each row before anything else, one step after the other: "snv+savgol:11:2:1". Here are its
 * words; what the steps do is in spectra/row_plan.h. */
#ifndef ALD_SETTINGS_ROW_STEPS_H
#define ALD_SETTINGS_ROW_STEPS_H

#include "base/core/error.h"

#include <stddef.h>

typedef enum ald_row_step_kind {
    ALD_ROW_SNV,     /* standard normal variate */
    ALD_ROW_MSC,     /* multiplicative scatter correction; learns the mean row */
    ALD_ROW_DETREND, /* less a polynomial in the number of the column */
    ALD_ROW_SAVGOL,  /* Savitzky and Golay's smoothing or derivative */
} ald_row_step_kind;

typedef struct ald_row_step {
    ald_row_step_kind kind;
    int64_t window, degree, derivative; /* 0 where the kind has none */
} ald_row_step;

enum { ALD_MOST_ROW_STEPS = 6 };

typedef struct ald_row_steps {
    int count;
    ald_row_step step[ALD_MOST_ROW_STEPS];
} ald_row_steps;

/* "none", or steps between '+' or ',': snv, msc, detrend:DEGREE, savgol:WINDOW:DEGREE:DERIVATIVE. */
ald_status ald_row_steps_parse(const char *text, ald_row_steps *steps, ald_error *error);
/* The same with '+' and all numbers, so that it can stand in a list with commas. */
void ald_row_steps_write(const ald_row_steps *steps, char *text, size_t size);
/* How many of them learn from the rows of the fit. */
int ald_row_steps_learned(const ald_row_steps *steps);
/* Whether the steps are one linear map of the row. */
int ald_row_steps_linear(const ald_row_steps *steps);

#endif
