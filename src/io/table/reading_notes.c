#include "io/table/reading_notes.h"

#include "base/core/text.h"

#include <stdio.h>

/* "3 of 6 rows left out: 2 with a missing cell, 1 without a target" */
void ald_tell_dropped(ald_run *run, const char *source, const ald_reading_notes *notes)
{
    char holes[64] = "", targets[64] = "";
    if (notes->holed + notes->untargeted == 0) return;
    if (notes->holed) snprintf(holes, sizeof holes, "%lld with a missing cell", (long long)notes->holed);
    if (notes->untargeted)
        snprintf(targets, sizeof targets, "%lld without a target", (long long)notes->untargeted);
    ald_log(run, ALD_LOG_WARNING, "%s: %lld of %lld rows left out: %s%s%s", source,
            (long long)(notes->holed + notes->untargeted), (long long)notes->rows, holes,
            notes->holed && notes->untargeted ? ", " : "", targets);
}

ald_status ald_tell_unseen(ald_run *run, const char *source, const ald_reading_notes *notes)
{
    ald_text list;
    ald_text_init(&list, &run->scratch);
    if (notes->n_unseen == 0) return ALD_OK;
    for (int64_t k = 0; k < notes->n_unseen; k++) {
        const ald_unseen_note *note = &notes->unseen[k];
        ALD_TRY(ald_text_print(run, &list, "%s%s holds '%.60s'%s in %lld row%s", k ? ", " : "", note->column,
                               note->shown, note->several ? " and others" : "", (long long)note->rows,
                               note->rows == 1 ? "" : "s"));
    }
    ald_log(
        run, ALD_LOG_WARNING,
        "%s: categories that the rows of the model did not have: %s; there the variable is taken at its mean "
        "(`unseen=error` refuses such rows)",
        source, list.data);
    return ALD_OK;
}
