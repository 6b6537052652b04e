/* Moments of parts are added (moments/moments.h) and the method is fitted to those of all rows.
 *
 * Statistics of n parts of d columns cost n d^2 additions and one fit of d rows, and the memory of one part
 * at a time besides the sum. Parts are alike when method, settings, features, target and the references of
 * row preparations are the same: those of msc and slices of a real response are learned from the rows of a
 * part, so different ones are refused. Column scales are not: they follow from the moments. */
#include <alidade/merge.h>

#include "base/core/error.h"
#include "base/core/json.h"
#include "base/settings/common_params.h"
#include "base/settings/settings.h"
#include "data/encode/schema.h"
#include "fit/fitting/fit.h"
#include "fit/fitting/fit_moments.h"
#include "fit/fitting/method_settings.h"
#include "fit/prepare/prepare_x.h"
#include "fit/updating/counted_parts.h"
#include "fit/updating/schema_merge.h"
#include "methods/moments/moments.h"

#include <stdio.h>
#include <string.h>

struct ald_merging {
    ald_context *context;
    const ald_model *first;
    ald_settings *settings;
    ald_allocator allocator;
    ald_arena memory;
    ald_moments total;
    const char **names; /* total.k of classes or labels; NULL: they have none */
    char *schema;       /* of all rows so far; NULL: none */
    char *parts;        /* whose rows these are (counted_parts.h) */
    int64_t models;     /* that were added */
};

/* Where the names of classes or labels stand. */
static const char *names_key(const ald_moments *m)
{
    return m->kind == ALD_TARGET_CLASSES ? "alidade.class_names" : "alidade.response_names";
}

static int is_named(const ald_moments *m)
{
    return (m->kind == ALD_TARGET_CLASSES && !m->edges) || m->kind == ALD_TARGET_LABELS;
}

/* The k names of a part, in scratch; NULL: it has none. */
static ald_status read_names(ald_run *run, const ald_model *model, const ald_moments *m, char ***names)
{
    const char *text = is_named(m) ? ald_model_text(model, names_key(m)) : NULL;
    int64_t count;
    json_t *list;
    *names = NULL;
    if (!text) return ALD_OK;
    ALD_TRY(ald_json_parse(run, text, strlen(text), "the names of the classes are damaged", &list));
    const ald_status status = ald_schema_copy_list(run, list, names, &count);
    json_decref(list);
    if (status >= 0 && count != m->k)
        return ald_fail(run->error, ALD_ERROR_FORMAT, "the model has %lld names for %lld classes or labels",
                        (long long)count, (long long)m->k);
    return status;
}

/* A name of the sum, added behind the others if it is new. */
static ald_status place_name(ald_run *run, ald_merging *sum, const char *name, int64_t *count, int64_t *place)
{
    for (*place = 0; *place < *count; ++*place)
        if (strcmp(sum->names[*place], name) == 0) return ALD_OK;
    const char **grown = ald_arena_resize(&sum->memory, sum->names, *count + 1, 1, sizeof *grown);
    char *copy = grown ? ald_arena_text(&sum->memory, name, strlen(name)) : NULL;
    if (grown) sum->names = grown;
    if (!copy) return ald_out_of_memory(run, *count + 1, 1, sizeof *grown);
    sum->names[(*count)++] = copy;
    return ALD_OK;
}

static ald_status keep_names(ald_run *run, ald_merging *sum)
{
    char **names;
    int64_t count = 0, place;
    ALD_TRY(read_names(run, sum->first, &sum->total, &names));
    for (int64_t j = 0; names && j < sum->total.k; j++)
        ALD_TRY(place_name(run, sum, names[j], &count, &place));
    if (names && count != sum->total.k)
        return ald_fail(run->error, ALD_ERROR_FORMAT, "the model has the same class or label twice");
    return ALD_OK;
}

