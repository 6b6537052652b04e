/* The synthetic sets: their geometry and moments, and what is refused. */
#include "generating.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static double cell(const reading *r, int64_t row, int64_t column)
{
    return r->table.cells[row * r->table.cols + column];
}

static double mean_of(const reading *r, int64_t column)
{
    double sum = 0.0;
    for (int64_t i = 0; i < r->table.rows; i++) sum += cell(r, i, column);
    return sum / (double)r->table.rows;
}

static double variance_of(const reading *r, int64_t column)
{
    const double mean = mean_of(r, column);
    double sum = 0.0;
    for (int64_t i = 0; i < r->table.rows; i++)
        sum += (cell(r, i, column) - mean) * (cell(r, i, column) - mean);
    return sum / (double)r->table.rows;
}

static void assert_near(double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance))
        fail_msg("%.6g is not within %g of %.6g", found, tolerance, expected);
}

static void test_sine(void **state)
{
    (void)state;
    for (int k = -4000; k <= 4000; k++) {
        const double u = k / 1001.0;
        assert_near(ald_sine_of_turns(u), sin(2.0 * pi * u), 1e-14);
    }
    assert_true(ald_sine_of_turns(0.0) == 0.0);
    assert_near(ald_sine_of_turns(0.25), 1.0, 3e-16);
}

static void test_plane_and_linear(void **state)
{
    (void)state;
    reading r;
    make(&r, "plane", (ald_generate_options){.n = 20000});
    assert_int_equal(r.table.cols, 6);
    assert_string_equal(r.table.columns[4].name, "x5");
    assert_string_equal(r.table.columns[5].name, "y");
    for (int j = 0; j < 5; j++) {
        assert_near(mean_of(&r, j), 0.0, 0.04);
        assert_near(variance_of(&r, j), 1.0, 0.05);
    }
    double residual = 0.0;
    for (int64_t i = 0; i < 20000; i++)
        residual += pow(cell(&r, i, 5) - 2 * cell(&r, i, 0) - 3 * cell(&r, i, 1), 2);
    assert_near(residual / 20000, 0.25, 0.01);
    reading_end(&r);
    make(&r, "linear", (ald_generate_options){.n = 20000, .noise = 1e-300, .d = 7});
    assert_int_equal(r.table.cols, 8);
    for (int j = 0; j < 7; j++) {
        assert_near(mean_of(&r, j), 0.5, 0.01);
        assert_near(variance_of(&r, j), 1.0 / 12, 0.003);
    }
    for (int64_t i = 0; i < 20000; i++)
        assert_near(cell(&r, i, 7), 2 * cell(&r, i, 0) + 3 * cell(&r, i, 1), 1e-12);
    reading_end(&r);
}

static void test_parity_and_curves(void **state)
{
    (void)state;
    reading r;
    make(&r, "parity", (ald_generate_options){.noise = 1e-300});
    assert_int_equal(r.table.rows, 1000);
    for (int64_t i = 0; i < 1000; i++)
        assert_near(cell(&r, i, 5), sin(2 * pi * cell(&r, i, 0)) * sin(2 * pi * cell(&r, i, 1)), 1e-13);
    reading_end(&r);
    for (int paper = 0; paper < 2; paper++) {
        make(&r, paper ? "curve-paper" : "curve", (ald_generate_options){.noise = 1e-300});
        assert_int_equal(r.table.rows, paper ? 1000 : 2000);
        assert_int_equal(r.table.cols, paper ? 6 : 11);
        for (int64_t i = 0; i < r.table.rows; i++) {
            const double t = cell(&r, i, r.table.cols - 1);
            assert_true(t >= 0 && t <= 4 * pi);
            assert_near(cell(&r, i, 0), cos(t), 1e-13);
            assert_near(cell(&r, i, 1), sin(t), 1e-13);
            assert_near(cell(&r, i, 2), 0.01 * t, 1e-13);
        }
        assert_near(mean_of(&r, 4), paper ? 0.5 : 0.0, 0.1);
        assert_near(variance_of(&r, 4), paper ? 1.0 / 12 : 1.0, paper ? 0.02 : 0.2);
        reading_end(&r);
    }
}

/* Both halves are equal in area, the eyes belong to the other side, and the point mirrored at the centre to
 * the other class. */
