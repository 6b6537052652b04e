/* ald_plot: the table of the kinds of pictures, and what each needs. */
#include "base/core/error.h"
#include "base/settings/options.h"
#include "show/plotting/picture.h"

#include <string.h>

typedef struct plot_kind {
    const char *name;
    ald_status (*draw)(ald_run *run, const ald_picture *picture, ald_svg *svg);
} plot_kind;

static const plot_kind kinds[] = {
    {"projection", ald_draw_projection}, {"scores", ald_draw_scores},
    {"biplot", ald_draw_biplot},         {"labels", ald_draw_labels},
    {"predicted", ald_draw_predicted},   {"weights", ald_draw_weights},
    {"loadings", ald_draw_loadings},     {"coefficients", ald_draw_coefficients},
    {"outliers", ald_draw_outliers},     {"tuning", ald_draw_tuning},
    {"spectrum", ald_draw_spectrum},     {"importance", ald_draw_importance},
    {"eigengap", ald_draw_eigengap},     {"continuity", ald_draw_continuity},
    {"confusion", ald_draw_confusion},   {"calibration", ald_draw_calibration},
    {"s-plot", ald_draw_s_plot},
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
    return ald_fail(
        run->error, ALD_ERROR_ARGUMENT,
        "there is no plot '%.40s'; choose projection, scores, biplot, labels, predicted, weights, "
        "loadings, coefficients, outliers, tuning, spectrum, importance, eigengap, continuity, confusion, "
        "calibration or s-plot",
        asked);
}

static ald_status draw(ald_run *run, ald_picture *picture, char **text)
{
    const plot_kind *kind = NULL;
    ald_svg svg;
    ALD_TRY(find_kind(run, picture, &kind));
    if (kind->draw == ald_draw_confusion) ald_confusion_size(picture);
    ALD_TRY(ald_picture_size(run, &picture->options));
    ALD_TRY(kind->draw(run, picture, &svg));
    ALD_TRY(ald_svg_end(run, &svg));
    return ald_svg_keep(run, &svg, text);
}

ald_status ald_plot(ald_context *context, const ald_model *model, const ald_dataset *data,
                    const ald_dataset *test, const ald_plot_options *options, char **svg, ald_error *error)
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
