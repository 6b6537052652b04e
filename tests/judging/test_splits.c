/* Splits: training and test never share a row, groups and equal rows stay together, classes keep their
 * proportions; and what cannot be split is said. */
#include "support/support.h"

#include <alidade/compare.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { n = 97, cols = 3, n_classes = 4 };

typedef struct sample {
    double x[n * cols], y[n];
    int32_t classes[n];
    int64_t groups[n], parts[n];
    unsigned char labelled[n];
} sample;

/* Rows 5k and 5k + 1 are equal in everything; groups are of sizes 1 to 6 with scattered numbers. */
static void make_sample(sample *s, uint64_t seed)
{
    ald_random random;
    ald_random_seed(&random, seed, 0);
    for (int i = 0; i < n; i++) {
        const int twin = i % 5 == 1;
        for (int j = 0; j < cols; j++)
            s->x[i * cols + j] = twin ? s->x[(i - 1) * cols + j] : ald_random_normal(&random);
        s->classes[i] = twin ? s->classes[i - 1] : (int32_t)ald_random_below(&random, n_classes);
        s->y[i] = s->classes[i];
        s->groups[i] = 1000 - 7 * ald_random_below(&random, 30);
        s->parts[i] = ald_random_below(&random, 3);
        s->labelled[i] = ald_random_below(&random, 6) > 0;
    }
}

static ald_splits *split(ald_context *context, const sample *s, const ald_target *y,
                         const ald_splits_options *options)
{
    const ald_matrix x = ald_matrix_row_major(s->x, n, cols, cols);
    ald_splits *splits = NULL;
    ald_error error;
    assert_done(ald_splits_new(context, &x, y, options, &splits, &error), error);
    return splits;
}

/* Marks of a split: 1 training, 2 test; every row has exactly one. */
static void take_marks(const ald_splits *splits, int64_t number, unsigned char *marks)
{
    int64_t train[n], test[n], n_train, n_test;
    ald_splits_rows(splits, number, train, &n_train, test, &n_test);
    memset(marks, 0, n);
    assert_true(n_train > 0 && n_test > 0 && n_train + n_test == n);
    for (int64_t k = 0; k < n_train; k++) marks[train[k]] |= 1;
    for (int64_t k = 0; k < n_test; k++) marks[test[k]] |= 2;
    for (int i = 0; i < n; i++) assert_true(marks[i] == 1 || marks[i] == 2);
    for (int64_t k = 1; k < n_train; k++) assert_true(train[k] > train[k - 1]);
    for (int64_t k = 1; k < n_test; k++) assert_true(test[k] > test[k - 1]);
}

static void check_groups(const sample *s, const unsigned char *marks)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            if (s->groups[i] == s->groups[j]) assert_int_equal(marks[i], marks[j]);
}

static int equal_rows(const sample *s, int i, int j)
{
    return memcmp(s->x + i * cols, s->x + j * cols, cols * sizeof *s->x) == 0 &&
           s->classes[i] == s->classes[j];
}

static void check_twins(const sample *s, const unsigned char *marks)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            if (equal_rows(s, i, j)) assert_int_equal(marks[i], marks[j]);
}

static void check_strata(const sample *s, const unsigned char *marks, double train)
{
    for (int c = 0; c < n_classes; c++) {
        int all = 0, trained = 0;
        for (int i = 0; i < n; i++) {
            all += s->classes[i] == c;
            trained += s->classes[i] == c && marks[i] == 1;
        }
        assert_true(trained - train * all < 1.0 && train * all - trained < 1.0);
    }
}

static void parts_never_share_a_row(void **state)
{
    (void)state;
    ald_context *context = support_context(1, NULL);
    static sample s;
    unsigned char marks[n];
    for (uint64_t seed = 0; seed < 40; seed++) {
        make_sample(&s, seed);
        ald_target y = ald_target_classes(s.classes, n, n_classes);
        const int grouped = seed % 2, twins = seed % 3 == 0, partly = seed % 5 == 0,
                  folds = (int)(seed % 4) * 3;
        if (partly) y.labelled = s.labelled;
        const ald_splits_options options = {
            .size = sizeof(ald_splits_options),
            .splits = 6,
            .train = 0.6,
            .folds = folds == 3 ? 2 : folds,
            .repeats = 2,
            .groups = grouped ? s.groups : NULL,
            .keep_duplicates = twins,
            .seed = seed,
        };
        ald_splits *splits = split(context, &s, &y, &options);
        assert_int_equal(ald_splits_count(splits), options.folds ? 2 * options.folds : 6);
        for (int64_t k = 0; k < ald_splits_count(splits); k++) {
            take_marks(splits, k, marks);
            if (grouped && !partly) check_groups(&s, marks);
            if (twins && !partly) check_twins(&s, marks);
            if (!grouped && !twins && !partly && !folds) check_strata(&s, marks, 0.6);
        }
        if (twins && !partly) assert_int_equal(ald_splits_duplicates(splits), 0);
        ald_splits_free(splits);
    }
    ald_context_free(context);
}

