/* What a method file exports, and how a method reads its settings. */
#ifndef ALD_CORE_METHOD_H
#define ALD_CORE_METHOD_H

#include "core/run.h"

#include <alidade/method.h>
#include <alidade/model.h>

struct ald_problem;

struct ald_method {
    const char *name, *title, *summary, *reference;
    unsigned capabilities;
    int class_scatters;      /* its statistics hold a scatter a class, not only that of all rows */
    const ald_param *params; /* own ones only; ends with a NULL name */
    /* Adds what it found to the model. Arguments are checked and X is prepared before. */
    ald_status (*fit)(ald_run *run, const struct ald_problem *problem, ald_model *model);
};

/* The parameters that every method has; ends with a NULL name. */
extern const ald_param ald_common_params[];

/* Settings of the run by name. The name is in the method's table, which a test checks by running every method. */
int64_t ald_setting_int(const ald_run *run, const char *name);
double ald_setting_real(const ald_run *run, const char *name);
int ald_setting_is(const ald_run *run, const char *name, const char *choice);
/* Whether the caller set it, for defaults that depend on the data where no value can stand for "by the data". */
int ald_setting_given(const ald_run *run, const char *name);

#endif
