/* A recipe as an ONNX model, opset 13, double throughout. Inputs: one matrix, or one N x 1 tensor for each
 * column, by its name; categories are texts. Outputs: scores (the projection), prediction, and probabilities,
 * or decision where the predictor has no probabilities; of calibrated models lower and upper, or set, for the
 * input level, which has a default. A row with a cell that is not finite, or has no value and cannot be
 * filled in, has NaN for numbers, "" for its class, -1 for its labels and an empty set, whatever its map. */
#include "show/export/write_onnx.h"
#include "base/numbers/ordering.h"
#include "show/export/export.h"

#include <alidade/version.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { ir_version = 7, opset = 13, opset_ml = 2 };
enum { model_ir = 1, model_producer = 2, model_producer_version = 3, model_graph = 7, model_opset = 8 };
enum { model_metadata = 14, graph_name = 2 };

/* Savgol is a matrix here, and a message of this format has less than 2 GB. */
static const double most_numbers = 2.0e8;

/* Names that inputs cannot have. */
static const char *const taken[] = {
    "scores", "prediction", "probabilities", "decision", "lower", "upper", "set", "level",
};

static int by_columns(const ald_model_recipe *recipe, const ald_export_job *job)
{
    return job->options.inputs ? strcmp(job->options.inputs, "columns") == 0 : recipe->has_categories;
}

ald_status ald_export_onnx_check(ald_run *run, const ald_model_recipe *recipe, const ald_export_job *job)
{
    const char *inputs = job->options.inputs;
    const double *errors;
    double numbers = recipe->numbers;
    if (inputs && strcmp(inputs, "columns") != 0 && strcmp(inputs, "matrix") != 0)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT, "`inputs` is %.20s, but it must be matrix or columns",
                        inputs);
    if (recipe->has_categories && !by_columns(recipe, job))
        return ald_recipe_refuse(run,
                                 "some columns are categories, which have no place in a matrix of numbers: "
                                 "give `inputs=columns`");
    for (int k = 0; k < recipe->n_steps; k++)
        if (recipe->step[k].kind == ALD_STEP_SAVGOL) numbers += (double)recipe->d * (double)recipe->d;
    if (numbers >= most_numbers) return ald_recipe_refuse(run, "an ONNX file has less than 2 GB");
    return job->options.level > 0.0 ? ald_calibration_at(run, recipe->model, job->options.level, &errors)
                                    : ALD_OK;
}

static int is_taken(const char *name, char *const *earlier, int64_t count)
{
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (strcmp(taken[i], name) == 0) return 1;
    for (int64_t i = 0; i < count; i++)
        if (strcmp(earlier[i], name) == 0) return 1;
    return 0;
}

/* The name of input j, all of them different: its own, or x1, x2, ... where it has none, with "column "
 * before it while an output or an earlier input has that name. */
static ald_status name_input(ald_run *run, const ald_model_recipe *recipe, int64_t j, char *const *earlier,
                             char **name)
{
    static const char before[] = "column ";
    const char *own = recipe->inputs[j].name;
    char number[40];
    snprintf(number, sizeof number, "x%lld", (long long)j + 1);
    if (!*own) own = number;
    ALD_TRY(ald_keep_text(run, &run->scratch, own, strlen(own), name));
    while (is_taken(*name, earlier, j)) {
        ald_text text;
        ald_text_init(&text, &run->scratch);
        ALD_TRY(ald_text_add(run, &text, before, strlen(before)));
        ALD_TRY(ald_text_add(run, &text, *name, strlen(*name)));
        *name = text.data;
    }
    return ALD_OK;
}

/* A prefix that no input begins with. */
static ald_status find_prefix(ald_run *run, const ald_model_recipe *recipe, const char **prefix)
{
    char text[40] = "alidade/";
    char *kept;
    for (int i = 0, clash = 1; clash && i < 20; i++) {
        clash = 0;
        for (int64_t j = 0; j < recipe->n_inputs; j++)
            clash |= strncmp(recipe->inputs[j].name, text, strlen(text)) == 0;
        if (clash) strcat(text, "/");
    }
    ALD_TRY(ald_keep_text(run, &run->scratch, text, strlen(text), &kept));
    *prefix = kept;
    return ALD_OK;
}