static void test_taichi(void **state)
{
    (void)state;
    reading r;
    make(&r, "taichi", (ald_generate_options){.n = 40000, .radius = 3.0, .eyes = 0.25});
    int64_t yin = 0, eye_rows = 0, outside = 0;
    for (int64_t i = 0; i < r.table.rows; i++) {
        const double a = cell(&r, i, 0) / 3, b = cell(&r, i, 1) / 3, y = cell(&r, i, 5);
        assert_true(a * a + b * b < 1.0);
        assert_true(y == 1.0 || y == 2.0);
        yin += y == 1.0;
        const double up = a * a + (b - 0.5) * (b - 0.5), down = a * a + (b + 0.5) * (b + 0.5);
        if (up < 0.25 * 0.25)
            assert_true(y == 1.0);
        else if (up < 0.25)
            assert_true(y == 2.0);
        else if (down < 0.25 * 0.25)
            assert_true(y == 2.0);
        else if (down < 0.25)
            assert_true(y == 1.0);
        else
            assert_true(y == (a > 0 ? 1.0 : 2.0));
        eye_rows += up < 0.25 * 0.25;
        outside += a * a + b * b > 0.5;
    }
    assert_near((double)yin / 40000, 0.5, 0.01);
    assert_near((double)eye_rows / 40000, 0.0625, 0.005);
    assert_near((double)outside / 40000, 0.5, 0.01); /* uniform: half of the area is beyond radius 1/sqrt 2 */
    assert_near(variance_of(&r, 4), 1.0, 0.05);
    reading_end(&r);
}

static void test_flat_classes(void **state)
{
    (void)state;
    reading r;
    make(&r, "xor", (ald_generate_options){.noise = 0.01, .d = 3});
    assert_int_equal(r.table.rows, 400);
    for (int64_t i = 0; i < 400; i++) {
        assert_near(fabs(cell(&r, i, 0)), 1.0, 0.06);
        assert_true(cell(&r, i, 3) == (cell(&r, i, 0) * cell(&r, i, 1) > 0 ? 1.0 : 2.0));
    }
    reading_end(&r);
    make(&r, "rings", (ald_generate_options){.noise = 0.01});
    assert_int_equal(r.table.rows, 313);
    for (int64_t i = 0; i < 313; i++)
        assert_near(hypot(cell(&r, i, 0), cell(&r, i, 1)), 0.5 * cell(&r, i, 2), 0.06);
    assert_near(mean_of(&r, 0), 0.0, 0.15);
    reading_end(&r);
    make(&r, "rectangles", (ald_generate_options){.noise = 1e-300, .n = 4000});
    int64_t quadrant[4] = {0};
    for (int64_t i = 0; i < 4000; i++) {
        const double size = 0.5 * cell(&r, i, 2), a = cell(&r, i, 0) / size, b = cell(&r, i, 1) / size;
        assert_near(fmax(fabs(a), fabs(b) / 0.6), 1.0, 1e-12);
        quadrant[(a > 0) + 2 * (b > 0)]++;
    }
    for (int k = 0; k < 4; k++) assert_near((double)quadrant[k], 1000, 120);
    reading_end(&r);
}

static void test_regressions(void **state)
{
    (void)state;
    reading r;
    make(&r, "regression-a", (ald_generate_options){.noise = 1e-300});
    assert_int_equal(r.table.rows, 100);
    for (int64_t i = 0; i < 100; i++) {
        const double a = cell(&r, i, 0), b = cell(&r, i, 1);
        assert_near(cell(&r, i, 4), a / (0.5 + pow(b + 1.5, 2)) + pow(1 + b, 2), 1e-12);
    }
    reading_end(&r);
    make(&r, "regression-b", (ald_generate_options){.noise = 1e-300, .n = 2000});
    for (int64_t i = 0; i < 2000; i++) {
        assert_true(fmax(fmax(cell(&r, i, 0), cell(&r, i, 1)), fmax(cell(&r, i, 2), cell(&r, i, 3))) > 0.7);
        assert_near(cell(&r, i, 4), pow(sin(pi * cell(&r, i, 1) + 1), 2), 1e-13);
    }
    reading_end(&r);
    make(&r, "regression-c", (ald_generate_options){.n = 20000});
    double ratio = 0.0;
    for (int64_t i = 0; i < 20000; i++) ratio += pow(cell(&r, i, 10) / (0.5 * pow(cell(&r, i, 0), 2)), 2);
    assert_near(ratio / 20000, 1.0, 0.05);
    reading_end(&r);
    make(&r, "rational", (ald_generate_options){.noise = 1e-300});
    assert_int_equal(r.table.cols, 11);
    assert_near(cell(&r, 7, 10), cell(&r, 7, 0) / (0.5 + pow(cell(&r, 7, 1) + 1.5, 2)), 1e-12);
    reading_end(&r);
    make(&r, "quadratic", (ald_generate_options){.noise = 1e-300});
    assert_near(cell(&r, 7, 10), pow(cell(&r, 7, 0), 2), 1e-12);
    reading_end(&r);
}

