/* Matrices that stand on the card during a call.
 *
 * A fit holds its X before it begins and gives it up at its end; meanwhile the memory of X does not change
 * and is not freed, so the address of its values names it. The list is the run's: runs inside a call and
 * its workers see what their caller holds, and nobody sees what others hold beside them. */
#ifndef ALD_DEVICE_HELD_H
#define ALD_DEVICE_HELD_H

#include "base/core/run.h"
#include "math/device/card.h"

typedef struct ald_held {
    const struct ald_held *outer;
    ald_matrix x; /* without rows: a panel (math/operator/vector_panels.h) */
    void *on_card;
    int64_t block_rows; /* above 0: X is larger than the card, and so many rows at a time pass through it */
    int in_turn;        /* a block that has passed the gate of the device */
    int only;           /* there, and not in the memory of the host: `values` is an address of the card */
    int unnamed;        /* made there, so that `values` is an address that nothing has (ald_card_place) */
    /* Where rows were taken from in the memory of the host, and which they are, so that the processor can go
     * on with them; NULL: they came on the card. */
    ald_matrix home;
    const int64_t *home_rows;
} ald_held;

/* Copies X to the card of the run, if there is one, if it pays, and if it is not there yet; `work`
 * are the multiplications that are to be expected. Where there is no room its rows, if it is stored by rows,
 * pass through the card in blocks (operator/through_card.c); where it fails: a note, and the processor
 * computes, or an error where the card was asked for by name. */
ald_status ald_card_hold(ald_run *run, const ald_matrix *x, double work);
/* The same, whether or not it pays. */
ald_status ald_card_hold_now(ald_run *run, const ald_matrix *x);
/* A block of rows of dense or sparse X, of `entries` in all, for the time of a visit; `work` are the
 * multiplications for each of them. Waits while too many blocks are on the card. */
ald_status ald_card_hold_block(ald_run *run, const ald_matrix *block, double entries, double work);
/* What holds the rows of x where they pass through the card block by block; NULL: they do not. */
const ald_held *ald_card_through(const ald_run *run, const ald_matrix *x);
/* X of the caller where it is on the card (ALD_ON_DEVICE), as a dense matrix that is held: for those who
 * ask the operator alone (`by_products`) as it is, otherwise with a copy in the memory of the host. Other X
 * is left as it is. */
ald_status ald_card_take(ald_run *run, const ald_matrix *given, int by_products, ald_matrix *x);
/* An address for what is made on the card and is nowhere in the memory of the host: in the upper half, where
 * no program has any, and behind those of its kind that the run holds. Any other address would be that of
 * other matrices too, which would then be taken for rows of this one. */
const double *ald_card_place(const ald_run *run);
/* Some of the rows of x, by their numbers, as a matrix that is only on the card, where x is; else, or where
 * there is no room, out->values is NULL. */
ald_status ald_card_select(ald_run *run, const ald_matrix *x, const int64_t *rows, int64_t n,
                           ald_matrix *out);
/* Writes bytes of the host to the card. */
ald_status ald_card_put(ald_run *run, const void *from, int64_t bytes, void *to);
/* Gives up what has been held since `before` was run->call.held. */
void ald_card_release(ald_run *run, const ald_held *before);
/* The held matrix that the rows of x are rows of, and the first of them; NULL: none. */
const ald_held *ald_card_find(const ald_run *run, const ald_matrix *x, int64_t *first);
/* Whether the rows of x are on the card, and not in the memory of the host. */
int ald_card_only(const ald_run *run, const ald_matrix *x);
/* The error, or for a card that was not asked for by name ALD_OK with `*failed` set: the processor computes
 * instead, which a call says once. It cannot where the rows (`held`, NULL: none) are only there. */
ald_status ald_card_outcome(ald_run *run, const ald_held *held, ald_card_code code, int *failed);
/* The card for an eigenproblem of order n; NULL: the processor is faster. */
const ald_device *ald_card_for_eigen(const ald_run *run, int64_t n);

#endif
