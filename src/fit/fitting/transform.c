/* ald_transform and ald_predict: a model's map, then its predictor. */
#include "base/core/error.h"
#include "base/settings/options.h"
#include "base/threads/threads.h"
#include "fit/fitting/map_rows.h"
#include "fit/prepare/check.h"
#include "fit/prepare/prepare_x.h"
#include "math/device/held.h"
#include "math/kernel/model_map.h"
#include "math/kernel/rows.h"
#include "math/linalg/few_columns.h"
#include "math/operator/entry.h"
#include "methods/predict/affine.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A linear map of an entry that is not finite is none either; a kernel makes a number of it. */
static int map_hides_values(const ald_model *model)
{
    const char *map = ald_model_text(model, "alidade.map");
    return map && strcmp(map, "linear") != 0;
}

static ald_status check_rows(ald_run *run, const ald_model *model, const ald_matrix *x)
{
    ALD_TRY(ald_check_matrix(run, x, "X"));
    ALD_TRY(ald_check_columns(run, model, x));
    return map_hides_values(model) ? ald_check_finite(run, x, "X") : ALD_OK;
}

static const char too_large[] = "X: the values are too large to be projected";

/* A projection that is not finite tells of a bad entry: X is looked through only then. */
static ald_status check_projection(ald_run *run, const ald_matrix *x, int64_t count, const double *z)
{
    int64_t bad = 0;
    while (bad < count && isfinite(z[bad])) bad++;
    if (bad == count) return ALD_OK;
    ALD_TRY(ald_check_finite(run, x, "X"));
    return ald_fail(run->error, ALD_ERROR_DATA, "%s", too_large);
}

/* What becomes of rows: their projection; with a predictor the scores of it, or what these decide. */
typedef struct passing {
    const ald_model *model;
    const ald_matrix *x;
    const ald_predictor *predictor; /* NULL: the projection itself */
    ald_target_kind decided;        /* ALD_TARGET_NONE: the scores themselves */
    const double *folded;           /* map and predictor in one column; NULL: one after the other */
    int64_t r, q, columns;          /* of the projection, the scores, the result */
    double *out;
    const ald_output_view *view; /* where there is no `out` */
} passing;

static ald_status project_rows(ald_run *run, const passing *p, const ald_matrix *rows, double *z)
{
    ALD_TRY(ald_map_rows(run, p->model, rows, z));
    return check_projection(run, p->x, rows->rows * p->r, z);
}

static ald_status score_rows(ald_run *run, const passing *p, int64_t n, const double *z, double *out)
{
    const ald_predictor *predictor = p->predictor;
    double *scores = out;
    if (p->decided != ALD_TARGET_NONE) ALD_TRY(ald_scratch_reals(run, n, p->q, &scores));
    const int ranked = p->decided != ALD_TARGET_NONE && predictor->rank;
    ALD_TRY((ranked ? predictor->rank : predictor->apply)(run, p->model, n, p->r, p->q, z, scores));
    if (p->decided != ALD_TARGET_NONE) ald_decide(p->decided, n, p->q, scores, out);
    return ALD_OK;
}

static ald_status predict_folded(ald_run *run, const passing *p, const ald_matrix *rows, double *out)
{
    ALD_TRY(ald_map_folded(run, p->model, rows, p->folded, out));
    return check_projection(run, p->x, rows->rows, out);
}

static ald_status pass_block(ald_run *run, const ald_matrix *rows, int64_t first, const void *work)
{
    const passing *p = work;
    double *z, *out = p->out + first * p->columns;
    if (!p->predictor) return project_rows(run, p, rows, out);
    if (p->folded) return predict_folded(run, p, rows, out);
    ALD_TRY(ald_scratch_reals(run, rows->rows, p->r, &z));
    ALD_TRY(project_rows(run, p, rows, z));
    return score_rows(run, p, rows->rows, z, out);
}

/* The plain loops keep both steps, which are those of exported programs, to the last bit. */
static int may_fold(const ald_run *run, const passing *p)
{
    return p->predictor && p->predictor->apply == ald_affine_apply && p->q == 1 &&
           p->decided == ALD_TARGET_NONE && ald_few_serve(run);
}