static void rows_without_a_target_only_train(void **state)
{
    (void)state;
    ald_context *context = support_context(1, NULL);
    static sample s;
    unsigned char marks[n];
    make_sample(&s, 3);
    ald_target y = ald_target_classes(s.classes, n, n_classes);
    y.labelled = s.labelled;
    for (int folds = 0; folds < 6; folds += 5) {
        const ald_splits_options options = {.size = sizeof(ald_splits_options), .folds = folds};
        ald_splits *splits = split(context, &s, &y, &options);
        for (int64_t k = 0; k < ald_splits_count(splits); k++) {
            take_marks(splits, k, marks);
            for (int i = 0; i < n; i++)
                if (!s.labelled[i]) assert_int_equal(marks[i], 1);
        }
        ald_splits_free(splits);
    }
    ald_context_free(context);
}

/* Each row is tested on once a repeat, folds differ by one row at the most, those of each class too. */
static void folds_are_even(void **state)
{
    (void)state;
    enum { folds = 7 };
    ald_context *context = support_context(1, NULL);
    static sample s;
    unsigned char marks[n];
    make_sample(&s, 8);
    const ald_target y = ald_target_classes(s.classes, n, n_classes);
    const ald_splits_options options = {
        .size = sizeof(ald_splits_options),
        .folds = folds,
        .repeats = 3,
        .seed = 5,
    };
    ald_splits *splits = split(context, &s, &y, &options);
    int differs = 0;
    int first[n];
    for (int repeat = 0; repeat < 3; repeat++) {
        int tested[n] = {0}, sizes[folds] = {0}, of_class[n_classes][folds] = {{0}};
        for (int f = 0; f < folds; f++) {
            take_marks(splits, repeat * folds + f, marks);
            for (int i = 0; i < n; i++) {
                if (marks[i] != 2) continue;
                tested[i]++;
                sizes[f]++;
                of_class[s.classes[i]][f]++;
                if (repeat == 0) first[i] = f;
                differs |= first[i] != f;
            }
        }
        for (int i = 0; i < n; i++) assert_int_equal(tested[i], 1);
        for (int f = 0; f < folds; f++) {
            assert_true(abs(sizes[f] - sizes[0]) <= 1);
            for (int c = 0; c < n_classes; c++) assert_true(abs(of_class[c][f] - of_class[c][0]) <= 1);
        }
    }
    assert_true(differs);
    ald_splits_free(splits);
    ald_context_free(context);
}

static void seeds_tell(void **state)
{
    (void)state;
    ald_context *context = support_context(1, NULL);
    static sample s;
    unsigned char marks[3][n];
    make_sample(&s, 8);
    for (int k = 0; k < 3; k++) {
        const ald_splits_options options = {
            .size = sizeof(ald_splits_options),
            .splits = 1,
            .seed = (uint64_t)k / 2,
        };
        ald_splits *splits = split(context, &s, NULL, &options);
        take_marks(splits, 0, marks[k]);
        ald_splits_free(splits);
    }
    assert_memory_equal(marks[0], marks[1], n);
    assert_memory_not_equal(marks[0], marks[2], n);
    ald_context_free(context);
}

static void given_parts_are_taken(void **state)
{
    (void)state;
    ald_context *context = support_context(1, NULL);
    static sample s;
    unsigned char marks[n];
    make_sample(&s, 4);
    ald_splits_options options = {.size = sizeof(ald_splits_options), .parts = s.parts, .n_parts = 3};
    ald_splits *splits = split(context, &s, NULL, &options);
    assert_int_equal(ald_splits_count(splits), 3);
    for (int k = 0; k < 3; k++) {
        take_marks(splits, k, marks);
        for (int i = 0; i < n; i++) assert_int_equal(marks[i] == 2, s.parts[i] == k);
    }
    ald_splits_free(splits);
    options.test_part = 2;
    splits = split(context, &s, NULL, &options);
    assert_int_equal(ald_splits_count(splits), 1);
    take_marks(splits, 0, marks);
    for (int i = 0; i < n; i++) assert_int_equal(marks[i] == 2, s.parts[i] == 1);
    ald_splits_free(splits);
    ald_context_free(context);
}

static void duplicates_are_counted(void **state)
{
    (void)state;
    ald_context *context = support_context(1, NULL);
    static sample s;
    unsigned char marks[n];
    make_sample(&s, 11);
    const ald_target y = ald_target_classes(s.classes, n, n_classes);
    const ald_splits_options options = {.size = sizeof(ald_splits_options), .splits = 5};
    ald_splits *splits = split(context, &s, &y, &options);
    int64_t count = 0;
    for (int k = 0; k < 5; k++) {
        take_marks(splits, k, marks);
        for (int i = 0; i < n; i++) {
            int found = 0;
            for (int j = 0; j < n; j++) found |= marks[i] == 2 && marks[j] == 1 && equal_rows(&s, i, j);
            count += found;
        }
    }
    assert_true(count > 0);
    assert_int_equal(ald_splits_duplicates(splits), count);
    ald_splits_free(splits);
    ald_context_free(context);
}

