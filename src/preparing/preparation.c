#include "preparing/preparation.h"

#include "core/text.h"

#include <stdarg.h>
#include <stdio.h>

int64_t ald_kept_row(const ald_preparation *p, int64_t kept)
{
    int64_t row = 0;
    for (int64_t left = kept; p->dropped && row < p->table->rows; row++)
        if (!p->dropped[row] && left-- == 0) break;
    return p->dropped ? row : kept;
}

ald_status ald_note(ald_run *run, ald_preparation *p, const char *format, ...)
{
    char sentence[600];
    va_list list;
    va_start(list, format);
    vsnprintf(sentence, sizeof sentence, format, list);
    va_end(list);
    ald_text text;
    ald_text_init(&text, &p->dataset->memory);
    ALD_TRY(ald_text_print(run, &text, "%s", sentence));
    if (p->target_table && p->response.n_unlabelled > 0)
        ALD_TRY(ald_text_print(run, &text, "; %lld of %lld rows unlabelled",
                               (long long)p->response.n_unlabelled, (long long)p->response.rows));
    p->dataset->task_note = text.data;
    return ALD_OK;
}