/* One row for each level, then those of an unknown and of a missing one. */
static ald_status level_table(ald_run *run, const ald_recipe_input *input, double **rows)
{
    const int64_t n = input->n_levels, width = input->width;
    ALD_TRY(ald_scratch_zeros(run, n + 2, width, rows));
    for (int64_t k = 0; k < n; k++) {
        if (input->coded)
            (*rows)[k] = (double)k;
        else
            (*rows)[k * width + k] = 1.0;
    }
    for (int64_t k = 0; k < width; k++) {
        const int64_t filled = isnan(input->fill) ? -1 : (int64_t)input->fill;
        (*rows)[n * width + k] = input->means ? input->means[k] : NAN;
        (*rows)[(n + 1) * width + k] = filled < 0 ? NAN : (*rows)[filled * width + k];
    }
    if (n == 1 && width == 1 && input->means == NULL) (*rows)[n] = NAN;
    return ALD_OK;
}

/* N x 1 texts to N x width numbers. */
static ald_status encode_texts(ald_graph_builder *b, const ald_recipe_input *input, const char *name,
                               ald_value *x)
{
    const int64_t n = input->n_levels, axis = 1;
    char **keys;
    int64_t *values;
    double *rows;
    char nothing[] = "";
    int64_t count = n;
    ALD_TRY(ald_scratch(b->run, n + 1, 1, sizeof *keys, &keys));
    ALD_TRY(ald_scratch(b->run, n + 1, 1, sizeof *values, &values));
    ALD_TRY(level_table(b->run, input, &rows));
    for (int64_t k = 0; k < n; k++) {
        keys[k] = input->levels[k];
        values[k] = k;
        if (!*keys[k]) count = -n;
    }
    keys[n] = nothing;
    values[n] = n + 1;
    const ald_value code = ald_onnx_labels(b, name, keys, values, count < 0 ? n : n + 1, n);
    const ald_value spread =
        ald_onnx_node(b, "Gather", ald_onnx_reals(b, rows, n + 2, input->width), code, NULL);
    *x = ald_onnx_node(b, "Squeeze", spread, ald_onnx_ints(b, &axis, 1), NULL);
    return b->graph.status;
}

static ald_value fill_missing(ald_graph_builder *b, ald_value x, ald_value fill)
{
    return ald_onnx_node(b, "Where", ald_onnx_node(b, "IsNaN", x, NULL, NULL), fill, x);
}

static ald_status take_columns(ald_graph_builder *b, const ald_model_recipe *recipe, ald_value *x)
{
    ald_value *parts;
    char **names;
    ALD_TRY(ald_scratch(b->run, recipe->n_inputs, 1, sizeof *parts, &parts));
    ALD_TRY(ald_scratch(b->run, recipe->n_inputs, 1, sizeof *names, &names));
    for (int64_t j = 0; j < recipe->n_inputs; j++) {
        const ald_recipe_input *input = &recipe->inputs[j];
        ALD_TRY(name_input(b->run, recipe, j, names, &names[j]));
        ald_onnx_input(b, names[j], input->n_levels > 0 ? ALD_ONNX_STRING : ALD_ONNX_DOUBLE, 1);
        parts[j] = names[j];
        if (input->n_levels > 0)
            ALD_TRY(encode_texts(b, input, names[j], &parts[j]));
        else if (!isnan(input->fill))
            parts[j] = fill_missing(b, names[j], ald_onnx_real(b, input->fill));
    }
    *x = ald_onnx_concat(b, parts, recipe->n_inputs);
    return b->graph.status;
}

static ald_status take_matrix(ald_graph_builder *b, const ald_model_recipe *recipe, ald_value *x)
{
    double *fills;
    ald_onnx_input(b, "x", ALD_ONNX_DOUBLE, recipe->n_inputs);
    *x = "x";
    if (!recipe->encodes) return b->graph.status;
    ALD_TRY(ald_scratch_reals(b->run, recipe->n_inputs, 1, &fills));
    for (int64_t j = 0; j < recipe->n_inputs; j++) fills[j] = recipe->inputs[j].fill;
    *x = fill_missing(b, *x, ald_onnx_reals(b, fills, recipe->n_inputs, 0));
    return b->graph.status;
}

/* N x 1: 0, or NaN where a number of the row is not finite. */
static ald_value gap_of(ald_graph_builder *b, ald_value x)
{
    return ald_onnx_reduce(b, "ReduceSum", ald_onnx_node(b, "Sub", x, x, NULL), 1, 1);
}