/* More labels of the sum: a pattern of it has a column for each. Classes are added where rows are. */
static ald_status widen_labels(ald_run *run, ald_merging *sum, int64_t count)
{
    int64_t *same;
    if (sum->total.kind != ALD_TARGET_LABELS || count == sum->total.k) return ALD_OK;
    ALD_TRY(ald_scratch(run, sum->total.k, 1, sizeof *same, &same));
    for (int64_t j = 0; j < sum->total.k; j++) same[j] = j;
    return ald_moments_renumber(run, &sum->memory, same, count, &sum->total);
}

/* Classes or labels of the part as the sum numbers them; the ones that it does not know stand behind its own.
 */
static ald_status number_alike(ald_run *run, ald_merging *sum, const ald_model *part, ald_moments *m)
{
    int64_t count = sum->total.k;
    int64_t *places;
    char **names;
    ALD_TRY(read_names(run, part, m, &names));
    if (!names && !sum->names) return ALD_OK;
    if (!names || !sum->names)
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "the classes of one of the two models have names, and those of the other do not");
    ALD_TRY(ald_scratch(run, m->k, 1, sizeof *places, &places));
    for (int64_t j = 0; j < m->k; j++) ALD_TRY(place_name(run, sum, names[j], &count, &places[j]));
    ALD_TRY(ald_moments_renumber(run, &run->scratch, places, count, m));
    return widen_labels(run, sum, count);
}

/* All settings but the rule for components: a part that has fewer of them than others notes that. */
static ald_status compare_settings(ald_run *run, const ald_settings *first, const ald_settings *own)
{
    const ald_param *param;
    const char *rule;
    ald_at_most_rule(&rule);
    for (int i = 0; (param = ald_settings_param_at(first, i)) != NULL; i++) {
        const char *value = ald_settings_text_at(first, i), *other = ald_settings_text_at(own, i);
        if (strcmp(value, other) == 0 || strcmp(param->name, rule) == 0) continue;
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "it was fitted with `%s=%s`, but the first model with `%s=%s`", param->name, other,
                        param->name, value);
    }
    return ALD_OK;
}

/* A parameter that an older model does not know is at its default there. */
static ald_status check_settings(ald_run *run, const ald_merging *sum, const ald_model *part)
{
    const char *first = ald_model_method(sum->first), *method = ald_model_method(part);
    ald_settings *own;
    if (strcmp(first, method) != 0)
        return ald_fail(run->error, ALD_ERROR_DATA, "it was fitted by %s, but the first model by %s", method,
                        first);
    ALD_TRY(ald_settings_as_stored(sum->context, part, &own, run->error));
    const ald_status status = compare_settings(run, sum->settings, own);
    ald_settings_free(own);
    return status;
}

/* Arrays of doubles. */
static int same_array(const ald_array *a, const ald_array *b)
{
    size_t bytes = sizeof(double);
    if (a->dims != b->dims || a->type != ALD_ARRAY_F64 || b->type != ALD_ARRAY_F64) return 0;
    for (int i = 0; i < a->dims; i++) {
        if (a->shape[i] != b->shape[i]) return 0;
        bytes *= (size_t)a->shape[i];
    }
    return memcmp(a->data, b->data, bytes) == 0;
}

/* Arrays that a fit learns from its rows and that statistics depend on. */
static ald_status check_learned(ald_run *run, const ald_model *a, const ald_model *b)
{
    static const struct {
        const char *array, *what;
    } learned[] = {
        {"row_references", "its rows were prepared with a different mean row (msc) from those of the first "
                           "model: fit the parts without msc"},
        {"slice_edges", "its response is cut into slices at different places from that of the first model: "
                        "add the rows to the first model with an update, which keeps its slices"},
    };
    for (size_t i = 0; i < sizeof learned / sizeof *learned; i++) {
        ald_array x, y;
        const int has = ald_model_array(a, learned[i].array, &x),
                  also = ald_model_array(b, learned[i].array, &y);
        if (!has && !also) continue;
        if (has && also && same_array(&x, &y)) continue;
        return ald_fail(run->error, ALD_ERROR_DATA, "%s", learned[i].what);
    }
    return ALD_OK;
}

