/* Classes that overlap, for the tests of predictors. */
#ifndef TESTS_JUDGING_PREDICTORS_FIXTURE_H
#define TESTS_JUDGING_PREDICTORS_FIXTURE_H

#include "methods/predict/predictor.h"
#include "support/fitting.h"

#include <stdlib.h>
#include <string.h>

enum { n = 60, r = 3, c = 3 };

typedef struct fixture {
    ald_context *context;
    ald_error error;
    ald_run run;
    ald_model *model;
    double *z, *noise;
    double y[n * c], labels[n * c], w[n];
    int32_t codes[n];
} fixture;

/* Three classes that overlap, columns of very different size, weights from 0 to 3. */
static inline void begin(fixture *f)
{
    f->context = support_context(2, NULL);
    support_run(&f->run, f->context, &f->error);
    assert_done(ald_model_new(&f->run, &f->model), f->error);
    f->z = support_normals(3, n * r);
    f->noise = support_normals(4, n * c);
    memset(f->y, 0, sizeof f->y);
    for (int i = 0; i < n; i++) {
        f->codes[i] = (i * 7 + i / 5) % c;
        f->y[i * c + f->codes[i]] = 1.0;
        f->w[i] = i % 11 == 0 ? 0.0 : 0.5 + i % 4;
        f->z[i * r] += 1.5 * f->codes[i];
        f->z[i * r + 1] = 100.0 * (f->z[i * r + 1] - f->codes[i] % 2) + 1000.0;
        f->z[i * r + 2] = 0.01 * (f->z[i * r + 2] + 0.5 * f->z[i * r]);
        for (int j = 0; j < c; j++) f->labels[i * c + j] = f->z[i * r] - j + f->noise[i * c + j] > 0.5;
    }
}

static inline void end(fixture *f)
{
    ald_model_free(f->model);
    assert_done(ald_run_end(&f->run, ALD_OK), f->error);
    ald_context_free(f->context);
    free(f->z);
    free(f->noise);
}

static inline ald_predictor_data data_of(const fixture *f, ald_target_kind kind, int weighted)
{
    const double *others = kind == ALD_TARGET_LABELS ? f->labels : f->noise;
    return (ald_predictor_data){
        .n = n,
        .r = r,
        .q = c,
        .z = f->z,
        .y = kind == ALD_TARGET_CLASSES ? f->y : others,
        .weights = weighted ? f->w : NULL,
        .kind = kind,
    };
}

/* Fits into a model of its own and gives the scores of the rows z (m x r). */
static inline void fit_and_apply(fixture *f, ald_predictor_options options, const ald_predictor_data *data,
                                 int64_t m, const double *z, double *scores)
{
    ald_model_free(f->model);
    assert_done(ald_model_new(&f->run, &f->model), f->error);
    assert_done(ald_predictor_fit(&f->run, &options, data, f->model), f->error);
    const ald_predictor *predictor = ald_predictor_of(f->model);
    assert_non_null(predictor);
    assert_string_equal(predictor->name, options.name);
    assert_int_equal(predictor->outputs(f->model, r), data->q);
    assert_int_equal(predictor->outputs(f->model, r + 1), 0);
    assert_done(predictor->apply(&f->run, f->model, m, r, data->q, z, scores), f->error);
}

static inline double weight(const ald_predictor_data *data, int64_t i)
{
    return data->weights ? data->weights[i] : 1.0;
}

#endif
