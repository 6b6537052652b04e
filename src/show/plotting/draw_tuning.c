/* The curve of a tuned model: the metric of every pair of settings and number of components with its standard
 * error, a line per settings; what was chosen, and by which rule. Where one number of components was tried
 * the settings stand side by side instead. */
#include "base/core/json.h"
#include "base/numbers/number.h"
#include "show/canvas/legend.h"
#include "show/canvas/marks.h"
#include "show/plotting/picture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { most_lines = 14 };

typedef struct tuned {
    int64_t n, settings; /* pairs, settings */
    const int64_t *dims, *setting, *count;
    const double *mean, *std;
    int64_t chosen;
    double within; /* NaN: not known */
    const char **names;
    int one_se, side_by_side;
    int64_t shown[most_lines];
    int lines;
    const char *metric;
} tuned;

static const int64_t *wholes(const ald_model *model, const char *name, int64_t n)
{
    ald_array array;
    if (!ald_model_array(model, name, &array) || array.type != ALD_ARRAY_I64 || array.dims != 1 ||
        (n > 0 && array.shape[0] != n))
        return NULL;
    return array.data;
}

static double number_text(const ald_model *model, const char *key, double absent)
{
    const char *text = ald_model_text(model, key);
    double value;
    return text && ald_parse_real(text, strlen(text), &value) ? value : absent;
}

static ald_status read_arrays(ald_run *run, const ald_model *model, tuned *t)
{
    ald_array dims;
    if (!ald_model_array(model, "tuning/dims", &dims) || dims.dims != 1)
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "a tuning plot needs a tuned model, and this one was only fitted: tune one");
    t->n = dims.shape[0];
    t->dims = wholes(model, "tuning/dims", t->n);
    t->setting = wholes(model, "tuning/setting", t->n);
    t->count = wholes(model, "tuning/count", t->n);
    t->mean = ald_model_reals(model, "tuning/mean", t->n, -1);
    t->std = ald_model_reals(model, "tuning/std", t->n, -1);
    t->chosen = (int64_t)number_text(model, "alidade.tuning.chosen", -1.0);
    t->within = number_text(model, "alidade.tuning.within", (double)NAN);
    t->metric = ald_model_text(model, "alidade.tuning.metric");
    const char *rule = ald_model_text(model, "alidade.tuning.rule");
    t->one_se = rule && strcmp(rule, "one-se") == 0;
    if (t->n > 0 && t->dims && t->setting && t->mean && t->std && t->metric) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_FORMAT, "damaged model: the curve of its tuning is incomplete");
}

static ald_status read_names(ald_run *run, const ald_model *model, tuned *t)
{
    const char *text = ald_model_text(model, "alidade.tuning.settings");
    json_t *list = NULL;
    ald_status status = ALD_OK;
    if (!text) return ald_fail(run->error, ALD_ERROR_FORMAT, "damaged model: its tuning names no settings");
    ALD_TRY(ald_json_parse(run, text, strlen(text), "the settings of the tuning are damaged", &list));
    t->settings = (int64_t)json_array_size(list);
    if (t->settings > 0) status = ald_scratch(run, t->settings, 1, sizeof *t->names, &t->names);
    for (int64_t s = 0; status >= 0 && s < t->settings; s++) {
        const char *name = json_string_value(json_array_get(list, (size_t)s));
        ald_text copy;
        ald_text_init(&copy, &run->scratch);
        status = ald_text_print(run, &copy, "%s", name ? name : "?");
        t->names[s] = copy.data;
    }
    json_decref(list);
    for (int64_t i = 0; status >= 0 && i < t->n; i++)
        if (t->setting[i] < 0 || t->setting[i] >= t->settings)
            status = ald_fail(run->error, ALD_ERROR_FORMAT, "damaged model: its tuning names no setting %lld",
                              (long long)t->setting[i]);
    return status;
}

/* Names without the words that all of them begin with. */
static void drop_common_words(tuned *t)
{
    size_t same = 0, word = 0;
    for (int going = t->settings > 1; going; same += (size_t)going) {
        for (int64_t s = 0; s < t->settings; s++)
            going &= t->names[s][same] && t->names[s][same] == t->names[0][same];
        if (going && t->names[0][same] == ' ') word = same + 1;
    }
    for (int64_t s = 0; s < t->settings; s++) t->names[s] += word;
}

