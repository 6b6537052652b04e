/* Named arrays and texts of a model, in the order they were added. */
#include "base/core/model.h"

#include "base/core/text.h"
#include "base/numbers/number.h"

#include <stdio.h>
#include <string.h>

/* Names are found by looking at all of them. A model has a dozen; the limit keeps a hostile file from taking
 * for ever.
 */
enum { most_entries = 10000, few = 16 };

ald_status ald_model_new(ald_run *run, ald_model **model)
{
    const ald_allocator *allocator = run->call.allocator;
    *model = allocator->resize(allocator->user, NULL, sizeof **model);
    if (!*model) return ald_out_of_memory(run, 1, 1, sizeof **model);
    memset(*model, 0, sizeof **model);
    (*model)->allocator = *allocator;
    ald_arena_init(&(*model)->memory, &(*model)->allocator);
    return ALD_OK;
}

void ald_model_free(ald_model *model)
{
    if (!model) return;
    const ald_allocator allocator = model->allocator;
    ald_arena_free(&model->memory);
    allocator.resize(allocator.user, model, 0);
}

/* Makes room for one entry more: the room is a power of two from `few` on, so it is used up when the count is
 * one. */
static ald_status make_room(ald_run *run, ald_model *model, int count, size_t size, void *list)
{
    if (count >= most_entries)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT, "a model holds at most %d arrays and %d texts",
                        most_entries, most_entries);
    if (count > 0 && (count < few || (count & (count - 1)) != 0)) return ALD_OK;
    const int64_t room = count < few ? few : 2 * (int64_t)count;
    return ald_resize(run, &model->memory, list, room, 1, size);
}

/* Key and value lie in one block, which the key points at. */
static ald_status keep_text(ald_run *run, ald_model *model, const char *key, const char *value,
                            ald_named_text *text)
{
    const size_t key_length = strlen(key), value_length = strlen(value),
                 size = ald_utf8_size(key, key_length) + ald_utf8_size(value, value_length);
    ALD_TRY(ald_get(run, &model->memory, (int64_t)size, 1, 1, &text->key));
    text->value = ald_utf8_write(key, key_length, text->key);
    ald_utf8_write(value, value_length, text->value);
    return ALD_OK;
}

static const ald_array *find_array(const ald_model *model, const char *name)
{
    for (int i = 0; i < model->n_arrays; i++)
        if (strcmp(model->arrays[i].name, name) == 0) return &model->arrays[i];
    return NULL;
}

static ald_named_text *find_text(const ald_model *model, const char *key)
{
    for (int i = 0; i < model->n_texts; i++)
        if (strcmp(model->texts[i].key, key) == 0) return &model->texts[i];
    return NULL;
}

static ald_status count_elements(ald_run *run, const char *name, int dims, const int64_t *shape,
                                 int64_t *count)
{
    if (dims < 0 || dims > ALD_MAX_DIMS)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "array '%s' has %d dimensions; at most %d are supported", name, dims, ALD_MAX_DIMS);
    *count = 1;
    for (int i = 0; i < dims; i++) {
        if (shape[i] < 0)
            return ald_fail(run->error, ALD_ERROR_ARGUMENT, "array '%s' has the negative size %lld", name,
                            (long long)shape[i]);
        if (__builtin_mul_overflow(*count, shape[i], count))
            return ald_fail(run->error, ALD_ERROR_MEMORY, "array '%s' is larger than memory can address",
                            name);
    }
    return ALD_OK;
}

/* Both element types take 8 bytes. */
ald_status ald_model_add(ald_run *run, ald_model *model, const char *name, ald_array_type type, int dims,
                         const int64_t *shape, void *data)
{
    int64_t count = 0;
    char *kept = ald_utf8_copy(&model->memory, name, strlen(name));
    if (!kept) return ald_out_of_memory(run, (int64_t)strlen(name), 1, 1);
    ALD_TRY(count_elements(run, name, dims, shape, &count));
    ALD_TRY(make_room(run, model, model->n_arrays, sizeof *model->arrays, &model->arrays));
    if (find_array(model, kept) || strcmp(kept, "__metadata__") == 0)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT, "the model already has an array '%s'", kept);
    void *block = ald_arena_get(&model->memory, count, 1, sizeof(double));
    if (!block) return ald_out_of_memory(run, count, 1, sizeof(double));
    ald_array array = {.name = kept, .type = type, .dims = dims, .data = block};
    for (int i = 0; i < dims; i++) array.shape[i] = shape[i];
    model->arrays[model->n_arrays++] = array;
    memcpy(data, &block, sizeof block);
    return ALD_OK;
}

static ald_status add_copy(ald_run *run, ald_model *model, const char *name, int dims, const int64_t *shape,
                           const double *values)
{
    double *data = NULL;
    ALD_TRY(ald_model_add(run, model, name, ALD_ARRAY_F64, dims, shape, &data));
    const int64_t count = shape[0] * (dims == 2 ? shape[1] : 1);
    if (count > 0) memcpy(data, values, (size_t)count * sizeof *data);
    return ALD_OK;
}

