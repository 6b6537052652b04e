/* Continuity and trustworthiness: against the definition written out by plain loops, worked by hand, at their limits,
 * with ties, and the same to the last bit for any number of threads. And the choice of n_neighbors by them. */
#include "support/fitting.h"
#include "support/support.h"

#include "preparing/dataset.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most = 64 };

/* Of one space: the distance of two rows. */
typedef double (*distance_fn)(const void *space, int64_t i, int64_t j);

typedef struct points {
    const double *values;
    int64_t q;
} points;

static double euclidean(const void *space, int64_t i, int64_t j)
{
    const points *p = space;
    double sum = 0.0;
    for (int64_t k = 0; k < p->q; k++) {
        const double difference = p->values[i * p->q + k] - p->values[j * p->q + k];
        sum += difference * difference;
    }
    return sqrt(sum);
}

static double another(const void *space, int64_t i, int64_t j)
{
    const int32_t *classes = space;
    return classes[i] != classes[j];
}

/* 1 .. n - 1: one more than the points that are nearer, or as near with a lower index. */
static int64_t rank_of(distance_fn distance, const void *space, int64_t n, int64_t i, int64_t j)
{
    const double own = distance(space, i, j);
    int64_t rank = 1;
    for (int64_t l = 0; l < n; l++) {
        if (l == i || l == j) continue;
        const double other = distance(space, i, l);
        rank += other < own || (!(other > own) && l < j);
    }
    return rank;
}

/* 1 - C(k) sum_i sum_{j in V(i)} (rank(i, j) - k), as printed. */
static double by_definition(int64_t n, int64_t k, distance_fn near, const void *near_space, distance_fn ranked,
                            const void *ranked_space)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            if (j == i || rank_of(near, near_space, n, i, j) > k) continue;
            const int64_t rank = rank_of(ranked, ranked_space, n, i, j);
            if (rank > k) sum += (double)(rank - k);
        }
    const double size = (double)n, near_size = (double)k;
    const double c = near_size < 0.5 * size ? 2.0 / (size * near_size * (2.0 * size - 3.0 * near_size - 1.0))
                                            : 2.0 / (size * (size - near_size) * (size - near_size - 1.0));
    return 1.0 - c * sum;
}

typedef struct fixture {
    ald_context *context;
    ald_error error;
    ald_continuity_point points[most];
    ald_continuity_summary summary;
} fixture;

static int set_up(void **state)
{
    static fixture f;
    memset(&f, 0, sizeof f);
    f.points[0].size = sizeof f.points[0];
    f.summary.size = sizeof f.summary;
    f.context = support_context(2, NULL);
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    ald_context_free(((fixture *)*state)->context);
    return 0;
}

static void measure(fixture *f, const double *z, int64_t r, const ald_target *y, const ald_continuity_options *options)
{
    assert_done(ald_continuity(f->context, z, r, y, options, f->points, most, &f->summary, &f->error), f->error);
}

/* Every k from 1 to n - 2 at once. */
static void check_all(fixture *f, const double *z, int64_t r, const ald_target *y, distance_fn distance,
                      const void *space)
{
    const int64_t n = y->rows;
    const points projected = {z, r};
    int64_t k[most];
    double mean = 0.0;
    for (int64_t i = 0; i < n - 2; i++) k[i] = i + 1;
    const ald_continuity_options options = {.size = sizeof options, .k = k, .count = (int)n - 2};
    measure(f, z, r, y, &options);
    assert_int_equal(f->summary.count, n - 2);
    for (int64_t i = 0; i < n - 2; i++) {
        assert_int_equal(f->points[i].k, i + 1);
        const double continuity = by_definition(n, i + 1, euclidean, &projected, distance, space);
        assert_close(f->points[i].continuity, continuity, 1e-13);
        assert_close(f->points[i].trustworthiness, by_definition(n, i + 1, distance, space, euclidean, &projected),
                     1e-13);
        mean += continuity / (double)(n - 2);
    }
    assert_close(f->summary.mean, mean, 1e-13);
    assert_int_equal(f->summary.rows, n);
    assert_int_equal(f->summary.sampled, n);
}

