/* Missing cells in the features: reported, their rows dropped, or filled in. */
#include "base/core/text.h"
#include "data/encode/preparation.h"
#include "data/levels/categories.h"
#include "io/table/table.h"

#include <math.h>
#include <string.h>

/* Whether any feature has holes. */
static int are_holed(const ald_preparation *p)
{
    for (int64_t k = 0; p->table->columns && k < p->n_features; k++)
        if (p->features[k].column >= 0 && p->table->columns[p->features[k].column].n_missing > 0) return 1;
    return 0;
}

/* Column of the first hole of a row, -1: none. */
static int64_t hole_in_row(const ald_table *table, const int64_t *feature_of, int64_t row)
{
    const int64_t begin = table->sparse ? table->pointers[row] : 0;
    const int64_t end = table->sparse ? table->pointers[row + 1] : table->cols;
    const double *cells = table->sparse ? table->values : table->cells + row * table->cols;
    for (int64_t e = begin; e < end; e++) {
        const int64_t column = table->sparse ? table->indices[e] : e;
        if (feature_of[column] >= 0 && ald_cell_is_missing(cells[e])) return column;
    }
    return -1;
}

/* The column knows the line of its first hole, dropped rows included; a cell in quotes may begin below its
 * row. */
static ald_status fail_hole(ald_run *run, const ald_table *table, const int64_t *feature_of, int64_t row,
                            int64_t column)
{
    int64_t line = table->columns[column].first_missing_line;
    for (int64_t i = 0; i < row && line; i++)
        if (hole_in_row(table, feature_of, i) >= 0) line = 0;
    if (line == 0) line = ald_table_line(table, row);
    return ald_fail_at(
        run->error, ALD_ERROR_DATA, line, table->columns[column].position,
        "%s: %s has no value: fill it in, or give `missing=drop` to leave such rows out or `missing=mean` "
        "to fill in the column's mean",
        table->source, ald_cell_place(table, row, column, line).text);
}

static ald_status find_holes(ald_run *run, ald_preparation *p, const int64_t *feature_of)
{
    for (int64_t i = 0; i < p->table->rows; i++) {
        if (p->dropped[i]) continue;
        const int64_t column = hole_in_row(p->table, feature_of, i);
        if (column >= 0 && p->missing == ALD_MISSING_ERROR)
            return fail_hole(run, p->table, feature_of, i, column);
        p->dropped[i] = column >= 0;
    }
    return ALD_OK;
}

static int64_t count_kept(const unsigned char *dropped, int64_t rows)
{
    int64_t kept = 0;
    for (int64_t i = 0; i < rows; i++) kept += !dropped[i];
    return kept;
}

static void note_dropped(ald_run *run, const ald_preparation *p, int64_t untargeted, int64_t unknown)
{
    ald_dataset *dataset = p->dataset;
    dataset->notes.untargeted = untargeted;
    dataset->notes.holed = p->table->rows - p->rows - untargeted - unknown;
    if (!dataset->all) ald_tell_dropped(run, p->table->source, &dataset->notes);
}

ald_status ald_prepare_dropped(ald_run *run, ald_preparation *p)
{
    const int64_t rows = p->table->rows;
    const unsigned char *labelled = p->drop_unlabelled ? p->response.labelled : NULL;
    unsigned char *unknown;
    int64_t *feature_of;
    int64_t n_unknown;
    const int holed = p->missing < ALD_MISSING_MEAN && are_holed(p);
    p->rows = p->dataset->notes.rows = rows;
    ALD_TRY(ald_find_unknown_classes(run, p, &unknown, &n_unknown));
    if (!labelled && !holed && n_unknown == 0) return ALD_OK;
    ALD_TRY(ald_scratch(run, rows, 1, 1, &p->dropped));
    for (int64_t i = 0; i < rows; i++) p->dropped[i] = labelled && !labelled[i];
    const int64_t untargeted = rows - count_kept(p->dropped, rows);
    for (int64_t i = 0; n_unknown > 0 && i < rows; i++) p->dropped[i] |= unknown[i];
    if (holed) ALD_TRY(ald_features_of(run, p, &feature_of));
    if (holed) ALD_TRY(find_holes(run, p, feature_of));
    p->rows = count_kept(p->dropped, rows);
    if (p->rows == 0 && !p->table->partial)
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "%s: no row is left: all %lld have a missing cell or no target", p->table->source,
                        (long long)rows);
    if (p->rows == rows) p->dropped = NULL;
    note_dropped(run, p, untargeted, n_unknown);
    return ALD_OK;
}

/* Whether row i counts: it stays, and its weight is not 0. `kept` are the rows that stay before it. */
static int counts(const ald_preparation *p, int64_t i, int64_t *kept)
{
    const double *weights = p->dataset->target.weights;
    if (p->dropped && p->dropped[i]) return 0;
    const int64_t row = (*kept)++;
    return !weights || weights[row] > 0.0;
}

