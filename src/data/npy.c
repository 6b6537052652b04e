/* NPY, the file format of numpy: a magic text, a version, the length of a header, the header (a Python dictionary with type, order and
 * shape; data/npy_header.c) and the raw values. They are converted a block at a time straight into the cells of the table. */
#include "data/npy_header.h"

#include "data/cells.h"
#include "data/reader.h"

#include <math.h>
#include <string.h>

enum { block_elements = 1 << 15 }; /* values converted at a time: 256 kB as f8, so they are still in cache when placed */

/* Blocks end early only at the end of the file. */
static ald_status read_whole(ald_run *run, ald_input *input, unsigned char *bytes, size_t size, size_t *got)
{
    *got = 0;
    while (*got < size) {
        size_t part;
        ALD_TRY(ald_input_read(run, input, bytes + *got, size - *got, &part));
        if (!part) break;
        *got += part;
    }
    return ALD_OK;
}

static ald_status read_exactly(ald_run *run, ald_input *input, unsigned char *bytes, size_t size, const char *what)
{
    size_t got;
    ALD_TRY(read_whole(run, input, bytes, size, &got));
    if (got == size) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_FORMAT, "the NPY file ends inside its %s: %lld bytes are missing", what,
                    (long long)(size - got));
}

/* Magic, version and header; leaves the input at the first value. */
static ald_status read_header(ald_run *run, ald_input *input, ald_npy_header *header)
{
    unsigned char start[8], length_bytes[4];
    ALD_TRY(read_exactly(run, input, start, sizeof start, "first 8 bytes"));
    if (memcmp(start, "\x93NUMPY", 6) != 0)
        return ald_fail(run->error, ALD_ERROR_FORMAT, "not an NPY file: it does not begin with the bytes \\x93NUMPY");
    if (start[6] < 1 || start[6] > 3 || start[7] != 0)
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED, "NPY version %d.%d; versions 1.0, 2.0 and 3.0 can be read",
                        start[6], start[7]);
    const size_t width = start[6] == 1 ? 2 : 4;
    ALD_TRY(read_exactly(run, input, length_bytes, width, "header length"));
    uint32_t length = 0;
    for (size_t k = width; k-- > 0;) length = length << 8 | length_bytes[k];
    const uint32_t longest = 1 << 16;
    if (length > longest)
        return ald_fail(run->error, ALD_ERROR_FORMAT, "the NPY header claims %lu bytes, more than the %lu one may have",
                        (unsigned long)length, (unsigned long)longest);
    char *text;
    ALD_TRY(ald_scratch(run, (int64_t)length + 1, 1, 1, &text));
    ALD_TRY(read_exactly(run, input, (unsigned char *)text, length, "header"));
    text[length] = '\0';
    return ald_npy_header_parse(run, text, length, header);
}

/* Room for `needed` of the `total` cells. It grows with what is read, so that a header that claims too much costs nothing. */
static ald_status reserve_cells(ald_run *run, ald_table *table, int64_t *capacity, int64_t needed, int64_t total)
{
    if (needed <= *capacity) return ALD_OK;
    const int64_t doubled = *capacity <= total / 2 ? 2 * *capacity : total;
    const int64_t wanted = doubled > needed ? doubled : needed;
    double *cells = ald_arena_resize(table->arena, table->cells, wanted, 1, sizeof *cells);
    if (!cells) return ald_out_of_memory(run, table->rows, table->cols, sizeof *cells);
    table->cells = cells;
    *capacity = wanted;
    return ALD_OK;
}

static ald_status check_finite(ald_run *run, ald_table *table, int64_t first, int64_t n, int by_columns, double *values)
{
    for (int64_t k = 0; k < n; k++) {
        if (isfinite(values[k])) continue;
        const int64_t at = first + k;
        const int64_t row = by_columns ? at % table->rows : at / table->cols;
        const int64_t column = by_columns ? at / table->rows : at % table->cols;
        ALD_TRY(ald_cell_not_finite(run, table, row, column, &values[k]));
    }
    return ALD_OK;
}

/* Values number first .. first + n of a matrix stored by columns go to their cells of the row-major table. */
static void place_columns(ald_table *table, int64_t first, int64_t n, const double *values)
{
    for (int64_t k = 0; k < n;) {
        const int64_t column = (first + k) / table->rows, row = (first + k) % table->rows;
        const int64_t here = n - k < table->rows - row ? n - k : table->rows - row;
        double *cell = table->cells + row * table->cols + column;
        for (int64_t i = 0; i < here; i++) cell[i * table->cols] = values[k + i];
        k += here;
    }
}

/* One block from the file, in the order of the bytes of this machine; fewer values than asked for are an error. */
static ald_status read_block(ald_run *run, ald_input *input, const ald_npy_header *header, int64_t n, int64_t left,
                             unsigned char *bytes)
{
    const size_t size = (size_t)header->type->size;
    size_t got;
    ALD_TRY(read_whole(run, input, bytes, (size_t)n * size, &got));
    if (got < (size_t)n * size)
        return ald_fail(run->error, ALD_ERROR_FORMAT,
                        "the NPY file is truncated: its header claims %lld x %lld values of %lld bytes, and %lld bytes "
                        "are missing",
                        (long long)header->rows, (long long)header->cols, (long long)size,
                        (long long)(left * (int64_t)size - (int64_t)got));
    if (header->swapped) ald_npy_swap(bytes, n, header->type->size);
    return ALD_OK;
}

static ald_status read_values(ald_run *run, ald_input *input, const ald_npy_header *header, ald_table *table)
{
    const int64_t total = table->rows * table->cols;
    const int by_columns = header->fortran && table->rows > 1 && table->cols > 1;
    unsigned char *bytes;
    double *block = NULL;
    int64_t capacity = 0;
    ALD_TRY(ald_scratch(run, block_elements, header->type->size, 1, &bytes));
    if (by_columns) {
        ALD_TRY(ald_scratch_reals(run, block_elements, 1, &block));
        ALD_TRY(reserve_cells(run, table, &capacity, total, total));
    }
    for (int64_t done = 0; done < total;) {
        const int64_t n = total - done < block_elements ? total - done : block_elements;
        ALD_TRY(read_block(run, input, header, n, total - done, bytes));
        ALD_TRY(reserve_cells(run, table, &capacity, done + n, total));
        double *values = by_columns ? block : table->cells + done;
        header->type->convert(bytes, n, values);
        ALD_TRY(check_finite(run, table, done, n, by_columns, values));
        if (by_columns) place_columns(table, done, n, values);
        done += n;
    }
    return ALD_OK;
}

static ald_status read_npy(ald_run *run, ald_input *input, const ald_load_options *options, ald_table *table)
{
    (void)options;
    ald_npy_header header;
    ALD_TRY(read_header(run, input, &header));
    table->rows = header.rows;
    table->cols = header.cols;
    ALD_TRY(ald_table_check_size(run, table));
    ALD_TRY(read_values(run, input, &header, table));
    unsigned char more;
    size_t got;
    ALD_TRY(ald_input_read(run, input, &more, 1, &got));
    if (got)
        return ald_fail(run->error, ALD_ERROR_FORMAT,
                        "the NPY file goes on after its %lld x %lld values; is it damaged, or several arrays in one file?",
                        (long long)table->rows, (long long)table->cols);
    ald_table_count_numbers(table);
    return ALD_OK;
}

static const char *const endings[] = {".npy", NULL};
const ald_reader ald_npy_reader = {
    .name = "npy", .endings = endings, .title = "numpy array, one or two dimensions", .read = read_npy};
