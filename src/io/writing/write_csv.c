/* Delimited text, quoted as RFC 4180 wants, with LF at the line ends. */
#include "base/numbers/number.h"
#include "io/writing/writer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Blanks at the ends would be cut off by the reader. */
static int needs_quotes(const char *text, size_t length, char delimiter)
{
    if (length == 0) return 0;
    const char ends[] = {text[0], text[length - 1]};
    for (int i = 0; i < 2; i++)
        if (ends[i] == ' ' || ends[i] == '\t') return 1;
    return strpbrk(text, "\"\r\n") || strchr(text, delimiter);
}

static ald_status write_quoted(ald_run *run, ald_output *output, const char *text)
{
    ALD_TRY(ald_output_write(run, output, "\"", 1));
    for (const char *quote; (quote = strchr(text, '"')); text = quote + 1) {
        ALD_TRY(ald_output_write(run, output, text, (size_t)(quote - text)));
        ALD_TRY(ald_output_write(run, output, "\"\"", 2));
    }
    ALD_TRY(ald_output_write(run, output, text, strlen(text)));
    return ald_output_write(run, output, "\"", 1);
}

static ald_status write_text(ald_run *run, ald_output *output, const char *text, char delimiter)
{
    const size_t length = strlen(text);
    if (needs_quotes(text, length, delimiter)) return write_quoted(run, output, text);
    return ald_output_write(run, output, text, length);
}

/* A missing cell is empty; alone in its row it is quoted, as an empty line is no row. */
static ald_status write_cell(ald_run *run, const ald_write_job *job, const ald_row_source *source,
                             int64_t column, double cell, char delimiter)
{
    if (cell == cell) {
        char number[ALD_REAL_TEXT_SIZE];
        const int length = ald_format_real(cell, number);
        return ald_output_write(run, job->output, number, (size_t)length);
    }
    const char *text =
        column >= source->lead ? ald_write_text_of(job->table, column - source->lead, cell) : NULL;
    if (text) return write_text(run, job->output, text, delimiter);
    return source->cols == 1 ? ald_output_write(run, job->output, "\"\"", 2) : ALD_OK;
}

/* Texts in the first row of a file without names would be taken for names. */
static int begins_with_text(const ald_write_job *job)
{
    const ald_table *table = job->table;
    if (table->sparse || job->n == 0) return 0;
    const double *row = table->cells + ald_write_row(job, 0) * table->cols;
    for (int64_t j = 0; j < table->cols; j++)
        if (ald_write_text_of(table, j, row[j])) return 1;
    return 0;
}

/* "label", or "label_3" for a label among many; the column's own name; "x1" and so on where no column has a
 * name. */
static ald_status write_name(ald_run *run, const ald_write_job *job, const ald_row_source *source,
                             int64_t column, int named, char delimiter)
{
    char made[ALD_REAL_TEXT_SIZE + 16] = "label";
    if (column < source->lead) {
        if (source->labels) {
            char number[ALD_REAL_TEXT_SIZE];
            ald_format_real(source->labels[column], number);
            snprintf(made, sizeof made, "label_%s", number);
        }
        return write_text(run, job->output, made, delimiter);
    }
    const int64_t own = column - source->lead;
    const char *name = named ? job->table->columns[own].name : NULL;
    if (name) return write_text(run, job->output, name, delimiter);
    if (named) return ALD_OK;
    snprintf(made, sizeof made, "x%lld", (long long)own + 1);
    return write_text(run, job->output, made, delimiter);
}

static ald_status write_header(ald_run *run, const ald_write_job *job, const ald_row_source *source,
                               char delimiter)
{
    const int named = ald_table_is_named(job->table);
    if (job->is_rest || (!named && !source->lead && !begins_with_text(job))) return ALD_OK;
    for (int64_t j = 0; j < source->cols; j++) {
        if (j) ALD_TRY(ald_output_write(run, job->output, &delimiter, 1));
        ALD_TRY(write_name(run, job, source, j, named, delimiter));
    }
    return ald_output_write(run, job->output, "\n", 1);
}

static ald_status write_delimited(ald_run *run, const ald_write_job *job, char delimiter)
{
    ald_row_source source;
    ALD_TRY(ald_row_source_begin(run, job->table, &source));
    ALD_TRY(write_header(run, job, &source, delimiter));
    for (int64_t i = 0; i < job->n; i++) {
        ALD_TRY(ald_write_progress(run, job, i));
        const double *row = ald_row_source_get(&source, ald_write_row(job, i));
        for (int64_t j = 0; j < source.cols; j++) {
            if (j) ALD_TRY(ald_output_write(run, job->output, &delimiter, 1));
            ALD_TRY(write_cell(run, job, &source, j, row[j], delimiter));
        }
        ALD_TRY(ald_output_write(run, job->output, "\n", 1));
    }
    return ALD_OK;
}

