/* Columns whose squares are no numbers: methods that do not mind the units of columns bring them to size, the
 * others say what is so, and what they advise helps. */
#include "support/fitting.h"
#include "support/storages.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { n = 60, d = 4 };

static void draw(double x[n * d], int32_t classes[n])
{
    ald_random random;
    ald_random_seed(&random, 3, 1);
    for (int i = 0; i < n; i++) {
        classes[i] = i % 3;
        for (int j = 0; j < d; j++)
            x[i * d + j] =
                (j + 1) * ald_random_normal(&random) + (j == i % 3 ? 3.0 + j : 0.0) + 0.5 * x[i * d];
    }
}

/* Columns times 2^powers. */
static ald_model *fit_sized(const char *method, const char *set, const int powers[d], int storage)
{
    double x[n * d] = {0};
    int32_t classes[n];
    draw(x, classes);
    for (int i = 0; i < n * d; i++) x[i] = ldexp(x[i], powers[i % d]);
    const ald_target target = ald_target_classes(classes, n, 3);
    support_matrix view = support_storage(storage, x, n, d);
    ald_model *model = support_fit(method, set, &view.view, &target);
    support_storage_free(&view);
    return model;
}

static double scale_of(const ald_model *model, int j)
{
    ald_array scale;
    return ald_model_array(model, "scale", &scale) ? ((const double *)scale.data)[j] : 1.0;
}

/* The weights in the units of the data, times the units, are those of the plain columns. */
static void assert_same_weights(const char *method, const ald_model *plain, const ald_model *sized,
                                const int powers[d])
{
    int64_t rows, other;
    const double *one = support_reals(plain, "components", &rows),
                 *two = support_reals(sized, "components", &other);
    assert_int_equal(rows, other);
    for (int64_t i = 0; i < rows * d;
         i++) { /* the sign goes by the largest entry, which may be another one */
        const int j = (int)(i % d);
        const double sign = one[i - j] * two[i - j] < 0.0 ? -1.0 : 1.0;
        const double weight = sign * ldexp(two[i] / scale_of(sized, j), powers[j]);
        if (!(fabs(weight - one[i]) <= 1e-9 * support_norm(rows * d, one)))
            fail_msg("%s: weight %d is %.10g instead of %.10g", method, (int)i, weight, one[i]);
    }
}

static void extreme_columns_keep_their_weight(void **state)
{
    (void)state;
    static const char *const methods[] = {"lda", "cca", "opls", "sir", "save"};
    static const int powers[][d] = {
        {531, 0, 0, 0},
        {0, 0, 1000, -600},
        {540, 540, 540, 540},
        {-560, -560, -560, -560},
    };
    static const int none[d] = {0};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        ald_model *plain = fit_sized(methods[m], "n_components=2", none, 0);
        for (size_t p = 0; p < sizeof powers / sizeof *powers; p++) {
            ald_model *sized = fit_sized(methods[m], "n_components=2", powers[p], 0);
            assert_same_weights(methods[m], plain, sized, powers[p]);
            ald_model_free(sized);
        }
        ald_model_free(plain);
    }
}

/* Columns of an ordinary size, 2^299, are left alone. */
static void ordinary_columns_are_left(void **state)
{
    (void)state;
    static const int powers[d] = {290, 0, -290, 0};
    ald_array scale;
    ald_model *model = fit_sized("lda", "n_components=2", powers, 0);
    assert_false(ald_model_array(model, "scale", &scale));
    ald_model_free(model);
}

static void try_size(const char *method, const char *set, int power, ald_status *status, char *message,
                     size_t size)
{
    double x[n * d] = {0};
    int32_t classes[n];
    ald_context *context = support_context(1, NULL);
    ald_settings *settings = support_settings(context, method, set);
    ald_model *model;
    ald_error error;
    draw(x, classes);
    for (int i = 0; i < n * d; i++) x[i] = ldexp(x[i], power > 0 && i % d != 1 ? 0 : power);
    const ald_matrix view = ald_matrix_row_major(x, n, d, d);
    const ald_target target = ald_target_classes(classes, n, 3);
    *status = ald_fit(context, settings, &view, &target, &model, &error);
    snprintf(message, size, "%s", *status < 0 ? error.message : "");
    ald_model_free(model);
    ald_settings_free(settings);
    ald_context_free(context);
}

static void the_message_says_what_is_so(void **state)
{
    (void)state;
    char message[sizeof((ald_error *)0)->message];
    ald_status status;
    for (int m = 0; m < ald_method_count(); m++) {
        const ald_method *method = ald_method_at(m);
        const char *name = ald_method_name(method);
        if (!(ald_method_capabilities(method) & ALD_CAN_CLASSES)) continue;
        for (int power = -600; power <= 600; power += 1200) {
            try_size(name, "n_components=1", power, &status, message, sizeof message);
            if (status < 0 && (!strstr(message, "to be squared") || !strstr(message, "scale=standard")))
                fail_msg("%s, 2^%d: %s", name, power, message);
            if (status < 0 && power > 0) assert_non_null(strstr(message, "column 2"));
            try_size(name, "n_components=1 scale=standard", power, &status, message, sizeof message);
            if (status < 0) fail_msg("%s, 2^%d, scaled: %s", name, power, message);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(extreme_columns_keep_their_weight),
        cmocka_unit_test(ordinary_columns_are_left),
        cmocka_unit_test(the_message_says_what_is_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
