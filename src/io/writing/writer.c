/* The writer of each format found by the ending of a name; what the writers share. */
#include "io/writing/writer.h"

#include "base/numbers/ordering.h"
#include "io/reading/reader.h"
#include "io/table/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* numpy's array file, version 1.0: little-endian doubles, row major. */

static ald_status write_header(ald_run *run, const ald_write_job *job, int64_t cols)
{
    /* Magic, version and length are 10 bytes; the whole header fills a multiple of 64. */
    enum { fixed = 10, alignment = 64 };
    char header[4 * alignment];
    const int64_t rows = job->total ? job->total : job->n;
    if (job->is_rest) return ALD_OK;
    memset(header, ' ', sizeof header);
    const int length = snprintf(header + fixed, sizeof header - fixed,
                                "{'descr': '<f8', 'fortran_order': False, 'shape': (%lld, %lld), }",
                                (long long)rows, (long long)cols);
    const size_t size = ((size_t)(fixed + length + 1) + alignment - 1) / alignment * alignment;
    header[fixed + length] = ' ';
    header[size - 1] = '\n';
    memcpy(header, "\x93NUMPY\x01\x00", 8);
    header[8] = (char)(size - fixed);
    header[9] = 0;
    return ald_output_write(run, job->output, header, size);
}

/* Missing cells become NaN. */
static ald_status check_row(ald_run *run, const ald_write_job *job, const ald_row_source *source, int64_t i,
                            const double *row, double *numbers)
{
    for (int64_t j = 0; j < source->cols; j++) {
        const int64_t own = j - source->lead;
        if (isnan(row[j]) && own >= 0 && ald_write_text_of(job->table, own, row[j]))
            return ald_write_refuse(run, job->table, "npy", i, own, row[j]);
        numbers[j] = isnan(row[j]) ? (double)NAN : row[j];
    }
    return ALD_OK;
}

static void to_little_endian(double *numbers, int64_t n)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    for (int64_t j = 0; j < n; j++) {
        uint64_t bits;
        memcpy(&bits, &numbers[j], sizeof bits);
        bits = __builtin_bswap64(bits);
        memcpy(&numbers[j], &bits, sizeof bits);
    }
#else
    (void)numbers;
    (void)n;
#endif
}

static ald_status write_npy(ald_run *run, const ald_write_job *job)
{
    ald_row_source source;
    double *numbers;
    ALD_TRY(ald_row_source_begin(run, job->table, &source));
    ALD_TRY(ald_scratch_reals(run, source.cols, 1, &numbers));
    ALD_TRY(write_header(run, job, source.cols));
    for (int64_t i = 0; i < job->n; i++) {
        ALD_TRY(ald_write_progress(run, job, i));
        const int64_t row = ald_write_row(job, i);
        ALD_TRY(check_row(run, job, &source, row, ald_row_source_get(&source, row), numbers));
        to_little_endian(numbers, source.cols);
        ALD_TRY(ald_output_write(run, job->output, numbers, (size_t)source.cols * sizeof *numbers));
    }
    return ALD_OK;
}

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

typedef struct {
    const ald_reader *reader; /* of the same format: knows the endings */
    ald_status (*write)(ald_run *run, const ald_write_job *job);
} writer;

static const writer writers[] = {
    {&ald_csv_reader, ald_write_csv},
    {&ald_tsv_reader, ald_write_tsv},
    {&ald_npy_reader, write_npy},
    {&ald_svmlight_reader, ald_write_svmlight},
};

/* Where the name has no ending, csv. An ending that is unknown or stands for a format that can only be read
 * is an error. */
static ald_status find_writer(ald_run *run, const char *path, const writer **found)
{
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    const ald_reader *reader = ald_reader_by_ending(path);
    *found = NULL;
    if (!reader && strchr(name, '.'))
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "%s: the ending of the name is not a known format; use .csv, .tsv, .npy or .svm",
                        path);
    if (!reader) reader = &ald_csv_reader;
    for (size_t i = 0; i < sizeof writers / sizeof *writers; i++)
        if (writers[i].reader == reader) *found = &writers[i];
    if (*found) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                    "%s: %s files can be read but not written; use .csv, .tsv, .npy or .svm", path,
                    reader->name);
}

