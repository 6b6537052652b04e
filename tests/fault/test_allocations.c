/* Every allocation of a whole session is made to fail once: read, fit, save, load, transform, evaluate, plot,
 * write; and survey, fit in blocks, update; with every way that a method can go. (jansson's own allocations
 * are left alone: version 2.14 frees a wrong pointer when one of them fails.) */
#include "support/failing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static ald_status use(const plan *p, session *s)
{
    const ald_load_options alike = {.size = sizeof alike};
    ald_load_options like = alike;
    ald_score scores[8] = {ALD_SCORE_INIT};
    int count;
    STEP(failing_begin(p, s, 2));
    STEP(ald_fit_dataset(s->context, s->settings, s->data, &s->model, &s->error));
    STEP(ald_model_save(s->context, s->model, failing_output("model.ald"), &s->error));
    STEP(ald_model_load(s->context, failing_output("model.ald"), &s->loaded, &s->error));
    like.like = s->loaded;
    STEP(ald_dataset_load(s->context, p->file, &like, &s->again, &s->error));
    const ald_matrix *x = ald_dataset_x(s->again);
    double *z = malloc((size_t)(x->rows * ald_model_component_count(s->loaded)) * sizeof *z);
    ald_status status = ald_transform(s->context, s->loaded, x, z, &s->error);
    if (status >= 0)
        status = ald_write_matrix(s->context, failing_output("z.csv"), z, x->rows,
                                  ald_model_component_count(s->loaded), NULL, &s->error);
    free(z);
    STEP(status);
    STEP(ald_evaluate(s->context, s->loaded, x, ald_dataset_target(s->again), scores, 8, &count, &s->error));
    STEP(ald_plot(s->context, s->loaded, s->data, s->again, NULL, &s->svg, &s->error));
    STEP(ald_convert(s->context, p->file, failing_output(p->to), NULL, &s->error));
    const ald_split_file_options split = {.size = sizeof split, .train = 0.7, .seed = 3};
    return ald_split_file(s->context, p->file, &split, failing_output("train.csv"),
                          failing_output("test.csv"), NULL, NULL, &s->error);
}

/* For models that know their own rows only. */
static ald_status fit_and_plot(const plan *p, session *s)
{
    STEP(failing_begin(p, s, 2));
    STEP(ald_fit_dataset(s->context, s->settings, s->data, &s->model, &s->error));
    STEP(ald_model_save(s->context, s->model, failing_output("model.ald"), &s->error));
    STEP(ald_model_load(s->context, failing_output("model.ald"), &s->loaded, &s->error));
    return ald_plot(s->context, s->loaded, s->data, NULL, NULL, &s->svg, &s->error);
}

/* What a predictor does, from learning to a file of its predictions. */
static ald_status use_predictor(const plan *p, session *s)
{
    static const char *const texts[] = {"a", "b", "c", NULL}, *const header[] = {"y"};
    static const char *const *const levels[] = {texts};
    double classes[16], scores[48], raw[4], covariance[4];
    double intercept[3];
    int64_t counts[9];
    ald_score figures[8] = {ALD_SCORE_INIT};
    ald_subspace_result result = ALD_SUBSPACE_RESULT_INIT;
    ald_map_difference difference = ALD_MAP_DIFFERENCE_INIT;
    ald_angles_result angles = ALD_ANGLES_RESULT_INIT;
    unsigned char *gathered;
    size_t size;
    int count;
    STEP(failing_begin(p, s, 1));
    STEP(ald_fit_dataset(s->context, s->settings, s->data, &s->model, &s->error));
    const ald_matrix *x = ald_dataset_x(s->data);
    const ald_target *y = ald_dataset_target(s->data);
    assert_true(x->rows <= 16);
    STEP(ald_predict_scores(s->context, s->model, x, scores, &s->error));
    STEP(ald_predict(s->context, s->model, x, classes, &s->error));
    STEP(ald_score_predictions(s->context, y, classes, 1, figures, 8, &count, &s->error));
    const ald_score_options scored = {.size = sizeof scored, .scores = scores, .n_scores = 3};
    STEP(ald_score_predictions_with(s->context, y, classes, 1, &scored, figures, 8, &count, &s->error));
    STEP(ald_confusion(s->context, y, classes, 3, counts, &s->error));
    STEP(ald_dataset_gather_target(s->context, s->data, &s->again, &s->error));
    STEP(ald_ranks_gather(s->context, ALD_OK, classes, sizeof classes, &gathered, &size, &s->error));
    ald_bytes_free(s->context, gathered);
    const ald_matrix known = ald_matrix_row_major(scores, 1, x->cols, x->cols);
    STEP(ald_subspace_distance(s->context, s->model, &known, &result, &s->error));
    STEP(ald_model_difference(s->context, s->model, s->model, &difference, &s->error));
    STEP(ald_model_angles(s->context, s->model, s->model, x, y, raw, covariance, &angles, &s->error));
    STEP(ald_subspace_angles(s->context, s->model, &known, NULL, NULL, raw, covariance, &angles, &s->error));
    if (ald_coefficients_count(s->model) > 0)
        STEP(ald_coefficients(s->context, s->model, scores, intercept, NULL, &s->error));
    return ald_write_table(s->context, failing_output(p->to), classes, x->rows, 1, header, levels, &s->error);
}

