/* NPY, the file format of numpy: a magic text, a version, the length of a header, the header (a Python
 * dictionary with type, order and shape; reading/npy_header.c) and the raw values. They are converted a block
 * at a time straight into the cells of the table. */
#include "io/reading/npy.h"

#include "io/reading/reader.h"
#include "io/table/table.h"

#include <math.h>
#include <string.h>

/* Values converted at a time: 256 kB as f8, still in cache when they are checked. Matrices stored by columns
 * take larger blocks, so that several columns are placed together. */
enum { block_elements = ALD_BUFFER(1 << 15), column_block_elements = ALD_BUFFER(1 << 20) };

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

static ald_status read_exactly(ald_run *run, ald_input *input, unsigned char *bytes, size_t size,
                               const char *what)
{
    size_t got;
    ALD_TRY(read_whole(run, input, bytes, size, &got));
    if (got == size) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_FORMAT, "the NPY file ends inside its %s: %lld bytes are missing",
                    what, (long long)(size - got));
}

ald_status ald_npy_read_header(ald_run *run, ald_input *input, ald_npy_header *header)
{
    unsigned char start[8], length_bytes[4];
    ALD_TRY(read_exactly(run, input, start, sizeof start, "first 8 bytes"));
    if (memcmp(start, "\x93NUMPY", 6) != 0)
        return ald_fail(run->error, ALD_ERROR_FORMAT,
                        "not an NPY file: it does not begin with the bytes \\x93NUMPY");
    if (start[6] < 1 || start[6] > 3 || start[7] != 0)
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "NPY version %d.%d; versions 1.0, 2.0 and 3.0 can be read", start[6], start[7]);
    const size_t width = start[6] == 1 ? 2 : 4;
    ALD_TRY(read_exactly(run, input, length_bytes, width, "header length"));
    uint32_t length = 0;
    for (size_t k = width; k-- > 0;) length = length << 8 | length_bytes[k];
    const uint32_t longest = 1 << 16;
    if (length > longest)
        return ald_fail(run->error, ALD_ERROR_FORMAT,
                        "the NPY header claims %lu bytes, more than the maximum of %lu",
                        (unsigned long)length, (unsigned long)longest);
    char *text;
    ALD_TRY(ald_scratch(run, (int64_t)length + 1, 1, 1, &text));
    ALD_TRY(read_exactly(run, input, (unsigned char *)text, length, "header"));
    text[length] = '\0';
    return ald_npy_header_parse(run, text, length, header);
}

/* Room for `needed` of the `total` cells. It grows with what is read, so that a header that claims too much
 * costs nothing. */
static ald_status reserve_cells(ald_run *run, ald_table *table, int64_t *capacity, int64_t needed,
                                int64_t total)
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

/* By the exponents: a loop without branches, which runs as fast as memory is read. */
static int all_finite(int64_t n, const double *values)
{
    uint64_t bad = 0;
    for (int64_t k = 0; k < n; k++) {
        uint64_t bits;
        memcpy(&bits, &values[k], sizeof bits);
        bad |= (bits & UINT64_C(0x7ff0000000000000)) + UINT64_C(0x0010000000000000);
    }
    return !(bad >> 63);
}

static ald_status check_finite(ald_run *run, ald_table *table, int64_t first, int64_t n, int by_columns,
                               double *values)
{
    if (all_finite(n, values)) return ALD_OK;
    for (int64_t k = 0; k < n; k++) {
        if (isfinite(values[k])) continue;
        const int64_t at = first + k;
        const int64_t row = by_columns ? at % table->rows : at / table->cols;
        const int64_t column = by_columns ? at / table->rows : at % table->cols;
        ALD_TRY(ald_cell_not_finite(run, table, row, column, &values[k]));
    }
    return ALD_OK;
}

/* n / rows whole columns from number `first` on: row by row, so that the cells of a row, which are neighbours
 * in memory, are written together. */
static void place_whole_columns(ald_table *table, int64_t first, int64_t n, const double *values)
{
    const int64_t rows = table->rows, columns = n / rows;
    double *cells = table->cells + first / rows;
    for (int64_t i = 0; i < rows; i++, cells += table->cols)
        for (int64_t j = 0; j < columns; j++) cells[j] = values[j * rows + i];
}

/* A part of one column, for columns longer than a block. */
static void place_part(ald_table *table, int64_t first, int64_t n, const double *values)
{
    double *cell = table->cells + first % table->rows * table->cols + first / table->rows;
    for (int64_t i = 0; i < n; i++) cell[i * table->cols] = values[i];
}

/* How many values to take next from a matrix stored by columns: as many whole columns as fit a block, or a
 * part of one that does not. */
static int64_t next_by_columns(const ald_table *table, int64_t done, int64_t left)
{
    const int64_t rows = table->rows, whole = column_block_elements / rows * rows;
    if (whole > 0) return whole < left ? whole : left;
    const int64_t in_column = rows - done % rows;
    return in_column < column_block_elements ? in_column : column_block_elements;
}

/* One block from the file, in the order of the bytes of this machine; fewer values than asked for are an
 * error. */
