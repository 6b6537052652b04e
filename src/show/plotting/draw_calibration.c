/* Whether probabilities are what they say. The probabilities that the model gives to a class fall into ten
 * steps; of the n rows in a step, with mean probability m, a share h / n has the class. Points (m, h / n)
 * lie on the diagonal where probabilities are right, with Wilson's interval of 95 %. For the test rows if
 * given, otherwise for the model's. */
#include "show/canvas/legend.h"
#include "show/canvas/marks.h"
#include "show/plotting/picture.h"

#include <math.h>
#include <stdio.h>

enum { steps = 10, most_classes = 8 };

typedef struct step {
    double n, sum, hits;
} step;

static ald_status check_rows(ald_run *run, const ald_picture *picture, const ald_dataset *rows,
                             ald_prediction_shape *shape)
{
    ald_model_prediction_shape(picture->model, shape);
    if (!rows)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "a plot of the calibration needs rows: give a data file");
    if (shape->kind != ALD_TARGET_CLASSES || rows->target.kind != ALD_TARGET_CLASSES)
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "a plot of the calibration needs classes and a model that predicts them; for numbers "
                        "draw predicted against measured");
    if (shape->probabilities) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                    "a plot of the calibration needs probabilities, and the predictor of this model gives "
                    "scores: fit it with `predictor=gaussian`, `logistic` or `knn`");
}

static void count_rows(const ald_target *y, int64_t classes, const double *scores, int64_t c, step *found)
{
    for (int64_t i = 0; i < y->rows; i++) {
        const double p = scores[i * classes + c];
        if ((y->labelled && !y->labelled[i]) || !(p >= 0.0)) continue;
        step *s = &found[(int)fmin(steps - 1, floor(steps * p))];
        s->n += 1.0;
        s->sum += p;
        s->hits += y->classes[i] == c;
    }
}

static ald_status draw_interval(ald_run *run, const ald_frame *frame, const step *s, int colour, ald_svg *svg)
{
    const double z = 1.96 * 1.96 / s->n, share = s->hits / s->n, x = ald_frame_x(frame, s->sum / s->n),
                 middle = (share + z / 2) / (1 + z),
                 half = sqrt(z * share * (1 - share) + z * z / 4) / (1 + z);
    char style[96];
    snprintf(style, sizeof style, "stroke=\"#%06x\" stroke-width=\"1.2\" stroke-opacity=\"0.6\"",
             (unsigned)colour);
    return ald_svg_line(run, svg, x, ald_frame_y(frame, middle - half), x, ald_frame_y(frame, middle + half),
                        style);
}

static ald_status draw_class(ald_run *run, const ald_frame *frame, const step *found, int index, ald_svg *svg)
{
    const int colour = ald_line_colour(ald_class_colour(index));
    double x[steps], y[steps];
    int count = 0;
    char style[64];
    for (int s = 0; s < steps; s++) {
        if (found[s].n == 0.0) continue;
        x[count] = found[s].sum / found[s].n;
        y[count++] = found[s].hits / found[s].n;
        ALD_TRY(draw_interval(run, frame, &found[s], colour, svg));
    }
    snprintf(style, sizeof style, "class=\"class\" stroke=\"#%06x\" stroke-width=\"1.5\"", (unsigned)colour);
    ALD_TRY(ald_curve_draw(run, frame, count, x, y, style, svg));
    for (int k = 0; k < count; k++)
        ALD_TRY(ald_svg_mark(run, svg, ald_class_look(index, most_classes), ald_frame_x(frame, x[k]),
                             ald_frame_y(frame, y[k]), 4, NULL));
    return ALD_OK;
}

static ald_status list_classes(ald_run *run, const ald_target *y, int64_t first, int64_t end,
                               ald_legend *legend)
{
    for (int64_t c = first; c < end; c++) {
        ald_text number;
        ald_text_init(&number, &run->scratch);
        ALD_TRY(ald_text_print(run, &number, "%lld", (long long)c));
        const int known = y->names && c < y->n_classes && y->names[c];
        const ald_legend_item item = {
            .colour = ald_class_colour((int)c),
            .text = known ? y->names[c] : number.data,
        };
        ald_legend_add(legend, item);
    }
    return ALD_OK;
}

ald_status ald_draw_calibration(ald_run *run, const ald_picture *picture, ald_svg *svg)
{
    const ald_dataset *rows = picture->test ? picture->test : picture->data;
    const ald_plot_options *o = &picture->options;
    ald_prediction_shape shape = ALD_PREDICTION_SHAPE_INIT;
    ald_legend legend = {.n = 0};
    double *scores;
    char title[96];
    ALD_TRY(check_rows(run, picture, rows, &shape));
    ALD_TRY(ald_scratch_reals(run, rows->x.rows, shape.scores, &scores));
    ALD_TRY(ald_predict_scores(picture->context, picture->model, &rows->x, scores, run->error));
    const int64_t first = shape.scores == 2, end = shape.scores < most_classes ? shape.scores : most_classes;
    snprintf(title, sizeof title, "Calibration of the probabilities, %s rows",
             picture->test ? "test" : "training");
    ald_frame frame = {
        .title = o->title ? o->title : title,
        .x = {.label = "probability given", .range = {0.0, 1.0}, .padding = 0.02},
        .y = {.label = "share of the rows that have the class", .range = {0.0, 1.0}, .padding = 0.02},
    };
    ALD_TRY(list_classes(run, &rows->target, first, end, &legend));
    frame.right_margin = ald_legend_width(&legend, o->width / 3.5);
    ALD_TRY(ald_frame_begin(run, &frame, svg, o->width, o->height));
    const double ends[] = {0.0, 1.0};
    ALD_TRY(ald_curve_draw(run, &frame, 2, ends, ends, "stroke=\"#888\" stroke-dasharray=\"6 4\"", svg));
    for (int64_t c = first; c < end; c++) {
        step found[steps] = {{0}};
        count_rows(&rows->target, shape.scores, scores, c, found);
        ALD_TRY(draw_class(run, &frame, found, (int)c, svg));
    }
    ALD_TRY(ald_legend_draw(run, &legend, &frame, svg));
    return ald_frame_note(run, &frame, svg,
                          picture->test ? "rows in ten steps of the probability, with intervals of 95 %"
                                        : "rows of the fit look better than others: give test rows");
}
