/* The sums in the header of a model file: made, put in their place, checked. */
#include "io/modelfile/modelfile.h"

#include "base/numbers/hash.h"

#include <stdio.h>
#include <string.h>

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

/* The checksum of the bytes as written to the file. */
static uint64_t sum_array(const ald_array *array)
{
    const unsigned char *data = array->data;
    uint64_t sum = ALD_HASH_START;
    int64_t count = 1;
    for (int i = 0; i < array->dims; i++) count *= array->shape[i];
    for (int64_t i = 0; i < count; i++) {
        unsigned char bytes[8];
        uint64_t element;
        memcpy(&element, data + 8 * i, 8);
        ald_store_le64(bytes, element);
        sum = ald_hash(sum, bytes, 8);
    }
    return sum;
}

static ald_status add_array_sum(ald_run *run, ald_text *header, const ald_array *array)
{
    char sum[digits + 1];
    ald_text key;
    ald_text_init(&key, &run->scratch);
    ALD_TRY(ald_text_print(run, &key, "%s.%s", ALD_SUM_KEY, array->name));
    print_sum(sum_array(array), sum);
    ALD_TRY(ald_text_add(run, header, ",", 1));
    ALD_TRY(ald_text_json(run, header, key.data));
    return ald_text_print(run, header, ":\"%s\"", sum);
}

ald_status ald_sums_add(ald_run *run, ald_text *header, const ald_array *arrays, int count)
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

void ald_sums_finish(ald_text *header)
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