static void reals_follow_the_definition(void **state)
{
    fixture *f = *state;
    for (int64_t n = 3; n <= 42; n += 13)
        for (int64_t r = 1; r <= 3; r++) {
            double *z = support_normals(7, n * r), *y = support_normals(8, n * r);
            const ald_target target = ald_target_real(ald_matrix_row_major(y, n, r, r));
            const points space = {y, r};
            check_all(f, z, r, &target, euclidean, &space);
            free(z);
            free(y);
        }
}

/* Whole numbers from 0 to 3: most distances are equal to others. */
static void ties_go_to_the_lower_index(void **state)
{
    fixture *f = *state;
    enum { n = 40 };
    double *noise = support_normals(9, 2 * n), z[n], y[n];
    for (int i = 0; i < n; i++) {
        z[i] = floor(fmod(fabs(noise[i]) * 10.0, 4.0));
        y[i] = floor(fmod(fabs(noise[n + i]) * 10.0, 4.0));
    }
    const ald_target target = ald_target_real(ald_matrix_row_major(y, n, 1, 1));
    const points space = {y, 1};
    check_all(f, z, 1, &target, euclidean, &space);
    free(noise);
}

static void classes_follow_the_definition(void **state)
{
    fixture *f = *state;
    enum { n = 37 };
    double *z = support_normals(3, 2 * n);
    int32_t classes[n];
    for (int i = 0; i < n; i++) classes[i] = i * i % 5 % 3;
    const ald_target target = ald_target_classes(classes, n, 3);
    check_all(f, z, 2, &target, another, classes);
    free(z);
}

/* 70 labels take two words; dense and sparse give the same. */
static void labels_follow_the_definition(void **state)
{
    fixture *f = *state;
    enum { n = 26, q = 70 };
    double *z = support_normals(4, n), *noise = support_normals(5, n * q), *labels = malloc(sizeof(double) * n * q);
    double ones[n * q];
    int64_t pointers[n + 1], indices[n * q], count = 0;
    for (int64_t i = 0; i < n; i++) {
        pointers[i] = count;
        for (int64_t k = 0; k < q; k++) {
            labels[i * q + k] = noise[i * q + k] > 1.0;
            if (noise[i * q + k] <= 1.0) continue;
            indices[count] = k;
            ones[count++] = 1.0;
        }
    }
    pointers[n] = count;
    const points space = {labels, q};
    const ald_target dense = {.kind = ALD_TARGET_LABELS, .rows = n, .values = ald_matrix_row_major(labels, n, q, q)};
    const ald_target sparse = {
        .kind = ALD_TARGET_LABELS, .rows = n, .values = ald_matrix_csr(n, q, pointers, indices, ones)};
    check_all(f, z, 1, &dense, euclidean, &space);
    check_all(f, z, 1, &sparse, euclidean, &space);
    free(z);
    free(noise);
    free(labels);
}

/* z = 0 1 3 7, y = 0 7 1 3. Nearest in z: 1 0 1 2; their places in y: 3 3 3 1, so the sum for k = 1 is 6 and C is 1/8.
 * Nearest in y: 2 3 0 2, places in z 2 3 2 1: 4. For k = 2 every row holds its farthest: 4 times 1, C = 1/4. */
static void four_points_by_hand(void **state)
{
    fixture *f = *state;
    const double z[] = {0, 1, 3, 7}, y[] = {0, 7, 1, 3};
    const int64_t k[] = {1, 2};
    const ald_target target = ald_target_real(ald_matrix_row_major(y, 4, 1, 1));
    const ald_continuity_options options = {.size = sizeof options, .k = k, .count = 2};
    measure(f, z, 1, &target, &options);
    assert_close(f->points[0].continuity, 0.25, 1e-15);
    assert_close(f->points[0].trustworthiness, 0.5, 1e-15);
    assert_close(f->points[1].continuity, 0.0, 1e-15);
    assert_close(f->points[1].trustworthiness, 0.0, 1e-15);
    assert_close(f->summary.mean, 0.125, 1e-15);
}

