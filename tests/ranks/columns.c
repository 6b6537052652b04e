/* columns FOLDER, under mpirun: pca of files with more columns than one square is formed of (the context says
 * that there are), by Lanczos. Equal to the decomposition of all rows by rank 0, twice the same bytes. */
#include "cluster/ranks/communicator.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { n = 150, d = 70, most_columns = 20, wanted = 3 };

typedef struct trial {
    const char *folder;
    ald_ranks *ranks;
    ald_context *together, *alone;
    ald_error error;
    int rank, failures;
} trial;

static void expect(trial *t, int holds, const char *title, const char *what, double found)
{
    if (holds) return;
    printf("rank %d of %d: %s: %s (%g)\n", t->rank, ald_ranks_size(t->ranks), title, what, found);
    t->failures++;
}

static const char *path_of(const trial *t, const char *name)
{
    static char path[4096];
    snprintf(path, sizeof path, "%s/%s", t->folder, name);
    return path;
}

/* Five factors of falling size, and less of everything else; most entries of the sparse file are 0. */
static double cell(ald_random *random, int i, int j, int sparse)
{
    const double noise = ald_random_normal(random);
    if (sparse && (i * 7 + j * 3) % 4) return 0.0;
    return sin(0.1 * i) * cos(0.2 * j) * 3.0 + sin(0.37 * i + j % 5) + cos(0.9 * i) * (j % 3) + 0.3 * noise;
}

static void write_csv(const trial *t)
{
    ald_random random;
    FILE *file = fopen(path_of(t, "t.csv"), "w");
    if (!file) abort();
    ald_random_seed(&random, 1, 0);
    for (int j = 0; j < d; j++) fprintf(file, "x%d,", j);
    fprintf(file, "w\n");
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < d; j++) fprintf(file, "%.6f,", cell(&random, i, j, 0));
        fprintf(file, "%d\n", 1 + i % 3);
    }
    fclose(file);
}

static void write_svm(const trial *t)
{
    ald_random random;
    FILE *file = fopen(path_of(t, "t.svm"), "w");
    if (!file) abort();
    ald_random_seed(&random, 2, 0);
    for (int i = 0; i < n; i++) {
        fprintf(file, "%d", i % 2);
        for (int j = 0; j < d; j++) {
            const double value = cell(&random, i, j, 1);
            if (value != 0.0) fprintf(file, " %d:%.6f", j + 1, value);
        }
        fprintf(file, "\n");
    }
    fclose(file);
}

static ald_model *fit(trial *t, ald_context *context, const char *name, const char *set, const char *weights)
{
    const ald_load_options load = {.size = sizeof load, .weights = weights, .block_bytes = 3000};
    ald_settings *settings = support_settings(context, "pca", set);
    ald_dataset *survey = NULL;
    ald_model *model = NULL;
    int64_t rows;
    ald_status status = ald_dataset_survey(context, path_of(t, name), &load, &survey, &rows, &t->error);
    if (status >= 0)
        status = ald_fit_stream(context, settings, path_of(t, name), &load, survey, &model, &t->error);
    expect(t, status >= 0, name, t->error.message, status);
    ald_dataset_free(survey);
    ald_settings_free(settings);
    return model;
}

static void compare(trial *t, const char *title, const ald_model *ours, const ald_model *right)
{
    ald_array a, b;
    if (!ours || !right) return;
    ald_model_array(ours, "eigenvalues", &a);
    ald_model_array(right, "eigenvalues", &b);
    const double *values = b.data;
    const double apart = support_largest_difference(wanted, a.data, b.data) / values[0];
    expect(t, apart <= 1e-11, title, "eigenvalues", apart);
    ald_model_array(ours, "components", &a);
    ald_model_array(right, "components", &b);
    const double sine = support_sine(wanted, d, a.data, b.data);
    expect(t, sine <= 1e-8, title, "components", sine);
}

static void check_solver(trial *t, const char *title, const ald_model *model)
{
    const char *solver = ald_model_text(model, "alidade.resolved.solver"),
               *reason = ald_model_text(model, "alidade.resolved.solver_reason");
    expect(t, solver && strcmp(solver, "lanczos") == 0, title, solver ? solver : "no solver", 0.0);
    expect(t, reason && strstr(reason, "fewest operations"), title, "no reason", 0.0);
}

static void check_file(trial *t, const char *name, const char *more, const char *weights)
{
    char set[200], title[300];
    unsigned char *bytes[2] = {NULL, NULL};
    size_t sizes[2] = {0, 0};
    snprintf(set, sizeof set, "n_components=%d tol=1e-13 %s", wanted, more);
    snprintf(title, sizeof title, "%s %s", name, more);
    ald_model *models[2];
    for (int i = 0; i < 2; i++) {
        models[i] = fit(t, t->together, name, set, weights);
        if (models[i]) ald_model_to_bytes(t->alone, models[i], &bytes[i], &sizes[i], &t->error);
    }
    expect(t, sizes[0] == sizes[1] && bytes[0] && !memcmp(bytes[0], bytes[1], sizes[0]), title,
           "twice is not the same", 0.0);
    if (models[0]) check_solver(t, title, models[0]);
    if (t->rank == 0) {
        ald_model *right = fit(t, t->alone, name, set, weights);
        compare(t, title, models[0], right);
        ald_model_free(right);
    }
    for (int i = 0; i < 2; i++) {
        ald_bytes_free(t->alone, bytes[i]);
        ald_model_free(models[i]);
    }
}

int main(int argc, char **argv)
{
    trial t = {.folder = argc > 1 ? argv[1] : "."};
    int speaker;
    if (ald_ranks_join(&t.ranks, &t.error) < 0) {
        printf("%s\n", t.error.message);
        return 1;
    }
    t.rank = ald_ranks_rank(t.ranks);
    t.together = support_context(1 + t.rank % 2, NULL);
    t.alone = support_context(1, NULL);
    t.together->most_square = most_columns;
    ald_context_set_ranks(t.together, t.ranks, &t.error);
    if (t.rank == 0) write_csv(&t);
    if (t.rank == 0) write_svm(&t);
    ald_ranks_settle(t.ranks, 0, &speaker);
    check_file(&t, "t.csv", "scale=standard", "w");
    check_file(&t, "t.csv", "row_scale=standard", NULL);
    check_file(&t, "t.svm", "scale=standard", NULL);
    check_file(&t, "t.svm", "row_scale=unit", NULL);
    ald_context_free(t.together);
    ald_context_free(t.alone);
    if (t.rank == 0) printf("%d ranks: %d failures\n", ald_ranks_size(t.ranks), t.failures);
    const int failed = ald_ranks_settle(t.ranks, t.failures > 0, &speaker);
    ald_ranks_leave(t.ranks);
    return failed;
}
