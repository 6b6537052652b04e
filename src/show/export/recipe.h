/* A model as plain numeric steps, from the cells of a row to its prediction: what the writers of this room
 * (C, ONNX, SQL, JSON) walk. It is taken from the fitted model in one place (recipe.c, recipe_inputs.c,
 * recipe_predictor.c), which refuses what cannot be written as such steps, and models whose arrays are
 * damaged: a writer can rely on shapes, and every number is finite.
 *
 *   inputs     n_inputs cells become d numbers: a category its code or an indicator for each level, a cell
 *              without a value what stands for it
 *   steps      0 .. n_map make the projection z (r numbers) of these;
 *              n_map .. n_rank the scores that decide the prediction (q numbers);
 *              n_rank .. n_steps what else makes probabilities of them
 *   decision   numbers: the scores; classes: the largest score, the first of equal ones; labels: above 1/2
 *   errors     calibrated models: the intervals or sets of any level (fit/fitting/calibration.c)
 *
 * With x what a step is given and y what it makes (in = out, and in place, for the first seven):
 *
 *   snv, msc, detrend, savgol   fit/prepare/row_plan.c
 *   row_scale    x less its mean, over its deviation (standard = 1), or over its length
 *   columns      (x_j - mean_j) inverse_j, either table may be missing
 *   compare      scores of an affine step near the best, as differences (methods/predict/gaussian.c)
 *   linear       y = ((x - mean) inverse) coefficients, summed in tiles of so many entries, these added up
 *   kernel       y_j = k(x, landmark_j), from products and the squares of both lengths (math/kernel/kernel.h)
 *   waves        y_k = sqrt(2 / m) cos(frequencies_k'x + phases_k)
 *   affine       y = intercept + x coefficients
 *   centroid     y_c = -|x - centre_c|^2
 *   neighbours   the weighted mean of the targets of the k nearest rows, ties to the lower row
 *   softmax, logit
 *
 * The order of summation is the plain backend's: products in blocks of 256 entries from the first to the
 * last, and where a product has one column in eight lanes (math/backend/plain_products.c, row_sums.c). */
#ifndef ALD_EXPORT_RECIPE_H
#define ALD_EXPORT_RECIPE_H

#include "base/core/model.h"
#include "fit/fitting/calibration.h"
#include "math/kernel/kernel.h"

typedef enum ald_step_kind {
    ALD_STEP_SNV,
    ALD_STEP_MSC,
    ALD_STEP_DETREND,
    ALD_STEP_SAVGOL,
    ALD_STEP_ROW_SCALE,
    ALD_STEP_COLUMNS,
    ALD_STEP_COMPARE,
    ALD_STEP_LINEAR,
    ALD_STEP_KERNEL,
    ALD_STEP_WAVES,
    ALD_STEP_AFFINE,
    ALD_STEP_CENTROID,
    ALD_STEP_NEIGHBOURS,
    ALD_STEP_SOFTMAX,
    ALD_STEP_LOGIT,
    ALD_STEP_KINDS,
} ald_step_kind;

/* By kind; the names of the steps as they are written. */
extern const char *const ald_step_names[];

/* Row major; cols 0: a vector. data NULL: the step has none of that name. */
typedef struct ald_step_table {
    const char *name;
    const double *data;
    int64_t rows, cols;
} ald_step_table;

typedef struct ald_step_number {
    const char *name;
    double value;
} ald_step_number;

enum { ALD_STEP_TABLES = 3, ALD_STEP_NUMBERS = 4, ALD_MOST_STEPS = 16 };

typedef struct ald_export_step {
    ald_step_kind kind;
    int64_t in, out;
    ald_step_table table[ALD_STEP_TABLES];
    ald_step_number number[ALD_STEP_NUMBERS];
    /* linear: entries of a tile. kernel: its function, and whether the product with the last landmark is one
     * by itself, in lanes. */
    int64_t tile;
    ald_kernel kernel;
    int last_alone;
} ald_export_step;

/* A cell of a row as it comes. */
typedef struct ald_recipe_input {
    const char *name; /* "" : it has none */
    int64_t n_levels; /* 0: a number */
    char **levels;
    double fill;         /* stands for a cell without a value: a number, or the code of a level; NaN: none */
    const double *means; /* n_levels (1 where codes are ordinal): stands for an unknown level; NULL: none */
    int64_t width;       /* numbers that it becomes */
    int coded;           /* a category becomes its code, not indicators */
} ald_recipe_input;

typedef struct ald_model_recipe {
    const ald_model *model;
    ald_recipe_input *inputs;
    int64_t n_inputs;
    int has_names, has_categories, encodes; /* encodes: inputs are not just the d numbers */
    int has_days;                           /* dates are numbers of days */
    int64_t d, r, q;                        /* q 0: there is no predictor, or it is not wanted */
    ald_target_kind kind;
    int probabilities;
    int unsafe;   /* a cell that is no number can be lost on the way to the projection */
    char **names; /* q: of classes, labels or responses; NULL: none */
    ald_export_step step[ALD_MOST_STEPS];
    int n_map, n_rank, n_steps;
    ald_calibration errors; /* rows 0: none */
    char digest[65];        /* SHA-256 of the model's file, once it is taken */
    double numbers;         /* in all tables */
} ald_model_recipe;

/* Everything in scratch, or the model's. `predicts` 0: only the map. */
ald_status ald_recipe_take(ald_run *run, const ald_model *model, int predicts, ald_model_recipe *recipe);

ald_status ald_recipe_take_digest(ald_run *run, ald_model_recipe *recipe);

/* recipe_inputs.c, recipe_predictor.c: its parts. */
ald_status ald_recipe_take_inputs(ald_run *run, ald_model_recipe *recipe);
ald_status ald_recipe_take_predictor(ald_run *run, ald_model_recipe *recipe);
/* A new step at the end. */
ald_export_step *ald_recipe_add(ald_model_recipe *recipe, ald_step_kind kind, int64_t in, int64_t out);
ald_status ald_recipe_refuse(ald_run *run, const char *why);

#endif
