/* Comma-separated and other delimited text.
 *
 * The first two rows are kept as text to find out whether the first is a header; from then on the rows go
 * straight into the matrix. A number that stands whole in the buffer, in a column that has had numbers
 * before, is read where it is; all other cells are taken one by one. So beside the matrix there is a buffer
 * of a megabyte and a byte per column. */
#include "core/text.h"
#include "csv/csv_codes.h"
#include "csv/csv_detect.h"
#include "csv/csv_kept.h"
#include "csv/csv_manner.h"
#include "csv/csv_refuse.h"
#include "csv/csv_scan.h"
#include "numbers/number.h"
#include "reading/kept.h"
#include "reading/reader.h"
#include "table/columns.h"

#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

/* Why the cells of a column cannot take the short way. */
enum { awaits_number = 1, is_categorical = 2, is_kept = 4, has_codes = 8, is_looked_at = 16 };

typedef struct {
    ald_csv_scanner scanner;
    ald_csv_manner manner;
    ald_table *table;
    ald_levels *levels;
    ald_csv_kept *kept;   /* NULL: no column is */
    unsigned char *flags; /* one byte per column */
    int64_t room;         /* rows that fit into the cells */
    int hash_first;       /* the first row begins with a # that was not said to be a comment */
} csv;

/* A row as text. */
typedef struct {
    ald_text bytes;
    size_t *starts; /* count + 1 of them */
    int64_t count, room, line;
} kept_row;

static ald_status keep_cell(ald_run *run, kept_row *row, const ald_csv_cell *cell)
{
    if (row->count + 1 >= row->room) {
        const int64_t room = row->room + row->room / 2 + 64;
        size_t *starts = ald_arena_resize(&run->scratch, row->starts, room, 1, sizeof *starts);
        if (!starts) return ald_out_of_memory(run, room, 1, sizeof *starts);
        row->starts = starts;
        row->room = room;
    }
    row->starts[row->count++] = row->bytes.length;
    ALD_TRY(ald_text_add(run, &row->bytes, cell->text, cell->length));
    row->starts[row->count] = row->bytes.length;
    return ALD_OK;
}

/* count 0: there is no further row. */
static ald_status keep_row(ald_run *run, csv *file, kept_row *row)
{
    memset(row, 0, sizeof *row);
    ald_text_init(&row->bytes, &run->scratch);
    int more;
    ALD_TRY(ald_csv_scan_row(run, &file->scanner, &more));
    row->line = file->scanner.line;
    while (more) {
        ald_csv_cell cell;
        ALD_TRY(ald_csv_scan_cell(run, &file->scanner, row->count + 1, &cell));
        ALD_TRY(keep_cell(run, row, &cell));
        more = !cell.last;
    }
    return ALD_OK;
}

static void drop_row(ald_run *run, kept_row *row)
{
    ald_arena_drop(&run->scratch, row->bytes.data);
    ald_arena_drop(&run->scratch, row->starts);
}

static const char *kept_text(const kept_row *row, int64_t column, size_t *length)
{
    *length = row->starts[column + 1] - row->starts[column];
    return row->bytes.data + row->starts[column];
}

static int kept_is_number(const csv *file, const kept_row *row, int64_t column)
{
    size_t length;
    double value;
    const char *text = kept_text(row, column, &length);
    ald_csv_trim(&text, &length);
    return ald_csv_cell_number(&file->manner, text, length, &value);
}

/* A dash or a point alone is no name. */
static int kept_is_text(const csv *file, const kept_row *row, int64_t column)
{
    size_t length;
    const char *text = kept_text(row, column, &length);
    ald_csv_trim(&text, &length);
    return !ald_csv_cell_is_missing(&file->manner, text, length) && !ald_text_may_be_missing(text, length) &&
           !kept_is_number(file, row, column);
}

/* The first row is a header if it has a text over a number, or texts and no number at all. */
static int looks_like_header(const csv *file, const kept_row *first, const kept_row *second)
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

/* Names go into the one column of a table of their own: its index finds those that come twice, however many
 * there are.
 */
