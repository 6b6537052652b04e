/* X from the cells of the table. Dense: where it is no wider than the table (always without one-hot columns)
 * it is written over the table's own cells, so that the matrix is in memory once. Sparse: the table's CSR
 * arrays are compacted in place to the rows and columns that stay. Categories that the rows of a model did
 * not have become the means of their variable, as if nothing were known of it, or an error. */
#include "base/core/text.h"
#include "data/encode/preparation.h"
#include "data/encode/schema.h"
#include "data/levels/categories.h"
#include "io/table/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static ald_status fail_unknown_level(ald_run *run, const ald_preparation *p, const ald_feature *feature,
                                     int64_t row, double cell)
{
    const ald_table *table = p->table;
    const ald_column *column = &table->columns[feature->column];
    const int fitted = p->options->with_weights || p->options->new_classes;
    char buffer[40];
    const char *known;
    ALD_TRY(ald_names_listed(run, feature->categories->levels, feature->categories->count, &known));
    const int64_t line =
        row == 0 && column->first_text_line ? column->first_text_line : ald_table_line(table, row);
    return ald_fail_at(run->error, ALD_ERROR_DATA, line, column->position,
                       "%s: %s contains '%.80s', which did not occur in the rows %s: known are %s%s",
                       table->source, ald_cell_place(table, row, feature->column, line).text,
                       ald_cell_shown(column, cell, buffer, sizeof buffer),
                       ald_are_added(p) ? "with a target" : "the model was fitted on", known,
                       feature->means && !fitted ? "; `unseen=mean` sets the variable to its mean there"
                                                 : "");
}

static ald_status take_unseen(ald_run *run, const ald_preparation *p, ald_feature *feature, int64_t row,
                              double cell, double *out)
{
    const int64_t width = p->ordinal ? 1 : feature->categories->count;
    if (p->unseen_is_error || !feature->means) return fail_unknown_level(run, p, feature, row, cell);
    if (feature->n_unseen++ == 0) feature->unseen = cell;
    feature->several_unseen |= memcmp(&feature->unseen, &cell, sizeof cell) != 0;
    memcpy(out, feature->means, (size_t)width * sizeof *out);
    return ALD_OK;
}

static int64_t count_unseen(const ald_preparation *p)
{
    int64_t count = 0;
    for (int64_t k = 0; k < p->n_features; k++) count += p->features[k].n_unseen > 0;
    return count;
}

static ald_unseen_note note_of(const ald_preparation *p, int64_t k)
{
    const ald_feature *feature = &p->features[k];
    ald_unseen_note note = {.feature = k, .rows = feature->n_unseen, .several = feature->several_unseen};
    char buffer[40];
    snprintf(note.column, sizeof note.column, "%s", ald_column_label(p->table, feature->column).text);
    snprintf(note.shown, sizeof note.shown, "%.60s",
             ald_cell_shown(&p->table->columns[feature->column], feature->unseen, buffer, sizeof buffer));
    return note;
}

static ald_status note_unseen(ald_run *run, const ald_preparation *p)
{
    ald_reading_notes *notes = &p->dataset->notes;
    const int64_t count = count_unseen(p);
    ALD_TRY(ald_get(run, &p->dataset->memory, count, 1, sizeof *notes->unseen, &notes->unseen));
    notes->n_unseen = 0;
    for (int64_t k = 0; k < p->n_features; k++)
        if (p->features[k].n_unseen > 0) notes->unseen[notes->n_unseen++] = note_of(p, k);
    return p->dataset->all ? ALD_OK : ald_tell_unseen(run, p->table->source, notes);
}

