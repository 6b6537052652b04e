/* The confusion matrix of the model's predictor on rows with a target: a row is a true class, a column a
 * predicted one, the darker the larger the share of the true class. For the test rows if given, otherwise
 * for the model's. */
#include "show/canvas/frame.h"
#include "show/canvas/marks.h"
#include "show/plotting/picture.h"

#include <alidade/evaluate.h>
#include <math.h>
#include <stdio.h>

enum { most_classes = 50, font = 12, least_font = 7, roomy_cell = 20, usual_classes = 20 };

typedef struct matrix {
    int c; /* classes */
    const int64_t *counts;
    const char *names[most_classes];
    int64_t rows, right;
    int named_upwards; /* names below the columns do not fit side by side */
} matrix;

void ald_confusion_size(ald_picture *picture)
{
    const ald_dataset *rows = picture->test ? picture->test : picture->data;
    ald_plot_options *o = &picture->options;
    if (!rows || rows->target.n_classes <= usual_classes || rows->target.n_classes > most_classes) return;
    if (o->width == 0) o->width = 220 + roomy_cell * (int)rows->target.n_classes;
    if (o->height == 0) o->height = 220 + roomy_cell * (int)rows->target.n_classes;
}

static ald_status draw_confusion_check(ald_run *run, const ald_picture *picture, const ald_dataset *rows)
{
    ald_prediction_shape shape = ALD_PREDICTION_SHAPE_INIT;
    ald_model_prediction_shape(picture->model, &shape);
    if (!rows)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT, "a confusion plot needs rows: give a data file");
    if (shape.columns == 0)
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "a confusion plot needs a model with a predictor: fit it again with one, such as "
                        "`predictor=linear`");
    if (shape.kind != ALD_TARGET_CLASSES || rows->target.kind != ALD_TARGET_CLASSES)
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "a confusion plot needs classes; the model or these rows have none");
    if (shape.scores <= most_classes && rows->target.n_classes <= most_classes) return ALD_OK;
    return ald_fail(
        run->error, ALD_ERROR_UNSUPPORTED,
        "a confusion plot shows at most %d classes, and there are %lld: `ald_confusion` counts them",
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

/* Class names, numbers from 0 where there are none. */
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
        if (ald_svg_text_width(m->names[i], font) > room) m->named_upwards = 1;
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

/* As large as the cell has room for, down to what can still be read. */
static ald_status write_count(ald_run *run, const char *text, ald_box cell, int dark, ald_svg *svg)
{
    const double wide = ald_svg_text_width(text, 1.0),
                 size = fmin(font, fmin(0.75 * cell.height, 0.95 * cell.width / wide));
    char style[64], number[ALD_TICK_SIZE];
    if (size < least_font) return ALD_OK;
    ald_fixed_text(size, 1, number);
    snprintf(style, sizeof style, "%sfont-size=\"%.16s\"", dark ? "fill=\"#fff\" " : "", number);
    if (size == font) snprintf(style, sizeof style, "%s", dark ? "fill=\"#fff\"" : "");
    return ald_svg_text(run, svg, cell.x + cell.width / 2, cell.y + cell.height / 2 + 0.35 * size,
                        ALD_ANCHOR_MIDDLE, style, text);
}

static ald_status draw_cell(ald_run *run, const matrix *m, int t, int p, const ald_frame *frame, ald_svg *svg)
{
    const double width = frame->width / m->c, height = frame->height / m->c;
    const double x = ald_frame_x(frame, p), y = ald_frame_y(frame, t);
    const ald_box cell = {x - width / 2, y - height / 2, width, height};
    const long long count_here = (long long)m->counts[t * m->c + p];
    int64_t of_class = 0;
    char style[64], text[24];
    for (int j = 0; j < m->c; j++) of_class += m->counts[t * m->c + j];
    const double share = of_class ? (double)count_here / (double)of_class : 0.0;
    snprintf(style, sizeof style, "class=\"cell\" fill=\"#%06x\"", mix((unsigned)ald_class_colour(0), share));
    ALD_TRY(ald_svg_rect(run, svg, cell.x, cell.y, width, height, style));
    snprintf(text, sizeof text, "%lld", count_here);
    return count_here > 0 ? write_count(run, text, cell, share > 0.5, svg) : ALD_OK;
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
    snprintf(title, sizeof title, "%lld of %lld %s rows predicted correctly by %.40s", (long long)m.right,
             (long long)m.rows, picture->test ? "test" : "training",
             ald_model_method(picture->model) ? ald_model_method(picture->model) : "the model");
    ald_frame frame = {
        .title = options->title ? options->title : title,
        .right_margin = 30,
        .font = m.c > usual_classes ? 10 : 0,
        .x = {.label = "predicted class", .names = m.names, .n_names = m.c, .up = m.named_upwards},
        .y = {.label = "true class", .names = m.names, .n_names = m.c},
    };
    ALD_TRY(ald_frame_begin(run, &frame, svg, options->width, options->height));
    for (int i = 0; i < m.c * m.c; i++) ALD_TRY(draw_cell(run, &m, i / m.c, i % m.c, &frame, svg));
    return ald_frame_note(run, &frame, svg,
                          "numbers of rows; the darker, the larger the share of the true class");
}