static ald_status pass(ald_run *run, passing *p)
{
    ALD_TRY(check_rows(run, p->model, p->x));
    if (may_fold(run, p)) ALD_TRY(ald_map_fold(run, p->model, &p->folded));
    if (!ald_goes_by_blocks(p->model, p->x) || ald_card_only(run, p->x)) return pass_block(run, p->x, 0, p);
    return ald_go_by_blocks(run, p->x, p->r + p->q, pass_block, p);
}

static ald_status transform(ald_run *run, const ald_model *model, const ald_matrix *x, void *z)
{
    const int64_t r = ald_model_component_count(model);
    return pass(run, &(passing){.model = model, .x = x, .r = r, .columns = r, .out = z});
}

/* As many rows as make half a megabyte of projections, but not so few that a kernel would mostly reread its
 * model. */
static int64_t rows_per_block(int64_t r)
{
    enum { entries = 65536, least = 1024 };
    return entries / r > least ? entries / r : least;
}

static void write_block(const ald_output_view *out, int64_t first, int64_t rows, int64_t r, const double *z)
{
    for (int64_t i = 0; i < rows; i++)
        for (int64_t k = 0; k < r; k++) {
            const int64_t at = (first + i) * out->row_stride + k * out->col_stride;
            if (out->type == ALD_F32)
                ((float *)out->values)[at] = (float)z[i * r + k];
            else
                ((double *)out->values)[at] = z[i * r + k];
        }
}

static ald_status check_output(ald_run *run, const ald_output_view *out, int64_t rows, int64_t r)
{
    if (!out->values || (out->type != ALD_F64 && out->type != ALD_F32))
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "output: there are no values, or their type is unknown");
    if (out->rows != rows || out->cols != r)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "output: it is %lld x %lld; the projection is %lld x %lld", (long long)out->rows,
                        (long long)out->cols, (long long)rows, (long long)r);
    if ((rows > 1 && out->row_stride == 0) || (r > 1 && out->col_stride == 0))
        return ald_fail(run->error, ALD_ERROR_ARGUMENT, "output: a stride is 0");
    return ALD_OK;
}

/* Block by block, each in the same room; of sparse X by columns, which a kernel must see by rows, a copy. */
static ald_status transform_blocks(ald_run *run, const ald_model *model, const ald_matrix *x,
                                   const ald_output_view *out)
{
    const int64_t r = out->cols, room = rows_per_block(r);
    ald_operator rows = {.x = *x};
    double *z;
    if (x->storage == ALD_CSC) ALD_TRY(ald_rows_as_csr(run, x, &rows.x));
    ALD_TRY(ald_scratch_reals(run, room < x->rows ? room : x->rows, r, &z));
    for (int64_t first = 0; first < x->rows; first += room) {
        const uint64_t mark = ald_arena_mark(&run->scratch);
        const int64_t count = x->rows - first < room ? x->rows - first : room;
        const ald_operator block = ald_operator_slice(&rows, first, count);
        ALD_TRY(ald_map_rows(run, model, &block.x, z));
        ALD_TRY(check_projection(run, x, count * r, z));
        write_block(out, first, count, r, z);
        ald_arena_release(&run->scratch, mark);
        ALD_TRY(ald_progress(run, "projecting", (double)(first + count) / (double)x->rows));
    }
    return ALD_OK;
}

/* What has no map (map none) is known as a whole or not at all; columns of sparse X are gone through once. */
static int goes_whole(const ald_model *model, const ald_matrix *x)
{
    const char *map = ald_model_text(model, "alidade.map");
    if (!map) return 0;
    return strcmp(map, "none") == 0 || (x->storage == ALD_CSC && strcmp(map, "linear") == 0);
}

static ald_status project_block_to(ald_run *run, const ald_matrix *rows, int64_t first, const void *work)
{
    const passing *p = work;
    double *z;
    ALD_TRY(ald_scratch_reals(run, rows->rows, p->r, &z));
    ALD_TRY(project_rows(run, p, rows, z));
    write_block(p->view, first, rows->rows, p->r, z);
    return ALD_OK;
}

