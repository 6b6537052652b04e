/* A model as bytes, JSON header first, to a file or to memory. */
#include "base/core/text.h"
#include "base/numbers/hash.h"
#include "io/files/output.h"
#include "io/modelfile/modelfile.h"

#include <alidade/version.h>
#include <stdio.h>
#include <string.h>

/* The sums in the header of a model file: made, put in their place, checked. */

enum { digits = 16 };

static const char header_start[] = "\"" ALD_SUM_KEY "\":\"";

int ald_is_sum(const char *key)
{
    const size_t length = sizeof ALD_SUM_KEY - 1;
    return strncmp(key, ALD_SUM_KEY, length) == 0 && (key[length] == '\0' || key[length] == '.');
}

static void print_sum(uint64_t sum, char *text)
{
    snprintf(text, digits + 1, "%016llx", (unsigned long long)sum);
}

/* Shapes were checked when the array was added. */
static int64_t elements(const ald_array *array)
{
    int64_t count = 1;
    for (int i = 0; i < array->dims; i++) count *= array->shape[i];
    return count;
}

/* Where the bytes go: a file, a block that has room for all of them, or a checksum. */
typedef struct sink {
    ald_output *output;
    unsigned char *block; /* the next free byte; NULL: to the output */
    uint64_t *sum;
} sink;

static ald_status put(ald_run *run, sink *to, const void *bytes, size_t size)
{
    if (to->sum) *to->sum = ald_hash(*to->sum, bytes, size);
    if (to->sum) return ALD_OK;
    if (!to->block) return ald_output_write(run, to->output, bytes, size);
    memcpy(to->block, bytes, size);
    to->block += size;
    return ALD_OK;
}

static ald_status write_array(ald_run *run, sink *to, const ald_array *array)
{
    enum { at_once = 1024 };
    unsigned char bytes[8 * at_once];
    const unsigned char *data = array->data;
    for (int64_t left = elements(array); left > 0;) {
        const int64_t count = left < at_once ? left : at_once;
        for (int64_t i = 0; i < count; i++) {
            uint64_t element;
            memcpy(&element, data + 8 * i, 8);
            ald_store_le64(bytes + 8 * i, element);
        }
        ALD_TRY(put(run, to, bytes, (size_t)count * 8));
        data += 8 * count;
        left -= count;
    }
    return ALD_OK;
}

static ald_status add_array_sum(ald_run *run, ald_text *header, const ald_array *array)
{
    char text[digits + 1];
    uint64_t sum = ALD_HASH_START;
    ald_text key;
    ald_text_init(&key, &run->scratch);
    ALD_TRY(ald_text_print(run, &key, "%s.%s", ALD_SUM_KEY, array->name));
    ALD_TRY(write_array(run, &(sink){.sum = &sum}, array));
    print_sum(sum, text);
    ALD_TRY(ald_text_add(run, header, ",", 1));
    ALD_TRY(ald_text_json(run, header, key.data));
    return ald_text_print(run, header, ":\"%s\"", text);
}

/* Adds the texts with the sums of the arrays, and the one of the header with zeros. */
static ald_status sums_add(ald_run *run, ald_text *header, const ald_array *arrays, int count)
{
    ALD_TRY(ald_text_print(run, header, ",%s0000000000000000\"", header_start));
    for (int i = 0; i < count; i++) ALD_TRY(add_array_sum(run, header, &arrays[i]));
    return ALD_OK;
}

/* Where the digits of the header's own sum stand; NULL: nowhere. Inside a text quotes are escaped, so that
 * what is found is the member. */
static char *find_digits(char *header, size_t size)
{
    const size_t length = sizeof header_start - 1;
    for (size_t i = 0; i + length + digits < size; i++)
        if (header[i] == '"' && memcmp(header + i, header_start, length) == 0) return header + i + length;
    return NULL;
}

/* Puts the sum of the finished header in its place. */
static void sums_finish(ald_text *header)
{
    char sum[digits + 1];
    char *place = find_digits(header->data, header->length);
    if (!place) return;
    print_sum(ald_hash(ALD_HASH_START, header->data, header->length), sum);
    memcpy(place, sum, digits);
}

static ald_status damaged(ald_run *run, const char *what, const char *name)
{
    return ald_fail(
        run->error, ALD_ERROR_FORMAT,
        "damaged model file: the checksum of %s%.100s does not match; copy it again, or fit again", what,
        name);
}

static int has_sums(json_t *metadata)
{
    const char *key;
    json_t *value;
    json_object_foreach(metadata, key, value)
    {
        if (ald_is_sum(key)) return 1;
    }
    return 0;
}

ald_status ald_sums_check_header(ald_run *run, json_t *metadata, const char *header, size_t size)
{
    char *copy;
    char sum[digits + 1];
    if (!has_sums(metadata)) return ALD_OK;
    const char *given = json_string_value(json_object_get(metadata, ALD_SUM_KEY));
    ALD_TRY(ald_scratch(run, (int64_t)size, 1, 1, &copy));
    memcpy(copy, header, size);
    char *place = find_digits(copy, size);
    if (!given || !place) return damaged(run, "its header", "");
    memset(place, '0', digits);
    print_sum(ald_hash(ALD_HASH_START, copy, size), sum);
    ald_arena_drop(&run->scratch, copy);
    return strcmp(given, sum) == 0 ? ALD_OK : damaged(run, "its header", "");
}