/* The class of the largest score; behind the last one "" for `bad` rows. Without names -1. */
static ald_status put_class(ald_graph_builder *b, const ald_model_recipe *recipe, ald_value bad,
                            ald_value scores)
{
    const int64_t q = recipe->q, axis = 1;
    char nothing[] = "";
    char **names;
    const ald_value largest = ald_onnx_node_int(b, "ArgMax", scores, NULL, "axis", 1);
    const ald_value settled =
        ald_onnx_node(b, "Where", bad, ald_onnx_int(b, recipe->names ? q : -1), largest);
    const ald_value code = ald_onnx_node(b, "Squeeze", settled, ald_onnx_ints(b, &axis, 1), NULL);
    if (!recipe->names) {
        ald_onnx_output(b, code, "prediction", ALD_ONNX_INT64, 0);
        return b->graph.status;
    }
    ALD_TRY(ald_scratch(b->run, q + 1, 1, sizeof *names, &names));
    memcpy(names, recipe->names, (size_t)q * sizeof *names);
    names[q] = nothing;
    const ald_value named = ald_onnx_node(b, "Gather", ald_onnx_strings(b, names, q + 1), code, NULL);
    ald_onnx_output(b, named, "prediction", ALD_ONNX_STRING, 0);
    return b->graph.status;
}

static ald_value cast_to(ald_graph_builder *b, ald_value x, int type)
{
    return ald_onnx_node_int(b, "Cast", x, NULL, "to", type);
}

/* e(k) of the errors, k = ceil((m + 1) level), infinite where there are too few (calibration.c). */
static ald_status errors_at_level(ald_graph_builder *b, const ald_calibration *errors, ald_value *e)
{
    const int64_t m = errors->rows, cols = errors->columns;
    double *rows;
    ALD_TRY(ald_scratch_reals(b->run, m + 1, cols, &rows));
    memcpy(rows, errors->errors, (size_t)(m * cols) * sizeof *rows);
    for (int64_t j = 0; j < cols; j++) rows[m * cols + j] = INFINITY;
    ald_onnx_input_number(b, "level", b->level);
    const ald_value place =
        ald_onnx_node(b, "Sub", ald_onnx_node(b, "Mul", "level", ald_onnx_real(b, (double)(m + 1)), NULL),
                      ald_onnx_real(b, 1e-9), NULL);
    const ald_value below = cast_to(b, place, ALD_ONNX_INT64);
    const ald_value more = cast_to(
        b, ald_onnx_node(b, "Greater", place, cast_to(b, below, ALD_ONNX_DOUBLE), NULL), ALD_ONNX_INT64);
    const ald_value rank =
        ald_onnx_node(b, "Sub", ald_onnx_node(b, "Add", below, more, NULL), ald_onnx_int(b, 1), NULL);
    const ald_value least = ald_onnx_node(b, "Max", rank, ald_onnx_int(b, 0), NULL),
                    row = ald_onnx_node(b, "Min", least, ald_onnx_int(b, m), NULL);
    *e = ald_onnx_node(b, "Gather", ald_onnx_reals(b, rows, m + 1, cols), row, NULL);
    return b->graph.status;
}

/* Whether |s - v| <= e, as 0 or 1. */
static ald_value contains(ald_graph_builder *b, ald_value s, double v, ald_value e)
{
    const ald_value apart =
        ald_onnx_node(b, "Abs", ald_onnx_node(b, "Sub", s, ald_onnx_real(b, v), NULL), NULL, NULL);
    return cast_to(b, ald_onnx_node(b, "LessOrEqual", apart, e, NULL), ALD_ONNX_INT64);
}

/* A comparison with NaN is false: a row that is no number has an empty set. */
static ald_status put_intervals(ald_graph_builder *b, const ald_model_recipe *recipe, ald_value s)
{
    ald_value e = NULL;
    if (recipe->errors.rows == 0) return ALD_OK;
    ALD_TRY(errors_at_level(b, &recipe->errors, &e));
    if (recipe->kind == ALD_TARGET_REAL) {
        ald_onnx_output(b, ald_onnx_node(b, "Sub", s, e, NULL), "lower", ALD_ONNX_DOUBLE, recipe->q);
        ald_onnx_output(b, ald_onnx_node(b, "Add", s, e, NULL), "upper", ALD_ONNX_DOUBLE, recipe->q);
        return b->graph.status;
    }
    if (recipe->kind == ALD_TARGET_LABELS) {
        const ald_value yes = contains(b, s, 1.0, e);
        const ald_value set =
            ald_onnx_node(b, "Add", contains(b, s, 0.0, e), ald_onnx_node(b, "Add", yes, yes, NULL), NULL);
        ald_onnx_output(b, set, "set", ALD_ONNX_INT64, recipe->q);
        return b->graph.status;
    }
    const ald_value inside =
        ald_onnx_node(b, "GreaterOrEqual", s, ald_onnx_node(b, "Neg", e, NULL, NULL), NULL);
    ald_onnx_output(b, inside, "set", ALD_ONNX_BOOL, recipe->q);
    return b->graph.status;
}

