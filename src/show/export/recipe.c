/* The steps of a model's map: preparation of rows and columns, and the projection (recipe.h). Sparse
 * landmarks are written out as rows. Memory: that of the model once more at most. */
#include "show/export/recipe.h"

#include "base/numbers/ordering.h"
#include "base/numbers/sha256.h"
#include "fit/prepare/row_plan.h"
#include "io/modelfile/modelfile.h"
#include "math/kernel/model_map.h"
#include "math/kernel/rows.h"
#include "math/kernel/tiles.h"
#include "math/operator/dense.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const ald_step_names[] = {
    "snv",    "msc",   "detrend", "savgol",   "row_scale",  "columns", "compare", "linear",
    "kernel", "waves", "affine",  "centroid", "neighbours", "softmax", "logit",
};

/* Products of one column are summed in lanes over so many entries at a time, by dense X. */
enum { widest_block = ald_dense_widest_block };

ald_status ald_recipe_refuse(ald_run *run, const char *why)
{
    return ald_fail(run->error, ALD_ERROR_UNSUPPORTED, "the model cannot be exported: %s", why);
}

ald_export_step *ald_recipe_add(ald_model_recipe *recipe, ald_step_kind kind, int64_t in, int64_t out)
{
    ald_export_step *step = &recipe->step[recipe->n_steps++];
    *step = (ald_export_step){.kind = kind, .in = in, .out = out};
    return step;
}

static ald_status take_row_steps(ald_run *run, ald_model_recipe *recipe)
{
    static const ald_step_kind kinds[] = {
        [ALD_ROW_SNV] = ALD_STEP_SNV,
        [ALD_ROW_MSC] = ALD_STEP_MSC,
        [ALD_ROW_DETREND] = ALD_STEP_DETREND,
        [ALD_ROW_SAVGOL] = ALD_STEP_SAVGOL,
    };
    const int64_t d = recipe->d;
    ald_row_plan plan;
    double *table;
    ALD_TRY(ald_row_plan_load(run, recipe->model, &plan));
    const ald_matrix row = ald_matrix_row_major(NULL, 0, d, d);
    ALD_TRY(ald_row_plan_check(run, &plan, &row));
    for (int k = 0; k < plan.steps.count; k++) {
        const ald_row_step *asked = &plan.steps.step[k];
        ald_export_step *step = ald_recipe_add(recipe, kinds[asked->kind], d, d);
        ALD_TRY(ald_row_step_table(run, asked, d, &table));
        if (asked->kind == ALD_ROW_SNV) recipe->unsafe = 1; /* a row that is no number becomes 0 */
        if (asked->kind == ALD_ROW_MSC) {
            step->table[0] = (ald_step_table){"reference", plan.references, d, 0};
            plan.references += d;
        }
        if (asked->kind == ALD_ROW_DETREND)
            step->table[0] = (ald_step_table){"polynomials", table, asked->degree + 1, d};
        if (asked->kind == ALD_ROW_SAVGOL)
            step->table[0] = (ald_step_table){"filter", table, asked->window, asked->window};
    }
    if (plan.scale != ALD_ROWS_PLAIN)
        ald_recipe_add(recipe, ALD_STEP_ROW_SCALE, d, d)->number[0] =
            (ald_step_number){"standard", plan.scale == ALD_ROWS_STANDARD};
    return ALD_OK;
}

/* 1 / scale, as the library multiplies; NULL where columns are not scaled. */
static ald_status take_inverse(ald_run *run, const ald_model_recipe *recipe, double **inverse)
{
    const double *scale = ald_model_reals(recipe->model, "scale", recipe->d, -1);
    *inverse = NULL;
    if (!scale) return ALD_OK;
    ALD_TRY(ald_scratch_reals(run, recipe->d, 1, inverse));
    for (int64_t j = 0; j < recipe->d; j++) (*inverse)[j] = 1.0 / scale[j];
    return ALD_OK;
}

/* y = ((x - mean) inverse) c, c in x out. */
static void add_product(ald_model_recipe *recipe, int64_t in, const double *mean, const double *inverse,
                        const double *c, int64_t tile)
{
    ald_export_step *step = ald_recipe_add(recipe, ALD_STEP_LINEAR, in, recipe->r);
    step->table[0] = (ald_step_table){"mean", mean, in, 0};
    step->table[1] = (ald_step_table){"inverse", inverse, in, 0};
    step->table[2] = (ald_step_table){"coefficients", c, in, recipe->r};
    step->tile = tile;
}