static ald_status write_job(ald_run *run, const char *path, ald_write_job *job, ald_output **output)
{
    *output = NULL;
    const writer *with;
    ALD_TRY(find_writer(run, path, &with));
    ALD_TRY(ald_output_open(run, path, 1, &job->output));
    const ald_status status = with->write(run, job);
    if (status < 0)
        ald_output_abandon(job->output);
    else
        *output = job->output;
    return status;
}

ald_status ald_table_write(ald_run *run, const ald_table *table, const int64_t *order, int64_t n,
                           int64_t target, const char *path, ald_output **output)
{
    ald_write_job job = {.table = table, .order = order, .n = order ? n : table->rows, .target = target};
    return write_job(run, path, &job, output);
}

/* Codes in a copy become cells that stand for texts. */
static ald_status put_levels(ald_run *run, ald_table *table, const char *const *const *levels)
{
    double *cells;
    ALD_TRY(ald_scratch_reals(run, table->rows, table->cols, &cells));
    memcpy(cells, table->cells, (size_t)(table->rows * table->cols) * sizeof *cells);
    for (int64_t j = 0; j < table->cols; j++) {
        ald_column *column = &table->columns[j];
        if (!levels[j]) continue;
        memcpy(&column->levels, &levels[j], sizeof levels[j]);
        while (levels[j][column->n_levels]) column->n_levels++;
        for (int64_t i = 0; i < table->rows; i++) {
            const double code = cells[i * table->cols + j];
            if (isnan(code)) continue; /* no value: an empty cell */
            if (!(code >= 0.0 && code < (double)column->n_levels))
                return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                                "row %lld of column %lld has the text code %g, for which there is no text",
                                (long long)i + 1, (long long)j + 1, code);
            cells[i * table->cols + j] = ald_cell_text((int64_t)code);
        }
    }
    table->cells = cells;
    return ALD_OK;
}

/* The cells are only read; names become columns of a table for the time of writing. */
static ald_status make_table(ald_run *run, const ald_sheet *sheet, const char *path, ald_table *table)
{
    *table = (ald_table){.arena = &run->scratch, .source = path, .rows = sheet->rows, .cols = sheet->cols};
    memcpy(&table->cells, &sheet->values, sizeof sheet->values);
    if (sheet->header || sheet->levels) {
        ALD_TRY(ald_scratch(run, table->cols, 1, sizeof *table->columns, &table->columns));
        memset(table->columns, 0, (size_t)table->cols * sizeof *table->columns);
    }
    for (int64_t j = 0; sheet->header && j < table->cols; j++)
        memcpy(&table->columns[j].name, &sheet->header[j], sizeof sheet->header[j]);
    return sheet->levels ? put_levels(run, table, sheet->levels) : ALD_OK;
}

ald_status ald_matrix_write(ald_run *run, const ald_sheet *sheet, const char *path, ald_output **output)
{
    ald_table table;
    *output = NULL;
    ALD_TRY(make_table(run, sheet, path, &table));
    return ald_table_write(run, &table, NULL, table.rows, -1, path, output);
}

ald_status ald_sheet_write(ald_run *run, const ald_sheet *sheet, const char *path, int64_t total, int is_rest,
                           ald_output *output)
{
    const writer *with;
    ald_table table;
    const ald_write_job job = {
        .table = &table,
        .n = sheet->rows,
        .target = -1,
        .output = output,
        .is_rest = is_rest,
        .total = total,
    };
    ALD_TRY(find_writer(run, path, &with));
    ALD_TRY(make_table(run, sheet, path, &table));
    return with->write(run, &job);
}
