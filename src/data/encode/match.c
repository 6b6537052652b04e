/* The columns of a new table by the schema of a model: by name where both sides have names, else by position.
 */
#include "data/encode/preparation.h"

#include "base/core/text.h"
#include "base/numbers/dates.h"
#include "base/numbers/near_names.h"
#include "base/numbers/number.h"
#include "data/encode/schema.h"
#include "data/levels/categories.h"
#include "data/levels/texts.h"
#include "io/table/columns.h"
#include "io/table/table.h"

#include <stdio.h>
#include <string.h>

static int all_named(const ald_schema_column *columns, int64_t count)
{
    for (int64_t k = 0; k < count; k++)
        if (!columns[k].name) return 0;
    return 1;
}

/* "'a' (is it 'A'?), 'b', ... (25 in all)" */
static ald_status list_absent(ald_run *run, const ald_preparation *p, int64_t absent, ald_text *list)
{
    enum { most_listed = 12 };
    int64_t *feature_of;
    int64_t listed = 0;
    ALD_TRY(ald_features_of(run, p, &feature_of));
    for (int64_t k = 0; k < p->n_features && listed < most_listed; k++) {
        if (p->features[k].column >= 0) continue;
        const char *name = p->schema->features[k].name;
        ald_near_name near = {0};
        for (int64_t j = 0; j < p->table->cols; j++)
            if (feature_of[j] < 0) ald_near_name_try(&near, name, p->table->columns[j].name);
        ALD_TRY(ald_text_print(run, list, "%s'%.60s'", listed++ ? ", " : "", name));
        if (near.name) ALD_TRY(ald_text_print(run, list, " (is it '%.60s'?)", near.name));
    }
    if (absent > most_listed) ALD_TRY(ald_text_print(run, list, ", ... (%lld in all)", (long long)absent));
    return ALD_OK;
}

int ald_are_added(const ald_preparation *p)
{
    return p->options->like && p->options->unlabelled_file; /* as read_rows of dataset.c asks for them */
}

static ald_status fail_absent(ald_run *run, const ald_preparation *p, int64_t absent)
{
    ald_text list;
    ald_text_init(&list, &run->scratch);
    ALD_TRY(list_absent(run, p, absent, &list));
    return ald_fail(run->error, ALD_ERROR_DATA, "%s has no column%s %s, which %s%s", p->table->source,
                    absent == 1 ? "" : "s", list.data,
                    ald_are_added(p) ? "the rows with a target have" : "the model was fitted on",
                    ald_one_cell_hint(p->table));
}

/* The places of all target columns, or none. */
static ald_status keep_targets(ald_run *run, ald_preparation *p, const int64_t *places)
{
    const int64_t count = p->schema->n_targets;
    for (int64_t k = 0; k < count; k++)
        if (places[k] < 0) return ALD_OK;
    ALD_TRY(ald_scratch(run, count, 1, sizeof *p->targets, &p->targets));
    for (int64_t k = 0; k < count; k++) p->targets[k] = places[k];
    p->n_targets = count;
    p->target_table = p->table;
    return ALD_OK;
}

/* Two columns of a name by which the model finds one. */
static ald_status refuse_twins(ald_run *run, const ald_preparation *p, const ald_name_index *index)
{
    int64_t *feature_of;
    ALD_TRY(ald_features_of(run, p, &feature_of));
    for (int64_t j = 0; j < p->table->cols; j++) {
        const char *name = p->table->columns[j].name;
        const int64_t first = name ? ald_name_index_find(index, name, strlen(name)) : j;
        if (first != j && feature_of[first] >= 0) return ald_fail_twins(run, p->table, index, j);
    }
    return ALD_OK;
}

