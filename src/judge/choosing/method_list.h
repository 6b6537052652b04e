/* Lists of methods as text, and the words that stand for several. */
#ifndef ALD_CHOOSING_METHOD_LIST_H
#define ALD_CHOOSING_METHOD_LIST_H

#include "base/core/text.h"

#include <alidade/matrix.h>

/* One entry of "pls,sdpp n_neighbors=10". */
typedef struct ald_named_method {
    const ald_method *method;
    const char *words; /* what stands behind the name, without an end of its own */
    size_t length;     /* of that */
} ald_named_method;

/* Whether the method can take such data: target, responses, storage, weights, and map rows it was not fitted
 * on. */
int ald_method_takes(const ald_method *method, const ald_matrix *x, const ald_target *y);

/* The methods of a list in their order, words for several replaced by those of them that can take the data
 * and are not named by themselves. x and y may be NULL: then words for several are left out. In the run's
 * scratch. */
ald_status ald_methods_read(ald_run *run, const char *list, const ald_matrix *x, const ald_target *y,
                            ald_named_method **methods, int *count);

/* The linear method that finds directions of X alone: the baseline among methods. */
const ald_method *ald_unsupervised_method(void);
/* What a method is called where it predicts a target of this kind by linear regression: pca is pcr. */
const char *ald_method_label(const ald_settings *settings, ald_target_kind kind);
/* Whether it has a parameter of that name (- and _ are alike). */
const ald_param *ald_method_parameter(const ald_method *method, const char *name);
/* "sir, save": the methods that have such a parameter; "" if none has. */
ald_status ald_methods_with(ald_run *run, const char *parameter, ald_text *list);

#endif
