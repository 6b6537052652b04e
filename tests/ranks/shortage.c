/* shortage FOLDER [CASE [FIRST [RANK]]], under mpirun: memory runs out on one rank, at each of its requests
 * in turn, in whatever ranks do together: fits by moments and by passes, methods that keep their rows,
 * checkpoints, rows kept in a file, transform, predict, evaluate, update. All ranks end with the same
 * message, nobody waits for anybody, nothing is left in memory or on the disk. Every so many requests; with
 * ALD_LONG all of them. */
#include "support/ledger.h"
#include "together.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* With so many columns sdpp does not add up its pairs. */
enum { n = 40, most_bytes = 1 << 16, few_columns = 4, many_columns = 63, many_rows = 70 };

/* One run of a case, on a context whose memory runs out on one of the ranks. */
typedef struct session {
    grid *g;
    ald_context *context;
    ald_model *model; /* of t.csv, by memory that does not run out */
    const char *method, *set, *file;
    ald_load_options load;
    int64_t most_square;
    /* What was made. */
    ald_dataset *data, *all;
    ald_model *made;
    double *values;
    unsigned char *gathered;
    ald_error error;
} session;

static ald_status fit(session *s)
{
    int64_t rows;
    const char *path = grid_path(s->g, s->file);
    ald_status status = ald_dataset_survey(s->context, path, &s->load, &s->data, &rows, &s->error);
    if (status < 0) return status;
    ald_settings *settings = support_settings(s->g->alone, s->method, s->set);
    status = ald_fit_stream(s->context, settings, path, &s->load, s->data, &s->made, &s->error);
    ald_settings_free(settings);
    return status;
}

/* What a rank does by itself between two calls of all is agreed on as the command line does. */
static ald_status settle(session *s, ald_status status)
{
    int speaker;
    const int code = ald_ranks_settle(s->g->ranks, status < 0 ? (int)-status : 0, &speaker);
    if (code < 0) return ALD_ERROR_NUMERICAL;
    if (code > 0) snprintf(s->error.message, sizeof s->error.message, "a rank has failed");
    return code > 0 ? (ald_status)-code : status;
}

static ald_status load(session *s, int update)
{
    const ald_load_options like = {
        .size = sizeof like,
        .like = s->model,
        .portion = 1,
        .with_weights = update,
        .new_classes = update,
        .missing = "mean",
    };
    return ald_dataset_load(s->context, grid_path(s->g, s->file), &like, &s->data, &s->error);
}

static ald_status transform(session *s)
{
    int64_t rows;
    ald_status status = load(s, 0);
    if (status < 0) return status;
    const ald_matrix *x = ald_dataset_x(s->data);
    s->values = calloc((size_t)x->rows * 2 + 1, sizeof *s->values);
    status = settle(s, ald_transform(s->context, s->model, x, s->values, &s->error));
    if (status < 0) return status;
    return ald_write_portions(s->context, grid_path(s->g, "z.csv"), s->values, x->rows, 2, NULL, NULL, &rows,
                              &s->error);
}

static ald_status evaluate(session *s)
{
    size_t sizes[64];
    ald_status status = load(s, 0);
    if (status < 0) return status;
    const ald_matrix *x = ald_dataset_x(s->data);
    status = ald_dataset_gather_target(s->context, s->data, &s->all, &s->error);
    if (status < 0) return status;
    s->values = calloc((size_t)x->rows + 1, sizeof *s->values);
    status = ald_predict(s->context, s->model, x, s->values, &s->error);
    return ald_ranks_gather(s->context, status, s->values, (size_t)x->rows * sizeof *s->values, &s->gathered,
                            sizes, &s->error);
}

static ald_status measure(session *s)
{
    double shares[4], values[20];
    const double directions[5] = {1.0, 0.0, 0.5};
    const ald_matrix known = ald_matrix_row_major(directions, 1, 5, 5);
    ald_angles_result angles = ALD_ANGLES_RESULT_INIT;
    ald_status status = load(s, 0);
    if (status >= 0) status = ald_dataset_gather_target(s->context, s->data, &s->all, &s->error);
    if (status < 0) return status;
    const ald_matrix *x = ald_dataset_x(s->data);
    const ald_target *y = ald_dataset_target(s->all);
    ald_context_set_rows(s->context, s->data, &s->error);
    status = ald_explained(s->context, s->model, x, y, shares, shares + 2, &s->error);
    if (status >= 0)
        status = ald_importance(s->context, s->model, ALD_IMPORTANCE_STRUCTURE, x, y, values, &s->error);
    if (status < 0) return status;
    return ald_subspace_angles(s->context, s->model, &known, x, y, shares, shares + 2, &angles, &s->error);
}

