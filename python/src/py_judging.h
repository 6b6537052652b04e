/* Comparisons as objects of Python's. */
#ifndef ALIDADE_PYTHON_JUDGING_H
#define ALIDADE_PYTHON_JUDGING_H

#include "core.h"

/* The comparison of a capsule that compare or tune gave; NULL with a TypeError. */
const ald_comparison *core_comparison_of(PyObject *capsule);
/* The same of a tuning. */
const ald_tuning *core_tuning_of(PyObject *capsule);

#endif
