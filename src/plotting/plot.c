#include "core/given.h"
#include "core/options.h"
#include "plotting/picture.h"

#include <string.h>

enum { default_width = 800, default_height = 600, least_width = 200, least_height = 150, most_size = 10000 };

typedef struct plot_kind {
    const char *name;
    ald_status (*draw)(ald_run *run, const ald_picture *picture, ald_svg *svg);
} plot_kind;

static const plot_kind kinds[] = {
    {"projection", ald_draw_projection}, {"spectrum", ald_draw_spectrum},     {"importance", ald_draw_importance},
    {"eigengap", ald_draw_eigengap},     {"continuity", ald_draw_continuity}, {"confusion", ald_draw_confusion},
};

static ald_status find_kind(ald_run *run, const ald_picture *picture, const plot_kind **kind)
{
    const char *asked = picture->options.kind;
    if (!asked) asked = picture->data || picture->test ? "projection" : "spectrum";
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(asked, kinds[i].name) == 0) {
            *kind = &kinds[i];
            return ALD_OK;
        }
    return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                    "there is no plot '%.40s'; there are projection, spectrum, importance, eigengap, continuity and "
                    "confusion",
                    asked);
}

static ald_status check_size(ald_run *run, const char *what, int *size, int initial, int least)
{
    if (*size == 0) *size = initial;
    if (*size >= least && *size <= most_size) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_ARGUMENT, "the %s of a plot is %d to %d pixels, not %d", what, least,
                    most_size, *size);
}

int64_t ald_picture_vector(const ald_picture *picture, const char *name, const double **values)
{
    ald_array array;
    if (!ald_model_array(picture->model, name, &array) || array.type != ALD_ARRAY_F64 || array.dims != 1) return 0;
    *values = array.data;
    return array.shape[0];
}

int64_t ald_picture_shares(const ald_picture *picture, const double **shares, const char **whole)
{
    static const struct {
        const char *array, *whole;
    } kinds_of_share[] = {{"explained_variance_ratio", "variance"}, {"explained_response_ratio", "the response"}};
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

static ald_status draw(ald_run *run, ald_picture *picture, char **text)
{
    const plot_kind *kind = NULL;
    ald_svg svg;
    ALD_TRY(ald_picture_size(run, &picture->options));
    ALD_TRY(find_kind(run, picture, &kind));
    ALD_TRY(kind->draw(run, picture, &svg));
    ALD_TRY(ald_svg_end(run, &svg));
    return ald_svg_keep(run, &svg, text);
}

ald_status ald_plot(ald_context *context, const ald_model *model, const ald_dataset *data, const ald_dataset *test,
                    const ald_plot_options *options, char **svg, ald_error *error)
{
    ald_run run;
    ald_picture picture = {.context = context, .model = model, .data = data, .test = test};
    if (svg) *svg = NULL;
    ALD_GIVEN(error, context, model, svg);
    ALD_TRY(ALD_OPTIONS_READ(error, ald_plot_options, options, &picture.options));
    ald_run_begin(&run, context, error);
    return ald_run_end(&run, draw(&run, &picture, svg));
}

void ald_text_free(ald_context *context, char *text)
{
    if (context && text) context->allocator.resize(context->allocator.user, text, 0);
}
