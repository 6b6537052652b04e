/* A real card beside the processor: neighbours to the last bit, on rows that are hard for a filter (ties,
 * copies, tight heaps far apart, huge numbers), and fits of kdr and sdpp. Skipped where there is no card. */
#include "support/fitting.h"
#include "support/support.h"

#include "math/graph/graph.h"

#include <alidade/device.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ald_device *device;

typedef double (*kind_fn)(double normal, int64_t i, int64_t j);

static double plain(double normal, int64_t i, int64_t j)
{
    (void)i, (void)j;
    return normal;
}

static double whole(double normal, int64_t i, int64_t j)
{
    (void)i, (void)j;
    return floor(normal);
}

static double copies(double normal, int64_t i, int64_t j)
{
    (void)j;
    return i % 3 == 0 ? 0.5 : normal;
}

static double heaps(double normal, int64_t i, int64_t j)
{
    return 1e-4 * normal + 100.0 * (double)(i / 200 * (j % 3));
}

static double huge(double normal, int64_t i, int64_t j)
{
    (void)i, (void)j;
    return 1e120 * normal;
}

typedef struct near_case {
    kind_fn kind;
    int64_t n, d, k;
    int single, scaled, lists; /* lists: 1 some queries, 2 some references */
} near_case;

static const near_case cases[] = {
    {plain, 1000, 7, 5, 0, 0, 0},   {plain, 700, 50, 10, 0, 1, 0},  {plain, 500, 1, 3, 1, 0, 0},
    {plain, 12, 3, 11, 0, 0, 0},    {plain, 900, 333, 60, 0, 1, 3}, {plain, 800, 70, 10, 1, 1, 1},
    {whole, 1500, 4, 10, 0, 0, 0},  {whole, 1500, 3, 12, 1, 1, 2},  {copies, 1600, 20, 10, 0, 0, 0},
    {heaps, 2000, 30, 10, 0, 0, 3}, {huge, 600, 10, 4, 0, 0, 0},    {plain, 300, 5, 128, 0, 0, 0},
};

static void search(ald_context *context, const near_case *c, const ald_matrix *x, int64_t *found,
                   double *squares)
{
    ald_run run;
    ald_error error;
    double *scale = malloc((size_t)c->d * sizeof *scale);
    int64_t *some = malloc((size_t)c->n * sizeof *some);
    for (int64_t j = 0; j < c->d; j++) scale[j] = 0.3 + (double)(j % 7);
    for (int64_t i = 0; i < c->n; i++) some[i] = c->n - 1 - i;
    const ald_operator z = {.x = *x, .inverse_scale = c->scaled ? scale : NULL};
    const ald_rows all = {.z = &z}, half = {&z, some, c->n / 2};
    support_run(&run, context, &error);
    assert_done(ald_neighbours_between(&run, c->lists & 1 ? &half : &all, c->lists & 2 ? &half : &all, c->k,
                                       1, found, squares),
                error);
    ald_run_end(&run, ALD_OK);
    free(scale);
    free(some);
}

static void neighbours_are_the_processors(void **state)
{
    (void)state;
    ald_context *here = support_context(2, NULL), *there = support_context(2, NULL);
    ald_error error;
    assert_done(ald_context_set_device(there, device, &error), error);
    for (size_t at = 0; at < sizeof cases / sizeof *cases; at++) {
        const near_case *c = &cases[at];
        const int64_t count = (c->lists & 1 ? c->n / 2 : c->n) * c->k;
        double *x = support_normals(at + 1, c->n * c->d),
               *squares = calloc((size_t)count, 2 * sizeof *squares);
        float *narrow = malloc((size_t)(c->n * c->d) * sizeof *narrow);
        int64_t *found = calloc((size_t)count, 2 * sizeof *found);
        for (int64_t e = 0; e < c->n * c->d; e++) {
            x[e] = c->kind(x[e], e / c->d, e % c->d);
            if (c->single) narrow[e] = (float)x[e];
        }
        ald_matrix view = ald_matrix_row_major(x, c->n, c->d, c->d);
        if (c->single) view.type = ALD_F32, view.values = narrow;
        search(here, c, &view, found, squares);
        search(there, c, &view, found + count, squares + count);
        assert_memory_equal(found, found + count, (size_t)count * sizeof *found);
        assert_memory_equal(squares, squares + count, (size_t)count * sizeof *squares);
        free(x), free(squares), free(narrow), free(found);
    }
    ald_context_free(here);
    ald_context_free(there);
}

/* Scores of a fit on the card beside the processor's, and the same bytes twice. */
static void fits_agree(void **state)
{
    (void)state;
    enum { n = 600, d = 12 };
    static const char *const fits[][2] = {
        {"kdr", "n_components=2 rank=0 n_stages=5 n_starts=2"},
        {"sdpp", "n_components=2 solver=cg n_starts=1"},
        {"sdpp", "n_components=2 solver=cg n_starts=4"},
        {"sdpp", "n_components=1 ridge=0.1"},
        {"lsir", "n_components=2"},
        {"rsir", "n_components=2"},
    };
    support_sample s = support_sample_make(n, d, 5);
    ald_target y = support_sample_target(&s, ALD_TARGET_REAL);
    y.values.cols = 1;
    for (size_t f = 0; f < sizeof fits / sizeof *fits; f++) {
        double scores[3][2 * n] = {{0.0}};
        for (int way = 0; way < 3; way++) {
            ald_context *context = support_context(2, NULL);
            ald_model *model;
            ald_error error;
            if (way > 0) assert_done(ald_context_set_device(context, device, &error), error);
            ald_settings *settings = support_settings(context, fits[f][0], fits[f][1]);
            assert_done(ald_fit(context, settings, &s.view, &y, &model, &error), error);
            assert_done(ald_transform(context, model, &s.view, scores[way], &error), error);
            ald_settings_free(settings);
            ald_model_free(model);
            ald_context_free(context);
        }
        const double off = support_largest_difference(2 * n, scores[0], scores[1]);
        printf("%s: off by %.1e\n", fits[f][0], off / support_norm(2 * n, scores[0]));
        assert_below(off, 1e-8 * support_norm(2 * n, scores[0])); /* sdpp stops at a tolerance */
        assert_memory_equal(scores[1], scores[2], sizeof scores[1]);
    }
    support_sample_free(&s);
}

int main(void)
{
    ald_error error;
    if (ald_device_open("cuda", &device, &error) < 0) {
        printf("skipped: %s\n", error.message);
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours_are_the_processors),
        cmocka_unit_test(fits_agree),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    ald_device_close(device);
    return failed;
}
