/* Files to be streamed, and the comparison with files read whole. */
#ifndef TESTS_METHODS_STREAMING_FIXTURE_H
#define TESTS_METHODS_STREAMING_FIXTURE_H

#include "support/loops_card.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { n = 120, d = 5 };

static char folder[64];

static inline const char *path_of(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static inline void write_bytes(const char *name, const void *bytes, size_t size)
{
    FILE *file = fopen(path_of(name), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

static inline ald_status stream(ald_context *context, const char *name, const char *method, const char *set,
                                const ald_load_options *load, ald_model **model, ald_error *error)
{
    ald_dataset *survey = NULL;
    int64_t rows;
    *model = NULL;
    ald_status status = ald_dataset_survey(context, path_of(name), load, &survey, &rows, error);
    if (status >= 0) {
        assert_int_equal(ald_dataset_file_rows(survey), n);
        assert_true(rows <= n); /* without those that are left out */
        ald_settings *settings = support_settings(context, method, set);
        status = ald_fit_stream(context, settings, path_of(name), load, survey, model, error);
        ald_settings_free(settings);
    }
    ald_dataset_free(survey);
    return status;
}

/* Contexts of one to three threads, blocks of all sizes, rows read again and kept. With a ridge of 1 or more
 * there is less to lose. */
static inline void compare_in(const int64_t blocks[3], const char *name, const char *method, const char *set,
                              ald_load_options load)
{
    static const char *const texts[] = {
        "alidade.n_samples",     "alidade.n_features", "alidade.class_names", "alidade.response_names",
        "alidade.feature_names", "alidade.schema",     "alidade.target",
    };
    static const char *const keep[] = {"none", "auto", "file"};
    const int minimised = strcmp(method, "lad") == 0; /* values of an objective show its minimum to 1e-8 */
    const double solved = strstr(set, "ridge=1") ? 1e-11 : 1e-9, tolerance = minimised ? 1e-7 : solved;
    ald_context *context = support_context(2, NULL);
    ald_settings *settings = support_settings(context, method, set);
    ald_dataset *data;
    ald_model *whole, *streamed;
    ald_error error;
    ald_array one, two;
    load.size = sizeof load;
    assert_done(ald_dataset_load(context, path_of(name), &load, &data, &error), error);
    assert_done(ald_fit_dataset(context, settings, data, &whole, &error), error);
    const int step = support_stride() > 1 ? 3 : 1; /* under the sanitizers the smallest blocks only */
    for (int b = 0; b < 3; b += step) {
        ald_context *other = support_context(b + 1, NULL);
        loops_card card = {0};
        ald_device *device = b == 1 ? loops_device(&card, 1) : NULL; /* blocks pass through a card */
        ald_context_set_device(other, device, NULL);
        load.block_bytes = blocks[b];
        load.keep_rows = keep[b];
        const ald_status status = stream(other, name, method, set, &load, &streamed, &error);
        if (status < 0) print_error("%s %s %s\n", name, method, set);
        assert_done(status, error);
        assert_true(!device || card.held > 0);
        assert_int_equal(ald_model_text(streamed, "alidade.resolved.device") != NULL, device != NULL);
        for (int i = 0; ald_model_array_at(whole, i, &one); i++) {
            if (strcmp(one.name, "statistics/lost") == 0) continue; /* a bound, which depends on the blocks */
            if (!ald_model_array(streamed, one.name, &two)) fail_msg("%s: no array %s", method, one.name);
            int64_t count = 1;
            for (int k = 0; k < one.dims; k++) count *= one.shape[k];
            const double size = support_norm(count, one.data),
                         apart = support_largest_difference(count, one.data, two.data);
            for (int k = 0; k < one.dims; k++) assert_int_equal(one.shape[k], two.shape[k]);
            if (!(apart <= tolerance * (size > 1.0 ? size : 1.0)))
                fail_msg("%s %s %s: %s differs by %.3g", name, method, set, one.name, apart);
        }
        for (int i = 0; i < 7; i++) {
            const char *a = ald_model_text(whole, texts[i]), *c = ald_model_text(streamed, texts[i]);
            assert_int_equal(a == NULL, c == NULL);
            if (a && i != 5) assert_string_equal(a, c);
        }
        ald_model_free(streamed);
        ald_context_free(other);
        ald_device_close(device);
    }
    ald_model_free(whole);
    ald_dataset_free(data);
    ald_settings_free(settings);
    ald_context_free(context);
}

enum { wide = 5100 };

static inline void write_wide_svmlight(const char *name, int many)
{
    char *text = malloc(1 << 18);
    size_t used = 0;
    ald_random random;
    ald_random_seed(&random, 8, 0);
    for (int i = 0; i < n; i++) {
        used += (size_t)(many ? sprintf(text + used, "%d,%d", i * 3 / n, 3 + i % 4)
                              : sprintf(text + used, "%d", i * 3 / n));
        for (int j = 1 + (int)ald_random_below(&random, 60); j < wide;
             j += 1 + (int)ald_random_below(&random, 300))
            used += (size_t)sprintf(text + used, " %d:%.17g", j,
                                    1.0 + 0.2 * ald_random_normal(&random) + (j < 900) * (i * 3 / n));
        used += (size_t)sprintf(text + used, " %d:1\n", wide);
    }
    write_bytes(name, text, used);
    free(text);
}

#endif
