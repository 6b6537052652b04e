/* Cells, columns, lines and levels of a table; arrays that grow while a file is read; places for messages. */
#include "io/table/table.h"

#include "base/core/text.h"
#include "base/numbers/hash.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

ald_status ald_grow(ald_run *run, ald_arena *arena, void *block, int64_t *capacity, int64_t needed,
                    size_t size)
{
    if (needed <= *capacity) return ALD_OK;
    const int64_t least = 64, more = *capacity <= INT64_MAX / 2 ? *capacity + *capacity / 2 : INT64_MAX;
    const int64_t wanted = more > needed ? more : needed;
    const int64_t room = wanted > least ? wanted : least;
    ALD_TRY(ald_resize(run, arena, block, room, 1, size));
    *capacity = room;
    return ALD_OK;
}

ald_status ald_grow_trim(ald_run *run, ald_arena *arena, void *block, int64_t *capacity, int64_t count,
                         size_t size)
{
    if (*capacity > 0 && count == *capacity) return ALD_OK;
    ALD_TRY(ald_resize(run, arena, block, count, 1, size));
    *capacity = count;
    return ALD_OK;
}

/* Quiet NaNs whose payload says what they are. Arithmetic may change a payload, so cells are only copied
 * until they are known to be numbers. A NaN of another payload comes from a binary file and counts as
 * missing. */
#define MISSING_BITS UINT64_C(0x7ff9000000000000)
#define TEXT_BITS UINT64_C(0x7ffa000000000000)
#define TEXT_MASK UINT64_C(0xffff000000000000)

static uint64_t bits_of(double cell)
{
    uint64_t bits;
    memcpy(&bits, &cell, sizeof bits);
    return bits;
}

static double from_bits(uint64_t bits)
{
    double cell;
    memcpy(&cell, &bits, sizeof cell);
    return cell;
}

double ald_cell_missing(void)
{
    return from_bits(MISSING_BITS);
}

double ald_cell_text(int64_t level)
{
    return from_bits(TEXT_BITS | (uint64_t)level);
}

int ald_cell_is_missing(double cell)
{
    return isnan(cell) && (bits_of(cell) & TEXT_MASK) != TEXT_BITS;
}

int ald_cell_is_text(double cell, int64_t *level)
{
    const uint64_t bits = bits_of(cell);
    if ((bits & TEXT_MASK) != TEXT_BITS) return 0;
    *level = (int64_t)(bits & ~TEXT_MASK);
    return 1;
}

ald_status ald_table_note_line(ald_run *run, ald_table *table, int64_t row, int64_t line)
{
    table->has_lines = 1;
    if (row == 0) table->first_line = line;
    if (!table->lines && line == table->first_line + row) return ALD_OK;
    const int regular_before = !table->lines;
    ALD_TRY(ald_grow(run, table->arena, &table->lines, &table->line_capacity, row + 1, sizeof *table->lines));
    for (int64_t i = 0; regular_before && i < row; i++) table->lines[i] = table->first_line + i;
    table->lines[row] = line;
    return ALD_OK;
}

const char *ald_text_source(const ald_table *table, int64_t column)
{
    const char *source = table->columns[column].text_source;
    return source ? source : table->source;
}

int64_t ald_table_line(const ald_table *table, int64_t row)
{
    if (row < 0 || row >= table->rows || !table->has_lines || !table->first_line) return 0;
    return table->lines ? table->lines[row] : table->first_line + row;
}

int ald_text_is_missing(const char *text, size_t length)
{
    static const char *const words[] = {"NA", "N/A", "NaN", "null"};
    if (length == 0 || (length == 1 && *text == '?')) return 1;
    if ((*text & ~0x20) != 'N' || length > 4) return 0;
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (strlen(words[k]) == length && strncasecmp(words[k], text, length) == 0) return 1;
    return 0;
}

int ald_text_may_be_missing(const char *text, size_t length)
{
    return length == 1 && (*text == '-' || *text == '.');
}

