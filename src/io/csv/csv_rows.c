#include "io/csv/csv_rows.h"

#include "base/numbers/number.h"
#include "io/csv/csv_refuse.h"

#include <math.h>
#include <string.h>

static void note_first(int64_t *first, int64_t line)
{
    if (*first == 0) *first = line;
}

static ald_status add_text(ald_run *run, ald_csv_file *file, int64_t column, const char *text, size_t length,
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
ald_status ald_csv_add_cell(ald_run *run, ald_csv_file *file, int64_t column, const char *text, size_t length,
                            int64_t line, double *cell)
{
    ald_column *of = &file->table->columns[column];
    const char *core = text;
    size_t core_length = length;
    ald_csv_trim(&core, &core_length);
    if (file->flags[column] & ALD_CSV_IS_KEPT)
        ALD_TRY(ald_csv_kept_add(run, file->kept, column, text, length));
    if (ald_csv_cell_is_missing(&file->manner, core, core_length)) {
        *cell = ald_cell_missing();
        of->n_missing++;
        note_first(&of->first_missing_line, line);
        return ALD_OK;
    }
    const int code = file->manner.codes && ald_csv_cell_is_code(core, core_length);
    if (code) file->flags[column] |= ALD_CSV_HAS_CODES;
    if ((file->flags[column] & ALD_CSV_IS_CATEGORICAL) || code ||
        !ald_csv_cell_number(&file->manner, core, core_length, cell))
        return add_text(run, file, column, text, length, line, cell);
    if (isinf(*cell)) {
        of->n_infinite++;
        note_first(&of->first_infinite_line, line);
    }
    note_first(&of->first_number_line, line);
    file->flags[column] &= (unsigned char)~ALD_CSV_AWAITS_NUMBER;
    return ALD_OK;
}

/* Growing by half keeps the pages that are not used yet out of memory. */
ald_status ald_csv_more_rows(ald_run *run, ald_csv_file *file, int64_t count, double **cells)
{
    ald_table *table = file->table;
    if (count > file->room - table->rows) {
        const int64_t more = file->room / 2 + 4 + 32768 / table->cols,
                      lacking = table->rows + count - file->room;
        const int64_t room = file->room + (more > lacking ? more : lacking);
        double *grown = ald_arena_resize(table->arena, table->cells, room, table->cols, sizeof *grown);
        if (!grown) return ald_out_of_memory(run, room, table->cols, sizeof *grown);
        table->cells = grown;
        file->room = room;
    }
    *cells = table->cells + table->rows * table->cols;
    return ALD_OK;
}

static const char *skip_blanks(const char *at, int tabs)
{
    while (*at == ' ' || (tabs && *at == '\t')) at++;
    return at;
}

int64_t ald_csv_take_numbers(ald_csv_scanner *scanner, const unsigned char *flags, int64_t cols,
                             double *cells, int64_t column)
{
    const char *limit = scanner->buffer + scanner->filled, *at = scanner->buffer + scanner->at;
    const int64_t last = cols - 1;
    const char delimiter = scanner->delimiter;
    const int blanks = delimiter == ALD_CSV_BLANKS;
    for (; !flags[column]; column++) {
        double value;
        const char *begin = skip_blanks(at, blanks), *end = ald_scan_real(begin, limit, &value);
        if (!end || isinf(value) || (*begin == '0' && begin[1] >= '0' && begin[1] <= '9')) break;
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
static ald_status fail_long(ald_run *run, ald_csv_file *file, int64_t line)
{
    int64_t found = file->table->cols;
    ald_csv_cell cell = {0};
    while (!cell.last) {
        ALD_TRY(ald_csv_scan_cell(run, &file->scanner, found + 1, &cell));
        found++;
    }
    return ald_csv_fail_ragged(run, file->table, file->hash_first, line, found);
}

ald_status ald_csv_add_row(ald_run *run, ald_csv_file *file)
{
    const int64_t line = file->scanner.line, last = file->table->cols - 1;
    double *cells;
    ALD_TRY(ald_csv_more_rows(run, file, 1, &cells));
    ALD_TRY(ald_table_note_line(run, file->table, file->table->rows, line));
    for (int64_t j = ald_csv_take_numbers(&file->scanner, file->flags, last + 1, cells, 0); j <= last;
         j = ald_csv_take_numbers(&file->scanner, file->flags, last + 1, cells, j + 1)) {
        ald_csv_cell cell;
        ALD_TRY(ald_csv_scan_cell(run, &file->scanner, j + 1, &cell));
        ALD_TRY(ald_csv_add_cell(run, file, j, cell.text, cell.length, cell.line, &cells[j]));
        if (cell.last && j < last)
            return ald_csv_fail_ragged(run, file->table, file->hash_first, line, j + 1);
        if (!cell.last && j == last) return fail_long(run, file, line);
        if (j == last) break;
    }
    file->table->rows++;
    return ALD_OK;
}
