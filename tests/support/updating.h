/* What tests of updates share: a sample with every kind of target, fits and updates of parts of it, and
 * whether two models are the same. */
#ifndef SUPPORT_UPDATING_H
#define SUPPORT_UPDATING_H

#include <alidade/alidade.h>

enum { n = 90, first = 50, d = 8, q = 3 };

typedef struct sample {
    double x[n * d], responses[n * q], labels[n * q], weights[n];
    int32_t classes[n];
    int weighted;
    int single; /* one response */
} sample;

void updating_sample(sample *s);
/* The target of rows from `from` on. */
ald_target updating_target(const sample *s, ald_target_kind kind, int64_t from, int64_t rows);
/* Settings behind others, without which the method is not fitted from statistics of such a target. */
const char *updating_needs(const char *method, ald_target_kind kind);
/* With these settings, as "name=value name=value"; freed by the caller. */
ald_model *updating_fit(const char *method, const char *set, const ald_matrix *x, const ald_target *y);
ald_status updating_update(const ald_model *model, const ald_matrix *x, const ald_target *y, int take_away,
                           ald_model **updated, ald_error *error);
/* All arrays of both, each relative to its size. */
/* How far apart two fits of the same rows may be: where the method minimises, as lad does, values of the
 * objective show the place of the minimum to the square root of rounding. */
double updating_tolerance(const char *method);
void updating_assert_same(const ald_model *a, const ald_model *b, double tolerance);

#endif