ald_status ald_model_add_vector(ald_run *run, ald_model *model, const char *name, int64_t n,
                                const double *values)
{
    return add_copy(run, model, name, 1, &n, values);
}

ald_status ald_model_add_matrix(ald_run *run, ald_model *model, const char *name, int64_t rows, int64_t cols,
                                const double *values)
{
    const int64_t shape[2] = {rows, cols};
    return add_copy(run, model, name, 2, shape, values);
}

ald_status ald_model_set_text(ald_run *run, ald_model *model, const char *key, const char *value)
{
    ald_named_text text;
    ALD_TRY(keep_text(run, model, key, value, &text));
    ald_named_text *old = find_text(model, text.key);
    if (old) {
        ald_arena_drop(&model->memory, old->key);
        *old = text;
        return ALD_OK;
    }
    ALD_TRY(make_room(run, model, model->n_texts, sizeof *model->texts, &model->texts));
    model->texts[model->n_texts++] = text;
    return ALD_OK;
}

ald_status ald_model_set_printed(ald_run *run, ald_model *model, const char *key, const char *format, ...)
{
    va_list list, again;
    char few[128];
    char *text = few;
    va_start(list, format);
    va_copy(again, list);
    const int length = vsnprintf(few, sizeof few, format, list);
    va_end(list);
    ald_status status = ALD_OK;
    if (length >= (int)sizeof few) {
        status = ald_scratch(run, (int64_t)length + 1, 1, 1, &text);
        if (status == ALD_OK) vsnprintf(text, (size_t)length + 1, format, again);
    }
    va_end(again);
    return status == ALD_OK ? ald_model_set_text(run, model, key, text) : status;
}

ald_status ald_model_set_real(ald_run *run, ald_model *model, const char *key, double value)
{
    char text[ALD_REAL_TEXT_SIZE];
    ald_format_real(value, text);
    return ald_model_set_text(run, model, key, text);
}

const double *ald_model_reals(const ald_model *model, const char *name, int64_t rows, int64_t cols)
{
    const ald_array *array = find_array(model, name);
    if (!array || array->type != ALD_ARRAY_F64 || array->dims != (cols < 0 ? 1 : 2)) return NULL;
    if (array->shape[0] != rows || (cols >= 0 && array->shape[1] != cols)) return NULL;
    return array->data;
}

int ald_model_array(const ald_model *model, const char *name, ald_array *array)
{
    const ald_array *found = model && name ? find_array(model, name) : NULL;
    if (found && array) *array = *found;
    return found != NULL;
}

int ald_model_array_at(const ald_model *model, int index, ald_array *array)
{
    if (!model || index < 0 || index >= model->n_arrays) return 0;
    if (array) *array = model->arrays[index];
    return 1;
}

const char *ald_model_text(const ald_model *model, const char *key)
{
    const ald_named_text *found = model && key ? find_text(model, key) : NULL;
    return found ? found->value : NULL;
}

int ald_model_text_at(const ald_model *model, int index, const char **key, const char **value)
{
    if (!model || index < 0 || index >= model->n_texts) return 0;
    if (key) *key = model->texts[index].key;
    if (value) *value = model->texts[index].value;
    return 1;
}

/* From the metadata, which every fitted model has; else from the linear map; 0 when neither is there. */
static int64_t size_of(const ald_model *model, const char *key, int dimension)
{
    const char *text = ald_model_text(model, key);
    int64_t size;
    if (text && ald_parse_int(text, strlen(text), &size) && size > 0) return size;
    const ald_array *components = model ? find_array(model, "components") : NULL;
    return components && components->dims == 2 ? components->shape[dimension] : 0;
}

int64_t ald_model_feature_count(const ald_model *model)
{
    return size_of(model, "alidade.n_features", 1);
}

int64_t ald_model_component_count(const ald_model *model)
{
    return size_of(model, "alidade.n_components", 0);
}

const char *ald_model_method(const ald_model *model)
{
    return ald_model_text(model, "alidade.method");
}

ald_status ald_model_copy(ald_run *run, const ald_model *from, const char *but, ald_model *to)
{
    for (int i = 0; i < from->n_arrays; i++) {
        const ald_array *array = &from->arrays[i];
        int64_t count = 1;
        void *data = NULL;
        if (strncmp(array->name, but, strlen(but)) == 0) continue;
        ALD_TRY(ald_model_add(run, to, array->name, array->type, array->dims, array->shape, &data));
        for (int k = 0; k < array->dims; k++) count *= array->shape[k];
        if (count > 0) memcpy(data, array->data, (size_t)count * sizeof(double));
    }
    for (int i = 0; i < from->n_texts; i++)
        ALD_TRY(ald_model_set_text(run, to, from->texts[i].key, from->texts[i].value));
    return ALD_OK;
}
