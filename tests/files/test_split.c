/* Splitting: the parts are disjoint and complete, classes keep their proportions, groups stay whole, seeds
 * repeat. */
#include "data/writing/convert.h"
#include "support/reading.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { rows = 300, cols = 3 };
static const ald_load_options by_class = {.size = sizeof by_class, .target = "2"},
                              by_name = {.size = sizeof by_name, .target = "name"};
static const char source_path[] = "test_split_source.csv", train_path[] = "test_split_train.csv",
                  test_path[] = "test_split_test.csv";

static int class_of(int row)
{
    static const int of[10] = {0, 0, 0, 0, 0, 0, 1, 1, 1, 2};
    return of[row % 10];
}

/* Column 0: the row; 1: a class (60 %, 30 %, 10 %) of which the last is missing; 2: a group of 1 to 9 rows.
 */
static void make_table(reading *r)
{
    static double cells[rows * cols];
    for (int i = 0; i < rows; i++) {
        cells[i * cols] = i;
        cells[i * cols + 1] = class_of(i) < 2 ? ald_cell_text(class_of(i)) : ald_cell_missing();
        cells[i * cols + 2] = floor(sqrt(i));
    }
    reading_begin(r);
    r->table.arena = &r->arena;
    r->table.source = "memory";
    r->table.rows = rows;
    r->table.cols = cols;
    r->table.cells = cells;
}

static int64_t split_rows(reading *r, const ald_split_file_options *options, unsigned char *in_train)
{
    const ald_load_options none = ALD_LOAD_OPTIONS_INIT;
    ald_split_file_options whole = *options;
    int64_t n_train = -1, count = 0;
    if (!whole.load) whole.load = &none;
    if (ald_split_rows(&r->run, &r->table, &whole, in_train, &n_train) < 0) fail_msg("%s", r->error.message);
    for (int64_t i = 0; i < r->table.rows; i++) {
        assert_true(in_train[i] == 0 || in_train[i] == 1);
        count += in_train[i];
    }
    assert_int_equal(count, n_train);
    assert_true(n_train > 0 && n_train < r->table.rows);
    return n_train;
}

static void takes_the_part_asked_for(void **state)
{
    (void)state;
    static const double parts[] = {0.5, 0.667, 0.9, 0.002, 0.998};
    reading r;
    make_table(&r);
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        for (int stratify = 0; stratify < 2; stratify++) {
            const ald_split_file_options options = {
                .size = sizeof options,
                .train = parts[k],
                .stratify = stratify,
                .load = &by_class,
            };
            unsigned char in_train[rows];
            assert_int_equal(split_rows(&r, &options, in_train), llround(parts[k] * rows));
        }
    reading_end(&r);
}

static void the_seed_decides(void **state)
{
    (void)state;
    reading r;
    make_table(&r);
    unsigned char first[rows], again[rows], other[rows];
    for (int kind = 0; kind < 3; kind++) {
        ald_split_file_options options = {
            .size = sizeof options,
            .train = 0.5,
            .seed = 11,
            .stratify = kind == 1,
            .load = &by_class,
        };
        if (kind == 2) options.groups = "3";
        split_rows(&r, &options, first);
        split_rows(&r, &options, again);
        options.seed = 12;
        split_rows(&r, &options, other);
        assert_memory_equal(first, again, rows);
        assert_true(memcmp(first, other, rows) != 0);
    }
    reading_end(&r);
}

/* Each row lands in the training part about as often as asked for. */
static void every_row_has_its_chance(void **state)
{
    (void)state;
    enum { seeds = 400 };
    reading r;
    make_table(&r);
    for (int stratify = 0; stratify < 2; stratify++) {
        int count[rows] = {0};
        for (uint64_t seed = 0; seed < seeds; seed++) {
            const ald_split_file_options options = {
                .size = sizeof options,
                .train = 0.7,
                .seed = seed,
                .stratify = stratify,
                .load = &by_class,
            };
            unsigned char in_train[rows];
            split_rows(&r, &options, in_train);
            for (int i = 0; i < rows; i++) count[i] += in_train[i];
        }
        const double six_deviations = 6.0 * sqrt(seeds * 0.7 * 0.3);
        for (int i = 0; i < rows; i++) assert_true(fabs(count[i] - 0.7 * seeds) < six_deviations);
    }
    reading_end(&r);
}

