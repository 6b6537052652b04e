/* The texts of the steps in C. */
#ifndef ALD_EXPORT_C_TEXTS_H
#define ALD_EXPORT_C_TEXTS_H

#include "show/export/recipe.h"

/* Functions that others call. */
enum { part_dot, part_product, part_exp, part_square, part_mean, n_parts };
extern const char *const ald_c_parts[];

/* A kind of step, or of kernel: the functions it calls, how it is called, and its own text. */
typedef struct ald_c_kind {
    unsigned parts;
    const char *call, *text;
} ald_c_kind;
const ald_c_kind *ald_c_kind_of(const ald_export_step *step);

#endif
