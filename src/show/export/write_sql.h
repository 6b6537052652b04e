/* A SELECT under way: a chain of tables in WITH, each from the one before. */
#ifndef ALD_EXPORT_WRITE_SQL_H
#define ALD_EXPORT_WRITE_SQL_H

#include "show/export/pen.h"
#include "show/export/recipe.h"

typedef struct ald_sql {
    ald_pen pen;
    const char *prefix; /* of all names that are made up */
    char **kept;        /* columns that pass through */
    int64_t n_kept;
    int stage, adds; /* tables so far; whether the one under way has all columns of the last */
    int results;     /* columns of the result so far */
} ald_sql;

/* The next table: with `adds` all columns of the last one and new ones, else those that are kept and new
 * ones. Then come the columns, each an expression and its name, and the end. */
void ald_sql_begin(ald_sql *s, int adds);
void ald_sql_as(ald_sql *s, const char *letter, int64_t j);
void ald_sql_end(ald_sql *s, const char *table);

/* As an identifier ("), or as a text ('). */
void ald_sql_quote(ald_sql *s, const char *text, char quote);
void ald_sql_real(ald_sql *s, double value);
/* The column that was made as LETTER j. */
void ald_sql_column(ald_sql *s, const char *letter, int64_t j);
/* The sum of `count` terms. */
typedef void (*ald_sql_term)(ald_sql *s, const void *of, int64_t i);
void ald_sql_sum(ald_sql *s, int64_t count, ald_sql_term term, const void *of);
/* sum of LETTER_i weights[i * stride]. */
void ald_sql_product(ald_sql *s, const char *letter, const double *weights, int64_t stride, int64_t count);

/* sql_inputs.c: a column that is kept, or of the table; the first of the tables, x1 .. of the cells. */
void ald_sql_name(ald_sql *s, const char *name);
void ald_sql_cells(ald_sql *s, const ald_model_recipe *recipe, const char *table);

/* sql_steps.c: whether there is a form of the step, and its tables; numbers x1 .. become x1 .., those of the
 * predictor s1 .. from z1 .. */
int ald_sql_has(const ald_export_step *step);
void ald_sql_step(ald_sql *s, const ald_export_step *step);

#endif
