#include "preparing/row_numbers.h"

#include "table/place.h"

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
        ald_log(
            run->context, ALD_LOG_WARNING,
            "%s: %s counts the rows from %g to %lld: if it only numbers them, name it in `id`, and it is no "
            "feature; where rows are sorted it gives the target away",
            p->table->source, ald_column_label(p->table, column).text, first,
            (long long)first + (long long)rows - 1);
        return;
    }
}
