/* Arrays (copied and only looked at), bytes, outliers, derived contexts, strided outputs, fits with fewer
 * components than were asked for and merged models, with an allocation that fails, at every place in turn. */
#include "support/failing.h"

/* Frees the bytes whatever became of the reading: the ledger counts what is left. */
static ald_status through_bytes(session *s)
{
    unsigned char *bytes;
    size_t size;
    STEP(ald_model_to_bytes(s->context, s->model, &bytes, &size, &s->error));
    const ald_status status = ald_model_from_bytes(s->context, bytes, size, &s->loaded, &s->error);
    ald_bytes_free(s->context, bytes);
    return status;
}

static ald_status with_derived(session *s, const ald_matrix *x)
{
    float z[16];
    double t2[16], q[16];
    ald_context *derived, *logging;
    const ald_output_view out = {
        .type = ALD_F32,
        .rows = x->rows,
        .cols = 1,
        .values = z,
        .row_stride = 1,
        .col_stride = x->rows,
    };
    STEP(ald_context_with_log(s->context, NULL, NULL, &logging, &s->error));
    ald_status status = ald_context_with_progress(logging, NULL, NULL, &derived, &s->error);
    ald_context_free(logging);
    if (status < 0) return status;
    status = ald_transform_to(derived, s->loaded, x, &out, &s->error);
    if (status >= 0) status = ald_outliers(derived, s->loaded, x, t2, q, NULL, &s->error);
    ald_context_free(derived);
    return status;
}

static ald_status with_columns(session *s)
{
    static const double numbers[] = {1, 2, 3, 4};
    static const char *const levels[] = {"a", "007", "b"};
    static const int64_t codes[] = {0, 1, -1, 2};
    const ald_table_column columns[] = {
        {.size = sizeof *columns, .name = "x", .numbers = numbers},
        {.size = sizeof *columns, .name = "t", .levels = levels, .n_levels = 3, .codes = codes},
    };
    const ald_load_options options = {
        .size = sizeof options,
        .missing = "mean",
        .id = "x",
        .categorical = "t",
    };
    STEP(ald_dataset_from_columns(s->context, columns, 2, 4, &options, &s->again, &s->error));
    ald_dataset_free(s->again);
    s->again = NULL;
    return ALD_OK;
}

static ald_status use_arrays(const plan *p, session *s)
{
    static const char *const features[] = {"a", "b", "c"};
    static const char *const rows[] = {"1", "2", "3", "4", "5", "6", "7", "8"};
    STEP(failing_begin(p, s, 1));
    const ald_inputs inputs = {
        .size = sizeof inputs,
        .x = ald_dataset_x(s->data),
        .y = ald_dataset_target(s->data),
        .feature_names = features,
        .row_names = rows,
        .target_name = "y",
    };
    STEP(with_columns(s));
    STEP(ald_dataset_from_arrays(s->context, &inputs, 0, &s->again, &s->error));
    assert_ptr_equal(ald_dataset_x(s->again)->values, inputs.x->values);
    ald_dataset_free(s->again);
    s->again = NULL;
    STEP(ald_dataset_from_arrays(s->context, &inputs, 1, &s->again, &s->error));
    assert_ptr_not_equal(ald_dataset_x(s->again)->values, inputs.x->values);
    STEP(ald_fit_inputs(s->context, s->settings, &inputs, &s->model, &s->error));
    STEP(through_bytes(s));
    ald_model_free(s->model);
    s->model = NULL;
    STEP(ald_fit_words(s->context, "pca n_components=1 scale=standard", &inputs, &s->model, &s->error));
    return with_derived(s, ald_dataset_x(s->again));
}

static void arrays_and_bytes(void **state)
{
    (void)state;
    const char *file = failing_input(
        "a.csv", "id,u,v,w,y\n1,1,2,.5,k\n2,2,1,.3,l\n3,3,5,1,k\n4,4,4,.2,m\n5,5,1,.9,l\n6,6,2,.1,m\n"
                 "7,7,3,2,k\n8,1,6,3,l\n");
    const plan one = {
        file, "pls",      "n_components=1 outlier_limits=1", "out.ald", {.target = "y", .id = "id"},
        NULL, use_arrays,
    };
    const plan sparse = {
        failing_input("a.svm",
                      "1 1:1 3:2\n2 2:1\n1 1:4 2:2\n2 3:1\n1 1:1 2:1 3:1\n2 1:2 3:1\n1 3:3\n2 2:2 3:1\n"),
        "pca",
        "n_components=1 outlier_limits=1",
        "out.ald",
        {0},
        NULL,
        use_arrays,
    };
    failing_each(&one);
    failing_each(&sparse);
}