static ald_status transform_to(ald_run *run, const ald_model *model, const ald_matrix *x, void *view)
{
    const ald_output_view *out = view;
    const int64_t r = ald_model_component_count(model);
    const passing p = {.model = model, .x = x, .r = r, .view = out};
    double *z;
    ALD_TRY(check_rows(run, model, x));
    ALD_TRY(check_output(run, out, x->rows, r));
    if (ald_card_only(run, x)) return project_block_to(run, x, 0, &p);
    if (ald_goes_by_blocks(model, x)) return ald_go_by_blocks(run, x, r, project_block_to, &p);
    if (!goes_whole(model, x)) return transform_blocks(run, model, x, out);
    ALD_TRY(ald_scratch_reals(run, x->rows, r, &z));
    ALD_TRY(transform(run, model, x, z));
    write_block(out, 0, x->rows, r, z);
    return ALD_OK;
}

/* z is on the card, as x is. */
static ald_status project_in_place(ald_run *run, const ald_model *model, const ald_matrix *x, double *z)
{
    const int64_t r = ald_model_component_count(model);
    const ald_matrix result = {
        .storage = ALD_ON_DEVICE,
        .rows = x->rows,
        .cols = r,
        .values = z,
        .row_stride = r,
        .col_stride = 1,
    };
    ald_matrix taken;
    int64_t row, column;
    ALD_TRY(ald_map_rows(run, model, x, z));
    ALD_TRY(ald_card_take(run, &result, 1, &taken));
    ALD_TRY(ald_matrix_find_bad(run, &taken, &row, &column));
    if (row < 0) return ALD_OK;
    ALD_TRY(ald_check_finite(run, x, "X"));
    return ald_fail(run->error, ALD_ERROR_DATA, "%s", too_large);
}

static ald_target_kind target_of(const ald_model *model)
{
    const char *target = ald_model_text(model, "alidade.target");
    if (target && strcmp(target, "classes") == 0) return ALD_TARGET_CLASSES;
    if (target && strcmp(target, "labels") == 0) return ALD_TARGET_LABELS;
    return target && strcmp(target, "real") == 0 ? ALD_TARGET_REAL : ALD_TARGET_NONE;
}

static ald_prediction_shape shape_of(const ald_model *model)
{
    const ald_predictor *predictor = ald_predictor_of(model);
    ald_prediction_shape shape = {.kind = target_of(model)};
    if (!predictor) return shape;
    shape.scores = predictor->outputs(model, ald_model_component_count(model));
    shape.columns = shape.kind == ALD_TARGET_CLASSES && shape.scores > 0 ? 1 : shape.scores;
    shape.probabilities = (predictor->probabilities & 1U << shape.kind) != 0;
    return shape;
}

int ald_model_prediction_shape(const ald_model *model, ald_prediction_shape *shape)
{
    if (!model || !shape || ALD_OPTIONS_CHECK(NULL, ald_prediction_shape, shape) < 0) return 0;
    const ald_prediction_shape found = shape_of(model);
    ALD_OPTIONS_WRITE(ald_prediction_shape, &found, shape);
    return 1;
}

/* out: x->rows x q scores, or what they decide. */
static ald_status predict_rows(ald_run *run, const ald_model *model, const ald_matrix *x, int decided,
                               double *out)
{
    const ald_prediction_shape shape = shape_of(model);
    passing p = {
        .model = model,
        .x = x,
        .predictor = ald_predictor_of(model),
        .decided = decided && shape.kind == ALD_TARGET_CLASSES ? shape.kind : ALD_TARGET_NONE,
        .r = ald_model_component_count(model),
        .q = shape.scores,
        .columns = decided ? shape.columns : shape.scores,
        .out = out,
    };
    if (!p.predictor)
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "the model has no predictor: fit it again with one, such as `predictor=linear`");
    if (p.q == 0)
        return ald_fail(run->error, ALD_ERROR_FORMAT,
                        "the arrays of the model's predictor are missing or do not fit");
    return pass(run, &p);
}

static ald_status predict_scores(ald_run *run, const ald_model *model, const ald_matrix *x, void *scores)
{
    return predict_rows(run, model, x, 0, scores);
}

static ald_status predict(ald_run *run, const ald_model *model, const ald_matrix *x, void *prediction)
{
    return predict_rows(run, model, x, 1, prediction);
}

typedef ald_status (*row_function)(ald_run *run, const ald_model *model, const ald_matrix *x, void *out);

