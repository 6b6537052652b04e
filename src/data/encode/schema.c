/* The schema, written. Numbers that must come back exactly are texts, so that no JSON reader rounds them. */
#include "data/encode/schema.h"

#include "base/core/text.h"
#include "base/numbers/number.h"
#include "data/encode/preparation.h"

#include <math.h>
#include <string.h>

static const char *const kind_names[] = {"none", "classes", "real", "labels"};
static const char *const missing_names[] = {"error", "drop", "mean", "nipals"};

/* {"name":...,"position":... and the brace left open. */
static ald_status open_column(ald_run *run, ald_text *text, const ald_table *table, int64_t column)
{
    const char *name = table->columns ? table->columns[column].name : NULL;
    ALD_TRY(ald_text_print(run, text, "{\"name\":"));
    if (name)
        ALD_TRY(ald_text_json(run, text, name));
    else
        ALD_TRY(ald_text_print(run, text, "null"));
    ALD_TRY(ald_text_print(run, text, ",\"position\":%lld", (long long)(column + 1)));
    if (!table->columns || !table->columns[column].unit) return ALD_OK;
    ALD_TRY(ald_text_print(run, text, ",\"unit\":"));
    return ald_text_json(run, text, table->columns[column].unit);
}

static ald_status write_columns(ald_run *run, ald_text *text, const ald_table *table, const int64_t *columns,
                                int64_t count)
{
    ALD_TRY(ald_text_print(run, text, "["));
    for (int64_t k = 0; k < count; k++) {
        if (k) ALD_TRY(ald_text_print(run, text, ","));
        ALD_TRY(open_column(run, text, table, columns[k]));
        ALD_TRY(ald_text_print(run, text, "}"));
    }
    return ald_text_print(run, text, "]");
}

/* Rising positions as runs: "1-3 5". */
static ald_status write_positions(ald_run *run, ald_text *text, const ald_preparation *p)
{
    for (int64_t k = 0, first; k < p->n_features; k++) {
        for (first = k; k + 1 < p->n_features && p->features[k + 1].column == p->features[k].column + 1;) k++;
        ALD_TRY(
            ald_text_print(run, text, first ? " %lld" : "%lld", (long long)(p->features[first].column + 1)));
        if (k > first) ALD_TRY(ald_text_print(run, text, "-%lld", (long long)(p->features[k].column + 1)));
    }
    return ALD_OK;
}

/* One a feature: "3.25 ? 0"; "?" where nothing is known to fill in. */
static ald_status write_fills(ald_run *run, ald_text *text, const ald_preparation *p)
{
    for (int64_t k = 0; k < p->n_features; k++) {
        char fill[ALD_REAL_TEXT_SIZE] = "?";
        const int length = isnan(p->features[k].fill) ? 1 : ald_format_real(p->features[k].fill, fill);
        if (k) ALD_TRY(ald_text_add(run, text, " ", 1));
        ALD_TRY(ald_text_add(run, text, fill, (size_t)length));
    }
    return ALD_OK;
}

/* Rows of each level, as X has them: cells that were filled in count as what they were filled with. */
static ald_status write_counts(ald_run *run, ald_text *text, const ald_preparation *p,
                               const ald_feature *feature)
{
    const ald_categories *c = feature->categories;
    const int64_t filled = p->missing == ALD_MISSING_MEAN && p->table->columns
                               ? p->table->columns[feature->column].n_missing
                               : 0;
    if (!c->counts) return ALD_OK;
    ALD_TRY(ald_text_print(run, text, ",\"counts\":\""));
    for (int64_t k = 0; k < c->count; k++)
        ALD_TRY(ald_text_print(run, text, k ? " %lld" : "%lld",
                               (long long)(c->counts[k] + (k == c->commonest ? filled : 0))));
    return ald_text_print(run, text, "\"");
}

/* The categorical ones with the number they have among the features, from 1. */
static ald_status write_categorical(ald_run *run, ald_text *text, const ald_preparation *p)
{
    const char *before = "";
    for (int64_t k = 0; k < p->n_features; k++) {
        const ald_feature *feature = &p->features[k];
        if (!feature->categorical) continue;
        ALD_TRY(ald_text_print(run, text, "%s", before));
        ALD_TRY(open_column(run, text, p->table, feature->column));
        ALD_TRY(ald_text_print(run, text, ",\"feature\":%lld,\"levels\":", (long long)(k + 1)));
        ALD_TRY(ald_text_json_list(run, text, (const char *const *)feature->categories->levels,
                                   feature->categories->count));
        ALD_TRY(write_counts(run, text, p, feature));
        ALD_TRY(ald_text_print(run, text, "}"));
        before = ",";
    }
    return ALD_OK;
}

/* Those with a unit, likewise: ,"units":[...]. */
static ald_status write_units(ald_run *run, ald_text *text, const ald_preparation *p)
{
    const char *before = ",\"units\":[";
    for (int64_t k = 0; p->table->columns && k < p->n_features; k++) {
        if (!p->table->columns[p->features[k].column].unit) continue;
        ALD_TRY(ald_text_print(run, text, "%s", before));
        ALD_TRY(open_column(run, text, p->table, p->features[k].column));
        ALD_TRY(ald_text_print(run, text, ",\"feature\":%lld}", (long long)(k + 1)));
        before = ",";
    }
    return strcmp(before, ",") == 0 ? ald_text_add(run, text, "]", 1) : ALD_OK;
}

/* Nothing is known of the features but where they are. */
static int are_unnamed_numbers(const ald_preparation *p)
{
    for (int64_t k = 0; k < p->n_features; k++)
        if (p->features[k].categorical || !isnan(p->features[k].fill)) return 0;
    return !p->dataset->feature_names;
}

