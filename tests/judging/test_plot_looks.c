/* How rows and bars are drawn: what lies on top, and which axis a number is read from. */
#include "data/encode/dataset.h"

#include <alidade/plot.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { n_rows = 60 };

typedef struct fixture {
    ald_context *context;
    double x[n_rows * 2], labels[n_rows * 2];
    int32_t classes[n_rows];
    ald_dataset data;
} fixture;

static int set_up(void **state)
{
    static fixture f;
    ald_error error;
    memset(&f, 0, sizeof f);
    for (int i = 0; i < n_rows; i++) {
        for (int j = 0; j < 2; j++) f.x[2 * i + j] = sin(7.0 * i + j);
        f.labels[2 * i] = i % 2;
        f.labels[2 * i + 1] = i % 3 == 0;
        f.classes[i] = i % 4 == 1 ? 2 : 1; /* 3, 42 and 15 rows */
        if (i % 20 == 0) f.classes[i] = 0;
    }
    f.data.x = ald_matrix_row_major(f.x, n_rows, 2, 2);
    *state = &f;
    return ald_context_new(NULL, &f.context, &error) < 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    ald_context_free(f->context);
    return 0;
}

/* The picture of a model with r components that has no eigenvalues, only shares. */
static char *draw(fixture *f, int r, const ald_plot_options *options)
{
    ald_run run;
    ald_model *model = NULL;
    ald_error error;
    char *svg;
    const double mean[2] = {0}, identity[4] = {1, 0, 0, 1}, shares[] = {0.5, 0.25}, spectrum[] = {4, 1};
    ald_run_begin(&run, f->context, NULL);
    assert_int_equal(ald_model_new(&run, &model), ALD_OK);
    assert_int_equal(ald_model_add_vector(&run, model, "mean", 2, mean), ALD_OK);
    assert_int_equal(ald_model_add_matrix(&run, model, "components", r, 2, identity), ALD_OK);
    assert_int_equal(ald_model_add_vector(&run, model, "explained_response_ratio", r, shares), ALD_OK);
    assert_int_equal(ald_model_add_vector(&run, model, "spectrum", 2, spectrum), ALD_OK);
    assert_int_equal(ald_model_set_text(&run, model, "alidade.map", "linear"), ALD_OK);
    assert_int_equal(ald_model_set_text(&run, model, "alidade.n_features", "2"), ALD_OK);
    assert_int_equal(ald_model_set_printed(&run, model, "alidade.n_components", "%d", r), ALD_OK);
    assert_int_equal(ald_run_end(&run, ALD_OK), ALD_OK);
    if (ald_plot(f->context, model, &f->data, NULL, options, &svg, &error) < 0) fail_msg("%s", error.message);
    ald_model_free(model);
    return svg;
}

/* The heights and colours of the round marks of a group, in the order they are drawn; gives how many. */
static int read_marks(const char *svg, const char *group, double *y, char (*colours)[8])
{
    char tag[40];
    snprintf(tag, sizeof tag, "<g class=\"%s\"", group);
    const char *at = strstr(svg, tag);
    assert_non_null(at);
    const char *end = strstr(at, "</g>");
    int n = 0;
    for (at = strstr(at, "<circle"); at && at < end && n < n_rows; at = strstr(at + 1, "<circle"), n++) {
        y[n] = atof(strstr(at, "cy=\"") + 4);
        const char *fill = strstr(at, "fill=\"#");
        snprintf(colours[n], sizeof *colours, "%.6s", fill && fill < strchr(at, '>') ? fill + 7 : "");
    }
    return n;
}

static void test_rare_classes_lie_on_top(void **state)
{
    fixture *f = *state;
    double y[n_rows];
    char colours[n_rows][8];
    f->data.target = ald_target_classes(f->classes, n_rows, 3);
    char *svg = draw(f, 2, NULL);
    assert_int_equal(read_marks(svg, "train", y, colours), n_rows);
    int changes = 0;
    for (int i = 1; i < n_rows; i++) changes += strcmp(colours[i], colours[i - 1]) != 0;
    assert_int_equal(changes, 2); /* 42 of one, then 15, then 3 */
    assert_string_equal(colours[0], colours[41]);
    assert_string_not_equal(colours[41], colours[42]);
    assert_string_equal(colours[42], colours[56]);
    assert_string_not_equal(colours[56], colours[57]);
    ald_text_free(f->context, svg);
}