/* The same rows dense, in columns and sparse are split and compared alike. */
static void storage_does_not_matter(void **state)
{
    (void)state;
    ald_context *context = support_context(1, NULL);
    static sample s;
    make_sample(&s, 2);
    int64_t pointers[n + 1], indices[n * cols];
    double by_columns[n * cols];
    for (int i = 0; i <= n; i++) pointers[i] = i * cols;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < cols; j++) {
            indices[i * cols + j] = j;
            by_columns[j * n + i] = s.x[i * cols + j];
        }
    const ald_matrix views[] = {
        ald_matrix_row_major(s.x, n, cols, cols),
        ald_matrix_column_major(by_columns, n, cols, n),
        ald_matrix_csr(n, cols, pointers, indices, s.x),
    };
    const ald_splits_options options = {
        .size = sizeof(ald_splits_options),
        .splits = 4,
        .keep_duplicates = 1,
    };
    unsigned char marks[2][n];
    for (int v = 0; v < 3; v++) {
        ald_splits *splits = NULL;
        ald_error error;
        assert_done(ald_splits_new(context, &views[v], NULL, &options, &splits, &error), error);
        take_marks(splits, 3, marks[v > 0]);
        if (v > 0) assert_memory_equal(marks[0], marks[1], n);
        ald_splits_free(splits);
    }
    ald_context_free(context);
}

static void refuse(ald_context *context, const sample *s, const ald_target *y,
                   const ald_splits_options *options, const char *part)
{
    const ald_matrix x = ald_matrix_row_major(s->x, n, cols, cols);
    ald_splits *splits = NULL;
    ald_error error;
    assert_true(ald_splits_new(context, &x, y, options, &splits, &error) < 0);
    assert_null(splits);
    if (!strstr(error.message, part)) print_error("%s\n", error.message);
    assert_non_null(strstr(error.message, part));
}

static void what_cannot_be_split_is_said(void **state)
{
    (void)state;
    ald_context *context = support_context(1, NULL);
    static sample s;
    int64_t one_group[n] = {0}, two_groups[n] = {0};
    make_sample(&s, 1);
    two_groups[0] = 1;
    const ald_target classes = ald_target_classes(s.classes, n, n_classes),
                     real = ald_target_real(ald_matrix_row_major(s.y, n, 1, 1));
    ald_target nothing = classes;
    unsigned char none[n] = {0};
    nothing.labelled = none;
    refuse(context, &s, &classes, &(ald_splits_options){.size = sizeof(ald_splits_options), .folds = n + 1},
           "there are only 97 rows");
    refuse(context, &s, &classes, &(ald_splits_options){.size = sizeof(ald_splits_options), .folds = 1},
           "2 folds or more");
    refuse(context, &s, &classes,
           &(ald_splits_options){.size = sizeof(ald_splits_options), .folds = 3, .groups = two_groups},
           "only 2 groups");
    refuse(context, &s, &classes,
           &(ald_splits_options){.size = sizeof(ald_splits_options), .groups = one_group},
           "there is 1 group of rows");
    refuse(context, &s, &classes, &(ald_splits_options){.size = sizeof(ald_splits_options), .train = 0.001},
           "does not divide");
    refuse(context, &s, &classes, &(ald_splits_options){.size = sizeof(ald_splits_options), .train = 1.5},
           "between 0 and 1");
    refuse(context, &s, &real, &(ald_splits_options){.size = sizeof(ald_splits_options), .stratify = 1},
           "not classes");
    refuse(context, &s, &classes,
           &(ald_splits_options){.size = sizeof(ald_splits_options), .stratify = 1, .groups = s.groups},
           "cannot be combined");
    refuse(context, &s, &classes,
           &(ald_splits_options){.size = sizeof(ald_splits_options), .parts = one_group, .n_parts = 1},
           "all rows in one part");
    refuse(context, &s, &classes,
           &(ald_splits_options){.size = sizeof(ald_splits_options), .parts = one_group, .n_parts = 2},
           "without a row");
    refuse(context, &s, &classes,
           &(ald_splits_options){.size = sizeof(ald_splits_options), .parts = s.parts, .n_parts = 2},
           "outside 0 .. 1");
    refuse(context, &s, &nothing, &(ald_splits_options){.size = sizeof(ald_splits_options), .folds = 2},
           "no row has a target");
    ald_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_never_share_a_row), cmocka_unit_test(rows_without_a_target_only_train),
        cmocka_unit_test(folds_are_even),          cmocka_unit_test(seeds_tell),
        cmocka_unit_test(given_parts_are_taken),   cmocka_unit_test(duplicates_are_counted),
        cmocka_unit_test(storage_does_not_matter), cmocka_unit_test(what_cannot_be_split_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
