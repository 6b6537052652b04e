/* Pictures as SVG. */
#ifndef ALIDADE_PLOT_H
#define ALIDADE_PLOT_H

#include <alidade/compare.h>
#include <alidade/dataset.h>
#include <alidade/model.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ald_plot_options {
    size_t size;
    /* "projection", "scores" (with an ellipse and a name for each group, and row names where they fit),
     * "biplot" (the projection with an arrow for each of the leading columns: its correlations with the two
     * components), "labels" (a small projection for each of several labels), "predicted" (against measured,
     * with residuals), "weights", "loadings", "coefficients" (curves over the columns), "outliers" (T^2
     * against Q with their limits), "tuning" (the curve of a tuned model), "spectrum", "importance",
     * "eigengap" (of the eigenvalues; for sdpp, of the convex optimum), "continuity", "confusion" (by the
     * model's predictor; of `test` if given), "calibration" (probabilities of classes against shares, of
     * the same rows); NULL: projection if there are data, otherwise spectrum */
    const char *kind;
    int x_component; /* components on the axes, from 1; 0: the first and the second */
    int y_component;
    int64_t response; /* the response that determines the colour, from 0 */
    int by_label;     /* several labels per row: colour by label `response`, not by the number of labels */
    /* importance: "vip", "structure", "standardized", "weights", "loadings" (importance.h; all but vip for
     * component x_component); computed from `data` if they need rows. NULL: vip */
    const char *importance;
    const char *title; /* NULL: made from method and data */
    int width, height; /* 0: 800 x 600 */
} ald_plot_options;
#define ALD_PLOT_OPTIONS_INIT ALD_INIT(ald_plot_options)

/* `data` are the rows the model was fitted on (NULL: none), `test` further rows, drawn with a different mark
 * (NULL: none). The picture is a text; free with ald_text_free. */
ALD_API ald_status ald_plot(ald_context *context, const ald_model *model, const ald_dataset *data,
                            const ald_dataset *test, const ald_plot_options *options, char **svg,
                            ald_error *error);
/* The metric against the number of components: a line per name, with its standard deviation; candidates
 * without components are horizontal lines. names[i] is the name of row i, and rows of the same name form one
 * line; NULL: the labels. Only title, width and height of the options are used. */
ALD_API ald_status ald_plot_comparison(ald_context *context, const ald_comparison *comparison,
                                       const char *const *names, const ald_plot_options *options, char **svg,
                                       ald_error *error);
/* How often each of `count` features is among the leading ones over resamples: `share` from 0 to 1, and the
 * largest share that chance alone would give (NaN: not drawn). Only title, width and height of the options
 * are used. */
ALD_API ald_status ald_plot_selection(ald_context *context, const char *const *names, const double *share,
                                      int64_t count, double chance, const ald_plot_options *options,
                                      char **svg, ald_error *error);
ALD_API void ald_text_free(ald_context *context, char *text);

#ifdef __cplusplus
}
#endif
#endif
