/* Lists of columns as the command line gives them. An item is tried as a whole name first, then as a number,
 * then as a range, so that any column can be reached by its name, dots and all. */
#include "io/table/columns.h"

#include "base/core/text.h"
#include "base/numbers/hash.h"
#include "base/numbers/near_names.h"
#include "base/numbers/number.h"
#include "io/table/table.h"

#include <string.h>

ald_status ald_name_index_new(ald_run *run, int64_t capacity, ald_name_index *index)
{
    int64_t size = 16;
    while (size / 2 < capacity) size *= 2;
    ALD_TRY(ald_scratch_clear(run, size, 1, sizeof *index->slots, &index->slots));
    index->mask = (uint64_t)size - 1;
    return ALD_OK;
}

/* The slot that holds the name, or the free one where it belongs. Only one more product brings the last bytes
 * of a name to the lowest bits of its hash. */
static ald_name_slot *slot_of(const ald_name_index *index, const char *name, size_t length)
{
    for (uint64_t at = ald_hash(ALD_HASH_START, name, length) * UINT64_C(0x9e3779b97f4a7c15) >> 32;; at++) {
        ald_name_slot *slot = &index->slots[at & index->mask];
        if (!slot->name) return slot;
        if (strncmp(slot->name, name, length) == 0 && slot->name[length] == '\0') return slot;
    }
}

int ald_name_index_add(ald_name_index *index, const char *name, int64_t value)
{
    ald_name_slot *slot = name ? slot_of(index, name, strlen(name)) : NULL;
    if (!slot || slot->name) return slot != NULL;
    *slot = (ald_name_slot){name, value};
    return 0;
}

int64_t ald_name_index_find(const ald_name_index *index, const char *name, size_t length)
{
    const ald_name_slot *slot = slot_of(index, name, length);
    return slot->name ? slot->value : -1;
}

ald_status ald_name_column(ald_run *run, ald_table *table, int64_t column, const char *name, size_t length)
{
    if (length == 0) return ALD_OK;
    table->columns[column].name = ald_utf8_copy(table->arena, name, length);
    return table->columns[column].name ? ALD_OK : ald_out_of_memory(run, (int64_t)length, 2, 1);
}

ald_status ald_fail_twins(ald_run *run, const ald_table *table, const ald_name_index *index, int64_t column)
{
    const char *name = table->columns[column].name;
    return ald_fail_at(run->error, ALD_ERROR_DATA, 0, column + 1,
                       "%s: columns %lld and %lld are both named '%.80s': rename one of them, or leave them "
                       "out with `ignore`",
                       table->source, (long long)ald_name_index_find(index, name, strlen(name)) + 1,
                       (long long)column + 1, name);
}

typedef struct choice {
    const ald_table *table;
    const char *what; /* the option, for messages */
    ald_name_index names;
    int repeated; /* some name is that of several columns */
    int64_t *chosen;
    int64_t count;
} choice;

typedef struct item {
    const char *text;
    size_t length;
} item;

enum { not_found = -1, out_of_range = -2, most_names_told = 12, most_names_compared = 20000 };

static ald_status index_names(ald_run *run, choice *c)
{
    const ald_table *table = c->table;
    ALD_TRY(ald_name_index_new(run, table->columns ? table->cols : 0, &c->names));
    if (!table->columns) return ALD_OK;
    for (int64_t j = 0; j < table->cols; j++)
        c->repeated |= ald_name_index_add(&c->names, table->columns[j].name, j);
    return ALD_OK;
}

static item trimmed(item i)
{
    while (i.length > 0 && (*i.text == ' ' || *i.text == '\t')) i.text++, i.length--;
    while (i.length > 0 && (i.text[i.length - 1] == ' ' || i.text[i.length - 1] == '\t')) i.length--;
    return i;
}

/* A name, #3 or 3. */
static int64_t find_one(const choice *c, item i)
{
    int64_t at = ald_name_index_find(&c->names, i.text, i.length);
    if (at >= 0) return at;
    i = trimmed(i);
    at = ald_name_index_find(&c->names, i.text, i.length);
    if (at >= 0) return at;
    if (i.length > 0 && *i.text == '#') i.text++, i.length--;
    int64_t number;
    if (!ald_parse_int(i.text, i.length, &number)) return not_found;
    return number >= 1 && number <= c->table->cols ? number - 1 : out_of_range;
}

