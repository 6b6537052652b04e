/* What stands on the card during a call, and when it pays to put it there. */
#include "math/device/held.h"

#include "base/core/memory.h"

/* What a card is worth its copies for, where it was not asked for by name: multiplications of a fit for each
 * entry of X that is copied, and entries. Below, copying takes longer than the processor would. */
static const double least_work = 100.0, least_entries = 2e7;
/* Order of an eigenproblem from which on the card is faster, with both copies. */
enum { least_order = 1000 };

static size_t size_of(const ald_matrix *x)
{
    return x->type == ALD_F64 ? sizeof(double) : sizeof(float);
}

/* Rows of `inner` are rows of `outer`, from `*first` on. */
static int has_rows(const ald_matrix *outer, const ald_matrix *inner, int64_t *first)
{
    if (inner->storage != ALD_DENSE || inner->type != outer->type || inner->cols != outer->cols ||
        inner->row_stride != outer->row_stride || inner->col_stride != outer->col_stride)
        return 0;
    const ptrdiff_t apart = (const char *)inner->values - (const char *)outer->values;
    const ptrdiff_t row = (ptrdiff_t)size_of(outer) * (ptrdiff_t)outer->row_stride;
    *first = row > 0 ? apart / row : 0;
    return apart >= 0 && *first * row == apart && *first + inner->rows <= outer->rows;
}

const ald_held *ald_card_find(const ald_run *run, const ald_matrix *x, int64_t *first)
{
    const ald_held *held = run->call.held;
    while (held && !has_rows(&held->x, x, first)) held = held->outer;
    return held;
}

int ald_card_only(const ald_run *run, const ald_matrix *x)
{
    int64_t first;
    const ald_held *held = ald_card_find(run, x, &first);
    return held && held->only;
}

ald_status ald_card_outcome(ald_run *run, const ald_held *held, ald_card_code code, int *failed)
{
    const ald_device *device = run->context->device;
    *failed = code != ALD_CARD_OK;
    if (!*failed) return ALD_OK;
    const char *trouble = device->table->trouble(device->card);
    if (device->always || (held && held->only))
        return ald_fail(run->error, code == ALD_CARD_FULL ? ALD_ERROR_MEMORY : ALD_ERROR_UNSUPPORTED,
                        "%s: %s", device->facts.name, trouble);
    ald_log(run, ALD_LOG_INFO, "%s: %s; the processor computes instead", device->facts.name, trouble);
    return ALD_OK;
}

/* In memory once, of any strides. */
static int can_stand(const ald_matrix *x)
{
    return x->storage == ALD_DENSE && x->values && x->rows > 0 && x->cols > 0 && x->row_stride >= 0 &&
           x->col_stride >= 0;
}

static int pays(const ald_device *device, const ald_matrix *x, double work)
{
    const double entries = (double)x->rows * (double)x->cols;
    return device->always || (entries >= least_entries && work >= least_work * entries);
}

ald_status ald_card_hold(ald_run *run, const ald_matrix *x, double work)
{
    const ald_device *device = run->context->device;
    ald_held *made;
    int64_t first;
    int failed;
    if (!device || !can_stand(x) || !pays(device, x, work) || ald_card_find(run, x, &first)) return ALD_OK;
    ALD_TRY(ald_scratch(run, 1, 1, sizeof *made, &made));
    *made = (ald_held){.outer = run->call.held, .x = *x};
    ALD_TRY(ald_card_outcome(run, NULL, device->table->hold(device->card, x, &made->on_card), &failed));
    if (!failed) run->call.held = made;
    return ALD_OK;
}

static ald_status check_given(ald_run *run, const ald_matrix *x)
{
    size_t bytes;
    if (!run->context->device)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "X is in the memory of a device, but the context has none: ald_context_set_device");
    if (x->values && x->rows > 0 && x->cols > 0 && x->row_stride >= 0 && x->col_stride >= 0 &&
        (x->type == ALD_F64 || x->type == ALD_F32) &&
        ald_size_product(x->rows, x->cols, sizeof(double), &bytes))
        return ALD_OK;
    return ald_fail(
        run->error, ALD_ERROR_ARGUMENT,
        "X in the memory of the device: there are no values, or its type, size or strides cannot be");
}

ald_status ald_card_take(ald_run *run, const ald_matrix *given, int by_products, ald_matrix *x)
{
    const ald_device *device = run->context->device;
    ald_held *made;
    double *copy;
    int failed;
    *x = *given;
    if (given->storage != ALD_ON_DEVICE) return ALD_OK;
    ALD_TRY(check_given(run, given));
    ALD_TRY(ald_scratch(run, 1, 1, sizeof *made, &made));
    x->storage = ALD_DENSE;
    *made = (ald_held){.outer = run->call.held, .x = *x, .only = 1};
    ALD_TRY(ald_card_outcome(run, made, device->table->adopt(device->card, given, &made->on_card), &failed));
    run->call.held = made;
    if (by_products) return ALD_OK;
    const ald_card_rows rows = {.x = made->on_card, .n = x->rows, .d = x->cols};
    ALD_TRY(ald_scratch_reals(run, x->rows, x->cols, &copy));
    ALD_TRY(ald_card_outcome(run, made, device->table->fetch(device->card, &rows, copy), &failed));
    made->x = *x = ald_matrix_row_major(copy, x->rows, x->cols, x->cols);
    made->only = 0;
    return ALD_OK;
}

ald_status ald_card_put(ald_run *run, const void *from, int64_t bytes, void *to)
{
    const ald_device *device = run->context->device;
    const ald_held there = {.only = 1};
    int failed;
    return ald_card_outcome(run, &there, device->table->put(device->card, from, bytes, to), &failed);
}

void ald_card_release(ald_run *run, const ald_held *before)
{
    const ald_device *device = run->context->device;
    while (run->call.held != before) {
        device->table->release(device->card, run->call.held->on_card);
        run->call.held = run->call.held->outer;
    }
}

const ald_device *ald_card_for_eigen(const ald_run *run, int64_t n)
{
    const ald_device *device = run->context->device;
    return device && n >= least_order && !run->is_fork ? device : NULL;
}