static ald_status update(session *s)
{
    const ald_status status = load(s, 1);
    return status < 0 ? status : ald_update(s->context, s->model, s->data, 0, &s->made, &s->error);
}

static const struct {
    const char *name;
    ald_status (*run)(session *s);
    const char *method, *set, *file, *target;
    int wide; /* so few columns are too many for a square of them */
    const char *keep_rows, *checkpoint;
    int is_long; /* thousands of requests: some of them, and those with ALD_LONG only */
} cases[] = {
    {"moments", fit, "lda", "n_components=2 keep_statistics=1 predictor=gaussian", "t.csv",
     .target = "class"},
    {"class scatters", fit, "save", "n_components=1 predictor=none", "x.csv", .target = "y"},
    {"slices and msc", fit, "sir", "n_components=1 n_slices=3 rows=msc predictor=none", "x.csv",
     .target = "y"},
    {"curvature", fit, "phd", "n_components=1 predictor=linear", "x.csv", .target = "y"},
    {"parts", fit, "pls", "n_components=2 predictor=linear", "part-*.csv", .target = "y"},
    {"kept in a file", fit, "pca", "n_components=2 predictor=none", "t.csv", .target = "class",
     .keep_rows = "file"},
    {"checkpoint", fit, "pls", "n_components=2 predictor=linear", "x.csv", .target = "y",
     .checkpoint = "state"},
    {"lanczos", fit, "pca", "n_components=2 predictor=none scale=standard", "t.csv", .target = "class",
     .wide = 1},
    {"lsqr", fit, "lda", "n_components=1 ridge_rel=0.1 predictor=gaussian", "t.csv", .target = "class",
     .wide = 1},
    {"passes", fit, "pls", "n_components=2 predictor=linear rows=msc", "x.csv", .target = "y", .wide = 1},
    {"checkpoint of lanczos", fit, "pca", "n_components=2 predictor=none", "x.csv", .target = "y", .wide = 1,
     .checkpoint = "state"},
    {"checkpoint of lsqr", fit, "rrr", "n_components=1 ridge_rel=0.1", "x.csv", .target = "y", .wide = 1,
     .checkpoint = "state"},
    {"sdpp", fit, "sdpp", "n_components=1 n_neighbors=3 predictor=knn", "x.csv", .target = "y"},
    {"gradients of sdpp", fit, "sdpp",
     "n_components=1 n_neighbors=3 ridge_rel=0.3 max_iter=3 n_starts=2 predictor=none", "wide.csv",
     .target = "y", .is_long = 1},
    {"a graph of all rows", fit, "sdpp", "n_components=1 graph=enclosing n_starts=1 predictor=none", "x.csv",
     .target = "y", .is_long = 1},
    {"penalty", fit, "sdpp", "n_components=1 n_neighbors=3 penalty=l1 max_iter=3 n_starts=1 predictor=none",
     "x.csv", .target = "y", .is_long = 1},
    {"features of pairs", fit, "ksdpp",
     "n_components=1 n_neighbors=3 landmarks=4 ridge_rel=0.3 n_starts=1 predictor=none", "x.csv",
     .target = "y", .is_long = 1},
    {"landmarks", fit, "kpls", "n_components=1 landmarks=5 predictor=linear", "x.csv", .target = "y"},
    {"features", fit, "kpca", "n_components=1 features=5", "x.csv", .target = "y"},
    {"transform", transform, .file = "t.csv"},
    {"evaluate", evaluate, .file = "t.csv"},
    {"measure", measure, .file = "t.csv"},
    {"update", update, .file = "more.csv"},
};
enum { n_cases = sizeof cases / sizeof *cases };

