/* The steps of a model's predictor, from the projection to scores and probabilities, the names of what it
 * predicts, and what a calibrated model knows of its errors (recipe.h). */
#include "base/core/json.h"
#include "base/numbers/number.h"
#include "data/encode/schema.h"
#include "methods/predict/affine.h"
#include "show/export/recipe.h"

#include <string.h>

static void add_affine(ald_model_recipe *recipe)
{
    const int64_t r = recipe->r, q = recipe->q;
    const double *b = ald_model_reals(recipe->model, "predictor/coefficients", r, q),
                 *intercept = ald_model_reals(recipe->model, "predictor/intercept", q, -1);
    ald_export_step *step = ald_recipe_add(recipe, ALD_STEP_AFFINE, r, q);
    step->table[0] = (ald_step_table){"coefficients", b, r, q};
    step->table[1] = (ald_step_table){"intercept", intercept, q, 0};
}

static void take_affine(ald_model_recipe *recipe)
{
    add_affine(recipe);
    recipe->n_rank = recipe->n_steps;
}

static void take_gaussian(ald_model_recipe *recipe)
{
    const int64_t q = recipe->q;
    add_affine(recipe);
    if (ald_gaussian_compares(q, ald_model_reals(recipe->model, "predictor/intercept", q, -1)))
        ald_recipe_add(recipe, ALD_STEP_COMPARE, q, q);
    recipe->n_rank = recipe->n_steps;
    ald_recipe_add(recipe, ALD_STEP_SOFTMAX, q, q);
}

/* Labels are decided by their probabilities. */
static void take_logistic(ald_model_recipe *recipe)
{
    const char *link = ald_model_text(recipe->model, "alidade.predictor.link");
    const int logit = link && strcmp(link, "logit") == 0;
    add_affine(recipe);
    recipe->n_rank = recipe->n_steps;
    ald_recipe_add(recipe, logit ? ALD_STEP_LOGIT : ALD_STEP_SOFTMAX, recipe->q, recipe->q);
    if (recipe->kind != ALD_TARGET_CLASSES) recipe->n_rank = recipe->n_steps;
}

static void take_centroid(ald_model_recipe *recipe)
{
    const int64_t r = recipe->r, q = recipe->q;
    ald_recipe_add(recipe, ALD_STEP_CENTROID, r, q)->table[0] =
        (ald_step_table){"centres", ald_model_reals(recipe->model, "predictor/z", q, r), q, r};
    recipe->n_rank = recipe->n_steps;
}

static void take_neighbours(ald_model_recipe *recipe)
{
    const char *neighbours = ald_model_text(recipe->model, "alidade.predictor.neighbors");
    ald_array z = {0}, y = {0};
    int64_t k = 1;
    ald_model_array(recipe->model, "predictor/z", &z);
    ald_model_array(recipe->model, "predictor/y", &y);
    const int64_t n = z.shape[0], cols = y.dims == 1 ? 0 : recipe->q;
    const double *targets = ald_model_reals(recipe->model, "predictor/y", n, cols ? cols : -1);
    if (neighbours) ald_parse_int(neighbours, strlen(neighbours), &k);
    ald_export_step *step = ald_recipe_add(recipe, ALD_STEP_NEIGHBOURS, recipe->r, recipe->q);
    step->table[0] =
        (ald_step_table){"rows", ald_model_reals(recipe->model, "predictor/z", n, recipe->r), n, recipe->r};
    step->table[1] = (ald_step_table){"targets", targets, n, cols};
    step->table[2] =
        (ald_step_table){"weights", ald_model_reals(recipe->model, "predictor/weights", n, -1), n, 0};
    step->number[0] = (ald_step_number){"neighbours", (double)k};
    step->number[1] = (ald_step_number){"codes", y.dims == 1};
    recipe->n_rank = recipe->n_steps;
}

static ald_status take_steps(ald_run *run, ald_model_recipe *recipe, const ald_predictor *predictor)
{
    static const struct {
        const ald_predictor *predictor;
        void (*take)(ald_model_recipe *recipe);
    } known[] = {
        {&ald_predictor_linear, take_affine},      {&ald_predictor_ridge, take_affine},
        {&ald_predictor_one_vs_rest, take_affine}, {&ald_predictor_gaussian, take_gaussian},
        {&ald_predictor_logistic, take_logistic},  {&ald_predictor_centroid, take_centroid},
        {&ald_predictor_knn, take_neighbours},     {&ald_predictor_cox, take_affine},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (known[i].predictor != predictor) continue;
        known[i].take(recipe);
        return ALD_OK;
    }
    return ald_recipe_refuse(run, "its predictor has no export yet");
}

/* Of classes, labels or responses; a list of another length is none. */
static ald_status take_names(ald_run *run, ald_model_recipe *recipe)
{
    const char *key = recipe->kind == ALD_TARGET_CLASSES ? "alidade.class_names" : "alidade.response_names";
    const char *text = ald_model_text(recipe->model, key);
    json_t *list;
    int64_t count = 0;
    if (!text) return ALD_OK;
    ALD_TRY(ald_json_parse(run, text, strlen(text), "the names in the model are damaged", &list));
    const ald_status status = ald_schema_copy_list(run, list, &recipe->names, &count);
    json_decref(list);
    if (count != recipe->q) recipe->names = NULL;
    return status;
}

ald_status ald_recipe_take_predictor(ald_run *run, ald_model_recipe *recipe)
{
    ald_prediction_shape shape = ALD_PREDICTION_SHAPE_INIT;
    const ald_predictor *predictor = ald_predictor_of(recipe->model);
    if (!predictor) return ALD_OK;
    ald_model_prediction_shape(recipe->model, &shape);
    if (shape.scores < 1 || shape.kind == ALD_TARGET_NONE)
        return ald_fail(run->error, ALD_ERROR_FORMAT,
                        "damaged model: the arrays of its predictor are missing or do not fit");
    recipe->q = shape.scores;
    recipe->kind = shape.kind;
    recipe->probabilities = shape.probabilities;
    ALD_TRY(take_steps(run, recipe, predictor));
    ALD_TRY(take_names(run, recipe));
    return ald_calibration_load(run, recipe->model, &recipe->errors);
}
