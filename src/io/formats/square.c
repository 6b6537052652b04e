/* The n x n matrices that may come beside the rows: a graph, distances between targets, a kernel of them.
 * Dense from npy and csv, sparse from mtx; a csv of three columns is a list of pairs: row, row (from 1) and
 * value. And directions to start from, a row each. */
#include "io/formats/square.h"

#include "io/reading/reader.h"
#include "io/table/csr.h"

#include <math.h>
#include <string.h>

static ald_status refuse_text(ald_run *run, const ald_table *table)
{
    for (int64_t j = 0; table->columns && j < table->cols; j++)
        if (table->columns[j].n_texts > 0 || table->columns[j].n_missing > 0 ||
            table->columns[j].n_infinite > 0)
            return ald_fail(run->error, ALD_ERROR_DATA,
                            "%s: column %lld has a cell that is not a finite number", table->source,
                            (long long)j + 1);
    return ALD_OK;
}

/* A row number of a list, from 0; -1 if it is none. */
static int64_t row_number(double cell, int64_t n)
{
    return cell >= 1.0 && cell <= (double)n && cell == floor(cell) ? (int64_t)cell - 1 : -1;
}

static ald_status pairs_to_csr(ald_run *run, ald_table *table, int64_t n)
{
    ald_triplets triplets = {0};
    for (int64_t i = 0; i < table->rows; i++) {
        const double *cells = table->cells + 3 * i;
        const int64_t a = row_number(cells[0], n), b = row_number(cells[1], n);
        if (a < 0 || b < 0) {
            run->error->line = ald_table_line(table, i);
            return ald_fail(run->error, ALD_ERROR_DATA,
                            "%s: row %lld of the list of pairs names rows %g and %g; rows go from 1 to %lld",
                            table->source, (long long)i + 1, cells[0], cells[1], (long long)n);
        }
        ALD_TRY(ald_triplets_add(run, &triplets, a, b, cells[2]));
    }
    table->rows = table->cols = n;
    table->sparse = 1;
    return ald_csr_from_triplets(run, &triplets, table);
}

static ald_matrix matrix_of(const ald_table *table)
{
    if (table->sparse)
        return ald_matrix_csr(table->rows, table->cols, table->pointers, table->indices, table->values);
    return ald_matrix_row_major(table->cells, table->rows, table->cols, table->cols);
}

ald_status ald_read_square(ald_run *run, const char *path, ald_arena *arena, int64_t n, ald_matrix *matrix)
{
    const ald_load_options options = {.keep_zeros = 1};
    ald_table table;
    ALD_TRY(ald_table_read(run, path, &options, arena, &table));
    ALD_TRY(refuse_text(run, &table));
    table.keep_zeros = 1;
    if (!table.sparse && table.cols == 3 && !(n == 3 && table.rows == 3))
        ALD_TRY(pairs_to_csr(run, &table, n));
    if (table.rows != n || table.cols != n)
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "%s is %lld x %lld, but there are %lld rows of data: it must be %lld x %lld", path,
                        (long long)table.rows, (long long)table.cols, (long long)n, (long long)n,
                        (long long)n);
    *matrix = matrix_of(&table);
    return ALD_OK;
}

/* A header is not needed; one that there is names the columns of X in their order. */
static ald_status check_order(ald_run *run, const ald_table *table, char *const *names)
{
    for (int64_t j = 0; table->columns && names && j < table->cols; j++) {
        const char *name = table->columns[j].name;
        if (name && names[j] && strcmp(name, names[j]) != 0)
            return ald_fail(
                run->error, ALD_ERROR_DATA,
                "%s: column %lld is '%.80s', but that of X is '%.80s': a start has the columns of X "
                "in their order, or no header",
                table->source, (long long)j + 1, name, names[j]);
    }
    return ALD_OK;
}

ald_status ald_read_start(ald_run *run, const char *path, ald_arena *arena, int64_t d, char *const *names,
                          ald_matrix *matrix)
{
    const ald_load_options options = {.keep_zeros = 1};
    ald_table table;
    ALD_TRY(ald_table_read(run, path, &options, arena, &table));
    ALD_TRY(refuse_text(run, &table));
    if (table.cols != d)
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "%s has %lld columns, but X has %lld: a start has a row of %lld numbers for each "
                        "component",
                        path, (long long)table.cols, (long long)d, (long long)d);
    ALD_TRY(check_order(run, &table, names));
    *matrix = matrix_of(&table);
    return ALD_OK;
}
