/* What a method file exports, and how a method reads its settings. */
#ifndef ALD_CORE_METHOD_H
#define ALD_CORE_METHOD_H

#include "core/run.h"

#include <alidade/method.h>
#include <alidade/model.h>

struct ald_problem;

/* What tells how much direction k has to do with the target, for a test of whether it has anything. */
typedef enum ald_relation {
    ALD_BY_EIGENVALUE = 0, /* the modulus of its eigenvalue; without eigenvalues as ALD_BY_RESPONSE */
    ALD_BY_SMALLNESS,      /* the same where small eigenvalues come first */
    ALD_BY_OBJECTIVE,      /* the objective that k directions reach together, which is minimised */
    ALD_BY_RESPONSE        /* the part of the target that k directions explain by least squares */
} ald_relation;

struct ald_method {
    const char *name, *title, *summary, *reference;
    unsigned capabilities;
    ald_relation relation;
    int class_scatters;      /* its statistics hold a scatter per class, not only that of all rows */
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
