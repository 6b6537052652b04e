/* The features that matter most, as bars: what ald_importance gives. By default vip; or one component's
 * correlations, weights or loadings, which have signs. */
#include "show/canvas/frame.h"
#include "show/canvas/marks.h"
#include "show/plotting/picture.h"

#include <alidade/importance.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { most_features = 20 };

typedef struct ranking {
    int64_t d;
    int n;
    int64_t feature[most_features];
    double value[most_features];
    char label[96]; /* what the values are */
} ranking;

/* Keeps those of the largest moduli in falling order; of equals the first feature stands first. */
static void rank(ranking *best, int64_t feature, double value)
{
    int at = best->n < most_features ? best->n++ : most_features;
    for (; at > 0 && fabs(best->value[at - 1]) < fabs(value); at--)
        if (at < most_features) {
            best->value[at] = best->value[at - 1];
            best->feature[at] = best->feature[at - 1];
        }
    if (at == most_features) return;
    best->value[at] = value;
    best->feature[at] = feature;
}

static ald_status name_features(ald_run *run, const ald_picture *picture, const ranking *best,
                                const char **names)
{
    const char **all;
    ALD_TRY(ald_feature_names(run, picture, best->d, &all));
    for (int i = 0; i < best->n; i++) names[i] = all[best->feature[i]];
    return ALD_OK;
}

static const char *importance_of(const ald_picture *picture)
{
    return picture->options.importance ? picture->options.importance
                                       : ald_importance_name(ALD_IMPORTANCE_VIP);
}

/* The kind by its name, and its title on the axis. */
static ald_status find_kind(ald_run *run, const ald_picture *picture, int *kind, ranking *best)
{
    static const char *const titles[ALD_IMPORTANCE_KINDS] = {
        "change of score %lld with one unit of the feature",
        "change of score %lld with one standard deviation of the feature",
        "correlation of the feature with score %lld",
        "importance (vip)",
        "change of the feature with one unit of score %lld",
    };
    const char *name = importance_of(picture);
    const long long component = picture->options.x_component ? picture->options.x_component : 1;
    for (*kind = 0; ald_importance_name(*kind); ++*kind)
        if (strcmp(ald_importance_name(*kind), name) == 0) {
            if (*kind == ALD_IMPORTANCE_VIP)
                snprintf(best->label, sizeof best->label, "%s", titles[ALD_IMPORTANCE_VIP]);
            else
                snprintf(best->label, sizeof best->label, titles[*kind], component);
            return ALD_OK;
        }
    return ald_fail(
        run->error, ALD_ERROR_ARGUMENT,
        "there is no importance '%.40s'; choose vip, structure, standardized, weights or loadings", name);
}

/* For one component, or for all (vip). */
static ald_status rank_by_kind(ald_run *run, const ald_picture *picture, ranking *best)
{
    const int64_t r = ald_model_component_count(picture->model), d = ald_model_feature_count(picture->model);
    const int64_t component = picture->options.x_component ? picture->options.x_component : 1;
    const ald_dataset *data = picture->data;
    double *values;
    int kind;
    ALD_TRY(find_kind(run, picture, &kind, best));
    const int vip = kind == ALD_IMPORTANCE_VIP;
    if (component < 1 || component > r)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT, "there is no component %lld: the model has %lld",
                        (long long)component, (long long)r);
    if (!data && !ald_importance_in_model(picture->model, (ald_importance_kind)kind))
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "importance by %s needs rows (the method is %s): name the file that holds them",
                        importance_of(picture), ald_model_method(picture->model));
    ALD_TRY(ald_scratch_reals(run, r, d, &values));
    ALD_TRY(ald_importance(picture->context, picture->model, (ald_importance_kind)kind,
                           data ? &data->x : NULL, data ? &data->target : NULL, values, run->error));
    best->d = d;
    for (int64_t j = 0; j < d; j++) {
        const double value = values[vip ? j : (component - 1) * d + j];
        if (isfinite(value)) rank(best, j, value);
    }
    return ALD_OK;
}

static ald_status find_ranking(ald_run *run, const ald_picture *picture, ranking *best)
{
    ald_array components;
    const char *map = ald_model_text(picture->model, "alidade.map");
    if (!ald_model_array(picture->model, "components", &components) || components.type != ALD_ARRAY_F64 ||
        components.dims != 2 || (map && strcmp(map, "linear") != 0))
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "importance of features needs a linear model; that of method '%s' is not linear",
                        ald_model_method(picture->model) ? ald_model_method(picture->model) : "?");
    return rank_by_kind(run, picture, best);
}

static ald_status draw_bars(ald_run *run, const ranking *best, const ald_frame *frame, ald_svg *svg)
{
    const double height = 0.7 * frame->height / best->n, zero = ald_frame_x(frame, 0);
    char style[64];
    snprintf(style, sizeof style, "class=\"bars\" fill=\"#%06x\"", (unsigned)ald_class_colour(0));
    ALD_TRY(ald_svg_group(run, svg, style));
    for (int i = 0; i < best->n; i++) {
        const double end = ald_frame_x(frame, best->value[i]);
        ALD_TRY(ald_svg_rect(run, svg, fmin(zero, end), ald_frame_y(frame, i) - height / 2, fabs(end - zero),
                             height, ""));
    }
    return ald_svg_group_end(run, svg);
}

ald_status ald_draw_importance(ald_run *run, const ald_picture *picture, ald_svg *svg)
{
    ranking best = {0};
    const char *names[most_features];
    ALD_TRY(find_ranking(run, picture, &best));
    ALD_TRY(name_features(run, picture, &best, names));
    char title[96], note[96] = "";
    snprintf(title, sizeof title, "Importance of features for %.60s",
             ald_model_method(picture->model) ? ald_model_method(picture->model) : "the model");
    if (best.d > best.n)
        snprintf(note, sizeof note, "the first %d of %lld features", best.n, (long long)best.d);
    ald_frame frame = {
        .title = picture->options.title ? picture->options.title : title,
        .right_margin = 30,
        .x = {.label = best.label, .range = {0.0, 0.0}},
        .y = {.label = "", .names = names, .n_names = best.n},
    };
    if (best.n == 0) ald_range_add(&frame.x.range, 1.0);
    for (int i = 0; i < best.n; i++) ald_range_add(&frame.x.range, 1.04 * best.value[i]);
    ALD_TRY(ald_frame_begin(run, &frame, svg, picture->options.width, picture->options.height));
    ALD_TRY(draw_bars(run, &best, &frame, svg));
    return ald_frame_note(run, &frame, svg, note);
}
