#include "base/core/known_rows.h"

static int is_known(const ald_known_rows *known, const ald_matrix *x)
{
    return x->rows == known->count && x->values == known->values;
}

int64_t ald_row_number(const ald_run *run, const ald_matrix *x, int64_t i)
{
    const ald_known_rows *known = &run->context->between.rows;
    if (!is_known(known, x)) return i + 1;
    return known->first + (known->places ? known->places[i] : i) + 1;
}

const struct ald_all_rows *ald_portion_of_all(const ald_run *run, const ald_matrix *x)
{
    const ald_known_rows *known = &run->context->between.rows;
    return is_known(known, x) ? known->all : NULL;
}
