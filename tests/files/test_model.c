/* The container: names, order, growth, and what it refuses. */
#include "base/core/model.h"
#include "base/core/text.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

typedef struct fixture {
    ald_context *context;
    ald_error error;
    ald_run run;
    ald_model *model;
} fixture;

static int set_up(void **state)
{
    static fixture f;
    memset(&f, 0, sizeof f);
    if (ald_context_new(NULL, &f.context, &f.error) < 0) return -1;
    ald_run_begin(&f.run, f.context, &f.error);
    *state = &f;
    return ald_model_new(&f.run, &f.model) < 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    ald_model_free(f->model);
    ald_run_end(&f->run, ALD_OK);
    ald_context_free(f->context);
    return 0;
}

static void test_arrays_are_found_by_name_and_in_order(void **state)
{
    fixture *f = *state;
    const double mean[] = {1.5, -2.0, 3.0}, components[] = {1, 2, 3, 4, 5, 6};
    assert_int_equal(ald_model_add_vector(&f->run, f->model, "mean", 3, mean), ALD_OK);
    assert_int_equal(ald_model_add_matrix(&f->run, f->model, "components", 2, 3, components), ALD_OK);
    ald_array array;
    assert_true(ald_model_array(f->model, "components", &array));
    assert_string_equal(array.name, "components");
    assert_int_equal(array.dims, 2);
    assert_int_equal(array.shape[0], 2);
    assert_int_equal(array.shape[1], 3);
    assert_memory_equal(array.data, components, sizeof components);
    assert_true(ald_model_array_at(f->model, 0, &array));
    assert_string_equal(array.name, "mean");
    assert_false(ald_model_array_at(f->model, 2, &array));
    assert_false(ald_model_array_at(f->model, -1, &array));
    assert_false(ald_model_array(f->model, "scale", &array));
}

static void test_reals_wants_the_exact_shape(void **state)
{
    fixture *f = *state;
    const double values[6] = {0};
    ald_model_add_vector(&f->run, f->model, "v", 6, values);
    ald_model_add_matrix(&f->run, f->model, "m", 2, 3, values);
    int64_t *whole;
    int64_t n = 6;
    assert_int_equal(ald_model_add(&f->run, f->model, "i", ALD_ARRAY_I64, 1, &n, &whole), ALD_OK);
    assert_non_null(ald_model_reals(f->model, "v", 6, -1));
    assert_null(ald_model_reals(f->model, "v", 5, -1));
    assert_null(ald_model_reals(f->model, "v", 6, 1));
    assert_non_null(ald_model_reals(f->model, "m", 2, 3));
    assert_null(ald_model_reals(f->model, "m", 3, 2));
    assert_null(ald_model_reals(f->model, "m", 2, -1));
    assert_null(ald_model_reals(f->model, "i", 6, -1));
    assert_null(ald_model_reals(f->model, "none", 6, -1));
}

static void test_many_entries_keep_their_values(void **state)
{
    fixture *f = *state;
    char name[32];
    for (int i = 0; i < 300; i++) {
        const double value = i;
        snprintf(name, sizeof name, "a%d", i);
        assert_int_equal(ald_model_add_vector(&f->run, f->model, name, 1, &value), ALD_OK);
        assert_int_equal(ald_model_set_printed(&f->run, f->model, name, "%d squared is %d", i, i * i),
                         ALD_OK);
    }
    for (int i = 0; i < 300; i++) {
        char expected[64];
        snprintf(name, sizeof name, "a%d", i);
        snprintf(expected, sizeof expected, "%d squared is %d", i, i * i);
        assert_true(*ald_model_reals(f->model, name, 1, -1) == i);
        assert_string_equal(ald_model_text(f->model, name), expected);
    }
}

static void test_entries_are_limited(void **state)
{
    fixture *f = *state;
    char key[32];
    ald_status status = ALD_OK;
    int i = 0;
    for (; i < 20000 && status == ALD_OK; i++) {
        snprintf(key, sizeof key, "%d", i);
        status = ald_model_set_text(&f->run, f->model, key, "");
    }
    assert_int_equal(status, ALD_ERROR_ARGUMENT);
    assert_int_equal(i, 10001);
}

static void test_a_second_array_of_a_name_is_refused(void **state)
{
    fixture *f = *state;
    const double value = 1.0;
    assert_int_equal(ald_model_add_vector(&f->run, f->model, "mean", 1, &value), ALD_OK);
    assert_int_equal(ald_model_add_vector(&f->run, f->model, "mean", 1, &value), ALD_ERROR_ARGUMENT);
    assert_non_null(strstr(f->error.message, "'mean'"));
    assert_int_equal(ald_model_add_vector(&f->run, f->model, "__metadata__", 1, &value), ALD_ERROR_ARGUMENT);
    assert_int_equal(f->model->n_arrays, 1);
}

