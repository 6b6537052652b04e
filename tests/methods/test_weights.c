/* What a weight is, for every method that takes them: a row of weight 0 is as if it were not there, to the
 * last bit, and a row of weight w, a whole number, is w rows. Methods with neighbours promise the first only:
 * a copy of a row is a neighbour of its own, which a weight is not; so does the predictor knn. The equations
 * with weights that are no whole numbers are those of the property grid. */
#include "data/encode/dataset.h"
#include "support/fitting.h"
#include "support/storages.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { n = 48, d = 6, q = 3, most = 3 * n, fresh = 12 };

typedef struct rows {
    int64_t count;
    double x[most * d], responses[most * q], labels[most * q], weights[most];
    int32_t classes[most];
} rows;

/* Row i of `from` as the next row. */
static void add_row(rows *to, const rows *from, int64_t i, double weight)
{
    const int64_t at = to->count++;
    memcpy(to->x + at * d, from->x + i * d, d * sizeof *to->x);
    memcpy(to->responses + at * q, from->responses + i * q, q * sizeof *to->responses);
    memcpy(to->labels + at * q, from->labels + i * q, q * sizeof *to->labels);
    to->classes[at] = from->classes[i];
    to->weights[at] = weight;
}

/* Floats with zeros among them and columns of different size. Rows of weight 0 lie far out and have targets
 * far out, so that nothing of them goes unseen. */
static rows *make_rows(double unit)
{
    rows *s = malloc(sizeof *s);
    ald_random random;
    assert_non_null(s);
    ald_random_seed(&random, 41, 0);
    s->count = n;
    for (int i = 0; i < n; i++) {
        s->classes[i] = i % 3;
        s->weights[i] = i == 0 ? 0.0 : unit * (double)ald_random_below(&random, 4);
        const double far = s->weights[i] > 0.0 ? 1.0 : 1000.0;
        for (int j = 0; j < d; j++) {
            const double value = (1.0 + j) * ald_random_normal(&random) + (j % 3) + (j == i % 3 ? 3.0 : 0.0);
            s->x[i * d + j] = ald_random_below(&random, 6) ? (double)(float)(far * value) : 0.0;
        }
        for (int k = 0; k < q; k++) {
            const double value =
                s->x[i * d + k] - 0.5 * s->x[i * d + k + 3] + 0.4 * ald_random_normal(&random);
            s->responses[i * q + k] = value + 5.0;
            s->labels[i * q + k] = value > 0.5 * k;
        }
    }
    return s;
}

static rows *repeated(const rows *s)
{
    rows *to = calloc(1, sizeof *to);
    assert_non_null(to);
    for (int64_t i = 0; i < s->count; i++)
        for (int copy = 0; copy < (int)s->weights[i]; copy++) add_row(to, s, i, 1.0);
    return to;
}

static rows *kept(const rows *s)
{
    rows *to = calloc(1, sizeof *to);
    assert_non_null(to);
    for (int64_t i = 0; i < s->count; i++)
        if (s->weights[i] > 0.0) add_row(to, s, i, s->weights[i]);
    return to;
}

static ald_target target_of(const rows *s, ald_target_kind kind, unsigned can, int weighted)
{
    const int64_t columns = can & ALD_CAN_RESPONSES ? q : 1;
    ald_target y = {.kind = kind, .rows = s->count};
    if (kind == ALD_TARGET_CLASSES) y = ald_target_classes(s->classes, s->count, 3);
    if (kind == ALD_TARGET_REAL)
        y = ald_target_real(ald_matrix_row_major(s->responses, s->count, columns, q));
    if (kind == ALD_TARGET_LABELS) y = ald_target_labels(ald_matrix_row_major(s->labels, s->count, q, q));
    if (weighted) y.weights = s->weights;
    return y;
}

/* What a fit is done with: one case of the grid. */
typedef struct grid_case {
    const ald_method *method;
    ald_target_kind kind;
    const char *scale, *row_scale, *predictor, *more;
    int storage;
} grid_case;

static unsigned capabilities(const grid_case *c)
{
    const int updated = strstr(c->more, "keep_statistics=1") != NULL;
    return updated ? support_streamed_capabilities(c->method) : ald_method_capabilities(c->method);
}