/* One thread: the ledger counts in order. */
static ald_status use_in_blocks(const plan *p, session *s)
{
    ald_load_options load = p->load;
    int64_t rows;
    load.size = sizeof load;
    s->spares = !load.keep_rows || strcmp(load.keep_rows, "none") != 0;
    STEP(failing_context(s, 1));
    STEP(ald_dataset_survey(s->context, p->file, &load, &s->data, &rows, &s->error));
    STEP(failing_settings(p, s));
    STEP(ald_fit_stream(s->context, s->settings, p->file, &load, s->data, &s->model, &s->error));
    if (!p->more) return ALD_OK;
    const ald_load_options like = {
        .size = sizeof like,
        .like = s->model,
        .with_weights = 1,
        .new_classes = 1,
    };
    STEP(ald_dataset_load(s->context, p->more, &like, &s->again, &s->error));
    return ald_update(s->context, s->model, s->again, 0, &s->loaded, &s->error);
}

static void every_predictor(void)
{
    static const char *const sets[] = {
        "predictor=linear",
        "predictor=ridge",
        "predictor=one-vs-rest",
        "predictor=centroid",
        "predictor=gaussian",
        "predictor=logistic",
        "predictor=knn predictor_neighbors=3",
    };
    const char *file =
        failing_input("a.csv", "u,v,w,y\n1,2,1,a\n2,1,2,b\n3,0,1,a\n4,4,1,b\n5,1,3,c\n6,2,1,c\n7,7,2,c\n");
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        const plan p = {
            file, "pls", sets[i], "out.csv", {.target = "y", .weights = "w"}, NULL, use_predictor,
        };
        failing_each(&p);
    }
}

/* Ids, columns that are kept, decimal commas, dates, codes, marks, categories that are new. */
static ald_status use_a_table(const plan *p, session *s)
{
    ald_load_options like = {.size = sizeof like, .missing = "drop", .keep = "d,c"};
    STEP(failing_begin(p, s, 1));
    STEP(ald_fit_dataset(s->context, s->settings, s->data, &s->model, &s->error));
    STEP(ald_model_first(s->context, s->model, 1, &s->loaded, &s->error));
    like.like = s->loaded;
    return ald_dataset_load(s->context, p->more, &like, &s->again, &s->error);
}

static void mixed_table(void **state)
{
    (void)state;
    const plan p = {
        failing_input("t.csv", "id;d;c;z;a;y\nr1;2024-01-05;u;01;1,5;1,5\nr2;2024-02-01;v;10;2;2,5\n"
                               "r3;2024-02-02;v;01;-;3,5\nr4;2024-03-05;w;10;1;2,25\n"),
        "pls",
        "n_components=2 predictor=linear",
        "out.csv",
        {.target = "y", .id = "id", .dates = "numbers", .na = "-", .missing = "mean", .decimal = "comma"},
        failing_input("n.csv", "id;d;c;z;a\nn1;2025-01-05;new;01;1,5\nn2;2025-02-01;v;10;-\n"),
        use_a_table,
    };
    failing_each(&p);
    const plan turned = {
        failing_input("g.csv", "gene,s1,s2,s3\ny,1.5,2.5,3\nA,1,2,5\nB,4,-,6\nC,u,v,u\n"),
        "pls",
        "n_components=2 predictor=linear",
        "out.csv",
        {.target = "y", .transpose = 1, .missing = "mean"},
        failing_input("h.csv", "gene,s1\nA,1\nd,1\nc,2\nB,4\nC,w\n"),
        use_a_table,
    };
    failing_each(&turned);
}

