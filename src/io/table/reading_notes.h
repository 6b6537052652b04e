/* What is told of rows that were read like those of a model: how many are left out, and categories that the
 * model does not know. Of rows that several ranks share it is told once, of all together
 * (sharing/share_rows.h).
 */
#ifndef ALD_TABLE_READING_NOTES_H
#define ALD_TABLE_READING_NOTES_H

#include "base/core/run.h"

/* Of a feature. */
typedef struct ald_unseen_note {
    int64_t feature, rows; /* how many rows hold one */
    int64_t several;       /* not all of them hold the same */
    char column[160], shown[64];
} ald_unseen_note;

typedef struct ald_reading_notes {
    int64_t rows, holed, untargeted; /* of the file; left out for a missing cell, or for want of a target */
    int64_t n_unseen;
    ald_unseen_note *unseen; /* n_unseen, in the order of the features */
} ald_reading_notes;

/* Nothing is told where there is nothing to tell. */
void ald_tell_dropped(ald_run *run, const char *source, const ald_reading_notes *notes);
ald_status ald_tell_unseen(ald_run *run, const char *source, const ald_reading_notes *notes);

#endif
