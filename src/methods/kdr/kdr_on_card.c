/* The exact form of the criterion of kdr on a card (math/device/card.h): K and its factor stay there, and
 * z = U B and the gradient from the pull are computed here. Where the card fails and was not asked for by
 * name, the processor continues. */
#include "math/device/held.h"
#include "math/linalg/linalg.h"
#include "methods/kdr/kdr_objective.h"

/* Rows from which on the card is faster, where it was not asked for by name. */
enum { least_rows = 300 };

ald_status ald_kdr_cards_open(ald_run *run, const ald_kdr_search *search, int parts, void **cards)
{
    const ald_device *device = run->context->device;
    const int64_t n = search->rows->n;
    int failed = 0;
    for (int part = 0; part < parts; part++) cards[part] = NULL;
    if (!device || search->rank > 0 || (!device->always && n < least_rows)) return ALD_OK;
    for (int part = 0; part < parts && !failed; part++) {
        void *made;
        ALD_TRY(
            ald_card_outcome(run, NULL, device->table->kdr_open(device->card, n, search->r, &made), &failed));
        if (!failed) cards[part] = made;
    }
    return ALD_OK;
}

void ald_kdr_cards_close(ald_run *run, int parts, void **cards)
{
    const ald_device *device = run->context->device;
    for (int part = 0; part < parts; part++)
        if (cards[part]) device->table->kdr_close(device->card, cards[part]);
}

ald_status ald_kdr_card_target(ald_run *run, const ald_kdr_factor *target, void *card, ald_kdr_work *work)
{
    const ald_device *device = run->context->device;
    int failed = 0;
    work->card = card;
    if (!card) return ALD_OK;
    ALD_TRY(ald_card_outcome(run, NULL, device->table->kdr_target(device->card, card, target->m, target->f),
                             &failed));
    if (failed) work->card = NULL;
    return ALD_OK;
}

static ald_status prepare(ald_run *run, const ald_kdr_criterion *size, ald_kdr_work *work)
{
    return ald_kdr_exact.prepare(run, size, work);
}

static ald_status value(ald_run *run, const ald_kdr_criterion *c, const double *b, ald_kdr_work *work,
                        double *f)
{
    const ald_device *device = run->context->device;
    int definite = 1, failed = 1;
    work->b = b;
    if (work->card) {
        ALD_TRY(ald_kdr_project(run, c, b, work));
        ALD_TRY(ald_card_outcome(
            run, NULL,
            device->table->kdr_value(device->card, work->card, work->z, c->width, c->penalty, f, &definite),
            &failed));
    }
    if (!definite) return ald_kdr_indefinite(run, c);
    if (!failed) return ALD_OK;
    work->card = NULL;
    return ald_kdr_exact.value(run, c, b, work, f);
}

static ald_status gradient(ald_run *run, const ald_kdr_criterion *c, ald_kdr_work *work, double *g)
{
    const ald_device *device = run->context->device;
    double again;
    int failed;
    if (!work->card) return ald_kdr_exact.gradient(run, c, work, g);
    ALD_TRY(
        ald_card_outcome(run, NULL, device->table->kdr_pull(device->card, work->card, work->pull), &failed));
    if (!failed) return ald_kdr_pull_back(run, c, work, 2.0, g);
    work->card = NULL;
    ALD_TRY(ald_kdr_exact.value(run, c, work->b, work, &again));
    return ald_kdr_exact.gradient(run, c, work, g);
}

const ald_kdr_form ald_kdr_on_card = {prepare, value, gradient};
