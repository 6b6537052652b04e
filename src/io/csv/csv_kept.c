#include "io/csv/csv_kept.h"

#include "base/core/utf8.h"
#include "io/table/grow.h"

#include <string.h>

typedef struct {
    ald_text bytes; /* texts, each with its end */
    size_t *starts; /* rows */
    int64_t rows, room;
} kept_texts;

struct ald_csv_kept {
    ald_table *table;
    kept_texts *columns; /* table->n_kept */
};

ald_status ald_csv_kept_new(ald_run *run, ald_table *table, ald_csv_kept **kept)
{
    *kept = NULL;
    if (table->n_kept == 0) return ALD_OK;
    ALD_TRY(ald_scratch(run, 1, 1, sizeof **kept, kept));
    (*kept)->table = table;
    ALD_TRY(ald_scratch(run, table->n_kept, 1, sizeof *(*kept)->columns, &(*kept)->columns));
    memset((*kept)->columns, 0, (size_t)table->n_kept * sizeof *(*kept)->columns);
    for (int64_t k = 0; k < table->n_kept; k++) ald_text_init(&(*kept)->columns[k].bytes, table->arena);
    return ALD_OK;
}

static ald_status add_valid(ald_run *run, kept_texts *to, const char *text, size_t length)
{
    if (ald_utf8_is_valid(text, length)) return ald_text_add(run, &to->bytes, text, length);
    char *valid = ald_utf8_copy(&run->scratch, text, length);
    if (!valid) return ald_out_of_memory(run, (int64_t)length, 2, 1);
    const ald_status status = ald_text_add(run, &to->bytes, valid, strlen(valid));
    ald_arena_drop(&run->scratch, valid);
    return status;
}

ald_status ald_csv_kept_add(ald_run *run, ald_csv_kept *kept, int64_t column, const char *text, size_t length)
{
    for (int64_t k = 0; k < kept->table->n_kept; k++) {
        kept_texts *to = &kept->columns[k];
        if (kept->table->kept[k].column != column) continue;
        ALD_TRY(ald_grow(run, &run->scratch, &to->starts, &to->room, to->rows + 1, sizeof *to->starts));
        to->starts[to->rows++] = to->bytes.length;
        ALD_TRY(add_valid(run, to, text, length));
        ALD_TRY(ald_text_add(run, &to->bytes, "", 1));
    }
    return ALD_OK;
}

ald_status ald_csv_kept_finish(ald_run *run, ald_csv_kept *kept)
{
    for (int64_t k = 0; kept && k < kept->table->n_kept; k++) {
        const kept_texts *from = &kept->columns[k];
        char **texts = ald_arena_get(kept->table->arena, from->rows, 1, sizeof *texts);
        if (!texts) return ald_out_of_memory(run, from->rows, 1, sizeof *texts);
        for (int64_t i = 0; i < from->rows; i++) texts[i] = from->bytes.data + from->starts[i];
        kept->table->kept[k].texts = texts;
    }
    return ALD_OK;
}