ald_status ald_level_means(ald_run *run, const double *counts, int64_t n_levels, int ordinal,
                           const double **means)
{
    double total = 0.0;
    double *made;
    *means = NULL;
    for (int64_t k = 0; k < n_levels; k++) total += counts[k];
    if (!(total > 0.0)) return ALD_OK;
    ALD_TRY(ald_scratch_zeros(run, n_levels, 1, &made));
    for (int64_t k = 0; k < n_levels; k++)
        made[ordinal ? 0 : k] += counts[k] * (ordinal ? (double)k : 1.0) / total;
    *means = made;
    return ALD_OK;
}

static int64_t width_of(const ald_preparation *p, const ald_feature *feature)
{
    return feature->categorical && !p->ordinal ? feature->categories->count : 1;
}

static int64_t total_width(const ald_preparation *p)
{
    int64_t width = 0;
    for (int64_t k = 0; k < p->n_features; k++) width += width_of(p, &p->features[k]);
    return width;
}

static ald_status fail_not_finite(ald_run *run, const ald_table *table, int64_t row, int64_t column,
                                  double cell)
{
    return ald_fail_at(run->error, ALD_ERROR_DATA, ald_table_line(table, row), column + 1,
                       "%s: %s is %s where a finite number is expected", table->source,
                       ald_cell_place(table, row, column, 0).text, isnan(cell) ? "not a number" : "infinite");
}

static ald_status encode_category(ald_run *run, const ald_preparation *p, ald_feature *feature, int64_t row,
                                  double cell, double *out)
{
    if (ald_keeps_missing(p) && ald_cell_is_missing(cell)) {
        for (int64_t k = 0; k < width_of(p, feature); k++) out[k] = NAN;
        return ALD_OK;
    }
    const double code =
        ald_cell_is_missing(cell) ? feature->fill : (double)ald_category_of(feature->categories, cell);
    if (code < 0.0) return take_unseen(run, p, feature, row, cell, out);
    if (p->ordinal) {
        out[0] = code;
        return ALD_OK;
    }
    memset(out, 0, (size_t)feature->categories->count * sizeof *out);
    out[(int64_t)code] = 1.0;
    return ALD_OK;
}

/* One row of the table to one row of X. */
static ald_status encode_row(ald_run *run, const ald_preparation *p, int64_t row, const double *cells,
                             double *out)
{
    for (int64_t k = 0; k < p->n_features; k++) {
        ald_feature *feature = &p->features[k];
        double cell = cells[feature->column];
        if (feature->categorical) {
            ALD_TRY(encode_category(run, p, feature, row, cell, out));
            out += width_of(p, feature);
            continue;
        }
        if (isnan(cell) && ald_keeps_missing(p)) {
            *out++ = NAN;
            continue;
        }
        if (isnan(cell)) cell = feature->fill;
        if (!isfinite(cell))
            return fail_not_finite(run, p->table, row, feature->column, cells[feature->column]);
        *out++ = cell;
    }
    return ALD_OK;
}

/* One row of plain features, in place or not: each run of neighbouring features at once. */
static void close_up(const ald_preparation *p, const double *cells, double *out)
{
    for (int64_t k = 0, first; k < p->n_features; k++) {
        for (first = k; k + 1 < p->n_features && p->features[k + 1].column == p->features[k].column + 1;) k++;
        memmove(out + first, cells + p->features[first].column, (size_t)(k + 1 - first) * sizeof *out);
    }
}

/* A row is copied aside before it is rewritten: a model may want its columns in another order, and a one-hot
 * column widens the row in its middle. Rows below are never touched, as X is no wider than the table or in
 * another place. */
static ald_status encode_rows(ald_run *run, const ald_preparation *p, double *x, int64_t width)
{
    enum { cells_a_report = 1 << 18 };
    const ald_table *table = p->table;
    double *aside;
    ALD_TRY(ald_scratch_reals(run, table->cols, 1, &aside));
    int64_t kept = 0;
    const int64_t step = 1 + cells_a_report / (width + 1);
    const int simple = ald_features_are_plain(p);
    if (simple && x == table->cells && width == table->cols && !p->dropped) return ALD_OK;
    for (int64_t i = 0; i < table->rows; i++) {
        if (i % step == 0) ALD_TRY(ald_progress(run, "encoding", (double)i / (double)table->rows));
        if (p->dropped && p->dropped[i]) continue;
        const double *cells = table->cells + i * table->cols;
        if (simple)
            close_up(p, cells, x + kept * width);
        else
            ALD_TRY(encode_row(run, p, i, memcpy(aside, cells, (size_t)table->cols * sizeof *aside),
                               x + kept * width));
        kept++;
    }
    return ALD_OK;
}

