#include "show/plotting/feature_names.h"

#include "base/core/json.h"

#include <string.h>

/* From the model's JSON list ("": unnamed), the data, or numbered. `list` may be NULL. */
static ald_status name_one(ald_run *run, const ald_dataset *data, const json_t *list, int64_t feature,
                           const char **name)
{
    const char *known = json_string_value(json_array_get(list, (size_t)feature));
    if (known && !*known) known = NULL;
    if (!known && data && data->feature_names && feature < data->x.cols) known = data->feature_names[feature];
    ald_text text;
    ald_text_init(&text, &run->scratch);
    ALD_TRY(known ? ald_text_add(run, &text, known, strlen(known))
                  : ald_text_print(run, &text, "x%lld", (long long)feature + 1));
    *name = text.data;
    return ALD_OK;
}

ald_status ald_feature_names(ald_run *run, const ald_picture *picture, int64_t d, const char ***names)
{
    const char *text = ald_model_text(picture->model, "alidade.feature_names");
    const ald_dataset *data = picture->data ? picture->data : picture->test;
    json_t *list = NULL;
    ALD_TRY(ald_scratch(run, d > 0 ? d : 1, 1, sizeof **names, names));
    if (text)
        ALD_TRY(ald_json_parse(run, text, strlen(text), "the feature names of the model are damaged", &list));
    const json_t *usable = (int64_t)json_array_size(list) == d ? list : NULL;
    ald_status status = ALD_OK;
    for (int64_t j = 0; j < d && status == ALD_OK; j++) status = name_one(run, data, usable, j, &(*names)[j]);
    json_decref(list);
    return status;
}
