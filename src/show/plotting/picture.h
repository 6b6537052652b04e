/* What a picture is made from, and the kinds of pictures. */
#ifndef ALD_PLOTTING_PICTURE_H
#define ALD_PLOTTING_PICTURE_H

#include "data/encode/dataset.h"
#include "show/canvas/svg.h"

#include <alidade/plot.h>

typedef struct ald_picture {
    ald_context *context;
    const ald_model *model;
    const ald_dataset *data;  /* NULL: none */
    const ald_dataset *test;  /* NULL: none */
    ald_plot_options options; /* with width and height set; title may be NULL */
} ald_picture;

ald_status ald_draw_projection(ald_run *run, const ald_picture *picture, ald_svg *svg);
ald_status ald_draw_scores(ald_run *run, const ald_picture *picture, ald_svg *svg);
ald_status ald_draw_biplot(ald_run *run, const ald_picture *picture, ald_svg *svg);
ald_status ald_draw_labels(ald_run *run, const ald_picture *picture, ald_svg *svg);
ald_status ald_draw_predicted(ald_run *run, const ald_picture *picture, ald_svg *svg);
ald_status ald_draw_weights(ald_run *run, const ald_picture *picture, ald_svg *svg);
ald_status ald_draw_loadings(ald_run *run, const ald_picture *picture, ald_svg *svg);
ald_status ald_draw_coefficients(ald_run *run, const ald_picture *picture, ald_svg *svg);
ald_status ald_draw_outliers(ald_run *run, const ald_picture *picture, ald_svg *svg);
ald_status ald_draw_tuning(ald_run *run, const ald_picture *picture, ald_svg *svg);
ald_status ald_draw_spectrum(ald_run *run, const ald_picture *picture, ald_svg *svg);
ald_status ald_draw_importance(ald_run *run, const ald_picture *picture, ald_svg *svg);
ald_status ald_draw_eigengap(ald_run *run, const ald_picture *picture, ald_svg *svg);
ald_status ald_draw_confusion(ald_run *run, const ald_picture *picture, ald_svg *svg);
ald_status ald_draw_calibration(ald_run *run, const ald_picture *picture, ald_svg *svg);
ald_status ald_draw_s_plot(ald_run *run, const ald_picture *picture, ald_svg *svg);
ald_status ald_draw_continuity(ald_run *run, const ald_picture *picture, ald_svg *svg);

/* A size that leaves every cell legible, where none was given. */
void ald_confusion_size(ald_picture *picture);
/* Width and height that were not given, and that those given make sense. */
ald_status ald_picture_size(ald_run *run, ald_plot_options *options);
/* A vector of reals of the model in `values`, and its length; 0 where there is none. */
int64_t ald_picture_vector(const ald_picture *picture, const char *name, const double **values);
/* What part each component explains, if the model says so, and of what: "variance" or "the response". */
int64_t ald_picture_shares(const ald_picture *picture, const double **shares, const char **whole);

/* The names of the features: those of the model, else of the data, else x1, x2, ...; d of them in the
 * scratch of the run. */
ald_status ald_feature_names(ald_run *run, const ald_picture *picture, int64_t d, const char ***names);

#endif
