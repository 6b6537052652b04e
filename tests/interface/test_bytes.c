/* A model as bytes in memory: those of its file, read with the same checks; and what may outlive its context.
 */
#include "support/fitting.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { n = 40, d = 5 };

static ald_model *fit(support_sample *s, ald_target_kind kind)
{
    *s = support_sample_make(n, d, 3);
    const ald_target y = support_sample_target(s, kind);
    return support_fit("lda", "n_components=2 predictor=centroid", &s->view, &y);
}

static unsigned char *read_file(const char *path, size_t *size)
{
    static unsigned char bytes[1 << 16];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    *size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    return bytes;
}

static void bytes_are_those_of_the_file(void **state)
{
    (void)state;
    support_sample s;
    ald_model *model = fit(&s, ALD_TARGET_CLASSES), *again;
    ald_context *context = support_context(1, NULL);
    ald_error error;
    unsigned char *bytes;
    size_t size, in_file;
    double z[2][n * 2];
    assert_done(ald_model_to_bytes(context, model, &bytes, &size, &error), error);
    assert_done(ald_model_save(context, model, "bytes.ald", &error), error);
    const unsigned char *saved = read_file("bytes.ald", &in_file);
    assert_int_equal(size, in_file);
    assert_memory_equal(bytes, saved, size);
    assert_done(ald_model_from_bytes(context, bytes, size, &again, &error), error);
    ald_bytes_free(context, bytes);
    assert_done(ald_transform(context, model, &s.view, z[0], &error), error);
    assert_done(ald_transform(context, again, &s.view, z[1], &error), error);
    assert_memory_equal(z[0], z[1], sizeof z[0]);
    ald_model_free(again);
    ald_model_free(model);
    ald_context_free(context);
    support_sample_free(&s);
}

/* Cut at every place, and each byte of the header changed: an error or a model, never a crash. */
static void damaged_bytes_are_refused(void **state)
{
    (void)state;
    support_sample s;
    ald_model *model = fit(&s, ALD_TARGET_CLASSES), *again;
    ald_context *context = support_context(1, NULL);
    ald_error error;
    unsigned char *bytes;
    size_t size;
    assert_done(ald_model_to_bytes(context, model, &bytes, &size, &error), error);
    for (size_t cut = 0; cut < size; cut += cut < 64 ? 1 : 97) {
        assert_true(ald_model_from_bytes(context, bytes, cut, &again, &error) < 0);
        assert_null(again);
        assert_true(error.message[0] != '\0');
    }
    for (size_t at = 0; at < 400; at++) {
        bytes[at] ^= 0x15;
        ald_model_from_bytes(context, bytes, size, &again, &error);
        ald_model_free(again);
        bytes[at] ^= 0x15;
    }
    ald_bytes_free(context, bytes);
    ald_bytes_free(context, NULL);
    ald_model_free(model);
    ald_context_free(context);
    support_sample_free(&s);
}

/* Made with one context, used with another after the first is gone. The sanitizers see what still points
 * there. */
static void what_was_made_outlives_its_context(void **state)
{
    (void)state;
    ald_context *first = support_context(1, NULL), *second;
    ald_dataset *data;
    ald_settings *settings;
    ald_model *model;
    ald_error error;
    const ald_generate_options rows = {.size = sizeof rows, .n = 30};
    assert_done(ald_generate_dataset(first, "plane", &rows, &data, &error), error);
    assert_done(ald_settings_new(first, "pls", &settings, &error), error);
    ald_context_free(first);
    second = support_context(1, NULL);
    assert_done(ald_settings_set_int(settings, "n_components", 1, &error), error);
    assert_done(ald_fit_dataset(second, settings, data, &model, &error), error);
    ald_context_free(second);
    ald_settings_free(settings);
    ald_dataset_free(data);
    assert_int_equal(ald_model_component_count(model), 1);
    ald_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_are_those_of_the_file),
        cmocka_unit_test(damaged_bytes_are_refused),
        cmocka_unit_test(what_was_made_outlives_its_context),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
