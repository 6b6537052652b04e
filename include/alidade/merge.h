/* Merging models of parts of the rows into the model of all rows. */
#ifndef ALIDADE_MERGE_H
#define ALIDADE_MERGE_H

#include <alidade/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A sum of models that keep their statistics (setting keep_statistics). Each was fitted with the same method
 * and settings to its own rows, with the same columns; classes or labels may be present in some of them only.
 * The sum is exact to rounding: the result is the model of a fit to all rows, whatever the order of the
 * parts. */
typedef struct ald_merging ald_merging;

/* Begins with a first part, which remains the caller's and must outlive the sum. Free with
 * ald_merging_free. */
ALD_API ald_status ald_merging_new(ald_context *context, const ald_model *first, ald_merging **merging,
                                   ald_error *error);
/* Adds a part, which may be freed afterwards. After an error the sum can only be freed. */
ALD_API ald_status ald_merging_add(ald_merging *merging, const ald_model *part, ald_error *error);
/* Fits the model of all parts added so far; it keeps the statistics of all of them. */
ALD_API ald_status ald_merging_fit(ald_merging *merging, ald_model **model, ald_error *error);
ALD_API void ald_merging_free(ald_merging *merging);

#ifdef __cplusplus
}
#endif

#endif
