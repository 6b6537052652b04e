/* The results of the passes of a fit, so that an interrupted run resumes without repeating them.
 *
 * A fit is a sequence of steps: a product, an iterative solution, a collection of the target. Every run of a
 * command takes the same steps in the same order and recomputes what lies between them. A step first asks
 * the logbook for its result (ald_recall); if an earlier run has not left one, it computes the result and
 * stores it (ald_log_step). Steps within a step are not stored (ald_take_step); a long one stores its
 * state from time to time instead and starts from the last one (`under_way`).
 *
 * Without a logbook (NULL) nothing is found and nothing is stored. All parts of divided rows make all
 * calls. */
#ifndef ALD_OPERATOR_LOGBOOK_H
#define ALD_OPERATOR_LOGBOOK_H

#include "base/numbers/hash.h"
#include "math/operator/operator.h"

typedef enum ald_piece_kind {
    ALD_ALIKE, /* the same for all parts of the rows (all_rows.h) */
    ALD_OWN,   /* each part has its own */
} ald_piece_kind;

typedef struct ald_piece {
    void *data;
    int64_t size; /* bytes, of this part */
    ald_piece_kind kind;
} ald_piece;

/* The partial result of a pass over the rows, so that it can continue with the remaining ones. It follows
 * from the rows and from what `input` is the hash of. */
typedef struct ald_partial {
    uint64_t input;
    const ald_piece *pieces; /* of this part, whatever their kinds */
    int n_pieces;
} ald_partial;

typedef struct ald_step {
    const char *name;
    uint64_t input; /* the hash of what the result follows from, for the first part; 0: nothing can differ */
    int under_way;  /* the state of a step that is not done, whose own steps are not kept */
    void *head;     /* alike, of a size that is known before */
    int64_t head_size;
    const ald_piece *pieces; /* their sizes may follow from the head */
    int n_pieces;
} ald_step;

typedef struct ald_logbook {
    /* Fills the head; then `take` fills the pieces, whose sizes may follow from the head. */
    ald_status (*find)(ald_run *run, struct ald_logbook *book, const ald_step *step, int *found);
    ald_status (*take)(ald_run *run, struct ald_logbook *book, const ald_step *step);
    /* A state is written if the last one is long ago. */
    ald_status (*keep)(ald_run *run, struct ald_logbook *book, const ald_step *step);
    int depth; /* steps that are under way */
} ald_logbook;

/* That of the rows of z; NULL: there is none. */
ald_logbook *ald_logbook_of(const ald_operator *z);

/* The head alone, where the sizes of the pieces are not known: if found, ald_recall_pieces is called. */
ald_status ald_recall_head(ald_run *run, ald_logbook *book, const ald_step *step, int *found);
ald_status ald_recall_pieces(ald_run *run, ald_logbook *book, const ald_step *step);
/* Head and pieces. */
ald_status ald_recall(ald_run *run, ald_logbook *book, const ald_step *step, int *found);
ald_status ald_log_step(ald_run *run, ald_logbook *book, const ald_step *step);
/* The failure of a step that recalls what cannot have been logged. A logbook is read as hostile input: sizes,
 * places and counts are checked by the step, as only it knows them. */
ald_status ald_step_damaged(ald_run *run);

/* A step with steps within it: recalls it, or calls find(run, work), which fills its head and pieces, and
 * keeps it. */
ald_status ald_take_step(ald_run *run, ald_logbook *book, const ald_step *step,
                         ald_status (*find)(ald_run *run, void *work), void *work);

#endif
