/* The model file: same bytes after a round trip, what is read from files of others, and what makes no model.
 */
#include "modelfiles.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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

static void test_header_order_and_unknown_keys_do_not_matter(void **state)
{
    fixture *f = *state;
    assert_int_equal(parse_header(f, "{" COMPONENTS "," META "," MEAN "}", 16), ALD_OK);
    assert_int_equal(parse_header(f,
                                  "{" META "," COMPONENTS
                                  ",\"mean\":{\"colour\":[{}],\"dtype\":\"F64\",\"shape\":[1],"
                                  "\"data_offsets\":[0,8]}}",
                                  16),
                     ALD_OK);
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
static void refuse_model(fixture *f, const char *key, const char *value, const char *array, int at,
                         double number, const char *says)
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

static void test_every_allocation_may_fail(void **state)
{
    fixture *f = *state;
    size_t size;
    free(make_bytes(f, &size));
    int left = 0, failures = 0;
    ald_context *context;
    ald_options options = {
        .size = sizeof options,
        .threads = 1,
        .allocator = {support_failing_resize, &left},
    };
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_round_trip_gives_the_same_bytes), TEST(test_values_and_texts_come_back),
        TEST(test_layout_is_that_of_safetensors),   TEST(test_header_order_and_unknown_keys_do_not_matter),
        TEST(test_32_bit_arrays_are_widened),       TEST(test_a_model_must_fit_together),
        TEST(test_sums_are_not_texts_of_the_model), TEST(test_every_allocation_may_fail),
        TEST(test_a_failed_save_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
