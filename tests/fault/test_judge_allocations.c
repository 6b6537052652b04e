/* Every allocation of comparing, tuning and choosing is made to fail once. */
#include "base/core/error.h"
#include "support/failing.h"

#include <stdio.h>
#include <string.h>

/* What has no memory for its fit is told in its row. */
static ald_status first_failure(session *s)
{
    for (int i = 0; i < ald_comparison_count(s->comparison); i++) {
        const ald_comparison_row *row = ald_comparison_at(s->comparison, i);
        if (row->status < 0) return ald_fail(&s->error, row->status, "%s", row->reason);
    }
    return ALD_OK;
}

/* Several splits with groups, baselines, a fit that two candidates share, a file to resume from. */
static ald_status use_compare(const plan *p, session *s)
{
    static const int64_t dims[] = {1, 2};
    STEP(failing_begin(p, s, 1));
    const ald_settings *const settings[] = {s->settings};
    const ald_candidate candidates[] = {
        {.size = sizeof(ald_candidate), .kind = ALD_CANDIDATE_CONSTANT},
        {.size = sizeof(ald_candidate),
         .kind = ALD_CANDIDATE_FEATURES,
         .settings = settings,
         .n_settings = 1},
        {.size = sizeof(ald_candidate), .settings = settings, .n_settings = 1, .dims = dims, .n_dims = 2},
        {.size = sizeof(ald_candidate), .settings = settings, .n_settings = 1, .dims = dims, .n_dims = 2},
    };
    const ald_splits_options splits = {
        .size = sizeof(ald_splits_options),
        .splits = 2,
        .train = 0.7,
        .keep_duplicates = 1,
    };
    const ald_compare_options compare = {
        .size = sizeof(ald_compare_options),
        .candidates = candidates,
        .count = 4,
        .splits = &splits,
        .fill_missing = 1,
        .resume = failing_output(p->to),
    };
    STEP(ald_compare_dataset(s->context, s->data, &compare, &s->comparison, &s->error));
    STEP(first_failure(s));
    STEP(ald_comparison_text(s->context, s->comparison, &s->svg, &s->error));
    ald_text_free(s->context, s->svg);
    s->svg = NULL;
    return ald_plot_comparison(s->context, s->comparison, NULL, NULL, &s->svg, &s->error);
}

static void comparisons(void **state)
{
    (void)state;
    const plan dense = {
        failing_input("k.csv", "u,v,w,g,y\n1,2,3,1,1\n2,1,4,1,3\n3,,1,2,2\n4,4,2,3,5\n5,1,8,4,4\n6,2,7,5,7\n"
                               "7,5,5,5,6\n6,1,2,6,9\n5,4,3,7,8\n"),
        "pls",
        "scale=standard",
        "out.jsonl",
        {.target = "y", .groups = "g", .missing = "mean", .keep_missing = 1, .task = "regression"},
        NULL,
        use_compare,
    };
    const plan given = {
        dense.file,
        "kpca",
        "predictor=knn",
        "out.jsonl",
        {.target = "y",
         .ignore = "g",
         .split_file = failing_input("l.csv", "1\n1\n1\n2\n2\n2\n3\n3\n3\n"),
         .missing = "mean",
         .keep_missing = 1,
         .task = "regression"},
        NULL,
        use_compare,
    };
    const plan sparse = {
        failing_input("m.svm",
                      "1 1:1 3:2\n2 2:1\n1 1:4 2:2\n2 3:1\n1 1:1 2:1 3:1\n2 1:2 4:1\n1 3:3\n2 2:2 3:1\n"),
        "pca",
        "row_scale=unit",
        "out.jsonl",
        {0},
        NULL,
        use_compare,
    };
    const plan wide = {
        failing_input("n.csv",
                      "a,b,c,d,e,f,g,h,i,j,k,l,y\n1,2,3,1,4,2,6,1,5,2,1,3,1\n2,1,4,1,1,3,2,5,1,2,2,4,3\n"
                      "3,1,1,2,2,4,5,5,3,1,1,6,2\n4,4,2,3,1,1,7,6,2,6,3,2,5\n"
                      "5,1,8,4,3,2,1,2,4,3,5,1,4\n6,2,7,5,1,1,4,1,1,1,7,7,7\n"),
        "pls",
        "scale=standard",
        "out.jsonl",
        {.target = "y", .task = "regression"},
        NULL,
        use_compare,
    };
    failing_each(&dense);
    failing_each(&wide);
    failing_each(&given);
    failing_each(&sparse);
}

