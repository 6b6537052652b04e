/* Model files that are damaged or made to harm: nothing but a clear error comes of them. */
#include "modelfiles.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
        {"{" META "," MEAN ",\"components\":{\"dtype\":\"F64\",\"shape\":[1,1],\"data_offsets\":[0,8]}}",
         "overlaps", 8},
        {"{" META "," MEAN ",\"components\":{\"dtype\":\"F64\",\"shape\":[1,1],\"data_offsets\":[4,12]}}",
         "overlaps", 12},
        {"{" META "," MEAN ",\"components\":{\"dtype\":\"F64\",\"shape\":[1,1],\"data_offsets\":[16,24]}}",
         "belong to no array", 24},
        {"{" META ",\"mean\":{\"dtype\":\"F64\",\"shape\":[1],\"data_offsets\":[-8,0]}}", "negative", 0},
        {"{" META ",\"mean\":{\"dtype\":\"F64\",\"shape\":[1],\"data_offsets\":[8,0]}}", "reversed", 8},
        {"{" META ",\"mean\":{\"dtype\":\"F64\",\"shape\":[-1],\"data_offsets\":[0,8]}}", "whole number", 8},
        {"{" META ",\"mean\":{\"dtype\":\"F64\",\"shape\":[1.5],\"data_offsets\":[0,8]}}", "whole number", 8},
        {"{" META ",\"mean\":{\"dtype\":\"F64\",\"shape\":[4611686018427387904,4],\"data_offsets\":[0,0]}}",
         "large", 0},
        {"{" META ",\"mean\":{\"dtype\":\"F64\",\"shape\":[2305843009213693952],\"data_offsets\":[0,0]}}",
         "agree", 0},
        {"{" META ",\"mean\":{\"dtype\":\"F64\",\"shape\":[1],\"data_offsets\":[0,9223372036854775807]}}",
         "agree", 8},
        {"{" META ",\"mean\":{\"dtype\":\"F64\",\"shape\":[1152921504606846975],\"data_offsets\":[0,"
         "9223372036854775800]}}",
         "missing", 8},
        {"{" META ",\"mean\":{\"dtype\":\"F64\",\"shape\":[1],\"data_offsets\":[0,99999999999999999999]}}",
         "JSON", 8},
        {"{" META ",\"mean\":{\"dtype\":\"F64\",\"shape\":[1],\"data_offsets\":[0]}}", "pair", 8},
        {"{" META ",\"mean\":{\"dtype\":\"F64\",\"shape\":[1],\"data_offsets\":\"0,8\"}}", "pair", 8},
        {"{" META ",\"mean\":{\"dtype\":\"F64\",\"shape\":[1,1,1,1,1],\"data_offsets\":[0,8]}}",
         "4 dimensions", 8},
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
        {"{}", "not an alidade model", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(parse_header(f, cases[i].header, cases[i].data), ALD_ERROR_FORMAT);
        if (!strstr(f->error.message, cases[i].says))
            fail_msg("%s\n  gave: %s", cases[i].header, f->error.message);
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
    const char *header =
        "{\"__metadata__\":{\"alidade.format\":\"3\",\"alidade.version\":\"3.4.5\"},\"new\":true}";
    assert_int_equal(parse_header(f, header, 0), ALD_ERROR_UNSUPPORTED);
    assert_non_null(strstr(f->error.message, "format 3"));
    assert_non_null(strstr(f->error.message, "3.4.5"));
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
        if (parse(f, bytes, size) >= 0)
            fail_msg("bit %zu of byte %zu of %zu is not missed", i % 8, i / 8, size);
        bytes[i / 8] ^= (unsigned char)(1U << (i % 8));
    }
    free(bytes);
}

static int say_stop(void *user, const char *stage, double done)
{
    (void)stage, (void)done;
    ++*(int *)user;
    return 1;
}

/* A file of 64 MB that begins with these bytes and has only zeros behind them. */
static ald_status load_long(fixture *f, const char *begin, size_t size, int *asked)
{
    ald_model *model;
    ald_context *asking;
    *asked = 0;
    write_bytes(f->path, begin, size);
    assert_int_equal(truncate(f->path, 64 << 20), 0);
    assert_int_equal(ald_context_with_progress(f->context, say_stop, asked, &asking, &f->error), ALD_OK);
    const ald_status status = ald_model_load(asking, f->path, &model, &f->error);
    ald_context_free(asking);
    return status;
}

/* What is no model is not read to its end; what begins like one can be stopped. */
static void test_long_files_are_left_early(void **state)
{
    fixture *f = *state;
    int asked;
    assert_int_equal(load_long(f, "\x10\0\0\0\0\0\0\0{", 9, &asked), ALD_ERROR_CANCELLED);
    assert_int_equal(asked, 1);
    assert_int_equal(load_long(f, "x,y", 3, &asked), ALD_ERROR_FORMAT);
    assert_non_null(strstr(f->error.message, "not a model file"));
    assert_int_equal(asked, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_every_truncation_is_an_error),     TEST(test_every_damaged_byte_is_survived),
        TEST(test_hostile_headers_are_refused),      TEST(test_deep_nesting_is_refused),
        TEST(test_files_that_are_not_models_say_so), TEST(test_a_newer_format_names_the_version_needed),
        TEST(test_every_flipped_bit_is_seen),        TEST(test_long_files_are_left_early),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