/* A category, cells without a value, weights and classes; `classes` of them. */
static size_t write_rows(char *text, int from, int to, int classes)
{
    ald_random random;
    size_t used = (size_t)sprintf(text, "a,b,colour,c,w,class\n");
    ald_random_seed(&random, 5, 0);
    for (int i = from; i < to; i++)
        used += (size_t)sprintf(text + used, "%.6f,%.6f,%s,%s%d,%d,%c\n", ald_random_normal(&random) + i % 3,
                                ald_random_normal(&random), i % 7 == 6 ? "\"r,\n\"" : "green",
                                i % 9 ? "" : "1e0", i % 5, 1 + i % 3, "abcd"[i % classes]);
    return used;
}

static size_t write_numbers(char *text, int from, int to, int columns)
{
    ald_random random;
    size_t used = 0;
    for (int j = 0; j < columns; j++) used += (size_t)sprintf(text + used, "x%d,", j);
    used += (size_t)sprintf(text + used, "y\n");
    ald_random_seed(&random, 6, (uint64_t)from);
    for (int i = from; i < to; i++) {
        for (int j = 0; j < columns; j++)
            used += (size_t)sprintf(text + used, "%.6f,", ald_random_normal(&random) + j);
        used += (size_t)sprintf(text + used, "%.6f\n", ald_random_normal(&random));
    }
    return used;
}

static void write_files(const grid *g)
{
    char *text = malloc(most_bytes);
    if (!text) abort();
    grid_write(g, "t.csv", text, write_rows(text, 0, n, 3));
    grid_write(g, "more.csv", text, write_rows(text, n, n + 12, 4));
    grid_write(g, "x.csv", text, write_numbers(text, 0, n, few_columns));
    grid_write(g, "wide.csv", text, write_numbers(text, 0, many_rows, many_columns));
    for (int part = 0; part < 3; part++) {
        char name[32];
        snprintf(name, sizeof name, "part-%d.csv", part);
        grid_write(g, name, text, write_numbers(text, 13 * part, 13 * part + 13, few_columns));
    }
    free(text);
}

static int count_files(const grid *g)
{
    int count = 0;
    DIR *folder = opendir(g->folder);
    if (!folder) abort();
    while (readdir(folder)) count++;
    closedir(folder);
    return count;
}

static void end_session(session *s)
{
    ald_bytes_free(s->context, s->gathered);
    ald_model_free(s->made);
    ald_dataset_free(s->all);
    ald_dataset_free(s->data);
    free(s->values);
    ald_context_free(s->context);
}

static session begin_session(grid *g, ald_model *model, int number)
{
    static char state[4096];
    const int wide = cases[number].wide;
    snprintf(state, sizeof state, "%s", grid_path(g, "state"));
    return (session){
        .g = g,
        .model = model,
        .method = cases[number].method,
        .set = cases[number].set,
        .file = cases[number].file,
        .most_square = wide ? 3 : g->alone->most_square,
        .load =
            {
                .size = sizeof(ald_load_options),
                .target = cases[number].target,
                .missing = "mean",
                .weights = strcmp(cases[number].file, "t.csv") == 0 ? "w" : NULL,
                .block_bytes = 200,
                .keep_rows = cases[number].keep_rows,
                .checkpoint = cases[number].checkpoint ? state : NULL,
                .checkpoint_seconds = 1e-6,
            },
    };
}

/* A context is made on all ranks or on none. */
static int make_context(session *s)
{
    const ald_options options = {.size = sizeof options, .threads = 1, .allocator = ledger_allocator()};
    int64_t made = ald_context_new(&options, &s->context, &s->error) >= 0;
    ald_all_count(&s->g->run, &made, 1);
    if (made < ald_ranks_size(s->g->ranks)) return 0;
    ald_context_set_ranks(s->context, s->g->ranks, &s->error);
    s->context->most_square = s->most_square;
    return 1;
}

/* Nobody can go on from here. */
static void give_up(grid *g, const char *name, long at, int rank, const char *message)
{
    printf("%s: request %ld of rank %d: rank %d knows nothing of it: %s\n", name, at, rank, g->rank, message);
    fflush(stdout);
    ald_ranks_stop(g->ranks, 3);
}

