/* What a fit by passes has found, so that a run that was ended goes on without those passes.
 *
 * A fit is a row of steps: a product, a solution by iterations, a collection of the target. All runs of one
 * command take the same steps in the same order, and what lies between them is computed again. A step asks
 * the logbook for its result (ald_recall), and if an earlier run has not left it, finds it and gives it to
 * the logbook (ald_log_step). Steps within a step are not kept (ald_logbook_enter); a long one gives its
 * state from time to time instead and begins with the last one (`under_way`).
 *
 * Without a logbook (NULL) nothing is found and nothing is kept. All calls are made by all ranks. */
#ifndef ALD_OPERATOR_LOGBOOK_H
#define ALD_OPERATOR_LOGBOOK_H

#include "base/numbers/hash.h"
#include "math/operator/operator.h"

typedef enum ald_piece_kind {
    ALD_ALIKE,   /* that of rank 0 is that of all ranks */
    ALD_DIVIDED, /* those of the ranks, one behind the other, are the whole, whatever their number */
    ALD_OWN,     /* of each rank for itself: of use to as many ranks only */
} ald_piece_kind;

typedef struct ald_piece {
    void *data;
    int64_t size; /* bytes of this rank */
    ald_piece_kind kind;
} ald_piece;

/* What a pass over the rows of this rank has made of some of them, so that it can go on with the others. Its
 * result follows from the rows and from what `input` is a sum over. */
typedef struct ald_partial {
    uint64_t input;
    const ald_piece *pieces; /* of this rank, whatever their kinds */
    int n_pieces;
} ald_partial;

typedef struct ald_step {
    const char *name;
    uint64_t
        input;     /* a sum over what the result follows from, on rank 0 (ald_hash_reals); 0: not looked at */
    int under_way; /* the state of a step that is not done, whose own steps are not kept */
    int own;       /* of use to as many ranks only */
    void *head;    /* alike, of a size that is known before */
    int64_t head_size;
    const ald_piece *pieces; /* their sizes may follow from the head */
    int n_pieces;
} ald_step;

typedef struct ald_logbook {
    /* Fills the head; then `take` fills the pieces, which may be others than before. Between them `sizes`
     * tells how many bytes of each piece were of this rank, or of rank 0. */
    ald_status (*find)(ald_run *run, struct ald_logbook *book, const ald_step *step, int *found);
    ald_status (*sizes)(ald_run *run, struct ald_logbook *book, const ald_step *step, int64_t *sizes);
    ald_status (*take)(ald_run *run, struct ald_logbook *book, const ald_step *step);
    /* A state is written if the last one is long ago. */
    ald_status (*keep)(ald_run *run, struct ald_logbook *book, const ald_step *step);
    int depth; /* steps that are under way */
} ald_logbook;

/* That of the rows of z; NULL: there is none. */
ald_logbook *ald_logbook_of(const ald_operator *z);
void ald_logbook_enter(ald_logbook *book);
void ald_logbook_leave(ald_logbook *book);

/* The head alone, where the sizes of the pieces are not known: if found, ald_recall_pieces is called. */
ald_status ald_recall_head(ald_run *run, ald_logbook *book, const ald_step *step, int *found);
ald_status ald_recall_pieces(ald_run *run, ald_logbook *book, const ald_step *step);
/* Head and pieces. */
ald_status ald_recall(ald_run *run, ald_logbook *book, const ald_step *step, int *found);
ald_status ald_log_step(ald_run *run, ald_logbook *book, const ald_step *step);

/* A step with steps within it: recalls it, or calls find(run, work), which fills its head and pieces, and
 * keeps it. */
ald_status ald_take_step(ald_run *run, ald_logbook *book, const ald_step *step,
                         ald_status (*find)(ald_run *run, void *work), void *work);

#endif
