#include "linalg/linalg.h"

#include <string.h>

ald_status ald_multiply(ald_run *run, ald_area a, ald_view b)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *product;
    ALD_TRY(ald_scratch_reals(run, a.rows, a.cols, &product));
    ALD_TRY(ald_product(run, ald_read(a), b, ald_at(product, a.rows, a.cols)));
    for (int64_t i = 0; i < a.rows; i++)
        memcpy(a.data + i * a.stride, product + i * a.cols, (size_t)a.cols * sizeof *product);
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

ald_status ald_products_possible(ald_run *run)
{
    const double one = 1.0;
    double product;
    return ald_product(run, ald_of(&one, 1, 1), ald_of(&one, 1, 1), ald_at(&product, 1, 1));
}
