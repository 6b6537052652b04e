/* The schema, read. It comes from a file that anyone may have written: every member is checked, a wrong one
 * is an error. */
#include "base/numbers/number.h"
#include "data/encode/schema.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static ald_status fail_damaged(ald_run *run, const char *what)
{
    return ald_fail(run->error, ALD_ERROR_FORMAT,
                    "the model's description of its data (alidade.schema) is damaged: %s", what);
}

static ald_status copy_text(ald_run *run, const json_t *value, char **text)
{
    *text = NULL;
    if (!value || json_is_null(value)) return ALD_OK;
    if (!json_is_string(value)) return fail_damaged(run, "a text is expected");
    return ald_keep_text(run, &run->scratch, json_string_value(value), json_string_length(value), text);
}

ald_status ald_schema_copy_list(ald_run *run, const json_t *list, char ***texts, int64_t *count)
{
    if (!json_is_array(list)) return fail_damaged(run, "a list of texts is expected");
    *count = (int64_t)json_array_size(list);
    ALD_TRY(ald_scratch(run, *count, 1, sizeof **texts, texts));
    for (int64_t k = 0; k < *count; k++) {
        ALD_TRY(copy_text(run, json_array_get(list, (size_t)k), &(*texts)[k]));
        if (!(*texts)[k]) return fail_damaged(run, "a text is expected");
    }
    return ALD_OK;
}

/* The features of a schema in few bytes per column: runs of positions, fills in one text, and objects for the
 * categorical ones only. Like all of the schema it may have been written by anyone. */

/* The next word of a text with single blanks between its words; 0 at the end. */
static int next_word(const char **at, const char **word, size_t *length)
{
    if (!**at) return 0;
    *word = *at;
    *length = strcspn(*at, " ");
    *at += *length;
    *at += **at == ' ';
    return 1;
}

/* "3" or "3-7", behind what came before and within the columns. */
static int parse_run(const char *word, size_t length, int64_t before, int64_t columns, int64_t *first,
                     int64_t *last)
{
    const char *dash = memchr(word, '-', length);
    const size_t size = dash ? (size_t)(dash - word) : length;
    if (!ald_parse_int(word, size, first) || *first <= before) return 0;
    *last = *first;
    if (dash && !ald_parse_int(dash + 1, length - size - 1, last)) return 0;
    return *last >= *first && *last <= columns;
}

/* Without `schema->features` it only counts. */
static ald_status take_positions(ald_run *run, const char *text, ald_schema *schema)
{
    const char *at = text, *word;
    size_t length;
    int64_t first, last = 0, count = 0;
    while (next_word(&at, &word, &length)) {
        if (!parse_run(word, length, last, schema->columns, &first, &last))
            return fail_damaged(run, "positions of features");
        for (int64_t j = first; schema->features && j <= last; j++)
            schema->features[count + j - first] = (ald_schema_column){.position = j, .fill = NAN};
        count += last - first + 1;
    }
    schema->n_features = count;
    return ALD_OK;
}

static ald_status take_fills(ald_run *run, const char *text, ald_schema *schema)
{
    const char *at = text, *word;
    size_t length;
    int64_t k = 0;
    for (; k < schema->n_features && next_word(&at, &word, &length); k++) {
        if (length == 1 && *word == '?') continue;
        if (!ald_parse_real(word, length, &schema->features[k].fill) || !isfinite(schema->features[k].fill))
            return fail_damaged(run, "a fill value");
    }
    return k == schema->n_features && !*at ? ALD_OK : fail_damaged(run, "as many fill values as features");
}

/* One a level; models of earlier versions have none. */
static ald_status take_counts(ald_run *run, const char *text, ald_schema_column *column)
{
    const char *word;
    size_t length;
    if (!text) return ALD_OK;
    ALD_TRY(ald_scratch_reals(run, column->n_levels, 1, &column->counts));
    for (int64_t k = 0; k < column->n_levels; k++)
        if (!next_word(&text, &word, &length) || !ald_parse_real(word, length, &column->counts[k]) ||
            !isfinite(column->counts[k]) || column->counts[k] < 0.0)
            return fail_damaged(run, "the count of a level");
    return *text ? fail_damaged(run, "as many counts as levels") : ALD_OK;
}