/* Class means come from N(0, I/d): their squared length is about 1, and the noise about them has variance 1.
 */
static void test_many_dimensions(void **state)
{
    (void)state;
    reading r;
    make(&r, "syn1", (ald_generate_options){.n = 20000});
    assert_int_equal(r.table.cols, 101);
    double sums[5][100] = {{0}}, counts[5] = {0}, squares = 0.0;
    for (int64_t i = 0; i < 20000; i++) {
        const int class = (int)cell(&r, i, 100) - 1;
        assert_true(class >= 0 && class < 5);
        counts[class] += 1;
        for (int j = 0; j < 100; j++) sums[class][j] += cell(&r, i, j);
    }
    for (int c = 0; c < 5; c++) {
        assert_near(counts[c], 4000, 250);
        for (int j = 0; j < 100; j++) squares += pow(sums[c][j] / counts[c], 2) / 5;
    }
    assert_near(squares, 1.0, 0.35);
    assert_near(variance_of(&r, 50), 1.0, 0.06);
    reading_end(&r);
    make(&r, "syn3", (ald_generate_options){.n = 1000});
    assert_int_equal(r.table.cols, 105);
    assert_string_equal(r.table.columns[104].name, "y5");
    for (int k = 0; k < 5; k++) assert_near(mean_of(&r, 100 + k), 0.3, 1e-12);
    reading_end(&r);
}

static void test_words(void **state)
{
    (void)state;
    reading r;
    make(&r, "rcv1", (ald_generate_options){.n = 300, .d = 5000});
    const ald_table *t = &r.table;
    assert_true(t->sparse && t->many_labels && t->rows == 300 && t->cols == 5000);
    int64_t own = 0, first_words = 0;
    for (int64_t i = 0; i < 300; i++) {
        double length = 0.0;
        assert_int_equal(t->pointers[i + 1] - t->pointers[i], 60);
        const int64_t n_labels = t->label_pointers[i + 1] - t->label_pointers[i];
        assert_true(n_labels >= 1 && n_labels <= 3);
        for (int64_t e = t->pointers[i]; e < t->pointers[i + 1]; e++) {
            assert_true(t->indices[e] >= 0 && t->indices[e] < 5000);
            assert_true(e == t->pointers[i] || t->indices[e] > t->indices[e - 1]);
            length += t->values[e] * t->values[e];
            first_words += t->indices[e] < 10;
            for (int64_t k = t->label_pointers[i]; k < t->label_pointers[i + 1]; k++)
                own += (double)(t->indices[e] % 101 + 1) == t->label_values[k];
        }
        assert_near(length, 1.0, 1e-14);
    }
    assert_true(own > 300 * 60 / 4); /* by chance it would be one in fifty */
    assert_true(first_words > 300 * 2);
    reading_end(&r);
}

static void refuse(const char *name, ald_generate_options options, const char *part)
{
    reading r;
    reading_begin(&r);
    assert_int_equal(try_make(&r, name, &options), ALD_ERROR_ARGUMENT);
    if (!strstr(r.error.message, part)) fail_msg("expected '%s' in: %s", part, r.error.message);
    reading_end(&r);
}

static void test_options_are_checked(void **state)
{
    (void)state;
    refuse("taichy", (ald_generate_options){.n = 1}, "no synthetic set 'taichy'; did you mean 'taichi'?");
    refuse("nonsense", (ald_generate_options){.n = 1}, "the sets are plane, linear, parity");
    refuse("plane", (ald_generate_options){.radius = 2.0}, "the set 'plane' has no option `radius`");
    refuse("plane", (ald_generate_options){.eyes = 0.1}, "no option `eyes`");
    refuse("taichi", (ald_generate_options){.noise = 0.5}, "no option `noise`");
    refuse("taichi", (ald_generate_options){.eyes = 0.5}, "between 0 and 0.5");
    refuse("taichi", (ald_generate_options){.radius = -1.0}, "positive number");
    refuse("plane", (ald_generate_options){.d = 1},
           "the set 'plane' has at least 2 columns, but 1 were requested");
    refuse("plane", (ald_generate_options){.n = -5}, "-5 rows were requested");
    refuse("plane", (ald_generate_options){.noise = NAN}, "`noise`");
}

