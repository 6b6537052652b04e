/* Pictures: sound XML whatever the names hold, a mark for each row, and places that stay inside for all
 * numbers. */
#include "plotting_fixture.h"

#include <alidade/plot.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Text between tags: entities only, no control characters. */
static const char *skip_content(const char *at)
{
    static const char *const entities[] = {"&amp;", "&lt;", "&gt;", "&quot;"};
    for (; *at && *at != '<'; at++) {
        int known = *at != '&';
        for (size_t i = 0; i < 4; i++) known |= strncmp(at, entities[i], strlen(entities[i])) == 0;
        if (!known) fail_msg("a bare & at: %.40s", at);
        assert_true((unsigned char)*at >= 0x20 || *at == '\n');
        assert_true(*at != '>');
    }
    return at;
}

/* Every tag that is opened is closed, in order, and attributes are quoted. */
static void check_xml(const char *svg)
{
    char open[16][24];
    int depth = 0, roots = 0;
    assert_memory_equal(svg, "<?xml", 5);
    const char *at = skip_content(strchr(svg, '>') + 1);
    while (*at) {
        const char *end = strchr(at, '>');
        assert_non_null(end);
        char name[24];
        int quotes = 0;
        for (const char *c = at; c < end; c++) quotes += *c == '"';
        assert_int_equal(quotes % 2, 0);
        assert_int_equal(sscanf(at[1] == '/' ? at + 2 : at + 1, "%23[a-zA-Z]", name), 1);
        if (at[1] == '/') {
            assert_true(depth > 0);
            assert_string_equal(open[--depth], name);
        } else if (end[-1] != '/') {
            assert_true(depth < 16);
            roots += depth == 0;
            strcpy(open[depth++], name);
        }
        at = skip_content(end + 1);
    }
    assert_int_equal(depth, 0);
    assert_int_equal(roots, 1);
}

static int count(const char *text, const char *end, const char *what)
{
    int n = 0;
    for (const char *at = strstr(text, what); at && at < end; at = strstr(at + 1, what)) n++;
    return n;
}

/* Marks in the group of this class, "train" or "test"; or its bars. */
static int count_marks(const char *svg, const char *group)
{
    char opening[40];
    snprintf(opening, sizeof opening, "<g class=\"%s\"", group);
    const char *start = strstr(svg, opening);
    assert_non_null(start);
    const char *end = strstr(start, "</g>");
    return count(start, end, "<circle") + count(start, end, "<rect") + count(start, end, "<path");
}

static char *draw(fixture *f, int r, const ald_dataset *data, const ald_dataset *test,
                  const ald_plot_options *options)
{
    ald_model *model = make_model(f->context, r);
    const ald_status status = ald_plot(f->context, model, data, test, options, &f->svg, &f->error);
    if (status < 0) fail_msg("%s", f->error.message);
    ald_model_free(model);
    check_xml(f->svg);
    return f->svg;
}

static void test_classes_are_named_and_every_row_has_a_mark(void **state)
{
    fixture *f = *state;
    use_classes(f);
    ald_dataset test = f->data;
    test.x.rows = test.target.rows = 5;
    char *svg = draw(f, 2, &f->data, &test, NULL);
    assert_int_equal(count_marks(svg, "train"), n_rows);
    assert_int_equal(count_marks(svg, "test"), 5);
    assert_non_null(strstr(svg, ">train (12)<"));
    assert_non_null(strstr(svg, ">test (5)<"));
    assert_non_null(strstr(svg, ">A &amp; B<"));
    assert_non_null(strstr(svg, ">&lt;tag&gt;<"));
    assert_non_null(strstr(svg, ">&quot;q&quot; \xc3\xa9\xef\xbf\xbd<"));
    assert_non_null(strstr(svg, "component 1 (50.0 % of variance)"));
    assert_non_null(strstr(svg, "Projection by pca: spe&lt;cies"));
    ald_text_free(f->context, svg);
}

static void test_same_picture_twice(void **state)
{
    fixture *f = *state;
    use_classes(f);
    char *first = draw(f, 2, &f->data, NULL, NULL), *second = draw(f, 2, &f->data, NULL, NULL);
    assert_string_equal(first, second);
    ald_text_free(f->context, first);
    ald_text_free(f->context, second);
}

static void test_a_real_response_has_a_colour_bar(void **state)
{
    fixture *f = *state;
    use_reals(f);
    f->data.target.labelled = f->labelled;
    ald_plot_options options = {.size = sizeof options, .response = 1};
    char *svg = draw(f, 2, &f->data, NULL, &options);
    assert_int_equal(count_marks(svg, "train"), n_rows);
    assert_non_null(strstr(svg, "ald-ramp"));
    assert_non_null(strstr(svg, ">second<"));
    assert_non_null(strstr(svg, ">unlabelled<"));
    assert_non_null(strstr(svg, ">1000<"));
    ald_text_free(f->context, svg);
}