/* All ranks have the same end; whether one of them has run out of memory. */
static int check_end(grid *g, const session *s, ald_status status, int number, long at, int rank)
{
    const char *name = cases[number].name;
    char title[100];
    int speaker;
    const int code = ald_ranks_settle(g->ranks, status < 0 ? 1 : 0, &speaker);
    if (code < 0) give_up(g, name, at, rank, s->error.message);
    int64_t failed = ledger_failed(), ends[] = {status < 0, status < 0 && status != ALD_ERROR_MEMORY};
    ald_all_count(&g->run, &failed, 1);
    ald_all_count(&g->run, ends, 2);
    snprintf(title, sizeof title, "%s, request %ld of rank %d", name, at, rank);
    if (ends[0] != 0 && ends[0] != ald_ranks_size(g->ranks)) grid_complain(g, "some ranks", title, status);
    if (ends[1] || (ends[0] && !failed)) {
        g->error = s->error;
        grid_complain(g, "another failure", title, status);
    }
    return failed > 0;
}

/* Request number `at` of the rank fails; whether it made as many. */
static int run_case(grid *g, ald_model *model, int number, long at, int rank, int files)
{
    session s = begin_session(g, model, number);
    ledger_begin(g->rank == rank ? at : -1);
    const ald_status status = make_context(&s) ? cases[number].run(&s) : ALD_ERROR_MEMORY;
    end_session(&s);
    const int failed = check_end(g, &s, status, number, at, rank);
    if (g->rank == 0) {
        unlink(grid_path(g, "z.csv"));
        ald_checkpoint_remove(g->alone, grid_path(g, "state"), NULL);
        if (count_files(g) != files) grid_complain(g, "files are left", cases[number].name, (double)at);
    }
    if (ledger_live() != 0) grid_complain(g, "memory is left", cases[number].name, (double)at);
    grid_meet(g);
    return failed;
}

/* In a sample each request is one of the next rank. */
static void run_requests(grid *g, ald_model *model, int number, long first, int rank)
{
    const int all = getenv("ALD_LONG") && !cases[number].is_long, ranks = ald_ranks_size(g->ranks),
              files = count_files(g);
    const int some = support_stride() > 1 ? 1 : 2, fraction = cases[number].is_long ? 20 : some;
    int spared = 0;
    long at = first;
    grid_meet(g);
    while (spared < (rank < 0 && !all ? ranks : 1)) {
        const int whose = rank < 0 ? (int)(at % ranks) : rank;
        const int failed = run_case(g, model, number, at, whose, files);
        spared = failed ? 0 : spared + 1;
        at += all || spared ? 1 : 1 + at / fraction;
        g->cases++;
    }
    if (g->rank == 0) printf("%s: %ld requests\n", cases[number].name, at - first);
}

static ald_model *fit_alone(grid *g)
{
    session s = begin_session(g, NULL, 0);
    s.context = g->alone;
    if (fit(&s) < 0) grid_complain(g, "failed alone", "lda", 0.0);
    ald_dataset_free(s.data);
    return s.made;
}

int main(int argc, char **argv)
{
    const char *only = argc > 2 ? argv[2] : NULL;
    const long first = argc > 3 ? atol(argv[3]) : 0;
    const int rank = argc > 4 ? atoi(argv[4]) : -1;
    grid g;
    grid_begin(&g, argc > 1 ? argv[1] : ".", NULL);
    if (g.rank == 0) write_files(&g);
    grid_meet(&g);
    ald_model *model = fit_alone(&g);
    int least = 0;
    for (int i = 0; i < n_cases; i++) {
        least += !cases[i].is_long;
        if (only && strcmp(only, cases[i].name) != 0) continue;
        if (!only && cases[i].is_long && !getenv("ALD_LONG")) continue;
        if (g.asked++ % (support_stride() > 1 ? 3 : 1)) continue;
        const int ranks = getenv("ALD_LONG") && rank < 0 && !cases[i].is_long ? ald_ranks_size(g.ranks) : 1;
        for (int r = 0; r < ranks; r++) run_requests(&g, model, i, first, ranks > 1 ? r : rank);
    }
    ald_model_free(model);
    return grid_end(&g, only ? 1 : least);
}