static void csv_with_classes(void **state)
{
    (void)state;
    const plan p = {
        failing_input("a.csv",
                      "u,v,colour,y\n1,2,red,a\n2,1,blue,b\n3,,red,a\n4,4,green,b\n5,1,blue,b\n6,2,red,a\n"),
        "pls",
        "n_components=2 predictor=centroid scale=standard",
        "out.tsv",
        {.target = "y", .missing = "mean"},
        NULL,
        use,
    };
    failing_each(&p);
    every_predictor();
}

static void sparse_with_numbers(void **state)
{
    (void)state;
    const plan p = {
        failing_input("b.svm", "1.5 1:1 3:2\n2.5 2:1\n3 1:4 2:2\n4.25 3:1\n0 1:1 2:1 3:1\n"),
        "pls",
        "n_components=2 predictor=linear row_scale=unit algorithm=nipals",
        "out.svm",
        {0},
        NULL,
        use,
    };
    failing_each(&p);
}

static void steps_of_rows(void **state)
{
    (void)state;
    const plan p = {
        failing_input("g.csv",
                      "a,b,c,d,y\n1,2,4,3,1\n2,1,5,2,3\n3,0,1,2,2\n4,4,2,6,5\n5,1,3,3,4\n6,2,1,5,8\n"),
        "pls",
        "n_components=1 predictor=linear rows=detrend:1+msc+savgol:3:1 keep_statistics=1",
        "out.tsv",
        {.target = "y", .block_bytes = 30, .keep_rows = "none"},
        failing_input("h.csv", "a,b,c,d,y\n1,3,2,1,1\n2,5,7,2,2\n7,1,1,4,5\n"),
        use_in_blocks,
    };
    failing_each(&p);
}

static void cells_without_a_value(void **state)
{
    (void)state;
    const char *file = failing_input("i.csv", "a,b,c,y\n1,2,4,1\n2,,5,2\n,1,1,2\n5,5,,4\n7,5,1,4\n4,4,3,3\n");
    const plan p = {
        file,
        "pls",
        "n_components=1 predictor=linear gaps=1",
        "out.tsv",
        {.target = "y", .missing = "nipals"},
        NULL,
        use,
    };
    failing_each(&p);
}

static void arff_by_lanczos(void **state)
{
    (void)state;
    const plan p = {
        failing_input("c.arff", "@relation r\n@attribute a numeric\n@attribute b {x,z}\n@attribute c "
                                "numeric\n@data\n1,x,2\n2,z,1\n3,x,5\n4,z,3\n?,x,9\n"),
        "pca",
        "n_components=2 solver=lanczos predictor=linear",
        "out.csv.gz",
        {.target = "c", .missing = "drop", .encode = "ordinal"},
        NULL,
        use,
    };
    failing_each(&p);
}

static void csv_in_blocks(void **state)
{
    (void)state;
    plan p = {
        failing_input(
            "d.csv",
            "u,v,colour,w,y\n1,2,red,1,a\n2,1,blue,2,b\n3,,red,1,a\n4,4,green,3,b\n5,1,,1,b\n6,2,red,1,a\n"),
        "lda",
        "n_components=1 predictor=centroid scale=standard ridge=1 keep_statistics=1",
        "out.tsv",
        {.target = "y", .missing = "mean", .weights = "w", .block_bytes = 30, .keep_rows = "none"},
        failing_input("e.csv", "u,v,colour,w,y\n1,3,red,1,c\n2,5,blue,2,b\n7,1,red,1,c\n"),
        use_in_blocks,
    };
    failing_each(&p);
    p.load.keep_rows = "file";
    failing_each(&p);
}

static void class_scatters_and_slices_in_blocks(void **state)
{
    (void)state;
    const char *file =
        failing_input("f.csv", "u,v,k,y\n1,2,a,.5\n2,1,b,1\n3,3,a,2\n4,4,b,1.5\n5,1,b,3\n6,2,a,4\n7,5,b,5\n");
    const plan cfml = {
        file,
        "cfml",
        "n_components=1 keep_statistics=1",
        "out.tsv",
        {.target = "k", .ignore = "y", .block_bytes = 30, .keep_rows = "none"},
        file,
        use_in_blocks,
    };
    const plan sir = {
        file,
        "sir",
        "n_components=1 n_slices=3 keep_statistics=1 ridge=1",
        "out.tsv",
        {.target = "y", .ignore = "k", .task = "regression", .block_bytes = 30, .keep_rows = "none"},
        file,
        use_in_blocks,
    };
    const plan phd = {
        file,
        "phd",
        "n_components=1 ridge=1",
        "out.tsv",
        {.target = "y", .ignore = "k", .task = "regression", .block_bytes = 30},
        NULL,
        use_in_blocks,
    };
    plan kept = phd;
    kept.set = "n_components=1 ridge=1 variant=response keep_statistics=1";
    kept.more = file;
    failing_each(&cfml);
    failing_each(&sir);
    failing_each(&phd);
    failing_each(&kept);
}

