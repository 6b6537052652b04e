#include "base/core/known_rows.h"

static int is_known(const ald_known_rows *known, const ald_matrix *x)
{
    return x->rows == known->count && x->values == known->values;
}

static int64_t number_of(const ald_known_rows *known, int is_one, int64_t i)
{
    if (!is_one) return i + 1;
    return known->first + (known->places ? known->places[i] : i) + 1;
}

int64_t ald_row_number(const ald_run *run, const ald_matrix *x, int64_t i)
{
    const ald_known_rows *known = &run->context->between.rows;
    return number_of(known, is_known(known, x), i);
}

const void *ald_target_cells(const ald_target *y)
{
    return y->classes ? (const void *)y->classes : y->values.values;
}

int64_t ald_target_row_number(const ald_run *run, const ald_target *y, int64_t i)
{
    const ald_known_rows *known = &run->context->between.rows;
    return number_of(known, y->rows == known->count && ald_target_cells(y) == known->target, i);
}

const struct ald_all_rows *ald_portion_of_all(const ald_run *run, const ald_matrix *x)
{
    const ald_known_rows *known = &run->context->between.rows;
    return is_known(known, x) ? known->all : NULL;
}