static ald_status match_names(ald_run *run, ald_preparation *p, int64_t *targets)
{
    const ald_schema *schema = p->schema;
    const ald_table *table = p->table;
    ald_name_index index;
    int64_t absent = 0, twin = -1;
    ALD_TRY(ald_name_index_new(run, table->cols, &index));
    for (int64_t j = 0; j < table->cols; j++)
        if (ald_name_index_add(&index, table->columns[j].name, j)) twin = j;
    for (int64_t k = 0; k < schema->n_features; k++) {
        const char *name = schema->features[k].name;
        p->features[k].column = ald_name_index_find(&index, name, strlen(name));
        absent += p->features[k].column < 0;
    }
    if (absent) return fail_absent(run, p, absent);
    if (twin >= 0) ALD_TRY(refuse_twins(run, p, &index));
    for (int64_t k = 0; k < schema->n_targets; k++) {
        const char *name = schema->targets[k].name;
        targets[k] = name && schema->source == ALD_SOURCE_COLUMNS
                         ? ald_name_index_find(&index, name, strlen(name))
                         : -1;
    }
    return ALD_OK;
}

/* Places of features and targets when the columns that are neither have been taken out of the file: `rank` of
 * a position is the number of kept ones before it. */
static ald_status match_without_others(ald_run *run, ald_preparation *p, int with_targets, int64_t *targets)
{
    const ald_schema *schema = p->schema;
    int64_t *rank;
    ALD_TRY(ald_scratch_clear(run, schema->columns + 1, 1, sizeof *rank, &rank));
    for (int64_t k = 0; k < schema->n_features; k++) rank[schema->features[k].position] = 1;
    for (int64_t k = 0; with_targets && k < schema->n_targets; k++) rank[schema->targets[k].position] = 1;
    for (int64_t j = 1; j <= schema->columns; j++) rank[j] += rank[j - 1];
    for (int64_t k = 0; k < schema->n_features; k++)
        p->features[k].column = rank[schema->features[k].position] - 1;
    for (int64_t k = 0; k < schema->n_targets; k++)
        targets[k] = with_targets ? rank[schema->targets[k].position] - 1 : -1;
    return ALD_OK;
}

ald_status ald_refuse_wide(ald_run *run, const ald_table *table, int64_t columns)
{
    int64_t row = 0, entry = table->pointers[0];
    for (; entry < table->pointers[table->rows] && table->indices[entry] < columns; entry++) continue;
    if (entry == table->pointers[table->rows]) /* a column that only zeros reach */
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "%s has a column %lld, but the model was fitted on %lld columns", table->source,
                        (long long)table->cols, (long long)columns);
    while (table->pointers[row + 1] <= entry) row++;
    return ald_fail_at(run->error, ALD_ERROR_DATA, ald_table_line(table, row), 0,
                       "%s: %s has a column %lld, but the model was fitted on %lld columns", table->source,
                       ald_row_place(table, row).text, (long long)(table->indices[entry] + 1),
                       (long long)columns);
}

static ald_status fail_count(ald_run *run, const ald_preparation *p)
{
    const ald_schema *schema = p->schema;
    const ald_table *table = p->table;
    if (table->sparse && table->cols > schema->columns) return ald_refuse_wide(run, table, schema->columns);
    char whole[80] = "";
    if (schema->columns != schema->n_features)
        snprintf(whole, sizeof whole, ", or %lld in the layout of the file it was fitted on",
                 (long long)schema->columns);
    return ald_fail(run->error, ALD_ERROR_DATA,
                    "%s has %lld columns, but the model needs its %lld feature columns%s", table->source,
                    (long long)table->cols, (long long)schema->n_features, whole);
}

/* As in the file that was fitted on; a sparse file may end before the last column. */
static void match_layout(ald_preparation *p, int64_t *targets)
{
    const ald_schema *schema = p->schema;
    const int64_t cols = p->table->cols;
    for (int64_t k = 0; k < schema->n_features; k++)
        p->features[k].column = schema->features[k].position <= cols ? schema->features[k].position - 1 : -1;
    for (int64_t k = 0; k < schema->n_targets; k++)
        targets[k] = schema->source == ALD_SOURCE_COLUMNS && schema->targets[k].position <= cols
                         ? schema->targets[k].position - 1
                         : -1;
}

/* Whether the columns of the file are the features alone: labels of svmlight are no columns, while a table
 * with names had its target among them. */