/* Rows on the card are multiplied there by linear maps; otherwise they are copied to the host. */
static ald_status on_taken(ald_run *run, row_function function, const ald_model *model, const ald_matrix *x,
                           void *out)
{
    const struct ald_held *before = run->call.held;
    ald_matrix taken;
    ald_status status = ald_card_take(run, x, ald_maps_by_products(model), &taken);
    if (status >= 0) status = function(run, model, &taken, out);
    ald_card_release(run, before);
    return status;
}

/* In a run that has begun, which it ends. */
static ald_status in_run(ald_run *run, row_function function, const ald_model *model, const ald_matrix *x,
                         void *out)
{
    ald_threads_begin(run->call.threads);
    const ald_status status = on_taken(run, function, model, x, out);
    ald_threads_end();
    return ald_run_end(run, status);
}

static ald_status on_rows(ald_context *context, row_function function, const ald_model *model,
                          const ald_matrix *x, void *out, ald_error *error)
{
    ald_run run;
    ald_run_begin(&run, context, error);
    return in_run(&run, function, model, x, out);
}

ald_status ald_transform_inside(const ald_run *outer, const ald_model *model, const ald_matrix *x, double *z,
                                ald_error *error)
{
    ald_run run;
    ald_run_inside(&run, outer, error);
    return in_run(&run, transform, model, x, z);
}

ald_status ald_predict_scores_inside(ald_run *outer, const ald_model *model, const ald_matrix *x,
                                     double *scores)
{
    ald_run run;
    ald_run_inside(&run, outer, outer->error);
    return in_run(&run, predict_scores, model, x, scores);
}

ald_status ald_transform(ald_context *context, const ald_model *model, const ald_matrix *x, double *z,
                         ald_error *error)
{
    ALD_GIVEN(error, context, model, x, z);
    return on_rows(context, transform, model, x, z, error);
}

ald_status ald_transform_to(ald_context *context, const ald_model *model, const ald_matrix *x,
                            const ald_output_view *output, ald_error *error)
{
    ald_output_view view;
    ALD_GIVEN(error, context, model, x, output);
    view = *output;
    return on_rows(context, transform_to, model, x, &view, error);
}

/* Written there by the map itself where it can be, otherwise through the host. */
static ald_status transform_on_device(ald_run *run, const ald_model *model, const ald_matrix *x, void *view)
{
    const ald_output_view *out = view;
    const int64_t r = ald_model_component_count(model), count = x->rows * r;
    double *z = out->values;
    float *narrow;
    if (!run->context->device) return transform_to(run, model, x, view);
    ALD_TRY(check_rows(run, model, x));
    ALD_TRY(check_output(run, out, x->rows, r));
    if (out->row_stride != r || out->col_stride != 1)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "output on the device: it must be row major without gaps");
    if (ald_card_only(run, x) && out->type == ALD_F64) return project_in_place(run, model, x, z);
    ALD_TRY(ald_scratch_reals(run, x->rows, r, &z));
    ALD_TRY(transform(run, model, x, z));
    if (out->type == ALD_F64) return ald_card_put(run, z, count * (int64_t)sizeof *z, out->values);
    ALD_TRY(ald_scratch(run, x->rows, r, sizeof *narrow, &narrow));
    for (int64_t i = 0; i < count; i++) narrow[i] = (float)z[i];
    return ald_card_put(run, narrow, count * (int64_t)sizeof *narrow, out->values);
}

ald_status ald_transform_on_device(ald_context *context, const ald_model *model, const ald_matrix *x,
                                   const ald_output_view *output, ald_error *error)
{
    ald_output_view view;
    ALD_GIVEN(error, context, model, x, output);
    view = *output;
    return on_rows(context, transform_on_device, model, x, &view, error);
}

ald_status ald_predict(ald_context *context, const ald_model *model, const ald_matrix *x, double *prediction,
                       ald_error *error)
{
    ALD_GIVEN(error, context, model, x, prediction);
    return on_rows(context, predict, model, x, prediction, error);
}

ald_status ald_predict_scores(ald_context *context, const ald_model *model, const ald_matrix *x,
                              double *scores, ald_error *error)
{
    ALD_GIVEN(error, context, model, x, scores);
    return on_rows(context, predict_scores, model, x, scores, error);
}