/* Open addressing; a slot holds the level + 1, 0 is free. At most half full. */
typedef struct {
    int64_t *slots;
    int64_t n_slots; /* a power of two */
    int64_t room;    /* how many levels the column's array can hold */
} level_index;

struct ald_levels {
    ald_table *table;
    level_index **columns; /* made on demand */
    char *chunk;           /* texts are packed: a block each would cost more than the text */
    size_t chunk_left;
};

ald_status ald_levels_new(ald_run *run, ald_table *table, ald_levels **levels)
{
    ald_levels *made;
    ALD_TRY(ald_scratch_clear(run, 1, 1, sizeof *made, &made));
    made->table = table;
    ALD_TRY(ald_scratch_clear(run, table->cols, 1, sizeof *made->columns, &made->columns));
    *levels = made;
    return ALD_OK;
}

/* The slot that holds the text, or the free one where it belongs. */
static int64_t *find_slot(const level_index *index, char *const *levels, const char *text, size_t length)
{
    const uint64_t mask = (uint64_t)index->n_slots - 1;
    for (uint64_t at = ald_hash(ALD_HASH_START, text, length) & mask;; at = (at + 1) & mask) {
        int64_t *slot = &index->slots[at];
        if (*slot == 0) return slot;
        const char *level = levels[*slot - 1];
        if (strncmp(level, text, length) == 0 && level[length] == '\0') return slot;
    }
}

static ald_status grow_index(ald_run *run, level_index *index, const ald_column *column)
{
    const int64_t n_slots = index->n_slots ? index->n_slots * 2 : 16;
    ald_arena_drop(&run->scratch, index->slots);
    index->slots = NULL;
    index->n_slots = 0;
    ALD_TRY(ald_scratch_clear(run, n_slots, 1, sizeof *index->slots, &index->slots));
    index->n_slots = n_slots;
    for (int64_t k = 0; k < column->n_levels; k++)
        *find_slot(index, column->levels, column->levels[k], strlen(column->levels[k])) = k + 1;
    return ALD_OK;
}

static ald_status index_of(ald_run *run, ald_levels *levels, int64_t column, level_index **index)
{
    *index = levels->columns[column];
    if (*index) return ALD_OK;
    ALD_TRY(ald_scratch_clear(run, 1, 1, sizeof **index, index));
    (*index)->room = levels->table->columns[column].n_levels;
    levels->columns[column] = *index;
    return ALD_OK;
}

static ald_status keep_text(ald_run *run, ald_levels *levels, const char *text, size_t length, char **kept)
{
    enum { chunk_size = 1 << 14 };
    if (length + 1 > levels->chunk_left) {
        const size_t size = length + 1 > chunk_size ? length + 1 : chunk_size;
        levels->chunk_left = 0;
        ALD_TRY(ald_get(run, levels->table->arena, (int64_t)size, 1, 1, &levels->chunk));
        levels->chunk_left = size;
    }
    memcpy(levels->chunk, text, length);
    levels->chunk[length] = '\0';
    *kept = levels->chunk;
    levels->chunk += length + 1;
    levels->chunk_left -= length + 1;
    return ALD_OK;
}

static ald_status add_level(ald_run *run, ald_levels *levels, level_index *index, ald_column *column,
                            const char *text, size_t length)
{
    if (column->n_levels == index->room) {
        const int64_t room = index->room + index->room / 2 + 8;
        ALD_TRY(ald_resize(run, levels->table->arena, &column->levels, room, 1, sizeof *column->levels));
        index->room = room;
    }
    ALD_TRY(keep_text(run, levels, text, length, &column->levels[column->n_levels]));
    column->n_levels++;
    return ALD_OK;
}

static ald_status find_level(ald_run *run, ald_levels *levels, int64_t column, const char *text,
                             size_t length, int64_t *level)
{
    ald_column *const of = &levels->table->columns[column];
    level_index *index;
    ALD_TRY(index_of(run, levels, column, &index));
    while (of->n_levels * 2 >= index->n_slots) ALD_TRY(grow_index(run, index, of));
    int64_t *slot = find_slot(index, of->levels, text, length);
    if (*slot == 0) {
        ALD_TRY(add_level(run, levels, index, of, text, length));
        *slot = of->n_levels;
    }
    *level = *slot - 1;
    return ALD_OK;
}

