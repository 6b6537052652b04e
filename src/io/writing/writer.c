#include "io/writing/writer.h"

#include "base/ranks/communicator.h"
#include "io/reading/reader.h"
#include "io/writing/write_rows.h"

#include <math.h>
#include <string.h>
#include <strings.h>

typedef struct {
    const ald_reader *reader; /* of the same format: knows the endings */
    ald_status (*write)(ald_run *run, const ald_write_job *job);
} writer;

static const writer writers[] = {
    {&ald_csv_reader, ald_write_csv},
    {&ald_tsv_reader, ald_write_tsv},
    {&ald_npy_reader, ald_write_npy},
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
                        "%s: the ending of the name stands for no format; use .csv, .tsv, .npy or .svm",
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
                                "row %lld of column %lld has no text of number %g", (long long)i + 1,
                                (long long)j + 1, code);
            cells[i * table->cols + j] = ald_cell_text((int64_t)code);
        }
    }
    table->cells = cells;
    return ALD_OK;
}

/* The cells are only read; names become columns of a table for the time of writing. */
static ald_status make_table(ald_run *run, const double *values, const char *const *header,
                             const char *const *const *levels, ald_table *table)
{
    memcpy(&table->cells, &values, sizeof values);
    if (header || levels) {
        ALD_TRY(ald_scratch(run, table->cols, 1, sizeof *table->columns, &table->columns));
        memset(table->columns, 0, (size_t)table->cols * sizeof *table->columns);
    }
    for (int64_t j = 0; header && j < table->cols; j++)
        memcpy(&table->columns[j].name, &header[j], sizeof header[j]);
    return levels ? put_levels(run, table, levels) : ALD_OK;
}

ald_status ald_matrix_write(ald_run *run, const double *values, int64_t rows, int64_t cols,
                            const char *const *header, const char *const *const *levels, const char *path,
                            ald_output **output)
{
    *output = NULL;
    ald_table table = {.arena = &run->scratch, .source = path, .rows = rows, .cols = cols};
    ald_write_job job = {.table = &table, .n = rows, .target = -1};
    ALD_TRY(make_table(run, values, header, levels, &table));
    return write_job(run, path, &job, output);
}

/* Every rank has its rows as bytes; rank 0 writes them, rank by rank. */
static ald_status write_own(ald_run *run, const char *path, ald_write_job *job)
{
    const writer *with;
    ALD_TRY(find_writer(run, path, &with));
    ALD_TRY(ald_rank(run) == 0 ? ald_output_open(run, path, 1, &job->output)
                               : ald_output_keep(run, &job->output));
    return with->write(run, job);
}

ald_status ald_portions_write(ald_run *run, const double *values, int64_t *rows, int64_t cols,
                              const char *const *header, const char *const *const *levels, const char *path,
                              ald_output **output)
{
    *output = NULL;
    ald_table table = {.arena = &run->scratch, .source = path, .rows = *rows, .cols = cols};
    ald_write_job job = {.table = &table, .n = *rows, .target = -1, .is_rest = ald_rank(run) > 0};
    ALD_TRY(ald_all_agree(run, make_table(run, values, header, levels, &table)));
    ALD_TRY(ald_all_count(run, rows, 1));
    job.total = *rows;
    ald_status status = ald_all_agree(run, write_own(run, path, &job));
    if (status >= 0) status = ald_output_unite(run, job.output);
    if (status < 0)
        ald_output_abandon(job.output);
    else
        *output = job.output;
    return status;
}
