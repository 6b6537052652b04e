/* What a prediction that knows nothing but the most frequent class (or label) would be worth. */
#ifndef CLI_BASELINE_H
#define CLI_BASELINE_H

#include <alidade/matrix.h>

/* The accuracy of always predicting the most frequent class, or of each label what most rows have, on these rows. NaN
 * where there is no such thing. `class_code` (may be NULL) receives the class, -1 where the target is not classes. */
double cli_baseline_accuracy(const ald_target *target, int64_t *class_code);

#endif
