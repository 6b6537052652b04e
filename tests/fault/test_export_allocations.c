/* Every allocation of an export is made to fail once, in each format: linear maps with categories, missing
 * cells and intervals, kernels with neighbours, row steps. */
#include "support/failing.h"

static ald_status use_export(const plan *p, session *s)
{
    static const char *const formats[] = {"c", "onnx", "sql", "json"};
    const ald_calibration_options folds = {.size = sizeof folds, .folds = 2};
    STEP(failing_begin(p, s, 1));
    STEP(ald_fit_dataset(s->context, s->settings, s->data, &s->model, &s->error));
    STEP(ald_calibrate(s->context, s->model, ald_dataset_x(s->data), ald_dataset_target(s->data), &folds,
                       &s->loaded, &s->error));
    for (int i = 0; i < 4; i++) {
        const ald_export_options options = {
            .size = sizeof options,
            .format = formats[i],
            .keep = i == 2 ? "u,\"a \"\"b\"\"\"" : NULL,
        };
        const ald_status status =
            ald_model_export(s->context, s->loaded, failing_output("m.out"), &options, &s->error);
        if (status != ALD_ERROR_UNSUPPORTED) STEP(status);
        STEP(ald_model_can_export(s->context, s->loaded, formats[3], &s->error));
    }
    return ALD_OK;
}

static const char table[] = "u,colour,v,w,y\n1,red,2,3,k\n2,blue,,1,l\n3,,5,2,k\n4,red,4,4,l\n5,blue,1,2,"
                            "l\n6,red,2,5,k\n3,blue,1,1,l\n";
static const char numbers[] = "u,v,w,y\n1,2,3,1\n2,3,1,2.5\n3,5,2,3\n4,4,4,4.5\n5,1,2,5\n6,2,5,7\n3,1,1,2\n";

static void linear_with_categories(void **state)
{
    (void)state;
    const plan classes = {
        .file = failing_input("c.csv", table),
        .method = "lda",
        .set = "n_components=1 predictor=gaussian ridge=0.1",
        .to = "m.out",
        .load = {.target = "y", .missing = "mean"},
        .use = use_export,
    };
    failing_each(&classes);
}

static void kernel_with_neighbours(void **state)
{
    (void)state;
    const plan responses = {
        .file = failing_input("n.csv", numbers),
        .method = "kpls",
        .set = "n_components=1 predictor=knn rows=msc+savgol:3:1:0",
        .to = "m.out",
        .load = {.target = "y"},
        .use = use_export,
    };
    failing_each(&responses);
}

static void linear_with_steps(void **state)
{
    (void)state;
    const plan responses = {
        .file = failing_input("s.csv", numbers),
        .method = "pls",
        .set = "n_components=1 predictor=linear rows=snv+detrend:1 scale=standard",
        .to = "m.out",
        .load = {.target = "y"},
        .use = use_export,
    };
    failing_each(&responses);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_with_categories),
        cmocka_unit_test(kernel_with_neighbours),
        cmocka_unit_test(linear_with_steps),
    };
    return failing_main(tests);
}