static void test_one_component_against_the_response(void **state)
{
    fixture *f = *state;
    use_reals(f);
    f->data.target.labelled = f->labelled;
    char *svg = draw(f, 1, &f->data, NULL, NULL);
    assert_int_equal(count_marks(svg, "train"), n_rows - 1);
    assert_non_null(strstr(svg, "1 of 12 rows are unlabelled and not drawn"));
    assert_null(strstr(svg, "ald-ramp"));
    ald_text_free(f->context, svg);
}

static void test_one_component_in_strips(void **state)
{
    fixture *f = *state;
    use_classes(f);
    f->data.target.labelled = f->labelled;
    char *svg = draw(f, 1, &f->data, NULL, NULL);
    assert_int_equal(count_marks(svg, "train"), n_rows);
    assert_non_null(strstr(svg, ">A &amp; B<"));
    assert_non_null(strstr(svg, ">unlabelled<"));
    ald_text_free(f->context, svg);
    f->data.target = (ald_target){.kind = ALD_TARGET_NONE};
    svg = draw(f, 1, &f->data, NULL, NULL);
    assert_int_equal(count_marks(svg, "train"), n_rows);
    ald_text_free(f->context, svg);
}

/* The labels as CSR with 64-bit, and as CSC with 32-bit indices and single precision. */
typedef struct sparse_labels {
    int64_t row_pointers[n_rows + 1], columns[n_rows * 3];
    double ones[n_rows * 3];
    int32_t column_pointers[4], rows[n_rows * 3];
    float small_ones[n_rows * 3];
    ald_matrix csr, csc;
} sparse_labels;

static void compress_labels(const double *labels, sparse_labels *s)
{
    memset(s, 0, sizeof *s);
    for (int at = 0, i = 0; i < n_rows; s->row_pointers[++i] = at)
        for (int k = 0; k < 3; k++)
            if (labels[3 * i + k] != 0.0) s->columns[at++] = k;
    for (int at = 0, k = 0; k < 3; s->column_pointers[++k] = at)
        for (int i = 0; i < n_rows; i++)
            if (labels[3 * i + k] != 0.0) s->rows[at++] = i;
    for (int at = 0; at < n_rows * 3; at++) s->ones[at] = s->small_ones[at] = 1;
    s->csr = ald_matrix_csr(n_rows, 3, s->row_pointers, s->columns, s->ones);
    s->csc = (ald_matrix){
        .storage = ALD_CSC,
        .type = ALD_F32,
        .rows = n_rows,
        .cols = 3,
        .values = s->small_ones,
        .pointers = s->column_pointers,
        .indices = s->rows,
        .index_bits = 32,
    };
}

/* One picture, however the labels are stored. */
static void test_labels_are_counted_or_told_apart(void **state)
{
    fixture *f = *state;
    static char *names[] = {"red", "green", "blue"};
    static sparse_labels s;
    compress_labels(f->labels, &s);
    const ald_matrix stored[] = {ald_matrix_row_major(f->labels, n_rows, 3, 3), s.csr, s.csc};
    f->data.response_names = names;
    for (int by_label = 0; by_label < 2; by_label++) {
        const ald_plot_options options = {.size = sizeof options, .by_label = by_label, .response = by_label};
        char *svg[3];
        for (int i = 0; i < 3; i++) {
            f->data.target = ald_target_labels(stored[i]);
            svg[i] = draw(f, 2, &f->data, NULL, &options);
        }
        assert_string_equal(svg[0], svg[1]);
        assert_string_equal(svg[0], svg[2]);
        assert_non_null(strstr(svg[0], by_label ? ">not green<" : ">number of labels<"));
        for (int i = 0; i < 3; i++) ald_text_free(f->context, svg[i]);
    }
}

/* Rows 0 and 1 in opposite corners: right is larger, up is larger; test marks are hollow. */
static void test_marks_stand_where_they_should(void **state)
{
    fixture *f = *state;
    ald_dataset low = f->data, high = f->data;
    const double low_row[n_features] = {-1, -1, 0}, high_row[n_features] = {1, 1, 0};
    low.x = ald_matrix_row_major(low_row, 1, n_features, n_features);
    high.x = ald_matrix_row_major(high_row, 1, n_features, n_features);
    char *svg = draw(f, 2, &low, &high, NULL);
    const char *train = strstr(svg, "<g class=\"train\""), *test = strstr(svg, "<g class=\"test\"");
    double x[2], y[2];
    assert_int_equal(sscanf(strstr(train, "<circle"), "<circle cx=\"%lf\" cy=\"%lf\"", &x[0], &y[0]), 2);
    assert_int_equal(sscanf(strstr(test, "<circle"), "<circle cx=\"%lf\" cy=\"%lf\"", &x[1], &y[1]), 2);
    assert_true(x[1] > x[0] + 400 && y[1] < y[0] - 300);
    assert_int_equal(count(train, test, "fill=\"none\""), 0);
    assert_int_equal(count(test, strstr(test, "</g>"), "fill=\"none\""), 1);
    ald_text_free(f->context, svg);
}

