/* Trusts nothing: a model file may come from anywhere. Every length is compared with what is there before it
 * is used.
 */
#include "base/core/json.h"
#include "base/numbers/number.h"
#include "base/numbers/ordering.h"
#include "io/modelfile/modelfile.h"

#include <alidade/version.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Reals and whole numbers. */
static void take_64(const unsigned char *bytes, int64_t count, void *data)
{
    unsigned char *values = data;
    for (int64_t i = 0; i < count; i++) {
        const uint64_t bits = ald_load_le64(bytes + 8 * i);
        memcpy(values + 8 * i, &bits, sizeof bits);
    }
}

static void take_f32(const unsigned char *bytes, int64_t count, void *data)
{
    double *values = data;
    for (int64_t i = 0; i < count; i++) {
        const uint32_t bits = ald_load_le32(bytes + 4 * i);
        float value;
        memcpy(&value, &bits, sizeof bits);
        values[i] = (double)value;
    }
}

static void take_i32(const unsigned char *bytes, int64_t count, void *data)
{
    int64_t *values = data;
    for (int64_t i = 0; i < count; i++) {
        const uint32_t bits = ald_load_le32(bytes + 4 * i);
        int32_t value;
        memcpy(&value, &bits, sizeof bits);
        values[i] = value;
    }
}

/* What an array may be made of; the 32-bit types are never written here, but other tools do. */
typedef struct element_type {
    const char *dtype;
    ald_array_type type;
    int64_t width;
    void (*take)(const unsigned char *bytes, int64_t count, void *data);
} element_type;

static const element_type element_types[] = {
    {"F64", ALD_ARRAY_F64, 8, take_64},
    {"F32", ALD_ARRAY_F64, 4, take_f32},
    {"I64", ALD_ARRAY_I64, 8, take_64},
    {"I32", ALD_ARRAY_I64, 4, take_i32},
};

/* An array as the header describes it; `name` belongs to the JSON tree. */
typedef struct entry {
    const char *name;
    const element_type *type;
    int dims;
    int64_t shape[ALD_MAX_DIMS];
    int64_t count;
    int64_t begin, end;
    int order; /* in the header */
} entry;

static ald_status damaged(ald_run *run, const char *name, const char *what)
{
    return ald_fail(run->error, ALD_ERROR_FORMAT, "damaged model file: array '%.100s' %s", name, what);
}

static ald_status parse_type(ald_run *run, json_t *dtype, entry *e)
{
    if (!json_is_string(dtype)) return damaged(run, e->name, "has no dtype");
    const char *text = json_string_value(dtype);
    for (size_t i = 0; i < sizeof element_types / sizeof *element_types; i++)
        if (strcmp(text, element_types[i].dtype) == 0) {
            e->type = &element_types[i];
            return ALD_OK;
        }
    return ald_fail(run->error, ALD_ERROR_FORMAT,
                    "array '%.100s' of the model file has dtype '%.20s'; F64, F32, I64 and I32 can be read",
                    e->name, text);
}

static ald_status parse_shape(ald_run *run, json_t *shape, entry *e)
{
    if (!json_is_array(shape)) return damaged(run, e->name, "has no shape");
    if (json_array_size(shape) > ALD_MAX_DIMS) return damaged(run, e->name, "has more than 4 dimensions");
    e->dims = (int)json_array_size(shape);
    e->count = 1;
    for (int i = 0; i < e->dims; i++) {
        const json_t *size = json_array_get(shape, (size_t)i);
        if (!json_is_integer(size) || json_integer_value(size) < 0)
            return damaged(run, e->name, "has a size that is not a whole number from 0");
        e->shape[i] = json_integer_value(size);
        if (__builtin_mul_overflow(e->count, e->shape[i], &e->count))
            return damaged(run, e->name, "is impossibly large");
    }
    return ALD_OK;
}

static ald_status parse_offsets(ald_run *run, json_t *offsets, entry *e)
{
    const json_t *begin = json_array_get(offsets, 0), *end = json_array_get(offsets, 1);
    if (json_array_size(offsets) != 2 || !json_is_integer(begin) || !json_is_integer(end))
        return damaged(run, e->name, "has no pair of data_offsets");
    e->begin = json_integer_value(begin);
    e->end = json_integer_value(end);
    int64_t bytes;
    if (e->begin < 0 || e->end < e->begin)
        return damaged(run, e->name, "has data_offsets that are negative or reversed");
    if (__builtin_mul_overflow(e->count, e->type->width, &bytes) || bytes != e->end - e->begin)
        return damaged(run, e->name, "has a shape that does not agree with its data_offsets");
    return ALD_OK;
}

