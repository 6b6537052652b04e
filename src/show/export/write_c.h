/* A recipe as C: the pieces of the file. */
#ifndef ALD_EXPORT_WRITE_C_H
#define ALD_EXPORT_WRITE_C_H

#include "show/export/pen.h"
#include "show/export/recipe.h"

/* c_steps.c: the functions that the steps call, each once; the numbers of the steps; and one function that
 * walks steps first .. end from `in` to `out`. */
void ald_c_functions(ald_pen *pen, const ald_model_recipe *recipe);
void ald_c_tables(ald_pen *pen, const ald_model_recipe *recipe);
void ald_c_walk(ald_pen *pen, const ald_model_recipe *recipe, const char *head, int first, int end);
/* Doubles that the deepest of these functions has on the stack. */
int64_t ald_c_working_numbers(const ald_model_recipe *recipe);
/* c_steps.c: `static const real NAME[count] = {...};`, transposed where `turned`. */
void ald_c_table(ald_pen *pen, const char *name, const double *values, int64_t rows, int64_t cols,
                 int turned);

/* c_inputs.c: the encoding of cells, names of inputs, outputs and levels. */
void ald_c_inputs(ald_pen *pen, const ald_model_recipe *recipe);
void ald_c_names(ald_pen *pen, const ald_model_recipe *recipe);

/* write_c.c: the function that gives the scores: numbers are their own prediction. */
const char *ald_c_decision(const ald_model_recipe *recipe);

/* self_test.c: a few rows and what the library makes of them, in scratch. */
typedef struct ald_self_test {
    int64_t rows;
    double *x, *z, *y; /* rows x n_inputs, r, q scores */
} ald_self_test;
ald_status ald_self_test_make(ald_run *run, const ald_model_recipe *recipe, ald_self_test *test);
void ald_c_self_test(ald_pen *pen, const ald_model_recipe *recipe, const ald_self_test *test);

#endif