/* A line drawn as it is, larger or smaller, upside down: all neighbourhoods are kept. Units whose squares overflow or
 * vanish change nothing. */
static void what_is_kept_gives_one(void **state)
{
    fixture *f = *state;
    enum { n = 300 };
    const double scales[] = {1.0, -3.5, 1e200, 1e-200};
    double *y = support_normals(6, 2 * n), z[2 * n];
    const ald_target target = ald_target_real(ald_matrix_row_major(y, n, 2, 2));
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < 2 * n; i++) z[i] = ldexp(y[i] * (scales[s] < 0 ? -1 : 1), (int)(log2(fabs(scales[s]))));
        measure(f, z, 2, &target, NULL);
        assert_int_equal(f->summary.count, 6);
        for (int i = 0; i < 6; i++) {
            assert_int_equal(f->points[i].k, 4 << i);
            assert_close(f->points[i].continuity, 1.0, 0.0);
            assert_close(f->points[i].trustworthiness, 1.0, 0.0);
        }
        assert_close(f->summary.error, 0.0, 0.0);
    }
    free(y);
}

static void any_number_of_threads_gives_the_same(void **state)
{
    fixture *f = *state;
    enum { n = 1500 };
    double *z = support_normals(1, 3 * n), *y = support_normals(2, n);
    const ald_target target = ald_target_real(ald_matrix_row_major(y, n, 1, 1));
    measure(f, z, 3, &target, NULL);
    for (int threads = 1; threads <= 7; threads += 2) {
        ald_context *context = support_context(threads, NULL);
        ald_continuity_point points[most] = {ALD_CONTINUITY_POINT_INIT};
        ald_continuity_summary summary = ALD_CONTINUITY_SUMMARY_INIT;
        ald_error error;
        assert_done(ald_continuity(context, z, 3, &target, NULL, points, most, &summary, &error), error);
        for (int i = 0; i < summary.count; i++) {
            assert_close(points[i].continuity, f->points[i].continuity, 0.0);
            assert_close(points[i].trustworthiness, f->points[i].trustworthiness, 0.0);
        }
        assert_close(summary.mean, f->summary.mean, 0.0);
        assert_close(summary.error, f->summary.error, 0.0);
        ald_context_free(context);
    }
    free(z);
    free(y);
}

/* The sample of rows is within four of its standard errors, and the same for the same seed. */
static void a_sample_of_rows_estimates(void **state)
{
    fixture *f = *state;
    enum { n = 1200 };
    double *z = support_normals(1, n), *noise = support_normals(2, n), *y = malloc(sizeof(double) * n);
    for (int i = 0; i < n; i++) y[i] = z[i] + 0.3 * noise[i];
    const ald_target target = ald_target_real(ald_matrix_row_major(y, n, 1, 1));
    measure(f, z, 1, &target, NULL);
    const double exact = f->summary.mean;
    double first = 0.0;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        const ald_continuity_options options = {.size = sizeof options, .max_rows = 300, .seed = seed == 4 ? 1 : seed};
        measure(f, z, 1, &target, &options);
        assert_int_equal(f->summary.rows, n);
        assert_int_equal(f->summary.sampled, 300);
        assert_true(f->summary.error > 0.0);
        assert_below(fabs(f->summary.mean - exact), 4.0 * f->summary.error);
        if (seed == 1) first = f->summary.mean;
        if (seed == 2) assert_true(fabs(f->summary.mean - first) > 0.0);
        if (seed == 4) assert_close(f->summary.mean, first, 0.0);
    }
    free(z);
    free(noise);
    free(y);
}