/* All cells are numbers. */
static void add_plain(const ald_preparation *p, const double *cells, double *restrict sums)
{
    const int64_t n = p->n_features, first = n ? p->features[0].column : 0;
    const int neighbours = n > 0 && p->features[n - 1].column - first == n - 1;
    for (int64_t k = 0; neighbours && k < n; k++) sums[k] += cells[first + k];
    for (int64_t k = 0; !neighbours && k < n; k++) sums[k] += cells[p->features[k].column];
}

/* `missing` cells of each feature are left out of its sum; the number of rows that count. */
static int64_t add_dense(const ald_preparation *p, double *sums, int64_t *missing)
{
    const ald_table *table = p->table;
    const int plain = ald_features_are_plain(p);
    int64_t kept = 0, rows = 0;
    for (int64_t i = 0; i < table->rows; i++) {
        const double *cells = table->cells + i * table->cols;
        if (!counts(p, i, &kept)) continue;
        rows++;
        if (plain) add_plain(p, cells, sums);
        for (int64_t k = 0; !plain && k < p->n_features; k++) {
            const double cell = cells[p->features[k].column];
            missing[k] += isnan(cell);
            if (!isnan(cell)) sums[k] += cell;
        }
    }
    return rows;
}

/* Cells that are not stored are zeros. */
static int64_t add_sparse(const ald_preparation *p, const int64_t *feature_of, double *sums, int64_t *missing)
{
    const ald_table *table = p->table;
    int64_t kept = 0, rows = 0;
    for (int64_t i = 0; i < table->rows; i++) {
        if (!counts(p, i, &kept)) continue;
        rows++;
        for (int64_t e = table->pointers[i]; e < table->pointers[i + 1]; e++) {
            const int64_t k = feature_of[table->indices[e]];
            if (k < 0) continue;
            missing[k] += isnan(table->values[e]);
            if (!isnan(table->values[e])) sums[k] += table->values[e];
        }
    }
    return rows;
}

static ald_status find_means(ald_run *run, ald_preparation *p)
{
    double *sums;
    int64_t *missing, *feature_of;
    ALD_TRY(ald_scratch_zeros(run, p->n_features, 1, &sums));
    ALD_TRY(ald_scratch_clear(run, p->n_features, 1, sizeof *missing, &missing));
    ALD_TRY(ald_features_of(run, p, &feature_of));
    const int64_t rows =
        p->table->sparse ? add_sparse(p, feature_of, sums, missing) : add_dense(p, sums, missing);
    for (int64_t k = 0; k < p->n_features; k++) /* a sum that overflows leaves the fill unknown */
        if (!p->features[k].categorical && rows > missing[k] && isfinite(sums[k]))
            p->features[k].fill = sums[k] / (double)(rows - missing[k]);
    for (int64_t k = 0; k < p->n_features; k++) {
        const ald_column *column = &p->table->columns[p->features[k].column];
        if (!p->features[k].categorical && column->summary) p->features[k].fill = column->summary->mean;
    }
    ald_arena_drop(&run->scratch, sums);
    ald_arena_drop(&run->scratch, missing);
    ald_arena_drop(&run->scratch, feature_of);
    return ALD_OK;
}

/* By the counts of the whole file; of several the first code. */
static void find_commonest(const ald_column_summary *summary, ald_categories *categories)
{
    int64_t most = 0;
    memset(categories->counts, 0, (size_t)categories->count * sizeof *categories->counts);
    for (int64_t i = 0; i < summary->n; i++) {
        const int64_t code = ald_category_of(categories, summary->cells[i]), count = summary->counts[i];
        if (code >= 0) categories->counts[code] += count;
        if (code < 0 || count < most || (count == most && code > categories->commonest)) continue;
        most = count;
        categories->commonest = code;
    }
}

static ald_status find_categories(ald_run *run, ald_preparation *p, ald_feature *feature)
{
    const ald_table *table = p->table;
    ald_column unnamed = {0};
    ald_column *column = table->columns ? &table->columns[feature->column] : &unnamed;
    const ald_column_cells cells = {table->cells + feature->column, table->cols, table->rows, p->dropped};
    ALD_TRY(ald_categories_find(run, &p->dataset->memory, column, 1, &cells, &feature->categories));
    if (column->summary) find_commonest(column->summary, feature->categories);
    if (feature->categories->count > 0) feature->fill = (double)feature->categories->commonest;
    return ALD_OK;
}

/* "2 text columns taken as categories: id (3000 levels), colour (3 levels)" */
static ald_status tell_categories(ald_run *run, const ald_preparation *p)
{
    enum { most_told = 10 };
    int64_t count = 0;
    ald_text list;
    ald_text_init(&list, &run->scratch);
    ALD_TRY(ald_ask_for_features(run, p));
    for (int64_t k = 0; k < p->n_features; k++) {
        const ald_feature *feature = &p->features[k];
        if (!feature->by_text || count++ >= most_told) continue;
        const char *name = p->table->columns[feature->column].name;
        const char *before = count > 1 ? ", " : "";
        if (name)
            ALD_TRY(ald_text_name(run, &list, before, name));
        else
            ALD_TRY(ald_text_print(run, &list, "%s#%lld", before, (long long)(feature->column + 1)));
        ALD_TRY(ald_text_print(run, &list, " (%lld levels)", (long long)feature->categories->count));
    }
    if (count > 0)
        ald_log(run, ALD_LOG_INFO, "%s: %lld text column%s treated as categories: %s%s", p->table->source,
                (long long)count, count == 1 ? "" : "s", list.data, count > most_told ? ", ..." : "");
    return ALD_OK;
}