static void test_impossible_shapes_are_refused(void **state)
{
    fixture *f = *state;
    void *data;
    const int64_t negative = -1, huge[2] = {INT64_MAX, 3}, large[1] = {INT64_MAX / 4},
                  many[5] = {1, 1, 1, 1, 1};
    assert_int_equal(ald_model_add(&f->run, f->model, "a", ALD_ARRAY_F64, 1, &negative, &data),
                     ALD_ERROR_ARGUMENT);
    assert_int_equal(ald_model_add(&f->run, f->model, "a", ALD_ARRAY_F64, 2, huge, &data), ALD_ERROR_MEMORY);
    assert_int_equal(ald_model_add(&f->run, f->model, "a", ALD_ARRAY_F64, 1, large, &data), ALD_ERROR_MEMORY);
    assert_int_equal(ald_model_add(&f->run, f->model, "a", ALD_ARRAY_F64, 5, many, &data),
                     ALD_ERROR_ARGUMENT);
    assert_int_equal(f->model->n_arrays, 0);
}

static void test_texts_are_set_and_replaced(void **state)
{
    fixture *f = *state;
    const char *key, *value;
    assert_int_equal(ald_model_set_text(&f->run, f->model, "a", "one"), ALD_OK);
    assert_int_equal(ald_model_set_text(&f->run, f->model, "b", "two"), ALD_OK);
    assert_int_equal(ald_model_set_text(&f->run, f->model, "a", "three"), ALD_OK);
    assert_int_equal(ald_model_set_real(&f->run, f->model, "c", 0.1), ALD_OK);
    assert_string_equal(ald_model_text(f->model, "a"), "three");
    assert_string_equal(ald_model_text(f->model, "c"), "0.1");
    assert_null(ald_model_text(f->model, "d"));
    assert_true(ald_model_text_at(f->model, 0, &key, &value));
    assert_string_equal(key, "a");
    assert_string_equal(value, "three");
    assert_true(ald_model_text_at(f->model, 2, NULL, NULL));
    assert_false(ald_model_text_at(f->model, 3, &key, &value));
}

static void test_sizes_come_from_the_metadata_or_the_components(void **state)
{
    fixture *f = *state;
    const double components[6] = {0};
    assert_int_equal(ald_model_feature_count(f->model), 0);
    assert_null(ald_model_method(f->model));
    ald_model_add_matrix(&f->run, f->model, "components", 2, 3, components);
    assert_int_equal(ald_model_feature_count(f->model), 3);
    assert_int_equal(ald_model_component_count(f->model), 2);
    ald_model_set_text(&f->run, f->model, "alidade.n_features", "7");
    ald_model_set_text(&f->run, f->model, "alidade.n_components", "nonsense");
    ald_model_set_text(&f->run, f->model, "alidade.method", "pls");
    assert_int_equal(ald_model_feature_count(f->model), 7);
    assert_int_equal(ald_model_component_count(f->model), 2);
    assert_string_equal(ald_model_method(f->model), "pls");
}

static void test_latin1_becomes_utf8(void **state)
{
    fixture *f = *state;
    assert_int_equal(ald_model_set_text(&f->run, f->model, "k\xe9y", "gr\xfcn \xe2\x82\xac"), ALD_OK);
    assert_string_equal(ald_model_text(f->model, "k\xc3\xa9y"), "gr\xc3\xbcn \xe2\x82\xac");
}

/* Lengths that the Unicode standard gives; 0 where the bytes are no character. */
static void test_utf8_sequences(void **state)
{
    (void)state;
    const struct {
        const char *text;
        int length;
    } cases[] = {
        {"a", 1},
        {"\xc3\xa9", 2},
        {"\xe2\x82\xac", 3},
        {"\xf0\x9f\x98\x80", 4},
        {"\xf4\x8f\xbf\xbf", 4},
        {"\xc0\x80", 0},         /* over-long */
        {"\xe0\x80\x80", 0},     /* over-long */
        {"\xf0\x80\x80\x80", 0}, /* over-long */
        {"\xed\xa0\x80", 0},     /* surrogate */
        {"\xf4\x90\x80\x80", 0}, /* beyond the last */
        {"\xf5\x80\x80\x80", 0},
        {"\x80", 0},
        {"\xff", 0},
        {"\xc3", 0}, /* cut off */
        {"\xe2\x82", 0},
        {"\xf0\x9f\x98", 0},
        {"\xc3(", 0},
        {"\xe2\x82(", 0},
        {"", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(ald_utf8_sequence(cases[i].text, strlen(cases[i].text)), cases[i].length);
}

static void test_free_of_nothing(void **state)
{
    (void)state;
    ald_model_free(NULL);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_arrays_are_found_by_name_and_in_order),
        TEST(test_reals_wants_the_exact_shape),
        TEST(test_many_entries_keep_their_values),
        TEST(test_entries_are_limited),
        TEST(test_a_second_array_of_a_name_is_refused),
        TEST(test_impossible_shapes_are_refused),
        TEST(test_texts_are_set_and_replaced),
        TEST(test_sizes_come_from_the_metadata_or_the_components),
        TEST(test_latin1_becomes_utf8),
        cmocka_unit_test(test_utf8_sequences),
        cmocka_unit_test(test_free_of_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
