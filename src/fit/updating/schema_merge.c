/* An empty cell of a new row is filled with the mean m of its column, or with its commonest level. With parts
 * of n_a and n_b rows
 *
 *   m = (n_a m_a + n_b m_b) / (n_a + n_b),    count of a level = count_a + count_b,
 *
 * up to the cells that were empty in the parts themselves, which a schema does not count. */
#include "fit/updating/schema_merge.h"

#include "base/core/text.h"
#include "base/numbers/number.h"
#include "data/encode/schema.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static int same_column(const ald_schema_column *a, const ald_schema_column *b)
{
    if (!same_text(a->name, b->name) || a->categorical != b->categorical || a->n_levels != b->n_levels)
        return 0;
    for (int64_t k = 0; k < a->n_levels; k++)
        if (strcmp(a->levels[k], b->levels[k]) != 0) return 0;
    return 1;
}

static int same_columns(const ald_schema_column *a, int64_t n_a, const ald_schema_column *b, int64_t n_b)
{
    if (n_a != n_b) return 0;
    for (int64_t k = 0; k < n_a; k++)
        if (!same_column(&a[k], &b[k])) return 0;
    return 1;
}

/* The first feature that is not the same, by its name where it has one. */
static ald_status unlike_features(ald_run *run, const ald_schema *a, const ald_schema *b)
{
    if (a->n_features != b->n_features)
        return ald_fail(run->error, ALD_ERROR_DATA, "it has %lld features, but the first model has %lld",
                        (long long)b->n_features, (long long)a->n_features);
    for (int64_t k = 0; k < a->n_features; k++) {
        if (same_column(&a->features[k], &b->features[k])) continue;
        if (same_text(a->features[k].name, b->features[k].name))
            return ald_fail(run->error, ALD_ERROR_DATA,
                            "its feature %lld (%s) has different levels from that of the first model: fit "
                            "the parts from rows in which all levels occur, or add their rows with an update",
                            (long long)k + 1, a->features[k].name ? a->features[k].name : "without a name");
        return ald_fail(run->error, ALD_ERROR_DATA, "its feature %lld is '%s', but in the first model '%s'",
                        (long long)k + 1, b->features[k].name ? b->features[k].name : "",
                        a->features[k].name ? a->features[k].name : "");
    }
    return ALD_OK;
}

static ald_status compare(ald_run *run, const ald_schema *a, const ald_schema *b)
{
    ALD_TRY(unlike_features(run, a, b));
    if (a->ordinal != b->ordinal || a->dates_are_numbers != b->dates_are_numbers || a->missing != b->missing)
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "categories, dates or empty cells were read differently than for the first model");
    if (a->kind != b->kind || !same_columns(a->targets, a->n_targets, b->targets, b->n_targets))
        return ald_fail(run->error, ALD_ERROR_DATA, "its target differs from that of the first model");
    if (!same_columns(a->weights, a->n_weights, b->weights, b->n_weights))
        return ald_fail(run->error, ALD_ERROR_DATA, "its weight column differs from that of the first model");
    return ALD_OK;
}

ald_status ald_schema_check_alike(ald_run *run, const ald_model *first, const ald_model *part)
{
    const int has = ald_model_text(first, "alidade.schema") != NULL;
    ald_schema a, b;
    if (has != (ald_model_text(part, "alidade.schema") != NULL))
        return ald_fail(
            run->error, ALD_ERROR_DATA,
            "one of the two models knows how its rows were read from a file, and the other does not");
    if (!has) return ALD_OK;
    ALD_TRY(ald_schema_read(run, first, &a));
    ALD_TRY(ald_schema_read(run, part, &b));
    return compare(run, &a, &b);
}

/* The next word as a number; NaN for "?" and where there is none. */
static double take_number(const char **at)
{
    const size_t length = strcspn(*at, " ");
    double value;
    const int known = ald_parse_real(*at, length, &value);
    *at += length;
    *at += **at == ' ';
    return known ? value : (double)NAN;
}

static double mean_of_both(double a, double a_rows, double b, double b_rows)
{
    if (isnan(a) || isnan(b)) return isnan(a) ? b : a;
    return a + b_rows / (a_rows + b_rows) * (b - a);
}

