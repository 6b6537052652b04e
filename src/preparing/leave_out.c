#include "preparing/leave_out.h"

#include "core/text.h"
#include "numbers/dates.h"
#include "preparing/categories.h"
#include "preparing/texts.h"
#include "table/place.h"

#include <string.h>

enum { most_told = 10 };

/* What is told, in two lists. */
typedef struct left_out {
    ald_text dates, names;
    int64_t n_dates, n_names;
} left_out;

static ald_status tell_one(ald_run *run, ald_text *list, int64_t *count, const ald_table *table,
                           int64_t column)
{
    if (++*count > most_told) return ALD_OK;
    return ald_text_print(run, list, "%s%s", *count > 1 ? ", " : "", ald_column_label(table, column).text);
}

/* Texts, and rows that have one: of the whole file, where the table is a part of it. */
static int names_rows(const ald_column *column)
{
    int64_t levels = column->n_levels, rows = column->n_texts;
    if (column->summary) rows = column->summary->rows;
    return ald_are_too_many_levels(levels, rows);
}

static ald_status settle_column(ald_run *run, ald_preparation *p, int64_t j, unsigned char *role,
                                left_out *out)
{
    ald_table *table = p->table;
    const ald_column *column = &table->columns[j];
    if (column->nominal || column->n_texts == 0 || column->n_numbers > 0) return ALD_OK;
    if (ald_texts_are(column, ald_parse_date)) {
        if (p->dates == ALD_DATES_CATEGORIES) return ALD_OK;
        if (p->dates == ALD_DATES_NUMBERS) return ald_texts_to_numbers(run, table, j, ald_parse_date);
        *role = ALD_ROLE_IGNORED;
        return tell_one(run, &out->dates, &out->n_dates, table, j);
    }
    if (!names_rows(column)) return ALD_OK;
    *role = ALD_ROLE_IGNORED;
    return tell_one(run, &out->names, &out->n_names, table, j);
}

static void tell(const ald_run *run, const ald_preparation *p, const left_out *out)
{
    if (out->n_dates > 0)
        ald_log(run->context, ALD_LOG_INFO,
                "%s: left out, as dates: %s%s; `dates=numbers` takes them as numbers of days",
                p->table->source, out->dates.data, out->n_dates > most_told ? ", ..." : "");
    if (out->n_names > 0)
        ald_log(run->context, ALD_LOG_INFO,
                "%s: left out, as most rows have a text of their own there: %s%s; `id` carries such a column "
                "along, `categorical` takes it as categories",
                p->table->source, out->names.data, out->n_names > most_told ? ", ..." : "");
}

ald_status ald_leave_out(ald_run *run, ald_preparation *p, const unsigned char *forced, unsigned char *roles)
{
    left_out out = {.n_dates = 0};
    if (!p->table->columns || p->table->sparse) return ALD_OK;
    ald_text_init(&out.dates, &run->scratch);
    ald_text_init(&out.names, &run->scratch);
    for (int64_t j = 0; j < p->table->cols; j++)
        if (roles[j] == ALD_ROLE_FEATURE && !forced[j]) ALD_TRY(settle_column(run, p, j, &roles[j], &out));
    tell(run, p, &out);
    return ALD_OK;
}