static void wide_rows_in_passes(void **state)
{
    (void)state;
    const plan p = {
        failing_input("g.svm", "1 1:1 5003:2\n2 2:1 7:1\n1 1:4 2:2\n2 3:1 5002:1\n1 1:1 2:1 3:1\n"),
        "lda",
        "n_components=1 ridge=1 max_iter=3 tol=1e-2 predictor=centroid scale=standard",
        "out.svm",
        {.block_bytes = 30},
        NULL,
        use_in_blocks,
    };
    failing_each(&p);
}

/* What a method may be given here, by the word in the table below. */
static plan plan_of(const char *rows)
{
    static const struct {
        const char *rows, *name, *text, *target, *task;
    } files[] = {
        {"classes", "a.csv", "u,v,y\n1,2,a\n2,1,b\n3,7,a\n4,4,b\n5,1,b\n6,2,a\n", "y", NULL},
        {"numbers", "h.csv", "u,v,w,y\n1,2,1,1\n2,1,3,2\n3,5,1,4\n4,4,2,3\n5,1,6,7\n6,2,1,5\n7,3,2,6\n", "y",
         "regression"},
        {"ring", "i.csv",
         "u,v,w,y\n0,1,.1,a\n.5,.9,.2,a\n.9,.5,0,b\n1,0,.3,b\n.9,-.4,.1,b\n.5,-.9,.2,a\n0,-1,.4,b\n-.5,-.8,."
         "1,a\n"
         "-.9,-.4,.2,a\n-1,.1,0,b\n-.8,.5,.3,b\n-.4,.9,.2,a\n",
         "y", NULL},
        {"labels", "l.csv", "u,v,w,p,q\n1,2,1,1,0\n2,1,3,0,1\n3,5,1,1,1\n4,4,2,0,0\n5,1,6,0,1\n6,2,1,1,0\n",
         "p,q", NULL},
        {"sparse", "b.svm", "1.5 1:1 3:2\n2.5 2:1\n3 1:4 2:2\n4.25 3:1\n0 1:1 2:1 3:1\n", NULL, NULL},
    };
    size_t k = 0;
    while (strcmp(files[k].rows, rows) != 0) k++;
    return (plan){
        .file = failing_input(files[k].name, files[k].text),
        .to = "out.tsv",
        .load = {.target = files[k].target, .task = files[k].task},
        .use = use,
    };
}

