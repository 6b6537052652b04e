#include "show/plotting/picture.h"

enum { default_width = 800, default_height = 600, least_width = 200, least_height = 150, most_size = 10000 };

static ald_status check_size(ald_run *run, const char *what, int *size, int initial, int least)
{
    if (*size == 0) *size = initial;
    if (*size >= least && *size <= most_size) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_ARGUMENT, "the %s of a plot is %d to %d pixels, not %d", what,
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