/* A column can be filled unless it is empty from top to bottom (or the model knows no value for it). */
static ald_status check_fills(ald_run *run, const ald_preparation *p)
{
    const ald_table *table = p->table;
    for (int64_t k = 0; k < p->n_features; k++) {
        const ald_feature *feature = &p->features[k];
        if (feature->column < 0 || !table->columns || table->columns[feature->column].n_missing == 0)
            continue;
        if (!isnan(feature->fill)) continue;
        return ald_fail(run->error, ALD_ERROR_DATA, "%s: %s has no value to fill its missing cells with: %s",
                        table->source, ald_column_label(table, feature->column).text,
                        p->schema ? "the model was fitted without one" : "leave it out with `ignore`");
    }
    return ALD_OK;
}

int ald_keeps_missing(const ald_preparation *p)
{
    return p->options->keep_missing || p->missing == ALD_MISSING_NIPALS;
}

/* How many cells of a feature have no value; those of columns that nobody counts are taken for whole. */
static int64_t missing_of(const ald_preparation *p, int64_t k)
{
    const int64_t column = p->features[k].column;
    return column >= 0 && p->table->columns ? p->table->columns[column].n_missing : 0;
}

/* The feature with the most missing cells below `most`, of equals the next one; -1: none. */
static int64_t next_missing(const ald_preparation *p, int64_t before)
{
    const int64_t bound = before >= 0 ? missing_of(p, before) : INT64_MAX;
    int64_t next = -1;
    for (int64_t k = 0; k < p->n_features; k++) {
        const int64_t own = missing_of(p, k);
        const int later = own < bound || (own == bound && k > before);
        if (own > 0 && later && (next < 0 || own > missing_of(p, next))) next = k;
    }
    return next;
}

/* "34 cells without a value in 3 columns: f3 (10.0 %), ...": the emptiest first. */
static ald_status tell_missing(ald_run *run, const ald_preparation *p)
{
    enum { most_told = 8 };
    int64_t cells = 0, columns = 0, told = 0;
    ald_text list;
    ald_text_init(&list, &run->scratch);
    for (int64_t k = 0; k < p->n_features; k++) {
        cells += missing_of(p, k);
        columns += missing_of(p, k) > 0;
    }
    if (cells == 0 || p->table->rows == 0) return ALD_OK;
    for (int64_t k = next_missing(p, -1); k >= 0 && told < most_told; k = next_missing(p, k), told++)
        ALD_TRY(ald_text_print(run, &list, "%s%.60s (%lld %%)", told ? ", " : "",
                               ald_column_label(p->table, p->features[k].column).text,
                               (long long)rint(100.0 * (double)missing_of(p, k) / (double)p->table->rows)));
    ald_log(run, ALD_LOG_INFO, "%s: %lld cell%s of X without a value in %lld column%s: %s%s",
            p->table->source, (long long)cells, cells == 1 ? "" : "s", (long long)columns,
            columns == 1 ? "" : "s", list.data, columns > told ? ", ..." : "");
    return ALD_OK;
}

ald_status ald_prepare_fills(ald_run *run, ald_preparation *p)
{
    ALD_TRY(ald_ask_for_features(run, p));
    if (!p->schema) {
        for (int64_t k = 0; k < p->n_features; k++)
            if (p->features[k].categorical) ALD_TRY(find_categories(run, p, &p->features[k]));
        ALD_TRY(tell_categories(run, p));
        if (p->table->columns) ALD_TRY(find_means(run, p));
    }
    if (p->missing >= ALD_MISSING_MEAN) ALD_TRY(tell_missing(run, p));
    return p->missing == ALD_MISSING_MEAN ? check_fills(run, p) : ALD_OK;
}

static ald_status refuse_infinite_cell(ald_run *run, const ald_table *table, int64_t column)
{
    if (!table->columns || column < 0 || table->columns[column].n_infinite == 0) return ALD_OK;
    const ald_column *of = &table->columns[column];
    const int64_t line = table->has_lines ? of->first_infinite_line : 0;
    return ald_fail_at(run->error, ALD_ERROR_DATA, line, of->position,
                       "%s: %s is infinite, or too large for a number: remove the row, leave the cell empty "
                       "(missing), or leave out the column with `ignore`",
                       table->source, ald_cell_place(table, of->first_infinite_line - 1, column, line).text);
}

ald_status ald_refuse_infinite(ald_run *run, const ald_preparation *p)
{
    for (int64_t k = 0; p->table->columns && k < p->n_features; k++)
        ALD_TRY(refuse_infinite_cell(run, p->table, p->features[k].column));
    for (int64_t k = 0; p->target_table && k < p->n_targets; k++)
        ALD_TRY(refuse_infinite_cell(run, p->target_table, p->targets[k]));
    return refuse_infinite_cell(run, p->table, p->weights);
}
