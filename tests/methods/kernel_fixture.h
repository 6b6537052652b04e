/* Rows and targets for the tests of kernel methods. */
#ifndef TESTS_METHODS_KERNEL_FIXTURE_H
#define TESTS_METHODS_KERNEL_FIXTURE_H

#include "support/fitting.h"
#include "support/storages.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { n = 70, fresh = 40, d = 6 };

static const char *const methods[] = {"kpca", "kspca", "kpls", "kplssb", "kcca", "kfda"};
enum { n_methods = sizeof methods / sizeof *methods };

/* Training and further rows of the same kind, and three kinds of target. */
typedef struct fixture {
    support_sample train, more;
} fixture;

static inline int set_up(void **state)
{
    fixture *f = malloc(sizeof *f);
    f->train = support_sample_make(n, d, 5);
    f->more = support_sample_make(fresh, d, 50);
    for (int i = 0; i < n * d; i++) f->train.x[i] = (double)(float)f->train.x[i];
    for (int i = 0; i < fresh * d; i++) f->more.x[i] = (double)(float)f->more.x[i];
    *state = f;
    return 0;
}

static inline int tear_down(void **state)
{
    fixture *f = *state;
    support_sample_free(&f->train);
    support_sample_free(&f->more);
    free(f);
    return 0;
}

static inline void transform(const ald_model *model, const ald_matrix *x, double *z)
{
    ald_context *context = support_context(1, NULL);
    ald_error error;
    assert_done(ald_transform(context, model, x, z, &error), error);
    ald_context_free(context);
}

/* Projections of training and further rows: (n + fresh) x 2. */
static inline void project_all(const fixture *f, const ald_model *model, double *z)
{
    transform(model, &f->train.view, z);
    transform(model, &f->more.view, z + n * 2);
}

enum { all_rows = (n + fresh) * 2 };

/* Column by column up to sign, relative to the column. */
static inline void assert_same_scores(const double *a, const double *b, int64_t rows, double tolerance)
{
    for (int k = 0; k < 2; k++) {
        double plus = 0.0, minus = 0.0, size = 0.0;
        for (int64_t i = 0; i < rows; i++) {
            plus = fmax(plus, fabs(a[i * 2 + k] - b[i * 2 + k]));
            minus = fmax(minus, fabs(a[i * 2 + k] + b[i * 2 + k]));
            size = fmax(size, fabs(a[i * 2 + k]));
        }
        assert_below(fmin(plus, minus), tolerance * size);
    }
}

/* Both fits project alike. */
static inline void assert_alike(const fixture *f, ald_target_kind kind, const char *one, const char *set_one,
                                const char *two, const char *set_two, double tolerance)
{
    const ald_target y = support_sample_target(&f->train, kind);
    double a[all_rows], b[all_rows];
    ald_model *first = support_fit(one, set_one, &f->train.view, &y),
              *second = support_fit(two, set_two, &f->train.view, &y);
    project_all(f, first, a);
    project_all(f, second, b);
    assert_same_scores(a, b, n + fresh, tolerance);
    ald_model_free(first);
    ald_model_free(second);
}

static inline double inner(const double *a, const double *b)
{
    double sum = 0.0;
    for (int j = 0; j < d; j++) sum += a[j] * b[j];
    return sum;
}

#endif
