/* The schema, read. It comes from a file that anyone may have written: every member is checked, a wrong one
 * is an error. */
#include "base/numbers/number.h"
#include "data/encode/schema.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

ald_status ald_schema_damaged(ald_run *run, const char *what)
{
    return ald_fail(run->error, ALD_ERROR_FORMAT,
                    "the model's description of its data (alidade.schema) is damaged: %s", what);
}

ald_status ald_schema_copy_text(ald_run *run, const json_t *value, char **text)
{
    *text = NULL;
    if (!value || json_is_null(value)) return ALD_OK;
    if (!json_is_string(value)) return ald_schema_damaged(run, "a text is expected");
    *text = ald_arena_text(&run->scratch, json_string_value(value), json_string_length(value));
    return *text ? ALD_OK : ald_out_of_memory(run, (int64_t)json_string_length(value), 1, 1);
}

ald_status ald_schema_copy_list(ald_run *run, const json_t *list, char ***texts, int64_t *count)
{
    if (!json_is_array(list)) return ald_schema_damaged(run, "a list of texts is expected");
    *count = (int64_t)json_array_size(list);
    ALD_TRY(ald_scratch(run, *count, 1, sizeof **texts, texts));
    for (int64_t k = 0; k < *count; k++) {
        ALD_TRY(ald_schema_copy_text(run, json_array_get(list, (size_t)k), &(*texts)[k]));
        if (!(*texts)[k]) return ald_schema_damaged(run, "a text is expected");
    }
    return ALD_OK;
}

static ald_status read_word(ald_run *run, const json_t *object, const char *key, const char *const *words,
                            int *value)
{
    const char *given = json_string_value(json_object_get(object, key));
    for (*value = 0; given && words[*value]; (*value)++)
        if (strcmp(given, words[*value]) == 0) return ALD_OK;
    return ald_schema_damaged(run, key);
}

static ald_status read_column(ald_run *run, const json_t *object, int64_t columns, ald_schema_column *column)
{
    *column = (ald_schema_column){.fill = NAN};
    ALD_TRY(ald_schema_copy_text(run, json_object_get(object, "name"), &column->name));
    column->position = json_integer_value(json_object_get(object, "position"));
    if (column->position < 1 || column->position > columns)
        return ald_schema_damaged(run, "a column's position");
    const json_t *levels = json_object_get(object, "levels");
    column->categorical = levels != NULL;
    if (levels) ALD_TRY(ald_schema_copy_list(run, levels, &column->levels, &column->n_levels));
    const char *fill = json_string_value(json_object_get(object, "fill"));
    if (fill && !ald_parse_real(fill, strlen(fill), &column->fill))
        return ald_schema_damaged(run, "a fill value");
    if (levels && !isnan(column->fill) && !(column->fill >= 0.0 && column->fill < (double)column->n_levels))
        return ald_schema_damaged(run, "a fill value");
    return ALD_OK;
}

static ald_status read_columns(ald_run *run, const json_t *list, int64_t columns, ald_schema_column **result,
                               int64_t *count)
{
    if (!json_is_array(list)) return ald_schema_damaged(run, "a list of columns is expected");
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
        return ald_schema_damaged(run, "classes");
    if (source != ALD_SOURCE_LABELS && schema->n_targets < 1)
        return ald_schema_damaged(run, "target columns");
    if (kind == ALD_TARGET_CLASSES && schema->n_targets > 1) return ald_schema_damaged(run, "target columns");
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
        return ald_schema_damaged(run, "columns");
    ALD_TRY(ald_scratch(run, schema->columns, 1, 1, &taken));
    memset(taken, 0, (size_t)schema->columns);
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
        return ald_schema_read_features(run, features, ald_model_text(model, "alidade.feature_names"),
                                        schema);
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
    if (schema->columns < 1) return ald_schema_damaged(run, "columns");
    ALD_TRY(read_word(run, root, "encode", encodings, &schema->ordinal));
    ALD_TRY(read_word(run, root, "missing", policies, &missing));
    schema->missing = (ald_missing_policy)missing;
    const char *dates = json_string_value(json_object_get(json_object_get(root, "reading"), "dates"));
    schema->dates_are_numbers = dates && strcmp(dates, "numbers") == 0;
    ALD_TRY(read_target(run, json_object_get(root, "target"), schema));
    ALD_TRY(read_columns(run, json_object_get(root, "weights"), schema->columns, &schema->weights,
                         &schema->n_weights));
    ALD_TRY(read_features(run, root, model, schema));
    return schema->n_features > 0 ? ALD_OK : ald_schema_damaged(run, "features");
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