static void rows_without_a_target_are_left_out(void **state)
{
    fixture *f = *state;
    enum { n = 60, kept = 45 };
    double *z = support_normals(1, 2 * n), *y = support_normals(2, n), less_z[2 * kept], less_y[kept];
    unsigned char labelled[n];
    int at = 0;
    for (int i = 0; i < n; i++) {
        labelled[i] = i % 4 != 1;
        if (!labelled[i]) y[i] = NAN;
        if (!labelled[i]) continue;
        memcpy(less_z + 2 * at, z + 2 * i, 2 * sizeof *z);
        less_y[at++] = y[i];
    }
    ald_target target = ald_target_real(ald_matrix_row_major(y, n, 1, 1));
    const ald_target less = ald_target_real(ald_matrix_row_major(less_y, kept, 1, 1));
    target.labelled = labelled;
    measure(f, less_z, 2, &less, NULL);
    const double expected = f->points[1].continuity;
    measure(f, z, 2, &target, NULL);
    assert_int_equal(f->summary.rows, kept);
    assert_close(f->points[1].continuity, expected, 0.0);
    free(z);
    free(y);
}

static void refused(fixture *f, const double *z, const ald_target *y, const ald_continuity_options *options,
                    const char *part)
{
    assert_true(ald_continuity(f->context, z, 1, y, options, f->points, most, &f->summary, &f->error) < 0);
    if (!strstr(f->error.message, part)) fail_msg("'%s' does not hold '%s'", f->error.message, part);
    assert_int_equal(f->summary.count, 0);
}

static void what_makes_no_sense_is_refused(void **state)
{
    fixture *f = *state;
    const double z[] = {0, 1, 3, 7}, bad[] = {0, 1, NAN, 7}, y[] = {0, 7, 1, 3};
    const int64_t large[] = {1, 3}, falling[] = {2, 1}, none[] = {0};
    const ald_target target = ald_target_real(ald_matrix_row_major(y, 4, 1, 1)), no_target = {.rows = 4};
    const ald_target few = ald_target_real(ald_matrix_row_major(y, 2, 1, 1));
    const ald_target broken = ald_target_real(ald_matrix_row_major(bad, 4, 1, 1));
    refused(f, z, &target, &(ald_continuity_options){.size = sizeof(ald_continuity_options), .k = large, .count = 2},
            "with 4 rows they are 1 to 2");
    refused(f, z, &target, &(ald_continuity_options){.size = sizeof(ald_continuity_options), .k = falling, .count = 2},
            "must rise, but 1 comes after 2");
    refused(f, z, &target, &(ald_continuity_options){.size = sizeof(ald_continuity_options), .k = none, .count = 1},
            "neighbourhoods of 0 rows");
    refused(f, bad, &target, NULL, "row 3, component 1 is not finite");
    refused(f, z, &no_target, NULL, "no target");
    refused(f, z, &few, NULL, "three or more rows");
    refused(f, z, &broken, NULL, "row 3");
}

/* y is a function of the first two of five columns. */
typedef struct choice {
    ald_dataset data;
    double *x, *y;
    ald_settings *settings;
    ald_trial trials[8];
    ald_model *model;
} choice;

static choice choice_make(fixture *f, int64_t n, const char *set)
{
    choice c = {.x = support_normals(11, n * 5), .y = malloc((size_t)n * sizeof(double))};
    for (int64_t i = 0; i < n; i++) c.y[i] = sin(c.x[5 * i]) * cos(c.x[5 * i + 1]);
    c.data.x = ald_matrix_row_major(c.x, n, 5, 5);
    c.data.target = ald_target_real(ald_matrix_row_major(c.y, n, 1, 1));
    c.trials[0].size = sizeof c.trials[0];
    c.settings = support_settings(f->context, "sdpp", set);
    return c;
}

static void choice_free(choice *c)
{
    ald_model_free(c->model);
    ald_settings_free(c->settings);
    free(c->x);
    free(c->y);
}

static double standing_clock(void)
{
    return 1.0;
}

static const int64_t tried[] = {3, 6, 12, 24, 500};

