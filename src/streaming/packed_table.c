#include "streaming/packed_table.h"

#include <string.h>

/* What a table is apart from its arrays; `has` tells which of these are there. */
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

static ald_status pack_column(ald_run *run, const ald_column *column, int ignored, ald_parcel *p)
{
    ald_column plain = *column;
    plain.name = NULL;
    plain.levels = NULL;
    plain.summary = NULL;
    if (ignored) plain.n_levels = 0;
    ALD_TRY(ald_parcel_put(run, p, &plain, 1, sizeof plain));
    ALD_TRY(ald_parcel_put_text(run, p, column->name));
    for (int64_t k = 0; k < plain.n_levels; k++) ALD_TRY(ald_parcel_put_text(run, p, column->levels[k]));
    return ALD_OK;
}

static ald_status unpack_column(ald_run *run, ald_parcel *p, ald_column *column)
{
    ALD_TRY(ald_parcel_take(run, p, column, 1, sizeof *column));
    ALD_TRY(ald_parcel_take_text(run, p, &column->name));
    column->levels = ald_arena_get(p->arena, column->n_levels, 1, sizeof *column->levels);
    if (!column->levels) return ald_out_of_memory(run, column->n_levels, 1, sizeof *column->levels);
    for (int64_t k = 0; k < column->n_levels; k++) ALD_TRY(ald_parcel_take_text(run, p, &column->levels[k]));
    return ALD_OK;
}

static ald_status pack_sparse(ald_run *run, const ald_table *t, const outline *o, ald_parcel *p)
{
    ALD_TRY(ald_parcel_put(run, p, t->pointers, o->rows + 1, sizeof *t->pointers));
    ALD_TRY(ald_parcel_put(run, p, t->indices, o->entries, sizeof *t->indices));
    return ald_parcel_put(run, p, t->values, o->entries, sizeof *t->values);
}

static ald_status unpack_sparse(ald_run *run, const outline *o, ald_parcel *p, ald_table *t)
{
    ALD_TRY(ald_parcel_take_array(run, p, &t->pointers, o->rows + 1, sizeof *t->pointers));
    ALD_TRY(ald_parcel_take_array(run, p, &t->indices, o->entries, sizeof *t->indices));
    return ald_parcel_take_array(run, p, &t->values, o->entries, sizeof *t->values);
}

ald_status ald_table_pack(ald_run *run, const ald_table *t, const int64_t *ignored, ald_parcel *p)
{
    const outline o = outline_of(t);
    ALD_TRY(ald_parcel_put(run, p, &o, 1, sizeof o));
    ALD_TRY(ald_parcel_put_text(run, p, t->source));
    for (int64_t j = 0; o.has_columns && j < o.cols; j++)
        ALD_TRY(pack_column(run, &t->columns[j], ignored && ignored[j] > 0, p));
    if (o.sparse) ALD_TRY(pack_sparse(run, t, &o, p));
    if (!o.sparse) ALD_TRY(ald_parcel_put(run, p, t->cells, o.rows * o.cols, sizeof *t->cells));
    if (o.has_lists) {
        ALD_TRY(ald_parcel_put(run, p, t->label_pointers, o.rows + 1, sizeof *t->label_pointers));
        ALD_TRY(ald_parcel_put(run, p, t->label_values, o.labels, sizeof *t->label_values));
    }
    if (o.has_labelled) ALD_TRY(ald_parcel_put(run, p, t->labelled, o.rows, 1));
    return o.has_row_lines ? ald_parcel_put(run, p, t->lines, o.rows, sizeof *t->lines) : ALD_OK;
}

static ald_status unpack_columns(ald_run *run, const outline *o, ald_parcel *p, ald_table *t)
{
    if (!o->has_columns) return ALD_OK;
    t->columns = ald_arena_get(p->arena, o->cols, 1, sizeof *t->columns);
    if (!t->columns) return ald_out_of_memory(run, o->cols, 1, sizeof *t->columns);
    for (int64_t j = 0; j < o->cols; j++) ALD_TRY(unpack_column(run, p, &t->columns[j]));
    return ALD_OK;
}

static ald_status unpack_labels(ald_run *run, const outline *o, ald_parcel *p, ald_table *t)
{
    if (o->has_lists) {
        ALD_TRY(ald_parcel_take_array(run, p, &t->label_pointers, o->rows + 1, sizeof *t->label_pointers));
        ALD_TRY(ald_parcel_take_array(run, p, &t->label_values, o->labels, sizeof *t->label_values));
    }
    return o->has_labelled ? ald_parcel_take_array(run, p, &t->labelled, o->rows, 1) : ALD_OK;
}

ald_status ald_table_unpack(ald_run *run, ald_parcel *p, ald_table *t)
{
    outline o;
    char *source;
    ALD_TRY(ald_parcel_take(run, p, &o, 1, sizeof o));
    ALD_TRY(ald_parcel_take_text(run, p, &source));
    *t = (ald_table){
        .arena = p->arena,
        .source = source,
        .rows = o.rows,
        .cols = o.cols,
        .sparse = o.sparse,
        .keep_zeros = o.keep_zeros,
        .many_labels = o.many_labels,
        .has_lines = o.has_lines,
        .first_line = o.first_line,
        .rows_before = o.rows_before,
        .decimal_comma = o.decimal_comma,
        .partial = 1,
    };
    ALD_TRY(unpack_columns(run, &o, p, t));
    if (o.sparse) ALD_TRY(unpack_sparse(run, &o, p, t));
    if (!o.sparse) ALD_TRY(ald_parcel_take_array(run, p, &t->cells, o.rows * o.cols, sizeof *t->cells));
    ALD_TRY(unpack_labels(run, &o, p, t));
    return o.has_row_lines ? ald_parcel_take_array(run, p, &t->lines, o.rows, sizeof *t->lines) : ALD_OK;
}
