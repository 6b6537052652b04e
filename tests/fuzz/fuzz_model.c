/* The fuzz target for model files. What can be read is used: it projects and predicts, is exported in every
 * format, and is written and read again. */
#include "fuzz/model_mutator.h"

#include <alidade/alidade.h>
#include <math.h>

enum { most_features = 200, most_outputs = 1000, rows = 2 };

static void expect(ald_status status, const ald_error *error)
{
    fuzzing_expect_message(status, error);
}

static void use(const ald_model *model, const ald_matrix *x)
{
    double out[rows * most_outputs];
    ald_error error;
    ald_prediction_shape shape = ALD_PREDICTION_SHAPE_INIT;
    ald_context *context = fuzzing_public();
    if (ald_model_component_count(model) <= most_outputs)
        expect(ald_transform(context, model, x, out, &error), &error);
    if (!ald_model_prediction_shape(model, &shape)) return;
    if (shape.columns > 0 && shape.columns <= most_outputs)
        expect(ald_predict(context, model, x, out, &error), &error);
    if (shape.scores > 0 && shape.scores <= most_outputs)
        expect(ald_predict_scores(context, model, x, out, &error), &error);
}

static void export_all(const ald_model *model)
{
    static const char *const formats[] = {"c", "onnx", "sql", "json"};
    ald_error error;
    for (int i = 0; i < 4; i++) {
        const ald_export_options options = {.size = sizeof options, .format = formats[i]};
        expect(ald_model_export(fuzzing_public(), model, "/dev/null", &options, &error), &error);
    }
}

static void write_and_read(const ald_model *model)
{
    ald_context *context = fuzzing_public();
    ald_model *again = NULL;
    ald_error error;
    unsigned char *bytes = NULL;
    size_t size = 0;
    const ald_status written = ald_model_to_bytes(context, model, &bytes, &size, &error);
    expect(written, &error);
    if (written >= 0 && ald_model_from_bytes(context, bytes, size, &again, &error) < 0) abort();
    ald_model_free(again);
    ald_bytes_free(context, bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    double cells[rows * most_features];
    ald_model *model = NULL;
    ald_error error;
    expect(ald_model_from_bytes(fuzzing_public(), bytes, size, &model, &error), &error);
    if (!model) return 0;
    const int64_t d = ald_model_feature_count(model);
    for (int k = 0; k < rows * most_features; k++) cells[k] = k % 7 - 2.5;
    const ald_matrix x = ald_matrix_row_major(cells, rows, d, d);
    if (d > 0 && d <= most_features) {
        use(model, &x);
        export_all(model);
    }
    write_and_read(model);
    ald_model_free(model);
    return 0;
}
