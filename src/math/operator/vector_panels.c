/* Panels in the memory of the host by plain loops, and on a card by its table. */
#include "math/operator/vector_panels.h"

#include "math/operator/on_card.h"

#include <string.h>

ald_panel_home ald_panels_with(const ald_run *run, const ald_operator *z)
{
    const ald_held *held = NULL;
    if (z && run->call.held) ald_card_rows_of(run, z, &held);
    return (ald_panel_home){.z = held ? z : NULL, .before = run->call.held};
}

void ald_panels_give_up(ald_run *run, const ald_panel_home *home)
{
    if (home->z) ald_card_release(run, home->before);
}

/* A card that was not asked for by name is lost, without a message beyond the note. */
static ald_status outcome(ald_run *run, ald_panel_home *home, ald_card_code code)
{
    const ald_held *held;
    int failed;
    ald_card_rows_of(run, home->z, &held);
    ALD_TRY(ald_card_outcome(run, held, code, &failed));
    home->lost |= failed;
    return failed ? ALD_ERROR_UNSUPPORTED : ALD_OK;
}

ald_status ald_panel_new(ald_run *run, ald_panel_home *home, int64_t rows, int64_t k, const double *values,
                         ald_panel *panel)
{
    const ald_device *device = run->context->device;
    ald_held *made;
    *panel = (ald_panel){.home = home, .rows = rows, .k = k};
    if (!home->z) {
        ALD_TRY(ald_scratch_zeros(run, rows, k, &panel->values));
        if (values) memcpy(panel->values, values, (size_t)(rows * k) * sizeof *values);
        return ALD_OK;
    }
    ALD_TRY(ald_scratch(run, 1, 1, sizeof *made, &made));
    *made = (ald_held){.outer = run->call.held};
    ALD_TRY(outcome(run, home, device->table->panel(device->card, rows, k, values, &made->on_card)));
    run->call.held = made;
    panel->on_card = made->on_card;
    return ALD_OK;
}

ald_status ald_panel_advance(ald_run *run, const ald_panel *v, const double *alpha, ald_panel *u,
                             ald_panel *w)
{
    const ald_device *device = run->context->device;
    const ald_held *held;
    const ald_card_rows rows = ald_card_rows_of(run, v->home->z, &held);
    return outcome(
        run, v->home,
        device->table->panel_advance(device->card, &rows, v->on_card, v->k, alpha, u->on_card, w->on_card));
}

ald_status ald_panel_combine(ald_run *run, ald_panel *a, const double *f, const ald_panel *b, const double *g)
{
    const ald_device *device = run->context->device;
    const int64_t k = a->k;
    if (a->on_card)
        return outcome(
            run, a->home,
            device->table->panel_combine(device->card, a->rows, k, a->on_card, f, b ? b->on_card : NULL, g));
    for (int64_t i = 0; b && i < a->rows; i++)
        for (int64_t c = 0; c < k; c++)
            a->values[i * k + c] = f[c] * a->values[i * k + c] + g[c] * b->values[i * k + c];
    for (int64_t i = 0; !b && i < a->rows; i++)
        for (int64_t c = 0; c < k; c++) a->values[i * k + c] *= f[c];
    return ALD_OK;
}

ald_status ald_panel_squares(ald_run *run, const ald_panel *a, double *squares)
{
    const ald_device *device = run->context->device;
    const int64_t k = a->k;
    if (a->on_card)
        return outcome(run, a->home,
                       device->table->panel_squares(device->card, a->rows, k, a->on_card, squares));
    memset(squares, 0, (size_t)k * sizeof *squares);
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t c = 0; c < k; c++) squares[c] += a->values[i * k + c] * a->values[i * k + c];
    return ALD_OK;
}

ald_status ald_panel_take(ald_run *run, const ald_panel *from, int64_t count, const int64_t *which,
                          ald_panel *to)
{
    const ald_device *device = run->context->device;
    const int64_t k = from->k;
    to->k = count;
    if (from->on_card)
        return outcome(
            run, from->home,
            device->table->panel_take(device->card, from->rows, k, from->on_card, count, which, to->on_card));
    for (int64_t i = 0; i < from->rows; i++)
        for (int64_t c = 0; c < count; c++) to->values[i * count + c] = from->values[i * k + which[c]];
    return ALD_OK;
}

ald_status ald_panel_read(ald_run *run, const ald_panel *panel, const double **values)
{
    const ald_device *device = run->context->device;
    const ald_card_rows rows = {.x = panel->on_card, .n = panel->rows, .d = panel->k};
    double *copy;
    *values = panel->values;
    if (!panel->on_card) return ALD_OK;
    ALD_TRY(ald_scratch_reals(run, panel->rows, panel->k, &copy));
    *values = copy;
    return outcome(run, panel->home, device->table->fetch(device->card, &rows, copy));
}