/* Two settings by cross-validation, which the sums of parts serve, the choosing judged, the model saved. */
static ald_status use_tune(const plan *p, session *s)
{
    static const int64_t dims[] = {1};
    STEP(failing_begin(p, s, 1));
    const ald_settings *const settings[] = {s->settings, s->settings};
    const ald_candidate candidate = {
        .size = sizeof(ald_candidate),
        .settings = settings,
        .n_settings = 2,
        .dims = dims,
        .n_dims = 1,
    };
    const ald_tune_options tune = {
        .size = sizeof(ald_tune_options),
        .candidate = &candidate,
        .inner = &(ald_splits_options){.size = sizeof(ald_splits_options), .folds = 2},
        .outer = &(ald_splits_options){.size = sizeof(ald_splits_options), .folds = 2},
        .fill_missing = 1,
    };
    STEP(ald_tune(s->context, s->data, &tune, &s->tuning, &s->model, &s->error));
    return ald_model_save(s->context, s->model, failing_output(p->to), &s->error);
}

/* Rows enough for sums to pay. */
static const char *many_rows(void)
{
    static char text[12000];
    int used = snprintf(text, sizeof text, "u,v,y\n");
    for (int i = 0; i < 640; i++)
        used += snprintf(text + used, sizeof text - (size_t)used, "%d,%d,%d\n", i * 37 % 101, i * 53 % 89,
                         i * i % 97);
    return text;
}

static void tunings(void **state)
{
    (void)state;
    const plan real = {
        failing_input("o.csv", many_rows()),   "sir", "scale=standard", "tuned.ald",
        {.target = "y", .task = "regression"}, NULL,  use_tune,
    };
    const plan classes = {
        failing_input("p.csv",
                      "u,v,w,y\n1,2,3,1\n2,1,4,2\n3,,1,1\n4,4,2,2\n5,1,8,1\n6,2,7,2\n7,5,5,1\n6,1,2,2\n"),
        "kpca",
        "predictor=knn",
        "tuned.ald",
        {.target = "y", .missing = "mean", .keep_missing = 1, .task = "classification"},
        NULL,
        use_tune,
    };
    failing_each(&real);
    failing_each(&classes);
}

/* No method is named. Three settings hold for all that is tried, and not every method has them. */
static ald_status use_usual(const plan *p, session *s)
{
    static const char *const fixed[] = {"scale=none", "ridge=0.1", "kernel_width=9", NULL};
    ald_search search = ALD_SEARCH_INIT;
    STEP(failing_begin(p, s, 1));
    search.settings = fixed;
    STEP(ald_fit_usual(s->context, s->data, &search, &s->model, &s->error));
    return ald_model_save(s->context, s->model, failing_output(p->to), &s->error);
}

/* Smooth rows with a column of categories: no row steps are tried, which such a column refuses. */
static const char *smooth_rows(void)
{
    static char text[8000];
    size_t used = 0;
    for (int j = 0; j < 30; j++) used += (size_t)snprintf(text + used, sizeof text - used, "w%d,", j);
    used += (size_t)snprintf(text + used, sizeof text - used, "kind,y\n");
    for (int i = 0; i < 12; i++) {
        for (int j = 0; j < 30; j++)
            used += (size_t)snprintf(text + used, sizeof text - used, "%d,", i * 37 % 101 * 100 + i * i * j);
        used += (size_t)snprintf(text + used, sizeof text - used, "%c,%d\n", 'a' + i % 2, i * i % 7);
    }
    return text;
}

static void fits_by_the_usual_search(void **state)
{
    (void)state;
    const plan p = {
        failing_input("u.csv", smooth_rows()), "pls", "",        "usual.ald",
        {.target = "y", .task = "regression"}, NULL,  use_usual,
    };
    failing_each(&p);
}

/* More components than there are, in every split: what is refused for that and what has no memory are two
 * things, of which the row tells the graver. By rows (lda: few of them) and by sums (pls). */
static ald_status use_too_many(const plan *p, session *s)
{
    static const int64_t dims[] = {1, 5};
    STEP(failing_begin(p, s, 1));
    const ald_settings *const settings[] = {s->settings};
    const ald_candidate candidate = {
        .size = sizeof candidate,
        .settings = settings,
        .n_settings = 1,
        .dims = dims,
        .n_dims = 2,
    };
    const ald_splits_options splits = {.size = sizeof splits, .folds = 3};
    const ald_compare_options compare = {
        .size = sizeof compare,
        .candidates = &candidate,
        .count = 1,
        .splits = &splits,
    };
    STEP(ald_compare_dataset(s->context, s->data, &compare, &s->comparison, &s->error));
    assert_true(ald_comparison_at(s->comparison, 1)->status < 0); /* there are no five */
    for (int i = 0; i < ald_comparison_count(s->comparison); i++)
        STEP(ald_comparison_at(s->comparison, i)->status == ALD_ERROR_MEMORY ? ALD_ERROR_MEMORY : ALD_OK);
    return ALD_OK;
}

