/* A recipe as documented numbers in JSON (docs/export.md): inputs, steps, what is decided, errors. */
#include "base/core/text.h"
#include "show/export/export.h"
#include "show/export/pen.h"

#include <alidade/version.h>

static void put_string(ald_pen *pen, const char *text)
{
    ald_text quoted;
    if (pen->status < 0) return;
    ald_text_init(&quoted, &pen->run->scratch);
    pen->status = ald_text_json(pen->run, &quoted, text ? text : "");
    if (pen->status >= 0) ald_pen_put(pen, quoted.data);
    ald_arena_drop(&pen->run->scratch, quoted.data);
}

static void put_strings(ald_pen *pen, char *const *texts, int64_t count)
{
    ald_pen_put(pen, "[");
    for (int64_t i = 0; i < count; i++) {
        ald_pen_comma(pen, i);
        put_string(pen, texts[i]);
    }
    ald_pen_put(pen, "]");
}

/* cols 0: a plain list; else a list for each row. */
static void put_reals(ald_pen *pen, const double *values, int64_t rows, int64_t cols)
{
    ald_pen_put(pen, "[");
    for (int64_t i = 0; i < rows; i++) {
        ald_pen_comma(pen, i);
        if (cols == 0) ald_pen_real(pen, values[i], "null");
        if (cols > 0) put_reals(pen, values + i * cols, cols, 0);
    }
    ald_pen_put(pen, "]");
}

static void put_inputs(ald_pen *pen, const ald_model_recipe *recipe)
{
    ald_pen_put(pen, "\"inputs\": [\n");
    for (int64_t j = 0; j < recipe->n_inputs; j++) {
        const ald_recipe_input *input = &recipe->inputs[j];
        ald_pen_put(pen, j ? ",\n{\"name\": " : "{\"name\": ");
        put_string(pen, input->name);
        ald_pen_put(pen, ", \"missing\": ");
        ald_pen_real(pen, input->fill, "null");
        if (input->n_levels > 0) {
            ald_pen_print(pen, ", \"encode\": \"%s\", \"levels\": ", input->coded ? "code" : "indicators");
            put_strings(pen, input->levels, input->n_levels);
            ald_pen_put(pen, ", \"unknown\": ");
            if (input->means)
                put_reals(pen, input->means, input->width, 0);
            else
                ald_pen_put(pen, "null");
        }
        ald_pen_put(pen, "}");
    }
    ald_pen_put(pen, "],\n");
}

static const char *part_of(const ald_model_recipe *recipe, int k)
{
    if (k < recipe->n_map) return "scores";
    return k < recipe->n_rank ? "decision" : "probabilities";
}

static void put_step(ald_pen *pen, const ald_model_recipe *recipe, int k)
{
    const ald_export_step *step = &recipe->step[k];
    ald_pen_print(pen, "{\"step\": \"%s\", \"for\": \"%s\", \"in\": %lld, \"out\": %lld",
                  ald_step_names[step->kind], part_of(recipe, k), (long long)step->in, (long long)step->out);
    if (step->kind == ALD_STEP_KERNEL)
        ald_pen_print(pen, ", \"kernel\": \"%s\"", ald_kernel_names[step->kernel.kind]);
    for (int t = 0; t < ALD_STEP_NUMBERS; t++) {
        if (!step->number[t].name) continue;
        ald_pen_print(pen, ", \"%s\": ", step->number[t].name);
        ald_pen_real(pen, step->number[t].value, "null");
    }
    for (int t = 0; t < ALD_STEP_TABLES; t++) {
        const ald_step_table *table = &step->table[t];
        if (!table->data) continue;
        ald_pen_print(pen, ",\n\"%s\": ", table->name);
        put_reals(pen, table->data, table->rows, table->cols);
    }
    ald_pen_put(pen, "}");
}

static void put_target(ald_pen *pen, const ald_model_recipe *recipe)
{
    static const char *const kinds[] = {
        [ALD_TARGET_NONE] = "none",
        [ALD_TARGET_CLASSES] = "classes",
        [ALD_TARGET_REAL] = "real",
        [ALD_TARGET_LABELS] = "labels",
    };
    ald_pen_print(pen, "\"target\": \"%s\", \"outputs\": %lld, \"probabilities\": %s, \"names\": ",
                  kinds[recipe->kind], (long long)recipe->q, recipe->probabilities ? "true" : "false");
    if (recipe->names)
        put_strings(pen, recipe->names, recipe->q);
    else
        ald_pen_put(pen, "null");
    ald_pen_put(pen, ",\n\"errors\": ");
    if (recipe->errors.rows > 0)
        put_reals(pen, recipe->errors.errors, recipe->errors.rows, recipe->errors.columns);
    else
        ald_pen_put(pen, "null");
    ald_pen_put(pen, "\n}\n");
}

ald_status ald_export_json_check(ald_run *run, const ald_model_recipe *recipe, const ald_export_job *job)
{
    (void)run, (void)recipe, (void)job;
    return ALD_OK;
}

ald_status ald_export_json(ald_run *run, const ald_model_recipe *recipe, ald_export_job *job)
{
    ald_pen *pen = &job->pen;
    (void)run;
    ald_pen_print(pen, "{\n\"alidade\": \"%s\", \"export\": 1, \"method\": ", ALD_VERSION);
    put_string(pen, ald_model_method(recipe->model));
    ald_pen_print(pen, ", \"model_sha256\": \"%s\",\n\"features\": %lld, \"components\": %lld,\n",
                  recipe->digest, (long long)recipe->d, (long long)recipe->r);
    put_inputs(pen, recipe);
    ald_pen_put(pen, "\"steps\": [\n");
    for (int k = 0; k < recipe->n_steps; k++) {
        ald_pen_put(pen, k ? ",\n" : "");
        put_step(pen, recipe, k);
    }
    ald_pen_put(pen, "],\n");
    put_target(pen, recipe);
    return pen->status;
}
