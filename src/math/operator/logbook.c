#include "math/operator/logbook.h"

#include "math/operator/source.h"

ald_logbook *ald_logbook_of(const ald_operator *z)
{
    return z && z->source ? z->source->logbook : NULL;
}

/* Whether it is one that is kept: no step within another. */
static int counts(const ald_logbook *book, const ald_step *step)
{
    return book && book->depth == (step->under_way ? 1 : 0);
}

ald_status ald_recall_head(ald_run *run, ald_logbook *book, const ald_step *step, int *found)
{
    *found = 0;
    return counts(book, step) ? book->find(run, book, step, found) : ALD_OK;
}

ald_status ald_recall_pieces(ald_run *run, ald_logbook *book, const ald_step *step)
{
    return book->take(run, book, step);
}

ald_status ald_recall(ald_run *run, ald_logbook *book, const ald_step *step, int *found)
{
    ALD_TRY(ald_recall_head(run, book, step, found));
    return *found ? ald_recall_pieces(run, book, step) : ALD_OK;
}

ald_status ald_log_step(ald_run *run, ald_logbook *book, const ald_step *step)
{
    return counts(book, step) ? book->keep(run, book, step) : ALD_OK;
}

ald_status ald_step_damaged(ald_run *run)
{
    return ald_fail(run->error, ALD_ERROR_FORMAT,
                    "the checkpoint is damaged: remove it to start over, or use another `checkpoint`");
}

ald_status ald_take_step(ald_run *run, ald_logbook *book, const ald_step *step,
                         ald_status (*find)(ald_run *run, void *work), void *work)
{
    int found;
    ALD_TRY(ald_recall(run, book, step, &found));
    if (found) return ALD_OK;
    if (book) book->depth++;
    const ald_status status = find(run, work);
    if (book) book->depth--;
    ALD_TRY(status);
    return ald_log_step(run, book, step);
}
