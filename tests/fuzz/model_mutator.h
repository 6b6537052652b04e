/* Mutations of a model file that keep its length and sums right, so that what stands behind them is reached:
 * single numbers, texts, shapes with as many values as they need, arrays and texts that are missing. */
#ifndef ALD_TESTS_MODEL_MUTATOR_H
#define ALD_TESTS_MODEL_MUTATOR_H

#include "base/numbers/hash.h"
#include "fuzz/fuzzing.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { most_model = 1 << 15, most_words = 2000 };

typedef struct model_parts {
    json_t *header;
    uint8_t data[most_model];
    size_t size; /* of data */
} model_parts;

static uint64_t take_le64(const uint8_t *bytes)
{
    uint64_t number = 0;
    for (int k = 7; k >= 0; k--) number = number << 8 | bytes[k];
    return number;
}

/* Takes a header and what is behind it; 0: there is none. */
static int split_model(const uint8_t *bytes, size_t size, model_parts *parts)
{
    const uint64_t length = size > 8 ? take_le64(bytes) : 0;
    if (!length || length > size - 8 || size - 8 - length > most_model) return 0;
    parts->header = json_loadb((const char *)bytes + 8, (size_t)length, 0, NULL);
    parts->size = size - 8 - (size_t)length;
    memcpy(parts->data, bytes + 8 + length, parts->size);
    return json_is_object(parts->header);
}

/* The member by number, counted round; NULL: it has none. */
static const char *any_key(json_t *object, unsigned number)
{
    const size_t count = json_object_size(object);
    if (!count) return NULL;
    void *at = json_object_iter(object);
    for (size_t k = number % count; k > 0; k--) at = json_object_iter_next(object, at);
    return json_object_iter_key(at);
}

static json_t *texts_of(const model_parts *parts)
{
    return json_object_get(parts->header, "__metadata__");
}

static void change_number(model_parts *parts, unsigned seed)
{
    static const double numbers[] = {
        0.0, -0.0, 1.0, -1.0, 2.0, 0.5, 1e308, -1e308, 5e-324, 1e-300, 1e154, 9e15, 3.0,
    };
    const size_t count = sizeof numbers / sizeof *numbers + 2, which = seed % count;
    double number = which < count - 2 ? numbers[which] : (double)NAN;
    if (which == count - 1) number = (double)INFINITY;
    if (parts->size >= 8) memcpy(parts->data + seed / count % (parts->size / 8) * 8, &number, 8);
}

static void change_text(model_parts *parts, unsigned seed)
{
    char text[most_words];
    const char *key = any_key(texts_of(parts), seed);
    const char *old = key ? json_string_value(json_object_get(texts_of(parts), key)) : NULL;
    const size_t length = old ? strlen(old) : 0;
    if (!length || length >= sizeof text) return;
    memcpy(text, old, length);
    const size_t changed = LLVMFuzzerMutate((uint8_t *)text, length, sizeof text);
    json_t *value = json_stringn(text, changed); /* NULL where it is no UTF-8 */
    if (value) json_object_set_new(texts_of(parts), key, value);
}

/* Another text of the same file, or one of these words. */
static void replace_text(model_parts *parts, unsigned seed)
{
    static const char *const words[] = {
        "0",    "1",       "2",      "-1",  "1000000", "linear", "kernel",   "features",   "none",
        "real", "classes", "labels", "rbf", "knn",     "ridge",  "logistic", "lda",        "pls",
        "kpls", "",        "1e308",  "nan", "{}",      "[]",     "centroid", "polynomial", "9007199254740993",
    };
    const size_t count = sizeof words / sizeof *words;
    json_t *texts = texts_of(parts);
    const char *key = any_key(texts, seed), *other = any_key(texts, seed / 97);
    if (!key) return;
    const char *word = seed % 3 ? words[seed / 7 % count] : json_string_value(json_object_get(texts, other));
    json_t *value = json_string(word ? word : "");
    if (value) json_object_set_new(texts, key, value);
}

static void remove_member(model_parts *parts, unsigned seed)
{
    json_t *from = seed % 2 ? texts_of(parts) : parts->header;
    const char *key = any_key(from, seed / 2);
    if (key && strcmp(key, "__metadata__") != 0) json_object_del(from, key);
}

static void shift_offsets(json_t *header, json_int_t from, json_int_t by)
{
    const char *name;
    json_t *array;
    json_object_foreach(header, name, array)
    {
        json_t *offsets = json_object_get(array, "data_offsets");
        for (size_t k = 0; k < 2; k++) {
            const json_int_t offset = json_integer_value(json_array_get(offsets, k));
            if (offset >= from && (k == 1 || offset > from || by < 0))
                json_array_set_new(offsets, k, json_integer(offset + by));
        }
    }
}