static void classes_keep_their_proportions(void **state)
{
    (void)state;
    reading r;
    make_table(&r);
    for (uint64_t seed = 0; seed < 20; seed++) {
        const ald_split_file_options options = {
            .size = sizeof options,
            .train = 0.667,
            .seed = seed,
            .stratify = 1,
            .load = &by_class,
        };
        unsigned char in_train[rows];
        int count[3] = {0, 0, 0};
        split_rows(&r, &options, in_train);
        for (int i = 0; i < rows; i++) count[class_of(i)] += in_train[i];
        /* 120.06, 60.03 and 20.01 of 200 */
        assert_int_equal(count[0], 120);
        assert_int_equal(count[1], 60);
        assert_int_equal(count[2], 20);
    }
    reading_end(&r);
}

static void groups_stay_whole(void **state)
{
    (void)state;
    reading r;
    make_table(&r);
    for (uint64_t seed = 0; seed < 50; seed++) {
        const ald_split_file_options options = {
            .size = sizeof options,
            .train = 0.5,
            .seed = seed,
            .groups = "3",
        };
        unsigned char in_train[rows];
        const int64_t n_train = split_rows(&r, &options, in_train);
        for (int i = 1; i < rows; i++)
            if (r.table.cells[i * cols + 2] == r.table.cells[(i - 1) * cols + 2])
                assert_int_equal(in_train[i], in_train[i - 1]);
        assert_true(llabs(n_train - rows / 2) <= 33 / 2 + 1); /* half the largest group */
    }
    reading_end(&r);
}

/* Two groups, one of them nearly everything: one goes to each side, whatever the part. */
static void each_side_gets_a_group(void **state)
{
    (void)state;
    double cells[10] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 2};
    reading r;
    make_table(&r);
    r.table.rows = 10;
    r.table.cols = 1;
    r.table.cells = cells;
    for (uint64_t seed = 0; seed < 10; seed++) {
        const ald_split_file_options options = {
            .size = sizeof options,
            .train = 0.01,
            .seed = seed,
            .groups = "1",
        };
        unsigned char in_train[10];
        split_rows(&r, &options, in_train);
        for (int i = 1; i < 9; i++) assert_int_equal(in_train[i], in_train[0]);
        assert_int_equal(in_train[9], !in_train[0]);
    }
    reading_end(&r);
}

static void stratifies_by_labels(void **state)
{
    (void)state;
    reading r;
    reading_begin(&r);
    assert_int_equal(
        reading_text(&r, &ald_svmlight_reader,
                     "1 1:1\n1 1:2\n2,3 1:3\n2,3 1:4\n? 1:5\n? 1:6\n 1:7\n 1:8\n2 1:9\n2 1:10\n"),
        ALD_OK);
    const ald_split_file_options options = {.size = sizeof options, .train = 0.5, .seed = 3, .stratify = 1};
    unsigned char in_train[10];
    assert_int_equal(split_rows(&r, &options, in_train), 5);
    for (int i = 0; i < 10; i += 2) assert_int_equal(in_train[i] + in_train[i + 1], 1);
    reading_end(&r);
}

static void refuses(const ald_split_file_options *options, int64_t n, const char *part)
{
    reading r;
    unsigned char in_train[rows];
    int64_t n_train;
    const ald_load_options none = ALD_LOAD_OPTIONS_INIT;
    ald_split_file_options whole = *options;
    if (!whole.load) whole.load = &none;
    make_table(&r);
    r.table.rows = n;
    assert_true(ald_split_rows(&r.run, &r.table, &whole, in_train, &n_train) < 0);
    if (!strstr(r.error.message, part)) fail_msg("no '%s' in: %s", part, r.error.message);
    reading_end(&r);
}

static void refuses_what_cannot_be(void **state)
{
    (void)state;
    refuses(&(ald_split_file_options){.train = 0.0}, rows, "`train=0`");
    refuses(&(ald_split_file_options){.train = 1.0}, rows, "`train=1`");
    refuses(&(ald_split_file_options){.train = NAN}, rows, "`train=");
    refuses(&(ald_split_file_options){.train = 0.5}, 1,
            "1 row cannot be split with `train=0.5`: the test part");
    refuses(&(ald_split_file_options){.train = 0.001}, rows, "the training part would be empty");
    refuses(&(ald_split_file_options){.train = 0.5, .stratify = 1}, rows, "give `target`");
    refuses(&(ald_split_file_options){.train = 0.5, .stratify = 1, .groups = "3"}, rows,
            "cannot be combined");
    refuses(&(ald_split_file_options){.train = 0.5, .groups = "7"}, rows, "`groups`");
    refuses(&(ald_split_file_options){.train = 0.5, .groups = "3"}, 1, "at least two groups");
    refuses(
        &(ald_split_file_options){
            .train = 0.5,
            .load = &(ald_load_options){.size = sizeof(ald_load_options), .missing = "drop"},
        },
        rows, "missing");
}

