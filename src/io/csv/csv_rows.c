/* Rows of a delimited text on their way into the table; texts of columns that are kept; what is no table. */
#include "io/csv/csv_rows.h"

#include "base/core/text.h"
#include "base/numbers/number.h"
#include "io/table/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

ald_status ald_csv_texts_add(ald_run *run, ald_csv_texts *to, const char *text, size_t length)
{
    ALD_TRY(ald_grow(run, &run->scratch, &to->starts, &to->room, to->count + 2, sizeof *to->starts));
    to->starts[to->count++] = to->bytes.length;
    ALD_TRY(ald_text_add(run, &to->bytes, text, length));
    ALD_TRY(ald_text_add(run, &to->bytes, "", 1));
    to->starts[to->count] = to->bytes.length;
    return ALD_OK;
}

struct ald_csv_kept {
    ald_table *table;
    ald_csv_texts *columns; /* table->n_kept */
};

ald_status ald_csv_kept_new(ald_run *run, ald_table *table, ald_csv_kept **kept)
{
    *kept = NULL;
    if (table->n_kept == 0) return ALD_OK;
    ALD_TRY(ald_scratch(run, 1, 1, sizeof **kept, kept));
    (*kept)->table = table;
    ALD_TRY(ald_scratch_clear(run, table->n_kept, 1, sizeof *(*kept)->columns, &(*kept)->columns));
    for (int64_t k = 0; k < table->n_kept; k++) ald_text_init(&(*kept)->columns[k].bytes, table->arena);
    return ALD_OK;
}

static ald_status add_valid(ald_run *run, ald_csv_texts *to, const char *text, size_t length)
{
    if (ald_utf8_is_valid(text, length)) return ald_csv_texts_add(run, to, text, length);
    char *valid = ald_utf8_copy(&run->scratch, text, length);
    if (!valid) return ald_out_of_memory(run, (int64_t)length, 2, 1);
    const ald_status status = ald_csv_texts_add(run, to, valid, strlen(valid));
    ald_arena_drop(&run->scratch, valid);
    return status;
}

/* The text of the next cell of a column, row after row. */
static ald_status csv_kept_add(ald_run *run, ald_csv_kept *kept, int64_t column, const char *text,
                               size_t length)
{
    for (int64_t k = 0; k < kept->table->n_kept; k++)
        if (kept->table->kept[k].column == column) ALD_TRY(add_valid(run, &kept->columns[k], text, length));
    return ALD_OK;
}

ald_status ald_csv_kept_finish(ald_run *run, ald_csv_kept *kept)
{
    for (int64_t k = 0; kept && k < kept->table->n_kept; k++) {
        const ald_csv_texts *from = &kept->columns[k];
        char ***texts = &kept->table->kept[k].texts;
        ALD_TRY(ald_get(run, kept->table->arena, from->count, 1, sizeof **texts, texts));
        for (int64_t i = 0; i < from->count; i++) (*texts)[i] = from->bytes.data + from->starts[i];
    }
    return ALD_OK;
}

/* Few lines of fewer cells at the top stand before the table rather than in it. */
static const char *hint_of(const ald_table *table, int hash_first, int64_t line, int64_t found, char hint[80])
{
    enum { most_before = 40 };
    if (hash_first) return "; if that is a comment, give `comment=#`";
    if (found < 2 * table->cols || line > most_before) return "";
    snprintf(hint, 80, "; if the table begins there, give `skip=%lld`", (long long)line - 1);
    return hint;
}

ald_status ald_csv_fail_ragged(ald_run *run, const ald_table *table, int hash_first, int64_t line,
                               int64_t found)
{
    char hint[80];
    return ald_fail_at(run->error, ALD_ERROR_FORMAT, line, 0,
                       "%lld cell%s found, but %lld expected as in the first row%s", (long long)found,
                       found == 1 ? "" : "s", (long long)table->cols,
                       hint_of(table, hash_first, line, found, hint));
}

ald_status ald_csv_fail_empty(ald_run *run, int64_t skip)
{
    if (skip == 0) return ald_fail(run->error, ALD_ERROR_DATA, "the file is empty: no rows");
    return ald_fail(run->error, ALD_ERROR_DATA, "no rows: nothing follows the %lld lines of `skip`",
                    (long long)skip);
}

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
    if (file->flags[column] & ALD_CSV_IS_KEPT) ALD_TRY(csv_kept_add(run, file->kept, column, text, length));
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
        ALD_TRY(ald_resize(run, table->arena, &table->cells, room, table->cols, sizeof *table->cells));
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