static ald_model *fit(const grid_case *c, const rows *s, int weighted)
{
    ald_context *context = support_context(1, NULL);
    support_matrix x = support_storage(c->storage, s->x, s->count, d);
    const ald_target y = target_of(s, c->kind, capabilities(c), weighted);
    char text[256];
    ald_model *model;
    ald_error error;
    /* every slice of lad needs more rows than there are columns */
    const char *slices = strcmp(ald_method_name(c->method), "lad") == 0 ? " n_slices=2" : "";
    snprintf(text, sizeof text, "n_components=2 scale=%s row_scale=%s predictor=%s %s%s", c->scale,
             c->row_scale, c->predictor, c->more, slices);
    ald_settings *settings = support_settings(context, ald_method_name(c->method), text);
    const ald_status status =
        ald_fit(context, settings, &x.view, y.kind || weighted ? &y : NULL, &model, &error);
    if (status < 0) print_error("%s %s: %s\n", ald_method_name(c->method), text, error.message);
    assert_done(status, error);
    ald_settings_free(settings);
    ald_context_free(context);
    support_storage_free(&x);
    return model;
}

static int64_t size_of(const ald_array *array)
{
    int64_t size = 1;
    for (int k = 0; k < array->dims; k++) size *= array->shape[k];
    return size;
}

/* The rows that knn keeps, and numbers of rows, are as many as there are rows. The intercepts of a logistic
 * predictor of classes are free up to a constant, which the number of steps decides: its answers are
 * compared. */
static int is_not_compared(const grid_case *c, const char *name)
{
    if (strcmp(c->predictor, "logistic") == 0 && strcmp(name, "predictor/intercept") == 0)
        return c->kind == ALD_TARGET_CLASSES;
    return strcmp(name, "statistics/n") == 0 || strcmp(name, "statistics/weight") == 0 ||
           (strcmp(c->predictor, "knn") == 0 && strncmp(name, "predictor/", 10) == 0);
}

/* All arrays, within `tolerance` of their size; 0: to the last bit, and all of them. */
static void assert_same_arrays(const grid_case *c, const ald_model *a, const ald_model *b, double tolerance)
{
    ald_array one, two;
    for (int i = 0; ald_model_array_at(a, i, &one); i++) {
        if (tolerance > 0.0 && is_not_compared(c, one.name)) continue;
        assert_true(ald_model_array(b, one.name, &two));
        const int64_t size = size_of(&one);
        assert_int_equal(size, size_of(&two));
        const double off = support_largest_difference(size, one.data, two.data),
                     norm = support_norm(size, one.data);
        if (!(off <= tolerance * norm))
            print_error("%s: %s of kind %d, scale %s, row scale %s, predictor %s, storage %d, %s\n", one.name,
                        ald_method_name(c->method), c->kind, c->scale, c->row_scale, c->predictor, c->storage,
                        c->more);
        assert_below(off, tolerance * norm);
    }
}

/* New rows are placed alike and, with a predictor that keeps no rows, answered alike. */
static void assert_same_answers(const grid_case *c, const ald_model *a, const ald_model *b)
{
    ald_context *context = support_context(1, NULL);
    ald_error error;
    double *x = support_normals(99, fresh * d);
    double one[fresh * q], two[fresh * q];
    const ald_matrix view = ald_matrix_row_major(x, fresh, d, d);
    if (strcmp(c->predictor, "none") != 0 && strcmp(c->predictor, "knn") != 0) {
        const int64_t columns = support_prediction_shape(a).scores;
        assert_done(ald_predict_scores(context, a, &view, one, &error), error);
        assert_done(ald_predict_scores(context, b, &view, two, &error), error);
        assert_below(support_largest_difference(fresh * columns, one, two),
                     1e-7 * support_norm(fresh * columns, one));
    }
    assert_done(ald_transform(context, a, &view, one, &error), error);
    assert_done(ald_transform(context, b, &view, two, &error), error);
    assert_below(support_largest_difference(fresh * 2, one, two), 1e-7 * support_norm(fresh * 2, one));
    ald_context_free(context);
    free(x);
}

static const struct {
    ald_target_kind kind;
    unsigned capability;
    const char *predictors[8];
} kinds[] = {
    {ALD_TARGET_NONE, ALD_CAN_NO_TARGET, {"none", NULL}},
    {ALD_TARGET_CLASSES,
     ALD_CAN_CLASSES,
     {"linear", "ridge", "one-vs-rest", "centroid", "gaussian", "logistic", "knn", NULL}},
    {ALD_TARGET_REAL, ALD_CAN_REAL, {"linear", "ridge", "knn", NULL}},
    {ALD_TARGET_LABELS, ALD_CAN_LABELS, {"linear", "ridge", "one-vs-rest", "logistic", "knn", NULL}},
};
enum { kind_count = sizeof kinds / sizeof *kinds };

typedef void (*check_fn)(const grid_case *c, void *work);