/* Texts are UTF-8 from here on, as they will be in the model: what a Latin-1 file holds is found again there.
 */
ald_status ald_levels_find(ald_run *run, ald_levels *levels, int64_t column, const char *text, size_t length,
                           int64_t *level)
{
    if (ald_utf8_is_valid(text, length)) return find_level(run, levels, column, text, length, level);
    char *valid = ald_utf8_copy(&run->scratch, text, length);
    if (!valid) return ald_out_of_memory(run, (int64_t)length, 2, 1);
    const ald_status status = find_level(run, levels, column, valid, strlen(valid), level);
    ald_arena_drop(&run->scratch, valid);
    return status;
}

ald_status ald_table_make_columns(ald_run *run, ald_table *table)
{
    if (table->columns) return ALD_OK;
    ALD_TRY(ald_get_clear(run, table->arena, table->cols, 1, sizeof *table->columns, &table->columns));
    for (int64_t j = 0; j < table->cols; j++) table->columns[j].position = j + 1;
    return ALD_OK;
}

ald_status ald_cell_not_finite(ald_run *run, ald_table *table, int64_t row, int64_t column, double *cell)
{
    ALD_TRY(ald_table_make_columns(run, table));
    ald_column *of = &table->columns[column];
    if (!isnan(*cell)) {
        if (!of->n_infinite++ || row + 1 < of->first_infinite_line) of->first_infinite_line = row + 1;
        return ALD_OK;
    }
    if (!of->n_missing++ || row + 1 < of->first_missing_line) of->first_missing_line = row + 1;
    *cell = ald_cell_missing();
    return ALD_OK;
}

void ald_table_count_numbers(ald_table *table)
{
    for (int64_t j = 0; table->columns && j < table->cols; j++) {
        ald_column *column = &table->columns[j];
        column->n_numbers = table->rows - column->n_missing - column->n_texts;
    }
}

int ald_table_is_named(const ald_table *table)
{
    for (int64_t j = 0; table->columns && j < table->cols; j++)
        if (table->columns[j].name) return 1;
    return 0;
}

ald_status ald_table_check_size(ald_run *run, const ald_table *table)
{
    if (table->rows < 1) return ald_fail(run->error, ALD_ERROR_DATA, "the file has no rows of data");
    if (table->cols < 1) return ald_fail(run->error, ALD_ERROR_DATA, "the file has no columns of data");
    return ALD_OK;
}

ald_place ald_column_label(const ald_table *table, int64_t column)
{
    ald_place label;
    if (table->columns && table->columns[column].name)
        snprintf(label.text, sizeof label.text, "column '%.120s'", table->columns[column].name);
    else
        snprintf(label.text, sizeof label.text, "column %lld", (long long)(column + 1));
    return label;
}

ald_place ald_cell_place(const ald_table *table, int64_t row, int64_t column, int64_t line)
{
    ald_place place;
    const char *name = table->columns ? table->columns[column].name : NULL;
    const int64_t position = table->columns ? table->columns[column].position : column + 1;
    if (line == 0) line = ald_table_line(table, row);
    const int by_line = line > 0 && table->has_lines;
    snprintf(place.text, sizeof place.text, "%s %lld, column %lld%s%.100s%s", by_line ? "line" : "row",
             (long long)(by_line ? line : table->rows_before + row + 1), (long long)position,
             name ? " ('" : "", name ? name : "", name ? "')" : "");
    return place;
}

ald_place ald_row_place(const ald_table *table, int64_t row)
{
    ald_place place;
    const int64_t line = ald_table_line(table, row);
    snprintf(place.text, sizeof place.text, "%s %lld", line ? "line" : "row",
             (long long)(line ? line : table->rows_before + row + 1));
    return place;
}
