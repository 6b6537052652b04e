#include "io/reading/like.h"

#include "base/core/json.h"

#include <string.h>

static ald_status keep_text(ald_run *run, const json_t *value, const char **text)
{
    const char *given = json_string_value(value);
    *text = NULL;
    if (!given) return ALD_OK;
    *text = ald_arena_text(&run->scratch, given, strlen(given));
    return *text ? ALD_OK : ald_out_of_memory(run, (int64_t)strlen(given), 1, 1);
}

/* Rows that are to be fitted need no names. */
static ald_status take_ids(ald_run *run, const json_t *root, const ald_load_options *options,
                           ald_table *table)
{
    const json_t *list = json_object_get(root, "ids");
    ald_known_id *ids;
    if (options->id || options->with_weights || json_array_size(list) == 0) return ALD_OK;
    ALD_TRY(ald_scratch(run, (int64_t)json_array_size(list), 1, sizeof *ids, &ids));
    for (size_t k = 0; k < json_array_size(list); k++) {
        const json_t *column = json_array_get(list, k);
        ALD_TRY(keep_text(run, json_object_get(column, "name"), &ids[k].name));
        ids[k].position = json_integer_value(json_object_get(column, "position"));
    }
    table->known_ids = ids;
    table->n_known_ids = (int64_t)json_array_size(list);
    table->known_columns = json_integer_value(json_object_get(root, "columns"));
    return ALD_OK;
}

/* What was given for the file of the model and not for this one. */
static ald_status take_manner(ald_run *run, const json_t *reading, ald_load_options *whole)
{
    if (!whole->na) ALD_TRY(keep_text(run, json_object_get(reading, "na"), &whole->na));
    if (!whole->decimal) ALD_TRY(keep_text(run, json_object_get(reading, "decimal"), &whole->decimal));
    if (!whole->thousands) ALD_TRY(keep_text(run, json_object_get(reading, "thousands"), &whole->thousands));
    if (json_is_true(json_object_get(reading, "transpose"))) whole->transpose = 1;
    return ALD_OK;
}

ald_status ald_options_like(ald_run *run, const ald_load_options *options, ald_load_options *whole,
                            ald_table *table)
{
    const char *text = options->like ? ald_model_text(options->like, "alidade.schema") : NULL;
    json_t *root;
    *whole = *options;
    if (!text) return ALD_OK;
    ALD_TRY(ald_json_parse(run, text, strlen(text), "the schema of the model is damaged", &root));
    ald_status status = take_ids(run, root, options, table);
    if (status >= 0) status = take_manner(run, json_object_get(root, "reading"), whole);
    json_decref(root);
    return status;
}
