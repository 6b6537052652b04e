/* What a linear model makes of the columns, as curves against the numbers in their names ("850nm", "t=3.5"),
 * where these have an order; otherwise as bars over their names, of more than 40 columns those 40 with the
 * largest values:
 *
 *   weights       w_k by which the scores are made: the weight vectors of pls, else the components
 *   loadings      p_k from which rows are rebuilt by their scores (importance.h): those of the model where it
 * keeps them, else by least squares from rows coefficients  of the whole formula of the prediction
 * (ald_coefficients), a curve per response */
#include "base/core/json.h"
#include "base/numbers/ordering.h"
#include "judge/measuring/column_order.h"
#include "show/canvas/legend.h"
#include "show/canvas/marks.h"
#include "show/plotting/picture.h"

#include <alidade/coefficients.h>
#include <alidade/importance.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { most_curves = 8, text_size = 120, most_bars = 40 };

typedef struct profile {
    int64_t d, n;         /* columns; curves there are */
    const double *values; /* curve k at column j: values[k * curve_step + j * column_step] */
    int64_t curve_step, column_step;
    int64_t shown[most_curves];
    int count;
    const char *what; /* "weight" */
    double *positions, *curve;
    const char **names;  /* of the columns, where they are bars; else NULL */
    const int64_t *list; /* d: the columns that are shown; NULL: all */
    char title[text_size], x_label[text_size], unit[text_size], note[text_size];
} profile;

static ald_status not_linear(ald_run *run, const ald_picture *picture)
{
    const char *method = ald_model_method(picture->model);
    return ald_fail(
        run->error, ALD_ERROR_UNSUPPORTED,
        "curves over the columns need a linear model, and that of %s is not linear: use a linear method",
        method ? method : "this method");
}

static ald_status take_rows_of(ald_run *run, const ald_picture *picture, const double *values,
                               const char *what, profile *p)
{
    const char *map = ald_model_text(picture->model, "alidade.map");
    p->d = ald_model_feature_count(picture->model);
    p->n = ald_model_component_count(picture->model);
    p->values = values;
    p->curve_step = p->d;
    p->column_step = 1;
    p->what = what;
    return !values || !map || strcmp(map, "linear") != 0 ? not_linear(run, picture) : ALD_OK;
}

static ald_status take_weights(ald_run *run, const ald_picture *picture, profile *p)
{
    const int64_t r = ald_model_component_count(picture->model), d = ald_model_feature_count(picture->model);
    const double *own = ald_model_reals(picture->model, "weights", r, d);
    return take_rows_of(run, picture, own ? own : ald_model_reals(picture->model, "components", r, d),
                        "weight", p);
}

/* Those that the model keeps, else by least squares from the rows. */
static ald_status take_loadings(ald_run *run, const ald_picture *picture, profile *p)
{
    const ald_dataset *data = picture->data;
    double *values;
    ALD_TRY(ald_scratch_reals(run, ald_model_component_count(picture->model),
                              ald_model_feature_count(picture->model), &values));
    ALD_TRY(take_rows_of(run, picture, values, "loading", p));
    if (!data && !ald_importance_in_model(picture->model, ALD_IMPORTANCE_LOADINGS))
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "loadings reconstruct rows from their scores, and this model does not keep them: "
                        "give a data file");
    return ald_importance(picture->context, picture->model, ALD_IMPORTANCE_LOADINGS, data ? &data->x : NULL,
                          data ? &data->target : NULL, values, run->error);
}

static ald_status take_coefficients(ald_run *run, const ald_picture *picture, profile *p)
{
    const int64_t q = ald_coefficients_count(picture->model);
    double *values, *intercept;
    int prepared = 0;
    p->d = ald_model_feature_count(picture->model);
    p->n = q;
    ALD_TRY(ALD_SCRATCH(run, {&values, p->d, q > 0 ? q : 1}, {&intercept, q > 0 ? q : 1, 1}));
    ALD_TRY(ald_coefficients(picture->context, picture->model, values, intercept, &prepared, run->error));
    p->values = values;
    p->curve_step = 1;
    p->column_step = q;
    p->what = "coefficient";
    if (prepared)
        snprintf(p->note, sizeof p->note, "of the columns after row preparation, which is not linear");
    return ALD_OK;
}