static ald_status read_block(ald_run *run, ald_input *input, const ald_npy_header *header, int64_t n,
                             int64_t left, unsigned char *bytes)
{
    const size_t size = (size_t)header->type->size;
    size_t got;
    ALD_TRY(read_whole(run, input, bytes, (size_t)n * size, &got));
    if (got < (size_t)n * size)
        return ald_fail(
            run->error, ALD_ERROR_FORMAT,
            "the NPY file is truncated: its header claims %lld x %lld values of %lld bytes, and %lld bytes "
            "are missing",
            (long long)header->rows, (long long)header->cols, (long long)size,
            (long long)(left * (int64_t)size - (int64_t)got));
    if (header->swapped) ald_npy_swap(bytes, n, header->type->size);
    return ALD_OK;
}

static ald_status read_by_rows(ald_run *run, ald_input *input, const ald_npy_header *header, ald_table *table)
{
    const int64_t total = table->rows * table->cols;
    int64_t capacity = 0, n;
    unsigned char *bytes;
    ALD_TRY(ald_scratch(run, block_elements, header->type->size, 1, &bytes));
    for (int64_t done = 0; done < total; done += n) {
        n = total - done < block_elements ? total - done : block_elements;
        ALD_TRY(read_block(run, input, header, n, total - done, bytes));
        ALD_TRY(reserve_cells(run, table, &capacity, done + n, total));
        header->type->convert(bytes, n, table->cells + done);
        ALD_TRY(check_finite(run, table, done, n, 0, table->cells + done));
    }
    return ALD_OK;
}

unsigned char *ald_npy_place(const ald_npy_header *header, int64_t count, double *cells)
{
    return (unsigned char *)cells + (int64_t)(sizeof *cells - (size_t)header->type->size) * count;
}

/* A few at a time from a copy, as the last values stand where their cells will be. */
static void widen(const ald_npy_header *header, int64_t n, double *cells)
{
    enum { at_once = 512 };
    const int64_t size = header->type->size;
    const unsigned char *bytes = ald_npy_place(header, n, cells);
    double copy[at_once];
    for (int64_t done = 0; done < n; done += at_once) {
        const int64_t count = n - done < at_once ? n - done : at_once;
        memcpy(copy, bytes + done * size, (size_t)(count * size));
        header->type->convert((const unsigned char *)copy, count, cells + done);
    }
}

ald_status ald_npy_take_rows(ald_run *run, const ald_npy_header *header, double *cells, ald_table *table)
{
    const int64_t n = table->rows * table->cols;
    if (header->swapped) ald_npy_swap(ald_npy_place(header, n, cells), n, header->type->size);
    if (strcmp(header->type->code, "f8") != 0) widen(header, n, cells);
    table->cells = cells;
    ALD_TRY(check_finite(run, table, 0, n, 0, table->cells));
    ald_table_count_numbers(table);
    return ALD_OK;
}

static ald_status read_by_columns(ald_run *run, ald_input *input, const ald_npy_header *header,
                                  ald_table *table)
{
    const int64_t total = table->rows * table->cols;
    const int64_t room = total < column_block_elements ? total : column_block_elements;
    int64_t capacity = 0, n;
    unsigned char *bytes;
    double *block;
    ALD_TRY(ald_scratch(run, room, header->type->size, 1, &bytes));
    ALD_TRY(ald_scratch_reals(run, room, 1, &block));
    ALD_TRY(reserve_cells(run, table, &capacity, total, total));
    for (int64_t done = 0; done < total; done += n) {
        n = next_by_columns(table, done, total - done);
        ALD_TRY(read_block(run, input, header, n, total - done, bytes));
        header->type->convert(bytes, n, block);
        ALD_TRY(check_finite(run, table, done, n, 1, block));
        if (n % table->rows == 0)
            place_whole_columns(table, done, n, block);
        else
            place_part(table, done, n, block);
    }
    return ALD_OK;
}

static ald_status read_npy(ald_run *run, ald_input *input, const ald_load_options *options, ald_table *table)
{
    (void)options;
    ald_npy_header header;
    ALD_TRY(ald_npy_read_header(run, input, &header));
    table->rows = header.rows;
    table->cols = header.cols;
    ALD_TRY(ald_table_check_size(run, table));
    const int by_columns = header.fortran && table->rows > 1 && table->cols > 1;
    ALD_TRY(by_columns ? read_by_columns(run, input, &header, table)
                       : read_by_rows(run, input, &header, table));
    unsigned char more;
    size_t got;
    ALD_TRY(ald_input_read(run, input, &more, 1, &got));
    if (got)
        return ald_fail(run->error, ALD_ERROR_FORMAT,
                        "the NPY file continues after its %lld x %lld values; is it damaged, or does it "
                        "contain several arrays?",
                        (long long)table->rows, (long long)table->cols);
    ald_table_count_numbers(table);
    return ALD_OK;
}

static const char *const endings[] = {".npy", NULL};
const ald_reader ald_npy_reader = {
    .name = "npy",
    .endings = endings,
    .title = "numpy array, one or two dimensions",
    .read = read_npy,
};