static ald_status check_alike(ald_run *run, const ald_merging *sum, const ald_model *part,
                              const ald_moments *m)
{
    const char *a = ald_model_text(sum->first, "alidade.feature_names"),
               *b = ald_model_text(part, "alidade.feature_names");
    ALD_TRY(check_settings(run, sum, part));
    ALD_TRY(ald_schema_check_alike(run, sum->first, part));
    if (sum->total.d != m->d)
        return ald_fail(run->error, ALD_ERROR_DATA, "it has %lld columns, but the first model has %lld",
                        (long long)m->d, (long long)sum->total.d);
    if ((a != NULL) != (b != NULL) || (a && strcmp(a, b) != 0))
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "its features have different names from those of the first model");
    if (sum->total.kind != m->kind || (sum->total.edges != NULL) != (m->edges != NULL))
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "its target is of a different kind from that of the first model");
    return check_learned(run, sum->first, part);
}

/* Each part has filled in its own means, and no statistics tell them from cells that were there. */
static ald_status tell_filled(ald_run *run, const ald_merging *sum)
{
    ald_schema schema;
    if (!sum->schema) return ALD_OK;
    ALD_TRY(ald_schema_read(run, sum->first, &schema));
    if (schema.missing == ALD_MISSING_MEAN)
        ald_log(run, ALD_LOG_WARNING,
                "missing cells were filled in each part with the mean of that part: the model differs "
                "slightly from a fit to all rows");
    return ALD_OK;
}

static ald_status add_schema(ald_run *run, ald_merging *sum, const ald_model *part, double rows)
{
    const char *text = ald_model_text(part, "alidade.schema");
    if (!sum->schema || !text) return ALD_OK;
    return ald_schema_add_rows(run, &sum->memory, sum->schema, sum->total.n, text, rows, &sum->schema);
}

/* A part with fewer components than were asked for: the sum is fitted by its rule. */
static ald_status take_rule(ald_run *run, ald_merging *sum, const ald_model *part)
{
    const char *name, *rule = ald_at_most_rule(&name);
    char key[64];
    snprintf(key, sizeof key, "alidade.param.%s", name);
    const char *own = ald_model_text(part, key);
    if (!own || strcmp(own, rule) != 0) return ALD_OK;
    return ald_settings_set_text(sum->settings, name, rule, run->error);
}

/* Rows that are there already: a copy of a model, or of one that a sum before has in it. */
static ald_status note_parts(ald_run *run, ald_merging *sum, const ald_model *part, const ald_moments *m)
{
    char *others;
    int64_t already;
    ALD_TRY(ald_parts_of(run, &run->scratch, part, m, &others));
    ALD_TRY(ald_parts_add(run, &sum->memory, others, &sum->parts, &already));
    sum->models++;
    if (already > 0)
        ald_log(run, ALD_LOG_WARNING,
                "model %lld holds rows that another one holds too: they count twice. Leave it out if it is a "
                "copy",
                (long long)sum->models);
    return ALD_OK;
}

static ald_status add(ald_run *run, ald_merging *sum, const ald_model *part)
{
    ald_moments m;
    ALD_TRY(ald_moments_load(run, part, &m));
    ALD_TRY(check_alike(run, sum, part, &m));
    ALD_TRY(note_parts(run, sum, part, &m));
    ALD_TRY(take_rule(run, sum, part));
    ALD_TRY(number_alike(run, sum, part, &m));
    ALD_TRY(add_schema(run, sum, part, m.n));
    return ald_moments_merge(run, &sum->memory, &sum->total, &m, 1);
}