static ald_status name_columns(ald_run *run, const kept_row *header, ald_table *table)
{
    ald_column all = {0};
    ald_table names = {.arena = table->arena, .cols = 1, .columns = &all};
    ald_levels *levels;
    int64_t *first;
    ALD_TRY(ald_levels_new(run, &names, &levels));
    ALD_TRY(ald_scratch(run, header->count, 1, sizeof *first, &first));
    for (int64_t j = 0; j < header->count; j++) {
        size_t length;
        const char *text = kept_text(header, j, &length);
        if (length == 0) continue;
        ALD_TRY(ald_csv_refuse_zero_bytes(run, text, length, header->line, j + 1));
        const int64_t before = all.n_levels;
        int64_t level;
        ALD_TRY(ald_levels_find(run, levels, 0, text, length, &level));
        if (level < before)
            return ald_fail_at(
                run->error, ALD_ERROR_FORMAT, header->line, j + 1,
                "columns %lld and %lld are both named '%s'; every column needs a name of its own",
                (long long)first[level] + 1, (long long)j + 1, all.levels[level]);
        first[level] = j;
        table->columns[j].name = all.levels[level];
    }
    ald_arena_drop(&run->scratch, first);
    return ALD_OK;
}

static ald_status make_columns(ald_run *run, csv *file, int64_t cols)
{
    ald_table *table = file->table;
    table->cols = cols;
    table->has_lines = 1;
    table->columns = ald_arena_get(table->arena, cols, 1, sizeof *table->columns);
    if (!table->columns) return ald_out_of_memory(run, cols, 1, sizeof *table->columns);
    memset(table->columns, 0, (size_t)cols * sizeof *table->columns);
    for (int64_t j = 0; j < cols; j++) table->columns[j].position = j + 1;
    ALD_TRY(ald_levels_new(run, table, &file->levels));
    ALD_TRY(ald_scratch(run, cols, 1, 1, &file->flags));
    const int look = file->manner.comma > 0 || file->manner.na_is_number || file->manner.thousands;
    memset(file->flags, awaits_number | (look ? is_looked_at : 0), (size_t)cols);
    return ALD_OK;
}

static ald_status mark_categorical(ald_run *run, csv *file, const char *list)
{
    if (!list) return ALD_OK;
    int64_t *chosen;
    int64_t count;
    ALD_TRY(ald_scratch(run, file->table->cols, 1, sizeof *chosen, &chosen));
    ALD_TRY(ald_columns_choose(run, file->table, list, "`categorical`", chosen, &count));
    for (int64_t j = 0; j < file->table->cols; j++)
        if (chosen[j]) file->flags[j] |= is_categorical;
    ald_arena_drop(&run->scratch, chosen);
    return ALD_OK;
}

static ald_status mark_kept(ald_run *run, csv *file, const ald_load_options *options)
{
    ALD_TRY(ald_kept_choose(run, options, file->table));
    for (int64_t k = 0; k < file->table->n_kept; k++) {
        const ald_kept_column *kept = &file->table->kept[k];
        file->flags[kept->column] |= is_kept | (kept->is_id ? is_categorical : 0);
    }
    return ald_csv_kept_new(run, file->table, &file->kept);
}

static void note_first(int64_t *first, int64_t line)
{
    if (*first == 0) *first = line;
}

static ald_status add_text(ald_run *run, csv *file, int64_t column, const char *text, size_t length,
                           int64_t line, double *cell)
{
    ald_column *of = &file->table->columns[column];
    ALD_TRY(ald_csv_refuse_zero_bytes(run, text, length, line, column + 1));
    int64_t level;
    ALD_TRY(ald_levels_find(run, file->levels, column, text, length, &level));
    *cell = ald_cell_text(level);
    of->n_texts++;
    note_first(&of->first_text_line, line);
    return ALD_OK;
}

/* Numbers are counted at the end, as what the others leave. */
static ald_status add_cell(ald_run *run, csv *file, int64_t column, const char *text, size_t length,
                           int64_t line, double *cell)
{
    ald_column *of = &file->table->columns[column];
    const char *core = text;
    size_t core_length = length;
    ald_csv_trim(&core, &core_length);
    if (file->flags[column] & is_kept) ALD_TRY(ald_csv_kept_add(run, file->kept, column, text, length));
    if (ald_csv_cell_is_missing(&file->manner, core, core_length)) {
        *cell = ald_cell_missing();
        of->n_missing++;
        note_first(&of->first_missing_line, line);
        return ALD_OK;
    }
    const int code = file->manner.codes && ald_csv_cell_is_code(core, core_length);
    if (code) file->flags[column] |= has_codes;
    if ((file->flags[column] & is_categorical) || code ||
        !ald_csv_cell_number(&file->manner, core, core_length, cell))
        return add_text(run, file, column, text, length, line, cell);
    if (isinf(*cell)) {
        of->n_infinite++;
        note_first(&of->first_infinite_line, line);
    }
    note_first(&of->first_number_line, line);
    file->flags[column] &= (unsigned char)~awaits_number;
    return ALD_OK;
}

