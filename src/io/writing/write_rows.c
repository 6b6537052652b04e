#include "io/writing/write_rows.h"

#include "base/numbers/ordering.h"
#include "io/table/place.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The distinct labels of all lists, rising. */
static ald_status distinct_labels(ald_run *run, const ald_table *table, ald_row_source *source)
{
    const int64_t n = table->label_pointers[table->rows];
    ALD_TRY(ald_scratch_reals(run, n, 1, &source->labels));
    memcpy(source->labels, table->label_values, (size_t)n * sizeof *source->labels);
    ald_sort_reals(n, source->labels);
    for (int64_t i = 0; i < n; i++)
        if (i == 0 || source->labels[i] > source->labels[source->lead - 1])
            source->labels[source->lead++] = source->labels[i];
    return ALD_OK;
}

ald_status ald_row_source_begin(ald_run *run, const ald_table *table, ald_row_source *source)
{
    memset(source, 0, sizeof *source);
    source->table = table;
    if (table->many_labels)
        ALD_TRY(distinct_labels(run, table, source));
    else if (table->label_pointers)
        source->lead = 1;
    source->cols = source->lead + table->cols;
    if (source->lead || table->sparse) ALD_TRY(ald_scratch_zeros(run, source->cols, 1, &source->row));
    return ALD_OK;
}

static void put_labels(const ald_row_source *source, int64_t i)
{
    const ald_table *table = source->table;
    double *row = source->row;
    const int known = !table->labelled || table->labelled[i];
    for (int64_t k = 0; k < source->lead; k++) row[k] = known ? 0.0 : ald_cell_missing();
    for (int64_t p = table->label_pointers[i]; known && p < table->label_pointers[i + 1]; p++) {
        const double label = table->label_values[p];
        if (!source->labels) {
            row[0] = label;
            continue;
        }
        const double *found =
            bsearch(&label, source->labels, (size_t)source->lead, sizeof label, ald_compare_reals);
        if (found) row[found - source->labels] = 1.0;
    }
}

const double *ald_row_source_get(ald_row_source *source, int64_t i)
{
    const ald_table *table = source->table;
    if (!source->row) return table->cells + i * table->cols;
    if (source->lead) put_labels(source, i);
    double *cells = source->row + source->lead;
    if (!table->sparse) {
        memcpy(cells, table->cells + i * table->cols, (size_t)table->cols * sizeof *cells);
        return source->row;
    }
    memset(cells, 0, (size_t)table->cols * sizeof *cells);
    for (int64_t p = table->pointers[i]; p < table->pointers[i + 1]; p++)
        cells[table->indices[p]] = table->values[p];
    return source->row;
}

int64_t ald_write_row(const ald_write_job *job, int64_t i)
{
    return job->order ? job->order[i] : i;
}

ald_status ald_write_progress(ald_run *run, const ald_write_job *job, int64_t i)
{
    enum { cells_a_report = 1 << 16 };
    const int64_t step = 1 + cells_a_report / (job->table->cols + 1);
    return i % step ? ALD_OK : ald_progress(run, "writing", (double)i / (double)(job->n + 1));
}

const char *ald_write_text_of(const ald_table *table, int64_t column, double cell)
{
    int64_t level;
    if (!table->columns || !ald_cell_is_text(cell, &level) || level >= table->columns[column].n_levels)
        return NULL;
    return table->columns[column].levels[level];
}

ald_status ald_write_refuse(ald_run *run, const ald_table *table, const char *format, int64_t row,
                            int64_t column, double cell)
{
    const char *text = ald_write_text_of(table, column, cell);
    const char *what = isnan(cell) ? "a missing cell" : "an infinite number";
    if (text) what = "the text '";
    return ald_fail_at(run->error, ALD_ERROR_DATA, ald_table_line(table, row), column + 1,
                       "%s: %s is %s%.100s%s; %s files hold %snumbers only: write to a .csv file instead",
                       table->source, ald_cell_place(table, row, column, 0).text, what, text ? text : "",
                       text ? "'" : "", format, isinf(cell) ? "finite " : "");
}