static ald_status begin(ald_run *run, ald_merging *sum)
{
    const char *schema = ald_model_text(sum->first, "alidade.schema");
    ald_moments m;
    ALD_TRY(ald_moments_load(run, sum->first, &m));
    ALD_TRY(ald_check_kept(run, &m));
    ALD_TRY(ald_moments_copy(run, &sum->memory, &m, &sum->total));
    ALD_TRY(ald_parts_of(run, &sum->memory, sum->first, &m, &sum->parts));
    sum->models = 1;
    if (m.edges) sum->total.edges = (double *)ald_model_reals(sum->first, "slice_edges", m.k, -1);
    if (schema) {
        ALD_TRY(ald_keep_text(run, &sum->memory, schema, strlen(schema), &sum->schema));
    }
    return keep_names(run, sum);
}

/* An empty sum; NULL: no memory. */
static ald_merging *make(ald_context *context, const ald_model *first)
{
    const ald_allocator *allocator = &context->allocator;
    ald_merging *sum = allocator->resize(allocator->user, NULL, sizeof *sum);
    if (!sum) return NULL;
    *sum = (ald_merging){.context = context, .first = first, .allocator = *allocator};
    ald_arena_init(&sum->memory, &sum->allocator);
    return sum;
}

ald_status ald_merging_new(ald_context *context, const ald_model *first, ald_merging **merging,
                           ald_error *error)
{
    ald_run run;
    if (merging) *merging = NULL;
    ALD_GIVEN(error, context, first, merging);
    ald_run_begin(&run, context, error);
    ald_merging *sum = make(context, first);
    ald_status status = sum ? ALD_OK : ald_out_of_memory(&run, 1, 1, sizeof *sum);
    if (status >= 0) status = ald_settings_as_stored(context, first, &sum->settings, run.error);
    run.settings = sum ? sum->settings : NULL;
    if (status >= 0) status = begin(&run, sum);
    if (status >= 0)
        *merging = sum;
    else
        ald_merging_free(sum);
    return ald_run_end(&run, status);
}

ald_status ald_merging_add(ald_merging *merging, const ald_model *part, ald_error *error)
{
    ald_run run;
    ALD_GIVEN(error, merging, part);
    ald_run_begin(&run, merging->context, error);
    run.settings = merging->settings;
    return ald_run_end(&run, add(&run, merging, part));
}

/* Names and schema of all parts instead of those of the first. */
static ald_status name(ald_run *run, const ald_merging *sum, ald_model *model)
{
    char *schema = sum->schema;
    if (sum->names)
        ALD_TRY(ald_model_set_names(run, model, names_key(&sum->total), sum->names, sum->total.k));
    if (!schema) return ALD_OK;
    ald_schema first;
    ALD_TRY(ald_schema_read(run, sum->first, &first));
    if (sum->names && first.n_classes > 0)
        ALD_TRY(ald_schema_set_classes(run, &run->scratch, schema, sum->names, sum->total.k, &schema));
    return ald_model_set_text(run, model, "alidade.schema", schema);
}

static ald_status fit(ald_run *run, const ald_merging *sum, ald_model *model)
{
    ald_row_plan plan;
    ALD_TRY(tell_filled(run, sum));
    ALD_TRY(ald_row_plan_load(run, sum->first, &plan));
    ALD_TRY(ald_row_plan_store(run, &plan, sum->total.d, model));
    ALD_TRY(ald_fit_moments(run, &sum->total, sum->first, model));
    ALD_TRY(ald_parts_store(run, sum->parts, &sum->total, model));
    return name(run, sum, model);
}

ald_status ald_merging_fit(ald_merging *merging, ald_model **model, ald_error *error)
{
    ald_run run;
    if (model) *model = NULL;
    ALD_GIVEN(error, merging, model);
    ald_run_begin(&run, merging->context, error);
    ald_status status = ald_fit_begin(&run, merging->settings, model);
    if (status >= 0) status = fit(&run, merging, *model);
    return ald_fit_end(&run, status, model);
}

void ald_merging_free(ald_merging *merging)
{
    if (!merging) return;
    const ald_allocator allocator = merging->allocator;
    ald_settings_free(merging->settings);
    ald_arena_free(&merging->memory);
    allocator.resize(allocator.user, merging, 0);
}