static int has_features_alone(const ald_preparation *p)
{
    const ald_schema *schema = p->schema;
    return p->table->label_pointers && schema->source == ALD_SOURCE_COLUMNS &&
           all_named(schema->features, schema->n_features);
}

static ald_status match_features_alone(ald_run *run, ald_preparation *p, int64_t *targets)
{
    const int64_t cols = p->table->cols;
    if (cols > p->schema->n_features) return ald_refuse_wide(run, p->table, p->schema->n_features);
    ALD_TRY(match_without_others(run, p, 0, targets));
    for (int64_t k = 0; k < p->schema->n_features; k++)
        if (p->features[k].column >= cols) p->features[k].column = -1;
    return ALD_OK;
}

static ald_status match_positions(ald_run *run, ald_preparation *p, int64_t *targets)
{
    const ald_schema *schema = p->schema;
    const int64_t cols = p->table->cols;
    if (has_features_alone(p)) return match_features_alone(run, p, targets);
    const int64_t n_targets = schema->source == ALD_SOURCE_COLUMNS ? schema->n_targets : 0;
    const int known = cols == schema->n_features || cols == schema->n_features + n_targets;
    /* Other sparse files than those of svmlight say how many columns they have. */
    const int ends_early = p->table->sparse && cols < schema->columns && (p->table->label_pointers || !known);
    const int whole = cols == schema->columns || ends_early;
    if (whole)
        match_layout(p, targets);
    else if (cols == schema->n_features)
        return match_without_others(run, p, 0, targets);
    else if (cols == schema->n_features + n_targets)
        return match_without_others(run, p, 1, targets);
    return whole ? ALD_OK : fail_count(run, p);
}

/* The target in a second file, or as the labels of an svmlight file. */
static ald_status match_other_target(ald_run *run, ald_preparation *p, ald_table *second)
{
    const ald_schema *schema = p->schema;
    const int64_t wanted = schema->n_targets ? schema->n_targets : 1;
    ald_table *table = second ? second : p->table;
    if (schema->source == ALD_SOURCE_NONE || (p->target_table && !second)) return ALD_OK;
    p->target_table = NULL;
    if (table->label_pointers && (schema->source == ALD_SOURCE_LABELS || wanted == 1)) {
        p->use_labels = 1;
        p->target_table = table;
        return ALD_OK;
    }
    if (!second) return ALD_OK;
    if (second->cols != wanted)
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "%s has %lld columns, but the model has %lld target columns", second->source,
                        (long long)second->cols, (long long)wanted);
    ALD_TRY(ald_scratch(run, wanted, 1, sizeof *p->targets, &p->targets));
    for (int64_t k = 0; k < wanted; k++) p->targets[k] = k;
    p->n_targets = wanted;
    p->target_table = second;
    return ALD_OK;
}

static ald_status fail_text(ald_run *run, const ald_preparation *p, int64_t column)
{
    const ald_table *table = p->table;
    const ald_column *info = &table->columns[column];
    char hint[ALD_HINT_SIZE];
    return ald_fail_at(run->error, ALD_ERROR_DATA, info->first_text_line, info->position,
                       "%s: %s contains the text '%.80s', but the column was numeric in the rows %s: "
                       "correct the cell%s",
                       table->source, ald_cell_place(table, -1, column, info->first_text_line).text,
                       info->levels[0], ald_are_added(p) ? "with a target" : "the model was fitted on",
                       ald_text_hint(table, info->levels[0], hint));
}

/* Texts that are marks for no value, dates where the model took them as numbers, or numbers with leading
 * zeros.
 */
static ald_status settle_texts(ald_run *run, const ald_preparation *p, int64_t column,
                               const ald_schema_column *known)
{
    ald_table *table = p->table;
    if (!table->columns || column < 0 || table->columns[column].n_texts == 0) return ALD_OK;
    const ald_column *of = &table->columns[column];
    if (!p->options->na) ALD_TRY(ald_settle_marks(run, table, column, known->levels, known->n_levels));
    if (known->categorical) return ALD_OK;
    if (known->unit) ALD_TRY(ald_settle_unit(run, table, column, known->unit));
    if (p->schema->dates_are_numbers && ald_texts_are(of, ald_parse_date))
        return ald_texts_to_numbers(run, table, column, ald_parse_date);
    return ald_texts_are(of, ald_parse_real) ? ald_texts_to_numbers(run, table, column, ald_parse_real)
                                             : ALD_OK;
}

