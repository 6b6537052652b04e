/* The model file: same bytes after a round trip, and nothing but a clear error from a file that is damaged or made to
 * harm. */
#include "modelfile/modelfile.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct fixture {
    ald_context *context;
    ald_error error;
    char folder[64];
    char path[128];
} fixture;

static int set_up(void **state)
{
    static fixture f;
    memset(&f, 0, sizeof f);
    strcpy(f.folder, "modelfile-XXXXXX");
    if (!mkdtemp(f.folder) || ald_context_new(NULL, &f.context, &f.error) < 0) return -1;
    snprintf(f.path, sizeof f.path, "%s/model.ald", f.folder);
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    ald_context_free(f->context);
    unlink(f->path);
    return rmdir(f->folder);
}

/* A small model of every kind of array, with texts that are hard to write. */
static ald_status fill_model(ald_run *run, ald_model *model)
{
    const double mean[] = {0.1, -2.5, 1e300}, scale[] = {1.0, 0.5, 1e-300}, components[] = {1, 2, 3, -4, 5e-324, 6};
    const int64_t shape[] = {2, 1, 2}, nothing[] = {0, 7};
    int64_t *whole;
    double *scalar, *empty;
    ALD_TRY(ald_model_set_text(run, model, "alidade.method", "pls"));
    ALD_TRY(ald_model_set_text(run, model, "alidade.map", "linear"));
    ALD_TRY(ald_model_set_text(run, model, "alidade.n_features", "3"));
    ALD_TRY(ald_model_set_text(run, model, "alidade.n_components", "2"));
    ALD_TRY(ald_model_set_text(run, model, "hard", "\"quoted\" \\ \n\t\x01\x7f \xe2\x82\xac \xf0\x9f\x98\x80 \xe9"));
    ALD_TRY(ald_model_add_vector(run, model, "mean", 3, mean));
    ALD_TRY(ald_model_add_vector(run, model, "scale", 3, scale));
    ALD_TRY(ald_model_add_matrix(run, model, "components", 2, 3, components));
    ALD_TRY(ald_model_add_vector(run, model, "predictor/intercept", 3, mean));
    ALD_TRY(ald_model_add(run, model, "whole", ALD_ARRAY_I64, 3, shape, &whole));
    for (int i = 0; i < 4; i++) whole[i] = i - 2;
    ALD_TRY(ald_model_add(run, model, "empty", ALD_ARRAY_F64, 2, nothing, &empty));
    ALD_TRY(ald_model_add(run, model, "scalar", ALD_ARRAY_F64, 0, NULL, &scalar));
    *scalar = NAN;
    return ALD_OK;
}

static ald_model *make_model(const fixture *f)
{
    ald_run run;
    ald_model *model = NULL;
    ald_run_begin(&run, f->context, NULL);
    assert_int_equal(ald_model_new(&run, &model), ALD_OK);
    assert_int_equal(fill_model(&run, model), ALD_OK);
    assert_int_equal(ald_run_end(&run, ALD_OK), ALD_OK);
    return model;
}

static unsigned char *read_bytes(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    unsigned char *bytes = malloc(1 << 20);
    *size = fread(bytes, 1, 1 << 20, file);
    fclose(file);
    return bytes;
}