static void too_many_components(void **state)
{
    (void)state;
    const plan few = {
        .file = failing_input("t.csv", "u,v,y\n1,2,k\n2,1,l\n3,5,k\n4,4,m\n5,1,l\n6,2,k\n3,1,m\n1,1,m\n"),
        .method = "lda",
        .set = "ridge=0.1",
        .load = {.target = "y"},
        .to = "out.tsv",
        .use = use_too_many,
    };
    plan many = {.method = "pls", .set = "", .load = {.target = "y"}, .to = "out.tsv", .use = use_too_many};
    many.file = failing_input("o.csv", many_rows());
    failing_each(&few);
    failing_each(&many);
}

/* How many directions, what they explain, which features, how stable: fits on two threads. */
static ald_status judge_directions(const plan *p, session *s)
{
    const ald_dimension_options look = {
        .size = sizeof look,
        .max_dims = 2,
        .permutations = 2,
        .level = 0.5,
        .every = 1,
    };
    const int linear = strcmp(p->method, "kpls") != 0;
    double frequency[3], permuted[3];
    const ald_stability_options draw = {
        .size = sizeof draw,
        .resamples = 2,
        .half = 1,
        .permuted = 1,
        .frequency = linear ? frequency : NULL,
        .permuted_frequency = linear ? permuted : NULL,
    };
    ald_dimension_row rows[2] = {ALD_DIMENSION_ROW_INIT};
    ald_dimension_choice choice = ALD_DIMENSION_CHOICE_INIT;
    ald_stability_row angles[2] = {ALD_STABILITY_ROW_INIT};
    ald_stability_summary summary = ALD_STABILITY_SUMMARY_INIT;
    double x_share[2], y_share[2], values[8];
    int count;
    STEP(failing_begin(p, s, 2));
    const ald_matrix *x = ald_dataset_x(s->data);
    const ald_target *y = ald_dataset_target(s->data);
    STEP(ald_fit_dataset(s->context, s->settings, s->data, &s->model, &s->error));
    STEP(ald_explained(s->context, s->model, x, y, x_share, y_share, &s->error));
    STEP(ald_stability(s->context, s->model, x, y, &draw, angles, &summary, &s->error));
    for (int kind = 0; kind < ALD_IMPORTANCE_KINDS && strcmp(p->method, "kpls") != 0; kind++)
        STEP(ald_importance(s->context, s->model, (ald_importance_kind)kind, x, y, values, &s->error));
    return ald_dimension(s->context, s->settings, x, y, &look, rows, 2, &count, &choice, &s->error);
}

static void directions_judged(void **state)
{
    (void)state;
    static const char *const ways[][2] = {
        {"sir", "n_components=1 n_slices=3 row_scale=unit"},
        {"pls", "n_components=1 scale=standard"},
        {"kpls", "n_components=1"},
    };
    const char *file = failing_input(
        "d.csv", "u,v,w,y\n1,2,.5,.1\n2,1,.3,.3\n3,5,1,.2\n4,4,.2,.9\n5,1,.9,.7\n6,2,.1,.8\n7,3,2,.6\n"
                 "8,1,.7,.5\n3,1,1,1\n2,2,2,1.2\n");
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        const plan p = {file, ways[k][0], ways[k][1], "out.tsv", {.target = "y"}, NULL, judge_directions};
        failing_each(&p);
    }
}

/* Two fits on two threads, judged, one kept. */
static ald_status use_choice(const plan *p, session *s)
{
    const int64_t sizes[] = {2, 4};
    const ald_choice_options choice = {.size = sizeof choice, .n_neighbors = sizes, .count = 2};
    ald_trial trials[2] = {ALD_TRIAL_INIT};
    STEP(failing_begin(p, s, 2));
    return ald_choose_neighbors(s->context, s->settings, s->data, &choice, trials, &s->model, &s->error);
}

static void neighbours_chosen(void **state)
{
    (void)state;
    const plan p = {
        failing_input("d.csv", "u,v,y\n1,2,.1\n2,1,.3\n3,5,.2\n4,4,.9\n5,1,.7\n6,2,.8\n7,3,.6\n8,1,.5\n"),
        "sdpp",
        "n_components=1 solver=cg n_starts=1",
        "out.tsv",
        {.target = "y"},
        NULL,
        use_choice,
    };
    failing_each(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comparisons),
        cmocka_unit_test(tunings),
        cmocka_unit_test(fits_by_the_usual_search),
        cmocka_unit_test(too_many_components),
        cmocka_unit_test(directions_judged),
        cmocka_unit_test(neighbours_chosen),
    };
    return failing_main(tests);
}
