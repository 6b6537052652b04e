/* Small model files for the tests. */
#ifndef TESTS_FILES_MODELFILES_H
#define TESTS_FILES_MODELFILES_H

#include "io/modelfile/modelfile.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct fixture {
    ald_context *context;
    ald_error error;
    char folder[64];
    char path[128];
} fixture;

static inline int set_up(void **state)
{
    static fixture f;
    memset(&f, 0, sizeof f);
    strcpy(f.folder, "modelfile-XXXXXX");
    if (!mkdtemp(f.folder) || ald_context_new(NULL, &f.context, &f.error) < 0) return -1;
    snprintf(f.path, sizeof f.path, "%s/model.ald", f.folder);
    *state = &f;
    return 0;
}

static inline int tear_down(void **state)
{
    fixture *f = *state;
    ald_context_free(f->context);
    unlink(f->path);
    return rmdir(f->folder);
}

/* A small model of every kind of array, with texts that are hard to write. */
static inline ald_status fill_model(ald_run *run, ald_model *model)
{
    const double mean[] = {0.1, -2.5, 1e300}, scale[] = {1.0, 0.5, 1e-300},
                 components[] = {1, 2, 3, -4, 5e-324, 6};
    const int64_t shape[] = {2, 1, 2}, nothing[] = {0, 7};
    int64_t *whole;
    double *scalar, *empty;
    ALD_TRY(ald_model_set_text(run, model, "alidade.method", "pls"));
    ALD_TRY(ald_model_set_text(run, model, "alidade.map", "linear"));
    ALD_TRY(ald_model_set_text(run, model, "alidade.n_features", "3"));
    ALD_TRY(ald_model_set_text(run, model, "alidade.n_components", "2"));
    ALD_TRY(ald_model_set_text(run, model, "hard",
                               "\"quoted\" \\ \n\t\x01\x7f \xe2\x82\xac \xf0\x9f\x98\x80 \xe9"));
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

static inline ald_model *make_model(const fixture *f)
{
    ald_run run;
    ald_model *model = NULL;
    ald_run_begin(&run, f->context, NULL);
    assert_int_equal(ald_model_new(&run, &model), ALD_OK);
    assert_int_equal(fill_model(&run, model), ALD_OK);
    assert_int_equal(ald_run_end(&run, ALD_OK), ALD_OK);
    return model;
}

static inline unsigned char *read_bytes(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    unsigned char *bytes = malloc(1 << 20);
    *size = fread(bytes, 1, 1 << 20, file);
    fclose(file);
    return bytes;
}

static inline void write_bytes(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

/* The bytes of the small model. */
static inline unsigned char *make_bytes(fixture *f, size_t *size)
{
    ald_model *model = make_model(f);
    assert_int_equal(ald_model_save(f->context, model, f->path, &f->error), ALD_OK);
    ald_model_free(model);
    return read_bytes(f->path, size);
}

/* From an exact copy, so that a read past the end is seen by the sanitizer. */
static inline ald_status parse(fixture *f, const unsigned char *bytes, size_t size)
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
static inline ald_status parse_header(fixture *f, const char *header, size_t data_size)
{
    const size_t length = strlen(header), size = 8 + length + data_size;
    unsigned char *bytes = calloc(size, 1);
    for (int i = 0; i < 8; i++) bytes[i] = (unsigned char)((uint64_t)length >> (8 * i));
    memcpy(bytes + 8, header, length);
    const ald_status status = parse(f, bytes, size);
    free(bytes);
    return status;
}

#define META                                                                                                 \
    "\"__metadata__\":{\"alidade.format\":\"1\",\"alidade.method\":\"pca\",\"alidade.map\":\"linear\","      \
    "\"alidade.n_features\":\"1\",\"alidade.n_components\":\"1\"}"
#define MEAN "\"mean\":{\"dtype\":\"F64\",\"shape\":[1],\"data_offsets\":[0,8]}"
#define COMPONENTS "\"components\":{\"dtype\":\"F64\",\"shape\":[1,1],\"data_offsets\":[8,16]}"

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

#endif