/* Every scaling with the first predictor, and every predictor with the first scaling. */
static void each_case(const ald_method *method, int k, int storage, const char *more, check_fn check,
                      void *work)
{
    static const char *const scales[] = {"none", "standard", "minmax"};
    static const char *const row_scales[] = {"none", "standard", "unit"};
    for (int a = 0; a < 9; a++) {
        const char *const scale = scales[a / 3], *const row_scale = row_scales[a % 3];
        check(&(grid_case){method, kinds[k].kind, scale, row_scale, kinds[k].predictors[0], more, storage},
              work);
    }
    for (int p = 1; kinds[k].predictors[0][0] != 'n' && kinds[k].predictors[p]; p++)
        check(&(grid_case){method, kinds[k].kind, "none", "none", kinds[k].predictors[p], more, storage},
              work);
}

/* The settings that a method is tried with besides its own: a ridge, which is not relative, and its solvers.
 */
static void each_setting(const ald_method *method, int k, check_fn check, void *work)
{
    const ald_param *param;
    char more[128];
    each_case(method, k, 0, "", check, work);
    each_case(method, k, 5, "", check, work);
    each_case(method, k, 7, "", check, work);
    for (int i = 0; (param = ald_method_param(method, i)) != NULL; i++) {
        if (strcmp(param->name, "ridge") == 0) each_case(method, k, 0, "ridge=3", check, work);
        for (int s = 0; strcmp(param->name, "solver") == 0 && param->choices[s]; s++) {
            const int iterates =
                strcmp(param->choices[s], "two-stage") == 0 || strcmp(param->choices[s], "lanczos") == 0;
            snprintf(more, sizeof more, "solver=%s %s", param->choices[s], iterates ? "tol=1e-13" : "");
            check(&(grid_case){method, kinds[k].kind, "standard", "none", "none", more, 0}, work);
        }
        for (int s = 1; strcmp(param->name, "response_kernel") == 0 && param->choices[s]; s++) {
            const int classes = kinds[k].kind == ALD_TARGET_CLASSES,
                      of_classes = strncmp(param->choices[s], "delta", 5) == 0;
            if (strcmp(param->choices[s], "rbf") == 0 ? classes : of_classes && !classes) continue;
            if (strcmp(param->choices[s], "given") == 0) continue; /* interface/test_given.c */
            snprintf(more, sizeof more, "response_kernel=%s", param->choices[s]);
            check(&(grid_case){method, kinds[k].kind, "none", "none", "none", more, 0}, work);
        }
        for (int s = 0; strcmp(param->name, "expansion") == 0 && param->choices[s]; s++) {
            snprintf(more, sizeof more, "expansion=%s", param->choices[s]);
            check(&(grid_case){method, kinds[k].kind, "none", "none", "none", more, 0}, work);
        }
    }
}

/* Two ways to say the same. */
typedef struct pair {
    const rows *weighted, *other;
    int cases;
} pair;

static void compare_with_repeated(const grid_case *c, void *work)
{
    pair *p = work;
    ald_model *a = fit(c, p->weighted, 1), *b = fit(c, p->other, 0);
    assert_same_arrays(c, a, b, 1e-7);
    assert_same_answers(c, a, b);
    ald_model_free(a);
    ald_model_free(b);
    p->cases++;
}

static void whole_numbers_are_repeated_rows(void **state)
{
    (void)state;
    rows *weighted = make_rows(1.0), *copies = repeated(weighted);
    pair p = {weighted, copies, 0};
    for (int m = 0; m < ald_method_count(); m++) {
        const unsigned can = ald_method_capabilities(ald_method_at(m));
        if (!(can & ALD_CAN_WEIGHTS) || ald_method_param_with(ald_method_at(m), ALD_PARAM_IS_NEIGHBORS))
            continue;
        for (int k = 0; k < kind_count; k++)
            if (can & kinds[k].capability) each_setting(ald_method_at(m), k, compare_with_repeated, &p);
    }
    assert_true(p.cases > 500);
    free(weighted);
    free(copies);
}

/* The same rows in the same storage: the same bytes. A column-major sparse matrix is turned when rows leave
 * it. */
static void compare_with_removed(const grid_case *c, void *work)
{
    pair *p = work;
    const int same = c->storage != 7;
    ald_model *a = fit(c, p->weighted, 1), *b = fit(c, p->other, 1);
    assert_same_arrays(c, a, b, same ? 0.0 : 1e-7);
    assert_string_equal(ald_model_text(a, "alidade.n_samples"), ald_model_text(b, "alidade.n_samples"));
    ald_model_free(a);
    ald_model_free(b);
    p->cases++;
}