static void choose(ald_context *context, choice *c, const ald_choice_options *options)
{
    ald_error error;
    assert_done(ald_choose_neighbors(context, c->settings, &c->data, options, c->trials, &c->model, &error), error);
}

static double continuity_of(fixture *f, const choice *c, const ald_model *model)
{
    double *z = malloc((size_t)(c->data.x.rows * ald_model_component_count(model)) * sizeof *z);
    assert_done(ald_transform(f->context, model, &c->data.x, z, &f->error), f->error);
    measure(f, z, ald_model_component_count(model), &c->data.target, NULL);
    free(z);
    return f->summary.mean;
}

/* Each trial is what a fit by itself gives, the best of them is kept, and 500 neighbours of 160 rows are told. */
static void the_largest_mean_is_chosen(void **state)
{
    fixture *f = *state;
    choice c = choice_make(f, 160, "n_components=2");
    const ald_choice_options options = {
        .size = sizeof options, .n_neighbors = tried, .count = 5, .clock = standing_clock};
    ald_context *single = support_context(1, NULL);
    int best = 0, chosen = -1;
    choose(f->context, &c, &options);
    for (int i = 0; i < 4; i++) {
        ald_model *alone = NULL;
        assert_done(ald_settings_set_int(c.settings, "n_neighbors", tried[i], &f->error), f->error);
        assert_done(ald_fit_dataset(single, c.settings, &c.data, &alone, &f->error), f->error);
        assert_close(c.trials[i].continuity, continuity_of(f, &c, alone), 1e-12);
        assert_close(c.trials[i].objective, strtod(ald_model_text(alone, "alidade.resolved.objective"), NULL), 0.0);
        assert_close(c.trials[i].seconds, 0.0, 0.0);
        if (c.trials[i].continuity > c.trials[best].continuity) best = i;
        if (c.trials[i].chosen) chosen = i;
        ald_model_free(alone);
    }
    assert_int_equal(chosen, best);
    assert_close(c.trials[best].behind, 0.0, 0.0);
    assert_true(c.trials[best].as_good);
    for (int i = 0; i < 4; i++) {
        assert_close(c.trials[i].behind, c.trials[best].continuity - c.trials[i].continuity, 1e-12);
        assert_int_equal(c.trials[i].as_good, c.trials[i].behind <= 2.0 * c.trials[i].behind_error);
    }
    assert_true(c.trials[4].status < 0 && isnan(c.trials[4].continuity) && !c.trials[4].as_good);
    assert_non_null(strstr(c.trials[4].note, "500"));
    assert_close(continuity_of(f, &c, c.model), c.trials[best].continuity, 1e-12);
    char expected[64];
    snprintf(expected, sizeof expected, "%lld has the largest mean continuity", (long long)tried[best]);
    assert_non_null(strstr(ald_model_text(c.model, "alidade.resolved.n_neighbors_choice"), expected));
    assert_int_equal(strtol(ald_model_text(c.model, "alidade.param.n_neighbors"), NULL, 10), tried[best]);
    ald_array kept;
    assert_true(ald_model_array(c.model, "choice/n_neighbors", &kept));
    assert_memory_equal(kept.data, tried, sizeof tried);
    choice_free(&c);
    ald_context_free(single);
}

static void the_choice_does_not_depend_on_threads(void **state)
{
    fixture *f = *state;
    choice first = choice_make(f, 120, "n_components=2");
    const ald_choice_options options = {.size = sizeof options, .n_neighbors = tried, .count = 5};
    choose(f->context, &first, &options);
    for (int threads = 1; threads <= 6; threads += 5) {
        ald_context *context = support_context(threads, NULL);
        choice c = choice_make(f, 120, "n_components=2");
        choose(context, &c, &options);
        for (int i = 0; i < 4; i++) {
            assert_close(c.trials[i].continuity, first.trials[i].continuity, 0.0);
            assert_close(c.trials[i].behind_error, first.trials[i].behind_error, 0.0);
            assert_int_equal(c.trials[i].chosen, first.trials[i].chosen);
            assert_true(isnan(c.trials[i].seconds));
        }
        support_assert_same_model(c.model, first.model, 0.0);
        choice_free(&c);
        ald_context_free(context);
    }
    choice_free(&first);
}

