/* svmlight: "label index:value ...", indices from 1, zeros left out, "?" for a row without a label. */
#include "base/numbers/number.h"
#include "io/writing/writer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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