/* Gives the place that the array has room for so many bytes; what is behind moves. */
static int resize_data(model_parts *parts, json_int_t begin, json_int_t end, size_t bytes)
{
    const size_t behind = parts->size - (size_t)end;
    if ((size_t)begin + bytes + behind > most_model) return 0;
    memmove(parts->data + (size_t)begin + bytes, parts->data + end, behind);
    for (size_t k = (size_t)(end - begin); k < bytes; k++)
        parts->data[(size_t)begin + k] = k % 8 == 7 ? 0x3f : 0;
    parts->size = (size_t)begin + bytes + behind;
    return 1;
}

static void change_shape(model_parts *parts, unsigned seed)
{
    const char *name = any_key(parts->header, seed);
    json_t *array = json_object_get(parts->header, name ? name : ""),
           *shape = json_object_get(array, "shape");
    json_t *offsets = json_object_get(array, "data_offsets");
    const json_int_t begin = json_integer_value(json_array_get(offsets, 0)),
                     end = json_integer_value(json_array_get(offsets, 1));
    const size_t dims = json_array_size(shape);
    if (!dims || begin < 0 || end < begin || (size_t)end > parts->size) return;
    json_array_set_new(shape, seed / 8 % dims, json_integer(seed / 32 % 9));
    size_t count = 1;
    for (size_t k = 0; k < dims; k++) count *= (size_t)json_integer_value(json_array_get(shape, k)) & 0xff;
    if (!resize_data(parts, begin, end, count * 8)) return;
    shift_offsets(parts->header, end, (json_int_t)(count * 8) - (end - begin));
    json_array_set_new(offsets, 0, json_integer(begin));
    json_array_set_new(offsets, 1, json_integer(begin + (json_int_t)(count * 8)));
}

static void put_sum(char *digits, const void *bytes, size_t size)
{
    char text[17];
    snprintf(text, sizeof text, "%016llx", (unsigned long long)ald_hash(ALD_HASH_START, bytes, size));
    memcpy(digits, text, 16);
}

/* One for each array that is where it says, and zeros for the header. */
static void set_sums(model_parts *parts)
{
    const char *name;
    json_t *array, *texts = texts_of(parts);
    char key[200], digits[17] = "0000000000000000";
    json_object_set_new(texts, "alidade.sum", json_string(digits));
    json_object_foreach(parts->header, name, array)
    {
        const json_t *offsets = json_object_get(array, "data_offsets");
        const json_int_t begin = json_integer_value(json_array_get(offsets, 0)),
                         end = json_integer_value(json_array_get(offsets, 1));
        if (!offsets || begin < 0 || end < begin || (size_t)end > parts->size) continue;
        put_sum(digits, parts->data + begin, (size_t)(end - begin));
        snprintf(key, sizeof key, "alidade.sum.%s", name);
        json_object_set_new(texts, key, json_string(digits));
    }
}

static size_t join_model(uint8_t *bytes, size_t room, const char *header, const model_parts *parts)
{
    static const char mark[] = "\"alidade.sum\":\"";
    const size_t length = strlen(header);
    if (8 + length + parts->size > room) return 0;
    for (int k = 0; k < 8; k++) bytes[k] = (uint8_t)((uint64_t)length >> 8 * k);
    memcpy(bytes + 8, header, length);
    memcpy(bytes + 8 + length, parts->data, parts->size);
    const char *place = strstr(header, mark);
    if (place) put_sum((char *)bytes + 8 + (place - header) + sizeof mark - 1, header, length);
    return 8 + length + parts->size;
}

static void (*const model_changes[])(model_parts *parts, unsigned seed) = {
    change_number, change_text, replace_text, remove_member, change_shape, change_number,
};
enum { n_model_changes = sizeof model_changes / sizeof *model_changes };

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t room, unsigned seed)
{
    static model_parts parts;
    size_t written = 0;
    const int whole = seed % 8 && split_model(bytes, size, &parts);
    if (whole) {
        if (seed % 8 == 7 && parts.size) LLVMFuzzerMutate(parts.data, parts.size, parts.size);
        for (unsigned k = 0; k < 1 + seed / 8 % 3; k++)
            model_changes[(seed / 32 + 5 * k) % n_model_changes](&parts, seed / 256 + 31 * k);
        set_sums(&parts);
        char *header = json_dumps(parts.header, JSON_COMPACT);
        if (header) written = join_model(bytes, room, header, &parts);
        free(header);
    }
    if (parts.header) json_decref(parts.header);
    parts.header = NULL;
    return written ? written : LLVMFuzzerMutate(bytes, size, room);
}

#endif