/* Every way a method can go: a line each. */
static const struct {
    const char *rows, *method, *set;
} ways[] = {
    {"classes", "kspca", "n_components=2 predictor=linear scale=minmax"},
    {"classes", "kspca", "n_components=1 solver=randomized response_kernel=delta predictor=linear"},
    {"classes", "kpca",
     "n_components=2 kernel=laplacian landmarks=4 landmark_choice=kmeans predictor=linear"},
    {"classes", "kfda", "n_components=1 landmarks=4 landmark_choice=leverage predictor=linear"},
    {"classes", "kcca", "n_components=1 features=5 kernel_width=9 ridge_rel=0.1 predictor=linear"},
    {"sparse", "kpls", "n_components=2 kernel=polynomial degree=2 predictor=linear"},
    {"sparse", "kplssb", "n_components=1 kernel=cosine landmarks=3 predictor=linear"},
    {"classes", "ksdpp", "n_components=1 n_neighbors=3 n_starts=2 max_iter=20 predictor=linear"},
    {"classes", "ksdpp", "n_components=1 n_neighbors=3 n_starts=1 landmarks=4 solver=cg predictor=linear"},
    {"sparse", "ksdpp", "n_components=1 n_neighbors=3 n_starts=1 features=5 solver=cg predictor=linear"},
    {"sparse", "ksdpp",
     "n_components=1 n_neighbors=3 n_starts=1 solver=cg response_kernel=rbf predictor=linear"},
    {"numbers", "kdr", "n_components=1 n_starts=3 n_stages=2 predictor=linear"},
    {"numbers", "kdr", "n_components=1 n_starts=2 n_stages=2 rank=4 predictor=linear"},
    {"numbers", "gkdr", "n_components=2 predictor=linear"},
    {"numbers", "sdpp", "n_components=1 n_neighbors=2 n_starts=2 max_iter=3 predictor=linear"},
    {"numbers", "sdpp",
     "n_components=1 n_neighbors=2 solver=first-order max_iter=10 manifold=0.1 predictor=linear"},
    {"numbers", "sdpp",
     "n_components=1 n_neighbors=2 divergence=kl n_starts=1 penalty=l21 max_iter=3 predictor=linear"},
    {"ring", "rsir", "n_components=1 n_neighbors=3 n_starts=2 predictor=centroid"},
    {"ring", "rsir", "n_components=1 graph=full predictor=centroid"},
    {"ring", "lsir", "n_components=1 n_neighbors=3 predictor=centroid"},
    {"ring", "mkdr", "n_components=1 n_basis=4 n_neighbors=3 predictor=centroid"},
    {"ring", "cmvu", "n_components=1 n_basis=4 n_neighbors=2 predictor=centroid"},
    {"sparse", "sdpp",
     "n_components=1 n_neighbors=2 solver=cg n_starts=1 max_iter=3 ridge_rel=0.1 predictor=linear"},
    {"numbers", "dr", "n_components=1 n_slices=3 predictor=linear"},
    {"sparse", "dr", "n_components=1 n_slices=2 predictor=linear"},
    {"numbers", "opg", "n_components=1 max_iter=2 centres=4 predictor=linear"},
    {"classes", "mave", "n_components=1 max_iter=2 predictor=linear"},
    {"classes", "lfda", "n_components=1 n_neighbors=1 predictor=linear"},
    {"ring", "lfda", "n_components=1 predictor=centroid"},
    {"classes", "nca", "n_components=1 max_iter=3 predictor=linear"},
    {"sparse", "mlkr", "n_components=1 n_starts=2 max_iter=3 predictor=linear"},
    {"numbers", "spls", "n_components=2 n_features=2,1 predictor=linear"},
    {"numbers", "lasso-sir", "n_components=1 n_slices=2 predictor=linear"},
    {"sparse", "lasso-sir", "n_components=1 n_slices=2 penalty=0.1 n_screen=2 predictor=linear"},
    {"classes", "orthogonal-pls", "n_components=2 predictor=linear"},
    {"numbers", "lspca", "n_components=1 max_iter=3 predictor=linear"},
    {"classes", "lspca", "n_components=1 max_iter=2 predictor=linear"},
    {"numbers", "ism", "n_components=1 max_iter=2 predictor=linear"},
    {"labels", "mddm", "n_components=1 response_kernel=rbf predictor=linear"},
    {"labels", "mddm", "n_components=1 constraint=feature predictor=linear"},
    {"numbers", "pfc", "n_components=1 error=diagonal predictor=linear"},
    {"classes", "lad", "n_components=1 predictor=linear"},
};

static void methods_in_turn(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        plan p = plan_of(ways[k].rows);
        if (strcmp(ways[k].rows, "ring") == 0 &&
            ald_method_capabilities(ald_method_find(ways[k].method)) & ALD_CAN_MAP_NEW_ROWS)
            p.load.unlabelled_file = failing_input("j.csv", "v,u,w\n.2,.3,.1\n-.7,.6,0\n");
        p.method = ways[k].method;
        p.set = ways[k].set;
        failing_each(&p);
    }
}

static void graph_kernels(void **state)
{
    (void)state;
    static const char *const sets[] = {
        "kernel=isomap n_neighbors=1 n_components=1",
        "kernel=lle n_neighbors=2",
        "kernel=laplacian-eigenmaps n_neighbors=2 response_kernel=delta n_components=1",
    };
    for (size_t k = 0; k < sizeof sets / sizeof *sets; k++) {
        const plan p = {
            failing_input("a.csv", "u,v,y\n1,2,a\n2,1,b\n3,7,a\n4,4,b\n5,1,b\n6,2,a\n"),
            "kspca",
            sets[k],
            "out.tsv",
            {.target = "y"},
            NULL,
            fit_and_plot,
        };
        failing_each(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mixed_table),           cmocka_unit_test(csv_with_classes),
        cmocka_unit_test(sparse_with_numbers),   cmocka_unit_test(steps_of_rows),
        cmocka_unit_test(cells_without_a_value), cmocka_unit_test(arff_by_lanczos),
        cmocka_unit_test(csv_in_blocks),         cmocka_unit_test(class_scatters_and_slices_in_blocks),
        cmocka_unit_test(wide_rows_in_passes),   cmocka_unit_test(methods_in_turn),
        cmocka_unit_test(graph_kernels),
    };
    return failing_main(tests);
}