static void test_many_classes_and_rows_are_thinned_out(void **state)
{
    fixture *f = *state;
    const int64_t n = 50000;
    double *x = calloc((size_t)n * n_features, sizeof *x);
    int32_t *classes = calloc((size_t)n, sizeof *classes);
    for (int64_t i = 0; i < n; i++) {
        x[i * n_features] = (double)i;
        classes[i] = (int32_t)(i % 60);
    }
    f->data.x = ald_matrix_row_major(x, n, n_features, n_features);
    f->data.target = ald_target_classes(classes, n, 60);
    char *svg = draw(f, 2, &f->data, NULL, NULL);
    assert_int_equal(count_marks(svg, "train"), 20000);
    assert_non_null(strstr(svg, "20000 of 50000 rows drawn"));
    assert_non_null(strstr(svg, ">16 more<"));
    assert_non_null(strstr(svg, ">class 44<"));
    assert_null(strstr(svg, ">class 45<"));
    assert_true(strlen(svg) < 2000000);
    ald_text_free(f->context, svg);
    free(x);
    free(classes);
}

static void check_attribute(const char *svg, const char *attribute, double most)
{
    while ((svg = strstr(svg, attribute)) != NULL) {
        svg += strlen(attribute);
        const double place = strtod(svg, NULL);
        assert_true(place >= 0 && place <= most);
    }
}

/* Every number in the picture is an ordinary one, and marks stay inside it. */
static void check_places(const char *svg)
{
    assert_null(strstr(svg, "nan"));
    assert_null(strstr(svg, "inf"));
    check_attribute(svg, "cx=\"", 800);
    check_attribute(svg, "cy=\"", 600);
}

static void test_extreme_values(void **state)
{
    fixture *f = *state;
    const double factors[] = {0.0, 1e-320, 1e-200, 1e-9, 1e9, 1e200, 5e307};
    const double offsets[] = {0.0, 1.0, -1e6, 1e15, -1e300};
    for (size_t a = 0; a < sizeof factors / sizeof *factors; a++)
        for (size_t b = 0; b < sizeof offsets / sizeof *offsets; b++) {
            for (int i = 0; i < n_rows * n_features; i++) f->x[i] = offsets[b] + factors[a] * sin(i);
            for (int i = 0; i < n_rows; i++) f->real[2 * i] = offsets[b] + factors[a] * cos(i);
            use_reals(f);
            for (int r = 1; r <= 2; r++) {
                char *svg = draw(f, r, &f->data, NULL, NULL);
                assert_int_equal(count_marks(svg, "train"), n_rows);
                check_places(svg);
                ald_text_free(f->context, svg);
            }
        }
}

static void test_spectrum_and_importance(void **state)
{
    fixture *f = *state;
    ald_plot_options options = {.size = sizeof options, .kind = "spectrum"};
    char *svg = draw(f, 3, NULL, NULL, &options);
    assert_int_equal(count_marks(svg, "bars"), 3);
    assert_int_equal(count_marks(svg, "shares"), 3);
    assert_non_null(strstr(svg, ">eigenvalue<"));
    ald_text_free(f->context, svg);
    options.kind = "importance";
    static char *names[] = {"first", "se<cond", "third"};
    f->data.feature_names = names;
    svg = draw(f, 2, &f->data, NULL, &options);
    assert_int_equal(count_marks(svg, "bars"), 3);
    assert_non_null(strstr(svg, ">se&lt;cond<"));
    ald_text_free(f->context, svg);
    options.importance = "weights"; /* which need no rows */
    svg = draw(f, 2, NULL, NULL, &options);
    assert_non_null(strstr(svg, ">x2<"));
    ald_text_free(f->context, svg);
}

/* A host program may have set a locale with a decimal comma; skipped where none is installed. */
static void test_the_locale_does_not_matter(void **state)
{
    fixture *f = *state;
    use_reals(f);
    char *plain = draw(f, 2, &f->data, NULL, NULL);
    const int changed = setlocale(LC_NUMERIC, "de_DE.UTF-8") || setlocale(LC_NUMERIC, "fr_FR.UTF-8");
    char *other = draw(f, 2, &f->data, NULL, NULL);
    setlocale(LC_NUMERIC, "C");
    assert_string_equal(plain, other);
    ald_text_free(f->context, plain);
    ald_text_free(f->context, other);
    if (!changed) skip();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_classes_are_named_and_every_row_has_a_mark),
        TEST(test_same_picture_twice),
        TEST(test_a_real_response_has_a_colour_bar),
        TEST(test_one_component_against_the_response),
        TEST(test_one_component_in_strips),
        TEST(test_labels_are_counted_or_told_apart),
        TEST(test_marks_stand_where_they_should),
        TEST(test_many_classes_and_rows_are_thinned_out),
        TEST(test_extreme_values),
        TEST(test_spectrum_and_importance),
        TEST(test_the_locale_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
