/* The schema, written. Numbers that must come back exactly are texts, so that no JSON reader rounds them. */
#include "data/schema.h"

#include "core/number.h"
#include "core/text.h"

#include <math.h>

static const char *const kind_names[] = {"none", "classes", "real", "labels"};
static const char *const missing_names[] = {"error", "drop", "mean"};

static ald_status write_list(ald_run *run, ald_text *text, const char *const *names, int64_t count)
{
    ALD_TRY(ald_text_print(run, text, "["));
    for (int64_t k = 0; k < count; k++) {
        if (k) ALD_TRY(ald_text_print(run, text, ","));
        ALD_TRY(ald_text_json(run, text, names[k]));
    }
    return ald_text_print(run, text, "]");
}

/* {"name":...,"position":... and the brace left open. */
static ald_status open_column(ald_run *run, ald_text *text, const ald_table *table, int64_t column)
{
    const char *name = table->columns ? table->columns[column].name : NULL;
    ALD_TRY(ald_text_print(run, text, "{\"name\":"));
    if (name)
        ALD_TRY(ald_text_json(run, text, name));
    else
        ALD_TRY(ald_text_print(run, text, "null"));
    return ald_text_print(run, text, ",\"position\":%lld", (long long)(column + 1));
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

static ald_status write_feature(ald_run *run, ald_text *text, const ald_preparation *p, const ald_feature *feature)
{
    char fill[ALD_REAL_TEXT_SIZE] = "";
    const int filled = !isnan(feature->fill);
    if (filled) ald_format_real(feature->fill, fill);
    ALD_TRY(open_column(run, text, p->table, feature->column));
    if (feature->categorical) {
        ALD_TRY(ald_text_print(run, text, ",\"levels\":"));
        ALD_TRY(write_list(run, text, (const char *const *)feature->categories->levels, feature->categories->count));
    }
    return ald_text_print(run, text, ",\"kind\":\"%s\"%s%s%s}", feature->categorical ? "categorical" : "numeric",
                          filled ? ",\"fill\":\"" : "", fill, filled ? "\"" : "");
}

/* A table of unnamed numbers, however wide, needs no list. */
static ald_status write_features(ald_run *run, ald_text *text, const ald_preparation *p)
{
    int categorical = 0;
    for (int64_t k = 0; k < p->n_features; k++) categorical |= p->features[k].categorical;
    if (!p->table->columns && !categorical) return ald_text_print(run, text, "null");
    ALD_TRY(ald_text_print(run, text, "["));
    for (int64_t k = 0; k < p->n_features; k++) {
        if (k) ALD_TRY(ald_text_print(run, text, ","));
        ALD_TRY(write_feature(run, text, p, &p->features[k]));
    }
    return ald_text_print(run, text, "]");
}

static ald_status write_target(ald_run *run, ald_text *text, const ald_preparation *p)
{
    if (!p->target_table) return ald_text_print(run, text, "null");
    const ald_target *target = &p->dataset->target;
    const char *source = p->use_labels ? "labels" : p->target_table == p->table ? "columns" : "file";
    ALD_TRY(
        ald_text_print(run, text, "{\"source\":\"%s\",\"kind\":\"%s\",\"columns\":", source, kind_names[target->kind]));
    ALD_TRY(write_columns(run, text, p->target_table, p->targets, p->n_targets));
    const int listed = target->kind == ALD_TARGET_CLASSES || ald_has_label_lists(p);
    const int64_t count = target->kind == ALD_TARGET_CLASSES ? target->n_classes : target->values.cols;
    ALD_TRY(ald_text_print(run, text, ",\"classes\":"));
    ALD_TRY(write_list(run, text, target->names, listed ? count : 0));
    return ald_text_print(run, text, "}");
}

ald_status ald_schema_write(ald_run *run, ald_preparation *p)
{
    ald_text text;
    ald_text_init(&text, &p->dataset->memory);
    ALD_TRY(ald_text_print(
        run, &text,
        "{\"columns\":%lld,\"sparse\":%s,\"encode\":\"%s\",\"missing\":\"%s\",\"target\":", (long long)p->table->cols,
        p->table->sparse ? "true" : "false", p->ordinal ? "ordinal" : "onehot", missing_names[p->missing]));
    ALD_TRY(write_target(run, &text, p));
    ALD_TRY(ald_text_print(run, &text, ",\"weights\":"));
    ALD_TRY(write_columns(run, &text, p->table, &p->weights, p->weights >= 0));
    ALD_TRY(ald_text_print(run, &text, ",\"ignored\":"));
    ALD_TRY(write_columns(run, &text, p->table, p->ignored, p->n_ignored));
    ALD_TRY(ald_text_print(run, &text, ",\"features\":"));
    ALD_TRY(write_features(run, &text, p));
    ALD_TRY(ald_text_print(run, &text, "}"));
    p->dataset->schema = text.data;
    return ALD_OK;
}