static void write_source(void)
{
    FILE *file = fopen(source_path, "w");
    assert_non_null(file);
    fputs("id,name,value\n", file);
    for (int i = 0; i < 40; i++) fprintf(file, "%d,\"n, %d\",%s\n", i, i % 4, i % 7 ? "1.5" : "");
    fclose(file);
}

/* Reads "id,..." lines; the ids must rise. */
static int read_ids(const char *path, int *seen)
{
    char line[100];
    int count = 0, previous = -1, id, class_number;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    assert_string_equal(line, "id,name,value\n");
    while (fgets(line, sizeof line, file)) {
        char rest[20] = "";
        assert_true(sscanf(line, "%d,\"n, %d\",%19s", &id, &class_number, rest) >= 2);
        assert_int_equal(class_number, id % 4);
        assert_string_equal(rest, id % 7 ? "1.5" : "");
        assert_true(id > previous && id < 40);
        previous = id;
        seen[id]++;
        count++;
    }
    fclose(file);
    return count;
}

static void writes_both_files(void **state)
{
    (void)state;
    reading r;
    int64_t train, test;
    int seen[40] = {0};
    const ald_split_file_options options = {
        .size = sizeof options,
        .train = 0.7,
        .seed = 5,
        .stratify = 1,
        .load = &by_name,
    };
    write_source();
    reading_begin(&r);
    ald_error error;
    const ald_status status =
        ald_split_file(&r.context, source_path, &options, train_path, test_path, &train, &test, &error);
    if (status < 0) fail_msg("%s", error.message);
    assert_int_equal(train, 28);
    assert_int_equal(test, 12);
    assert_int_equal(read_ids(train_path, seen), 28);
    assert_int_equal(read_ids(test_path, seen), 12);
    for (int i = 0; i < 40; i++) assert_int_equal(seen[i], 1);
    reading_end(&r);
}

static void writes_both_or_none(void **state)
{
    (void)state;
    reading r;
    int64_t train, test;
    ald_error error;
    const ald_split_file_options options = {.size = sizeof options, .train = 0.7};
    write_source();
    unlink(train_path);
    reading_begin(&r);
    assert_int_equal(ald_split_file(&r.context, source_path, &options, train_path, "no/such/folder.csv",
                                    &train, &test, &error),
                     ALD_ERROR_IO);
    assert_int_equal(access(train_path, F_OK), -1);
    assert_int_equal(train, 0);
    assert_int_equal(
        ald_split_file(&r.context, source_path, &options, train_path, train_path, &train, &test, &error),
        ALD_ERROR_ARGUMENT);
    /* svmlight has no place for the texts of the second column */
    assert_true(ald_split_file(&r.context, source_path, &options, train_path, "test_split_test.svm", &train,
                               &test, &error) < 0);
    assert_int_equal(access(train_path, F_OK), -1);
    reading_end(&r);
}

static void survives_no_memory(void **state)
{
    (void)state;
    const ald_split_file_options options = {
        .size = sizeof options,
        .train = 0.5,
        .stratify = 1,
        .load = &by_name,
    };
    write_source();
    for (int64_t fail_at = 1, reached = 1; reached; fail_at++) {
        reading r;
        int64_t train, test;
        ald_error error;
        unlink(train_path);
        reading_begin(&r);
        r.fail_at = fail_at;
        const ald_status status =
            ald_split_file(&r.context, source_path, &options, train_path, test_path, &train, &test, &error);
        reached = r.allocations >= fail_at;
        assert_int_equal(status, reached ? ALD_ERROR_MEMORY : ALD_OK);
        if (reached) assert_int_equal(access(train_path, F_OK), -1);
        reading_end(&r);
    }
}

static int clean_up(void **state)
{
    (void)state;
    unlink(source_path);
    unlink(train_path);
    unlink(test_path);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_the_part_asked_for), cmocka_unit_test(the_seed_decides),
        cmocka_unit_test(every_row_has_its_chance), cmocka_unit_test(classes_keep_their_proportions),
        cmocka_unit_test(groups_stay_whole),        cmocka_unit_test(each_side_gets_a_group),
        cmocka_unit_test(stratifies_by_labels),     cmocka_unit_test(refuses_what_cannot_be),
        cmocka_unit_test(writes_both_files),        cmocka_unit_test(writes_both_or_none),
        cmocka_unit_test(survives_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, clean_up);
}