const char *ald_one_cell_hint(const ald_table *table)
{
    const ald_column *only = table->columns && table->cols == 1 && table->has_lines ? table->columns : NULL;
    const int joined = only && ((only->name && strpbrk(only->name, ",;\t|")) ||
                                (only->n_levels > 0 && strpbrk(only->levels[0], ",;\t|")));
    return joined ? ": every line is one cell; name the character between cells by `delimiter`" : "";
}

static ald_status list_names(ald_run *run, const ald_table *table, ald_text *text)
{
    if (!ald_table_is_named(table))
        return ald_text_print(run, text, "; the columns have no names, give numbers from 1 to %lld",
                              (long long)table->cols);
    if (table->cols > most_names_told) return ALD_OK;
    for (int64_t j = 0; j < table->cols; j++) {
        const char *name = table->columns[j].name ? table->columns[j].name : "(unnamed)";
        ALD_TRY(ald_text_name(run, text, j ? ", " : "; the columns are ", name));
    }
    return ALD_OK;
}

/* The name of a line: the file has features in rows. */
static int names_a_line(const ald_table *table, const char *name)
{
    if (!table->columns || table->cols < 1) return 0; /* sparse formats have unnamed columns only */
    const ald_column *first = &table->columns[0];
    for (int64_t k = 0; k < first->n_levels; k++)
        if (strcmp(first->levels[k], name) == 0) return 1;
    return 0;
}

static ald_status fail_unknown(ald_run *run, const choice *c, item i, int64_t found)
{
    i = trimmed(i);
    if (found == out_of_range)
        return ald_fail(
            run->error, ALD_ERROR_ARGUMENT, "%s: %s: column %.*s does not exist: %s %lld column%s%s",
            c->table->source, c->what, (int)i.length, i.text, c->table->cols == 1 ? "there is" : "there are",
            (long long)c->table->cols, c->table->cols == 1 ? "" : "s", ald_one_cell_hint(c->table));
    char *name;
    ald_text hint;
    ALD_TRY(ald_keep_text(run, &run->scratch, i.text, i.length, &name));
    ald_text_init(&hint, &run->scratch);
    ald_near_name nearest = {0};
    for (int64_t j = 0; c->table->columns && j < c->table->cols && j < most_names_compared; j++)
        ald_near_name_try(&nearest, name, c->table->columns[j].name);
    if (names_a_line(c->table, name))
        ALD_TRY(
            ald_text_print(run, &hint, "; it is in the first column: `transpose` takes lines as columns"));
    else if (nearest.name)
        ALD_TRY(ald_text_print(run, &hint, "; did you mean '%.100s'?", nearest.name));
    else
        ALD_TRY(list_names(run, c->table, &hint));
    return ald_fail(run->error, ALD_ERROR_ARGUMENT, "%s: %s: there is no column '%.100s'%s%s",
                    c->table->source, c->what, name, hint.data ? hint.data : "", ald_one_cell_hint(c->table));
}

static ald_status mark(ald_run *run, choice *c, int64_t column)
{
    if (c->chosen[column])
        return ald_fail(run->error, ALD_ERROR_ARGUMENT, "%s: %s: column %lld%s%s%s is listed twice",
                        c->table->source, c->what, (long long)(column + 1),
                        c->table->columns && c->table->columns[column].name ? " ('" : "",
                        c->table->columns && c->table->columns[column].name ? c->table->columns[column].name
                                                                            : "",
                        c->table->columns && c->table->columns[column].name ? "')" : "");
    c->chosen[column] = ++c->count;
    return ALD_OK;
}

/* The column that was found, and all others of that name. */
static ald_status mark_named(ald_run *run, choice *c, item i, int64_t column)
{
    ALD_TRY(mark(run, c, column));
    for (int64_t j = column + 1; c->repeated && j < c->table->cols; j++) {
        const char *name = c->table->columns[j].name;
        if (name && strlen(name) == i.length && memcmp(name, i.text, i.length) == 0) ALD_TRY(mark(run, c, j));
    }
    return ALD_OK;
}

static ald_status mark_range(ald_run *run, choice *c, item whole, int64_t first, int64_t last)
{
    if (first > last)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "%s: %s: the range %.*s runs backwards, from column %lld to %lld", c->table->source,
                        c->what, (int)whole.length, whole.text, (long long)(first + 1),
                        (long long)(last + 1));
    for (int64_t j = first; j <= last; j++) ALD_TRY(mark(run, c, j));
    return ALD_OK;
}

/* A..B, split where both ends are columns; names may contain dots themselves. If there is no such split, the
 * error names the first end that is not a column. */
