/* The features of a schema in few bytes per column: runs of positions, fills in one text, and objects for the
 * categorical ones only. Like all of the schema it may have been written by anyone. */
#include "base/numbers/number.h"
#include "data/encode/schema.h"

#include <math.h>
#include <string.h>

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
            return ald_schema_damaged(run, "positions of features");
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
            return ald_schema_damaged(run, "a fill value");
    }
    return k == schema->n_features && !*at ? ALD_OK
                                           : ald_schema_damaged(run, "as many fill values as features");
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
            return ald_schema_damaged(run, "the count of a level");
    return *text ? ald_schema_damaged(run, "as many counts as levels") : ALD_OK;
}

static ald_status take_category(ald_run *run, const json_t *object, ald_schema *schema)
{
    const int64_t number = json_integer_value(json_object_get(object, "feature"));
    if (number < 1 || number > schema->n_features) return ald_schema_damaged(run, "the number of a feature");
    ald_schema_column *column = &schema->features[number - 1];
    if (column->categorical) return ald_schema_damaged(run, "a feature that is there twice");
    column->categorical = 1;
    ALD_TRY(ald_schema_copy_text(run, json_object_get(object, "name"), &column->name));
    ALD_TRY(ald_schema_copy_list(run, json_object_get(object, "levels"), &column->levels, &column->n_levels));
    ALD_TRY(take_counts(run, json_string_value(json_object_get(object, "counts")), column));
    if (isnan(column->fill) || (column->fill >= 0.0 && column->fill < (double)column->n_levels))
        return ALD_OK;
    return ald_schema_damaged(run, "a fill value");
}

static ald_status take_categories(ald_run *run, const json_t *list, ald_schema *schema)
{
    if (!json_is_array(list)) return ald_schema_damaged(run, "a list of categorical features is expected");
    for (size_t k = 0; k < json_array_size(list); k++)
        ALD_TRY(take_category(run, json_array_get(list, k), schema));
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
        ALD_TRY(ald_schema_copy_text(run, name, &column->name));
        if (!column->name) return ald_schema_damaged(run, "the names of the features");
    }
    return at == json_array_size(list) ? ALD_OK : ald_schema_damaged(run, "the number of names of features");
}

ald_status ald_schema_read_features(ald_run *run, const json_t *object, const char *names, ald_schema *schema)
{
    const char *positions = json_string_value(json_object_get(object, "positions"));
    const char *fills = json_string_value(json_object_get(object, "fills"));
    if (!positions || !fills) return ald_schema_damaged(run, "features");
    ALD_TRY(take_positions(run, positions, schema));
    /* A fill takes a character and a blank: the text bounds what is believed. */
    if (schema->n_features > (int64_t)strlen(fills))
        return ald_schema_damaged(run, "as many fill values as features");
    ALD_TRY(ald_scratch(run, schema->n_features, 1, sizeof *schema->features, &schema->features));
    ALD_TRY(take_positions(run, positions, schema));
    ALD_TRY(take_fills(run, fills, schema));
    ALD_TRY(take_categories(run, json_object_get(object, "categorical"), schema));
    if (!json_is_true(json_object_get(object, "named"))) return ALD_OK;
    if (!names)
        return ald_schema_damaged(run, "its features have names, but alidade.feature_names is not there");
    json_t *list;
    ALD_TRY(ald_json_parse(run, names, strlen(names), "the feature names of the model are damaged", &list));
    const ald_status status = take_names(run, list, schema);
    json_decref(list);
    return status;
}
