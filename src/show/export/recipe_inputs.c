/* The cells of a row as they come, by the schema of the model: numbers, categories, and what stands for cells
 * without a value (recipe.h). A model without a schema has d numbers. */
#include "base/core/json.h"
#include "data/encode/schema.h"
#include "show/export/recipe.h"

#include <math.h>
#include <string.h>

/* Without a schema: the names of the columns of X, where the model has them. */
static ald_status take_plain(ald_run *run, ald_model_recipe *recipe)
{
    const char *text = ald_model_text(recipe->model, "alidade.feature_names");
    json_t *list;
    char **names = NULL;
    int64_t count = 0;
    if (text) {
        ALD_TRY(ald_json_parse(run, text, strlen(text), "the names in the model are damaged", &list));
        const ald_status status = ald_schema_copy_list(run, list, &names, &count);
        json_decref(list);
        ALD_TRY(status);
    }
    recipe->n_inputs = recipe->d;
    recipe->has_names = count == recipe->d;
    ALD_TRY(ald_scratch(run, recipe->d, 1, sizeof *recipe->inputs, &recipe->inputs));
    for (int64_t j = 0; j < recipe->d; j++)
        recipe->inputs[j] =
            (ald_recipe_input){.name = recipe->has_names ? names[j] : "", .fill = NAN, .width = 1};
    return ALD_OK;
}

static ald_status take_column(ald_run *run, const ald_schema *schema, const ald_schema_column *column,
                              ald_recipe_input *input)
{
    *input = (ald_recipe_input){
        .name = column->name ? column->name : "",
        .n_levels = column->categorical ? column->n_levels : 0,
        .levels = column->levels,
        .fill = schema->missing == ALD_MISSING_MEAN ? column->fill : NAN,
        .width = column->categorical && !schema->ordinal ? column->n_levels : 1,
        .coded = column->categorical && schema->ordinal,
    };
    if (!column->categorical) return ALD_OK;
    if (column->n_levels < 1) return ald_recipe_refuse(run, "a categorical column has no levels");
    if (!(input->fill >= 0.0 && input->fill < (double)input->n_levels)) input->fill = NAN;
    if (!column->counts) return ALD_OK;
    return ald_level_means(run, column->counts, column->n_levels, schema->ordinal, &input->means);
}

ald_status ald_recipe_take_inputs(ald_run *run, ald_model_recipe *recipe)
{
    ald_schema schema;
    int64_t width = 0;
    if (!ald_model_text(recipe->model, "alidade.schema")) return take_plain(run, recipe);
    ALD_TRY(ald_schema_read(run, recipe->model, &schema));
    if (schema.missing == ALD_MISSING_NIPALS)
        return ald_recipe_refuse(run, "rows with missing cells are projected by a solve per row "
                                      "(`missing=nipals`): fit with `missing=mean`");
    recipe->n_inputs = schema.n_features;
    recipe->has_days = schema.dates_are_numbers;
    ALD_TRY(ald_scratch(run, schema.n_features, 1, sizeof *recipe->inputs, &recipe->inputs));
    for (int64_t j = 0; j < schema.n_features; j++) {
        ald_recipe_input *input = &recipe->inputs[j];
        ALD_TRY(take_column(run, &schema, &schema.features[j], input));
        width += input->width;
        recipe->has_names |= *input->name != '\0';
        recipe->has_categories |= input->n_levels > 0;
        recipe->encodes |= input->n_levels > 0 || !isnan(input->fill);
    }
    if (width == recipe->d) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_FORMAT,
                    "damaged model: the columns of its schema make %lld numbers, it has %lld features",
                    (long long)width, (long long)recipe->d);
}
