/* Outline, columns and arrays of a table, put and taken in the same order; nothing that is taken is
 * believed. */
#include "fit/streaming/table_record.h"

#include <string.h>

/* What a table is apart from its arrays; `has` says which of these are there. */
typedef struct outline {
    int64_t rows, cols, entries, labels, first_line, rows_before;
    int32_t sparse, keep_zeros, many_labels, has_lines, decimal_comma;
    int32_t has_columns, has_lists, has_labelled, has_row_lines;
} outline;

static outline outline_of(const ald_table *t)
{
    return (outline){
        .rows = t->rows,
        .cols = t->cols,
        .entries = t->sparse ? t->pointers[t->rows] : 0,
        .labels = t->label_pointers ? t->label_pointers[t->rows] : 0,
        .first_line = t->first_line,
        .rows_before = t->rows_before,
        .sparse = t->sparse,
        .keep_zeros = t->keep_zeros,
        .many_labels = t->many_labels,
        .has_lines = t->has_lines,
        .decimal_comma = t->decimal_comma,
        .has_columns = t->columns != NULL,
        .has_lists = t->label_pointers != NULL,
        .has_labelled = t->labelled != NULL,
        .has_row_lines = t->lines != NULL,
    };
}

static ald_status pack_column(ald_run *run, const ald_column *column, int ignored, ald_record *p)
{
    ald_column plain = *column;
    plain.name = NULL;
    plain.levels = NULL;
    plain.summary = NULL;
    plain.text_source = NULL;
    plain.unit = NULL;
    if (ignored) plain.n_levels = 0;
    ALD_TRY(ald_record_put(run, p, &plain, 1, sizeof plain));
    ALD_TRY(ald_record_put_text(run, p, column->name));
    ALD_TRY(ald_record_put_text(run, p, column->text_source));
    for (int64_t k = 0; k < plain.n_levels; k++) ALD_TRY(ald_record_put_text(run, p, column->levels[k]));
    return ALD_OK;
}

static ald_status unpack_column(ald_run *run, ald_record *p, ald_column *column)
{
    char *source;
    ALD_TRY(ald_record_take(run, p, column, 1, sizeof *column));
    ALD_TRY(ald_record_take_text(run, p, &column->name));
    ALD_TRY(ald_record_take_text(run, p, &source));
    column->text_source = source;
    column->summary = NULL;
    column->unit = NULL;
    if (column->n_levels < 0 || column->n_levels > ald_record_left(p)) return ald_record_damaged(run);
    column->levels = ald_arena_get(p->arena, column->n_levels, 1, sizeof *column->levels);
    if (!column->levels) return ald_out_of_memory(run, column->n_levels, 1, sizeof *column->levels);
    for (int64_t k = 0; k < column->n_levels; k++) {
        ALD_TRY(ald_record_take_text(run, p, &column->levels[k]));
        if (!column->levels[k]) return ald_record_damaged(run);
    }
    return ALD_OK;
}

/* An array of a table: `place` is the address of the pointer to its elements. */
typedef struct array {
    void *place;
    int64_t count;
    size_t size;
} array;

enum { most_arrays = 7 };

/* Those that the table has, in the order in which they are packed. */
static int arrays_of(const outline *o, ald_table *t, array list[static most_arrays])
{
    int n = 0;
    if (o->sparse) {
        list[n++] = (array){&t->pointers, o->rows + 1, sizeof *t->pointers};
        list[n++] = (array){&t->indices, o->entries, sizeof *t->indices};
        list[n++] = (array){&t->values, o->entries, sizeof *t->values};
    } else {
        list[n++] = (array){&t->cells, o->rows * o->cols, sizeof *t->cells};
    }
    if (o->has_lists) {
        list[n++] = (array){&t->label_pointers, o->rows + 1, sizeof *t->label_pointers};
        list[n++] = (array){&t->label_values, o->labels, sizeof *t->label_values};
    }
    if (o->has_labelled) list[n++] = (array){&t->labelled, o->rows, 1};
    if (o->has_row_lines) list[n++] = (array){&t->lines, o->rows, sizeof *t->lines};
    return n;
}

static const void *elements_of(const array *a)
{
    const void *elements;
    memcpy(&elements, a->place, sizeof elements);
    return elements;
}

static int64_t bytes_of_column(const ald_column *column, int ignored)
{
    int64_t bytes = (int64_t)(sizeof *column + (column->name ? strlen(column->name) : 0) + sizeof bytes);
    for (int64_t k = 0; !ignored && k < column->n_levels; k++)
        bytes += (int64_t)(strlen(column->levels[k]) + sizeof bytes);
    return bytes;
}

int64_t ald_table_bytes(const ald_table *table, const int64_t *ignored)
{
    ald_table t = *table;
    const outline o = outline_of(table);
    array list[most_arrays];
    const int n = arrays_of(&o, &t, list);
    int64_t bytes = (int64_t)(sizeof o + sizeof bytes + strlen(table->source));
    for (int64_t j = 0; o.has_columns && j < o.cols; j++)
        bytes += bytes_of_column(&t.columns[j], ignored && ignored[j] > 0);
    for (int i = 0; i < n; i++) bytes += list[i].count * (int64_t)list[i].size;
    return bytes;
}

/* As of a row of bytes that was packed and is unpacked again. */
static ald_table plain_table(const outline *o, ald_arena *arena, const char *source)
{
    return (ald_table){
        .arena = arena,
        .source = source,
        .rows = o->rows,
        .cols = o->cols,
        .sparse = o->sparse,
        .keep_zeros = o->keep_zeros,
        .many_labels = o->many_labels,
        .has_lines = o->has_lines,
        .first_line = o->first_line,
        .rows_before = o->rows_before,
        .decimal_comma = o->decimal_comma,
        .partial = 1,
    };
}