/* Room for one more row; gives where it goes. Growing by half keeps the pages that are not used yet out of
 * memory. */
static ald_status next_row(ald_run *run, csv *file, double **cells)
{
    ald_table *table = file->table;
    if (table->rows == file->room) {
        const int64_t room = file->room + file->room / 2 + 4 + 32768 / table->cols;
        double *grown = ald_arena_resize(table->arena, table->cells, room, table->cols, sizeof *grown);
        if (!grown) return ald_out_of_memory(run, room, table->cols, sizeof *grown);
        table->cells = grown;
        file->room = room;
    }
    *cells = table->cells + table->rows * table->cols;
    return ALD_OK;
}

static ald_status add_kept_row(ald_run *run, csv *file, const kept_row *row)
{
    if (row->count != file->table->cols)
        return ald_csv_fail_ragged(run, file->table, file->hash_first, row->line, row->count);
    double *cells;
    ALD_TRY(next_row(run, file, &cells));
    ALD_TRY(ald_table_note_line(run, file->table, file->table->rows, row->line));
    for (int64_t j = 0; j < row->count; j++) {
        size_t length;
        const char *text = kept_text(row, j, &length);
        ALD_TRY(add_cell(run, file, j, text, length, row->line, &cells[j]));
    }
    file->table->rows++;
    return ALD_OK;
}

static const char *skip_blanks(const char *at, int tabs)
{
    while (*at == ' ' || (tabs && *at == '\t')) at++;
    return at;
}

/* The short way: numbers and the delimiters between them as long as nothing else comes, from `column` to the
 * end of the row (result: cols) or to the cell that must be taken the long way (its index). */
static int64_t take_numbers(csv *file, double *cells, int64_t column)
{
    ald_csv_scanner *scanner = &file->scanner;
    const char *limit = scanner->buffer + scanner->filled, *at = scanner->buffer + scanner->at;
    const int64_t last = file->table->cols - 1;
    const char delimiter = scanner->delimiter;
    const int blanks = delimiter == ALD_CSV_BLANKS;
    for (; !file->flags[column]; column++) {
        double value;
        const char *begin = skip_blanks(at, blanks), *end = ald_scan_real(begin, limit, &value);
        if (!end || isinf(value) || (*begin == '0' && isdigit((unsigned char)begin[1]))) break;
        const char *next = skip_blanks(end, blanks);
        if (next == limit) break;
        const int line_ends = *next == '\n' || *next == '\r';
        const int more = blanks ? next > end && !line_ends : *next == delimiter;
        const int cell_ends = column == last ? line_ends : more;
        if (!cell_ends) break;
        cells[column] = value;
        at = blanks && !line_ends ? next : next + 1;
        if (column < last) continue;
        scanner->after_cr = *next == '\r';
        scanner->line++;
        column++;
        break;
    }
    scanner->at = (size_t)(at - scanner->buffer);
    return column;
}

/* The row is too long: counts its cells for the message. */
static ald_status fail_long(ald_run *run, csv *file, int64_t line)
{
    int64_t found = file->table->cols;
    ald_csv_cell cell = {0};
    while (!cell.last) {
        ALD_TRY(ald_csv_scan_cell(run, &file->scanner, found + 1, &cell));
        found++;
    }
    return ald_csv_fail_ragged(run, file->table, file->hash_first, line, found);
}

static ald_status add_row(ald_run *run, csv *file)
{
    const int64_t line = file->scanner.line, last = file->table->cols - 1;
    double *cells;
    ALD_TRY(next_row(run, file, &cells));
    ALD_TRY(ald_table_note_line(run, file->table, file->table->rows, line));
    for (int64_t j = take_numbers(file, cells, 0); j <= last; j = take_numbers(file, cells, j + 1)) {
        ald_csv_cell cell;
        ALD_TRY(ald_csv_scan_cell(run, &file->scanner, j + 1, &cell));
        ALD_TRY(add_cell(run, file, j, cell.text, cell.length, cell.line, &cells[j]));
        if (cell.last && j < last)
            return ald_csv_fail_ragged(run, file->table, file->hash_first, line, j + 1);
        if (!cell.last && j == last) return fail_long(run, file, line);
        if (j == last) break;
    }
    file->table->rows++;
    return ALD_OK;
}

