/* Known subspaces are found: means over draws of the squared trace correlation with the truth. */
#include "support/fitting.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { draw_rows = 400, draw_columns = 10, draw_cells = draw_rows * (draw_columns + 1) };

/* Rows of a synthetic set with the response behind them; `product`: y = x1 (x1 + x2 + 1) + 0.5 e, x normal.
 */
static void draw_set(ald_context *context, const char *set, uint64_t seed, double *rows)
{
    enum { d = draw_columns, width = d + 1 };
    if (strcmp(set, "product") == 0) {
        double *normal = support_normals(seed, draw_cells);
        memcpy(rows, normal, draw_cells * sizeof *rows);
        for (double *x = rows; x < rows + draw_cells; x += width)
            x[d] = x[0] * (x[0] + x[1] + 1.0) + 0.5 * x[d];
        free(normal);
        return;
    }
    const ald_generate_options options = {.size = sizeof options, .n = draw_rows, .d = d, .seed = seed};
    ald_dataset *data;
    ald_error error;
    assert_done(ald_generate_dataset(context, set, &options, &data, &error), error);
    const double *x = ald_dataset_x(data)->values, *y = ald_dataset_target(data)->values.values;
    for (int64_t i = 0; i < draw_rows; i++) {
        for (int64_t j = 0; j < d; j++) rows[i * width + j] = x[i * d + j];
        rows[i * width + d] = y[i];
    }
    ald_dataset_free(data);
}

/* Mean over `draws` of the squared trace correlation with the span of the first `r` columns: of an
 * orthonormal basis of the directions, the part within. */
static double recovery(const char *set, const char *method, const char *more, int r, int draws)
{
    enum { d = draw_columns };
    ald_context *context = support_context(1, NULL);
    double *rows = malloc(draw_cells * sizeof *rows);
    double sum = 0.0;
    char settings[128];
    snprintf(settings, sizeof settings, "n_components=%d %s", r, more);
    const ald_matrix x = ald_matrix_row_major(rows, draw_rows, d, d + 1);
    const ald_target y = ald_target_real(ald_matrix_row_major(rows + d, draw_rows, 1, d + 1));
    for (int draw = 0; draw < draws; draw++) {
        double b[d * d];
        draw_set(context, set, (uint64_t)draw + 1, rows);
        ald_model *model = support_fit(method, settings, &x, &y);
        memcpy(b, support_reals(model, "components", NULL), (size_t)(r * d) * sizeof *b);
        for (int k = 0; k < r; k++) {
            for (int l = 0; l < k; l++) {
                double along = 0.0;
                for (int j = 0; j < d; j++) along += b[k * d + j] * b[l * d + j];
                for (int j = 0; j < d; j++) b[k * d + j] -= along * b[l * d + j];
            }
            const double length = support_norm(d, b + k * d);
            for (int j = 0; j < d; j++) b[k * d + j] /= length;
            for (int j = 0; j < r; j++) sum += b[k * d + j] * b[k * d + j] / (r * draws);
        }
        ald_model_free(model);
    }
    free(rows);
    ald_context_free(context);
    return sum;
}

static void known_directions_are_found(void **state)
{
    (void)state;
    const struct {
        const char *set, *method, *more;
        int r;
        double least;
        int draws; /* with ALD_LONG 40 */
    } cases[] = {
        {"quadratic", "save", "n_slices=5", 1, 0.95, 40},
        {"quadratic", "dr", "", 1, 0.965, 40},
        {"rational", "dr", "", 2, 0.95, 40},
        {"quadratic", "phd", "", 1, 0.93, 40},
        {"quadratic", "phd", "variant=response", 1, 0.93, 40},
        {"quadratic", "contour", "", 1, 0.9, 40},
        {"rational", "contour", "", 2, 0.8, 40},
        {"product", "opg", "", 2, 0.955, 6},
        {"product", "mave", "", 2, 0.96, 6},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double found = recovery(cases[i].set, cases[i].method, cases[i].more, cases[i].r,
                                      getenv("ALD_LONG") ? 40 : cases[i].draws);
        print_message("%s by %s %s: %.3f\n", cases[i].set, cases[i].method, cases[i].more, found);
        assert_true(found >= cases[i].least);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_directions_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