ald_status ald_sums_check_array(ald_run *run, json_t *metadata, const char *name, const unsigned char *bytes,
                                size_t size)
{
    char sum[digits + 1];
    ald_text key;
    if (!json_object_get(metadata, ALD_SUM_KEY)) return ALD_OK;
    ald_text_init(&key, &run->scratch);
    ALD_TRY(ald_text_print(run, &key, "%s.%s", ALD_SUM_KEY, name));
    const char *given = json_string_value(json_object_get(metadata, key.data));
    print_sum(ald_hash(ALD_HASH_START, bytes, size), sum);
    return given && strcmp(given, sum) == 0 ? ALD_OK : damaged(run, "array ", name);
}

static const char *const dtypes[] = {[ALD_ARRAY_F64] = "F64", [ALD_ARRAY_I64] = "I64"};

/* Older readers would pass over the steps of rows. */
static int format_of(const ald_model *model)
{
    const char *rows = ald_model_text(model, "alidade.param.rows");
    return rows && strcmp(rows, "none") != 0 ? ALD_MODEL_FORMAT_STEPS : ALD_MODEL_FORMAT_PLAIN;
}

/* The format and the version are those of this library, whatever made the model; so they come first and only
 * once. */
static ald_status add_metadata(ald_run *run, ald_text *header, const ald_model *model)
{
    ALD_TRY(ald_text_print(run, header,
                           "{\"__metadata__\":{\"alidade.format\":\"%d\",\"alidade.version\":\"%s\"",
                           format_of(model), ALD_VERSION));
    for (int i = 0; i < model->n_texts; i++) {
        const ald_named_text *text = &model->texts[i];
        if (strcmp(text->key, "alidade.format") == 0 || strcmp(text->key, "alidade.version") == 0) continue;
        if (ald_is_sum(text->key)) continue;
        ALD_TRY(ald_text_add(run, header, ",", 1));
        ALD_TRY(ald_text_json(run, header, text->key));
        ALD_TRY(ald_text_add(run, header, ":", 1));
        ALD_TRY(ald_text_json(run, header, text->value));
    }
    ALD_TRY(sums_add(run, header, model->arrays, model->n_arrays));
    return ald_text_add(run, header, "}", 1);
}

static ald_status add_array(ald_run *run, ald_text *header, const ald_array *array, int64_t *offset)
{
    ALD_TRY(ald_text_add(run, header, ",", 1));
    ALD_TRY(ald_text_json(run, header, array->name));
    ALD_TRY(ald_text_print(run, header, ":{\"dtype\":\"%s\",\"shape\":[", dtypes[array->type]));
    for (int i = 0; i < array->dims; i++)
        ALD_TRY(ald_text_print(run, header, "%s%lld", i ? "," : "", (long long)array->shape[i]));
    const int64_t end = *offset + 8 * elements(array);
    ALD_TRY(
        ald_text_print(run, header, "],\"data_offsets\":[%lld,%lld]}", (long long)*offset, (long long)end));
    *offset = end;
    return ALD_OK;
}

/* Blanks at the end bring the header to a multiple of 8 bytes, so that the arrays are aligned in the file. */
static ald_status make_header(ald_run *run, const ald_model *model, ald_text *header)
{
    ald_text_init(header, &run->scratch);
    ALD_TRY(add_metadata(run, header, model));
    int64_t offset = 0;
    for (int i = 0; i < model->n_arrays; i++) ALD_TRY(add_array(run, header, &model->arrays[i], &offset));
    ALD_TRY(ald_text_add(run, header, "}", 1));
    while (header->length % 8 != 0) ALD_TRY(ald_text_add(run, header, " ", 1));
    sums_finish(header);
    if (header->length <= ALD_MODEL_LONGEST_HEADER) return ALD_OK;
    return ald_fail(
        run->error, ALD_ERROR_UNSUPPORTED,
        "the names and texts of the model take %llu bytes; the limit is %d: shorten or drop the column names",
        (unsigned long long)header->length, ALD_MODEL_LONGEST_HEADER);
}

static ald_status write_all(ald_run *run, sink *to, const ald_text *header, const ald_model *model)
{
    unsigned char length[8];
    ald_store_le64(length, header->length);
    ALD_TRY(put(run, to, length, sizeof length));
    ALD_TRY(put(run, to, header->data, header->length));
    for (int i = 0; i < model->n_arrays; i++) ALD_TRY(write_array(run, to, &model->arrays[i]));
    return ALD_OK;
}

ald_status ald_modelfile_write(ald_run *run, const ald_model *model, const char *path)
{
    ald_text header;
    sink to = {0};
    ALD_TRY(make_header(run, model, &header));
    ALD_TRY(ald_output_open(run, path, 0, &to.output));
    ald_status status = write_all(run, &to, &header, model);
    if (status >= 0) status = ald_output_commit(run, to.output);
    ald_output_abandon(to.output);
    return status;
}

ald_status ald_modelfile_bytes(ald_run *run, const ald_model *model, unsigned char **bytes, size_t *size)
{
    const ald_allocator *allocator = run->call.allocator;
    ald_text header;
    int64_t total = 8;
    ALD_TRY(make_header(run, model, &header));
    total += (int64_t)header.length;
    for (int i = 0; i < model->n_arrays; i++) total += 8 * elements(&model->arrays[i]);
    unsigned char *block = allocator->resize(allocator->user, NULL, (size_t)total);
    if (!block) return ald_out_of_memory(run, total, 1, 1);
    sink to = {.block = block};
    ALD_TRY(write_all(run, &to, &header, model)); /* into memory: it cannot fail */
    *bytes = block;
    *size = (size_t)total;
    return ALD_OK;
}
