/* The stress on the card of the run: who asks, and what happens where it fails. */
#include "math/optimize/stress_on_card.h"

ald_status ald_stress_card_open(ald_run *run, ald_stress *s, ald_stress_card *card)
{
    const ald_device *device = run->context->device;
    const ald_basis *basis = s->basis;
    int failed;
    if (!device || !s->divergence->quartic || s->smooth || s->spread != 0.0 || s->sums || s->remote ||
        basis->rows)
        return ALD_OK;
    *card = (ald_stress_card){.basis = basis, .pairs = s->pairs, .squares = s->squares};
    card->rows = ald_card_rows_of(run, basis->z, &card->held);
    if (!card->held) return ALD_OK;
    const ald_card_stress what = {
        .pointers = s->pairs->pointers,
        .upper = s->pairs->upper,
        .partners = s->pairs->partners,
        .weights = s->pairs->weights,
        .squares = s->squares,
        .p = basis->p,
        .matrix = basis->matrix,
        .diagonal = basis->diagonal,
    };
    ALD_TRY(ald_card_outcome(run, card->held,
                             device->table->stress_open(device->card, &card->rows, &what, &card->on_card),
                             &failed));
    if (!failed) s->card = card;
    return ALD_OK;
}

void ald_stress_card_close(ald_run *run, ald_stress *s)
{
    const ald_device *device = run->context->device;
    if (s->card && s->card->on_card) device->table->stress_close(device->card, s->card->on_card);
    if (s->card) s->card->on_card = NULL;
    s->card = NULL;
}

ald_status ald_pair_scatter_on_card(ald_run *run, const ald_operator *z, const ald_pairs *pairs,
                                    double *scatter, int *done)
{
    const ald_device *device = run->context->device;
    const ald_card_stress what = {
        .pointers = pairs->pointers,
        .partners = pairs->partners,
        .weights = pairs->weights,
    };
    const ald_held *held = NULL;
    ald_card_rows rows;
    int failed;
    *done = 0;
    if (device && z->x.storage == ALD_DENSE) rows = ald_card_rows_of(run, z, &held);
    if (!held) return ALD_OK;
    ALD_TRY(ald_card_outcome(
        run, held, device->table->pair_scatter(device->card, &rows, &what, 1.0 / pairs->total, scatter),
        &failed));
    *done = !failed;
    return ALD_OK;
}

static int is_there(const ald_stress *s)
{
    const ald_stress_card *card = s->card;
    return card && card->on_card && card->basis == s->basis && card->pairs == s->pairs &&
           card->squares == s->squares && !s->smooth && s->spread == 0.0 && s->r <= ALD_CARD_MOST_STRESS;
}

static ald_status outcome(ald_run *run, ald_stress *s, ald_card_code code, ald_stress_where *where)
{
    int failed;
    ALD_TRY(ald_card_outcome(run, s->card->held, code, &failed));
    *where = failed ? ALD_STRESS_LEFT : ALD_STRESS_DONE;
    if (failed) ald_stress_card_close(run, s);
    return ALD_OK;
}

ald_status ald_stress_card_place(ald_run *run, ald_stress *s, ald_stress_where *where)
{
    const ald_device *device = run->context->device;
    *where = ALD_STRESS_HERE;
    if (!is_there(s)) return ALD_OK;
    return outcome(
        run, s,
        device->table->stress_place(device->card, &s->card->rows, s->card->on_card, s->w, s->r * s->groups),
        where);
}

ald_status ald_stress_card_gradient(ald_run *run, ald_stress *s, double *values, double *g,
                                    ald_stress_where *where)
{
    const ald_device *device = run->context->device;
    *where = ALD_STRESS_HERE;
    if (!is_there(s)) return ALD_OK;
    return outcome(run, s,
                   device->table->stress_gradient(device->card, &s->card->rows, s->card->on_card, s->r,
                                                  s->scale, values, g),
                   where);
}

ald_status ald_stress_card_line(ald_run *run, ald_stress *s, const double *v, double *c,
                                ald_stress_where *where)
{
    const ald_device *device = run->context->device;
    *where = ALD_STRESS_HERE;
    if (!is_there(s)) return ALD_OK;
    return outcome(
        run, s,
        device->table->stress_line(device->card, &s->card->rows, s->card->on_card, s->r, s->scale, v, c),
        where);
}

ald_status ald_stress_card_move(ald_run *run, ald_stress *s, const double *steps, ald_stress_where *where)
{
    const ald_device *device = run->context->device;
    *where = ALD_STRESS_HERE;
    if (!is_there(s)) return ALD_OK;
    return outcome(run, s, device->table->stress_move(device->card, s->card->on_card, s->r, steps), where);
}