static ald_status take_category(ald_run *run, const json_t *object, ald_schema *schema)
{
    const int64_t number = json_integer_value(json_object_get(object, "feature"));
    if (number < 1 || number > schema->n_features) return fail_damaged(run, "the number of a feature");
    ald_schema_column *column = &schema->features[number - 1];
    if (column->categorical) return fail_damaged(run, "a feature that is there twice");
    column->categorical = 1;
    ALD_TRY(copy_text(run, json_object_get(object, "name"), &column->name));
    ALD_TRY(ald_schema_copy_list(run, json_object_get(object, "levels"), &column->levels, &column->n_levels));
    ALD_TRY(take_counts(run, json_string_value(json_object_get(object, "counts")), column));
    if (isnan(column->fill) || (column->fill >= 0.0 && column->fill < (double)column->n_levels))
        return ALD_OK;
    return fail_damaged(run, "a fill value");
}

static ald_status take_categories(ald_run *run, const json_t *list, ald_schema *schema)
{
    if (!json_is_array(list)) return fail_damaged(run, "a list of categorical features is expected");
    for (size_t k = 0; k < json_array_size(list); k++)
        ALD_TRY(take_category(run, json_array_get(list, k), schema));
    return ALD_OK;
}

static ald_status take_units(ald_run *run, const json_t *list, ald_schema *schema)
{
    for (size_t k = 0; k < json_array_size(list); k++) {
        const json_t *object = json_array_get(list, k);
        const int64_t number = json_integer_value(json_object_get(object, "feature"));
        if (number < 1 || number > schema->n_features) return fail_damaged(run, "the number of a feature");
        ALD_TRY(copy_text(run, json_object_get(object, "unit"), &schema->features[number - 1].unit));
    }
    return ALD_OK;
}

/* The names stand where the features are in X; a categorical one has several columns there, or one, and its
 * own name already. "" is none. */
static ald_status take_names(ald_run *run, const json_t *list, ald_schema *schema)
{
    size_t at = 0;
    for (int64_t k = 0; k < schema->n_features; k++) {
        ald_schema_column *column = &schema->features[k];
        const json_t *name = json_array_get(list, at);
        at += column->categorical && !schema->ordinal ? (size_t)column->n_levels : 1;
        if (column->categorical || (json_is_string(name) && json_string_length(name) == 0)) continue;
        ALD_TRY(copy_text(run, name, &column->name));
        if (!column->name) return fail_damaged(run, "the names of the features");
    }
    return at == json_array_size(list) ? ALD_OK : fail_damaged(run, "the number of names of features");
}

static ald_status read_listed_features(ald_run *run, const json_t *object, const char *names,
                                       ald_schema *schema)
{
    const char *positions = json_string_value(json_object_get(object, "positions"));
    const char *fills = json_string_value(json_object_get(object, "fills"));
    if (!positions || !fills) return fail_damaged(run, "features");
    ALD_TRY(take_positions(run, positions, schema));
    /* A fill takes a character and a blank: the text bounds what is believed. */
    if (schema->n_features > (int64_t)strlen(fills))
        return fail_damaged(run, "as many fill values as features");
    ALD_TRY(ald_scratch(run, schema->n_features, 1, sizeof *schema->features, &schema->features));
    ALD_TRY(take_positions(run, positions, schema));
    ALD_TRY(take_fills(run, fills, schema));
    ALD_TRY(take_categories(run, json_object_get(object, "categorical"), schema));
    ALD_TRY(take_units(run, json_object_get(object, "units"), schema));
    if (!json_is_true(json_object_get(object, "named"))) return ALD_OK;
    if (!names) return fail_damaged(run, "its features have names, but alidade.feature_names is not there");
    json_t *list;
    ALD_TRY(ald_json_parse(run, names, strlen(names), "the feature names of the model are damaged", &list));
    const ald_status status = take_names(run, list, schema);
    json_decref(list);
    return status;
}

