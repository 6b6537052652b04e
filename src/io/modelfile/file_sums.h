/* The sums of a model file: one for each array and one for the header, in the texts of the header, so that a
 * file whose bytes have changed is not used. `alidade.sum.NAME` is that of the bytes of an array;
 * `alidade.sum` that of the header, taken with zeros for its own 16 digits. Files of older versions have
 * none. A file that has any has all. */
#ifndef ALD_MODELFILE_FILE_SUMS_H
#define ALD_MODELFILE_FILE_SUMS_H

#include "base/core/json.h"
#include "base/core/text.h"

#include <alidade/model.h>

#define ALD_SUM_KEY "alidade.sum"

/* Whether the text belongs to the file and not to the model. */
int ald_is_sum(const char *key);

/* Adds the texts with the sums of the arrays, and the one of the header with zeros. */
ald_status ald_sums_add(ald_run *run, ald_text *header, const ald_array *arrays, int count);
/* Puts the sum of the finished header in its place. */
void ald_sums_finish(ald_text *header);

/* `header` as it stands in the file. */
ald_status ald_sums_check_header(ald_run *run, json_t *metadata, const char *header, size_t size);
ald_status ald_sums_check_array(ald_run *run, json_t *metadata, const char *name, const unsigned char *bytes,
                                size_t size);

#endif
