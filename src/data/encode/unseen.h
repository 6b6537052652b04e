/* Categories that the rows of a model did not have. */
#ifndef ALD_ENCODE_UNSEEN_H
#define ALD_ENCODE_UNSEEN_H

#include "data/encode/preparation.h"

/* The columns of X of such a cell: the means of the variable, as if nothing were known of it; or the error,
 * where that was asked for or the model does not know the means. */
ald_status ald_take_unseen(ald_run *run, const ald_preparation *p, ald_feature *feature, int64_t row,
                           double cell, double *out);
/* The notes of the dataset, once all rows are encoded, and the warning. */
ald_status ald_note_unseen(ald_run *run, const ald_preparation *p);
/* The means of the columns of X that a variable with such counts of its levels becomes; NULL in `means`: they
 * are not known. */
ald_status ald_level_means(ald_run *run, const double *counts, int64_t n_levels, int ordinal,
                           const double **means);

#endif