ald_status ald_table_pack(ald_run *run, const ald_table *table, const int64_t *ignored, ald_record *p)
{
    ald_table t = *table;
    const outline o = outline_of(table);
    array list[most_arrays];
    const int n = arrays_of(&o, &t, list);
    ALD_TRY(ald_record_reserve(run, p, ald_table_bytes(table, ignored)));
    ALD_TRY(ald_record_put(run, p, &o, 1, sizeof o));
    ALD_TRY(ald_record_put_text(run, p, t.source));
    for (int64_t j = 0; o.has_columns && j < o.cols; j++)
        ALD_TRY(pack_column(run, &t.columns[j], ignored && ignored[j] > 0, p));
    for (int i = 0; i < n; i++)
        ALD_TRY(ald_record_put(run, p, elements_of(&list[i]), list[i].count, list[i].size));
    return ALD_OK;
}

static ald_status unpack_columns(ald_run *run, const outline *o, ald_record *p, ald_table *t)
{
    if (!o->has_columns) return ALD_OK;
    t->columns = ald_arena_get(p->arena, o->cols, 1, sizeof *t->columns);
    if (!t->columns) return ald_out_of_memory(run, o->cols, 1, sizeof *t->columns);
    for (int64_t j = 0; j < o->cols; j++) ALD_TRY(unpack_column(run, p, &t->columns[j]));
    return ALD_OK;
}

/* Sizes that the record can hold, so that their products do not overflow. */
static int can_be(const outline *o, int64_t bytes)
{
    const int64_t most = (int64_t)1 << 60;
    return o->rows >= 0 && o->cols >= 0 && o->entries >= 0 && o->labels >= 0 && o->rows <= bytes &&
           o->cols < most && (o->sparse || o->rows == 0 || o->cols <= bytes / o->rows) &&
           (!o->has_columns || o->cols <= bytes);
}

/* Places of `count` rows in a list of so many entries, one behind the other. */
static int are_places(const int64_t *pointers, int64_t count, int64_t entries)
{
    int sound = pointers[0] == 0 && pointers[count] == entries;
    for (int64_t i = 0; i < count; i++) sound = sound && pointers[i] <= pointers[i + 1];
    return sound;
}

static int is_sound(const outline *o, const ald_table *t)
{
    int sound = !o->has_lists || are_places(t->label_pointers, t->rows, o->labels);
    if (!o->sparse) return sound;
    sound = sound && are_places(t->pointers, t->rows, o->entries);
    for (int64_t i = 0; sound && i < t->rows; i++)
        for (int64_t e = t->pointers[i]; e < t->pointers[i + 1]; e++)
            sound = sound && t->indices[e] >= 0 && t->indices[e] < t->cols &&
                    (e == t->pointers[i] || t->indices[e] > t->indices[e - 1]);
    return sound;
}

ald_status ald_table_unpack(ald_run *run, ald_record *p, ald_table *t)
{
    outline o;
    char *source;
    array list[most_arrays];
    ALD_TRY(ald_record_take(run, p, &o, 1, sizeof o));
    ALD_TRY(ald_record_take_text(run, p, &source));
    if (!source || !can_be(&o, ald_record_left(p))) return ald_record_damaged(run);
    *t = plain_table(&o, p->arena, source);
    ALD_TRY(unpack_columns(run, &o, p, t));
    const int n = arrays_of(&o, t, list);
    for (int i = 0; i < n; i++)
        ALD_TRY(ald_record_take_array(run, p, list[i].place, list[i].count, list[i].size));
    return is_sound(&o, t) ? ALD_OK : ald_record_damaged(run);
}

int ald_cell_can_be(const ald_table *t, int64_t column, double cell)
{
    int64_t level;
    const int64_t levels = t->columns ? t->columns[column].n_levels : 0;
    return !ald_cell_is_text(cell, &level) || (level >= 0 && level < levels);
}

/* What is not an array goes through a record: it is little. */
static ald_status copy_columns(ald_run *run, const ald_table *table, const int64_t *ignored, ald_table *to)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    const outline o = outline_of(table);
    ald_record p = {.arena = &run->scratch};
    for (int64_t j = 0; o.has_columns && j < o.cols; j++)
        ALD_TRY(pack_column(run, &table->columns[j], ignored && ignored[j] > 0, &p));
    ALD_TRY(ald_record_seal(run, &p));
    ald_record out = {.arena = to->arena, .bytes = p.bytes, .size = p.size};
    const ald_status status = unpack_columns(run, &o, &out, to);
    ald_arena_release(&run->scratch, mark);
    return status;
}

ald_status ald_table_copy(ald_run *run, const ald_table *table, const int64_t *ignored, ald_arena *arena,
                          ald_table *to)
{
    ald_table from = *table;
    const outline o = outline_of(table);
    array theirs[most_arrays], own[most_arrays];
    char *source;
    ALD_TRY(ald_keep_text(run, arena, table->source, strlen(table->source), &source));
    *to = plain_table(&o, arena, source);
    ALD_TRY(copy_columns(run, table, ignored, to));
    const int n = arrays_of(&o, &from, theirs);
    arrays_of(&o, to, own);
    for (int i = 0; i < n; i++)
        ALD_TRY(ald_keep(run, arena, elements_of(&theirs[i]), own[i].count, own[i].size, own[i].place));
    return ALD_OK;
}
