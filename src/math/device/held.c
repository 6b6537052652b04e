/* What stands on the card during a call, and when it pays to put it there. */
#include "math/device/held.h"

#include "base/core/memory.h"
#include "base/threads/threads.h"

#include <stdint.h>

/* What a card is worth its copies for, where it was not asked for by name: multiplications of a fit for each
 * entry of X that is copied, and entries. Below, copying takes longer than the processor would. */
static const double least_work = 100.0, least_entries = 2e7;
/* Sparse X is used by many products with few columns: stored entries from which on they pay. */
static const double least_stored = 5e6;
/* Order of an eigenproblem from which on the card is faster, with both copies. */
enum { least_order = 1000 };

static size_t size_of(const ald_matrix *x)
{
    return x->type == ALD_F64 ? sizeof(double) : sizeof(float);
}

static int same_sparse(const ald_matrix *one, const ald_matrix *other)
{
    return one->rows == other->rows && one->cols == other->cols && one->type == other->type &&
           one->values == other->values && one->indices == other->indices &&
           one->pointers == other->pointers && one->index_bits == other->index_bits;
}

/* Rows of `inner` are rows of `outer`, from `*first` on; of sparse matrices all of them. */
static int has_rows(const ald_matrix *outer, const ald_matrix *inner, int64_t *first)
{
    *first = 0;
    if (inner->storage != outer->storage) return 0;
    if (inner->storage != ALD_DENSE) return same_sparse(outer, inner);
    if (inner->type != outer->type || inner->cols != outer->cols || inner->row_stride != outer->row_stride ||
        inner->col_stride != outer->col_stride)
        return 0;
    const ptrdiff_t apart = (const char *)inner->values - (const char *)outer->values;
    const ptrdiff_t row = (ptrdiff_t)size_of(outer) * (ptrdiff_t)outer->row_stride;
    *first = row > 0 ? apart / row : 0;
    return apart >= 0 && *first * row == apart && *first + inner->rows <= outer->rows;
}

const ald_held *ald_card_find(const ald_run *run, const ald_matrix *x, int64_t *first)
{
    const ald_held *held = run->call.held;
    while (held && (!held->on_card || !has_rows(&held->x, x, first))) held = held->outer;
    return held;
}

const ald_held *ald_card_through(const ald_run *run, const ald_matrix *x)
{
    const ald_held *held = run->call.held;
    int64_t first;
    while (held && (held->block_rows == 0 || held->x.rows != x->rows || !has_rows(&held->x, x, &first)))
        held = held->outer;
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
    run->on_card |= !*failed;
    if (!*failed) return ALD_OK;
    const char *trouble = device->table->trouble(device->card);
    if (device->always || (held && held->only && !held->home_rows))
        return ald_fail(run->error, code == ALD_CARD_FULL ? ALD_ERROR_MEMORY : ALD_ERROR_UNSUPPORTED,
                        "%s: %s", device->facts.name, trouble);
    ald_log_once(run, "%s: %s; the processor computes instead", device->facts.name, trouble);
    return ALD_OK;
}

static int64_t pointer_at(const ald_matrix *x, int64_t slice)
{
    return x->index_bits == 64 ? ((const int64_t *)x->pointers)[slice]
                               : ((const int32_t *)x->pointers)[slice];
}

/* Blocks of rows have the pointers of the whole, which do not begin with 0. */
static int64_t entries_of(const ald_matrix *x)
{
    return pointer_at(x, x->storage == ALD_CSR ? x->rows : x->cols) - pointer_at(x, 0);
}

/* In memory once, of any strides; with entries. */
static int can_stand(const ald_matrix *x)
{
    if (x->storage != ALD_DENSE) return x->values && entries_of(x) > 0;
    return x->values && x->rows > 0 && x->cols > 0 && x->row_stride >= 0 && x->col_stride >= 0;
}

static int pays(const ald_device *device, const ald_matrix *x, double work)
{
    const double entries = (double)x->rows * (double)x->cols;
    if (device->always) return 1;
    if (x->storage != ALD_DENSE) return (double)entries_of(x) >= least_stored;
    return entries >= least_entries && work >= least_work * entries;
}

/* Rows of X that pass through the card at a time: many to a copy, and room for several. */
static int64_t rows_in_block(const ald_device *device, const ald_matrix *x)
{
    const double most = 128e6, share = device->facts.memory / 16.0;
    const double entries =
        x->storage == ALD_DENSE ? (double)x->rows * (double)x->cols : (double)entries_of(x);
    const double row = (double)sizeof(double) * (1.0 + entries / (double)x->rows);
    return 1 + (int64_t)((share < most ? share : most) / row);
}

