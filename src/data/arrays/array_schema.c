#include "data/arrays/array_schema.h"

#include "base/core/text.h"

static int64_t target_columns(const ald_target *y)
{
    if (y->kind == ALD_TARGET_NONE) return 0;
    return y->kind == ALD_TARGET_CLASSES ? 1 : y->values.cols;
}

static ald_status write_column(ald_run *run, ald_text *text, const char *name, int64_t position)
{
    ALD_TRY(ald_text_print(run, text, "{\"name\":"));
    if (name && *name)
        ALD_TRY(ald_text_json(run, text, name));
    else
        ALD_TRY(ald_text_print(run, text, "null"));
    return ald_text_print(run, text, ",\"position\":%lld}", (long long)position);
}

/* Classes without names are called by their codes. */
static ald_status write_classes(ald_run *run, ald_text *text, const ald_target *y)
{
    const int64_t count = y->kind == ALD_TARGET_CLASSES ? y->n_classes : 0;
    for (int64_t k = 0; k < count; k++) {
        if (k) ALD_TRY(ald_text_print(run, text, ","));
        if (y->names)
            ALD_TRY(ald_text_json(run, text, y->names[k]));
        else
            ALD_TRY(ald_text_print(run, text, "\"%lld\"", (long long)k));
    }
    return ALD_OK;
}

static ald_status write_target(ald_run *run, ald_text *text, const ald_dataset *dataset)
{
    static const char *const kinds[] = {"none", "classes", "real", "labels"};
    const ald_target *y = &dataset->target;
    const int64_t count = target_columns(y);
    if (count == 0) return ald_text_print(run, text, "null");
    ALD_TRY(
        ald_text_print(run, text, "{\"source\":\"columns\",\"kind\":\"%s\",\"columns\":[", kinds[y->kind]));
    for (int64_t k = 0; k < count; k++) {
        if (k) ALD_TRY(ald_text_print(run, text, ","));
        ALD_TRY(write_column(run, text, dataset->response_names ? dataset->response_names[k] : NULL,
                             dataset->x.cols + k + 1));
    }
    ALD_TRY(ald_text_print(run, text, "],\"classes\":["));
    ALD_TRY(write_classes(run, text, y));
    return ald_text_print(run, text, "]}");
}

/* Nothing is known to fill in for a cell without a value: "?" for each feature. */
static ald_status write_features(ald_run *run, ald_text *text, const ald_dataset *dataset)
{
    const int64_t d = dataset->x.cols;
    if (!dataset->feature_names) return ald_text_print(run, text, "null");
    ALD_TRY(ald_text_print(run, text,
                           d > 1 ? "{\"named\":true,\"positions\":\"1-%lld\",\"fills\":\""
                                 : "{\"named\":true,\"positions\":\"%lld\",\"fills\":\"",
                           (long long)d));
    for (int64_t j = 0; j < d; j++) ALD_TRY(ald_text_add(run, text, j ? " ?" : "?", j ? 2 : 1));
    return ald_text_print(run, text, "\",\"categorical\":[]}");
}

ald_status ald_schema_of_arrays(ald_run *run, ald_dataset *dataset)
{
    ald_text text;
    ald_text_init(&text, &dataset->memory);
    ALD_TRY(ald_text_print(
        run, &text, "{\"columns\":%lld,\"sparse\":%s,\"encode\":\"onehot\",\"missing\":\"error\",\"target\":",
        (long long)(dataset->x.cols + target_columns(&dataset->target)),
        dataset->x.storage == ALD_DENSE ? "false" : "true"));
    ALD_TRY(write_target(run, &text, dataset));
    ALD_TRY(ald_text_print(run, &text, ",\"weights\":[],\"ignored\":[],\"features\":"));
    ALD_TRY(write_features(run, &text, dataset));
    ALD_TRY(ald_text_print(run, &text, "}"));
    dataset->schema = text.data;
    return ALD_OK;
}
