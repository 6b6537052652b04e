/* The confusion matrix of the model's predictor on rows with a target: a row a true class, a column a
 * predicted one, the darker the larger the share of the true class. Of the rows to test on where they are
 * given, else of the model's.
 */
#include "plotting/colour.h"
#include "plotting/frame.h"
#include "plotting/picture.h"

#include <alidade/evaluate.h>
#include <stdio.h>

enum { most_classes = 40, font = 12 };

typedef struct matrix {
    int c; /* classes */
    const int64_t *counts;
    const char *names[most_classes], *short_names[most_classes];
    int64_t rows, right;
} matrix;

static ald_status draw_confusion_check(ald_run *run, const ald_picture *picture, const ald_dataset *rows)
{
    ald_prediction_shape shape = ALD_PREDICTION_SHAPE_INIT;
    ald_model_prediction_shape(picture->model, &shape);
    if (!rows)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "a plot of the confusion needs rows: give a data file");
    if (shape.columns == 0)
        return ald_fail(
            run->error, ALD_ERROR_UNSUPPORTED,
            "a plot of the confusion needs a model with a predictor: fit it again with one, such as "
            "`predictor=linear`");
    if (shape.kind != ALD_TARGET_CLASSES || rows->target.kind != ALD_TARGET_CLASSES)
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "a plot of the confusion is of classes; the model or these rows have none");
    if (shape.scores <= most_classes && rows->target.n_classes <= most_classes) return ALD_OK;
    return ald_fail(
        run->error, ALD_ERROR_UNSUPPORTED,
        "a plot of the confusion has room for %d classes, there are %lld: `ald_confusion` counts them",
        most_classes, (long long)shape.scores);
}

static ald_status count(ald_run *run, const ald_picture *picture, const ald_dataset *rows, matrix *m)
{
    ald_prediction_shape shape = ALD_PREDICTION_SHAPE_INIT;
    ald_model_prediction_shape(picture->model, &shape);
    const int64_t own = shape.scores;
    const int64_t c = own > rows->target.n_classes ? own : rows->target.n_classes;
    double *prediction;
    int64_t *counts;
    ALD_TRY(ald_scratch_reals(run, rows->x.rows, 1, &prediction));
    ALD_TRY(ald_scratch(run, c, c, sizeof *counts, &counts));
    ALD_TRY(ald_predict(picture->context, picture->model, &rows->x, prediction, run->error));
    ALD_TRY(ald_confusion(picture->context, &rows->target, prediction, c, counts, run->error));
    m->c = (int)c;
    m->counts = counts;
    for (int i = 0; i < m->c * m->c; i++) {
        m->rows += counts[i];
        if (i / m->c == i % m->c) m->right += counts[i];
    }
    return ALD_OK;
}

/* Class names, numbers from 0 where there are none; short ones for under the columns. */
static ald_status name_classes(ald_run *run, const ald_target *y, double room, matrix *m)
{
    for (int i = 0; i < m->c; i++) {
        ald_text number;
        ald_text_init(&number, &run->scratch);
        m->names[i] = y->names && i < y->n_classes ? y->names[i] : NULL;
        if (!m->names[i]) {
            ALD_TRY(ald_text_print(run, &number, "%d", i));
            m->names[i] = number.data;
        }
        ALD_TRY(ald_svg_shorten(run, m->names[i], font, room, &m->short_names[i]));
    }
    return ALD_OK;
}

/* From white to the colour; it covers the grid. */
static unsigned mix(unsigned colour, double share)
{
    unsigned mixed = 0;
    for (int shift = 0; shift <= 16; shift += 8)
        mixed |= (unsigned)(255.5 + share * ((double)(colour >> shift & 0xff) - 255.0)) << shift;
    return mixed;
}

static ald_status draw_cell(ald_run *run, const matrix *m, int t, int p, const ald_frame *frame, ald_svg *svg)
{
    const double width = frame->width / m->c, height = frame->height / m->c;
    const double x = ald_frame_x(frame, p), y = ald_frame_y(frame, t);
    const long long count_here = (long long)m->counts[t * m->c + p];
    int64_t of_class = 0;
    char style[64], text[24];
    for (int j = 0; j < m->c; j++) of_class += m->counts[t * m->c + j];
    const double share = of_class ? (double)count_here / (double)of_class : 0.0;
    snprintf(style, sizeof style, "class=\"cell\" fill=\"#%06x\"", mix((unsigned)ald_class_colour(0), share));
    ALD_TRY(ald_svg_rect(run, svg, x - width / 2, y - height / 2, width, height, style));
    snprintf(text, sizeof text, "%lld", count_here);
    if (count_here == 0 || ald_svg_text_width(text, font) > width || height < font) return ALD_OK;
    return ald_svg_text(run, svg, x, y + 4, ALD_ANCHOR_MIDDLE, share > 0.5 ? "fill=\"#fff\"" : "", text);
}

ald_status ald_draw_confusion(ald_run *run, const ald_picture *picture, ald_svg *svg)
{
    const ald_dataset *rows = picture->test ? picture->test : picture->data;
    const ald_plot_options *options = &picture->options;
    matrix m = {0};
    char title[96];
    ALD_TRY(draw_confusion_check(run, picture, rows));
    ALD_TRY(count(run, picture, rows, &m));
    ALD_TRY(name_classes(run, &rows->target, 0.75 * options->width / m.c - 6, &m));
    snprintf(title, sizeof title, "%lld of %lld rows predicted right by %.40s", (long long)m.right,
             (long long)m.rows,
             ald_model_method(picture->model) ? ald_model_method(picture->model) : "the model");
    ald_frame frame = {.title = options->title ? options->title : title,
                       .right_margin = 30,
                       .x = {.label = "predicted class", .names = m.short_names, .n_names = m.c},
                       .y = {.label = "true class", .names = m.names, .n_names = m.c}};
    ALD_TRY(ald_frame_begin(run, &frame, svg, options->width, options->height));
    for (int i = 0; i < m.c * m.c; i++) ALD_TRY(draw_cell(run, &m, i / m.c, i % m.c, &frame, svg));
    return ald_frame_note(run, &frame, svg,
                          "numbers of rows; the darker, the larger the share of the true class");
}