/* The marks of the target, by the classes that are known. */
static ald_status settle_targets(ald_run *run, const ald_preparation *p)
{
    const ald_schema *schema = p->schema;
    for (int64_t k = 0; !p->options->na && p->target_table && k < p->n_targets; k++)
        if (p->target_table->columns)
            ALD_TRY(
                ald_settle_marks(run, p->target_table, p->targets[k], schema->classes, schema->n_classes));
    for (int64_t k = 0; p->target_table && p->target_table->columns && k < p->n_targets; k++)
        if (schema->targets[k].unit)
            ALD_TRY(ald_settle_unit(run, p->target_table, p->targets[k], schema->targets[k].unit));
    return ALD_OK;
}

static ald_status match_kinds(ald_run *run, ald_preparation *p)
{
    for (int64_t k = 0; k < p->n_features; k++) {
        const ald_schema_column *known = &p->schema->features[k];
        ald_feature *feature = &p->features[k];
        const ald_column unnamed = {0};
        const ald_column *column =
            p->table->columns && feature->column >= 0 ? &p->table->columns[feature->column] : &unnamed;
        feature->categorical = known->categorical;
        feature->fill = known->fill;
        ALD_TRY(settle_texts(run, p, feature->column, known));
        if (!known->categorical && column->n_texts > 0) return fail_text(run, p, feature->column);
        if (!known->categorical) continue;
        if (feature->column < 0) return fail_count(run, p);
        ALD_TRY(ald_categories_match(run, column, known->levels, known->n_levels, &feature->categories));
        if (known->counts)
            ALD_TRY(ald_level_means(run, known->counts, known->n_levels, p->ordinal, &feature->means));
    }
    return ALD_OK;
}

/* The column of the weights, for rows that are to be fitted. */
static ald_status match_weights(ald_run *run, ald_preparation *p, int by_name)
{
    const ald_schema *schema = p->schema;
    const ald_table *table = p->table;
    if (!p->options->with_weights || schema->n_weights == 0) return ALD_OK;
    const ald_schema_column *known = &schema->weights[0];
    if (by_name && known->name)
        for (int64_t j = 0; j < table->cols && p->weights < 0; j++)
            if (table->columns[j].name && strcmp(table->columns[j].name, known->name) == 0) p->weights = j;
    if (!by_name && table->cols == schema->columns) p->weights = known->position - 1;
    if (p->weights >= 0) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_DATA,
                    "%s lacks the weight column (%s%.80s, number %lld) that the model was fitted with",
                    table->source, known->name ? "" : "unnamed", known->name ? known->name : "",
                    (long long)known->position);
}

ald_status ald_prepare_match(ald_run *run, ald_preparation *p)
{
    const ald_schema *schema = p->schema;
    ald_table *second = p->target_table;
    int64_t *targets;
    p->weights = -1;
    p->target_table = NULL;
    p->ordinal = schema->ordinal;
    p->has_event = schema->has_event;
    if (!p->options->missing) p->missing = schema->missing;
    p->n_features = schema->n_features;
    ALD_TRY(ald_scratch_clear(run, p->n_features, 1, sizeof *p->features, &p->features));
    ALD_TRY(ald_scratch(run, schema->n_targets, 1, sizeof *targets, &targets));
    const int by_name = all_named(schema->features, schema->n_features) && ald_table_is_named(p->table);
    ALD_TRY(by_name ? match_names(run, p, targets) : match_positions(run, p, targets));
    ALD_TRY(match_weights(run, p, by_name));
    if (p->options->no_target) return match_kinds(run, p);
    if (schema->source == ALD_SOURCE_COLUMNS) ALD_TRY(keep_targets(run, p, targets));
    ALD_TRY(match_other_target(run, p, second));
    ALD_TRY(settle_targets(run, p));
    return match_kinds(run, p);
}