/* The standard error of a row, or NaN: models of older versions do not say how many splits they had. */
static double standard_error(const tuned *t, int64_t i)
{
    return t->count && t->count[i] > 0 ? t->std[i] / sqrt((double)t->count[i]) : (double)NAN;
}

static double best_of(const tuned *t, int64_t setting, int up)
{
    double best = (double)NAN;
    for (int64_t i = 0; i < t->n; i++)
        if (t->setting[i] == setting && isfinite(t->mean[i]) &&
            (isnan(best) || (up ? t->mean[i] > best : t->mean[i] < best)))
            best = t->mean[i];
    return best;
}

static int is_shown(const tuned *t, int64_t setting)
{
    for (int k = 0; k < t->lines; k++)
        if (t->shown[k] == setting) return 1;
    return 0;
}

/* The chosen one and the best ones, in the order in which they were tried. */
static void choose_lines(tuned *t, int up)
{
    const int64_t wanted = t->settings < most_lines ? t->settings : most_lines;
    if (t->chosen >= 0 && t->chosen < t->n) t->shown[t->lines++] = t->setting[t->chosen];
    while (t->lines < wanted) {
        int64_t next = -1;
        for (int64_t s = 0; s < t->settings; s++) {
            if (is_shown(t, s)) continue;
            const double now = best_of(t, s, up), before = next >= 0 ? best_of(t, next, up) : (double)NAN;
            if (next < 0 || (isnan(before) && !isnan(now)) || (up ? now > before : now < before)) next = s;
        }
        t->shown[t->lines++] = next;
    }
    for (int k = 1; k < t->lines; k++)
        for (int i = k; i > 0 && t->shown[i] < t->shown[i - 1]; i--) {
            const int64_t swap = t->shown[i];
            t->shown[i] = t->shown[i - 1];
            t->shown[i - 1] = swap;
        }
}

static int has_one_dim(const tuned *t)
{
    for (int64_t i = 1; i < t->n; i++)
        if (t->dims[i] != t->dims[0]) return 0;
    return 1;
}

/* Lines are offset slightly, so that their errors can be distinguished. */
static double place_of(const tuned *t, int line, int64_t i)
{
    if (t->side_by_side) return line;
    return (double)t->dims[i] + 0.3 * ((line + 0.5) / t->lines - 0.5);
}

static ald_status draw_point(ald_run *run, const tuned *t, const ald_frame *frame, int line, int64_t i,
                             ald_svg *svg)
{
    const ald_mark_look look = ald_class_look(line, t->lines);
    const double x = ald_frame_x(frame, place_of(t, line, i)), y = ald_frame_y(frame, t->mean[i]),
                 error = standard_error(t, i);
    char style[64];
    snprintf(style, sizeof style, "stroke=\"#%06x\"", (unsigned)look.colour);
    if (isfinite(error)) {
        const double low = ald_frame_y(frame, t->mean[i] - error),
                     high = ald_frame_y(frame, t->mean[i] + error);
        ALD_TRY(ald_svg_line(run, svg, x, low, x, high, style));
        ALD_TRY(ald_svg_line(run, svg, x - 3, low, x + 3, low, style));
        ALD_TRY(ald_svg_line(run, svg, x - 3, high, x + 3, high, style));
    }
    ALD_TRY(ald_svg_mark(run, svg, look, x, y, 4, t->names[t->setting[i]]));
    if (i != t->chosen) return ALD_OK;
    return ald_svg_mark(run, svg, (ald_mark_look){ALD_CIRCLE, 1, ALD_INK}, x, y, 9, NULL);
}

static ald_status draw_line(ald_run *run, const tuned *t, const ald_frame *frame, int line, ald_svg *svg)
{
    double *x, *y;
    int64_t n = 0;
    char style[96];
    ALD_TRY(ALD_SCRATCH(run, {&x, t->n, 1}, {&y, t->n, 1}));
    for (int64_t i = 0; i < t->n; i++) {
        if (t->setting[i] != t->shown[line]) continue;
        x[n] = place_of(t, line, i);
        y[n++] = t->mean[i];
    }
    snprintf(style, sizeof style, "stroke=\"#%06x\" stroke-width=\"1.8\"",
             (unsigned)ald_class_look(line, t->lines).colour);
    if (!t->side_by_side) ALD_TRY(ald_curve_draw(run, frame, n, x, y, style, svg));
    for (int64_t i = 0; i < t->n; i++)
        if (t->setting[i] == t->shown[line] && isfinite(t->mean[i]))
            ALD_TRY(draw_point(run, t, frame, line, i, svg));
    return ALD_OK;
}