static ald_status add_rows(ald_run *run, csv *file)
{
    int more;
    for (;;) {
        ALD_TRY(ald_csv_scan_row(run, &file->scanner, &more));
        if (!more) return ALD_OK;
        ALD_TRY(add_row(run, file));
    }
}

static ald_status finish(ald_run *run, csv *file)
{
    ald_table *table = file->table;
    ALD_TRY(ald_csv_kept_finish(run, file->kept));
    double *cells = ald_arena_resize(table->arena, table->cells, table->rows, table->cols, sizeof *cells);
    if (!cells) return ald_out_of_memory(run, table->rows, table->cols, sizeof *cells);
    table->cells = cells;
    for (int64_t j = 0; j < table->cols; j++) {
        ald_column *column = &table->columns[j];
        if ((file->flags[j] & has_codes) && !(file->flags[j] & is_categorical))
            ALD_TRY(ald_csv_settle_codes(run, table, file->levels, j));
        column->n_numbers = table->rows - column->n_texts - column->n_missing;
    }
    return ALD_OK;
}

/* Finds out what the options leave open, by the first buffer. */
static ald_status csv_start(ald_run *run, csv *file, ald_input *input)
{
    ald_csv_scanner *scanner = &file->scanner;
    ald_csv_manner *manner = &file->manner;
    ALD_TRY(ald_csv_scan_start(run, scanner, input));
    ALD_TRY(ald_csv_scan_skip(run, scanner, manner->skip));
    const char *sample = scanner->buffer + scanner->at;
    const size_t size = scanner->filled - scanner->at;
    scanner->comment = manner->comment;
    if (!manner->delimiter)
        manner->delimiter = ald_csv_detect_delimiter(sample, size, scanner->ended, manner->comment);
    scanner->delimiter = manner->delimiter;
    if (manner->comma < 0 && (manner->comma = ald_csv_detect_comma(manner, sample, size)))
        ald_log(run->context, ALD_LOG_INFO, "%s: numbers are read with decimal commas (`decimal=comma`)",
                file->table->source);
    file->table->decimal_comma = manner->comma;
    return ALD_OK;
}

static ald_status read_delimited(ald_run *run, ald_input *input, const ald_load_options *options,
                                 ald_table *table, char delimiter)
{
    csv file = {.table = table};
    ALD_TRY(ald_csv_manner_read(run, options, delimiter, &file.manner));
    ALD_TRY(csv_start(run, &file, input));
    kept_row first, second;
    ALD_TRY(keep_row(run, &file, &first));
    if (first.count == 0) return ald_csv_fail_empty(run, file.manner.skip);
    file.hash_first = first.bytes.length > 0 && first.bytes.data[0] == '#';
    ALD_TRY(keep_row(run, &file, &second));
    const int header =
        file.manner.header < 0 ? looks_like_header(&file, &first, &second) : file.manner.header;
    if (header && second.count == 0) {
        ALD_TRY(ald_csv_refuse_zero_bytes(run, first.bytes.data, first.bytes.length, first.line, 1));
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "no rows: the only line is a header with the names of the columns");
    }
    ALD_TRY(make_columns(run, &file, first.count));
    if (header) ALD_TRY(name_columns(run, &first, table));
    ALD_TRY(mark_categorical(run, &file, options->categorical));
    ALD_TRY(mark_kept(run, &file, options));
    if (!header) ALD_TRY(add_kept_row(run, &file, &first));
    if (second.count) ALD_TRY(add_kept_row(run, &file, &second));
    drop_row(run, &first);
    drop_row(run, &second);
    ALD_TRY(add_rows(run, &file));
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

static const char *const csv_endings[] = {".csv", ".txt", ".dat", NULL};
static const char *const tsv_endings[] = {".tsv", ".tab", NULL};

const ald_reader ald_csv_reader = {
    "csv", csv_endings, "delimited text, the delimiter is detected", read_csv, NULL,
};
const ald_reader ald_tsv_reader = {
    "tsv", tsv_endings, "delimited text, tabs between the cells", read_tsv, NULL,
};