static void test_numbers_of_labels_are_whole(void **state)
{
    fixture *f = *state;
    double y[n_rows];
    char colours[n_rows][8];
    f->data.target = ald_target_labels(ald_matrix_row_major(f->labels, n_rows, 2, 2));
    for (int r = 1; r <= 2; r++) {
        char *svg = draw(f, r, NULL);
        assert_non_null(strstr(svg, ">number of labels<"));
        assert_null(strstr(svg, "text-anchor=\"end\">0.5<"));
        assert_null(strstr(svg, ">1.5<"));
        assert_non_null(strstr(svg, ">2<"));
        assert_int_equal(read_marks(svg, "train", y, colours), n_rows);
        int same = 0;
        for (int i = 1; i < n_rows; i++)
            for (int k = 0; k < i; k++) same += y[i] == y[k];
        if (r == 1) assert_true(same < n_rows / 4); /* of three numbers there would be some 600 pairs */
        ald_text_free(f->context, svg);
    }
}

/* The first bar and the first point of the cumulative line are the same number: so they are at one height. */
static void test_shares_have_one_scale(void **state)
{
    fixture *f = *state;
    double y[n_rows];
    char colours[n_rows][8];
    const ald_plot_options options = {.size = sizeof options, .kind = "spectrum"};
    char *svg = draw(f, 2, &options);
    assert_int_equal(read_marks(svg, "shares", y, colours), 2);
    const char *bar = strstr(strstr(svg, "<g class=\"bars\""), " y=\"");
    assert_true(fabs(atof(bar + 4) - y[0]) < 0.06);
    assert_null(strstr(svg, " %<")); /* no second axis */
    ald_text_free(f->context, svg);
}

static int count_bars(const char *svg, const char *group)
{
    char tag[40];
    int bars = 0;
    snprintf(tag, sizeof tag, "<g class=\"%s\"", group);
    const char *at = strstr(svg, tag);
    assert_non_null(at);
    const char *end = strstr(at, "</g>");
    while ((at = strstr(at + 1, "<rect")) != NULL && at < end) bars++;
    return bars;
}

/* Eigenvalues 4 and 1 of two columns: one gap, and none after the last. */
static void test_eigenvalues_stand_beside_their_gaps(void **state)
{
    fixture *f = *state;
    char *svg = draw(f, 1, &(ald_plot_options){.size = sizeof(ald_plot_options), .kind = "eigengap"});
    assert_int_equal(count_bars(svg, "bars"), 2);
    assert_int_equal(count_bars(svg, "gaps"), 1);
    assert_non_null(strstr(svg, ">1 component taken<"));
    assert_non_null(strstr(svg, "the largest gap comes after 1; the dimension was given"));
    ald_text_free(f->context, svg);
}

/* The target is the projection: continuity is 1, its marks (k = 1, 2, 4, 8, 16 of 30) lie on the line of the
 * best. */
static void test_a_perfect_projection_lies_on_the_line(void **state)
{
    fixture *f = *state;
    double y[n_rows], best;
    char colours[n_rows][8];
    f->data.target = ald_target_real(ald_matrix_row_major(f->x, n_rows, 2, 2));
    char *svg = draw(f, 2, &(ald_plot_options){.size = sizeof(ald_plot_options), .kind = "continuity"});
    assert_int_equal(read_marks(svg, "curve", y, colours), 5);
    const char *line = strstr(svg, "class=\"best\"");
    assert_non_null(line);
    while (strncmp(line, "<line", 5) != 0) line--;
    assert_int_equal(sscanf(strstr(line, " y1=\""), " y1=\"%lf", &best), 1);
    for (int i = 0; i < 5; i++) assert_true(fabs(y[i] - best) < 0.01);
    assert_non_null(strstr(svg, ">trustworthiness<"));
    ald_text_free(f->context, svg);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_rare_classes_lie_on_top),
        TEST(test_numbers_of_labels_are_whole),
        TEST(test_shares_have_one_scale),
        TEST(test_eigenvalues_stand_beside_their_gaps),
        TEST(test_a_perfect_projection_lies_on_the_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