/* Words of numbers that are combined one by one; with rows: means, without: sums. */
static ald_status combine_words(ald_run *run, const char *a, double a_rows, const char *b, double b_rows,
                                ald_text *text)
{
    const char *before = "";
    while (*a) {
        char word[ALD_REAL_TEXT_SIZE] = "?";
        const double x = take_number(&a), y = take_number(&b);
        const double both = a_rows > 0.0 ? mean_of_both(x, a_rows, y, b_rows) : x + y;
        const int length = isnan(both) ? 1 : ald_format_real(both, word);
        ALD_TRY(ald_text_print(run, text, "%s%.*s", before, length, word));
        before = " ";
    }
    return ALD_OK;
}

static ald_status put_words(ald_run *run, json_t *a, double a_rows, const json_t *b, double b_rows,
                            const char *key)
{
    const char *one = json_string_value(json_object_get(a, key)),
               *two = json_string_value(json_object_get(b, key));
    ald_text text;
    if (!one || !two) return ALD_OK;
    ald_text_init(&text, &run->scratch);
    ALD_TRY(ald_text_print(run, &text, "%s", ""));
    ALD_TRY(combine_words(run, one, a_rows, two, b_rows, &text));
    if (json_object_set_new(a, key, json_string(text.data)) == 0) return ALD_OK;
    return ald_out_of_memory(run, (int64_t)text.length, 1, 1);
}

static int64_t commonest(const char *counts)
{
    int64_t best = 0;
    double most = -1.0;
    for (int64_t k = 0; *counts; k++) {
        const double count = take_number(&counts);
        if (!(count > most)) continue;
        most = count;
        best = k;
    }
    return best;
}

/* The fills of categories are numbers of levels, no means: the commonest of both, behind the others' means.
 */
static ald_status put_commonest(ald_run *run, json_t *features)
{
    const json_t *list = json_object_get(features, "categorical");
    const char *at = json_string_value(json_object_get(features, "fills"));
    ald_text text;
    size_t next = 0;
    ald_text_init(&text, &run->scratch);
    ALD_TRY(ald_text_print(run, &text, "%s", ""));
    for (int64_t k = 1; *at; k++) {
        const json_t *category = json_array_get(list, next);
        const char *counts = json_string_value(json_object_get(category, "counts"));
        const size_t length = strcspn(at, " ");
        if (k > 1) ALD_TRY(ald_text_add(run, &text, " ", 1));
        if (category && json_integer_value(json_object_get(category, "feature")) == k) {
            next++;
            if (counts) ALD_TRY(ald_text_print(run, &text, "%lld", (long long)commonest(counts)));
            if (!counts) ALD_TRY(ald_text_add(run, &text, at, length));
        } else
            ALD_TRY(ald_text_add(run, &text, at, length));
        at += length;
        at += *at == ' ';
    }
    if (json_object_set_new(features, "fills", json_string(text.data)) == 0) return ALD_OK;
    return ald_out_of_memory(run, (int64_t)text.length, 1, 1);
}

static ald_status add_features(ald_run *run, json_t *a, double a_rows, const json_t *b, double b_rows)
{
    json_t *own = json_object_get(a, "categorical");
    const json_t *other = json_object_get(b, "categorical");
    if (!json_is_object(a) || !json_string_value(json_object_get(a, "fills"))) return ALD_OK;
    ALD_TRY(put_words(run, a, a_rows, b, b_rows, "fills"));
    for (size_t k = 0; k < json_array_size(own); k++)
        ALD_TRY(put_words(run, json_array_get(own, k), 0.0, json_array_get(other, k), 0.0, "counts"));
    return json_array_size(own) > 0 ? put_commonest(run, a) : ALD_OK;
}

ald_status ald_schema_add_rows(ald_run *run, ald_arena *arena, const char *a, double a_rows, const char *b,
                               double b_rows, char **text)
{
    json_t *first, *second;
    ALD_TRY(ald_json_parse(run, a, strlen(a), "the schema of the model is damaged", &first));
    ald_status status = ald_json_parse(run, b, strlen(b), "the schema of the model is damaged", &second);
    if (status >= 0) {
        status = add_features(run, json_object_get(first, "features"), a_rows,
                              json_object_get(second, "features"), b_rows);
        json_decref(second);
    }
    char *made = status >= 0 ? json_dumps(first, JSON_COMPACT) : NULL;
    json_decref(first);
    *text = made ? ald_arena_text(arena, made, strlen(made)) : NULL;
    free(made);
    if (status >= 0 && !*text) return ald_out_of_memory(run, (int64_t)strlen(a), 1, 1);
    return status;
}
