/* Comma-separated and other delimited text.
 *
 * The first two rows are kept as text to find out whether the first is a header; from then on the rows go
 * straight into the matrix. A number that stands whole in the buffer, in a column that has had numbers
 * before, is read where it is; all other cells are taken one by one. So beside the matrix there is a buffer
 * of a megabyte and a byte per column. */
#include "base/core/text.h"
#include "io/csv/csv_manner.h"
#include "io/csv/csv_rows.h"
#include "io/reading/reader.h"
#include "io/table/columns.h"

#include <string.h>

/* A row as text. */
typedef struct {
    ald_csv_texts cells;
    int64_t count, line;
} kept_row;

/* count 0: there is no further row. */
static ald_status keep_row(ald_run *run, ald_csv_file *file, kept_row *row)
{
    memset(row, 0, sizeof *row);
    ald_text_init(&row->cells.bytes, &run->scratch);
    int more;
    ALD_TRY(ald_csv_scan_row(run, &file->scanner, &more));
    row->line = file->scanner.line;
    while (more) {
        ald_csv_cell cell;
        ALD_TRY(ald_csv_scan_cell(run, &file->scanner, row->count + 1, &cell));
        ALD_TRY(ald_csv_texts_add(run, &row->cells, cell.text, cell.length));
        row->count++;
        ALD_TRY(ald_check_line(run, file->manner.longest, row->cells.bytes.length, row->line));
        more = !cell.last;
    }
    return ALD_OK;
}

static void drop_row(ald_run *run, kept_row *row)
{
    ald_arena_drop(&run->scratch, row->cells.bytes.data);
    ald_arena_drop(&run->scratch, row->cells.starts);
}

static const char *kept_text(const kept_row *row, int64_t column, size_t *length)
{
    *length = row->cells.starts[column + 1] - row->cells.starts[column] - 1;
    return row->cells.bytes.data + row->cells.starts[column];
}

static int kept_is_number(const ald_csv_file *file, const kept_row *row, int64_t column)
{
    size_t length;
    double value;
    const char *text = kept_text(row, column, &length);
    ald_csv_trim(&text, &length);
    return ald_csv_cell_number(&file->manner, text, length, &value);
}

/* A dash or a point alone is no name. */
static int kept_is_text(const ald_csv_file *file, const kept_row *row, int64_t column)
{
    size_t length;
    const char *text = kept_text(row, column, &length);
    ald_csv_trim(&text, &length);
    return !ald_csv_cell_is_missing(&file->manner, text, length) && !ald_text_may_be_missing(text, length) &&
           !kept_is_number(file, row, column);
}

/* The first row is a header if it has a text over a number, or texts and no number at all. */
static int looks_like_header(const ald_csv_file *file, const kept_row *first, const kept_row *second)
{
    int64_t texts = 0, numbers = 0;
    for (int64_t j = 0; j < first->count; j++) {
        const int is_text = kept_is_text(file, first, j);
        if (is_text && j < second->count && kept_is_number(file, second, j)) return 1;
        texts += is_text;
        numbers += kept_is_number(file, first, j);
    }
    return texts > 0 && numbers == 0;
}

static ald_status name_columns(ald_run *run, const kept_row *header, ald_table *table)
{
    for (int64_t j = 0; j < header->count; j++) {
        size_t length;
        const char *text = kept_text(header, j, &length);
        ALD_TRY(ald_csv_refuse_zero_bytes(run, text, length, header->line, j + 1));
        ALD_TRY(ald_name_column(run, table, j, text, length));
    }
    return ALD_OK;
}

static ald_status make_columns(ald_run *run, ald_csv_file *file, int64_t cols)
{
    ald_table *table = file->table;
    table->cols = cols;
    table->has_lines = 1;
    ALD_TRY(ald_table_make_columns(run, table));
    ALD_TRY(ald_levels_new(run, table, &file->levels));
    ALD_TRY(ald_scratch(run, cols, 1, 1, &file->flags));
    const int look = file->manner.comma > 0 || file->manner.na_is_number || file->manner.thousands;
    memset(file->flags, ALD_CSV_AWAITS_NUMBER | (look ? ALD_CSV_IS_LOOKED_AT : 0), (size_t)cols);
    return ALD_OK;
}

static ald_status mark_categorical(ald_run *run, ald_csv_file *file, const char *list)
{
    if (!list) return ALD_OK;
    int64_t *chosen;
    int64_t count;
    ALD_TRY(ald_scratch(run, file->table->cols, 1, sizeof *chosen, &chosen));
    ALD_TRY(ald_columns_choose(run, file->table, list, "`categorical`", chosen, &count));
    for (int64_t j = 0; j < file->table->cols; j++)
        if (chosen[j]) file->flags[j] |= ALD_CSV_IS_CATEGORICAL;
    ald_arena_drop(&run->scratch, chosen);
    return ALD_OK;
}

static ald_status mark_kept(ald_run *run, ald_csv_file *file, const ald_load_options *options)
{
    ALD_TRY(ald_kept_choose(run, options, file->table));
    for (int64_t k = 0; k < file->table->n_kept; k++) {
        const ald_kept_column *kept = &file->table->kept[k];
        file->flags[kept->column] |= ALD_CSV_IS_KEPT | (kept->is_id ? ALD_CSV_IS_CATEGORICAL : 0);
    }
    return ald_csv_kept_new(run, file->table, &file->kept);
}