static ald_status parse_entry(ald_run *run, json_t *described, entry *e)
{
    if (!json_is_object(described)) return damaged(run, e->name, "is not described by a JSON object");
    ALD_TRY(parse_type(run, json_object_get(described, "dtype"), e));
    ALD_TRY(parse_shape(run, json_object_get(described, "shape"), e));
    return parse_offsets(run, json_object_get(described, "data_offsets"), e);
}

/* By place in the file; empty arrays at one place in the order of the header. */
static int by_place(const void *first, const void *second)
{
    const entry *a = first, *b = second;
    if (a->begin != b->begin) return a->begin < b->begin ? -1 : 1;
    if (a->end != b->end) return a->end < b->end ? -1 : 1;
    return a->order - b->order;
}

/* The arrays fill the bytes after the header exactly, each once. */
static ald_status check_places(ald_run *run, const entry *entries, int n, size_t size)
{
    int64_t place = 0;
    for (int i = 0; i < n; i++) {
        if (entries[i].begin < place) return damaged(run, entries[i].name, "overlaps another one");
        if (entries[i].begin > place)
            return damaged(run, entries[i].name, "comes after bytes that belong to no array");
        place = entries[i].end;
    }
    const uint64_t need = (uint64_t)place;
    if (need > size)
        return ald_fail(run->error, ALD_ERROR_FORMAT,
                        "the model file is cut off: %llu bytes are missing at the end; copy or save it again",
                        (unsigned long long)(need - size));
    if (need < size)
        return ald_fail(run->error, ALD_ERROR_FORMAT, "damaged model file: %llu bytes follow the last array",
                        (unsigned long long)(size - need));
    return ALD_OK;
}

static ald_status add_arrays(ald_run *run, json_t *header, const unsigned char *bytes, size_t size,
                             ald_model *model)
{
    entry *entries;
    int n = 0;
    ALD_TRY(ald_scratch(run, (int64_t)json_object_size(header), 1, sizeof *entries, &entries));
    const char *name;
    json_t *described;
    json_object_foreach(header, name, described)
    {
        if (strcmp(name, "__metadata__") == 0) continue;
        entries[n] = (entry){.name = name, .order = n};
        ALD_TRY(parse_entry(run, described, &entries[n]));
        n++;
    }
    qsort(entries, (size_t)n, sizeof *entries, by_place);
    ALD_TRY(check_places(run, entries, n, size));
    json_t *metadata = json_object_get(header, "__metadata__");
    for (int i = 0; i < n; i++) {
        const entry *e = &entries[i];
        void *data;
        ALD_TRY(ald_sums_check_array(run, metadata, e->name, bytes + e->begin, (size_t)(e->end - e->begin)));
        ALD_TRY(ald_model_add(run, model, e->name, e->type->type, e->dims, e->shape, &data));
        e->type->take(bytes + e->begin, e->count, data);
    }
    return ALD_OK;
}

static ald_status check_format(ald_run *run, const json_t *metadata)
{
    const char *text = json_string_value(json_object_get(metadata, "alidade.format"));
    const char *version = json_string_value(json_object_get(metadata, "alidade.version"));
    int64_t format;
    if (!text)
        return ald_fail(
            run->error, ALD_ERROR_FORMAT,
            "this is a safetensors file but not an alidade model: its metadata have no 'alidade.format'");
    if (!ald_parse_int(text, strlen(text), &format) || format < 1)
        return ald_fail(run->error, ALD_ERROR_FORMAT,
                        "damaged model file: alidade.format is '%.40s', expected a number", text);
    if (format > ALD_MODEL_FORMAT)
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "the model file has format %lld, but alidade %s reads formats up to %d: use alidade "
                        "%.40s, which wrote it, or a later version",
                        (long long)format, ALD_VERSION, ALD_MODEL_FORMAT,
                        version ? version : "of the version");
    return ALD_OK;
}

/* What older versions called by another name. */
static const char *present_key(const char *key)
{
    return strcmp(key, "alidade.reservation") == 0 ? "alidade.warning" : key;
}

static ald_status add_texts(ald_run *run, json_t *metadata, ald_model *model)
{
    const char *key;
    json_t *value;
    json_object_foreach(metadata, key, value)
    {
        if (!json_is_string(value))
            return ald_fail(run->error, ALD_ERROR_FORMAT,
                            "damaged model file: metadata '%.100s' is not a text", key);
        if (!ald_is_sum(key))
            ALD_TRY(ald_model_set_text(run, model, present_key(key), json_string_value(value)));
    }
    return ALD_OK;
}

static ald_status take_header(ald_run *run, json_t *header, const unsigned char *bytes, size_t size,
                              ald_model *model)
{
    json_t *metadata = json_object_get(header, "__metadata__");
    ALD_TRY(add_texts(run, metadata, model));
    ALD_TRY(add_arrays(run, header, bytes, size, model));
    return ald_model_check(run, model);
}