static void zero_is_no_row(void **state)
{
    (void)state;
    rows *weighted = make_rows(0.7), *fewer = kept(weighted);
    pair p = {weighted, fewer, 0};
    assert_true(fewer->count < n - 5);
    for (int m = 0; m < ald_method_count(); m++) {
        const unsigned can = ald_method_capabilities(ald_method_at(m));
        if (!(can & ALD_CAN_WEIGHTS)) continue;
        for (int k = 0; k < kind_count; k++)
            if (can & kinds[k].capability && can & ALD_CAN_GRAPH)
                each_case(ald_method_at(m), k, 0, "", compare_with_removed, &p);
            else if (can & kinds[k].capability)
                each_setting(ald_method_at(m), k, compare_with_removed, &p);
    }
    assert_true(p.cases > 500);
    free(weighted);
    free(fewer);
}

/* A graph and distances that are given lose the same rows and columns, whatever their storage. */
static void given_squares_lose_them_too(void **state)
{
    (void)state;
    rows *weighted = make_rows(0.7), *fewer = kept(weighted);
    static double graph[n * n], apart[n * n], some_graph[n * n], some_apart[n * n];
    const int64_t m = fewer->count;
    for (int64_t i = 0, a = 0; i < n; i++) {
        for (int64_t j = 0, b = 0; j < n; j++) {
            graph[i * n + j] = i != j && (i * 7 + j * 3) % 5 < 2 ? 1.0 + (double)(j % 3) : 0.0;
            apart[i * n + j] = fabs(weighted->responses[i * q] - weighted->responses[j * q]);
            if (!(weighted->weights[i] > 0.0 && weighted->weights[j] > 0.0)) continue;
            some_graph[a * m + b] = graph[i * n + j];
            some_apart[a * m + b++] = apart[i * n + j];
        }
        a += weighted->weights[i] > 0.0;
    }
    const ald_matrix x = ald_matrix_row_major(weighted->x, n, d, d),
                     some_x = ald_matrix_row_major(fewer->x, m, d, d);
    const ald_target y = {.rows = n, .weights = weighted->weights},
                     some_y = {.rows = m, .weights = fewer->weights};
    const grid_case c = {ald_method_find("sdpp"), ALD_TARGET_NONE, "none", "none", "none", "", 0};
    for (int storage = 0; storage < support_storage_count; storage++) {
        support_matrix g = support_storage(storage, graph, n, n), t = support_storage(storage, apart, n, n),
                       some_g = support_storage(storage, some_graph, m, m),
                       some_t = support_storage(storage, some_apart, m, m);
        const ald_inputs all = {sizeof all, .x = &x, .y = &y, .graph = &g.view, .target_distances = &t.view};
        const ald_inputs few = {
            sizeof few, .x = &some_x, .y = &some_y, .graph = &some_g.view, .target_distances = &some_t.view,
        };
        ald_model *a = support_fit_inputs("sdpp", "n_components=2", &all, 1),
                  *b = support_fit_inputs("sdpp", "n_components=2", &few, 1);
        assert_same_arrays(&c, a, b, 0.0);
        ald_model_free(a);
        ald_model_free(b);
        support_storage_free(&g);
        support_storage_free(&t);
        support_storage_free(&some_g);
        support_storage_free(&some_t);
    }
    free(weighted);
    free(fewer);
}

/* Rows of weight 0, however far out, added or taken away, change nothing of a model that has statistics, not
 * by a bit once it has been made from them; the number of its rows stays. */
static void updates_do_not_see_them(void **state)
{
    (void)state;
    rows *s = make_rows(0.7);
    double far[4 * d], zeros[4] = {0};
    const ald_matrix wild = ald_matrix_row_major(far, 4, d, d);
    ald_context *context = support_context(1, NULL);
    int cases = 0;
    for (int i = 0; i < 4 * d; i++) far[i] = 1e30 * (1.0 + i % 5);
    for (int m = 0; m < ald_method_count(); m++)
        for (int k = 0; k < kind_count; k++) {
            const unsigned can = ald_method_capabilities(ald_method_at(m));
            if (!(can & ALD_CAN_WEIGHTS && can & ALD_CAN_STREAM && can & kinds[k].capability)) continue;
            const int numbers =
                kinds[k].kind == ALD_TARGET_REAL && ald_method_at(m) == ald_method_find("spca");
            const char *set = numbers ? "keep_statistics=1 response_kernel=linear" : "keep_statistics=1";
            const grid_case c = {ald_method_at(m), kinds[k].kind, "standard", "none", "none", set, 0};
            ald_dataset data = {.x = wild, .target = target_of(s, c.kind, capabilities(&c), 0)};
            ald_model *model = fit(&c, s, 1), *once, *twice;
            ald_error error;
            data.target.rows = data.target.values.rows = 4;
            data.target.weights = zeros;
            assert_done(ald_update(context, model, &data, 0, &once, &error), error);
            assert_done(ald_update(context, once, &data, k % 2, &twice, &error), error);
            assert_same_arrays(&c, model, once, 1e-9);
            assert_same_arrays(&c, once, twice, 0.0);
            assert_string_equal(ald_model_text(model, "alidade.n_samples"),
                                ald_model_text(twice, "alidade.n_samples"));
            ald_model_free(model);
            ald_model_free(once);
            ald_model_free(twice);
            cases++;
        }
    assert_true(cases > 15);
    ald_context_free(context);
    free(s);
}