static void add_columns(ald_model_recipe *recipe, const double *mean, const double *inverse)
{
    if (!mean && !inverse) return;
    ald_export_step *step = ald_recipe_add(recipe, ALD_STEP_COLUMNS, recipe->d, recipe->d);
    step->table[0] = (ald_step_table){"mean", mean, recipe->d, 0};
    step->table[1] = (ald_step_table){"inverse", inverse, recipe->d, 0};
}

static ald_status take_linear(ald_run *run, ald_model_recipe *recipe)
{
    const int64_t r = recipe->r, d = recipe->d;
    const double *components = ald_model_reals(recipe->model, "components", r, d),
                 *mean = ald_model_reals(recipe->model, "mean", d, -1);
    const char *gaps = ald_model_text(recipe->model, "alidade.param.gaps");
    double *columns, *inverse;
    if (!components || !mean)
        return ald_fail(run->error, ALD_ERROR_FORMAT, "damaged model: it lacks components or mean");
    if (gaps && strcmp(gaps, "1") == 0)
        return ald_recipe_refuse(run, "rows with missing cells are projected by a solve per row "
                                      "(`missing=nipals`): fit with `missing=mean`");
    ALD_TRY(ald_scratch_reals(run, d, r, &columns));
    ald_transpose(r, d, components, columns);
    ALD_TRY(take_inverse(run, recipe, &inverse));
    add_product(recipe, d, mean, inverse, columns, r == 1 ? widest_block : d);
    return ALD_OK;
}

/* The landmarks as m x d rows, and how their products are grouped: by tiles; sparse ones 64 at a time. */
static ald_status take_landmarks(ald_run *run, const ald_landmarks *l, const double **rows, int64_t *piece)
{
    const ald_operator sparse = {.x = l->sparse};
    double *made;
    *rows = l->rows;
    if (l->rows) return ALD_OK;
    ALD_TRY(ald_scratch_reals(run, l->m, l->d, &made));
    for (int64_t i = 0; i < l->m; i++) ald_rows_write_csr(&sparse, i, 1, made + i * l->d);
    *rows = made;
    *piece = ald_within(l->d > 1 << 16 ? 1 : (1 << 22) / l->d, 1, ald_least(l->m, 64));
    return ALD_OK;
}

static ald_status add_kernel(ald_run *run, const ald_feature_map *map, const ald_operator *row,
                             ald_model_recipe *recipe, int64_t *tile)
{
    const ald_features *f = &map->features;
    const double *landmarks;
    const int tiled = ald_landmarks_apply_serves(run, &f->kernel, &f->landmarks, row, map->p);
    int64_t piece = *tile = tiled ? ald_tile_size(f->m) : f->m;
    ALD_TRY(take_landmarks(run, &f->landmarks, &landmarks, &piece));
    ald_export_step *step = ald_recipe_add(recipe, ALD_STEP_KERNEL, f->d, f->m);
    step->kernel = f->kernel;
    step->last_alone = piece > 1 && f->m > piece && f->m % piece == 1;
    step->table[0] = (ald_step_table){"landmarks", landmarks, f->m, f->d};
    step->table[1] = (ald_step_table){"squares", f->landmarks.squares, f->m, 0};
    step->number[0] = (ald_step_number){"width", f->kernel.width};
    step->number[1] = (ald_step_number){"coef0", f->kernel.coef0};
    step->number[2] = (ald_step_number){"degree", (double)f->kernel.degree};
    return ALD_OK;
}

static ald_status take_kernel(ald_run *run, ald_model_recipe *recipe)
{
    const double *shift = ald_model_reals(recipe->model, "shift", recipe->d, -1);
    ald_operator row = {.x = ald_matrix_row_major(NULL, 1, recipe->d, recipe->d), .mean = shift};
    ald_feature_map map;
    double *inverse;
    int64_t tile = recipe->d;
    ALD_TRY(ald_model_read_kernel(run, recipe->model, &map));
    ALD_TRY(take_inverse(run, recipe, &inverse));
    row.inverse_scale = inverse;
    const int precomputed = map.features.kernel.kind == ALD_KERNEL_PRECOMPUTED;
    if (!precomputed) ALD_TRY(ald_landmarks_shift(run, &map.features.landmarks, &row));
    add_columns(recipe, row.mean, inverse);
    if (!precomputed) ALD_TRY(add_kernel(run, &map, &row, recipe, &tile));
    add_product(recipe, map.features.m, map.mean, NULL, map.t, tile);
    return ALD_OK;
}

