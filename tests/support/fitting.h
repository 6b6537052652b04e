/* Fits through the public interface in one line, for the tests of methods. */
#ifndef ALD_TESTS_FITTING_H
#define ALD_TESTS_FITTING_H

#include "support/support.h"

/* The model of a fit with settings "name=value name=value", one thread, that must be done without a warning.
 */
ald_model *support_fit(const char *method, const char *set, const ald_matrix *x, const ald_target *y);
/* The same with everything that a fit can be given, on that many threads. */
ald_model *support_fit_inputs(const char *method, const char *set, const ald_inputs *inputs, int threads);
/* The fit fails with a message that holds `part`. */
void support_refused(const char *method, const char *set, const ald_matrix *x, const ald_target *y,
                     const char *part);

ald_prediction_shape support_prediction_shape(const ald_model *model);
/* Data of an f64 array of the model; its first extent in `rows` (NULL: not wanted). */
const double *support_reals(const ald_model *model, const char *name, int64_t *rows);
/* The number that the model tells as alidade.resolved.NAME. */
double support_resolved(const ald_model *model, const char *name);
/* The largest angle, in degrees, between the components and the rows of `truth` (as many). */
double support_degrees(const ald_model *model, const double *truth);
/* Components and eigenvalues agree; tolerance 0: to the last bit. */
void support_assert_same_model(const ald_model *a, const ald_model *b, double tolerance);

/* Three classes of different size, three responses and three labels that depend on the first four of d
 * columns. X holds floats. */
typedef struct support_sample {
    int64_t n, d;
    double *x, *responses, *labels;
    int32_t *classes;
    ald_matrix view;
} support_sample;

support_sample support_sample_make(int64_t n, int64_t d, uint64_t seed);
void support_sample_free(support_sample *s);
ald_target support_sample_target(const support_sample *s, ald_target_kind kind);

#endif