/* The permutations are of the rows that count. */
static void tests_do_not_see_them(void **state)
{
    (void)state;
    rows *weighted = make_rows(0.7), *fewer = kept(weighted);
    const unsigned can = ald_method_capabilities(ald_method_find("pls"));
    ald_context *context = support_context(1, NULL);
    ald_settings *settings = support_settings(context, "pls", "");
    ald_dimension_row one[3] = {ALD_DIMENSION_ROW_INIT}, two[3] = {ALD_DIMENSION_ROW_INIT};
    ald_dimension_choice choice = ALD_DIMENSION_CHOICE_INIT;
    ald_error error;
    int counts[2];
    const ald_dimension_options options = {
        .size = sizeof options,
        .max_dims = 3,
        .permutations = 39,
        .every = 1,
    };
    const ald_matrix x = ald_matrix_row_major(weighted->x, n, d, d),
                     some_x = ald_matrix_row_major(fewer->x, fewer->count, d, d);
    const ald_target y = target_of(weighted, ALD_TARGET_REAL, can, 1),
                     some_y = target_of(fewer, ALD_TARGET_REAL, can, 1);
    assert_done(ald_dimension(context, settings, &x, &y, &options, one, 3, &counts[0], &choice, &error),
                error);
    assert_done(
        ald_dimension(context, settings, &some_x, &some_y, &options, two, 3, &counts[1], &choice, &error),
        error);
    assert_int_equal(counts[0], counts[1]);
    for (int k = 0; k < counts[0]; k++) {
        assert_true(one[k].statistic == two[k].statistic && one[k].permutation_p == two[k].permutation_p);
        assert_true(one[k].x_share == two[k].x_share && one[k].y_share == two[k].y_share);
    }
    ald_settings_free(settings);
    ald_context_free(context);
    free(weighted);
    free(fewer);
}

/* Whole-number weights are repeated rows, so their common factor matters as the number of rows does: where a
 * ridge is added, and where two copies of a row are a pair. */
static void what_is_refused_and_what_scale_means(void **state)
{
    (void)state;
    rows *s = make_rows(1.0);
    const ald_matrix x = ald_matrix_row_major(s->x, n, d, d);
    ald_target y = target_of(s, ALD_TARGET_LABELS, 0, 1);
    for (int i = 0; i < n; i++) s->weights[i] /= 1000.0;
    support_refused("hsl", "n_components=2", &x, &y, "no label weighs more than 1");
    ald_model_free(support_fit("hsl", "n_components=2 expansion=star", &x, &y));
    y = target_of(s, ALD_TARGET_REAL, ALD_CAN_RESPONSES, 1);
    for (int i = 0; i < n; i++) s->weights[i] = i == 3;
    y.kind = ALD_TARGET_NONE;
    support_refused("pca", "n_components=1", &x, &y, "1 row has a weight above 0");
    y.kind = ALD_TARGET_REAL;
    for (int i = 0; i < n; i++) s->weights[i] = i > 3;
    s->x[0] = NAN; /* a row of weight 0 is not used, but it is read */
    support_refused("pls", "n_components=1", &x, &y, "row 1, column 1 is not a finite number");
    s->x[0] = 0.0;
    unsigned char labelled[n];
    for (int i = 0; i < n; i++) labelled[i] = i > 2;
    y.labelled = labelled; /* without a target, and without weight: nobody misses it */
    ald_model_free(support_fit("pls", "n_components=1", &x, &y));
    s->weights[1] = 1.0;
    support_refused("pls", "n_components=1", &x, &y, "1 of 45 rows has no target");
    free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_numbers_are_repeated_rows),
        cmocka_unit_test(zero_is_no_row),
        cmocka_unit_test(given_squares_lose_them_too),
        cmocka_unit_test(updates_do_not_see_them),
        cmocka_unit_test(tests_do_not_see_them),
        cmocka_unit_test(what_is_refused_and_what_scale_means),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
