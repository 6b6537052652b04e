/* What stands on the card during a call, and when it pays to put it there. */
#include "math/device/held.h"

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

ald_status ald_card_outcome(ald_run *run, ald_card_code code, int *failed)
{
    const ald_device *device = run->context->device;
    *failed = code != ALD_CARD_OK;
    if (!*failed) return ALD_OK;
    const char *trouble = device->table->trouble(device->card);
    if (device->always)
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
    ALD_TRY(ald_card_outcome(run, device->table->hold(device->card, x, &made->on_card), &failed));
    if (!failed) run->call.held = made;
    return ALD_OK;
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