/* The header begins with '{'; a text file read as a model does not have that at its ninth byte, or has an
 * absurd length. */
static ald_status check_kind(ald_run *run, const unsigned char *bytes, size_t size)
{
    if (size <= 8 || (bytes[8] == '{' && ald_load_le64(bytes) <= ALD_MODEL_LONGEST_HEADER)) return ALD_OK;
    return ald_fail(
        run->error, ALD_ERROR_FORMAT,
        "this is not a model file; expected one that `ald_model_save` wrote (is it a data file?)");
}

static ald_status check_start(ald_run *run, const unsigned char *bytes, size_t size, uint64_t *length)
{
    if (size == 0) return ald_fail(run->error, ALD_ERROR_FORMAT, "the file is empty, expected a model file");
    ALD_TRY(check_kind(run, bytes, size));
    if (size <= 8)
        return ald_fail(run->error, ALD_ERROR_FORMAT,
                        "this is not a model file, or it was cut off after %llu bytes",
                        (unsigned long long)size);
    *length = ald_load_le64(bytes);
    if (*length > size - 8)
        return ald_fail(
            run->error, ALD_ERROR_FORMAT,
            "the model file is cut off: at least %llu bytes are missing at the end; copy or save it again",
            (unsigned long long)(*length - (size - 8)));
    return ALD_OK;
}

ald_status ald_modelfile_parse(ald_run *run, const unsigned char *bytes, size_t size, ald_model *model)
{
    uint64_t length = 0;
    ALD_TRY(check_start(run, bytes, size, &length));
    json_t *header;
    ALD_TRY(ald_json_parse(run, (const char *)bytes + 8, (size_t)length,
                           "damaged model file: its header is not JSON", &header));
    const size_t start = 8 + (size_t)length;
    json_t *metadata = json_object_get(header, "__metadata__");
    ald_status status = check_format(run, metadata); /* first: a newer format may have other sums */
    if (status >= 0) status = ald_sums_check_header(run, metadata, (const char *)bytes + 8, (size_t)length);
    if (status >= 0) status = take_header(run, header, bytes + start, size - start, model);
    json_decref(header);
    return status;
}

static ald_status fail_io(ald_run *run, const char *path, const char *what, int reason)
{
    return ald_fail(run->error, ALD_ERROR_IO, "cannot %s the model file '%s': %s", what, path,
                    strerror(reason));
}

/* One byte more than the file has, so that its end is seen without growing. */
static int64_t first_guess(FILE *file)
{
    struct stat about;
    const int known =
        fstat(fileno(file), &about) == 0 && S_ISREG(about.st_mode) && about.st_size < INT64_MAX / 4;
    return known ? (int64_t)about.st_size + 1 : 1 << 16;
}

/* In pieces, between which the caller is asked; what does not begin like a model is read no further. */
static ald_status read_bytes(ald_run *run, const char *path, FILE *file, unsigned char **bytes, size_t *size)
{
    const int64_t piece = 1 << 24, whole = first_guess(file);
    int64_t room = ald_least(piece, whole), wanted, got = 0, at = 0;
    ALD_TRY(ald_scratch(run, room, 1, 1, bytes));
    do {
        if (at == room) {
            room = whole > room ? whole : 2 * room;
            ALD_TRY(ald_resize(run, &run->scratch, bytes, room, 1, 1));
        }
        errno = 0;
        wanted = ald_least(piece, room - at);
        got = (int64_t)fread(*bytes + at, 1, (size_t)wanted, file);
        if (ferror(file)) return fail_io(run, path, "read", errno ? errno : EIO);
        if (at == 0 && check_kind(run, *bytes, (size_t)got) < 0)
            return ald_fail_in(run->error, ALD_ERROR_FORMAT, path);
        at += got;
        if (at >= piece) ALD_TRY(ald_progress(run, "reading the model", -1.0));
    } while (got == wanted);
    *size = (size_t)at;
    return ALD_OK;
}

static ald_status read_file(ald_run *run, const char *path, unsigned char **bytes, size_t *size)
{
    if (strcmp(path, "-") == 0) return read_bytes(run, "standard input", stdin, bytes, size);
    FILE *file = fopen(path, "rb");
    if (!file) return fail_io(run, path, "open", errno);
    const ald_status status = read_bytes(run, path, file, bytes, size);
    fclose(file);
    return status;
}

ald_status ald_modelfile_read(ald_run *run, const char *path, ald_model *model)
{
    unsigned char *bytes;
    size_t size;
    ALD_TRY(read_file(run, path, &bytes, &size));
    const ald_status status = ald_modelfile_parse(run, bytes, size, model);
    ald_arena_drop(&run->scratch, bytes);
    if (status >= 0) return status;
    return ald_fail_in(run->error, status, strcmp(path, "-") == 0 ? "standard input" : path);
}