/* `through`: where there is no room its rows may pass through the card. */
static ald_status hold(ald_run *run, const ald_matrix *x, int through)
{
    const ald_device *device = run->context->device;
    ald_held *made;
    int64_t first;
    int failed;
    if (!device || !can_stand(x) || ald_card_find(run, x, &first) || ald_card_through(run, x)) return ALD_OK;
    ALD_TRY(ald_scratch(run, 1, 1, sizeof *made, &made));
    *made = (ald_held){.outer = run->call.held, .x = *x};
    const ald_card_code code = device->table->hold(device->card, x, &made->on_card);
    if (through && code == ALD_CARD_FULL && rows_in_block(device, x) < x->rows && x->storage != ALD_CSC) {
        made->on_card = NULL;
        made->block_rows = rows_in_block(device, x);
        run->call.held = made;
        ald_log(run, ALD_LOG_INFO, "%s: %s; X passes through it in blocks of %lld rows", device->facts.name,
                device->table->trouble(device->card), (long long)made->block_rows);
        return ALD_OK;
    }
    ALD_TRY(ald_card_outcome(run, NULL, code, &failed));
    if (!failed) run->call.held = made;
    return ALD_OK;
}

ald_status ald_card_hold_now(ald_run *run, const ald_matrix *x)
{
    return hold(run, x, 0);
}

ald_status ald_card_hold_block(ald_run *run, const ald_matrix *block, double entries, double work)
{
    const ald_device *device = run->context->device;
    ald_held *made;
    int failed;
    if (!device || !can_stand(block)) return ALD_OK;
    if (!device->always && (entries < least_entries || work < least_work)) return ALD_OK;
    ALD_TRY(ald_scratch(run, 1, 1, sizeof *made, &made));
    *made = (ald_held){.outer = run->call.held, .x = *block, .in_turn = 1};
    ald_gate_enter(device->blocks);
    const ald_card_code code = device->table->hold(device->card, block, &made->on_card);
    if (code != ALD_CARD_OK) ald_gate_leave(device->blocks);
    ALD_TRY(ald_card_outcome(run, NULL, code, &failed));
    if (!failed) run->call.held = made;
    return ALD_OK;
}

ald_status ald_card_hold(ald_run *run, const ald_matrix *x, double work)
{
    const ald_device *device = run->context->device;
    return device && pays(device, x, work) ? hold(run, x, 1) : ALD_OK;
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

const double *ald_card_place(const ald_run *run)
{
    const ald_held *held = run->call.held;
    uintptr_t place = UINTPTR_MAX / 2 + 1;
    while (held && !held->unnamed) held = held->outer;
    if (held) place = (uintptr_t)held->x.values + (uintptr_t)(held->x.rows * held->x.cols) * sizeof(double);
    return (const double *)place;
}

ald_status ald_card_select(ald_run *run, const ald_matrix *x, const int64_t *rows, int64_t n, ald_matrix *out)
{
    const ald_device *device = run->context->device;
    ald_card_rows all = {.n = x->rows, .d = x->cols};
    const ald_held *held = ald_card_find(run, x, &all.first);
    ald_held *made;
    int failed;
    *out = (ald_matrix){0};
    if (!held || n == 0 || x->storage != ALD_DENSE) return ALD_OK;
    all.x = held->on_card;
    ALD_TRY(ald_scratch(run, 1, 1, sizeof *made, &made));
    const ald_card_code code = device->table->select(device->card, &all, rows, n, &made->on_card);
    if (code == ALD_CARD_FULL) return ALD_OK;
    ALD_TRY(ald_card_outcome(run, NULL, code, &failed));
    if (failed) return ALD_OK;
    *made = (ald_held){.outer = run->call.held, .on_card = made->on_card, .only = 1, .unnamed = 1};
    made->home = *x;
    made->home_rows = held->only ? NULL : rows;
    *out = made->x = ald_matrix_row_major(ald_card_place(run), n, x->cols, x->cols);
    run->call.held = made;
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
        if (run->call.held->on_card) device->table->release(device->card, run->call.held->on_card);
        if (run->call.held->in_turn) ald_gate_leave(device->blocks);
        run->call.held = run->call.held->outer;
    }
}

const ald_device *ald_card_for_eigen(const ald_run *run, int64_t n)
{
    const ald_device *device = run->context->device;
    return device && n >= least_order && !run->is_fork ? device : NULL;
}