ald_status ald_write_csv(ald_run *run, const ald_write_job *job)
{
    return write_delimited(run, job, ',');
}

ald_status ald_write_tsv(ald_run *run, const ald_write_job *job)
{
    return write_delimited(run, job, '\t');
}

/* svmlight: "label index:value ...", indices from 1, zeros left out, "?" for a row without a label. */

static ald_status write_number(ald_run *run, const ald_write_job *job, double value)
{
    char text[ALD_REAL_TEXT_SIZE];
    const int length = ald_format_real(value, text);
    return ald_output_write(run, job->output, text, (size_t)length);
}

static ald_status write_list(ald_run *run, const ald_write_job *job, int64_t row)
{
    const ald_table *table = job->table;
    if (table->labelled && !table->labelled[row]) return ald_output_write(run, job->output, "?", 1);
    for (int64_t p = table->label_pointers[row]; p < table->label_pointers[row + 1]; p++) {
        if (p > table->label_pointers[row]) ALD_TRY(ald_output_write(run, job->output, ",", 1));
        ALD_TRY(write_number(run, job, table->label_values[p]));
    }
    return ALD_OK;
}

static double sparse_cell(const ald_table *table, int64_t row, int64_t column)
{
    for (int64_t p = table->pointers[row]; p < table->pointers[row + 1]; p++)
        if (table->indices[p] == column) return table->values[p];
    return 0.0;
}

/* Texts are written as their number in order of appearance. */
static ald_status write_label(ald_run *run, const ald_write_job *job, int64_t row)
{
    const ald_table *table = job->table;
    if (job->target < 0)
        return table->label_pointers ? write_list(run, job, row) : write_number(run, job, 0.0);
    const double cell =
        table->sparse ? sparse_cell(table, row, job->target) : table->cells[row * table->cols + job->target];
    int64_t level;
    if (ald_write_text_of(table, job->target, cell) && ald_cell_is_text(cell, &level))
        return write_number(run, job, (double)level);
    if (isinf(cell)) return ald_write_refuse(run, table, "svmlight", row, job->target, cell);
    return isnan(cell) ? ald_output_write(run, job->output, "?", 1) : write_number(run, job, cell);
}

static ald_status write_feature(ald_run *run, const ald_write_job *job, int64_t row, int64_t column,
                                double cell)
{
    if (column == job->target) return ALD_OK;
    if (!isfinite(cell)) return ald_write_refuse(run, job->table, "svmlight", row, column, cell);
    if (cell == 0.0) return ALD_OK;
    char index[32];
    const int64_t number = column + 1 - (job->target >= 0 && column > job->target);
    const int length = snprintf(index, sizeof index, " %lld:", (long long)number);
    ALD_TRY(ald_output_write(run, job->output, index, (size_t)length));
    return write_number(run, job, cell);
}

static ald_status write_features(ald_run *run, const ald_write_job *job, int64_t row)
{
    const ald_table *table = job->table;
    if (table->sparse) {
        for (int64_t p = table->pointers[row]; p < table->pointers[row + 1]; p++)
            ALD_TRY(write_feature(run, job, row, table->indices[p], table->values[p]));
        return ALD_OK;
    }
    for (int64_t j = 0; j < table->cols; j++)
        ALD_TRY(write_feature(run, job, row, j, table->cells[row * table->cols + j]));
    return ALD_OK;
}

/* A row without labels and values would be an empty line, which is no row: a zero is written for it. */
static int is_empty_row(const ald_write_job *job, int64_t row)
{
    const ald_table *table = job->table;
    if (job->target >= 0 || !table->label_pointers || !table->sparse) return 0;
    if (table->labelled && !table->labelled[row]) return 0;
    return table->label_pointers[row] == table->label_pointers[row + 1] &&
           table->pointers[row] == table->pointers[row + 1];
}

static void tell_codes(ald_run *run, const ald_write_job *job)
{
    const ald_column *column =
        job->target >= 0 && job->table->columns ? &job->table->columns[job->target] : NULL;
    for (int64_t k = 0; column && k < column->n_levels; k++)
        ald_log(run, ALD_LOG_INFO, "label '%s' is written as %lld", column->levels[k], (long long)k);
}

ald_status ald_write_svmlight(ald_run *run, const ald_write_job *job)
{
    tell_codes(run, job);
    for (int64_t i = 0; i < job->n; i++) {
        ALD_TRY(ald_write_progress(run, job, i));
        const int64_t row = ald_write_row(job, i);
        ALD_TRY(write_label(run, job, row));
        ALD_TRY(write_features(run, job, row));
        if (is_empty_row(job, row)) ALD_TRY(ald_output_write(run, job->output, " 1:0", 4));
        ALD_TRY(ald_output_write(run, job->output, "\n", 1));
    }
    return ALD_OK;
}