/* The components asked for, else the first ones. */
static ald_status choose_curves(ald_run *run, const ald_picture *picture, profile *p)
{
    const int asked[] = {picture->options.x_component, picture->options.y_component};
    for (int i = 0; i < 2; i++) {
        if (asked[i] == 0) continue;
        if (asked[i] < 1 || asked[i] > p->n)
            return ald_fail(run->error, ALD_ERROR_ARGUMENT, "curve %d was requested; there are 1 to %lld",
                            asked[i], (long long)p->n);
        p->shown[p->count++] = asked[i] - 1;
    }
    for (int64_t k = 0; asked[0] == 0 && k < p->n && k < most_curves; k++) p->shown[p->count++] = k;
    if (asked[0] == 0 && p->n > most_curves && !*p->note)
        snprintf(p->note, sizeof p->note, "the first %d of %lld", (int)most_curves, (long long)p->n);
    return ALD_OK;
}

/* The columns that are largest in some curve, as they follow each other in the file. */
static ald_status list_largest(ald_run *run, profile *p)
{
    ald_ranked *all;
    int64_t *list;
    const char **names;
    ALD_TRY(ald_scratch(run, p->d, 1, sizeof *all, &all));
    ALD_TRY(ald_scratch(run, most_bars, 1, sizeof *list, &list));
    ALD_TRY(ald_scratch(run, most_bars, 1, sizeof *names, &names));
    for (int64_t j = 0; j < p->d; j++) {
        all[j] = (ald_ranked){0.0, j};
        for (int c = 0; c < p->count; c++)
            all[j].value =
                fmax(all[j].value, fabs(p->values[p->shown[c] * p->curve_step + j * p->column_step]));
    }
    ald_rank_falling(p->d, all);
    for (int k = 0; k < most_bars; k++) list[k] = all[k].place;
    ald_sort_whole(most_bars, list);
    for (int k = 0; k < most_bars; k++) names[k] = p->names[list[k]];
    if (!*p->note)
        snprintf(p->note, sizeof p->note, "the %d largest of %lld columns", (int)most_bars, (long long)p->d);
    p->list = list;
    p->names = names;
    p->d = most_bars;
    return ALD_OK;
}

static ald_status find_positions(ald_run *run, const ald_picture *picture, profile *p)
{
    const char **names;
    char title[text_size];
    ALD_TRY(ald_feature_names(run, picture, p->d, &names));
    ALD_TRY(ALD_SCRATCH(run, {&p->positions, p->d, 1}, {&p->curve, p->d, 1}));
    if (!ald_column_positions(names, p->d, p->positions, title, p->unit, sizeof p->unit) ||
        !ald_columns_in_order(p->positions, p->d, p->unit, picture->data ? &picture->data->x : NULL)) {
        p->names = names;
        for (int64_t j = 0; j < p->d; j++) p->positions[j] = (double)j + 1.0;
        return p->d > most_bars ? list_largest(run, p) : ALD_OK;
    }
    snprintf(p->x_label, sizeof p->x_label, "%.50s%s%.50s%s", *title ? title : "column", *p->unit ? " (" : "",
             p->unit, *p->unit ? ")" : "");
    return ALD_OK;
}

static const double *curve_at(const profile *p, int64_t k)
{
    for (int64_t j = 0; j < p->d; j++)
        p->curve[j] = p->values[k * p->curve_step + (p->list ? p->list[j] : j) * p->column_step];
    return p->curve;
}

/* The names of responses, labels or classes that the model keeps; NULL: none. */
static ald_status response_names(ald_run *run, const ald_model *model, json_t **list)
{
    const char *classes = ald_model_text(model, "alidade.class_names"),
               *text = classes ? classes : ald_model_text(model, "alidade.response_names");
    *list = NULL;
    return text ? ald_json_parse(run, text, strlen(text), "the names of the target in the model are damaged",
                                 list)
                : ALD_OK;
}

static ald_status curve_name(ald_run *run, const profile *p, const json_t *names, int64_t k,
                             const char **name)
{
    const char *known = json_string_value(json_array_get(names, (size_t)k));
    ald_text text;
    ald_text_init(&text, &run->scratch);
    if (known && *known && p->curve_step == 1)
        ALD_TRY(ald_text_add(run, &text, known, strlen(known)));
    else
        ALD_TRY(ald_text_print(run, &text, p->curve_step == 1 ? "response %lld" : "component %lld",
                               (long long)k + 1));
    *name = text.data;
    return ALD_OK;
}