static void write_bytes(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

/* The bytes of the small model. */
static unsigned char *make_bytes(fixture *f, size_t *size)
{
    ald_model *model = make_model(f);
    assert_int_equal(ald_model_save(f->context, model, f->path, &f->error), ALD_OK);
    ald_model_free(model);
    return read_bytes(f->path, size);
}

/* From an exact copy, so that a read past the end is seen by the sanitizer. */
static ald_status parse(fixture *f, const unsigned char *bytes, size_t size)
{
    ald_run run;
    ald_model *model = NULL;
    unsigned char *copy = malloc(size ? size : 1);
    memcpy(copy, bytes, size);
    ald_run_begin(&run, f->context, &f->error);
    ald_status status = ald_model_new(&run, &model);
    if (status == ALD_OK) status = ald_modelfile_parse(&run, copy, size, model);
    ald_model_free(model);
    free(copy);
    return ald_run_end(&run, status);
}

/* A file from a header and `data_size` zero bytes. */
static ald_status parse_header(fixture *f, const char *header, size_t data_size)
{
    const size_t length = strlen(header), size = 8 + length + data_size;
    unsigned char *bytes = calloc(size, 1);
    for (int i = 0; i < 8; i++) bytes[i] = (unsigned char)((uint64_t)length >> (8 * i));
    memcpy(bytes + 8, header, length);
    const ald_status status = parse(f, bytes, size);
    free(bytes);
    return status;
}

#define META                                                                                                           \
    "\"__metadata__\":{\"alidade.format\":\"1\",\"alidade.method\":\"pca\",\"alidade.map\":\"linear\","                \
    "\"alidade.n_features\":\"1\",\"alidade.n_components\":\"1\"}"
#define MEAN "\"mean\":{\"dtype\":\"F64\",\"shape\":[1],\"data_offsets\":[0,8]}"
#define COMPONENTS "\"components\":{\"dtype\":\"F64\",\"shape\":[1,1],\"data_offsets\":[8,16]}"

static void test_round_trip_gives_the_same_bytes(void **state)
{
    fixture *f = *state;
    size_t size, again;
    unsigned char *bytes = make_bytes(f, &size), *second;
    ald_model *model;
    assert_int_equal(ald_model_load(f->context, f->path, &model, &f->error), ALD_OK);
    assert_int_equal(ald_model_save(f->context, model, f->path, &f->error), ALD_OK);
    second = read_bytes(f->path, &again);
    assert_int_equal(again, size);
    assert_memory_equal(second, bytes, size);
    ald_model_free(model);
    free(bytes);
    free(second);
}

static void test_values_and_texts_come_back(void **state)
{
    fixture *f = *state;
    size_t size;
    free(make_bytes(f, &size));
    ald_model *made = make_model(f), *model;
    assert_int_equal(ald_model_load(f->context, f->path, &model, &f->error), ALD_OK);
    ald_array a, b;
    for (int i = 0; ald_model_array_at(made, i, &a); i++) {
        assert_true(ald_model_array_at(model, i, &b));
        assert_string_equal(a.name, b.name);
        assert_int_equal(a.type, b.type);
        assert_int_equal(a.dims, b.dims);
        int64_t count = 1;
        for (int k = 0; k < a.dims; k++) {
            assert_int_equal(a.shape[k], b.shape[k]);
            count *= a.shape[k];
        }
        assert_memory_equal(a.data, b.data, (size_t)count * 8);
    }
    assert_string_equal(ald_model_text(model, "hard"),
                        "\"quoted\" \\ \n\t\x01\x7f \xe2\x82\xac \xf0\x9f\x98\x80 \xc3\xa9");
    assert_string_equal(ald_model_text(model, "alidade.format"), "1");
    assert_string_equal(ald_model_text(model, "alidade.version"), ald_version());
    ald_model_free(made);
    ald_model_free(model);
}

static void test_layout_is_that_of_safetensors(void **state)
{
    fixture *f = *state;
    size_t size;
    unsigned char *bytes = make_bytes(f, &size);
    size_t length = 0;
    for (int i = 7; i >= 0; i--) length = length << 8 | bytes[i];
    assert_int_equal(length % 8, 0);
    assert_memory_equal(bytes + 8, "{\"__metadata__\":{\"alidade.format\":\"1\"", 37);
    double first;
    memcpy(&first, bytes + 8 + length, sizeof first);
    assert_true(first == 0.1);
    assert_int_equal(size, 8 + length + 8 * (3 + 3 + 6 + 3 + 4 + 1));
    free(bytes);
}

static void test_every_truncation_is_an_error(void **state)
{
    fixture *f = *state;
    size_t size;
    unsigned char *bytes = make_bytes(f, &size);
    for (size_t cut = 0; cut < size; cut++) {
        assert_int_equal(parse(f, bytes, cut), ALD_ERROR_FORMAT);
        assert_true(f->error.message[0] != '\0');
    }
    assert_int_equal(parse(f, bytes, size - 5), ALD_ERROR_FORMAT);
    assert_non_null(strstr(f->error.message, "5 bytes are missing"));
    assert_int_equal(parse(f, bytes, size), ALD_OK);
    free(bytes);
}

/* An error or a model, never a crash: the sanitizers watch. */
static void test_every_damaged_byte_is_survived(void **state)
{
    fixture *f = *state;
    size_t size;
    unsigned char *bytes = make_bytes(f, &size);
    const unsigned char others[] = {0x00, 0xff, '"', '{', '}', '9', '-', ','};
    for (size_t at = 0; at < size; at++) {
        const unsigned char kept = bytes[at];
        for (int bit = 0; bit < 8; bit++) {
            bytes[at] = (unsigned char)(kept ^ 1 << bit);
            parse(f, bytes, size);
        }
        for (size_t i = 0; i < sizeof others; i++) {
            bytes[at] = others[i];
            parse(f, bytes, size);
        }
        bytes[at] = kept;
    }
    assert_int_equal(parse(f, bytes, size), ALD_OK);
    free(bytes);
}

static void test_hostile_headers_are_refused(void **state)
{
    fixture *f = *state;
    const struct {
        const char *header, *says;
        size_t data;
    } cases[] = {
        {"{" META "," MEAN ",\"components\":{\"dtype\":\"F64\",\"shape\":[1,1],\"data_offsets\":[0,8]}}", "overlaps",
         8},
        {"{" META "," MEAN ",\"components\":{\"dtype\":\"F64\",\"shape\":[1,1],\"data_offsets\":[4,12]}}", "overlaps",
         12},
        {"{" META "," MEAN ",\"components\":{\"dtype\":\"F64\",\"shape\":[1,1],\"data_offsets\":[16,24]}}",
         "belong to none", 24},
        {"{" META ",\"mean\":{\"dtype\":\"F64\",\"shape\":[1],\"data_offsets\":[-8,0]}}", "negative", 0},
        {"{" META ",\"mean\":{\"dtype\":\"F64\",\"shape\":[1],\"data_offsets\":[8,0]}}", "reversed", 8},
        {"{" META ",\"mean\":{\"dtype\":\"F64\",\"shape\":[-1],\"data_offsets\":[0,8]}}", "whole number", 8},
        {"{" META ",\"mean\":{\"dtype\":\"F64\",\"shape\":[1.5],\"data_offsets\":[0,8]}}", "whole number", 8},
        {"{" META ",\"mean\":{\"dtype\":\"F64\",\"shape\":[4611686018427387904,4],\"data_offsets\":[0,0]}}", "large",
         0},
        {"{" META ",\"mean\":{\"dtype\":\"F64\",\"shape\":[2305843009213693952],\"data_offsets\":[0,0]}}", "agree", 0},
        {"{" META ",\"mean\":{\"dtype\":\"F64\",\"shape\":[1],\"data_offsets\":[0,9223372036854775807]}}", "agree", 8},
        {"{" META
         ",\"mean\":{\"dtype\":\"F64\",\"shape\":[1152921504606846975],\"data_offsets\":[0,9223372036854775800]}}",
         "missing", 8},
        {"{" META ",\"mean\":{\"dtype\":\"F64\",\"shape\":[1],\"data_offsets\":[0,99999999999999999999]}}", "JSON", 8},
        {"{" META ",\"mean\":{\"dtype\":\"F64\",\"shape\":[1],\"data_offsets\":[0]}}", "pair", 8},
        {"{" META ",\"mean\":{\"dtype\":\"F64\",\"shape\":[1],\"data_offsets\":\"0,8\"}}", "pair", 8},
        {"{" META ",\"mean\":{\"dtype\":\"F64\",\"shape\":[1,1,1,1,1],\"data_offsets\":[0,8]}}", "4 dimensions", 8},
        {"{" META ",\"mean\":{\"dtype\":\"BF16\",\"shape\":[4],\"data_offsets\":[0,8]}}", "'BF16'", 8},
        {"{" META ",\"mean\":{\"dtype\":8,\"shape\":[1],\"data_offsets\":[0,8]}}", "no dtype", 8},
        {"{" META ",\"mean\":{\"dtype\":\"F64\",\"data_offsets\":[0,8]}}", "no shape", 8},
        {"{" META ",\"mean\":[1]}", "JSON object", 0},
        {"{" META "," MEAN "," MEAN "}", "duplicate", 8},
        {"{" META "," MEAN "," COMPONENTS "}", "1 bytes follow", 17},
        {"{" META "," MEAN "}", "'components' is missing", 8},
        {"{\"__metadata__\":{\"alidade.format\":\"1\",\"deep\":{\"a\":1}}}", "not a text", 0},
        {"{\"__metadata__\":{\"alidade.format\":1}}", "not an alidade model", 0},
        {"{\"__metadata__\":[]}", "not an alidade model", 0},
        {"{\"__metadata__\":{\"alidade.format\":\"x\"}}", "expected a number", 0},
        {"{\"__metadata__\":{\"alidade.format\":\"1\",\"a\":\"\\u0000\"}}", "JSON", 0},
        {"{" META "," MEAN "," COMPONENTS "} x", "JSON", 16},
        {"{\"weight\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}", "not an alidade model", 4},
        {"{", "JSON", 0},
        {"{}", "not an alidade model", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(parse_header(f, cases[i].header, cases[i].data), ALD_ERROR_FORMAT);
        if (!strstr(f->error.message, cases[i].says)) fail_msg("%s\n  gave: %s", cases[i].header, f->error.message);
    }
    assert_int_equal(parse_header(f, "{" META "," MEAN "," COMPONENTS "}   ", 16), ALD_OK);
}

static void test_deep_nesting_is_refused(void **state)
{
    fixture *f = *state;
    char *header = malloc(200002);
    memset(header, '[', 200001);
    memcpy(header, "{\"a\":", 5);
    header[200001] = '\0';
    assert_int_equal(parse_header(f, header, 0), ALD_ERROR_FORMAT);
    free(header);
}

static void test_header_order_and_unknown_keys_do_not_matter(void **state)
{
    fixture *f = *state;
    assert_int_equal(parse_header(f, "{" COMPONENTS "," META "," MEAN "}", 16), ALD_OK);
    assert_int_equal(parse_header(f,
                                  "{" META "," COMPONENTS ",\"mean\":{\"colour\":[{}],\"dtype\":\"F64\",\"shape\":[1],"
                                  "\"data_offsets\":[0,8]}}",
                                  16),
                     ALD_OK);
}

static void test_files_that_are_not_models_say_so(void **state)
{
    fixture *f = *state;
    ald_model *model;
    const char csv[] = "a,b,c,target\n1,2,3,4\n";
    write_bytes(f->path, csv, sizeof csv - 1);
    assert_int_equal(ald_model_load(f->context, f->path, &model, &f->error), ALD_ERROR_FORMAT);
    assert_null(model);
    assert_non_null(strstr(f->error.message, "not a model file"));
    assert_non_null(strstr(f->error.message, f->path));
    write_bytes(f->path, "", 0);
    assert_int_equal(ald_model_load(f->context, f->path, &model, &f->error), ALD_ERROR_FORMAT);
    assert_non_null(strstr(f->error.message, "empty"));
    assert_int_equal(ald_model_load(f->context, f->folder, &model, &f->error), ALD_ERROR_IO);
    assert_non_null(strstr(f->error.message, "directory"));
    unlink(f->path);
    assert_int_equal(ald_model_load(f->context, f->path, &model, &f->error), ALD_ERROR_IO);
    assert_non_null(strstr(f->error.message, "No such file"));
    assert_int_equal(ald_model_load(f->context, "", &model, &f->error), ALD_ERROR_ARGUMENT);
}

static void test_a_newer_format_names_the_version_needed(void **state)
{
    fixture *f = *state;
    const char *header = "{\"__metadata__\":{\"alidade.format\":\"2\",\"alidade.version\":\"3.4.5\"},\"new\":true}";
    assert_int_equal(parse_header(f, header, 0), ALD_ERROR_UNSUPPORTED);
    assert_non_null(strstr(f->error.message, "format 2"));
    assert_non_null(strstr(f->error.message, "3.4.5"));
}

/* Other tools store 32 bits. 1.5f is 0x3fc00000; -2 is 0xfffffffe. */
static void test_32_bit_arrays_are_widened(void **state)
{
    fixture *f = *state;
    const char *header = "{" META ",\"mean\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]},"
                         "\"components\":{\"dtype\":\"F32\",\"shape\":[1,1],\"data_offsets\":[4,8]},"
                         "\"counts\":{\"dtype\":\"I32\",\"shape\":[1],\"data_offsets\":[8,12]}}";
    const unsigned char data[12] = {0, 0, 0xc0, 0x3f, 0, 0, 0xc0, 0xbf, 0xfe, 0xff, 0xff, 0xff};
    unsigned char bytes[600] = {(unsigned char)(strlen(header) & 0xff), (unsigned char)(strlen(header) >> 8)};
    memcpy(bytes + 8, header, strlen(header));
    memcpy(bytes + 8 + strlen(header), data, sizeof data);
    write_bytes(f->path, bytes, 8 + strlen(header) + sizeof data);
    ald_model *model;
    assert_int_equal(ald_model_load(f->context, f->path, &model, &f->error), ALD_OK);
    assert_true(*ald_model_reals(model, "mean", 1, -1) == 1.5);
    assert_true(*ald_model_reals(model, "components", 1, 1) == -1.5);
    ald_array counts;
    assert_true(ald_model_array(model, "counts", &counts));
    assert_int_equal(*(const int64_t *)counts.data, -2);
    ald_model_free(model);
}

/* Changes one thing in a sound model and expects the check to name it. */
static void refuse_model(fixture *f, const char *key, const char *value, const char *array, int at, double number,
                         const char *says)
{
    ald_model *model = make_model(f);
    ald_run run;
    ald_run_begin(&run, f->context, &f->error);
    assert_int_equal(ald_model_check(&run, model), ALD_OK);
    if (key) assert_int_equal(ald_model_set_text(&run, model, key, value), ALD_OK);
    for (int i = 0; array && i < model->n_arrays; i++) {
        double *data;
        memcpy(&data, &model->arrays[i].data, sizeof data);
        if (strcmp(model->arrays[i].name, array) == 0) data[at] = number;
    }
    assert_int_equal(ald_model_check(&run, model), ALD_ERROR_FORMAT);
    if (!strstr(f->error.message, says)) fail_msg("expected '%s' in: %s", says, f->error.message);
    ald_run_end(&run, ALD_OK);
    ald_model_free(model);
}

static void test_a_model_must_fit_together(void **state)
{
    fixture *f = *state;
    refuse_model(f, "alidade.n_features", "4", NULL, 0, 0, "expected 4");
    refuse_model(f, "alidade.n_components", "3", NULL, 0, 0, "'components' has size 2, expected 3");
    refuse_model(f, "alidade.n_components", "0", NULL, 0, 0, "from 1");
    refuse_model(f, "alidade.n_features", "many", NULL, 0, 0, "'many'");
    refuse_model(f, "alidade.map", "linea", NULL, 0, 0, "'linea'");
    refuse_model(f, "alidade.map", "none", NULL, 0, 0, "'embedding' is missing");
    refuse_model(f, "alidade.method", "", NULL, 0, 0, "alidade.method");
    refuse_model(f, NULL, NULL, "components", 4, NAN, "entry 5 of array 'components'");
    refuse_model(f, NULL, NULL, "mean", 0, INFINITY, "entry 1 of array 'mean'");
    refuse_model(f, NULL, NULL, "predictor/intercept", 1, NAN, "entry 2 of array 'predictor/intercept'");
    refuse_model(f, NULL, NULL, "scale", 2, 0.0, "entry 3 of array 'scale' is not positive");
}

/* Counts down; the allocation that reaches zero fails, and only that one. */
static void *failing_resize(void *user, void *block, size_t size)
{
    int *left = user;
    if (size == 0) {
        free(block);
        return NULL;
    }
    return --*left == 0 ? NULL : realloc(block, size);
}

static void test_every_allocation_may_fail(void **state)
{
    fixture *f = *state;
    size_t size;
    free(make_bytes(f, &size));
    int left = 0, failures = 0;
    ald_context *context;
    ald_options options = {.size = sizeof options, .threads = 1, .allocator = {failing_resize, &left}};
    assert_int_equal(ald_context_new(&options, &context, &f->error), ALD_OK);
    for (int k = 1;; k++) {
        ald_model *model;
        left = k;
        ald_status status = ald_model_load(context, f->path, &model, &f->error);
        if (status == ALD_OK) status = ald_model_save(context, model, f->path, &f->error);
        const int done = left > 0;
        ald_model_free(model);
        if (done) break;
        assert_int_equal(status, ALD_ERROR_MEMORY);
        failures++;
    }
    assert_true(failures > 20);
    ald_context_free(context);
}

static void test_a_failed_save_leaves_nothing(void **state)
{
    fixture *f = *state;
    ald_model *model = make_model(f);
    char path[200];
    snprintf(path, sizeof path, "%s/no/such/folder.ald", f->folder);
    assert_int_equal(ald_model_save(f->context, model, path, &f->error), ALD_ERROR_IO);
    assert_int_equal(ald_model_save(f->context, model, NULL, &f->error), ALD_ERROR_ARGUMENT);
    assert_int_equal(ald_model_save(f->context, NULL, f->path, &f->error), ALD_ERROR_ARGUMENT);
    struct stat about;
    assert_int_not_equal(stat(f->path, &about), 0);
    ald_model_free(model);
}

/* Not one bit may change unseen, wherever it is: length, header, sums, arrays. */
static void test_every_flipped_bit_is_seen(void **state)
{
    fixture *f = *state;
    size_t size;
    unsigned char *bytes = make_bytes(f, &size);
    assert_int_equal(parse(f, bytes, size), ALD_OK);
    for (size_t i = 0; i < 8 * size; i++) {
        bytes[i / 8] ^= (unsigned char)(1U << (i % 8));
        if (parse(f, bytes, size) >= 0) fail_msg("bit %zu of byte %zu of %zu is not missed", i % 8, i / 8, size);
        bytes[i / 8] ^= (unsigned char)(1U << (i % 8));
    }
    free(bytes);
}

/* Sums belong to the file: the model does not have them, and saving it again makes them anew. */
static void test_sums_are_not_texts_of_the_model(void **state)
{
    fixture *f = *state;
    size_t size;
    free(make_bytes(f, &size));
    ald_model *model = NULL;
    assert_int_equal(ald_model_load(f->context, f->path, &model, &f->error), ALD_OK);
    const char *key, *value;
    for (int i = 0; ald_model_text_at(model, i, &key, &value); i++) assert_null(strstr(key, "alidade.sum"));
    ald_model_free(model);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_round_trip_gives_the_same_bytes),  TEST(test_values_and_texts_come_back),
        TEST(test_layout_is_that_of_safetensors),    TEST(test_every_truncation_is_an_error),
        TEST(test_every_damaged_byte_is_survived),   TEST(test_hostile_headers_are_refused),
        TEST(test_deep_nesting_is_refused),          TEST(test_header_order_and_unknown_keys_do_not_matter),
        TEST(test_files_that_are_not_models_say_so), TEST(test_a_newer_format_names_the_version_needed),
        TEST(test_32_bit_arrays_are_widened),        TEST(test_a_model_must_fit_together),
        TEST(test_every_flipped_bit_is_seen),        TEST(test_sums_are_not_texts_of_the_model),
        TEST(test_every_allocation_may_fail),        TEST(test_a_failed_save_leaves_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
