/* Rows for the self-test of an exported file: two made-up ones near the middle of the training rows, as far
 * as the model shows it, and what the library makes of them.
 *
 *   x_ij = c_j + s_j cos((i + 1) (j + 1)),   rounded to three digits,
 *
 * c and s the mean and the scale of the columns where the map has them (before row steps they serve as well
 * as any numbers), else 0 and 1. A category takes its levels in turn, and the last row has a cell without a
 * value where that is filled in. */
#include "base/numbers/number.h"
#include "fit/fitting/map_rows.h"
#include "show/export/write_c.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { test_rows = 2 };

static double short_number(const char *format, double value)
{
    char text[40];
    double back = 0.0;
    snprintf(text, sizeof text, format, value);
    char *comma = strchr(text, ','); /* of the locale */
    if (comma) *comma = '.';
    return ald_parse_real(text, strlen(text), &back) ? back + 0.0 : 0.0;
}

/* What is compared, in units of the larger of 1 and its size: digits in which builds of the library differ
 * would make other files of the same model. */
static void shorten(int64_t count, double *values)
{
    for (int64_t i = 0; i < count; i++)
        values[i] = short_number(fabs(values[i]) < 1.0 ? "%.10f" : "%.10g", values[i]);
}

/* Cell j of row i, whose first number is column `at` of X. */
static double make_cell(const ald_model_recipe *recipe, int64_t i, int64_t j, int64_t at)
{
    const ald_recipe_input *input = &recipe->inputs[j];
    const double *mean = ald_model_reals(recipe->model, "mean", recipe->d, -1),
                 *shift = ald_model_reals(recipe->model, "shift", recipe->d, -1),
                 *scale = ald_model_reals(recipe->model, "scale", recipe->d, -1);
    if (i == test_rows - 1 && j == 0 && !isnan(input->fill)) return NAN;
    if (input->n_levels > 0) return (double)((i + j) % input->n_levels);
    double centre = mean ? mean[at] : 0.0;
    if (shift) centre = shift[at];
    const double spread = scale ? scale[at] : 0.1 * fmax(fabs(centre), 1.0);
    return short_number("%.3g", centre + spread * cos((double)((i + 1) * (j + 1))));
}

/* The numbers that a cell becomes. */
static void encode_cell(const ald_recipe_input *input, double cell, double *x)
{
    const double value = isnan(cell) ? input->fill : cell;
    for (int64_t k = 0; k < input->width; k++)
        x[k] = input->n_levels > 0 && !input->coded ? (double)(value == (double)k) : value;
}

ald_status ald_self_test_make(ald_run *run, const ald_model_recipe *recipe, ald_self_test *test)
{
    const int64_t n = test->rows = test_rows, d = recipe->d, inputs = recipe->n_inputs;
    double *encoded;
    ALD_TRY(ALD_SCRATCH(run, {&test->x, n, inputs}, {&encoded, n, d}, {&test->z, n, recipe->r},
                        {&test->y, n, recipe->q}));
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0, at = 0; j < inputs; at += recipe->inputs[j++].width) {
            test->x[i * inputs + j] = make_cell(recipe, i, j, at);
            encode_cell(&recipe->inputs[j], test->x[i * inputs + j], encoded + i * d + at);
        }
    const ald_matrix x = ald_matrix_row_major(encoded, n, d, d);
    ALD_TRY(ald_transform_inside(run, recipe->model, &x, test->z, run->error));
    if (recipe->q > 0) ALD_TRY(ald_predict_scores_inside(run, recipe->model, &x, test->y));
    shorten(n * recipe->r, test->z);
    shorten(n * recipe->q, test->y);
    return ALD_OK;
}

void ald_c_self_test(ald_pen *pen, const ald_model_recipe *recipe, const ald_self_test *test)
{
    ald_pen_put(pen, "#ifdef ALIDADE_SELF_TEST\n#include <stdio.h>\n\n");
    ald_c_table(pen, "test_x", test->x, test->rows, recipe->n_inputs, 0);
    ald_c_table(pen, "test_z", test->z, test->rows, recipe->r, 0);
    if (recipe->q > 0) ald_c_table(pen, "test_y", test->y, test->rows, recipe->q, 0);
    ald_pen_put(pen, "\n"
                     "static double apart(const real *got, const real *want, int count, double most)\n"
                     "{\n"
                     "    int i;\n"
                     "    for (i = 0; i < count; i++) {\n"
                     "        const double size = fmax(1, fabs((double)want[i]));\n"
                     "        const double here = fabs((double)got[i] - (double)want[i]) / size;\n"
                     "        if (!(here <= most)) most = here;\n"
                     "    }\n"
                     "    return most;\n"
                     "}\n\n"
                     "int main(void)\n"
                     "{\n"
                     "    const double limit = ALIDADE_EPSILON < 1e-9 ? 1e-6 : 1e-2;\n"
                     "    double most = 0;\n"
                     "    int i, failed = 0;\n");
    ald_pen_print(pen, "    real z[ALIDADE_COMPONENTS]%s;\n", recipe->q > 0 ? ", s[ALIDADE_SCORES]" : "");
    ald_pen_print(pen, "    for (i = 0; i < %lld; i++) {\n", (long long)test->rows);
    ald_pen_put(pen, "        failed |= alidade_scores(test_x + i * ALIDADE_INPUTS, z);\n"
                     "        most = apart(z, test_z + i * ALIDADE_COMPONENTS, ALIDADE_COMPONENTS, most);\n");
    if (recipe->q > 0)
        ald_pen_print(pen,
                      "        failed |= %s(test_x + i * ALIDADE_INPUTS, s);\n"
                      "        most = apart(s, test_y + i * ALIDADE_SCORES, ALIDADE_SCORES, most);\n",
                      ald_c_decision(recipe));
    ald_pen_put(pen, "    }\n"
                     "    failed |= !(most <= limit);\n"
                     "    printf"
                     "(\"%s: largest difference %.2g\\n\", failed ? \"FAILED\" : \"passed\", most);\n"
                     "    return failed;\n"
                     "}\n"
                     "#endif\n");
}