/* Room that is left over is given back when the allocator can do it; otherwise it stays. */
static double *trimmed(ald_table *table, int64_t rows, int64_t width)
{
    if (rows * width == table->rows * table->cols) return table->cells;
    double *less = ald_arena_resize(table->arena, table->cells, rows, width, sizeof *less);
    return less ? less : table->cells;
}

/* Too wide for memory: most likely a column of names or numbers that nobody meant as categories. */
static ald_status fail_too_wide(ald_run *run, const ald_preparation *p, int64_t width)
{
    int64_t widest = 0;
    for (int64_t k = 1; k < p->n_features; k++)
        if (width_of(p, &p->features[k]) > width_of(p, &p->features[widest])) widest = k;
    return ald_fail(run->error, ALD_ERROR_MEMORY,
                    "%s: not enough memory for %lld x %lld numbers: %s alone has %lld levels, one column "
                    "each; leave it out with `ignore` or use `encode=ordinal`",
                    p->table->source, (long long)p->rows, (long long)width,
                    ald_column_label(p->table, p->features[widest].column).text,
                    (long long)width_of(p, &p->features[widest]));
}

static ald_status encode_dense(ald_run *run, ald_preparation *p)
{
    ald_table *table = p->table;
    const int64_t width = total_width(p);
    double *x = table->cells;
    if (width == 0)
        return ald_fail(run->error, ALD_ERROR_DATA, "%s: all feature columns are empty", table->source);
    const int in_place = width <= table->cols;
    if (!in_place) {
        x = ald_arena_get(&p->dataset->memory, p->rows, width, sizeof *x);
        if (!x) return fail_too_wide(run, p, width);
    }
    ALD_TRY(encode_rows(run, p, x, width));
    ALD_TRY(note_unseen(run, p));
    if (in_place)
        x = trimmed(table, p->rows, width);
    else
        ald_arena_drop(table->arena, table->cells);
    table->cells = NULL;
    p->dataset->x = ald_matrix_row_major(x, p->rows, width, width);
    return ALD_OK;
}

static ald_status print_name(ald_run *run, ald_arena *memory, char **name, const char *column,
                             int64_t position, const char *level)
{
    ald_text text;
    ald_text_init(&text, memory);
    if (column)
        ALD_TRY(ald_text_print(run, &text, "%s=%s", column, level));
    else
        ALD_TRY(ald_text_print(run, &text, "#%lld=%s", (long long)position, level));
    *name = text.data;
    return ALD_OK;
}

/* The model's name for it where there is one, else the file's. */
static const char *feature_name(const ald_preparation *p, int64_t k)
{
    if (p->schema && p->schema->features[k].name) return p->schema->features[k].name;
    const int64_t column = p->features[k].column;
    return column >= 0 && p->table->columns ? p->table->columns[column].name : NULL;
}

static int any_name(const ald_preparation *p)
{
    for (int64_t k = 0; k < p->n_features; k++)
        if (p->features[k].categorical || feature_name(p, k)) return 1;
    return 0;
}