static ald_status add_kept_row(ald_run *run, ald_csv_file *file, const kept_row *row)
{
    if (row->count != file->table->cols)
        return ald_csv_fail_ragged(run, file->table, file->hash_first, row->line, row->count);
    double *cells;
    ALD_TRY(ald_csv_more_rows(run, file, 1, &cells));
    ALD_TRY(ald_table_note_line(run, file->table, file->table->rows, row->line));
    for (int64_t j = 0; j < row->count; j++) {
        size_t length;
        const char *text = kept_text(row, j, &length);
        ALD_TRY(ald_csv_add_cell(run, file, j, text, length, row->line, &cells[j]));
    }
    file->table->rows++;
    return ALD_OK;
}

static ald_status finish(ald_run *run, ald_csv_file *file)
{
    ald_table *table = file->table;
    ALD_TRY(ald_csv_kept_finish(run, file->kept));
    ALD_TRY(ald_resize(run, table->arena, &table->cells, table->rows, table->cols, sizeof *table->cells));
    for (int64_t j = 0; j < table->cols; j++) {
        ald_column *column = &table->columns[j];
        if ((file->flags[j] & ALD_CSV_HAS_CODES) && !(file->flags[j] & ALD_CSV_IS_CATEGORICAL))
            ALD_TRY(ald_csv_settle_codes(run, table, file->levels, j));
        column->n_numbers = table->rows - column->n_texts - column->n_missing;
    }
    return ALD_OK;
}

/* Finds out what the options leave open, by the first buffer. */
static ald_status csv_start(ald_run *run, ald_csv_file *file, ald_input *input)
{
    ald_csv_scanner *scanner = &file->scanner;
    ald_csv_manner *manner = &file->manner;
    ALD_TRY(ald_csv_scan_start(run, scanner, input));
    ALD_TRY(ald_csv_scan_skip(run, scanner, manner->skip));
    const char *sample = scanner->buffer + scanner->at;
    const size_t size = scanner->filled - scanner->at;
    scanner->comment = manner->comment;
    scanner->longest = manner->longest;
    if (!manner->delimiter)
        manner->delimiter = ald_csv_detect_delimiter(sample, size, scanner->ended, manner->comment);
    scanner->delimiter = manner->delimiter;
    if (manner->comma < 0 && (manner->comma = ald_csv_detect_comma(manner, sample, size)))
        ald_log(run, ALD_LOG_INFO, "%s: numbers are read with decimal commas (`decimal=comma`)",
                file->table->source);
    file->table->decimal_comma = manner->comma;
    return ALD_OK;
}

static ald_status read_delimited(ald_run *run, ald_input *input, const ald_load_options *options,
                                 ald_table *table, char delimiter)
{
    ald_csv_file file = {.table = table};
    ALD_TRY(ald_csv_manner_read(run, options, delimiter, &file.manner));
    ALD_TRY(csv_start(run, &file, input));
    kept_row first, second;
    ALD_TRY(keep_row(run, &file, &first));
    if (first.count == 0) return ald_csv_fail_empty(run, file.manner.skip);
    file.hash_first = first.cells.bytes.data[0] == '#';
    ALD_TRY(keep_row(run, &file, &second));
    const int header =
        file.manner.header < 0 ? looks_like_header(&file, &first, &second) : file.manner.header;
    ALD_TRY(make_columns(run, &file, first.count));
    if (header) ALD_TRY(name_columns(run, &first, table));
    if (header && second.count == 0)
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "no rows: the only line is a header with the names of the columns");
    ALD_TRY(mark_categorical(run, &file, options->categorical));
    ALD_TRY(mark_kept(run, &file, options));
    if (!header) ALD_TRY(add_kept_row(run, &file, &first));
    if (second.count) ALD_TRY(add_kept_row(run, &file, &second));
    drop_row(run, &first);
    drop_row(run, &second);
    ALD_TRY(ald_csv_add_rows(run, &file));
    ald_arena_drop(&run->scratch, file.scanner.buffer);
    return finish(run, &file);
}

static ald_status read_csv(ald_run *run, ald_input *input, const ald_load_options *options, ald_table *table)
{
    return read_delimited(run, input, options, table, '\0');
}

static ald_status read_tsv(ald_run *run, ald_input *input, const ald_load_options *options, ald_table *table)
{
    return read_delimited(run, input, options, table, '\t');
}

static ald_status csv_delimiter(ald_run *run, const ald_load_options *options, const char *bytes, size_t size,
                                int whole, char *delimiter)
{
    ald_csv_manner manner;
    ALD_TRY(ald_csv_manner_read(run, options, '\0', &manner));
    if (!manner.delimiter) manner.delimiter = ald_csv_detect_delimiter(bytes, size, whole, manner.comment);
    *delimiter = manner.delimiter;
    return ALD_OK;
}

static ald_status tsv_delimiter(ald_run *run, const ald_load_options *options, const char *bytes, size_t size,
                                int whole, char *delimiter)
{
    ald_load_options tabs = *options;
    if (!tabs.delimiter) tabs.delimiter = "tab";
    return csv_delimiter(run, &tabs, bytes, size, whole, delimiter);
}

static const char *const csv_endings[] = {".csv", ".txt", ".dat", NULL};
static const char *const tsv_endings[] = {".tsv", ".tab", NULL};

const ald_reader ald_csv_reader = {
    .name = "csv",
    .endings = csv_endings,
    .title = "delimited text, the delimiter is detected",
    .read = read_csv,
    .delimiter = csv_delimiter,
};
const ald_reader ald_tsv_reader = {
    .name = "tsv",
    .endings = tsv_endings,
    .title = "delimited text, tabs between the cells",
    .read = read_tsv,
    .delimiter = tsv_delimiter,
};