static ald_status take_waves(ald_run *run, ald_model_recipe *recipe)
{
    const double *shift = ald_model_reals(recipe->model, "shift", recipe->d, -1);
    ald_feature_map map;
    double *inverse;
    ALD_TRY(ald_model_read_features(run, recipe->model, &map));
    ALD_TRY(take_inverse(run, recipe, &inverse));
    add_columns(recipe, shift, inverse);
    ald_export_step *step = ald_recipe_add(recipe, ALD_STEP_WAVES, recipe->d, map.features.m);
    step->table[0] =
        (ald_step_table){"frequencies", map.features.fourier.frequencies, map.features.m, recipe->d};
    step->table[1] = (ald_step_table){"phases", map.features.fourier.phases, map.features.m, 0};
    add_product(recipe, map.features.m, map.mean, NULL, map.t, map.features.m);
    return ALD_OK;
}

static ald_status take_none(ald_run *run, ald_model_recipe *recipe)
{
    char why[160];
    snprintf(why, sizeof why, "%.40s embeds only the rows it was fitted on and has no map for others",
             ald_model_method(recipe->model));
    return ald_recipe_refuse(run, why);
}

static ald_status take_map(ald_run *run, ald_model_recipe *recipe)
{
    static const struct {
        const char *name;
        int unsafe;
        ald_status (*take)(ald_run *run, ald_model_recipe *recipe);
    } maps[] = {
        {"linear", 0, take_linear},
        {"kernel", 1, take_kernel},
        {"features", 1, take_waves},
        {"none", 0, take_none},
    };
    const char *name = ald_model_text(recipe->model, "alidade.map");
    for (size_t i = 0; name && i < sizeof maps / sizeof *maps; i++) {
        if (strcmp(maps[i].name, name) != 0) continue;
        recipe->unsafe |= maps[i].unsafe;
        return maps[i].take(run, recipe);
    }
    return ald_recipe_refuse(run, "this version does not know its map");
}

static ald_status refuse_number(ald_run *run, const ald_export_step *step, const char *name)
{
    return ald_fail(run->error, ALD_ERROR_FORMAT, "damaged model: a number of its step %s (%s) is not finite",
                    ald_step_names[step->kind], name);
}

/* The slope along a reference is found by its square. */
static int has_square(const ald_step_table *reference)
{
    double square = 0.0;
    for (int64_t i = 0; i < reference->rows; i++) square += reference->data[i] * reference->data[i];
    return isfinite(square);
}

static ald_status check_step(ald_run *run, const ald_export_step *step, double *numbers)
{
    for (int t = 0; t < ALD_STEP_NUMBERS; t++)
        if (step->number[t].name && !isfinite(step->number[t].value))
            return refuse_number(run, step, step->number[t].name);
    for (int t = 0; t < ALD_STEP_TABLES; t++) {
        const ald_step_table *table = &step->table[t];
        const int64_t count = table->data ? table->rows * ald_most(table->cols, 1) : 0;
        *numbers += (double)count;
        for (int64_t i = 0; i < count; i++)
            if (!isfinite(table->data[i])) return refuse_number(run, step, table->name);
    }
    if (step->kind == ALD_STEP_MSC && !has_square(&step->table[0]))
        return refuse_number(run, step, step->table[0].name);
    return ALD_OK;
}

/* Counts them too. */
static ald_status check_numbers(ald_run *run, ald_model_recipe *recipe)
{
    for (int k = 0; k < recipe->n_steps; k++) ALD_TRY(check_step(run, &recipe->step[k], &recipe->numbers));
    return ALD_OK;
}

ald_status ald_recipe_take_digest(ald_run *run, ald_model_recipe *recipe)
{
    unsigned char digest[ALD_SHA256_SIZE];
    unsigned char *bytes;
    size_t size;
    ald_sha256 hash;
    ALD_TRY(ald_modelfile_bytes(run, recipe->model, &bytes, &size));
    ald_sha256_begin(&hash);
    ald_sha256_add(&hash, bytes, size);
    ald_sha256_end(&hash, digest);
    run->call.allocator->resize(run->call.allocator->user, bytes, 0);
    for (int i = 0; i < ALD_SHA256_SIZE; i++) snprintf(recipe->digest + 2 * i, 3, "%02x", digest[i]);
    return ALD_OK;
}

ald_status ald_recipe_take(ald_run *run, const ald_model *model, int predicts, ald_model_recipe *recipe)
{
    *recipe = (ald_model_recipe){
        .model = model,
        .d = ald_model_feature_count(model),
        .r = ald_model_component_count(model),
    };
    if (recipe->d < 1 || recipe->r < 1)
        return ald_fail(run->error, ALD_ERROR_FORMAT, "damaged model: it has no features or no components");
    ALD_TRY(ald_recipe_take_inputs(run, recipe));
    ALD_TRY(take_row_steps(run, recipe));
    ALD_TRY(take_map(run, recipe));
    recipe->n_map = recipe->n_rank = recipe->n_steps;
    if (predicts) ALD_TRY(ald_recipe_take_predictor(run, recipe));
    return check_numbers(run, recipe);
}
