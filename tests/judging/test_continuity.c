/* Continuity and trustworthiness: against the definition written out by plain loops, worked by hand, at their
 * limits, with ties, and the same to the last bit for any number of threads. */
#include "continuity_fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
static double by_definition(int64_t n, int64_t k, distance_fn near, const void *near_space,
                            distance_fn ranked, const void *ranked_space)
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
        assert_close(f->points[i].trustworthiness,
                     by_definition(n, i + 1, distance, space, euclidean, &projected), 1e-13);
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
    double *noise = support_normals(9, 2 * n);
    double z[n], y[n];
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
    double *z = support_normals(4, n), *noise = support_normals(5, n * q),
           *labels = malloc(sizeof(double) * n * q);
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
    const ald_target dense = {
        .kind = ALD_TARGET_LABELS,
        .rows = n,
        .values = ald_matrix_row_major(labels, n, q, q),
    };
    const ald_target sparse = {
        .kind = ALD_TARGET_LABELS,
        .rows = n,
        .values = ald_matrix_csr(n, q, pointers, indices, ones),
    };
    check_all(f, z, 1, &dense, euclidean, &space);
    check_all(f, z, 1, &sparse, euclidean, &space);
    free(z);
    free(noise);
    free(labels);
}

/* z = 0 1 3 7, y = 0 7 1 3. Nearest in z: 1 0 1 2; their places in y: 3 3 3 1, so the sum for k = 1 is 6 and
 * C is 1/8. Nearest in y: 2 3 0 2, places in z 2 3 2 1: 4. For k = 2 every row holds its farthest: 4 times 1,
 * C = 1/4. */
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

/* A line drawn as it is, larger or smaller, upside down: all neighbourhoods are kept. Units whose squares
 * overflow or vanish change nothing. */
static void what_is_kept_gives_one(void **state)
{
    fixture *f = *state;
    enum { n = 300 };
    const double scales[] = {1.0, -3.5, 1e200, 1e-200};
    double *y = support_normals(6, 2 * n);
    double z[2 * n];
    const ald_target target = ald_target_real(ald_matrix_row_major(y, n, 2, 2));
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < 2 * n; i++)
            z[i] = ldexp(y[i] * (scales[s] < 0 ? -1 : 1), (int)(log2(fabs(scales[s]))));
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
        const ald_continuity_options options = {
            .size = sizeof options,
            .max_rows = 300,
            .seed = seed == 4 ? 1 : seed,
        };
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
    double *z = support_normals(1, 2 * n), *y = support_normals(2, n);
    double less_z[2 * kept], less_y[kept];
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
    refused(f, z, &target,
            &(ald_continuity_options){.size = sizeof(ald_continuity_options), .k = large, .count = 2},
            "with 4 rows the sizes are 1 to 2");
    refused(f, z, &target,
            &(ald_continuity_options){.size = sizeof(ald_continuity_options), .k = falling, .count = 2},
            "must increase, but 1 comes after 2");
    refused(f, z, &target,
            &(ald_continuity_options){.size = sizeof(ald_continuity_options), .k = none, .count = 1},
            "neighbourhoods of 0 rows");
    refused(f, bad, &target, NULL, "row 3, component 1 is not finite");
    refused(f, z, &no_target, NULL, "no target");
    refused(f, z, &few, NULL, "three or more rows");
    refused(f, z, &broken, NULL, "row 3");
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
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
