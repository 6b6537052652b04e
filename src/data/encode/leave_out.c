/* Columns that nobody means as features: dates, names and numbers of rows. */
#include "data/encode/preparation.h"

#include "base/core/text.h"
#include "base/numbers/dates.h"
#include "data/levels/categories.h"
#include "data/levels/texts.h"
#include "io/table/table.h"

#include <math.h>
#include <string.h>

enum { most_told = 10 };

/* What is reported, in three lists. */
typedef struct left_out {
    ald_text dates, names, empty;
    int64_t n_dates, n_names, n_empty;
    int named; /* some column has a name */
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

/* Neither a name nor a cell: lines end with a delimiter. */
static int is_nothing(const ald_column *column)
{
    return (!column->name || !*column->name) && column->n_texts == 0 && column->n_numbers == 0 &&
           column->n_missing > 0 && !(column->summary && isfinite(column->summary->mean));
}

static ald_status settle_column(ald_run *run, ald_preparation *p, int64_t j, unsigned char *role,
                                left_out *out)
{
    ald_table *table = p->table;
    const ald_column *column = &table->columns[j];
    if (out->named && is_nothing(column)) {
        *role = ALD_ROLE_IGNORED;
        return tell_one(run, &out->empty, &out->n_empty, table, j);
    }
    if (column->nominal || column->n_texts == 0 || column->n_numbers > 0) return ALD_OK;
    if (ald_texts_are(column, ald_parse_date)) {
        if (p->dates == ALD_DATES_CATEGORIES) return ALD_OK;
        if (p->dates == ALD_DATES_NUMBERS) return ald_texts_to_numbers(run, table, j, ald_parse_date);
        *role = ALD_ROLE_IGNORED;
        return tell_one(run, &out->dates, &out->n_dates, table, j);
    }
    const char *lookalike = ald_lookalike(column);
    if (lookalike)
        ald_log(run, ALD_LOG_INFO, "%s: %s holds '%.40s', %s", table->source, ald_column_label(table, j).text,
                column->levels[0], lookalike);
    if (!names_rows(column) || ald_has_foreign_numbers(column)) return ALD_OK;
    *role = ALD_ROLE_IGNORED;
    return tell_one(run, &out->names, &out->n_names, table, j);
}

static void tell(const ald_run *run, const ald_preparation *p, const left_out *out)
{
    if (out->n_empty > 0)
        ald_log(run, ALD_LOG_INFO, "%s: left out, because it has neither a name nor a value: %s%s",
                p->table->source, out->empty.data, out->n_empty > most_told ? ", ..." : "");
    if (out->n_dates > 0)
        ald_log(run, ALD_LOG_INFO,
                "%s: date columns left out: %s%s; `dates=numbers` converts them to numbers of days",
                p->table->source, out->dates.data, out->n_dates > most_told ? ", ..." : "");
    if (out->n_names > 0)
        ald_log(run, ALD_LOG_INFO,
                "%s: left out, because most rows have a distinct text there: %s%s; `id` carries such a "
                "column along, `categorical` treats it as categories",
                p->table->source, out->names.data, out->n_names > most_told ? ", ..." : "");
}

ald_status ald_leave_out(ald_run *run, ald_preparation *p, const unsigned char *forced, unsigned char *roles)
{
    left_out out = {.n_dates = 0};
    if (!p->table->columns || p->table->sparse) return ALD_OK;
    ald_text_init(&out.dates, &run->scratch);
    ald_text_init(&out.names, &run->scratch);
    ald_text_init(&out.empty, &run->scratch);
    for (int64_t j = 0; j < p->table->cols; j++)
        out.named |= p->table->columns[j].name && *p->table->columns[j].name;
    for (int64_t j = 0; j < p->table->cols; j++)
        if (roles[j] == ALD_ROLE_FEATURE && !forced[j]) ALD_TRY(settle_column(run, p, j, &roles[j], &out));
    tell(run, p, &out);
    return ALD_OK;
}

enum { fewest_rows = 20 };

static int is_start(double first)
{
    return first == 0.0 || first == 1.0;
}

static int counts_rows(const ald_table *table, int64_t column, double *first, int64_t *rows)
{
    const ald_column_summary *summary = table->columns ? table->columns[column].summary : NULL;
    *rows = summary ? summary->rows : table->rows;
    *first = summary ? summary->first : table->cells[column];
    if (*rows < fewest_rows || !is_start(*first)) return 0;
    for (int64_t i = 1; !summary && i < table->rows; i++)
        if (!(table->cells[i * table->cols + column] == *first + (double)i)) return 0;
    return 1;
}

void ald_warn_row_numbers(ald_run *run, const ald_preparation *p)
{
    double first;
    int64_t rows;
    for (int64_t k = 0; !p->table->sparse && k < p->n_features; k++) {
        const int64_t column = p->features[k].column;
        if (p->features[k].categorical || !counts_rows(p->table, column, &first, &rows)) continue;
        ald_log(run, ALD_LOG_WARNING,
                "%s: %s counts the rows from %g to %lld: if it only numbers them, name it in `id` so that it "
                "is not a feature; in sorted rows it gives away the target",
                p->table->source, ald_column_label(p->table, column).text, first,
                (long long)first + (long long)rows - 1);
        return;
    }
}
