/* The functions of the module, a table per theme; module.c puts them together. Each ends with NULL. */
#ifndef ALIDADE_PYTHON_FUNCTIONS_H
#define ALIDADE_PYTHON_FUNCTIONS_H

#include "core.h"

extern PyMethodDef core_classes_functions[];
extern PyMethodDef core_device_functions[];
extern PyMethodDef core_fitting_functions[];
extern PyMethodDef core_projecting_functions[];
extern PyMethodDef core_certainty_functions[];
extern PyMethodDef core_facts_functions[];
extern PyMethodDef core_files_functions[];
extern PyMethodDef core_reading_functions[];
extern PyMethodDef core_table_facts_functions[];
extern PyMethodDef core_table_fits_functions[];
extern PyMethodDef core_judging_functions[];
extern PyMethodDef core_measures_functions[];
extern PyMethodDef core_plots_functions[];
extern PyMethodDef core_pages_functions[];

#endif