static void choose_refused(ald_context *context, choice *c, const ald_choice_options *options, ald_status status,
                           const char *part)
{
    ald_error error;
    assert_int_equal(ald_choose_neighbors(context, c->settings, &c->data, options, c->trials, &c->model, &error),
                     status);
    assert_null(c->model);
    if (!strstr(error.message, part)) fail_msg("'%s' does not hold '%s'", error.message, part);
}

static int stop_at_once(void *user, const char *stage, double done)
{
    (void)done;
    *(int *)user += strcmp(stage, "choosing n_neighbors") == 0;
    return 1;
}

static void a_choice_that_cannot_be_made_is_refused(void **state)
{
    fixture *f = *state;
    choice c = choice_make(f, 40, "n_components=2"), no_target = choice_make(f, 40, "n_components=2");
    choice pls = choice_make(f, 40, "n_components=2");
    const int64_t zero[] = {0};
    int asked = 0;
    ald_context *stopping = NULL;
    const ald_options options = {
        .size = sizeof options, .threads = 2, .progress = stop_at_once, .progress_user = &asked};
    assert_done(ald_context_new(&options, &stopping, &f->error), f->error);
    ald_settings_free(pls.settings);
    pls.settings = support_settings(f->context, "pls", "n_components=2");
    no_target.data.target = (ald_target){.rows = 40};
    choose_refused(f->context, &c, &(ald_choice_options){.size = sizeof(ald_choice_options), .count = 0},
                   ALD_ERROR_ARGUMENT, "no number of neighbours");
    choose_refused(f->context, &c,
                   &(ald_choice_options){.size = sizeof(ald_choice_options), .n_neighbors = zero, .count = 1},
                   ALD_ERROR_ARGUMENT, "1 or more, not 0");
    choose_refused(f->context, &c,
                   &(ald_choice_options){.size = sizeof(ald_choice_options), .n_neighbors = tried + 4, .count = 1},
                   ALD_ERROR_ARGUMENT, "500");
    choose_refused(f->context, &pls,
                   &(ald_choice_options){.size = sizeof(ald_choice_options), .n_neighbors = tried, .count = 5},
                   ALD_ERROR_ARGUMENT, "pls has no parameter `n_neighbors`");
    choose_refused(f->context, &no_target,
                   &(ald_choice_options){.size = sizeof(ald_choice_options), .n_neighbors = tried, .count = 5},
                   ALD_ERROR_DATA, "needs a target");
    choose_refused(stopping, &c,
                   &(ald_choice_options){.size = sizeof(ald_choice_options), .n_neighbors = tried, .count = 5},
                   ALD_ERROR_CANCELLED, "cancelled while choosing");
    assert_true(asked > 0);
    choice_free(&c);
    choice_free(&no_target);
    choice_free(&pls);
    ald_context_free(stopping);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reals_follow_the_definition),
        cmocka_unit_test(ties_go_to_the_lower_index),
        cmocka_unit_test(classes_follow_the_definition),
        cmocka_unit_test(labels_follow_the_definition),
        cmocka_unit_test(four_points_by_hand),
        cmocka_unit_test(what_is_kept_gives_one),
        cmocka_unit_test(any_number_of_threads_gives_the_same),
        cmocka_unit_test(a_sample_of_rows_estimates),
        cmocka_unit_test(rows_without_a_target_are_left_out),
        cmocka_unit_test(what_makes_no_sense_is_refused),
        cmocka_unit_test(the_largest_mean_is_chosen),
        cmocka_unit_test(the_choice_does_not_depend_on_threads),
        cmocka_unit_test(a_choice_that_cannot_be_made_is_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