static void set_ranges(const tuned *t, ald_frame *frame)
{
    frame->x.range = (ald_range){0.5, 1.5};
    frame->x.whole = 1;
    frame->y.range = ald_range_empty();
    frame->y.padding = 0.06;
    for (int64_t i = 0; i < t->n; i++) {
        const double error = standard_error(t, i);
        if (!is_shown(t, t->setting[i])) continue;
        ald_range_add(&frame->x.range, (double)t->dims[i] + 0.5);
        ald_range_add(&frame->y.range, t->mean[i] - (isfinite(error) ? error : 0.0));
        ald_range_add(&frame->y.range, t->mean[i] + (isfinite(error) ? error : 0.0));
    }
    ald_range_add(&frame->y.range, t->within);
}

static ald_status set_legend(ald_run *run, const tuned *t, ald_legend *legend, const char ***axis)
{
    ALD_TRY(ald_scratch(run, t->lines, 1, sizeof **axis, axis));
    for (int k = 0; k < t->lines; k++) {
        const ald_mark_look look = ald_class_look(k, t->lines);
        (*axis)[k] = t->names[t->shown[k]];
        if (!t->side_by_side)
            ald_legend_add(legend,
                           (ald_legend_item){.shape = look.shape, .colour = look.colour, .text = (*axis)[k]});
    }
    ald_legend_add(legend, (ald_legend_item){.hollow = 1, .colour = ALD_INK, .text = "chosen"});
    if (t->one_se && isfinite(t->within))
        ald_legend_add(
            legend, (ald_legend_item){.shape = ALD_SQUARE, .colour = ALD_GREY, .text = "one standard error"});
    return ALD_OK;
}

static ald_status write_note(ald_run *run, const tuned *t, const ald_model *model, const ald_frame *frame,
                             ald_svg *svg)
{
    const char *splits = ald_model_text(model, "alidade.tuning.splits");
    char note[300];
    snprintf(note, sizeof note, "%.80s; %schosen: %s%s", splits ? splits : "cross-validation",
             t->count ? "bars: standard errors; " : "", t->one_se ? "simplest within one" : "best mean",
             t->lines < t->settings ? "; only the best settings are drawn" : "");
    return ald_frame_note(run, frame, svg, note);
}

static ald_status draw_frame(ald_run *run, const ald_picture *picture, tuned *t, ald_svg *svg)
{
    const ald_plot_options *o = &picture->options;
    ald_legend legend = {.n = 0};
    const char **axis;
    const char *better = ald_model_text(picture->model, "alidade.tuning.better");
    char label[96];
    ald_frame frame = {.title = o->title ? o->title : "Tuning by cross-validation"};
    set_ranges(t, &frame);
    ALD_TRY(set_legend(run, t, &legend, &axis));
    snprintf(label, sizeof label, "%.60s%s%.12s%s", t->metric, better ? ", " : "", better ? better : "",
             better ? " is better" : "");
    frame.y.label = label;
    frame.x.label = t->side_by_side ? "settings" : "components";
    if (t->side_by_side) {
        frame.x.names = axis;
        frame.x.n_names = t->lines;
        frame.x.up = 1;
    }
    frame.right_margin = ald_legend_width(&legend, fmax(o->width / 3.0, 140));
    ALD_TRY(ald_frame_begin(run, &frame, svg, o->width, o->height));
    if (t->one_se && isfinite(t->within))
        ALD_TRY(ald_level_draw(run, &frame, t->within, 0,
                               "class=\"rule\" stroke=\"#666\" stroke-dasharray=\"6 4\"", svg));
    for (int line = 0; line < t->lines; line++) ALD_TRY(draw_line(run, t, &frame, line, svg));
    ALD_TRY(ald_legend_draw(run, &legend, &frame, svg));
    return write_note(run, t, picture->model, &frame, svg);
}

ald_status ald_draw_tuning(ald_run *run, const ald_picture *picture, ald_svg *svg)
{
    tuned t = {0};
    ALD_TRY(read_arrays(run, picture->model, &t));
    ALD_TRY(read_names(run, picture->model, &t));
    drop_common_words(&t);
    const char *better = ald_model_text(picture->model, "alidade.tuning.better");
    choose_lines(&t, better && strcmp(better, "larger") == 0);
    t.side_by_side = t.settings > 1 && has_one_dim(&t);
    return draw_frame(run, picture, &t, svg);
}