static ald_status read_word(ald_run *run, const json_t *object, const char *key, const char *const *words,
                            int *value)
{
    const char *given = json_string_value(json_object_get(object, key));
    for (*value = 0; given && words[*value]; (*value)++)
        if (strcmp(given, words[*value]) == 0) return ALD_OK;
    return fail_damaged(run, key);
}

static ald_status read_column(ald_run *run, const json_t *object, int64_t columns, ald_schema_column *column)
{
    *column = (ald_schema_column){.fill = NAN};
    ALD_TRY(copy_text(run, json_object_get(object, "name"), &column->name));
    ALD_TRY(copy_text(run, json_object_get(object, "unit"), &column->unit));
    column->position = json_integer_value(json_object_get(object, "position"));
    if (column->position < 1 || column->position > columns) return fail_damaged(run, "a column's position");
    const json_t *levels = json_object_get(object, "levels");
    column->categorical = levels != NULL;
    if (levels) ALD_TRY(ald_schema_copy_list(run, levels, &column->levels, &column->n_levels));
    const char *fill = json_string_value(json_object_get(object, "fill"));
    if (fill && !ald_parse_real(fill, strlen(fill), &column->fill)) return fail_damaged(run, "a fill value");
    if (levels && !isnan(column->fill) && !(column->fill >= 0.0 && column->fill < (double)column->n_levels))
        return fail_damaged(run, "a fill value");
    return ALD_OK;
}

static ald_status read_columns(ald_run *run, const json_t *list, int64_t columns, ald_schema_column **result,
                               int64_t *count)
{
    if (!json_is_array(list)) return fail_damaged(run, "a list of columns is expected");
    *count = (int64_t)json_array_size(list);
    ALD_TRY(ald_scratch(run, *count, 1, sizeof **result, result));
    for (int64_t k = 0; k < *count; k++)
        ALD_TRY(read_column(run, json_array_get(list, (size_t)k), columns, &(*result)[k]));
    return ALD_OK;
}

static ald_status read_target(ald_run *run, const json_t *target, ald_schema *schema)
{
    static const char *const sources[] = {"none", "columns", "labels", "file", NULL};
    static const char *const kinds[] = {"none", "classes", "real", "labels", NULL};
    if (!target || json_is_null(target)) return ALD_OK;
    int source, kind;
    ALD_TRY(read_word(run, target, "source", sources, &source));
    ALD_TRY(read_word(run, target, "kind", kinds, &kind));
    schema->source = (ald_target_source)source;
    schema->kind = (ald_target_kind)kind;
    const int64_t limit = source == ALD_SOURCE_FILE ? INT64_MAX : schema->columns;
    ALD_TRY(
        read_columns(run, json_object_get(target, "columns"), limit, &schema->targets, &schema->n_targets));
    ALD_TRY(
        ald_schema_copy_list(run, json_object_get(target, "classes"), &schema->classes, &schema->n_classes));
    if (kind == ALD_TARGET_CLASSES && (schema->n_classes < 1 || schema->n_classes > INT32_MAX))
        return fail_damaged(run, "classes");
    if (source != ALD_SOURCE_LABELS && schema->n_targets < 1) return fail_damaged(run, "target columns");
    if (kind == ALD_TARGET_CLASSES && schema->n_targets > 1) return fail_damaged(run, "target columns");
    schema->has_event = json_is_true(json_object_get(target, "event"));
    if (schema->has_event && (kind != ALD_TARGET_REAL || schema->n_targets != 2))
        return fail_damaged(run, "target columns");
    return ALD_OK;
}

static void mark_positions(unsigned char *taken, const ald_schema_column *columns, int64_t count)
{
    for (int64_t k = 0; k < count; k++) taken[columns[k].position - 1] = 1;
}

