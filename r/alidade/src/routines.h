/* The entries of .Call; registration.c lists them for R. */
#ifndef ALIDADE_R_ROUTINES_H
#define ALIDADE_R_ROUTINES_H

#define R_NO_REMAP
#include <Rinternals.h>

/* Of a list of arguments and a list of threads and progress. */
#define R_ROUTINES(entry)                                                                                    \
    entry(r_fit) entry(r_fit_usual) entry(r_calibrate) entry(r_merge) entry(r_facts) entry(r_array)          \
        entry(r_from_bytes) entry(r_save) entry(r_export) entry(r_load) entry(r_first) entry(r_coefficients) \
            entry(r_transform) entry(r_predict) entry(r_intervals) entry(r_outliers) entry(r_importance)     \
                entry(r_explained) entry(r_evaluate) entry(r_compare) entry(r_tune) entry(r_dimension)       \
                    entry(r_stability) entry(r_report) entry(r_convert)

#define R_DECLARED(name) SEXP name(SEXP arguments, SEXP control);
R_ROUTINES(R_DECLARED)

SEXP r_interrupt(void);
SEXP r_is_lost(SEXP handle);
SEXP r_about(void);

#endif
