/* What all kinds of pictures ask for: sizes, arrays of the model, names of features. */
#include "show/plotting/picture.h"

#include "base/core/json.h"

#include <string.h>

enum { default_width = 800, default_height = 600, least_width = 200, least_height = 150, most_size = 10000 };

static ald_status check_size(ald_run *run, const char *what, int *size, int initial, int least)
{
    if (*size == 0) *size = initial;
    if (*size >= least && *size <= most_size) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_ARGUMENT, "the %s of a plot must be %d to %d pixels, not %d", what,
                    least, most_size, *size);
}

int64_t ald_picture_vector(const ald_picture *picture, const char *name, const double **values)
{
    ald_array array;
    if (!ald_model_array(picture->model, name, &array) || array.type != ALD_ARRAY_F64 || array.dims != 1)
        return 0;
    *values = array.data;
    return array.shape[0];
}

int64_t ald_picture_shares(const ald_picture *picture, const double **shares, const char **whole)
{
    static const struct {
        const char *array, *whole;
    } kinds_of_share[] = {
        {"explained_variance_ratio", "variance"},
        {"explained_response_ratio", "the response"},
    };
    for (size_t i = 0; i < sizeof kinds_of_share / sizeof *kinds_of_share; i++) {
        const int64_t n = ald_picture_vector(picture, kinds_of_share[i].array, shares);
        *whole = kinds_of_share[i].whole;
        if (n > 0) return n;
    }
    return 0;
}

ald_status ald_picture_size(ald_run *run, ald_plot_options *options)
{
    ALD_TRY(check_size(run, "width", &options->width, default_width, least_width));
    return check_size(run, "height", &options->height, default_height, least_height);
}

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