static ald_status use_errors(const plan *p, session *s)
{
    const ald_calibration_options options = {.size = sizeof options, .folds = 4};
    unsigned char sets[16];
    STEP(failing_begin(p, s, 1));
    const ald_matrix *x = ald_dataset_x(s->data);
    const ald_target *y = ald_dataset_target(s->data);
    STEP(ald_fit(s->context, s->settings, x, y, &s->model, &s->error));
    STEP(ald_calibrate(s->context, s->model, x, y, &options, &s->loaded, &s->error));
    STEP(ald_predict_sets(s->context, s->loaded, x, 0.5, sets, &s->error));
    ald_model_free(s->model);
    s->model = NULL;
    return ald_update(s->context, s->loaded, s->data, 0, &s->model, &s->error);
}

static void calibrated_models(void **state)
{
    (void)state;
    const plan one = {
        failing_input("a.csv", "u,v,y\n1,2,k\n2,1,l\n3,5,k\n4,4,l\n5,1,k\n6,2,l\n7,3,k\n8,6,l\n"),
        "lda",
        "n_components=1 predictor=gaussian keep_statistics=1",
        "out.ald",
        {.target = "y"},
        NULL,
        use_errors,
    };
    failing_each(&one);
}

static ald_status fit_fewer(const plan *p, session *s)
{
    STEP(failing_begin(p, s, 1));
    const ald_inputs inputs = {
        .size = sizeof inputs,
        .x = ald_dataset_x(s->data),
        .y = ald_dataset_target(s->data),
    };
    STEP(ald_fit_inputs(s->context, s->settings, &inputs, &s->model, &s->error));
    assert_int_equal(ald_model_component_count(s->model), 2);
    assert_non_null(ald_model_text(s->model, "alidade.resolved.n_components"));
    ald_model_free(s->model);
    s->model = NULL;
    return ald_fit_dataset(s->context, s->settings, s->data, &s->model, &s->error);
}

static void fewer_components(void **state)
{
    (void)state;
    const char *file = failing_input(
        "f.csv", "u,v,w,y\n1,2,.5,k\n2,1,.3,l\n3,5,1,k\n4,4,.2,m\n5,1,.9,l\n6,2,.1,m\n7,3,2,k\n1,6,3,l\n");
    static const char *const methods[] = {"lda", "kfda", "cca"};
    for (int i = 0; i < 3; i++) {
        const plan p = {
            .file = file,
            .method = methods[i],
            .set = "n_components=3 components_rule=at-most ridge=0.1 predictor=centroid",
            .to = "fewer.ald",
            .load = {.target = "y"},
            .use = fit_fewer,
        };
        failing_each(&p);
    }
}

/* The model of a part and the same again, as if it were of other rows. */
static ald_status use_merging(const plan *p, session *s)
{
    ald_merging *sum;
    STEP(failing_begin(p, s, 1));
    STEP(ald_fit_dataset(s->context, s->settings, s->data, &s->model, &s->error));
    STEP(ald_merging_new(s->context, s->model, &sum, &s->error));
    ald_status status = ald_merging_add(sum, s->model, &s->error);
    if (status >= 0) status = ald_merging_fit(sum, &s->loaded, &s->error);
    ald_merging_free(sum);
    return status;
}

static void merging(void **state)
{
    (void)state;
    const plan p = {
        .file = failing_input("m.csv", "c,v,y\nr,2,a\ns,1,b\nr,5,a\ns,4,b\n"),
        .method = "lda",
        .set = "keep_statistics=1 n_components=1 ridge=0.1",
        .to = "merged.ald",
        .load = {.target = "y"},
        .use = use_merging,
    };
    failing_each(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calibrated_models),
        cmocka_unit_test(arrays_and_bytes),
        cmocka_unit_test(fewer_components),
        cmocka_unit_test(merging),
    };
    return failing_main(tests);
}
