/* The centred kernel of all rows as a matrix that stands on the card only: who has products with it alone to
 * ask needs no n x n numbers in the memory of the host. */
#include "math/kernel/gram.h"
#include "math/operator/on_card.h"

/* From this order on the card is faster with its start and copies, where it was not asked for by name. */
enum { least_rows = 3000 };

/* Whether the card knows the kernel. */
static int is_known(const ald_kernel *kernel, ald_card_kernel *known)
{
    static const signed char kinds[] = {
        [ALD_KERNEL_LINEAR] = ALD_CARD_LINEAR, [ALD_KERNEL_RBF] = ALD_CARD_RBF,
        [ALD_KERNEL_LAPLACIAN] = -1,           [ALD_KERNEL_POLYNOMIAL] = ALD_CARD_POLYNOMIAL,
        [ALD_KERNEL_COSINE] = ALD_CARD_COSINE,
    };
    if ((size_t)kernel->kind >= sizeof kinds || kinds[kernel->kind] < 0) return 0;
    *known = (ald_card_kernel){
        .kind = (ald_card_kernel_kind)kinds[kernel->kind],
        .width = kernel->width,
        .coef0 = kernel->coef0,
        .degree = kernel->degree,
    };
    return 1;
}

ald_status ald_kernel_on_card(ald_run *run, const ald_kernel *kernel, const ald_operator *z, double *mean,
                              double *trace, ald_matrix *k)
{
    const ald_device *device = run->context->device;
    const int64_t n = z->x.rows;
    const ald_held *x;
    const ald_card_rows rows = ald_card_rows_of(run, z, &x);
    ald_card_kernel known;
    ald_held *made;
    double *diagonal;
    int failed;
    k->values = NULL;
    if (!x || run->call.tryout || (!device->always && n < least_rows) || !is_known(kernel, &known))
        return ALD_OK;
    ALD_TRY(ald_scratch(run, 1, 1, sizeof *made, &made));
    ALD_TRY(ald_scratch_reals(run, n, 1, &diagonal));
    *made = (ald_held){.outer = run->call.held, .only = 1, .unnamed = 1};
    ALD_TRY(ald_card_outcome(
        run, x, device->table->kernel(device->card, &rows, &known, &made->on_card, mean, diagonal), &failed));
    if (failed) return ALD_OK;
    made->x = ald_matrix_row_major(ald_card_place(run), n, n, n);
    run->call.held = made;
    *k = made->x;
    *trace = 0.0;
    for (int64_t i = 0; i < n; i++) *trace += diagonal[i];
    return ALD_OK;
}

ald_status ald_kernel_times_on_card(ald_run *run, const ald_matrix *k, const double *v, int64_t columns,
                                    double *w, int *failed)
{
    const ald_device *device = run->context->device;
    ald_card_rows rows = {.n = k->rows, .d = k->cols};
    rows.x = ald_card_find(run, k, &rows.first)->on_card;
    return ald_card_outcome(run, NULL, device->table->apply(device->card, &rows, v, columns, w), failed);
}
