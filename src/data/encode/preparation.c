#include "data/encode/preparation.h"

#include "base/core/text.h"

#include <stdarg.h>
#include <stdio.h>

int64_t ald_kept_row(const ald_preparation *p, int64_t kept)
{
    int64_t row = 0;
    for (int64_t left = kept; p->dropped && row < p->table->rows; row++)
        if (!p->dropped[row] && left-- == 0) break;
    return p->dropped ? row : kept;
}

/* Readers that do not count cells have no columns, and numbers only. */
static int is_plain(const ald_table *table, int64_t column)
{
    if (!table->columns) return 1;
    const ald_column *of = &table->columns[column];
    return of->n_numbers == table->rows && of->n_texts == 0 && of->n_missing == 0 && of->n_infinite == 0;
}

int ald_features_are_plain(const ald_preparation *p)
{
    for (int64_t k = 0; k < p->n_features; k++) {
        const int64_t before = k ? p->features[k - 1].column : -1, column = p->features[k].column;
        if (p->features[k].categorical || column <= before || !is_plain(p->table, column)) return 0;
    }
    return 1;
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