/* The file's names are in the dataset's memory already, those of the model are not. */
static ald_status name_feature(ald_run *run, const ald_preparation *p, int64_t k, char **names)
{
    ald_arena *memory = &p->dataset->memory;
    const ald_feature *feature = &p->features[k];
    const char *name = feature_name(p, k);
    if (!feature->categorical || p->ordinal) {
        if (!p->schema || !name)
            *names = name ? p->table->columns[feature->column].name : NULL;
        else
            *names = ald_arena_text(memory, name, strlen(name));
        return *names || !name ? ALD_OK : ald_out_of_memory(run, (int64_t)strlen(name), 1, 1);
    }
    for (int64_t c = 0; c < feature->categories->count; c++)
        ALD_TRY(
            print_name(run, memory, &names[c], name, feature->column + 1, feature->categories->levels[c]));
    return ALD_OK;
}

static ald_status make_names(ald_run *run, ald_preparation *p)
{
    if (!any_name(p)) return ALD_OK;
    ald_dataset *dataset = p->dataset;
    char **names = ald_arena_get(&dataset->memory, dataset->x.cols, 1, sizeof *names);
    if (!names) return ald_out_of_memory(run, dataset->x.cols, 1, sizeof *names);
    dataset->feature_names = names;
    for (int64_t k = 0; k < p->n_features; k++) {
        ALD_TRY(name_feature(run, p, k, names));
        names += width_of(p, &p->features[k]);
    }
    return ALD_OK;
}

/* Insertion sort: rows are short and nearly in order. */
static void sort_row(int64_t *indices, double *values, int64_t count)
{
    for (int64_t a = 1; a < count; a++) {
        const int64_t index = indices[a];
        const double value = values[a];
        int64_t b = a;
        for (; b > 0 && indices[b - 1] > index; b--) {
            indices[b] = indices[b - 1];
            values[b] = values[b - 1];
        }
        indices[b] = index;
        values[b] = value;
    }
}

/* Copies entries [begin, end) down to `to`; gives where the next row goes. */
static ald_status compact_row(ald_run *run, const ald_preparation *p, const int64_t *feature_of, int64_t row,
                              int64_t begin, int64_t end, int64_t *to)
{
    ald_table *table = p->table;
    for (int64_t e = begin; e < end; e++) {
        const int64_t k = feature_of[table->indices[e]];
        if (k < 0) continue;
        const int kept = isnan(table->values[e]) && ald_keeps_missing(p);
        const double value = isnan(table->values[e]) && !kept ? p->features[k].fill : table->values[e];
        if (!isfinite(value) && !kept)
            return fail_not_finite(run, table, row, table->indices[e], table->values[e]);
        table->indices[*to] = k;
        table->values[(*to)++] = value;
    }
    return ALD_OK;
}

static ald_status encode_sparse(ald_run *run, ald_preparation *p)
{
    ald_table *table = p->table;
    int64_t *feature_of;
    int64_t to = 0, kept = 0, begin = table->pointers[0];
    int in_order = 1;
    ALD_TRY(ald_features_of(run, p, &feature_of));
    ALD_TRY(ald_ask_for_features(run, p));
    for (int64_t j = 0, last = -1; j < table->cols; j++) {
        if (feature_of[j] < 0) continue;
        in_order = in_order && feature_of[j] > last;
        last = feature_of[j];
    }
    for (int64_t i = 0; i < table->rows; i++) {
        const int64_t end = table->pointers[i + 1], first = to;
        if (!p->dropped || !p->dropped[i]) {
            ALD_TRY(compact_row(run, p, feature_of, i, begin, end, &to));
            if (!in_order) sort_row(table->indices + first, table->values + first, to - first);
            table->pointers[++kept] = to;
        }
        begin = end;
    }
    table->pointers[0] = 0;
    p->dataset->x = ald_matrix_csr(kept, p->n_features, table->pointers, table->indices, table->values);
    return ALD_OK;
}

ald_status ald_prepare_x(ald_run *run, ald_preparation *p)
{
    ALD_TRY(p->table->sparse ? encode_sparse(run, p) : encode_dense(run, p));
    ALD_TRY(ald_ask_for_features(run, p));
    return make_names(run, p);
}