static ald_status choose_range(ald_run *run, choice *c, item whole, int *done)
{
    item unknown = {NULL, 0};
    int64_t reason = not_found;
    for (size_t at = 1; at + 2 < whole.length; at++) {
        if (whole.text[at] != '.' || whole.text[at + 1] != '.') continue;
        const item left = {whole.text, at}, right = {whole.text + at + 2, whole.length - at - 2};
        const int64_t first = find_one(c, left), last = find_one(c, right);
        *done = 1;
        if (first >= 0 && last >= 0) return mark_range(run, c, whole, first, last);
        if (unknown.text) continue;
        unknown = first < 0 ? left : right;
        reason = first < 0 ? first : last;
    }
    return unknown.text ? fail_unknown(run, c, unknown, reason) : ALD_OK;
}

static ald_status choose_item(ald_run *run, choice *c, item i)
{
    if (trimmed(i).length == 0)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT, "%s: %s: an empty item in the list of columns",
                        c->table->source, c->what);
    const int64_t column = find_one(c, i);
    if (column >= 0) return mark_named(run, c, trimmed(i), column);
    int is_range = 0;
    ALD_TRY(choose_range(run, c, i, &is_range));
    return is_range ? ALD_OK : fail_unknown(run, c, i, column);
}

ald_status ald_columns_choose(ald_run *run, const ald_table *table, const char *list, const char *what,
                              int64_t *chosen, int64_t *count)
{
    choice c = {.table = table, .what = what, .chosen = chosen};
    memset(chosen, 0, (size_t)table->cols * sizeof *chosen);
    const uint64_t mark_before = ald_arena_mark(&run->scratch);
    ALD_TRY(index_names(run, &c));
    const int64_t whole = ald_name_index_find(&c.names, list, strlen(list)); /* a name may hold commas */
    if (whole >= 0) ALD_TRY(mark_named(run, &c, (item){list, strlen(list)}, whole));
    for (const char *at = list; whole < 0;) {
        const size_t length = strcspn(at, ",");
        ALD_TRY(choose_item(run, &c, (item){at, length}));
        if (!at[length]) break;
        at += length + 1;
    }
    ald_arena_release(&run->scratch, mark_before);
    *count = c.count;
    return ALD_OK;
}

/* How often each cell of some columns occurs, by hashing, in the scratch of the run. */

static uint64_t hash_of(int64_t column, double cell)
{
    return ald_hash(ald_hash(ALD_HASH_START, &column, sizeof column), &cell, sizeof cell);
}

/* The slot of the cell, or the free one where it belongs. */
static int64_t *find_slot(const ald_tally *tally, int64_t column, double cell)
{
    for (uint64_t at = hash_of(column, cell) & tally->mask;; at = (at + 1) & tally->mask) {
        const ald_tally_entry *e = tally->slots[at] ? &tally->entries[tally->slots[at] - 1] : NULL;
        if (!e || (e->column == column && memcmp(&e->cell, &cell, sizeof cell) == 0))
            return &tally->slots[at];
    }
}

static ald_status widen(ald_run *run, ald_tally *tally)
{
    const uint64_t size = tally->slots ? 2 * (tally->mask + 1) : 64;
    int64_t *slots = ald_arena_resize(&run->scratch, tally->slots, (int64_t)size, 1, sizeof *slots);
    if (!slots) return ald_out_of_memory(run, (int64_t)size, 1, sizeof *slots);
    memset(slots, 0, (size_t)size * sizeof *slots);
    tally->slots = slots;
    tally->mask = size - 1;
    for (int64_t i = 0; i < tally->n; i++)
        *find_slot(tally, tally->entries[i].column, tally->entries[i].cell) = i + 1;
    return ALD_OK;
}

ald_status ald_tally_add(ald_run *run, ald_tally *tally, int64_t column, double cell, int64_t times, int more,
                         int64_t *count)
{
    if (!tally->slots || 2 * (uint64_t)(tally->n + 1) > tally->mask) ALD_TRY(widen(run, tally));
    int64_t *slot = find_slot(tally, column, cell);
    *count = 0;
    if (!*slot && !more) return ALD_OK;
    if (!*slot) {
        ALD_TRY(ald_grow(run, &run->scratch, &tally->entries, &tally->capacity, tally->n + 1,
                         sizeof *tally->entries));
        tally->entries[tally->n++] = (ald_tally_entry){cell, column, 0};
        *slot = tally->n;
    }
    *count = tally->entries[*slot - 1].count += times;
    return ALD_OK;
}