static void test_public_functions(void **state)
{
    (void)state;
    ald_context *context;
    ald_dataset *data;
    ald_error error;
    assert_int_equal(ald_context_new(NULL, &context, &error), ALD_OK);
    const ald_target_kind kinds[] = {
        ALD_TARGET_REAL,
        ALD_TARGET_CLASSES,
        ALD_TARGET_LABELS,
        ALD_TARGET_LABELS,
    };
    const char *const names[] = {"plane", "taichi", "syn3", "rcv1"};
    for (int k = 0; k < 4; k++) {
        assert_int_equal(ald_generate_dataset(context, names[k], NULL, &data, &error), ALD_OK);
        assert_int_equal(ald_dataset_target(data)->kind, kinds[k]);
        assert_int_equal(ald_dataset_target(data)->rows, ald_dataset_x(data)->rows);
        ald_dataset_free(data);
    }
    assert_true(ald_generate_dataset(context, "plain", NULL, &data, &error) < 0);
    assert_null(data);
    const char *name, *summary;
    assert_int_equal(ald_generator_at(ald_generator_count(), &name, &summary), 0);
    for (int k = 0; ald_generator_at(k, &name, &summary); k++)
        assert_true(strlen(name) > 0 && strlen(summary) > 10);
    assert_int_equal(ald_generator_at(0, NULL, NULL), 1);
    ald_context_free(context);
}

static void test_files(void **state)
{
    (void)state;
    ald_context *context;
    ald_dataset *made, *read;
    ald_error error;
    const ald_generate_options options = {.size = sizeof options, .n = 40, .seed = 5};
    assert_int_equal(ald_context_new(NULL, &context, &error), ALD_OK);
    assert_int_equal(ald_generate(context, "plane", &options, "plane.csv", &error), ALD_OK);
    assert_int_equal(ald_generate_dataset(context, "plane", &options, &made, &error), ALD_OK);
    assert_int_equal(ald_dataset_load(context, "plane.csv",
                                      &(ald_load_options){.size = sizeof(ald_load_options), .target = "y"},
                                      &read, &error),
                     ALD_OK);
    assert_memory_equal(ald_dataset_x(made)->values, ald_dataset_x(read)->values, 40 * 5 * sizeof(double));
    assert_memory_equal(ald_dataset_target(made)->values.values, ald_dataset_target(read)->values.values,
                        40 * sizeof(double));
    ald_dataset_free(made);
    ald_dataset_free(read);
    assert_int_equal(ald_generate(context, "rcv1", &options, "rcv1.svm", &error), ALD_OK);
    assert_int_equal(ald_dataset_load(context, "rcv1.svm", NULL, &read, &error), ALD_OK);
    assert_int_equal(ald_dataset_x(read)->storage, ALD_CSR);
    assert_int_equal(ald_dataset_target(read)->kind, ALD_TARGET_LABELS);
    ald_dataset_free(read);
    assert_int_equal(ald_generate(context, "rcv1", &options, "rcv1.csv", &error), ALD_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, ".svm"));
    assert_int_equal(ald_generate(context, "syn3", &options, "syn3.svm", &error), ALD_ERROR_ARGUMENT);
    assert_int_equal(remove("plane.csv"), 0);
    assert_int_equal(remove("rcv1.svm"), 0);
    ald_context_free(context);
}

static void test_no_memory(void **state)
{
    (void)state;
    static const char *const names[] = {"plane", "syn3", "rcv1"};
    for (int k = 0; k < 3; k++) {
        for (int64_t fail_at = 1, reached = 1; reached; fail_at++) {
            reading r;
            reading_begin(&r);
            r.fail_at = fail_at;
            const ald_status status = try_make(&r, names[k], &(ald_generate_options){.n = 3});
            reached = r.allocations >= fail_at;
            assert_int_equal(status, reached ? ALD_ERROR_MEMORY : ALD_OK);
            reading_end(&r);
        }
    }
}

/* Every set has its section in the manual. */
static void test_documented(void **state)
{
    (void)state;
    const char *tests = getenv("ALD_TESTS"), *name;
    if (!tests) skip();
    static char text[100000];
    char path[4096];
    snprintf(path, sizeof path, "%s/../docs/synthetic.md", tests);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    for (int k = 0; ald_generator_at(k, &name, NULL); k++) {
        char row[80];
        snprintf(row, sizeof row, "\n| `%s` |", name);
        if (!strstr(text, row)) fail_msg("docs/synthetic.md has no row for '%s'", name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sine),
        cmocka_unit_test(test_plane_and_linear),
        cmocka_unit_test(test_parity_and_curves),
        cmocka_unit_test(test_taichi),
        cmocka_unit_test(test_flat_classes),
        cmocka_unit_test(test_regressions),
        cmocka_unit_test(test_many_dimensions),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_options_are_checked),
        cmocka_unit_test(test_public_functions),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_documented),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