/* A few bytes per column, as there may be 10^6 of them: their names are in the model already
 * (alidade.feature_names). A table of unnamed numbers needs nothing at all. */
static ald_status write_features(ald_run *run, ald_text *text, const ald_preparation *p)
{
    ALD_TRY(ald_ask_for_features(run, p));
    if (are_unnamed_numbers(p)) return ald_text_print(run, text, "null");
    ALD_TRY(ald_text_print(run, text, "{\"named\":%s,\"positions\":\"",
                           p->dataset->feature_names ? "true" : "false"));
    ALD_TRY(write_positions(run, text, p));
    ALD_TRY(ald_text_print(run, text, "\",\"fills\":\""));
    ALD_TRY(write_fills(run, text, p));
    ALD_TRY(ald_text_print(run, text, "\",\"categorical\":["));
    ALD_TRY(write_categorical(run, text, p));
    ALD_TRY(ald_text_print(run, text, "]"));
    ALD_TRY(write_units(run, text, p));
    return ald_text_print(run, text, "}");
}

/* The columns of unnamed numbers that are neither feature, target nor weights. */
static ald_status list_others(ald_run *run, const ald_preparation *p, int64_t **others, int64_t *count)
{
    int64_t *taken; /* negative: it is not */
    *count = 0;
    ALD_TRY(ald_features_of(run, p, &taken));
    ALD_TRY(ald_scratch(run, p->table->cols, 1, sizeof **others, others));
    for (int64_t k = 0; p->target_table == p->table && k < p->n_targets; k++) taken[p->targets[k]] = 0;
    if (p->weights >= 0) taken[p->weights] = 0;
    ALD_TRY(ald_ask_for_features(run, p));
    if (!are_unnamed_numbers(p)) return ALD_OK;
    ALD_TRY(ald_ask_for_features(run, p));
    for (int64_t j = 0; j < p->table->cols; j++)
        if (taken[j] < 0) (*others)[(*count)++] = j;
    return ALD_OK;
}

static ald_status write_target(ald_run *run, ald_text *text, const ald_preparation *p)
{
    if (!p->target_table) return ald_text_print(run, text, "null");
    const ald_target *target = &p->dataset->target;
    const char *source = p->target_table == p->table ? "columns" : "file";
    if (p->use_labels) source = "labels";
    ALD_TRY(ald_text_print(run, text, "{\"source\":\"%s\",\"kind\":\"%s\",\"columns\":", source,
                           kind_names[target->kind]));
    ALD_TRY(write_columns(run, text, p->target_table, p->targets, p->n_targets));
    const int listed = target->kind == ALD_TARGET_CLASSES || ald_has_label_lists(p);
    const int64_t count = target->kind == ALD_TARGET_CLASSES ? target->n_classes : target->values.cols;
    ALD_TRY(ald_text_print(run, text, ",\"classes\":"));
    ALD_TRY(ald_text_json_list(run, text, target->names, listed ? count : 0));
    if (p->has_event) ALD_TRY(ald_text_print(run, text, ",\"event\":true"));
    return ald_text_print(run, text, "}");
}

/* How the file was to be read, where something was said: ,"reading":{...}. */
static ald_status write_reading(ald_run *run, ald_text *text, const ald_load_options *options)
{
    const struct {
        const char *key, *value;
    } given[] = {
        {"na", options->na},
        {"decimal", options->decimal},
        {"thousands", options->thousands},
        {"dates", options->dates},
    };
    const char *before = ",\"reading\":{";
    for (size_t k = 0; k < sizeof given / sizeof *given; k++) {
        if (!given[k].value) continue;
        ALD_TRY(ald_text_print(run, text, "%s\"%s\":", before, given[k].key));
        ALD_TRY(ald_text_json(run, text, given[k].value));
        before = ",";
    }
    if (options->transpose) {
        ALD_TRY(ald_text_print(run, text, "%s\"transpose\":true", before));
        before = ",";
    }
    return strcmp(before, ",") == 0 ? ald_text_add(run, text, "}", 1) : ALD_OK;
}

ald_status ald_schema_write(ald_run *run, ald_preparation *p)
{
    ald_text text;
    int64_t *others;
    int64_t n_others;
    ald_text_init(&text, &p->dataset->memory);
    ALD_TRY(ald_text_print(run, &text,
                           "{\"columns\":%lld,\"sparse\":%s,\"encode\":\"%s\",\"missing\":\"%s\",\"target\":",
                           (long long)p->table->cols, p->table->sparse ? "true" : "false",
                           p->ordinal ? "ordinal" : "onehot", missing_names[p->missing]));
    ALD_TRY(write_target(run, &text, p));
    ALD_TRY(ald_text_print(run, &text, ",\"weights\":"));
    ALD_TRY(write_columns(run, &text, p->table, &p->weights, p->weights >= 0));
    ALD_TRY(write_reading(run, &text, p->options));
    if (p->n_ids > 0) {
        ALD_TRY(ald_text_print(run, &text, ",\"ids\":"));
        ALD_TRY(write_columns(run, &text, p->table, p->ids, p->n_ids));
    }
    ALD_TRY(ald_text_print(run, &text, ",\"ignored\":"));
    ALD_TRY(list_others(run, p, &others, &n_others));
    ALD_TRY(write_columns(run, &text, p->table, others, n_others));
    ALD_TRY(ald_text_print(run, &text, ",\"features\":"));
    ALD_TRY(write_features(run, &text, p));
    ALD_TRY(ald_text_print(run, &text, "}"));
    p->dataset->schema = text.data;
    return ALD_OK;
}
