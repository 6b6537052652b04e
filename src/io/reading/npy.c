/* NPY, the file format of numpy: a magic text, a version, the length of a header, the header (a Python
 * dictionary with type, order and shape, of which only what numpy writes is taken) and the raw values.
 * They are converted a block at a time straight into the cells of the table. */
#include "io/reading/npy.h"

#include "io/reading/reader.h"
#include "io/table/table.h"

#include <math.h>
#include <string.h>

/* What else numpy stores, by the letter of its kind. */
static const struct {
    char kind;
    const char *name;
} refused[] = {
    {'c', "complex numbers"},
    {'O', "Python objects"},
    {'S', "text"},
    {'a', "text"},
    {'U', "text"},
    {'V', "raw bytes"},
    {'M', "dates"},
    {'m', "time spans"},
    {'f', "reals of another size"},
};

/* Turns the bytes of each of n values round. */
static void npy_swap(unsigned char *bytes, int64_t n, int size)
{
    for (int64_t i = 0; i < n; i++, bytes += size)
        for (int a = 0, b = size - 1; a < b; a++, b--) {
            const unsigned char byte = bytes[a];
            bytes[a] = bytes[b];
            bytes[b] = byte;
        }
}

typedef struct scanner {
    ald_run *run;
    const char *text, *at, *end;
} scanner;

static ald_status damaged(const scanner *s, const char *expected)
{
    return ald_fail(s->run->error, ALD_ERROR_FORMAT,
                    "the NPY header is damaged: expected %s at its byte %lld", expected,
                    (long long)(s->at - s->text) + 1);
}

static void skip_blanks(scanner *s)
{
    while (s->at < s->end && (*s->at == ' ' || *s->at == '\n' || *s->at == '\t')) s->at++;
}

/* 1 and moves on if the word is next. */
static int accept(scanner *s, const char *word)
{
    skip_blanks(s);
    const size_t length = strlen(word);
    if ((size_t)(s->end - s->at) < length || memcmp(s->at, word, length) != 0) return 0;
    s->at += length;
    return 1;
}

static ald_status expect(scanner *s, const char *word)
{
    return accept(s, word) ? ALD_OK : damaged(s, word);
}

/* A quoted text without escapes: type codes and keys have none. */
static ald_status scan_text(scanner *s, const char **text, size_t *length)
{
    skip_blanks(s);
    if (s->at == s->end || (*s->at != '\'' && *s->at != '"')) return damaged(s, "a quoted text");
    const char *close = memchr(s->at + 1, *s->at, (size_t)(s->end - s->at - 1));
    if (!close) return damaged(s, "a quoted text that ends");
    *text = s->at + 1;
    *length = (size_t)(close - *text);
    s->at = close + 1;
    return ALD_OK;
}

static ald_status refuse_type(const scanner *s, const char *code, size_t length)
{
    const char *holds = "an unknown type";
    for (size_t k = 0; length > 1 && k < sizeof refused / sizeof *refused; k++)
        if (refused[k].kind == code[1]) holds = refused[k].name;
    return ald_fail(
        s->run->error, ALD_ERROR_UNSUPPORTED,
        "the NPY file holds %s (type '%.*s'); numbers of type f4, f8, i1 to i8, u1 to u8 and bool can be "
        "read: convert it with array.astype(float)",
        holds, (int)(length < 40 ? length : 40), code);
}

static ald_status scan_type(scanner *s, ald_npy_header *header)
{
    const char *code;
    size_t length;
    skip_blanks(s);
    if (s->at < s->end && *s->at == '[')
        return ald_fail(
            s->run->error, ALD_ERROR_UNSUPPORTED,
            "the NPY file holds a structured array (named fields); save a plain matrix of numbers instead");
    ALD_TRY(scan_text(s, &code, &length));
    const ald_binary_type *found = length == 3 ? ald_binary_type_find(code + 1) : NULL;
    const char order = length ? *code : '\0';
    if (!found || !strchr("<>=|", order) || (order == '|' && found->size > 1))
        return refuse_type(s, code, length);
    header->type = found;
    header->swapped = found->size > 1 && order == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? '>' : '<');
    return ALD_OK;
}

static ald_status scan_order(scanner *s, ald_npy_header *header)
{
    header->fortran = accept(s, "True");
    return header->fortran || accept(s, "False") ? ALD_OK : damaged(s, "True or False");
}

