/* The parameters of a method, one after the other: its own tables, then those that every method has. */
#ifndef ALD_FITTING_METHOD_PARAMS_H
#define ALD_FITTING_METHOD_PARAMS_H

#include "base/settings/method.h"

enum { ald_most_params = 64 };

/* All of them, in the order of ald_method_param; returns how many. */
int ald_method_params(const ald_method *method, const ald_param *params[ald_most_params]);

#endif
