/* The cells of a row in SQL: the first table of the SELECT (write_sql.c). A category becomes its code or
 * indicators, a cell without a value what stands for it, or NULL. */
#include "show/export/write_sql.h"

#include <float.h>
#include <math.h>

/* A column; of the table with its name before it, as SQLite takes an unknown name in quotes for a text. */
void ald_sql_name(ald_sql *s, const char *name)
{
    if (s->stage == 0) ald_pen_print(&s->pen, "%st.", s->prefix);
    ald_sql_quote(s, name, '"');
}

/* The cell as a text or as a number. */
static const char text[] = "TEXT", number[] = "DOUBLE PRECISION";

static void put_cell(ald_sql *s, const ald_recipe_input *input, const char *type)
{
    ald_pen_put(&s->pen, "CAST(");
    ald_sql_name(s, input->name);
    ald_pen_print(&s->pen, " AS %s)", type);
}

static void put_real_or_null(ald_sql *s, int known, double value)
{
    if (known)
        ald_sql_real(s, value);
    else
        ald_pen_put(&s->pen, "NULL");
}

/* Number k of a category: its code, or whether it has level k. */
static double level_number(const ald_recipe_input *input, int64_t level, int64_t k)
{
    return input->coded ? (double)level : (double)(level == k);
}

/* What reads as missing in a file is missing here. DuckDB makes a join of a list of more than four, one for
 * each column, whose time and memory grow with the square of their number. */
static void put_missing(ald_sql *s, const ald_recipe_input *input)
{
    static const char *const lists[] = {"'', '?', 'na'", "'n/a', 'nan', 'null'"};
    ald_sql_name(s, input->name);
    ald_pen_put(&s->pen, " IS NULL");
    for (int k = 0; k < 2; k++) {
        ald_pen_put(&s->pen, " OR lower(");
        put_cell(s, input, text);
        ald_pen_print(&s->pen, ") IN (%s)", lists[k]);
    }
    ald_pen_put(&s->pen, " THEN ");
}

/* A level may have the name of a missing cell. */
static void put_category(ald_sql *s, const ald_recipe_input *input, int64_t k)
{
    const int filled = !isnan(input->fill);
    ald_pen_put(&s->pen, "CASE");
    for (int64_t level = 0; level < input->n_levels; level++) {
        ald_pen_put(&s->pen, " WHEN ");
        put_cell(s, input, text);
        ald_pen_put(&s->pen, " = ");
        ald_sql_quote(s, input->levels[level], '\'');
        ald_pen_put(&s->pen, " THEN ");
        ald_sql_real(s, level_number(input, level, k));
    }
    ald_pen_put(&s->pen, " WHEN ");
    put_missing(s, input);
    put_real_or_null(s, filled, filled ? level_number(input, (int64_t)input->fill, k) : 0.0);
    ald_pen_put(&s->pen, " ELSE ");
    put_real_or_null(s, input->means != NULL, input->means ? input->means[k] : 0.0);
    ald_pen_put(&s->pen, " END");
}

/* NULL where the cell is not finite, or where SQLite makes 0 of a text without a 0: that is no number. */
static void put_number(ald_sql *s, const ald_recipe_input *input)
{
    const int filled = !isnan(input->fill);
    ald_pen_put(&s->pen, "CASE WHEN ");
    put_missing(s, input);
    put_real_or_null(s, filled, filled ? input->fill : 0.0);
    ald_pen_put(&s->pen, " WHEN abs(");
    put_cell(s, input, number);
    ald_pen_put(&s->pen, ") <= ");
    ald_sql_real(s, DBL_MAX);
    ald_pen_put(&s->pen, " AND (");
    put_cell(s, input, number);
    ald_pen_put(&s->pen, " <> 0 OR ");
    put_cell(s, input, text);
    ald_pen_put(&s->pen, " LIKE '%0%') THEN ");
    put_cell(s, input, number);
    ald_pen_put(&s->pen, " END");
}

void ald_sql_cells(ald_sql *s, const ald_model_recipe *recipe, const char *table)
{
    int64_t at = 0;
    ald_sql_begin(s, 0);
    for (int64_t j = 0; j < recipe->n_inputs; j++)
        for (int64_t k = 0; k < recipe->inputs[j].width; k++) {
            if (recipe->inputs[j].n_levels > 0)
                put_category(s, &recipe->inputs[j], k);
            else
                put_number(s, &recipe->inputs[j]);
            ald_sql_as(s, "x", at++);
        }
    ald_sql_end(s, table);
}