static void put_labels(ald_graph_builder *b, const ald_model_recipe *recipe, ald_value bad, ald_value scores)
{
    const ald_value yes = ald_onnx_node(b, "Greater", scores, ald_onnx_real(b, 0.5), NULL),
                    known =
                        ald_onnx_node(b, "Where", bad, ald_onnx_int(b, -1), cast_to(b, yes, ALD_ONNX_INT64));
    ald_onnx_output(b, known, "prediction", ALD_ONNX_INT64, recipe->q);
}

/* Neighbours make numbers of rows that are none: what decides a prediction gets the gap again. */
static ald_status put_predictions(ald_graph_builder *b, const ald_model_recipe *recipe, ald_value z)
{
    const ald_value gap = gap_of(b, z), bad = ald_onnx_node(b, "IsNaN", gap, NULL, NULL);
    ald_value ranks = NULL, scores = NULL;
    ALD_TRY(ald_onnx_steps(b, recipe, recipe->n_map, recipe->n_rank, z, &ranks));
    ranks = ald_onnx_node(b, "Add", ranks, gap, NULL);
    ALD_TRY(ald_onnx_steps(b, recipe, recipe->n_rank, recipe->n_steps, ranks, &scores));
    if (recipe->kind == ALD_TARGET_REAL) {
        ald_onnx_output(b, scores, "prediction", ALD_ONNX_DOUBLE, recipe->q);
        return put_intervals(b, recipe, scores);
    }
    if (recipe->kind == ALD_TARGET_CLASSES)
        ALD_TRY(put_class(b, recipe, bad, ranks));
    else
        put_labels(b, recipe, bad, scores);
    ald_onnx_output(b, scores, recipe->probabilities ? "probabilities" : "decision", ALD_ONNX_DOUBLE,
                    recipe->q);
    return put_intervals(b, recipe, scores);
}

static void put_opset(ald_message *model, const char *domain, int64_t version)
{
    ald_message set = ald_message_begin(model->run);
    ald_message_text(&set, 1, domain);
    ald_message_int(&set, 2, version);
    ald_message_add(model, model_opset, &set);
}

static void put_property(ald_message *model, const char *key, const char *value)
{
    ald_message pair = ald_message_begin(model->run);
    ald_message_text(&pair, 1, key);
    ald_message_text(&pair, 2, value ? value : "");
    ald_message_add(model, model_metadata, &pair);
}

/* The names of classes, labels or responses as a JSON list, and where the file comes from. */
static ald_status put_metadata(ald_message *model, const ald_model_recipe *recipe)
{
    ald_text names;
    ald_text_init(&names, &model->run->scratch);
    put_property(model, "alidade.method", ald_model_method(recipe->model));
    put_property(model, "alidade.version", ALD_VERSION);
    put_property(model, "alidade.model_sha256", recipe->digest);
    if (!recipe->names) return model->status;
    ALD_TRY(ald_text_json_list(model->run, &names, (const char *const *)recipe->names, recipe->q));
    put_property(model, "alidade.output_names", names.data);
    return model->status;
}

ald_status ald_export_onnx(ald_run *run, const ald_model_recipe *recipe, ald_export_job *job)
{
    ald_graph_builder b = {.run = run, .graph = ald_message_begin(run)};
    b.level = job->options.level > 0.0 ? job->options.level : 0.9;
    ald_message model = ald_message_begin(run);
    ald_value x = NULL, z = NULL;
    ALD_TRY(find_prefix(run, recipe, &b.prefix));
    ALD_TRY(by_columns(recipe, job) ? take_columns(&b, recipe, &x) : take_matrix(&b, recipe, &x));
    ALD_TRY(ald_onnx_steps(&b, recipe, 0, recipe->n_map, x, &z));
    z = ald_onnx_node(&b, "Add", z, ald_onnx_node(&b, "Add", gap_of(&b, x), gap_of(&b, z), NULL), NULL);
    if (job->scores || recipe->q == 0) ald_onnx_output(&b, z, "scores", ALD_ONNX_DOUBLE, recipe->r);
    if (recipe->q > 0) ALD_TRY(put_predictions(&b, recipe, z));
    ald_message_text(&b.graph, graph_name, "alidade");
    ald_message_int(&model, model_ir, ir_version);
    ald_message_text(&model, model_producer, "alidade");
    ald_message_text(&model, model_producer_version, ALD_VERSION);
    put_opset(&model, "", opset);
    put_opset(&model, "ai.onnx.ml", opset_ml);
    ALD_TRY(put_metadata(&model, recipe));
    ald_message_add(&model, model_graph, &b.graph);
    ALD_TRY(model.status);
    if (model.bytes.length > INT32_MAX) return ald_recipe_refuse(run, "an ONNX file has less than 2 GB");
    ald_pen_bytes(&job->pen, model.bytes.data, model.bytes.length);
    return job->pen.status;
}