static ald_status scan_extent(scanner *s, int64_t *extent)
{
    skip_blanks(s);
    if (s->at == s->end || *s->at < '0' || *s->at > '9') return damaged(s, "a whole number");
    int64_t value = 0;
    for (; s->at < s->end && *s->at >= '0' && *s->at <= '9'; s->at++)
        if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, *s->at - '0', &value))
            return damaged(s, "a number that fits 63 bits");
    accept(s, "L"); /* Python 2 wrote long numbers so */
    *extent = value;
    return ALD_OK;
}

/* "()", "(3,)", "(3, 4)", "(3, 4, 5)" ... */
static ald_status scan_shape(scanner *s, ald_npy_header *header)
{
    int64_t extents[2] = {0, 1};
    int dims = 0;
    ALD_TRY(expect(s, "("));
    while (!accept(s, ")")) {
        int64_t extent = 0;
        ALD_TRY(scan_extent(s, &extent));
        if (dims < 2) extents[dims] = extent;
        dims++;
        if (!accept(s, ",") && (dims == 1 || s->at == s->end || *s->at != ')')) return damaged(s, "a comma");
    }
    if (dims < 1 || dims > 2)
        return ald_fail(
            s->run->error, ALD_ERROR_UNSUPPORTED,
            "the NPY file holds an array of %d dimensions; a matrix has 2 (rows are samples), a single "
            "column 1: reshape it before saving",
            dims);
    header->rows = extents[0];
    header->cols = extents[1];
    return ALD_OK;
}

static ald_status scan_dictionary(scanner *s, ald_npy_header *header)
{
    static const struct {
        const char *key;
        ald_status (*scan)(scanner *s, ald_npy_header *header);
    } fields[] = {{"descr", scan_type}, {"fortran_order", scan_order}, {"shape", scan_shape}};
    enum { n_fields = sizeof fields / sizeof *fields };
    int seen[n_fields] = {0};
    ALD_TRY(expect(s, "{"));
    while (!accept(s, "}")) {
        const char *key;
        size_t length;
        ALD_TRY(scan_text(s, &key, &length));
        int k = 0;
        while (k < n_fields && (strlen(fields[k].key) != length || memcmp(fields[k].key, key, length) != 0))
            k++;
        if (k == n_fields || seen[k]++)
            return damaged(s, "each of the keys descr, fortran_order and shape once");
        ALD_TRY(expect(s, ":"));
        ALD_TRY(fields[k].scan(s, header));
        if (!accept(s, ",") && (s->at == s->end || *s->at != '}')) return damaged(s, "a comma or }");
    }
    skip_blanks(s);
    if (s->at != s->end) return damaged(s, "nothing more");
    for (int k = 0; k < n_fields; k++)
        if (!seen[k]) return damaged(s, "all of the keys descr, fortran_order and shape");
    return ALD_OK;
}

/* The dictionary text[0 .. length), which ends with '\0' after that. */
static ald_status npy_header_parse(ald_run *run, const char *text, size_t length, ald_npy_header *header)
{
    scanner s = {.run = run, .text = text, .at = text, .end = text + length};
    memset(header, 0, sizeof *header);
    ALD_TRY(scan_dictionary(&s, header));
    int64_t count;
    if (__builtin_mul_overflow(header->rows, header->cols, &count) ||
        count > INT64_MAX / (int64_t)sizeof(double))
        return ald_fail(run->error, ALD_ERROR_FORMAT,
                        "the NPY header claims %lld x %lld values, more than memory can hold",
                        (long long)header->rows, (long long)header->cols);
    return ALD_OK;
}

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
    return npy_header_parse(run, text, length, header);
}

/* Room for `needed` of the `total` cells. It grows with what is read, so that a header that claims too much
 * costs nothing. */
static ald_status reserve_cells(ald_run *run, ald_table *table, int64_t *capacity, int64_t needed,
                                int64_t total)
{
    if (needed <= *capacity) return ALD_OK;
    const int64_t doubled = *capacity <= total / 2 ? 2 * *capacity : total;
    const int64_t wanted = doubled > needed ? doubled : needed;
    ALD_TRY(ald_resize(run, table->arena, &table->cells, wanted, 1, sizeof *table->cells));
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
    if (header->swapped) npy_swap(bytes, n, header->type->size);
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
    if (header->swapped) npy_swap(ald_npy_place(header, n, cells), n, header->type->size);
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