/* Ranges and legend of the curves that are shown. */
static ald_status list_curves(ald_run *run, const ald_picture *picture, const profile *p, ald_range *range,
                              ald_legend *legend)
{
    json_t *names;
    ALD_TRY(response_names(run, picture->model, &names));
    ald_status status = ALD_OK;
    for (int c = 0; c < p->count && status >= 0; c++) {
        ald_legend_item item = {.shape = ALD_SQUARE, .colour = ald_class_colour(c)};
        const double *curve = curve_at(p, p->shown[c]);
        for (int64_t j = 0; j < p->d; j++) ald_range_add(range, curve[j]);
        status = curve_name(run, p, names, p->shown[c], &item.text);
        if (status >= 0 && (p->count > 1 || p->curve_step > 1)) ald_legend_add(legend, item);
    }
    json_decref(names);
    return status;
}

static ald_status draw_one(ald_run *run, const profile *p, int c, const ald_frame *frame, ald_svg *svg)
{
    const double *curve = curve_at(p, p->shown[c]);
    char style[96];
    if (p->names) {
        const double width = 0.8 / p->count;
        const ald_bars bars = {
            .values = curve,
            .n = p->d,
            .name = "curve",
            .colour = c,
            .place = (c - 0.5 * (p->count - 1)) * width,
            .width = width,
        };
        return ald_bars_draw(run, &bars, frame, svg);
    }
    snprintf(style, sizeof style, "class=\"curve\" stroke=\"#%06x\" stroke-width=\"1.8\"",
             (unsigned)ald_class_colour(c));
    return ald_curve_draw(run, frame, p->d, p->positions, curve, style, svg);
}

/* Names run upwards where they do not fit side by side. */
static int names_run_up(const profile *p, double width)
{
    double sum = 0.0;
    for (int64_t j = 0; p->names && j < p->d; j++) sum += ald_svg_text_width(p->names[j], 12) + 14;
    return sum > width;
}

static ald_status draw_curves(ald_run *run, const ald_picture *picture, profile *p, ald_svg *svg)
{
    ald_legend legend = {.n = 0};
    ald_frame frame = {
        .title = p->title,
        .x = {.label = p->x_label, .range = ald_range_empty(), .padding = 0.02, .names = p->names},
        .y = {.label = p->what, .range = {0.0, 0.0}, .padding = 0.06},
    };
    for (int64_t j = 0; j < p->d; j++) ald_range_add(&frame.x.range, p->positions[j]);
    ALD_TRY(list_curves(run, picture, p, &frame.y.range, &legend));
    frame.right_margin = ald_legend_width(&legend, picture->options.width / 3.5);
    frame.x.n_names = p->names ? (int)p->d : 0;
    frame.x.up = names_run_up(p, picture->options.width - frame.right_margin - 80);
    ALD_TRY(ald_frame_begin(run, &frame, svg, picture->options.width, picture->options.height));
    ALD_TRY(ald_level_draw(run, &frame, 0.0, 0, "stroke=\"#888\"", svg));
    for (int c = 0; c < p->count; c++) ALD_TRY(draw_one(run, p, c, &frame, svg));
    ALD_TRY(ald_legend_draw(run, &legend, &frame, svg));
    return ald_frame_note(run, &frame, svg, p->note);
}

static ald_status draw_profile(ald_run *run, const ald_picture *picture, const char *name,
                               ald_status (*take)(ald_run *, const ald_picture *, profile *), ald_svg *svg)
{
    const char *method = ald_model_method(picture->model);
    profile p = {0};
    ALD_TRY(take(run, picture, &p));
    ALD_TRY(choose_curves(run, picture, &p));
    ALD_TRY(find_positions(run, picture, &p));
    if (picture->options.title)
        snprintf(p.title, sizeof p.title, "%s", picture->options.title);
    else
        snprintf(p.title, sizeof p.title, "%s of %.40s over the columns", name,
                 method ? method : "the model");
    return draw_curves(run, picture, &p, svg);
}

ald_status ald_draw_weights(ald_run *run, const ald_picture *picture, ald_svg *svg)
{
    return draw_profile(run, picture, "Weights", take_weights, svg);
}

ald_status ald_draw_loadings(ald_run *run, const ald_picture *picture, ald_svg *svg)
{
    return draw_profile(run, picture, "Loadings", take_loadings, svg);
}

ald_status ald_draw_coefficients(ald_run *run, const ald_picture *picture, ald_svg *svg)
{
    return draw_profile(run, picture, "Coefficients", take_coefficients, svg);
}