/* All columns that have no other part, as unnamed numbers. */
static ald_status remaining_features(ald_run *run, const json_t *root, int64_t width, ald_schema *schema)
{
    unsigned char *taken;
    ald_schema_column *ignored;
    int64_t n_ignored, count = 0;
    ALD_TRY(read_columns(run, json_object_get(root, "ignored"), schema->columns, &ignored, &n_ignored));
    const int64_t n_targets = schema->source == ALD_SOURCE_COLUMNS ? schema->n_targets : 0;
    if (schema->columns - width != schema->n_weights + n_ignored + n_targets)
        return fail_damaged(run, "columns");
    ALD_TRY(ald_scratch_clear(run, schema->columns, 1, 1, &taken));
    mark_positions(taken, schema->weights, schema->n_weights);
    mark_positions(taken, ignored, n_ignored);
    mark_positions(taken, schema->targets, n_targets);
    for (int64_t j = 0; j < schema->columns; j++) count += !taken[j];
    ALD_TRY(ald_scratch(run, count, 1, sizeof *schema->features, &schema->features));
    for (int64_t j = 0; j < schema->columns; j++)
        if (!taken[j])
            schema->features[schema->n_features++] = (ald_schema_column){.position = j + 1, .fill = NAN};
    return ALD_OK;
}

static ald_status read_features(ald_run *run, const json_t *root, const ald_model *model, ald_schema *schema)
{
    const json_t *features = json_object_get(root, "features");
    if (json_is_object(features))
        return read_listed_features(run, features, ald_model_text(model, "alidade.feature_names"), schema);
    if (json_is_array(features)) /* as it was written at first */
        return read_columns(run, features, schema->columns, &schema->features, &schema->n_features);
    return remaining_features(run, root, ald_model_feature_count(model), schema);
}

static ald_status read_root(ald_run *run, const json_t *root, const ald_model *model, ald_schema *schema)
{
    static const char *const encodings[] = {"onehot", "ordinal", NULL};
    static const char *const policies[] = {"error", "drop", "mean", "nipals", NULL};
    int missing;
    schema->columns = json_integer_value(json_object_get(root, "columns"));
    if (schema->columns < 1) return fail_damaged(run, "columns");
    ALD_TRY(read_word(run, root, "encode", encodings, &schema->ordinal));
    ALD_TRY(read_word(run, root, "missing", policies, &missing));
    schema->missing = (ald_missing_policy)missing;
    const char *dates = json_string_value(json_object_get(json_object_get(root, "reading"), "dates"));
    schema->dates_are_numbers = dates && strcmp(dates, "numbers") == 0;
    ALD_TRY(read_target(run, json_object_get(root, "target"), schema));
    ALD_TRY(read_columns(run, json_object_get(root, "weights"), schema->columns, &schema->weights,
                         &schema->n_weights));
    ALD_TRY(read_features(run, root, model, schema));
    return schema->n_features > 0 ? ALD_OK : fail_damaged(run, "features");
}

ald_status ald_schema_read(ald_run *run, const ald_model *model, ald_schema *schema)
{
    const char *text = ald_model_text(model, "alidade.schema");
    json_t *root;
    memset(schema, 0, sizeof *schema);
    ALD_TRY(ald_json_parse(run, text, strlen(text), "the schema of the model is damaged", &root));
    const ald_status status = read_root(run, root, model, schema);
    json_decref(root);
    return status;
}

/* The names as a new list in the place of the old one; 0 if there is no memory. */
static int put_classes(json_t *root, const char *const *names, int64_t count)
{
    json_t *list = json_array();
    int bad = list == NULL;
    for (int64_t k = 0; k < count && !bad; k++) bad = json_array_append_new(list, json_string(names[k])) != 0;
    if (bad) {
        json_decref(list);
        return 0;
    }
    return json_object_set_new(json_object_get(root, "target"), "classes", list) == 0;
}

ald_status ald_schema_set_classes(ald_run *run, ald_arena *arena, const char *schema,
                                  const char *const *names, int64_t count, char **text)
{
    json_t *root;
    ALD_TRY(ald_json_parse(run, schema, strlen(schema), "the schema of the model is damaged", &root));
    char *made = put_classes(root, names, count) ? json_dumps(root, JSON_COMPACT) : NULL;
    json_decref(root);
    *text = made ? ald_arena_text(arena, made, strlen(made)) : NULL;
    free(made);
    return *text ? ALD_OK : ald_out_of_memory(run, (int64_t)strlen(schema), 1, 1);
}
